//! A controller that was killed goes back in time by some seconds: jobs that have ended or were cancelled wait again
//! there. They are not started a second time: they are told as held with an open gate, and when it is closed they get an
//! administrator's hold, so that whoever looks later sees it too.

use std::collections::HashMap;

use super::queue::Row;
use crate::backend::State;

/// Seconds for which it is remembered that a job is gone.
const KEPT: u64 = 3600;

/// What a job that has come back waits for.
const REASON: &str = "it was gone already, and Slurm has forgotten that: cancel it, and submit it again if it has not run";

/// Jobs that are gone: when each was submitted, and since when it is gone.
#[derive(Clone, Debug, Default)]
pub(super) struct Gone(HashMap<u64, (u32, u64)>);

impl Gone {
    /// These were there at the last snapshot, and are not at this one.
    pub(super) fn note(&mut self, jobs: impl Iterator<Item = (u64, u32)>, now: u64) {
        self.0.retain(|_, (_, since)| now.saturating_sub(*since) < KEPT);
        self.0.extend(jobs.map(|(id, submitted)| (id, (submitted, now))));
    }

    /// Whether a job has come back. One that Slurm puts back, or another job of the same number, has another time of
    /// submission.
    pub(super) fn is_back(&self, row: &Row) -> bool {
        self.0.get(&row.id).is_some_and(|(submitted, _)| *submitted == row.submitted)
    }

    /// Those that have come back, and that nobody holds yet, are told as held with an open gate.
    pub(super) fn hold(&self, rows: &mut [Row]) {
        for row in rows.iter_mut().filter(|row| row.priority > 0) {
            if matches!(row.state, State::Waits { .. }) && self.is_back(row) {
                row.state = State::Waits { gated: false, held: true };
                row.reason = REASON.into();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::queue::read;
    use super::Gone;
    use crate::backend::State;

    fn is_held(gone: &Gone, id: u64, submitted: u32) -> bool {
        let line = format!("{id}|{id}|N/A|0|root|main|PD|5|0|1|7:00|{submitted}|N/A||(null)|None");
        let (_, mut rows) = read(&format!("last_update_time=9 records=1\n{line}\n")).unwrap();
        gone.hold(&mut rows);
        matches!(rows[0].state, State::Waits { held: true, .. })
    }

    #[test]
    fn a_job_that_comes_back_from_the_past_is_held_and_its_number_is_not() {
        let mut gone = Gone::default();
        gone.note([(7, 100)].into_iter(), 200);
        assert!(is_held(&gone, 7, 100));
        assert!(!is_held(&gone, 7, 101) && !is_held(&gone, 8, 100));
        gone.note(std::iter::empty(), 200 + 3600);
        assert!(!is_held(&gone, 7, 100));
    }
}

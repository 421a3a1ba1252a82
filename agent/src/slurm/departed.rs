//! A controller that was killed goes back in time by some seconds: jobs that have ended or were cancelled wait again
//! there. They are not started a second time: they are told as held with an open gate, and when it is closed they get their
//! owner's hold, so that whoever looks later sees it too, and who owns one can have it run again.

use std::collections::HashMap;

use super::queue::Row;
use crate::backend::State;
use crate::gone::Gone;

/// Seconds for which it is remembered that a job is gone, while the controller answers.
const KEPT: u64 = 3600;

/// What a job that has come back waits for.
const REASON: &str =
    "it was gone already, and Slurm has forgotten that: cancel it, or release it to run it again";

/// Jobs that are gone: when each was submitted, and since when it is gone; and when the controller answered last.
#[derive(Clone, Debug, Default)]
pub(super) struct Departed {
    jobs: HashMap<u64, (u32, u64)>,
    answered: u64,
}

impl Departed {
    /// These.
    pub(super) fn of(gone: &[Gone]) -> Self {
        let jobs = gone.iter().map(|&Gone { id, submitted, since }| (id, (submitted, since)));
        let answered = gone.iter().map(|gone| gone.since).max().unwrap_or(0);
        Self { jobs: jobs.collect(), answered }
    }

    /// All, by number.
    pub(super) fn list(&self) -> Vec<Gone> {
        let all = self.jobs.iter().map(|(&id, &(submitted, since))| Gone { id, submitted, since });
        let mut all: Vec<Gone> = all.collect();
        all.sort_unstable_by_key(|gone| gone.id);
        all
    }

    /// These were there at the last snapshot, and are not at this one.
    pub(super) fn note(&mut self, jobs: impl Iterator<Item = (u64, u32)>, now: u64) {
        self.jobs.retain(|_, (_, since)| self.answered.saturating_sub(*since) < KEPT);
        self.jobs.extend(jobs.map(|(id, submitted)| (id, (submitted, now))));
        self.answered = now;
    }

    /// Whether a job of this number left of late.
    pub(super) fn knows(&self, id: u64) -> bool {
        self.jobs.contains_key(&id)
    }

    /// Whether the controller may have brought this job back: it was gone, and nobody holds it.
    pub(super) fn has(&self, row: &Row) -> bool {
        row.priority > 0
            && matches!(row.state, State::Waits { .. })
            && self.jobs.contains_key(&row.id)
    }

    /// Tells those that have come back as held with an open gate. `booted` is when the controller began: a job that was
    /// gone after that was put back by somebody who wants it to run again. `is_again` says whether a job was put
    /// back, and is not another of the same number.
    pub(super) fn hold(&mut self, rows: &mut [Row], booted: u64, is_again: impl Fn(&Row) -> bool) {
        for row in rows {
            let Some((submitted, since)) = self.jobs.get(&row.id).copied() else { continue };
            if is_of_before(row, since) {
                continue;
            }
            let is_same = submitted == row.submitted || is_again(row);
            if !self.has(row) || !is_same || since > booted {
                // Whoever lets go of the hold wants it to run.
                self.jobs.remove(&row.id);
                continue;
            }
            row.state = State::Waits { gated: false, held: true };
            row.reason = REASON.into();
        }
    }
}

/// Whether a controller takes a job to run that is gone: it began before that, and is put back when its nodes do not know it.
fn is_of_before(row: &Row, gone: u64) -> bool {
    match row.state {
        State::Runs { since, .. } => since <= gone,
        State::Ends { .. } => true,
        State::Waits { .. } => false,
    }
}

#[cfg(test)]
mod tests {
    use super::super::queue::{plain, read};
    use super::{Departed, Row};
    use crate::backend::State;

    fn row(id: u64, submitted: u32, priority: u32) -> Row {
        let line = format!(
            "{id}|{id}|N/A|0|root|main|PD|{priority}|0|1|7:00|{submitted}|N/A||(null)|None"
        );
        read(&format!("last_update_time=9 records=1\n{}\n", plain(&line))).unwrap().1.remove(0)
    }

    fn is_held(gone: &mut Departed, row: Row, is_again: bool) -> bool {
        let mut rows = [row];
        gone.hold(&mut rows, 300, |_| is_again);
        matches!(rows[0].state, State::Waits { held: true, .. })
    }

    fn gone(since: u64) -> Departed {
        let mut gone = Departed::default();
        gone.note([(7, 100)].into_iter(), since);
        gone
    }

    #[test]
    fn a_job_that_comes_back_from_the_past_is_held_and_its_number_is_not() {
        assert!(is_held(&mut gone(200), row(7, 100, 5), false));
        assert!(
            is_held(&mut gone(200), row(7, 250, 5), true),
            "put back by a controller that misses it"
        );
        assert!(!is_held(&mut gone(200), row(7, 250, 5), false), "another job of that number");
        assert!(!is_held(&mut gone(200), row(8, 100, 5), false));
        assert!(!is_held(&mut gone(400), row(7, 450, 5), true), "its owner has it run again");
    }

    #[test]
    fn a_job_that_is_taken_to_run_still_and_then_put_back_is_held() {
        let mut gone = gone(200);
        let running = |since| {
            let state = State::Runs { since, nodes: vec!["a".into()] };
            Row { state, ..row(7, 100, 5) }
        };
        assert!(!is_held(&mut gone, running(150), false));
        assert!(!is_held(
            &mut gone,
            Row { state: State::Ends { nodes: vec![] }, ..running(0) },
            false
        ));
        assert!(is_held(&mut gone, row(7, 310, 5), true));
        assert!(!is_held(&mut gone, running(320), true), "it was let run again");
        assert!(!is_held(&mut gone, row(7, 330, 5), true));
    }

    #[test]
    fn who_lets_go_of_the_hold_has_it_run() {
        let mut gone = gone(200);
        assert!(is_held(&mut gone, row(7, 100, 5), false));
        assert!(is_held(&mut gone, row(7, 100, 0), false), "by Slurm's hold");
        assert!(!is_held(&mut gone, row(7, 100, 5), false));
    }

    #[test]
    fn an_agent_that_begins_anew_knows_them_still() {
        let list = gone(200).list();
        assert!(is_held(&mut Departed::of(&list), row(7, 100, 5), false));
        assert_eq!(Departed::of(&list).list(), list);
    }

    #[test]
    fn what_is_gone_for_an_hour_is_forgotten_unless_nobody_could_tell() {
        let mut gone = gone(200);
        gone.note(std::iter::empty(), 200 + 3600);
        assert!(is_held(&mut gone, row(7, 100, 5), false), "the controller was away for an hour");
        gone.note(std::iter::empty(), 200 + 3601);
        assert!(!is_held(&mut gone, row(7, 100, 5), false));
    }
}

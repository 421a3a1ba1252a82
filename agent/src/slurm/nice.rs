//! What users say by `--nice`: Slurm forgets it when a job is given a priority.

use std::collections::HashMap;

use super::queue::Row;
use super::ranks;

/// Nice makes a job less urgent, from -2^31 to 2^31: the middle of what a priority can be is 0.
const MIDDLE: i64 = 1 << 31;

/// The urgency of a job.
pub(super) fn urgency(nice: i64) -> u32 {
    u32::try_from(MIDDLE.saturating_sub(nice).max(0)).unwrap_or(u32::MAX)
}

/// What users have said, by the number of the job.
#[derive(Clone, Debug, Default)]
pub(super) struct Nices(HashMap<u64, i64>);

impl Nices {
    /// Of jobs of this urgency.
    pub(super) fn of(jobs: impl IntoIterator<Item = (u64, u32)>) -> Self {
        let nice = |(id, urgency)| (id, MIDDLE - i64::from(urgency));
        Self(jobs.into_iter().map(nice).collect())
    }

    /// What is stored of jobs whose priority is the agent's.
    pub(super) fn also(&mut self, jobs: impl IntoIterator<Item = (u64, i64)>) {
        self.0.extend(jobs);
    }

    /// Has the rows say what users said, where the agent gave a priority or a hold took its place.
    pub(super) fn restore(&mut self, rows: &mut [Row]) {
        let is_lost =
            |row: &&mut Row| row.nice == 0 && (row.priority == 0 || ranks::is_agents(row.priority));
        for row in rows.iter_mut().filter(is_lost) {
            row.nice = self.0.get(&row.id).copied().unwrap_or(0);
        }
        self.0 = rows.iter().map(|row| (row.id, row.nice)).collect();
    }
}

#[cfg(test)]
mod tests {
    use super::super::queue;
    use super::{Nices, urgency};

    /// The urgencies of job 7 from one look to the next, by its priority and what Slurm says of nice.
    fn urgencies(mut nices: Nices, looks: &[(u32, i64)]) -> Vec<u32> {
        let one = |(priority, nice): &(u32, i64)| {
            let line =
                format!("7|7|N/A|0|root|main|PD|{priority}|{nice}|1|7:00|1|N/A||(null)|None");
            let text = format!("last_update_time=1795640500\n{}\n", queue::plain(&line));
            let (_, mut rows) = queue::read(&text).unwrap();
            nices.restore(&mut rows);
            urgency(rows[0].nice)
        };
        looks.iter().map(one).collect()
    }

    const MIDDLE: u32 = 1 << 31;
    const RANKED: u32 = u32::MAX - 90;

    #[test]
    fn a_priority_of_the_agent_hides_no_urgency() {
        let looks = [(9, -100), (RANKED, 0), (0, 0), (RANKED, 0), (9, -100), (9, 0)];
        let more = MIDDLE + 100;
        assert_eq!(
            urgencies(Nices::default(), &looks),
            [more, more, more, more, more, MIDDLE],
            "in the end its owner has changed it"
        );
    }

    #[test]
    fn an_agent_that_is_begun_anew_knows_it() {
        let known = Nices::of([(7, MIDDLE - 5)]);
        assert_eq!(urgencies(known, &[(RANKED, 0), (9, 0)]), [MIDDLE - 5, MIDDLE]);
        assert_eq!(urgencies(Nices::default(), &[(RANKED, 0)]), [MIDDLE]);
    }

    #[test]
    fn no_nice_is_beyond_what_an_urgency_can_be() {
        assert_eq!(
            [i64::MIN, 1 << 31, 1, 0, i64::MAX].map(urgency),
            [u32::MAX, 0, MIDDLE - 1, MIDDLE, 0]
        );
    }
}

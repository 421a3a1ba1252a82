//! The coordinator's invariants, recomputed.

use super::Cluster;
use super::storage::{JobRow, State};
use crate::bits::ones;
use crate::invariant::{InvariantViolation, ensure};
use crate::timeshare::{HostId, JobNumber, Placement};

impl<P: Placement> Cluster<'_, P> {
    /// Checks every invariant named at the struct, and those of the table.
    ///
    /// # Errors
    ///
    /// [`InvariantViolation`] says which does not hold: a defect of this crate, or of what was restored.
    pub fn check_invariants(&self) -> Result<(), InvariantViolation> {
        self.table.check_invariants()?;
        self.core.jobs.check(&*self.jobs)?;
        ensure(self.core.pool() == self.config.pool, "the pool of the jobs")?;
        let used = self.core.jobs.used();
        let waits = |row: u32, job: &JobRow| {
            row < used && job.generation.is_live() && job.state == State::Waits
        };
        let queued = self.core.waiting.audit(self.jobs, waits);
        let mut waiting = 0u32;
        for (row, job) in (0..).zip(&*self.jobs) {
            let number = JobNumber(row);
            let open = row < used && job.generation.is_live();
            let placed = self.table.request(number);
            if open && job.state == State::Runs {
                ensure(placed == Ok(job.request()), "a job that runs is not in the table")?;
            } else {
                ensure(placed.is_err(), "a job is in the table and does not run")?;
                waiting = waiting.wrapping_add(open.into());
            }
        }
        ensure(queued == Some(waiting), "the queue is not that of the jobs that wait")?;
        let due = (0u32..).zip(&*self.due).flat_map(|(at, &word)| {
            let first = at.wrapping_mul(crate::bits::Word::BITS);
            ones(word).map(move |bit| HostId(first.wrapping_add(bit)))
        });
        let mut due = due;
        ensure(due.all(|host| self.table.read_at(host).is_some()), "a lost host is to be told")
    }
}

//! What becomes of jobs and processors besides running: failed runs, cancelling and holding,
//! limits, draining.

use super::storage::{HoldReason, JobRow, NodeRow, Pending, Service};
use super::tables::Tables;
use super::{JobId, Misuse, Nodes};
use locox::ground::Ref;
use locox::time::Duration;

impl Tables<'_> {
    // Failures.

    /// Whether a run that is given up failed: it was to be there, and nobody told it to leave.
    pub(super) fn has_failed(&self, job: u32, node: u32) -> bool {
        self.job(job).at == Ref::to(node) && self.node(node).told != Pending::Preempt
    }

    /// The job's run failed; before it would wait again.
    pub(super) fn note_failure(&mut self, job: u32) {
        let retries = self.config.retries;
        self.edit_job(job, |row| {
            row.failures = row.failures.saturating_add(1);
            let is_over = retries > 0 && row.failures >= retries;
            row.hold_reason = if is_over { HoldReason::Failed } else { HoldReason::BackingOff };
        });
    }

    /// When it may wait again; each time after twice as long.
    pub(super) fn back_off(&mut self, job: u32) {
        let doublings = u32::from(self.job(job).failures.saturating_sub(1)).min(32);
        let length = self.config.back_off.checked_mul(1 << doublings).unwrap_or(Duration::MAX);
        let until = self.now.saturating_add(length);
        self.edit_job(job, |row| row.since = until);
    }

    /// A run of the job failed on the processor, which is set aside if those of too many jobs do.
    pub(super) fn blame(&mut self, node: u32, job: u32) {
        let (before, generation) = (self.node(node), self.job(job).generation);
        if before.failed == Ref::to(job) && before.failed_generation == generation {
            return;
        }
        let faults = before.faults.saturating_add(1);
        self.edit_node(node, |row| {
            row.faults = faults;
            row.failed = Ref::to(job);
            row.failed_generation = generation;
        });
        let most = self.config.faults;
        if most > 0 && faults >= u32::from(most) && before.service == Service::In {
            self.edit_node(node, |row| row.service = Service::Aside);
            self.tell(node, Pending::Aside);
        }
    }

    /// The run got somewhere.
    pub(super) fn did_well(&mut self, job: u32, node: u32) {
        self.edit_job(job, |row| row.failures = 0);
        self.edit_node(node, NodeRow::forgive);
    }

    // Jobs.

    /// A job that is not cancelled.
    pub(super) fn wanted(&self, JobId(handle): JobId) -> Result<u32, Misuse> {
        let job = self.core.jobs.find(&*self.rows.jobs, handle)?;
        if self.job(job).hold_reason == HoldReason::Cancelled {
            Err(Misuse::Cancelled)
        } else {
            Ok(job)
        }
    }

    pub(super) fn release(&mut self, job: u32) -> Result<(), Misuse> {
        if self.job(job).hold_reason == HoldReason::None {
            return Err(Misuse::NotStopped);
        }
        self.edit_job(job, |row| row.failures = 0);
        self.let_go(job);
        Ok(())
    }

    /// The job loses the processor that it holds, and waits no more. A cancelled one that is on no
    /// processor ends.
    pub(super) fn stop(&mut self, job: u32, hold_reason: HoldReason) {
        let JobRow { at, hold_reason: before, .. } = self.job(job);
        if before == HoldReason::None && at == Ref::NONE {
            self.unlist_waiting(job);
        }
        self.edit_job(job, |row| row.hold_reason = hold_reason);
        self.withdraw(job);
        // Also where it is only suspended.
        if let Some(node) = self.job(job).on.get() {
            self.tell(node, Pending::Preempt);
        }
        if let Some(kept) = at.get() {
            self.offer(kept);
        }
        self.close_cancelled(job);
    }

    /// A job waits again.
    fn let_go(&mut self, job: u32) {
        self.edit_job(job, |row| row.hold_reason = HoldReason::None);
        self.wait(job);
        self.serve_own(self.job(job).home);
    }

    /// A cancelled job ends when it is on no processor.
    pub(super) fn close_cancelled(&mut self, job: u32) {
        let JobRow { on, hold_reason, .. } = self.job(job);
        if hold_reason == HoldReason::Cancelled && on == Ref::NONE {
            self.close(job);
        }
    }

    /// What is due for jobs at the end of an interval: one pass.
    pub(super) fn review_jobs(&mut self) {
        for job in 0..self.core.jobs.used() {
            // By reference: all rows are looked at, and few are copied.
            let row = self.rows.jobs.get(job as usize).filter(|row| row.generation.is_live());
            let Some(row) = row else { continue };
            if row.hold_reason == HoldReason::BackingOff
                && row.since <= self.now
                && row.on == Ref::NONE
            {
                self.let_go(job);
            } else if row.at != Ref::NONE && row.has_expired(self.now) {
                self.stop(job, HoldReason::Expired);
            }
        }
    }

    // Processors.

    pub(super) fn each_of(
        &mut self,
        nodes: Nodes,
        change: fn(&mut Self, u32),
    ) -> Result<(), Misuse> {
        match nodes {
            Nodes::One { node } => change(self, self.known_node(node)?),
            Nodes::Bank => {
                let (first, end) = (self.rows.homes.len() as u32, self.rows.nodes.len() as u32);
                (first..end).for_each(|node| change(self, node));
            }
        }
        Ok(())
    }

    pub(super) fn drain(&mut self, node: u32) {
        let before = self.node(node);
        self.unlist_free(node);
        if before.pending == Pending::Aside {
            self.tell_nothing(node);
        }
        self.edit_node(node, |row| row.service = Service::Drained);
        let Some(job) = before.holder.get() else { return };
        self.withdraw(job);
        if self.node(node).occupant == Ref::to(job) {
            self.tell(node, Pending::Preempt);
        }
        self.serve_own(self.job(job).home);
    }

    pub(super) fn restore(&mut self, node: u32) {
        if self.node(node).pending == Pending::Aside {
            self.tell_nothing(node);
        }
        self.edit_node(node, |row| {
            row.service = Service::In;
            row.forgive();
        });
        self.offer(node);
    }
}

//! The coordinator's invariants, recomputed.

use super::Coordinator;
use super::storage::{JobRow, State};
use crate::invariant::{InvariantViolation, ensure};

impl Coordinator<'_> {
    /// Checks every invariant named at the struct.
    ///
    /// # Errors
    ///
    /// [`InvariantViolation`] says which does not hold: a defect of this crate, or of what was restored.
    pub fn check_invariants(&self) -> Result<(), InvariantViolation> {
        let columns = &self.columns;
        self.core.jobs.check(&*columns.jobs)?;
        ensure(self.core.jobs.pool() == self.config.pool, "the pool of the jobs")?;
        let used = self.core.jobs.used();
        let is_open = |row: u32, job: &JobRow| row < used && job.generation.is_live();
        let listed = self.core.all.audit(columns.jobs, is_open);
        ensure(listed == Some(self.core.jobs.open_count()), "the list of all jobs")?;
        let waiting = self.core.all.iter(columns.jobs).filter(|(_, job)| job.state == State::Waits);
        ensure(waiting.count() == self.core.waiting as usize, "the count of jobs that wait")?;
        self.core.all.iter(columns.jobs).try_for_each(|(row, job)| self.check_job(row, job))?;
        self.check_machines()?;
        self.check_due()?;
        self.check_users()?;
        self.check_policies()?;
        self.check_links()?;
        self.check_expected()
    }

    fn check_job(&self, row: u32, job: &JobRow) -> Result<(), InvariantViolation> {
        let resources = self.known.site.resources();
        let there = (job.class as usize) < self.known.times.jobs()
            && (job.user as usize) < self.columns.users.len()
            && (job.queue as usize) < self.columns.queues.len();
        ensure(there, "the class, user and queue of a job are there")?;
        let place = job.place.get();
        ensure(place.is_none_or(|at| (at as usize) < resources), "a place is a resource")?;
        let has = self.columns.machines.iter().filter(|it| it.job.get() == Some(row)).count();
        if job.state == State::Waits {
            ensure(has == 0, "a job that waits has no machine")?;
            return ensure(place.is_none_or(|at| self.is_usable(at)), "a place can take a job");
        }
        ensure(has > 0 && place.is_some(), "a job that runs or leaves has machines")
    }

    fn check_machines(&self) -> Result<(), InvariantViolation> {
        for (at, machine) in (0..).zip(&*self.columns.machines) {
            let Some(row) = machine.job.get() else { continue };
            let job = self.job(row);
            let is_open = row < self.core.jobs.used() && job.generation.is_live();
            let place = job.place.get().filter(|_| is_open && job.state != State::Waits);
            let is_member = place.is_some_and(|place| self.members(place).any(|it| it == at));
            ensure(is_member, "a machine's job is one of a resource that it belongs to")?;
        }
        Ok(())
    }

    fn check_due(&self) -> Result<(), InvariantViolation> {
        let used = self.columns.jobs.get(..self.core.jobs.used() as usize).unwrap_or_default();
        for (row, job) in (0..).zip(used).filter(|(_, job)| job.due != 0) {
            let runs = job.generation.is_live() && job.state != State::Waits;
            ensure(runs && row >= self.core.due_from, "what is due is of a job that has machines")?;
        }
        Ok(())
    }

    fn check_users(&self) -> Result<(), InvariantViolation> {
        for (at, user) in (0..).zip(&*self.columns.users) {
            let all = self.core.all.iter(self.columns.jobs);
            let count = all.filter(|(_, job)| job.user == at).count();
            ensure(count == user.jobs as usize, "the count of a user's jobs")?;
        }
        Ok(())
    }

    fn check_policies(&self) -> Result<(), InvariantViolation> {
        let mut queues = self.columns.queues.iter();
        while let Some(policy) = queues.next() {
            let agree = queues.clone().all(|other| policy.agrees(other));
            ensure(agree, "levels agree with who takes places from whom")?;
        }
        Ok(())
    }

    fn check_links(&self) -> Result<(), InvariantViolation> {
        let mut down = self.down().iter();
        while let Some(link) = down.next() {
            let mut clusters = self.known.site.clusters();
            let serves = clusters.any(|(_, cluster)| cluster.interconnect == Some(*link));
            ensure(serves && !down.as_slice().contains(link), "an interconnect is down once")?;
        }
        Ok(())
    }

    fn check_expected(&self) -> Result<(), InvariantViolation> {
        let times = self.table();
        let mut cells = (0..self.known.times.jobs()).flat_map(|class| {
            (0..self.known.site.resources()).map(move |resource| (class, resource))
        });
        let agrees = cells.all(|(class, resource)| {
            let time = self.look_up(class, resource);
            times.on(class, resource).unwrap_or(crate::mapping::Times::NEVER) == time
        });
        ensure(agrees, "expected times are what runs and table say")
    }
}

//! Jobs of users come, wait, run and end.

use super::storage::{JobRow, State, UserRow};
use super::{Coordinator, JobClass, JobId, Misuse, QueueId, Refusal, Run, UserId};
use crate::error::Error;
use crate::handle::{self, Handle};
use crate::list::Ref;
use crate::time::{Duration, Instant};

impl Coordinator<'_> {
    pub(super) fn submit(
        &mut self,
        now: Instant,
        user: UserId,
        serial: u32,
        queue: QueueId,
        class: JobClass,
    ) -> Result<JobId, Error<Refusal, Misuse>> {
        let UserRow { serial: last, last: row, generation, jobs, limit } = *self.user_mut(user)?;
        let next = last.wrapping_add(1);
        if serial == last
            && let Some(row) = row.get()
        {
            return Ok(JobId(Handle::new(self.config.pool, row, generation)));
        }
        if serial != next {
            let is_old = serial < next;
            return Err(if is_old { Refusal::Old } else { Refusal::Early { next } }.into());
        }
        self.policy(queue).ok_or(Misuse::NoSuchQueue(queue))?;
        if class.0 as usize >= self.known.times.jobs() {
            return Err(Misuse::NoSuchClass(class).into());
        }
        if limit > 0 && jobs >= limit {
            return Err(Refusal::Limit { jobs }.into());
        }
        if !(0..self.known.site.machines())
            .any(|at| self.known.times.on(class.0 as usize, at).is_some())
        {
            return Err(Refusal::NoMachine(class).into());
        }
        let Self { core, columns, .. } = self;
        let row = core.jobs.open(&mut *columns.jobs).ok_or(Refusal::JobsFull)?;
        if let Some(job) = columns.jobs.get_mut(row as usize) {
            *job = JobRow {
                generation: job.generation,
                user: user.0,
                queue: queue.0,
                class: class.0,
                ..JobRow::EMPTY
            };
        }
        core.all.push_back(columns.jobs, row);
        self.waits(now);
        let name = self.name(row);
        let user = self.user_mut(user)?;
        user.serial = serial;
        (user.last, user.generation) = (Ref::to(row), name.0.generation());
        user.jobs = user.jobs.wrapping_add(1);
        Ok(name)
    }

    pub(super) fn finished(
        &mut self,
        run: Run,
        took: Duration,
    ) -> Result<(), Error<Refusal, Misuse>> {
        let row = self.find(run)?;
        let JobRow { user, class, place, .. } = self.job(row);
        self.forget(row);
        if let Some(place) = place.get() {
            self.learn(class as usize, place as usize, took);
        }
        let Self { core, columns, .. } = self;
        core.all.remove(columns.jobs, row);
        core.jobs.close(&mut *columns.jobs, row);
        if let Some(user) = columns.users.get_mut(user as usize) {
            user.jobs = user.jobs.saturating_sub(1);
        }
        Ok(())
    }

    pub(super) fn job(&self, row: u32) -> JobRow {
        *self.columns.jobs.get(row as usize).unwrap_or(&JobRow::EMPTY)
    }

    pub(super) fn name(&self, row: u32) -> JobId {
        JobId(self.core.jobs.handle(&*self.columns.jobs, row))
    }

    pub(super) fn run(&self, row: u32) -> Run {
        Run { job: self.name(row), attempt: self.job(row).attempt }
    }

    /// The row of a job of which this is the run that has machines.
    pub(super) fn find(&self, run: Run) -> Result<u32, Error<Refusal, Misuse>> {
        let found = self.core.jobs.find(&*self.columns.jobs, run.job.0);
        let row = found.map_err(|misuse| match misuse {
            handle::Misuse::Stale if run.job.0.index() < self.core.jobs.used() => {
                Error::Refused(Refusal::Old)
            }
            other => Error::Misused(Misuse::Job(other)),
        })?;
        let job = self.job(row);
        let is_it = job.attempt == run.attempt && job.state != State::Waits;
        if is_it { Ok(row) } else { Err(Refusal::Old.into()) }
    }

    pub(super) fn user_mut(&mut self, user: UserId) -> Result<&mut UserRow, Misuse> {
        self.columns.users.get_mut(user.0 as usize).ok_or(Misuse::NoSuchUser(user))
    }

    /// One more job waits. Quanta that ended while nobody waited are over.
    fn waits(&mut self, now: Instant) {
        if self.core.waiting == 0 && now >= self.core.next {
            self.core.next = self.end_of_quantum(now);
        }
        self.core.waiting = self.core.waiting.wrapping_add(1);
    }

    /// A job that had machines has none any more.
    pub(super) fn wait_again(&mut self, now: Instant, row: u32) {
        self.forget(row);
        self.waits(now);
    }

    /// A job has no machines and no place, and there is nothing to be told of it.
    fn forget(&mut self, row: u32) {
        if let Some(job) = self.columns.jobs.get_mut(row as usize) {
            (job.state, job.place, job.at, job.due) = (State::Waits, Ref::NONE, Instant::ZERO, 0);
        }
        for machine in self.columns.machines.iter_mut().filter(|it| it.job.get() == Some(row)) {
            machine.job = Ref::NONE;
        }
    }

    /// A job that runs is to leave its machines.
    pub(super) fn leave(&mut self, row: u32) {
        if let Some(job) = self.columns.jobs.get_mut(row as usize) {
            job.state = State::Leaves;
        }
        self.mark(row);
    }

    /// There is something to be told of a job.
    pub(super) fn mark(&mut self, row: u32) {
        if let Some(job) = self.columns.jobs.get_mut(row as usize) {
            job.due = 1;
            self.core.due_from = self.core.due_from.min(row);
        }
    }
}

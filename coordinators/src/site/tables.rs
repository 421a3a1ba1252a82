//! What the coordinator knows and does to it: jobs of users come, wait, run and end.

use super::error::{Error, Outcome};
use super::storage::{JobRow, MachineRow, State, UserRow};
use super::{
    Columns, Command, Config, JobClass, JobId, Misuse, Policy, QueueId, Refusal, Run, SiteModel,
    UserId,
};
use locox::ground::{List, Ref, Slab, edit};
use locox::handle::{self, Handle};
use locox::time::{Duration, Instant};

/// What the coordinator keeps beside its columns.
#[derive(Clone, Debug)]
pub(super) struct Core {
    /// The latest time given.
    pub(super) now: Instant,
    /// When the quantum ends. Of no meaning while nobody waits.
    pub(super) next: Instant,
    /// Which rows for jobs are in use.
    pub(super) jobs: Slab,
    /// All jobs in the order of their arrival.
    pub(super) all: List,
    /// How many of them wait.
    pub(super) waiting: u32,
    /// How many interconnects are down.
    pub(super) down: u32,
    /// No row before this one is due.
    pub(super) due_from: u32,
}

impl Core {
    pub(super) const fn new(config: &Config, now: Instant) -> Self {
        Self {
            now,
            next: now,
            jobs: Slab::new(config.pool),
            all: List::EMPTY,
            waiting: 0,
            down: 0,
            due_from: 0,
        }
    }
}

/// All that a coordinator decides by.
#[derive(Debug)]
pub(super) struct Tables<'a> {
    pub(super) config: Config,
    pub(super) model: SiteModel<'a>,
    pub(super) core: Core,
    pub(super) columns: Columns<'a>,
}

impl Tables<'_> {
    /// Checks a command, and then does what it says; what it says of machines and places is looked
    /// at afterwards.
    pub(super) fn apply_command(
        &mut self,
        now: Instant,
        command: Command,
    ) -> Outcome<Option<JobId>> {
        match command {
            Command::Submit { user, serial, queue, class } => {
                return self.submit(now, user, serial, queue, class).map(Some);
            }
            Command::Finished { run, took } => self.finished(run, took)?,
            Command::Vacated { run } => {
                let row = self.find(run)?;
                self.wait_again(now, row);
            }
            Command::MachineLost { machine, boot } => self.lost(now, machine, boot)?,
            Command::MachineBack { machine, boot } => self.back(now, machine, boot)?,
            Command::LinkDown { link } => self.link_down(link)?,
            Command::LinkUp { link } => self.link_up(link)?,
            Command::SetPolicy { queue, policy } => self.set_policy(queue, policy)?,
            Command::SetLimit { user, jobs } => self.user_mut(user)?.limit = jobs,
            Command::SetClearance { user, clearance } => {
                self.user_mut(user)?.clearance = clearance;
            }
            Command::Tick => {}
        }
        Ok(None)
    }

    pub(super) fn submit(
        &mut self,
        now: Instant,
        user: UserId,
        serial: u32,
        queue: QueueId,
        class: JobClass,
    ) -> Outcome<JobId> {
        let UserRow { serial: last, last: row, generation, jobs, limit, clearance, .. } =
            *self.user_mut(user)?;
        let next = last.wrapping_add(1);
        if serial == last
            && let Some(row) = row.get()
        {
            return Ok(JobId(Handle::new(self.config.pool, row, generation)));
        }
        if serial != next {
            return Err(Misuse::Serial { next }.into());
        }
        let policy = self.columns.queues.get(queue.0 as usize);
        let least = policy.ok_or(Misuse::NoSuchQueue(queue))?.clearance;
        if class.0 as usize >= self.model.times.jobs() {
            return Err(Misuse::NoSuchClass(class).into());
        }
        if clearance < least {
            return Err(Refusal::NoAccess { clearance: least }.into());
        }
        if limit > 0 && jobs >= limit {
            return Err(Refusal::Limit { jobs }.into());
        }
        if !(0..self.model.site.machines())
            .any(|at| self.model.times.on(class.0 as usize, at).is_some())
        {
            return Err(Refusal::NoMachine(class).into());
        }
        let row = self.core.jobs.open(&mut *self.columns.jobs).ok_or(Refusal::JobsFull)?;
        let (user_of, queue, class) = (user.0, queue.0, class.0);
        self.edit_job(row, |job| {
            let generation = job.generation;
            *job = JobRow { generation, user: user_of, queue, class, ..JobRow::EMPTY };
        });
        self.core.all.push_back(self.columns.jobs, row);
        self.waits(now);
        let name = self.name(row);
        let user = self.user_mut(user)?;
        user.serial = serial;
        (user.last, user.generation) = (Ref::to(row), name.0.generation());
        user.jobs = user.jobs.wrapping_add(1);
        Ok(name)
    }

    pub(super) fn finished(&mut self, run: Run, took: Duration) -> Outcome<()> {
        let row = self.find(run)?;
        let JobRow { user, class, place, .. } = self.job(row);
        let has = |machine: &&MachineRow| machine.job.get() == Some(row);
        let machines = self.columns.machines.iter().filter(has).count() as u64;
        self.forget(row);
        if let Some(place) = place.get() {
            self.learn(class as usize, place as usize, took);
        }
        let Self { core, columns, .. } = self;
        core.all.remove(columns.jobs, row);
        core.jobs.close(&mut *columns.jobs, row);
        edit(columns.users, user, |user| {
            user.jobs = user.jobs.saturating_sub(1);
            let took = took.ticks().saturating_mul(machines);
            let used = user.machine_time.ticks().saturating_add(took);
            user.machine_time = Duration::from_ticks(used);
        });
        Ok(())
    }

    /// The rows for jobs that were ever in use.
    pub(super) fn used_jobs(&self) -> impl Iterator<Item = (u32, &JobRow)> {
        (0..).zip(&*self.columns.jobs).take(self.core.jobs.used() as usize)
    }

    pub(super) fn job(&self, row: u32) -> JobRow {
        *self.columns.jobs.get(row as usize).unwrap_or(&JobRow::EMPTY)
    }

    pub(super) fn edit_job(&mut self, row: u32, change: impl FnOnce(&mut JobRow)) {
        edit(self.columns.jobs, row, change);
    }

    pub(super) fn name(&self, row: u32) -> JobId {
        JobId(self.core.jobs.handle(&*self.columns.jobs, row))
    }

    pub(super) fn run(&self, row: u32) -> Run {
        Run { job: self.name(row), attempt: self.job(row).attempt }
    }

    /// The row of a job of which this is the run that has machines.
    pub(super) fn find(&self, run: Run) -> Outcome<u32> {
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
        self.edit_job(row, |job| {
            (job.state, job.place, job.at, job.due) = (State::Waits, Ref::NONE, Instant::ZERO, 0);
        });
        for machine in self.columns.machines.iter_mut().filter(|it| it.job.get() == Some(row)) {
            machine.job = Ref::NONE;
        }
    }

    /// A job that runs is to leave its machines.
    pub(super) fn leave(&mut self, row: u32) {
        self.edit_job(row, |job| job.state = State::Leaves);
        self.mark(row);
    }

    /// There is something to be told of a job.
    pub(super) fn mark(&mut self, row: u32) {
        self.edit_job(row, |job| job.due = 1);
        self.core.due_from = self.core.due_from.min(row);
    }

    pub(super) fn set_policy(&mut self, queue: QueueId, policy: Policy) -> Result<(), Misuse> {
        let mut others = (0..).zip(&*self.columns.queues).filter(|(at, _)| *at != queue.0);
        if !others.all(|(_, other)| policy.agrees(other)) {
            return Err(Misuse::Claims(queue));
        }
        let row = self.columns.queues.get_mut(queue.0 as usize);
        *row.ok_or(Misuse::NoSuchQueue(queue))? = policy;
        Ok(())
    }

    /// The first end of a quantum after `now`.
    pub(super) fn end_of_quantum(&self, now: Instant) -> Instant {
        let since = now.ticks().saturating_sub(self.core.next.ticks());
        let over = since.checked_rem(self.config.quantum.ticks()).unwrap_or(0);
        let left = self.config.quantum.ticks().saturating_sub(over);
        now.saturating_add(Duration::from_ticks(left))
    }
}

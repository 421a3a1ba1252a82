//! The coordinator: commands in, effects out.

use super::storage::{MachineRow, State, UserRow};
use super::{
    Columns, Command, Config, Effect, JobClass, JobId, MachineId, Misuse, Policy, QueueId, Refusal,
    ResourceId, SiteModel, Status, fit,
};
use crate::coordinate::{Coordinate, own_methods};
use crate::error::Error;
use crate::list::List;
use crate::mapping::Runs;
use crate::slab::Slab;
use crate::time::{Duration, Instant};

/// What the coordinator keeps beside its columns.
#[derive(Clone, Copy, Debug)]
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

/// The state machine that gives jobs machines and clusters of a site.
///
/// Jobs that wait are mapped when a quantum ends, queue by queue, and start as soon as everything
/// before them on their machines has ended.
///
/// - A job that runs or leaves has machines: those of its resource that were present when it got
///   them and have not been lost since. One that waits has none. A machine has one job at most.
/// - A job that waits has a place only on a resource that could take it.
/// - The expected time of a class on a resource is that of the runs that go before the table, or
///   else of the table.
/// - A due row is of a job that runs or leaves.
///
/// Cost: a command is some passes over the jobs and the members of their clusters; at the end of a
/// quantum a mapping ([`Preemption::map`](crate::mapping::Preemption::map)). Effects: a pass over
/// the rows in all. Memory: 225 bytes a job, 56 a machine, 20 a user, 4 a queue, 8 for each class
/// and resource, and its experience.
///
/// Between two commands take all effects with [`Coordinator::take_effect`], and call again with
/// [`Command::Tick`] at [`Coordinator::wake_at`] if nothing happens before.
///
/// ```
/// use locox::handle::PoolId;
/// use locox::mapping::{Cluster, Site, Times};
/// use locox::site::{Arrays, Command, Config, Coordinator, Effect, SiteModel};
/// use locox::site::{JobClass, MachineId, QueueId, ResourceId, UserId};
/// use locox::time::{Duration, Instant};
///
/// // Two machines, and both as a cluster, on which jobs of the one class are three times as fast.
/// let clusters = [Cluster::of(&[0, 1])];
/// let times = [90, 90, 30].map(Duration::from_ticks);
/// let known = SiteModel {
///     site: Site::new(2, &clusters).unwrap(),
///     times: Times::new(&times, 3).unwrap(),
///     classes: &[],
/// };
/// let mut rows = Arrays::<8, 2, 3, 1, 1, 1, 1, 0>::EMPTY;
/// let config = Config::new(Duration::from_ticks(10), PoolId(1));
/// let mut site = Coordinator::new(config, known, rows.columns(), Instant::ZERO).unwrap();
/// for machine in [MachineId(0), MachineId(1)] {
///     site.apply(Instant::ZERO, Command::MachineBack { machine, boot: 1 }).unwrap();
/// }
/// let (user, queue, class) = (UserId(0), QueueId(0), JobClass(0));
/// let submit = Command::Submit { user, serial: 1, queue, class };
/// site.apply(Instant::ZERO, submit).unwrap();
/// let end_of_quantum = site.wake_at().unwrap();
/// site.apply(end_of_quantum, Command::Tick).unwrap();
/// let Some(Effect::Dispatch { run, resource, .. }) = site.take_effect() else { panic!() };
/// assert_eq!(resource, ResourceId(2));
/// let took = Duration::from_ticks(31);
/// site.apply(Instant::from_ticks(41), Command::Finished { run, took }).unwrap();
/// ```
#[derive(Debug)]
pub struct Coordinator<'a> {
    pub(super) config: Config,
    pub(super) known: SiteModel<'a>,
    /// That of config and what is known, which do not change.
    pub(super) digest: u32,
    pub(super) core: Core,
    pub(super) columns: Columns<'a>,
}

impl<'a> Coordinator<'a> {
    /// A coordinator that knows of no job, and of no machine that is there. The columns are
    /// cleared: all queues are of the most urgent level, by PJS and without preemption, and nothing
    /// has been learnt.
    ///
    /// # Errors
    ///
    /// [`Misuse`] names the parameter or the column that does not fit.
    pub fn new(
        config: Config,
        known: SiteModel<'a>,
        columns: Columns<'a>,
        now: Instant,
    ) -> Result<Self, Misuse> {
        config.check()?;
        fit::check(&config, &known, &columns)?;
        let digest = super::image::digest(&config, &known);
        let core = Core::new(&config, now);
        let mut fresh = Self { config, known, digest, core, columns };
        fresh.clear(now);
        Ok(fresh)
    }

    /// Rows for jobs need no clearing: their slab knows which were never used.
    pub(super) fn clear(&mut self, now: Instant) {
        self.core = Core::new(&self.config, now);
        self.columns.machines.fill(MachineRow::EMPTY);
        self.columns.users.fill(UserRow::EMPTY);
        self.columns.queues.fill(Policy::EMPTY);
        self.columns.runs.fill(Runs::EMPTY);
        self.learn_all();
    }

    /// The latest time given.
    pub const fn now(&self) -> Instant {
        self.core.now
    }

    /// When to apply [`Command::Tick`], if nothing happens before: at the end of the quantum, if
    /// jobs wait.
    pub fn wake_at(&self) -> Option<Instant> {
        (self.core.waiting > 0).then_some(self.core.next)
    }

    /// The jobs in the order of their arrival.
    pub fn jobs(&self) -> impl Iterator<Item = JobId> {
        self.core.all.iter(self.columns.jobs).map(|(row, _)| self.name(row))
    }

    /// Where a job is.
    ///
    /// # Errors
    ///
    /// [`Misuse::Job`] if it has finished, or is of another pool.
    pub fn status(&self, job: JobId) -> Result<Status, Misuse> {
        let row = self.core.jobs.find(&*self.columns.jobs, job.0)?;
        let it = self.job(row);
        let place = it.place.get().map(ResourceId);
        let resource = place.unwrap_or_default();
        Ok(match it.state {
            State::Waits => Status::Waiting { place: place.map(|place| (place, it.at)) },
            State::Runs => Status::Running { resource, run: self.run(row), until: it.at },
            State::Leaves => Status::Leaving { resource, run: self.run(row) },
        })
    }

    /// The machines that a job has; none if it waits, or has finished.
    pub fn machines_of(&self, job: JobId) -> impl Iterator<Item = MachineId> {
        let row = self.core.jobs.find(&*self.columns.jobs, job.0).ok();
        let has = move |machine: &MachineRow| row.is_some() && machine.job.get() == row;
        let machines = (0..).zip(&*self.columns.machines);
        machines.filter(move |(_, machine)| has(machine)).map(|(at, _)| MachineId(at))
    }

    /// What jobs of a class are expected to take on a resource; `None` if they cannot run there.
    pub fn expected(&self, class: JobClass, resource: ResourceId) -> Option<Duration> {
        self.table().on(class.0 as usize, resource.0 as usize)
    }

    /// The policy of a queue; `None` if there is no such queue.
    pub fn policy(&self, queue: QueueId) -> Option<Policy> {
        self.columns.queues.get(queue.0 as usize).copied()
    }

    /// Takes note of what happened at `now`; the answer to [`Command::Submit`] is the job's name.
    /// Whatever was due at `now` is done as well.
    ///
    /// # Errors
    ///
    /// A [`Refusal`] or a [`Misuse`]; nothing has changed then.
    pub fn apply(
        &mut self,
        now: Instant,
        command: Command,
    ) -> Result<Option<JobId>, Error<Refusal, Misuse>> {
        if now < self.core.now {
            return Err(Misuse::TimeWentBack.into());
        }
        let answer = self.apply_command(now, command)?;
        self.core.now = now;
        if self.core.waiting > 0 && now >= self.core.next {
            self.core.next = self.end_of_quantum(now);
            self.map(now);
        }
        self.start_jobs(now);
        Ok(answer)
    }

    /// Checks a command, and then does what it says; what it says of machines and places is looked
    /// at afterwards.
    fn apply_command(
        &mut self,
        now: Instant,
        command: Command,
    ) -> Result<Option<JobId>, Error<Refusal, Misuse>> {
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
            Command::Tick => {}
        }
        Ok(None)
    }

    fn set_policy(&mut self, queue: QueueId, policy: Policy) -> Result<(), Misuse> {
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

    // Telling.

    /// Has everybody told again what he should be doing.
    pub fn resync(&mut self) {
        for row in 0..self.core.jobs.used() {
            if self.job(row).state != State::Waits {
                self.mark(row);
            }
        }
    }

    /// The effect that [`take_effect`](Self::take_effect) will take, for callers that must find
    /// room first.
    pub fn peek_effect(&self) -> Option<Effect> {
        self.first_due().map(|row| self.effect(row))
    }

    fn first_due(&self) -> Option<u32> {
        let rows = self.columns.jobs.get(..self.core.jobs.used() as usize).unwrap_or_default();
        let mut rows = (0..).zip(rows).skip(self.core.due_from as usize);
        rows.find(|(_, job)| job.due != 0).map(|(row, _)| row)
    }

    fn effect(&self, row: u32) -> Effect {
        let job = self.job(row);
        let (run, resource) = (self.run(row), ResourceId(job.place.get().unwrap_or(0)));
        match job.state {
            State::Leaves => Effect::Preempt { run, resource },
            _ => Effect::Dispatch { run, class: JobClass(job.class), resource },
        }
    }

    /// The next thing to be done; `None` when everything is. In the order of the jobs' rows.
    pub fn take_effect(&mut self) -> Option<Effect> {
        let row = self.first_due()?;
        self.core.due_from = row.wrapping_add(1);
        if let Some(job) = self.columns.jobs.get_mut(row as usize) {
            job.due = 0;
        }
        Some(self.effect(row))
    }
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

impl Coordinate for Coordinator<'_> {
    type Command = Command;
    type Effect = Effect;
    type Answer = Option<JobId>;
    type Error = Error<Refusal, Misuse>;
    type Draw = ();

    fn apply_drawn(
        &mut self,
        now: Instant,
        command: Command,
        (): (),
    ) -> Result<Option<JobId>, Self::Error> {
        self.apply(now, command)
    }

    own_methods!();
}

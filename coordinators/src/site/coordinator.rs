//! The coordinator: commands in, effects out.

use super::error::{Error, Outcome};
use super::round::map;
use super::storage::{MachineRow, State, UserRow};
use super::tables::{Core, Tables};
use super::{
    Columns, Command, Config, Effect, JobClass, JobId, MachineId, Misuse, Policy, QueueId,
    ResourceId, SiteModel, Status, UserId, UserStatus, fit,
};
use crate::coordinate::{Coordinate, Snapshot, inherent_methods};
use locox::time::{Duration, Instant};

/// The state machine that gives jobs machines and clusters of a site.
///
/// Jobs that wait are mapped when a quantum ends, queue by queue, and start as soon as everything
/// before them on their machines has ended.
///
/// Cost: a command is some passes over the jobs and the members of their clusters; at the end of a
/// quantum a mapping ([`Preemption::map`](locox::mapping::Preemption::map)). Effects: a pass over
/// the rows in all. Memory: 225 bytes a job, 56 a machine, 32 a user, 4 a queue, 8 for each class
/// and resource, and its experience.
///
/// Between two commands take all effects with [`Coordinator::take_effect`], and call again with
/// [`Command::Tick`] at [`Coordinator::wake_at`] if nothing happens before.
///
/// ```
/// use locox::handle::PoolId;
/// use locox::mapping::{Cluster, Site, Times};
/// use locox::time::{Duration, Instant};
/// use locox_coordinators::site::{Arrays, Command, Config, Coordinator, Effect, SiteModel};
/// use locox_coordinators::site::{JobClass, MachineId, QueueId, ResourceId, UserId};
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
///
/// # Invariants
///
/// - A job that runs or leaves has machines: those of its resource that were present when it got
///   them and have not been lost since. One that waits has none. A machine has one job at most.
/// - A job that waits has a place only on a resource that could take it.
/// - The expected time of a class on a resource is that of the runs that go before the table, or
///   else of the table.
/// - A due row is of a job that runs or leaves.
#[derive(Debug)]
pub struct Coordinator<'a> {
    /// That of the configuration and the model, which do not change.
    pub(super) digest: u32,
    pub(super) tables: Tables<'a>,
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
        model: SiteModel<'a>,
        columns: Columns<'a>,
        now: Instant,
    ) -> Result<Self, Misuse> {
        config.check()?;
        fit::check(&config, &model, &columns)?;
        let (digest, core) = (model.digest(&config), Core::new(&config, now));
        let mut fresh = Self { digest, tables: Tables { config, model, core, columns } };
        fresh.reset(now);
        Ok(fresh)
    }

    inherent_methods! { Command => Option<JobId>, Error; Effect }

    /// The jobs in the order of their arrival.
    pub fn jobs(&self) -> impl Iterator<Item = JobId> {
        self.tables.core.all.iter(self.tables.columns.jobs).map(|(row, _)| self.tables.name(row))
    }

    /// Where a job is.
    ///
    /// # Errors
    ///
    /// [`Misuse::Job`] if it has finished, or is of another pool.
    pub fn status(&self, job: JobId) -> Result<Status, Misuse> {
        let row = self.tables.core.jobs.find(&*self.tables.columns.jobs, job.0)?;
        let it = self.tables.job(row);
        let place = it.place.get().map(ResourceId);
        let resource = place.unwrap_or_default();
        Ok(match it.state {
            State::Waits => Status::Waiting { place: place.map(|place| (place, it.at)) },
            State::Runs => Status::Running { resource, run: self.tables.run(row), until: it.at },
            State::Leaves => Status::Leaving { resource, run: self.tables.run(row) },
        })
    }

    /// The machines that a job has; none if it waits, or has finished.
    pub fn machines_of(&self, job: JobId) -> impl Iterator<Item = MachineId> {
        let row = self.tables.core.jobs.find(&*self.tables.columns.jobs, job.0).ok();
        let has = move |machine: &MachineRow| row.is_some() && machine.job.get() == row;
        let machines = (0..).zip(&*self.tables.columns.machines);
        machines.filter(move |(_, machine)| has(machine)).map(|(at, _)| MachineId(at))
    }

    /// What jobs of a class are expected to take on a resource; `None` if they cannot run there.
    pub fn expected(&self, class: JobClass, resource: ResourceId) -> Option<Duration> {
        self.tables.expected().on(class.0 as usize, resource.0 as usize)
    }

    /// What a user has, may and has used; `None` if there is no such user. The source keeps it "in the
    /// experiential database"; here nothing is decided by what he has used.
    pub fn user(&self, user: UserId) -> Option<UserStatus> {
        let row = self.tables.columns.users.get(user.0 as usize)?;
        let UserRow { serial, jobs, limit, clearance, machine_time, .. } = *row;
        let ended = serial.wrapping_sub(jobs);
        Some(UserStatus { jobs, limit, clearance, ended, machine_time })
    }

    /// The policy of a queue; `None` if there is no such queue.
    pub fn policy(&self, queue: QueueId) -> Option<Policy> {
        self.tables.columns.queues.get(queue.0 as usize).copied()
    }

    fn first_due(&self) -> Option<u32> {
        let mut rows = self.tables.used_jobs().skip(self.tables.core.due_from as usize);
        rows.find(|(_, job)| job.due != 0).map(|(row, _)| row)
    }

    fn effect(&self, row: u32) -> Effect {
        let job = self.tables.job(row);
        let (run, resource) = (self.tables.run(row), ResourceId(job.place.get().unwrap_or(0)));
        match job.state {
            State::Leaves => Effect::Preempt { run, resource },
            _ => Effect::Dispatch { run, class: JobClass(job.class), resource },
        }
    }
}

impl Coordinate for Coordinator<'_> {
    type Command = Command;
    type Effect = Effect;
    type Answer = Option<JobId>;
    type Error = Error;
    type Draw = ();

    /// The answer to [`Command::Submit`] is the job's name.
    fn apply_drawn(&mut self, now: Instant, command: Command, (): ()) -> Outcome<Option<JobId>> {
        let tables = &mut self.tables;
        if now < tables.core.now {
            return Err(Misuse::TimeWentBack.into());
        }
        let answer = tables.apply_command(now, command)?;
        tables.core.now = now;
        if tables.core.waiting > 0 && now >= tables.core.next {
            tables.core.next = tables.end_of_quantum(now);
            map(tables);
        }
        self.tables.start_jobs(now);
        Ok(answer)
    }

    fn peek_effect(&self) -> Option<Effect> {
        self.first_due().map(|row| self.effect(row))
    }

    /// In the order of the jobs' rows.
    fn take_effect(&mut self) -> Option<Effect> {
        let row = self.first_due()?;
        self.tables.core.due_from = row.wrapping_add(1);
        self.tables.edit_job(row, |job| job.due = 0);
        Some(self.effect(row))
    }

    /// At the end of the quantum, if jobs wait.
    fn wake_at(&self) -> Option<Instant> {
        (self.tables.core.waiting > 0).then_some(self.tables.core.next)
    }

    fn resync(&mut self) {
        for row in 0..self.tables.core.jobs.used() {
            if self.tables.job(row).state != State::Waits {
                self.tables.mark(row);
            }
        }
    }
}

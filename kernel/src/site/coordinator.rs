//! The coordinator: commands in, effects out.

use super::storage::{JobRow, MachineRow, State, UserRow};
use super::{
    Columns, Command, Config, Effect, JobClass, JobId, Known, MachineId, Misuse, Policy, QueueId,
    Refusal, ResourceId, Run, Status, UserId,
};
use crate::coordinate::{Coordinate, own_methods};
use crate::denied::Denied;
use crate::handle::{self, Handle};
use crate::list::{List, Ref};
use crate::mapping::{Experience, Runs, Times, runs};
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
/// use locox::site::{Arrays, Command, Config, Coordinator, Effect, Known};
/// use locox::site::{JobClass, MachineId, QueueId, ResourceId, UserId};
/// use locox::time::{Duration, Instant};
///
/// // Two machines, and both as a cluster, on which jobs of the one class are three times as fast.
/// let clusters = [Cluster::of(&[0, 1])];
/// let times = [90, 90, 30].map(Duration::from_ticks);
/// let known = Known {
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
    pub(super) known: Known<'a>,
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
        known: Known<'a>,
        columns: Columns<'a>,
        now: Instant,
    ) -> Result<Self, Misuse> {
        config.check()?;
        check(&config, &known, &columns)?;
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
    ) -> Result<Option<JobId>, Denied<Refusal, Misuse>> {
        if now < self.core.now {
            return Err(Misuse::TimeWentBack.into());
        }
        let answer = self.obey(now, command)?;
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
    fn obey(
        &mut self,
        now: Instant,
        command: Command,
    ) -> Result<Option<JobId>, Denied<Refusal, Misuse>> {
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

    fn submit(
        &mut self,
        now: Instant,
        user: UserId,
        serial: u32,
        queue: QueueId,
        class: JobClass,
    ) -> Result<JobId, Denied<Refusal, Misuse>> {
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

    fn finished(&mut self, run: Run, took: Duration) -> Result<(), Denied<Refusal, Misuse>> {
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

    fn lost(
        &mut self,
        now: Instant,
        machine: MachineId,
        boot: u32,
    ) -> Result<(), Denied<Refusal, Misuse>> {
        let row = self.machine_mut(machine)?;
        if boot < row.boot {
            return Err(Refusal::Old.into());
        }
        (row.boot, row.is_here) = (boot, false);
        self.drop_job(now, machine);
        self.drop_places();
        Ok(())
    }

    fn back(
        &mut self,
        now: Instant,
        machine: MachineId,
        boot: u32,
    ) -> Result<(), Denied<Refusal, Misuse>> {
        let row = self.machine_mut(machine)?;
        if boot == row.boot && row.is_here {
            return Ok(());
        }
        if boot <= row.boot {
            return Err(Refusal::Old.into());
        }
        (row.boot, row.is_here) = (boot, true);
        self.drop_job(now, machine);
        Ok(())
    }

    /// What ran on a machine is lost. What is left of it on others is to leave.
    fn drop_job(&mut self, now: Instant, machine: MachineId) {
        let Some(machine) = self.columns.machines.get_mut(machine.0 as usize) else { return };
        let Some(row) = core::mem::take(&mut machine.job).get() else { return };
        if self.columns.machines.iter().any(|machine| machine.job.get() == Some(row)) {
            self.leave(row);
        } else {
            self.wait_again(now, row);
        }
    }

    fn link_down(&mut self, link: u32) -> Result<(), Misuse> {
        if self.down().contains(&link) {
            return Ok(());
        }
        self.check_link(link)?;
        // There is a row for each cluster, and so for each interconnect.
        if let Some(row) = self.columns.down.get_mut(self.core.down as usize) {
            *row = link;
            self.core.down = self.core.down.wrapping_add(1);
        }
        self.drop_places();
        Ok(())
    }

    fn link_up(&mut self, link: u32) -> Result<(), Misuse> {
        self.check_link(link)?;
        let Some(at) = self.down().iter().position(|it| *it == link) else { return Ok(()) };
        self.core.down = self.core.down.saturating_sub(1);
        let last = self.columns.down.get(self.core.down as usize).copied().unwrap_or_default();
        if let Some(row) = self.columns.down.get_mut(at) {
            *row = last;
        }
        Ok(())
    }

    fn check_link(&self, link: u32) -> Result<(), Misuse> {
        let mut clusters = self.known.site.clusters();
        let serves = clusters.any(|(_, cluster)| cluster.interconnect == Some(link));
        if serves { Ok(()) } else { Err(Misuse::NoSuchLink(link)) }
    }

    /// The interconnects that are down.
    pub(super) fn down(&self) -> &[u32] {
        self.columns.down.get(..self.core.down as usize).unwrap_or_default()
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

    // Rows.

    pub(super) fn job(&self, row: u32) -> JobRow {
        *self.columns.jobs.get(row as usize).unwrap_or(&JobRow::EMPTY)
    }

    pub(super) fn name(&self, row: u32) -> JobId {
        JobId(self.core.jobs.handle(&*self.columns.jobs, row))
    }

    fn run(&self, row: u32) -> Run {
        Run { job: self.name(row), attempt: self.job(row).attempt }
    }

    /// The row of a job of which this is the run that has machines.
    fn find(&self, run: Run) -> Result<u32, Denied<Refusal, Misuse>> {
        let found = self.core.jobs.find(&*self.columns.jobs, run.job.0);
        let row = found.map_err(|misuse| match misuse {
            handle::Misuse::Stale if run.job.0.index() < self.core.jobs.used() => {
                Denied::No(Refusal::Old)
            }
            other => Denied::Wrong(Misuse::Job(other)),
        })?;
        let job = self.job(row);
        let is_it = job.attempt == run.attempt && job.state != State::Waits;
        if is_it { Ok(row) } else { Err(Refusal::Old.into()) }
    }

    fn user_mut(&mut self, user: UserId) -> Result<&mut UserRow, Misuse> {
        self.columns.users.get_mut(user.0 as usize).ok_or(Misuse::NoSuchUser(user))
    }

    fn machine_mut(&mut self, machine: MachineId) -> Result<&mut MachineRow, Misuse> {
        let row = self.columns.machines.get_mut(machine.0 as usize);
        row.ok_or(Misuse::NoSuchMachine(machine))
    }

    // What jobs do.

    /// One more job waits. Quanta that ended while nobody waited are over.
    fn waits(&mut self, now: Instant) {
        if self.core.waiting == 0 && now >= self.core.next {
            self.core.next = self.end_of_quantum(now);
        }
        self.core.waiting = self.core.waiting.wrapping_add(1);
    }

    /// The first end of a quantum after `now`.
    fn end_of_quantum(&self, now: Instant) -> Instant {
        let since = now.ticks().saturating_sub(self.core.next.ticks());
        let over = since.checked_rem(self.config.quantum.ticks()).unwrap_or(0);
        let left = self.config.quantum.ticks().saturating_sub(over);
        now.saturating_add(Duration::from_ticks(left))
    }

    /// A job that had machines has none any more.
    fn wait_again(&mut self, now: Instant, row: u32) {
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

    /// Jobs that wait lose places on resources that can take no job any more.
    fn drop_places(&mut self) {
        for row in 0..self.core.jobs.used() {
            let JobRow { state, place, .. } = self.job(row);
            let Some(place) = place.get().filter(|_| state == State::Waits) else { continue };
            if !self.is_usable(place)
                && let Some(job) = self.columns.jobs.get_mut(row as usize)
            {
                (job.place, job.at) = (Ref::NONE, Instant::ZERO);
            }
        }
    }

    /// Whether a resource can take jobs, now or later.
    pub(super) fn is_usable(&self, resource: u32) -> bool {
        let Some(cluster) = self.known.site.cluster(resource as usize) else {
            return self.is_here(resource);
        };
        let present = cluster.members.iter().filter(|&&at| self.is_here(at)).count();
        let is_down = cluster.interconnect.is_some_and(|link| self.down().contains(&link));
        present >= cluster.least && !is_down
    }

    pub(super) fn is_here(&self, machine: u32) -> bool {
        self.columns.machines.get(machine as usize).is_some_and(|machine| machine.is_here)
    }

    /// The machines of a resource that are present.
    pub(super) fn members(&self, resource: u32) -> impl Iterator<Item = u32> + '_ {
        let cluster = self.known.site.cluster(resource as usize);
        let single = cluster.is_none().then_some(resource);
        let several = cluster.map_or(&[][..], |cluster| cluster.members);
        single.into_iter().chain(several.iter().copied()).filter(|&at| self.is_here(at))
    }

    /// Starts all jobs with a place that are the next on all their machines, if these are free.
    fn start_jobs(&mut self, now: Instant) {
        self.find_next();
        let mut at = self.core.all.first();
        while let Some(row) = at {
            let job = self.job(row);
            at = job.links.next.get();
            let Some(place) = job.place.get().filter(|_| job.state == State::Waits) else {
                continue;
            };
            let is_next = |machine: u32| {
                let is_free = |it: &MachineRow| it.job == Ref::NONE;
                self.columns.machines.get(machine as usize).is_some_and(is_free)
                    && self.columns.next.get(machine as usize) == Some(&row)
            };
            if self.members(place).all(is_next) {
                self.start(now, row, place);
            }
        }
    }

    /// Finds out who is the next on each machine: whose planned start is the first, of equals who
    /// came first.
    fn find_next(&mut self) {
        const NOBODY: u32 = u32::MAX;
        self.columns.next.fill(NOBODY);
        let mut at = self.core.all.first();
        while let Some(row) = at {
            let job = self.job(row);
            at = job.links.next.get();
            let Some(place) = job.place.get().filter(|_| job.state == State::Waits) else {
                continue;
            };
            let cluster = self.known.site.cluster(place as usize);
            let single = [place];
            for &machine in cluster.map_or(&single[..], |cluster| cluster.members) {
                let Some(&next) = self.columns.next.get(machine as usize) else { continue };
                let is_before = next == NOBODY || job.at < self.job(next).at;
                if let Some(next) =
                    self.columns.next.get_mut(machine as usize).filter(|_| is_before)
                {
                    *next = row;
                }
            }
        }
    }

    fn start(&mut self, now: Instant, row: u32, place: u32) {
        let class = JobClass(self.job(row).class);
        let takes = self.expected(class, ResourceId(place)).unwrap_or(Duration::ZERO);
        let cluster = self.known.site.cluster(place as usize);
        let single = [place];
        for &machine in cluster.map_or(&single[..], |cluster| cluster.members) {
            let machine = self.columns.machines.get_mut(machine as usize);
            if let Some(machine) = machine.filter(|machine| machine.is_here) {
                machine.job = Ref::to(row);
            }
        }
        if let Some(job) = self.columns.jobs.get_mut(row as usize) {
            job.state = State::Runs;
            job.at = now.saturating_add(takes);
            job.attempt = job.attempt.wrapping_add(1);
        }
        self.core.waiting = self.core.waiting.wrapping_sub(1);
        self.mark(row);
    }

    // What runs take.

    /// The expected times as they are now.
    pub(super) fn table(&self) -> Times<'_> {
        let resources = self.known.site.resources();
        Times::new(self.columns.expected, resources).unwrap_or(self.known.times)
    }

    fn learn(&mut self, class: usize, resource: usize, took: Duration) {
        let Some(learning) = self.config.learning else { return };
        let took = took.min(longest(self.columns.jobs.len()));
        let classes = classes(&self.known);
        let runs = &mut *self.columns.runs;
        if let Ok(mut it) = Experience::new(self.known.classes, classes, learning.memory, runs) {
            let noted = it.ran(class, resource, took);
            debug_assert!(noted.is_ok(), "the class and the resource of a job are there");
        }
        self.learn_of(class);
    }

    /// Looks up what jobs of a class are expected to take.
    fn learn_of(&mut self, class: usize) {
        let resources = self.known.site.resources();
        for resource in 0..resources {
            let time = self.look_up(class, resource);
            let at = class.saturating_mul(resources).saturating_add(resource);
            if let Some(cell) = self.columns.expected.get_mut(at) {
                *cell = time;
            }
        }
    }

    pub(super) fn learn_all(&mut self) {
        (0..self.known.times.jobs()).for_each(|class| self.learn_of(class));
    }

    /// What runs say, if they go before the table, or else what that says.
    pub(super) fn look_up(&self, class: usize, resource: usize) -> Duration {
        let Some(known) = self.known.times.on(class, resource) else { return Times::NEVER };
        let Some(learning) = self.config.learning else { return known };
        let classes = classes(&self.known);
        let runs = &*self.columns.runs;
        let experience = Experience::new(self.known.classes, classes, learning.memory, runs);
        let expected = experience.and_then(|it| it.expected(class, resource)).ok().flatten();
        let counts = expected.filter(|it| it.basis as u8 <= learning.basis as u8);
        counts.map_or(known, |it| it.mean)
    }

    // Telling.

    /// Has everybody told again what he should be doing.
    pub fn tell_again(&mut self) {
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

/// How many classes of resources there are.
fn classes(known: &Known) -> usize {
    known.classes.iter().max().map_or(0, |&class| usize::from(class).saturating_add(1))
}

/// No expected time is longer, so that those of all jobs can be added up, one behind the other.
pub(super) fn longest(jobs: usize) -> Duration {
    let jobs = jobs.max(1) as u64;
    let of = (1_u64 << 62).checked_div(jobs.saturating_mul(jobs)).unwrap_or(0);
    Duration::from_ticks(of)
}

fn check(config: &Config, known: &Known, columns: &Columns) -> Result<(), Misuse> {
    let (machines, resources) = (known.site.machines(), known.site.resources());
    let (jobs, classes_of_jobs) = (columns.jobs.len(), known.times.jobs());
    let clusters = resources.saturating_sub(machines);
    let (learnt, of_resource) = match config.learning {
        Some(_) => (runs(resources, classes(known), classes_of_jobs), resources),
        None => (0, 0),
    };
    let cells = classes_of_jobs.saturating_mul(resources);
    let exact = [
        ("times", resources, known.times.resources()),
        ("machines", machines, columns.machines.len()),
        ("expected", cells, columns.expected.len()),
        ("next", machines, columns.next.len()),
        ("instants", machines.saturating_mul(5), columns.instants.len()),
    ];
    let exact = exact.into_iter().map(|(column, needs, has)| (column, needs, has, needs == has));
    let least = [
        ("classes", of_resource, known.classes.len()),
        ("down", clusters, columns.down.len()),
        ("runs", learnt, columns.runs.len()),
        ("open", jobs, columns.open.len()),
        ("placements", jobs.saturating_mul(3), columns.placements.len()),
        ("running", jobs, columns.running.len()),
        ("numbers", jobs.saturating_mul(2), columns.numbers.len()),
        ("levels", jobs, columns.levels.len()),
    ];
    let least = least.into_iter().map(|(column, needs, has)| (column, needs, has, needs <= has));
    let short = exact.chain(least).find(|(.., fits)| !fits);
    if let Some((column, needs, has, _)) = short {
        let count = |rows| u32::try_from(rows).unwrap_or(u32::MAX);
        return Err(Misuse::Column { column, needs: count(needs), has: count(has) });
    }
    for (parameter, has) in [("queues", columns.queues.len()), ("jobs", jobs)] {
        if has == 0 {
            return Err(Misuse::Zero { parameter });
        }
    }
    let rows = jobs.max(resources).max(columns.users.len());
    if columns.queues.len() >= usize::from(u8::MAX)
        || u32::try_from(rows).map_or(true, |it| it == u32::MAX)
    {
        return Err(Misuse::TooMany);
    }
    let cells = (0..classes_of_jobs).flat_map(|class| (0..resources).map(move |at| (class, at)));
    let mut times = cells.filter_map(|(class, at)| known.times.on(class, at));
    if times.any(|time| time > longest(jobs)) { Err(Misuse::TooLong) } else { Ok(()) }
}

impl Coordinate for Coordinator<'_> {
    type Command = Command;
    type Effect = Effect;
    type Answer = Option<JobId>;
    type Error = Denied<Refusal, Misuse>;
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

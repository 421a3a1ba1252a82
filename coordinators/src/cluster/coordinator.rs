//! The coordinator: commands in, effects out.

use super::due::{self, Due};
use super::limits::{Limits, words_of};
use super::storage::{JobRow, RUNS};
use super::waiting::Waiting;
use super::{
    Assignment, Batch, Columns, Command, Config, Effect, Error, JobId, Misuse, Refusal, Retry,
    Status, Terms,
};
use crate::coordinate::{Coordinate, Snapshot, inherent_methods};
use locox::bits::Word;
use locox::dispatch::{Discipline, Fcfs, SizeClass};
use locox::draw::Draw;
use locox::ground::{Links, List, Slab, UNTOLD, check_columns, next, put};
use locox::image::BadImage;
use locox::time::Instant;
use locox::timeshare::{self, HostId, JobNumber, Load, Placement, Request, Speed, Table};

/// What the coordinator keeps beside its columns.
#[derive(Clone, Debug)]
pub(super) struct Core {
    /// The latest time given.
    pub(super) now: Instant,
    /// When silent hosts are looked for.
    pub(super) next_check: Instant,
    /// Jobs that wait, by key and arrival.
    pub(super) waiting: List,
    /// Which rows for jobs are in use.
    pub(super) jobs: Slab,
}

/// What a command brought about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Change {
    Nothing,
    /// The job of this row was submitted.
    New(u32),
    /// There may be room for jobs that wait.
    Room,
    /// There may be room, as a job ended.
    End,
}

/// The state machine that gives jobs hosts and levels.
///
/// Jobs are served strictly in the order of their arrival: the head of the queue starts or nobody.
/// Another [`Discipline`] may be given, and jobs may have [keys](Terms).
///
/// Cost: a submission that has to wait and a cancel are constant; everything else is at most some
/// passes over the hosts, and one decision of the placement for each job that starts. Keys and other
/// disciplines add looks at the jobs that wait, and decisions for those that are offered in vain. Memory:
/// that of the table, 32 bytes a job, two words and a bit a host; and what [`Config::words`] adds.
///
/// Between two commands take all effects with [`Coordinator::take_effect`], and call again with
/// [`Command::Tick`] at [`Coordinator::wake_at`] if nothing happens before.
///
/// ```
/// use locox::handle::PoolId;
/// use locox::time::{Duration, Instant};
/// use locox::timeshare::{HostId, Load, Speed, Threshold, UserId, NonInterfering};
/// use locox_coordinators::cluster::{Arrays, Batch, Command, Config, Coordinator, Effect, Status, Terms, words};
/// let placement = NonInterfering {
///     degree: 2,
///     threshold: Threshold::from_thousandths(800).unwrap(),
///     believed: Duration::from_ticks(10),
///     settled: Duration::from_ticks(2),
/// };
/// let mut rows = Arrays::<{ 3 * 2 }, 3, 8, { words(3, 2) }>::EMPTY; // three hosts, two levels
/// let config = Config::new(PoolId(1));
/// let mut elmer = Coordinator::new(config, 2, rows.columns(), placement, Instant::ZERO).unwrap();
/// let now = Instant::from_ticks(5);
/// for host in (0..3).map(HostId) {
///     let (load, speed, heard) = (Load::IDLE, Speed::NOMINAL, Batch::default());
///     let report = Command::HostReport { host, load, speed, heard };
///     elmer.apply(now, report).unwrap();
/// }
/// while elmer.take_effect().is_some() {} // each host is told that it has nothing
/// let (user, terms) = (UserId(7), Terms::default());
/// let submit = Command::Submit { user, hosts: 2, synchronising: true, terms };
/// let job = elmer.apply(now, submit).unwrap().unwrap();
/// let Some(Effect::Assign { host, assignment, .. }) = elmer.take_effect() else { panic!() };
/// assert_eq!((host, assignment.job, assignment.first), (HostId(0), job, true));
/// assert_eq!(elmer.status(job), Ok(Status::Running { first: HostId(0), unheard: 2 }));
/// elmer.apply(now, Command::Ended { job }).unwrap();
/// ```
///
/// # Invariants
///
/// - A job that waits is in the queue, by key and arrival, and in its line there; one that runs is in
///   the table, under the number of its row.
/// - A host that is to be told something has reported.
#[derive(Debug)]
pub struct Coordinator<'a, P, D = Fcfs> {
    pub(super) config: Config,
    pub(super) core: Core,
    pub(super) placement: P,
    pub(super) discipline: D,
    pub(super) table: Table<timeshare::Slices<'a>>,
    pub(super) jobs: &'a mut [JobRow],
    pub(super) due: Due<'a>,
    pub(super) limits: Limits<'a>,
}

impl<'a, P: Placement> Coordinator<'a, P> {
    /// A coordinator that knows of no job and of which no host has reported, with so many levels a
    /// host, that serves first who comes first. The columns are cleared.
    ///
    /// # Errors
    ///
    /// [`Misuse`] names the parameter, the column or the placement that does not fit.
    pub fn new(
        config: Config,
        levels: u8,
        columns: Columns<'a>,
        placement: P,
        now: Instant,
    ) -> Result<Self, Misuse> {
        Self::with_discipline(config, levels, columns, (placement, Fcfs), now)
    }
}

impl<'a, P: Placement, D: Discipline> Coordinator<'a, P, D> {
    /// One that offers the jobs that wait in the order of a discipline, for which hosts are the PEs. What
    /// waits there is tried as the [`Retry`] says, and a job that is submitted at once if the discipline
    /// offers it. Nothing bounds how often a job is overtaken.
    ///
    /// ```
    /// use locox::dispatch::Window;
    /// use locox::handle::PoolId;
    /// use locox::time::Instant;
    /// use locox::timeshare::{FirstLevel, HostId, Load, Speed, UserId};
    /// use locox_coordinators::cluster::{Arrays, Batch, Command, Config, Coordinator, Status, Terms, words};
    /// let mut rows = Arrays::<3, 3, 8, { words(3, 1) }>::EMPTY; // three hosts, one level
    /// let rules = (FirstLevel::new(1), Window::of(2));
    /// let now = Instant::ZERO;
    /// let mut elmer =
    ///     Coordinator::with_discipline(Config::new(PoolId(1)), 1, rows.columns(), rules, now).unwrap();
    /// for host in (0..3).map(HostId) {
    ///     let (load, speed, heard) = (Load::IDLE, Speed::NOMINAL, Batch::default());
    ///     let report = Command::HostReport { host, load, speed, heard };
    ///     elmer.apply(now, report).unwrap();
    /// }
    /// let mut submit = |hosts| {
    ///     let (user, terms) = (UserId(7), Terms::default());
    ///     let submit = Command::Submit { user, hosts, synchronising: false, terms };
    ///     elmer.apply(now, submit).unwrap().unwrap()
    /// };
    /// let (_runs, waits, passes) = (submit(2), submit(3), submit(1));
    /// assert_eq!(elmer.status(waits), Ok(Status::Waiting { ahead: 0 }));
    /// assert_eq!(elmer.status(passes), Ok(Status::Running { first: HostId(2), unheard: 1 }));
    /// ```
    ///
    /// # Errors
    ///
    /// As of [`Coordinator::new`].
    pub fn with_discipline(
        config: Config,
        levels: u8,
        columns: Columns<'a>,
        (placement, discipline): (P, D),
        now: Instant,
    ) -> Result<Self, Misuse> {
        config.check()?;
        placement.check(levels).map_err(Misuse::Table)?;
        let Columns { entries, hosts, jobs, placed, words: all } = columns;
        let (of_table, of_due) =
            (timeshare::words(hosts.len(), levels), due::words_of(hosts.len()));
        let needs = config.words(hosts.len(), levels);
        check_columns(&[], &[("placed", jobs.len(), placed.len()), ("words", needs, all.len())])
            .map_err(|(column, needs, has)| Misuse::StorageTooSmall { column, needs, has })?;
        let (words, due) = all.split_at_mut_checked(of_table).unwrap_or_default();
        let (due, of_limits) = due.split_at_mut_checked(of_due).unwrap_or_default();
        let [of_bits, of_memory] = words_of(config.sets, config.memory, hosts.len());
        let (bits, rest) = of_limits.split_at_mut_checked(of_bits).unwrap_or_default();
        let memory = rest.get_mut(..of_memory).unwrap_or_default();
        let limits = Limits { bits, sets: config.sets, memory, hosts: hosts.len() as u32 };
        let columns = timeshare::Columns { entries, hosts, jobs: placed, words };
        let table = Table::new(levels, columns).map_err(Misuse::Table)?;
        let core = Core::new(&config, now);
        let due = Due { words: due, hosts: limits.hosts as usize, told: 0, base: 0 };
        let mut fresh = Self { config, core, placement, discipline, table, jobs, due, limits };
        fresh.reset(now);
        Ok(fresh)
    }

    /// The placement.
    pub const fn placement(&self) -> &P {
        &self.placement
    }

    /// The table: who is where, and at which level. The number of a job there is that of its row,
    /// see [`Coordinator::job`].
    pub const fn table(&self) -> &Table<timeshare::Slices<'a>> {
        &self.table
    }

    /// The name of the job of this number.
    pub fn job(&self, number: JobNumber) -> Option<JobId> {
        let row = self.jobs.get(number.0 as usize).filter(|_| number.0 < self.core.jobs.used())?;
        row.generation.is_live().then(|| self.name(number.0))
    }

    /// The jobs that wait, the head of the queue first.
    pub fn queue(&self) -> impl Iterator<Item = (JobId, Request)> {
        self.core.waiting.iter(self.jobs).map(|(row, job)| (self.name(row), job.request()))
    }

    /// The jobs that run, or ran and have not been reported to have ended, by number.
    pub fn running(&self) -> impl Iterator<Item = (JobId, Request)> {
        let rows = self.core.jobs.open_rows(&*self.jobs);
        rows.filter_map(|row| Some((row, self.jobs.get(row as usize)?)))
            .filter(|(_, job)| job.line == RUNS)
            .map(|(row, job)| (self.name(row), job.request()))
    }

    /// The terms of a job.
    ///
    /// # Errors
    ///
    /// As of [`Coordinator::status`].
    pub fn terms(&self, job: JobId) -> Result<Terms, Misuse> {
        let row = self.core.jobs.find(&*self.jobs, job.0)?;
        Ok(self.jobs.get(row as usize).map_or(Terms::default(), JobRow::terms))
    }

    /// The hosts of a set, lost ones included; of set 0 all, of one that there is not none.
    pub fn set(&self, set: u16) -> impl Iterator<Item = HostId> {
        let is_in = move |&host: &u32| set <= self.config.sets && self.limits.contains(set, host);
        (0..self.table.hosts()).filter(is_in).map(HostId)
    }

    /// How much memory a host has for jobs, as was told.
    pub fn memory(&self, host: HostId) -> u32 {
        self.limits.memory(host.0)
    }

    /// Where a job is. Cost: the jobs before it in the queue, or that of [`Table::places`].
    ///
    /// # Errors
    ///
    /// [`Misuse::Job`] if it has ended, or is of another pool.
    pub fn status(&self, job: JobId) -> Result<Status, Misuse> {
        let row = self.core.jobs.find(&*self.jobs, job.0)?;
        if !self.runs(row) {
            let ahead = self.core.waiting.iter(self.jobs).take_while(|(at, _)| *at != row).count();
            return Ok(Status::Waiting { ahead: ahead as u32 });
        }
        let number = JobNumber(row);
        let terminating = self.table.is_terminating(number).map_err(Misuse::Table)?;
        let unheard = self.table.unheard(number);
        Ok(match self.table.lead(number).map_err(Misuse::Table)? {
            Some(first) if !terminating => Status::Running { first, unheard },
            _ => Status::Ending { unheard },
        })
    }

    /// The newest batch of a host: which one it reports when it has heard all.
    pub fn batch(&self, host: HostId) -> Batch {
        self.due.batch(host)
    }

    inherent_methods! { Command => Option<JobId>, Error; Effect }

    fn apply_command(
        &mut self,
        now: Instant,
        command: Command,
    ) -> Result<(Option<JobId>, Change), Error> {
        let change = match command {
            Command::Submit { user, hosts, synchronising, terms } => {
                let row = self.submit(Request { user, hosts, synchronising }, terms)?;
                return Ok((Some(self.name(row)), Change::New(row)));
            }
            Command::Cancel { job } => self.cancel(job)?,
            Command::Kill { job } => self.kill(job)?,
            Command::Ended { job } => self.ended(now, job)?,
            Command::HostReport { host, load, speed, heard } => {
                self.hear(now, host, (load, speed), heard)?;
                Change::Room
            }
            Command::HostLost { host } => {
                self.lose(host)?;
                Change::Nothing
            }
            Command::Tick => Change::Nothing,
            Command::HostMemory { host, memory } => {
                self.check_memory(true)?;
                self.check_hosts(host, 1)?;
                put(self.limits.memory, host.0 as usize, memory as Word);
                Change::Room
            }
            Command::NameHosts { set, first, hosts, named } => {
                self.check_set(1, set)?;
                self.check_hosts(first, hosts)?;
                for host in (first.0..).take(hosts as usize) {
                    self.limits.name(set, host, named);
                }
                Change::Room
            }
            Command::ChooseHosts { set, hosts } => {
                self.check_set(1, set)?;
                self.check_size(hosts)?;
                self.choose_hosts(set, hosts);
                Change::Room
            }
        };
        Ok((None, change))
    }

    fn submit(&mut self, request: Request, terms: Terms) -> Result<u32, Error> {
        let Terms { set, key, memory } = terms;
        self.check_size(request.hosts)?;
        self.check_set(0, set)?;
        self.check_memory(memory > 0)?;
        if let Some(hosts) = self.limits.count(terms)
            && request.hosts > hosts
        {
            return Err(Refusal::Unsuited { hosts }.into());
        }
        let row = self.core.jobs.open(&mut *self.jobs).ok_or(Refusal::JobsFull)?;
        if let Some(job) = self.jobs.get_mut(row as usize) {
            *job = JobRow {
                generation: job.generation,
                links: Links::NONE,
                user: request.user.0,
                hosts: request.hosts,
                memory,
                synchronising: request.synchronising.into(),
                line: self.discipline.line(SizeClass::of(request.hosts)).get().into(),
                set,
                key,
            };
        }
        self.join(row, key);
        Ok(row)
    }

    /// A job waits from now on, behind those of its key and of smaller ones.
    fn join(&mut self, row: u32, key: u16) {
        let mut before = self.core.waiting.tail;
        while let Some(job) = before.get().and_then(|at| self.jobs.get(at as usize))
            && job.key > key
        {
            before = job.links.prev;
        }
        self.core.waiting.insert_behind(self.jobs, row, before.get());
    }

    fn check_size(&self, wanted: u32) -> Result<(), Error> {
        let hosts = self.table.hosts();
        match wanted {
            0 => Err(Misuse::NoHosts.into()),
            _ if wanted > hosts => Err(Refusal::TooLarge { hosts }.into()),
            _ => Ok(()),
        }
    }

    const fn check_set(&self, least: u16, set: u16) -> Result<(), Misuse> {
        if set < least || set > self.config.sets { Err(Misuse::NoSuchSet { set }) } else { Ok(()) }
    }

    const fn check_memory(&self, matters: bool) -> Result<(), Misuse> {
        if matters && !self.config.memory { Err(Misuse::NoMemory) } else { Ok(()) }
    }

    /// So many hosts from one on.
    fn check_hosts(&self, first: HostId, hosts: u32) -> Result<(), Misuse> {
        let last = HostId(first.0.saturating_add(hosts).saturating_sub(1));
        if last.0 < self.table.hosts() { Ok(()) } else { Err(Misuse::NoSuchHost(last)) }
    }

    /// A pass over all entries for each level.
    fn choose_hosts(&mut self, set: u16, hosts: u32) {
        let Self { table, limits, .. } = self;
        let all = (0..table.hosts()).map(HostId);
        all.clone().for_each(|host| limits.name(set, host.0, false));
        let has = |host| table.read_at(host).map_or(usize::MAX, |_| table.column(host).count());
        let ranks = (0..=usize::from(table.levels())).chain([usize::MAX]);
        let ranked = ranks.flat_map(|jobs| all.clone().filter(move |&host| has(host) == jobs));
        ranked.take(hosts as usize).for_each(|host| limits.name(set, host.0, true));
    }

    fn cancel(&mut self, job: JobId) -> Result<Change, Misuse> {
        let row = self.find(job, false)?;
        self.core.waiting.remove(self.jobs, row);
        self.core.jobs.close(&mut *self.jobs, row);
        Ok(Change::Room)
    }

    fn kill(&mut self, job: JobId) -> Result<Change, Misuse> {
        let row = self.find(job, true)?;
        let tell = &mut |host| self.due.change(host);
        self.table.terminate(JobNumber(row), tell).map_err(Misuse::Table)?;
        Ok(Change::Nothing)
    }

    fn ended(&mut self, now: Instant, job: JobId) -> Result<Change, Misuse> {
        let row = self.find(job, true)?;
        let tell = &mut |host| self.due.change(host);
        self.table.remove(now, JobNumber(row), tell).map_err(Misuse::Table)?;
        if let Some(job) = self.jobs.get(row as usize) {
            self.discipline.finished(SizeClass::of(job.hosts));
        }
        self.core.jobs.close(&mut *self.jobs, row);
        Ok(Change::End)
    }

    /// A host reports, and has heard this batch. One that was lost is there once it has heard that it has nothing:
    /// until then an older batch may start something on it, or the report is of before.
    fn hear(
        &mut self,
        now: Instant,
        host: HostId,
        (load, speed): (Load, Speed),
        heard: Batch,
    ) -> Result<(), Error> {
        self.check_hosts(host, 1)?;
        let newest = self.due.batch(host);
        let last = heard.max(newest);
        if heard.boot < newest.boot || last.number == u32::MAX {
            return Err(Refusal::BootOver { next: last.boot.saturating_add(1) }.into());
        }
        if heard.boot > newest.boot {
            self.lose(host)?;
        }
        let newest = self.due.batch(host);
        if heard < newest {
            self.due.put(host, true);
            if self.table.read_at(host).is_none() {
                return Ok(());
            }
        }
        let is_new = self.table.report(now, host, load, speed).map_err(Misuse::Table)?;
        self.table.mark(host, |told| if told <= heard.number { 0 } else { told });
        if is_new || heard > newest {
            let number = heard.number.max(self.due.base);
            self.due.put_batch(host, Batch { number, ..heard });
            self.due.change(host);
        }
        Ok(())
    }

    fn lose(&mut self, host: HostId) -> Result<(), Misuse> {
        let tell = &mut |it| self.due.change(it);
        self.table.lose(host, tell).map_err(|_| Misuse::NoSuchHost(host))?;
        // Nobody is there to be told.
        self.due.put(host, false);
        Ok(())
    }

    /// Hosts that have been silent for too long are lost. One pass over the hosts, and one more for
    /// each that is.
    fn lose_silent(&mut self, now: Instant) {
        let Some(silence) = self.config.silence else { return };
        for host in (0..self.table.hosts()).map(HostId) {
            let silent = self.table.read_at(host).and_then(|at| now.since(at));
            if silent >= Some(silence) {
                let lost = self.lose(host);
                debug_assert!(lost.is_ok(), "a host that was heard of is known");
            }
        }
    }

    /// Starts jobs as long as there is room for what the discipline offers, as the retry says.
    fn serve(&mut self, now: Instant, change: Change, draw: P::Draw) {
        let (only, more) = match (change, self.config.retry) {
            (Change::Nothing, _) => return,
            (Change::Room, Retry::OneAtEnds | Retry::AllAtEnds) => return,
            // Others had their turn when there was news for them.
            (Change::New(row), _) => (Some(row), false),
            (Change::End, Retry::OneAtEnds) => (None, false),
            _ => (None, true),
        };
        let mut drawn = 0u32;
        while self.start_next(now, only, nth(draw, drawn)) && more {
            drawn = drawn.wrapping_add(1);
        }
    }

    /// Whether a job that the discipline offers could start, or only that of this row.
    fn start_next(&mut self, now: Instant, only: Option<u32>, draw: P::Draw) -> bool {
        if self.core.waiting.first().is_none() {
            return false;
        }
        let Self { core, placement, discipline, table, jobs, due, limits, .. } = self;
        let rows = &**jobs;
        let start = |row: u32, job: &JobRow| {
            only.is_none_or(|only| only == row) && {
                let (request, number) = (job.request(), JobNumber(row));
                let among = limits.among(job.terms(), table, rows);
                table.place_among(now, placement, number, request, (among, draw)).is_ok()
            }
        };
        let mut waiting = Waiting { list: &core.waiting, rows, start };
        let Some(row) = next(discipline, &mut waiting) else { return false };
        core.waiting.remove(jobs, row);
        if let Some(job) = jobs.get_mut(row as usize) {
            job.line = RUNS;
            discipline.started(SizeClass::of(job.hosts));
        }
        table.placed_last().for_each(|host| due.change(host));
        true
    }

    fn name(&self, row: u32) -> JobId {
        JobId(self.core.jobs.handle(&*self.jobs, row))
    }

    fn runs(&self, row: u32) -> bool {
        self.jobs.get(row as usize).is_some_and(|job| job.line == RUNS)
    }

    /// The row of a job that runs, or of one that waits.
    fn find(&self, job: JobId, runs: bool) -> Result<u32, Misuse> {
        let row = self.core.jobs.find(&*self.jobs, job.0)?;
        match (self.runs(row), runs) {
            (false, true) => Err(Misuse::Waits),
            (true, false) => Err(Misuse::Runs),
            _ => Ok(row),
        }
    }
}

/// The draw of the nth job that a command starts.
fn nth<D: Draw>(draw: D, n: u32) -> D {
    D::from_source(|| draw.raw().wrapping_add(n.wrapping_mul(0x9E37_79B9)))
}

impl Core {
    pub(super) fn new(config: &Config, now: Instant) -> Self {
        Self {
            now,
            next_check: config.silence.map_or(Instant::MAX, |it| now.saturating_add(it)),
            waiting: List::EMPTY,
            jobs: Slab::new(config.pool),
        }
    }
}

impl<P: Placement, D: Discipline> Coordinate for Coordinator<'_, P, D> {
    type Command = Command;
    type Effect = Effect;
    type Answer = Option<JobId>;
    type Error = Error;
    type Draw = P::Draw;

    /// The answer to [`Command::Submit`] is the job's name.
    fn apply_drawn(
        &mut self,
        now: Instant,
        command: Command,
        draw: P::Draw,
    ) -> Result<Option<JobId>, Self::Error> {
        if now < self.core.now {
            return Err(Misuse::TimeWentBack.into());
        }
        let (answer, change) = self.apply_command(now, command)?;
        self.core.now = now;
        if let (Some(silence), true) = (self.config.silence, now >= self.core.next_check) {
            self.core.next_check = now.saturating_add(silence);
            self.lose_silent(now);
        }
        self.serve(now, change, draw);
        Ok(answer)
    }

    fn peek_effect(&self) -> Option<Effect> {
        let host = self.due.first()?;
        let (batch, number) = (self.due.batch(host), self.due.told);
        let Some((level, job, user)) = self.table.column(host).nth(number as usize) else {
            return Some(Effect::AssignmentsEnd { host, batch, jobs: number });
        };
        let assignment = Assignment {
            job: self.name(job.0),
            user,
            level,
            first: self.table.lead(job) == Ok(Some(host)),
            terminating: self.table.is_terminating(job) == Ok(true),
        };
        Some(Effect::Assign { host, batch, number, assignment })
    }

    /// Hosts come in the order of their numbers. Cost: 64 hosts a step.
    fn take_effect(&mut self) -> Option<Effect> {
        let effect = self.peek_effect()?;
        match effect {
            Effect::Assign { number, .. } => self.due.told = number.wrapping_add(1),
            Effect::AssignmentsEnd { host, batch, .. } => {
                self.due.put(host, false);
                self.table.mark(host, |told| if told == UNTOLD { batch.number } else { told });
            }
        }
        Some(effect)
    }

    /// To look for silent hosts.
    fn wake_at(&self) -> Option<Instant> {
        Some(self.core.next_check).filter(|&at| at < Instant::MAX)
    }

    fn resync(&mut self) {
        self.due.base = self.due.base.saturating_add(1 << 16);
        for host in (0..self.table.hosts()).map(HostId) {
            // An image without a journal does not know of the latest ones.
            self.due.put_batch(host, self.due.batch(host).beyond());
            if self.table.read_at(host).is_some() {
                self.table.mark(host, |_| UNTOLD);
                self.due.change(host);
            }
        }
    }

    /// No name of a job is made again that the image may not know of.
    fn restore(&mut self, words: &mut dyn Iterator<Item = u32>) -> Result<(), BadImage> {
        self.load(words)?;
        self.core.jobs.raise(&*self.jobs);
        self.resync();
        Ok(())
    }
}

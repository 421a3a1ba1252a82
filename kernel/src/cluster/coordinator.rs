//! The coordinator: commands in, effects out.

use super::due::Due;
use super::storage::{JobRow, State, words};
use super::{
    Assignment, Columns, Command, Config, Effect, Error, JobId, Misuse, Refusal, Retry, Status,
};
use crate::bits::words_for;
use crate::coordinate::{Coordinate, Draw, Snapshot, check_columns, inherent_methods};
use crate::list::{Links, List};
use crate::slab::Slab;
use crate::time::Instant;
use crate::timeshare::{self, HostId, JobNumber, Placement, Request, Table};

/// What the coordinator keeps beside its columns.
#[derive(Clone, Debug)]
pub(super) struct Core {
    /// The latest time given.
    pub(super) now: Instant,
    /// When silent hosts are looked for.
    pub(super) next_check: Instant,
    /// Jobs that wait, in the order of their arrival.
    pub(super) waiting: List,
    /// Which rows for jobs are in use.
    pub(super) jobs: Slab,
}

/// What a command brought about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Change {
    Nothing,
    /// A job was submitted and is the head of the queue.
    Head,
    /// There may be room for the head.
    Room,
    /// There may be room, as a job ended.
    End,
}

/// The state machine that gives jobs hosts and levels.
///
/// Jobs are served strictly in the order of their arrival: the head of the queue starts or nobody.
///
/// Cost: a submission that has to wait and a cancel are constant; everything else is at most some
/// passes over the hosts, and one decision of the placement for each job that starts. Memory: that
/// of the table, 24 bytes a job and a bit a host.
///
/// Between two commands take all effects with [`Cluster::take_effect`], and call again with
/// [`Command::Tick`] at [`Cluster::wake_at`] if nothing happens before.
///
/// ```
/// use locox::cluster::{Arrays, Cluster, Command, Config, Effect, Status, words};
/// use locox::handle::PoolId;
/// use locox::time::{Duration, Instant};
/// use locox::timeshare::{HostId, Load, Speed, Threshold, UserId, NonInterfering};
/// let placement = NonInterfering {
///     degree: 2,
///     threshold: Threshold::from_thousandths(800).unwrap(),
///     believed: Duration::from_ticks(10),
///     settled: Duration::from_ticks(2),
/// };
/// let mut rows = Arrays::<{ 3 * 2 }, 3, 8, { words(3, 2) }>::EMPTY; // three hosts, two levels
/// let config = Config::new(PoolId(1));
/// let mut elmer = Cluster::new(config, placement, 2, rows.columns(), Instant::ZERO).unwrap();
/// let now = Instant::from_ticks(5);
/// for host in (0..3).map(HostId) {
///     let report = Command::HostReport { host, load: Load::IDLE, speed: Speed::NOMINAL };
///     elmer.apply(now, report).unwrap();
/// }
/// while elmer.take_effect().is_some() {} // each host is told that it has nothing
/// let submit = Command::Submit { user: UserId(7), hosts: 2, synchronising: true };
/// let job = elmer.apply(now, submit).unwrap().unwrap();
/// let Some(Effect::Assign { host, assignment, .. }) = elmer.take_effect() else { panic!() };
/// assert_eq!((host, assignment.job, assignment.first), (HostId(0), job, true));
/// assert_eq!(elmer.status(job), Ok(Status::Running { first: HostId(0) }));
/// elmer.apply(now, Command::Ended { job }).unwrap();
/// ```
///
/// # Invariants
///
/// - A job that waits is in the queue; one that runs is in the table, under the number of its row.
/// - A host that is to be told something is there.
#[derive(Debug)]
pub struct Cluster<'a, P> {
    pub(super) config: Config,
    pub(super) core: Core,
    pub(super) placement: P,
    pub(super) table: Table<timeshare::Slices<'a>>,
    pub(super) jobs: &'a mut [JobRow],
    pub(super) due: Due<'a>,
}

impl<'a, P: Placement> Cluster<'a, P> {
    /// A coordinator that knows of no job and of which no host has reported, with so many levels a
    /// host. The columns are cleared.
    ///
    /// # Errors
    ///
    /// [`Misuse`] names the parameter, the column or the placement that does not fit.
    pub fn new(
        config: Config,
        placement: P,
        levels: u8,
        columns: Columns<'a>,
        now: Instant,
    ) -> Result<Self, Misuse> {
        config.check()?;
        placement.check(levels).map_err(Misuse::Table)?;
        let Columns { entries, hosts, jobs, placed, words: all } = columns;
        let (of_table, of_due) = (timeshare::words(hosts.len(), levels), words_for(hosts.len()));
        let needs = words(hosts.len(), levels);
        check_columns(&[], &[("placed", jobs.len(), placed.len()), ("words", needs, all.len())])
            .map_err(|(column, needs, has)| Misuse::Column { column, needs, has })?;
        let (words, due) = all.split_at_mut_checked(of_table).unwrap_or_default();
        let due = due.get_mut(..of_due).unwrap_or_default();
        let columns = timeshare::Columns { entries, hosts, jobs: placed, words };
        let table = Table::new(levels, columns).map_err(Misuse::Table)?;
        let core = Core::new(&config, now);
        let due = Due { words: due, told: 0 };
        let mut fresh = Self { config, core, placement, table, jobs, due };
        fresh.reset(now);
        Ok(fresh)
    }

    /// The placement.
    pub const fn placement(&self) -> &P {
        &self.placement
    }

    /// The table: who is where, and at which level. The number of a job there is that of its row,
    /// see [`Cluster::job`].
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
            .filter(|(_, job)| job.state == State::Runs)
            .map(|(row, job)| (self.name(row), job.request()))
    }

    /// Where a job is. Cost: the jobs before it in the queue.
    ///
    /// # Errors
    ///
    /// [`Misuse::Job`] if it has ended, or is of another pool.
    pub fn status(&self, job: JobId) -> Result<Status, Misuse> {
        let row = self.core.jobs.find(&*self.jobs, job.0)?;
        if self.state(row) == State::Waits {
            let ahead = self.core.waiting.iter(self.jobs).take_while(|(at, _)| *at != row).count();
            return Ok(Status::Waiting { ahead: ahead as u32 });
        }
        let number = JobNumber(row);
        let terminating = self.table.is_terminating(number).map_err(Misuse::Table)?;
        Ok(match self.table.lead(number).map_err(Misuse::Table)? {
            Some(first) if !terminating => Status::Running { first },
            _ => Status::Ending,
        })
    }

    inherent_methods! { Command => Option<JobId>, Error; Effect }

    fn apply_command(
        &mut self,
        now: Instant,
        command: Command,
    ) -> Result<(Option<JobId>, Change), Error> {
        let change = match command {
            Command::Submit { user, hosts, synchronising } => {
                let (job, change) = self.submit(Request { user, hosts, synchronising })?;
                return Ok((Some(job), change));
            }
            Command::Cancel { job } => self.cancel(job)?,
            Command::Kill { job } => self.kill(job)?,
            Command::Ended { job } => self.ended(now, job)?,
            Command::HostReport { host, load, speed } => {
                let is_new = self.table.report(now, host, load, speed);
                if is_new.map_err(|_| Misuse::NoSuchHost(host))? {
                    self.due.put(host, true);
                }
                Change::Room
            }
            Command::HostLost { host } => {
                self.lose(host)?;
                Change::Nothing
            }
            Command::Tick => Change::Nothing,
        };
        Ok((None, change))
    }

    fn submit(&mut self, request: Request) -> Result<(JobId, Change), Error> {
        let hosts = self.table.hosts();
        if request.hosts == 0 {
            return Err(Misuse::NoHosts.into());
        }
        if request.hosts > hosts {
            return Err(Refusal::TooLarge { hosts }.into());
        }
        let row = self.core.jobs.open(&mut *self.jobs).ok_or(Refusal::JobsFull)?;
        if let Some(job) = self.jobs.get_mut(row as usize) {
            *job = JobRow {
                generation: job.generation,
                links: Links::NONE,
                user: request.user.0,
                hosts: request.hosts,
                synchronising: request.synchronising.into(),
                state: State::Waits,
            };
        }
        let is_head = self.core.waiting.first().is_none();
        self.core.waiting.push_back(self.jobs, row);
        Ok((self.name(row), if is_head { Change::Head } else { Change::Nothing }))
    }

    fn cancel(&mut self, job: JobId) -> Result<Change, Misuse> {
        let row = self.find(job, State::Waits)?;
        self.core.waiting.remove(self.jobs, row);
        self.core.jobs.close(&mut *self.jobs, row);
        Ok(Change::Room)
    }

    fn kill(&mut self, job: JobId) -> Result<Change, Misuse> {
        let row = self.find(job, State::Runs)?;
        let tell = &mut |host| self.due.put(host, true);
        self.table.terminate(JobNumber(row), tell).map_err(Misuse::Table)?;
        Ok(Change::Nothing)
    }

    fn ended(&mut self, now: Instant, job: JobId) -> Result<Change, Misuse> {
        let row = self.find(job, State::Runs)?;
        let tell = &mut |host| self.due.put(host, true);
        self.table.remove(now, JobNumber(row), tell).map_err(Misuse::Table)?;
        self.core.jobs.close(&mut *self.jobs, row);
        Ok(Change::End)
    }

    fn lose(&mut self, host: HostId) -> Result<(), Misuse> {
        let tell = &mut |it| self.due.put(it, true);
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

    /// Starts the head of the queue as long as there is room for it, as the retry says.
    fn serve(&mut self, now: Instant, change: Change, draw: P::Draw) {
        let more = match (change, self.config.retry) {
            (Change::Nothing, _) => return,
            (Change::Room, Retry::OneAtEnds | Retry::AllAtEnds) => return,
            (Change::Head, _) | (Change::End, Retry::OneAtEnds) => false,
            _ => true,
        };
        let mut drawn = 0u32;
        while self.start_head(now, nth(draw, drawn)) && more {
            drawn = drawn.wrapping_add(1);
        }
    }

    /// Whether the head of the queue could start.
    fn start_head(&mut self, now: Instant, draw: P::Draw) -> bool {
        let Some(row) = self.core.waiting.first() else { return false };
        let Some(job) = self.jobs.get(row as usize).copied() else { return false };
        let number = JobNumber(row);
        if self.table.place(now, &self.placement, number, job.request(), draw).is_err() {
            return false;
        }
        self.core.waiting.remove(self.jobs, row);
        if let Some(job) = self.jobs.get_mut(row as usize) {
            job.state = State::Runs;
        }
        self.table.placed_last().for_each(|host| self.due.put(host, true));
        true
    }

    fn name(&self, row: u32) -> JobId {
        JobId(self.core.jobs.handle(&*self.jobs, row))
    }

    fn state(&self, row: u32) -> State {
        self.jobs.get(row as usize).map_or(State::Waits, |job| job.state)
    }

    /// The row of a job that does this.
    fn find(&self, job: JobId, state: State) -> Result<u32, Misuse> {
        let row = self.core.jobs.find(&*self.jobs, job.0)?;
        match (self.state(row), state) {
            (State::Waits, State::Runs) => Err(Misuse::Waits),
            (State::Runs, State::Waits) => Err(Misuse::Runs),
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

impl<P: Placement> Coordinate for Cluster<'_, P> {
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
        let number = self.due.told;
        let Some((level, job, user)) = self.table.column(host).nth(number as usize) else {
            return Some(Effect::AssignmentsEnd { host, jobs: number });
        };
        let assignment = Assignment {
            job: self.name(job.0),
            user,
            level,
            first: self.table.lead(job) == Ok(Some(host)),
            terminating: self.table.is_terminating(job) == Ok(true),
        };
        Some(Effect::Assign { host, number, assignment })
    }

    /// Hosts come in the order of their numbers. Cost: 64 hosts a step.
    fn take_effect(&mut self) -> Option<Effect> {
        let effect = self.peek_effect()?;
        match effect {
            Effect::Assign { number, .. } => self.due.told = number.wrapping_add(1),
            Effect::AssignmentsEnd { host, .. } => self.due.put(host, false),
        }
        Some(effect)
    }

    /// To look for silent hosts.
    fn wake_at(&self) -> Option<Instant> {
        Some(self.core.next_check).filter(|&at| at < Instant::MAX)
    }
}

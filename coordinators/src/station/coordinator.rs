//! The coordinator: commands in, effects out.

use super::error::{Error, Outcome};
use super::storage::{HoldReason, HomeRow, JobRow, NodeRow, Pending, Service, Storage, View};
use super::tables::{Changes, Core, Tables, Touched, after};
use super::{
    Arrays, Command, Config, Effect, JobId, Message, Misuse, NodeId, PreemptReason, Run, Status,
    StopReason, Trigger,
};
use crate::coordinate::{Coordinate, inherent_methods};
use core::num::NonZeroU32;
use locox::fair::{self, Decision, Demand, Fairness, Round, StaticFairness, StationId};
use locox::ground::{check_columns, digest_of_all};
use locox::time::Instant;

/// The state machine that hands the processors of a network to its stations' jobs.
///
/// `F` is the ranking of the stations, `S` the storage of the rows.
///
/// Cost: a command is constant, unless it makes the coordinator schedule. Under
/// [`TimedUpDown`](locox::fair::TimedUpDown), which keeps the order, each decision then costs
/// O(log stations + rates). Under the other rankings it is one update and one round, which pass
/// over all stations: 2 ns a station, so that each processor that becomes free costs 0.2 ms among
/// 100,000 of them. The end of an interval is one pass over processors and jobs. Memory: 36 bytes
/// a station, 48 a processor and 64 a job, and the ranking's own.
///
/// Between two commands take all effects with [`Coordinator::take_effect`], and call again with
/// [`Tick`](super::Command::Tick) at [`Coordinator::wake_at`] if nothing happens before.
///
/// ```
/// use locox::fair::{DecayParams, StationId, TimedRow, TimedUpDown};
/// use locox::time::{Duration, Instant};
/// use locox_coordinators::station::{Arrays, Command, Config, Coordinator, Effect, NodeId};
/// let minute = Duration::from_ticks(60);
/// let fair = TimedUpDown::new([TimedRow::EMPTY; 2], DecayParams::standard(minute)).unwrap();
/// let columns = Arrays::<2, 3, 8, 8>::EMPTY; // two stations, and a bank of one
/// let config = Config::standard(minute);
/// let mut pool = Coordinator::new(config, columns, fair, Instant::ZERO).unwrap();
///
/// let now = Instant::from_ticks(5);
/// let home = StationId(1);
/// pool.apply(now, Command::NodeIdle { node: NodeId(2) }).unwrap();
/// let job = pool.apply(now, Command::Submit { home, serial: 1 }).unwrap().unwrap();
/// let Some(Effect::Place { node, run, begins, .. }) = pool.take_effect() else { panic!() };
/// assert_eq!((node, run.job), (NodeId(2), job));
/// assert_eq!(begins, Instant::from_ticks(65));
/// pool.apply(Instant::from_ticks(900), Command::Finished { run }).unwrap();
/// ```
///
/// A coordinator is moved, not copied: two of them would give the same processors away. Where a second
/// one is wanted, as for a look ahead, `clone` it.
///
/// ```compile_fail,E0382
/// use locox::fair::RoundRobin;
/// use locox::time::{Duration, Instant};
/// use locox_coordinators::station::{Arrays, Command, Config, Coordinator};
/// type Pool = Coordinator<RoundRobin, Arrays<2, 3, 8, 8>>;
/// let config = Config::standard(Duration::from_ticks(60));
/// let mut pool = Pool::new_static(config, Instant::ZERO);
/// let ahead = pool;
/// pool.apply(Instant::ZERO, Command::Tick).unwrap();
/// ```
///
/// # Invariants
///
/// - A job is on a processor if and only if that is occupied by the job; it is at a processor if
///   and only if that is held by the job.
/// - A job that holds no processor waits at its home, unless something keeps it from one; one that
///   holds another's is among those placed; one that holds its home's is in neither list.
/// - A processor is held only while it is available and in service, and free if it is both and
///   nobody occupies or holds it.
/// - A cancelled job is on a processor.
/// - A holder is not on its processor only while that is occupied by another, or the holder is
///   still on another.
/// - No station has a waiting job while its own processor is free.
/// - The demand of a station is its waiting and its placed jobs; it wants none while it is lost.
#[derive(Clone, Debug)]
pub struct Coordinator<F, S> {
    pub(super) config: Config,
    /// Tells the weights that stations had at first from others: part of the identity.
    pub(super) weights: u32,
    pub(super) core: Core,
    pub(super) fair: F,
    pub(super) storage: S,
}

impl<F, const S: usize, const N: usize, const J: usize, const C: usize>
    Coordinator<F, Arrays<S, N, J, C>>
where
    F: StaticFairness<S>,
{
    /// A coordinator with its rows in one value, for a `static` on a host. It costs `.data` as
    /// large as itself; firmware puts the rows into a static of zeros and uses
    /// [`new`](Self::new). A period of zero is taken for one tick.
    ///
    /// Fewer than `S` processors, room for fewer than four contenders, or a ranking of another
    /// number of stations do not compile.
    pub const fn new_static(config: Config, now: Instant) -> Self {
        const {
            assert!(N >= S, "each station has a processor");
            assert!(C >= 4, "a round has room for four contenders");
        }
        let core = Core::new(&config, now);
        Self { config, weights: EQUAL_WEIGHTS, core, fair: F::FRESH, storage: Arrays::EMPTY }
    }
}

impl<F: Fairness, S: Storage> Coordinator<F, S> {
    /// A coordinator that knows of no job and of which no station has reported. The rows are
    /// cleared.
    ///
    /// Weights that stations have in the ranking are, as its parameters, part of the identity of images and
    /// journals: those of a coordinator that was made with other weights are refused. To change a weight
    /// of a coordinator that has a history, say [`Command::SetWeight`](super::Command::SetWeight).
    ///
    /// # Errors
    ///
    /// [`Misuse`] names the parameter, the column or the ranking that does not fit.
    pub fn new(config: Config, storage: S, fair: F, now: Instant) -> Result<Self, Misuse> {
        config.check()?;
        check_rows(storage.view())?;
        fair.check(storage.view().demand.len()).map_err(Misuse::Ranking)?;
        let weights = digest_of_weights(&fair, storage.view().demand.len());
        let mut fresh = Self { config, weights, core: Core::new(&config, now), fair, storage };
        fresh.clear(now);
        Ok(fresh)
    }

    /// Rows for jobs need no clearing: their slab knows which were never used.
    pub(super) fn clear(&mut self, now: Instant) {
        self.core = Core::new(&self.config, now);
        let rows = self.storage.slices();
        rows.demand.fill(Demand::NONE);
        rows.homes.fill(HomeRow::EMPTY);
        rows.nodes.fill(NodeRow::EMPTY);
        self.note(Touched::ALL);
    }

    /// Tells a ranking that keeps the order whose demand changed.
    pub(super) fn note(&mut self, touched: Touched) {
        note(&mut self.fair, self.storage.view().demand, touched);
    }

    /// Whether a command that changes a weight can be done.
    fn check_weight(&self, command: Command) -> Result<(), Misuse> {
        let Command::SetWeight { station, weight } = command else { return Ok(()) };
        if station.0 as usize >= self.storage.view().demand.len() {
            return Err(Misuse::NoSuchStation(station));
        }
        match self.fair.weight(station) {
            None => Err(Misuse::Ranking(fair::Misuse::NoWeights)),
            Some(_) if weight == 0 => Err(Misuse::Zero { parameter: "weight" }),
            Some(_) => Ok(()),
        }
    }

    /// The ranking and what it remembers.
    pub const fn fairness(&self) -> &F {
        &self.fair
    }

    /// What each station wants and holds.
    pub fn demand(&self) -> &[Demand] {
        self.storage.view().demand
    }

    /// Processors that anybody may have at once.
    pub const fn free(&self) -> u32 {
        self.core.free_count
    }

    /// Where a job is.
    ///
    /// # Errors
    ///
    /// [`Misuse::Job`] if it is finished, or of another pool.
    pub fn status(&self, job: JobId) -> Result<Status, Misuse> {
        let jobs = self.storage.view().jobs;
        let row = self.core.jobs.find(jobs, job.0)?;
        let row = *jobs.get(row as usize).unwrap_or(&JobRow::EMPTY);
        Ok(match (row.on.get().map(NodeId), row.at.get().map(NodeId)) {
            (None, None) => at_home(&row),
            (None, Some(node)) => Status::Placed { node },
            (Some(node), Some(at)) if node == at => Status::Running { node },
            (Some(node), next) => Status::Leaving { node, next },
        })
    }

    /// The jobs that are not finished, by number.
    pub fn jobs(&self) -> impl Iterator<Item = JobId> {
        let rows = self.storage.view().jobs;
        self.core.jobs.open_rows(rows).map(|row| JobId(self.core.jobs.handle(rows, row)))
    }

    inherent_methods! { impl Into<Message> => Option<JobId>, Error; Effect }

    pub(super) fn tables(&mut self) -> Tables<'_> {
        self.tables_at(self.core.now)
    }

    fn tables_at(&mut self, now: Instant) -> Tables<'_> {
        let config = self.config;
        let (rows, core) = (self.storage.slices(), &mut self.core);
        Tables { rows, core, config, now, changes: Changes::default() }
    }

    fn is_triggered(&self, changes: Changes) -> bool {
        match self.config.trigger {
            Trigger::IntervalOnly => false,
            Trigger::Capacity => changes.capacity,
            Trigger::Demand => changes.capacity || changes.demand,
        }
    }

    /// One update, and rounds. A ranking that refuses what `new` checked leaves all as it is.
    fn schedule(&mut self, draw: F::Draw) {
        if F::KEEPS_ORDER || self.fair.update(self.storage.view().demand).is_ok() {
            self.hold_rounds(draw);
        }
    }

    /// Rounds until what is free is not wanted, or as many as there may be, or until so much is
    /// decided as may be. To go on with them needs no update: what is decided between two updates
    /// comes to an end.
    fn hold_rounds(&mut self, draw: F::Draw) {
        let mut left = self.config.decisions.map_or(u32::MAX, NonZeroU32::get);
        for _ in 0..self.config.rounds {
            let granted = self.round(draw, &mut left);
            if !granted || self.core.free_count == 0 || left == 0 {
                break;
            }
        }
        self.core.due.rounds = left == 0;
    }

    /// Whether a free processor was given away. Decides no more than is `left`.
    fn round(&mut self, draw: F::Draw, left: &mut u32) -> bool {
        let Self { config, core, fair, storage, .. } = self;
        let (config, now) = (*config, core.now);
        let mut rows = storage.slices();
        let scratch = core::mem::take(&mut rows.scratch);
        let mut granted = false;
        let Ok(mut round) = Round::of_counted(fair, core.free_count, draw, scratch) else {
            return false;
        };
        let mut tables = Tables { rows, core, config, now, changes: Changes::default() };
        while *left > 0
            && let Some(decision) = round.next(fair, tables.rows.demand)
        {
            *left = left.saturating_sub(1);
            match decision {
                Decision::Grant { to, .. } => {
                    tables.grant(to);
                    granted = true;
                }
                Decision::Preempt { from, to, .. } => tables.take(from, to),
            }
            let touched = core::mem::take(&mut tables.changes.touched);
            note(fair, tables.rows.demand, touched);
        }
        granted
    }

    fn effect_of(&self, number: u32) -> Option<Effect> {
        let view = self.storage.view();
        let row = view.nodes.get(number as usize)?;
        if row.pending == Pending::Aside {
            return Some(Effect::SetAside { node: NodeId(number) });
        }
        let occupant = row.occupant.get()?;
        let job = view.jobs.get(occupant as usize)?;
        let node = NodeId(number);
        let name = JobId(self.core.jobs.handle(view.jobs, occupant));
        let run = Run { job: name, attempt: job.attempt };
        Some(match row.pending {
            Pending::Nothing | Pending::Aside => return None,
            Pending::Ask => Effect::Ask { node, run },
            Pending::Start | Pending::StartAgain => self.start_of(node, run, job),
            Pending::Preempt => Effect::Preempt { node, run, why: why(view, row, job) },
            Pending::Checkpoint => Effect::Checkpoint { node, run },
        })
    }

    fn start_of(&self, node: NodeId, run: Run, job: &JobRow) -> Effect {
        let home = StationId(job.home);
        let at_home = node == NodeId::from(home);
        let now = self.core.now;
        let begins = if at_home { now } else { now.saturating_add(self.config.transfer) };
        match job.checkpoint.get() {
            None => Effect::Place { node, run, home, begins },
            Some(checkpoint) => Effect::Resume { node, run, home, checkpoint, begins },
        }
    }
}

fn note<F: Fairness>(fair: &mut F, demand: &[Demand], touched: Touched) {
    if F::KEEPS_ORDER {
        for (station, &one) in touched.of(demand) {
            fair.note(StationId(station), one);
        }
    }
}

fn at_home(row: &JobRow) -> Status {
    let why = match row.hold_reason {
        HoldReason::None => return Status::Waiting,
        HoldReason::BackingOff => StopReason::BackingOff { until: row.since },
        // A cancelled one at home has no row any more.
        HoldReason::Held | HoldReason::Cancelled => StopReason::Held,
        HoldReason::Failed => StopReason::Failed,
        HoldReason::Expired => StopReason::Limit,
    };
    Status::Stopped { why }
}

fn why(view: View<'_>, node: &NodeRow, job: &JobRow) -> PreemptReason {
    match job.hold_reason {
        HoldReason::Cancelled => return PreemptReason::Cancelled,
        HoldReason::Held => return PreemptReason::Held,
        HoldReason::Expired => return PreemptReason::Limit,
        HoldReason::None | HoldReason::BackingOff | HoldReason::Failed => {}
    }
    let holder = node.holder.get().and_then(|holder| view.jobs.get(holder as usize));
    match (holder, job.at.get()) {
        (Some(holder), _) => PreemptReason::Fairness { to: StationId(holder.home) },
        (None, Some(to)) => PreemptReason::Moved { to: NodeId(to) },
        (None, None) if node.service == Service::Drained => PreemptReason::Drained,
        (None, None) => PreemptReason::Withdrawn,
    }
}

/// Of a ranking under which no station has another weight than 1.
const EQUAL_WEIGHTS: u32 = 0;

fn digest_of_weights(fair: &impl Fairness, stations: usize) -> u32 {
    let weights = (0..stations as u32).map(|at| fair.weight(StationId(at)).unwrap_or(1));
    if weights.clone().all(|weight| weight == 1) {
        return EQUAL_WEIGHTS;
    }
    digest_of_all(weights.map(u64::from))
}

fn check_rows(view: View<'_>) -> Result<(), Misuse> {
    let stations = view.demand.len();
    let least = [("nodes", stations, view.nodes.len()), ("scratch", 4, view.scratch.len())];
    check_columns(&[("homes", stations, view.homes.len())], &least)
        .map_err(|(column, needs, has)| Misuse::StorageTooSmall { column, needs, has })
}

impl<F: Fairness, S: Storage> Coordinate for Coordinator<F, S> {
    type Command = Message;
    type Effect = Effect;
    type Answer = Option<JobId>;
    type Error = Error;
    type Draw = F::Draw;

    /// The answer to [`Submit`](super::Command::Submit) is the job's name. Commands that say what is
    /// known already change nothing. A message that a host numbered may arrive late, twice or in
    /// another order; what it reports of a run that is over is answered like what is new.
    fn apply_drawn(
        &mut self,
        now: Instant,
        message: Message,
        draw: F::Draw,
    ) -> Outcome<Option<JobId>> {
        if now < self.core.now {
            return Err(Misuse::TimeWentBack.into());
        }
        self.check_weight(message.command)?;
        let mut tables = self.tables_at(now);
        let answer = tables.apply_message(message)?;
        let changes = tables.changes;
        self.core.now = now;
        self.fair.advance(now);
        if let Command::SetWeight { station, weight } = message.command {
            self.fair.weigh(station, weight);
        }
        self.note(changes.touched);
        if self.config.poll.is_some() && now >= self.core.next_poll {
            self.core.due.poll = true;
            self.core.next_poll = after(now, self.config.poll);
        }
        if self.config.checkpoint.is_some() && now >= self.core.next_checkpoint {
            self.core.next_checkpoint = after(now, self.config.checkpoint);
            self.tables().checkpoint_all();
        }
        let interval_over = now >= self.core.next_interval;
        if interval_over {
            self.core.next_interval = after(now, Some(self.config.interval));
            let mut tables = self.tables();
            tables.review_hosts();
            tables.review_jobs();
            let touched = tables.changes.touched;
            self.note(touched);
        }
        if interval_over || self.is_triggered(changes) {
            self.schedule(draw);
        } else if self.core.due.rounds {
            self.hold_rounds(draw);
        }
        Ok(answer)
    }

    fn peek_effect(&self) -> Option<Effect> {
        if self.core.due.poll {
            return Some(Effect::Poll);
        }
        let effect = self.effect_of(self.core.pending.first()?);
        debug_assert!(effect.is_some(), "who is to be told something has somebody to tell of");
        effect
    }

    fn take_effect(&mut self) -> Option<Effect> {
        let effect = self.peek_effect()?;
        if effect == Effect::Poll {
            self.core.due.poll = false;
        } else if let Some(node) = self.core.pending.first() {
            self.tables().told(node);
        }
        Some(effect)
    }

    /// There is always such a time, as there are scheduling intervals, but for one at the end of time.
    /// It is the latest time given while there are [decisions left](Config::decisions).
    fn wake_at(&self) -> Option<Instant> {
        if self.core.due.rounds {
            return Some(self.core.now);
        }
        let next = self.core.next_interval.min(self.core.next_poll).min(self.core.next_checkpoint);
        Some(next).filter(|&at| at < Instant::MAX)
    }

    fn resync(&mut self) {
        self.tables().resync();
    }
}

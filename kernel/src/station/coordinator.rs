//! The coordinator: commands in, effects out.

use super::storage::{HomeRow, JobRow, NodeRow, Pending, Storage, View};
use super::tables::{Core, News, Tables};
use super::{
    Command, CommandError, Config, ConfigError, Effect, JobId, NodeId, Run, Status, Trigger, Why,
};
use crate::fair::{Capacity, Decision, Demand, Fairness, Round, StationId};
use crate::handle::Handle;
use crate::time::{Duration, Instant};

/// The state machine that hands the processors of a network to its stations' jobs.
///
/// `F` is the ranking of the stations, `S` the storage of the rows.
///
/// - A job is on a processor if and only if that is occupied by the job; it is at a processor if
///   and only if that is held by the job.
/// - A job that holds no processor waits at its home; one that holds another's is among those
///   placed; one that holds its home's is in neither list.
/// - A processor is held only while it is available, and free if it is available and nobody
///   occupies or holds it.
/// - A holder is not on its processor only while that is occupied by another, or the holder is
///   still on another.
/// - No station has a waiting job while its own processor is free.
/// - The demand of a station is its waiting and its placed jobs; it wants none while it is lost.
///
/// Cost: a command is constant, unless it makes the coordinator schedule: that is one update and
/// one round over the stations. Memory: 36 bytes a station, 20 a processor and 36 a job, and the
/// ranking's own.
///
/// Between two commands take all effects with [`Coordinator::take_effect`], and call again with
/// [`Command::Tick`] at [`Coordinator::wake_at`] if nothing happens before.
///
/// ```
/// use locox::fair::{Condor, ScheduleIndex, StationId, UpDown};
/// use locox::station::{Arrays, Command, Config, Coordinator, Effect, NodeId, Trigger};
/// use locox::time::{Duration, Instant};
/// let fair = UpDown::new([ScheduleIndex::ZERO; 2], Condor::default());
/// let minute = Duration::from_ticks(60);
/// let config = Config { trigger: Trigger::Demand, ..Config::study(minute) };
/// let columns = Arrays::<2, 3, 8, 8>::EMPTY; // two stations, and a bank of one
/// let mut pool = Coordinator::new(config, fair, columns, Instant::ZERO).unwrap();
///
/// let now = Instant::from_ticks(5);
/// let home = StationId(1);
/// pool.apply(now, Command::OwnerBack { station: home }, 0).unwrap();
/// pool.apply(now, Command::NodeIdle { node: NodeId(2) }, 0).unwrap();
/// let job = pool.apply(now, Command::Submit { home, serial: 1 }, 0).unwrap().unwrap();
/// let Some(Effect::Place { node, run, begins, .. }) = pool.take_effect() else { panic!() };
/// assert_eq!((node, run.job), (NodeId(2), job));
/// assert_eq!(begins, Instant::from_ticks(65));
/// pool.apply(Instant::from_ticks(900), Command::Finished { run }, 0).unwrap();
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Coordinator<F, S> {
    pub(super) config: Config,
    pub(super) core: Core,
    pub(super) fair: F,
    pub(super) storage: S,
}

impl<F: Fairness, S: Storage> Coordinator<F, S> {
    /// A coordinator that knows of no job and of which no station has reported. The columns are
    /// cleared.
    ///
    /// # Errors
    ///
    /// [`ConfigError`] names the parameter, the column or the ranking that does not fit.
    pub fn new(config: Config, fair: F, storage: S, now: Instant) -> Result<Self, ConfigError> {
        check_config(&config)?;
        check_columns(storage.view())?;
        fair.check(storage.view().demand.len()).map_err(ConfigError::Fairness)?;
        let mut fresh = Self { config, core: Core::new(now), fair, storage };
        fresh.core.next_interval = now.saturating_add(config.interval);
        fresh.core.next_poll = after(now, config.poll);
        fresh.core.next_checkpoint = after(now, config.checkpoint);
        let rows = fresh.storage.slices();
        rows.demand.fill(Demand::default());
        rows.homes.fill(HomeRow::EMPTY);
        rows.nodes.fill(NodeRow::EMPTY);
        rows.jobs.fill(JobRow::EMPTY);
        Ok(fresh)
    }

    /// The ranking and what it remembers.
    pub const fn fairness(&self) -> &F {
        &self.fair
    }

    /// What each station wants and holds.
    pub fn demand(&self) -> &[Demand] {
        self.storage.view().demand
    }

    /// When to call [`apply`](Self::apply) with [`Command::Tick`], if nothing happens before.
    pub fn wake_at(&self) -> Instant {
        self.core.next_interval.min(self.core.next_poll).min(self.core.next_checkpoint)
    }

    /// Where a job is.
    ///
    /// # Errors
    ///
    /// [`CommandError::Job`] if it is finished, or of another pool.
    pub fn status(&self, job: JobId) -> Result<Status, CommandError> {
        let row = self.storage.view().jobs.get(job.0.index() as usize);
        let row = row.copied().unwrap_or(JobRow::EMPTY);
        job.0.check(self.config.pool, row.generation).map_err(CommandError::Job)?;
        Ok(match (row.on.get().map(NodeId), row.at.get().map(NodeId)) {
            (None, None) => Status::Waiting,
            (None, Some(node)) => Status::Placed { node },
            (Some(node), Some(at)) if node == at => Status::Running { node },
            (Some(node), next) => Status::Leaving { node, next },
        })
    }

    /// Takes note of what happened at `now`; the answer to [`Command::Submit`] is the job's name.
    /// Whatever was due at `now` is done as well. `draw` is a fresh number from the caller's
    /// random source, see [`Fairness::begin`].
    ///
    /// Commands that say what is known already change nothing.
    ///
    /// # Errors
    ///
    /// A [`CommandError`]; nothing has changed then.
    pub fn apply(
        &mut self,
        now: Instant,
        command: Command,
        draw: u32,
    ) -> Result<Option<JobId>, CommandError> {
        if now < self.core.now {
            return Err(CommandError::TimeWentBack);
        }
        let (answer, news) = self.obey(command)?;
        self.core.now = now;
        if self.config.poll.is_some() && now >= self.core.next_poll {
            self.core.poll_due = true;
            self.core.next_poll = after(now, self.config.poll);
        }
        if self.config.checkpoint.is_some() && now >= self.core.next_checkpoint {
            self.core.next_checkpoint = after(now, self.config.checkpoint);
            self.tables().checkpoint_all();
        }
        let interval_over = now >= self.core.next_interval;
        if interval_over {
            self.core.next_interval = now.saturating_add(self.config.interval);
        }
        if interval_over || self.is_triggered(news) {
            self.schedule(draw);
        }
        Ok(answer)
    }

    /// The next thing to be done; `None` when everything is. In the order in which it came up.
    pub fn take_effect(&mut self) -> Option<Effect> {
        if core::mem::take(&mut self.core.poll_due) {
            return Some(Effect::Poll);
        }
        let node = self.core.pending.first()?;
        let effect = self.effect_of(node);
        self.tables().hush(node);
        effect
    }

    pub(super) fn tables(&mut self) -> Tables<'_> {
        Tables {
            rows: self.storage.slices(),
            core: &mut self.core,
            recall: self.config.recall,
            news: News::default(),
        }
    }

    fn obey(&mut self, command: Command) -> Result<(Option<JobId>, News), CommandError> {
        let pool = self.config.pool;
        let mut tables = self.tables();
        let mut answer = None;
        match command {
            Command::Submit { home, serial } => {
                let home = tables.station(home)?;
                answer = Some(tables.submit(pool, home, serial)?);
            }
            Command::NodeIdle { node } => {
                let node = tables.known_node(node)?;
                tables.node_idle(node);
            }
            Command::OwnerBack { station } => {
                let station = tables.station(station)?;
                tables.owner_back(station);
            }
            Command::Continued { run } => {
                let (job, node) = tables.live(pool, run)?;
                tables.continued(job, node);
            }
            Command::Checkpointed { run, checkpoint } => {
                let (job, _) = tables.live(pool, run)?;
                tables.checkpointed(job, checkpoint);
            }
            Command::Vacated { run } => {
                let (job, node) = tables.live(pool, run)?;
                tables.vacated(job, node);
            }
            Command::Finished { run } => {
                let (job, node) = tables.live(pool, run)?;
                tables.finished(job, node);
            }
            Command::NodeLost { node } => {
                let node = tables.known_node(node)?;
                tables.node_lost(node);
            }
            Command::Tick => {}
        }
        Ok((answer, tables.news))
    }

    fn is_triggered(&self, news: News) -> bool {
        match self.config.trigger {
            Trigger::IntervalOnly => false,
            Trigger::Capacity => news.capacity,
            Trigger::Demand => news.capacity || news.demand,
        }
    }

    /// One update and one round. A ranking that refuses what `new` checked leaves all as it is.
    fn schedule(&mut self, draw: u32) {
        let Self { config, core, fair, storage } = self;
        let recall = config.recall;
        let mut rows = storage.slices();
        let capacity = Capacity { nodes: rows.nodes.len() as u32, free: core.free_count };
        let scratch = core::mem::take(&mut rows.scratch);
        if fair.update(rows.demand).is_err() {
            return;
        }
        let Ok(mut round) = Round::new(fair, rows.demand, capacity, draw, scratch) else { return };
        let mut tables = Tables { rows, core, recall, news: News::default() };
        while let Some(decision) = round.next(fair, tables.rows.demand) {
            match decision {
                Decision::Grant { to, .. } => tables.grant(to),
                Decision::Preempt { from, to, .. } => tables.take(from, to),
            }
        }
    }

    fn effect_of(&self, number: u32) -> Option<Effect> {
        let view = self.storage.view();
        let row = view.nodes.get(number as usize)?;
        let occupant = row.occupant.get()?;
        let job = view.jobs.get(occupant as usize)?;
        let node = NodeId(number);
        let name = JobId(Handle::new(self.config.pool, occupant, job.generation));
        let run = Run { job: name, attempt: job.attempt };
        Some(match row.pending {
            Pending::Nothing => return None,
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
        match job.checkpoint {
            None => Effect::Place { node, run, home, begins },
            Some(checkpoint) => Effect::Resume { node, run, home, checkpoint, begins },
        }
    }
}

fn why(view: View<'_>, node: &NodeRow, job: &JobRow) -> Why {
    let holder = node.holder.get().and_then(|holder| view.jobs.get(holder as usize));
    match (holder, job.at.get()) {
        (Some(holder), _) => Why::Fairness { to: StationId(holder.home) },
        (None, Some(to)) => Why::Moved { to: NodeId(to) },
        (None, None) => Why::Withdrawn,
    }
}

fn after(now: Instant, period: Option<Duration>) -> Instant {
    period.map_or(Instant::MAX, |period| now.saturating_add(period))
}

pub(super) fn check_config(config: &Config) -> Result<(), ConfigError> {
    let periods = [
        ("interval", Some(config.interval)),
        ("poll", config.poll),
        ("checkpoint", config.checkpoint),
    ];
    for (parameter, period) in periods {
        if period.is_some_and(|period| period.ticks() == 0) {
            return Err(ConfigError::Zero { parameter });
        }
    }
    Ok(())
}

pub(super) fn check_columns(view: View<'_>) -> Result<(), ConfigError> {
    let stations = view.demand.len();
    let columns = [
        ("homes", view.homes.len(), stations, view.homes.len() == stations),
        ("nodes", view.nodes.len(), stations, view.nodes.len() >= stations),
        ("scratch", view.scratch.len(), 4, view.scratch.len() >= 4),
    ];
    let count = |rows| u32::try_from(rows).unwrap_or(u32::MAX);
    for (column, has, needs, fits) in columns {
        if !fits {
            return Err(ConfigError::Column { column, needs: count(needs), has: count(has) });
        }
    }
    Ok(())
}

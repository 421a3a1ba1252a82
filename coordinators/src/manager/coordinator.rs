//! The coordinator: facts in, decisions out.

use super::facts::Terms;
use super::index::Index;
use super::layout::Layout;
use super::nodes::Nodes;
use super::outages::Outages;
use super::places::Places;
use super::sizes::{box_words, cube_words, index_len, place_words, sum_words, words};
use super::stakes::Stakes;
use super::storage::{Flag, Late};
use super::tables::{Core, Tables};
use super::users::{UserLists, Users};
use super::yields::Rooms;
use super::{
    Columns, Command, Config, Effect, Error, Misuse, NodeRange, Outage, Promise, Tree, config,
    reservations,
};
use crate::coordinate::{Coordinate, Snapshot, inherent_methods};
use locox::dispatch::Backfill;
use locox::fair::TimedUpDown;
use locox::ground::{List, Slab, check_columns};
use locox::time::Instant;

/// The latest time that a coordinator can be told.
pub const LATEST: Instant = Instant::from_ticks(u64::MAX >> 1);

/// The state machine that decides which job of a resource manager starts where and when.
///
/// Cost: a fact of a job is a logarithm of the jobs, and a look at each of its nodes, and so is one of a node that it has; one that puts a job back in line
/// also a look at each job that came before it and waits, and one of a new user, if all rows for users are in use, a look at these. A decision is a logarithm of the jobs for each user with
/// jobs in line and for each job that starts. Memory: 312 bytes a job, 104 a user, 20 a node, and the index; where jobs need nodes together, are stopped for others, or
/// outages are planned also 32 bytes a job, 64 an outage, and maps.
///
/// Between two commands take all effects with [`Coordinator::take_effect`].
///
/// ```
/// use locox_coordinators::manager::{
///     Arrays, Command, Config, Coordinator, Effect, Key, NodeId, NodeRange, Status, UserId, index_len, words,
/// };
/// use locox::time::{Duration, Instant};
/// // Eight jobs, four users, ten nodes.
/// let mut rows = Arrays::<8, 4, 10, { index_len(8, 4) }, { words(10) }>::EMPTY;
/// let config = Config::standard(Duration::from_ticks(60));
/// let mut manager = Coordinator::new(config, rows.columns(), Instant::ZERO)?;
/// let now = Instant::from_ticks(5);
/// let limit = Duration::from_ticks(3600);
/// for (id, nodes) in [(1, 6), (2, 8), (3, 2)] {
///     let (key, user) = (Key { id, born: 0 }, UserId(1000));
///     manager.apply(now, Command::Seen { key, user, nodes, limit, priority: 0 })?;
/// }
/// assert_eq!(manager.peek_effect(), None); // facts start nothing
/// manager.apply(now, Command::Decide)?;
/// let [first, second, third] = [1, 2, 3].map(|id| Key { id, born: 0 });
/// assert_eq!(manager.take_effect(), Some(Effect::Start { key: first, nodes: 6 }));
/// assert_eq!(manager.take_effect(), Some(Effect::Start { key: third, nodes: 2 }));
/// let (from, to) = (Instant::from_ticks(3605), Instant::from_ticks(7205));
/// assert_eq!(manager.take_effect(), Some(Effect::Promise { key: second, from, to }));
/// assert!(manager.nodes(third).eq([NodeRange { first: NodeId(6), nodes: 2 }]));
///
/// let runs = Command::Runs { key: first, since: now, first: NodeId(0), nodes: 6 };
/// manager.apply(Instant::from_ticks(7), runs)?;
/// assert_eq!(manager.job(first).map(|job| job.status), Some(Status::Running));
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
///
/// # Invariants
///
/// - The row of a job is that of its entry in the queue, which knows the same of it. To the queue the nodes in service of
///   jobs that have some are busy, and all that are out of service are out.
/// - A job that waits, that nobody holds, and that is not too large, is in the line of its user.
/// - A user's row counts his jobs and their nodes.
/// - Each job and each user is found by the index.
pub struct Coordinator<'a> {
    pub(super) tables: Tables<'a>,
}

impl<'a> Coordinator<'a> {
    /// A coordinator that knows of no job, and of which all nodes are in service and free. The columns are cleared.
    ///
    /// # Errors
    ///
    /// [`Misuse`] names the parameter or the column that does not fit.
    pub fn new(config: Config, columns: Columns<'a>, now: Instant) -> Result<Self, Misuse> {
        Self::made(config, None, columns, now)
    }

    /// The same on a machine whose nodes lie in domains, with [`Places::Tree`](super::Places::Tree).
    ///
    /// # Errors
    ///
    /// [`Misuse`] names the parameter or the column that does not fit.
    pub fn in_tree(
        config: Config,
        tree: Tree<'a>,
        columns: Columns<'a>,
        now: Instant,
    ) -> Result<Self, Misuse> {
        Self::made(config, Some(tree), columns, now)
    }

    fn made(
        config: Config,
        tree: Option<Tree<'a>>,
        columns: Columns<'a>,
        now: Instant,
    ) -> Result<Self, Misuse> {
        let Columns { entries, jobs, users, ranks, nodes, index, words: free, .. } = columns;
        let Columns { plan, outages, boxes, stakes, sums, .. } = columns;
        let needs = index_len(jobs.len(), users.len());
        let exact = [("jobs", entries.len(), jobs.len()), ("ranks", users.len(), ranks.len())];
        let map = words(nodes.len());
        let stops = config.preempt.is_some();
        let is_any = config.places == config::Places::Any;
        let is_placed = !(is_any && outages.is_empty() && stakes.is_empty()) || stops;
        let needed = match config.places {
            _ if !is_placed => map,
            config::Places::Subcubes | config::Places::Meshes => cube_words(nodes.len()),
            _ => place_words(nodes.len()),
        };
        let grid = if let config::Places::Boxes(grid) = config.places { Some(grid) } else { None };
        let searched = grid.map_or(0, box_words);
        let planned = if is_placed { jobs.len().saturating_add(outages.len()) } else { 0 };
        let [staked, summed] = match stops {
            true => [jobs.len(), sum_words(config.places, nodes.len())],
            false => [0; 2],
        };
        let layout = Layout::of(&config, nodes.len(), tree)?;
        let least = [
            ("nodes", 1, nodes.len()),
            ("index", needs, index.len()),
            ("words", needed, free.len()),
            ("plan", planned, plan.len()),
            ("boxes", searched, boxes.len()),
            ("stakes", staked, stakes.len()),
            ("sums", summed, sums.len()),
        ];
        check_columns(&exact, &least).map_err(|(column, needs, has)| Misuse::StorageTooSmall {
            column,
            needs,
            has,
        })?;
        let of_users = index_len(0, users.len());
        let (of_users, index) = index.split_at_mut_checked(of_users).unwrap_or_default();
        let fair = TimedUpDown::new(ranks, config.decay).map_err(Misuse::Ranking)?;
        let lists = UserLists { slab: Slab::new(config.pool), due: List::EMPTY };
        let (free, maps) = free.split_at_mut_checked(map).unwrap_or_default();
        let mut fresh = Self {
            tables: Tables {
                config,
                core: Core::new(now),
                queue: Backfill::easy(config.pool, nodes.len() as u32, entries),
                jobs,
                index: Index(index),
                users: Users { lists, rows: users, index: Index(of_users), fair },
                places: is_placed.then(|| {
                    Places::new(layout, nodes.len(), (maps, boxes), plan, Stakes::new(stakes, sums))
                }),
                outages: Outages { rows: outages, used: 0 },
                rooms: Rooms::default(),
                nodes: Nodes { rows: nodes, free },
            },
        };
        fresh.reset(now);
        Ok(fresh)
    }

    inherent_methods! { Command => (), Error; Effect }
}

/// Without the rows, which are many.
impl core::fmt::Debug for Coordinator<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let Self { tables } = self;
        let mut shown = f.debug_struct("Coordinator");
        shown.field("config", &tables.config).field("core", &tables.core).finish_non_exhaustive()
    }
}

impl Coordinate for Coordinator<'_> {
    type Command = Command;
    type Effect = Effect;
    type Answer = ();
    type Error = Error;
    type Draw = ();

    fn apply_drawn(&mut self, now: Instant, command: Command, (): ()) -> Result<(), Error> {
        let it = &mut self.tables;
        if now < it.core.now {
            return Err(Misuse::TimeWentBack.into());
        }
        if now > LATEST {
            return Err(Misuse::TimeTooLate.into());
        }
        let told = match command {
            Command::Seen { key, user, nodes, limit, priority } => {
                it.seen(now, key, user, Terms { nodes, limit, priority })
            }
            Command::Changed { key, nodes, limit, priority } => {
                it.changed(now, key, Terms { nodes, limit, priority })
            }
            Command::Held { key, held } => it.held(now, key, held),
            Command::Runs { key, since, first, nodes } => {
                it.runs(now, key, since, NodeRange { first, nodes })
            }
            Command::RunsAlso { key, first, nodes } => {
                it.runs_also(now, key, NodeRange { first, nodes })
            }
            Command::Waits { key } => it.waits(now, key),
            Command::Left { key } => it.left(now, key),
            Command::NodeOut { first, nodes } => it.set_out(now, NodeRange { first, nodes }, true),
            Command::NodeBack { first, nodes } => {
                it.set_out(now, NodeRange { first, nodes }, false)
            }
            Command::Weight { user, weight } => it.weight(now, user, weight),
            Command::UserGone { user } => it.user_gone(now, user),
            Command::Deadline { key, by } => it.deadline(now, key, by),
            Command::Shape { key, sides } => it.shape(now, key, sides),
            Command::Outage { first, nodes, from, to } => {
                let nodes = NodeRange { first, nodes };
                it.plan_outage(now, Outage { nodes, from, to }, true)
            }
            Command::NoOutage { first, nodes, from, to } => {
                let nodes = NodeRange { first, nodes };
                it.plan_outage(now, Outage { nodes, from, to }, false)
            }
            Command::Reserve { from, .. } if from > LATEST => Err(Misuse::TimeTooLate.into()),
            Command::Reserve { key, from, by } => reservations::reserve(it, now, key, [from, by]),
            Command::NoReservation { key } => reservations::withdraw(it, now, key),
            Command::Stoppable { key, stoppable } => it.stoppable(now, key, stoppable),
            Command::Saved { key, at } => it.saved(now, key, at),
            Command::Decide => {
                it.decide(now);
                return Ok(());
            }
        };
        if told.is_ok() {
            it.undecide();
        }
        told
    }

    /// What is decided first is told first.
    fn peek_effect(&self) -> Option<Effect> {
        let Self { tables } = self;
        if let Some(row) = tables.core.due.first() {
            return Some(tables.effect_of(row));
        }
        let Promise { key, from, to } = tables.core.promise.filter(|_| tables.core.promise_due)?;
        Some(Effect::Promise { key, from, to })
    }

    fn take_effect(&mut self) -> Option<Effect> {
        let effect = self.peek_effect()?;
        match self.tables.core.due.first() {
            Some(row) if self.tables.row(row).due == Flag::Yes => self.tables.set_due(row, false),
            Some(row) => self.tables.set_late(row, Late::Told),
            None => self.tables.core.promise_due = false,
        }
        Some(effect)
    }

    fn resync(&mut self) {
        self.tables.resync();
    }

    /// When a reservation begins or an outage ends.
    fn wake_at(&self) -> Option<Instant> {
        self.tables.outages.next_change()
    }
}

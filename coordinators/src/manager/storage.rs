//! The coordinator's rows, and the columns that hold them. Empty ones are zeros.

use super::Key;
use crate::coordinate::columns;
use locox::bits::Word;
use locox::cube::Subcube;
use locox::dispatch::{Entry, Ticket};
use locox::fair::TimedRow;
use locox::grid::Cuboid;
use locox::ground::heap::HeapNode;
use locox::ground::{Links, List, Ref, half, row};
use locox::handle::{Generation, Handle, PoolId};
use locox::machine::{Held, Stake};
use locox::reserve::Interval;
use locox::time::{Duration, Instant};

half! {
    /// What a job does.
    enum State {
        /// The row is not in use.
        None,
        /// It waits.
        Waits,
        /// It was decided that it starts.
        Starts,
        /// It runs.
        Runs,
        /// It was decided that it stops.
        Stops,
        /// It waits, and nodes are kept for it, on some of which others stop.
        Comes,
    }
}

half! {
    /// Yes or no.
    enum Flag {
        No,
        Yes,
    }
}

half! {
    /// Whether a job ends after its deadline.
    enum Late {
        /// It does not, as far as is known.
        No,
        /// It does, which is to be told.
        Due,
        /// It does, and that has been told.
        Told,
    }
}

half! {
    /// Why a job that waits did not start, as of the last decision.
    enum Fit {
        /// Nobody looked.
        Unknown,
        /// Nodes that would do are free, and it would delay the first job in line.
        Delays,
        /// Enough nodes are free, and they do not lie as it needs them.
        Fragmented,
        /// It would run into an outage.
        Planned,
        /// The nodes in service do not lie as it needs them.
        Divided,
    }
}

impl From<bool> for Flag {
    fn from(yes: bool) -> Self {
        if yes { Self::Yes } else { Self::No }
    }
}

row! {
    /// What the coordinator keeps of a job beside the queue. 176 bytes.
    pub struct JobRow {
        key: Key = Key { id: 0, born: 0 },
        ticket: Ticket = Ticket::from_handle(Handle::new(PoolId(0), 0, Generation::from_raw(0))),
        /// The row of its user.
        user: u32 = 0,
        /// How many nodes it asks for.
        wants: u32 = 0,
        limit: Duration = Duration::ZERO,
        priority: u32 = 0,
        /// Counts arrivals.
        arrival: u64 = 0,
        /// Since when it has nodes; of one that comes, when those for which it waits are stopped.
        since: Instant = Instant::ZERO,
        /// By when it is to end; of a job without a deadline the end of time.
        by: Instant = Instant::ZERO,
        /// When it ends, if that is late.
        finish: Instant = Instant::ZERO,
        /// How often it got nodes.
        attempt: u32 = 0,
        /// The job for which it is to be stopped, or was, until that runs.
        yields_to: Ref = Ref::NONE,
        /// Its nodes, and how many they are.
        nodes: List = List::EMPTY,
        has: u32 = 0,
        /// The sides of the mesh that it is to be, if that was told.
        sides: [u32; 3] = [0; 3],
        /// The mesh that was decided for its nodes: its sides, and base and mask of the subcube; zeros if none was.
        mesh: [u32; 5] = [0; 5],
        /// Its place in the heap of its user, while it waits in line.
        heap: HeapNode = HeapNode::EMPTY,
        /// In the list of those of which something is to be told.
        links: Links = Links::NONE,
        /// Up to when what it has done is saved, while it runs.
        saved: Instant = Instant::ZERO,
    } halves {
        state: State = State::None,
        /// Whether somebody holds it.
        held: Flag = Flag::No,
        /// Whether it is to be told that it starts, stops or waits for ever.
        due: Flag = Flag::No,
        late: Late = Late::No,
        fit: Fit = Fit::Unknown,
        /// Whether it has a time and nodes of its own, and does not stand in line.
        reserved: Flag = Flag::No,
        /// Whether it must not be stopped.
        firm: Flag = Flag::No,
        /// Whether it was stopped for another that ran.
        protected: Flag = Flag::No,
    }
}

locox::ground::linked! { JobRow }

impl JobRow {
    /// Whether a job has nodes, or is to get them.
    pub(super) const fn has_nodes(&self) -> bool {
        matches!(self.state, State::Starts | State::Runs | State::Stops)
    }

    /// Whether something of it is to be told.
    pub(super) fn is_due(&self) -> bool {
        self.due == Flag::Yes || self.late == Late::Due
    }

    pub(super) fn has_deadline(&self) -> bool {
        self.state != State::None && self.by < Instant::MAX
    }
}

row! {
    /// What the coordinator keeps of a user beside the ranking. 40 bytes.
    pub struct UserRow {
        generation: Generation = Generation::from_raw(0),
        /// In the list of those of whom the ranking is to be told, or of the rows that are not in use.
        links: Links = Links::NONE,
        id: u32 = 0,
        /// His jobs that wait in line, by priority and arrival.
        line: Ref = Ref::NONE,
        /// The one that has the key of a first job, if any has.
        first: Ref = Ref::NONE,
        /// All his jobs.
        jobs: u32 = 0,
        /// Those that wait in line.
        waiting: u32 = 0,
        /// Nodes that his jobs have.
        nodes: u32 = 0,
    } halves {
        /// Whether the ranking is to be told.
        due: Flag = Flag::No,
        /// Whether one of his jobs comes.
        comes: Flag = Flag::No,
    }
}

locox::ground::rows! { UserRow }

row! {
    /// What the coordinator keeps of a node. 20 bytes.
    pub struct NodeRow {
        /// In the list of the nodes of its job.
        links: Links = Links::NONE,
        /// The row of its job.
        job: Ref = Ref::NONE,
        /// The row of the job for which it is kept.
        next: Ref = Ref::NONE,
    } halves {
        /// Whether it is out of service.
        out: Flag = Flag::No,
        spare: u16 = 0,
    }
}

locox::ground::linked! { NodeRow }

row! {
    /// Nodes that are to be out of service, or that a job is to have, and when. 32 bytes.
    pub struct OutageRow {
        first: u32 = 0,
        nodes: u32 = 0,
        from: Instant = Instant::ZERO,
        to: Instant = Instant::ZERO,
        /// The row of the job for which they are kept.
        of: Ref = Ref::NONE,
    } halves {
        spare: u16 = 0,
        unused: u16 = 0,
    }
}

impl OutageRow {
    pub(super) const fn numbers(&self) -> core::ops::Range<u32> {
        self.first..self.first.saturating_add(self.nodes)
    }

    pub(super) const fn at(&self) -> Interval {
        Interval { start: self.from, end: self.to }
    }
}

/// The nodes of the job in a row, or with rows of jobs before them those of an outage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Spot(pub(super) u32);

/// Who holds nodes from when until when; for a decision.
pub type PlanRow = Held<Spot>;

/// An empty row of a plan.
pub const UNPLANNED: PlanRow =
    Held::new(Spot(0), Interval { start: Instant::ZERO, end: Instant::ZERO });

/// How the nodes of a job lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lies {
    /// Somehow.
    Apart,
    /// They are a subcube.
    Cube(Subcube),
    /// They are a mesh in this one.
    Mesh(Subcube),
    /// They are a box.
    Box(Cuboid),
}

/// A job that could stop for another one, and at what cost; for a decision.
pub type StakeRow = Stake<Lies>;

/// An empty row of a stake.
pub const NO_STAKE: StakeRow = Stake::new(Lies::Apart, 0, 0);

/// A job that may run for longer is taken to run for so long: about for ever, and far from the end of time.
pub(super) const ENDLESS: Duration = Duration::from_ticks(1 << 61);

/// What is to start later than this waits for a job without an end.
pub(super) const FORESEEN: Duration = Duration::from_ticks(1 << 60);

columns! {
    /// What a coordinator lies in; all zeros are fine, and what they held does not matter.
    pub struct Columns;

    /// Columns in arrays: jobs, users, nodes, [`index_len`](super::index_len), [`words`](super::words). Borrow them as [`Columns`].
    pub struct Arrays<J, U, N, I, W>;

    /// One a job, for the queue.
    entries: [[Entry; 1]; J] = Entry::EMPTY,
    /// As many.
    jobs: [[JobRow; 1]; J] = JobRow::EMPTY,
    /// One a user.
    users: [[UserRow; 1]; U] = UserRow::EMPTY,
    /// As many, for the ranking.
    ranks: [[TimedRow; 1]; U] = TimedRow::EMPTY,
    /// One a node.
    nodes: [[NodeRow; 1]; N] = NodeRow::EMPTY,
    /// At least as many as [`index_len`](super::index_len) says.
    index: [[u32; 1]; I] = 0,
    /// At least as many as [`words`](super::words) says, or [`cube_words`](super::cube_words), or
    /// [`place_words`](super::place_words).
    words: [[Word; 1]; W] = 0,
    /// As many as jobs and outages where jobs need nodes together or outages are planned; else it may have none.
    plan: [[PlanRow; 1]; J] = UNPLANNED,
    /// One for each planned outage, and for each range of nodes that is kept for a job; arrays have none.
    outages: [[OutageRow; 0]; J] = OutageRow::EMPTY,
    /// At least as many as [`box_words`](super::box_words) says; arrays have none.
    boxes: [[u64; 0]; J] = 0,
    /// One a job where jobs are stopped for others; arrays have none.
    stakes: [[StakeRow; 0]; J] = NO_STAKE,
    /// At least as many as [`sum_words`](super::sum_words) says where jobs are stopped for others; arrays have none.
    sums: [[u64; 0]; J] = 0,
}

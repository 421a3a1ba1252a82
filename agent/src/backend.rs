//! What a resource manager is asked for: what it can do, what there is, and to act.

use crate::changed::Changed;
use crate::gone::Gone;
use locox_coordinators::manager::Key;

/// A resource manager.
///
/// A snapshot is all or nothing: if a part of it is not to be had, it is an error, and nothing is decided.
///
/// [`Backend::gate`] and [`Backend::examine`] are for administrators; a manager without a gate needs neither.
pub trait Backend {
    /// What it can do.
    fn abilities(&self) -> Abilities;

    /// All nodes and jobs of the partitions that are governed, at one time of its own clock.
    ///
    /// # Errors
    ///
    /// It does not answer, or not wholly, or what nobody can read.
    fn snapshot(&mut self) -> Result<Snapshot, BackendError>;

    /// Has it do these, in their order. What it refuses is not an error: the next snapshot shows what has been
    /// done. One answer for each act.
    ///
    /// # Errors
    ///
    /// It does not answer. Some may have been done.
    fn act(&mut self, acts: &[Act]) -> Result<Vec<Outcome>, BackendError>;

    /// What is known from before this program started, for managers that forget it. Said once, before the first
    /// snapshot.
    fn remember(&mut self, _known: &Known<'_>) {}

    /// What of the requests of jobs will differ from what their owners asked for when these acts are done, with what
    /// differs already; it is stored before they are done. [`Act::Release`] and [`Act::Gate`] give it back.
    fn changed_by(&self, _acts: &[Act]) -> Vec<Changed> {
        vec![]
    }

    /// What an administrator types to have the manager do this; `None` if the agent alone can do it.
    fn by_hand(&self, _act: &Act) -> Option<String> {
        None
    }

    /// Jobs that have left of late, by number, if the manager may bring them back; they are stored before anything
    /// is decided on the last snapshot.
    fn gone(&self) -> Vec<Gone> {
        vec![]
    }

    /// What an administrator installs so that jobs wait until they are started, as text with what to do with it; `None`
    /// if nothing is to be installed.
    fn gate(&self) -> Option<String> {
        None
    }

    /// What is to be known before the agent governs: whether the gate is there if it is needed, settings that matter,
    /// the clock. Changes nothing.
    fn examine(&mut self, _needs_gate: bool) -> Vec<Finding> {
        vec![]
    }
}

/// What was known before this program started.
#[derive(Clone, Copy, Debug, Default)]
pub struct Known<'a> {
    /// The jobs of the history.
    pub jobs: &'a [JobKnown],
    /// Those that had left.
    pub gone: &'a [Gone],
    /// What of jobs' requests had been changed.
    pub changed: &'a [Changed],
}

/// Ranks from here on are the agent's: above whatever a manager computes by itself.
pub(crate) const BASE: u32 = 1_000_000_000;
/// The largest.
pub(crate) const TOP: u32 = 4_000_000_000;

/// A job that was known before this program started.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct JobKnown {
    /// Its number.
    pub id: u64,
    /// When it was submitted, as [`JobSeen::born`].
    pub born: u32,
    /// What its owner makes of its urgency, as [`JobSeen::priority`].
    pub priority: u32,
}

/// Something that was looked at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// Whether it is as it should be.
    pub is_good: bool,
    /// What was found and, if it is not good, what to do: one line.
    pub text: String,
}

/// What a manager can do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Abilities {
    /// A job waits until it is started, though nodes are free.
    pub gate: bool,
    /// A job is started on the nodes that are named.
    pub places: bool,
    /// A job that runs is stopped and waits again.
    pub preempt: bool,
    /// Jobs that wait are put into an order.
    pub priorities: bool,
    /// Its clock goes on by itself, away from those of hosts.
    pub own_clock: bool,
}

/// What there is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Snapshot {
    /// The manager's clock, in seconds since 1970.
    pub now: u64,
    /// The nodes of the partitions, by name.
    pub nodes: Vec<NodeSeen>,
    /// The jobs of the partitions that wait, run or are ending, by number; and those of other partitions that run
    /// on these nodes.
    pub jobs: Vec<JobSeen>,
    /// Planned outages of these nodes that are to come or go on.
    pub outages: Vec<OutageSeen>,
    /// What [`Act::Mark`] left last; empty if nothing. Others than the agent do not change it.
    pub mark: String,
}

/// A node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NodeSeen {
    /// Its name.
    pub name: String,
    /// Whether it may be given jobs.
    pub serves: bool,
}

/// A planned outage of nodes, or a reservation of them: the manager starts no job of ours there that may still run then.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutageSeen {
    /// Its name: one line.
    pub name: String,
    /// Which nodes, by name.
    pub nodes: Vec<String>,
    /// From when on, in seconds since 1970.
    pub from: u64,
    /// Until when.
    pub to: u64,
    /// Whether both times go on with the clock, so that it never begins.
    pub floats: bool,
}

/// A job.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JobSeen {
    /// Its number, which a manager may give again to another. Of elements of arrays with the element in it.
    pub id: u64,
    /// When it was submitted, in seconds since 1970.
    pub born: u32,
    /// As the manager prints it, such as `17_3`.
    pub name: String,
    /// The number of its owner.
    pub user: u32,
    /// The name of its owner.
    pub owner: String,
    /// Nodes that it asks for.
    pub nodes: u32,
    /// The sides of the mesh that they are to be, if its owner says so; else zeros.
    pub sides: [u32; 3],
    /// For how long it may run, in seconds.
    pub limit: u64,
    /// By when it is to have ended, in seconds since 1970, if its owner says so.
    pub deadline: Option<u64>,
    /// What its owner makes of its urgency; larger is earlier. Nothing that the agent does changes it.
    pub priority: u32,
    /// What the manager orders jobs that wait by; larger is earlier. [`Act::Prioritise`] changes it. Those of the
    /// agent lie from 1,000,000,000 to 4,000,000,000, and whatever the manager makes of a job by itself below.
    pub rank: u32,
    /// Whether it is in one of the partitions that are governed.
    pub governed: bool,
    /// Why the agent leaves it to the manager, if the agent cannot place it: one line.
    pub left: Option<String>,
    /// Why the manager does not start it though its gate is open, if it says so.
    pub refused: Option<Refused>,
    /// What limits of the manager count it by: words such as `qos=normal`, and blanks between them.
    pub kind: String,
    /// Whether the agent has changed its request and not given that back yet, beside its gate and its rank.
    pub changed: bool,
    /// Whether it must not be stopped, as the manager would not queue it again.
    pub firm: bool,
    /// What it does.
    pub state: State,
    /// Why it waits, in the manager's words; may be empty.
    pub reason: String,
}

impl JobSeen {
    /// Its name in the kernel.
    pub const fn key(&self) -> Key {
        Key { id: self.id, born: self.born }
    }

    /// Whether it waits.
    pub const fn waits(&self) -> bool {
        matches!(self.state, State::Waits { .. })
    }

    /// Whether it waits and has something of the agent's: a gate, a rank, another request.
    pub(crate) const fn is_touched(&self) -> bool {
        match self.state {
            State::Waits { gated, .. } => gated || self.changed || self.rank >= BASE,
            State::Runs { .. } | State::Ends { .. } => false,
        }
    }
}

/// Why a manager does not start a job that is asked to start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refused {
    /// A limit is reached that counts jobs with these words in their [`JobSeen::kind`]: it starts when another one of them
    /// has ended.
    Limit(String),
    /// Its request cannot be met on the nodes that were chosen.
    Request,
}

/// What a job does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum State {
    /// It waits for the agent, or for its turn.
    Waits {
        /// It does not start before the agent says so.
        gated: bool,
        /// Its owner or somebody else holds it, or it waits for a time or another job.
        held: bool,
    },
    /// It runs on these nodes.
    Runs {
        /// Since when, in seconds since 1970.
        since: u64,
        /// By name.
        nodes: Vec<String>,
    },
    /// It is ending, and has its nodes still.
    Ends {
        /// By name.
        nodes: Vec<String>,
    },
}

/// What a manager is to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Act {
    /// Starts a job, on these nodes if the manager can place it.
    Start {
        /// Which, as the manager prints it.
        job: String,
        /// By name.
        nodes: Vec<String>,
    },
    /// Stops a job that runs; it waits again, and does not start by itself.
    Stop {
        /// Which.
        job: String,
    },
    /// Closes the gate of a job that waits.
    Gate {
        /// Which.
        job: String,
    },
    /// Says by what the manager is to order a job that waits; larger is earlier.
    Prioritise {
        /// Which.
        job: String,
        /// The [`JobSeen::rank`] that it is to have.
        rank: u32,
    },
    /// Gives a job back to the manager: no gate, no nodes that were chosen, no rank of the agent's.
    Release {
        /// Which.
        job: String,
    },
    /// Leaves a text in the manager where all agents see it, in place of the one before: a second agent is
    /// refused by it. An empty one takes it away. One line, at most 200 bytes, ASCII.
    Mark {
        /// The text.
        text: String,
    },
}

/// What came of an act.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The manager took it.
    Taken,
    /// It did not, and says why in its words.
    Refused(String),
}

/// Why a manager does not answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BackendError {
    /// Its program or its daemon is not there, or does not answer in time.
    #[error("{what} does not answer: {why}")]
    Silent {
        /// Which program.
        what: String,
        /// In the system's words.
        why: String,
    },
    /// Its answer is not what can be read.
    #[error("{what} answers what cannot be read: {why}")]
    Unreadable {
        /// Which program.
        what: String,
        /// What, and where.
        why: String,
    },
}

//! The coordinator of a machine whose hosts do not talk: a resource manager starts its jobs, and an agent tells the
//! one what the other decided.
//!
//! [`Coordinator`] is a state machine: [`Command`]s and the time go in, [`Effect`]s come out. Commands are *facts*, what is
//! so in the resource manager, and [`Decide`](Command::Decide). Facts start nothing. So an agent looks at its
//! manager, tells what has changed, says `Decide` once, and does what is said then:
//!
//! 1. A job is known by its [`Key`] from [`Seen`](Command::Seen) to [`Left`](Command::Left).
//! 2. [`Effect::Start`] gives it nodes. They are its own until [`Runs`](Command::Runs) says that it has them, or
//!    another ones; or until [`Waits`](Command::Waits) or [`Left`](Command::Left) says that it has none.
//! 3. What the manager or somebody else does besides is told in the same way: a job that runs although nobody
//!    decided it, one that has moved, one that waits again. The facts win.
//! 4. [`resync`](Coordinator::resync) tells again who is to be started or stopped and who waits for ever, and the promise.
//!
//! # Who starts
//!
//! The line is served by [`Easy`](locox::dispatch::Easy) backfilling. By default the first job of each user stands
//! in front, by [`TimedUpDown`](locox::fair::TimedUpDown), of users alike the one that came first, and behind these
//! all others by priority and arrival; when
//! a first job starts, the next one of its user stands in front, where its user then belongs. A job gets the free
//! nodes of the lowest numbers, or with [`Places::Subcubes`] those of a free subcube.
//!
//! The order of facts between two decisions does not matter, but for that of arrivals.
//!
//! # Nodes
//!
//! A node has one job at the most. One that is out of service gets no job; the job that it has runs on, and nobody is
//! promised the node. Nodes that are to come later can be there from the start, and be out.
//!
//! # Nodes together
//!
//! With [`Places::Subcubes`] a job starts on nodes that are a subcube, which the [`Complete`](locox::subcube::Complete)
//! strategy chooses; with [`Places::Boxes`] on a box of a mesh or torus, as [`Boxes`](locox::grid::Boxes) choose it; with
//! [`Places::Tree`] on nodes of one domain of the lowest level that has room, by a [`Tree`](locox::machine::Tree). All nodes of a subcube or a
//! box are the job's, also those that it does not ask for. A job that runs elsewhere, as
//! [`Runs`](Command::Runs) says, has the nodes that it has.
//!
//! The first job in line that has no place now, but at some time, is promised the earliest one, and when. Another one, tried in order,
//! starts (A) where it has a place beside that until it ends; or else (B) where it has one if the first one can then have
//! another place at its time. What was not taken is not tried again in that decision as long as the same job is the first one,
//! nor are others that ask for the same and would meet as many outages. So the promise is of a time, and nodes are chosen again at each decision.
//!
//! # Outages
//!
//! [`Outage`](Command::Outage) says that nodes are to be out of service for some time. A job starts there only if it ends before,
//! and promises keep clear of them.
//!
//! # Reservations
//!
//! [`Reserve`](Command::Reserve) gives a job the earliest place from a time on, and keeps these nodes for it: for all others they are
//! in an outage then. At the first decision from that time on it starts there. Before each decision it gets the earliest other
//! place from its time on if its nodes are not in service, are taken for longer by a job that runs, or are in an outage.
//!
//! # At whose expense
//!
//! With [`Preemption`] jobs are stopped for others. At the end of a decision room is made for one job at most, the first for which there is
//! some, of
//!
//! - the first jobs of the first 16 users in line who have no nodes; or by [`Ranking::Priority`] of the first job in line.
//!
//! A job may be stopped if it has run for `least_run`, does not end within `patience`, is
//! [stoppable](Command::Stoppable), and is not protected; by priority, if it has a smaller one. By users, if its user would, a
//! quantum from now and without all of these jobs, still have the higher index than the user of the other job with its nodes. Of
//! those that may, a set is stopped after which the job can start, and which loses the least work that is not
//! [saved](Command::Saved); it costs what [`MakeRoom`](locox::machine::MakeRoom) says. Nobody is stopped
//!
//! - if the job can start within `patience` without: by its promise, or beside what the first job in line is promised;
//! - where that would put off what is promised to the first job in line;
//! - by users, if more work is lost than the job gains: its nodes, for the time by which it starts sooner or for its limit, whichever
//!   is less. If it waits for a job without a limit it gains more than any loss.
//!
//! From then on the job [has its nodes](Reason::Room) as far as others are concerned, and it starts at the first decision at which none of
//! them has a job. The others run until the [notice](Effect::Notice) is over, and then are to be [stopped](Effect::Stop). If the job leaves, is held or
//! asks for something else, or one of the nodes goes out or gets a job that was not decided, nothing is kept, and who has not stopped runs
//! on. Once it runs, those who stopped for it are protected: each runs for `protection` before it is stopped again, but for jobs without a
//! limit.
//!
//! # Meshes
//!
//! With [`Places::Meshes`] a job is a [mesh](locox::mesh) in a subcube of which all nodes are free, and gets the nodes of the mesh
//! alone. Its sides are told by [`Shape`](Command::Shape), or it is the one nearest to a square. What it leaves over is lent: another
//! job gets a subcube there that lies in one of the [parts](locox::mesh::Embedding::leftover) of it, so no two jobs ever share a
//! channel under E-cube routing. What is lent goes before what lies in no mesh. A job that runs where nobody decided is
//! no mesh: of the nodes beside its own nothing is kept.
//!
//! # Deadlines
//!
//! [`Deadline`](Command::Deadline) says by when a job is to end. Nothing is decided by that. When a decision shows
//! that the job ends later, if all jobs take as long as their limits, [`Effect::Late`] says so: once, until a decision shows
//! that it would be in time, or it has another deadline. A job for which the nodes in service have no room is not late:
//! nobody knows when it ends.

mod check;
mod command;
mod config;
mod coordinator;
mod decide;
mod effect;
mod error;
mod expense;
mod facts;
mod image;
mod index;
mod key;
mod layout;
mod machine;
mod map;
mod nodes;
mod options;
mod outages;
mod places;
mod queries;
mod reservations;
mod room;
mod sizes;
mod stakes;
mod storage;
mod tables;
mod users;
mod victims;
mod view;
mod yields;

pub use command::Command;
pub use config::{Config, Places, Preemption, Ranking};
pub use coordinator::{Coordinator, LATEST};
pub use effect::{Effect, Promise, StopReason};
pub use error::{Error, Misuse, Refusal};
pub use key::{Key, NodeId, NodeRange, UserId};
pub use options::{Options, Yields};
pub use sizes::{box_words, cube_words, index_len, place_words, sum_words, words};
pub use storage::{
    Arrays, Columns, JobRow, Lies, NO_STAKE, NodeRow, OutageRow, PlanRow, Spot, StakeRow,
    UNPLANNED, UserRow,
};
/// A machine of up to 65,536 nodes that lie in racks, blocks and whatever they are parts of.
pub type Tree<'a> = locox::machine::Tree<'a, { 65_536 / locox::bits::Word::BITS as usize }>;

pub use view::{Job, Node, Outage, Reason, Status, User};

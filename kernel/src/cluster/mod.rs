//! Elmer: the coordinator of a cluster whose hosts run several parallel jobs, and its part on each
//! host.
//!
//! [`Cluster`] is a state machine: [`Command`]s and the time go in, [`Effect`]s come out. It keeps
//! a queue, served strictly in the order of arrival or by another
//! [discipline](crate::dispatch::Discipline), and a [`Table`](crate::timeshare::Table) of
//! who is where at which level; a [`Placement`](crate::timeshare::Placement) picks the hosts.
//! [`HostPart`] is one as well, on each host: it hears what the host is to run, and says which
//! priorities to set.
//!
//! # How a host and the coordinator talk
//!
//! 1. A host is told all that it is to run, one job at a time, whenever anything of it changes: a
//!    [batch](Batch). Messages may be lost, doubled or late. A host takes a batch only as a whole, and
//!    no batch that is older than the one it has. Each report says which one that is; if there is
//!    a newer one, the host is told again. So nothing is done twice, and no old batch starts anything.
//! 2. A job that is to be killed stays where it is until [`Command::Ended`] says that it has ended
//!    on all its hosts. Only then does the table change.
//!    A host may still start what it was told. So the end of a job that is killed is reported when no
//!    process of it is left, and all its hosts have heard: [`Status::Ending`] says how many have not.
//! 3. A host that was lost comes back with its first report; it has nothing of what it ran before. A
//!    host counts its starts ([`HostConfig::boot`]): a report after another start says that it was lost.
//! 4. A job that had a process on a lost host is killed on the others. Whoever started it reports
//!    its end, as of any other job.
//!
//! # What a job may ask for
//!
//! By its [`Terms`] a job names a set of hosts, needs memory, or has a key by which it waits. Sets and
//! memory are told by commands, and are part of the image. A job is refused if too few hosts suit it as they
//! are when it is submitted; if fewer do later, it waits until more do, or is cancelled. A host that is
//! lost keeps its sets and its memory.
//!
//! # The message helper
//!
//! Processes of a user talk through a helper of his on each host, which all his jobs there share. It
//! runs above the most urgent of them, and is put back when the last one has gone.
//!
//! Source: Turner's thesis (1995), chapter 6. There the coordinator is called Elmer, and its part on
//! a host RSD.

mod assignments;
mod batch;
mod check;
mod command;
mod config;
mod coordinator;
mod due;
mod effect;
mod error;
mod host_part;
mod image;
mod limits;
mod storage;
mod terms;
mod waiting;

pub use crate::coordinate::JobId;
pub use assignments::Assignments;
pub use batch::Batch;
pub use command::Command;
pub use config::{Config, Retry};
pub use coordinator::Cluster;
pub use effect::{Assignment, Effect, Status};
pub use error::{Error, Misuse, Refusal};
pub use host_part::{HostCommand, HostConfig, HostEffect, HostMisuse, HostPart};
pub use storage::{Arrays, Columns, JobRow, words};
pub use terms::Terms;

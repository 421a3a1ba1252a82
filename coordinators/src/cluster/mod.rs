//! Elmer: the coordinator of a cluster whose hosts run several parallel jobs, and its part on each
//! host.
//!
//! [`Coordinator`] is a state machine: [`Command`]s and the time go in, [`Effect`]s come out. It keeps
//! a queue, served strictly in the order of arrival or by another
//! [discipline](locox::dispatch::Discipline), and a [`Table`](locox::timeshare::Table) of
//! who is where at which level; a [`Placement`](locox::timeshare::Placement) picks the hosts.
//! [`HostPart`] is one as well, on each host: it hears what the host is to run, and says which
//! priorities to set.
//!
//! # How a host and the coordinator talk
//!
//! 1. Whenever the jobs of a host change, the coordinator sends it all that it is to run, one job at a time: a
//!    [batch](Batch). Messages may be lost, doubled or late. A host takes a batch only as a whole, and
//!    no batch that is older than the one it has. Each report says which one that is; if there is
//!    a newer one, the coordinator sends it again. So a batch that arrives twice changes nothing, and no old batch
//!    starts anything.
//! 2. A job that is to be killed stays where it is until [`Command::Ended`] says that it has ended
//!    on all its hosts. Only then does the table change.
//!    A [`HostPart`] kills it when it is to be killed, and once more when it leaves the list of its host. A job that
//!    ended by itself is killed when it leaves the list.
//!    A host may still start what it was told. So the end of a job is reported when no process of it is left,
//!    and all its hosts have heard of it or, if it is killed, that: [`Status`] says how many have not.
//! 3. A host that was lost comes back with a report that it has heard its newest batch, in which it has
//!    nothing, or that it has started again. A host counts its starts ([`HostConfig::boot`]): a report after another
//!    start says that it was lost.
//! 4. A job that had a process on a lost host is killed on the others. Whoever started it reports
//!    its end, as of any other job.
//!
//! # What is not promised
//!
//! - No message tells a host that it passes for lost. If it is alive, it may go on with a job whose end was
//!   accepted, or start one that it was told of before, until it has heard a newer batch. It gets no other job
//!   meanwhile. If the end of a job must mean that it runs nowhere, cut the host off or restart it before
//!   [`Command::HostLost`].
//! - If the end of a job is reported while the status counts unheard hosts, it is accepted, and the job may start on
//!   these hosts until they have heard a newer batch.
//! - A report that is late or comes twice counts as a new one, unless it is of an earlier start of the host: its load
//!   may be old, a silent host passes for alive a little longer, and the host may be told once more.
//! - [`Coordinator::resync`] raises the numbers of batches by at least 65,536, and [`Coordinator::restore`] besides makes no name of a
//!   job that was made since the image. So the image may be older than what the hosts were told, if since then the
//!   coordinator has made fewer than 65,536 batches for each host, opened each row for fewer than 32,768 jobs, and gone
//!   on from no other image. Hosts end jobs of which the image does not know, and start jobs again of whose end it
//!   does not know. All hosts count as unheard once more. With [`Durable`](crate::coordinate::Durable) names go on as
//!   they were, as it knows of all. A coordinator that begins without an image, or whose journal was cut short, makes
//!   names again: restart the hosts.
//! - If a job waits in an older image, the coordinator may have sent it to a host after that image. `unheard` does not count
//!   this host, and it may start the job late: while the job runs on other hosts, or after its end or its cancel was
//!   accepted. So the end or the cancel of a job that waits in an older image does not mean that the job runs nowhere,
//!   until each host has restarted or has reported its newest batch ([`Coordinator::batch`], compared after the report).
//! - A coordinator can go on from images 65,535 times in all: see [`Batch`].
//! - If the clock counts the time for which the coordinator was down, its first command may take all other hosts
//!   for lost: see [`Config::silence`].
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
//! runs above the most urgent of them, and is put back when the last one has gone. A job that is to be killed counts
//! for this level while its user has another job there.
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
pub use coordinator::Coordinator;
pub use effect::{Assignment, Effect, Status};
pub use error::{Error, Misuse, Refusal};
pub use host_part::{HostCommand, HostConfig, HostEffect, HostMisuse, HostPart};
pub use storage::{Arrays, Columns, JobRow, words};
pub use terms::Terms;

//! The coordinator of a site of unlike machines, and of clusters of them.
//!
//! [`Coordinator`] is a state machine: [`Command`]s and the time go in, [`Effect`]s come out. Users
//! submit jobs to queues; when a quantum ends, each queue is mapped by its own
//! [algorithm](Algorithm) ([`mapping`](locox::mapping)), the urgent ones first, and may take places
//! from jobs that run. Expected times come from a table, and from what past runs took.
//!
//! # How a host and the coordinator talk
//!
//! A *run* is one attempt of a job on one resource. Whoever runs it there hears effects and answers
//! with commands.
//!
//! 1. He says each command again until it is answered, be it by an error. What is late or double
//!    changes nothing, and is answered with [`Refusal::Old`] unless it is still true. A submission that is
//!    neither the user's next nor the last one again is answered with [`Misuse::Serial`], which names the next.
//! 2. He answers a run that he cannot start, or that he is to preempt but does not have, with
//!    [`Command::Vacated`].
//! 3. He answers an effect for a run that he has or had by repeating what became of it: nothing
//!    while it is there, or [`Command::Finished`], or [`Command::Vacated`].
//! 4. A machine counts its starts. Each new one says that what ran there is lost; a job on a
//!    cluster that lost a machine is told to leave the others. Messages of an earlier start are old;
//!    that a later one is over is believed.
//!
//! # Who may submit
//!
//! A queue may ask for a [clearance](Policy::clearance), which users have by
//! [`Command::SetClearance`], and a user may have a limit of jobs. What his jobs took is
//! [kept](Coordinator::user), and decides nothing.
//!
//! # In which order
//!
//! - A quantum ends at fixed times; its jobs are those that were submitted up to its end, included.
//! - Queues are mapped by level, then by number; which job of a queue is the next is up to its
//!   algorithm, which takes equals in the order of their arrival.
//! - A job starts as soon as it is the first on all its machines, by the start that was planned, and
//!   these are free: before its time if others end early, and late if they are late. Nobody passes
//!   it there until the next mapping.
//! - A job that has been preempted, or whose run was lost or failed, begins anew, and keeps its
//!   place in the order of arrival.
//! - A run that is late is expected to end at any moment. One that no single machine could take
//!   over, for those that could are away, is not preempted.
//! - Effects come out in the order of the jobs' rows, and are so when they are taken.
//!
//! # Restart
//!
//! Store the words of [`Coordinator::export`] after each command and before its effects are taken,
//! or 64 bytes for each command and an image now and then, with
//! [`Durable`](crate::coordinate::Durable). What was learnt is part of the image.
//!
//! Source: D. E. Collins and A. D. George, *Parallel and sequential job scheduling in heterogeneous
//! clusters*, 2001, section 3.

mod check;
mod command;
mod config;
mod coordinator;
mod effect;
mod error;
mod fit;
mod ids;
mod image;
mod learning;
mod machines;
mod model;
mod policy;
mod round;
mod storage;
mod tables;

pub use crate::coordinate::{JobId, Run};
pub use command::Command;
pub use config::{Config, Learning, Remap};
pub use coordinator::Coordinator;
pub use effect::{Effect, Status, UserStatus};
pub use error::{Error, Misuse, Refusal};
pub use ids::{JobClass, MachineId, QueueId, ResourceId, UserId};
pub use model::SiteModel;
pub use policy::{Algorithm, Claim, Policy};
pub use storage::{Arrays, Columns, JobRow, MachineRow, UserRow};

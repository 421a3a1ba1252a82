//! The coordinator of a network of workstations and a processor bank.
//!
//! [`Coordinator`] is a state machine: [`Command`]s and the time go in, [`Effect`]s come out. It
//! knows each job's home, where it runs and what its last checkpoint is; it decides with a
//! [`Fairness`](locox::fair::Fairness) who gets a processor, and it never loses a job.
//!
//! A station is at once a home, where jobs are submitted and their checkpoints kept, and a
//! processor, which others may have while its owner is away. Processors beyond those of the
//! stations are the bank; their owner never returns.
//!
//! # How a host and the coordinator talk
//!
//! A *run* is one attempt of a job on one processor. Hosts hear effects and answer with commands.
//!
//! 1. A host sends its reports in order, each again until it is answered, be it by an error.
//! 2. It answers a run that it cannot start (its owner is there, the job's home is not), or that
//!    it is told to preempt but does not have, with [`Command::Vacated`].
//! 3. It answers an effect for a run that it has or had by repeating what became of it: nothing
//!    while it is there, or [`Command::Finished`], or [`Command::Vacated`].
//! 4. After a loss it reports [`Command::NodeLost`] for itself first, then whether its owner is
//!    there; it does nothing that it was told before the first of these was answered. A host that
//!    was taken for lost and was not has dropped its run before it reports again; no coordinator
//!    can tell the two apart.
//!
//! # Messages that are late, doubled, lost or swapped
//!
//! That is how rule 1 is kept on a good line. On any other a host numbers its reports
//! ([`Sender`], [`Message`]); each is said again until it is answered, and what is old or early is
//! answered with that ([`Refusal::Old`], [`Refusal::Early`]) and changes nothing. A submission has
//! its serial instead. Such a host
//!
//! - takes the next boot number when it restarts, which says that what ran there is lost. So it does,
//!   and drops its run, when a message of its present boot is answered with [`Refusal::BootOver`]: it
//!   was taken for lost;
//! - learns with the first answer how many effects were told by then, and does nothing whose
//!   number is not above the highest that it knows
//!   ([`Durable`](crate::coordinate::Durable) numbers them);
//! - says [`Command::Heard`] when it has a run, be it that it started it or that it was asked.
//!   What it does not answer to is told again whenever an interval ends;
//! - says a [`Command::Tick`] when it has had nothing to say for a while, and drops its run when
//!   its lease has ended, which it counts from when it *first sent* the last message that was answered
//!   ([`Lease::until`](locox::node::Lease::until)). The coordinator counts the whole
//!   [length](Config::lease) from when it received that message, so that a job is given away only
//!   after it was dropped;
//! - restarts then, with the next boot number, whether it had a run or not. Were it to go on with a
//!   new lease in the same boot, it might start late what was given to another meanwhile. No
//!   coordinator can keep it from that; but it takes no further message of that boot, so that the
//!   processor is not lost.
//!
//! # Failed runs
//!
//! A run that is vacated although it was to stay, and nobody told it to leave, has failed. Its job
//! stays out for a while, each time twice as long, until it gets somewhere (a checkpoint, or its
//! owner's return and leave survived); after [`Config::retries`] of them it waits for
//! [`Command::Release`]. A processor where runs of [`Config::faults`] different jobs failed in a
//! row is set aside and reported ([`Effect::SetAside`]), until [`Command::Restore`]. Leases, limits
//! and the ends of back-offs are looked at when a scheduling interval ends.
//!
//! # In which order
//!
//! - A station's free processor goes to its own first job that waits, before any ranking.
//! - The jobs of a station are served as they were submitted, but one that was served before, whose
//!   last run did not fail, and that is on no processor goes in front. One that has lost its place and is still there waits at the
//!   end until it has left.
//! - Of the free processors the bank's go first, the one that became free last before the others;
//!   then the station's that has been free for the longest.
//! - A station that yields gives the processor that it has had the longest.
//! - A poll comes out before everything else. A host is told one thing at a time: what comes up
//!   while it has not been told yet takes its place, and of a run that may stay where it is, it is
//!   told nothing. What an effect says, its times included, is so when it is taken.
//! - After a restart the hosts that were to be told something keep their place; the others follow
//!   by number.
//!
//! # Restart
//!
//! Store the words of [`Coordinator::export`] after each command and before its effects are
//! taken. [`Coordinator::restore`] then goes on from there: it says again to every host what it
//! should be doing, which rule 3 makes harmless, and a run that was to leave and then to stay has not
//! failed if it leaves nevertheless, as if there had been no restart. The ranking is part of the
//! image, as far as it [exports](locox::fair::Fairness::export) itself; its
//! [parameters](locox::fair::Fairness::identity), and the weights that stations had when the coordinator was
//! made, are part of the identity, so that no history goes on under others. Weights change by
//! [`Command::SetWeight`]. Or store 64 bytes for each
//! command and an image now and then, with [`Durable`](crate::coordinate::Durable).
//!
//! # In firmware
//!
//! Rows and the ranking's table stand in statics of zeros, and the coordinator borrows them; it is
//! small itself and may be moved:
//!
//! ```
//! use locox::fair::{DecayParams, TimedRow, TimedUpDown};
//! use locox::time::{Duration, Instant};
//! use locox_coordinators::station::{Arrays, Config, Coordinator};
//! use static_cell::ConstStaticCell;
//! type Rows = Arrays<4, 6, 16, 8>;
//! static ROWS: ConstStaticCell<Rows> = ConstStaticCell::new(Rows::EMPTY);
//! static TABLE: ConstStaticCell<[TimedRow; 4]> = ConstStaticCell::new([TimedRow::EMPTY; 4]);
//! let minute = Duration::from_ticks(60);
//! let ranking = TimedUpDown::new(&mut TABLE.take()[..], DecayParams::standard(minute)).unwrap();
//! let config = Config::standard(minute);
//! let pool = Coordinator::new(config, ROWS.take(), ranking, Instant::ZERO).unwrap();
//! # assert!(size_of_val(&pool) < 384);
//! ```
//!
//! Source: Mutka and Livny (1987), sections 3 to 5, and the slides on the same work and on
//! Condor.

mod check;
mod command;
mod config;
mod coordinator;
mod effect;
mod error;
mod hosts;
mod image;
mod life;
mod storage;
mod tables;

pub use crate::coordinate::{JobId, Run};
pub use command::{Checkpoint, Command, Message, NodeId, Nodes, Sender};
pub use config::{Config, Trigger};
pub use coordinator::Coordinator;
pub use effect::{Effect, PreemptReason, Status, StopReason};
pub use error::{Error, Misuse, Refusal};
pub use storage::{Arrays, Columns, HomeRow, JobRow, NodeRow, Slices, Storage, View};

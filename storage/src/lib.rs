//! Where the history of a coordinator is stored, so that a power cut loses nothing.
//!
//! A [`DurableCoordinator`] is a coordinator and a [`Store`]. A command is durable before any of its effects
//! can be taken; after a cut at any write, [`DurableCoordinator::recover`] goes on from the state before or
//! after the command that was interrupted. There are two stores: [`Flash`], over any NOR flash
//! behind `embedded-storage`, and, with the feature `std`, [`Files`]. A flash in memory, in which the
//! power can be cut, is [`Nor`]: for tests, and for boards that have none.
//!
//! ```
//! use locox::fair::{DecayParams, StationId, TimedRow, TimedUpDown};
//! use locox_coordinators::station::{Arrays, Command, Config, Coordinator, Effect, NodeId};
//! use locox::time::{Duration, Instant};
//! use locox_storage::{Directory, DurableCoordinator, Files};
//!
//! let minute = Duration::from_ticks(60);
//! let pool = || {
//!     let rows = Arrays::<2, 3, 8, 8>::EMPTY;
//!     let ranking = TimedUpDown::new([TimedRow::EMPTY; 2], DecayParams::standard(minute)).unwrap();
//!     Coordinator::new(Config::standard(minute), rows, ranking, Instant::ZERO).unwrap()
//! };
//! let folder = tempfile::tempdir()?;
//! let files = || Directory::open(folder.path()).map(Files::new);
//!
//! let mut durable = DurableCoordinator::format(pool(), files()?)?;
//! let now = Instant::from_ticks(5);
//! durable.apply(now, Command::NodeIdle { node: NodeId(2) }.into())?;
//! durable.apply(now, Command::Submit { home: StationId(1), serial: 1 }.into())?;
//! drop(durable); // Power cut.
//!
//! let (mut durable, _) = DurableCoordinator::recover(pool(), files()?)?;
//! assert_eq!(durable.now(), now);
//! assert!(matches!(durable.take_effect().unwrap().effect, Effect::Place { .. }));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # What is found
//!
//! A record with one flipped bit is corrected, except by [`Flash::without_mending`]. Any other damage to
//! durable records is an error and never another state, with these exceptions. They look like an interrupted write:
//! [`RecoveryReport::cut`] is true, the state is the one before them, and callers that were answered do not learn
//! that their commands are gone.
//!
//! - More than one flipped bit in the last record, in a file as on flash.
//! - In a file, any damage to the last records if none of them is whole, or if they are of the last [`Batch`]:
//!   a system stores what is synced at once in any order, so they might be an interrupted batch.
//!
//! In a file, synced records that are missing at the end are found, whether the file was shortened by whole records or
//! within one, and so are records that became zeros: blank room follows the records, and a blank slot of it was
//! durable before them. Nothing in a folder tells that the whole file is an older copy, or that records at its end
//! were replaced by blank room.
//!
//! [`DurableCoordinator::salvage`] goes on from the last good record of a damaged history.

#![cfg_attr(not(feature = "std"), no_std)]
#![forbid(unsafe_code)]
#![warn(missing_docs)]

mod batch;
mod claim;
#[cfg(feature = "std")]
mod directory;
mod durable;
mod error;
#[cfg(feature = "std")]
mod file_error;
#[cfg(feature = "std")]
mod files;
mod flash;
#[cfg(feature = "std")]
mod folder;
mod journal;
#[cfg(feature = "std")]
mod log;
mod nor;
#[cfg(feature = "std")]
mod regular;
mod replayed;
mod slot;

pub use batch::Batch;
#[cfg(feature = "std")]
pub use directory::Directory;
pub use durable::{Answer, ApplyError, DurableCoordinator, Store};
pub use error::StoreError;
#[cfg(feature = "std")]
pub use file_error::FileError;
#[cfg(feature = "std")]
pub use files::{Files, read_history, salvage_history};
pub use flash::Flash;
#[cfg(feature = "std")]
pub use folder::Folder;
pub use journal::RecoveryReport;
#[cfg(feature = "std")]
pub use log::Log;
pub use nor::{Cut, Nor};
#[cfg(feature = "std")]
pub use regular::read_regular;
pub use replayed::{BadHistory, Defect, Fnv, ReplaySummary, replay_history};

//! Sharing processors in time: which jobs a host runs, and in which order of urgency.
//!
//! Several parallel jobs share hosts; on each host the job that came first is the most urgent one
//! and is never slowed, and later ones use what it leaves. A [`Table`] holds a job for each level of
//! each host; a [`Placement`] picks hosts and level of a new one:
//!
//! | placement | takes | an earlier job can be passed |
//! |---|---|---|
//! | [`FirstLevel`] | the most urgent level that is free on enough hosts | yes |
//! | [`FirstLevel::on_calm_hosts`] | the same, among hosts that are not busy | yes |
//! | [`NonInterfering`] | idle hosts, then hosts of one owner that are not busy, below all others | never |
//!
//! A placement of the caller's implements the same trait.
//!
//! Source: Turner, "Processor Scheduling in a Distributed-Memory Computing Environment" (1995),
//! chapters 5 and 6.

mod check;
mod error;
mod host;
mod ids;
mod image;
mod level;
mod place;
mod request;
mod sets;
pub(crate) mod storage;
mod table;
mod view;

pub use error::{Error, Misuse, Refusal};
pub use host::{Load, Speed, Threshold};
pub use ids::{HostId, JobNumber, UserId};
pub use level::Level;
pub use place::{Choice, FirstLevel, NonInterfering, Placement, Why};
pub use request::Request;
pub use sets::words;
pub use storage::{Arrays, Columns, Entry, HostRow, JobRow, Slices, Storage, View};
pub use table::Table;
pub use view::PlacementView;

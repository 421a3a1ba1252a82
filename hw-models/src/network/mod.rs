//! The network of a machine: what the jobs on it do to each other.
//!
//! Messages travel over directed channels, in a hypercube by E-cube routing ([`locox::cube::ecube`]), on
//! lines and rings by dimension-order routing ([`locox::grid::routes`]). Two jobs that never use the
//! same channel cannot slow each other down.
//!
//! - A [`Topology`] is how the machine is wired.
//! - [`channels`] are those that a job can use, whatever its nodes have to say to each other;
//!   [`Isolation`] watches that no two jobs have one in common.
//! - A [`Churn`] keeps an allocator of meshes or boxes busy under that watch.
//! - [`traffic`] is what the nodes of a job may have to say, [`list`](mod@list) reads it from a
//!   file; [`wormhole`] sends it, flit by flit.
//! - [`side_by_side`] sends the messages of jobs alone and beside each other, and compares.

mod channels;
mod churn;
mod isolation;
pub mod list;
mod side_by_side;
mod topology;
pub mod traffic;
pub mod wormhole;

pub use channels::{channel_count, channel_index, channels};
pub use churn::{Churn, Churned, Course, Leak};
pub use isolation::{Isolation, Shared};
pub use side_by_side::{SideBySide, side_by_side};
pub use topology::Topology;

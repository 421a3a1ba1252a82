//! The scheduling kernel [`locox`] for C, C++ and whatever calls C.
//!
//! `include/locox.h` is made from this crate, comments included; the crate's README says how to
//! link it. A function here does what a method of the kernel does, so what the kernel's
//! documentation says of results, order and bounds holds; its name leads there.
//!
//! | file | prefix | covers |
//! |---|---|---|
//! | `pool.rs` | `locox_pool_` | [`locox::subcube`], five strategies |
//! | `mesh.rs` | `locox_mesh_` | [`locox::mesh`] |
//! | `grid.rs` | `locox_grid_` | [`locox::grid`] but its routes |
//! | `slices.rs` | `locox_slices_` | [`locox::accelerator`] |
//! | `nodes.rs` | `locox_nodes_` | [`locox::nodes`] |
//! | `timeline/` | `locox_timeline_` | [`locox::reserve::Timeline`] |
//! | `profile.rs` | `locox_profile_` | [`locox::reserve::Profile`] |
//! | `queue/` | `locox_queue_` | [`locox::dispatch`], four orders and backfilling, limits of jobs a user |
//! | `queue/boxes.rs` | `locox_box_queue_` | [`locox::dispatch::Promises`] over [`locox::grid::Boxes`] |
//! | `ranking.rs` | `locox_ranking_` | [`locox::fair`], five rankings and rounds under them |
//! | `station/` | `locox_station_` | [`locox_coordinators::station`] under four rankings |
//! | `mapping.rs` | `locox_map`, `locox_experience_` | [`locox::mapping`], eight mappers |
//! | `site/` | `locox_site_` | [`locox_coordinators::site`] |
//! | `timeshare.rs` | `locox_timeshare_` | [`locox::timeshare`], three placements |
//! | `cluster/` | `locox_cluster_`, `locox_host_` | [`locox_coordinators::cluster`], the coordinator and its part on a host |
//! | `manager/` | `locox_manager_` | [`locox_coordinators::manager`] |
//! | `node.rs` | `locox_owner_`, `locox_guest_` | [`locox::node`] but its driver |
//! | `time.rs` | `locox_wide_counter_` | [`locox::time::WideCounter`] |
//! | `coordinate.rs` | – | [`locox_coordinators::coordinate`]: what all coordinators do alike, histories included |
//!
//! # Rules
//!
//! - Storage is the caller's: a small opaque structure and, apart from it, words or rows. Both may be
//!   `static`; a zeroed structure is one that was not started. Sizes are macros (`locox_sizes.h`)
//!   and functions.
//! - A call answers with a [`locox_status`]. What was not done has changed nothing that a later call
//!   can see. Results are written only if the answer is `LOCOX_OK`; `detail`, which may always be null,
//!   only if it is not.
//! - No state is global, so structures that share no storage may be used at the same time; one
//!   structure may not, not even by two calls that take it as `const`.
//! - Nothing unwinds: the kernel has no panic path.
//! - What a caller must see to itself says `memory.rs`: pointers that are not null point to what they
//!   say they do.

#![no_std]
// Functions and types are named as in C.
#![allow(non_camel_case_types)]
// All of them have the same contract: see `memory`.
#![allow(clippy::missing_safety_doc)]
#![warn(missing_docs, unsafe_op_in_unsafe_fn, clippy::undocumented_unsafe_blocks)]

// Hosts have a panic handler; elsewhere there is one below.
#[cfg(not(any(target_os = "none", target_os = "unknown")))]
extern crate std;

mod cluster;
mod coordinate;
mod fault;
mod grid;
mod handle;
mod image;
mod interface;
mod manager;
mod mapping;
mod memory;
mod mesh;
mod node;
mod nodes;
mod placing;
mod pool;
mod prelude;
mod profile;
mod queue;
mod ranking;
mod site;
pub mod sizes;
mod slices;
mod station;
mod status;
mod time;
mod timeline;
mod timeshare;
mod values;
mod version;

pub use cluster::*;
pub use coordinate::{locox_place, locox_record};
pub use grid::*;
pub use handle::locox_handle;
pub use manager::*;
pub use mapping::*;
pub use mesh::*;
pub use node::*;
pub use nodes::*;
pub use placing::*;
pub use pool::*;
pub use profile::*;
pub use queue::*;
pub use ranking::*;
pub use site::*;
pub use slices::*;
pub use station::*;
pub use status::*;
pub use time::*;
pub use timeline::*;
pub use timeshare::*;
pub use version::*;

/// Never reached: `ci/bindings` finds no trace of it in what is linked.
#[cfg(any(target_os = "none", target_os = "unknown"))]
#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    loop {}
}

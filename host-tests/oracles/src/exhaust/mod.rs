//! Enumerations: everything of a small size, with every operation and every misuse, beside the naive models.
//!
//! - [`walk`]: all states that operations lead to, and all operations in each: pools of subcubes, of meshes, of slices, of nodes with quantities;
//! - inputs: all sets of nodes in use, all slot lists, under all requests: boxes, timelines, profiles;
//! - [`histories`]: all sequences of so many commands, restarts included: coordinators, queues, timelines.
//!
//! [`all`] names them with what they enumerate, quickly in tests and in full by `ci/deep/exhaust`. Each returns [`Counts`].

mod boxes;
mod catalogue;
mod clusters;
mod counts;
mod histories;
mod managers;
mod meshes;
mod messages;
mod nodes;
pub mod plans;
mod pools;
mod promises;
mod queues;
mod sites;
mod slices;
mod stations;
mod timelines;
mod walk;

pub use boxes::{Used, boxes};
pub use catalogue::{Enumeration, Extent, all};
pub use clusters::clusters;
pub use counts::Counts;
pub use histories::histories;
pub use managers::{SIZE as MANAGER, managers};
pub use meshes::{Reach as MeshReach, meshes};
pub use messages::messages;
pub use nodes::{nodes, three_nodes};
pub use pools::{Reach, maps, pools};
pub use promises::promises;
pub use queues::{planners, queues};
pub use sites::{setup as small_site, sites};
pub use slices::slices;
pub use stations::{stations, stations_under};
pub use timelines::{CHOICES, Chosen, bookings, profiles, timelines};
pub use walk::{State, walk};

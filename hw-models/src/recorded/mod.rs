//! Recorded runs of models: files of all that a coordinator was told in one, as [`locox_recorded`]
//! replays them, which is here too.

mod cluster;
mod site;
mod station;

pub use cluster::record_cluster;
pub use locox_recorded::cluster::{Queueing, Rule, UnderPlacement};
pub use locox_recorded::{BadRun, Digest, replay};
pub use site::record_site;
pub use station::record_stations;

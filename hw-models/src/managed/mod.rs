//! A resource manager whose jobs the [coordinator of managers](locox_coordinators::manager) starts and stops.
//!
//! The coordinator that ships decides; the model ends jobs, takes its time to stop them, and looks at what came of each
//! stop: whether the job for which it was made had the nodes.

mod demand;
mod rows;
mod setup;
mod stops;
mod world;

pub use demand::Users;
pub use rows::Rows;
pub use setup::{Job, Outage, Outcome, Ran, Setup};
pub use stops::{Fate, Stop};
pub use world::run;

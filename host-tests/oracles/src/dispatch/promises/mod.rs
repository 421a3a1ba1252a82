//! Queues with promises on a machine.
//!
//! - [`Naive`] takes the rules literally: it tries one tick after the other, and keeps nothing but what is held.
//! - [`Nodes`] is what it knows of a machine, from a model of one, or of [`Counted`] nodes.
//! - [`Step`] is a call at a time, drawn by [`draw`]; [`Lockstep`] compares queue and model after each.
//! - [`follow`] does that from any numbers.
//! - [`shortened`] leaves out steps of a history as long as it fails.

mod draws;
mod follow;
mod ground;
mod lockstep;
mod naive;
mod quantities;
mod step;

pub use draws::{Draws, Mixture, draw};
pub use follow::follow;
pub use ground::{Counted, Ground, Nodes};
pub use lockstep::{Lockstep, Setup, Tally, run, shortened};
pub use naive::{Job, Naive, State};
pub use quantities::Quantities;
pub use step::{Event, Step};

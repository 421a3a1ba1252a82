//! What the model is told of a job.

use locox_coordinators::cluster::Terms;

/// A job of a stream. Times are seconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Arrival {
    /// When it is submitted.
    pub at: f64,
    /// How many hosts it needs.
    pub hosts: u32,
    /// How long it takes alone.
    pub alone: f64,
    /// The share of a processor that each process uses then, but for the first of a barrier.
    pub demand: f64,
    /// Whether its first process synchronises the others: it uses [`ROOT`](super::ROOT) of its processor, and
    /// the job goes on as its slowest process does. Without it the job balances itself.
    pub barrier: bool,
    /// What else it asks for.
    pub terms: Terms,
}

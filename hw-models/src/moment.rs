//! How a simulation stands, for those who watch it.

use locox::time::Instant;

/// How a simulation stands at a moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Moment {
    /// The simulated time; a tick is a second.
    pub now: Instant,
    /// Jobs that wait.
    pub waiting: usize,
    /// Jobs that run.
    pub running: usize,
    /// Jobs that came and neither wait nor run.
    pub done: u64,
    /// Processors that the running jobs asked for.
    pub used: u32,
    /// Processors that there are.
    pub processors: u32,
}

//! What came of stops.

use locox::time::Instant;

/// What came of a stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Fate {
    /// It has not shown yet.
    Open,
    /// The job for which it was made started on nodes that it freed, or in a subcube with some of them if it is a mesh.
    Served,
    /// That job left before.
    Left,
    /// A node failed, and that job lost its place.
    Failed,
    /// The job that was to be stopped ended by itself first.
    Ended,
    /// Something else: the nodes went to somebody else.
    Lost,
}

/// A job was stopped for another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stop {
    /// When that was decided.
    pub at: Instant,
    /// The job, by its number among all.
    pub victim: usize,
    /// The one for which it was.
    pub of: usize,
    /// The nodes that it had.
    pub nodes: Vec<u32>,
    /// What came of it.
    pub fate: Fate,
}

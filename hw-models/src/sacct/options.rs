//! How to import.

use super::unit::Unit;

/// How to import.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// What counts as a processor.
    pub unit: Unit,
    /// More than so many jobs are an error.
    pub room: usize,
    /// Whether what jobs ask for of nodes is read, too.
    pub demands: bool,
}

impl Default for Options {
    /// CPUs, no bound, and nothing of what jobs ask for.
    fn default() -> Self {
        Self { unit: Unit::Cpus, room: usize::MAX, demands: false }
    }
}

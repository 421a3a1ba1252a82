//! What a policy compares: feasible starts with their maximal rectangles.

use crate::time::Instant;

crate::data::data! {
    /// PEs that are free together, and for how long.
    pub struct Rectangle {
        /// Since when all of them are free; not before the present.
        pub begin: Instant,
        /// Until when all of them are free; [`Instant::MAX`] if for good.
        pub end: Instant,
        /// How many.
        pub pes: u32,
    }

    /// A feasible start with its maximal rectangle.
    ///
    /// Candidates are the ready time, the latest start that keeps a deadline, and in between the time of
    /// every slot and every such time less the duration. The rectangle is of the PEs that are free, and
    /// allowed by a mask, from the start on for the duration; it begins and ends where one of them is busy.
    pub struct Candidate {
        /// The start.
        pub start: Instant,
        /// The maximal rectangle around it.
        pub rectangle: Rectangle,
    }
}

impl Rectangle {
    /// Its duration in ticks; an open end counts as [`Instant::MAX`].
    pub const fn duration(&self) -> u64 {
        self.end.ticks().saturating_sub(self.begin.ticks())
    }

    /// PEs times duration.
    pub const fn area(&self) -> u128 {
        (self.pes as u128).wrapping_mul(self.duration() as u128)
    }
}

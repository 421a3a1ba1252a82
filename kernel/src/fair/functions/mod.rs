//! The four functions that move a schedule index.
//!
//! The study of 1987 calls them f, g, h and l, says when each applies and what it is for, but not
//! what they are. So they are a policy, and [`Condor`]'s own are the default.

mod condor;
mod linear;
mod saturating;

pub use condor::Condor;
pub use linear::{Line, Linear};
pub use saturating::Saturating;

use super::{Amount, ScheduleIndex};

/// How far an index moves at one update. All four may look at the index as it stands.
///
/// Results are never negative, so that f can only raise, g only lower, and h and l only decay.
/// Each is called at most once for a station and update.
pub trait IndexFunctions {
    /// For each processor that the station holds, the rise of its index.
    fn f(&self, index: ScheduleIndex) -> Amount;
    /// The fall of the index of a station that wants a processor and holds none.
    fn g(&self, index: ScheduleIndex) -> Amount;
    /// The fall of an index above zero whose station neither wants nor holds a processor; the
    /// index stops at zero.
    fn h(&self, index: ScheduleIndex) -> Amount;
    /// The rise of an index below zero whose station neither wants nor holds a processor; the
    /// index stops at zero.
    fn l(&self, index: ScheduleIndex) -> Amount;

    /// Tells the functions from others, their parameters included, as
    /// [`Fairness::identity`](crate::fair::Fairness::identity) does; 0 by default.
    fn identity(&self) -> u32 {
        0
    }
}

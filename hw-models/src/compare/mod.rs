//! Statistics of comparisons: by how much a method is better than another one, and whether that can be told.
//!
//! `docs/compare.md` says what the intervals mean, and how often they cover.

mod drawn;
mod effect;
mod metric;

pub use drawn::{Drawn, Reason};
pub use effect::{Answer, Effect, FEWEST_DRAWS, Figure, SATURATED_BELOW, Sample};
pub use metric::{Metric, waste};

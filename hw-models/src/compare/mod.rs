//! Statistics of comparisons: which method is better, as far as can be told, and by how much.
//!
//! `docs/compare.md` says what answers and intervals mean, and how often they are right.

mod drawn;
mod effect;
mod metric;
pub mod trace;

pub use drawn::{Drawn, Reason};
pub use effect::{Answer, Effect, FEWEST_DRAWS, Figure, SATURATED_BELOW, Sample, Signs};
pub use metric::{Metric, waste};

//! Jobs that share hosts in time: chapters 5 and 6 of the thesis of 1995.

mod alone;
mod fchp;
mod model;
mod overhead;
mod pairs;
mod placement;
mod runs;

pub(super) use alone::EXPERIMENT as ALONE;
pub(super) use fchp::EXPERIMENT as FCHP;
pub(super) use model::EXPERIMENT as MODEL;
pub(super) use overhead::EXPERIMENT as OVERHEAD;
pub(super) use pairs::{DIFFERENT, EP, PARTIAL, SAME, SUBSET};
pub(super) use placement::EXPERIMENT as PLACEMENT;

const SOURCE: &str = "Turner 1995, chapters 5 and 6";

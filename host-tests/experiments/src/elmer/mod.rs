//! Jobs that share hosts in time: chapters 5 and 6 of the thesis of 1995.

mod alone;
mod barriers;
mod daemon;
mod ep;
mod fchp;
mod model;
mod one_owner;
mod overhead;
mod pairs;
mod placement;
mod runs;

pub(super) use alone::EXPERIMENT as ALONE;
pub(super) use barriers::{DIFFERENT, PARTIAL, SAME, SUBSET};
pub(super) use daemon::EXPERIMENT as DAEMON;
pub(super) use ep::EXPERIMENT as EP;
pub(super) use fchp::EXPERIMENT as FCHP;
pub(super) use model::EXPERIMENT as MODEL;
pub(super) use overhead::EXPERIMENT as OVERHEAD;
pub(super) use placement::EXPERIMENT as PLACEMENT;

const SOURCE: &str = "Turner 1995, chapters 5 and 6";

//! Which of the free hosts, if there are more than needed.

use crate::coordinate::Draw;

/// How hosts are picked among those that are as good as each other.
pub trait Order {
    /// What is drawn for each job.
    type Draw: Draw;

    /// The draw to pick by; `None` to pick by rising number.
    fn lots(draw: Self::Draw) -> Option<u32>;
}

/// By rising number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct InOrder;

impl Order for InOrder {
    type Draw = ();

    fn lots((): ()) -> Option<u32> {
        None
    }
}

/// By lot, as the source does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AtRandom;

impl Order for AtRandom {
    type Draw = u32;

    fn lots(draw: u32) -> Option<u32> {
        Some(draw)
    }
}

//! Why a request was refused.

use crate::cube::Dim;
use crate::display::Count;

crate::display::errors! {
    /// The reason of a refusal. The pool is as it was before the request.
    ///
    /// Reasons are tried in this order: the first that holds is given.
    #[derive(Hash)]
    #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
    pub enum Refusal {
        /// Never possible: the subcube is larger than the machine.
        TooLarge => "larger than the machine",
        /// Not possible until nodes are repaired: even with every lease released, each subcube of
        /// this dimension that the strategy can grant has a failed or drained node.
        /// On machines of more than 16 dimensions that may take too long to find out while leases are
        /// live, and one of the reasons below is given.
        Faulty => "impossible until nodes are repaired",
        /// Not now: the subcube has `needed` nodes, and `free` are free.
        TooFewFree { needed: u32, free: u32 } => "too few free nodes: {free} of the {needed} needed",
        /// Not known: the search for a free subcube was given up. Only on machines of more than 16
        /// dimensions, and under [`Complete`](super::Complete) with less than the default effort.
        Undecided => "undecided: the search took more than the effort allowed",
        /// Not now: enough nodes are free, but the strategy sees no free subcube of this dimension;
        /// `largest` is the largest that would be granted now, with the effort that searches may take.
        /// Never while no lease is live, so whoever waits for releases does not wait in vain; but for
        /// strategies that do not [recombine](super::Starts::recombines).
        Fragmented { largest: Dim }
            => "fragmented: the largest free subcube has {}" (Count(largest.nodes(), "node")),
    }
}

/// A search was given up before it knew: it has found nothing, and not that there is nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Undecided;

/// The largest dimension of some subcubes, `None` of none; or a search for it was given up.
pub type LargestDim = Result<Option<Dim>, Undecided>;

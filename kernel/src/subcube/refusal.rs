//! Why a request was refused.

use crate::cube::Dim;

/// The reason of a refusal. The pool is as it was before the request.
///
/// Reasons are tried in this order: the first that holds is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Refusal {
    /// Never possible: the subcube is larger than the machine.
    TooLarge,
    /// Not possible until nodes are repaired: even with every lease released, each subcube of
    /// this dimension that the strategy can grant has a failed or drained node.
    /// On machines of more than 16 dimensions that may take too long to find out while leases are
    /// live, and one of the reasons below is given.
    Faulty,
    /// Not now: fewer nodes are free than the subcube has.
    TooFewFree {
        /// Nodes that are free.
        free: u32,
    },
    /// Not known: the search for a free subcube was given up. Only on machines of more than 16
    /// dimensions, and under [`Complete`](super::Complete) with less than the default effort.
    Undecided,
    /// Not now: enough nodes are free, but the strategy sees no free subcube of this dimension.
    /// Never while no lease is live, so whoever waits for releases does not wait in vain; but for
    /// strategies that do not [recombine](super::Starts::recombines).
    Fragmented {
        /// The largest dimension that would be granted now, with the effort that searches may take.
        largest: Dim,
    },
}

crate::display::error! { Refusal:
    Self::TooLarge => "larger than the machine",
    Self::Faulty => "impossible until nodes are repaired",
    Self::TooFewFree { free } => "only {free} nodes are free",
    Self::Undecided => "undecided: the search took more than the effort allowed",
    Self::Fragmented { largest } => "fragmented: the largest free subcube has {largest} dimensions",
}

/// A search was given up before it knew: it has found nothing, and not that there is nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Undecided;

/// The largest dimension of some subcubes, `None` of none; or a search for it was given up.
pub type LargestDim = Result<Option<Dim>, Undecided>;

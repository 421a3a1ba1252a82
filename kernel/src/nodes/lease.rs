//! Leases of nodes with quantities, the rows that keep them, and why one is refused.

use super::amounts::Amounts;
use super::place::NodePlace;
use crate::handle::{Generation, Handle};
use crate::image::{BadImage, Stored};
use crate::list::Links;

crate::display::errors! {
    /// Why no place is granted. The pool is as it was before the request.
    ///
    /// Reasons are tried in this order: the first that holds is given.
    #[derive(Hash)]
    #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
    pub enum Refusal {
        /// Never: the nodes have no such place, even if all is free.
        NoPlace => "the nodes have no such place",
        /// Not until nodes are repaired, even with every lease released.
        Faulty => "impossible until nodes are repaired",
        /// Not now: it takes `needed` processors, and `free` are free.
        TooFewFree { needed: u32, free: u32 } => "too few free processors: {free} of the {needed} needed",
        /// Not now: enough processors are free, but no place is.
        Fragmented => "fragmented: no place is free",
        /// Not now: there is a lease for each row.
        Full => "all rows are in use",
    }
}

/// A place granted to somebody, until it is released to the pool that granted it.
///
/// A copy is the same lease: after one is released the others are stale.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NodeLease<const W: usize> {
    place: NodePlace<W>,
    handle: Handle,
}

impl<const W: usize> NodeLease<W> {
    pub(super) const fn from_parts(place: NodePlace<W>, handle: Handle) -> Self {
        Self { place, handle }
    }

    /// What it grants.
    pub const fn place(&self) -> &NodePlace<W> {
        &self.place
    }

    /// Pool, row, generation and epoch.
    pub const fn handle(&self) -> Handle {
        self.handle
    }
}

// As `0-3,7`; in the alternate form with the handle behind it.
impl<const W: usize> core::fmt::Display for NodeLease<W> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "{}", self.place)?;
        if f.alternate() { write!(f, " as {:#}", self.handle) } else { Ok(()) }
    }
}

/// Room for a lease; the place is of no meaning while there is none.
pub type NodeRow<const W: usize> = PlaceRow<NodePlace<W>>;

/// A place that may be granted.
#[derive(Clone, Copy, Debug)]
pub struct PlaceRow<P> {
    generation: Generation,
    links: Links,
    pub(super) place: P,
}

impl<const W: usize> NodeRow<W> {
    /// For storage.
    pub const EMPTY: Self = Self {
        generation: Generation::from_raw(0),
        links: Links::NONE,
        place: NodePlace {
            nodes: [0; W],
            amounts: Amounts::NONE,
            part: 0,
            device: 0,
            common: Amounts::NONE,
        },
    };
}

crate::rows! { PlaceRow<P> where P }

impl<P: Stored> Stored for PlaceRow<P> {
    fn store(&self, put: &mut impl FnMut(u32)) {
        self.generation.store(put);
        self.links.store(put);
        self.place.store(put);
    }

    fn load(take: &mut impl FnMut() -> Result<u32, BadImage>) -> Result<Self, BadImage> {
        let (generation, links) = (Stored::load(take)?, Stored::load(take)?);
        Ok(Self { generation, links, place: Stored::load(take)? })
    }
}

//! Leases of slices, and the rows that say which are live.

use super::{ProfileId, SliceSet};
use crate::handle::{Generation, Handle};
use crate::list::Links;

crate::data::data! {
    /// Slices granted to somebody, until they are released to the pool that granted them.
    ///
    /// A copy is the same lease: after one is released the others are stale.
    pub struct SliceLease {
        profile: ProfileId,
        slices: SliceSet,
        handle: Handle,
    }
}

impl SliceLease {
    /// The lease of these slices and this handle; what it is worth, the pool checks.
    pub const fn from_parts(profile: ProfileId, slices: SliceSet, handle: Handle) -> Self {
        Self { profile, slices, handle }
    }

    /// What was asked for.
    pub const fn profile(&self) -> ProfileId {
        self.profile
    }

    /// The slices that it grants: one of the profile's placements.
    pub const fn slices(&self) -> SliceSet {
        self.slices
    }

    /// Pool, number of the lease among the live ones, generation and epoch.
    pub const fn handle(&self) -> Handle {
        self.handle
    }
}

// As `4-7`.
crate::display::leases! { SliceLease: slices }

/// What is known of a lease; slices and profile are of no meaning in a row that is closed.
#[derive(Clone, Copy, Debug)]
pub(super) struct LeaseRow {
    generation: Generation,
    links: Links,
    pub(super) profile: ProfileId,
    pub(super) slices: SliceSet,
}

impl LeaseRow {
    pub(super) const EMPTY: Self = Self {
        generation: Generation::from_raw(0),
        links: Links::NONE,
        profile: ProfileId(0),
        slices: SliceSet::NONE,
    };
}

crate::rows! { LeaseRow }

crate::stored! { LeaseRow { generation, links, profile, slices } }

//! Slices of an accelerator.

use super::Naive;
use locox::accelerator::{ProfileId, SliceSet, Table};

/// A table of what may be asked for.
pub struct Slices(pub Table<'static>);

impl Naive for Slices {
    type Machine = Table<'static>;

    fn machine(&self) -> Table<'static> {
        self.0
    }

    fn nodes(&self) -> u32 {
        self.0.slices().into()
    }

    fn requests(&self) -> Vec<ProfileId> {
        (0..=self.0.profiles().len() as u32).map(ProfileId).collect()
    }

    fn node(&self, node: u32) -> SliceSet {
        SliceSet(1 << node)
    }

    fn set(&self, place: &SliceSet) -> u64 {
        place.0.into()
    }

    fn choices(&self, of: &ProfileId) -> Vec<u64> {
        let placements = self.0.profile(*of).map(|it| it.placements).unwrap_or_default();
        placements.iter().map(|it| it.0.into()).collect()
    }
}

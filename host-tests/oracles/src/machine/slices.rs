//! Slices of an accelerator.

use super::Naive;
use locox::accelerator::{Profile, ProfileId, SliceSet, Table};

/// A table of what may be asked for.
pub struct Slices(pub Table<'static>);

impl Slices {
    /// Six of them, of which jobs ask for one to four together.
    pub fn six() -> Self {
        const ONE: [SliceSet; 6] =
            [SliceSet(1), SliceSet(2), SliceSet(4), SliceSet(8), SliceSet(16), SliceSet(32)];
        const PROFILES: &[Profile<'_>] = &[
            Profile { name: "one", placements: &ONE },
            Profile {
                name: "two",
                placements: &[SliceSet::run(0, 2), SliceSet::run(2, 2), SliceSet::run(4, 2)],
            },
            Profile { name: "three", placements: &[SliceSet::run(0, 3), SliceSet::run(3, 3)] },
            Profile { name: "four", placements: &[SliceSet::run(0, 4)] },
        ];
        Self(Table::new(6, PROFILES).expect("profiles of six slices"))
    }
}

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

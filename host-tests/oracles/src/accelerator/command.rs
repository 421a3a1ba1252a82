//! Calls of a pool, written down without knowledge of its state.

use crate::digits::Digits;
use locox::accelerator::{ProfileId, SliceSet, Table};
use locox::subcube::Outage;

/// A call, sensible or not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// A profile is asked for.
    Allocate(ProfileId),
    /// This very placement is.
    Claim(ProfileId, SliceSet),
    /// A live lease is given back, counted modulo how many there are.
    Release(usize),
    /// One that was given back is given back again.
    ReleaseGone(usize),
    /// One of another pool, or of other slices or another profile than its handle, is.
    ReleaseForged(usize),
    /// Slices leave service.
    Withdraw(SliceSet, Outage),
    /// Slices come back.
    Repair(SliceSet),
    /// An image is written, and the pool goes on from it in another epoch.
    Restart,
    /// The pool is built anew from a damaged image: nothing is left.
    Damage(usize),
}

/// A mixture in which the accelerator fills up, fails now and then, and is misused sometimes.
pub const EVEN: Weights = Weights::new([12, 4, 9, 1, 1, 2, 3, 1, 1]);

/// Weights of the kinds of commands.
pub type Weights = crate::Weights<9>;

impl Digits {
    /// A profile, seldom none of the table.
    fn profile(&mut self, table: &Table<'_>) -> ProfileId {
        let beyond = u64::from(self.one_in(16));
        ProfileId(self.below(table.profiles().len() as u64 + beyond) as u32)
    }

    /// Few slices, seldom one that the accelerator does not have.
    fn slices(&mut self, table: &Table<'_>) -> SliceSet {
        let beyond = u64::from(self.one_in(16)) * u64::from(table.slices() < SliceSet::MOST);
        let mut one = || SliceSet::run(self.below(u64::from(table.slices()) + beyond) as u8, 1);
        one().with(one())
    }
}

impl Command {
    /// The command for an accelerator of this table that `number` stands for.
    pub fn decode(table: &Table<'_>, number: u64, weights: &Weights) -> Self {
        let mut digits = Digits(number);
        match weights.kind(&mut digits) {
            0 => Self::Allocate(digits.profile(table)),
            1 => {
                let profile = digits.profile(table);
                let placements = table.profile(profile).map_or(&[][..], |it| it.placements);
                let placement = placements.get(digits.below(33) as usize % placements.len().max(1));
                Self::Claim(profile, *placement.unwrap_or(&digits.slices(table)))
            }
            2 => Self::Release(digits.pick()),
            3 => Self::ReleaseGone(digits.pick()),
            4 => Self::ReleaseForged(digits.pick()),
            5 => {
                let why = if digits.one_in(2) { Outage::Failed } else { Outage::Drained };
                Self::Withdraw(digits.slices(table), why)
            }
            6 => Self::Repair(digits.slices(table)),
            7 => Self::Restart,
            _ => Self::Damage(digits.pick()),
        }
    }
}

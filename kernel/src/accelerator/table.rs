//! Which slices each profile may take.

use super::SliceSet;
use crate::machine::room::{mark, sum};
use crate::machine::{AllPlaces, Cost, Machine, MakeRoom, Stake, Words};
use crate::slices::put;

crate::ids! {
    /// A profile of a [`Table`]: its place there, from 0 on.
    pub struct ProfileId;
}

/// What users ask for by name, and where it may lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Profile<'t> {
    /// The name, as `2g`.
    pub name: &'t str,
    /// The sets of slices any one of which it may take; where several are as good, it gets the last.
    pub placements: &'t [SliceSet],
}

impl Profile<'_> {
    /// How many slices it takes.
    pub const fn slices(&self) -> u32 {
        match self.placements.first() {
            Some(placement) => placement.len(),
            None => 0,
        }
    }

    /// The slices of its placements that are free where these slices are.
    pub(super) fn usable(&self, free: SliceSet) -> SliceSet {
        let possible = self.placements.iter().filter(|placement| placement.lies_in(free));
        possible.fold(SliceSet::NONE, |slices, &placement| slices.with(placement))
    }
}

/// The profiles of one kind of accelerator, each with the placements that the hardware allows.
///
/// ```
/// use locox::accelerator::{BadTable, Profile, SliceSet, Table};
///
/// // Four slices: single ones, aligned pairs, all.
/// const QUARTERS: [SliceSet; 4] = [SliceSet(1), SliceSet(2), SliceSet(4), SliceSet(8)];
/// const PROFILES: &[Profile<'_>] = &[
///     Profile { name: "quarter", placements: &QUARTERS },
///     Profile { name: "half", placements: &[SliceSet::run(0, 2), SliceSet::run(2, 2)] },
///     Profile { name: "whole", placements: &[SliceSet::run(0, 4)] },
/// ];
/// let table = Table::new(4, PROFILES)?;
/// let half = table.find("half").unwrap();
/// assert_eq!(table.profile(half).unwrap().slices(), 2);
/// // There is no slice 3 here.
/// assert_eq!(Table::new(3, PROFILES), Err(BadTable::NoSuchSlice));
/// # Ok::<(), BadTable>(())
/// ```
///
/// # Invariants
///
/// - There are 1 to 32 slices and 1 to 16 profiles, each with 1 to 32 placements.
/// - The placements of a profile are different sets of equally many of the slices, at least one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Table<'t> {
    slices: u8,
    profiles: &'t [Profile<'t>],
}

/// The most profiles of a table.
const MOST_PROFILES: usize = 16;
/// The most placements of a profile: with that, a choice looks at 32 times 16 times 32 at most.
const MOST_PLACEMENTS: usize = 32;

crate::display::errors! {
    /// Why a table is none.
    pub enum BadTable {
        /// No slices, profiles or placements, or too many.
        Limits => "a table has 1 to 32 slices and 1 to 16 profiles, each with 1 to 32 placements",
        /// A placement has a slice beyond the last.
        NoSuchSlice => "a placement has a slice that the accelerator does not have",
        /// A placement has no slice, or another number of them than the first one of its profile.
        Unequal => "the placements of a profile take equally many slices, at least one",
        /// A profile has a placement twice.
        Twice => "a profile has a placement twice",
    }
}

impl<'t> Table<'t> {
    /// A table of so many slices. A constant of it is checked when the program is compiled.
    ///
    /// # Errors
    ///
    /// [`BadTable`] says which of the invariants does not hold.
    pub const fn new(slices: u8, profiles: &'t [Profile<'t>]) -> Result<Self, BadTable> {
        let is_large = slices > SliceSet::MOST || profiles.len() > MOST_PROFILES;
        if slices == 0 || profiles.is_empty() || is_large {
            return Err(BadTable::Limits);
        }
        let all = SliceSet::run(0, slices);
        let mut left = profiles;
        while let Some((profile, rest)) = left.split_first() {
            if let Err(bad) = check(profile, all) {
                return Err(bad);
            }
            left = rest;
        }
        Ok(Self { slices, profiles })
    }

    /// How many slices there are.
    pub const fn slices(&self) -> u8 {
        self.slices
    }

    /// All slices.
    pub const fn all(&self) -> SliceSet {
        SliceSet::run(0, self.slices)
    }

    /// The profiles, in the order of their ids.
    pub const fn profiles(&self) -> &'t [Profile<'t>] {
        self.profiles
    }

    /// A profile; `None` beyond the last.
    pub fn profile(&self, id: ProfileId) -> Option<&'t Profile<'t>> {
        self.profiles.get(id.0 as usize)
    }

    /// The first profile of this name.
    pub fn find(&self, name: &str) -> Option<ProfileId> {
        let at = self.profiles.iter().position(|profile| profile.name == name)?;
        Some(ProfileId(at as u32))
    }

    /// The free placement of a profile that leaves the most to others; of several alike the last.
    pub(super) fn choose(&self, profile: ProfileId, free: SliceSet) -> Option<SliceSet> {
        let placements = self.profile(profile)?.placements.iter();
        let possible = placements.filter(|placement| placement.lies_in(free));
        possible.max_by_key(|&&placement| self.usable(free.without(placement))).copied()
    }

    /// What is left to others where these slices are free: for each profile those of them that lie in a free
    /// placement of it, added up.
    pub(super) fn usable(&self, free: SliceSet) -> u32 {
        self.profiles.iter().fold(0, |sum, it| sum.wrapping_add(it.usable(free).len()))
    }

    /// All that tells this table from others but the names, in numbers.
    pub(super) fn numbers(&self) -> impl Iterator<Item = u64> {
        let of = |profile: &Profile<'t>| {
            let placements = profile.placements.iter().map(|placement| u64::from(placement.0));
            core::iter::once(profile.placements.len() as u64).chain(placements)
        };
        core::iter::once(u64::from(self.slices)).chain(self.profiles.iter().flat_map(of))
    }
}

/// A [`Machine`] of slices. A map is one word, with a bit for each.
impl Machine for Table<'_> {
    type Request = ProfileId;
    type Place = SliceSet;
    type Word = u32;

    fn words(&self) -> Words {
        Words { map: 1, room: 0 }
    }

    fn open(&self, map: &mut [u32]) {
        put(map, 0, self.all().0);
    }

    fn take(&self, map: &mut [u32], at: &SliceSet) {
        map.iter_mut().for_each(|free| *free &= !at.0);
    }

    fn has(&self, map: &[u32], at: &SliceSet) -> bool {
        map.first().is_some_and(|free| at.0 & !free == 0)
    }

    fn find(&self, map: &[u32], of: &ProfileId, _: &mut [u32]) -> Option<SliceSet> {
        self.choose(*of, SliceSet(*map.first()?))
    }

    fn size(&self, of: &ProfileId) -> u32 {
        self.profile(*of).map_or(u32::MAX, Profile::slices)
    }
}

impl AllPlaces for Table<'_> {
    fn any_place(&self, of: &ProfileId, is_so: &mut dyn FnMut(&SliceSet) -> bool) -> bool {
        self.profile(*of).is_some_and(|profile| profile.placements.iter().any(is_so))
    }

    fn meet_at(&self, one: &SliceSet, other: &SliceSet) -> bool {
        one.0 & other.0 != 0
    }
}

impl MakeRoom for Table<'_> {
    fn sums(&self) -> usize {
        0
    }

    fn choose(
        &self,
        map: &[u32],
        of: &ProfileId,
        stakes: &mut [Stake<SliceSet>],
        _: &mut [u64],
    ) -> Option<Cost> {
        let free = SliceSet(*map.first()?);
        let goals = self.profile(*of)?.placements.iter().filter(|goal| goal.lies_in(free));
        let meets = |goal: SliceSet| move |it: &SliceSet| it.0 & goal.0 != 0;
        let (sum, goal) =
            goals.map(|&goal| (sum(stakes, meets(goal)), goal)).min_by_key(|it| it.0)?;
        mark(stakes, meets(goal));
        Some(Cost { sum, least: true })
    }
}

const fn check(profile: &Profile<'_>, all: SliceSet) -> Result<(), BadTable> {
    if profile.placements.is_empty() || profile.placements.len() > MOST_PLACEMENTS {
        return Err(BadTable::Limits);
    }
    let mut left = profile.placements;
    while let Some((placement, rest)) = left.split_first() {
        if !placement.lies_in(all) {
            return Err(BadTable::NoSuchSlice);
        }
        if placement.is_empty() || placement.len() != profile.slices() {
            return Err(BadTable::Unequal);
        }
        if has(rest, *placement) {
            return Err(BadTable::Twice);
        }
        left = rest;
    }
    Ok(())
}

const fn has(mut placements: &[SliceSet], wanted: SliceSet) -> bool {
    while let Some((placement, rest)) = placements.split_first() {
        if placement.0 == wanted.0 {
            return true;
        }
        placements = rest;
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;
    extern crate std;
    use std::vec;
    use std::vec::Vec;

    fn of(slices: u8, placements: &[SliceSet]) -> Result<(), BadTable> {
        Table::new(slices, &[Profile { name: "it", placements }]).map(|_| ())
    }

    #[test]
    fn a_table_that_breaks_an_invariant_is_refused_and_one_at_its_limits_is_not() {
        let single = [SliceSet(1)];
        assert_eq!(
            [0, 1, 32, 33].map(|slices| of(slices, &single).err()),
            [Some(BadTable::Limits), None, None, Some(BadTable::Limits)]
        );
        let profiles = |count| vec![Profile { name: "it", placements: &single }; count];
        let answers = [0, 1, 16, 17].map(|count| Table::new(8, &profiles(count)).err());
        let bad = Some(BadTable::Limits);
        assert_eq!(answers, [bad, None, None, bad]);
        let placements = |count| (0..count).map(|at| SliceSet(3 << at)).collect::<Vec<_>>();
        assert_eq!(of(32, &[]), Err(BadTable::Limits));
        assert_eq!(of(32, &placements(31)), Ok(()));
        let pairs: Vec<_> = (2..35).map(|at| SliceSet(1 | 1 << (at % 31 + 1))).collect();
        assert_eq!(of(32, &pairs), Err(BadTable::Limits));
        assert_eq!(of(3, &placements(2)), Ok(()));
        assert_eq!(of(3, &placements(3)), Err(BadTable::NoSuchSlice));
        assert_eq!(of(8, &[SliceSet::NONE]), Err(BadTable::Unequal));
        assert_eq!(of(8, &[SliceSet(1), SliceSet(6)]), Err(BadTable::Unequal));
        assert_eq!(of(8, &[SliceSet(1), SliceSet(2), SliceSet(1)]), Err(BadTable::Twice));
    }

    #[test]
    fn what_is_left_counts_each_slice_once_for_each_profile_that_can_use_it() {
        // 1g seven slices, 2g six, 3g eight, 4g four, 7g eight.
        assert_eq!(Table::A100.usable(Table::A100.all()), 7 + 6 + 8 + 4 + 8);
        assert_eq!(Table::A100.usable(SliceSet::run(3, 5)), 4 + 2 + 4);
        assert_eq!(Table::A100.usable(SliceSet::NONE), 0);
        let overlapping = [SliceSet::run(0, 2), SliceSet::run(1, 2)];
        let profiles = [Profile { name: "it", placements: &overlapping }];
        assert_eq!(Table::new(4, &profiles).unwrap().usable(SliceSet::run(0, 4)), 3);
    }
}

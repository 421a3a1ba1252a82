//! What a pool of slices must do, by sets of numbers.

use locox::accelerator::{
    ClaimError, NoSuchPlacement, NoSuchSlice, NotFree, ProfileId, Refusal, SliceLease, SliceSet,
    Table,
};
use locox::handle::{Misuse, PoolId};
use locox::subcube::Outage;
use std::collections::{BTreeMap, BTreeSet};

/// Slices by number.
pub type Set = BTreeSet<u8>;

/// The numbers of some slices.
pub fn numbers_of(slices: SliceSet) -> Set {
    (0..32).filter(|slice| slices.0 >> slice & 1 == 1).collect()
}

/// Predicts every answer of a pool.
#[derive(Clone, Debug)]
pub struct Model {
    id: PoolId,
    slices: u8,
    /// The placements of each profile.
    profiles: Vec<Vec<Set>>,
    live: Vec<SliceLease>,
    outages: BTreeMap<u8, Outage>,
}

impl Model {
    /// All slices are free.
    pub fn new(id: PoolId, table: &Table<'_>) -> Self {
        let of = |placements: &[SliceSet]| placements.iter().copied().map(numbers_of).collect();
        let profiles = table.profiles().iter().map(|profile| of(profile.placements)).collect();
        let (live, outages) = (vec![], BTreeMap::new());
        Self { id, slices: table.slices(), profiles, live, outages }
    }

    /// All that later answers depend on, but for the names of leases.
    pub fn key(&self) -> BTreeSet<(u32, Set)> {
        self.live.iter().map(|it| (it.profile().0, numbers_of(it.slices()))).collect()
    }

    /// The live leases, the oldest first.
    pub fn live(&self) -> &[SliceLease] {
        &self.live
    }

    /// The slices that a new lease may take.
    pub fn free(&self) -> Set {
        self.serving().into_iter().filter(|&slice| self.lease_at(slice).is_none()).collect()
    }

    fn serving(&self) -> Set {
        (0..self.slices).filter(|slice| !self.outages.contains_key(slice)).collect()
    }

    /// The lease that holds a slice.
    pub fn lease_at(&self, slice: u8) -> Option<SliceLease> {
        self.live.iter().find(|it| numbers_of(it.slices()).contains(&slice)).copied()
    }

    /// The slices that are out of service, with the reason.
    pub fn outages(&self) -> &BTreeMap<u8, Outage> {
        &self.outages
    }

    fn fitting(&self, profile: ProfileId, free: &Set) -> Vec<Set> {
        let placements = self.profiles.get(profile.0 as usize).into_iter().flatten();
        placements.filter(|placement| placement.is_subset(free)).cloned().collect()
    }

    /// How many of the free slices lie in a free placement, for each profile, added up.
    fn usable(&self, free: &Set) -> usize {
        let of = |at| {
            let fitting = self.fitting(ProfileId(at as u32), free);
            fitting.into_iter().flatten().collect::<Set>().len()
        };
        (0..self.profiles.len()).map(of).sum()
    }

    /// Which slices a request gets, or why none.
    pub fn choose(&self, profile: ProfileId) -> Result<Set, Refusal> {
        let free = self.free();
        let Some(placements) = self.profiles.get(profile.0 as usize) else {
            return Err(Refusal::NoSuchProfile);
        };
        let mut best: Option<(usize, Set)> = None;
        for placement in self.fitting(profile, &free) {
            let usable = self.usable(&free.difference(&placement).copied().collect());
            if best.as_ref().is_none_or(|(most, _)| usable >= *most) {
                best = Some((usable, placement));
            }
        }
        let needed = placements[0].len() as u32;
        match best {
            Some((_, placement)) => Ok(placement),
            None if self.fitting(profile, &self.serving()).is_empty() => Err(Refusal::Faulty),
            None if needed > free.len() as u32 => {
                Err(Refusal::TooFewFree { needed, free: free.len() as u32 })
            }
            None => Err(Refusal::Fragmented),
        }
    }

    /// Whether a claim gets these slices, or why not.
    pub fn claim(&self, profile: ProfileId, slices: &Set) -> Result<Set, ClaimError> {
        let placements = self.profiles.get(profile.0 as usize);
        if !placements.is_some_and(|placements| placements.contains(slices)) {
            return Err(ClaimError::Misused(NoSuchPlacement));
        }
        match slices.difference(&self.free()).next() {
            Some(&taken) => Err(ClaimError::Refused(NotFree(taken))),
            None => Ok(slices.clone()),
        }
    }

    /// `lease` has been granted.
    pub fn open(&mut self, lease: SliceLease) {
        self.live.push(lease);
    }

    /// The pool goes on from an image, with these leases.
    pub fn restart(&mut self, live: Vec<SliceLease>) {
        self.live = live;
    }

    /// Strikes a lease out.
    pub fn release(&mut self, lease: SliceLease) -> Result<(), Misuse> {
        if lease.handle().pool() != self.id {
            return Err(Misuse::Foreign);
        }
        let at = self.live.iter().position(|it| *it == lease).ok_or(Misuse::Stale)?;
        self.live.remove(at);
        Ok(())
    }

    /// Takes slices out of service; returns the slices of the leases hit.
    pub fn withdraw(&mut self, slices: &Set, why: Outage) -> Result<BTreeSet<Set>, NoSuchSlice> {
        self.check(slices)?;
        for &slice in slices {
            let outage = self.outages.entry(slice).or_insert(why);
            if why == Outage::Failed {
                *outage = why;
            }
        }
        let held = self.live.iter().map(|it| numbers_of(it.slices()));
        Ok(held.filter(|held| !held.is_disjoint(slices)).collect())
    }

    /// Puts slices back into service.
    pub fn repair(&mut self, slices: &Set) -> Result<(), NoSuchSlice> {
        self.check(slices)?;
        slices.iter().for_each(|slice| _ = self.outages.remove(slice));
        Ok(())
    }

    fn check(&self, slices: &Set) -> Result<(), NoSuchSlice> {
        slices.iter().find(|&&it| it >= self.slices).map_or(Ok(()), |&it| Err(NoSuchSlice(it)))
    }

    /// The free slices that lie in no free placement of a profile.
    pub fn stranded(&self, profile: ProfileId) -> Option<Set> {
        self.profiles.get(profile.0 as usize)?;
        let free = self.free();
        let fitting = self.fitting(profile, &free);
        let lies = |slice: &u8| fitting.iter().any(|placement| placement.contains(slice));
        Some(free.into_iter().filter(|slice| !lies(slice)).collect())
    }
}

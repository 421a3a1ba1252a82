//! A pool of the slices of one accelerator.

use super::lease::LeaseRow;
use super::{
    ClaimError, NoSuchPlacement, NoSuchSlice, NotFree, Profile, ProfileId, Refusal, SliceLease,
    SliceSet, Table,
};
use crate::handle::{Misuse, PoolId};
use crate::invariant::{InvariantViolation, ensure};
use crate::outage::Outage;
use crate::slab::Slab;

/// The slices of one accelerator, each leased, free, or out of service without a lease.
///
/// It needs no storage of the caller's: 32 rows of 20 bytes lie inside, one for each lease that there may be.
///
/// ```
/// use locox::accelerator::{Outage, Refusal, SlicePool, SliceSet, Table};
/// use locox::handle::PoolId;
///
/// let mut pool = SlicePool::new(PoolId(1), Table::A100);
/// let [one, three, seven] = ["1g", "3g", "7g"].map(|name| Table::A100.find(name).unwrap());
/// let lease = pool.claim(one, SliceSet::run(2, 1))?;
/// // The other half fails; nobody has it.
/// let mut hit = vec![];
/// pool.withdraw(SliceSet::run(4, 4), Outage::Failed, |lease| hit.push(lease))?;
/// assert_eq!(hit, []);
/// assert_eq!(pool.would_fit(three), Err(Refusal::TooFewFree { needed: 4, free: 3 }));
/// assert_eq!(pool.would_fit(seven), Err(Refusal::Faulty));
/// pool.release(lease)?;
/// assert_eq!(pool.allocate(three)?.slices(), SliceSet::run(0, 4));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Invariants
///
/// - `leased` are the slices of the live leases, which are disjoint, each a placement of its profile.
/// - A failed slice is out of service.
#[derive(Clone, Debug)]
pub struct SlicePool<'t> {
    pub(super) table: Table<'t>,
    pub(super) slab: Slab,
    pub(super) rows: [LeaseRow; SliceSet::MOST as usize],
    pub(super) leased: SliceSet,
    pub(super) out: SliceSet,
    pub(super) failed: SliceSet,
}

impl<'t> SlicePool<'t> {
    /// All slices of an accelerator with this table, free.
    pub const fn new(id: PoolId, table: Table<'t>) -> Self {
        let none = SliceSet::NONE;
        let rows = [LeaseRow::EMPTY; SliceSet::MOST as usize];
        Self { table, slab: Slab::new(id), rows, leased: none, out: none, failed: none }
    }

    /// The number that tells this pool's leases from those of others.
    pub const fn id(&self) -> PoolId {
        self.slab.pool()
    }

    /// What may be asked for.
    pub const fn table(&self) -> Table<'t> {
        self.table
    }

    /// Slices that a new lease may take.
    pub const fn free(&self) -> SliceSet {
        self.table.all().without(self.leased).without(self.out)
    }

    /// Grants the placement of `profile` that leaves the fewest slices [stranded](Self::stranded), added up over
    /// all profiles; of several alike the table's last. Cost: the free placements of the profile times all of
    /// the table, at most 16,384 comparisons, on an A100 98.
    ///
    /// # Errors
    ///
    /// The [`Refusal`] says why not.
    pub fn allocate(&mut self, profile: ProfileId) -> Result<SliceLease, Refusal> {
        let of = self.table.profile(profile).ok_or(Refusal::NoSuchProfile)?;
        let best = self.table.choose(profile, self.free());
        let granted = best.and_then(|best| self.open(profile, best));
        granted.ok_or_else(|| self.reason(of))
    }

    /// Grants this very placement of `profile`.
    ///
    /// # Errors
    ///
    /// [`NotFree`] names its lowest slice that is leased or out of service. [`NoSuchPlacement`] if the table does
    /// not have it.
    pub fn claim(
        &mut self,
        profile: ProfileId,
        slices: SliceSet,
    ) -> Result<SliceLease, ClaimError> {
        if !self.has(profile, slices) {
            return Err(ClaimError::Misused(NoSuchPlacement));
        }
        if let Some(taken) = slices.without(self.free()).first() {
            return Err(ClaimError::Refused(NotFree(taken)));
        }
        self.open(profile, slices).ok_or(ClaimError::Misused(NoSuchPlacement))
    }

    /// What [`Self::allocate`] would answer, without doing it. Cost: the placements of the profile.
    ///
    /// # Errors
    ///
    /// The [`Refusal`] that `allocate` would return.
    pub fn would_fit(&self, profile: ProfileId) -> Result<(), Refusal> {
        let of = self.table.profile(profile).ok_or(Refusal::NoSuchProfile)?;
        if of.usable(self.free()).is_empty() { Err(self.reason(of)) } else { Ok(()) }
    }

    /// Takes a lease back. Its slices are free again, but for those withdrawn meanwhile. Cost: constant.
    ///
    /// # Errors
    ///
    /// [`Misuse::Foreign`] of a lease of another pool, [`Misuse::Stale`] of one that is not live any more.
    pub fn release(&mut self, lease: SliceLease) -> Result<(), Misuse> {
        let row = self.slab.find(&self.rows[..], lease.handle())?;
        // The handle may be of the epoch before, and the rest of another lease.
        let same =
            |it: SliceLease| (it.profile(), it.slices()) == (lease.profile(), lease.slices());
        if !self.lease(row).is_some_and(same) {
            return Err(Misuse::Stale);
        }
        self.leased = self.leased.without(lease.slices());
        self.slab.close(&mut self.rows[..], row);
        Ok(())
    }

    /// Takes slices out of service, then calls `hit` for each lease that holds one of them, in the order of
    /// [`Self::leases`]. Slices that are out already may be named again; a drained one may fail, and a failed
    /// one stays failed. Cost: the leases.
    ///
    /// # Errors
    ///
    /// [`NoSuchSlice`] names the lowest beyond the last; no slice was withdrawn then.
    pub fn withdraw(
        &mut self,
        slices: SliceSet,
        outage: Outage,
        hit: impl FnMut(SliceLease),
    ) -> Result<(), NoSuchSlice> {
        self.check_slices(slices)?;
        self.out = self.out.with(slices);
        if outage == Outage::Failed {
            self.failed = self.failed.with(slices);
        }
        let others = self.table.all().without(slices);
        self.leases().filter(|lease| !lease.slices().lies_in(others)).for_each(hit);
        Ok(())
    }

    /// Puts slices back into service; those that serve may be named too. Cost: constant.
    ///
    /// # Errors
    ///
    /// [`NoSuchSlice`] names the lowest beyond the last; no slice was repaired then.
    pub fn repair(&mut self, slices: SliceSet) -> Result<(), NoSuchSlice> {
        self.check_slices(slices)?;
        self.out = self.out.without(slices);
        self.failed = self.failed.without(slices);
        Ok(())
    }

    /// The slices that are out of service.
    pub const fn out(&self) -> SliceSet {
        self.out
    }

    /// Those of them that have failed; the others were drained.
    pub const fn failed(&self) -> SliceSet {
        self.failed
    }

    /// The live leases, by the numbers of their handles.
    pub fn leases(&self) -> impl Iterator<Item = SliceLease> {
        self.slab.open_rows(&self.rows[..]).filter_map(|row| self.lease(row))
    }

    /// Free slices that lie in no free placement of `profile`; `None` of a profile that the table does not have.
    /// Cost: its placements.
    pub fn stranded(&self, profile: ProfileId) -> Option<SliceSet> {
        let free = self.free();
        Some(free.without(self.table.profile(profile)?.usable(free)))
    }

    /// Recomputes what is derived and compares; for tests and fuzzers.
    ///
    /// # Errors
    ///
    /// [`InvariantViolation`] names the invariant that does not hold.
    pub fn check_invariants(&self) -> Result<(), InvariantViolation> {
        self.slab.check(&self.rows[..])?;
        let mut free = self.table.all();
        for lease in self.leases() {
            ensure(lease.slices().lies_in(free), "leases are disjoint")?;
            let placed = self.has(lease.profile(), lease.slices());
            ensure(placed, "a lease is a placement of its profile")?;
            free = free.without(lease.slices());
        }
        ensure(free == self.table.all().without(self.leased), "the slices of all leases")?;
        ensure(self.failed.lies_in(self.out), "a failed slice is out of service")?;
        ensure(self.out.lies_in(self.table.all()), "what is no slice is not out of service")
    }

    pub(super) fn has(&self, profile: ProfileId, slices: SliceSet) -> bool {
        self.table.profile(profile).is_some_and(|it| it.placements.contains(&slices))
    }

    /// Opens a lease of free slices. There is a row for it, since each lease has a slice.
    fn open(&mut self, profile: ProfileId, slices: SliceSet) -> Option<SliceLease> {
        let row = self.slab.open(&mut self.rows[..])?;
        let place = self.rows.get_mut(row as usize)?;
        (place.profile, place.slices) = (profile, slices);
        self.leased = self.leased.with(slices);
        self.lease(row)
    }

    /// The lease of an open row.
    fn lease(&self, row: u32) -> Option<SliceLease> {
        let &LeaseRow { profile, slices, .. } = self.rows.get(row as usize)?;
        Some(SliceLease::from_parts(profile, slices, self.slab.handle(&self.rows[..], row)))
    }

    /// Why a profile that has no free placement is refused.
    fn reason(&self, profile: &Profile<'_>) -> Refusal {
        let (needed, free) = (profile.slices(), self.free().len());
        if profile.usable(self.table.all().without(self.out)).is_empty() {
            Refusal::Faulty
        } else if needed > free {
            Refusal::TooFewFree { needed, free }
        } else {
            Refusal::Fragmented
        }
    }

    fn check_slices(&self, slices: SliceSet) -> Result<(), NoSuchSlice> {
        slices.without(self.table.all()).first().map_or(Ok(()), |it| Err(NoSuchSlice(it)))
    }
}

//! Slices of one accelerator.

use crate::interface::{Numbered, faults, interface, opaque, structures};
use crate::memory::*;
use crate::status::locox_status::*;
use core::ffi::c_void;
use locox::accelerator::{
    NoSuchPlacement, NoSuchSlice, NotFree, Profile, ProfileId, Refusal, SliceLease, SlicePool,
    SliceSet, Table,
};
use locox::handle::{Handle, PoolId};

/// Published tables, for `locox_slices_start`: an A100 of NVIDIA, with the profiles 1g, 2g, 3g, 4g, 7g.
pub const LOCOX_A100: u32 = 0;
/// See `LOCOX_A100`: an H100, with 1g, 1g+ (of two memory slices), 2g, 3g, 4g, 7g.
pub const LOCOX_H100: u32 = 1;
/// See `LOCOX_A100`: an A30, with 1g, 2g, 4g.
pub const LOCOX_A30: u32 = 2;

opaque! {
    /// A pool of the slices of one accelerator. Opaque, and may be moved; it has all that it needs inside.
    locox_slice_pool: [u64; LOCOX_SLICE_POOL_LENGTH], locox_size_of_slice_pool, as Body, b"SLIC";
    /// A row of a table of one's own, for `locox_slices_start_table`.
    locox_profile_row: [usize; LOCOX_PROFILE_ROW_LENGTH], locox_size_of_profile_row,
        for Profile<'static>;
}

structures! {
    /// What may be asked for: any one of these sets of slices, of which bit s stands for slice s.
    pub struct locox_slice_profile {
        /// The sets, in the order in which they are tried; they stay where they are while the pool is used.
        pub placements: *const u32,
        /// How many, 1 to 32.
        pub count: usize,
    }

    /// Slices granted to somebody.
    pub struct locox_slice_lease {
        /// Its name.
        pub handle: locox_handle,
        /// What was asked for: the place of the profile in the table.
        pub profile: u32,
        /// Bit s: slice s.
        pub slices: u32,
    }
}

/// Called for each lease that a call has to name.
pub type locox_slice_lease_fn =
    Option<unsafe extern "C" fn(lease: *const locox_slice_lease, user: *mut c_void)>;

type Body = SlicePool<'static>;

interface! {
    /// Starts a pool of all slices of an accelerator with a published table: `LOCOX_A100` and so on. Its
    /// leases carry `id`: to other pools they are foreign.
    fn locox_slices_start(pool: *mut locox_slice_pool, id: u16, table: u32) {
        let place = place(pool)?;
        let table = match table {
            LOCOX_A100 => Table::A100,
            LOCOX_H100 => Table::H100,
            LOCOX_A30 => Table::A30,
            _ => return Err(LOCOX_BAD_ARGUMENT.into()),
        };
        place.start(SlicePool::new(PoolId(id), table))
    }

    /// Starts one with a table of one's own: of 1 to 32 slices and `count` profiles, 1 to 16, for each of which
    /// there is one of `rows`, with any content. `LOCOX_WRONG_TABLE` if a profile has no sets or too many, if they are not
    /// equally large, if one is empty, comes twice or has a slice that there is not.
    fn locox_slices_start_table(
        pool: *mut locox_slice_pool, id: u16, slices: u32, profiles: *const locox_slice_profile,
        count: usize, rows: *mut locox_profile_row, len: usize; detail
    ) {
        let place = place(pool)?;
        let profiles = inputs(profiles, count)?;
        let rows = storage::<Profile<'static>, locox_profile_row>(rows, len, count)?.first(count);
        let rows = rows.cleared(Profile { name: "", placements: &[] });
        for (row, profile) in rows.iter_mut().zip(profiles) {
            // A set is a number.
            row.placements = inputs(profile.placements.cast::<SliceSet>(), profile.count)?;
        }
        let table = Table::new(u8::try_from(slices).unwrap_or(u8::MAX), rows);
        place.start(SlicePool::new(PoolId(id), table.map_err(|_| LOCOX_WRONG_TABLE)?))
    }

    /// Grants the placement of a profile after which most is possible for others. Refused as `LOCOX_FAULTY`,
    /// `LOCOX_TOO_FEW_FREE` or `LOCOX_FRAGMENTED`; `LOCOX_TOO_LARGE` if the table has no such profile.
    fn locox_slices_allocate(
        pool: *mut locox_slice_pool, profile: u32, lease: *mut locox_slice_lease; detail
    ) {
        obtain(pool, lease, |it| Ok(it.allocate(ProfileId(profile))?))
    }

    /// Whether `locox_slices_allocate` would grant a profile; refused as there.
    fn locox_slices_would_fit(pool: *const locox_slice_pool, profile: u32; detail) {
        of(pool, |it| Ok(it.would_fit(ProfileId(profile))?))
    }

    /// Grants this very placement of a profile: `LOCOX_NOT_FREE` names a slice that is not free,
    /// `LOCOX_BAD_ARGUMENT` if the table does not have it.
    fn locox_slices_claim(
        pool: *mut locox_slice_pool, profile: u32, slices: u32, lease: *mut locox_slice_lease;
        detail
    ) {
        obtain(pool, lease, |it| Ok(it.claim(ProfileId(profile), SliceSet(slices))?))
    }

    /// Takes a lease back. `LOCOX_FOREIGN` or `LOCOX_STALE` if it is not a live one of this pool.
    fn locox_slices_release(pool: *mut locox_slice_pool, lease: *const locox_slice_lease) {
        let lease = lease_of(input(lease)?);
        on(pool, |it| Ok(it.release(lease)?))
    }

    /// Takes slices out of service, as `LOCOX_FAILED` or `LOCOX_DRAINED`. Afterwards `hit`, which may be
    /// null, is called once for each lease that has one of them.
    /// None is withdrawn if `LOCOX_NO_SUCH_NODE` names one.
    /// While `hit` runs, every call on this pool, `const` ones too, answers `LOCOX_REENTERED`.
    fn locox_slices_withdraw(
        pool: *mut locox_slice_pool, slices: u32, outage: u32, hit: locox_slice_lease_fn,
        user: *mut c_void; detail
    ) {
        let outage = Numbered::from_number(outage)?;
        on(pool, |it| {
            Ok(it.withdraw(SliceSet(slices), outage, |one| tell(hit, one, user))?)
        })
    }

    /// Puts slices back into service; none if `LOCOX_NO_SUCH_NODE` names one.
    fn locox_slices_repair(pool: *mut locox_slice_pool, slices: u32; detail) {
        on(pool, |it| Ok(it.repair(SliceSet(slices))?))
    }

    /// Calls `visit` for each live lease.
    /// While `visit` runs, every call on this pool, `const` ones too, answers `LOCOX_REENTERED`.
    fn locox_slices_leases(
        pool: *const locox_slice_pool, visit: locox_slice_lease_fn, user: *mut c_void
    ) {
        of(pool, |it| {
            it.leases().for_each(|lease| tell(visit, lease, user));
            Ok(())
        })
    }

    /// The slices that a new lease may take, and those out of service; `out` may be null.
    fn locox_slices_free(pool: *const locox_slice_pool, free: *mut u32, out: *mut u32) {
        let (free, gone) = (crate::memory::out(free)?, optional_out(out)?);
        let (now, away) = of(pool, |it| Ok((it.free().0, it.out().0)))?;
        gone.put(away)?;
        free.put(now)
    }

    /// Free slices that lie in no free placement of a profile.
    fn locox_slices_stranded(pool: *const locox_slice_pool, profile: u32, stranded: *mut u32) {
        get(pool, stranded, |it| Ok(it.stranded(ProfileId(profile)).ok_or(LOCOX_TOO_LARGE)?.0))
    }
}

crate::image::restarts! {
    locox_slice_pool: locox_slices_begin, locox_slices_export, locox_slices_restore, locox_slices_check;
    |it| it
}

fn lease_of(lease: locox_slice_lease) -> SliceLease {
    let (profile, slices) = (ProfileId(lease.profile), SliceSet(lease.slices));
    SliceLease::from_parts(profile, slices, Handle::from(lease.handle))
}

impl From<SliceLease> for locox_slice_lease {
    fn from(lease: SliceLease) -> Self {
        let (profile, slices) = (lease.profile().0, lease.slices().0);
        Self { handle: lease.handle().into(), profile, slices }
    }
}

impl From<NoSuchSlice> for Fault {
    fn from(NoSuchSlice(slice): NoSuchSlice) -> Self {
        LOCOX_NO_SUCH_NODE.with(slice)
    }
}

impl From<NotFree> for Fault {
    fn from(NotFree(slice): NotFree) -> Self {
        LOCOX_NOT_FREE.with(slice)
    }
}

impl From<NoSuchPlacement> for Fault {
    fn from(_: NoSuchPlacement) -> Self {
        LOCOX_BAD_ARGUMENT.into()
    }
}

faults! {
    Refusal {
        Refusal::NoSuchProfile => LOCOX_TOO_LARGE,
        Refusal::Faulty => LOCOX_FAULTY,
        Refusal::TooFewFree { free, .. } => LOCOX_TOO_FEW_FREE.with(free),
        Refusal::Fragmented => LOCOX_FRAGMENTED,
    }
}

//! Slices of one accelerator.

use crate::prelude::*;
use locox::accelerator::*;

commands! {
    table_of(it: u32) -> Table<'static>, by it;
    /// Published tables, for `locox_slices_start`: an A100 of NVIDIA, with the profiles 1g, 2g, 3g, 4g, 7g.
    LOCOX_A100 = 0 => Table::A100;
    /// See `LOCOX_A100`: an H100, with 1g, 1g+ (of two memory slices), 2g, 3g, 4g, 7g.
    LOCOX_H100 = 1 => Table::H100;
    /// See `LOCOX_A100`: an A30, with 1g, 2g, 4g.
    LOCOX_A30 = 2 => Table::A30;
}

opaque! {
    /// A pool of the slices of one accelerator. Opaque, and may be moved; it has all that it needs inside.
    locox_slice_pool: [u64; LOCOX_SLICE_POOL_LENGTH], locox_size_of_slice_pool, as Body, b"SLIC";
    /// A row of a table of one's own, for `locox_slices_start_table`.
    locox_profile_row: [usize; LOCOX_PROFILE_ROW_LENGTH], locox_size_of_profile_row, for Profile<'static>;
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

callbacks! {
    /// Called for each lease that a call has to name.
    pub type locox_slice_lease_fn(lease: *const locox_slice_lease);
}

type Body = SlicePool<'static>;

methods! { pool: locox_slice_pool |it| it =>
    /// Starts a pool of all slices of an accelerator with a published table: `LOCOX_A100` and so on. Its
    /// leases carry `id`: to other pools they are foreign.
    start fn locox_slices_start(id: u16, table: u32) { SlicePool::new(PoolId(id), table_of(table)?) }

    /// Starts one with a table of one's own: of 1 to 32 slices and `count` profiles, 1 to 16, for each of which
    /// there is one of `rows`, with any content. `LOCOX_WRONG_TABLE` if a profile has no sets or too many, if they are not
    /// equally large, if one is empty, comes twice or has a slice that there is not.
    start fn locox_slices_start_table(
        id: u16, slices: u32, profiles: *const locox_slice_profile, count: usize, rows: *mut locox_profile_row,
        len: usize
    ) -> (; detail) {
        let profiles = inputs(profiles, count)?;
        let rows = storage::<Profile<'static>, locox_profile_row>(rows, len, count)?.first(count);
        let rows = rows.cleared(Profile { name: "", placements: &[] });
        for (row, profile) in rows.iter_mut().zip(profiles) {
            // A set is a number.
            row.placements = inputs(profile.placements.cast::<SliceSet>(), profile.count)?;
        }
        let table = Table::new(u8::try_from(slices).unwrap_or(u8::MAX), rows);
        SlicePool::new(PoolId(id), table.map_err(|_| LOCOX_WRONG_TABLE)?)
    }

    /// Grants the placement of a profile after which most is possible for others. Refused as `LOCOX_FAULTY`,
    /// `LOCOX_TOO_FEW_FREE` or `LOCOX_FRAGMENTED`; `LOCOX_TOO_LARGE` if the table has no such profile.
    act fn locox_slices_allocate(profile: u32) -> (lease: locox_slice_lease; detail) {
        it.allocate(ProfileId(profile))?
    }

    /// Whether `locox_slices_allocate` would grant a profile; refused as there.
    look fn locox_slices_would_fit(profile: u32) -> (; detail) { it.would_fit(ProfileId(profile))? }

    /// Grants this very placement of a profile: `LOCOX_NOT_FREE` names a slice that is not free,
    /// `LOCOX_BAD_ARGUMENT` if the table does not have it.
    act fn locox_slices_claim(profile: u32, slices: u32) -> (lease: locox_slice_lease; detail) {
        it.claim(ProfileId(profile), SliceSet(slices))?
    }

    /// Takes a lease back. `LOCOX_FOREIGN` or `LOCOX_STALE` if it is not a live one of this pool.
    act fn locox_slices_release(lease: *const locox_slice_lease) { it.release(FromC::from_c(lease)?)? }

    /// Takes slices out of service, as `LOCOX_FAILED` or `LOCOX_DRAINED`. Afterwards `hit`, which may be
    /// null, is called once for each lease that has one of them.
    /// None is withdrawn if `LOCOX_NO_SUCH_NODE` names one.
    /// While `hit` runs, every call on this pool, `const` ones too, answers `LOCOX_REENTERED`.
    act fn locox_slices_withdraw(
        slices: u32, outage: u32, hit: locox_slice_lease_fn, user: *mut c_void
    ) -> (; detail) { it.withdraw(SliceSet(slices), FromC::from_c(outage)?, |one| tell(hit, one, user))? }

    /// Puts slices back into service; none if `LOCOX_NO_SUCH_NODE` names one.
    act fn locox_slices_repair(slices: u32) -> (; detail) { it.repair(SliceSet(slices))? }

    /// Calls `visit` for each live lease.
    /// While `visit` runs, every call on this pool, `const` ones too, answers `LOCOX_REENTERED`.
    look fn locox_slices_leases(visit: locox_slice_lease_fn, user: *mut c_void) {
        it.leases().for_each(|lease| tell(visit, lease, user))
    }

    /// The slices that a new lease may take, and those out of service; `out` may be null.
    look fn locox_slices_free() -> (free: u32 | out: u32) { (it.free(), it.out()) }

    /// Free slices that lie in no free placement of a profile.
    look fn locox_slices_stranded(profile: u32) -> (stranded: u32) {
        it.stranded(ProfileId(profile)).ok_or(LOCOX_TOO_LARGE)?
    }
}

crate::image::restarts! {
    locox_slice_pool: locox_slices_begin, locox_slices_export, locox_slices_restore, locox_slices_check; |it| it
}

ids!(u32: SliceSet);
values! {
    SliceLease as locox_slice_lease: |it| locox_slice_lease {
        handle: it.handle().into_c(), profile: it.profile().0, slices: it.slices().0
    }, else Self::from_parts(ProfileId(it.profile), SliceSet(it.slices), Handle::from(it.handle));
}

faults! {
    NoSuchSlice = NoSuchSlice(slice) => LOCOX_NO_SUCH_NODE.with(slice);
    NotFree = NotFree(slice) => LOCOX_NOT_FREE.with(slice);
    NoSuchPlacement = NoSuchPlacement => LOCOX_BAD_ARGUMENT;
}

faults! {
    Refusal {
        NoSuchProfile => LOCOX_TOO_LARGE, Faulty => LOCOX_FAULTY,
        TooFewFree { free, .. } => LOCOX_TOO_FEW_FREE.with(free), Fragmented => LOCOX_FRAGMENTED,
    }
}

//! Pools of slices, with published tables and one of one's own.

use crate::dice::{Dice, Spoiler, calls, is_wrong};
use locox::accelerator::{Profile, ProfileId, Refusal, SliceLease, SlicePool, SliceSet, Table};
use locox::error::Error;
use locox::handle::{Misuse, PoolId};
use locox::subcube::Outage;
use locox_c::locox_status::{self, *};
use locox_c::*;
use std::ffi::c_void;
use std::ptr::null_mut;

type Plain = (u32, u32, u32, u32);

fn plain(lease: SliceLease) -> Plain {
    let handle = lease.handle();
    (handle.index(), handle.generation().raw(), lease.profile().0, lease.slices().0)
}

fn plain_c(lease: &locox_slice_lease) -> Plain {
    (lease.handle.index, lease.handle.generation, lease.profile, lease.slices)
}

fn refused(refusal: Refusal) -> (locox_status, u64) {
    match refusal {
        Refusal::NoSuchProfile => (LOCOX_TOO_LARGE, 0),
        Refusal::Faulty => (LOCOX_FAULTY, 0),
        Refusal::TooFewFree { free, .. } => (LOCOX_TOO_FEW_FREE, free.into()),
        Refusal::Fragmented => (LOCOX_FRAGMENTED, 0),
        other => panic!("{other:?} has no status"),
    }
}

unsafe extern "C" fn collect(lease: *const locox_slice_lease, user: *mut c_void) {
    // SAFETY: the tests pass a vector, the library a lease.
    unsafe { (*user.cast::<Vec<locox_slice_lease>>()).push(*lease) };
}

const BLANK: locox_slice_lease = locox_slice_lease {
    handle: locox_handle { index: 77, generation: 77, pool: 77, epoch: 77 },
    profile: 77,
    slices: 77,
};

/// One call of both, and whether they agree.
fn step(
    dice: &mut Dice,
    ours: &mut locox_slice_pool,
    twin: &mut SlicePool<'_>,
    all: &mut Vec<locox_slice_lease>,
) {
    let (mut detail, mut lease, mut stranded) = (u64::MAX, BLANK, u32::MAX);
    let kind = dice.below(8);
    let profile = dice.number(twin.table().profiles().len() as u64 + 1);
    let bound = if dice.one_in(10) { 1 << 32 } else { 1 << twin.table().slices() };
    let of_profile = twin.table().profile(ProfileId(profile)).map_or(&[][..], |it| it.placements);
    let known = of_profile.get(dice.below(4) as usize).map(|it| it.0);
    let slices = known.filter(|_| kind == 1 && !dice.one_in(4)).unwrap_or(dice.number(bound));
    let outage = dice.number(4);
    let mut of = all.get(dice.below(all.len().max(1) as u64) as usize).copied().unwrap_or(BLANK);
    of.handle = dice.name(&[of.handle]);
    let mut hits: Vec<locox_slice_lease> = Vec::new();
    let mut spoiler = Spoiler::new(dice);
    let pool = spoiler.pointer(&raw mut *ours);
    let has_detail = !matches!(kind, 2 | 6 | 7);
    let to_detail = if has_detail { spoiler.optional(&raw mut detail) } else { null_mut() };
    let to_lease = if kind < 2 { spoiler.pointer(&raw mut lease) } else { null_mut() };
    let from_lease = if kind == 2 { spoiler.pointer(&raw mut of) } else { null_mut() };
    let spoiled = spoiler.spoiled;
    let user = (&raw mut hits).cast::<c_void>();

    // SAFETY: every pointer that is not spoiled points to what the call says.
    let status = unsafe {
        match kind {
            0 => locox_slices_allocate(pool, profile, to_lease, to_detail),
            1 => locox_slices_claim(pool, profile, slices, to_lease, to_detail),
            2 => locox_slices_release(pool, from_lease),
            3 => locox_slices_withdraw(pool, slices, outage, Some(collect), user, to_detail),
            4 => locox_slices_repair(pool, slices, to_detail),
            5 => locox_slices_would_fit(pool, profile, to_detail),
            6 => locox_slices_stranded(pool, profile, &raw mut stranded),
            _ => locox_slices_check(pool),
        }
    };
    if status != LOCOX_OK {
        assert_eq!((lease, stranded), (BLANK, u32::MAX));
    }
    if spoiled {
        assert!(is_wrong(status), "{status:?} in call {kind}");
        return;
    }
    let same = |granted: SliceLease| {
        assert_eq!(plain(granted), plain_c(&lease));
        (LOCOX_OK, 0)
    };
    let mut told = Vec::new();
    let (asked, set) = (ProfileId(profile), SliceSet(slices));
    let no_slice = |slice: u8| (LOCOX_NO_SUCH_NODE, slice.into());
    let expected = match kind {
        0 => twin.allocate(asked).map_or_else(refused, same),
        1 => match twin.claim(asked, set) {
            Ok(granted) => same(granted),
            Err(Error::Refused(taken)) => (LOCOX_NOT_FREE, taken.0.into()),
            Err(Error::Misused(_)) => (LOCOX_BAD_ARGUMENT, 0),
        },
        2 => (release(twin, &of), 0),
        3 => match outage {
            1 | 2 => {
                let outage = if outage == 1 { Outage::Failed } else { Outage::Drained };
                let done = twin.withdraw(set, outage, |lease| told.push(plain(lease)));
                done.map_or_else(|no| no_slice(no.0), |()| (LOCOX_OK, 0))
            }
            _ => (LOCOX_BAD_ARGUMENT, 0),
        },
        4 => twin.repair(set).map_or_else(|no| no_slice(no.0), |()| (LOCOX_OK, 0)),
        5 => twin.would_fit(asked).map_or_else(refused, |()| (LOCOX_OK, 0)),
        6 => twin.stranded(asked).map_or((LOCOX_TOO_LARGE, 0), |it| {
            assert_eq!(it.0, stranded);
            (LOCOX_OK, 0)
        }),
        _ => (twin.check_invariants().map_or(LOCOX_INVARIANT_VIOLATION, |()| LOCOX_OK), 0),
    };
    assert!(hits.iter().map(plain_c).eq(told));
    assert_eq!(status, expected.0, "call {kind}");
    if status != LOCOX_OK && !to_detail.is_null() {
        assert_eq!(detail, expected.1, "detail of {status:?}");
    }
    if status == LOCOX_OK && kind < 2 {
        all.push(lease);
    }
}

fn release(twin: &mut SlicePool<'_>, of: &locox_slice_lease) -> locox_status {
    let own = (of.handle.pool, of.handle.epoch) == (1, 0);
    let found = twin.leases().find(|live| own && plain(*live) == plain_c(of));
    match found.map(|live| twin.release(live)) {
        Some(Ok(())) => LOCOX_OK,
        Some(Err(Misuse::Foreign)) => LOCOX_FOREIGN,
        Some(Err(_)) => LOCOX_STALE,
        None if of.handle.pool != 1 => LOCOX_FOREIGN,
        None => LOCOX_STALE,
    }
}

fn in_step(pool: &mut locox_slice_pool, table: Table<'_>, seed: u64) {
    let (mut dice, mut twin) = (Dice(seed), SlicePool::new(PoolId(1), table));
    let mut all = Vec::new();
    for _ in 0..calls() {
        step(&mut dice, pool, &mut twin, &mut all);
    }
    let mut expected = Vec::new();
    twin.export(|word| expected.push(word));
    let (mut written, mut image) = (0, vec![0u32; expected.len()]);
    let (words, len) = (image.as_mut_ptr(), image.len());
    // SAFETY: as the calls say.
    unsafe {
        assert_eq!(locox_slices_export(pool, words, len, &raw mut written, null_mut()), LOCOX_OK);
        assert_eq!((written, &image), (len, &expected));
        assert_eq!(locox_slices_restore(pool, image.as_ptr(), len, 1), LOCOX_OK);
        image[len - 1] ^= 1;
        assert_eq!(locox_slices_restore(pool, image.as_ptr(), len, 2), LOCOX_BAD_IMAGE);
    }
}

#[test]
fn a_pool_of_slices_answers_as_the_kernel_does_whatever_it_is_told() {
    let tables = [(LOCOX_A100, Table::A100), (LOCOX_H100, Table::H100), (LOCOX_A30, Table::A30)];
    for (seed, (number, table)) in (1..).zip(tables) {
        // SAFETY: zeroed is not started; as the calls say.
        let mut pool: locox_slice_pool = unsafe { std::mem::zeroed() };
        assert_eq!(unsafe { locox_slices_start(&raw mut pool, 1, number) }, LOCOX_OK);
        in_step(&mut pool, table, seed);
    }
}

#[test]
fn a_table_of_ones_own_is_as_good_and_a_wrong_one_is_none() {
    let (quarters, halves) = ([1u32, 2, 4, 8], [3u32, 12]);
    let of = |placements: &[u32]| locox_slice_profile {
        placements: placements.as_ptr(),
        count: placements.len(),
    };
    let start = |pool: &mut locox_slice_pool,
                 slices,
                 profiles: &[locox_slice_profile],
                 rows: &mut [locox_profile_row]| {
        let (of, count) = (profiles.as_ptr(), profiles.len());
        // SAFETY: as the call says.
        unsafe {
            let (rows, len) = (rows.as_mut_ptr(), rows.len());
            locox_slices_start_table(pool, 1, slices, of, count, rows, len, null_mut())
        }
    };
    // SAFETY: rows hold anything, and zeroed is not started.
    let (mut pool, mut rows): (locox_slice_pool, [locox_profile_row; 2]) =
        unsafe { std::mem::zeroed() };
    let profiles = [of(&quarters), of(&halves)];
    assert_eq!(start(&mut pool, 4, &profiles, &mut rows[..1]), LOCOX_TOO_SHORT);
    assert_eq!(start(&mut pool, 3, &profiles, &mut rows), LOCOX_WRONG_TABLE);
    assert_eq!(start(&mut pool, 4, &[of(&[1, 3])], &mut rows), LOCOX_WRONG_TABLE);
    assert_eq!(start(&mut pool, 4, &[], &mut rows), LOCOX_WRONG_TABLE);
    assert_eq!(start(&mut pool, 4, &profiles, &mut rows), LOCOX_OK);
    let (quarters, halves) = (quarters.map(SliceSet), halves.map(SliceSet));
    let profiles =
        [Profile { name: "", placements: &quarters }, Profile { name: "", placements: &halves }];
    in_step(&mut pool, Table::new(4, &profiles).unwrap(), 9);
}

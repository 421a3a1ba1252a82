//! Pools, under the free list and the buddy.

use crate::dice::{Dice, Spoiler, calls, is_spoiled, is_wrong};
use locox::cube::{Dim, Node, Subcube};
use locox::error::Error;
use locox::handle::{Epoch, Misuse, PoolId};
use locox::subcube::{Buddy, FreeList, Lease, Outage, Pool, Refusal, Strategy, words};
use locox_c::locox_status::{self, *};
use locox_c::*;
use std::ffi::c_void;
use std::ptr::null_mut;

const DIMS: u32 = 5;
const NODES: u64 = 1 << DIMS;
/// Of three bit vectors over the nodes.
const SCRATCH: usize = 3 * (NODES as usize).div_ceil(usize::BITS as usize);

/// The pool as C sees it.
struct Ours {
    pool: Box<locox_pool>,
    storage: Vec<usize>,
}

type Twin<T> = Pool<T, Vec<usize>>;

fn plain(lease: Lease) -> (u32, u32, u32) {
    (lease.handle().index(), lease.cube().mask(), lease.handle().generation().raw())
}

fn plain_c(lease: &locox_lease) -> (u32, u32, u32) {
    (lease.handle.index, lease.mask, lease.handle.generation)
}

fn refused(refusal: Refusal) -> (locox_status, u64) {
    match refusal {
        Refusal::TooLarge => (LOCOX_TOO_LARGE, 0),
        Refusal::Faulty => (LOCOX_FAULTY, 0),
        Refusal::TooFewFree { free, .. } => (LOCOX_TOO_FEW_FREE, free.into()),
        Refusal::Undecided => (LOCOX_UNDECIDED, 0),
        Refusal::Fragmented { largest } => (LOCOX_FRAGMENTED, largest.get().into()),
        other => panic!("{other:?} has no status"),
    }
}

fn misused(misuse: Misuse) -> locox_status {
    match misuse {
        Misuse::Foreign => LOCOX_FOREIGN,
        Misuse::Stale => LOCOX_STALE,
        other => panic!("{other:?} has no status"),
    }
}

unsafe extern "C" fn collect(lease: *const locox_lease, user: *mut c_void) {
    // SAFETY: the tests pass a vector, the library a lease.
    unsafe { (*user.cast::<Vec<locox_lease>>()).push(*lease) };
}

const BLANK: locox_lease = locox_lease {
    handle: locox_handle { index: 77, generation: 77, pool: 77, epoch: 77 },
    mask: 77,
    dims: 77,
};

fn nodes(dice: &mut Dice) -> Vec<u32> {
    let bound = if dice.one_in(10) { NODES + 3 } else { NODES };
    (0..dice.below(4)).map(|_| dice.number(bound)).collect()
}

/// One call of both, and whether they agree.
fn step<T: Strategy>(
    dice: &mut Dice,
    ours: &mut Ours,
    twin: &mut Twin<T>,
    all: &mut Vec<locox_lease>,
) {
    let before = ours.storage.clone();
    let (mut detail, mut lease) = (u64::MAX, BLANK);
    let kind = dice.below(11);
    let (dim, base, mask) = (dice.number(8), dice.number(NODES + 2), dice.number(NODES + 2));
    let (named, outage) = (nodes(dice), dice.number(4));
    let list: Vec<_> = named.iter().copied().map(Node).collect();
    let mut of = all.get(dice.below(all.len().max(1) as u64) as usize).copied().unwrap_or(BLANK);
    of.handle = dice.name(&[of.handle]);
    let mut hits: Vec<locox_lease> = Vec::new();
    let (mut scratch, mut stranded) = ([usize::MAX; SCRATCH], u32::MAX);
    let short = dice.one_in(9);
    let mut spoiler = Spoiler::new(dice);
    let pool = spoiler.pointer(&raw mut *ours.pool);
    let has_detail = matches!(kind, 0..=2 | 5..=9);
    let to_detail = if has_detail { spoiler.optional(&raw mut detail) } else { null_mut() };
    let to_lease = if kind < 4 { spoiler.pointer(&raw mut lease) } else { null_mut() };
    let from_lease = if kind == 4 { spoiler.pointer(&raw mut of) } else { null_mut() };
    let to_stranded = if kind == 9 { spoiler.pointer(&raw mut stranded) } else { null_mut() };
    let spoiled = spoiler.spoiled;
    let user = (&raw mut hits).cast::<c_void>();
    let (first, count) = (named.as_ptr(), named.len());

    // SAFETY: every pointer that is not spoiled points to what the call says.
    let status = unsafe {
        match kind {
            0 | 1 => locox_pool_allocate(pool, dim, to_lease, to_detail),
            2 => locox_pool_claim(pool, base, mask, to_lease, to_detail),
            3 => locox_pool_lease_at(pool, base, to_lease),
            4 => locox_pool_release(pool, from_lease),
            5 => locox_pool_withdraw(pool, first, count, outage, Some(collect), user, to_detail),
            6 => locox_pool_repair(pool, first, count, to_detail),
            7 => locox_pool_would_fit(pool, dim, to_detail),
            8 => locox_pool_claim_nodes(pool, first, count, Some(collect), user, to_detail),
            9 => {
                let len = SCRATCH - usize::from(short);
                locox_pool_stranded(pool, dim, scratch.as_mut_ptr(), len, to_stranded, to_detail)
            }
            _ => locox_pool_check(pool),
        }
    };
    if is_wrong(status) {
        assert!(before == ours.storage, "{status:?} changed the storage");
    }
    if status != LOCOX_OK {
        assert_eq!(lease, BLANK);
    }
    if spoiled {
        assert!(is_wrong(status), "{status:?} in call {kind}");
        return;
    }
    let expected = match kind {
        9 if short => (LOCOX_TOO_SHORT, SCRATCH as u64),
        9 => (LOCOX_OK, 0),
        _ => expected(twin, kind, (dim, base, mask), (&list, outage), of, &lease, &mut hits),
    };
    assert_eq!(status, expected.0, "call {kind}");
    if status != LOCOX_OK && !to_detail.is_null() {
        assert_eq!(detail, expected.1, "detail of {status:?}");
    }
    if status == LOCOX_OK && kind < 3 {
        all.push(lease);
    }
    if kind == 9 {
        let right = twin.stranded(Dim::new(dim as u8).unwrap(), &mut [0; SCRATCH]).unwrap();
        assert_eq!(
            (status == LOCOX_OK, stranded),
            if short { (false, u32::MAX) } else { (true, right) }
        );
    }
    all.extend(hits.iter().filter(|_| kind == 8));
}

/// What the kernel answers, and its leases against ours.
fn expected<T: Strategy>(
    twin: &mut Twin<T>,
    kind: u64,
    (dim, base, mask): (u32, u32, u32),
    (list, outage): (&[Node], u32),
    of: locox_lease,
    lease: &locox_lease,
    hits: &mut [locox_lease],
) -> (locox_status, u64) {
    let same = |granted: Lease| {
        assert_eq!(plain(granted), plain_c(lease));
        (LOCOX_OK, 0)
    };
    let mut told = Vec::new();
    let answer = match kind {
        0 | 1 => twin.allocate(Dim::new(dim as u8).unwrap()).map_or_else(refused, same),
        2 => match Subcube::new(twin.dims(), Node(base), mask) {
            None => (LOCOX_NO_SUCH_NODE, (base | mask).into()),
            Some(cube) => match twin.claim(cube) {
                Ok(granted) => same(granted),
                Err(Error::Refused(taken)) => (LOCOX_NOT_FREE, taken.0.0.into()),
                Err(Error::Misused(node)) => (LOCOX_NO_SUCH_NODE, node.0.0.into()),
            },
        },
        3 => twin.lease_at(Node(base)).map_or((LOCOX_NONE, 0), same),
        4 => {
            // By its numbers, among those that are live.
            let found = twin.leases().find(|live| {
                plain(*live) == plain_c(&of)
                    && of.dims == DIMS
                    && (of.handle.pool, of.handle.epoch) == (1, 0)
            });
            match found {
                Some(live) => (twin.release(live).map_or_else(misused, |()| LOCOX_OK), 0),
                None if of.dims != DIMS || of.handle.index as u64 >= NODES => (LOCOX_FOREIGN, 0),
                None if of.handle.index & of.mask != 0 => (LOCOX_FOREIGN, 0),
                None if of.handle.pool != 1 => (LOCOX_FOREIGN, 0),
                None => (LOCOX_STALE, 0),
            }
        }
        5 => match outage {
            1 | 2 => {
                let outage = if outage == 1 { Outage::Failed } else { Outage::Drained };
                let done = twin.withdraw(list, outage, |lease| told.push(plain(lease)));
                done.map_or_else(|no| (LOCOX_NO_SUCH_NODE, no.0.0.into()), |()| (LOCOX_OK, 0))
            }
            _ => (LOCOX_BAD_ARGUMENT, 0),
        },
        6 => twin
            .repair(list)
            .map_or_else(|no| (LOCOX_NO_SUCH_NODE, no.0.0.into()), |()| (LOCOX_OK, 0)),
        7 => twin.would_fit(Dim::new(dim as u8).unwrap()).map_or_else(refused, |()| (LOCOX_OK, 0)),
        8 => match twin.claim_nodes(list, |lease| told.push(plain(lease))) {
            Ok(()) => (LOCOX_OK, 0),
            Err(Error::Refused(taken)) => (LOCOX_NOT_FREE, taken.0.0.into()),
            Err(Error::Misused(node)) => (LOCOX_NO_SUCH_NODE, node.0.0.into()),
        },
        _ => (twin.check_invariants().map_or(LOCOX_INVARIANT_VIOLATION, |()| LOCOX_OK), 0),
    };
    assert!(hits.iter().map(plain_c).eq(told));
    answer
}

type Start =
    unsafe extern "C" fn(*mut locox_pool, u16, u32, *mut usize, usize, *mut u64) -> locox_status;

fn in_step<T: Strategy>(start: Start, seed: u64) {
    let mut dice = Dice(seed);
    let needed = words::<T>(DIMS as u8);
    // What it held does not matter.
    let mut ours = Ours {
        // SAFETY: zeroed is not started.
        pool: Box::new(unsafe { std::mem::zeroed() }),
        storage: vec![usize::MAX / 3; needed],
    };
    // SAFETY: as the call says.
    let status = unsafe {
        start(&raw mut *ours.pool, 1, DIMS, ours.storage.as_mut_ptr(), needed, null_mut())
    };
    assert_eq!(status, LOCOX_OK);
    let mut twin =
        Twin::<T>::new(PoolId(1), Dim::new(DIMS as u8).unwrap(), vec![0; needed]).unwrap();
    let mut all = Vec::new();
    for _ in 0..calls() {
        step(&mut dice, &mut ours, &mut twin, &mut all);
    }
    compare_images(&mut ours, &mut twin);
}

fn compare_images<T: Strategy>(ours: &mut Ours, twin: &mut Twin<T>) {
    let mut expected = Vec::new();
    twin.export(|word| expected.push(word));
    let (mut written, mut detail) = (0, 0);
    let mut image = vec![0u32; expected.len()];
    let pool = &raw mut *ours.pool;
    // SAFETY: as the calls say.
    unsafe {
        let short = image.len() - 1;
        let status =
            locox_pool_export(pool, image.as_mut_ptr(), short, &raw mut written, &raw mut detail);
        assert_eq!((status, written, detail), (LOCOX_TOO_SHORT, 0, image.len() as u64));
        let status = locox_pool_export(
            pool,
            image.as_mut_ptr(),
            image.len(),
            &raw mut written,
            &raw mut detail,
        );
        assert_eq!((status, written), (LOCOX_OK, image.len()));
        assert_eq!(image, expected);
        assert_eq!(locox_pool_restore(pool, image.as_ptr(), 3, 1), LOCOX_BAD_IMAGE);
        assert_eq!(locox_pool_restore(pool, [7; 30].as_ptr(), 30, 1), LOCOX_NO_IMAGE);
        assert_eq!(locox_pool_restore(pool, image.as_ptr(), image.len(), 1), LOCOX_OK);
        twin.restore(expected, Epoch(1)).unwrap();
        assert_eq!(locox_pool_check(pool), LOCOX_OK);
        let last = image.len() - 1;
        image[last] ^= 1;
        assert_eq!(locox_pool_restore(pool, image.as_ptr(), image.len(), 2), LOCOX_BAD_IMAGE);
    }
}

#[test]
fn a_pool_answers_as_the_kernel_does_whatever_it_is_told() {
    in_step::<FreeList>(locox_pool_start_free_list, 1);
    in_step::<Buddy>(locox_pool_start_buddy, 2);
}

#[test]
fn a_pool_is_not_started_in_storage_that_is_too_short_or_misaligned() {
    let mut dice = Dice(3);
    let needed = words::<FreeList>(DIMS as u8);
    for _ in 0..1000 {
        // SAFETY: zeroed is not started.
        let mut pool: locox_pool = unsafe { std::mem::zeroed() };
        let mut storage = vec![7usize; needed];
        let (mut free, mut detail) = (0, 0);
        let mut spoiler = Spoiler::new(&mut dice);
        let (len, short) = spoiler.length(needed);
        let words = spoiler.pointer(storage.as_mut_ptr());
        let spoiled = spoiler.spoiled;
        // SAFETY: every pointer that is not spoiled points to what the call says.
        unsafe {
            let place = &raw mut pool;
            let status = locox_pool_start_free_list(place, 1, DIMS, words, len, &raw mut detail);
            assert_eq!(is_spoiled(status), spoiled);
            if short && !spoiled {
                assert_eq!((status, detail), (LOCOX_TOO_SHORT, needed as u64));
            }
            if status != LOCOX_OK {
                assert!(storage.iter().all(|&word| word == 7));
                assert_eq!(locox_pool_free(place, &raw mut free), LOCOX_NOT_STARTED);
            }
        }
    }
}

/// Comes back to the pool that calls it.
unsafe extern "C" fn come_back(lease: *const locox_lease, user: *mut c_void) {
    let pool = user.cast::<locox_pool>();
    // SAFETY: the test passes its pool.
    unsafe {
        assert_eq!(locox_pool_release(pool, lease), LOCOX_REENTERED);
        let mut free = 0;
        assert_eq!(locox_pool_free(pool, &raw mut free), LOCOX_REENTERED);
        let mut storage = [0; 8];
        let status =
            locox_pool_start_buddy(pool, 1, 1, storage.as_mut_ptr(), storage.len(), null_mut());
        assert_eq!(status, LOCOX_REENTERED);
    }
}

#[test]
fn a_callback_that_comes_back_is_turned_away() {
    let mut storage = vec![0; words::<FreeList>(3)];
    // SAFETY: as the calls say.
    unsafe {
        let mut pool: locox_pool = std::mem::zeroed();
        let pool = &raw mut pool;
        let (mut lease, node) = (BLANK, 1);
        let start = locox_pool_start_free_list;
        assert_eq!(start(pool, 1, 3, storage.as_mut_ptr(), storage.len(), null_mut()), LOCOX_OK);
        assert_eq!(locox_pool_allocate(pool, 2, &raw mut lease, null_mut()), LOCOX_OK);
        let hit = Some(come_back as unsafe extern "C" fn(_, _));
        let status = locox_pool_withdraw(
            pool,
            &raw const node,
            1,
            LOCOX_FAILED,
            hit,
            pool.cast(),
            null_mut(),
        );
        assert_eq!(status, LOCOX_OK);
        assert_eq!(locox_pool_release(pool, &raw const lease), LOCOX_OK);
    }
}

/// All nodes with 0 or 10 ones in their addresses are leased; then the second lease is released.
#[test]
fn figures_of_18_dimensions_name_what_would_be_granted() {
    let mut storage = vec![0; words::<FreeList>(18)];
    // SAFETY: as the calls say.
    unsafe {
        let mut pool: locox_pool = std::mem::zeroed();
        let pool = &raw mut pool;
        let (start, len) = (locox_pool_start_free_list, storage.len());
        assert_eq!(start(pool, 1, 18, storage.as_mut_ptr(), len, null_mut()), LOCOX_OK);
        let mut lease = BLANK;
        for node in (0..1u32 << 18).filter(|node| node.count_ones() % 10 == 0) {
            let mut other = BLANK;
            let to = if node == 1023 { &raw mut lease } else { &raw mut other };
            assert_eq!(locox_pool_claim(pool, node, 0, to, null_mut()), LOCOX_OK);
        }
        assert_eq!(locox_pool_release(pool, &raw const lease), LOCOX_OK);
        let fits = |dim: &i32| locox_pool_would_fit(pool, *dim as u32, null_mut()) == LOCOX_OK;
        let mut stats: locox_pool_stats = std::mem::zeroed();
        assert_eq!(locox_pool_figures(pool, &raw mut stats), LOCOX_OK);
        assert_eq!(Some(stats.largest), (0..=18).rev().find(fits));
    }
}

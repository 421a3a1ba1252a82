//! Pools of boxes, on a torus and on a machine of a line and a ring with steps.

use crate::dice::{Dice, Spoiler, calls, is_wrong};
use locox::cube::Node;
use locox::error::Error;
use locox::grid::{
    Anchors, BoxLease, BoxRequest, Cuboid, Grid, GridPool, Leftover, NoPlan, Outage, Placement,
    Refusal, Sides, words,
};
use locox::handle::{Epoch, Misuse, PoolId};
use locox_c::locox_status::{self, *};
use locox_c::*;
use std::ffi::c_void;
use std::ptr::{null, null_mut};

/// The pool as C sees it.
struct Ours {
    pool: Box<locox_grid_pool>,
    storage: Vec<u64>,
}

type Twin = GridPool<Vec<u64>>;
type Plain = (u32, u32, [u8; 4]);

fn plain(lease: BoxLease) -> Plain {
    (lease.handle().index(), lease.handle().generation().raw(), lease.cuboid().sides().into())
}

fn plain_c(lease: &locox_box_lease) -> Plain {
    (lease.handle.index, lease.handle.generation, lease.sides.sides)
}

fn refused(refusal: Refusal) -> (locox_status, u64) {
    match refusal {
        Refusal::TooLarge => (LOCOX_TOO_LARGE, 0),
        Refusal::Faulty => (LOCOX_FAULTY, 0),
        Refusal::TooFewFree { free, .. } => (LOCOX_TOO_FEW_FREE, free.into()),
        Refusal::Fragmented => (LOCOX_FRAGMENTED, 0),
        other => panic!("{other:?} has no status"),
    }
}

fn no_plan(why: NoPlan) -> (locox_status, u64) {
    match why {
        NoPlan::Refused(refusal) => refused(refusal),
        NoPlan::Impossible => (LOCOX_NONE, 0),
        NoPlan::Undecided => (LOCOX_UNDECIDED, 0),
        other => panic!("{other:?} has no status"),
    }
}

unsafe extern "C" fn collect(lease: *const locox_box_lease, user: *mut c_void) {
    // SAFETY: the tests pass a vector, the library a lease.
    unsafe { (*user.cast::<Vec<locox_box_lease>>()).push(*lease) };
}

const BLANK: locox_box_lease = locox_box_lease {
    handle: locox_handle { index: 77, generation: 77, pool: 77, epoch: 77 },
    sides: locox_sides { sides: [77; 4] },
};

/// Sides that fit most often, and now and then none.
fn sides(dice: &mut Dice) -> locox_sides {
    let mut side = |most: u64| 1 + dice.beyond(most) as u8;
    let mut sides = [side(3), side(3), side(2), 1];
    if dice.one_in(40) {
        sides[dice.below(4) as usize] = 0;
    }
    locox_sides { sides }
}

/// The request as the kernel has it; `None` if it is none.
fn request<'a>(asked: &locox_box_request, given: &'a [Sides]) -> Option<BoxRequest<'a>> {
    match (asked.kind, given) {
        (LOCOX_BOX_NODES, _) => Some(BoxRequest::Nodes(asked.nodes)),
        _ if given.len() != asked.count => None,
        (LOCOX_BOX_FIXED, &[sides]) => Some(BoxRequest::Fixed(sides)),
        (LOCOX_BOX_TURNED, &[sides]) => Some(BoxRequest::Turned(sides)),
        (LOCOX_BOX_ANY_OF, given) => Some(BoxRequest::AnyOf(given)),
        _ => None,
    }
}

/// One call of both, and whether they agree.
fn step(dice: &mut Dice, ours: &mut Ours, twin: &mut Twin, all: &mut Vec<locox_box_lease>) {
    let nodes = u64::from(twin.grid().nodes());
    let before = ours.storage.clone();
    let (mut detail, mut lease, mut stranded) = (u64::MAX, BLANK, u32::MAX);
    let kind = dice.below(10);
    let shapes: Vec<_> = (0..1 + dice.below(2)).map(|_| sides(dice)).collect();
    let asked = locox_box_request {
        kind: dice.beyond(4),
        nodes: dice.number(nodes + 2),
        shapes: shapes.as_ptr(),
        count: if dice.one_in(3) { shapes.len() } else { 1 },
    };
    let given: Vec<_> =
        shapes.iter().take(asked.count).filter_map(|it| Sides::new(&it.sides)).collect();
    let (origin, outage) = (dice.number(nodes + 1), dice.number(4));
    let bound = if dice.one_in(10) { nodes + 3 } else { nodes };
    let named: Vec<u32> = (0..dice.below(4)).map(|_| dice.number(bound)).collect();
    let list: Vec<_> = named.iter().copied().map(Node).collect();
    let mut of = all.get(dice.below(all.len().max(1) as u64) as usize).copied().unwrap_or(BLANK);
    of.handle = dice.name(&[of.handle]);
    let mut hits: Vec<locox_box_lease> = Vec::new();
    let (mut scratch, mut moves, mut count) = (vec![7; nodes as usize], [MOVE; 2], usize::MAX);
    let mut spoiler = Spoiler::new(dice);
    let pool = spoiler.pointer(&raw mut *ours.pool);
    let has_detail = !matches!(kind, 2 | 3 | 7 | 9);
    let to_detail = if has_detail { spoiler.optional(&raw mut detail) } else { null_mut() };
    let to_lease = if kind < 3 { spoiler.pointer(&raw mut lease) } else { null_mut() };
    let from_lease = if kind == 3 { spoiler.pointer(&raw mut of) } else { null_mut() };
    let spoiled = spoiler.spoiled;
    let user = (&raw mut hits).cast::<c_void>();
    let (first, len) = (named.as_ptr(), named.len());

    // SAFETY: every pointer that is not spoiled points to what the call says.
    let status = unsafe {
        match kind {
            0 => locox_grid_allocate(pool, &raw const asked, to_lease, to_detail),
            1 => locox_grid_claim(pool, origin, shapes.as_ptr(), to_lease, to_detail),
            2 => locox_grid_lease_at(pool, origin, to_lease),
            3 => locox_grid_release(pool, from_lease),
            4 => locox_grid_withdraw(pool, first, len, outage, Some(collect), user, to_detail),
            5 => locox_grid_repair(pool, first, len, to_detail),
            6 => locox_grid_would_fit(pool, &raw const asked, to_detail),
            7 => locox_grid_stranded(pool, &raw const asked, &raw mut stranded),
            8 => locox_grid_defragment(
                pool,
                &raw const asked,
                moves.len(),
                300,
                scratch.as_mut_ptr(),
                scratch.len(),
                moves.as_mut_ptr(),
                &raw mut count,
                to_detail,
            ),
            _ => locox_grid_check(pool),
        }
    };
    if is_wrong(status) {
        assert!(before == ours.storage, "{status:?} changed the storage");
    }
    if status != LOCOX_OK {
        assert_eq!((lease, stranded, count), (BLANK, u32::MAX, usize::MAX));
    }
    if spoiled {
        assert!(is_wrong(status), "{status:?} in call {kind}");
        return;
    }
    let same = |granted: BoxLease| {
        assert_eq!(plain(granted), plain_c(&lease));
        (LOCOX_OK, 0)
    };
    let mut told = Vec::new();
    let wrong = (LOCOX_BAD_ARGUMENT, 0);
    let expected = match kind {
        0 => {
            request(&asked, &given).map_or(wrong, |it| twin.allocate(it).map_or_else(refused, same))
        }
        1 => match Sides::new(&shapes[0].sides) {
            None => wrong,
            Some(sides) => match Cuboid::new(twin.grid(), Node(origin), sides) {
                None => (LOCOX_NO_SUCH_NODE, origin.into()),
                Some(place) => match twin.claim(place) {
                    Ok(granted) => same(granted),
                    Err(Error::Refused(taken)) => (LOCOX_NOT_FREE, taken.0.0.into()),
                    Err(Error::Misused(node)) => (LOCOX_NO_SUCH_NODE, node.0.0.into()),
                },
            },
        },
        2 => twin.lease_at(Node(origin)).map_or((LOCOX_NONE, 0), same),
        3 => (release(twin, &of), 0),
        4 => match outage {
            1 | 2 => {
                let outage = if outage == 1 { Outage::Failed } else { Outage::Drained };
                let done = twin.withdraw(&list, outage, |lease| told.push(plain(lease)));
                done.map_or_else(|no| (LOCOX_NO_SUCH_NODE, no.0.0.into()), |()| (LOCOX_OK, 0))
            }
            _ => wrong,
        },
        5 => twin
            .repair(&list)
            .map_or_else(|no| (LOCOX_NO_SUCH_NODE, no.0.0.into()), |()| (LOCOX_OK, 0)),
        6 => request(&asked, &given)
            .map_or(wrong, |it| twin.would_fit(it).map_or_else(refused, |()| (LOCOX_OK, 0))),
        7 => request(&asked, &given).map_or(wrong, |it| {
            assert_eq!(twin.stranded(it), stranded);
            (LOCOX_OK, 0)
        }),
        8 => match request(&asked, &given) {
            None => wrong,
            Some(it) => match twin.defragment(it, 2, 300, &mut vec![0; nodes as usize]) {
                Ok(plan) => {
                    let planned: Vec<_> = plan.moves().collect();
                    assert_eq!(planned.len(), count);
                    for (one, other) in planned.iter().zip(&moves) {
                        let said = (one.from.origin().0, one.to.origin().0);
                        assert_eq!(said, (other.from, other.to));
                        assert_eq!(<[u8; 4]>::from(one.from.sides()), other.sides.sides);
                    }
                    (LOCOX_OK, 0)
                }
                Err(Error::Refused(why)) => no_plan(why),
                Err(Error::Misused(short)) => panic!("{short}"),
            },
        },
        _ => (twin.check_invariants().map_or(LOCOX_INVARIANT_VIOLATION, |()| LOCOX_OK), 0),
    };
    assert!(hits.iter().map(plain_c).eq(told));
    assert_eq!(status, expected.0, "call {kind} of {asked:?}");
    if status != LOCOX_OK && !to_detail.is_null() {
        assert_eq!(detail, expected.1, "detail of {status:?}");
    }
    if status == LOCOX_OK && kind < 2 {
        all.push(lease);
    }
}

const MOVE: locox_box_move =
    locox_box_move { from: 77, to: 77, sides: locox_sides { sides: [77; 4] } };

/// What is to be said of a lease that comes back, and the twin's state after it.
fn release(twin: &mut Twin, of: &locox_box_lease) -> locox_status {
    let own = (of.handle.pool, of.handle.epoch) == (1, 0);
    let found = twin.leases().find(|live| own && plain(*live) == plain_c(of));
    if let Some(live) = found {
        return match twin.release(live) {
            Ok(()) => LOCOX_OK,
            Err(Misuse::Foreign) => LOCOX_FOREIGN,
            Err(_) => LOCOX_STALE,
        };
    }
    let sides = Sides::new(&of.sides.sides);
    let place = sides.and_then(|it| Cuboid::new(twin.grid(), Node(of.handle.index), it));
    let begins = place.is_some_and(|place| place.origin().0 == of.handle.index);
    if begins && of.handle.pool == 1 { LOCOX_STALE } else { LOCOX_FOREIGN }
}

fn in_step(machine: locox_grid, placement: u32, steps: Option<locox_anchors>, seed: u64) {
    let mut dice = Dice(seed);
    // SAFETY: it points to a machine.
    let needed = unsafe { locox_grid_words(&raw const machine) };
    let mut ours = Ours {
        // SAFETY: zeroed is not started.
        pool: Box::new(unsafe { std::mem::zeroed() }),
        storage: vec![u64::MAX / 3; needed],
    };
    let anchors = steps.as_ref().map_or(null(), |it| it as *const _);
    let start = |len: usize, ours: &mut Ours| {
        let (pool, storage) = (&raw mut *ours.pool, ours.storage.as_mut_ptr());
        let mut detail = 0;
        // SAFETY: as the call says.
        let status = unsafe {
            let grid = &raw const machine;
            locox_grid_start(pool, 1, grid, placement, anchors, 1, storage, len, &raw mut detail)
        };
        (status, detail)
    };
    assert_eq!(start(needed - 1, &mut ours), (LOCOX_TOO_SHORT, needed as u64));
    assert_eq!(start(needed, &mut ours), (LOCOX_OK, 0));
    let text = |at: usize| {
        let ring = if machine.rings >> at & 1 == 1 { "r" } else { "" };
        format!("{}{ring}", machine.sides[at])
    };
    let grid: Grid = format!("mesh:{}x{}x{}", text(0), text(1), text(2)).parse().unwrap();
    assert_eq!(words(grid), needed);
    let placement = Placement::ALL[placement as usize];
    let anchors = steps.map_or(Anchors::Any, |it| Anchors::Steps {
        step: it.step,
        offset: it.offset,
        leftover: Leftover::Reused,
    });
    let twin = Twin::new(PoolId(1), grid, vec![0; needed], placement, anchors).unwrap();
    let mut twin = twin.isolating();
    let mut all = Vec::new();
    for _ in 0..calls() {
        step(&mut dice, &mut ours, &mut twin, &mut all);
    }
    compare_images(&mut ours, &mut twin);
}

fn compare_images(ours: &mut Ours, twin: &mut Twin) {
    let mut expected = Vec::new();
    twin.export(|word| expected.push(word));
    let (mut written, mut detail) = (0, 0);
    let mut image = vec![0u32; expected.len()];
    let (pool, words, len) = (&raw mut *ours.pool, image.as_mut_ptr(), image.len());
    // SAFETY: as the calls say.
    unsafe {
        let status = locox_grid_export(pool, words, len - 1, &raw mut written, &raw mut detail);
        assert_eq!((status, written, detail), (LOCOX_TOO_SHORT, 0, len as u64));
        let status = locox_grid_export(pool, words, len, &raw mut written, &raw mut detail);
        assert_eq!((status, written), (LOCOX_OK, len));
        assert_eq!(image, expected);
        assert_eq!(locox_grid_restore(pool, [7; 30].as_ptr(), 30, 1), LOCOX_NO_IMAGE);
        assert_eq!(locox_grid_restore(pool, image.as_ptr(), len, 1), LOCOX_OK);
        twin.restore(expected, Epoch(1)).unwrap();
        assert_eq!(locox_grid_check(pool), LOCOX_OK);
        image[len - 1] ^= 1;
        assert_eq!(locox_grid_restore(pool, image.as_ptr(), len, 2), LOCOX_BAD_IMAGE);
    }
}

#[test]
fn a_pool_of_boxes_answers_as_the_kernel_does_whatever_it_is_told() {
    let torus = locox_grid { sides: [5, 4, 3, 1], rings: 0b111 };
    in_step(torus, LOCOX_BOX_FEWEST, None, 1);
    in_step(torus, LOCOX_BOX_CORNER, None, 2);
    let steps =
        locox_anchors { step: [2, 3, 1, 1], offset: [0; 4], leftover: LOCOX_LEFTOVER_REUSED };
    in_step(locox_grid { sides: [8, 6, 1, 1], rings: 0b10 }, LOCOX_BOX_FIRST, Some(steps), 3);
}

#[test]
fn what_is_no_machine_is_none() {
    for (sides, rings) in
        [([0, 1, 1, 1], 0), ([65, 1, 1, 1], 0), ([64, 64, 64, 1], 7), ([4; 4], 16)]
    {
        let grid = locox_grid { sides, rings };
        let mut storage = vec![0; 4096];
        // SAFETY: as the calls say.
        unsafe {
            assert_eq!(locox_grid_words(&raw const grid), 0);
            let mut pool: locox_grid_pool = std::mem::zeroed();
            let (pool, len) = (&raw mut pool, storage.len());
            let words = storage.as_mut_ptr();
            let status =
                locox_grid_start(pool, 1, &raw const grid, 0, null(), 0, words, len, null_mut());
            assert_eq!(status, LOCOX_BAD_ARGUMENT);
        }
    }
    // SAFETY: null is no machine.
    assert_eq!(unsafe { locox_grid_words(null()) }, 0);
}

//! Pools of nodes that jobs share, of any placement.

use crate::dice::{Dice, NOBODY, Spoiler, calls, handle_of, is_wrong, misnamed, name_of};
use locox::bits::Word;
use locox::cube::Node;
use locox::handle::PoolId;
use locox::nodes::*;
use locox_c::locox_status::{self, *};
use locox_c::*;
use std::ffi::c_void;
use std::ptr::{null, null_mut};

const W: usize = LOCOX_NODES_MOST.div_ceil(Word::BITS) as usize;
const ROWS: usize = 6;
const CLASSES: [[u32; 8]; 3] =
    [[8, 16, 0, 0, 0, 0, 0, 0], [4, 32, 3, 0, 0, 0, 0, 1], [1, u32::MAX, 1, 0, 0, 0, 0, 0]];
const CLASS_OF: [u8; 6] = [0, 0, 1, 1, 2, 0];
const COMMON: [u32; 8] = [0, 3, 0, 0, 0, 0, 0, 0];
const PARTS: u32 = 4;
const NOTHING: locox_amounts = locox_amounts { of: [0; 8] };

type Twin<'n> = NodePool<'n, W, Vec<NodeRow<W>>, Vec<u32>>;

fn twin(classes: &[Amounts], placement: u32) -> Twin<'_> {
    let placement = [Placement::First, Placement::Best, Placement::Fewest][placement as usize];
    let machine = Nodes::new(classes, &CLASS_OF, placement).unwrap();
    let machine = machine.with_common(Amounts::of(&COMMON)).with_parts(2, PARTS).unwrap();
    let machine = machine.keeping(2);
    let words = vec![0; machine.pool_words()];
    NodePool::new(PoolId(1), machine, vec![NodeRow::EMPTY; ROWS], words).unwrap()
}

fn machine(classes: &[locox_amounts], placement: u32) -> locox_nodes {
    locox_nodes {
        classes: classes.as_ptr(),
        class_count: classes.len(),
        class_of: CLASS_OF.as_ptr(),
        count: CLASS_OF.len(),
        common: locox_amounts { of: COMMON },
        placement,
        keep: 2,
        device: 2,
        parts: PARTS,
    }
}

fn refused(refusal: Refusal) -> (locox_status, u64) {
    match refusal {
        Refusal::NoPlace => (LOCOX_NO_PLACE, 0),
        Refusal::Faulty => (LOCOX_FAULTY, 0),
        Refusal::TooFewFree { free, .. } => (LOCOX_TOO_FEW_FREE, free.into()),
        Refusal::Fragmented => (LOCOX_FRAGMENTED, 0),
        Refusal::Full => (LOCOX_FULL, 0),
        other => panic!("{other:?} has no status"),
    }
}

fn plain(lease: &NodeLease<W>) -> locox_node_lease {
    let (parts, device) = lease.place().part().unwrap_or((0, 0));
    let nodes: Vec<u32> = lease.place().nodes().map(|it| it.0).collect();
    locox_node_lease {
        handle: name_of(lease.handle()),
        node: nodes[0],
        nodes: nodes.len() as u32,
        parts,
        device,
    }
}

unsafe extern "C" fn collect(lease: *const locox_node_lease, user: *mut c_void) {
    // SAFETY: the tests pass a vector, the library a lease.
    unsafe { (*user.cast::<Vec<locox_node_lease>>()).push(*lease) };
}

const BLANK: locox_node_lease =
    locox_node_lease { handle: NOBODY, node: 77, nodes: 77, parts: 77, device: 77 };

/// A small number, or now and then any.
fn amount(dice: &mut Dice, bound: u64) -> u32 {
    if dice.one_in(60) { u32::MAX - dice.number(2) } else { dice.number(bound) }
}

fn asked(dice: &mut Dice, allowed: &[usize]) -> locox_node_request {
    let (mut amounts, mut common) = (NOTHING, NOTHING);
    amounts.of = [amount(dice, 4).max(1), amount(dice, 9), amount(dice, 2), 0, 0, 0, 0, 0];
    common.of[1] = amount(dice, 2);
    if dice.one_in(60) {
        common.of[7] = 1;
        amounts.of[7] = amount(dice, 3);
    }
    locox_node_request {
        kind: dice.beyond(3),
        count: amount(dice, 5),
        most: amount(dice, 5),
        exclusive: u32::from(dice.one_in(6)),
        amounts,
        common,
        classes: if dice.one_in(2) { 0 } else { dice.below(9) },
        allowed: allowed.as_ptr(),
        allowed_len: if dice.one_in(2) { 0 } else { allowed.len() },
    }
}

fn request<'n>(it: &locox_node_request, allowed: &'n [usize]) -> Option<NodeRequest<'n>> {
    let amounts = Amounts::of(&it.amounts.of);
    let request = match it.kind {
        LOCOX_NODES_EACH => NodeRequest::of(it.count, amounts).up_to(it.most),
        LOCOX_NODES_TASKS => NodeRequest::tasks(it.count, amounts),
        LOCOX_NODES_PART => NodeRequest::part(it.count, amounts),
        _ => return None,
    };
    let classes = if it.classes == 0 { u64::MAX } else { it.classes };
    let request = request.in_classes(classes).with_common(Amounts::of(&it.common.of));
    let request = request.among(&allowed[..it.allowed_len]);
    Some(if it.exclusive > 0 { request.exclusive() } else { request })
}

/// One call of both, and whether they agree.
fn step(
    dice: &mut Dice,
    pool: &mut locox_node_pool,
    twin: &mut Twin<'_>,
    all: &mut Vec<locox_handle>,
) {
    let (mut detail, mut lease, mut free) = (u64::MAX, BLANK, NOTHING);
    let (mut state, mut number) = (locox_node_state { leased: 77, outage: 77 }, 77);
    let (mut nodes, mut count) = ([77u32; 6], 77);
    let kind = dice.below(12);
    let allowed = [dice.below(80) as usize];
    let mut of = asked(dice, &allowed);
    let mut name = dice.name(all);
    let mut named = [dice.beyond(6), dice.beyond(6)];
    let (outage, node, device) = (dice.number(4), dice.beyond(6), dice.beyond(4));
    let (len, _) = Spoiler::new(dice).length(6);
    let mut hits: Vec<locox_node_lease> = Vec::new();
    let user = (&raw mut hits).cast::<c_void>();

    let mut spoiler = Spoiler::new(dice);
    let pool = spoiler.pointer(&raw mut *pool);
    let mut to_detail = null_mut();
    if !matches!(kind, 2..=4 | 10 | 11) {
        to_detail = spoiler.optional(&raw mut detail);
    }
    let from = if kind < 3 { spoiler.pointer(&raw mut of) } else { null_mut() };
    let of_name = if matches!(kind, 3..=5) { spoiler.pointer(&raw mut name) } else { null_mut() };
    let to_lease = if matches!(kind, 0 | 4) { spoiler.pointer(&raw mut lease) } else { null_mut() };
    let list = if matches!(kind, 6 | 7) { spoiler.pointer(named.as_mut_ptr()) } else { null_mut() };
    let to_free = if matches!(kind, 9 | 10) { spoiler.pointer(&raw mut free) } else { null_mut() };
    let spoiled = spoiler.spoiled;

    // SAFETY: every pointer that is not spoiled points to what the call says.
    let status = unsafe {
        match kind {
            0 => locox_nodes_allocate(pool, from, to_lease, to_detail),
            1 => locox_nodes_would_fit(pool, from, to_detail),
            2 => locox_nodes_learn(pool, from),
            3 => locox_nodes_release(pool, of_name),
            4 => locox_nodes_lease(pool, of_name, to_lease),
            5 => locox_nodes_of(pool, of_name, nodes.as_mut_ptr(), len, &raw mut count, to_detail),
            6 => locox_nodes_withdraw(pool, list, 2, outage, Some(collect), user, to_detail),
            7 => locox_nodes_repair(pool, list, 2, to_detail),
            8 => {
                let status = locox_nodes_node(pool, node, &raw mut state, to_detail);
                if status == LOCOX_OK {
                    let parts = &raw mut number;
                    assert_eq!(
                        locox_nodes_free_parts(pool, node, device, parts, null_mut()),
                        LOCOX_OK
                    );
                }
                status
            }
            9 => locox_nodes_free(pool, node, to_free, to_detail),
            10 => locox_nodes_free_common(pool, to_free),
            _ => locox_nodes_check(pool),
        }
    };
    if status != LOCOX_OK {
        assert_eq!((lease, free, number, count), (BLANK, NOTHING, 77, 77));
    }
    if spoiled {
        assert!(is_wrong(status), "{status:?} in call {kind}");
        return;
    }
    let done = (LOCOX_OK, 0);
    let (asked, handle) = (request(&of, &allowed), handle_of(name));
    let nodes_named = named.map(Node);
    let no_node = |no: NoSuchNode| (LOCOX_NO_SUCH_NODE, no.0.0.into());
    let mut told = Vec::new();
    let expected = match (kind, asked) {
        (0..=2, None) => (LOCOX_BAD_ARGUMENT, 0),
        (0, Some(of)) => twin.allocate(&of).map_or_else(refused, |granted| {
            assert_eq!(plain(&granted), lease);
            all.push(lease.handle);
            done
        }),
        (1, Some(of)) => twin.would_fit(&of).map_or_else(refused, |_| done),
        (2, Some(of)) => {
            twin.learn(&of);
            done
        }
        (3..=5, _) => match twin.lease(handle) {
            Err(misuse) => (misnamed(misuse), 0),
            Ok(live) if kind == 3 => {
                twin.release(live).unwrap();
                done
            }
            Ok(live) if kind == 4 => {
                assert_eq!(plain(&live), lease);
                done
            }
            Ok(live) => {
                let own: Vec<u32> = live.place().nodes().map(|it| it.0).collect();
                if own.len() > len {
                    (LOCOX_TOO_SHORT, own.len() as u64)
                } else {
                    assert_eq!(&nodes[..count], own);
                    done
                }
            }
        },
        (6, _) => match outage {
            1 | 2 => {
                let outage = if outage == 1 { Outage::Failed } else { Outage::Drained };
                let hit = twin.withdraw(&nodes_named, outage, |lease| told.push(plain(&lease)));
                hit.map_or_else(no_node, |()| done)
            }
            _ => (LOCOX_BAD_ARGUMENT, 0),
        },
        (7, _) => twin.repair(&nodes_named).map_or_else(no_node, |()| done),
        (8, _) => twin.state(Node(node)).map_or_else(no_node, |it| {
            let outage = it.outage.map_or(0, |it| if it == Outage::Failed { 1 } else { 2 });
            assert_eq!((state.leased, state.outage), (it.leased.into(), outage));
            assert_eq!(twin.free_parts(Node(node), device), Ok(number));
            done
        }),
        (9, _) => twin.free(Node(node)).map_or_else(no_node, |it| {
            assert_eq!(free.of, *it.all());
            done
        }),
        (10, _) => {
            assert_eq!(free.of, *twin.free_common().all());
            done
        }
        _ => (twin.check_invariants().map_or(LOCOX_INVARIANT_VIOLATION, |()| LOCOX_OK), 0),
    };
    assert_eq!(hits, told);
    assert_eq!(status, expected.0, "call {kind}");
    if status != LOCOX_OK && !to_detail.is_null() {
        assert_eq!(detail, expected.1, "detail of {status:?}");
    }
}

/// Zeroed is not started, and rows hold anything.
fn blank() -> (locox_node_pool, Vec<u32>, Vec<locox_node_lease_row>) {
    // SAFETY: as above.
    let row = || unsafe { std::mem::zeroed() };
    // SAFETY: as above.
    (unsafe { std::mem::zeroed() }, vec![77; 200], (0..ROWS).map(|_| row()).collect())
}

#[test]
fn a_pool_of_nodes_answers_as_the_kernel_does_whatever_it_is_told() {
    let classes = CLASSES.map(|of| locox_amounts { of });
    let kernels = CLASSES.map(|of| Amounts::of(&of));
    for placement in 0..3 {
        let ((mut pool, mut words, mut rows), machine) = (blank(), machine(&classes, placement));
        let (mut dice, mut twin) = (Dice(placement.into()), twin(&kernels, placement));
        let (words, rows) = (words.as_mut_ptr(), rows.as_mut_ptr());
        // SAFETY: as the call says.
        let mut start = |len, rows_len| unsafe {
            let mut detail = 0;
            let to = &raw mut detail;
            let status = locox_nodes_start(
                &raw mut pool,
                1,
                &raw const machine,
                words,
                len,
                rows,
                rows_len,
                to,
            );
            (status, detail)
        };
        // SAFETY: as the call says.
        let needed = unsafe { locox_nodes_words(&raw const machine) };
        assert_eq!(needed, twin.machine().pool_words());
        assert_eq!(start(needed - 1, ROWS), (LOCOX_TOO_SHORT, needed as u64));
        assert_eq!(start(needed, 0), (LOCOX_TOO_SHORT, 1));
        assert_eq!(start(200, ROWS), (LOCOX_OK, 0));
        let mut all = Vec::new();
        for _ in 0..calls() {
            step(&mut dice, &mut pool, &mut twin, &mut all);
            all.drain(..all.len().saturating_sub(20));
        }
        let mut expected = Vec::new();
        twin.export(|word| expected.push(word));
        let (mut written, mut image) = (0, vec![0u32; expected.len()]);
        let (words, len) = (image.as_mut_ptr(), image.len());
        // SAFETY: as the calls say.
        unsafe {
            assert_eq!(
                locox_nodes_export(&raw const pool, words, len, &raw mut written, null_mut()),
                LOCOX_OK
            );
            assert_eq!((written, &image), (len, &expected));
            assert_eq!(locox_nodes_restore(&raw mut pool, image.as_ptr(), len, 1), LOCOX_OK);
            image[len - 1] ^= 1;
            assert_eq!(locox_nodes_restore(&raw mut pool, image.as_ptr(), len, 2), LOCOX_BAD_IMAGE);
            assert_eq!(locox_nodes_check(&raw const pool), LOCOX_OK);
        }
    }
}

#[test]
fn nodes_that_make_no_machine_start_no_pool() {
    let classes = vec![locox_amounts { of: [4, 8, 17, 0, 0, 0, 0, 0] }; 65];
    let class_of = vec![0u8; LOCOX_NODES_MOST as usize + 1];
    let good = locox_nodes {
        class_count: 1,
        class_of: class_of.as_ptr(),
        device: 1,
        ..machine(&classes, 0)
    };
    let wrong = [
        (LOCOX_NULL, 0, locox_nodes { classes: null(), ..good }),
        (LOCOX_NULL, 0, locox_nodes { class_of: null(), ..good }),
        (LOCOX_BAD_ARGUMENT, 0, locox_nodes { class_count: 0, ..good }),
        (LOCOX_BAD_ARGUMENT, 0, locox_nodes { class_count: 65, ..good }),
        (LOCOX_BAD_ARGUMENT, 0, locox_nodes { class_count: usize::MAX, ..good }),
        (LOCOX_BAD_ARGUMENT, 4096, locox_nodes { count: 0, ..good }),
        (LOCOX_BAD_ARGUMENT, 4096, locox_nodes { count: 4097, ..good }),
        (LOCOX_BAD_ARGUMENT, 0, locox_nodes { placement: 3, ..good }),
        (LOCOX_BAD_ARGUMENT, 0, locox_nodes { keep: 8, ..good }),
        (LOCOX_BAD_ARGUMENT, 0, locox_nodes { device: 8, ..good }),
        (LOCOX_BAD_ARGUMENT, 0, locox_nodes { device: u32::MAX, ..good }),
        // More than 16 devices on a node.
        (LOCOX_BAD_ARGUMENT, 0, locox_nodes { device: 2, ..good }),
        (LOCOX_WRONG_TABLE, 2, locox_nodes { class_of: CLASS_OF.as_ptr(), count: 6, ..good }),
    ];
    for (status, number, nodes) in wrong {
        let ((mut pool, mut words, mut rows), mut detail) = (blank(), 0);
        // SAFETY: as the calls say.
        unsafe {
            let (words, rows, to) = (words.as_mut_ptr(), rows.as_mut_ptr(), &raw mut detail);
            let of = &raw const nodes;
            let started = locox_nodes_start(&raw mut pool, 1, of, words, 200, rows, ROWS, to);
            assert_eq!((started, detail), (status, number), "{nodes:?}");
            assert_eq!(locox_nodes_words(of), 0);
            assert_eq!(locox_nodes_check(&raw const pool), LOCOX_NOT_STARTED);
        }
    }
}

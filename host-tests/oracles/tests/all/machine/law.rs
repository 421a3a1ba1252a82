//! All states of small machines.

use locox::accelerator::Table;
use locox::bits::{BitSet, Word};
use locox::cube::Dim;
use locox::grid::{Anchors, Grid, Leftover, Placement};
use locox::handle::PoolId;
use locox::machine::{BadTree, Count, Machine, Tree};
use locox::subcube::{Buddy, ByMap, Complete, GrayCode, Lease, Pool, Subcubes};
use locox_oracles::machine::{
    Cubes, InSteps, Naive, Racks, Shaped, Slices, by_all, by_blocks, by_runs,
};
use std::collections::HashMap;

/// In each set of free nodes a request has a place exactly if one of its choices is free, and its place is one of these.
/// Where it has none it has none with a node less; and what covers another fits only where that does.
fn keeps_the_law(naive: &impl Naive) {
    let (machine, requests) = (naive.machine(), naive.requests());
    for of in &requests {
        let choices = naive.choices(of);
        let least = choices.iter().map(|it| it.count_ones()).min();
        assert!(least.is_none_or(|least| machine.size(of) <= least), "{of:?}");
        for free in 0..=naive.all() {
            let found = naive.find(free, of).map(|place| naive.set(&place));
            assert_eq!(found.is_some(), naive.fits(free, of), "{of:?} in {free:b}");
            let Some(found) = found else { continue };
            assert!(
                found & !free == 0 && choices.contains(&found),
                "{of:?} in {free:b}: {found:b}"
            );
            for node in (0..naive.nodes()).filter(|node| free >> node & 1 == 0) {
                assert!(
                    naive.find(free | 1 << node, of).is_some(),
                    "{of:?} in {free:b} and {node}"
                );
            }
        }
        for other in requests.iter().filter(|other| machine.covers(of, other)) {
            let both = |free| !naive.fits(free, of) || naive.fits(free, other);
            assert!((0..=naive.all()).all(both), "{of:?} covers {other:?}");
        }
    }
}

fn boxes(machine: &str, placement: Placement, isolating: bool) -> Shaped {
    Shaped { grid: machine.parse().unwrap(), placement, isolating }
}

#[test]
fn subcubes_keep_the_law() {
    keeps_the_law(&Cubes::<Buddy>::new(3, by_blocks));
    keeps_the_law(&Cubes::<GrayCode>::new(3, by_runs));
    keeps_the_law(&Cubes::<Complete>::new(3, by_all));
}

#[test]
fn boxes_keep_the_law() {
    for (machine, isolating) in [("mesh:3x3", false), ("torus:3x3", true), ("torus:4x2", false)] {
        for placement in Placement::ALL {
            keeps_the_law(&boxes(machine, placement, isolating));
        }
    }
}

#[test]
fn slices_keep_the_law() {
    keeps_the_law(&Slices(Table::A100));
    keeps_the_law(&Slices(Table::A30));
}

#[test]
fn racks_keep_the_law() {
    keeps_the_law(&Racks { nodes: 7, levels: &[&[0, 3]] });
    keeps_the_law(&Racks { nodes: 8, levels: &[&[0, 2, 3, 6], &[0, 3]] });
    keeps_the_law(&Racks { nodes: 4, levels: &[] });
}

#[test]
fn a_count_keeps_the_law() {
    let find = |free, of| Count(9).find(&[free], &of, &mut []);
    for (free, of) in (0..9).flat_map(|free| (0..9).map(move |of| (free, of))) {
        assert_eq!(find(free, of).is_some(), of <= free);
        assert!(find(free, of).is_none() || find(free + 1, of) == Some(of));
        assert_eq!(Count(9).covers(&free, &of), of <= free);
    }
}

/// Every way in which boxes may begin, on lines and rings of six nodes and in two axes: what could break the law is refused, and
/// little else is.
#[test]
fn where_boxes_may_begin_breaks_no_law() {
    let mut broken = HashMap::new();
    for (machine, axes) in [("mesh:6", 1), ("torus:6", 1), ("mesh:3x2r", 2), ("mesh:2rx3", 2)] {
        let grid: Grid = machine.parse().unwrap();
        for (number, leftover) in (0..256)
            .flat_map(|it| [Leftover::Kept, Leftover::Reused].map(|leftover| (it, leftover)))
        {
            let digit = |at: u32| (number >> (2 * at) & 3) as u8;
            if axes == 1 && number > 15 {
                continue;
            }
            let anchors = Anchors::Steps {
                step: [digit(0), if axes == 1 { 1 } else { digit(2) }, 1, 1],
                offset: [digit(1), if axes == 1 { 0 } else { digit(3) }, 0, 0],
                leftover,
            };
            let Some((boxes, requests)) = (InSteps { grid, anchors }).parts() else {
                *broken.entry(machine).or_insert(0) += 1;
                continue;
            };
            let mut room = vec![0; boxes.words().room];
            let free = Shaped { grid, placement: Placement::First, isolating: false };
            let maps: Vec<_> = (0..=free.all()).map(|set| free.map(set)).collect();
            for of in &requests {
                let fits: Vec<_> =
                    maps.iter().map(|map| boxes.find(map, of, &mut room).is_some()).collect();
                for set in (0..fits.len()).filter(|&set| fits[set]) {
                    let grown = (0..grid.nodes()).map(|node| set | 1 << node);
                    let lost = grown.filter(|&more| !fits[more]).count();
                    assert_eq!(lost, 0, "{machine} {anchors:?}: {of:?} in {set:b}");
                }
            }
        }
    }
    // Of 32 and 512: where a line is stepped by the sides of boxes from elsewhere, and leftover is lent.
    let mut broken: Vec<_> = broken.into_iter().collect();
    broken.sort_unstable();
    assert_eq!(broken, [("mesh:2rx3", 48), ("mesh:3x2r", 48), ("mesh:6", 3)]);
}

/// A line of 8 nodes, boxes from node 2 on by their own sides, leftover lent.
#[test]
fn what_fits_only_while_a_node_is_held_is_refused() {
    let grid: Grid = "mesh:8".parse().unwrap();
    let anchors = Anchors::steps(&[0], &[2]).unwrap();
    assert!((InSteps { grid, anchors }).parts().is_some());
    assert!((InSteps { grid, anchors: anchors.reused() }).parts().is_none());
}

#[test]
fn levels_that_make_no_tree_are_refused() {
    let tree = |nodes, levels: &'static [&'static [u32]]| Tree::<1>::new(nodes, levels).err();
    let most = Word::BITS;
    assert_eq!(tree(most, &[]), None);
    assert_eq!(tree(most + 1, &[]), Some(BadTree::Nodes { most }));
    assert_eq!(tree(0, &[]), Some(BadTree::Nodes { most }));
    for firsts in [&[][..], &[1], &[0, 2, 2], &[0, 3, 2], &[0, 8]] {
        let levels: &'static [&'static [u32]] = Vec::leak(vec![&[0, 4][..], firsts]);
        assert_eq!(tree(8, levels), Some(BadTree::Domains { level: 1 }), "{firsts:?}");
    }
    assert_eq!(tree(8, &[&[0, 4], &[0, 6]]), Some(BadTree::Across { level: 0 }));
    let many: &'static [&'static [u32]] = Vec::leak(vec![&[0][..]; 256]);
    assert_eq!((tree(8, many), tree(8, &many[1..])), (Some(BadTree::Levels), None));
}

#[test]
#[should_panic(expected = "assertion `left == right` failed: Dim(")]
fn a_rule_that_misses_a_place_is_found() {
    keeps_the_law(&Cubes::<Buddy>::new(3, by_runs));
}

/// A pool grants a request exactly if the machine has a place, and under buddy and Gray code that place, through a history of
/// grants and releases.
fn grants_as<S: ByMap>(dims: u8, same_place: bool) {
    let size = Dim::new(dims).unwrap();
    let machine = Subcubes::<S>::new(size).unwrap();
    let words = machine.words();
    let (mut map, mut room) = (vec![0; words.map], vec![Word::MAX; words.room]);
    machine.open(&mut map);
    let mut pool =
        Pool::<S, _>::new(PoolId(0), size, vec![0; locox::subcube::words::<S>(dims)]).unwrap();
    let (mut leases, mut number) = (vec![], 7u64);
    for step in 0..3_000 {
        number = number.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(1);
        let random = (number >> 33) as usize;
        if random % 5 < 2 && !leases.is_empty() {
            let lease: Lease = leases.swap_remove(random / 5 % leases.len());
            pool.release(lease).unwrap();
            let mut map = BitSet::from_words(&mut map[..], size.nodes()).unwrap();
            lease.cube().nodes().for_each(|node| _ = map.insert(node.0).unwrap());
            continue;
        }
        // Small ones more often, so that much is held.
        let dim = (random / 5 % (usize::from(dims) + 1)).min(random / 97 % 15);
        let of = Dim::new(dim as u8).unwrap();
        let found = machine.find(&map, &of, &mut room);
        let granted = pool.allocate(of).ok();
        let place = granted.map(|lease| lease.cube());
        assert_eq!(found.is_some(), place.is_some(), "{of:?} at step {step} of {dims} dimensions");
        if same_place {
            assert_eq!(found, place, "{of:?} at step {step} of {dims} dimensions");
        }
        place.iter().for_each(|place| machine.take(&mut map, place));
        leases.extend(granted);
    }
}

#[test]
fn a_pool_of_subcubes_grants_what_the_machine_finds() {
    // Parts of a word, words, words of words and one more.
    for dims in [0, 1, 4, 5, 6, 7, 12, 13] {
        grants_as::<Buddy>(dims, true);
        grants_as::<GrayCode>(dims, true);
        grants_as::<Complete>(dims, false);
    }
}

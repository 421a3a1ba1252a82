//! Racks of three nodes in blocks of two: what the trees of these tests are.

use locox::machine::{Domain, Machine};
use locox_coordinators::manager::Tree;

static RACKS: [u32; 64] = multiples(3);
static BLOCKS: [u32; 64] = multiples(6);

const fn multiples(of: u32) -> [u32; 64] {
    let mut all = [0; 64];
    let mut at = 1;
    while at < 64 {
        all[at] = all[at - 1] + of;
        at += 1;
    }
    all
}

/// The levels of a tree of so many nodes.
pub(super) fn levels(nodes: usize) -> Vec<&'static [u32]> {
    [(&RACKS, 3), (&BLOCKS, 6)].map(|(all, of)| &all[..nodes.div_ceil(of)]).into()
}

/// The nodes that a job gets: any that lie in one rack if there are as many, else in one block, as the kernel chooses.
///
/// # Panics
///
/// If the kernel finds none where there are enough, or those of more domains than it has to.
pub(super) fn choose(free: &[bool], nodes: u32) -> Option<Vec<u32>> {
    let levels = levels(free.len());
    let tree = Tree::new(free.len() as u32, &levels).unwrap();
    let words = tree.words();
    let (mut map, mut room, mut place) =
        (vec![0; words.map], vec![0; words.room], vec![0; words.map]);
    let bit = |at: usize| (at / usize::BITS as usize, 1 << (at % usize::BITS as usize));
    for at in (0..free.len()).filter(|&at| free[at]) {
        map[bit(at).0] |= bit(at).1;
    }
    let found = tree.choose(&map, &Domain::of(nodes), &mut room, &mut place);
    let count = |all: &[bool]| all.iter().filter(|free| **free).count() as u32;
    assert_eq!(found.is_some(), nodes <= count(free));
    found?;
    let chosen: Vec<u32> = (0..free.len())
        .filter(|&at| place[bit(at).0] & bit(at).1 != 0)
        .map(|at| at as u32)
        .collect();
    assert!(chosen.len() == nodes as usize && chosen.iter().all(|&at| free[at as usize]));
    for of in [3, 6] {
        if free.chunks(of).any(|domain| count(domain) >= nodes) {
            assert_eq!(chosen[0] / of as u32, chosen[chosen.len() - 1] / of as u32);
            break;
        }
    }
    Some(chosen)
}

//! Boxes of free nodes, by looking at each box there is.

use locox::bits::words_for;
use locox::cube::Node;
use locox::grid::{Anchors, BoxRequest, Boxes, Cuboid, Grid, Placement, Sides};
use locox::ground::set_bit;
use locox::machine::{Machine, Numbered};

/// All shapes of so many nodes that a machine has, or of these sides turned.
fn shapes(grid: Grid, nodes: u32, own: Option<[u32; 3]>) -> Vec<Sides> {
    let side = 1..=grid.axes().iter().map(|axis| axis.nodes()).max().unwrap();
    let mut all = vec![];
    for a in side.clone() {
        for b in side.clone() {
            for c in side.clone() {
                all.push([a, b, c]);
            }
        }
    }
    let sorted = |mut sides: [u32; 3]| {
        sides.sort_unstable();
        sides
    };
    let is_asked = |sides: &[u8; 3]| {
        let sides = sides.map(u32::from);
        sides.iter().product::<u32>() == nodes && own.is_none_or(|own| sorted(own) == sorted(sides))
    };
    let sides = all.into_iter().filter(is_asked).filter_map(|sides| Sides::new(&sides));
    sides.filter(|sides| sides.fits(grid)).collect()
}

pub(super) fn own(grid: Grid, nodes: u32, sides: [u32; 3]) -> Option<[u32; 3]> {
    let is_own = sides.iter().all(|side| (1..=64).contains(side))
        && sides.iter().map(|side| u64::from(*side)).product::<u64>() == u64::from(nodes);
    is_own.then_some(sides).filter(|own| !shapes(grid, nodes, Some(*own)).is_empty())
}

/// How many nodes a job gets that asks for so many, in a machine of up to three axes.
pub(super) fn asked(grid: Grid, nodes: u32, sides: [u32; 3]) -> u32 {
    if own(grid, nodes, sides).is_some() {
        return nodes;
    }
    (nodes..=grid.nodes()).find(|&it| !shapes(grid, it, None).is_empty()).unwrap_or(nodes)
}

/// The box that a job gets: any that there is, as the kernel chooses.
///
/// # Panics
///
/// If the kernel finds none where there is one, or one that is none.
pub(super) fn choose(grid: Grid, free: &[bool], nodes: u32, sides: [u32; 3]) -> Option<Vec<u32>> {
    let size = asked(grid, nodes, sides);
    let own = own(grid, nodes, sides);
    let shapes = shapes(grid, size, own);
    let all = |sides: &Sides| {
        let sides = *sides;
        (0..grid.nodes()).filter_map(move |at| Cuboid::new(grid, Node(at), sides))
    };
    let is_free = |it: &Cuboid| it.nodes().all(|node| free[node.0 as usize]);
    let exists = shapes.iter().flat_map(all).any(|it| is_free(&it));

    let machine = Boxes::new(grid, Placement::Corner, Anchors::Any).unwrap();
    let words = machine.words();
    let (mut map, mut room) = (vec![0; words.map], vec![0; words.room]);
    let mut bits = vec![0; words_for(free.len())];
    (0..).zip(free).for_each(|(at, free)| set_bit(&mut bits, 0, at, *free));
    machine.draw(&mut map, &bits);
    let sides = own.map(|own| Sides::new(&own.map(|side| side as u8)).unwrap());
    let request = sides.map_or(BoxRequest::Nodes(size), BoxRequest::Turned);
    let found = machine.find(&map, &request, &mut room);
    assert_eq!(found.is_some(), exists);
    let found = found?;
    assert!(is_free(&found) && shapes.contains(&found.sides()));
    let mut nodes: Vec<u32> = found.nodes().map(|node| node.0).collect();
    nodes.sort_unstable();
    Some(nodes)
}

/// Whose nodes a job takes at the least cost, of those who would give them up: those in the first box of that cost, by shape,
/// then by row, of which `free` has all nodes.
pub(super) fn cheapest(
    grid: Grid,
    free: &[bool],
    nodes: u32,
    sides: [u32; 3],
    stakes: &[(&[u32], u64)],
) -> Option<Vec<usize>> {
    let own = own(grid, nodes, sides).map(|own| Sides::new(&own.map(|side| side as u8)).unwrap());
    let shapes: Vec<Sides> = match own {
        Some(own) => own.rotations(grid).collect(),
        None => Sides::factorizations(asked(grid, nodes, sides), grid).collect(),
    };
    let longest = { grid.axes().iter().enumerate().rev() }.max_by_key(|it| it.1.nodes()).unwrap().0;
    let mut origins: Vec<Node> = (0..grid.nodes()).map(Node).collect();
    // Along the longest axis first, then along the others in their order.
    origins.sort_by_key(|node| {
        let at = grid.coordinates(*node).unwrap();
        let others = (0..4).rev().filter(|axis| *axis != longest).map(|axis| at[axis]);
        others.chain([at[longest]]).collect::<Vec<_>>()
    });
    let boxes = shapes.iter().flat_map(|sides| {
        origins.iter().filter_map(move |origin| Cuboid::new(grid, *origin, *sides))
    });
    let boxes = boxes.filter(|it| it.nodes().all(|node| free[node.0 as usize]));
    let met = |place: &Cuboid| -> Vec<usize> {
        let has = |nodes: &[u32]| place.nodes().any(|node| nodes.contains(&node.0));
        (0..stakes.len()).filter(|&at| has(stakes[at].0)).collect()
    };
    boxes.map(|place| met(&place)).min_by_key(|met| met.iter().map(|&at| stakes[at].1).sum::<u64>())
}

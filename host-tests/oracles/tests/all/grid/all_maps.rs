//! Every set of nodes in use of small machines, under every request.

use locox::cube::Node;
use locox::grid::{Anchors, Cuboid, Grid, GridPool, Outage, Placement, Refusal, Sides, words};
use locox::handle::PoolId;
use locox_oracles::grid::{Ask, At, Cells, sides_of};

/// A request, and for each of its shapes in order all boxes in the order of origins: each as the set of
/// its nodes and as the kernel names it.
struct Asked {
    ask: Ask,
    needed: Option<u32>,
    boxes: Vec<(u32, Cuboid)>,
}

fn asked(cells: &Cells, ask: Ask) -> Asked {
    let shapes: Vec<At> = ask.ranks(cells).concat();
    let boxes = shapes.iter().flat_map(|&sides| {
        cells.by_rows().into_iter().filter_map(move |from| {
            let nodes = cells.of_box(from, sides)?;
            let set = nodes.iter().fold(0u32, |set, node| set | 1 << node);
            Some((set, cells.cuboid(from, sides)))
        })
    });
    let boxes: Vec<_> = boxes.collect();
    let needed = boxes.iter().map(|(set, _)| set.count_ones()).min();
    Asked { ask, needed, boxes }
}

/// All shapes as they are and turned, some that there are not, all numbers of nodes.
fn all_requests(cells: &Cells) -> Vec<Asked> {
    let mut asks = vec![Ask::AnyOf(vec![])];
    for sides in cells.shapes().into_iter().map(sides_of) {
        asks.push(Ask::Fixed(sides));
        asks.push(Ask::Turned(sides));
    }
    let larger = Sides::new(&[cells.nodes[0] as u8 + 1]).unwrap();
    asks.extend([Ask::Fixed(larger), Ask::Turned(larger)]);
    asks.extend((0..=cells.count() as u32 + 1).map(Ask::Nodes));
    asks.into_iter().map(|ask| asked(cells, ask)).collect()
}

/// Walks through all sets of nodes, one node more or less at each step.
fn all_maps(machine: &str, mut change: impl FnMut(&mut Pool, Node, bool), faulty: bool) {
    let grid: Grid = machine.parse().unwrap();
    let cells = Cells::new(grid);
    let requests = all_requests(&cells);
    let storage = vec![0; words(grid)];
    let mut pool = GridPool::new(PoolId(1), grid, storage, Placement::First, Anchors::Any).unwrap();
    let mut used = 0u32;
    for step in 1..=1u32 << grid.nodes() {
        for Asked { ask, needed, boxes } in &requests {
            let found = boxes.iter().find(|(set, _)| set & used == 0).map(|(_, place)| *place);
            let free = grid.nodes() - used.count_ones();
            let refusal = match *needed {
                None => Refusal::TooLarge,
                Some(_) if faulty => Refusal::Faulty,
                Some(needed) if needed > free => Refusal::TooFewFree { needed, free },
                Some(_) => Refusal::Fragmented,
            };
            let expected = found.ok_or(refusal);
            let got = pool.would_fit(ask.request());
            assert_eq!(got, expected.map(|_| ()), "{ask:?} beside {used:b}");
            if found.is_some() {
                let lease = pool.allocate(ask.request());
                assert_eq!(lease.map(|it| it.cuboid()), expected, "{ask:?} beside {used:b}");
                pool.release(lease.unwrap()).unwrap();
            }
        }
        let node = step.trailing_zeros().min(grid.nodes() - 1);
        used ^= 1 << node;
        change(&mut pool, Node(node), used >> node & 1 == 1);
    }
    pool.check_invariants().unwrap();
}

type Pool = GridPool<Vec<u64>>;

/// Nodes that leases of one node hold.
fn lease(pool: &mut Pool, node: Node, used: bool) {
    let single = Cuboid::new(pool.grid(), node, Sides::new(&[1]).unwrap()).unwrap();
    match used {
        true => _ = pool.claim(single).unwrap(),
        false => pool.release(pool.lease_at(node).unwrap()).unwrap(),
    }
}

/// Nodes that are out of service.
fn fail(pool: &mut Pool, node: Node, used: bool) {
    match used {
        true => pool.withdraw(&[node], Outage::Failed, |_| panic!("nobody has it")).unwrap(),
        false => pool.repair(&[node]).unwrap(),
    }
}

#[test]
fn all_maps_of_the_torus_4x4_agree_with_brute_force() {
    all_maps("torus:4x4", lease, false);
}

#[test]
fn all_maps_of_the_mesh_4x4_agree_with_brute_force() {
    all_maps("mesh:4x4", lease, false);
}

#[test]
fn all_maps_of_the_torus_3x3x2_agree_with_brute_force() {
    all_maps("torus:3x3x2", lease, false);
}

#[test]
fn all_maps_of_the_mesh_3x3x2_agree_with_brute_force() {
    all_maps("mesh:3x3x2", lease, false);
}

#[test]
fn all_outages_of_the_torus_4x4_agree_with_brute_force() {
    all_maps("torus:4x4", fail, true);
}

#[test]
fn all_outages_of_the_mesh_4x4_agree_with_brute_force() {
    all_maps("mesh:4x4", fail, true);
}

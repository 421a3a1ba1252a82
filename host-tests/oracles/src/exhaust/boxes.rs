//! Boxes in meshes and tori: every set of nodes in use, under every request.

use super::Counts;
use crate::grid::{Ask, At, Cells, sides_of};
use crate::mismatch::equal;
use locox::cube::Node;
use locox::grid::{Anchors, Cuboid, Grid, GridPool, Outage, Placement, Refusal, Sides, words};
use locox::handle::PoolId;

/// What keeps nodes from others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Used {
    /// Leases of one node each.
    Leased,
    /// They are out of service.
    Failed,
}

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
    let larger = Sides::new(&[cells.nodes[0] as u8 + 1]).expect("a side");
    asks.extend([Ask::Fixed(larger), Ask::Turned(larger)]);
    asks.extend((0..=cells.count() as u32 + 1).map(Ask::Nodes));
    asks.into_iter().map(|ask| asked(cells, ask)).collect()
}

type Pool = GridPool<Vec<u64>>;

/// Whether a request gets the first of its boxes that is free, or the reason why none.
fn compare(pool: &mut Pool, asked: &Asked, used: u32, how: Used) -> Result<(), String> {
    let Asked { ask, needed, boxes } = asked;
    let found = boxes.iter().find(|(set, _)| set & used == 0).map(|(_, place)| *place);
    let free = pool.grid().nodes() - used.count_ones();
    let refusal = match *needed {
        None => Refusal::TooLarge,
        Some(_) if how == Used::Failed => Refusal::Faulty,
        Some(needed) if needed > free => Refusal::TooFewFree { needed, free },
        Some(_) => Refusal::Fragmented,
    };
    let expected = found.ok_or(refusal);
    equal("whether it fits", pool.would_fit(ask.request()), expected.map(|_| ()))?;
    let lease = pool.allocate(ask.request());
    equal("box", lease.map(|it| it.cuboid()), expected)?;
    let Ok(lease) = lease else { return Ok(()) };
    equal("what was granted comes back", pool.release(lease), Ok(()))?;
    equal("it comes back twice", pool.release(lease).is_err(), true)
}

/// Lets a node be used, or free again.
fn change(pool: &mut Pool, node: Node, used: bool, how: Used) -> Result<(), String> {
    let single = Cuboid::new(pool.grid(), node, Sides::new(&[1]).expect("a side"));
    let single = single.ok_or("no such node")?;
    let done = match (how, used) {
        (Used::Leased, true) => pool.claim(single).is_ok(),
        (Used::Leased, false) => pool.lease_at(node).is_some_and(|it| pool.release(it).is_ok()),
        (Used::Failed, true) => pool.withdraw(&[node], Outage::Failed, |_| ()).is_ok(),
        (Used::Failed, false) => pool.repair(&[node]).is_ok(),
    };
    equal("one node more or less", done, true)
}

/// Walks through all sets of nodes, one node more or less at each step, beside boxes that are counted on another machine,
/// which should be the same.
pub fn boxes(machine: &str, beside: &str, how: Used) -> Counts {
    let [grid, other]: [Grid; 2] = [machine, beside].map(|it| it.parse().expect("a machine"));
    let requests = all_requests(&Cells::new(other));
    let storage = vec![0; words(grid)];
    let pool = GridPool::new(PoolId(1), grid, storage, Placement::First, Anchors::Any);
    let mut pool = pool.expect("the storage is as long as needed");
    let (mut counts, mut used) = (Counts::default(), 0u32);
    for step in 1..=1u32 << grid.nodes() {
        counts.states += 1;
        for asked in &requests {
            let state = || format!("{machine}, {:?} beside {used:b}", asked.ask);
            let compared = compare(&mut pool, asked, used, how);
            counts.judge(state, compared);
        }
        let node = step.trailing_zeros().min(grid.nodes() - 1);
        used ^= 1 << node;
        let changed = change(&mut pool, Node(node), used >> node & 1 == 1, how);
        counts.judge(|| format!("{machine}, node {node} beside {used:b}"), changed);
    }
    counts.judge(|| machine.to_owned(), equal("invariants", pool.check_invariants(), Ok(())));
    counts
}

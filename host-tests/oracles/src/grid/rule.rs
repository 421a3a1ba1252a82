//! Where boxes may begin, and which one a request gets.

use super::cells::{At, Cells};
use locox::grid::{Anchors, Leftover, Placement};

/// A box at its place: its origin, its sides, its cells.
#[derive(Clone, Debug)]
pub(super) struct Placed {
    /// The origin.
    pub from: At,
    /// The sides.
    pub sides: At,
    /// The numbers of its nodes.
    pub cells: Vec<usize>,
}

/// All boxes of these sides that lie in the machine, by origin in the order of rows.
pub(super) fn boxes(cells: &Cells, sides: At) -> Vec<Placed> {
    let place = |from| Some(Placed { from, sides, cells: cells.of_box(from, sides)? });
    cells.by_rows().into_iter().filter_map(place).collect()
}

/// The coordinates along an axis that are the offset and multiples of the step.
fn steps(cells: &Cells, axis: usize, step: usize, offset: usize) -> Vec<usize> {
    let nodes = cells.nodes[axis];
    // The only node of an axis is at a step.
    let offset = if nodes == 1 { 0 } else { offset };
    let is_step = |&at: &usize| match cells.ring[axis] {
        true => (0..nodes).any(|times| (offset + times * step) % nodes == at),
        false => at % step == offset % step,
    };
    (0..nodes).filter(is_step).collect()
}

/// Whether a box begins at a step along each axis.
fn at_steps(cells: &Cells, place: &Placed, step: [u8; 4], offset: [u8; 4]) -> bool {
    (0..4).all(|axis| {
        let side = place.sides[axis];
        let step = if step[axis] == 0 { side } else { step[axis].into() };
        let fills = cells.ring[axis] && side == cells.nodes[axis];
        let steps = steps(cells, axis, step, offset[axis].into());
        fills || steps.contains(&place.from[axis])
    })
}

/// The block along an axis in which `side` nodes from `at` on lie, as the coordinates that it has.
fn block(
    cells: &Cells,
    axis: usize,
    (at, side): (usize, usize),
    (step, offset): (u8, u8),
) -> Option<Vec<usize>> {
    let (nodes, ring) = (cells.nodes[axis], cells.ring[axis]);
    if step == 0 {
        return Some((0..nodes).collect());
    }
    let steps = steps(cells, axis, step.into(), offset.into());
    if ring && steps.len() == 1 {
        return Some((0..nodes).collect());
    }
    let start = (0..nodes).find(|back| {
        let to =
            if ring { (at + nodes - back) % nodes } else { at.checked_sub(*back).unwrap_or(nodes) };
        steps.contains(&to)
    })?;
    let start = (at + nodes - start) % nodes;
    let mut block = vec![start];
    for next in start + 1..start + nodes {
        if next >= nodes && !ring || steps.contains(&(next % nodes)) {
            break;
        }
        block.push(next % nodes);
    }
    (0..side).all(|on| block.contains(&((at + on) % nodes))).then_some(block)
}

/// Whether a box lies inside one block of which such a node is a part.
fn in_leftover(
    cells: &Cells,
    place: &Placed,
    step: [u8; 4],
    offset: [u8; 4],
    breaks: &dyn Fn(usize) -> bool,
) -> bool {
    let along = [0, 1, 2, 3].map(|axis| {
        let stretch = (place.from[axis], place.sides[axis]);
        block(cells, axis, stretch, (step[axis], offset[axis]))
    });
    let [Some(a), Some(b), Some(c), Some(d)] = along else { return false };
    let mut all = a.iter().flat_map(|&x| {
        let (c, d) = (&c, &d);
        b.iter()
            .flat_map(move |&y| c.iter().flat_map(move |&z| d.iter().map(move |&w| [x, y, z, w])))
    });
    all.any(|at| breaks(cells.number(at)))
}

/// Whether a request may get a box, if its nodes are free and blocks are broken by such nodes.
fn lies_right(
    cells: &Cells,
    place: &Placed,
    anchors: &Anchors,
    breaks: &dyn Fn(usize) -> bool,
) -> bool {
    let Anchors::Steps { step, offset, leftover } = *anchors else { return true };
    at_steps(cells, place, step, offset)
        || leftover == Leftover::Reused && in_leftover(cells, place, step, offset, breaks)
}

/// Whether a request may get a box while just these nodes are free.
pub(super) fn may_lie(cells: &Cells, place: &Placed, anchors: &Anchors, free: &[bool]) -> bool {
    place.cells.iter().all(|&cell| free[cell])
        && lies_right(cells, place, anchors, &|cell| !free[cell])
}

/// Whether a request may get a box in some state in which just these nodes serve.
pub(super) fn may_ever_lie(
    cells: &Cells,
    place: &Placed,
    anchors: &Anchors,
    serving: &[bool],
) -> bool {
    place.cells.iter().all(|&cell| serving[cell])
        && lies_right(cells, place, anchors, &|cell| !place.cells.contains(&cell))
}

/// Whether from each node of a box to each other the shorter way, or the one upwards, stays in the box.
pub(super) fn keeps_routes(cells: &Cells, sides: At) -> bool {
    (0..4).filter(|&axis| cells.ring[axis]).all(|axis| {
        let (nodes, side) = (cells.nodes[axis], sides[axis]);
        (0..side).all(|from| {
            (0..side).all(|to| {
                let up = (to + nodes - from) % nodes;
                let step = if 2 * up <= nodes { 1 } else { nodes - 1 };
                let way = std::iter::successors(Some(from), |at| Some((at + step) % nodes));
                way.take_while(|&at| at != to).all(|at| at < side)
            })
        })
    })
}

/// How many faces of a box have no free node next to them; two along each axis that it fills.
fn faces(cells: &Cells, place: &Placed, free: &[bool]) -> usize {
    let mut faces = 0;
    for axis in 0..4 {
        let (nodes, side, at) = (cells.nodes[axis], place.sides[axis], place.from[axis]);
        if side == nodes {
            faces += 2;
            continue;
        }
        let next = [(at + side, at + side >= nodes), (at + nodes - 1, at == 0)];
        for (to, beyond) in next {
            let is_free = |&cell: &usize| {
                let mut neighbour = cells.at(cell);
                neighbour[axis] = to % nodes;
                free[cells.number(neighbour)]
            };
            let open = place.cells.iter().any(is_free);
            faces += usize::from(beyond && !cells.ring[axis] || !open);
        }
    }
    faces
}

/// Of the boxes of one rank, in their order, the one that a request gets.
pub(super) fn choose(
    cells: &Cells,
    placement: Placement,
    anchors: &Anchors,
    free: &[bool],
    candidates: &[Placed],
) -> Option<Placed> {
    let mut best: Vec<_> = candidates.iter().collect();
    if placement != Placement::First {
        best.sort_by_cached_key(|place| std::cmp::Reverse(faces(cells, place, free)));
    }
    if placement == Placement::Fewest {
        best.truncate(16);
        let is_free = |place: &Placed| may_lie(cells, place, anchors, free);
        let destroyed = |place: &&Placed| -> usize {
            let mut destroyed = 0;
            for axis in 0..4 {
                let mut larger = place.sides;
                larger[axis] *= 2;
                if larger[axis] <= cells.nodes[axis] {
                    let mut all = boxes(cells, larger);
                    all.retain(|it| it.cells.iter().any(|cell| place.cells.contains(cell)));
                    destroyed += all.iter().filter(|it| is_free(it)).count();
                }
            }
            destroyed
        };
        best.sort_by_cached_key(destroyed);
    }
    best.first().map(|&place| place.clone())
}

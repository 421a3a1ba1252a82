//! Dimension-order routes, and which boxes keep theirs.
//!
//! A route corrects one coordinate after the other, the first axis first: on a line straight on, on
//! a ring the shorter way round, upwards if both ways are equally long. In a torus of two nodes an
//! axis that is E-cube routing ([`ecube`](crate::cube::ecube)).
//!
//! # Isolated boxes
//!
//! **Proposition 1.** All routes between nodes of a box stay in it exactly if along each ring of n
//! nodes its side s is n, or at most half of it, rounded up: 2 (s - 1) < n. Lines ask for nothing.
//!
//! *Proof.* Wherever a route is, it has along one axis a coordinate on the way from that of its
//! source to that of its target, and along each other axis the coordinate of its source or of its
//! target, which the box has. So it stays in the box if that one coordinate does, for each axis;
//! and since a box has nodes that differ in one coordinate alone, it must. On a line what lies
//! between two coordinates of a box is of the box, and if s = n nothing lies outside. Else let the
//! box have the coordinates 0 to s - 1 along the ring, by turning it, and let 0 ≤ i < j < s and d =
//! j - i. Between i and j the way up from i, and the way down from j, has d channels and stays
//! inside. The other way has n - d and passes all that is outside, at least one node. From i the
//! way up is taken if 2 d ≤ n, from j the way down if 2 d < n. The latter holds for all d ≤ s - 1
//! exactly if it does for d = s - 1. ∎
//!
//! At s = n / 2 + 1 a single pair a line, the two ends of the box, has both ways to choose from,
//! and the fixed direction takes one of its two routes outside. So it would with the other fixed
//! direction.
//!
//! **Proposition 2.** Two boxes without a common node use a common channel exactly if they have,
//! along some ring, nodes with the same other coordinates, one of them does not keep its routes
//! along that ring, and the other has at least two nodes along it. So isolated boxes share no
//! channel. Nor does a side of n - 1 make one common, though routes pass the router of the node that
//! is left there.
//!
//! *Proof.* A route uses channels along an axis in a line whose other coordinates are those of its
//! target (earlier axes) and of its source (later ones), thus of a node of its box. If a channel is
//! common, both boxes have nodes in its line, at least two each since each goes somewhere, and none
//! in common; if both kept their routes, they would use channels between their own nodes alone.
//! Conversely let s be the side of the one that does not, with coordinates as above. The way up
//! from s - 1 to 0 has n - (s - 1) channels, no more than the way down, so it is taken: through all
//! channels upwards between nodes that are outside, and those of the other box are. It uses the one
//! upwards from its first node to its second. ∎

use super::cuboid::Cuboid;
use super::machine::{Axis, Grid};
use super::sides::Sides;
use crate::cube::Node;

/// A directed channel between neighbours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Channel {
    /// The node at which the channel starts.
    pub from: Node,
    /// The node at which it ends.
    pub to: Node,
    /// The axis along which it goes, 0 to 3.
    pub axis: u8,
    /// Whether the coordinate rises, or goes from the last of a ring to the first.
    pub up: bool,
}

/// The channel that starts at a node along an axis; `None` where a line ends, and outside the machine.
///
/// ```
/// use locox::cube::Node;
/// use locox::grid::{Grid, routes};
/// let grid: Grid = "mesh:4x4r".parse()?;
/// assert_eq!(routes::channel(grid, Node(12), 1, true).map(|it| it.to), Some(Node(0)));
/// assert_eq!(routes::channel(grid, Node(12), 0, false), None);
/// # Ok::<(), locox::grid::BadGrid>(())
/// ```
pub fn channel(grid: Grid, from: Node, axis: u8, up: bool) -> Option<Channel> {
    let mut to = grid.coordinates(from)?;
    let along = grid.all_axes().get(usize::from(axis)).copied()?;
    let at = to.get_mut(usize::from(axis))?;
    let last = along.nodes().wrapping_sub(1);
    let (end, start) = if up { (last, 0) } else { (0, last) };
    *at = match up {
        _ if *at == end => Some(start).filter(|_| along.is_ring())?,
        true => at.wrapping_add(1),
        false => at.wrapping_sub(1),
    };
    Some(Channel { from, to: grid.node(to)?, axis, up })
}

/// The first channel on the route from `source` to `target`; `None` at the target, and if one of them
/// is outside the machine.
pub fn next_hop(grid: Grid, source: Node, target: Node) -> Option<Channel> {
    let (from, to) = (grid.coordinates(source)?, grid.coordinates(target)?);
    let mut spans = (0u8..).zip(from.into_iter().zip(to).zip(grid.all_axes()));
    let (axis, ((at, to), along)) = spans.find(|(_, ((at, to), _))| at != to)?;
    channel(grid, source, axis, goes_up(along, at, to))
}

/// The channels from `source` to `target` in the order of travel.
///
/// ```
/// use locox::cube::Node;
/// use locox::grid::{Grid, routes};
/// let torus = Grid::torus(&[5, 4]).unwrap();
/// let passed = routes::route(torus, Node(1), Node(14)).map(|it| it.to);
/// assert!(passed.eq([0, 4, 9, 14].map(Node))); // 1,0 to 4,2: down around the end, then up
/// ```
pub fn route(grid: Grid, source: Node, target: Node) -> impl Iterator<Item = Channel> {
    let mut at = source;
    core::iter::from_fn(move || {
        let hop = next_hop(grid, at, target)?;
        at = hop.to;
        Some(hop)
    })
}

/// Whether the way along an axis from one coordinate to another is the one upwards.
fn goes_up(axis: Axis, at: u8, to: u8) -> bool {
    let up = axis.up(at, to);
    if axis.is_ring() { up <= axis.nodes().wrapping_sub(up) } else { at < to }
}

/// Whether so many nodes in a row along an axis keep the routes between them.
const fn keeps_routes(axis: Axis, side: u8) -> bool {
    !axis.is_ring() || side == axis.nodes() || side <= axis.nodes().div_ceil(2)
}

impl Sides {
    /// Whether boxes of these sides are isolated in a machine: all routes between their nodes stay in
    /// them ([module `routes`](crate::grid::routes), proposition 1). Wherever they lie, it is the same.
    ///
    /// ```
    /// use locox::grid::{Grid, Sides};
    /// let sides: Sides = "5x2".parse()?;
    /// assert!(sides.are_isolated(Grid::torus(&[9, 4]).unwrap()));
    /// assert!(!sides.are_isolated(Grid::torus(&[8, 4]).unwrap()));
    /// assert!(sides.are_isolated(Grid::mesh(&[8, 4]).unwrap()));
    /// # Ok::<(), locox::grid::BadSides>(())
    /// ```
    pub fn are_isolated(&self, grid: Grid) -> bool {
        let mut spans = self.all().into_iter().zip(grid.all_axes());
        spans.all(|(side, axis)| keeps_routes(axis, side))
    }
}

impl Cuboid {
    /// Whether all routes between its nodes stay in it, so that it shares no channel with another box of
    /// which the same is true, and passes no router outside.
    pub fn is_isolated(&self) -> bool {
        self.sides().are_isolated(self.grid())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cube::ecube;
    extern crate std;
    use std::collections::BTreeSet;
    use std::format;
    use std::vec::Vec;

    fn nodes(grid: Grid) -> impl Iterator<Item = Node> + Clone {
        (0..grid.nodes()).map(Node)
    }

    /// Every box of a machine, once.
    fn boxes(grid: Grid) -> Vec<Cuboid> {
        let [a, b, c, d] = grid.sides();
        let whole = Cuboid::new(grid, Node(0), Sides::new(&[a, b, c, d]).unwrap()).unwrap();
        let sides = whole.nodes().map(|node| grid.coordinates(node).unwrap().map(|at| at + 1));
        let placed = sides.flat_map(|sides| {
            let sides = Sides::new(&sides).unwrap();
            nodes(grid).filter_map(move |origin| {
                Cuboid::new(grid, origin, sides).filter(|it| it.origin() == origin)
            })
        });
        placed.collect()
    }

    fn used(cuboid: &Cuboid) -> BTreeSet<Channel> {
        let pairs = cuboid.nodes().flat_map(|from| cuboid.nodes().map(move |to| (from, to)));
        pairs.flat_map(|(from, to)| route(cuboid.grid(), from, to)).collect()
    }

    /// Lines and rings of one to nine nodes; planes up to 5x5 and boxes, each axis a line or a ring.
    fn small() -> Vec<Grid> {
        let rings = |side: u8| [format!("{side}"), format!("{side}r")];
        let mut texts: Vec<_> = (1..=9).flat_map(rings).collect();
        for (x, y) in (1..=5).flat_map(|x| (1..=5).map(move |y| (x, y))) {
            texts.extend(rings(x).iter().flat_map(|x| rings(y).map(|y| format!("{x}x{y}"))));
        }
        texts.extend(
            ["4rx4rx4r", "4x4x4", "3rx4rx5r", "3x4x5", "3x4rx5", "4rx4x4r"].map(Into::into),
        );
        texts.into_iter().map(|text| format!("mesh:{text}").parse().unwrap()).collect()
    }

    /// Coordinates of the first axes are right before one of a later axis changes, and along each axis
    /// the route is as short as can be.
    #[test]
    fn routes_correct_axes_in_order_by_the_shorter_way() {
        for grid in small() {
            for (source, target) in nodes(grid).flat_map(|a| nodes(grid).map(move |b| (a, b))) {
                let [from, to] = [source, target].map(|node| grid.coordinates(node).unwrap());
                let mut at = source;
                let mut hops = [0; 4];
                let mut last = 0;
                for hop in route(grid, source, target) {
                    assert_eq!(hop.from, at);
                    assert!(hop.axis >= last, "axes in order");
                    (at, last) = (hop.to, hop.axis);
                    hops[usize::from(hop.axis)] += 1;
                }
                assert_eq!(at, target);
                for (axis, along) in grid.all_axes().into_iter().enumerate() {
                    let direct = from[axis].abs_diff(to[axis]);
                    let around = if along.is_ring() { along.nodes() - direct } else { direct };
                    assert_eq!(hops[axis], direct.min(around), "{grid}: {source} to {target}");
                }
            }
        }
    }

    #[test]
    fn of_two_ways_of_the_same_length_the_one_upwards_is_taken() {
        let ring = Grid::torus(&[6]).unwrap();
        let passed = |from, to| -> Vec<u32> {
            route(ring, Node(from), Node(to)).map(|hop| hop.to.0).collect()
        };
        assert_eq!(passed(1, 4), [2, 3, 4]);
        assert_eq!(passed(4, 1), [5, 0, 1]);
        assert_eq!(passed(4, 2), [3, 2]);
    }

    #[test]
    fn with_two_nodes_an_axis_routes_are_those_of_a_hypercube() {
        for grid in ["torus:2x2x2x2", "mesh:2x2x2x2", "mesh:2rx2x2"] {
            let grid: Grid = grid.parse().unwrap();
            for (source, target) in nodes(grid).flat_map(|a| nodes(grid).map(move |b| (a, b))) {
                let hops = route(grid, source, target).map(|hop| (hop.from, hop.to));
                let cube = ecube::route(source, target).map(|hop| (hop.from, hop.to()));
                assert!(hops.eq(cube), "{grid}: {source} to {target}");
            }
        }
    }

    #[test]
    fn nodes_outside_the_machine_have_no_routes() {
        let grid = Grid::torus(&[3, 3]).unwrap();
        assert_eq!(next_hop(grid, Node(9), Node(0)), None);
        assert_eq!(next_hop(grid, Node(0), Node(9)), None);
        assert_eq!(channel(grid, Node(9), 0, true), None);
        assert_eq!([2, 4].map(|axis| channel(grid, Node(0), axis, true)), [None; 2]);
    }

    /// Proposition 1, in both directions.
    #[test]
    fn a_box_is_isolated_exactly_if_no_walked_route_leaves_it() {
        let (mut kept, mut left) = (0, 0);
        for cuboid in small().into_iter().flat_map(boxes) {
            let stays = used(&cuboid).iter().all(|hop| cuboid.contains(hop.to));
            assert_eq!(cuboid.is_isolated(), stays, "{cuboid} in {}", cuboid.grid());
            *if stays { &mut kept } else { &mut left } += 1;
        }
        assert!(kept > 5_000 && left > 1_000, "{kept} kept, {left} left");
    }

    /// Proposition 2, in both directions.
    #[test]
    fn boxes_share_a_channel_exactly_where_one_leaves_a_ring_in_which_the_other_has_two_nodes() {
        let (mut apart, mut shared) = (0, 0);
        for grid in
            ["mesh:5", "mesh:6r", "torus:7", "torus:9", "torus:6x3", "mesh:3x6r", "mesh:6rx2"]
        {
            let all = boxes(grid.parse().unwrap());
            let all: Vec<_> = all.into_iter().map(|it| (it, used(&it))).collect();
            for ((one, own), (other, others)) in
                all.iter().flat_map(|a| all.iter().map(move |b| (a, b)))
            {
                if one.nodes().any(|node| other.contains(node)) {
                    continue;
                }
                let shares = !own.is_disjoint(others);
                assert_eq!(shares, meet(one, other) || meet(other, one), "{one}, {other}: {grid}");
                *if shares { &mut shared } else { &mut apart } += 1;
                assert!(!shares || !one.is_isolated() || !other.is_isolated());
            }
        }
        assert!(apart > 10_000 && shared > 500, "{apart} apart, {shared} shared");
    }

    /// Whether `one` leaves a ring in a line in which `other` has two nodes.
    fn meet(one: &Cuboid, other: &Cuboid) -> bool {
        let grid = one.grid();
        let beside = |axis: usize| {
            let without = |node: Node| {
                let mut at = grid.coordinates(node).unwrap();
                at[axis] = 0;
                at
            };
            one.nodes().any(|a| other.nodes().any(|b| without(a) == without(b)))
        };
        (0..4).any(|axis| {
            let leaves = !keeps_routes(grid.all_axes()[axis], one.sides().all()[axis]);
            leaves && other.sides().all()[axis] > 1 && beside(axis)
        })
    }
}

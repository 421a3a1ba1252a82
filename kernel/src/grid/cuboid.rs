//! Boxes in a machine.

use super::machine::{Axis, Grid};
use super::sides::Sides;
use crate::cube::Node;

/// A box of nodes in a machine: from its origin so many along each axis, around the ends of rings.
///
/// A box that fills a ring begins at 0 along it, whatever node it was asked for at: it is the same
/// set of nodes.
///
/// ```
/// use locox::cube::Node;
/// use locox::grid::{Cuboid, Grid};
/// let torus = Grid::torus(&[4, 4, 2]).unwrap();
/// let origin = torus.node_at(&[3, 1, 0]).unwrap();
/// let slab = Cuboid::new(torus, origin, "2x1x2".parse().unwrap()).unwrap();
/// assert_eq!(slab.to_string(), "2x1x2 at 3,1,0");
/// assert!(slab.nodes().eq([7, 4, 23, 20].map(Node)));
/// assert!(slab.contains(Node(4)) && !slab.contains(Node(5)));
///
/// let mesh = Grid::mesh(&[4, 4, 2]).unwrap();
/// assert_eq!(Cuboid::new(mesh, origin, slab.sides()), None); // a line has no way around
/// ```
///
/// # Invariants
///
/// - It lies in the machine.
/// - Along a ring that it fills, its origin has the coordinate 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "serde",
    serde(try_from = "(Grid, Node, Sides)", into = "(Grid, Node, Sides)")
)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Cuboid {
    grid: Grid,
    origin: [u8; 4],
    sides: Sides,
}

impl Cuboid {
    /// The box with this origin and these sides; `None` if it does not lie in the machine.
    pub fn new(grid: Grid, origin: Node, sides: Sides) -> Option<Self> {
        let mut origin = grid.coordinates(origin)?;
        let spans = origin.iter_mut().zip(sides.all()).zip(grid.all_axes());
        for ((at, side), axis) in spans {
            if !axis.holds(*at, side) {
                return None;
            }
            if side == axis.nodes() {
                *at = 0;
            }
        }
        Some(Self { grid, origin, sides })
    }

    /// The box that has just these nodes, each told once; `None` if they are none.
    ///
    /// ```
    /// use locox::cube::Node;
    /// use locox::grid::{Cuboid, Grid};
    /// let ring = Grid::torus(&[4, 4]).unwrap();
    /// // Around the end of the first axis.
    /// let corner = Cuboid::of_nodes(ring, [0, 3, 4, 7].map(Node).into_iter()).unwrap();
    /// assert_eq!((corner.origin(), corner.sides().to_string()), (Node(3), "2x2".into()));
    /// assert_eq!(Cuboid::of_nodes(ring, [0, 1, 4].map(Node).into_iter()), None);
    /// ```
    pub fn of_nodes(grid: Grid, nodes: impl Iterator<Item = Node>) -> Option<Self> {
        let (mut along, mut count) = ([0u64; 4], 0u32);
        for node in nodes {
            let at = grid.coordinates(node)?;
            along.iter_mut().zip(at).for_each(|(along, at)| *along |= 1u64.wrapping_shl(at.into()));
            count = count.wrapping_add(1);
        }
        let (mut origin, mut sides) = ([0; 4], [1; 4]);
        let axes = along.into_iter().zip(grid.all_axes());
        for ((along, axis), (from, side)) in axes.zip(origin.iter_mut().zip(&mut sides)) {
            (*from, *side) = arc(along, axis)?;
        }
        let sides = Sides::from_parts(sides);
        (sides.nodes() == count).then_some(Self { grid, origin, sides })
    }

    /// For callers that keep it in the machine, and at 0 along axes that it fills.
    pub(super) const fn from_parts(grid: Grid, origin: [u8; 4], sides: Sides) -> Self {
        Self { grid, origin, sides }
    }

    /// The machine that it lies in.
    pub const fn grid(&self) -> Grid {
        self.grid
    }

    /// Its corner: its first node along each axis.
    pub fn origin(&self) -> Node {
        self.grid.node(self.origin).unwrap_or_default()
    }

    /// The coordinate of its origin along each axis.
    pub const fn corner(&self) -> [u8; 4] {
        self.origin
    }

    /// Nodes along each axis.
    pub const fn sides(&self) -> Sides {
        self.sides
    }

    /// Whether `node` is one of its nodes.
    pub fn contains(&self, node: Node) -> bool {
        self.grid.coordinates(node).is_some_and(|at| self.holds(at))
    }

    /// Whether the node at these coordinates of its machine is.
    pub(super) fn holds(&self, at: [u8; 4]) -> bool {
        let spans = self.origin.into_iter().zip(self.sides.all()).zip(self.grid.all_axes());
        at.into_iter().zip(spans).all(|(at, ((from, side), axis))| axis.up(from, at) < side)
    }

    /// Whether it has a node of another box of the same machine.
    pub fn meets(&self, other: &Self) -> bool {
        let spans = self.origin.into_iter().zip(self.sides.all());
        let others = other.origin.into_iter().zip(other.sides.all());
        spans.zip(others).zip(self.grid.all_axes()).all(|(((one, length), (two, width)), axis)| {
            axis.up(one, two) < length || axis.up(two, one) < width
        })
    }

    /// Its nodes from the origin on, the first axis running fastest.
    pub fn nodes(&self) -> impl Iterator<Item = Node> + Clone + use<> {
        self.numbers(self.grid.strides()).map(Node)
    }

    /// What its coordinates times these strides add up to, the first axis running fastest. Those along an axis of
    /// stride 0 are one.
    pub(super) fn numbers(&self, strides: [u32; 4]) -> impl Iterator<Item = u32> + Clone + use<> {
        let mut spans = self.origin.into_iter().zip(self.sides.all()).zip(self.grid.sides());
        Along::all(strides.map(|stride| {
            let ((at, side), nodes) = spans.next().unwrap_or_default();
            let left = if stride == 0 { 1 } else { side.into() };
            Along { at: at.into(), left, nodes: nodes.into(), stride }
        }))
    }
}

/// Coordinates along an axis, as what they add to the number of a node, or of a row.
#[derive(Clone)]
struct Along {
    at: u32,
    left: u32,
    nodes: u32,
    stride: u32,
}

impl Along {
    /// The numbers of all coordinates of four axes, the first axis running fastest.
    fn all([x, y, z, w]: [Self; 4]) -> impl Iterator<Item = u32> + Clone + use<> {
        let cross = |outer: Self, inner: Self| {
            outer.flat_map(move |one| inner.clone().map(move |other| one.wrapping_add(other)))
        };
        let rows = cross(z, y);
        let blocks = w.flat_map(move |one| rows.clone().map(move |other| one.wrapping_add(other)));
        blocks.flat_map(move |one| x.clone().map(move |other| one.wrapping_add(other)))
    }
}

impl Iterator for Along {
    type Item = u32;

    fn next(&mut self) -> Option<u32> {
        self.left = self.left.checked_sub(1)?;
        let at = self.at;
        let next = at.wrapping_add(1);
        self.at = if next == self.nodes { 0 } else { next };
        Some(at.wrapping_mul(self.stride))
    }
}

/// As `4x4x2 at 3,0,1`, with as many sides as the machine has axes.
impl core::fmt::Display for Cuboid {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let axes = self.grid.axes().len();
        for (between, numbers) in [("x", self.sides.all()), (",", self.origin)] {
            let mut before = if between == "x" { "" } else { " at " };
            for number in numbers.iter().take(axes) {
                write!(f, "{before}{number}")?;
                before = between;
            }
        }
        Ok(())
    }
}

impl From<Cuboid> for (Grid, Node, Sides) {
    fn from(cuboid: Cuboid) -> Self {
        (cuboid.grid, cuboid.origin(), cuboid.sides)
    }
}

#[cfg(feature = "serde")]
impl TryFrom<(Grid, Node, Sides)> for Cuboid {
    type Error = &'static str;

    fn try_from((grid, origin, sides): (Grid, Node, Sides)) -> Result<Self, Self::Error> {
        Self::new(grid, origin, sides).ok_or("a box lies in its machine")
    }
}

/// Where these coordinates begin, and how many they are, if they follow one another along an axis.
fn arc(along: u64, axis: Axis) -> Option<(u8, u8)> {
    let side = along.count_ones() as u8;
    if side == axis.nodes() {
        return Some((0, side));
    }
    let last = axis.nodes().wrapping_sub(1);
    let around = if axis.is_ring() { along.wrapping_shr(last.into()) } else { 0 };
    let firsts = along & !(along << 1 | around);
    (firsts.count_ones() == 1).then_some((firsts.trailing_zeros() as u8, side))
}

#[cfg(test)]
mod tests {
    use super::*;
    extern crate std;
    use std::collections::BTreeSet;
    use std::vec::Vec;

    #[test]
    fn a_box_has_the_nodes_that_its_coordinates_say() {
        for text in ["mesh:5x3", "torus:4x3", "mesh:3rx2x4r", "torus:2x3x2x2"] {
            let grid: Grid = text.parse().unwrap();
            let [a, b, c, d] = grid.sides();
            let whole = Cuboid::new(grid, Node(0), Sides::new(&[a, b, c, d]).unwrap()).unwrap();
            for origin in (0..grid.nodes()).map(Node) {
                for like in whole.nodes() {
                    let sides = Sides::new(&grid.coordinates(like).unwrap().map(|at| at + 1));
                    check(grid, origin, sides.unwrap());
                }
            }
        }
    }

    /// Walks from the origin, a step at a time along each axis.
    fn check(grid: Grid, origin: Node, sides: Sides) {
        let from = grid.coordinates(origin).unwrap();
        let mut expected = Vec::from([from]);
        let mut outside = false;
        for axis in 0..4 {
            let nodes = grid.all_axes()[axis].nodes();
            let mut grown = Vec::new();
            for step in 0..sides.all()[axis] {
                for at in &expected {
                    let mut at = *at;
                    at[axis] += step;
                    outside |= at[axis] >= nodes && !grid.all_axes()[axis].is_ring();
                    at[axis] %= nodes;
                    grown.push(at);
                }
            }
            expected = grown;
        }
        let cuboid = Cuboid::new(grid, origin, sides);
        assert_eq!(cuboid.is_none(), outside, "{sides} at {from:?}");
        let Some(cuboid) = cuboid else { return };
        let expected: BTreeSet<_> = expected.iter().map(|at| grid.node(*at).unwrap()).collect();
        let nodes: Vec<_> = cuboid.nodes().collect();
        assert_eq!(nodes.len() as u32, sides.nodes());
        assert_eq!(nodes[0], cuboid.origin());
        assert_eq!(nodes.into_iter().collect::<BTreeSet<_>>(), expected);
        for node in (0..grid.nodes()).map(Node) {
            assert_eq!(cuboid.contains(node), expected.contains(&node));
        }
        assert!(!cuboid.contains(Node(grid.nodes())));
        let all = grid.sides();
        let filled = cuboid.corner().into_iter().zip(sides.all()).zip(all);
        assert!(filled.into_iter().all(|((at, side), nodes)| side < nodes || at == 0));
    }

    #[test]
    fn boxes_meet_exactly_if_they_share_a_node() {
        for text in ["mesh:5x3", "torus:4x3", "mesh:3rx4"] {
            let grid: Grid = text.parse().unwrap();
            let shapes: Vec<_> =
                (1..=12).flat_map(|nodes| Sides::factorizations(nodes, grid)).collect();
            let nodes = || (0..grid.nodes()).map(Node);
            let boxes: Vec<_> = shapes
                .iter()
                .flat_map(|&sides| nodes().filter_map(move |at| Cuboid::new(grid, at, sides)))
                .collect();
            for (one, other) in boxes.iter().flat_map(|one| boxes.iter().map(move |it| (one, it))) {
                assert_eq!(one.meets(other), one.nodes().any(|it| other.contains(it)));
            }
        }
    }

    #[test]
    fn boxes_of_the_same_nodes_are_equal() {
        let ring = Grid::torus(&[4, 4]).unwrap();
        let slab =
            |at: &[u8]| Cuboid::new(ring, ring.node_at(at).unwrap(), Sides::new(&[4, 2]).unwrap());
        assert_eq!(slab(&[0, 3]), slab(&[2, 3]));
        assert_ne!(slab(&[0, 3]), slab(&[0, 2]));
    }
}

//! Machines: one to four axes, each a line or a ring.

use crate::cube::Node;
use crate::slices::copy;
use crate::text::read_sides;
use core::str::FromStr;

/// One axis of a machine: nodes in a line, or in a ring whose ends are neighbours.
///
/// ```
/// use locox::grid::Axis;
/// let ring = Axis::ring(16).unwrap();
/// assert_eq!((ring.nodes(), ring.is_ring()), (16, true));
/// assert_eq!(Axis::line(65), None);
/// assert_eq!(Axis::ring(1), Axis::line(1)); // one node has no neighbour
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Axis {
    nodes: u8,
    ring: bool,
}

impl Axis {
    /// The most nodes along an axis, 64.
    pub const MAX: u8 = 64;

    /// An axis that a machine does not have.
    const NONE: Self = Self { nodes: 1, ring: false };

    /// A line of so many nodes; `None` unless they are 1 to [`Axis::MAX`].
    pub const fn line(nodes: u8) -> Option<Self> {
        Self::of(nodes, false)
    }

    /// A ring of so many nodes; `None` unless they are 1 to [`Axis::MAX`].
    pub const fn ring(nodes: u8) -> Option<Self> {
        Self::of(nodes, true)
    }

    const fn of(nodes: u8, ring: bool) -> Option<Self> {
        match nodes {
            1..=Self::MAX => Some(Self { nodes, ring: ring && nodes > 1 }),
            _ => None,
        }
    }

    /// Nodes along it.
    pub const fn nodes(self) -> u8 {
        self.nodes
    }

    /// Whether its ends are neighbours.
    pub const fn is_ring(self) -> bool {
        self.ring
    }

    /// How many nodes up from `from` `to` lies, around the end if need be.
    pub(super) const fn up(self, from: u8, to: u8) -> u8 {
        let around = if to < from { self.nodes } else { 0 };
        to.wrapping_add(around).wrapping_sub(from)
    }

    /// Whether `side` nodes from `at` on lie on it, around the end of a ring if need be.
    pub(crate) const fn holds(self, at: u8, side: u8) -> bool {
        let end = if self.ring { side } else { at.saturating_add(side) };
        at < self.nodes && end <= self.nodes
    }
}

/// Four of one to four, the others as `missing`.
pub(super) const fn four<T: Copy>(all: &[T], missing: T) -> Option<[T; 4]> {
    match *all {
        [a] => Some([a, missing, missing, missing]),
        [a, b] => Some([a, b, missing, missing]),
        [a, b, c] => Some([a, b, c, missing]),
        [a, b, c, d] => Some([a, b, c, d]),
        _ => None,
    }
}

/// A machine of one to four axes: a mesh, a torus, or lines and rings mixed.
///
/// Nodes are numbered with the first axis running fastest: the node at (x, y, z) of X by Y by Z is
/// x + X (y + Y z). Axes of one node at the end are left out: 4x4x1 is 4x4.
///
/// As text `torus:16x16x16` if all axes of more than one node are rings, else `mesh:16x4r`, with an
/// `r` behind each ring.
///
/// ```
/// use locox::cube::Node;
/// use locox::grid::{Axis, Grid};
/// let torus = Grid::torus(&[16, 16, 8]).unwrap();
/// assert_eq!(torus.nodes(), 2048);
/// assert_eq!(torus.node_at(&[3, 0, 1]), Some(Node(259)));
/// assert_eq!(torus.coordinates(Node(259)), Some([3, 0, 1, 0]));
/// let mixed: Grid = "mesh:16x4r".parse().unwrap();
/// assert_eq!(Grid::new(&[Axis::line(16).unwrap(), Axis::ring(4).unwrap()]), Some(mixed));
/// ```
///
/// # Invariants
///
/// - It has at most [`Grid::MOST_NODES`] nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "[(u8, bool); 4]", into = "[(u8, bool); 4]"))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Grid {
    /// Those that it does not have are of one node.
    axes: [Axis; 4],
}

impl Grid {
    /// The most nodes, 65,536.
    pub const MOST_NODES: u32 = 1 << 16;

    /// The machine of these axes; `None` unless they are one to four, of at most
    /// [`Grid::MOST_NODES`] nodes together.
    pub const fn new(axes: &[Axis]) -> Option<Self> {
        let Some(axes) = four(axes, Axis::NONE) else { return None };
        let grid = Self { axes };
        if grid.nodes() <= Self::MOST_NODES { Some(grid) } else { None }
    }

    /// The machine of lines of so many nodes; `None` as of [`Grid::new`] and [`Axis::line`].
    pub const fn mesh(sides: &[u8]) -> Option<Self> {
        Self::of(sides, false)
    }

    /// The machine of rings of so many nodes; `None` as of [`Grid::new`] and [`Axis::ring`].
    pub const fn torus(sides: &[u8]) -> Option<Self> {
        Self::of(sides, true)
    }

    const fn of(sides: &[u8], ring: bool) -> Option<Self> {
        let Some([a, b, c, d]) = four(sides, 1) else { return None };
        match (Axis::of(a, ring), Axis::of(b, ring), Axis::of(c, ring), Axis::of(d, ring)) {
            (Some(a), Some(b), Some(c), Some(d)) => Self::new(&[a, b, c, d]),
            _ => None,
        }
    }

    /// Its axes, without those of one node at the end, but at least one.
    pub const fn axes(&self) -> &[Axis] {
        match &self.axes {
            [axes @ .., b, c, d] if b.nodes == 1 && c.nodes == 1 && d.nodes == 1 => axes,
            [axes @ .., c, d] if c.nodes == 1 && d.nodes == 1 => axes,
            [axes @ .., d] if d.nodes == 1 => axes,
            axes => axes,
        }
    }

    /// All four of them.
    pub(crate) const fn all_axes(&self) -> [Axis; 4] {
        self.axes
    }

    /// Nodes along each axis.
    pub(crate) const fn sides(&self) -> [u8; 4] {
        let [a, b, c, d] = self.axes;
        [a.nodes, b.nodes, c.nodes, d.nodes]
    }

    /// All its nodes.
    pub const fn nodes(&self) -> u32 {
        let [a, b, c, d] = self.sides();
        (a as u32).wrapping_mul(b as u32).wrapping_mul(c as u32).wrapping_mul(d as u32)
    }

    /// By how much the number of a node rises along each axis.
    pub(crate) const fn strides(&self) -> [u32; 4] {
        let [a, b, c, _] = self.sides();
        let plane = (a as u32).wrapping_mul(b as u32);
        [1, a as u32, plane, plane.wrapping_mul(c as u32)]
    }

    /// The node at a coordinate of each axis, of which those at the end may be left out if they are
    /// 0; `None` outside the machine.
    pub fn node_at(&self, at: &[u8]) -> Option<Node> {
        let mut whole = [0; 4];
        copy(whole.get_mut(..at.len())?, at);
        self.node(whole)
    }

    /// The node at a coordinate of each axis.
    pub(crate) fn node(&self, at: [u8; 4]) -> Option<Node> {
        let mut node = 0u32;
        for ((at, side), stride) in at.into_iter().zip(self.sides()).zip(self.strides()) {
            if at >= side {
                return None;
            }
            node = node.wrapping_add(u32::from(at).wrapping_mul(stride));
        }
        Some(Node(node))
    }

    /// The coordinate of `node` along each axis, 0 along those that the machine does not have;
    /// `None` outside the machine.
    pub fn coordinates(&self, node: Node) -> Option<[u8; 4]> {
        let mut left = node.0;
        let at = self.sides().map(|side| {
            let at = left.checked_rem(side.into()).unwrap_or_default();
            left = left.checked_div(side.into()).unwrap_or_default();
            at as u8
        });
        (left == 0).then_some(at)
    }
}

impl From<Grid> for [(u8, bool); 4] {
    fn from(grid: Grid) -> Self {
        grid.axes.map(|axis| (axis.nodes, axis.ring))
    }
}

impl TryFrom<[(u8, bool); 4]> for Grid {
    type Error = BadGrid;

    fn try_from(axes: [(u8, bool); 4]) -> Result<Self, BadGrid> {
        let [a, b, c, d] = axes.map(|(nodes, ring)| Axis::of(nodes, ring).ok_or(BadGrid));
        Self::new(&[a?, b?, c?, d?]).ok_or(BadGrid)
    }
}

impl core::fmt::Display for Grid {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let is_torus =
            self.nodes() > 1 && self.axes.iter().all(|axis| axis.ring || axis.nodes == 1);
        let mut before = if is_torus { "torus:" } else { "mesh:" };
        for axis in self.axes() {
            let after = if axis.ring && !is_torus { "r" } else { "" };
            write!(f, "{before}{}{after}", axis.nodes)?;
            before = "x";
        }
        Ok(())
    }
}

/// No machine: not one to four axes of 1 to 64 nodes, 65,536 in all; or text that is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct BadGrid;

crate::display::error! { BadGrid:
    _ => "a machine is written as torus:16x16x16 or mesh:16x4r: one to four axes of 1 to {} nodes, {} in all"
        (Axis::MAX, Grid::MOST_NODES)
}

impl FromStr for Grid {
    type Err = BadGrid;

    fn from_str(text: &str) -> Result<Self, BadGrid> {
        let torus = text.strip_prefix("torus:");
        let sides = torus.or(text.strip_prefix("mesh:")).ok_or(BadGrid)?;
        let axis = |side: &str| {
            let ring = side.strip_suffix('r').filter(|_| torus.is_none());
            Axis::of(ring.unwrap_or(side).parse().ok()?, torus.or(ring).is_some())
        };
        let axes = read_sides::<_, 4>(sides, Axis::NONE, axis);
        axes.and_then(|axes| Self::new(&axes)).ok_or(BadGrid)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    extern crate std;
    use std::string::ToString;

    fn grid(text: &str) -> Grid {
        text.parse().unwrap()
    }

    #[test]
    fn a_machine_reads_as_it_prints() {
        for text in ["mesh:1", "torus:2", "torus:16x16x16", "mesh:32x32", "mesh:16x4r", "mesh:1x5"]
        {
            assert_eq!(grid(text).to_string(), text);
        }
        for (text, short) in [("mesh:4rx4r", "torus:4x4"), ("torus:1x1", "mesh:1")] {
            assert_eq!(grid(text).to_string(), short);
        }
        assert_eq!(grid("torus:4x1x4x1").to_string(), "torus:4x1x4");
        let bad = ["", "4x4", "torus:", "torus:4x4r", "mesh:4xx4", "mesh:65", "mesh:0", "mesh:256"];
        for text in bad.into_iter().chain(["torus:2x2x2x2x2", "ring:4", "mesh:64x64x64"]) {
            assert_eq!(text.parse::<Grid>(), Err(BadGrid), "{text}");
        }
    }

    #[test]
    fn a_machine_has_at_most_65536_nodes() {
        assert_eq!(Grid::mesh(&[64, 64, 16]).map(|it| it.nodes()), Some(Grid::MOST_NODES));
        assert_eq!(Grid::mesh(&[64, 64, 17]), None);
        assert_eq!(Grid::torus(&[]), None);
        assert_eq!(Grid::torus(&[2; 5]), None);
        assert_eq!(Grid::torus(&[2, 0]), None);
    }

    #[test]
    fn numbers_and_coordinates_lead_to_each_other() {
        for text in ["mesh:5x3", "torus:4x1x3", "mesh:2x3rx4x5", "mesh:64"] {
            let grid = grid(text);
            let mut all = 0..grid.nodes();
            let [a, b, c, d] = grid.sides();
            for at in 0..u64::from(grid.nodes()) {
                let [a, b, c, d] = [a, b, c, d].map(u64::from);
                let [x, y, z, w] =
                    [at % a, at / a % b, at / a / b % c, at / a / b / c % d].map(|at| at as u8);
                let node = Node(all.next().unwrap());
                assert_eq!(grid.coordinates(node), Some([x, y, z, w]));
                assert_eq!(grid.node_at(&[x, y, z, w]), Some(node));
            }
            assert_eq!(grid.coordinates(Node(grid.nodes())), None);
            assert_eq!(grid.coordinates(Node(u32::MAX)), None);
            assert_eq!(grid.node_at(&[a]), None);
            assert_eq!(grid.node_at(&[]), Some(Node(0)));
            assert_eq!(grid.node_at(&[0; 5]), None);
        }
    }

    #[test]
    fn axes_of_one_node_at_the_end_are_left_out() {
        assert_eq!(Grid::mesh(&[4, 1]), Grid::mesh(&[4]));
        assert_eq!(Grid::torus(&[4, 1, 2, 1]).unwrap().axes().len(), 3);
        assert_eq!(Grid::mesh(&[1, 1]).unwrap().axes(), [Axis::line(1).unwrap()]);
    }
}

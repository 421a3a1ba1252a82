//! Meshes in subcubes: which node stands at a coordinate, and which coordinate a node has.
//!
//! Source: Turner 1995, section 3.3.1. Each axis of side s takes ceil(log2 s) free coordinates of
//! the subcube, the first axis the highest ones. Its address there is the codeword of the binary
//! reflected Gray code at the coordinate's index, so neighbours in the mesh are neighbours in the
//! cube. The order of the axes is therefore the orientation.

use super::Shape;
use crate::bits::{deposit, extract};
use crate::cube::{Node, Subcube, gray};

/// A mesh placed in a subcube of its dimension.
///
/// The rest of the subcube, its leftover, is not part of the mesh.
///
/// ```
/// use locox::cube::Node;
/// use locox::mesh::{Embedding, Shape};
/// let mesh = Embedding::new("0*1***".parse().unwrap(), Shape::rectangle(3, 4).unwrap()).unwrap();
/// assert_eq!(mesh.node([2, 1, 0]), Some(Node(0b011101)));
/// assert_eq!(mesh.coordinates(Node(0b011101)), Some([2, 1, 0]));
/// assert_eq!(mesh.node([3, 1, 0]), None);
/// assert_eq!(mesh.coordinates(Node(0b011001)), None); // row 3 is leftover
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "Parts"))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Embedding {
    pub(super) cube: Subcube,
    pub(super) shape: Shape,
}

impl Embedding {
    /// The mesh in `cube`; `None` unless their dimensions are equal.
    pub fn new(cube: Subcube, shape: Shape) -> Option<Self> {
        (cube.dim() == shape.dim()).then_some(Self { cube, shape })
    }

    /// The subcube that the mesh lies in, leftover included.
    pub const fn cube(&self) -> Subcube {
        self.cube
    }

    /// The sides of the mesh.
    pub const fn shape(&self) -> Shape {
        self.shape
    }

    /// The node at a coordinate of each axis; `None` outside the mesh.
    pub fn node(&self, at: [u32; 3]) -> Option<Node> {
        let mut address = self.cube.base().0;
        for (axis, index) in self.axes().iter().zip(at) {
            if index >= axis.side {
                return None;
            }
            address |= deposit(gray::encode(index).0, axis.mask);
        }
        Some(Node(address))
    }

    /// The coordinates of `node`; `None` if it is none of the mesh.
    pub fn coordinates(&self, node: Node) -> Option<[u32; 3]> {
        let at = self.axes().map(|axis| axis.index(node));
        (self.node(at) == Some(node)).then_some(at)
    }

    /// Whether `node` is one of the mesh.
    pub fn contains(&self, node: Node) -> bool {
        self.cube.contains(node) && self.axes().iter().all(|axis| axis.uses(node))
    }

    /// The nodes of the mesh, the last axis running fastest.
    pub fn nodes(&self) -> impl Iterator<Item = Node> + use<> {
        let mesh = *self;
        let [x, y, z] = self.shape.sides();
        let all =
            (0..x).flat_map(move |i| (0..y).flat_map(move |j| (0..z).map(move |k| [i, j, k])));
        all.filter_map(move |at| mesh.node(at))
    }

    /// The axes with their coordinates of the cube, first axis first.
    pub(super) fn axes(&self) -> [Axis; 3] {
        let [x, y, z] = self.shape.sides();
        let [a, b, c] = self.shape.dims().map(|dims| 1u32.wrapping_shl(u32::from(dims)));
        let low = deposit(c.wrapping_sub(1), self.cube.mask());
        let upper = self.cube.mask() ^ low;
        let middle = deposit(b.wrapping_sub(1), upper);
        [
            Axis { mask: upper ^ middle, size: a, side: x },
            Axis { mask: middle, size: b, side: y },
            Axis { mask: low, size: c, side: z },
        ]
    }
}

// As `3x4 in 0*1***`.
crate::display::display! { Embedding: it => "{} in {}" (it.shape, it.cube) }

/// One axis of a mesh.
///
/// - `size` is 2 to the number of ones of `mask`.
/// - `side` is at most `size`, and more than half of it.
#[derive(Clone, Copy)]
pub(super) struct Axis {
    /// Ones at the coordinates of the cube that carry the codeword.
    pub(super) mask: u32,
    /// Codewords.
    pub(super) size: u32,
    /// Codewords used, from index 0 on.
    pub(super) side: u32,
}

impl Axis {
    /// The index of the codeword that `node` has here.
    pub(super) fn index(&self, node: Node) -> u32 {
        gray::decode(Node(extract(node.0, self.mask)))
    }

    /// Whether that codeword is one of the mesh.
    pub(super) fn uses(&self, node: Node) -> bool {
        self.index(node) < self.side
    }
}

/// What is read of an [`Embedding`] before it is checked.
#[cfg(feature = "serde")]
#[derive(serde::Deserialize)]
struct Parts {
    cube: Subcube,
    shape: Shape,
}

#[cfg(feature = "serde")]
impl TryFrom<Parts> for Embedding {
    type Error = &'static str;

    fn try_from(parts: Parts) -> Result<Self, Self::Error> {
        Self::new(parts.cube, parts.shape).ok_or("a mesh lies in a subcube of its dimension")
    }
}

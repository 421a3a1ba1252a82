//! The shapes of live meshes, filed under their base nodes.

use super::Shape;
use crate::bits::{Lanes, Packed, Word, low_mask};
use crate::cube::Dim;
use crate::subcube::lease::{per_node, words_per_node};

/// For each node the sides of the mesh whose subcube has its base there.
///
/// - `sides` packs the sides less one, each in the dimensions of its axis: together as many bits
///   as the subcube has dimensions, so they fit where an address does.
/// - `axes` has the dimensions of the second axis in its five low bits, of the third one above.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shapes {
    sides: Lanes,
    axes: Lanes,
}

impl Shapes {
    pub(super) const fn words(dims: Dim) -> usize {
        words_per_node(dims) + Packed::HALVES.words(dims.nodes() as usize)
    }

    pub(super) const fn new(dims: Dim, start: usize) -> Self {
        let axes = Lanes::Halves(start + words_per_node(dims));
        Self { sides: per_node(dims, start), axes }
    }

    pub(super) fn set(self, words: &mut [Word], base: u32, shape: Shape) {
        let [_, b, c] = shape.dims().map(u32::from);
        let [x, y, z] = shape.sides().map(|side| side.wrapping_sub(1));
        let packed = (x.wrapping_shl(b) | y).wrapping_shl(c) | z;
        self.sides.set(words, base, packed);
        self.axes.set(words, base, c << 5 | b);
    }

    /// What was filed last; a line of one node if nothing ever was.
    pub(super) fn get(self, words: &[Word], base: u32) -> Shape {
        let axes = self.axes.get(words, base);
        let (b, c) = (axes & 31, axes >> 5);
        let packed = self.sides.get(words, base);
        let low = |bits: u32| low_mask(bits) as u32;
        let (x, y) = (packed.wrapping_shr(b.wrapping_add(c)), packed.wrapping_shr(c) & low(b));
        Shape { sides: [x, y, packed & low(c)].map(|side| side.wrapping_add(1)) }
    }
}

//! The leftover of a mesh, and its own region, as disjoint subcubes.
//!
//! Source: Turner 1995, figures 3.2 and 3.7, there for two axes. The used codewords of an axis and
//! the unused ones are ranges of the Gray code, and each range is a few subcubes of the axis: its
//! dyadic blocks. The leftover falls into slabs, one an axis, the larger slab first: the unused
//! codewords of that axis, times all codewords of the axes whose slab comes later, times the used
//! codewords of the axes whose slab came before. Each slab is the product of the blocks of its
//! three ranges, and so is the mesh itself. Slabs of equal size come in the order of the axes.
//!
//! No route between two nodes of the mesh uses a channel inside one of these subcubes (theorem 1):
//! on one axis the subcube is a block B of unused codewords. A channel along another axis has a
//! codeword of B on this one, which by lemma 1 the source or the target would have too. A channel
//! along this axis agrees with the source above its dimension, so the source would lie in B. The
//! argument needs no particular number or order of axes; the printed one treats two and is wrong
//! in its first case. Joining two of the subcubes, even complements, loses the property.
//!
//! Cost: a few operations for each subcube. No storage.

use super::Embedding;
use super::embedding::Axis;
use crate::bits::{deposit, highest};
use crate::cube::{Dim, Subcube, gray};

impl Embedding {
    /// The nodes of the subcube that the mesh leaves over, as disjoint subcubes, larger slabs
    /// first.
    ///
    /// ```
    /// use locox::cube::{Dim, Subcube};
    /// use locox::mesh::{Embedding, Shape};
    /// let whole = Subcube::whole(Dim::new(10).unwrap());
    /// let mesh = Embedding::new(whole, Shape::rectangle(20, 30).unwrap()).unwrap();
    /// assert!(mesh.leftover().map(|cube| cube.dim().get()).eq([8, 7, 5, 3]));
    /// ```
    pub fn leftover(&self) -> impl Iterator<Item = Subcube> + use<> {
        self.partition().leftover()
    }

    /// The nodes of the mesh as disjoint subcubes.
    pub fn region(&self) -> impl Iterator<Item = Subcube> + use<> {
        self.partition().region()
    }

    pub(super) fn partition(&self) -> Partition {
        Partition { cube: self.cube(), axes: by_falling_slab(self.axes()).map(AxisBlocks::of) }
    }
}

/// The blocks of the axes of a mesh, by falling size of their slabs.
#[derive(Clone, Copy)]
pub(super) struct Partition {
    cube: Subcube,
    axes: [AxisBlocks; 3],
}

impl Partition {
    pub(super) fn leftover(self) -> impl Iterator<Item = Subcube> {
        let Self { cube, axes: [a, b, c] } = self;
        let mut slab = Product::new(cube, [c.whole(), b.whole(), a.unused()]);
        let mut number = 1;
        core::iter::from_fn(move || {
            loop {
                if let Some(cube) = slab.next() {
                    return Some(cube);
                }
                let axes = match number {
                    1 => [c.whole(), a.used(), b.unused()],
                    2 => [a.used(), b.used(), c.unused()],
                    _ => return None,
                };
                number = u8::wrapping_add(number, 1);
                slab = Product::new(cube, axes);
            }
        })
    }

    pub(super) fn region(self) -> Product {
        let [a, b, c] = self.axes;
        Product::new(self.cube, [c.used(), a.used(), b.used()])
    }
}

fn by_falling_slab(axes: [Axis; 3]) -> [Axis; 3] {
    let [a, b, c] = axes;
    let (a, b) = larger_first(a, b);
    let (b, c) = larger_first(b, c);
    let (a, b) = larger_first(a, b);
    [a, b, c]
}

/// Slabs compare as the unused shares of their axes do. Sizes multiply to the nodes of a subcube.
fn larger_first(a: Axis, b: Axis) -> (Axis, Axis) {
    let share = |of: Axis, other: Axis| of.size.wrapping_sub(of.side).wrapping_mul(other.size);
    if share(b, a) > share(a, b) { (b, a) } else { (a, b) }
}

/// Dyadic blocks of an axis.
///
/// Towards the first unused index, down the binary tree over the indices, the half that is passed
/// by is a block at each level: of used codewords where the index has a one, of unused ones where
/// it has a zero. Its codeword differs from that of the index in the coordinate of this level, and
/// is free below. The lowest one ends the way: there the half entered is a block of unused
/// codewords too.
#[derive(Clone, Copy, Debug)]
struct Blocks {
    /// Coordinates of the axis.
    mask: u32,
    /// A codeword that differs from that of each block in the coordinate of the block's level.
    path: u32,
    /// The levels that have a block, as coordinates.
    levels: u32,
}

/// A level above all axes: the block there is the whole axis.
const TOP: u32 = 1 << 31;

impl Blocks {
    /// Address and mask of the block of one level.
    fn at(&self, level: u32) -> (u32, u32) {
        let below = level.wrapping_sub(1);
        ((self.path ^ level) & !below, self.mask & below)
    }
}

/// The blocks of an axis: of used codewords, of unused ones, and the whole axis as one.
#[derive(Clone, Copy)]
struct AxisBlocks {
    mask: u32,
    path: u32,
    /// Levels of the blocks of used codewords, and of unused ones.
    levels: [u32; 2],
}

impl AxisBlocks {
    fn of(axis: Axis) -> Self {
        let mask = axis.mask;
        if axis.side == axis.size {
            return Self { mask, path: TOP, levels: [TOP, 0] };
        }
        let path = deposit(gray::encode(axis.side).0, mask);
        let ones = deposit(axis.side, mask);
        let lowest = ones & ones.wrapping_neg();
        let zeros = mask & !ones & !lowest.wrapping_sub(1);
        Self { mask, path, levels: [ones, zeros | lowest] }
    }

    fn whole(&self) -> Blocks {
        Blocks { mask: self.mask, path: TOP, levels: TOP }
    }

    fn used(&self) -> Blocks {
        let [levels, _] = self.levels;
        Blocks { mask: self.mask, path: self.path, levels }
    }

    /// At the lowest level with a used block it is the half entered that is unused.
    fn unused(&self) -> Blocks {
        let [used, levels] = self.levels;
        Blocks { mask: self.mask, path: self.path ^ (used & used.wrapping_neg()), levels }
    }
}

/// All combinations of blocks of three axes, larger blocks first, the last axis running fastest.
///
/// - `left` are the levels to come, the one at hand included; if the first is 0 nothing comes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Product {
    dims: Dim,
    base: u32,
    axes: [Blocks; 3],
    left: [u32; 3],
}

impl Product {
    fn new(cube: Subcube, axes: [Blocks; 3]) -> Self {
        let left = axes.map(|blocks| blocks.levels);
        let left = if left.contains(&0) { [0; 3] } else { left };
        Self { dims: cube.dims(), base: cube.base().0, axes, left }
    }
}

impl Iterator for Product {
    type Item = Subcube;

    fn next(&mut self) -> Option<Subcube> {
        let [a, b, c] = self.left;
        if a == 0 {
            return None;
        }
        let [blocks_a, blocks_b, blocks_c] = &self.axes;
        let (x, y, z) = (highest(a), highest(b), highest(c));
        self.left = match (b ^ y, c ^ z) {
            (0, 0) => [a ^ x, blocks_b.levels, blocks_c.levels],
            (b, 0) => [a, b, blocks_c.levels],
            (_, c) => [a, b, c],
        };
        let ((ax, mx), (ay, my), (az, mz)) = (blocks_a.at(x), blocks_b.at(y), blocks_c.at(z));
        Some(Subcube::from_parts(self.dims, self.base | ax | ay | az, mx | my | mz))
    }
}

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
//! Cost: a few operations a subcube and dimension. No storage.

use super::Embedding;
use super::embedding::Axis;
use crate::bits::highest;
use crate::cube::{Dim, Subcube};

impl Embedding {
    /// The nodes of the subcube that the mesh leaves over, larger regions first.
    ///
    /// ```
    /// use locox::cube::{Dim, Subcube};
    /// use locox::mesh::{Embedding, Shape};
    /// let whole = Subcube::whole(Dim::new(10).unwrap());
    /// let mesh = Embedding::new(whole, Shape::rectangle(20, 30).unwrap()).unwrap();
    /// assert!(mesh.leftover().map(|cube| cube.dim().get()).eq([8, 7, 5, 3]));
    /// ```
    pub fn leftover(&self) -> impl Iterator<Item = Subcube> + use<> {
        use Part::{Unused, Used, Whole};
        let [a, b, c] = by_falling_slab(self.axes());
        let first = self.product([(a, Unused), (b, Whole), (c, Whole)]);
        let second = self.product([(a, Used), (b, Unused), (c, Whole)]);
        let third = self.product([(a, Used), (b, Used), (c, Unused)]);
        first.chain(second).chain(third)
    }

    /// The nodes of the mesh.
    pub fn region(&self) -> impl Iterator<Item = Subcube> + use<> {
        self.product(self.axes().map(|axis| (axis, Part::Used)))
    }

    /// All combinations of the blocks of three parts.
    fn product(&self, parts: [(Axis, Part); 3]) -> impl Iterator<Item = Subcube> + use<> {
        let (dims, base) = (self.cube().dims(), self.cube().base().0);
        let [a, b, c] = parts.map(|(axis, part)| Blocks::new(axis, part));
        a.flat_map(move |a| b.flat_map(move |b| c.map(move |c| [a, b, c])))
            .map(move |blocks| join(dims, base, blocks))
    }
}

fn join(dims: Dim, base: u32, [a, b, c]: [Block; 3]) -> Subcube {
    let address = base | a.address | b.address | c.address;
    Subcube::from_parts(dims, address, a.mask | b.mask | c.mask)
}

fn by_falling_slab(axes: [Axis; 3]) -> [Axis; 3] {
    let [a, b, c] = axes;
    let (a, b) = larger_first(a, b);
    let (b, c) = larger_first(b, c);
    let (a, b) = larger_first(a, b);
    [a, b, c]
}

/// Slabs compare as the unused shares of their axes do.
fn larger_first(a: Axis, b: Axis) -> (Axis, Axis) {
    let share = |of: Axis, other: Axis| {
        let unused = of.size.wrapping_sub(of.side);
        u64::from(unused).wrapping_mul(u64::from(other.size))
    };
    if share(b, a) > share(a, b) { (b, a) } else { (a, b) }
}

/// A part of the codewords of an axis.
#[derive(Clone, Copy)]
enum Part {
    Used,
    Unused,
    Whole,
}

/// A run of codewords that is a subcube of the axis.
#[derive(Clone, Copy)]
struct Block {
    address: u32,
    mask: u32,
}

/// The dyadic blocks of the used codewords of an axis, or of the unused ones, larger ones first.
///
/// A walk down the binary tree over the indices, towards the first unused one: where it turns to
/// the upper half, the lower one is a block of used codewords, and the other way round. It ends
/// in a half that is used or unused as a whole.
#[derive(Clone, Copy)]
struct Blocks {
    used: bool,
    ended: bool,
    /// Codewords of the half that the walk is in.
    size: u32,
    /// How many of them are used.
    side: u32,
    /// Their coordinates that differ.
    below: u32,
    /// Their coordinates that do not.
    address: u32,
    /// Whether the last turn was to the upper half: there the Gray code runs backwards.
    reversed: bool,
}

impl Blocks {
    const fn new(axis: Axis, part: Part) -> Self {
        let (used, side) = match part {
            Part::Used => (true, axis.side),
            Part::Unused => (false, axis.side),
            Part::Whole => (true, axis.size),
        };
        let (size, below) = (axis.size, axis.mask);
        Self { used, ended: false, size, side, below, address: 0, reversed: false }
    }

    /// Turns towards the first unused index; the half passed by, and whether it is used.
    fn turn(&mut self) -> (Block, bool) {
        let bit = highest(self.below);
        self.below ^= bit;
        self.size >>= 1;
        let up = self.side >= self.size;
        let lower = self.address | if self.reversed { bit } else { 0 };
        let upper = self.address | if self.reversed { 0 } else { bit };
        let (passed, entered) = if up { (lower, upper) } else { (upper, lower) };
        if up {
            self.side = self.side.wrapping_sub(self.size);
        }
        self.address = entered;
        self.reversed = up;
        (Block { address: passed, mask: self.below }, up)
    }
}

impl Iterator for Blocks {
    type Item = Block;

    fn next(&mut self) -> Option<Block> {
        while !self.ended {
            let (block, used) = if self.side == 0 || self.side == self.size {
                self.ended = true;
                (Block { address: self.address, mask: self.below }, self.side != 0)
            } else {
                self.turn()
            };
            if used == self.used {
                return Some(block);
            }
        }
        None
    }
}

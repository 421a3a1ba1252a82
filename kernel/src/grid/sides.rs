//! Sides of boxes: in which shapes a number of nodes can be asked for.

use super::machine::{Axis, Grid, four};
use crate::slices::put;
use crate::text::read_sides;
use core::str::FromStr;

/// How many nodes a box has along each axis: one to four sides, each 1 to 64.
///
/// Sides of one node at the end are left out: 4x2x1 is 4x2.
///
/// ```
/// use locox::grid::{Grid, Sides};
/// let torus = Grid::torus(&[16, 16, 16]).unwrap();
/// let sides: Sides = "4x4x2".parse().unwrap();
/// assert_eq!(Sides::new(&[4, 4, 2]), Some(sides));
/// assert_eq!(sides.nodes(), 32);
/// let turned: Vec<_> = sides.rotations(torus).map(|it| it.to_string()).collect();
/// assert_eq!(turned, ["4x4x2", "4x2x4", "2x4x4"]);
/// let shapes: Vec<_> = Sides::factorizations(8, torus).map(|it| it.to_string()).collect();
/// assert_eq!(shapes, ["2x2x2", "1x2x4", "1x4x2", "2x1x4", "2x4", "4x1x2", "4x2", "1x1x8", "1x8", "8"]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "[u8; 4]", into = "[u8; 4]"))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Sides {
    /// Those that are left out are of one node.
    sides: [u8; 4],
}

impl Sides {
    /// The box of these sides; `None` unless they are one to four, each 1 to [`Axis::MAX`].
    pub const fn new(sides: &[u8]) -> Option<Self> {
        match four(sides, 1) {
            Some(sides) => Self::of(sides),
            None => None,
        }
    }

    const fn of([a, b, c, d]: [u8; 4]) -> Option<Self> {
        // Of numbers below 64 the union is one, too; without nodes the side wraps.
        let union = a.wrapping_sub(1) | b.wrapping_sub(1) | c.wrapping_sub(1) | d.wrapping_sub(1);
        if union < Axis::MAX { Some(Self { sides: [a, b, c, d] }) } else { None }
    }

    /// For callers that keep each side within 1 to 64.
    pub(super) const fn from_parts(sides: [u8; 4]) -> Self {
        Self { sides }
    }

    /// The same with the side along an axis made another, of 1 to 64.
    pub(super) fn with(mut self, axis: usize, side: u8) -> Self {
        put(&mut self.sides, axis, side);
        self
    }

    /// All four sides, 1 along axes that were left out.
    pub const fn all(&self) -> [u8; 4] {
        self.sides
    }

    /// Nodes of the box.
    pub const fn nodes(&self) -> u32 {
        let [a, b, c, d] = self.sides;
        (a as u32).wrapping_mul(b as u32).wrapping_mul(c as u32).wrapping_mul(d as u32)
    }

    /// Whether there is such a box in the machine when all is free.
    pub fn fits(&self, grid: Grid) -> bool {
        self.sides.iter().zip(grid.sides()).all(|(&side, nodes)| side <= nodes)
    }

    /// The box turned onto the axes of a machine in all ways that differ and fit: as it is first, then
    /// by which side the first axes get. At most 24.
    pub fn rotations(&self, grid: Grid) -> impl Iterator<Item = Self> + Clone + use<> {
        let sides = self.sides;
        let side = move |at: usize| sides.get(at).copied().unwrap_or(1);
        // Of equal sides the one that stood first goes first.
        let differs = move |&[a, b, c, d]: &[usize; 4]| {
            let rises = |[one, other]: [usize; 2]| one < other || side(one) != side(other);
            [[a, b], [a, c], [a, d], [b, c], [b, d], [c, d]].into_iter().all(rises)
        };
        // All orders, and others in which an axis comes twice and does not rise. The last axis is the one that
        // is left, since 0 ^ 1 ^ 2 ^ 3 is 0.
        let orders = (0..64).map(|code| [code >> 4, code >> 2 & 3, code & 3]);
        let orders = orders.map(|[a, b, c]| [a, b, c, a ^ b ^ c]);
        let turned = orders.filter(differs).map(move |order| Self { sides: order.map(side) });
        turned.filter(move |sides| sides.fits(grid))
    }

    /// Neighbours of the box's nodes outside it, if the machine has more nodes on both sides of it
    /// along each axis that the box does not fill.
    pub fn surface(&self, grid: Grid) -> u32 {
        let faces = self.sides.iter().zip(grid.sides()).map(|(&side, nodes)| {
            let face = self.nodes().checked_div(side.into()).unwrap_or_default();
            if side < nodes { face.wrapping_mul(2) } else { 0 }
        });
        faces.fold(0, u32::wrapping_add)
    }

    /// All boxes of just so many nodes that fit in a machine: the smallest [`Sides::surface`] first, of
    /// equal ones the smallest first side, then second, and so on. None if there is none.
    ///
    /// Cost: a division for each number up to the longest axis; then for each box a look at all triples of sides that divide
    /// the number, at most D^3 divisions, where D is the number of divisors below 65.
    pub fn factorizations(nodes: u32, grid: Grid) -> impl Iterator<Item = Self> + Clone {
        let longest = grid.sides().into_iter().fold(1, u8::max);
        let divides = |side: u8| nodes.checked_rem(side.into()) == Some(0);
        let bit = |side: u8| u64::from(divides(side)).wrapping_shl(u32::from(side).wrapping_sub(1));
        let divisors = (1..=longest).fold(0, |all, side| all | bit(side));
        // The next few at a time, the last of them first.
        let (mut last, mut next) = (None, [None; 4]);
        core::iter::from_fn(move || {
            if next.iter().all(Option::is_none) {
                let all = Self::products(nodes, grid, divisors).map(|it| (it.surface(grid), it));
                all.filter(|it| Some(*it) > last).for_each(|it| keep_least(&mut next, it));
            }
            let least = next.iter_mut().rev().find_map(Option::take)?;
            last = Some(least);
            Some(least.1)
        })
    }

    /// The same in no order that matters, where `divisors` has the bit n - 1 of each side n that divides the number.
    fn products(nodes: u32, grid: Grid, divisors: u64) -> impl Iterator<Item = Self> {
        let [a, b, c, d] = grid.sides();
        let sides = move |of: u32, most: u8, behind: u32| {
            // A smaller one would leave more than the axes behind have.
            let less = of.saturating_sub(1).checked_div(behind).unwrap_or(0);
            let up_to = u64::MAX.checked_shr(64_u32.wrapping_sub(most.into())).unwrap_or(0);
            let mut left = divisors & up_to & u64::MAX.checked_shl(less).unwrap_or(0);
            core::iter::from_fn(move || {
                while left != 0 {
                    let side = left.trailing_zeros().wrapping_add(1);
                    left &= left.wrapping_sub(1);
                    if of.checked_rem(side) == Some(0) {
                        return Some((side as u8, of.checked_div(side)?));
                    }
                }
                None
            })
        };
        let cd = u32::from(c).wrapping_mul(d.into());
        let bcd = cd.wrapping_mul(b.into());
        sides(nodes, a, bcd).flat_map(move |(x, rest)| {
            sides(rest, b, cd).flat_map(move |(y, rest)| {
                let of = move |(z, w)| Some(Self { sides: [x, y, z, u8::try_from(w).ok()?] });
                sides(rest, c, d.into()).filter_map(of).filter(|it| it.nodes() > 0)
            })
        })
    }

    /// Each side less one, in six bits.
    pub(super) fn packed(self) -> u32 {
        let [a, b, c, d] = self.sides;
        let six = |side: u8| side.wrapping_sub(1) as u32 & 63;
        six(a) | six(b) << 6 | six(c) << 12 | six(d) << 18
    }

    /// The sides whose packed form has these 24 bits.
    pub(super) fn unpacked(packed: u32) -> Self {
        let six = |at: u32| (packed >> at & 63) as u8 + 1;
        Self { sides: [six(0), six(6), six(12), six(18)] }
    }
}

/// Keeps those that are least, the largest of them first.
fn keep_least<T: Ord + Copy>(kept: &mut [Option<T>], mut new: T) {
    for it in kept.iter_mut().rev() {
        match it {
            Some(it) if *it > new => core::mem::swap(it, &mut new),
            Some(_) => {}
            None => {
                *it = Some(new);
                return;
            }
        }
    }
}

impl From<Sides> for [u8; 4] {
    fn from(sides: Sides) -> Self {
        sides.sides
    }
}

impl TryFrom<[u8; 4]> for Sides {
    type Error = BadSides;

    fn try_from(sides: [u8; 4]) -> Result<Self, BadSides> {
        Self::of(sides).ok_or(BadSides)
    }
}

// As `4x4x2`; sides of 1 are left out at the end.
crate::display::display! { Sides:
    Self { sides: [x, 1, 1, 1] } => "{x}",
    Self { sides: [x, y, 1, 1] } => "{x}x{y}",
    Self { sides: [x, y, z, 1] } => "{x}x{y}x{z}",
    Self { sides: [x, y, z, w] } => "{x}x{y}x{z}x{w}",
}

/// No box: not one to four sides of 1 to 64 nodes; or text that is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct BadSides;

crate::display::error! { BadSides:
    _ => "a box is written as 4x4x2: one to four sides of 1 to {} nodes" (Axis::MAX)
}

impl FromStr for Sides {
    type Err = BadSides;

    fn from_str(text: &str) -> Result<Self, BadSides> {
        read_sides(text, 1, |side| side.parse().ok()).and_then(Self::of).ok_or(BadSides)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    extern crate std;
    use std::collections::BTreeSet;
    use std::string::ToString;
    use std::vec::Vec;

    #[test]
    fn sides_read_as_they_print() {
        for text in ["1", "7", "1x7", "4x4x2", "3x1x2", "64x1x1x64"] {
            assert_eq!(text.parse::<Sides>().unwrap().to_string(), text);
        }
        assert_eq!("4x2x1".parse::<Sides>().unwrap().to_string(), "4x2");
        for text in ["", "x", "3x", "1x2x3x4x5", "0x4", "65", "300", "4X4", "4x0", "64x65"] {
            assert_eq!(text.parse::<Sides>(), Err(BadSides), "{text}");
        }
    }

    #[test]
    fn packing_loses_nothing() {
        for sides in [[1, 1, 1, 1], [64, 64, 64, 64], [1, 2, 3, 4], [64, 1, 33, 7]] {
            let sides = Sides::new(&sides).unwrap();
            assert!(sides.packed() < 1 << 24);
            assert_eq!(Sides::unpacked(sides.packed()), sides);
        }
    }

    #[test]
    fn rotations_are_the_distinct_ones_that_fit_its_own_first() {
        let all = |text: &str, grid: &str| -> Vec<_> {
            text.parse::<Sides>().unwrap().rotations(grid.parse().unwrap()).collect()
        };
        for (text, grid, count) in [
            ("4x2x1", "torus:4x4x4", 6),
            ("4x2", "mesh:4x4", 2),
            ("4x2", "mesh:4x3", 1),
            ("2x4", "mesh:4x3", 1),
            ("2x2x2", "torus:4x4x4", 1),
            ("1x2x3x4", "mesh:4x4x4x4", 24),
            ("5", "mesh:4x4", 0),
        ] {
            let turned = all(text, grid);
            assert_eq!(turned.len(), count, "{text} in {grid}");
            assert_eq!(turned.iter().collect::<BTreeSet<_>>().len(), count);
            let own: Sides = text.parse().unwrap();
            let fits = own.fits(grid.parse().unwrap());
            assert_eq!(turned.contains(&own), fits);
            assert!(!fits || turned[0] == own);
        }
    }

    #[test]
    fn the_shapes_of_a_number_are_all_with_the_smallest_surface_first() {
        for text in ["mesh:6x4x3", "torus:4x4", "mesh:12r", "mesh:2x3x4x5r"] {
            let grid: Grid = text.parse().unwrap();
            let [a, b, c, d] = grid.sides();
            for nodes in 0..=grid.nodes() + 1 {
                let mut all = BTreeSet::new();
                for (x, y) in (1..=a).flat_map(|x| (1..=b).map(move |y| (x, y))) {
                    for (z, w) in (1..=c).flat_map(|z| (1..=d).map(move |w| (z, w))) {
                        let sides = Sides::new(&[x, y, z, w]).unwrap();
                        if sides.nodes() == nodes {
                            all.insert((sides.surface(grid), sides));
                        }
                    }
                }
                let listed: Vec<_> = Sides::factorizations(nodes, grid).collect();
                assert!(all.into_iter().map(|(_, sides)| sides).eq(listed), "{nodes} in {text}");
            }
        }
    }

    #[test]
    fn a_surface_counts_the_neighbours_outside() {
        let surface =
            |text: &str, grid: &str| text.parse::<Sides>().unwrap().surface(grid.parse().unwrap());
        assert_eq!(surface("2x2x2", "torus:4x4x4"), 24);
        assert_eq!(surface("4x2x2", "torus:4x4x4"), 16 + 16);
        assert_eq!(surface("4x4x4", "torus:4x4x4"), 0);
        assert_eq!(surface("2", "mesh:8"), 2);
    }
}

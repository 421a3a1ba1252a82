//! Maps of a machine: a bit a node, a word for each row along its longest axis.
//!
//! Rows lie in the order of the other axes, the first of these fastest. What is done to a whole map at
//! once moves all rows alike, by words that lie side by side.

use super::cuboid::Cuboid;
use super::machine::{Axis, Grid};
use super::sides::Sides;
use crate::bits::{Word, bit, tally};
use crate::cube::Node;
use crate::slices::put;
use core::ops::Range;

/// An axis as a map sees it.
///
/// - `stride` is how many rows the next coordinate lies away; 0 along the rows themselves.
#[derive(Clone, Copy, Debug)]
pub(super) struct Span {
    pub(super) nodes: u8,
    pub(super) ring: bool,
    pub(super) stride: usize,
}

/// How maps of a machine lie.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rows {
    pub(super) grid: Grid,
    pub(super) spans: [Span; 4],
    /// The axis along the rows.
    along: usize,
    /// A row of ones.
    pub(super) full: u64,
}

/// Words of a map: nodes without their coordinate along the longest axis.
pub(super) const fn rows_of(grid: Grid) -> usize {
    let [a, b, c, d] = grid.sides();
    let longer = if a > b { a } else { b };
    let other = if c > d { c } else { d };
    let longest = if longer > other { longer } else { other };
    match grid.nodes().checked_div(longest as u32) {
        Some(rows) => rows as usize,
        None => 0,
    }
}

/// A word of a map; zeros beyond it.
pub(super) fn load(map: &[u64], at: usize) -> u64 {
    map.get(at).copied().unwrap_or_default()
}

/// The lowest `count` bits, of up to 64.
pub(super) const fn low(count: u8) -> u64 {
    if count >= 64 { u64::MAX } else { !(u64::MAX << count) }
}

/// The places of the ones of a row.
pub(super) fn ones(row: u64) -> impl Iterator<Item = u8> {
    let rest = core::iter::successors(Some(row), |&row| Some(row & row.wrapping_sub(1)));
    rest.take_while(|&row| row != 0).map(|row| row.trailing_zeros() as u8)
}

/// Windows of 1, 2, 4, ... nodes up to `side`: by how much each is moved to make the next one.
pub(super) fn doublings(side: u8) -> impl Iterator<Item = u8> {
    let mut window = 1;
    core::iter::from_fn(move || {
        let by = side.saturating_sub(window).min(window);
        window = window.saturating_add(by);
        (by > 0).then_some(by)
    })
}

impl Rows {
    pub(super) fn new(grid: Grid) -> Self {
        // Of equal axes the first.
        let sides = grid.sides().into_iter().enumerate().rev();
        let (along, longest) = sides.max_by_key(|(_, side)| *side).unwrap_or_default();
        let (mut next, mut axes) = (1usize, 0..);
        let spans = grid.all_axes().map(|axis| {
            let (nodes, ring) = (axis.nodes(), axis.is_ring());
            if axes.next() == Some(along) {
                return Span { nodes, ring, stride: 0 };
            }
            let stride = next;
            next = next.wrapping_mul(nodes.into());
            Span { nodes, ring, stride }
        });
        Self { grid, spans, along, full: low(longest) }
    }

    /// Words of a map.
    pub(super) const fn count(&self) -> usize {
        rows_of(self.grid)
    }

    /// The row of a node and its place there; a row beyond the map outside the machine.
    pub(super) fn locate(&self, node: Node) -> (usize, u64) {
        let Some(at) = self.grid.coordinates(node) else { return (usize::MAX, 0) };
        let rows = at.iter().zip(self.spans).map(|(&at, span)| span.stride.wrapping_mul(at.into()));
        let place = at.get(self.along).copied().unwrap_or_default();
        (rows.fold(0, usize::wrapping_add), 1u64.wrapping_shl(place.into()))
    }

    /// The coordinates of a place in a row.
    pub(super) fn coordinates(&self, row: usize, place: u8) -> [u8; 4] {
        let mut left = row;
        self.spans.map(|span| {
            if span.stride == 0 {
                return place;
            }
            let nodes = usize::from(span.nodes);
            let at = left.checked_rem(nodes).unwrap_or_default();
            left = left.checked_div(nodes).unwrap_or_default();
            at as u8
        })
    }

    /// Makes a map of the bits of a set of nodes.
    pub(super) fn draw(&self, map: &mut [u64], nodes: &[Word]) {
        let step = self.grid.strides().get(self.along).copied().unwrap_or_default();
        for (at, row) in map.iter_mut().enumerate() {
            let Node(first) = self.grid.node(self.coordinates(at, 0)).unwrap_or_default();
            let node = |place: u32| first.wrapping_add(step.wrapping_mul(place));
            let has = |place| u64::from(bit(nodes, 0, node(place))).wrapping_shl(place);
            *row = (0..self.full.count_ones()).fold(0, |row, place| row | has(place));
        }
    }

    /// The bits of a box in each of its rows.
    pub(super) fn mask(&self, cuboid: &Cuboid) -> u64 {
        let of = |all: [u8; 4]| all.get(self.along).copied().unwrap_or_default();
        stretch(of(cuboid.corner()), of(cuboid.sides().all()), of(self.grid.sides()))
    }

    /// The rows that a box has nodes in.
    pub(super) fn rows(&self, cuboid: &Cuboid) -> impl Iterator<Item = usize> + use<> {
        cuboid.numbers(self.spans.map(|span| span.stride as u32)).map(|row| row as usize)
    }

    /// The same, as runs of rows that lie side by side.
    pub(super) fn runs(&self, cuboid: &Cuboid) -> impl Iterator<Item = Range<usize>> + use<> {
        // Others whose rows would lie side by side are of one node.
        let axes = self.spans.into_iter().zip(cuboid.corner()).zip(cuboid.sides().all());
        let inner =
            axes.filter(|((span, _), _)| span.stride == 1).max_by_key(|((span, _), _)| span.nodes);
        let (nodes, at, side) =
            inner.map_or((1, 0, 1), |((span, at), side)| (span.nodes, at, side));
        let (nodes, at) = (usize::from(nodes), usize::from(at));
        let end = at.wrapping_add(side.into());
        let parts = [at..end.min(nodes), 0..end.saturating_sub(nodes)];
        let outer = self.spans.map(|span| if span.stride == 1 { 0 } else { span.stride as u32 });
        cuboid.numbers(outer).flat_map(move |row| {
            let from = move |at: usize| at.wrapping_add(row as usize);
            parts.clone().map(|part| from(part.start)..from(part.end))
        })
    }

    /// Nodes of a box that a map has.
    pub(super) fn count_in(&self, map: &[u64], cuboid: &Cuboid) -> u32 {
        let mask = self.mask(cuboid);
        let rows = self.rows(cuboid).inspect(|_| tally::add(1));
        rows.fold(0, |all, row| all.wrapping_add((load(map, row) & mask).count_ones()))
    }

    /// Puts in or takes out all nodes of a map that have one of these coordinates along an axis.
    pub(super) fn fill(&self, span: &Span, coordinates: u64, value: bool, map: &mut [u64]) {
        tally::add(map.len());
        if span.stride == 0 {
            let set = |&row: &u64| if value { row | coordinates } else { row & !coordinates };
            return map.iter_mut().for_each(|row| *row = set(row));
        }
        for around in map.chunks_exact_mut(span.length().max(1)) {
            for (at, rows) in (0u32..).zip(around.chunks_exact_mut(span.stride.max(1))) {
                if coordinates.wrapping_shr(at) & 1 == 1 {
                    rows.fill(if value { self.full } else { 0 });
                }
            }
        }
    }
}

/// So many coordinates from `at` on, around the end of an axis of so many nodes.
pub(super) fn stretch(at: u8, length: u8, nodes: u8) -> u64 {
    let beyond = at.wrapping_add(length).saturating_sub(nodes);
    low(length).wrapping_shl(at.into()) & low(nodes) | low(beyond)
}

impl Span {
    /// Rows from one coordinate around to the same one.
    const fn length(&self) -> usize {
        self.stride.wrapping_mul(self.nodes as usize)
    }

    /// Gives all nodes whose coordinates along an axis are among these what one of them has.
    pub(super) fn spread(&self, coordinates: u64, map: &mut [u64]) {
        if self.stride == 0 {
            tally::add(map.len());
            let touched = map.iter_mut().filter(|row| **row & coordinates != 0);
            return touched.for_each(|row| *row |= coordinates);
        }
        for stretch in map.chunks_exact_mut(self.length().max(1)) {
            tally::add(2 * self.stride * coordinates.count_ones() as usize);
            for at in 0..self.stride {
                let places = || {
                    ones(coordinates).map(|it| self.stride.wrapping_mul(it.into()).wrapping_add(at))
                };
                let one = places().fold(0, |all, place| all | load(stretch, place));
                places().for_each(|place| put(stretch, place, load(stretch, place) | one));
            }
        }
    }

    /// Makes each node of `to` from itself and from the node `by` coordinates on in `from`; beyond
    /// the end that is the beginning again if `around`, else zeros.
    #[inline]
    pub(super) fn combine(
        &self,
        by: u8,
        around: bool,
        from: &[u64],
        to: &mut [u64],
        with: impl Fn(u64, u64) -> u64,
    ) {
        tally::add(from.len());
        if self.stride == 0 {
            let back = u32::from(self.nodes.wrapping_sub(by));
            let full = if around { low(self.nodes) } else { 0 };
            for (to, &row) in to.iter_mut().zip(from) {
                let beyond = row.wrapping_shl(back) & full;
                *to = with(row, row.wrapping_shr(by.into()) | beyond);
            }
            return;
        }
        let shift = self.stride.wrapping_mul(by.into());
        let stay = self.length().wrapping_sub(shift);
        let beyond = if around { u64::MAX } else { 0 };
        let length = self.length().max(1);
        // By reference, since `zip` of both itself divides by a length of which it cannot say that it is not 0.
        for (from, to) in from.chunks_exact(length).zip(to.chunks_exact_mut(length).by_ref()) {
            let (Some((first, on)), Some((to, to_last)), Some(last)) =
                (from.split_at_checked(shift), to.split_at_mut_checked(stay), from.get(stay..))
            else {
                continue;
            };
            for ((to, &one), &other) in to.iter_mut().zip(from).zip(on) {
                *to = with(one, other);
            }
            for ((to, &one), &other) in to_last.iter_mut().zip(last).zip(first) {
                *to = with(one, other & beyond);
            }
        }
    }
}

/// A map, and room for the next one that is made of it.
pub(super) struct Turns<'a> {
    pub(super) now: &'a mut [u64],
    pub(super) next: &'a mut [u64],
}

impl Turns<'_> {
    /// [`Span::combine`], with what was made in the place of what was.
    #[inline]
    pub(super) fn step(
        &mut self,
        span: &Span,
        by: u8,
        around: bool,
        with: impl Fn(u64, u64) -> u64,
    ) {
        span.combine(by, around, self.now, self.next, with);
        core::mem::swap(&mut self.now, &mut self.next);
    }
}

/// The axis and the side of a box along it, for each axis.
pub(super) fn spans_with(rows: &Rows, sides: Sides) -> [(Span, u8); 4] {
    let [a, b, c, d] = rows.spans;
    let [x, y, z, w] = sides.all();
    [(a, x), (b, y), (c, z), (d, w)]
}

const _: () = assert!(Axis::MAX as u32 == u64::BITS);

#[cfg(test)]
mod tests {
    use super::*;
    extern crate std;
    use std::vec;

    #[test]
    fn places_and_nodes_lead_to_each_other() {
        for text in ["mesh:5x3", "torus:3x5", "mesh:2x3x64r", "torus:4x4x4x4", "mesh:1"] {
            let rows = Rows::new(text.parse().unwrap());
            let mut seen = vec![0u64; rows.count()];
            for node in (0..rows.grid.nodes()).map(Node) {
                let (row, bit) = rows.locate(node);
                assert_eq!(seen[row] & bit, 0);
                seen[row] |= bit;
                let at = rows.coordinates(row, bit.trailing_zeros() as u8);
                assert_eq!(rows.grid.node(at), Some(node), "{text}");
            }
            assert!(seen.iter().all(|&row| row == rows.full), "{text}");
            assert!(rows.locate(Node(rows.grid.nodes())).0 >= rows.count());
        }
    }

    #[test]
    fn windows_double_until_they_are_wide_enough() {
        for side in 1..=64u8 {
            let width = doublings(side).fold(1, |window, by| {
                assert!(by <= window);
                window + by
            });
            assert_eq!(width, side);
            assert_eq!(
                doublings(side).count() as u32,
                u32::from(side - 1).checked_ilog2().map_or(0, |it| it + 1)
            );
        }
    }
}

//! Boxes as a machine: which of the free boxes a request gets, in any map of free nodes.

use super::choice::{Among, Placement, Search, Shortlist};
use super::cuboid::Cuboid;
use super::leftover::Anchors;
use super::machine::Grid;
use super::request::BoxRequest;
use super::rows::{Rows, Turns};
use super::sides::Sides;
use crate::bits::Word;
use crate::cube::Node;
use crate::machine::{AllPlaces, Machine, Numbered, Words};
use crate::slices::copy;
use core::ops::Range;

/// Maps of a search: nodes held, nodes that serve, what is found, room to make it, where boxes are, and the
/// counts of faces.
pub(super) const MAPS: usize = 9;

/// The rule by which a [`GridPool`](super::GridPool) grants boxes, without a state: a [`Machine`].
///
/// A map has a word for each row along the longest axis.
#[derive(Clone, Copy, Debug)]
pub struct Boxes {
    pub(super) rows: Rows,
    pub(super) placement: Placement,
    pub(super) anchors: Anchors,
    /// Whether shapes that are not isolated are left out of requests.
    pub(super) isolating: bool,
}

impl Boxes {
    /// Boxes that lie where `anchors` allow and `placement` chooses.
    ///
    /// `None` where a box might fit only as long as other nodes are held: leftover is lent, and along a line the step is the side of
    /// the box itself and the offset not 0. On a line of 8 nodes with the offset 2 a box of 7 fits while it lies in a broken
    /// block, and no more once that is whole.
    pub fn new(grid: Grid, placement: Placement, anchors: Anchors) -> Option<Self> {
        let boxes = Self::unchecked(grid, placement, anchors);
        anchors.keeps_room(&boxes.rows).then_some(boxes)
    }

    /// Also where the law of machines does not hold.
    pub(super) fn unchecked(grid: Grid, placement: Placement, anchors: Anchors) -> Self {
        Self { rows: Rows::new(grid), placement, anchors, isolating: false }
    }

    /// The machine.
    pub const fn grid(&self) -> Grid {
        self.rows.grid
    }

    /// The same, with none but [isolated](super::Sides::are_isolated) boxes.
    #[must_use]
    pub const fn isolating(self) -> Self {
        Self { isolating: true, ..self }
    }

    /// Where boxes of these sides may begin along each axis, as bits. Along a ring that they fill that is at 0.
    fn starts(&self, sides: Sides) -> [u64; 4] {
        let (axes, mut starts) = (self.rows.grid.all_axes(), [0u64; 4]);
        let along = axes.into_iter().zip(sides.all()).enumerate();
        for ((number, (axis, side)), starts) in along.zip(&mut starts) {
            let fills = axis.is_ring() && side == axis.nodes();
            let all = self.anchors.along(number, side, axis);
            let own = all.filter(|&at| axis.holds(at, side)).map(|at| if fills { 0 } else { at });
            *starts = own.fold(0, |starts, at| starts | 1u64.wrapping_shl(at.into()));
        }
        starts
    }

    /// A search in these words.
    pub(super) fn search<'a>(&'a self, words: &'a mut [u64]) -> Search<'a> {
        let mut maps = words.chunks_exact_mut(self.rows.count().max(1));
        let mut map = || maps.next().unwrap_or_default();
        let (held, serving) = (map(), map());
        let (turns, origins) = (Turns { now: map(), next: map() }, map());
        let spare = [map(), map(), map(), map()];
        Search { rows: &self.rows, anchors: &self.anchors, held, serving, turns, origins, spare }
    }

    /// The box that a request gets while so many nodes are free.
    pub(super) fn choose(
        &self,
        words: &mut [u64],
        free: u32,
        request: &BoxRequest<'_>,
    ) -> Option<Cuboid> {
        // All of its shapes have as many.
        if matches!(request, BoxRequest::Nodes(nodes) if *nodes > free) {
            return None;
        }
        let mut search = self.search(words);
        let mut list = Shortlist::new(self.placement);
        let mut last = None;
        request.visit(self.rows.grid, self.isolating, &mut |rank, sides| {
            let settled = self.placement == Placement::First || last != Some(rank);
            if settled && !list.is_empty() {
                return true;
            }
            last = Some(rank);
            if sides.nodes() <= free && search.find(sides, Among::Free) {
                search.offer(sides, self.placement, &mut list);
            }
            false
        });
        search.best(list)
    }
}

impl Machine for Boxes {
    type Request = BoxRequest<'static>;
    type Place = Cuboid;
    type Word = u64;

    fn words(&self) -> Words {
        let map = self.rows.count();
        Words { map, room: map.wrapping_mul(MAPS) }
    }

    fn open(&self, map: &mut [u64]) {
        map.fill(self.rows.full);
    }

    fn take(&self, map: &mut [u64], at: &Cuboid) {
        let mask = self.rows.mask(at);
        // Not by `for`, which would ask nested iterators for each run anew.
        self.rows.runs(at).for_each(|rows| {
            map.get_mut(rows).unwrap_or_default().iter_mut().for_each(|row| *row &= !mask);
        });
    }

    fn has(&self, map: &[u64], at: &Cuboid) -> bool {
        let mask = self.rows.mask(at);
        let is_free = |rows: Range<usize>| {
            map.get(rows).is_some_and(|rows| rows.iter().all(|row| mask & !row == 0))
        };
        at.grid() == self.rows.grid && self.rows.runs(at).all(is_free)
    }

    fn find(&self, map: &[u64], of: &BoxRequest<'_>, room: &mut [u64]) -> Option<Cuboid> {
        let (held, rest) = room.split_at_mut_checked(self.rows.count())?;
        held.fill(0);
        copy(rest, map);
        let free = map.iter().fold(0, |free: u32, row| free.wrapping_add(row.count_ones()));
        self.choose(room, free, of)
    }

    fn covers(&self, one: &BoxRequest<'_>, other: &BoxRequest<'_>) -> bool {
        // Where a number of nodes lies in a box so does each of its divisors, as these divide the sides.
        match (one, other) {
            (BoxRequest::Nodes(one), BoxRequest::Nodes(other)) if !self.isolating => {
                self.anchors == Anchors::Any && one.checked_rem(*other) == Some(0) || one == other
            }
            _ => one == other,
        }
    }

    fn size(&self, of: &BoxRequest<'_>) -> u32 {
        let mut least = u32::MAX;
        of.visit(self.rows.grid, self.isolating, &mut |_, sides| {
            least = least.min(sides.nodes());
            matches!(of, BoxRequest::Nodes(_))
        });
        least
    }
}

impl AllPlaces for Boxes {
    fn any_place(&self, of: &BoxRequest<'_>, is_so: &mut dyn FnMut(&Cuboid) -> bool) -> bool {
        let (grid, mut found) = (self.rows.grid, false);
        of.visit(grid, self.isolating, &mut |_, sides| {
            let starts = self.starts(sides);
            let begins = |at: &[u8; 4]| starts.iter().zip(at).all(|(all, at)| all >> at & 1 == 1);
            let mut origins = (0..grid.nodes()).filter_map(|node| grid.coordinates(Node(node)));
            found = origins.any(|at| begins(&at) && is_so(&Cuboid::from_parts(grid, at, sides)));
            found
        });
        found
    }

    fn meet_at(&self, one: &Cuboid, other: &Cuboid) -> bool {
        one.meets(other)
    }
}

impl Numbered for Boxes {
    fn nodes(&self) -> u32 {
        self.rows.grid.nodes()
    }

    fn draw(&self, map: &mut [u64], free: &[Word]) {
        self.rows.draw(map, free);
    }

    fn nodes_of(&self, at: &Cuboid) -> impl Iterator<Item = Node> + Clone {
        at.nodes()
    }
}

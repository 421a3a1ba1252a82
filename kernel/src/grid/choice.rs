//! Placement: which of the free boxes a request gets.
//!
//! A *face* of a box lies against something if none of the nodes next to it there is free: they are held,
//! out of service, or beyond the end of a line. Both faces along an axis that the box fills do. Which
//! faces of a box at each origin lie against something is recognised like free boxes: the nodes next
//! to a face are a box of side 1, in the set of nodes that are not free. So the faces of all
//! candidates are counted at once, in four maps of one bit each of the count.

use super::cuboid::Cuboid;
use super::leftover::Anchors;
use super::origins::{cover, keep_origins};
use super::request::BoxRequest;
use super::rows::{Rows, Turns, ones, spans_with};
use super::sides::Sides;
use crate::bits::tally;
use crate::slices::{copy, put};

crate::data::data! {
    /// Which of the free boxes of the best rank a request gets.
    ///
    /// Origins are ordered by rows: along the longest axis first (of equal ones the first), then along
    /// the other axes in their order. Boxes of one rank are ordered by shape, then by origin; equals
    /// are told apart by that. Boxes that an isolating pool would not grant count as larger ones, too.
    ///
    /// What each costs beyond the search is said in [`grid`](super#bounds).
    pub enum Placement {
        /// The first one.
        First,
        /// The one with the most faces against something.
        Corner,
        /// Of the 16 with the most faces against something the one that destroys the fewest larger
        /// boxes: free ones where boxes may begin, of its sides with one of them doubled. Of equals the one
        /// with more faces against something.
        Fewest,
    }
}

impl Placement {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::First, Self::Corner, Self::Fewest];
}

crate::display::display! { Placement:
    Self::First => "first",
    Self::Corner => "corner",
    Self::Fewest => "fewest",
}

/// A free box that a request may get.
#[derive(Clone, Copy)]
struct Candidate {
    place: Cuboid,
    faces: u8,
    destroyed: u32,
}

/// The best candidates: by rising place in the list those with fewer faces against something, of
/// equal ones those that came later.
pub(super) struct Shortlist {
    best: [Option<Candidate>; 16],
    most: usize,
}

impl Shortlist {
    pub(super) const fn new(placement: Placement) -> Self {
        let most = if matches!(placement, Placement::Fewest) { 16 } else { 1 };
        Self { best: [None; 16], most }
    }

    pub(super) const fn is_empty(&self) -> bool {
        matches!(self.best, [None, ..])
    }

    /// Takes a candidate if there is room before or behind others; whether there was.
    fn offer(&mut self, candidate: Candidate) -> bool {
        let mut best = self.best.iter().take(self.most);
        let worse = |it: &Option<Candidate>| it.is_none_or(|it| it.faces < candidate.faces);
        let Some(at) = best.position(worse) else { return false };
        let mut moved = Some(candidate);
        let behind = self.best.iter_mut().take(self.most).skip(at);
        behind.for_each(|place| core::mem::swap(place, &mut moved));
        true
    }
}

/// Which nodes a box may have.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Among {
    /// Those that are free.
    Free,
    /// Those that serve, as if no lease were live.
    Serving,
}

/// Maps of a pool's nodes, and room for others.
pub(super) struct Search<'a> {
    pub(super) rows: &'a Rows,
    pub(super) anchors: &'a Anchors,
    pub(super) held: &'a [u64],
    pub(super) serving: &'a [u64],
    pub(super) turns: Turns<'a>,
    pub(super) origins: &'a mut [u64],
    pub(super) spare: [&'a mut [u64]; 4],
}

impl Search<'_> {
    /// Makes `turns` the free nodes, or those that serve, or of either those that are not.
    fn begin(&mut self, among: Among, inverted: u64) {
        tally::add(self.held.len());
        let counts = if among == Among::Free { u64::MAX } else { 0 };
        let nodes = self.serving.iter().zip(self.held);
        for (now, (&serving, &held)) in self.turns.now.iter_mut().zip(nodes) {
            *now = (serving & !(held & counts)) ^ inverted;
        }
    }

    /// Leaves in `turns` the origins of all boxes of these sides among such nodes that a request may get:
    /// now of those that are free, in some state of those that serve; whether there are any.
    pub(super) fn find(&mut self, sides: Sides, among: Among) -> bool {
        let lends = self.anchors.lends();
        if lends {
            self.find_broken(sides, among);
        }
        self.begin(among, 0);
        keep_origins(self.rows, sides, &mut self.turns);
        let [lent, ..] = &mut self.spare;
        if lends {
            lent.iter_mut().zip(&*self.turns.now).for_each(|(lent, origins)| *lent &= *origins);
            self.anchors.keep_inside(self.rows, sides, lent);
        }
        self.anchors.keep(self.rows, sides, self.turns.now);
        if lends {
            self.turns.now.iter_mut().zip(&**lent).for_each(|(origins, lent)| *origins |= *lent);
        }
        self.turns.now.iter().any(|&row| row != 0)
    }

    /// Leaves in `turns` those origins at which boxes of these sides have a node of `place`, or those at which they have
    /// none.
    pub(super) fn keep_meeting(&mut self, place: &Cuboid, sides: Sides, meeting: bool) {
        let near = around(self.rows, place, sides);
        let mask = self.rows.mask(&near);
        let (kept, others) = if meeting { (mask, 0) } else { (!mask, u64::MAX) };
        self.origins.fill(others);
        self.rows.rows(&near).for_each(|row| put(self.origins, row, kept));
        self.turns.now.iter_mut().zip(&*self.origins).for_each(|(now, kept)| *now &= kept);
    }

    /// Leaves in the first spare map the nodes of broken blocks: those that are, or those that may come to
    /// be while a box of these sides in them is free.
    fn find_broken(&mut self, sides: Sides, among: Among) {
        self.begin(Among::Free, self.rows.full);
        let [broken, ..] = &mut self.spare;
        copy(broken, self.turns.now);
        match among {
            Among::Free => self.anchors.spread(self.rows, broken),
            Among::Serving => self.anchors.make_larger(self.rows, sides, broken),
        }
    }

    /// Offers the boxes of these sides at the origins in `turns` to a list, until it takes no more.
    pub(super) fn offer(&mut self, sides: Sides, placement: Placement, list: &mut Shortlist) {
        copy(self.origins, self.turns.now);
        self.spare.iter_mut().for_each(|map| map.fill(0));
        let always = if placement == Placement::First { 0 } else { self.count_faces(sides) };
        loop {
            let faces = always.wrapping_add(self.keep_most_faces());
            let mut found = false;
            for (row, &origins) in self.turns.now.iter().enumerate() {
                for place in ones(origins) {
                    let at = self.rows.coordinates(row, place);
                    let place = Cuboid::from_parts(self.rows.grid, at, sides);
                    if !list.offer(Candidate { place, faces, destroyed: 0 }) {
                        return;
                    }
                    found = true;
                }
            }
            if !found {
                return;
            }
            let offered = self.origins.iter_mut().zip(&*self.turns.now);
            offered.for_each(|(origins, offered)| *origins &= !offered);
        }
    }

    /// Leaves in `turns` those of the origins at which most faces were counted; how many these are.
    fn keep_most_faces(&mut self) -> u8 {
        tally::add(9 * self.origins.len());
        copy(self.turns.now, self.origins);
        let mut level = 0;
        for (map, weight) in self.spare.iter().rev().zip([8, 4, 2, 1]) {
            let pairs = self.turns.now.iter().zip(&**map);
            if pairs.fold(0, |any, (now, bits)| any | now & bits) != 0 {
                level |= weight;
                self.turns.now.iter_mut().zip(&**map).for_each(|(now, bits)| *now &= bits);
            }
        }
        level
    }

    /// Counts the faces against something of boxes at all origins in four maps, from the lowest bit
    /// on, but for those along axes that they fill, of which it says how many there are.
    fn count_faces(&mut self, sides: Sides) -> u8 {
        let mut always = 0u8;
        for (axis, (span, side)) in (0..).zip(spans_with(self.rows, sides)) {
            if side == span.nodes {
                always = always.wrapping_add(2);
                continue;
            }
            self.begin(Among::Free, self.rows.full);
            keep_origins(self.rows, sides.with(axis, 1), &mut self.turns);
            // What is next to the box behind it, then what is next to it before it.
            let behind = (side, span.nodes.wrapping_sub(side));
            for (by, end) in [behind, (span.nodes.wrapping_sub(1), 0)] {
                let Turns { now, next } = &mut self.turns;
                span.combine(by, true, now, next, |_, other| other);
                if !span.ring {
                    self.rows.fill(&span, 1u64.wrapping_shl(end.into()), true, next);
                }
                self.add_to_counts();
            }
        }
        always
    }

    /// Adds the next map of `turns` to the counts.
    fn add_to_counts(&mut self) {
        tally::add(4 * self.origins.len());
        for map in &mut self.spare {
            for (bits, carry) in map.iter_mut().zip(&mut *self.turns.next) {
                (*bits, *carry) = (*bits ^ *carry, *bits & *carry);
            }
        }
    }

    /// The best one of a list.
    pub(super) fn best(&mut self, mut list: Shortlist) -> Option<Cuboid> {
        if list.most > 1 {
            self.count_destroyed(&mut list);
        }
        let best = list.best.iter().flatten().min_by_key(|candidate| candidate.destroyed)?;
        Some(best.place)
    }

    /// Counts the larger free boxes that each candidate has a node of.
    fn count_destroyed(&mut self, list: &mut Shortlist) {
        let shapes = list.best.map(|it| it.map(|it| it.place.sides()));
        for (at, sides) in shapes.iter().enumerate() {
            let Some(sides) = *sides else { continue };
            if shapes.iter().take(at).any(|before| *before == Some(sides)) {
                continue;
            }
            for (axis, (span, side)) in (0..).zip(spans_with(self.rows, sides)) {
                let double = side.wrapping_mul(2);
                if double > span.nodes {
                    continue;
                }
                let larger = sides.with(axis, double);
                self.find(larger, Among::Free);
                let candidates = list.best.iter_mut().flatten();
                for candidate in candidates.filter(|it| it.place.sides() == sides) {
                    let near = around(self.rows, &candidate.place, larger);
                    let near = self.rows.count_in(self.turns.now, &near);
                    candidate.destroyed = candidate.destroyed.wrapping_add(near);
                }
            }
        }
    }

    /// Nodes that are free and lie in no free box that a request may get.
    pub(super) fn stranded(&mut self, request: &BoxRequest<'_>, isolating: bool) -> u32 {
        let [_, covered, ..] = &mut self.spare;
        covered.fill(0);
        request.visit(self.rows.grid, isolating, &mut |_, sides| {
            self.find(sides, Among::Free);
            cover(self.rows, sides, &mut self.turns);
            let [_, covered, ..] = &mut self.spare;
            covered.iter_mut().zip(&*self.turns.now).for_each(|(all, more)| *all |= *more);
            false
        });
        self.begin(Among::Free, 0);
        let [_, covered, ..] = &self.spare;
        let left =
            self.turns.now.iter().zip(&**covered).map(|(&free, &it)| (free & !it).count_ones());
        left.fold(0, u32::wrapping_add)
    }
}

/// The origins of boxes with these sides that have a node of `place`, as a box. It may go around the end of a line:
/// no such box begins there, where it would go beyond that end.
pub(super) fn around(rows: &Rows, place: &Cuboid, larger: Sides) -> Cuboid {
    let (mut from, mut count) = (place.corner(), [1; 4]);
    let axes = from.iter_mut().zip(&mut count).zip(spans_with(rows, larger));
    for (((at, count), (span, side)), own) in axes.zip(place.sides().all()) {
        let before = side.wrapping_sub(1);
        *count = own.wrapping_add(before).min(span.nodes);
        let back = if before > *at { span.nodes } else { 0 };
        *at = at.wrapping_add(back).wrapping_sub(before);
    }
    Cuboid::from_parts(rows.grid, from, Sides::from_parts(count))
}

//! A line of jobs: a tree through their rooms, by key and arrival, that is never much deeper than
//! needed.
//!
//! Each room knows the least PEs, the least requested time and the earliest start below it, so that a
//! search for a job that asks for little of each passes over whole branches.
//!
//! The tree is balanced by weight: neither side of a room has more than three times the weight of
//! the other, which is one more than the rooms in it. Source: J. Nievergelt, E. M. Reingold,
//! *Binary search trees of bounded balance*, 1973; with the numbers 3 and 2 of Y. Hirai,
//! K. Yamamoto, *Balancing weight-balanced trees*, 2011.

use super::jobs::Room;
use crate::list::Ref;

/// Where a job stands: by its key, then by its number of arrival.
pub(super) type Place = (u64, u64);

/// Right behind a place.
pub(super) const fn behind((key, number): Place) -> Place {
    (key, number.wrapping_add(1))
}

/// A room's part in the tree of its line.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    up: Ref,
    /// The rooms before and behind it.
    sides: [Ref; 2],
    /// Rooms in this branch.
    len: u32,
    /// What the least job of this branch asks for, of each separately.
    least: Needs,
}

/// What a job asks for and when it is planned, or what is the most of each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Needs {
    pub(super) pes: u32,
    pub(super) requested: u64,
    pub(super) start: u64,
}

impl Needs {
    /// No job asks for more.
    pub(super) const MOST: Self = Self { pes: u32::MAX, requested: u64::MAX, start: u64::MAX };

    fn least(self, other: Self) -> Self {
        Self {
            pes: self.pes.min(other.pes),
            requested: self.requested.min(other.requested),
            start: self.start.min(other.start),
        }
    }

    fn within(self, most: Self) -> bool {
        self.pes <= most.pes && self.requested <= most.requested && self.start <= most.start
    }
}

const BEFORE: usize = 0;
const BEHIND: usize = 1;

impl Node {
    /// All zeros: of no meaning.
    pub(super) const EMPTY: Self = Self {
        up: Ref::NONE,
        sides: [Ref::NONE; 2],
        len: 0,
        least: Needs { pes: 0, requested: 0, start: 0 },
    };

    /// What a branch without rooms would say.
    const NONE: Self = Self { least: Needs::MOST, ..Self::EMPTY };

    fn side(&self, side: usize) -> Ref {
        self.sides.get(side).copied().unwrap_or(Ref::NONE)
    }

    const fn weight(&self) -> u32 {
        self.len.saturating_add(1)
    }
}

fn node<N>(rooms: &[Room<N>], at: Ref) -> &Node {
    at.get().and_then(|row| rooms.get(row as usize)).map_or(&Node::NONE, |room| &room.node)
}

fn edit<N>(rooms: &mut [Room<N>], at: Ref, change: impl FnOnce(&mut Node)) {
    if let Some(room) = at.get().and_then(|row| rooms.get_mut(row as usize)) {
        change(&mut room.node);
    }
}

fn set_side<N>(rooms: &mut [Room<N>], at: Ref, side: usize, to: Ref) {
    edit(rooms, at, |node| {
        if let Some(link) = node.sides.get_mut(side) {
            *link = to;
        }
    });
    edit(rooms, to, |node| node.up = at);
}

/// The side of `at` on which `child` hangs.
fn side_of<N>(rooms: &[Room<N>], at: Ref, child: Ref) -> usize {
    if node(rooms, at).side(BEFORE) == child { BEFORE } else { BEHIND }
}

/// The last room on one side of a branch, as far as `goes`.
fn outmost<N>(rooms: &[Room<N>], mut at: Ref, side: usize, goes: impl Fn(&Node) -> bool) -> Ref {
    loop {
        let next = node(rooms, at).side(side);
        if next == Ref::NONE || !goes(node(rooms, next)) {
            return at;
        }
        at = next;
    }
}

/// The jobs of a line in order. Calls are given the rooms of all jobs.
///
/// `first` is the first of them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Line {
    root: Ref,
    first: Ref,
}

impl Line {
    pub(super) const EMPTY: Self = Self { root: Ref::NONE, first: Ref::NONE };

    pub(super) fn len<N>(&self, rooms: &[Room<N>]) -> u32 {
        node(rooms, self.root).len
    }

    pub(super) const fn first(&self) -> Option<u32> {
        self.first.get()
    }

    /// Adds a room that is in no line, at its place.
    pub(super) fn insert<N>(&mut self, rooms: &mut [Room<N>], row: u32) {
        let Some(room) = rooms.get(row as usize) else { return };
        let (place, new) = (room.place(), Ref::to(row));
        let (mut up, mut side, mut first) = (Ref::NONE, BEFORE, true);
        let mut at = self.root;
        while let Some(there) = at.get().and_then(|row| rooms.get(row as usize)) {
            side = usize::from(there.place() < place);
            first &= side == BEFORE;
            (up, at) = (at, there.node.side(side));
        }
        edit(rooms, new, |node| *node = Node::EMPTY);
        if first {
            self.first = new;
        }
        match up {
            Ref::NONE => self.root = new,
            _ => set_side(rooms, up, side, new),
        }
        self.mend(rooms, new);
    }

    /// Takes out a room that is in this line.
    pub(super) fn remove<N>(&mut self, rooms: &mut [Room<N>], row: u32) {
        let gone = Ref::to(row);
        if self.first == gone {
            self.first = next(rooms, row).map_or(Ref::NONE, Ref::to);
        }
        let Node { up, sides: [before, behind], .. } = *node(rooms, gone);
        if before == Ref::NONE || behind == Ref::NONE {
            let rest = if before == Ref::NONE { behind } else { before };
            self.replace(rooms, up, gone, rest);
            return self.mend(rooms, up);
        }
        // The next one takes its place: nothing stands before that one on its side.
        let heir = outmost(rooms, behind, BEFORE, |_| true);
        let Node { up: parent, sides: [_, rest], .. } = *node(rooms, heir);
        if parent != gone {
            set_side(rooms, parent, BEFORE, rest);
            set_side(rooms, heir, BEHIND, behind);
        }
        set_side(rooms, heir, BEFORE, before);
        self.replace(rooms, up, gone, heir);
        self.mend(rooms, if parent == gone { heir } else { parent });
    }

    /// What hangs from `up` instead of `old`.
    fn replace<N>(&mut self, rooms: &mut [Room<N>], up: Ref, old: Ref, new: Ref) {
        match up {
            Ref::NONE => {
                self.root = new;
                edit(rooms, new, |node| node.up = Ref::NONE);
            }
            _ => set_side(rooms, up, side_of(rooms, up, old), new),
        }
    }

    /// From a room up to the root: what lies below has changed by one room.
    fn mend<N>(&mut self, rooms: &mut [Room<N>], mut at: Ref) {
        while at != Ref::NONE {
            sum_up(rooms, at);
            let top = self.balance(rooms, at);
            at = node(rooms, top).up;
        }
    }

    /// Turns a branch if one side has become too heavy; its top.
    fn balance<N>(&mut self, rooms: &mut [Room<N>], at: Ref) -> Ref {
        let weight = |side| node(rooms, node(rooms, at).side(side)).weight();
        let (before, behind) = (weight(BEFORE), weight(BEHIND));
        let heavy = match () {
            () if behind > before.saturating_mul(3) => BEHIND,
            () if before > behind.saturating_mul(3) => BEFORE,
            () => return at,
        };
        let child = node(rooms, at).side(heavy);
        let inner = node(rooms, child).side(heavy ^ 1);
        let outer = node(rooms, child).side(heavy);
        if node(rooms, inner).weight() >= node(rooms, outer).weight().saturating_mul(2) {
            self.turn(rooms, child, heavy ^ 1);
        }
        self.turn(rooms, at, heavy)
    }

    /// The room on one side rises above `at`; it.
    fn turn<N>(&mut self, rooms: &mut [Room<N>], at: Ref, side: usize) -> Ref {
        let Node { up, .. } = *node(rooms, at);
        let risen = node(rooms, at).side(side);
        let inner = node(rooms, risen).side(side ^ 1);
        self.replace(rooms, up, at, risen);
        set_side(rooms, at, side, inner);
        set_side(rooms, risen, side ^ 1, at);
        sum_up(rooms, at);
        sum_up(rooms, risen);
        risen
    }

    /// The first room at `from` or behind it.
    pub(super) fn first_from<N>(&self, rooms: &[Room<N>], from: Place) -> Option<u32> {
        let (mut at, mut found) = (self.root, None);
        while let Some(row) = at.get()
            && let Some(room) = rooms.get(row as usize)
        {
            let here = room.place() >= from;
            found = if here { Some(row) } else { found };
            at = room.node.side(if here { BEFORE } else { BEHIND });
        }
        found
    }

    /// The first room at `from` or behind it whose job asks for no more than `most`.
    ///
    /// Cost: the logarithm of the line if there is one, or if all but one are no bounds; else also
    /// the rooms of branches that ask for little of each, but not in one job.
    pub(super) fn first_within<N>(
        &self,
        rooms: &[Room<N>],
        from: Place,
        most: Needs,
    ) -> Option<u32> {
        let may = |at| node(rooms, at).least.within(most);
        if !may(self.root) {
            return None;
        }
        let mut row = self.first_from(rooms, from)?;
        while !rooms.get(row as usize)?.needs().within(most) {
            let behind = node(rooms, Ref::to(row)).side(BEHIND);
            row = if may(behind) {
                outmost(rooms, behind, BEFORE, |node| node.least.within(most)).get()?
            } else {
                climb(rooms, Ref::to(row))?
            };
        }
        Some(row)
    }

    /// What the least job asks for, of each separately.
    pub(super) fn least<N>(&self, rooms: &[Room<N>]) -> Needs {
        node(rooms, self.root).least
    }

    /// The earliest start after `time`. Cost: the logarithm of the line for each room whose start
    /// is not.
    pub(super) fn least_after<N>(&self, rooms: &[Room<N>], time: u64) -> Option<u64> {
        least_after(rooms, self.root, time)
    }

    /// How many stand before a place.
    pub(super) fn before<N>(&self, rooms: &[Room<N>], place: Place) -> u32 {
        let (mut at, mut count) = (self.root, 0u32);
        while let Some(room) = at.get().and_then(|row| rooms.get(row as usize)) {
            let here = room.place() >= place;
            if !here {
                let before = node(rooms, room.node.side(BEFORE)).weight();
                count = count.saturating_add(before);
            }
            at = room.node.side(if here { BEFORE } else { BEHIND });
        }
        count
    }

    /// Whether the tree is one, in order, balanced, and its sums are right; how many it holds. It
    /// ends for any contents.
    pub(super) fn audit<N>(
        &self,
        rooms: &[Room<N>],
        belongs: impl Fn(&Room<N>) -> bool,
    ) -> Option<u32> {
        if self.root == Ref::NONE {
            return (self.first == Ref::NONE).then_some(0);
        }
        let leftmost = outmost_of_any(rooms, self.root)?;
        let (mut count, mut at) = (0u32, Some(leftmost));
        let mut last: Option<Place> = None;
        while let Some(row) = at {
            let room = rooms.get(row as usize)?;
            let node = *node(rooms, Ref::to(row));
            let fits = belongs(room) && last < Some(room.place()) && is_sound(rooms, row, &node);
            if !fits || count as usize >= rooms.len() {
                return None;
            }
            last = Some(room.place());
            count = count.saturating_add(1);
            at = next(rooms, row);
        }
        let whole = node(rooms, self.root).up == Ref::NONE && self.len(rooms) == count;
        (whole && self.first == Ref::to(leftmost)).then_some(count)
    }
}

/// The first room of a branch, of at most as many steps as there are rooms.
fn outmost_of_any<N>(rooms: &[Room<N>], root: Ref) -> Option<u32> {
    let before = |&at: &Ref| Some(node(rooms, at).side(BEFORE)).filter(|&it| it != Ref::NONE);
    core::iter::successors(Some(root), before).take(rooms.len()).last()?.get()
}

/// Whether a room's sums are right, its sides hang from it, and neither is too heavy.
fn is_sound<N>(rooms: &[Room<N>], row: u32, stored: &Node) -> bool {
    let [before, behind] = stored.sides.map(|side| *node(rooms, side));
    let heavier = before.weight().max(behind.weight());
    let hang =
        stored.sides.iter().all(|&side| side == Ref::NONE || node(rooms, side).up == Ref::to(row));
    let (len, least) = sums(rooms, Ref::to(row));
    hang && (stored.len, stored.least) == (len, least)
        && heavier <= before.weight().min(behind.weight()).saturating_mul(3)
}

fn sums<N>(rooms: &[Room<N>], at: Ref) -> (u32, Needs) {
    let Some(room) = at.get().and_then(|row| rooms.get(row as usize)) else {
        return (0, Needs::MOST);
    };
    let [before, behind] = room.node.sides.map(|side| node(rooms, side));
    let len = before.len.saturating_add(behind.len).saturating_add(1);
    (len, room.needs().least(before.least).least(behind.least))
}

fn sum_up<N>(rooms: &mut [Room<N>], at: Ref) {
    let (len, least) = sums(rooms, at);
    edit(rooms, at, |node| (node.len, node.least) = (len, least));
}

/// The needs of a room have changed.
pub(super) fn sum_up_from<N>(rooms: &mut [Room<N>], row: u32) {
    let mut at = Ref::to(row);
    while at != Ref::NONE {
        sum_up(rooms, at);
        at = node(rooms, at).up;
    }
}

/// The earliest start of a branch after `time`.
fn least_after<N>(rooms: &[Room<N>], at: Ref, time: u64) -> Option<u64> {
    let room = rooms.get(at.get()? as usize)?;
    if room.node.least.start > time {
        return Some(room.node.least.start);
    }
    let own = Some(room.needs().start).filter(|&own| own > time);
    let [before, behind] = room.node.sides.map(|side| least_after(rooms, side, time));
    before.into_iter().chain(own).chain(behind).min()
}

/// The nearest room above that stands behind `at`.
fn climb<N>(rooms: &[Room<N>], mut at: Ref) -> Option<u32> {
    loop {
        let up = node(rooms, at).up;
        if up == Ref::NONE || side_of(rooms, up, at) == BEFORE {
            return up.get();
        }
        at = up;
    }
}

/// The next room in line.
pub(super) fn next<N>(rooms: &[Room<N>], row: u32) -> Option<u32> {
    let at = Ref::to(row);
    match node(rooms, at).side(BEHIND) {
        Ref::NONE => climb(rooms, at),
        behind => outmost(rooms, behind, BEFORE, |_| true).get(),
    }
}

//! A tree through the rooms of jobs, in an order that its kind says, that is never much deeper than
//! needed. Each room knows what the jobs of its branch ask for together.
//!
//! The tree is balanced by weight: neither side of a room has more than three times the weight of
//! the other, which is one more than the rooms in it. Source: J. Nievergelt, E. M. Reingold,
//! *Binary search trees of bounded balance*, 1973; with the numbers 3 and 2 of Y. Hirai,
//! K. Yamamoto, *Balancing weight-balanced trees*, 2011.

use super::jobs::Room;
use crate::list::Ref;
use core::marker::PhantomData;

/// Where a job stands: by what its tree goes by, then by its number of arrival.
pub(super) type Place = (u64, u64);

/// Right behind a place.
pub(super) const fn behind((key, number): Place) -> Place {
    (key, number.wrapping_add(1))
}

/// What a job asks for and when it is planned, or what those of a branch say together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Needs {
    pub(super) pes: u32,
    pub(super) requested: u64,
    pub(super) time: u64,
}

/// In which order jobs stand in a tree, and what they say together.
pub(super) trait Kind {
    fn place<N>(room: &Room<N>) -> Place;
    fn together(one: Needs, other: Needs) -> Needs;
}

/// A room's part in the tree that it is in.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    up: Ref,
    /// The rooms before and behind it.
    sides: [Ref; 2],
    /// Rooms in this branch.
    len: u32,
    /// What the jobs of this branch say together.
    pub(super) sum: Needs,
}

pub(super) const BEFORE: usize = 0;
pub(super) const BEHIND: usize = 1;

impl Node {
    /// All zeros: of no meaning in a room, a branch without rooms elsewhere.
    pub(super) const EMPTY: Self = Self {
        up: Ref::NONE,
        sides: [Ref::NONE; 2],
        len: 0,
        sum: Needs { pes: 0, requested: 0, time: 0 },
    };

    pub(super) fn side(&self, side: usize) -> Ref {
        self.sides.get(side).copied().unwrap_or(Ref::NONE)
    }

    const fn weight(&self) -> u32 {
        self.len.saturating_add(1)
    }
}

pub(super) fn room<N>(rooms: &[Room<N>], at: Ref) -> Option<&Room<N>> {
    rooms.get(at.get()? as usize)
}

pub(super) fn node<N>(rooms: &[Room<N>], at: Ref) -> &Node {
    room(rooms, at).map_or(&Node::EMPTY, |room| &room.node)
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
pub(super) fn outmost<N>(
    rooms: &[Room<N>],
    mut at: Ref,
    side: usize,
    goes: impl Fn(&Node) -> bool,
) -> Ref {
    loop {
        let next = node(rooms, at).side(side);
        if next == Ref::NONE || !goes(node(rooms, next)) {
            return at;
        }
        at = next;
    }
}

/// Jobs in the order of kind `K`. Calls are given the rooms of all jobs.
///
/// `first` is the first of them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tree<K> {
    root: Ref,
    first: Ref,
    kind: PhantomData<K>,
}

impl<K: Kind> Tree<K> {
    pub(super) const EMPTY: Self = Self { root: Ref::NONE, first: Ref::NONE, kind: PhantomData };

    pub(super) const fn root(&self) -> Ref {
        self.root
    }

    pub(super) fn len<N>(&self, rooms: &[Room<N>]) -> u32 {
        node(rooms, self.root).len
    }

    pub(super) const fn first(&self) -> Option<u32> {
        self.first.get()
    }

    /// Adds a room that is in no tree, at its place.
    pub(super) fn insert<N>(&mut self, rooms: &mut [Room<N>], row: u32) {
        let new = Ref::to(row);
        let Some(place) = room(rooms, new).map(K::place) else { return };
        let (mut up, mut side, mut first) = (Ref::NONE, BEFORE, true);
        let mut at = self.root;
        while let Some(there) = room(rooms, at) {
            side = usize::from(K::place(there) < place);
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

    /// Takes out a room that is in this tree.
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
        while let Some(top) = room(rooms, at) {
            let sides = top.node.sides.map(|side| room(rooms, side));
            let (up, sums) = (top.node.up, sums::<K, N>(top, sides));
            at = if let Some(side) = heavy_side(sides) {
                let risen = self.level(rooms, at, side);
                node(rooms, risen).up
            } else {
                edit(rooms, at, |node| (node.len, node.sum) = sums);
                up
            };
        }
    }

    /// Turns a branch of which one side has become too heavy; its top.
    fn level<N>(&mut self, rooms: &mut [Room<N>], at: Ref, heavy: usize) -> Ref {
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
        sum_up::<K, N>(rooms, at);
        sum_up::<K, N>(rooms, risen);
        risen
    }

    /// What a room says of itself has changed, but not its place. Rooms above it are looked at as far
    /// as they say something else then.
    pub(super) fn sum_up_from<N>(&self, rooms: &mut [Room<N>], row: u32) {
        let mut at = Ref::to(row);
        while let Some(sums) = sums_of::<K, N>(rooms, at) {
            let Node { up, len, sum, .. } = *node(rooms, at);
            if sums == (len, sum) {
                return;
            }
            edit(rooms, at, |node| (node.len, node.sum) = sums);
            at = up;
        }
    }

    /// The first room at `from` or behind it.
    pub(super) fn first_from<N>(&self, rooms: &[Room<N>], from: Place) -> Option<u32> {
        let (mut at, mut found) = (self.root, Ref::NONE);
        while let Some(there) = room(rooms, at) {
            let here = K::place(there) >= from;
            found = if here { at } else { found };
            at = there.node.side(if here { BEFORE } else { BEHIND });
        }
        found.get()
    }

    /// How many stand before a place.
    pub(super) fn before<N>(&self, rooms: &[Room<N>], place: Place) -> u32 {
        let (mut at, mut count) = (self.root, 0u32);
        while let Some(there) = room(rooms, at) {
            let here = K::place(there) >= place;
            if !here {
                let before = node(rooms, there.node.side(BEFORE)).weight();
                count = count.saturating_add(before);
            }
            at = there.node.side(if here { BEFORE } else { BEHIND });
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
            let room = room(rooms, Ref::to(row))?;
            let sound = is_sound::<K, N>(rooms, row, &room.node);
            let fits = belongs(room) && last < Some(K::place(room)) && sound;
            if !fits || count as usize >= rooms.len() {
                return None;
            }
            last = Some(K::place(room));
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
fn is_sound<K: Kind, N>(rooms: &[Room<N>], row: u32, stored: &Node) -> bool {
    let [before, behind] = stored.sides.map(|side| *node(rooms, side));
    let heavier = before.weight().max(behind.weight());
    let hang =
        stored.sides.iter().all(|&side| side == Ref::NONE || node(rooms, side).up == Ref::to(row));
    let sums = sums_of::<K, N>(rooms, Ref::to(row));
    hang && sums == Some((stored.len, stored.sum))
        && heavier <= before.weight().min(behind.weight()).saturating_mul(3)
}

/// The side that has more than three times the weight of the other.
fn heavy_side<N>(sides: [Option<&Room<N>>; 2]) -> Option<usize> {
    let [before, behind] = sides.map(|side| side.map_or(1, |room| room.node.weight()));
    match () {
        () if behind > before.saturating_mul(3) => Some(BEHIND),
        () if before > behind.saturating_mul(3) => Some(BEFORE),
        () => None,
    }
}

/// How many rooms a branch has, and what they say together.
fn sums<K: Kind, N>(top: &Room<N>, sides: [Option<&Room<N>>; 2]) -> (u32, Needs) {
    let (mut len, mut sum) = (1u32, top.needs());
    for side in sides.into_iter().flatten() {
        len = len.saturating_add(side.node.len);
        sum = K::together(sum, side.node.sum);
    }
    (len, sum)
}

fn sums_of<K: Kind, N>(rooms: &[Room<N>], at: Ref) -> Option<(u32, Needs)> {
    let top = room(rooms, at)?;
    Some(sums::<K, N>(top, top.node.sides.map(|side| room(rooms, side))))
}

fn sum_up<K: Kind, N>(rooms: &mut [Room<N>], at: Ref) {
    if let Some(sums) = sums_of::<K, N>(rooms, at) {
        edit(rooms, at, |node| (node.len, node.sum) = sums);
    }
}

/// The nearest room above that stands behind `at`.
pub(super) fn climb<N>(rooms: &[Room<N>], mut at: Ref) -> Option<u32> {
    loop {
        let up = node(rooms, at).up;
        if up == Ref::NONE || side_of(rooms, up, at) == BEFORE {
            return up.get();
        }
        at = up;
    }
}

/// The next room of a tree.
pub(super) fn next<N>(rooms: &[Room<N>], row: u32) -> Option<u32> {
    let at = Ref::to(row);
    match node(rooms, at).side(BEHIND) {
        Ref::NONE => climb(rooms, at),
        behind => outmost(rooms, behind, BEFORE, |_| true).get(),
    }
}

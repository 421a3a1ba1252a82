//! Plans of moves: who goes where, one after the other, so that a request fits.
//!
//! A plan clears a *goal*, a place that the request might get, of those who have nodes of it. For k = 0, 1, 2, ... all sequences
//! of k moves are tried for each goal that no more than k are in the way of; a move that is not of one of these has to be to
//! spare. Two moves next to each other that could as well come the other way round are tried in one order only.
//!
//! Source: worked out for this project.

use super::Machine;
use heapless::Vec;

/// The most moves of a plan.
pub const MOST_MOVES: usize = 16;

crate::data::data! {
    /// Somebody moves to another place, which is free then.
    pub struct Move<P> {
        /// Where he is when the move's turn comes.
        pub from: P,
        /// Where he is then; disjoint from that.
        pub to: P,
    }
}

/// Moves, one after the other, after which a request fits.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Plan<P> {
    moves: Vec<Move<P>, MOST_MOVES>,
    nodes: u32,
    best: bool,
}

impl<P: Copy> Plan<P> {
    /// Without moves.
    pub(crate) const NONE: Self = Self { moves: Vec::new(), nodes: 0, best: true };

    /// The moves, in the order in which they are possible; none if the request fits already.
    pub fn moves(&self) -> impl DoubleEndedIterator<Item = Move<P>> + Clone {
        self.moves.iter().copied()
    }

    /// Nodes of all that move, those of one that moves twice counted twice.
    pub const fn nodes(&self) -> u32 {
        self.nodes
    }

    /// Whether no plan has fewer moves, and none of as many moves fewer nodes.
    pub const fn is_best(&self) -> bool {
        self.best
    }

    /// The same, and whether it is the best.
    pub(crate) fn judged(self, best: bool) -> Self {
        Self { best, ..self }
    }

    /// By what plans are compared: moves, then nodes.
    pub(crate) fn cost(&self) -> (usize, u32) {
        (self.moves.len(), self.nodes)
    }

    /// One more move, of so many nodes.
    pub(crate) fn push(&mut self, step: Move<P>, nodes: u32) {
        _ = self.moves.push(step);
        self.nodes = self.nodes.wrapping_add(nodes);
    }

    /// Takes the last one back.
    pub(crate) fn pop(&mut self, nodes: u32) {
        self.moves.pop();
        self.nodes = self.nodes.wrapping_sub(nodes);
    }
}

/// A [`Machine`] all places of which can be told.
///
/// Of a [`Count`](super::Count) and a [`Tree`](super::Tree) these are too many, and hardly any two differ; of
/// [`Boxes`](crate::grid::Boxes) it tells those at steps, and none in leftover that is lent.
pub trait AllPlaces: Machine {
    /// Whether something holds for any of the places that a request may get, in a fixed order; those behind that one are not told.
    fn any_place(&self, of: &Self::Request, is_so: &mut dyn FnMut(&Self::Place) -> bool) -> bool;

    /// Whether two places have a node in common.
    fn meet_at(&self, one: &Self::Place, other: &Self::Place) -> bool;
}

/// Somebody who has a place, and what he asked for: he may move to any other place of that.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tenant<R, P> {
    /// What he asked for.
    pub asked: R,
    /// What he has.
    pub place: P,
}

/// The tenants of a machine.
pub type TenantOf<M> = Tenant<<M as Machine>::Request, <M as Machine>::Place>;

crate::display::errors! {
    /// Why there are no such moves.
    pub enum NoMoves {
        /// No plan has so few moves.
        Impossible => "no plan of so few moves makes it fit",
        /// No plan was found in so many steps.
        Undecided => "undecided: the search took more steps than allowed",
    }
}

/// The moves of tenants after which a request fits: as few as possible and at most `most`, of which there may be [`MOST_MOVES`],
/// and of as many those of the fewest nodes. Nothing is moved by this: the tenants are afterwards as they were.
///
/// `map` has as free what is free and what the tenants hold. Each step is a look at all tenants: one goes for each goal, and for each
/// place to which a tenant might move. If they run out, the best plan so far is told, and that it may [not be the
/// best](Plan::is_best); no plan has fewer moves even then.
///
/// A [`GridPool`](crate::grid::GridPool::defragment) finds the moves of its leases faster.
///
/// # Errors
///
/// [`NoMoves`].
///
/// ```
/// use locox::cube::{Dim, Node, Subcube};
/// use locox::machine::{Machine, Tenant, defragment};
/// use locox::subcube::{Complete, Subcubes};
/// // A cube of eight nodes, with one in use at each of two opposite corners.
/// let cube = Dim::new(3).unwrap();
/// let machine = Subcubes::<Complete>::new(cube).unwrap();
/// let at = |node| Subcube::new(cube, Node(node), 0).unwrap();
/// let mut tenants = [0, 7].map(|node| Tenant { asked: Dim::ZERO, place: at(node) });
/// let mut map = vec![0; machine.words().map];
/// machine.open(&mut map);
/// let half = Dim::new(2).unwrap();
/// let plan = defragment(&machine, &map, &mut tenants, &half, 4, 1000)?;
/// // One of them moves to the side of the other.
/// let step = plan.moves().next().unwrap();
/// assert_eq!((plan.moves().count(), plan.is_best(), step.from), (1, true, at(0)));
/// # Ok::<(), locox::machine::NoMoves>(())
/// ```
pub fn defragment<M: AllPlaces>(
    machine: &M,
    map: &[M::Word],
    tenants: &mut [TenantOf<M>],
    request: &M::Request,
    most: usize,
    steps: u32,
) -> Result<Plan<M::Place>, NoMoves> {
    let now = Plan::NONE;
    let mut search = Search { machine, map, tenants, now, best: None, steps, cut: false };
    for moves in 0..=most.min(MOST_MOVES) {
        machine.any_place(request, &mut |goal| {
            if machine.has(map, goal) {
                search.clear(goal, moves, None);
            }
            search.cut
        });
        if search.cut || search.best.is_some() {
            break;
        }
    }
    let none = if search.cut { NoMoves::Undecided } else { NoMoves::Impossible };
    search.best.map(|plan| plan.judged(!search.cut)).ok_or(none)
}

/// A search for plans of so many moves; the moves of `now` are made.
struct Search<'a, M: AllPlaces> {
    machine: &'a M,
    map: &'a [M::Word],
    tenants: &'a mut [TenantOf<M>],
    now: Plan<M::Place>,
    best: Option<Plan<M::Place>>,
    steps: u32,
    /// Whether the steps ran out.
    cut: bool,
}

/// Which tenant moved last, and from where.
type Last<P> = Option<(usize, P)>;

impl<M: AllPlaces> Search<'_, M> {
    fn step(&mut self) -> bool {
        self.cut |= self.steps == 0;
        self.steps = self.steps.saturating_sub(1);
        !self.cut
    }

    /// Clears a goal by so many more moves, in all ways that could be the best.
    fn clear(&mut self, goal: &M::Place, left: usize, last: Last<M::Place>) {
        let machine = self.machine;
        let in_way = |it: &&TenantOf<M>| machine.meet_at(&it.place, goal);
        let way = self.tenants.iter().filter(in_way).map(|it| machine.size(&it.asked));
        let (way, nodes) =
            way.fold((0usize, 0u32), |(way, all), it| (way.wrapping_add(1), all.wrapping_add(it)));
        let Some(spare) = left.checked_sub(way).filter(|_| self.step()) else { return };
        // A move to spare is one of a node at least.
        let least = self.now.nodes.wrapping_add(nodes).wrapping_add(spare as u32);
        let is_hopeless = |it: &Self| it.best.as_ref().is_some_and(|best| best.nodes <= least);
        if is_hopeless(self) {
            return;
        }
        if left == 0 {
            self.best = Some(self.now.clone());
            return;
        }
        for at in 0..self.tenants.len() {
            let Some(&Tenant { asked, place: from }) = self.tenants.get(at) else { return };
            if spare == 0 && !machine.meet_at(&from, goal) {
                continue;
            }
            let enough = machine.any_place(&asked, &mut |&to| {
                if self.may_move(at, to, last) {
                    let size = machine.size(&asked);
                    self.now.push(Move { from, to }, size);
                    self.put(at, to);
                    self.clear(goal, left.wrapping_sub(1), Some((at, from)));
                    self.put(at, from);
                    self.now.pop(size);
                }
                !self.step() || is_hopeless(self)
            });
            if enough {
                return;
            }
        }
    }

    /// Whether a tenant may move to a place that is free. One with a smaller number, or the same one again, moves after the last only to nodes
    /// that this one has left: else they could come the other way round, or he could have moved there at once.
    fn may_move(&self, at: usize, to: M::Place, last: Last<M::Place>) -> bool {
        let is_other_way =
            last.is_some_and(|(moved, left)| at <= moved && !self.machine.meet_at(&to, &left));
        let is_free = || !self.tenants.iter().any(|it| self.machine.meet_at(&it.place, &to));
        !is_other_way && self.machine.has(self.map, &to) && is_free()
    }

    fn put(&mut self, at: usize, place: M::Place) {
        self.tenants.get_mut(at).into_iter().for_each(|it| it.place = place);
    }
}

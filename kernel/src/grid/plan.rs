//! Plans against fragmentation: which leases to move where, in which order, so that a request fits.
//!
//! A plan clears a *goal*, a box that the request might get, of the leases that have nodes of it. If as many
//! moves are left as leases are in the way, each move takes one of these out of the goal; if more are left,
//! others may move first, to make room, or for a time into the goal. So a search of all sequences of
//! k moves needs to look only where no more leases are in the way than moves are left. Two moves next to each other that
//! could as well come the other way round are tried in one order only.
//!
//! First each goal is tried without other moves, those with few leased nodes first, which soon gives some plan;
//! then for k = 1, 2, ... goals with moves to spare, until no better plan is left.
//!
//! Source: worked out for this project.

use super::choice::Among;
use super::cuboid::Cuboid;
use super::inventory::Inventory;
use super::pool::GridPool;
use super::request::{BoxRequest, Refusal};
use super::rows::{load, ones, spans_with};
use super::sides::Sides;
use crate::cube::Node;
use crate::error::Error;
use crate::machine::{self, MOST_MOVES};
use crate::require::StorageTooSmall;
use crate::slices::put;
use crate::sort::{heapify, pop};
use heapless::Vec;

/// Steps that a first try of one goal may take.
const FIRST_TRY: u32 = 256;

/// Bits of the place of a node among all.
const BITS: u32 = 16;

/// No goal counts more held nodes, so that none is like [`NO_GOAL`].
const MOST_COUNTED: u32 = (1 << BITS) - 2;

/// In the place of a goal.
const NO_GOAL: u32 = u32::MAX;

/// A lease moves to another box of the same sides.
pub type Move = machine::Move<Cuboid>;

/// Moves of leases, one after the other, after which a request fits.
pub type Plan = machine::Plan<Cuboid>;

/// Nodes of some boxes.
fn nodes_of(boxes: impl Iterator<Item = Cuboid>) -> u32 {
    boxes.fold(0, |nodes, it| nodes.wrapping_add(it.sides().nodes()))
}

crate::display::errors! {
    /// Why there is no plan.
    pub enum NoPlan {
        /// Whatever moves, the request is refused for this reason.
        Refused(refusal: Refusal) => "{refusal}",
        /// No plan has so few moves.
        Impossible => "no plan of so few moves makes it fit",
        /// No plan was found in so many steps.
        Undecided => "undecided: the search took more steps than allowed",
    }
}

/// Why there is no plan, or too little scratch to look for one.
pub type PlanError = Error<NoPlan, StorageTooSmall>;

impl<S: AsRef<[u64]> + AsMut<[u64]>> GridPool<S> {
    /// The moves of leases after which `request` fits: as few as possible and at most `most`, of which there may be
    /// [`MOST_MOVES`], and of as many those of the fewest nodes. A lease moves to a box of the same sides that the pool
    /// would let a request for these begin at, free when its turn comes, and disjoint from where the lease is.
    /// Nothing is moved by this.
    ///
    /// `scratch` has a word a node and may hold anything. A step is about a search of one shape: one goes for each move that
    /// is tried and for each goal, and on N nodes 1 + N/1024 for a look at leases that are not in the way, and
    /// 1 + N/128 for each shape and number of moves. If they run out, the best plan so far is told, and that it may [not be
    /// the best](Plan::is_best). What [`would_fit`](GridPool::would_fit) costs for all shapes of the request comes before
    /// the first step. On machines of 4,096 nodes 400 steps take 1 to 4 ms of a host
    /// (`cargo bench -p locox --bench plan`).
    ///
    /// Where [leftover is lent](super::Leftover::Reused) each goal that is cleared takes a step, too.
    ///
    /// # Errors
    ///
    /// [`NoPlan`], or [`StorageTooSmall`] of `scratch`.
    ///
    /// ```
    /// use locox::cube::Node;
    /// use locox::grid::{Anchors, BoxRequest, Cuboid, Grid, GridPool, Placement, words};
    /// use locox::handle::PoolId;
    ///
    /// const LINE: Grid = Grid::mesh(&[8]).unwrap();
    /// let storage = [0; words(LINE)];
    /// let mut pool = GridPool::new(PoolId(1), LINE, storage, Placement::First, Anchors::Any)?;
    /// for origin in [1, 3, 4] {
    ///     pool.claim(Cuboid::new(LINE, Node(origin), "1".parse()?).unwrap())?;
    /// }
    /// let four = BoxRequest::Fixed("4".parse()?);
    /// let plan = pool.defragment(four, 3, 1000, &mut [0; 8])?;
    /// // One move, of node 4 to the other side.
    /// for step in plan.moves() {
    ///     let lease = pool.lease_at(step.from.origin()).unwrap();
    ///     pool.claim(step.to)?;
    ///     pool.release(lease)?;
    /// }
    /// assert_eq!((plan.nodes(), pool.would_fit(four)), (1, Ok(())));
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    pub fn defragment(
        &mut self,
        request: BoxRequest<'_>,
        most: usize,
        steps: u32,
        scratch: &mut [u32],
    ) -> Result<Plan, PlanError> {
        let needed = self.grid().nodes() as usize;
        let counts = scratch.get_mut(..needed).ok_or(Error::Misused(StorageTooSmall { needed }))?;
        let words = self.storage.as_mut();
        match self.core.would_fit(words, &request) {
            Ok(()) => return Ok(Plan::NONE),
            Err(Refusal::Fragmented) => {}
            Err(refusal) => return Err(Error::Refused(NoPlan::Refused(refusal))),
        }
        let planner = Planner {
            inventory: &self.core,
            words,
            counts,
            now: Plan::NONE,
            best: None,
            steps,
            floor: 0,
            cut: false,
        };
        planner.plan(&request, most.min(MOST_MOVES)).map_err(Error::Refused)
    }
}

/// A search for plans, in which moves are tried on the pool's own map of what is held.
///
/// - `now` has the moves that are made.
/// - `best` is the best plan so far.
/// - `steps` are left; a try ends when they have come down to `floor`. `cut` says that one did.
/// - `counts` has for each goal how many nodes of it are held, and below that its origin's place among all nodes row by row;
///   [`NO_GOAL`] for other boxes.
struct Planner<'a> {
    inventory: &'a Inventory,
    words: &'a mut [u64],
    counts: &'a mut [u32],
    now: Plan,
    best: Option<Plan>,
    steps: u32,
    floor: u32,
    cut: bool,
}

/// The leases in the way of a goal.
type Way = Vec<Cuboid, MOST_MOVES>;

impl Planner<'_> {
    fn plan(mut self, request: &BoxRequest<'_>, most: usize) -> Result<Plan, NoPlan> {
        self.each_goal(request, |planner, goal| {
            let moves = planner.way(&goal, most)?.len();
            planner.floor = planner.steps.saturating_sub(FIRST_TRY);
            planner.clear(&goal, moves);
            planner.floor = 0;
            Some(())
        });
        let skipped = usize::from(!self.cut);
        self.cut = self.steps == 0;
        let mut moves = 1;
        while moves <= self.best.as_ref().map_or(most, |best| best.cost().0) && !self.cut {
            self.each_goal(request, |planner, goal| {
                planner.way(&goal, moves.saturating_sub(skipped))?;
                planner.clear(&goal, moves);
                Some(())
            });
            moves = moves.saturating_add(1);
        }
        match self.best {
            Some(plan) => Ok(plan.judged(!self.cut)),
            None => Err(if self.cut { NoPlan::Undecided } else { NoPlan::Impossible }),
        }
    }

    /// Takes so many steps, if there are any left.
    fn step(&mut self, count: u32) -> bool {
        let may = self.steps > self.floor;
        self.steps = self.steps.saturating_sub(if may { count } else { 0 });
        self.cut |= !may;
        may
    }

    /// One for each 2^`log2` nodes of the machine, and one more.
    const fn share(&self, log2: u32) -> u32 {
        self.inventory.boxes.rows.grid.nodes().wrapping_shr(log2).wrapping_add(1)
    }

    /// Passes on the goals of each shape, those with few held nodes first, as long as a plan for one could be the best.
    fn each_goal(
        &mut self,
        request: &BoxRequest<'_>,
        mut visit: impl FnMut(&mut Self, Cuboid) -> Option<()>,
    ) {
        request.visit(
            self.inventory.boxes.rows.grid,
            self.inventory.boxes.isolating,
            &mut |_, sides| {
                if !self.step(self.share(7)) {
                    return true;
                }
                self.count(sides);
                heapify(self.counts, |one, other| one < other);
                for len in (1..=self.counts.len()).rev() {
                    let goals = self.counts.get_mut(..len).unwrap_or_default();
                    let goal = pop(goals, |one, other| one < other).filter(|&goal| goal != NO_GOAL);
                    let Some(goal) = goal else { break };
                    let held = goal >> BITS;
                    let hopeless = |best: &Plan| best.cost() <= (1, held);
                    if self.best.as_ref().is_some_and(hopeless) || !self.step(1) {
                        break;
                    }
                    _ = visit(self, self.goal_at((goal & ((1 << BITS) - 1)) as usize, sides));
                }
                false
            },
        );
    }

    /// The goal at a place of `counts`, which has the nodes of one row behind those of the other.
    fn goal_at(&self, at: usize, sides: Sides) -> Cuboid {
        let rows = &self.inventory.boxes.rows;
        let length = self.row_length();
        let row = at.checked_div(length).unwrap_or_default();
        let place = at.checked_rem(length).unwrap_or_default();
        Cuboid::from_parts(rows.grid, rows.coordinates(row, place as u8), sides)
    }

    const fn row_length(&self) -> usize {
        self.inventory.boxes.rows.full.count_ones() as usize
    }

    /// Counts the held nodes of each goal of these sides.
    fn count(&mut self, sides: Sides) {
        let length = self.row_length();
        let search = self.inventory.boxes.search(self.words);
        // By reference as in `Span::combine`.
        for (counts, &row) in self.counts.chunks_mut(length.max(1)).by_ref().zip(search.held) {
            let places = counts.iter_mut().zip(0u32..);
            places.for_each(|(count, place)| *count = (row.wrapping_shr(place) & 1) as u32);
        }
        for (span, side) in spans_with(&self.inventory.boxes.rows, sides) {
            let stride = if span.stride == 0 { 1 } else { span.stride.wrapping_mul(length) };
            self.sum_along(stride, span.nodes.into(), side.into());
        }
        let mut search = self.inventory.boxes.search(self.words);
        search.find(sides, Among::Serving);
        let (rows, mut at) = (&*search.turns.now, 0u32..);
        for (counts, &row) in self.counts.chunks_mut(length.max(1)).by_ref().zip(rows) {
            for ((count, place), at) in counts.iter_mut().zip(0u32..).zip(&mut at) {
                let is_goal = row.wrapping_shr(place) & 1 == 1;
                *count = if is_goal { (*count).min(MOST_COUNTED) << BITS | at } else { NO_GOAL };
            }
        }
    }

    /// Adds up windows of so many nodes along an axis, around its end.
    fn sum_along(&mut self, stride: usize, nodes: usize, side: usize) {
        for block in self.counts.chunks_mut(stride.wrapping_mul(nodes).max(1)) {
            for first in 0..stride {
                let mut line = [0; 64];
                let places = || (first..).step_by(stride.max(1)).take(nodes);
                for (value, at) in line.iter_mut().zip(places()) {
                    *value = block.get(at).copied().unwrap_or_default();
                }
                let line = line.get(..nodes).unwrap_or_default();
                let mut sum = line.iter().take(side).fold(0u32, |sum, it| sum.wrapping_add(*it));
                let ends = line.iter().cycle().skip(side);
                for ((at, gone), more) in places().zip(line).zip(ends) {
                    put(block, at, sum);
                    sum = sum.wrapping_sub(*gone).wrapping_add(*more);
                }
            }
        }
    }

    /// The leases in the way of a goal, if these are no more than so many.
    fn way(&mut self, goal: &Cuboid, most: usize) -> Option<Way> {
        let mut way = Way::new();
        let rows = &self.inventory.boxes.rows;
        let mask = rows.mask(goal);
        // A lease that is found is off the map until all are, so that each is found once.
        let all = rows.rows(goal).try_for_each(|row| {
            while let Some(place) = ones(load(self.words, row) & mask).next() {
                let at = rows.coordinates(row, place);
                let lease = self.lease_at(rows.grid.node(at)?, at).filter(|_| way.len() < most)?;
                way.push(lease).ok()?;
                self.inventory.hold(self.words, &lease, false);
            }
            Some(())
        });
        way.iter().for_each(|lease| self.inventory.hold(self.words, lease, true));
        all.map(|()| way)
    }

    /// Where the lease lies now that holds a node.
    fn lease_at(&self, node: Node, at: [u8; 4]) -> Option<Cuboid> {
        // What was moved there last; what was there before has left.
        let moved = self.now.moves().rev().find(|step| step.to.holds(at));
        let unmoved = || self.inventory.lease_at(self.words, node).map(|lease| lease.cuboid());
        moved.map(|step| step.to).or_else(unmoved)
    }

    /// Clears a goal by so many more moves, in all ways that could be the best. If no move is to spare:
    /// whether there was one.
    fn clear(&mut self, goal: &Cuboid, left: usize) -> bool {
        let Some(way) = self.way(goal, left) else { return false };
        // A move to spare is one of a node at least.
        let spare = left.wrapping_sub(way.len());
        let (moves, nodes) = self.now.cost();
        let nodes = nodes.wrapping_add(nodes_of(way.iter().copied())).wrapping_add(spare as u32);
        let least = (moves.wrapping_add(left), nodes);
        if self.best.as_ref().is_some_and(|best| best.cost() <= least) {
            return false;
        }
        if spare == left && self.is_granted(goal) {
            self.best = Some(self.now.clone());
            return true;
        }
        let spare = spare > 0;
        let mut found = false;
        for &lease in &way {
            found |= self.relocate(goal, lease, left, spare);
            // All ways without a move to spare are as good.
            if found && !spare {
                return true;
            }
        }
        if spare && self.step(self.share(10)) {
            let unmoved = (0..self.inventory.boxes.rows.grid.nodes()).map(Node);
            for node in unmoved {
                let lease = self.inventory.lease_from(self.words, node).map(|it| it.cuboid());
                let there = lease.filter(|it| self.now.moves().all(|step| step.from != *it));
                self.relocate_other(goal, there, left);
            }
            for at in 0..moves {
                let moved = self.now.moves().nth(at).map(|step| step.to);
                let left_again =
                    |it: &Cuboid| self.now.moves().skip(at).any(|step| step.from == *it);
                self.relocate_other(goal, moved.filter(|it| !left_again(it)), left);
            }
        }
        found
    }

    /// Whether a request may get a goal that is cleared: in leftover only if its block is broken.
    fn is_granted(&mut self, goal: &Cuboid) -> bool {
        let lends = self.inventory.boxes.anchors.lends();
        if !lends || !self.step(1) {
            return !lends;
        }
        let (row, bit) = self.inventory.boxes.rows.locate(goal.origin());
        let mut search = self.inventory.boxes.search(self.words);
        search.find(goal.sides(), Among::Free);
        load(search.turns.now, row) & bit != 0
    }

    /// Moves a lease, if there is one and it is not in the way.
    fn relocate_other(&mut self, goal: &Cuboid, from: Option<Cuboid>, left: usize) {
        if let Some(from) = from.filter(|it| !it.meets(goal)) {
            self.relocate(goal, from, left, true);
        }
    }

    /// Moves a lease to all places, and goes on from there.
    fn relocate(&mut self, goal: &Cuboid, from: Cuboid, left: usize, spare: bool) -> bool {
        let (mut found, mut after, nodes) = (false, (0, 0), from.sides().nodes());
        while self.step(1)
            && let Some((to, next)) = self.next_place(goal, from, spare, after)
        {
            after = next;
            self.shift(&from, &to);
            self.now.push(Move { from, to }, nodes);
            found |= self.clear(goal, left.wrapping_sub(1));
            self.now.pop(nodes);
            self.shift(&to, &from);
            if found && !spare {
                return true;
            }
        }
        found
    }

    /// A place for a lease from a row and a coordinate on, and what comes after it.
    fn next_place(
        &mut self,
        goal: &Cuboid,
        from: Cuboid,
        spare: bool,
        (first, start): (usize, u8),
    ) -> Option<(Cuboid, (usize, u8))> {
        // Only a claim puts one that is not isolated into a pool that grants no such boxes.
        if self.inventory.boxes.isolating && !from.is_isolated() {
            return None;
        }
        let last = self.now.moves().next_back();
        let lends = self.inventory.boxes.anchors.lends();
        let (rows, sides) = (&self.inventory.boxes.rows, from.sides());
        let mut search = self.inventory.boxes.search(self.words);
        search.find(sides, Among::Free);
        if !spare {
            search.keep_meeting(goal, sides, false);
        }
        if let Some(last) = last.filter(|last| !lends && must_make_room_for(last, from)) {
            search.keep_meeting(&last.from, sides, true);
        }
        for row in first..rows.count() {
            for place in ones(load(search.turns.now, row)) {
                let to = Cuboid::from_parts(rows.grid, rows.coordinates(row, place), sides);
                let before = row == first && place < start;
                let back = Some(Move { from: to, to: from });
                if !before && last != back {
                    return Some((to, (row, place.wrapping_add(1))));
                }
            }
        }
        None
    }

    /// Makes a move on the map, or takes it back.
    fn shift(&mut self, from: &Cuboid, to: &Cuboid) {
        self.inventory.hold(self.words, from, false);
        self.inventory.hold(self.words, to, true);
    }
}

/// Whether a move of the lease that lies at `from` is of use after this one only if it takes nodes that this one has
/// left: else the same lease could have moved there at once, or both come the other way round.
fn must_make_room_for(last: &Move, from: Cuboid) -> bool {
    last.to == from || from.origin() < last.from.origin()
}

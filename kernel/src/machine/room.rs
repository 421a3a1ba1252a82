//! Who gives up places, so that a request fits, at the least cost in all.

use super::Machine;

/// A place that somebody holds and could give up, and what that costs.
///
/// Stakes of one holder are next to each other. The cost of a holder is that of the first of them, and counts once, however
/// many of his places are needed: he gives up all of them. No two holders have the same node, but for
/// [`Nodes`](crate::nodes::Nodes), which jobs share.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stake<P> {
    /// Where.
    pub place: P,
    /// Whose it is.
    pub of: u32,
    /// What it costs; 0 counts as 1. The sum over all holders is below 2^62.
    pub cost: u64,
    /// Whether it is to be given up: an answer.
    pub yields: bool,
}

impl<P> Stake<P> {
    /// A place of a holder, and what it costs that he gives it up.
    pub const fn new(place: P, of: u32, cost: u64) -> Self {
        Self { place, of, cost, yields: false }
    }
}

/// What it costs that a request fits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cost {
    /// The costs of all holders who give up their places.
    pub sum: u64,
    /// Whether no other choice costs less. If not, a budget ran out, or the leftover of boxes is
    /// [lent](crate::grid::Leftover::Reused), or jobs have several [nodes](crate::nodes::Nodes) with quantities.
    pub least: bool,
}

/// A [`Machine`] that knows whose places a request needs.
///
/// As each holder costs something, all who yield are needed: any place that a request then has contains a node of each of them,
/// unless [`Cost::least`] is false. Of several choices at the same cost it is that of the first place, in the order
///
/// - of the mask of the free dimensions, then of the base, of [subcubes](crate::subcube::Subcubes);
/// - of the shapes in the request, then of the origins, of [boxes](crate::grid::Boxes);
/// - of the placements of a profile, of an accelerator's [`Table`](crate::accelerator::Table).
///
/// A [`Tree`](super::Tree) takes the first such domain. There and of a [`Count`](super::Count) each holder has one stake, and
/// among them decides [`least_sum`](super::least_sum). On [`Nodes`](crate::nodes::Nodes), too, each holder has one stake; it is the first of
/// the nodes that cost the same. The same arguments always have the same answer.
///
/// ```
/// use locox::cube::Node;
/// use locox::grid::{Anchors, BoxRequest, Boxes, Cuboid, Grid, Placement};
/// use locox::machine::{Cost, Machine, MakeRoom, Stake};
/// let grid = Grid::torus(&[4, 4]).unwrap();
/// let machine = Boxes::new(grid, Placement::First, Anchors::Any).unwrap();
/// let lease = |node, sides: &str, of, cost| {
///     Stake::new(Cuboid::new(grid, Node(node), sides.parse().unwrap()).unwrap(), of, cost)
/// };
/// // The first two rows, half of the third, and two nodes of the last.
/// let mut stakes = [lease(0, "4x2", 0, 90), lease(8, "2x1", 1, 20), lease(13, "2x1", 2, 30)];
/// let (mut map, mut room) = (vec![0; machine.words().map], vec![0; machine.words().room]);
/// machine.open(&mut map);
/// let mut sums = vec![0; machine.sums()];
/// let square = BoxRequest::Fixed("2x2".parse()?);
/// // At nodes 8, 11, 12 and 15, around the ends of the rows: only the second lease has one of these.
/// let (place, cost) =
///     machine.make_room(&mut map, &square, &mut stakes, &mut room, &mut sums).unwrap();
/// assert_eq!(cost, Cost { sum: 20, least: true });
/// assert_eq!(stakes.map(|it| it.yields), [false, true, false]);
/// assert!(place.contains(Node(8)) && place.contains(Node(15)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait MakeRoom: Machine {
    /// Words of `u64` that [`MakeRoom::choose`] takes.
    fn sums(&self) -> usize;

    /// Marks the stakes of those whose places are to be given up so that a request fits in what is free then, at the least
    /// cost in all. `None` if it would not fit even if all gave up theirs.
    ///
    /// `map` has as free what is free and what the stakes hold. The nodes of those who must not be touched are not free there.
    /// The order of the stakes may change. What `sums` held does not matter.
    fn choose(
        &self,
        map: &[Self::Word],
        of: &Self::Request,
        stakes: &mut [Stake<Self::Place>],
        sums: &mut [u64],
    ) -> Option<Cost>;

    /// The same, and the place that the request has then. `map` is left with what is free then, that place included.
    fn make_room(
        &self,
        map: &mut [Self::Word],
        of: &Self::Request,
        stakes: &mut [Stake<Self::Place>],
        room: &mut [Self::Word],
        sums: &mut [u64],
    ) -> Option<(Self::Place, Cost)> {
        let cost = self.choose(map, of, stakes, sums)?;
        stakes.iter().filter(|it| !it.yields).for_each(|it| self.take(map, &it.place));
        Some((self.find(map, of, room)?, cost))
    }
}

/// The stakes of each holder.
fn holders<P>(stakes: &[Stake<P>]) -> impl Iterator<Item = &[Stake<P>]> {
    stakes.chunk_by(|one, other| one.of == other.of)
}

/// Each place, whose it is, and what that one costs.
pub(crate) fn pieces<P: Copy>(stakes: &[Stake<P>]) -> impl Iterator<Item = (u32, P, u64)> {
    holders(stakes).flat_map(|its| {
        let cost = its.first().map_or(0, |it| it.cost);
        its.iter().map(move |it| (it.of, it.place, cost))
    })
}

/// What it costs if all give up their places who have one of these.
pub(crate) fn sum<P>(stakes: &[Stake<P>], meets: impl Fn(&P) -> bool) -> u64 {
    let meeting = holders(stakes).filter(|its| its.iter().any(|it| meets(&it.place)));
    let costs = meeting.filter_map(|its| its.first()).map(|it| it.cost.max(1));
    costs.fold(0, u64::saturating_add)
}

/// Marks all stakes of those who have one of these places.
pub(crate) fn mark<P>(stakes: &mut [Stake<P>], meets: impl Fn(&P) -> bool) {
    for its in stakes.chunk_by_mut(|one, other| one.of == other.of) {
        let yields = its.iter().any(|it| meets(&it.place));
        its.iter_mut().for_each(|it| it.yields = yields);
    }
}

/// A place of somebody, for sums over all places that a request may get.
pub(crate) struct Piece<P> {
    pub(crate) place: P,
    pub(crate) cost: u64,
    /// Whose it is, from 1 on; 0 if he has no other.
    pub(crate) stamp: u32,
    /// Whether it is the first one of its holder.
    pub(crate) first: bool,
}

/// The pieces of holders, those of one next to each other.
pub(crate) fn stamped<P>(
    pieces: impl Iterator<Item = (u32, P, u64)>,
) -> impl Iterator<Item = Piece<P>> {
    let (mut pieces, mut last, mut count) = (pieces.peekable(), None, 0u32);
    core::iter::from_fn(move || {
        let (of, place, cost) = pieces.next()?;
        let again = last.replace(of) == Some(of);
        count = count.wrapping_add(u32::from(!again));
        let alone = !again && pieces.peek().is_none_or(|(next, ..)| *next != of);
        Some(Piece {
            place,
            cost: cost.max(1),
            stamp: if alone { 0 } else { count },
            first: !again,
        })
    })
}

/// Leaves a stamp at one of the places of a table, two to a word; whether another one was there.
pub(crate) fn stamp(stamps: &mut [u64], at: usize, stamp: u32) -> bool {
    let Some(word) = stamps.get_mut(at >> 1) else { return false };
    let shift = (at as u32 & 1) << 5;
    let differs = word.wrapping_shr(shift) as u32 != stamp;
    *word = *word & !u64::from(u32::MAX).wrapping_shl(shift) | u64::from(stamp).wrapping_shl(shift);
    differs
}

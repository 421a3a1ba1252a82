//! The nodes whose jobs cost least to be stopped.
//!
//! Where each job lies on one node, those nodes whose [tenants](super::tenants) cost least. With jobs on several nodes that is not the
//! least in all: then nodes are chosen once by the costs of jobs and once by their shares for each node, and of these the better way
//! is taken. In the end all stay who need not leave these nodes.
//!
//! Source: worked out for this project.

use super::machine::Nodes;
use super::place::NodePlace;
use super::request::NodeRequest;
use super::row::Row;
use super::tenants::{Search, Tenants, rounded_up};
use crate::bits::algebra::members;
use crate::bits::{WORD_LOG2, bit};
use crate::machine::{Cost, MakeRoom, Stake};
use crate::slices::{edit, put};
use crate::sort::sort_backwards;

/// A way to choose nodes for a request.
#[derive(Clone, Copy)]
struct Way<'r, 'n> {
    of: &'r NodeRequest<'n>,
    /// Whether a job on several nodes costs its share on each.
    shared: bool,
}

impl Way<'_, '_> {
    fn cost<const W: usize>(&self, it: &Stake<NodePlace<W>>) -> u64 {
        let cost = it.cost.max(1);
        if !self.shared {
            return cost;
        }
        let nodes = members(it.place.set().iter().copied()).clamp(1, self.of.least.max(1));
        rounded_up(cost, nodes.into())
    }
}

/// What is wanted of a node.
#[derive(Clone, Copy)]
enum Aim {
    /// To know what some way to have room costs.
    Any,
    /// To know the least cost, if it is below this.
    Below(u64),
    /// That those leave who cost so much together.
    Leave(u64),
}

/// What a node costs, and which one it is.
type Price = [u64; 2];

impl<const W: usize> Nodes<'_, W> {
    /// What it costs that a request fits on a node, and whether nothing costs less; `None` if it is not to be had.
    ///
    /// The stakes stand in the order of [`arrange`], those on a single node before `alone`.
    fn room_on(
        &self,
        map: &[u32],
        node: u32,
        (way, aim): (Way<'_, '_>, Aim),
        (stakes, alone): (&mut [Stake<NodePlace<W>>], usize),
    ) -> Option<(u64, bool)> {
        let (row, class) = (self.row(map, node)?, *self.class_of.get(node as usize)?);
        if !self.fits_on(&row, class, way.of) {
            return None;
        }
        let most = match aim {
            Aim::Any => u64::MAX,
            Aim::Below(most) => most,
            Aim::Leave(cost) => cost.saturating_add(1),
        };
        let (marks, first) = (matches!(aim, Aim::Leave(_)), matches!(aim, Aim::Any));
        let (mut words, mut tenants) = (row.words(), Tenants::NONE);
        let (mut lost, mut exact) = (0u64, true);
        let single = stakes.get(..alone).unwrap_or_default();
        let from = single.partition_point(|it| first_node(it) < node);
        let to = single.partition_point(|it| first_node(it) <= node);
        for at in (from..to).chain(alone..stakes.len()) {
            let has = |it: &&Stake<NodePlace<W>>| bit(it.place.set(), 0, node);
            let Some(it) = stakes.get(at).filter(has) else { continue };
            let Some(costliest) = tenants.add((way.cost(it), at as u32)) else { continue };
            // It stays if the request fits beside it and those who stay already.
            exact = false;
            let search =
                Search { machine: self, of: way.of, class, stakes, first, least: 0, leave: 0 };
            match search.beside(&words, costliest) {
                Some(left) => words = left,
                None => {
                    lost = lost.saturating_add(costliest.0);
                    edit(stakes, costliest.1, |it| it.yields |= marks);
                }
            }
        }
        let mut search =
            Search { machine: self, of: way.of, class, stakes, first, least: most, leave: 0 };
        search.look(&words, tenants.all(), lost, 0);
        let (least, leave) = (search.least, search.leave);
        for (at, &(_, stake)) in tenants.all().iter().rev().enumerate() {
            let leaves = leave.wrapping_shr(at as u32) & 1 == 1;
            edit(stakes, stake, |it| it.yields |= marks && leaves);
        }
        (least < most).then_some((least, exact))
    }

    /// Chooses the nodes that cost least, and marks who leaves them; these nodes stand in front of `prices` then. What that
    /// costs in all, and whether nothing costs less.
    fn price(
        &self,
        map: &[u32],
        way: Way<'_, '_>,
        (stakes, alone): (&mut [Stake<NodePlace<W>>], usize),
        prices: &mut [Price],
    ) -> Option<(u64, bool)> {
        stakes.iter_mut().for_each(|it| it.yields = false);
        let (mut count, mut exact) = (0usize, alone == stakes.len());
        for (node, &class) in (0..).zip(self.class_of) {
            if !way.of.allows(node, class) {
                continue;
            }
            let found = self.room_on(map, node, (way, Aim::Any), (stakes, alone));
            let Some((cost, is_exact)) = found else { continue };
            exact &= is_exact;
            put(prices, count, [cost, node.into()]);
            count = count.wrapping_add(1);
        }
        let prices = prices.get_mut(..count)?;
        sort(prices);
        let wanted = way.of.least as usize;
        // No node costs more than by the first way, so what costs more than this is none of those that cost least.
        let [bound, _] = *prices.get(wanted.wrapping_sub(1))?;
        for [cost, node] in prices.iter_mut() {
            let aim = Aim::Below(bound.saturating_add(1).min(*cost));
            let found = self.room_on(map, *node as u32, (way, aim), (stakes, alone));
            *cost = found.map_or(*cost, |it| it.0);
        }
        sort(prices);
        for &[cost, node] in prices.iter().take(wanted) {
            self.room_on(map, node as u32, (way, Aim::Leave(cost)), (stakes, alone));
        }
        Some((lost(stakes), exact))
    }

    /// Whether a request fits beside all who stay: on those of its nodes that a place has, and with what nodes have in common.
    fn fits_beside(
        &self,
        map: &[u32],
        of: &NodeRequest<'_>,
        nodes: &[Price],
        stakes: &[Stake<NodePlace<W>>],
        place: &NodePlace<W>,
    ) -> bool {
        let has = |it: &NodePlace<W>, node| bit(it.set(), 0, node);
        let mut touched = nodes.iter().map(|it| it[1] as u32).filter(|&node| has(place, node));
        touched.all(|node| {
            let Some(row) = self.row(map, node) else { return false };
            let mut words = row.words();
            let words = words.get_mut(..self.width()).unwrap_or_default();
            let stay = stakes.iter().filter(|it| !it.yields && has(&it.place, node));
            stay.for_each(|it| self.take_place(words, &it.place));
            let class = self.class_of.get(node as usize).copied().unwrap_or(0);
            self.fits_on(&Row::of(words, self.quantities), class, of)
        }) && self.leaves_common(map, of, stakes)
    }

    /// Whether those who stay leave what a request wants of what nodes have in common.
    fn leaves_common(
        &self,
        map: &[u32],
        of: &NodeRequest<'_>,
        stakes: &[Stake<NodePlace<W>>],
    ) -> bool {
        let mut wanted = self.common_of(map).iter().zip(of.common.all()).enumerate();
        wanted.all(|(at, (free, own))| {
            let stay = stakes.iter().filter(|it| !it.yields);
            let held = stay.fold(0, |sum: u32, it| sum.saturating_add(it.place.common.get(at)));
            *own == 0 || free.saturating_sub(held) >= *own
        })
    }

    /// The cheapest leave, too, until there is enough in common; then the costliest stay after all who need not leave.
    fn give_back(
        &self,
        map: &[u32],
        of: &NodeRequest<'_>,
        nodes: &[Price],
        stakes: &mut [Stake<NodePlace<W>>],
    ) {
        let key = |it: &Stake<NodePlace<W>>| (it.cost, it.of);
        sort_backwards(stakes, |one, other| key(one) > key(other));
        for at in 0..stakes.len() as u32 {
            if self.leaves_common(map, of, stakes) {
                break;
            }
            edit(stakes, at, |it| it.yields |= it.place.common.used() > 0);
        }
        for at in (0..stakes.len() as u32).rev() {
            let Some(it) = stakes.get(at as usize).copied().filter(|it| it.yields) else {
                continue;
            };
            edit(stakes, at, |it| it.yields = false);
            let fits = self.fits_beside(map, of, nodes, stakes, &it.place);
            edit(stakes, at, |it| it.yields = !fits);
        }
    }
}

/// The first node of a stake.
fn first_node<const W: usize>(it: &Stake<NodePlace<W>>) -> u32 {
    let mut words = (0u32..).zip(it.place.set());
    let first = words.find(|(_, word)| **word != 0);
    first.map_or(u32::MAX, |(at, word)| at << WORD_LOG2 | word.trailing_zeros())
}

/// Sorts stakes: those on a single node by nodes, the costliest of each first, and then the others; how many have a single one.
fn arrange<const W: usize>(stakes: &mut [Stake<NodePlace<W>>]) -> usize {
    let several = |it: &Stake<NodePlace<W>>| members(it.place.set().iter().copied()) > 1;
    let key = |it: &Stake<NodePlace<W>>| (several(it), first_node(it), !it.cost, it.of);
    sort_backwards(stakes, |one, other| key(one) > key(other));
    stakes.partition_point(|it| !several(it))
}

/// The cheapest first; of equals the first node.
fn sort(prices: &mut [Price]) {
    let key = |&[cost, node]: &Price| (cost, node);
    sort_backwards(prices, |one, other| key(one) > key(other));
}

/// What all cost who leave.
fn lost<P>(stakes: &[Stake<P>]) -> u64 {
    let leaving = stakes.iter().filter(|it| it.yields).map(|it| it.cost.max(1));
    leaving.fold(0, u64::saturating_add)
}

impl<const W: usize> MakeRoom for Nodes<'_, W> {
    fn sums(&self) -> usize {
        self.class_of.len().wrapping_mul(2)
    }

    /// [`Cost::least`] is true where all stakes have one node each, at most 20 of them the same one, and nobody has to leave
    /// for what nodes have in common. For the nodes of a request beyond the least number nobody leaves.
    fn choose(
        &self,
        map: &[u32],
        of: &NodeRequest<'_>,
        stakes: &mut [Stake<NodePlace<W>>],
        sums: &mut [u64],
    ) -> Option<Cost> {
        if !self.has_common(map, &of.common) {
            return None;
        }
        let alone = arrange(stakes);
        let ways = if alone < stakes.len() { &[false, true][..] } else { &[false] };
        let (prices, _) = sums.as_chunks_mut::<2>();
        let (mut best, mut least): (Option<(u64, NodeRequest<'_>, bool)>, _) = (None, true);
        for of in of.shapes(1..=self.nodes()) {
            for &shared in ways {
                let way = Way { of: &of, shared };
                let Some((sum, exact)) = self.price(map, way, (stakes, alone), prices) else {
                    break;
                };
                least &= exact;
                if best.is_none_or(|it| sum < it.0) {
                    best = Some((sum, of, shared));
                }
            }
        }
        let (sum, of, shared) = best?;
        self.price(map, Way { of: &of, shared }, (stakes, alone), prices)?;
        if least && self.leaves_common(map, &of, stakes) {
            return Some(Cost { sum, least });
        }
        let nodes = prices.get(..of.least as usize).unwrap_or_default();
        self.give_back(map, &of, nodes, stakes);
        Some(Cost { sum: lost(stakes), least: false })
    }
}

//! Who gives up places at the least cost, by trying everything.

use super::{Naive, PlaceOf, RequestOf};

/// A holder: his nodes, and what it costs that he gives them up.
pub type Holder = (u64, u64);

/// The least cost at which one of these sets of nodes is free, by trying every set of holders.
pub fn least(choices: &[u64], free: u64, holders: &[Holder]) -> Option<u64> {
    let mut best = None;
    for yields in 0u32..1 << holders.len() {
        let those = || holders.iter().enumerate().filter(|(at, _)| yields >> at & 1 == 1);
        let cost = those().map(|(_, it)| it.1).sum();
        if best.is_some_and(|best| cost >= best) {
            continue;
        }
        let free = those().fold(free, |free, (_, it)| free | it.0);
        if choices.iter().any(|goal| goal & !free == 0) {
            best = Some(cost);
        }
    }
    best
}

/// The holders of whom one of these sets has a node.
pub fn in_the_way(goal: u64, holders: &[Holder]) -> Vec<bool> {
    holders.iter().map(|it| it.0 & goal != 0).collect()
}

/// All places of a machine, with their nodes, each once.
pub fn places<N: Naive>(naive: &N) -> Vec<(PlaceOf<N>, u64)> {
    let all = |of: RequestOf<N>| {
        let choices = naive.choices(&of).into_iter();
        choices.map(move |set| (naive.find(set, &of).expect("it is free"), set))
    };
    let mut places: Vec<_> = naive.requests().into_iter().flat_map(all).collect();
    places.sort_by_key(|(_, set)| *set);
    places.dedup_by_key(|(_, set)| *set);
    places
}

/// All ways in which such sets of nodes can be held at once: the numbers of the sets.
pub fn occupancies(nodes: u32, sets: &[u64]) -> Vec<Vec<usize>> {
    let mut done = vec![(vec![], 0)];
    for node in 0..nodes {
        let with = |(held, taken): &(Vec<usize>, u64)| {
            let begin =
                |(_, set): &(usize, &u64)| set.trailing_zeros() == node && *set & taken == 0;
            let more = sets.iter().enumerate().filter(begin);
            more.map(|(at, set)| ([&held[..], &[at]].concat(), taken | set)).collect::<Vec<_>>()
        };
        let grown: Vec<_> = done.iter().flat_map(with).collect();
        done.extend(grown);
    }
    done.into_iter().map(|(held, _)| held).collect()
}

/// The least cost of so many nodes, of holders with (nodes, cost): by a table of what just so many cost.
pub fn least_sum(need: usize, holders: &[(usize, u64)]) -> Option<u64> {
    let all: usize = holders.iter().map(|(nodes, _)| nodes).sum();
    let mut costs = vec![None; all.max(need) + 1];
    costs[0] = Some(0);
    for &(nodes, cost) in holders {
        for to in (nodes..costs.len()).rev() {
            let with = costs[to - nodes].map(|it| it + cost);
            costs[to] = [costs[to], with].into_iter().flatten().min();
        }
    }
    costs[need..].iter().flatten().min().copied()
}

/// Who has which node of a large machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Node {
    /// Nobody.
    Free,
    /// Somebody who must not be touched.
    Kept,
    /// A holder.
    Of(usize),
}

/// The least cost of one of these goals, each the numbers of its nodes, and the number of the first such goal.
pub fn cheapest<G: IntoIterator<Item = usize>>(
    goals: impl Iterator<Item = G>,
    nodes: &[Node],
    costs: &[u64],
) -> Option<(u64, usize)> {
    let mut seen = vec![usize::MAX; costs.len()];
    let cost = |(number, goal): (usize, G)| {
        let mut sum = 0;
        for node in goal {
            match nodes[node] {
                Node::Kept => return None,
                Node::Of(holder) if seen[holder] != number => {
                    seen[holder] = number;
                    sum += costs[holder];
                }
                _ => {}
            }
        }
        Some((sum, number))
    };
    goals.enumerate().filter_map(cost).min()
}

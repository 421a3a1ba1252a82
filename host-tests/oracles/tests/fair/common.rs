//! What the tests of fair shares have in common.

use locox::fair::{Capacity, Contender, Decision, Demand, Fairness, Round};

/// A whole round in a scratch buffer of `room` contenders.
pub(crate) fn round_in<F: Fairness>(
    fair: &mut F,
    demand: &[Demand],
    free: u32,
    draw: u32,
    room: usize,
) -> Vec<Decision> {
    let held: u32 = demand.iter().map(|one| u32::from(one.holds)).sum();
    let capacity = Capacity { nodes: held + free, free };
    let mut scratch = vec![Contender::EMPTY; room];
    let mut round = Round::new(fair, demand, capacity, draw, &mut scratch).unwrap();
    std::iter::from_fn(|| round.next(fair, demand)).collect()
}

/// Who yields, if anybody, and who gets.
pub(crate) fn stations(decisions: &[Decision]) -> Vec<(Option<u32>, u32)> {
    decisions
        .iter()
        .map(|decision| match *decision {
            Decision::Grant { to, .. } => (None, to.0),
            Decision::Preempt { from, to, .. } => (Some(from.0), to.0),
        })
        .collect()
}

//! Who gives up a lease so that a wish fits, by trying every set of holders.

use crate::machine::nodes::{Cluster, Holder, Rule, Wish, map, place, request};
use crate::mismatch::equal;
use locox::bits::Word;
use locox::machine::{Machine, MakeRoom, Stake};
use locox::nodes::Nodes;

/// The least cost at which a wish fits beside those who stay, by trying every set of them.
pub fn least_room(
    cluster: &Cluster,
    wish: &Wish,
    kept: &[Holder],
    holders: &[(Holder, u64)],
) -> Option<u64> {
    let mut best = None;
    for yields in 0u32..1 << holders.len() {
        let of =
            |leave: bool| (0..holders.len()).filter(move |at| (yields >> at & 1 == 1) == leave);
        let cost = of(true).map(|at| holders[at].1).sum();
        if best.is_some_and(|best| cost >= best) {
            continue;
        }
        let mut stay = kept.to_vec();
        stay.extend(of(false).map(|at| holders[at].0.clone()));
        if cluster.find(wish, &Rule::First, &[stay]).is_some() {
            best = Some(cost);
        }
    }
    best
}

/// Compares who makes room with that.
///
/// # Errors
///
/// What differs.
pub fn room(
    (cluster, machine): (&Cluster, &Nodes<'static, 1>),
    (wish, set): (&Wish, &'static [Word]),
    kept: &[Holder],
    holders: &[(Holder, u64)],
) -> Result<(), String> {
    let least = least_room(cluster, wish, kept, holders);
    let mut map = map(machine, kept);
    let mut stakes: Vec<_> =
        (0..).zip(holders).map(|(at, (own, cost))| Stake::new(place(own), at, *cost)).collect();
    let (mut room, mut sums) = (vec![0; machine.words().room], vec![u64::MAX; machine.sums()]);
    let made = machine.make_room(&mut map, &request(wish, set), &mut stakes, &mut room, &mut sums);
    equal("whether there is room", made.is_some(), least.is_some())?;
    let Some(((place, cost), least)) = made.zip(least) else { return Ok(()) };
    let sum = stakes.iter().filter(|it| it.yields).map(|it| it.cost).sum::<u64>();
    equal("cost of those who leave", cost.sum, sum)?;
    equal("whether it costs less than the least", cost.sum < least, false)?;
    equal("whether its place is free", machine.has(&map, &place), true)?;
    if cost.least { equal("least cost", cost.sum, least) } else { Ok(()) }
}

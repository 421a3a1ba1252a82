//! Every ranking in step with a naive model that follows the printed tables with bags and sorts.

use crate::common::{round_in, stations};
use locox::fair::{
    Amount, Condor, Constant, Contender, Decision, Demand, Fairness, IndexFunctions, Line, Linear,
    Random, Round, RoundRobin, Saturating, ScheduleIndex, StationId, UpDown,
};
use proptest::prelude::*;
use proptest::test_runner::{Config, RngSeed};

/// The tables of 1987 over plain integers: S1 a bag, S2 a set, each sorted anew at every step.
struct Model {
    index: Vec<i64>,
}

impl Model {
    fn update<P: IndexFunctions>(&mut self, demand: &[Demand], functions: &P) {
        for (index, one) in self.index.iter_mut().zip(demand) {
            let si = ScheduleIndex::from_bits(*index as i32);
            let moved = if one.holds > 0 {
                *index + i64::from(one.holds) * i64::from(functions.f(si).bits())
            } else if one.wants > 0 {
                *index - i64::from(functions.g(si).bits())
            } else if *index > 0 {
                (*index - i64::from(functions.h(si).bits())).max(0)
            } else if *index < 0 {
                (*index + i64::from(functions.l(si).bits())).min(0)
            } else {
                0
            };
            *index = moved.clamp(i64::from(i32::MIN), i64::from(i32::MAX));
        }
    }

    fn allocate(&self, demand: &[Demand], mut free: u32) -> Vec<(Option<u32>, u32)> {
        let by_index = |&station: &usize| (self.index[station], station);
        let mut s1: Vec<usize> = (0..demand.len())
            .flat_map(|station| vec![station; demand[station].holds.into()])
            .collect();
        let mut s2: Vec<usize> = (0..demand.len()).filter(|&s| demand[s].wants > 0).collect();
        let mut list = Vec::new();
        while free > 0 && !s2.is_empty() {
            s2.sort_by_key(by_index);
            list.push((None, s2.remove(0) as u32));
            free -= 1;
        }
        s2.retain(|&station| demand[station].holds == 0);
        while !s2.is_empty() && !s1.is_empty() {
            s2.sort_by_key(by_index);
            s1.sort_by_key(|&station| (-self.index[station], station));
            let (s, t) = (s2.remove(0), s1.remove(0));
            if self.index[s] >= self.index[t] {
                break;
            }
            list.push((Some(t as u32), s as u32));
        }
        list
    }
}

/// The demand of some stations and the free nodes, at each of some intervals.
fn history() -> impl Strategy<Value = Vec<(Vec<Demand>, u32)>> {
    let wants = prop_oneof![3 => Just(0u16), 4 => 1..4u16, 1 => Just(u16::MAX)];
    let holds = prop_oneof![4 => Just(0u16), 4 => 1..5u16, 1 => 5..60u16];
    let one = (wants, holds).prop_map(|(wants, holds)| Demand { wants, holds });
    (1usize..40).prop_flat_map(move |stations| {
        let all = prop::collection::vec(one.clone(), stations);
        let free = prop_oneof![2 => Just(0u32), 3 => 1..5u32, 1 => 5..50u32];
        prop::collection::vec((all, free), 1..12)
    })
}

fn amount() -> impl Strategy<Value = Amount> {
    let bits = prop_oneof![1 => Just(0), 6 => 1..5_000u32, 1 => any::<u32>()];
    bits.prop_map(Amount::from_bits)
}

fn line() -> impl Strategy<Value = Line> {
    (amount(), 0..600u32)
        .prop_map(|(offset, slope)| Line { offset, slope: Amount::from_bits(slope) })
}

fn in_step<P: IndexFunctions + Copy>(
    history: &[(Vec<Demand>, u32)],
    functions: P,
    room: usize,
) -> Result<(), TestCaseError> {
    let stations_in_all = history[0].0.len();
    let mut model = Model { index: vec![0; stations_in_all] };
    let mut fair = UpDown::new(vec![ScheduleIndex::ZERO; stations_in_all], functions);
    for (demand, free) in history {
        model.update(demand, &functions);
        fair.update(demand).unwrap();
        let indices: Vec<i64> = fair.indices().iter().map(|index| index.bits().into()).collect();
        prop_assert_eq!(&indices, &model.index);
        let list = round_in(&mut fair, demand, *free, 0, room);
        prop_assert_eq!(stations(&list), model.allocate(demand, *free));
    }
    Ok(())
}

fn cases(seed: u64) -> Config {
    Config { rng_seed: RngSeed::Fixed(seed), failure_persistence: None, ..Config::with_cases(400) }
}

proptest! {
    #![proptest_config(cases(1987))]

    #[test]
    fn up_down_agrees_with_the_printed_tables_under_condors_functions(
        history in history(), step in 1..3000u32, room in 4..80usize,
    ) {
        in_step(&history, Condor::new(Amount::from_bits(step)).unwrap(), room)?;
    }

    #[test]
    fn up_down_agrees_with_the_printed_tables_under_any_constants(
        history in history(), f in amount(), g in amount(), h in amount(), l in amount(),
    ) {
        in_step(&history, Constant { f, g, h, l }, 16)?;
    }

    #[test]
    fn up_down_agrees_with_the_printed_tables_under_any_lines(
        history in history(), f in line(), g in line(), h in line(), l in line(),
    ) {
        in_step(&history, Linear { f, g, h, l }, 16)?;
    }

    #[test]
    fn up_down_agrees_with_the_printed_tables_under_bounded_functions(
        history in history(), step in 1..3000u32, limit in 1..50_000u32,
    ) {
        let (step, limit) = (Amount::from_bits(step), Amount::from_bits(limit));
        in_step(&history, Saturating::new(step, limit).unwrap(), 16)?;
    }

    #[test]
    fn round_robin_agrees_with_walking_round_the_table(
        history in history(), start in 0..40u32, room in 4..80usize,
    ) {
        let mut fair = RoundRobin::starting_at(StationId(start));
        let mut turn = start as usize;
        for (demand, free) in &history {
            let count = demand.len();
            // A turn beyond the last station is the first one's.
            let from = if turn < count { turn } else { 0 };
            let expected: Vec<(Option<u32>, u32)> = (from..count).chain(0..from)
                .filter(|&station| demand[station].wants > 0)
                .take(*free as usize)
                .map(|station| (None, station as u32))
                .collect();
            if let Some((_, last)) = expected.last() {
                turn = *last as usize + 1;
            }
            prop_assert_eq!(stations(&round_in(&mut fair, demand, *free, 0, room)), expected);
        }
    }

    #[test]
    fn random_serves_different_wanting_stations_as_long_as_nodes_are_free(
        history in history(), draw in any::<u32>(), room in 4..80usize,
    ) {
        for (demand, free) in &history {
            let list = stations(&round_in(&mut Random::new(), demand, *free, draw, room));
            let wanting = demand.iter().filter(|one| one.wants > 0).count();
            prop_assert_eq!(list.len(), wanting.min(*free as usize));
            let mut served: Vec<u32> = list.iter().map(|(_, to)| *to).collect();
            served.sort_unstable();
            served.dedup();
            prop_assert_eq!(served.len(), list.len());
            prop_assert!(served.iter().all(|&station| demand[station as usize].wants > 0));
        }
    }

    /// What [`Round::next`] promises: carrying decisions out while the round goes on changes
    /// nothing in what follows.
    #[test]
    fn decisions_may_be_carried_out_during_the_round(
        history in history(), room in 4..20usize,
    ) {
        let (demand, free) = &history[0];
        let before: Vec<Vec<Demand>> = history.iter().map(|(demand, _)| demand.clone()).collect();
        let mut fair = UpDown::new(vec![ScheduleIndex::ZERO; demand.len()], Condor::default());
        before.iter().for_each(|demand| fair.update(demand).unwrap());
        let expected = round_in(&mut fair, demand, *free, 0, 64);
        let held: u32 = demand.iter().map(|one| u32::from(one.holds)).sum();
        let capacity = locox::fair::Capacity { nodes: held + free, free: *free };
        let mut scratch = vec![Contender::EMPTY; room];
        let mut round = Round::new(&mut fair, demand, capacity, 0, &mut scratch).unwrap();
        let mut live = demand.clone();
        let mut list = Vec::new();
        while let Some(decision) = round.next(&mut fair, &live) {
            carry_out(&mut live, decision);
            list.push(decision);
        }
        prop_assert_eq!(list, expected);
    }
}

fn carry_out(demand: &mut [Demand], decision: Decision) {
    let to = match decision {
        Decision::Grant { to, .. } => to,
        Decision::Preempt { from, to, .. } => {
            let yielding = &mut demand[from.0 as usize];
            yielding.holds -= 1;
            yielding.wants = yielding.wants.saturating_add(1);
            to
        }
    };
    let getting = &mut demand[to.0 as usize];
    getting.holds += 1;
    getting.wants -= 1;
}

proptest! {
    #![proptest_config(cases(1990))]

    #[test]
    fn the_list_is_the_same_in_any_storage(history in history(), draw in any::<u32>()) {
        const MOST: usize = 40;
        let mut array = [ScheduleIndex::ZERO; MOST];
        let mut borrowed = array;
        let mut in_array = UpDown::new(array, Condor::default());
        let mut in_box = UpDown::new(vec![ScheduleIndex::ZERO; MOST].into_boxed_slice(),
                                     Condor::default());
        let mut in_slice = UpDown::new(&mut borrowed[..], Condor::default());
        for (demand, free) in &history {
            let mut demand = demand.clone();
            demand.resize(MOST, Demand::default());
            in_array.update(&demand).unwrap();
            in_box.update(&demand).unwrap();
            in_slice.update(&demand).unwrap();
            let list = round_in(&mut in_array, &demand, *free, draw, 64);
            prop_assert_eq!(&list, &round_in(&mut in_box, &demand, *free, draw, 5));
            prop_assert_eq!(&list, &round_in(&mut in_slice, &demand, *free, draw, 4));
        }
        array.copy_from_slice(in_array.indices());
        prop_assert_eq!(&array[..], in_box.indices());
        prop_assert_eq!(&array[..], in_slice.indices());
    }
}

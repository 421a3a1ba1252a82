//! Plan for plan.

use super::cases::{CHROMOSOMES, by_kernel, cases};
use locox::mapping::{
    Best, BestAssignment, Duplex, Genetic, Mapper, MaxMin, MinMin, Olb, Pjs, Sufferage,
};
use locox_oracles::mapping::{Case, Heuristic, Reading, check, map};
use proptest::prelude::*;

fn pairs() -> Vec<(Box<dyn Mapper>, Heuristic)> {
    let mut pairs: Vec<(Box<dyn Mapper>, Heuristic)> =
        vec![(Box::new(Olb), Heuristic::Olb), (Box::new(Sufferage), Heuristic::Sufferage)];
    for (best, reading) in
        [(Best::Completion, Reading::Completion), (Best::Execution, Reading::Execution)]
    {
        pairs.push((Box::new(BestAssignment { best }), Heuristic::BestAssignment(reading)));
        pairs.push((Box::new(MinMin { best }), Heuristic::MinMin(reading)));
        pairs.push((Box::new(MaxMin { best }), Heuristic::MaxMin(reading)));
        pairs.push((Box::new(Duplex { best }), Heuristic::Duplex(reading)));
        pairs.push((Box::new(Pjs { best }), Heuristic::Pjs(reading)));
        let genetic = Genetic { best, seed: 0xC0_FFEE, generations: 3 };
        pairs.push((
            Box::new(genetic),
            Heuristic::Genetic(reading, genetic.seed, CHROMOSOMES, genetic.generations as usize),
        ));
    }
    pairs
}

fn agree(case: &Case, levels: Option<&[u8]>) -> Result<(), TestCaseError> {
    pairs().iter().try_for_each(|(mapper, heuristic)| agree_on(case, &**mapper, *heuristic, levels))
}

fn agree_on(
    case: &Case,
    mapper: &dyn Mapper,
    heuristic: Heuristic,
    levels: Option<&[u8]>,
) -> Result<(), TestCaseError> {
    let mut expected = Some(vec![None; case.times.len()]);
    let all: Vec<usize> = (0..case.times.len()).collect();
    let of =
        |level| all.iter().copied().filter(move |&job| levels.is_none_or(|of| of[job] == level));
    for level in 0..=levels.and_then(|of| of.iter().max().copied()).unwrap_or(0) {
        let chosen: Vec<usize> = of(level).collect();
        expected = expected.and_then(|places| map(case, heuristic, &places, &chosen));
    }
    let found = by_kernel(case, mapper, levels).map(|(places, _)| places);
    prop_assert_eq!(&found, &expected, "{}", mapper.name());
    if let Some(places) = found {
        prop_assert_eq!(check(case, &places), Ok(()), "{}", mapper.name());
    }
    Ok(())
}

/// The same, with all of it so many times as long.
fn stretched(case: Case, by: u64) -> Case {
    let longer = |ticks: Option<u64>| ticks.map(|ticks| ticks * by);
    Case {
        now: case.now * by,
        machines: case.machines.into_iter().map(longer).collect(),
        times: case.times.into_iter().map(|row| row.into_iter().map(longer).collect()).collect(),
        ..case
    }
}

/// The same, so much later.
fn delayed(case: Case, by: u64) -> Case {
    let machines = case.machines.into_iter().map(|free| free.map(|free| free + by)).collect();
    Case { now: case.now + by, machines, ..case }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4_000))]

    #[test]
    fn small_sites_with_many_ties(case in cases(6, 4, 4)) {
        agree(&case, None)?;
    }

    #[test]
    fn sites_of_all_kinds(case in cases(14, 6, 60)) {
        agree(&case, None)?;
    }

    #[test]
    fn times_beyond_32_bits(case in cases(8, 4, 12)) {
        agree(&stretched(case, 1 << 40), None)?;
    }

    /// By completion: by execution the best machine stays the best, even if a job does not end there.
    #[test]
    fn the_end_of_the_clock(case in cases(8, 4, 12), left in 60..130_u64) {
        use Heuristic::{BestAssignment as Mct, Duplex as Sjs, MaxMin as Last, MinMin as First};
        let case = delayed(case, u64::MAX - left);
        let by = Reading::Completion;
        agree_on(&case, &Olb, Heuristic::Olb, None)?;
        agree_on(&case, &Sufferage, Heuristic::Sufferage, None)?;
        agree_on(&case, &BestAssignment::default(), Mct(by), None)?;
        agree_on(&case, &MinMin::default(), First(by), None)?;
        agree_on(&case, &MaxMin::default(), Last(by), None)?;
        agree_on(&case, &Duplex::default(), Sjs(by), None)?;
        agree_on(&case, &Pjs::default(), Heuristic::Pjs(by), None)?;
    }

    #[test]
    fn jobs_of_a_few_classes(
        (case, classes) in cases(3, 6, 12).prop_flat_map(|case| {
            let most = case.times.len().max(1);
            let classes = prop::collection::vec(0..most, 0..12_usize);
            (Just(case), classes)
        }),
    ) {
        let rows = case.times.iter().cycle();
        let times = classes.iter().filter_map(|&class| rows.clone().nth(class).cloned());
        agree(&Case { times: times.collect(), ..case.clone() }, None)?;
    }

    #[test]
    fn one_level_after_the_other(
        (case, levels) in cases(10, 5, 30).prop_flat_map(|case| {
            let levels = prop::collection::vec(0..3_u8, case.times.len());
            (Just(case), levels)
        }),
    ) {
        agree(&case, Some(&levels))?;
    }
}

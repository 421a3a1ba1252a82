//! What must hold between merits, and that the check of schedules finds what is wrong.

use super::cases::{by_kernel, cases, with_problem};
use locox::mapping::{
    Best, Duplex, Genetic, Mapper, MaxMin, MinMin, Olb, Pjs, Sufferage, bound_workspace,
    lower_bound,
};
use locox::time::Instant;
use locox_oracles::mapping::{Case, Fault, Place, check};
use proptest::prelude::*;

fn bound(case: &Case) -> u64 {
    with_problem(case, |problem| {
        // What is in storage does not matter.
        let room = bound_workspace(case.times.len(), case.machines.len());
        lower_bound(problem, &mut vec![Instant::from_ticks(3); room]).unwrap().ticks()
    })
}

/// Tick by tick until the machines, as they are free, have done the work of the least jobs.
fn naive_bound(case: &Case) -> u64 {
    let free = |at: usize| case.machines[at].map(|from| from.max(case.now));
    let mut alone = vec![];
    for row in &case.times {
        let options = row.iter().enumerate().filter(|(at, _)| case.can_take(*at));
        let options = options.filter_map(|(at, time)| {
            let members = case.occupied_by(at);
            let from = members.iter().filter_map(|&at| free(at)).max()?;
            Some((from + (*time)?, (*time)? * members.len() as u64))
        });
        let options: Vec<_> = options.collect();
        let least = |of: fn(&(u64, u64)) -> u64| options.iter().map(of).min();
        alone.extend(least(|it| it.0).zip(least(|it| it.1)));
    }
    let (mut ends, mut works): (Vec<u64>, Vec<u64>) = alone.into_iter().unzip();
    ends.sort_unstable();
    works.sort_unstable();
    let (mut work, mut done_by, mut sum) = (0, case.now, 0);
    for (end, more) in ends.into_iter().zip(works) {
        work += more;
        let done = |by: u64| -> u64 {
            (0..case.machines.len()).filter_map(free).map(|from| by.saturating_sub(from)).sum()
        };
        while done(done_by) < work {
            done_by += 1;
        }
        sum += end.max(done_by) - case.now;
    }
    sum
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4_000))]

    #[test]
    fn sjs_is_the_better_of_two_and_pjs_is_never_worse(case in cases(14, 6, 60)) {
        for best in [Best::Completion, Best::Execution] {
            let merit = |mapper: &dyn Mapper| by_kernel(&case, mapper, None).map(|(_, merit)| merit);
            let sjs = merit(&Duplex { best });
            prop_assert_eq!(sjs, merit(&MinMin { best }).min(merit(&MaxMin { best })));
            let pjs = merit(&Pjs { best });
            prop_assert!(pjs <= sjs, "{pjs:?} > {sjs:?}");
            let genetic = merit(&Genetic { best, seed: 3, generations: 9 });
            prop_assert!(genetic <= pjs, "{genetic:?} > {pjs:?}");
        }
    }

    #[test]
    fn the_bound_is_what_each_alone_and_all_together_need(case in cases(10, 5, 40)) {
        prop_assert_eq!(bound(&case), naive_bound(&case));
    }

    #[test]
    fn no_plan_is_below_the_bound(case in cases(10, 5, 40)) {
        let bound = bound(&case);
        let genetic = Genetic { generations: 9, ..Genetic::default() };
        let mappers: [&dyn Mapper; 4] = [&Olb, &Duplex::default(), &genetic, &Sufferage];
        for mapper in mappers {
            if let Some((_, merit)) = by_kernel(&case, mapper, None) {
                prop_assert!(merit >= bound, "{}: {merit} < {bound}", mapper.name());
            }
        }
    }
}

/// One machine: the shortest job first is the best there is, and the bound is met.
#[test]
fn the_bound_is_tight_where_the_best_is_known() {
    let times = [5, 1, 4, 2].map(|time| vec![Some(time)]).to_vec();
    let case = Case { now: 10, machines: vec![Some(12)], clusters: vec![], times };
    let merit = by_kernel(&case, &MinMin::default(), None).unwrap().1;
    assert_eq!((merit, bound(&case)), (3 + 5 + 9 + 14, 3 + 5 + 9 + 14));
}

#[test]
fn the_check_of_schedules_finds_each_fault() {
    let group = |members: &[u32]| locox_oracles::mapping::Group {
        members: members.to_vec(),
        least: members.len(),
        is_up: true,
    };
    let times = vec![vec![Some(4), Some(6), Some(3)]; 2];
    let case = Case { now: 0, machines: vec![Some(2), None], clusters: vec![group(&[0])], times };
    let case = Case { machines: vec![Some(2), Some(0)], clusters: vec![group(&[0, 1])], ..case };
    let place = |resource, start, end| Some(Place { resource, start, end });
    let of = |first, second| check(&case, &[first, second]);
    assert_eq!(of(place(2, 2, 5), place(1, 5, 11)), Ok(()));
    assert_eq!(of(place(2, 2, 5), None), Err(Fault::NoPlace(1)));
    assert_eq!(of(place(2, 2, 6), None), Err(Fault::CannotRun(0)));
    assert_eq!(of(place(2, 1, 4), None), Err(Fault::TooEarly(0)));
    // Through the cluster.
    assert_eq!(of(place(2, 2, 5), place(1, 4, 10)), Err(Fault::Twice(0, 1, 1)));
}

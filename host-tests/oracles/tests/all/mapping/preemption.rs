//! Preemption against its naive model.

use super::cases::{cases, with_problem, with_room};
use locox::mapping::{Duplex, Mapper, Olb, Pjs, Preemption, RunningJob};
use locox::time::{Duration, Instant};
use locox_oracles::mapping::{Case, Group, Heuristic, Place, Reading, Rule, Runs, check, preempt};
use proptest::prelude::*;

type Outcome = Option<(Vec<Option<Place>>, Vec<bool>)>;

fn by_kernel(
    case: &Case,
    mapper: &dyn Mapper,
    levels: &[u8],
    running: &[Runs],
    rule: &Rule,
) -> Outcome {
    let new = |one: &Runs| {
        RunningJob::new(one.job, one.resource, Instant::from_ticks(one.until), one.preemptions)
    };
    let mut running: Vec<RunningJob> = running.iter().map(new).collect();
    let Rule { takers, losers, most, gain } = *rule;
    let preemption = Preemption { takers, losers, most, gain: gain.map(Duration::from_ticks) };
    with_problem(case, |problem| {
        let (places, _) = with_room(case, |plan, room| {
            preemption.map(mapper, problem, levels, &mut running, plan, room)
        })?;
        Some((places, running.iter().map(RunningJob::loses).collect()))
    })
}

fn rules() -> impl Strategy<Value = Rule> {
    let most = prop_oneof![Just(None), (0..4_u32).prop_map(Some)];
    let gain = prop_oneof![Just(None), (0..15_u64).prop_map(Some)];
    (0..2_u8, 0..2_u8, most, gain).prop_map(|(takers, more, most, gain)| Rule {
        takers,
        losers: takers + 1 + more,
        most,
        gain,
    })
}

/// Jobs that run, no two of them on one machine; where each is wished to be, and how long.
fn running(case: &Case, wishes: &[(usize, u64, u32)]) -> Vec<Runs> {
    let mut taken: Vec<usize> = Vec::new();
    let mut running = Vec::new();
    let resources = case.machines.len() + case.clusters.len();
    for (job, &(wish, longer, preemptions)) in wishes.iter().enumerate().take(case.times.len()) {
        let resource = wish % resources;
        let machines = case.occupied_by(resource);
        if case.can_take(resource) && machines.iter().all(|machine| !taken.contains(machine)) {
            taken.extend(machines);
            running.push(Runs { job, resource, until: case.now + longer, preemptions });
        }
    }
    running
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(6_000))]

    #[test]
    fn who_loses_a_place_and_where_all_go(
        case in cases(10, 5, 30),
        levels in prop::collection::vec(0..4_u8, 10),
        wishes in prop::collection::vec((0..40_usize, 1..30_u64, 0..4_u32), 0..6),
        rule in rules(),
    ) {
        let levels = &levels[..case.times.len()];
        let running = running(&case, &wishes);
        let mut case = case;
        // What somebody runs on was free for him.
        for at in running.iter().flat_map(|one| case.occupied_by(one.resource)).collect::<Vec<_>>() {
            case.machines[at] = Some(0);
        }
        let pairs: [(&dyn Mapper, Heuristic); 3] = [
            (&Olb, Heuristic::Olb),
            (&Duplex::default(), Heuristic::Duplex(Reading::Completion)),
            (&Pjs::default(), Heuristic::Pjs(Reading::Completion)),
        ];
        for (mapper, heuristic) in pairs {
            let expected = preempt(&case, &|_| heuristic, levels, &running, &rule);
            let found = by_kernel(&case, mapper, levels, &running, &rule);
            prop_assert_eq!(&found, &expected, "{}", mapper.name());
            let Some((places, loses)) = found else { continue };
            // Who stays has a time of its own.
            let mut times = case.times.clone();
            for (one, _) in running.iter().zip(&loses).filter(|(_, loses)| !**loses) {
                times[one.job][one.resource] = Some(one.until - case.now);
            }
            prop_assert_eq!(check(&Case { times, ..case.clone() }, &places), Ok(()));
        }
    }
}

/// Four machines, the pairs of the first two and of the next two. One job runs on the first pair, one that cannot
/// lose its place on machine 2, one on machine 3. Of those that take, one needs the second pair, one machine 3.
#[test]
fn a_job_that_ends_when_a_taker_starts_stays() {
    let pair = |members: [u32; 2]| Group { members: members.to_vec(), least: 2, is_up: true };
    // Each job needs a machine.
    let row = |resource: usize, time: u64| {
        (0..6)
            .map(|at| if at == resource { Some(time) } else { (at == 0).then_some(100) })
            .collect()
    };
    let case = Case {
        now: 0,
        machines: vec![Some(0); 4],
        clusters: vec![pair([0, 1]), pair([1, 2])],
        times: vec![row(4, 5), row(2, 5), row(3, 9), row(5, 7), row(3, 2)],
    };
    let runs = |job, resource, until, preemptions| Runs { job, resource, until, preemptions };
    let running = [runs(0, 4, 5, 0), runs(1, 2, 5, 1), runs(2, 3, 9, 0)];
    let rule = Rule { takers: 0, losers: 1, most: Some(1), gain: None };
    let (places, loses) =
        by_kernel(&case, &Pjs::default(), &[1, 1, 1, 0, 0], &running, &rule).unwrap();
    assert_eq!(loses, [false, false, true]);
    assert_eq!(places[3], Some(Place { resource: 5, start: 5, end: 12 }));
}

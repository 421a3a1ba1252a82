//! Preemption against its naive model.

use super::cases::{cases, with_problem, with_room};
use locox::mapping::{Duplex, Mapper, Olb, Pjs, Preemption, RunningJob};
use locox::time::{Duration, Instant};
use locox_oracles::mapping::{Case, Heuristic, Place, Reading, Rule, Runs, check, preempt};
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

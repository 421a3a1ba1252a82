//! Replays in which places are promised, on machines of all kinds; the pools under them grant what was promised, or panic.

use crate::jobs::{timed, workload_of};
use locox::cube::Dim;
use locox::dispatch::Cause;
use locox::grid::Placement;
use locox::nodes::Amounts;
use locox::time::Instant;
use locox_models::machine::{
    Cluster, GridMachine, Hypercube, Machine, Nearness, NodeStrategy, Pool, StrategyKind,
    node_machine, tree_machine,
};
use locox_models::outages::Outage;
use locox_models::replay::{
    JobRecord, Options, Order, Outcome, PromiseFigures, QueueKind, ReplayError, cause_name, replay,
};
use locox_models::streams::stream;
use locox_models::workload::{Job, Workload};
use rand::RngExt;
use std::collections::HashSet;

/// Jobs of which many are small and some take half of a machine of 64 nodes; one in eight runs longer than it said, and two in three
/// want memory.
fn workload(seed: u64) -> Workload {
    let mut rng = stream(seed, "promises", 0);
    let mut submit = 0;
    let job = |id| {
        submit += rng.random_range(0..30);
        let processors = 1 << rng.random_range(0..6u32).min(rng.random_range(0..6));
        let requested = rng.random_range(1..200);
        let run = if rng.random_range(0..8) == 0 {
            requested + 20
        } else {
            rng.random_range(1..=requested)
        };
        let memory = id as u32 % 3;
        Job { memory, ..timed(id, submit, processors, [run, requested]) }
    };
    workload_of(format!("seed {seed}"), (0..400).map(job).collect())
}

fn run(
    workload: &Workload,
    machine: &mut dyn Machine,
    queue: QueueKind,
    outages: &[Outage],
) -> Outcome {
    run_in(Order::Arrival, workload, machine, queue, outages)
}

fn run_in(
    order: Order,
    workload: &Workload,
    machine: &mut dyn Machine,
    queue: QueueKind,
    outages: &[Outage],
) -> Outcome {
    let decisions = QueueKind::Easy.decisions();
    let options = Options { decisions, order, outages, points: 0, ..Options::default() };
    let mut queue = queue.queue_on(workload.jobs.len(), machine).expect("a machine with a rule");
    let outcome = replay(workload, machine, &mut *queue, &options).unwrap();
    assert_eq!(outcome.jobs.len(), workload.jobs.len());
    queue.check_invariants().unwrap();
    let without_cause = outcome.promises.map_or(0, |figures| figures.without_cause);
    assert_eq!(without_cause, 0, "{} on {}", workload.name, outcome.machine);
    outcome
}

/// Machines on whose nodes one job runs at a time.
fn of_one_job_a_node() -> Vec<Box<dyn Fn() -> Box<dyn Machine>>> {
    let mut machines: Vec<Box<dyn Fn() -> Box<dyn Machine>>> =
        vec![Box::new(|| Box::new(Pool::new(64)))];
    for kind in StrategyKind::ALL {
        machines.push(Box::new(move || Box::new(Hypercube::new(Dim::new(6).unwrap(), kind))));
    }
    for placement in Placement::ALL {
        for layout in ["torus:4x4x4", "mesh:8x8", "blocks:16x4"] {
            let of = move || GridMachine::new(layout.parse().unwrap(), placement);
            machines.push(Box::new(move || Box::new(of())));
        }
    }
    for nearness in Nearness::ALL {
        for racks in ["tree:8x8", "tree:2x4x8"] {
            machines.push(Box::new(move || tree_machine(racks.parse().unwrap(), nearness)));
        }
    }
    for shared in NodeStrategy::SHARED {
        machines.push(Box::new(move || node_machine(cluster(), shared.exclusive())));
    }
    machines
}

/// All machines.
fn machines() -> Vec<Box<dyn Fn() -> Box<dyn Machine>>> {
    let mut machines = of_one_job_a_node();
    for shared in NodeStrategy::SHARED {
        machines.push(Box::new(move || node_machine(cluster(), shared)));
    }
    machines
}

/// 16 nodes of 64 cores in all, of which some have more memory.
fn cluster() -> Cluster {
    Cluster::new(
        "two",
        &[(10, Amounts::of(&[4, 8])), (6, Amounts::of(&[4, 32]))],
        &["cores", "memory"],
    )
}

fn mean_wait(outcome: &Outcome) -> f64 {
    let waits = outcome.jobs.iter().map(|job| (job.start.ticks() - job.submit.ticks()) as f64);
    waits.sum::<f64>() / outcome.jobs.len() as f64
}

#[test]
fn with_one_promise_or_all_jobs_wait_less_than_first_come_first_served() {
    for machine in machines() {
        let (mut lower, mut cases) = (0, 0);
        for seed in 0..3 {
            let workload = workload(seed);
            let mean = |queue| mean_wait(&run(&workload, &mut *machine(), queue, &[]));
            let fcfs = mean(QueueKind::Fcfs);
            for most in [1, u32::MAX] {
                cases += 1;
                lower += u32::from(mean(QueueKind::Promises(most)) < fcfs);
            }
        }
        assert_eq!(lower, cases, "{}", machine().name());
    }
}

#[test]
fn on_a_pool_one_promise_is_easy_and_all_are_conservative() {
    for seed in 0..4 {
        let mut workload = workload(seed);
        let starts = |workload: &Workload, queue| {
            let outcome = run(workload, &mut Pool::new(64), queue, &[]);
            outcome.jobs.iter().map(|job| job.start).collect::<Vec<_>>()
        };
        let easy = starts(&workload, QueueKind::Easy);
        assert_eq!(starts(&workload, QueueKind::Promises(1)), easy, "{}", workload.name);
        // The two take jobs that run too long to end at other times.
        workload.jobs.iter_mut().for_each(|job| job.run = job.run.min(job.requested.unwrap()));
        let all = starts(&workload, QueueKind::Conservative);
        assert_eq!(starts(&workload, QueueKind::Promises(u32::MAX)), all, "{}", workload.name);
    }
}

/// Where any nodes will do it does not matter which they are, as long as no job behind the promised one has to keep its own.
#[test]
fn on_racks_that_are_only_preferred_jobs_start_as_on_a_pool() {
    for seed in 0..4 {
        let workload = workload(seed);
        let starts = |machine: &mut dyn Machine, most| {
            let outcome = run(&workload, machine, QueueKind::Promises(most), &[]);
            outcome.jobs.iter().map(|job| job.start).collect::<Vec<_>>()
        };
        for most in [0, 1] {
            let pool = starts(&mut Pool::new(64), most);
            let racks = "tree:8x8".parse().unwrap();
            let preferred = starts(&mut *tree_machine(racks, Nearness::Preferred), most);
            assert_eq!(preferred, pool, "{}, {most} promises", workload.name);
            let required = starts(&mut *tree_machine(racks, Nearness::Required), most);
            assert_ne!(required, pool, "{}, {most} promises", workload.name);
        }
    }
}

/// Of few words and of many.
#[test]
fn a_tree_of_many_nodes_plans_as_one_of_few() {
    let workload = workload(5);
    // A tree of 1,088 nodes, of which 1,024 never serve.
    let down: Vec<u32> = (64..1_088).collect();
    let out = [Outage { nodes: down, ..Outage::of(1_024, Instant::ZERO, None) }];
    for nearness in Nearness::ALL {
        let starts = |racks: &str, outages: &[Outage]| {
            let mut machine = tree_machine(racks.parse().unwrap(), nearness);
            let outcome = run(&workload, &mut *machine, QueueKind::Promises(1), outages);
            outcome.jobs.iter().map(|job| job.start).collect::<Vec<_>>()
        };
        assert_eq!(starts("tree:136x8", &out), starts("tree:8x8", &[]), "{nearness}");
    }
}

/// Of few words and of many.
#[test]
fn many_nodes_plan_as_few() {
    let workload = workload(5);
    let down: Vec<u32> = (16..1_016).collect();
    let out = [Outage { nodes: down, ..Outage::of(1_000, Instant::ZERO, None) }];
    let [few, many] = [0, 1_000].map(|more| {
        let classes = [(10, [4, 8]), (6, [4, 32]), (more, [4, 8])];
        Cluster::new(
            "nodes",
            &classes.map(|(count, has)| (count, Amounts::of(&has))),
            &["cores", "memory"],
        )
    });
    for strategy in NodeStrategy::SHARED {
        let starts = |cluster, outages: &[Outage]| {
            let mut machine = node_machine(cluster, strategy);
            let outcome = run(&workload, &mut *machine, QueueKind::Promises(1), outages);
            outcome.jobs.iter().map(|job| job.start).collect::<Vec<_>>()
        };
        assert_eq!(starts(many, &out), starts(few, &[]), "{strategy}");
    }
}

/// Outages of a few nodes, one after the other and some at the same time; which are announced, and how long before, says `ahead`.
fn outages(seed: u64, ahead: impl Fn(u64) -> Option<u64>) -> Vec<Outage> {
    let mut rng = stream(seed, "outages", 0);
    let at = Instant::from_ticks;
    let outage = |number: u64| {
        let start = number * 100;
        let end = at(start + rng.random_range(1..300));
        let nodes = (0..rng.random_range(1..4)).map(|_| rng.random_range(0..64)).collect();
        let announced = ahead(number).map(|ticks| at(start.saturating_sub(ticks)));
        Outage { nodes, announced, ..Outage::of(3, at(start), Some(end)) }
    };
    (1..40).map(outage).collect()
}

#[test]
fn nodes_that_fail_are_promised_to_nobody() {
    // None is announced, every other one, and all of them as late as may be.
    let some = |number: u64| number.is_multiple_of(2).then_some(150);
    let all: [fn(u64) -> Option<u64>; 3] = [|_| None, some, |_| Some(1)];
    for ahead in all {
        let outages = outages(1, ahead);
        for machine in machines() {
            let workload = workload(9);
            for most in [0, 1, 5, u32::MAX] {
                let outcome = run(&workload, &mut *machine(), QueueKind::Promises(most), &outages);
                assert!(outcome.jobs.iter().all(|job| job.start >= job.submit));
            }
        }
    }
}

#[test]
fn an_outage_that_was_announced_hits_nobody_who_ends_in_time() {
    let mut workload = workload(9);
    workload.jobs.iter_mut().for_each(|job| job.run = job.run.min(job.requested.unwrap()));
    let [announced, sudden] = [Some(u64::MAX), None].map(|ahead| outages(2, |_| ahead));
    for machine in machines().into_iter().skip(1) {
        let hit = |queue, outages| {
            let outcome = run(&workload, &mut *machine(), queue, outages);
            outcome.outages.unwrap().failed_runs
        };
        for queue in [0, 1, 5, u32::MAX].map(QueueKind::Promises) {
            assert_eq!(hit(queue, &announced), 0, "{queue} on {}", machine().name());
            assert!(hit(queue, &sudden) > 0, "{queue} on {}", machine().name());
        }
        // Who does not plan is hit by both alike.
        assert_eq!(hit(QueueKind::Fcfs, &announced), hit(QueueKind::Fcfs, &sudden));
    }
}

/// Jobs without an overrun.
fn punctual(seed: u64) -> Workload {
    let mut workload = workload(seed);
    workload.jobs.iter_mut().for_each(|job| job.run = job.run.min(job.requested.unwrap()));
    workload
}

#[test]
fn nobody_starts_later_than_promised_where_all_end_in_time() {
    for machine in machines() {
        for most in [1, 5, u32::MAX] {
            let queue = QueueKind::Promises(most);
            let outcome = run(&punctual(4), &mut *machine(), queue, &[]);
            let promises: Vec<_> =
                outcome.jobs.iter().filter_map(|job| Some((job.promise?, job.start))).collect();
            let jobs = promises.len() as u64;
            assert!(jobs > 5, "{most} on {}", outcome.machine);
            let figures = PromiseFigures { jobs, kept: jobs, ..PromiseFigures::default() };
            assert_eq!(outcome.promises, Some(figures), "{most} on {}", outcome.machine);
            for (promise, start) in promises {
                assert!(promise.last == start && start <= promise.first);
                assert!(promise.later.is_empty());
            }
        }
        assert_eq!(run(&punctual(4), &mut *machine(), QueueKind::Fcfs, &[]).promises, None);
    }
}

#[test]
fn a_promise_that_became_later_says_why() {
    let later = |order, workload: &Workload, outages: &[Outage]| {
        let (mut torus, queue) = (
            GridMachine::new("torus:4x4x4".parse().unwrap(), Placement::First),
            QueueKind::Promises(3),
        );
        let outcome = run_in(order, workload, &mut torus, queue, outages);
        let figures = outcome.promises.unwrap();
        let reasons = outcome.jobs.iter().filter_map(|job| Some(job.promise?.later));
        let reasons = reasons.filter(|later| !later.is_empty()).map(|later| later.to_string());
        let mut reasons: Vec<String> = reasons.collect();
        reasons.sort();
        reasons.dedup();
        let counted: Vec<_> = Cause::ALL
            .into_iter()
            .filter(|&cause| figures.later[cause as usize] > 0)
            .map(cause_name)
            .collect();
        (counted.join(" "), reasons.join(" "))
    };
    let said = |counted: &str, reasons: &str| (counted.to_owned(), reasons.to_owned());
    let in_order = Order::Arrival;
    assert_eq!(later(in_order, &punctual(4), &[]), said("", ""));
    assert_eq!(later(in_order, &workload(4), &[]), said("overrun", "overrun"));
    let sudden = outages(1, |_| None);
    assert_eq!(
        later(in_order, &punctual(4), &sudden),
        said("outage passed", "outage outage+passed")
    );
    let mut exact = workload(4);
    exact.jobs.iter_mut().for_each(|job| job.requested = Some(job.run));
    assert_eq!(later(Order::Shortest, &exact, &[]), said("passed", "passed"));
}

/// The places that the first jobs in line were promised.
fn promised_places(
    workload: &Workload,
    machine: &mut dyn Machine,
    most: u32,
    first: usize,
) -> Vec<JobRecord> {
    let queue = QueueKind::Promises(most);
    let decisions = queue.decisions();
    let options =
        Options { decisions, allocations: true, promised_places: first, ..Options::default() };
    let mut queue = queue.queue_on(workload.jobs.len(), machine).expect("a machine with a rule");
    replay(workload, machine, &mut *queue, &options).unwrap().jobs
}

#[test]
fn promised_places_agree_with_promises_and_starts() {
    // A pool has no places.
    for machine in machines().into_iter().skip(1) {
        let jobs = promised_places(&punctual(4), &mut *machine(), 5, 5);
        let mut moved = 0;
        for job in &jobs {
            let seen = &job.promised_places;
            let Some(promise) = job.promise else {
                assert!(seen.is_empty());
                continue;
            };
            // Who is promised none any more would be promised a later one.
            let (first, last) = (seen.first().unwrap(), seen.last().unwrap());
            assert_eq!((first.start, last.until), (promise.first, job.start));
            assert!(job.submit <= first.from && promise.last <= last.start);
            moved += seen.len() - 1;
            for pair in seen.windows(2) {
                assert_eq!(pair[0].until, pair[1].from);
                assert!(
                    pair[0].start >= pair[1].start,
                    "promises of who is punctual become earlier"
                );
                assert!((pair[0].start, &pair[0].place) != (pair[1].start, &pair[1].place));
            }
            // Whoever starts when it was promised does so where it was promised.
            if last.start == job.start {
                assert_eq!(job.allocated.as_ref(), Some(&last.place.allocated()));
            }
        }
        assert!(moved > 0, "{}", machine().name());
    }
}

#[test]
fn no_two_promises_and_no_job_hold_a_node_at_the_same_time() {
    for machine in of_one_job_a_node().into_iter().skip(1) {
        let jobs = promised_places(&punctual(4), &mut *machine(), 5, 5);
        let ends = |job: &JobRecord, start: Instant| start.saturating_add(job.requested.unwrap());
        let mut overlaps = 0;
        for job in &jobs {
            // What lasts for no time is replaced before all of that instant has happened.
            for seen in job.promised_places.iter().filter(|it| it.from < it.until) {
                let now = seen.from;
                let nodes = nodes(&seen.place.allocated());
                for other in &jobs {
                    let runs = other.start <= now && now < other.finish;
                    let held = runs.then(|| (other.start, other.allocated.clone().unwrap()));
                    let of = other.promised_places.iter();
                    let promised =
                        of.filter(|it| other.id != job.id && it.from <= now && now < it.until);
                    let promised = promised.map(|it| (it.start, it.place.allocated()));
                    for (start, allocated) in held.into_iter().chain(promised) {
                        let meets =
                            start < ends(job, seen.start) && seen.start < ends(other, start);
                        overlaps += u32::from(meets);
                        assert!(!meets || nodes.is_disjoint(&self::nodes(&allocated)));
                    }
                }
            }
        }
        assert!(overlaps > 0, "{}", machine().name());
    }
}

fn nodes(allocated: &str) -> HashSet<u32> {
    let range = |text: &str| {
        let (first, last) = text.split_once('-').unwrap_or((text, text));
        first.parse::<u32>().unwrap()..=last.parse().unwrap()
    };
    allocated.split(' ').flat_map(range).collect()
}

#[test]
fn only_the_first_in_line_are_followed_and_nobody_unless_asked_for() {
    let torus = || GridMachine::new("torus:4x4x4".parse().unwrap(), Placement::First);
    let most_at_once = |first| {
        let jobs = promised_places(&workload(4), &mut torus(), u32::MAX, first);
        let seen = || jobs.iter().flat_map(|job| &job.promised_places);
        let at = |now| seen().filter(|it| it.from <= now && now < it.until).count();
        seen().map(|it| at(it.from)).max()
    };
    assert_eq!([0, 1, 3].map(most_at_once), [None, Some(1), Some(3)]);
}

#[test]
fn numbers_of_processors_are_promised_on_no_machine_of_places() {
    for machine in machines().into_iter().skip(1) {
        let mut queue = QueueKind::Promises(1).queue(400, 64);
        let outcome = replay(&workload(1), &mut *machine(), &mut *queue, &Options::default());
        let machine = machine().name();
        assert_eq!(outcome.unwrap_err(), ReplayError::Counts { machine });
    }
}

/// A job runs longer than it said. Whoever is promised something behind another must not keep its nodes at the expense of
/// the other.
#[test]
fn an_overrun_holds_up_the_last_in_line_first() {
    let first = [[0, 1, 100, 2], [0, 2, 2, 2], [1, 2, 5, 5], [1, 2, 1000, 1000]];
    let newcomer = [[0, 1, 100, 2], [0, 1, 2, 2], [1, 2, 5, 5], [2, 1, 1000, 1000]];
    for (jobs, nodes) in [(first, 4), (newcomer, 3)] {
        let jobs = (1..).zip(jobs).map(|(id, [submit, processors, run, requested])| {
            timed(id, submit, processors as u32, [run, requested])
        });
        let workload = workload_of(format!("{nodes} nodes"), jobs.collect());
        let promises = [1, 2, u32::MAX].map(QueueKind::Promises);
        for queue in promises.into_iter().chain([QueueKind::Easy, QueueKind::Conservative]) {
            let outcome = run(&workload, &mut Pool::new(nodes), queue, &[]);
            let starts: Vec<u64> = outcome.jobs.iter().map(|job| job.start.ticks()).collect();
            assert_eq!(starts, [0, 0, 2, 7], "{queue} on {nodes} nodes");
        }
    }
}

//! Whole replays with promised places, compared with a simulator job by job: when each job starts, and on which nodes.
//!
//! The simulator shares no scheduling code with the kernel, except the choice of `Complete` among free subcubes.
//!
//! Real traces are found in `$LOCOX_DATA/traces`; without it their tests pass at once and say so. The ignored tests
//! take minutes: `LOCOX_DATA=… cargo test -p locox-models --test all whole_replays -- --ignored --nocapture`.

mod boxes;
mod count;
mod cubes;
mod named;
mod racks;
mod shared;
mod simulator;

use crate::jobs::{timed, workload_of};
use boxes::FirstBox;
use count::Count;
use cubes::{AllSubcubes, Buddies, GrayRuns};
use locox::cube::Dim;
use locox::grid::Placement;
use locox::nodes::{self, Amounts};
use locox_models::machine::{
    Cluster, GridMachine, Hypercube, Machine, Nearness, NodeStrategy, Pool, StrategyKind,
    node_machine, tree_machine,
};
use locox_models::replay::{Decisions, Options, Outcome, QueueKind, replay};
use locox_models::streams::stream;
use locox_models::swf::Strictness;
use locox_models::workload::lublin::{Kind, Lublin};
use locox_models::workload::{Demand, Workload, from_swf};
use racks::Tree;
use rand::RngExt;
use shared::{Share, Shared, first_come};
use simulator::{Rule, Simulator};
use std::path::Path;

const ORDERS: [Decisions; 2] = [Decisions::EachInstant, Decisions::Planned];
const ALL: u32 = u32::MAX;

fn kernel(
    workload: &Workload,
    machine: &mut dyn Machine,
    queue: QueueKind,
    decisions: Decisions,
) -> Outcome {
    let strictness = Strictness::Lenient;
    let options =
        Options { strictness, decisions, allocations: true, points: 0, ..Options::default() };
    let mut queue = queue.queue_on(workload.jobs.len(), machine).expect("a machine with a rule");
    replay(workload, machine, &mut *queue, &options).unwrap()
}

/// Nodes as the record of a job names them: `0-3 8`.
fn nodes_of(allocated: &str) -> Vec<u32> {
    let range = |text: &str| {
        let (first, last) = text.split_once('-').unwrap_or((text, text));
        first.parse().unwrap()..=last.parse().unwrap()
    };
    allocated.split_whitespace().flat_map(range).collect()
}

/// Compares the kernel's promises with those of the simulator.
fn compare<R: Rule<Place: std::fmt::Debug>>(
    rule: &R,
    machine: &mut dyn Machine,
    workload: &Workload,
    promises: u32,
    decisions: Decisions,
) {
    let outcome = kernel(workload, machine, QueueKind::Promises(promises), decisions);
    let simulated = Simulator::run(rule, &workload.jobs, promises, decisions);
    let what = format!("{}, {}, {promises} promises, {decisions:?}", workload.name, machine.name());
    same(rule, workload, &outcome, &simulated.starts, &what);
}

/// Panics at the first job that differs; says how many jobs there were and how long they waited.
fn same<R: Rule<Place: std::fmt::Debug>>(
    rule: &R,
    workload: &Workload,
    outcome: &Outcome,
    simulated: &[Option<(u64, R::Place)>],
    what: &str,
) {
    assert_eq!(outcome.jobs.len(), simulated.len());
    for (at, (record, simulated)) in outcome.jobs.iter().zip(simulated).enumerate() {
        let start = record.success.then(|| record.start.ticks());
        let job = &workload.jobs[at];
        assert_eq!(start, simulated.as_ref().map(|it| it.0), "start of {at} of {what}: {job:?}");
        let Some((_, place)) = simulated else { continue };
        let nodes = nodes_of(record.allocated.as_ref().unwrap());
        assert!(rule.consists_of(place, &nodes), "{at} of {what}: {nodes:?}, {place:?}, {job:?}");
    }
    let waits = outcome.jobs.iter().map(|job| job.wait());
    let (waited, total) = (waits.clone().filter(|&it| it > 0).count(), waits.sum::<u64>());
    assert!(waited > 0, "{what}");
    let (jobs, rejected) = (outcome.jobs.len(), outcome.rejected);
    eprintln!("{what}: {jobs} jobs, {rejected} rejected, {waited} waited for {total} ticks");
}

/// `None` and a line that says so if there are no traces.
fn trace(name: &str) -> Option<Workload> {
    let Some(data) = std::env::var_os("LOCOX_DATA") else {
        eprintln!("skipped: LOCOX_DATA is not set, so there is no {name}");
        return None;
    };
    let path = Path::new(&data).join("traces").join(format!("{name}.swf.xz"));
    Some(from_swf(&path, Strictness::Strict, None).unwrap())
}

/// Jobs of the model at a load of 0.7, with requests of up to four times their run times.
fn model(jobs: usize, processors: u32) -> Workload {
    let recipe = Lublin { kind: Kind::All, jobs, processors, estimates: Some(3.0) };
    let mut jobs = recipe.generate(1, 0).unwrap();
    jobs.scale_load(0.7 / jobs.offered_load(processors).unwrap()).unwrap();
    jobs
}

/// Jobs of which many are small and some take most of a machine of 32 nodes; one asks for more than there is.
/// With overruns one in eight runs longer than it said.
fn seeded(seed: u64, jobs: u64, overruns: bool) -> Workload {
    let mut rng = stream(seed, "whole replays", 0);
    let mut submit = 0;
    let job = |id| {
        submit += rng.random_range(0..20);
        let most = rng.random_range(1..=32);
        let processors = if id == 20 { 33 } else { rng.random_range(1..=most) };
        let requested = rng.random_range(1..60);
        let late = rng.random_range(0..8) == 0 && overruns;
        let run = if late { requested + 20 } else { rng.random_range(0..=requested) };
        timed(id, submit, processors, [run, requested])
    };
    workload_of(format!("seed {seed}"), (0..jobs).map(job).collect())
}

fn cube(dims: u8, kind: StrategyKind) -> Hypercube {
    Hypercube::new(Dim::new(dims).unwrap(), kind)
}

fn grid(layout: &str) -> GridMachine {
    GridMachine::new(layout.parse().unwrap(), Placement::First)
}

fn on_cubes(dims: u8, workload: &Workload, promises: u32, decisions: Decisions) {
    let all = u32::from(dims);
    compare(&Buddies(all), &mut cube(dims, StrategyKind::Buddy), workload, promises, decisions);
    let gray = &mut cube(dims, StrategyKind::GrayCode);
    compare(&GrayRuns(all), gray, workload, promises, decisions);
    let complete = &mut cube(dims, StrategyKind::Complete);
    compare(&AllSubcubes::new(dims), complete, workload, promises, decisions);
}

fn on_boxes(workload: &Workload, promises: u32, decisions: Decisions) {
    for (axes, rings, layout) in [
        ([2, 4, 4], true, "torus:2x4x4"),
        ([3, 5, 2], false, "mesh:3x5x2"),
        ([5, 6, 1], true, "torus:5x6"),
    ] {
        compare(&FirstBox::new(axes, rings), &mut grid(layout), workload, promises, decisions);
    }
}

fn on_racks(racks: [u32; 3], workload: &Workload, promises: u32, decisions: Decisions) {
    let [a, b, c] = racks;
    for nearness in Nearness::ALL {
        let machine = &mut *tree_machine(format!("tree:{a}x{b}x{c}").parse().unwrap(), nearness);
        compare(&Tree::new(racks, nearness), machine, workload, promises, decisions);
    }
}

#[test]
fn seeded_jobs_start_when_and_where_the_definition_says() {
    for seed in 0..6 {
        let workload = seeded(seed, 300, seed % 2 == 1);
        for decisions in ORDERS {
            for promises in [0, 1, 2, 10, ALL] {
                compare(&Count(32), &mut Pool::new(32), &workload, promises, decisions);
                on_cubes(5, &workload, promises, decisions);
                on_boxes(&workload, promises, decisions);
                on_racks([1, 4, 8], &workload, promises, decisions);
                on_racks([2, 3, 5], &workload, promises, decisions);
            }
        }
    }
}

/// Ten nodes of three classes: how many, and cores, memory and GPUs of each.
const CLASSES: [(u32, [u32; 3]); 3] = [(5, [8, 16, 0]), (3, [16, 64, 2]), (2, [4, 128, 4])];
const QUANTITIES: [&str; 4] = ["cores", "memory", "gpu", "licences"];
const LICENCES: u32 = 3;

/// The nodes for the kernel and for the simulator.
fn shared(best: bool) -> (Box<dyn Machine>, Shared) {
    let placement = if best { nodes::Placement::Best } else { nodes::Placement::First };
    let classes = CLASSES.map(|(count, has)| (count, Amounts::of(&has)));
    let cluster = Cluster::new("classes", &classes, &QUANTITIES);
    let cluster = cluster.with_common(Amounts::of(&[0, 0, 0, LICENCES]));
    let nodes =
        (0..).zip(CLASSES).flat_map(|(class, (count, has))| vec![(has, class); count as usize]);
    let rule = Shared { nodes: nodes.collect(), licences: LICENCES, best };
    (node_machine(cluster, NodeStrategy::shared(placement)), rule)
}

/// Jobs of up to 80 processors and up to 40 MiB for each, some more than any nodes have, at a load of 0.8.
fn with_memory(seed: u64, jobs: u64, overruns: bool) -> Workload {
    let mut rng = stream(seed, "memory", 0);
    let mut workload = seeded(seed, jobs, overruns);
    for job in &mut workload.jobs {
        let most = [2, 8, 8, 80][rng.random_range(0..4)];
        job.processors = rng.random_range(1..=most);
        let most = [0, 2, 4, 40][rng.random_range(0..4)];
        job.memory = rng.random_range(0..=most);
    }
    workload.scale_load(0.8 / workload.offered_load(96).unwrap()).unwrap();
    workload
}

/// The same, of which half name their nodes; of these some have GPUs, parts of one, licences, or are bound to classes.
fn with_demands(seed: u64, jobs: u64, overruns: bool) -> Workload {
    let mut rng = stream(seed, "demands", 0);
    let mut workload = with_memory(seed, jobs, overruns);
    for job in workload.jobs.iter_mut().step_by(2) {
        let mut below = |most: u32| rng.random_range(0..=most);
        let (kind, cores, memory, gpus) = (below(3), 1 + below(5), below(30), below(2));
        let each = Amounts::of(&[cores, memory, if kind == 0 { 0 } else { gpus }]);
        let mut demand = Demand::of(1 + below(2), each);
        if kind == 3 {
            (demand.nodes, demand.part) = (1, 1 + below(998));
        }
        if below(3) == 0 {
            demand.classes = 1 + u64::from(below(6));
            demand.common = Amounts::of(&[0, 0, 0, below(LICENCES)]);
        }
        job.processors = demand.processors();
        job.demand = Some(Box::new(demand));
    }
    workload.scale_load(0.6 / workload.offered_load(96).unwrap()).unwrap();
    workload
}

#[test]
fn jobs_with_gpus_and_parts_of_them_share_nodes_as_the_definition_says() {
    for best in [false, true] {
        let (mut machine, rule) = shared(best);
        let workload = with_demands(7, 2_000, false);
        let outcome = kernel(&workload, &mut *machine, QueueKind::Fcfs, Decisions::EachEvent);
        let starts: Vec<Option<(u64, Share)>> = first_come(&rule, &workload.jobs);
        same(&rule, &workload, &outcome, &starts, &format!("fcfs, {}", machine.name()));
        for (seed, promises) in [(1, 0), (2, 1), (3, 2), (4, ALL), (5, 1), (6, ALL)] {
            for decisions in ORDERS {
                let (mut machine, rule) = shared(best);
                let workload = with_demands(seed, 400, seed % 2 == 0);
                compare(&rule, &mut *machine, &workload, promises, decisions);
            }
        }
    }
}

#[test]
fn jobs_with_memory_share_nodes_as_the_definition_says() {
    for best in [false, true] {
        let (mut machine, rule) = shared(best);
        let workload = with_memory(7, 5_000, false);
        compare(&rule, &mut *machine, &workload, 1, Decisions::Planned);
        let (mut machine, rule) = shared(best);
        let outcome = kernel(&workload, &mut *machine, QueueKind::Fcfs, Decisions::EachEvent);
        let starts: Vec<Option<(u64, Share)>> = first_come(&rule, &workload.jobs);
        same(&rule, &workload, &outcome, &starts, &format!("fcfs, {}", machine.name()));
        for (seed, promises) in [(1, 0), (2, 1), (3, 2), (4, ALL)] {
            for decisions in ORDERS {
                let (mut machine, rule) = shared(best);
                let workload = with_memory(seed, 300, seed % 2 == 0);
                compare(&rule, &mut *machine, &workload, promises, decisions);
            }
        }
    }
}

/// Nodes of one core each are a count, but for queues that make more than one promise: a job is promised nodes that are free from its
/// start to its end, and of a count others may be free at each instant.
#[test]
fn nodes_of_one_core_start_jobs_when_a_pool_does() {
    const QUEUES: [QueueKind; 10] = [
        QueueKind::Fcfs,
        QueueKind::ScanUp,
        QueueKind::ScanDown,
        QueueKind::Lazy,
        QueueKind::Window(4),
        QueueKind::Easy,
        QueueKind::EasyAmong(2),
        QueueKind::Conservative,
        QueueKind::Promises(0),
        QueueKind::Promises(1),
    ];
    let one = Cluster::new("cores", &[(32, Amounts::of(&[1]))], &["cores"]);
    for seed in 0..4 {
        let workload = seeded(seed, 500, seed % 2 == 1);
        for (queue, decisions) in QUEUES.iter().flat_map(|&it| ORDERS.map(|order| (it, order))) {
            let starts = |machine: &mut dyn Machine| {
                let outcome = kernel(&workload, machine, queue, decisions);
                outcome.jobs.iter().map(|it| (it.success, it.start, it.held)).collect::<Vec<_>>()
            };
            let on_pool = starts(&mut Pool::new(32));
            for strategy in NodeStrategy::SHARED.into_iter().flat_map(|it| [it, it.exclusive()]) {
                let on_nodes = starts(&mut *node_machine(one, strategy));
                let differs = on_pool.iter().zip(&on_nodes).position(|(one, other)| one != other);
                assert_eq!(differs, None, "seed {seed}, {queue}, {decisions:?}, {strategy}");
            }
        }
    }
}

#[test]
fn the_log_of_a_hypercube_runs_as_the_definition_says() {
    let Some(nasa) = trace("NASA-iPSC-1993-3.1-cln") else { return };
    for decisions in ORDERS {
        on_cubes(7, &nasa, 1, decisions);
    }
}

#[test]
#[ignore = "takes minutes: CONTRIBUTING.md has the command"]
fn jobs_of_the_model_run_on_a_torus_as_the_definition_says() {
    let boxes = FirstBox::new([8, 8, 8], true);
    for decisions in ORDERS {
        compare(&boxes, &mut grid("torus:8x8x8"), &model(5_000, 512), 1, decisions);
    }
}

#[test]
#[ignore = "takes minutes: CONTRIBUTING.md has the command"]
fn jobs_of_the_model_run_on_racks_as_the_definition_says() {
    for decisions in ORDERS {
        on_racks([1, 16, 32], &model(5_000, 512), 1, decisions);
    }
}

#[test]
fn a_promise_for_each_job_of_the_model_is_as_the_definition_says() {
    let workload = model(1_000, 64);
    let boxes = FirstBox::new([4, 4, 4], true);
    for decisions in ORDERS {
        compare(&boxes, &mut grid("torus:4x4x4"), &workload, ALL, decisions);
        for promises in [1, ALL] {
            compare(&Count(64), &mut Pool::new(64), &workload, promises, decisions);
        }
    }
}

const LOGS: [(&str, u32); 3] = [
    ("KTH-SP2-1996-2.1-cln", 100),
    ("LANL-CM5-1994-4.1-cln", 1_024),
    ("NASA-iPSC-1993-3.1-cln", 128),
];

/// On a count a plan with places and one with numbers start each job at the same time.
fn compare_planners(workload: &Workload, processors: u32, promises: u32, numbers: QueueKind) {
    for decisions in ORDERS {
        let starts = |queue| {
            let outcome = kernel(workload, &mut Pool::new(processors), queue, decisions);
            outcome.jobs.iter().map(|job| job.start.ticks()).collect::<Vec<_>>()
        };
        let (places, numbers) = (starts(QueueKind::Promises(promises)), starts(numbers));
        let differs = (0..places.len()).find(|&at| places[at] != numbers[at]);
        let job = differs.map(|at| (&workload.jobs[at], places[at], numbers[at]));
        assert_eq!(job, None, "{}, {promises} promises, {decisions:?}", workload.name);
        let waited = workload.jobs.iter().zip(&places).filter(|it| it.0.submit.ticks() < *it.1);
        let (jobs, waited) = (places.len(), waited.count());
        eprintln!(
            "{}, {promises} promises, {decisions:?}: {jobs} jobs, {waited} waited",
            workload.name
        );
    }
}

/// A log in which no job runs longer than it asked for.
///
/// With overruns they may differ: EASY is not asked when a promise comes due, and conservative backfilling takes a job that runs too
/// long to run for as long again.
fn without_overruns(name: &str) -> Option<Workload> {
    let mut workload = trace(name)?;
    for job in &mut workload.jobs {
        job.run = job.run.min(job.requested.unwrap_or(job.run));
    }
    Some(workload)
}

#[test]
fn one_promise_on_a_pool_is_easy_on_real_logs() {
    for (name, processors) in LOGS {
        let Some(workload) = without_overruns(name) else { return };
        compare_planners(&workload, processors, 1, QueueKind::Easy);
    }
}

#[test]
#[ignore = "takes minutes: CONTRIBUTING.md has the command"]
fn promises_for_all_on_a_pool_are_conservative_on_real_logs() {
    for (name, processors) in LOGS {
        let Some(workload) = without_overruns(name) else { return };
        compare_planners(&workload, processors, ALL, QueueKind::Conservative);
    }
}

/// A third of its jobs run longer than they asked for.
#[test]
#[ignore = "takes minutes: CONTRIBUTING.md has the command"]
fn a_log_with_overruns_runs_on_a_pool_as_the_definition_says() {
    let Some(mut workload) = trace("LANL-CM5-1994-4.1-cln") else { return };
    workload.jobs.truncate(5_000);
    for decisions in ORDERS {
        compare(&Count(1_024), &mut Pool::new(1_024), &workload, 1, decisions);
    }
}

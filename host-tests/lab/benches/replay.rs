//! Speed of replays: real traces under each strategy, first come, first served; backfilling.
//!
//! `LOCOX_DATA=… cargo bench -p locox-lab --bench replay`. A sample is the replay alone, without
//! reading and decompressing the trace; the throughput column counts jobs. Without `LOCOX_DATA`
//! the program's own workload takes the traces' place.

use divan::Bencher;
use divan::counter::ItemsCount;
use locox::cube::Dim;
use locox::grid::Placement;
use locox::nodes::{self, Amounts};
use locox::time::Instant;
use locox_models::machine::{
    Cluster, GridMachine, Hypercube, Machine, Nearness, NodeStrategy, Pool, StrategyKind,
    node_machine, tree_machine,
};
use locox_models::replay::{
    JobRecord, Observer, Options, Order, QueueKind, replay, replay_observed,
};
use locox_models::swf::Strictness;
use locox_models::workload::lublin::{Kind, Lublin};
use locox_models::workload::synthetic::Synthetic;
use locox_models::workload::{Workload, from_swf};
use std::ops::ControlFlow;
use std::path::Path;

const NASA: (&str, u8) = ("NASA-iPSC-1993-3.1-cln", 7);
const LANL: (&str, u8) = ("LANL-CM5-1994-4.1-cln", 10);

const PLANNERS: [QueueKind; 2] = [QueueKind::Easy, QueueKind::Conservative];

fn main() {
    divan::main();
}

#[divan::bench(args = StrategyKind::ALL, sample_count = 10)]
fn nasa_ipsc(bencher: Bencher, kind: StrategyKind) {
    bench(bencher, kind, NASA);
}

#[divan::bench(args = StrategyKind::ALL, sample_count = 10)]
fn lanl_cm5(bencher: Bencher, kind: StrategyKind) {
    bench(bencher, kind, LANL);
}

/// Backfilling on a pool.
#[divan::bench(args = PLANNERS, sample_count = 10)]
fn lanl_cm5_backfilling(bencher: Bencher, queue: QueueKind) {
    backfill(bencher, &workload(LANL.0), 1 << LANL.1, queue);
}

/// Jobs of the model on 1,024 processors, with requests of up to four times their run times.
const fn model(jobs: usize) -> Lublin {
    Lublin { kind: Kind::All, jobs, processors: 1024, estimates: Some(3.0) }
}

const LOADS: [f64; 3] = [0.8, 1.0, 1.2];

/// A million jobs of the model, one by one, scaled to a load. The most memory that the process has
/// had by then is printed: no list of jobs is held, only those that wait or run.
#[divan::bench(args = LOADS, sample_count = 3)]
fn lublin_million_easy(bencher: Bencher, load: f64) {
    const MILLION: usize = 1_000_000;
    /// More than wait or run at once.
    const ROOM: usize = 1 << 17;
    let jobs = || model(MILLION).stream(1, 0).unwrap();
    let work: f64 = jobs().map(|job| f64::from(job.processors) * job.run.ticks() as f64).sum();
    let first = jobs().next().unwrap().submit.ticks();
    let span = jobs().last().unwrap().submit.ticks() - first;
    let factor = load * span as f64 * 1024.0 / work;
    let options = Options { points: 0, ..Options::default() };
    let peak = std::cell::Cell::new(0);
    bencher.counter(ItemsCount::new(MILLION)).bench_local(|| {
        let mut scaled = jobs().map(|mut job| {
            let after = (job.submit.ticks() - first) as f64 / factor;
            job.submit = Instant::from_ticks(first + after.round() as u64);
            job
        });
        let (mut queue, mut waited) = (QueueKind::Easy.queue(ROOM, 1024), Waited(0));
        let (mut pool, observers) = (Pool::new(1024), &mut [&mut waited as &mut dyn Observer]);
        let outcome =
            replay_observed("model", &mut scaled, &mut pool, &mut *queue, &options, observers);
        peak.set(outcome.unwrap().unwrap().peak_queue);
        waited.0
    });
    eprintln!("load {load}: at most {} jobs waited, {} of memory", peak.get(), most_memory());
}

/// How long all jobs together have waited.
struct Waited(u64);

impl Observer for Waited {
    fn job(&mut self, record: &JobRecord) -> ControlFlow<()> {
        self.0 += record.wait();
        ControlFlow::Continue(())
    }
}

/// The most that the process has had, as the system says.
fn most_memory() -> String {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.map_or("an unknown amount".into(), |most| most.trim().to_owned())
}

/// A hundred thousand of them, where the line grows as long as jobs come.
#[divan::bench(args = [1.0, 1.2], sample_count = 1, sample_size = 1)]
fn lublin_hundred_thousand_conservative_100(bencher: Bencher, load: f64) {
    let mut jobs = model(100_000).generate(1, 0).unwrap();
    let offered = jobs.offered_load(1024).unwrap();
    jobs.scale_load(load / offered).unwrap();
    backfill(bencher, &jobs, 1024, QueueKind::ConservativeAmong(100));
}

/// Jobs of the model, of so many users each, at a load at which the line grows as long as jobs come: each size
/// twice the one before. The time grows with a power of the jobs of 1.1, as that of first come, first served does.
#[divan::bench(args = [12_500, 25_000, 50_000, 100_000], consts = [1, 2, 50], sample_count = 3)]
fn fair_share<const USERS: u32>(bencher: Bencher, jobs: usize) {
    let mut jobs = model(jobs).generate(1, 0).unwrap();
    jobs.scale_load(1.3 / jobs.offered_load(1024).unwrap()).unwrap();
    let users = (0..USERS).cycle();
    jobs.jobs.iter_mut().zip(users).for_each(|(job, user)| job.user = Some(user));
    let options = Options { points: 0, order: Order::FairShare, ..Options::default() };
    bencher.counter(ItemsCount::new(jobs.jobs.len())).bench_local(|| {
        let mut queue = QueueKind::Easy.queue(jobs.jobs.len(), 1024);
        replay(&jobs, &mut Pool::new(1024), &mut *queue, &options).unwrap()
    });
}

/// What is promised, where, and to how many.
struct Promised {
    name: &'static str,
    machine: fn() -> Box<dyn Machine>,
    /// Jobs of the model at a load; the log of NASA if there is none.
    load: Option<f64>,
    jobs: usize,
    /// Requests of up to so many times the run time more.
    estimates: f64,
    promises: u32,
}

impl std::fmt::Display for Promised {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(self.name)
    }
}

fn torus(layout: &str) -> Box<dyn Machine> {
    Box::new(GridMachine::new(layout.parse().unwrap(), Placement::First))
}

fn cube(dims: u8, kind: StrategyKind) -> Box<dyn Machine> {
    Box::new(Hypercube::new(Dim::new(dims).unwrap(), kind))
}

const EASY_ON_TORUS: Promised = Promised {
    name: "16x16x16 torus, load 0.6",
    machine: || torus("torus:16x16x16"),
    load: Some(0.6),
    jobs: 5_000,
    estimates: 3.0,
    promises: 1,
};

const PROMISED: [Promised; 9] = [
    EASY_ON_TORUS,
    Promised { name: "16x16x16 torus, load 0.8", load: Some(0.8), ..EASY_ON_TORUS },
    Promised { name: "16x16x16 torus, 100 promises", promises: 100, ..EASY_ON_TORUS },
    Promised { name: "16x16x16 torus, 100, exact", promises: 100, estimates: 0.0, ..EASY_ON_TORUS },
    Promised {
        name: "16x16x16x16 torus, load 0.6",
        machine: || torus("torus:16x16x16x16"),
        jobs: 1_000,
        ..EASY_ON_TORUS
    },
    Promised {
        name: "NASA, 7-cube, buddy",
        machine: || cube(7, StrategyKind::Buddy),
        load: None,
        ..EASY_ON_TORUS
    },
    Promised {
        name: "12-cube, buddy, load 0.7",
        machine: || cube(12, StrategyKind::Buddy),
        load: Some(0.7),
        ..EASY_ON_TORUS
    },
    Promised {
        name: "12-cube, complete, load 0.7",
        machine: || cube(12, StrategyKind::Complete),
        load: Some(0.7),
        ..EASY_ON_TORUS
    },
    Promised {
        name: "tree of 10,000 nodes, load 0.7",
        machine: || tree_machine("tree:10x20x50".parse().unwrap(), Nearness::Required),
        load: Some(0.7),
        ..EASY_ON_TORUS
    },
];

/// The first jobs in line are promised a time and a place.
#[divan::bench(args = PROMISED, sample_count = 3, sample_size = 1)]
fn promised(bencher: Bencher, case: &Promised) {
    let processors = (case.machine)().processors();
    let jobs = match case.load {
        None => workload(NASA.0),
        Some(load) => {
            let estimates = Some(case.estimates);
            let recipe = Lublin { kind: Kind::All, jobs: case.jobs, processors, estimates };
            let mut jobs = recipe.generate(1, 0).unwrap();
            jobs.scale_load(load / jobs.offered_load(processors).unwrap()).unwrap();
            jobs
        }
    };
    let queue = QueueKind::Promises(case.promises);
    let options = Options { points: 0, decisions: queue.decisions(), ..Options::default() };
    bencher.counter(ItemsCount::new(jobs.jobs.len())).bench_local(|| {
        let mut machine = (case.machine)();
        let mut queue = queue.queue_on(jobs.jobs.len(), &*machine).unwrap();
        replay(&jobs, &mut *machine, &mut *queue, &options).unwrap()
    });
}

/// A thousand nodes of 64 cores, of which a hundred have four times as much memory, in MiB.
fn thousand(strategy: NodeStrategy) -> Box<dyn Machine> {
    let classes = [(900, Amounts::of(&[64, 256_000])), (100, Amounts::of(&[64, 1_024_000]))];
    node_machine(Cluster::new("classes", &classes, &["cores", "memory"]), strategy)
}

/// Jobs of the model at a load of 0.8 of the cores; most want less memory for a core than nodes have, one in eight more.
fn with_memory(jobs: usize, cores: u32) -> Workload {
    let mut jobs = model(jobs).generate(1, 0).unwrap();
    let memory = [500, 1_000, 1_000, 2_000, 2_000, 3_000, 4_000, 8_000].into_iter().cycle();
    jobs.jobs.iter_mut().zip(memory).for_each(|(job, memory)| job.memory = memory);
    jobs.scale_load(0.8 / jobs.offered_load(cores).unwrap()).unwrap();
    jobs
}

/// EASY on nodes that jobs share.
#[divan::bench(args = [10_000, 100_000], sample_count = 1, sample_size = 1)]
fn nodes_best_fit(bencher: Bencher, jobs: usize) {
    let best = NodeStrategy::shared(nodes::Placement::Best);
    let jobs = with_memory(jobs, thousand(best).processors());
    let queue = QueueKind::Promises(1);
    let options = Options { points: 0, decisions: queue.decisions(), ..Options::default() };
    bencher.counter(ItemsCount::new(jobs.jobs.len())).bench_local(|| {
        let mut machine = thousand(best);
        let mut queue = queue.queue_on(jobs.jobs.len(), &*machine).unwrap();
        replay(&jobs, &mut *machine, &mut *queue, &options).unwrap()
    });
}

fn backfill(bencher: Bencher, jobs: &Workload, processors: u32, queue: QueueKind) {
    let options = Options { points: 0, strictness: Strictness::Lenient, ..Options::default() };
    bencher.counter(ItemsCount::new(jobs.jobs.len())).bench_local(|| {
        let mut queue = queue.queue(jobs.jobs.len(), processors);
        replay(jobs, &mut Pool::new(processors), &mut *queue, &options).unwrap()
    });
}

fn bench(bencher: Bencher, kind: StrategyKind, (name, dims): (&str, u8)) {
    let jobs = workload(name);
    let dims = Dim::new(dims).expect("a cube of the kernel's");
    bencher.counter(ItemsCount::new(jobs.jobs.len())).bench_local(|| {
        let mut cube = Hypercube::new(dims, kind);
        let queue = QueueKind::Fcfs;
        let options = Options { decisions: queue.decisions(), ..Options::default() };
        replay(&jobs, &mut cube, &mut *queue.queue(jobs.jobs.len(), dims.nodes()), &options)
            .unwrap()
    });
}

fn workload(name: &str) -> Workload {
    let Some(data) = std::env::var_os("LOCOX_DATA") else {
        eprintln!("LOCOX_DATA is unset: {name} is skipped, made-up jobs are replayed instead");
        return Synthetic::cube_day().generate(1, 0).unwrap();
    };
    let path = Path::new(&data).join("traces").join(name).with_added_extension("swf.xz");
    from_swf(&path, Strictness::Strict, None).unwrap_or_else(|error| panic!("{error}"))
}

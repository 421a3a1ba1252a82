//! Speed of replays: real traces under each strategy, first come, first served; backfilling.
//!
//! `LOCOX_DATA=… cargo bench -p locox-lab --bench replay`. A sample is the replay alone, without
//! reading and decompressing the trace; the throughput column counts jobs. Without `LOCOX_DATA`
//! the program's own workload takes the traces' place.

use divan::Bencher;
use divan::counter::ItemsCount;
use locox::cube::Dim;
use locox_models::machine::{Hypercube, Pool, StrategyKind};
use locox_models::replay::{Options, QueueKind, replay};
use locox_models::swf::Strictness;
use locox_models::workload::lublin::{Kind, Lublin};
use locox_models::workload::synthetic::Synthetic;
use locox_models::workload::{Workload, from_swf};
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

/// A million jobs of the model, scaled to a load of 0.8, with requests of up to four times their
/// run times.
#[divan::bench(sample_count = 3)]
fn lublin_million_easy(bencher: Bencher) {
    let recipe =
        Lublin { kind: Kind::All, jobs: 1_000_000, processors: 1024, estimates: Some(3.0) };
    let mut million = recipe.generate(1, 0).unwrap();
    let offered = million.offered_load(1024).unwrap();
    million.scale_load(0.8 / offered).unwrap();
    backfill(bencher, &million, 1024, QueueKind::Easy);
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

//! Speed of the pool of workstations: two simulated years of the study's 13 stations, and a tick of the
//! table of indices, up to a million stations.
//!
//! `cargo bench -p locox-lab --bench stations`. Bar: 0.2 s a run. The throughput column counts the
//! commands that the coordinator is given, and of a tick the stations.

use divan::Bencher;
use divan::counter::ItemsCount;
use locox::fair::{Capacity, Condor, Contender, Demand, Fairness, Round, ScheduleIndex, UpDown};
use locox::node::OwnerRule;
use locox::time::Duration;
use locox_coordinators::station::Config;
use locox_models::workstation::{Activity, Habit, Lengths, Policy, Pool};

fn main() {
    divan::main();
}

/// As `updown-study` runs it, at the heaviest load.
fn study() -> Pool {
    let pool = Pool::study(13);
    Pool { bank: 6, config: Config { recall: true, ..pool.config }, ..pool }
}

fn bench(bencher: Bencher, pool: &Pool, policy: Policy) {
    let commands = pool.run(policy, 1, 0).unwrap().commands;
    bencher.counter(ItemsCount::new(commands)).bench_local(|| pool.run(policy, 1, 0).unwrap());
}

#[divan::bench(args = Policy::STUDY, sample_count = 10)]
fn two_years(bencher: Bencher, policy: Policy) {
    bench(bencher, &study(), policy);
}

/// Half of the bank, and nobody comes home: the most preemptions.
#[divan::bench(args = Policy::STUDY, sample_count = 10)]
fn two_years_of_contention(bencher: Bencher, policy: Policy) {
    bench(bencher, &Pool { bank: 3, ..Pool::study(13) }, policy);
}

/// Owners who type, watched by the kernel's detector through a load average.
#[divan::bench(args = Policy::STUDY, sample_count = 10)]
fn two_years_watched(bencher: Bencher, policy: Policy) {
    let mut pool = study();
    let minutes = |count: f64| Lengths::Exponential(60.0 * count);
    let rule = OwnerRule::study(Duration::from_ticks(60));
    for station in &mut pool.stations {
        station.habit = Habit::Watched(Activity::office(minutes(30.0), minutes(100.0), rule));
    }
    bench(bencher, &pool, policy);
}

/// An update and a round of the table, as `updown-scale` counts them: a third of the stations hold a
/// processor, a tenth wait, and none is spare. Nothing is carried out, so that each tick does the same.
#[divan::bench(args = [23, 1000, 1_000_000], sample_count = 50)]
fn tick(bencher: Bencher, stations: usize) {
    let one = |station| Demand {
        wants: u16::from(station % 10 == 1),
        holds: u16::from(station % 3 == 0),
    };
    let demand: Vec<Demand> = (0..stations).map(one).collect();
    let nodes = demand.iter().map(|one| u32::from(one.holds)).sum();
    let mut fair = UpDown::new(vec![ScheduleIndex::ZERO; stations], Condor::default());
    let mut scratch = vec![Contender::EMPTY; (stations / 25).max(8)];
    bencher.counter(ItemsCount::new(stations)).bench_local(|| {
        fair.update(&demand).unwrap();
        let capacity = Capacity { nodes, free: 0 };
        let mut round = Round::new(&mut fair, &demand, capacity, (), &mut scratch).unwrap();
        std::iter::from_fn(|| round.next(&mut fair, &demand)).count()
    });
}

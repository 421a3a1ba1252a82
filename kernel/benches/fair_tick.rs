//! A tick over many stations: one update of all indices and one round of allocation.
//!
//! Each tick, one percent of the stations change: half of those are holders whose job ends, the
//! other half idle stations whose job arrives. Bar: 3 ns a station at 10^6 stations on one core.
//! Run with `cargo bench -p locox --bench fair_tick`; divan's items are stations.

use divan::{Bencher, counter::ItemsCount};
use locox::draw::Draw;
use locox::fair::{
    Capacity, Condor, Contender, Decision, Demand, Fairness, Random, Round, RoundRobin,
    ScheduleIndex, UpDown,
};
use std::hint::black_box;

const SIZES: [usize; 3] = [64, 10_000, 1_000_000];

fn main() {
    divan::main();
}

/// Stations of which a third hold a node.
struct World {
    demand: Vec<Demand>,
    scratch: Vec<Contender>,
    nodes: u32,
    held: u32,
    at: u64,
    tick: u32,
}

impl World {
    /// With a `backlog`, one station in ten waits and no node is spare; without one, a tenth of
    /// the nodes are spare and nobody waits for long.
    fn new(stations: usize, backlog: bool) -> Self {
        let demand: Vec<_> = (0..stations)
            .map(|station| Demand {
                wants: u16::from(backlog && station % 10 == 1),
                holds: u16::from(station % 3 == 0),
            })
            .collect();
        let held = demand.iter().map(|one| u32::from(one.holds)).sum();
        let nodes = if backlog { held } else { held + held / 10 };
        let scratch = vec![Contender::EMPTY; (stations / 25).max(8)];
        Self { demand, scratch, nodes, held, at: 0, tick: 0 }
    }

    /// One percent of the stations change.
    fn change(&mut self) {
        let changes = (self.demand.len() / 100).max(1);
        for change in 0..changes {
            let ends = change % 2 == 0;
            let Some(found) = self.seek(ends) else { continue };
            let one = &mut self.demand[found];
            if ends {
                one.holds -= 1;
                self.held -= 1;
            } else {
                one.wants += 1;
            }
        }
    }

    /// Some station that holds a node, or that has nothing to do.
    fn seek(&mut self, holding: bool) -> Option<usize> {
        let stations = self.demand.len() as u64;
        for _ in 0..100 {
            // Fibonacci hashing of a count: spread evenly, in no regular order.
            self.at = self.at.wrapping_add(0x9E37_79B9_7F4A_7C15);
            let found = (((self.at >> 32) * stations) >> 32) as usize;
            let Demand { wants, holds } = self.demand[found];
            if if holding { holds > 0 } else { wants == 0 && holds == 0 } {
                return Some(found);
            }
        }
        None
    }

    fn tick<F: Fairness>(&mut self, fair: &mut F) -> u32 {
        self.change();
        self.tick += 1;
        fair.update(&self.demand).unwrap();
        let capacity = Capacity { nodes: self.nodes, free: self.nodes - self.held };
        let draw = F::Draw::from_source(|| self.tick);
        let mut round = Round::new(fair, &self.demand, capacity, draw, &mut self.scratch).unwrap();
        let mut decided = 0;
        while let Some(decision) = round.next(fair, &self.demand) {
            decided += 1;
            let to = match decision {
                Decision::Grant { to, .. } => to,
                Decision::Preempt { from, to, .. } => {
                    let yielding = &mut self.demand[from.0 as usize];
                    yielding.holds -= 1;
                    yielding.wants += 1;
                    self.held -= 1;
                    to
                }
            };
            let getting = &mut self.demand[to.0 as usize];
            getting.holds += 1;
            getting.wants -= 1;
            self.held += 1;
        }
        decided
    }
}

fn run<F: Fairness>(bencher: Bencher, stations: usize, backlog: bool, mut fair: F) {
    let mut world = World::new(stations, backlog);
    for _ in 0..50 {
        world.tick(&mut fair);
    }
    bencher.counter(ItemsCount::new(stations)).bench_local(|| black_box(world.tick(&mut fair)));
}

fn indices(stations: usize) -> Vec<ScheduleIndex> {
    vec![ScheduleIndex::ZERO; stations]
}

#[divan::bench(args = SIZES)]
fn up_down(bencher: Bencher, stations: usize) {
    run(bencher, stations, false, UpDown::new(indices(stations), Condor::default()));
}

/// No node to spare: whoever waits takes one from a holder, some 70 decisions for each thousand
/// stations in every tick.
#[divan::bench(args = SIZES)]
fn up_down_contended(bencher: Bencher, stations: usize) {
    run(bencher, stations, true, UpDown::new(indices(stations), Condor::default()));
}

/// A ranking that does not preempt, with a backlog: the first half percent out of a tenth.
#[divan::bench(args = SIZES)]
fn random_backlog(bencher: Bencher, stations: usize) {
    run(bencher, stations, true, Random::new());
}

#[divan::bench(args = SIZES)]
fn round_robin(bencher: Bencher, stations: usize) {
    run(bencher, stations, false, RoundRobin::default());
}

/// The update alone, all stations asking.
#[divan::bench(args = SIZES)]
fn up_down_update(bencher: Bencher, stations: usize) {
    let mut world = World::new(stations, true);
    let mut fair = UpDown::new(indices(stations), Condor::default());
    world.change();
    bencher
        .counter(ItemsCount::new(stations))
        .bench_local(|| fair.update(black_box(&world.demand)).unwrap());
}

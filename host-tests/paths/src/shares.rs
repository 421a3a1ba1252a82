//! Fair shares, and the coordinator of workstations.

use super::random::Random;
use locox::fair::{Contender, DecayParams, Demand, Fairness, StationId, TimedRow, TimedUpDown};
use locox::time::{Duration, Instant};
use locox_coordinators::station::{
    Columns, Command, Config, Coordinator, Effect, HomeRow, JobRow, NodeId, NodeRow, Run,
};
use std::hint::black_box;

const MINUTE: Duration = Duration::from_ticks(60);

fn ranking(stations: usize) -> TimedUpDown<Vec<TimedRow>> {
    let rows = vec![TimedRow::EMPTY; stations];
    TimedUpDown::new(rows, DecayParams::standard(MINUTE)).expect("neither is zero")
}

/// A third of the stations hold a node, and a tenth want one.
pub(crate) fn decide(stations: usize, times: usize) {
    let (mut fair, mut random) = (ranking(stations), Random::new());
    let note = |fair: &mut TimedUpDown<Vec<TimedRow>>, at: usize, random: &mut Random| {
        let (wants, holds) = (random.below(10) == 0, random.below(3) == 0);
        let demand = Demand { wants: wants.into(), holds: holds.into() };
        fair.note(StationId(at as u32), demand);
    };
    (0..stations).for_each(|at| note(&mut fair, at, &mut random));
    for tick in 0..times {
        fair.advance(Instant::from_ticks(7 * tick as u64));
        let at = random.below(stations);
        note(&mut fair, at, &mut random);
        black_box((fair.next_claimant(), fair.exchange()));
    }
}

type Table = Columns<Vec<Demand>, Vec<HomeRow>, Vec<NodeRow>, Vec<JobRow>, Vec<Contender>>;

struct Network {
    pool: Coordinator<TimedUpDown<Vec<TimedRow>>, Table>,
    /// The run on each processor.
    guests: Vec<Option<Run>>,
    now: Instant,
}

impl Network {
    /// All owners are away, and a third of the stations have two jobs each.
    fn new(stations: usize) -> Self {
        let table = Columns {
            demand: vec![Demand::default(); stations],
            homes: vec![HomeRow::EMPTY; stations],
            nodes: vec![NodeRow::EMPTY; stations],
            jobs: vec![JobRow::EMPTY; stations],
            scratch: vec![Contender::EMPTY; 64],
        };
        let config = Config::standard(MINUTE);
        let pool = Coordinator::new(config, table, ranking(stations), Instant::ZERO);
        let pool = pool.expect("sizes and ranking agree");
        let mut network = Self { pool, guests: vec![None; stations], now: Instant::ZERO };
        for station in 0..stations as u32 {
            network.say(Command::NodeIdle { node: NodeId(station) });
        }
        for home in (0..stations as u32).step_by(3).map(StationId) {
            (1..=2).for_each(|serial| network.say(Command::Submit { home, serial }));
        }
        network
    }

    fn say(&mut self, command: Command) {
        self.pool.apply(self.now, command).expect("nothing is wrong with it");
        while let Some(effect) = self.pool.take_effect() {
            match effect {
                Effect::Place { node, run, .. } | Effect::Resume { node, run, .. } => {
                    self.guests[node.0 as usize] = Some(run);
                }
                Effect::Preempt { node, .. } => self.vacate(node),
                _ => {}
            }
        }
    }

    fn vacate(&mut self, node: NodeId) {
        if let Some(run) = self.guests[node.0 as usize].take() {
            self.say(Command::Vacated { run });
        }
    }
}

pub(crate) fn command(stations: usize, times: usize) {
    let (mut network, mut random) = (Network::new(stations), Random::new());
    for _ in 0..times {
        // Two intervals for each station, so that their ends do not count for much.
        let step = Duration::from_ticks((1200 / stations as u64).max(1));
        network.now = network.now.saturating_add(step);
        let station = StationId(random.below(stations) as u32);
        network.say(Command::OwnerBack { station });
        network.vacate(station.into());
        network.say(Command::NodeIdle { node: station.into() });
    }
}

pub(crate) fn tick(stations: usize, times: usize) {
    let mut network = Network::new(stations);
    for _ in 0..times {
        network.now = network.pool.wake_at().expect("intervals end");
        network.say(Command::Tick);
    }
}

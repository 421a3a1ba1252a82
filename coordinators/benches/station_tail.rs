//! The slowest commands to a coordinator of 100,000 stations under the ranking to start from.
//!
//! A thousand events a second for two minutes: owners come and go, jobs end and the next ones are
//! submitted, and every effect is answered at once. A third of the stations have two jobs and most
//! owners are there, so that processors are short and are taken from others. The same is run five
//! times, and of each command the shortest time counts: what else runs on the machine is left out.
//! Run with `cargo bench -p locox-coordinators --bench station_tail`.

use locox::fair::{Contender, DecayParams, Demand, StationId, TimedRow, TimedUpDown};
use locox::time::{Duration, Instant};
use locox_coordinators::station::{
    Columns, Command, Config, Coordinator, Effect, HomeRow, JobRow, NodeId, NodeRow, Run,
};

type Table = Columns<Vec<Demand>, Vec<HomeRow>, Vec<NodeRow>, Vec<JobRow>, Vec<Contender>>;

const STATIONS: usize = 100_000;
const EVENTS: u64 = 120_000;
const RUNS: usize = 5;
/// Ticks are milliseconds, so that there are events in between.
const MINUTE: Duration = Duration::from_ticks(60_000);

struct World {
    pool: Coordinator<TimedUpDown<Vec<TimedRow>>, Table>,
    present: Vec<bool>,
    guests: Vec<Option<(Run, StationId)>>,
    serials: Vec<u32>,
    leaving: Vec<Run>,
    now: Instant,
    dice: u64,
    nanoseconds: Vec<u32>,
}

impl World {
    fn new() -> Self {
        let table = Columns {
            demand: vec![Demand::default(); STATIONS],
            homes: vec![HomeRow::EMPTY; STATIONS],
            nodes: vec![NodeRow::EMPTY; STATIONS],
            jobs: vec![JobRow::EMPTY; STATIONS],
            scratch: vec![Contender::EMPTY; 4],
        };
        let fair = TimedUpDown::new(vec![TimedRow::EMPTY; STATIONS], DecayParams::standard(MINUTE));
        let config = Config::standard(MINUTE);
        let mut world = Self {
            pool: Coordinator::new(config, table, fair.unwrap(), Instant::ZERO).unwrap(),
            present: vec![true; STATIONS],
            guests: vec![None; STATIONS],
            serials: vec![0; STATIONS],
            leaving: vec![],
            now: Instant::ZERO,
            dice: 0,
            nanoseconds: vec![],
        };
        for home in (0..STATIONS).step_by(3) {
            world.submit(home);
            world.submit(home);
        }
        for station in (0..STATIONS).step_by(4) {
            world.happen_at(station);
        }
        // The indices are not all the same any more.
        for _ in 0..EVENTS {
            world.happen();
        }
        world.nanoseconds.clear();
        world
    }

    fn submit(&mut self, home: usize) {
        self.serials[home] += 1;
        let serial = self.serials[home];
        self.say(Command::Submit { home: StationId(home as u32), serial });
    }

    fn say(&mut self, command: Command) {
        let begun = std::time::Instant::now();
        self.pool.apply(self.now, command).unwrap();
        self.nanoseconds.push(begun.elapsed().as_nanos() as u32);
        while let Some(effect) = self.pool.take_effect() {
            match effect {
                Effect::Place { node, run, home, .. } | Effect::Resume { node, run, home, .. } => {
                    self.guests[node.0 as usize] = Some((run, home));
                }
                Effect::Preempt { node, run, .. } => {
                    self.guests[node.0 as usize] = None;
                    self.leaving.push(run);
                }
                Effect::Checkpoint { .. }
                | Effect::Poll
                | Effect::Ask { .. }
                | Effect::SetAside { .. } => {}
            }
        }
        if let Some(run) = self.leaving.pop() {
            self.say(Command::Vacated { run });
        }
    }

    fn happen(&mut self) {
        self.now = self.now.saturating_add(Duration::from_ticks(1));
        self.dice = self.dice.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        let station = (((self.dice >> 32) * STATIONS as u64) >> 32) as usize;
        if self.dice >> 20 & 1 == 1
            && let Some((run, home)) = self.guests[station].take()
        {
            self.say(Command::Finished { run });
            return self.submit(home.0 as usize);
        }
        self.happen_at(station);
    }

    /// An owner comes or goes; three of four are there.
    fn happen_at(&mut self, station: usize) {
        let stays = self.dice >> 22 & 3 < 2;
        self.present[station] =
            if self.present[station] { stays && self.now.ticks() > 0 } else { true };
        if self.present[station] {
            self.say(Command::OwnerBack { station: StationId(station as u32) });
            if let Some((run, _)) = self.guests[station].take() {
                self.say(Command::Vacated { run });
            }
        } else {
            self.say(Command::NodeIdle { node: NodeId(station as u32) });
        }
    }
}

fn main() {
    let mut shortest: Vec<u32> = vec![];
    for _ in 0..RUNS {
        let mut world = World::new();
        for _ in 0..EVENTS {
            world.happen();
        }
        if shortest.is_empty() {
            shortest = world.nanoseconds;
        } else {
            assert_eq!(shortest.len(), world.nanoseconds.len(), "the same commands each time");
            let pairs = shortest.iter_mut().zip(world.nanoseconds);
            pairs.for_each(|(least, time)| *least = time.min(*least));
        }
    }
    shortest.sort_unstable();
    println!("{STATIONS} stations, {} commands, shortest of {RUNS} runs each", shortest.len());
    for (name, share) in [("median", 0.5), ("99 %", 0.99), ("99.9 %", 0.999), ("slowest", 1.0)] {
        let at = ((shortest.len() - 1) as f64 * share) as usize;
        println!("{name:>8} {:>8.2} us", f64::from(shortest[at]) / 1000.0);
    }
}

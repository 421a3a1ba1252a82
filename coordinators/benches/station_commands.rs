//! What a command to the coordinator costs, with the scheduling that it sets off.
//!
//! Owners come and go at random and every effect is answered at once; a third of the stations
//! keep two jobs in the pool. Two simulated years of the study's 13 stations are some 500,000
//! commands: at 13 stations a command may cost 400 ns for them to pass in 0.2 s. Divan's items
//! are commands. Run with `cargo bench -p locox-coordinators --bench station_commands`.

use divan::{Bencher, counter::ItemsCount};
use locox::fair::{Condor, Contender, Demand, ScheduleIndex, StationId, UpDown};
use locox::time::{Duration, Instant};
use locox_coordinators::station::{
    Columns, Command, Config, Coordinator, Effect, HomeRow, JobRow, NodeId, NodeRow, Run, Trigger,
};

type Table = Columns<Vec<Demand>, Vec<HomeRow>, Vec<NodeRow>, Vec<JobRow>, Vec<Contender>>;

const COMMANDS: u32 = 10_000;

fn main() {
    divan::main();
}

struct World {
    pool: Coordinator<UpDown<Vec<ScheduleIndex>, Condor>, Table>,
    present: Vec<bool>,
    /// The run on each processor, and its home.
    guests: Vec<Option<(Run, StationId)>>,
    serials: Vec<u32>,
    said: u32,
    now: Instant,
    dice: u64,
}

impl World {
    fn new(stations: usize, trigger: Trigger) -> Self {
        let table = Columns {
            demand: vec![Demand::default(); stations],
            homes: vec![HomeRow::EMPTY; stations],
            nodes: vec![NodeRow::EMPTY; stations],
            jobs: vec![JobRow::EMPTY; stations],
            scratch: vec![Contender::EMPTY; 64],
        };
        let fair = UpDown::new(vec![ScheduleIndex::ZERO; stations], Condor::default());
        let config = Config { poll: None, trigger, ..Config::study(Duration::from_ticks(60)) };
        let mut world = Self {
            pool: Coordinator::new(config, table, fair, Instant::ZERO).unwrap(),
            present: vec![false; stations],
            guests: vec![None; stations],
            serials: vec![0; stations],
            said: 0,
            now: Instant::ZERO,
            dice: 0,
        };
        for station in 0..stations {
            world.say(Command::NodeIdle { node: NodeId(station as u32) });
        }
        for home in (0..stations).step_by(3) {
            world.submit(home);
            world.submit(home);
        }
        world
    }

    fn submit(&mut self, home: usize) {
        self.serials[home] += 1;
        let serial = self.serials[home];
        self.say(Command::Submit { home: StationId(home as u32), serial });
    }

    fn say(&mut self, command: Command) {
        self.said += 1;
        self.pool.apply(self.now, command).unwrap();
        while let Some(effect) = self.pool.take_effect() {
            match effect {
                Effect::Place { node, run, home, .. } | Effect::Resume { node, run, home, .. } => {
                    self.guests[node.0 as usize] = Some((run, home));
                }
                Effect::Preempt { node, .. } => self.vacate(node.0 as usize),
                Effect::Checkpoint { .. }
                | Effect::Poll
                | Effect::Ask { .. }
                | Effect::SetAside { .. } => {}
            }
        }
    }

    fn vacate(&mut self, node: usize) {
        if let Some((run, _)) = self.guests[node].take() {
            self.say(Command::Vacated { run });
        }
    }

    /// An owner comes or goes, or a job ends and its station submits the next: five times in an
    /// interval.
    fn happen(&mut self) {
        self.now = self.now.saturating_add(Duration::from_ticks(120));
        self.dice = self.dice.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let station = (((self.dice >> 32) * self.present.len() as u64) >> 32) as usize;
        if self.dice.is_multiple_of(4)
            && let Some((run, home)) = self.guests[station].take()
        {
            self.say(Command::Finished { run });
            return self.submit(home.0 as usize);
        }
        self.present[station] = !self.present[station];
        if self.present[station] {
            self.say(Command::OwnerBack { station: StationId(station as u32) });
            self.vacate(station);
        } else {
            self.say(Command::NodeIdle { node: NodeId(station as u32) });
        }
    }

    fn say_many(&mut self) {
        let end = self.said + COMMANDS;
        while self.said < end {
            self.happen();
        }
    }
}

fn run(bencher: Bencher, stations: usize, trigger: Trigger) {
    let mut world = World::new(stations, trigger);
    bencher.counter(ItemsCount::new(COMMANDS)).bench_local(|| world.say_many());
}

#[divan::bench(args = [13, 100, 1000], sample_count = 20)]
fn as_in_the_study(bencher: Bencher, stations: usize) {
    run(bencher, stations, Trigger::Capacity);
}

#[divan::bench(args = [13, 100, 1000], sample_count = 20)]
fn at_intervals_only(bencher: Bencher, stations: usize) {
    run(bencher, stations, Trigger::IntervalOnly);
}

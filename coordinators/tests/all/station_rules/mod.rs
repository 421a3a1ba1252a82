//! The coordinator's rules one by one: what each command does, and what comes out.

mod commands;
mod interface;
mod losses;
mod owners;
mod placing;
mod preemption;
mod scheduling;

use locox::error::Error;
use locox::fair::{self, Condor, Demand, RoundRobin, ScheduleIndex, StationId, UpDown};
use locox::handle::{self, PoolId};
use locox::time::{Duration, Instant};
use locox_coordinators::station::{
    Arrays, Checkpoint, Command, Config, Coordinator, Effect, HomeRow, JobId, JobRow, Misuse,
    NodeId, NodeRow, PreemptReason, Refusal, Run, Status, Trigger,
};

const STATIONS: usize = 3;
const NODES: usize = 5;
/// The processors of the bank.
const BANK: [NodeId; 2] = [NodeId(3), NodeId(4)];
const TRANSFER: u64 = 1;

type Table = Arrays<STATIONS, NODES, 6, 8>;
type UpDown3 = UpDown<[ScheduleIndex; STATIONS], Condor>;

fn at(ticks: u64) -> Instant {
    Instant::from_ticks(ticks)
}

/// Intervals of 10, transfers of 1, no polls and no checkpoints in between.
fn config(trigger: Trigger) -> Config {
    let minute = Duration::from_ticks(1);
    Config { poll: None, trigger, ..Config::study(minute) }
}

/// A coordinator whose effects are taken after each command.
struct Pool {
    coordinator: Coordinator<UpDown3, Table>,
    serials: [u32; STATIONS],
}

impl Pool {
    /// Three stations with their owners present, and a bank that nobody has heard of.
    fn new(trigger: Trigger) -> Self {
        Self::with(config(trigger))
    }

    fn with(config: Config) -> Self {
        let fair = UpDown::new([ScheduleIndex::ZERO; STATIONS], Condor::default());
        let coordinator = Coordinator::new(config, Table::EMPTY, fair, at(0)).unwrap();
        let mut pool = Self { coordinator, serials: [0; STATIONS] };
        for station in 0..STATIONS as u32 {
            assert_eq!(pool.owner_back(0, station), []);
        }
        pool
    }

    fn act(&mut self, time: u64, command: Command) -> Vec<Effect> {
        self.coordinator.apply(at(time), command).unwrap();
        self.effects()
    }

    fn effects(&mut self) -> Vec<Effect> {
        self.coordinator.check_invariants().unwrap();
        let effects = std::iter::from_fn(|| self.coordinator.take_effect()).collect();
        self.coordinator.check_invariants().unwrap();
        effects
    }

    fn submit(&mut self, time: u64, home: u32) -> (JobId, Vec<Effect>) {
        let serial = &mut self.serials[home as usize];
        *serial += 1;
        let command = Command::Submit { home: StationId(home), serial: *serial };
        let job = self.coordinator.apply(at(time), command).unwrap().unwrap();
        (job, self.effects())
    }

    fn idle(&mut self, time: u64, node: NodeId) -> Vec<Effect> {
        self.act(time, Command::NodeIdle { node })
    }

    fn owner_back(&mut self, time: u64, station: u32) -> Vec<Effect> {
        self.act(time, Command::OwnerBack { station: StationId(station) })
    }

    fn status(&self, job: JobId) -> Status {
        self.coordinator.status(job).unwrap()
    }

    fn demand(&self, station: usize) -> (u16, u16) {
        let demand = self.coordinator.demand()[station];
        (demand.wants, demand.holds)
    }
}

fn run(job: JobId, attempt: u32) -> Run {
    Run { job, attempt }
}

fn place(time: u64, node: NodeId, run: Run, home: u32) -> Effect {
    let transfer = if node.0 == home { 0 } else { TRANSFER };
    Effect::Place { node, run, home: StationId(home), begins: at(time + transfer) }
}

fn resume(time: u64, node: NodeId, run: Run, home: u32, checkpoint: u32) -> Effect {
    let transfer = if node.0 == home { 0 } else { TRANSFER };
    let checkpoint = Checkpoint(checkpoint);
    Effect::Resume { node, run, home: StationId(home), checkpoint, begins: at(time + transfer) }
}

/// A pool that schedules on demand, in which a job of station 0 runs on the bank's first.
fn one_running() -> (Pool, JobId) {
    run_one(Pool::new(Trigger::Demand))
}

fn run_one(mut pool: Pool) -> (Pool, JobId) {
    assert_eq!(pool.idle(0, BANK[0]), []);
    let (job, effects) = pool.submit(1, 0);
    assert_eq!(effects, [place(1, BANK[0], run(job, 1), 0)]);
    (pool, job)
}

/// As above, and a job of station 1 has taken the processor; the first one is still there.
fn one_preempted() -> (Pool, JobId, JobId) {
    let (mut pool, old) = one_running();
    // Station 0 has held it for an interval; station 1 comes anew.
    assert_eq!(pool.act(10, Command::Tick), []);
    let (new, effects) = pool.submit(11, 1);
    let why = PreemptReason::Fairness { to: StationId(1) };
    assert_eq!(effects, [Effect::Preempt { node: BANK[0], run: run(old, 1), why }]);
    (pool, old, new)
}

//! A coordinator in a `static`: four stations, a bank of two, and a job that gets a processor.

use locox::fair::{StationId, TimedRow, TimedUpDown};
use locox::station::{Arrays, Command, Config, Coordinator, Effect, NodeId};
use locox::time::{Duration, Instant};
use std::sync::Mutex;

/// Ticks are seconds, which is the pace of a ranking that is started like this.
const CONFIG: Config = Config::standard(Duration::from_ticks(60));

static POOL: Mutex<Coordinator<TimedUpDown<[TimedRow; 4]>, Arrays<4, 6, 16, 8>>> =
    Mutex::new(Coordinator::new_static(CONFIG, Instant::ZERO));

fn main() {
    let mut pool = POOL.lock().unwrap();
    let now = Instant::from_ticks(1);
    pool.apply(now, Command::NodeIdle { node: NodeId(4) }).unwrap();
    let job = pool.apply(now, Command::Submit { home: StationId(0), serial: 1 }).unwrap();
    while let Some(effect) = pool.take_effect() {
        if let Effect::Place { node, run, .. } = effect {
            println!("node {node} starts {run}, job {job:?}");
        }
    }
}

//! A coordinator with its rows in statics, as in firmware: four stations, a bank of two, and a job that gets a processor.

use locox::fair::{DecayParams, StationId, TimedRow, TimedUpDown};
use locox::time::{Duration, Instant};
use locox_coordinators::station::{Arrays, Command, Config, Coordinator, Effect, NodeId};
use static_cell::ConstStaticCell;

const STATIONS: usize = 4;
/// Four stations with a processor each, and the bank; 16 jobs; room for a round of eight contenders.
type Rows = Arrays<STATIONS, 6, 16, 8>;

// All zeros, so in firmware they lie in `.bss` and take no flash.
static ROWS: ConstStaticCell<Rows> = ConstStaticCell::new(Rows::EMPTY);
static RANKING: ConstStaticCell<[TimedRow; STATIONS]> =
    ConstStaticCell::new([TimedRow::EMPTY; STATIONS]);

fn main() {
    // Ticks are seconds.
    let minute = Duration::from_ticks(60);
    let params = DecayParams::standard(minute);
    let ranking = TimedUpDown::new(&mut RANKING.take()[..], params).unwrap();
    let config = Config::standard(minute);
    let mut pool = Coordinator::new(config, ROWS.take(), ranking, Instant::ZERO).unwrap();

    let now = Instant::from_ticks(1);
    pool.apply(now, Command::NodeIdle { node: NodeId(4) }).unwrap();
    let job = pool.apply(now, Command::Submit { home: StationId(0), serial: 1 }).unwrap();
    while let Some(effect) = pool.take_effect() {
        if let Effect::Place { node, run, .. } = effect {
            println!("node {node} starts {run}, job {job:?}");
        }
    }
}

//! Commands stored in a folder, each by itself or several with one sync.
//!
//! `cargo bench -p locox-storage --bench files`. The time is nearly all the disk's: set `TMPDIR` to a folder on
//! the disk in question.

use divan::Bencher;
use divan::counter::ItemsCount;
use locox::fair::{DecayParams, TimedRow, TimedUpDown};
use locox::time::{Duration, Instant};
use locox_coordinators::station::{Arrays, Command, Config, Coordinator};
use locox_storage::{Directory, DurableCoordinator, Files};

const COMMANDS: u64 = 2_000;

fn main() {
    divan::main();
}

type Network = Coordinator<TimedUpDown<[TimedRow; 2]>, Arrays<2, 3, 8, 4>>;

fn network() -> Network {
    let minute = Duration::from_ticks(60);
    let ranking = TimedUpDown::new([TimedRow::EMPTY; 2], DecayParams::standard(minute)).unwrap();
    Coordinator::new(Config::standard(minute), Arrays::EMPTY, ranking, Instant::ZERO).unwrap()
}

/// By the number of commands of a batch.
#[divan::bench(args = [1, 50, 2_000], sample_count = 5, sample_size = 1)]
fn commands(bencher: Bencher, batch: u64) {
    let folder = tempfile::tempdir().unwrap();
    let files = Files::new(Directory::open(folder.path()).unwrap());
    let mut durable = DurableCoordinator::format(network(), files).unwrap();
    bencher.counter(ItemsCount::new(COMMANDS)).bench_local(|| {
        let mut now = durable.now();
        for _ in 0..COMMANDS / batch {
            let mut together = durable.batch();
            for _ in 0..batch {
                now = now.saturating_add(Duration::from_ticks(1));
                together.apply(now, Command::Tick.into()).unwrap();
            }
            together.commit().unwrap();
            while durable.take_effect().is_some() {}
        }
    });
}

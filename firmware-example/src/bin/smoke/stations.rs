//! A coordinator of 64 stations and a bank of 8, with its rows in statics of zeros.

use board::println;
use locox::fair::{DecayParams, StationId, TimedRow, TimedUpDown};
use locox::handle::PoolId;
use locox::time::{Duration, Instant};
use locox_coordinators::station::{Arrays, Command, Config, Coordinator, Effect, Misuse, NodeId};
use static_cell::{ConstStaticCell, StaticCell};

const STATIONS: usize = 64;
const NODES: usize = STATIONS + 8;
const JOBS: usize = 128;
const MINUTE: Duration = Duration::from_ticks(60);
const CONFIG: Config = Config { pool: PoolId(5), ..Config::standard(MINUTE) };
/// Words of an image of one job, and of the ranking.
const IMAGE: usize = 31 + 9 * STATIONS + 13 * NODES + 16 + 4 + 5 * STATIONS;

type Rows = Arrays<STATIONS, NODES, JOBS, 16>;
pub(crate) type Network = Coordinator<TimedUpDown<&'static mut [TimedRow]>, &'static mut Rows>;

static ROWS: ConstStaticCell<Rows> = ConstStaticCell::new(Rows::EMPTY);
static INDICES: ConstStaticCell<[TimedRow; STATIONS]> =
    ConstStaticCell::new([TimedRow::EMPTY; STATIONS]);
static NETWORK: StaticCell<Result<Network, Misuse>> = StaticCell::new();

/// Prepares rows and ranking in place; only headers are built on the stack and moved.
#[inline(never)]
pub(crate) fn start() -> Option<&'static mut Network> {
    let ranking =
        TimedUpDown::new(&mut INDICES.try_take()?[..], DecayParams::standard(MINUTE)).ok()?;
    let rows = ROWS.try_take()?;
    NETWORK.init_with(|| Coordinator::new(CONFIG, rows, ranking, Instant::ZERO)).as_mut().ok()
}

pub(crate) fn walk_through(network: &mut Network) -> Option<()> {
    println!(
        "network of {STATIONS} stations, {} bytes of rows, {} of header",
        size_of::<Rows>() + size_of_val(&INDICES),
        size_of::<Network>()
    );
    let home = StationId(40);
    let at = Instant::from_ticks;
    network.apply(at(1), Command::NodeIdle { node: NodeId(64) }).ok()?;
    network.apply(at(1), Command::Submit { home, serial: 1 }).ok()?;
    let image = &mut [0; IMAGE];
    let length = export(network, image)?;
    println!("an image of {length} words");
    let told = tell(network)?;

    // As after a power cut, with a damaged image and then with a good one.
    image[length / 2] ^= 1;
    let damaged = network.restore(image.iter().copied()).err()?;
    println!("restore: refused, {damaged}");
    image[length / 2] ^= 1;
    network.restore(image.iter().copied()).ok()?;
    let told_again = tell(network)?;
    let Effect::Place { run, .. } = told_again else { return None };
    network.apply(at(2), Command::Finished { run }).ok()?;
    let sound = network.check_invariants();
    println!("invariants: {:?}", sound);
    (sound.is_ok() && told == told_again).then_some(())
}

fn export(network: &Network, image: &mut [u32]) -> Option<usize> {
    let mut length = 0;
    network.export(|word| {
        if let Some(room) = image.get_mut(length) {
            *room = word;
        }
        length += 1;
    });
    (length <= image.len()).then_some(length)
}

/// What is to be told to a host, once there is room for it.
fn tell(network: &mut Network) -> Option<Effect> {
    let next = network.peek_effect()?;
    if let Effect::Place { node, run, home, begins } = next {
        println!("node {node} starts job {run} of station {home} at {}", begins.ticks());
    }
    network.take_effect().filter(|taken| *taken == next)
}

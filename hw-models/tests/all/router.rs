//! The router model beside an independent cycle-accurate simulator of interconnection networks:
//! lists of messages with the cycle in which that one delivered each, found in
//! `$LOCOX_DATA/router`. Without that variable those tests pass at once and say so
//! (`cargo test -- --nocapture`). Three small lists of our own stand beside this file and are
//! always run.

use locox::cube::{Dim, Node};
use locox_models::network::list::{List, read};
use locox_models::network::traffic::{Mesh, Message, Pattern};
use locox_models::network::wormhole::{Ejection, Router, Trip, Window, deliver};
use locox_models::streams::stream;
use lzma_rust2::XzReader;
use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};

/// A list with the cycles in which its messages should be delivered.
struct Golden {
    name: String,
    list: List,
    delivered: Vec<u64>,
}

impl Golden {
    /// The last column is the cycle of delivery. The cube is in the name: `cube6-transpose-20`.
    fn new(path: &Path) -> Self {
        let name = path.file_name().unwrap().to_str().unwrap().split('.').next().unwrap();
        let mut text = String::new();
        let mut file = File::open(path).unwrap();
        match path.extension().is_some_and(|ending| ending == "xz") {
            true => XzReader::new(file, true).read_to_string(&mut text).unwrap(),
            false => file.read_to_string(&mut text).unwrap(),
        };
        let lines = text.lines().filter(|line| !line.starts_with('#'));
        let delivered = lines.map(|line| line.split(' ').next_back().unwrap().parse().unwrap());
        let dims = name.strip_prefix("cube").and_then(|rest| rest[..1].parse().ok()).unwrap();
        let list = read(path, Dim::new(dims)).unwrap();
        Self { name: name.into(), list, delivered: delivered.collect() }
    }

    fn trips(&self, router: &Router) -> Vec<Trip> {
        deliver(router, self.list.dims, &self.list.messages, Window::Stream)
    }

    /// Messages that the model delivers in another cycle.
    fn moved(&self, router: &Router) -> usize {
        let trips = self.trips(router);
        trips.iter().zip(&self.delivered).filter(|(trip, at)| trip.delivered != **at).count()
    }

    /// Whether mean latency and accepted throughput are within 2 % of the list's.
    fn agrees(&self, router: &Router) -> bool {
        let delivered: Vec<u64> = self.trips(router).iter().map(|trip| trip.delivered).collect();
        let near = |model: u64, list: u64| model.abs_diff(list) as f64 <= 0.02 * list as f64;
        near(self.latencies(&delivered), self.latencies(&self.delivered))
            && near(accepted(&delivered), accepted(&self.delivered))
    }

    /// Latencies of all messages together.
    fn latencies(&self, delivered: &[u64]) -> u64 {
        let latency = |(at, message): (&u64, &Message)| at - message.at;
        delivered.iter().zip(&self.list.messages).map(latency).sum()
    }
}

/// Messages delivered from the time when queues have formed until nothing is offered any more.
fn accepted(delivered: &[u64]) -> u64 {
    delivered.iter().filter(|at| (600..1800).contains(*at)).count() as u64
}

fn lists(folder: PathBuf) -> Vec<Golden> {
    let entries = fs::read_dir(&folder).unwrap_or_else(|error| panic!("{folder:?}: {error}"));
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| path.file_name().unwrap().to_string_lossy().starts_with("cube"));
    paths.sort();
    paths.iter().map(|path| Golden::new(path)).collect()
}

fn own() -> Vec<Golden> {
    lists(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/router"))
}

/// All 48 lists of the other simulator; `None` and a line that says so if they are not there.
fn reference() -> Option<Vec<Golden>> {
    let Some(data) = std::env::var_os("LOCOX_DATA") else {
        eprintln!("skipped: LOCOX_DATA is not set, so there are no lists of another simulator");
        return None;
    };
    let lists = lists(PathBuf::from(data).join("router"));
    let messages: usize = lists.iter().map(|golden| golden.delivered.len()).sum();
    assert_eq!((lists.len(), messages), (48, 28_506));
    Some(lists)
}

/// What the lists were not made with.
fn others() -> Vec<Router> {
    let right = Router::default();
    let buffers = [3, 4, 6, 8, 16].map(|buffer| Router { buffer, ..right });
    let free = Router { ejection: Ejection::PerChannel, ..right };
    [&buffers[..], &[free]].concat()
}

#[test]
fn every_message_of_the_other_simulator_is_delivered_in_its_very_cycle() {
    for golden in reference().iter().flatten() {
        let messages = golden.delivered.len();
        assert_eq!(golden.moved(&Router::default()), 0, "{}, of {messages}", golden.name);
        assert!(golden.agrees(&Router::default()));
    }
}

/// What would happen to the test above: with another buffer, or without contention for the way out,
/// means are further off than 2 % on many lists. Small cubes will do.
#[test]
fn another_router_is_not_that_of_the_other_simulator() {
    let Some(mut lists) = reference() else { return };
    lists.retain(|golden| golden.list.dims.get() <= 4);
    let off = |router: &Router| lists.iter().filter(|golden| !golden.agrees(router)).count();
    let off: Vec<usize> = others().iter().map(off).collect();
    // As in docs/evidence/network.md.
    assert_eq!((lists.len(), &off[..]), (24, &[24, 24, 6, 7, 9, 12][..]));
}

#[test]
fn the_lists_of_our_own_are_delivered_as_they_say() {
    let own = own();
    assert_eq!(own.len(), 3);
    for golden in own {
        assert_eq!(golden.moved(&Router::default()), 0, "{}", golden.name);
    }
}

#[test]
fn another_router_does_not_deliver_the_lists_of_our_own_as_they_say() {
    let own = own();
    for router in others() {
        assert!(own.iter().any(|golden| golden.moved(&router) > 0), "{router:?}");
    }
}

/// Cubes and routers of which there are no lists: messages and the sum of place times cycle of
/// delivery, as a model found them that visited every router in every cycle and agreed with all
/// lists too.
#[test]
fn larger_cubes_and_other_routers_deliver_as_they_did_before_idle_routers_were_skipped() {
    let usual = Router::default();
    let ejection = Ejection::PerChannel;
    let small = Router { buffer: 2, virtual_channels: 1, length: 6, hop: 1, ejection };
    let lanes = Router { virtual_channels: 3, ..usual };
    let small_lanes = Router { virtual_channels: 2, ..small };
    for (dims, pattern, router, window, expected) in [
        (7, Pattern::RandomPairs, usual, Window::Stream, (974, 308_632_854)),
        (7, Pattern::Transpose, usual, Window::One, (970, 616_031_782)),
        (7, Pattern::AllToAll, lanes, Window::Stream, (982, 272_793_103)),
        (7, Pattern::RandomPairs, small_lanes, Window::Stream, (7_815, 14_963_780_325)),
        (8, Pattern::RandomPairs, usual, Window::Stream, (1_898, 1_182_227_086)),
        (8, Pattern::AllToAll, small, Window::Stream, (15_599, 76_565_512_017)),
        (8, Pattern::Transpose, lanes, Window::Stream, (1_805, 2_986_689_272)),
    ] {
        let (nodes, rows) = (1 << dims, 1 << (dims / 2));
        let mesh = Mesh::new([rows, nodes / rows, 1], (0..nodes).map(Node).collect());
        let interval = f64::from(router.length) / 0.6;
        let mut random = stream(dims, "traffic", 0);
        let list = mesh.offered(pattern, interval, 600, &mut random);
        let trips = deliver(&router, Dim::new(dims as u8).unwrap(), &list, window);
        let weighted = (1..).zip(&trips).map(|(place, trip): (u64, &Trip)| place * trip.delivered);
        let found = (trips.len(), weighted.sum());
        assert_eq!(found, expected, "{dims}-cube, {pattern:?}, {window:?}, {router:?}");
    }
}

/// Messages that never meet take as long with any number of virtual channels.
#[test]
fn messages_that_do_not_meet_do_not_notice_virtual_channels() {
    let list: Vec<Message> = (0..256)
        .map(|at| Message { source: Node(at % 16), target: Node(at / 16), at: 100 * u64::from(at) })
        .collect();
    for virtual_channels in [1, 2, 8] {
        let router = Router { virtual_channels, ..Router::default() };
        let trips = deliver(&router, Dim::new(4).unwrap(), &list, Window::Stream);
        for (trip, message) in trips.iter().zip(&list) {
            let distance = message.source.distance(message.target);
            assert_eq!(trip.latency(), router.zero_load(distance), "{message:?}");
        }
    }
}

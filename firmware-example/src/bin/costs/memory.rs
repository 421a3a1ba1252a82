//! Bytes that systems lie in: storage of the caller and header.

use board::println;
use core::mem::size_of;
use locox::accelerator::SlicePool;
use locox::bits::Word;
use locox::cube::{Dim, Subcube};
use locox::dispatch::{Backfill, Conservative, Easy, Entry, Fcfs, Job, Ordered, Promises, Slot};
use locox::fair::{RoundRobin, ScheduleIndex, TimedRow, TimedUpDown, UpDown};
use locox::grid::{self, Grid, GridPool};
use locox::machine::{Held, Timetable};
use locox::mesh::{self, MeshPool};
use locox::node::{LocalScheduler, NodeDriver};
use locox::nodes::{Amounts, NodePool, NodeRow, Nodes, Placement};
use locox::reserve::{Limits, Profile, Timeline};
use locox::subcube::{
    Buddy, Complete, FreeList, FreeListPlain, GrayCode, Pool, Strategy, Subcubes, words,
};
use locox::timeshare;
use locox::timeshare::NonInterfering;
use locox_coordinators::station::{self, Coordinator};
use locox_coordinators::{cluster, manager, site};

type Words = &'static mut [Word];

pub(crate) fn print() {
    println!("[ram]");
    pool::<Buddy>("buddy");
    pool::<GrayCode>("gray-code");
    pool::<FreeList>("free-list");
    pool::<FreeListPlain>("free-list-plain");
    pool::<Complete>("complete");
    line(
        "mesh, 10 dimensions",
        of_words(mesh::words::<Buddy>(10)),
        size_of::<MeshPool<Buddy, Words>>(),
    );
    let torus = const { Grid::torus(&[8, 8, 8]).unwrap() };
    line("grid, torus of 8x8x8", 8 * grid::words(torus), size_of::<GridPool<&'static mut [u64]>>());
    line("slices", 0, size_of::<SlicePool<'static>>());
    nodes();
    for (slots, reservations) in [(32, 15), (256, 127)] {
        let limits = Limits { pes: 64, reservations };
        let at = |name| (name, slots);
        reserved(at("timeline"), Timeline::words(limits), size_of::<Timeline<Words>>());
        reserved(at("profile"), Profile::words(limits), size_of::<Profile<Words>>());
    }
    line("fcfs, 64 jobs", size_of::<[Slot; 64]>(), size_of::<Ordered<Fcfs, &mut [Slot]>>());
    let entries = size_of::<[Entry; 64]>();
    line("easy, 64 jobs", entries, size_of::<Backfill<Easy, &mut [Entry]>>());
    line(
        "conservative, 64 jobs",
        of_words(Backfill::words(64, 64)) + entries,
        size_of::<Backfill<Conservative<Words>, &mut [Entry]>>(),
    );
    promises(entries);
    line("fair, 64 stations", size_of::<[TimedRow; 64]>(), size_of::<Timed>());
    type Table = UpDown<&'static mut [ScheduleIndex]>;
    line("up-down, 64 stations", size_of::<[ScheduleIndex; 64]>(), size_of::<Table>());
    line("round-robin", 0, size_of::<RoundRobin>());
    type Network = Coordinator<Timed, &'static mut station::Arrays<64, 72, 128, 16>>;
    line(
        "station, 64 stations",
        size_of::<station::Arrays<64, 72, 128, 16>>() + size_of::<[TimedRow; 64]>(),
        size_of::<Network>(),
    );
    type Hosts = timeshare::Arrays<{ 64 * 4 }, 64, 32, { timeshare::words(64, 4) }>;
    line("timeshare, 64 hosts", size_of::<Hosts>(), size_of::<timeshare::Table<&mut Hosts>>());
    type Cluster = cluster::Arrays<{ 64 * 4 }, 64, 32, { cluster::words(64, 4) }>;
    line(
        "cluster, 64 hosts",
        size_of::<Cluster>(),
        size_of::<cluster::Coordinator<'_, NonInterfering>>(),
    );
    type Site = site::Arrays<32, 16, 20, 32, 1, 1, 4, 0>;
    line("site, 16 machines, 32 jobs", size_of::<Site>(), size_of::<site::Coordinator<'_>>());
    type Managed =
        manager::Arrays<64, 16, 64, { manager::index_len(64, 16) }, { manager::cube_words(64) }>;
    line(
        "manager, 64 nodes, 64 jobs, 16 users",
        size_of::<Managed>(),
        size_of::<manager::Coordinator<'_>>(),
    );
    line("node", 0, size_of::<LocalScheduler>());
    line("node-driver", 0, size_of::<NodeDriver<(), (), ()>>());
    line(
        "bank, without its line and journal",
        size_of::<locox_bank::Rows>(),
        size_of::<locox_bank::Bank<'_>>(),
    );
}

/// Of two classes, each with three quantities, of which one is up to four devices in parts.
fn nodes() {
    let classes = [Amounts::of(&[64, 256]), Amounts::of(&[32, 512, 4])];
    let machine = Nodes::<1>::new(&classes, &[0, 0, 0, 0, 1, 1, 1, 1], Placement::Best);
    let words = machine.and_then(|it| it.with_parts(2, 4)).map_or(0, |it| it.pool_words());
    type Rows = [NodeRow<1>; 12];
    line(
        "nodes, 8 nodes, 3 quantities, 12 leases",
        size_of::<Rows>() + words * size_of::<u32>(),
        size_of::<NodePool<'_, 1, &mut [NodeRow<1>], &mut [u32]>>(),
    );
}

type Timed = TimedUpDown<&'static mut [TimedRow]>;

/// Of 64 jobs in a cube.
fn promises(entries: usize) {
    let cube = const { Subcubes::<Buddy>::new(Dim::new(6).unwrap()).unwrap() };
    type Rows = &'static mut [Held<Subcube>];
    type Policy = Promises<Subcubes<Buddy>, fn(&Job) -> Dim, Rows, Words>;
    let held = Backfill::rows(64, 0) * size_of::<Held<Subcube>>();
    line(
        "promises in a cube of 6 dimensions, 64 jobs",
        entries + held + of_words(Timetable::words(&cube)),
        size_of::<Backfill<Policy, &mut [Entry]>>(),
    );
}

fn pool<S: Strategy>(name: &str) {
    let header = size_of::<Pool<S, Words>>();
    println!(
        "\"{name}, 10 dimensions\" = {{ storage = {}, header = {header} }}",
        of_words(words::<S>(10))
    );
}

fn reserved((name, slots): (&str, u32), words: usize, header: usize) {
    println!(
        "\"{name}, {slots} slots, 64 PEs\" = {{ storage = {}, header = {header} }}",
        of_words(words)
    );
}

fn line(name: &str, storage: usize, header: usize) {
    println!("\"{name}\" = {{ storage = {storage}, header = {header} }}");
}

const fn of_words(words: usize) -> usize {
    words * size_of::<Word>()
}

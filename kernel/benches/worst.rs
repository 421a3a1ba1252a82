//! The worst known states of pools of subcubes and of meshes, one operation each.
//!
//! `cargo bench -p locox --bench worst`. Each operation is timed by itself on a copy of the state, the
//! fastest of several counts. The bar is 10 us on 10 dimensions and 1 ms on 16, and 20 ns for each
//! node or lease that the call names or reports. Prints tables in Markdown, microseconds; in bold
//! what misses its bar.

use locox::bits::Word;
use locox::cube::{Dim, Node};
use locox::handle::PoolId;
use locox::mesh::{self, Leftover, MeshPool, Shape};
use locox::subcube::{
    self, Buddy, Complete, FreeList, FreeListPlain, GrayCode, Lease, Outage, Strategy,
};
use rand::SeedableRng;
use rand::rngs::ChaCha8Rng;
use rand::seq::SliceRandom;
use std::hint::black_box;
use std::time::Instant;

type Pool<T> = subcube::Pool<T, Box<[Word]>>;
type Meshes = MeshPool<FreeList, Box<[Word]>>;

/// What was timed: the operation and state, nodes and leases named or reported, and nanoseconds.
struct Row(String, u32, u128);

fn main() {
    for (dims, budget) in [(10, 10_000), (16, 1_000_000)] {
        let n = Dim::new(dims).expect("few dimensions");
        let columns = [
            of_strategy::<Buddy>(n),
            of_strategy::<GrayCode>(n),
            of_strategy::<FreeList>(n),
            of_strategy::<FreeListPlain>(n),
            of_strategy::<Complete>(n),
        ];
        let names =
            [Buddy::NAME, GrayCode::NAME, FreeList::NAME, FreeListPlain::NAME, Complete::NAME];
        println!("| {dims} dimensions | {} | bar |", names.join(" | "));
        println!("|---|---|---|---|---|---|---|");
        print(&columns, budget);
        println!("\n| meshes over {}, {dims} dimensions | | bar |\n|---|---|---|", FreeList::NAME);
        print(&[of_meshes(n)], budget);
        println!();
    }
}

fn print(columns: &[Vec<Row>], budget: u128) {
    for (at, Row(what, named, _)) in columns[0].iter().enumerate() {
        let bar = budget + 20 * u128::from(*named);
        let cells = columns.iter().map(|column| {
            let micros = column[at].2 as f64 / 1000.0;
            if column[at].2 > bar { format!("**{micros:.1}**") } else { format!("{micros:.1}") }
        });
        let cells: Vec<_> = cells.collect();
        println!("| {what} | {} | {:.1} |", cells.join(" | "), bar as f64 / 1000.0);
    }
}

fn random() -> ChaCha8Rng {
    ChaCha8Rng::seed_from_u64(1)
}

fn time<P: Clone>(state: &P, mut operation: impl FnMut(&mut P)) -> u128 {
    let times = (0..9).map(|_| {
        let mut copy = state.clone();
        let start = Instant::now();
        operation(&mut copy);
        start.elapsed().as_nanos()
    });
    times.min().unwrap_or(0)
}

fn fresh<T: Strategy>(n: Dim) -> Pool<T> {
    let storage = vec![0; subcube::words::<T>(n.get())];
    Pool::new(PoolId(0), n, storage.into()).expect("enough words")
}

fn withdraw<T: Strategy>(pool: &mut Pool<T>, nodes: &[Node]) {
    pool.withdraw(nodes, Outage::Failed, |lease| _ = black_box(lease)).expect("its own nodes");
}

/// All nodes leased one by one.
fn singles<T: Strategy>(n: Dim) -> (Pool<T>, Vec<Lease>) {
    let mut pool = fresh::<T>(n);
    let leases = (0..n.nodes()).map(|_| pool.allocate(Dim::ZERO).expect("a free node")).collect();
    (pool, leases)
}

fn of_strategy<T: Strategy>(n: Dim) -> Vec<Row> {
    let mut rows = vec![];
    let mut row = |what: &str, named, took| rows.push(Row(what.to_owned(), named, took));
    let all: Vec<_> = (0..n.nodes()).map(Node).collect();
    let last = [Node(n.nodes() - 1)];

    let (full, mut leases) = singles::<T>(n);
    row("withdraw of all, leased singly", 2 * n.nodes(), time(&full, |pool| withdraw(pool, &all)));
    let kept = leases.iter().position(|lease| lease.cube().base() == last[0]);
    let kept = leases.swap_remove(kept.expect("all are leased"));
    leases.shuffle(&mut random());
    let mut one_left = full.clone();
    leases.iter().for_each(|&lease| one_left.release(lease).expect("live"));
    let half = n.down().expect("more than a node");
    row(
        "allocate n - 1, all but one released at random",
        0,
        time(&one_left, |pool| {
            _ = black_box(pool.allocate(half));
        }),
    );
    row(
        "claim of half of it",
        n.nodes() / 2,
        time(&one_left, |pool| {
            let cube = locox::cube::Subcube::new(n, Node(0), n.nodes() / 2 - 1).expect("a half");
            _ = black_box(pool.claim(cube));
        }),
    );
    let mut odd = full.clone();
    leases.iter().filter(|it| it.cube().base().0.count_ones() % 2 == 1).for_each(|&lease| {
        odd.release(lease).expect("live");
    });
    row(
        "would_fit 1, every second node free",
        0,
        time(&odd, |pool| {
            _ = black_box(pool.would_fit(Dim::ZERO.up().expect("one")));
        }),
    );
    withdraw(&mut one_left, &last);
    row(
        "release of the last, which is out",
        0,
        time(&one_left, |pool| {
            pool.release(kept).expect("live");
        }),
    );

    let empty = fresh::<T>(n);
    row("withdraw of all, free", n.nodes(), time(&empty, |pool| withdraw(pool, &all)));
    let mut shuffled = all.clone();
    shuffled.shuffle(&mut random());
    row("the same in random order", n.nodes(), time(&empty, |pool| withdraw(pool, &shuffled)));
    // Pairs along the last dimension that do not join, and the upper node of each.
    let mut pairs = full.clone();
    let is_even = |node: u32| (node & (n.nodes() / 2 - 1)).count_ones().is_multiple_of(2);
    for lease in full.leases().filter(|lease| is_even(lease.cube().base().0)) {
        pairs.release(lease).expect("live");
    }
    let upper: Vec<_> = (n.nodes() / 2..n.nodes()).filter(|&it| is_even(it)).map(Node).collect();
    let named = upper.len() as u32;
    row("withdraw of halves of pairs", named, time(&pairs, |pool| withdraw(pool, &upper)));
    let mut down = empty.clone();
    withdraw(&mut down, &all);
    row("repair of all", n.nodes(), time(&down, |pool| pool.repair(&all).expect("its own")));
    row(
        "the same in random order",
        n.nodes(),
        time(&down, |pool| pool.repair(&shuffled).expect("its own")),
    );
    let odd: Vec<_> = all.iter().copied().filter(|it| it.0.count_ones() % 2 == 1).collect();
    row(
        "withdraw of every second node",
        odd.len() as u32,
        time(&empty, |pool| withdraw(pool, &odd)),
    );
    let mut whole = empty.clone();
    let lease = whole.allocate(n).expect("an empty machine");
    withdraw(&mut whole, &last);
    row(
        "release of the whole, a node out",
        0,
        time(&whole, |pool| pool.release(lease).expect("live")),
    );
    row("withdraw of all, leased as a whole", n.nodes(), time(&whole, |pool| withdraw(pool, &all)));
    let mut holes = full.clone();
    leases.iter().chain([&kept]).filter(|it| it.cube().base() == last[0]).for_each(|&lease| {
        holes.release(lease).expect("live");
    });
    row(
        "lease_at the one free node",
        1,
        time(&holes, |pool| _ = black_box(pool.lease_at(last[0]))),
    );

    let mut sieve = empty.clone();
    let out: Vec<_> =
        all.iter().copied().filter(|it| it.0.count_ones() % u32::from(n.get() / 2) == 0).collect();
    withdraw(&mut sieve, &out);
    row("withdraw that changes nothing", 1, time(&sieve, |pool| withdraw(pool, &out[..1])));
    row("withdraw beside sieved nodes", 1, time(&sieve, |pool| withdraw(pool, &[Node(1)])));
    row(
        "repair of a sieved node",
        1,
        time(&sieve, |pool| pool.repair(&out[..1]).expect("its own")),
    );
    let mut lonely = empty.clone();
    withdraw(&mut lonely, &all[..all.len() - 1]);
    row("withdraw of the last that serves", 1, time(&lonely, |pool| withdraw(pool, &last)));
    rows
}

fn of_meshes(n: Dim) -> Vec<Row> {
    let mut rows = vec![];
    let mut row = |what: &str, named, took| rows.push(Row(what.to_owned(), named, took));
    let storage = vec![0; mesh::words::<FreeList>(n.get())];
    let empty = Meshes::new(PoolId(0), n, storage.into(), Leftover::Reused).expect("enough words");
    let line = |nodes| Shape::line(nodes).expect("a line");
    let fill = |pool: &mut Meshes, shape| while pool.allocate(shape).is_ok() {};

    let mut tenants = empty.clone();
    let owner = tenants.allocate(line(n.nodes() / 2 + 1)).expect("an empty machine");
    fill(&mut tenants, line(1));
    row(
        "release of the owner of single-node tenants",
        0,
        time(&tenants, |pool| {
            pool.release(owner).expect("live");
        }),
    );

    // In each leftover of eight nodes six are free, as three edges in three directions: no square.
    let mut pieces = empty.clone();
    fill(&mut pieces, line(17));
    fill(&mut pieces, line(1));
    let owners: Vec<_> = pieces.leases().filter(|it| it.shape() == line(17)).collect();
    for leftover in owners.iter().filter_map(|it| it.mesh().leftover().next()) {
        let nodes: Vec<_> = leftover.nodes().collect();
        for node in [1, 5, 2, 3, 4, 6] {
            let lease = pieces.lease_at(nodes[node]).expect("all are leased");
            pieces.release(lease).expect("live");
        }
    }
    row(
        "refusal of 4, each leftover in pieces",
        0,
        time(&pieces, |pool| {
            _ = black_box(pool.allocate(line(4)));
        }),
    );

    let all: Vec<_> = (0..n.nodes()).map(Node).collect();
    let mut singles = empty.clone();
    fill(&mut singles, line(1));
    row(
        "withdraw of all, leased singly",
        2 * n.nodes(),
        time(&singles, |pool| {
            pool.withdraw(&all, Outage::Failed, |lease| _ = black_box(lease))
                .expect("its own nodes");
        }),
    );
    let mut shuffled = all.clone();
    shuffled.shuffle(&mut random());
    for (what, nodes) in [("withdraw of all, free", &all), ("the same in random order", &shuffled)]
    {
        row(
            what,
            n.nodes(),
            time(&empty, |pool| {
                pool.withdraw(nodes, Outage::Failed, |lease| _ = black_box(lease))
                    .expect("its own nodes");
            }),
        );
    }
    rows
}

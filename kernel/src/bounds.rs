//! Pools in their worst known states, and in those that a random climb finds: no operation takes more
//! word operations than the documentation of [`subcube`](crate::subcube) and [`mesh`](crate::mesh) says.

use crate::bits::tally::during;
use crate::bits::{WORD_LOG2, Word, words_for};
use crate::cube::{Dim, Node, Subcube};
use crate::handle::PoolId;
use crate::mesh::{self, Leftover, MeshPool, Shape};
use crate::subcube::{
    self, Buddy, Complete, FreeList, FreeListPlain, GrayCode, Lease, Outage, Strategy,
};
extern crate std;
use std::collections::BTreeMap;
use std::time::{Duration, Instant};
use std::vec::Vec;

type Pool<T> = subcube::Pool<T, Vec<Word>>;
type Meshes<T> = MeshPool<T, Vec<Word>>;

/// A machine of n dimensions: n, nodes, words of a bit vector, what a search takes.
#[derive(Clone, Copy)]
struct Size {
    n: u64,
    nodes: u64,
    words: u64,
    search: u64,
}

fn size(dims: Dim) -> Size {
    let n = u64::from(dims.get());
    let search = 3u64.pow((n as u32).saturating_sub(WORD_LOG2)) << WORD_LOG2;
    Size { n, nodes: 1 << n, words: words_for(1 << n) as u64, search }
}

/// The bounds of a strategy: to take a subcube or to know why not, to give one back, to remove a node
/// or the nodes of a claim, and to know what is possible.
trait Bounded: Strategy {
    fn to_take(size: Size) -> u64;
    fn to_give(size: Size, cube: &Subcube) -> u64;
    fn to_remove(size: Size) -> u64;
    fn to_claim(size: Size, cube: &Subcube) -> u64 {
        u64::from(cube.len()) * 2 * Self::to_remove(size)
    }
    fn to_possible(size: Size) -> u64;
}

fn blocks(cube: &Subcube) -> u64 {
    u64::from(cube.len() >> cube.mask().trailing_ones())
}

fn words_of(cube: &Subcube) -> u64 {
    u64::from(cube.len() >> (cube.mask() & (Word::BITS - 1)).count_ones())
}

impl Bounded for Buddy {
    fn to_take(Size { n, .. }: Size) -> u64 {
        8 * n + 16
    }
    fn to_give(Size { n, .. }: Size, cube: &Subcube) -> u64 {
        blocks(cube) * (8 * n + 16)
    }
    fn to_remove(Size { n, .. }: Size) -> u64 {
        8 * n + 16
    }
    fn to_possible(Size { n, nodes, words, .. }: Size) -> u64 {
        2 * nodes + (n + 1) * words
    }
}

impl Bounded for GrayCode {
    fn to_take(Size { n, words, .. }: Size) -> u64 {
        20 * words + 16 * n + 24
    }
    fn to_give(Size { n, words, .. }: Size, cube: &Subcube) -> u64 {
        blocks(cube) * (4 * n + 4) + 2 * words
    }
    fn to_remove(Size { n, .. }: Size) -> u64 {
        4 * n + 4
    }
    fn to_possible(Size { n, nodes, words, .. }: Size) -> u64 {
        8 * nodes + 2 * (n + 1) * words
    }
}

fn merge(Size { n, .. }: Size) -> u64 {
    (n + 1) * (3 * n + 16)
}

fn cut(size: Size, cube: &Subcube) -> u64 {
    let Size { n, nodes, words, .. } = size;
    let halves = u64::from(cube.len()) * (n - u64::from(cube.dim().get()));
    (2 * n + 8) * words + 8 * nodes + (2 * halves + nodes) * (3 * n + 16)
}

impl Bounded for FreeListPlain {
    fn to_take(Size { n, .. }: Size) -> u64 {
        10 * n + 24
    }
    fn to_give(size: Size, _: &Subcube) -> u64 {
        merge(size) + 2 * (size.n + 1) * size.words
    }
    fn to_remove(size: Size) -> u64 {
        4 * size.nodes + size.n * merge(size)
    }
    fn to_claim(size: Size, cube: &Subcube) -> u64 {
        2 * size.nodes * (u64::from(cube.len()).min(size.words) + 2) + cut(size, cube)
    }
    fn to_possible(Size { n, words, search, .. }: Size) -> u64 {
        4 * search + (n + 1) * words
    }
}

impl Bounded for FreeList {
    fn to_take(size: Size) -> u64 {
        let most = |cube: &Subcube| cut(size, cube);
        let dims = Dim::new(size.n as u8).unwrap();
        let aligned = |dim: Dim| Subcube::from_parts(dims, 0, dim.nodes() - 1);
        let cut = dims.up_to().map(|dim| most(&aligned(dim))).max().unwrap();
        FreeListPlain::to_possible(size) + cut
    }
    fn to_give(size: Size, cube: &Subcube) -> u64 {
        FreeListPlain::to_give(size, cube)
    }
    fn to_remove(size: Size) -> u64 {
        FreeListPlain::to_remove(size)
    }
    fn to_claim(size: Size, cube: &Subcube) -> u64 {
        FreeListPlain::to_claim(size, cube)
    }
    fn to_possible(size: Size) -> u64 {
        FreeListPlain::to_possible(size)
    }
}

impl Bounded for Complete {
    fn to_take(Size { n, words, search, .. }: Size) -> u64 {
        (n / 6 + 1) * (10_000 + 100 * words) + 4 * search + (n + 1) * words
    }
    fn to_give(_: Size, cube: &Subcube) -> u64 {
        13 * words_of(cube) + 13
    }
    fn to_remove(_: Size) -> u64 {
        2
    }
    fn to_claim(size: Size, cube: &Subcube) -> u64 {
        u64::from(cube.len()) + Self::to_give(size, cube)
    }
    fn to_possible(Size { n, words, search, .. }: Size) -> u64 {
        4 * search + (n + 1) * words
    }
}

/// To change the service of so many nodes, if each takes that.
fn change(size: Size, named: usize, each: u64, possible: u64) -> u64 {
    let Size { nodes, words, .. } = size;
    named as u64 * (each + 8) + 10 * nodes + 5 * words + possible
}

#[derive(Clone)]
struct Random(u64);

impl Random {
    fn below(&mut self, end: u32) -> u32 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (((self.0 >> 33) * u64::from(end)) >> 31) as u32
    }
    fn shuffle<T>(&mut self, list: &mut [T]) {
        (1..list.len()).rev().for_each(|at| list.swap(at, self.below(at as u32 + 1) as usize));
    }
    fn cube(&mut self, dims: Dim) -> Subcube {
        let mask = self.below(dims.nodes());
        Subcube::new(dims, Node(self.below(dims.nodes()) & !mask), mask).unwrap()
    }
}

/// By operation: the most word operations, and the nearest to its bound in per cent.
#[derive(Clone, Default)]
struct Worst(BTreeMap<&'static str, (u64, u64)>);

impl Worst {
    fn hear(&mut self, what: &'static str, taken: u64, bound: u64) {
        assert!(taken <= bound, "{what}: {taken} word operations, {bound} allowed");
        self.note(what, (taken, taken * 100 / bound));
    }

    fn note(&mut self, what: &'static str, (taken, percent): (u64, u64)) {
        let most = self.0.entry(what).or_default();
        *most = (most.0.max(taken), most.1.max(percent));
    }

    fn print(&self, n: u8, of: &str) {
        let each =
            self.0.iter().map(|(what, (most, near))| std::format!("{what} {most} ({near} %)"));
        std::println!("{of}, n = {n}: {}", each.collect::<Vec<_>>().join(", "));
    }

    fn or(mut self, other: Self) -> Self {
        other.0.into_iter().for_each(|(what, found)| self.note(what, found));
        self
    }

    fn of(&self, what: &str) -> u64 {
        self.0.get(what).map_or(0, |most| most.0)
    }
}

fn nodes(dims: Dim) -> Vec<Node> {
    (0..dims.nodes()).map(Node).collect()
}

fn fresh<T: Strategy>(dims: Dim) -> Pool<T> {
    Pool::new(PoolId(1), dims, std::vec![0; subcube::words::<T>(dims.get())]).unwrap()
}

fn is_odd(node: Node) -> bool {
    node.0.count_ones() % 2 == 1
}

/// Lists of nodes that calls are made with.
fn named(dims: Dim, random: &mut Random) -> Vec<Vec<Node>> {
    let all = nodes(dims);
    let odd: Vec<_> = all.iter().copied().filter(|&node| is_odd(node)).collect();
    let mut shuffled = all.clone();
    random.shuffle(&mut shuffled);
    let singles = [0, random.below(dims.nodes()), dims.nodes() - 1].map(|it| std::vec![Node(it)]);
    let falling = |list: &[Node]| list.iter().rev().copied().collect();
    let lists = [all.clone(), falling(&all), odd.clone(), falling(&odd), shuffled];
    singles.into_iter().chain(lists).collect()
}

/// Tries every kind of operation on copies of a pool.
fn try_all<T: Bounded>(pool: &Pool<T>, random: &mut Random) -> Worst {
    let (dims, mut worst) = (pool.dims(), Worst::default());
    let size = size(dims);
    for dim in dims.up_to() {
        let taken = during(|| pool.clone().allocate(dim));
        worst.hear("allocate", taken, T::to_take(size) + 8);
        let taken = during(|| pool.clone().would_fit(dim));
        worst.hear("would_fit", taken, T::to_take(size) + 8);
    }
    let leases: Vec<Lease> = pool.leases().collect();
    let largest = leases.iter().max_by_key(|lease| lease.cube().len());
    for lease in leases.first().into_iter().chain(leases.last()).chain(largest) {
        let cube = lease.cube();
        let out = cube.nodes().filter(|&it| pool.state(it).unwrap().outage.is_some()).count();
        let bound = 8 + T::to_give(size, &cube) + words_of(&cube) + out as u64 * T::to_remove(size);
        worst.hear("release", during(|| pool.clone().release(*lease)), bound);
    }
    for named in named(dims, random) {
        let single = Subcube::from_parts(dims, 0, 0);
        let each = T::to_remove(size).max(T::to_give(size, &single));
        let bound = change(size, named.len(), each, T::to_possible(size));
        let taken = during(|| pool.clone().withdraw(&named, Outage::Failed, |_| ()));
        worst.hear("withdraw", taken, bound);
        worst.hear("repair", during(|| pool.clone().repair(&named)), bound);
        worst.hear("lease_at", during(|| pool.lease_at(named[0])), 4 * size.nodes);
    }
    let half = Subcube::new(dims, Node(0), dims.nodes() / 2 - 1);
    for cube in half.into_iter().chain([random.cube(dims), random.cube(dims)]) {
        let bound = 8 + T::to_claim(size, &cube);
        worst.hear("claim", during(|| pool.clone().claim(cube)), bound);
    }
    worst
}

/// The worst states that are known.
fn known<T: Strategy>(dims: Dim, random: &mut Random) -> Vec<Pool<T>> {
    let (all, empty) = (nodes(dims), fresh::<T>(dims));
    let claimed = |named: &dyn Fn(Node) -> bool| {
        let mut pool = empty.clone();
        let named: Vec<_> = all.iter().copied().filter(|&node| named(node)).collect();
        pool.claim_nodes(&named, |_| ()).unwrap();
        pool
    };
    let full = claimed(&|_| true);
    let mut leases: Vec<_> = full.leases().collect();
    let last = leases.pop().unwrap();
    random.shuffle(&mut leases);
    let mut one_left = full.clone();
    leases.iter().for_each(|&lease| one_left.release(lease).unwrap());
    // Pairs along the last dimension that do not join.
    let mut pairs = full.clone();
    for lease in full.leases() {
        let low = Node(lease.cube().base().0 & (dims.nodes() / 2 - 1));
        if !is_odd(low) {
            pairs.release(lease).unwrap();
        }
    }
    let mut out = one_left.clone();
    out.withdraw(&[last.cube().base()], Outage::Failed, |_| ()).unwrap();
    let mut whole = empty.clone();
    whole.allocate(dims).unwrap();
    let mut holed = whole.clone();
    holed.withdraw(&all[..1], Outage::Failed, |_| ()).unwrap();
    let mut down = empty.clone();
    down.withdraw(&all, Outage::Drained, |_| ()).unwrap();
    let mut last_serves = empty.clone();
    last_serves.withdraw(&all[..all.len() - 1], Outage::Drained, |_| ()).unwrap();
    let mut states = std::vec![empty.clone(), full, one_left, pairs, out, whole, holed, down];
    states.push(last_serves);
    for modulus in 2..=u32::from(dims.get()).max(2) {
        let counts = |node: Node| node.0.count_ones().is_multiple_of(modulus);
        let mut sieved = empty.clone();
        let out: Vec<_> = all.iter().copied().filter(|&node| counts(node)).collect();
        sieved.withdraw(&out, Outage::Failed, |_| ()).unwrap();
        states.extend([sieved, claimed(&counts), claimed(&|node| !counts(node))]);
    }
    let mut some = all.clone();
    random.shuffle(&mut some);
    some.truncate(all.len() * 6 / 10);
    states.push(claimed(&|node| some.contains(&node)));
    states
}

fn known_states_stay_in_bounds<T: Bounded>() {
    let mut random = Random(1);
    for n in [1, 3, 6, 8, 10] {
        let states = known::<T>(Dim::new(n).unwrap(), &mut random);
        let worst = states.iter().map(|pool| try_all(pool, &mut random)).reduce(Worst::or);
        worst.unwrap().print(n, T::NAME);
    }
}

#[test]
fn pools_in_known_states_stay_in_bounds() {
    known_states_stay_in_bounds::<Buddy>();
    known_states_stay_in_bounds::<GrayCode>();
    known_states_stay_in_bounds::<FreeList>();
    known_states_stay_in_bounds::<FreeListPlain>();
    known_states_stay_in_bounds::<Complete>();
}

/// A step of a climb: what users do to a pool.
fn step<T: Strategy>(pool: &mut Pool<T>, random: &mut Random) {
    let dims = pool.dims();
    let node = Node(random.below(dims.nodes()));
    match random.below(6) {
        0 => _ = pool.allocate(Dim::new(random.below(dims.get().into()) as u8).unwrap()),
        1 => _ = pool.claim(random.cube(dims)),
        2 => _ = pool.claim_nodes(&[node], |_| ()),
        3 => pool.withdraw(&[node], Outage::Failed, |_| ()).unwrap(),
        4 => pool.repair(&[node]).unwrap(),
        _ => _ = pool.lease_at(node).map(|lease| pool.release(lease)),
    }
}

/// How long a climb goes on from each start: `LOCOX_CLIMB` seconds, or two.
fn climb_time() -> Duration {
    let seconds = std::env::var("LOCOX_CLIMB").ok().and_then(|it| it.parse().ok());
    Duration::from_secs(seconds.unwrap_or(2))
}

/// From each known state up to what one operation takes longest in, each in its turn.
fn climb<T: Bounded>() {
    let mut random = Random(7);
    let mut targets = ["allocate", "withdraw", "release", "claim", "repair"].into_iter().cycle();
    for n in [6, 8, 10] {
        let dims = Dim::new(n).unwrap();
        let mut most = Worst::default();
        for mut pool in known::<T>(dims, &mut random).into_iter().step_by(3) {
            let (target, begun) = (targets.next().unwrap(), Instant::now());
            let mut worst = try_all(&pool, &mut random);
            while begun.elapsed() < climb_time() {
                let mut next = pool.clone();
                (0..=random.below(8)).for_each(|_| step(&mut next, &mut random));
                let found = try_all(&next, &mut random);
                if found.of(target) >= worst.of(target) {
                    (pool, worst) = (next, found.clone());
                }
                most = most.or(found);
            }
        }
        most.print(n, T::NAME);
    }
}

#[test]
#[ignore = "long: climbs for minutes"]
fn pools_in_states_that_a_climb_finds_stay_in_bounds() {
    climb::<Buddy>();
    climb::<GrayCode>();
    climb::<FreeList>();
    climb::<FreeListPlain>();
    climb::<Complete>();
}

/// Subcubes into which a mesh and its leftover fall, at most.
fn pieces(Size { n, .. }: Size) -> u64 {
    (n / 3 + 2).pow(3)
}

/// To look through all leftovers.
fn look(Size { n, nodes, words, search }: Size) -> u64 {
    13 * search + 70 * nodes + (n + 2) * words
}

fn try_meshes<T: Bounded>(pool: &Meshes<T>, random: &mut Random) -> Worst {
    let (dims, mut worst) = (pool.dims(), Worst::default());
    let size = size(dims);
    let Size { n, nodes, words, .. } = size;
    for dim in dims.up_to() {
        let sides = [dim.nodes(), dim.nodes() / 2 + 1, dim.nodes() / 4 * 3 + 1];
        for shape in sides.into_iter().filter_map(|side| Shape::line(side).ok()) {
            let bound = T::to_take(size) + 10 * n + 32 + 20 * pieces(size) + 2 * look(size);
            worst.hear("mesh allocate", during(|| pool.clone().allocate(shape)), bound);
            worst.hear("mesh would_fit", during(|| pool.clone().would_fit(shape)), bound);
        }
    }
    let leases: Vec<_> = pool.leases().collect();
    let whole = Subcube::whole(dims);
    let give = T::to_give(size, &whole).max(merge(size)) + 8;
    for lease in leases.iter().step_by(leases.len() / 8 + 1) {
        let held = u64::from(lease.cube().len());
        let single = T::to_give(size, &Subcube::from_parts(dims, 0, 0)).max(merge(size)) + 24;
        let bound = 24
            + give
            + (2 * pieces(size) + held) * (single + T::to_remove(size).max(4 * nodes))
            + (n + 1) * (2 * words + 10 * nodes);
        worst.hear("mesh release", during(|| pool.clone().release(*lease)), bound);
    }
    let each =
        T::to_remove(size).max(give).max(4 * nodes + n * merge(size)) + 12 * nodes + 3 * words;
    for named in named(dims, random) {
        let bound = change(size, named.len(), each, T::to_possible(size));
        let taken = during(|| pool.clone().withdraw(&named, Outage::Failed, |_| ()));
        worst.hear("mesh withdraw", taken, bound);
        worst.hear("mesh repair", during(|| pool.clone().repair(&named)), bound);
        worst.hear("mesh lease_at", during(|| pool.lease_at(named[0])), 8 * nodes + words);
    }
    worst
}

fn known_meshes<T: Strategy>(dims: Dim) -> Vec<Meshes<T>> {
    let storage = std::vec![0; mesh::words::<T>(dims.get())];
    let empty = Meshes::<T>::new(PoolId(1), dims, storage, Leftover::Reused).unwrap();
    let line = |nodes| Shape::line(nodes).unwrap();
    let fill = |pool: &mut Meshes<T>, shape| while pool.allocate(shape).is_ok() {};
    let mut singles = empty.clone();
    fill(&mut singles, line(1));
    let mut tenants = empty.clone();
    tenants.allocate(line(dims.nodes() / 2 + 1)).unwrap();
    fill(&mut tenants, line(1));
    let mut nested = empty.clone();
    dims.up_to().rev().for_each(|dim| _ = nested.allocate(line(dim.nodes() / 2 + 1)));
    let mut states = std::vec![empty.clone(), singles.clone(), tenants, nested];
    // In each leftover of eight nodes six are free, as three edges in three directions.
    let mut edges = empty.clone();
    fill(&mut edges, line(17));
    fill(&mut edges, line(1));
    let owners: Vec<_> = edges.leases().filter(|it| it.shape() == line(17)).collect();
    for leftover in owners.iter().filter_map(|it| it.mesh().leftover().next()) {
        let nodes: Vec<_> = leftover.nodes().collect();
        for node in [1, 5, 2, 3, 4, 6].into_iter().filter_map(|at| nodes.get(at)) {
            let lease = edges.lease_at(*node).unwrap();
            edges.release(lease).unwrap();
        }
    }
    states.push(edges);
    // Every second node free, the others single meshes or tenants.
    for mut pool in [states[1].clone(), states[2].clone()] {
        let odd: Vec<_> = pool.leases().filter(|it| is_odd(it.cube().base())).collect();
        odd.into_iter().filter(|it| it.shape() == line(1)).for_each(|it| pool.release(it).unwrap());
        let mut out = pool.clone();
        let free = |&node: &Node| is_odd(node) && pool.lease_at(node).is_none();
        let nodes: Vec<_> = nodes(dims).into_iter().filter(free).collect();
        out.withdraw(&nodes, Outage::Failed, |_| ()).unwrap();
        states.extend([pool, out]);
    }
    states
}

fn known_meshes_stay_in_bounds<T: Bounded>() {
    let mut random = Random(1);
    for n in [1, 3, 6, 8, 10] {
        let states = known_meshes::<T>(Dim::new(n).unwrap());
        let worst = states.iter().map(|pool| try_meshes(pool, &mut random)).reduce(Worst::or);
        worst.unwrap().print(n, &std::format!("meshes over {}", T::NAME));
    }
}

#[test]
fn meshes_in_known_states_stay_in_bounds() {
    known_meshes_stay_in_bounds::<Buddy>();
    known_meshes_stay_in_bounds::<GrayCode>();
    known_meshes_stay_in_bounds::<FreeList>();
    known_meshes_stay_in_bounds::<Complete>();
}

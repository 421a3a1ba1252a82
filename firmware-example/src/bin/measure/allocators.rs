//! The four strategies side by side on a cube of 1024 nodes.

use board::Counter;
use board::println;
use locox::bits::Word;
use locox::cube::Dim;
use locox::handle::PoolId;
use locox::subcube::{
    Allocator, Buddy, Complete, FreeList, GrayCode, Lease, Outage, Pool, Strategy, words,
};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg32;

pub(crate) const CUBE: Dim = Dim::new(10).unwrap();
pub(crate) const HALF: Dim = Dim::new(9).unwrap();
pub(crate) const WORDS: usize = {
    let needs =
        [words::<Buddy>(10), words::<GrayCode>(10), words::<FreeList>(10), words::<Complete>(10)];
    let mut most = 0;
    let mut at = 0;
    while at < needs.len() {
        most = if needs[at] > most { needs[at] } else { most };
        at += 1;
    }
    most
};

const ROWS: [&str; 12] = [
    "allocate a node of the empty machine",
    "release it",
    "allocate half of the empty machine",
    "release it",
    "a node fails in a lease",
    "repair it",
    "allocate under load, mean",
    "allocate under load, most",
    "refuse under load, mean",
    "refuse under load, most",
    "release under load, mean",
    "release under load, most",
];

/// A column of the table.
type Figures = [u64; ROWS.len()];

pub(crate) fn print(counter: &mut Counter) -> Option<()> {
    let mut words: [Word; WORDS] = [0; WORDS];
    let words = &mut words[..];
    let columns = [
        under::<Buddy>(words, counter)?,
        under::<GrayCode>(words, counter)?,
        under::<FreeList>(words, counter)?,
        under::<Complete>(words, counter)?,
    ];
    println!("Instructions, cube of {CUBE} dimensions");
    println!("{:38} {:>9} {:>9} {:>9} {:>9}", "", "buddy", "gray-code", "free-list", "complete");
    for (at, name) in ROWS.iter().enumerate() {
        row(name, columns.map(|column| column[at]));
    }
    Some(())
}

/// A line of a table with a column for each strategy.
pub(crate) fn row(name: &str, [buddy, gray_code, free_list, complete]: [u64; 4]) {
    println!("{name:38} {buddy:>9} {gray_code:>9} {free_list:>9} {complete:>9}");
}

fn under<T: Strategy>(words: &mut [Word], counter: &mut Counter) -> Option<Figures> {
    figures(&mut Pool::<T, _>::new(PoolId(0), CUBE, words).ok()?, counter)
}

fn figures(pool: &mut dyn Allocator, counter: &mut Counter) -> Option<Figures> {
    let (mut node, mut half) = (None, None);
    let allocate_node = counter.count(&mut || node = pool.allocate(Dim::ZERO).ok());
    let node = node?;
    let release_node = counter.count(&mut || ignore(pool.release(node)));
    let allocate_half = counter.count(&mut || half = pool.allocate(HALF).ok());
    let half = half?;
    let base = [half.cube().base()];
    let fail = counter.count(&mut || ignore(pool.withdraw(&base, Outage::Failed, &mut |_| ())));
    let repair = counter.count(&mut || ignore(pool.repair(&base)));
    let release_half = counter.count(&mut || ignore(pool.release(half)));
    let load = Load::run(pool, counter);
    Some([
        allocate_node,
        release_node,
        allocate_half,
        release_half,
        fail,
        repair,
        load.allocate.mean(),
        load.allocate.most,
        load.refuse.mean(),
        load.refuse.most,
        load.release.mean(),
        load.release.most,
    ])
}

/// For calls that cannot fail here: the lease is live, the node exists.
pub(crate) fn ignore<E>(_: Result<(), E>) {}

/// Counts of many operations of one kind.
#[derive(Default)]
struct Sample {
    sum: u64,
    number: u64,
    most: u64,
}

impl Sample {
    fn add(&mut self, count: u64) {
        self.sum += count;
        self.number += 1;
        self.most = self.most.max(count);
    }

    fn mean(&self) -> u64 {
        self.sum / self.number.max(1)
    }
}

/// 64 customers, each of which asks for 1 to 128 nodes (all sizes alike) or gives back what it
/// has; who comes next is drawn at random. One request in twelve or so is refused.
#[derive(Default)]
struct Load {
    allocate: Sample,
    refuse: Sample,
    release: Sample,
}

impl Load {
    fn run(pool: &mut dyn Allocator, counter: &mut Counter) -> Self {
        let mut load = Self::default();
        let mut customers: [Option<Lease>; 64] = [None; 64];
        let mut random = Pcg32::seed_from_u64(1);
        for _ in 0..4000 {
            let customer = &mut customers[random.random_range(0..64)];
            if let Some(lease) = customer.take() {
                load.release.add(counter.count(&mut || ignore(pool.release(lease))));
                continue;
            }
            let dim = Dim::new(random.random_range(0..=7)).unwrap_or_default();
            let count = counter.count(&mut || *customer = pool.allocate(dim).ok());
            let sample = if customer.is_some() { &mut load.allocate } else { &mut load.refuse };
            sample.add(count);
        }
        load
    }
}

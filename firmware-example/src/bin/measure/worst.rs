//! The worst known states of a cube of 1024 nodes, an operation each.

use crate::allocators::{CUBE, HALF, WORDS, ignore, row};
use board::Counter;
use board::println;
use locox::bits::Word;
use locox::cube::{Dim, Node, Subcube};
use locox::handle::PoolId;
use locox::subcube::{Allocator, Buddy, Complete, FreeList, GrayCode, Outage, Pool, Strategy};

const ROWS: [&str; 9] = [
    "lease_at the one free node of singles",
    "all fail, leased singly",
    "allocate half, all but one released",
    "all fail, free",
    "repair all",
    "release the whole, a node out",
    "one more fails, every fifth level out",
    "refuse 16, every fifth level out",
    "nothing changes, every fifth level out",
];

const NODES: usize = CUBE.nodes() as usize;
const LAST: [Node; 1] = [Node(CUBE.nodes() - 1)];

pub(crate) fn print(counter: &mut Counter) -> Option<()> {
    let mut words: [Word; WORDS] = [0; WORDS];
    let words = &mut words[..];
    let columns = [
        under::<Buddy>(words, counter)?,
        under::<GrayCode>(words, counter)?,
        under::<FreeList>(words, counter)?,
        under::<Complete>(words, counter)?,
    ];
    println!("\nInstructions, worst known states of a cube of {CUBE} dimensions");
    for (at, name) in ROWS.iter().enumerate() {
        row(name, columns.map(|column| column[at]));
    }
    Some(())
}

fn under<T: Strategy>(words: &mut [Word], counter: &mut Counter) -> Option<[u64; ROWS.len()]> {
    let mut fresh = |of: &mut dyn FnMut(&mut dyn Allocator)| {
        of(&mut Pool::<T, _>::new(PoolId(0), CUBE, &mut *words).ok()?);
        Some(())
    };
    let mut all = [Node(0); NODES];
    for (node, at) in all.iter_mut().zip(0..) {
        *node = Node(at);
    }
    let [mut lookup, mut singles, mut half, mut free, mut repair] = [0; 5];
    let [mut whole, mut more, mut refuse, mut nothing] = [0; 4];
    fresh(&mut |pool| {
        while pool.allocate(Dim::ZERO).is_ok() {}
        release(pool, LAST[0]);
        lookup = counter.count(&mut || _ = pool.lease_at(LAST[0]));
        ignore(pool.claim(cube(LAST[0])).map(|_| ()));
        singles = counter.count(&mut || ignore(pool.withdraw(&all, Outage::Failed, &mut |_| ())));
        ignore(pool.repair(&all));
        // An odd factor: every node once, in no order.
        (0..CUBE.nodes() - 1).for_each(|at| release(pool, Node((at * 389) & (CUBE.nodes() - 1))));
        half = counter.count(&mut || _ = pool.allocate(HALF));
    })?;
    fresh(&mut |pool| {
        free = counter.count(&mut || ignore(pool.withdraw(&all, Outage::Failed, &mut |_| ())));
        repair = counter.count(&mut || ignore(pool.repair(&all)));
    })?;
    fresh(&mut |pool| {
        _ = pool.allocate(CUBE);
        ignore(pool.withdraw(&LAST, Outage::Failed, &mut |_| ()));
        if let Some(lease) = pool.lease_at(Node(0)) {
            whole = counter.count(&mut || ignore(pool.release(lease)));
        }
    })?;
    fresh(&mut |pool| {
        all.iter().filter(|node| node.0.count_ones() % 5 == 0).for_each(|&node| {
            ignore(pool.withdraw(&[node], Outage::Failed, &mut |_| ()));
        });
        nothing =
            counter.count(&mut || ignore(pool.withdraw(&all[..1], Outage::Failed, &mut |_| ())));
        refuse = counter.count(&mut || _ = pool.would_fit(SIXTEEN));
        more =
            counter.count(&mut || ignore(pool.withdraw(&all[1..2], Outage::Failed, &mut |_| ())));
    })?;
    Some([lookup, singles, half, free, repair, whole, more, refuse, nothing])
}

const SIXTEEN: Dim = Dim::new(4).unwrap();

fn cube(node: Node) -> Subcube {
    Subcube::new(CUBE, node, 0).unwrap_or(Subcube::whole(CUBE))
}

fn release(pool: &mut dyn Allocator, node: Node) {
    if let Some(lease) = pool.lease_at(node) {
        ignore(pool.release(lease));
    }
}

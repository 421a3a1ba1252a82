//! A strategy of one's own, with no more than it must have.

use super::common::dim;
use locox::bits::{BitSet, Word, words_for};
use locox::cube::{Dim, Node, Subcube};
use locox::handle::PoolId;
use locox::subcube::{Outage, Pool, Refusal, Start, Starts, Strategy, Undecided, words};

/// The lowest free nodes one by one: sees no other subcubes. Asked whether larger ones are possible it gives up while
/// so many nodes are out, or more.
#[derive(Clone, Copy)]
struct Singles<const GIVES_UP_FROM: usize>(Dim);

/// More than there can be.
const NEVER: usize = usize::MAX;

impl<const GIVES_UP_FROM: usize> Singles<GIVES_UP_FROM> {
    const fn start(dims: Dim) -> Start<Self> {
        let nodes = dims.nodes() as usize;
        Start::new(Self(dims), words_for(nodes), [(0, nodes)])
    }

    fn map<S: AsRef<[Word]>>(&self, words: S) -> BitSet<S> {
        BitSet::from_words(words, self.0.nodes()).unwrap()
    }
}

impl<const GIVES_UP_FROM: usize> Strategy for Singles<GIVES_UP_FROM> {
    const NAME: &'static str = "singles";
    const STARTS: Starts<Self> = locox::starts!(Self::start);

    fn allocate(&mut self, words: &mut [Word], dim: Dim) -> Option<Subcube> {
        let first = self.map(&*words).iter().next().filter(|_| dim == Dim::ZERO)?;
        let single = Subcube::new(self.0, Node(first), 0)?;
        self.remove(words, &single, None);
        Some(single)
    }

    fn free(&mut self, words: &mut [Word], cube: Subcube) {
        cube.nodes().for_each(|node| _ = self.map(&mut *words).insert(node.0));
    }

    fn remove(&mut self, words: &mut [Word], cube: &Subcube, kept: Option<&[Word]>) -> u32 {
        let stays = |node: &Node| kept.is_some_and(|kept| self.map(kept).contains(node.0));
        let out = cube.nodes().filter(|node| !stays(node));
        out.filter(|node| self.map(&mut *words).remove(node.0).unwrap()).count() as u32
    }

    fn is_free(&self, words: &[Word], node: Node) -> bool {
        self.map(words).contains(node.0)
    }

    fn largest(&mut self, words: &mut [Word], _: Dim) -> Result<Option<Dim>, Undecided> {
        Ok(self.map(&*words).first().map(|_| Dim::ZERO))
    }

    fn count(&self, words: &mut [Word], totals: &mut [u64; Dim::COUNT]) {
        totals[0] += self.map(&*words).iter().count() as u64;
    }

    fn max_in_service(
        &self,
        _: &mut [Word],
        serving: &[Word],
        most: Dim,
    ) -> Result<Option<Dim>, Undecided> {
        let serving = self.map(serving);
        let out = self.0.nodes().wrapping_sub(serving.count()) as usize;
        let gives_up = most > Dim::ZERO && out >= GIVES_UP_FROM;
        if gives_up { Err(Undecided) } else { Ok(serving.first().map(|_| Dim::ZERO)) }
    }
}

fn fresh<const GIVES_UP_FROM: usize>(dims: u8) -> Pool<Singles<GIVES_UP_FROM>, Vec<Word>> {
    let storage = vec![0; words::<Singles<GIVES_UP_FROM>>(dims)];
    Pool::new(PoolId(1), dim(dims), storage).unwrap()
}

#[test]
fn a_pool_does_without_what_a_strategy_need_not_have() {
    let mut pool = fresh::<NEVER>(3);
    let leases = [0, 1, 2].map(|_| pool.allocate(Dim::ZERO).unwrap());
    pool.withdraw(&[Node(1), Node(5)], Outage::Failed, |_| ()).unwrap();
    pool.check_invariants().unwrap();
    assert_eq!(pool.would_fit(dim(1)), Err(Refusal::Faulty));
    for lease in leases {
        pool.release(lease).unwrap();
    }
    pool.check_invariants().unwrap();
    assert_eq!((pool.name(), pool.free(), pool.stats().largest), ("singles", 6, Some(Dim::ZERO)));
}

/// That it was known while fewer nodes were out does not count: the answer is that of a pool which hears of all at once.
#[test]
fn beyond_16_dimensions_what_is_possible_does_not_depend_on_the_order_of_outages() {
    for dims in [16, 17] {
        let mut pool = fresh::<2>(dims);
        pool.withdraw(&[Node(3)], Outage::Failed, |_| ()).unwrap();
        assert_eq!(pool.would_fit(dim(1)), Err(Refusal::Faulty));
        let lease = pool.allocate(Dim::ZERO).unwrap();
        pool.withdraw(&[Node(9)], Outage::Failed, |_| ()).unwrap();
        let largest = Dim::ZERO;
        let expected = if dims == 16 { Refusal::Faulty } else { Refusal::Fragmented { largest } };
        assert_eq!(pool.would_fit(dim(1)), Err(expected), "{dims}");
        pool.release(lease).unwrap();
        assert_eq!(pool.would_fit(dim(1)), Err(Refusal::Faulty), "no release would help");
    }
}

/// A fresh pool takes all for possible, which this strategy never says.
#[test]
fn up_to_16_dimensions_a_strategy_has_to_know_what_is_possible() {
    let broken = |dims| fresh::<0>(dims).check_invariants().unwrap_err().0;
    assert_eq!(broken(16), "what is possible is known");
    assert_eq!(broken(17), "the largest dimension possible");
}

/// What a strategy does wrong.
const FORGETS_TO_REMOVE: u8 = 1;
const SAYS_LESS: u8 = 2;
const SAYS_MORE: u8 = 3;
const SAYS_THE_LARGEST_OF_ALL: u8 = 4;

/// The first aligned block that is free; with a defect of the above.
#[derive(Clone, Copy)]
struct Blocks<const WRONG: u8>(Dim);

impl<const WRONG: u8> Blocks<WRONG> {
    const fn start(dims: Dim) -> Start<Self> {
        let nodes = dims.nodes() as usize;
        Start::new(Self(dims), words_for(nodes), [(0, nodes)])
    }

    fn map<S: AsRef<[Word]>>(&self, words: S) -> BitSet<S> {
        BitSet::from_words(words, self.0.nodes()).unwrap()
    }

    fn free_blocks(&self, words: &[Word], dim: Dim) -> impl Iterator<Item = Subcube> {
        let (dims, free) = (self.0, self.map(words));
        let bases = (0..dims.nodes()).step_by(dim.nodes() as usize).map(Node);
        let blocks = bases.map(move |base| Subcube::new(dims, base, dim.nodes() - 1).unwrap());
        blocks.filter(move |block| block.nodes().all(|node| free.contains(node.0)))
    }

    fn largest_of(&self, words: &[Word], most: Dim) -> Option<Dim> {
        most.up_to().rev().find(|&dim| self.free_blocks(words, dim).next().is_some())
    }
}

impl<const WRONG: u8> Strategy for Blocks<WRONG> {
    const NAME: &'static str = "blocks";
    const STARTS: Starts<Self> = locox::starts!(Self::start);

    fn allocate(&mut self, words: &mut [Word], dim: Dim) -> Option<Subcube> {
        let block = self.free_blocks(words, dim).next()?;
        let taken =
            if WRONG == FORGETS_TO_REMOVE { Subcube::new(self.0, block.base(), 0)? } else { block };
        self.remove(words, &taken, None);
        Some(block)
    }

    fn free(&mut self, words: &mut [Word], cube: Subcube) {
        cube.nodes().for_each(|node| _ = self.map(&mut *words).insert(node.0));
    }

    fn remove(&mut self, words: &mut [Word], cube: &Subcube, kept: Option<&[Word]>) -> u32 {
        let stays = |node: &Node| kept.is_some_and(|kept| self.map(kept).contains(node.0));
        let out = cube.nodes().filter(|node| !stays(node));
        out.filter(|node| self.map(&mut *words).remove(node.0).unwrap()).count() as u32
    }

    fn is_free(&self, words: &[Word], node: Node) -> bool {
        self.map(words).contains(node.0)
    }

    fn largest(&mut self, words: &mut [Word], most: Dim) -> Result<Option<Dim>, Undecided> {
        let right = self.largest_of(words, most);
        let below = |it: &Dim| *it < self.0;
        Ok(match WRONG {
            SAYS_LESS if most < self.0 => right.and_then(Dim::down),
            SAYS_MORE if right.is_some() => Some(most).filter(below).or(right),
            SAYS_THE_LARGEST_OF_ALL => self.largest_of(words, self.0),
            _ => right,
        })
    }

    fn count(&self, words: &mut [Word], totals: &mut [u64; Dim::COUNT]) {
        let dims = self.0.up_to().zip(totals);
        dims.for_each(|(dim, total)| *total += self.free_blocks(words, dim).count() as u64);
    }

    fn max_in_service(
        &self,
        _: &mut [Word],
        serving: &[Word],
        most: Dim,
    ) -> Result<Option<Dim>, Undecided> {
        Ok(self.largest_of(serving, most))
    }
}

fn pool_of<const WRONG: u8>() -> Pool<Blocks<WRONG>, Vec<Word>> {
    Pool::new(PoolId(1), dim(4), vec![0; words::<Blocks<WRONG>>(4)]).unwrap()
}

/// Whatever is free: of each dimension that is asked for, and not only of the machine's.
#[test]
fn a_strategy_whose_largest_is_not_the_largest_counted_is_found() {
    fn found<const WRONG: u8>() -> bool {
        let mut pool = pool_of::<WRONG>();
        // Two quarters are free, and counted right by all.
        _ = pool.allocate(dim(1)).unwrap();
        _ = pool.claim("1000".parse().unwrap()).unwrap();
        pool.check_invariants().is_err()
    }
    assert!(!found::<0>());
    assert!(found::<SAYS_LESS>() && found::<SAYS_MORE>() && found::<SAYS_THE_LARGEST_OF_ALL>());
}

/// The second lease begins inside the first.
#[test]
#[should_panic(expected = "the strategy grants a node twice")]
#[cfg(debug_assertions)]
fn a_node_that_is_granted_twice_panics_whatever_the_bases() {
    let mut pool = pool_of::<FORGETS_TO_REMOVE>();
    let first = pool.allocate(dim(2)).unwrap().cube();
    let second = pool.allocate(dim(0)).unwrap().cube();
    unreachable!("{first} and {second} are live");
}

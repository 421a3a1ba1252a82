//! What a strategy must do; a [`Pool`](super::Pool) does the rest.

use super::start::start;
use super::{Start, Undecided};
use crate::bits::{Word, bit};
use crate::cube::{Dim, Node, Subcube};

/// Keeps the free nodes of an n-cube and chooses which subcube a request gets.
///
/// A strategy is a small descriptor; its state lies in the pool's first words, which every call
/// passes. The pool checks requests, files leases and keeps outages: a strategy is never asked for
/// a dimension above n, never given nodes that are free, and never told to remove a node that is
/// not. So one of your own is short:
///
/// ```
/// use locox::bits::{BitSet, Word, words_for};
/// use locox::cube::{Dim, Node, Subcube};
/// use locox::handle::PoolId;
/// use locox::subcube::{Outage, Pool, Refusal, Start, Strategy, Undecided, words};
///
/// /// The first aligned block that is free, by a bit for each free node.
/// #[derive(Clone, Copy)]
/// struct FirstFit(Dim);
///
/// impl FirstFit {
///     const fn start(dims: Dim) -> Start<Self> {
///         let nodes = dims.nodes() as usize;
///         Start::new(FirstFit(dims), words_for(nodes), [(0, nodes)])
///     }
///     fn free<S: AsRef<[Word]>>(&self, words: S) -> BitSet<S> {
///         BitSet::from_words(words, self.0.nodes()).unwrap()
///     }
///     fn blocks(&self, words: &[Word], dim: Dim) -> impl Iterator<Item = Subcube> {
///         let free = self.free(words);
///         let bases = (0..self.0.nodes()).step_by(dim.nodes() as usize).map(Node);
///         let blocks = bases.map(move |base| Subcube::new(self.0, base, dim.nodes() - 1).unwrap());
///         blocks.filter(move |block| block.nodes().all(|node| free.contains(node.0)))
///     }
/// }
///
/// impl Strategy for FirstFit {
///     const NAME: &'static str = "first-fit";
///     const START: &'static [Start<Self>; Dim::COUNT] = locox::by_dimension!(Self::start);
///
///     fn take(&mut self, words: &mut [Word], dim: Dim) -> Option<Subcube> {
///         let block = self.blocks(words, dim).next()?;
///         block.nodes().for_each(|node| self.remove(words, node));
///         Some(block)
///     }
///     fn give(&mut self, words: &mut [Word], cube: Subcube) {
///         cube.nodes().for_each(|node| _ = self.free(&mut *words).insert(node.0));
///     }
///     fn remove(&mut self, words: &mut [Word], node: Node) {
///         self.free(words).remove(node.0).unwrap();
///     }
///     fn holds(&self, words: &[Word], node: Node) -> bool {
///         self.free(words).contains(node.0)
///     }
///     fn largest(&self, words: &mut [Word], below: Dim) -> Option<Dim> {
///         below.up_to().rev().find(|&dim| self.blocks(words, dim).next().is_some())
///     }
///     fn count(&self, words: &mut [Word], dim: Dim) -> u64 {
///         self.blocks(words, dim).count() as u64
///     }
///     fn possible(&self, _: &mut [Word], serving: &[Word]) -> Result<Option<Dim>, Undecided> {
///         Ok(self.0.up_to().rev().find(|&dim| self.blocks(serving, dim).next().is_some()))
///     }
/// }
///
/// // Leases, outages and refusals come with the pool.
/// let mut pool = Pool::<FirstFit, [Word; words::<FirstFit>(3)]>::new_static::<3>(PoolId(1));
/// let pair = pool.allocate(1.try_into().unwrap()).unwrap();
/// assert_eq!(pair.cube(), "00*".parse().unwrap());
/// pool.withdraw(&[Node(5)], Outage::Failed, |_| ()).unwrap();
/// let two = Refusal::Fragmented { largest: 1.try_into().unwrap() };
/// pool.allocate(1.try_into().unwrap()).unwrap();
/// assert_eq!(pool.would_fit(2.try_into().unwrap()), Err(Refusal::TooFewFree { free: 3 }));
/// assert_eq!(pool.would_fit(3.try_into().unwrap()), Err(Refusal::Faulty));
/// pool.release(pair).unwrap();
/// assert_eq!(pool.would_fit(2.try_into().unwrap()), Err(two));
/// pool.check_invariants().unwrap();
/// ```
pub trait Strategy: Copy + 'static {
    /// The name in tables and options.
    const NAME: &'static str;

    /// What it starts with, by the dimensions of the machine: see
    /// [`by_dimension!`](crate::by_dimension).
    const START: &'static [Start<Self>; Dim::COUNT];

    /// The row of that table for an n-cube, as a pool asks for it at run time. One that computes it
    /// by the function that the table is made of keeps the table, 2 to 3 KB, out of the program.
    fn start(dims: Dim) -> Start<Self> {
        *start(dims)
    }

    /// Whether, when every node that serves is free, it grants all that is
    /// [possible](Strategy::possible). If not, requests may be refused as fragmented although no
    /// lease is live.
    const RECOMBINES: bool = true;

    /// Chooses a free subcube of dimension `dim` and removes it from the free nodes.
    fn take(&mut self, words: &mut [Word], dim: Dim) -> Option<Subcube>;

    /// Adds the nodes of `cube`, any subcube of the machine, to the free ones.
    fn give(&mut self, words: &mut [Word], cube: Subcube);

    /// Adds the nodes of one of several cubes that come back together. A strategy may only mark them
    /// in the bit vector from word `map` on, where nothing else is marked, and join them at the end.
    fn give_piece(&mut self, words: &mut [Word], cube: Subcube, map: usize) {
        _ = map;
        self.give(words, cube);
    }

    /// No more of these cubes come. All lie in `block`, which has the nodes of whole words of the
    /// map or is the machine.
    fn join_pieces(&mut self, words: &mut [Word], block: &Subcube, map: usize) {
        _ = (words, block, map);
    }

    /// Removes one free node.
    fn remove(&mut self, words: &mut [Word], node: Node);

    /// Removes the nodes of `cube`, all of them free, for one lease.
    fn remove_cube(&mut self, words: &mut [Word], cube: &Subcube) {
        cube.nodes().for_each(|node| self.remove(words, node));
    }

    /// Removes the free nodes that the bit vector `serving` does not have; how many there were. All of
    /// them are among `named`, where a node may stand twice, and others that are not free.
    fn remove_out(&mut self, words: &mut [Word], named: &[Node], serving: &[Word]) -> u32 {
        named.iter().fold(0, |removed, &node| {
            let is_out = !bit(serving, 0, node.0) && self.holds(words, node);
            if is_out {
                self.remove(words, node);
            }
            removed.wrapping_add(u32::from(is_out))
        })
    }

    /// Whether `node` is free.
    fn holds(&self, words: &[Word], node: Node) -> bool;

    /// The first node of `cube` that is not free. Words may serve as scratch, nothing else changes.
    fn first_taken(&self, words: &mut [Word], cube: &Subcube) -> Option<Node> {
        cube.nodes().find(|&node| !self.holds(words, node))
    }

    /// The largest dimension that [`Strategy::take`] would grant, if that is at most `below`, and
    /// `below` otherwise. Words may serve as scratch, nothing else changes.
    fn largest(&self, words: &mut [Word], below: Dim) -> Option<Dim>;

    /// The same after a refusal. A strategy may remember it until something is given; its answers must
    /// not depend on it.
    fn settle(&mut self, words: &mut [Word], below: Dim) -> Option<Dim> {
        self.largest(words, below)
    }

    /// Whether [`Strategy::take`] would grant `dim`.
    fn fits(&self, words: &mut [Word], dim: Dim) -> bool {
        self.largest(words, dim) == Some(dim)
    }

    /// Whether a request of `dim` that [`Strategy::take`] does not grant cannot be granted; false if
    /// the strategy gave up before it knew.
    fn is_decided(&self, words: &mut [Word], dim: Dim) -> bool {
        _ = (words, dim);
        true
    }

    /// Free subcubes of dimension `dim` that the strategy recognises.
    fn count(&self, words: &mut [Word], dim: Dim) -> u64;

    /// Adds the same for each dimension of a machine of `dims` dimensions to `totals`.
    fn count_all(&self, words: &mut [Word], dims: Dim, totals: &mut [u64; Dim::COUNT]) {
        for (dim, total) in dims.up_to().zip(totals) {
            *total = total.saturating_add(self.count(words, dim));
        }
    }

    /// The largest dimension that could ever be granted while only the nodes of the bit vector
    /// `serving` do service. Words may serve as scratch, nothing else changes.
    ///
    /// # Errors
    ///
    /// [`Undecided`] if the strategy gave up before it knew; up to 16 dimensions it may not.
    fn possible(&self, words: &mut [Word], serving: &[Word]) -> Result<Option<Dim>, Undecided>;

    /// The same after a node was lost, or serves again if `change` says true; it was `before` that.
    ///
    /// # Errors
    ///
    /// As there.
    fn possible_after(
        &self,
        words: &mut [Word],
        serving: &[Word],
        before: Option<Dim>,
        change: (Node, bool),
    ) -> Result<Option<Dim>, Undecided> {
        _ = (before, change);
        self.possible(words, serving)
    }

    /// Whether all derived data is what it should be.
    fn check(&self, words: &[Word]) -> bool {
        _ = words;
        true
    }
}

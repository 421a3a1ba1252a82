//! What a strategy must do; a [`Pool`](super::Pool) does the rest.

use super::{LargestDim, Starts};
use crate::bits::Word;
use crate::cube::{Dim, Node, Subcube};

/// Keeps the free nodes of an n-cube and chooses which subcube a request gets.
///
/// A strategy is a small descriptor. Its state lies in the pool's first words, which every call
/// passes. The pool checks requests, files leases and keeps outages: a strategy is never asked for
/// a dimension above n, and never given nodes that are free. So one of your own is short:
///
/// ```
/// use locox::bits::{BitSet, Word, words_for};
/// use locox::cube::{Dim, Node, Subcube};
/// use locox::handle::PoolId;
/// use locox::subcube::{Outage, Pool, Refusal, Start, Starts, Strategy, Undecided, words};
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
///     fn map<S: AsRef<[Word]>>(&self, words: S) -> BitSet<S> {
///         BitSet::from_words(words, self.0.nodes()).unwrap()
///     }
///     fn blocks(&self, words: &[Word], dim: Dim) -> impl Iterator<Item = Subcube> {
///         let free = self.map(words);
///         let bases = (0..self.0.nodes()).step_by(dim.nodes() as usize).map(Node);
///         let blocks = bases.map(move |base| Subcube::new(self.0, base, dim.nodes() - 1).unwrap());
///         blocks.filter(move |block| block.nodes().all(|node| free.contains(node.0)))
///     }
///     fn largest_of(&self, words: &[Word], most: Dim) -> Option<Dim> {
///         most.up_to().rev().find(|&dim| self.blocks(words, dim).next().is_some())
///     }
/// }
///
/// impl Strategy for FirstFit {
///     const NAME: &'static str = "first-fit";
///     const STARTS: Starts<Self> = locox::starts!(Self::start);
///
///     fn allocate(&mut self, words: &mut [Word], dim: Dim) -> Option<Subcube> {
///         let block = self.blocks(words, dim).next()?;
///         self.remove(words, &block, None);
///         Some(block)
///     }
///     fn free(&mut self, words: &mut [Word], cube: Subcube) {
///         cube.nodes().for_each(|node| _ = self.map(&mut *words).insert(node.0));
///     }
///     fn remove(&mut self, words: &mut [Word], cube: &Subcube, kept: Option<&[Word]>) -> u32 {
///         let kept = |node: &Node| kept.is_some_and(|kept| self.map(kept).contains(node.0));
///         let out = cube.nodes().filter(|node| !kept(node));
///         out.filter(|node| self.map(&mut *words).remove(node.0).unwrap()).count() as u32
///     }
///     fn is_free(&self, words: &[Word], node: Node) -> bool {
///         self.map(words).contains(node.0)
///     }
///     fn largest(&mut self, words: &mut [Word], most: Dim) -> Result<Option<Dim>, Undecided> {
///         Ok(self.largest_of(words, most))
///     }
///     fn count(&self, words: &mut [Word], totals: &mut [u64; Dim::COUNT]) {
///         let dims = self.0.up_to().zip(totals);
///         dims.for_each(|(dim, total)| *total += self.blocks(words, dim).count() as u64);
///     }
///     fn max_in_service(
///         &self,
///         _: &mut [Word],
///         serving: &[Word],
///         most: Dim,
///     ) -> Result<Option<Dim>, Undecided> {
///         Ok(self.largest_of(serving, most))
///     }
/// }
///
/// // Leases, outages and refusals come with the pool.
/// let cube = Dim::new(3).unwrap();
/// let mut pool = Pool::<FirstFit, _>::new(PoolId(1), cube, [0; words::<FirstFit>(3)]).unwrap();
/// let pair = pool.allocate(1.try_into().unwrap()).unwrap();
/// assert_eq!(pair.cube(), "00*".parse().unwrap());
/// pool.withdraw(&[Node(5)], Outage::Failed, |_| ()).unwrap();
/// assert_eq!(pool.would_fit(3.try_into().unwrap()), Err(Refusal::Faulty));
/// pool.release(pair).unwrap();
/// pool.check_invariants().unwrap();
/// ```
pub trait Strategy: Copy + 'static {
    /// The name in tables and options.
    const NAME: &'static str;

    /// What it starts with, by the dimensions of the machine: see [`starts!`](crate::starts).
    const STARTS: Starts<Self>;

    /// Chooses a free subcube of dimension `dim` and removes it from the free nodes.
    fn allocate(&mut self, words: &mut [Word], dim: Dim) -> Option<Subcube>;

    /// Makes the nodes of `cube`, any subcube of the machine, free.
    fn free(&mut self, words: &mut [Word], cube: Subcube);

    /// Without `kept`: removes the nodes of `cube`, all of them free. With `kept`, a bit vector: the cube is
    /// the whole machine, of which some nodes are free, and those of them are removed that the bit vector
    /// does not have. How many were removed.
    fn remove(&mut self, words: &mut [Word], cube: &Subcube, kept: Option<&[Word]>) -> u32;

    /// Whether `node` is free.
    fn is_free(&self, words: &[Word], node: Node) -> bool;

    /// The first of these nodes that is not free. Words may serve as scratch.
    fn first_taken(
        &self,
        words: &mut [Word],
        nodes: impl Iterator<Item = Node> + Clone,
    ) -> Option<Node> {
        { nodes }.find(|&node| !self.is_free(words, node))
    }

    /// The largest dimension up to `most` that [`Strategy::allocate`] would grant. Words may serve as
    /// scratch. What is found may be remembered, if no answer depends on that.
    ///
    /// # Errors
    ///
    /// [`Undecided`](super::Undecided) if a search for `most` dimensions was given up before it knew.
    fn largest(&mut self, words: &mut [Word], most: Dim) -> LargestDim;

    /// Adds the free subcubes of each dimension that the strategy recognises to `totals`. Words may
    /// serve as scratch.
    fn count(&self, words: &mut [Word], totals: &mut [u64; Dim::COUNT]);

    /// The largest dimension up to `most` that could ever be granted while only the nodes of the bit
    /// vector `serving` do service. Words may serve as scratch.
    ///
    /// # Errors
    ///
    /// [`Undecided`](super::Undecided) if the strategy gave up before it knew; up to 16 dimensions it may not.
    fn max_in_service(&self, words: &mut [Word], serving: &[Word], most: Dim) -> LargestDim;

    /// Makes several cubes free that come back together, until `next` has no more of them. All lie in
    /// `block`, which has the nodes of whole words of a bit vector or is the machine. The bit vector
    /// from word `room` on is scratch.
    fn free_pieces(
        &mut self,
        words: &mut [Word],
        block: &Subcube,
        room: usize,
        next: &mut dyn FnMut(&mut [Word]) -> Option<Subcube>,
    ) {
        _ = (block, room);
        while let Some(cube) = next(words) {
            self.free(words, cube);
        }
    }

    /// Whether all derived data is what it should be.
    fn check(&self, words: &[Word]) -> bool {
        _ = words;
        true
    }
}

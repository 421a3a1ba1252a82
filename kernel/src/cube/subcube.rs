//! Subcube addresses: a string over 0, 1 and `*`.

use super::{Dim, Node};
use crate::bits::{WORD_LOG2, Word, deposit, extract, highest, load, locate, tally, word_mut};
use crate::image::{BadImage, Stored};
use core::fmt;
use core::str::FromStr;

/// A subcube of an n-cube: some coordinates fixed, the others free (`*`).
///
/// ```
/// use locox::cube::{Node, Subcube};
/// let cube: Subcube = "10*1".parse().unwrap();
/// assert_eq!(cube.dim().get(), 1);
/// assert!(cube.nodes().eq([Node(0b1001), Node(0b1011)]));
/// assert_eq!(cube.distance(&"0***".parse().unwrap()), 1);
/// ```
///
/// # Invariants
///
/// - `base` has zeros at the free coordinates, `mask` has ones there and nowhere else.
/// - Both lie below 2^n.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "Parts", into = "Parts"))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Subcube {
    base: u32,
    mask: u32,
    dims: Dim,
}

impl Subcube {
    /// The subcube of an n-cube (n = `dims`) that contains `node` and whose free coordinates are
    /// the ones of `mask`; `None` if either lies outside the n-cube.
    pub const fn new(dims: Dim, node: Node, mask: u32) -> Option<Self> {
        if (node.0 | mask) >= dims.nodes() {
            return None;
        }
        Some(Self { base: node.0 & !mask, mask, dims })
    }

    /// The n-cube itself.
    pub const fn whole(dims: Dim) -> Self {
        Self { base: 0, mask: dims.nodes() - 1, dims }
    }

    /// For callers that keep base and mask inside the n-cube and apart.
    pub const fn from_parts(dims: Dim, base: u32, mask: u32) -> Self {
        Self { base, mask, dims }
    }

    /// Its node with the smallest address.
    pub const fn base(&self) -> Node {
        Node(self.base)
    }

    /// Ones at the free coordinates.
    pub const fn mask(&self) -> u32 {
        self.mask
    }

    /// Its own dimension: the number of free coordinates.
    pub const fn dim(&self) -> Dim {
        Dim::of_mask(self.mask)
    }

    /// The dimensions n of the cube that it lies in.
    pub const fn dims(&self) -> Dim {
        self.dims
    }

    /// The number of its nodes.
    pub const fn len(&self) -> u32 {
        self.dim().nodes()
    }

    /// Never: a subcube has at least one node.
    pub const fn is_empty(&self) -> bool {
        false
    }

    /// Its nodes in rising order.
    pub const fn nodes(&self) -> Nodes {
        Nodes { base: self.base, mask: self.mask, next: Some(0) }
    }

    /// Whether `node` lies in it.
    pub const fn contains(&self, node: Node) -> bool {
        (node.0 ^ self.base) & !self.mask == 0
    }

    /// Whether all of `other` lies in it. Subcubes of different n-cubes never contain each other.
    pub fn contains_cube(&self, other: &Self) -> bool {
        self.dims == other.dims && other.mask & !self.mask == 0 && self.contains(other.base())
    }

    /// The common nodes, which are a subcube again; `None` if there are none.
    pub fn intersection(&self, other: &Self) -> Option<Self> {
        if self.dims != other.dims || self.distance(other) != 0 {
            return None;
        }
        let mask = self.mask & other.mask;
        Some(Self { base: (self.base | other.base) & !mask, mask, dims: self.dims })
    }

    /// The number of coordinates where one has 0 and the other 1: hops between the nearest nodes.
    pub const fn distance(&self, other: &Self) -> u32 {
        ((self.base ^ other.base) & !(self.mask | other.mask)).count_ones()
    }

    /// The subcube with the fixed coordinate `along` flipped; `None` if that one is free or lies
    /// outside the n-cube.
    pub fn complement(&self, along: Dim) -> Option<Self> {
        let bit = along.nodes();
        if along >= self.dims || self.mask & bit != 0 {
            return None;
        }
        Some(Self { base: self.base ^ bit, ..*self })
    }

    /// The two halves, 0 and 1, at the free coordinate `along`; `None` if that one is fixed.
    pub const fn halves(&self, along: Dim) -> Option<(Self, Self)> {
        let bit = along.nodes();
        if self.mask & bit == 0 {
            return None;
        }
        let mask = self.mask & !bit;
        let dims = self.dims;
        Some((Self { base: self.base, mask, dims }, Self { base: self.base | bit, mask, dims }))
    }

    /// The subcube that two complementary subcubes make together; `None` if they are not
    /// complements of each other.
    pub fn joined(&self, other: &Self) -> Option<Self> {
        let differing = self.base ^ other.base;
        if self.dims != other.dims || self.mask != other.mask || differing.count_ones() != 1 {
            return None;
        }
        Some(Self { base: self.base & !differing, mask: self.mask | differing, dims: self.dims })
    }

    /// Where it lies in a bit vector over the n-cube: the bits of its nodes in a word, the same in
    /// each that has any, and the first node of each of these words.
    pub(crate) fn words(&self) -> (Word, Nodes) {
        let inside = Word::BITS - 1;
        (
            word_pattern(self.base, self.mask),
            Nodes { base: self.base & !inside, mask: self.mask & !inside, next: Some(0) },
        )
    }

    /// Sets or clears the bits of its nodes in the bit vector from word `start` on.
    pub fn fill(&self, words: &mut [Word], start: usize, value: bool) {
        let (pattern, firsts) = self.words();
        for first in firsts {
            tally::add(1);
            if let Some(word) = word_mut(words, start.wrapping_add(first.word())) {
                *word = if value { *word | pattern } else { *word & !pattern };
            }
        }
    }

    /// Its nodes whose bits are set in the bit vector from word `start` on, in rising order. Bits are
    /// read as zeros where `flip` has ones and the other way round.
    pub(crate) fn marked(&self, start: usize, flip: Word) -> Marked {
        let (pattern, firsts) = self.words();
        Marked { pattern, firsts, start, flip, first: 0, left: 0 }
    }

    /// Visits the same.
    pub(crate) fn visit_marked(
        &self,
        words: &mut [Word],
        start: usize,
        flip: Word,
        visit: &mut dyn FnMut(&mut [Word], Node),
    ) {
        let mut marked = self.marked(start, flip);
        while let Some(node) = marked.next(words) {
            visit(words, node);
        }
    }

    /// This subcube, which lies in `outer`, as one of a cube of just the dimension of `outer`.
    pub(crate) fn seen_from(&self, outer: &Self) -> Self {
        let inside = |bits| extract(bits, outer.mask);
        Self { base: inside(self.base), mask: inside(self.mask), dims: outer.dim() }
    }

    /// The subcube of the whole machine that is this one inside `outer`.
    pub fn placed_in(&self, outer: &Self) -> Self {
        let placed = |bits| deposit(bits, outer.mask);
        let base = outer.base | placed(self.base);
        Self { base, mask: placed(self.mask), dims: outer.dims }
    }

    /// The smallest run of consecutive nodes around it that fills whole words of a bit vector over the
    /// n-cube, or the n-cube.
    pub(crate) fn block_around(&self) -> Self {
        let span = highest(self.mask | (Word::BITS - 1)).wrapping_shl(1);
        let mask = span.wrapping_sub(1) & self.dims.nodes().wrapping_sub(1);
        Self { base: self.base & !mask, mask, dims: self.dims }
    }

    /// Its nodes as runs of consecutive addresses, each a block of 2^k nodes from a multiple of
    /// 2^k on: k, the number of free coordinates at the low end, and the first node of each.
    pub const fn aligned_blocks(&self) -> (Dim, Nodes) {
        let low_mask = (1u32 << self.mask.trailing_ones()) - 1;
        let firsts = Nodes { base: self.base, mask: self.mask & !low_mask, next: Some(0) };
        (Dim::of_mask(low_mask), firsts)
    }
}

/// Nodes of a subcube whose bits are set, in rising order. Words may change between two of them: those
/// to come are read then.
#[derive(Clone, Debug)]
pub(crate) struct Marked {
    pattern: Word,
    firsts: Nodes,
    start: usize,
    flip: Word,
    /// The first node of the word at hand, and the bits of it that are to come.
    first: u32,
    left: Word,
}

impl Marked {
    pub(crate) fn next(&mut self, words: &[Word]) -> Option<Node> {
        while self.left == 0 {
            self.first = self.firsts.next()?.0;
            let word = load(words, self.start.wrapping_add(Node(self.first).word()));
            self.left = (word ^ self.flip) & self.pattern;
        }
        let bit = self.left.trailing_zeros();
        self.left &= self.left.wrapping_sub(1);
        Some(Node(self.first | bit))
    }
}

/// The nodes of a subcube in rising order.
#[derive(Clone, Debug)]
pub struct Nodes {
    base: u32,
    mask: u32,
    /// The free coordinates of the next node.
    next: Option<u32>,
}

/// The nodes of a subcube in its first word of a bit vector.
pub(crate) fn word_pattern(base: u32, mask: u32) -> Word {
    let (_, mut pattern) = locate((base & (Word::BITS - 1)) as usize);
    // Without a branch that depends on the mask: none can be foreseen.
    for dim in 0..WORD_LOG2 {
        let is_free = (mask >> dim & 1) as Word;
        pattern |= pattern.wrapping_shl(1 << dim) & is_free.wrapping_neg();
    }
    pattern
}

/// The next larger set of ones of `mask` as a number; 0 after the last.
const fn next_subset(subset: u32, mask: u32) -> u32 {
    // Counting in the bits of the mask: the others are filled with ones, so that the carry passes.
    (subset | !mask).wrapping_add(1) & mask
}

crate::lemma::lemmas! {
    /// The next subset is the next larger one, so that all are met from 0 on.
    subsets_are_counted_in_order(mask: u32, subset: u32, other: u32)
        if subset & !mask == 0 && other & !mask == 0 && other > subset =>
        next_subset(subset, mask) > subset && next_subset(subset, mask) <= other;
    /// The bits of the nodes of a subcube in a word are those that differ from its base inside the mask.
    a_pattern_has_the_nodes_of_a_subcube(base: u32, mask: u32, at: u32 = 0..64)
        if base & mask == 0 && at < Word::BITS =>
        (word_pattern(base, mask) >> at & 1 == 1)
            == ((at ^ base) & !mask & (Word::BITS - 1) == 0);
    /// After the last comes 0.
    after_the_last_subset_comes_none(mask: u32) => next_subset(mask, mask) == 0;
}

impl Iterator for Nodes {
    type Item = Node;

    fn next(&mut self) -> Option<Node> {
        let free = self.next?;
        let after = next_subset(free, self.mask);
        self.next = (after != 0).then_some(after);
        Some(Node(self.base | free))
    }
}

impl fmt::Display for Subcube {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use fmt::Write;
        for dim in (0..self.dims.get()).rev() {
            let bit = 1 << dim;
            f.write_char(match (self.mask & bit != 0, self.base & bit != 0) {
                (true, _) => '*',
                (false, true) => '1',
                (false, false) => '0',
            })?;
        }
        Ok(())
    }
}

crate::display::errors! {
    /// Text that is not a subcube address.
    pub enum ParseSubcubeError {
        /// More coordinates than [`Dim::MAX`].
        TooLong => "a subcube address has at most {} characters" (Dim::MAX),
        /// The character at this position (counted from 0) is none of `0`, `1` and `*`.
        BadCharacter { at: u8 } => "character {at} of a subcube address is none of 0, 1 and *",
    }
}

impl FromStr for Subcube {
    type Err = ParseSubcubeError;

    fn from_str(text: &str) -> Result<Self, ParseSubcubeError> {
        let (mut base, mut mask) = (0u32, 0u32);
        let mut dims = Dim::ZERO;
        for (at, character) in text.chars().enumerate() {
            dims = dims.up().ok_or(ParseSubcubeError::TooLong)?;
            let (fixed, free) = match character {
                '0' => (0, 0),
                '1' => (1, 0),
                '*' => (0, 1),
                _ => return Err(ParseSubcubeError::BadCharacter { at: at as u8 }),
            };
            base = base << 1 | fixed;
            mask = mask << 1 | free;
        }
        Ok(Self { base, mask, dims })
    }
}

impl Stored for Subcube {
    fn store(&self, put: &mut impl FnMut(u32)) {
        put(self.dims.get().into());
        put(self.base);
        put(self.mask);
    }

    fn load(take: &mut impl FnMut() -> Result<u32, BadImage>) -> Result<Self, BadImage> {
        let (dims, base, mask) = (take()?, take()?, take()?);
        let dims = u8::try_from(dims).ok().and_then(Dim::new);
        let cube = dims.and_then(|dims| Self::new(dims, Node(base), mask));
        let cube = cube.filter(|cube| cube.base == base);
        cube.ok_or(BadImage::Contradiction("a subcube lies in its cube"))
    }
}

/// What is serialised of a [`Subcube`]; checked on the way in.
#[cfg(feature = "serde")]
#[derive(serde::Serialize, serde::Deserialize)]
struct Parts {
    dims: Dim,
    base: u32,
    mask: u32,
}

#[cfg(feature = "serde")]
impl From<Subcube> for Parts {
    fn from(cube: Subcube) -> Self {
        Self { dims: cube.dims, base: cube.base, mask: cube.mask }
    }
}

#[cfg(feature = "serde")]
impl TryFrom<Parts> for Subcube {
    type Error = &'static str;

    fn try_from(parts: Parts) -> Result<Self, Self::Error> {
        Self::new(parts.dims, Node(parts.base), parts.mask)
            .filter(|cube| cube.base == parts.base)
            .ok_or("a subcube has its base inside the cube and zero at the free coordinates")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    extern crate std;
    use std::string::ToString;
    use std::vec::Vec;

    fn all(dims: u8) -> impl Iterator<Item = Subcube> {
        let dims = Dim::new(dims).unwrap();
        (0..dims.nodes()).flat_map(move |mask| {
            (0..dims.nodes())
                .filter(move |base| base & mask == 0)
                .map(move |base| Subcube::new(dims, Node(base), mask).unwrap())
        })
    }

    #[test]
    fn an_n_cube_has_three_to_the_n_subcubes_and_each_reads_as_it_prints() {
        assert_eq!(all(4).count(), 81);
        for cube in all(4) {
            assert_eq!(cube.to_string().parse(), Ok(cube));
        }
    }

    #[test]
    fn relations_agree_with_sets_of_nodes() {
        for a in all(4) {
            let nodes: Vec<_> = a.nodes().collect();
            assert_eq!(nodes.len() as u32, a.len());
            assert!(nodes.is_sorted() && !a.is_empty());
            assert!((0..16).map(Node).all(|node| a.contains(node) == nodes.contains(&node)));
            for b in all(4) {
                let common: Vec<_> = b.nodes().filter(|&node| a.contains(node)).collect();
                assert_eq!(a.contains_cube(&b), common.len() as u32 == b.len());
                match a.intersection(&b) {
                    Some(cube) => assert!(cube.nodes().eq(common)),
                    None => assert!(common.is_empty()),
                }
                let hops = nodes.iter().flat_map(|&x| b.nodes().map(move |y| x.distance(y))).min();
                assert_eq!(Some(a.distance(&b)), hops);
            }
        }
    }

    #[test]
    fn halves_are_complements_and_join_again() {
        for cube in all(4) {
            for along in (0..6).map(|dim| Dim::new(dim).unwrap()) {
                let Some((low, high)) = cube.halves(along) else {
                    assert!(along.get() >= 4 || cube.mask() & along.nodes() == 0);
                    continue;
                };
                assert_eq!(low.complement(along), Some(high));
                assert_eq!(high.complement(along), Some(low));
                assert_eq!(low.joined(&high), Some(cube));
                assert_eq!(cube.complement(along), None);
            }
        }
    }

    #[test]
    fn only_complements_of_one_cube_join() {
        for (a, b) in all(3).flat_map(|a| all(3).map(move |b| (a, b))) {
            let complements = (0..3).any(|dim| a.complement(Dim::new(dim).unwrap()) == Some(b));
            assert_eq!(a.joined(&b).is_some(), complements, "{a} and {b}");
        }
        let cube = |text: &str| text.parse::<Subcube>().unwrap();
        assert_eq!(cube("0*").joined(&cube("01*")), None);
    }

    #[test]
    fn filling_twice_is_filling_once() {
        let cube: Subcube = "1*0*0*10".parse().unwrap();
        let mut words = [0; 256 / Word::BITS as usize];
        cube.fill(&mut words, 0, true);
        let once = words;
        cube.fill(&mut words, 0, true);
        assert_eq!(words, once);
    }

    #[test]
    fn the_block_around_a_cube_is_the_smallest_run_of_whole_words() {
        let small = all(3).map(|cube| (cube, cube.dims().nodes()));
        let dims = Dim::new(8).unwrap();
        let large = (0..256u32).map(|mask| {
            let nodes = if mask < Word::BITS { Word::BITS } else { 2 << mask.ilog2() };
            (Subcube::new(dims, Node(0b1010_0101), mask).unwrap(), nodes)
        });
        for (cube, nodes) in small.chain(large) {
            let block = cube.block_around();
            assert_eq!((block.len(), block.mask() + 1), (nodes, nodes));
            assert!(block.contains_cube(&cube));
        }
    }

    #[test]
    fn aligned_blocks_cover_the_cube_in_order() {
        for cube in all(5) {
            let (dim, firsts) = cube.aligned_blocks();
            let size = dim.nodes();
            let covered = firsts.flat_map(|first| {
                assert_eq!(first.0 % size, 0);
                (first.0..first.0 + size).map(Node)
            });
            assert!(covered.eq(cube.nodes()));
        }
    }

    #[test]
    fn bad_text_is_refused_with_its_place() {
        assert_eq!("10x1".parse::<Subcube>(), Err(ParseSubcubeError::BadCharacter { at: 2 }));
        assert_eq!("*".repeat(25).parse::<Subcube>(), Err(ParseSubcubeError::TooLong));
        assert_eq!("".parse(), Ok(Subcube::whole(Dim::ZERO)));
        assert_eq!(Subcube::new(Dim::new(3).unwrap(), Node(8), 0), None);
        assert_eq!(Subcube::new(Dim::new(3).unwrap(), Node(0), 8), None);
    }

    #[cfg(feature = "serde")]
    #[test]
    fn parts_that_are_no_subcube_are_refused() {
        let whole: Subcube = "10*1".parse().unwrap();
        assert_eq!(Subcube::try_from(Parts::from(whole)), Ok(whole));
        assert!(Subcube::try_from(Parts { base: 0b1011, ..Parts::from(whole) }).is_err());
        assert!(Subcube::try_from(Parts { mask: 0b1_0010, ..Parts::from(whole) }).is_err());
    }
}

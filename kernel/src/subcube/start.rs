//! What a strategy starts with, known when a program is compiled.

use crate::bits::{Summary, Word};
use crate::cube::Dim;

/// A strategy on an n-cube whose nodes are all free: its descriptor, the words that it needs, and
/// which bits of these are not zero.
#[derive(Clone, Copy, Debug)]
pub struct Start<T> {
    /// The descriptor.
    pub strategy: T,
    /// The words that it needs.
    pub words: usize,
    ones: [Run; MOST_RUNS],
    member: Option<(Summary, usize)>,
}

/// The first bit of a run of ones, counted from the pool's first word, and its length.
type Run = (usize, usize);

/// As many as the free list needs: the bit of its one cube, and that cube's mask.
const MOST_RUNS: usize = 2;

impl<T: Copy> Start<T> {
    /// The descriptor `strategy`, which keeps its state in the pool's first `words` words. These
    /// are zeros but for the runs of ones: first bit and length of each, two at most.
    pub const fn new<const N: usize>(strategy: T, words: usize, ones: [(usize, usize); N]) -> Self {
        const { assert!(N <= MOST_RUNS, "a strategy starts with two runs of ones at most") };
        let mut runs = [(0, 0); MOST_RUNS];
        if let Some(first) = runs.first_chunk_mut::<N>() {
            *first = ones;
        }
        Self { strategy, words, ones: runs, member: None }
    }

    /// The same with a member in a set that is empty without it.
    pub(super) const fn with_member(self, set: Summary, member: usize) -> Self {
        Self { member: Some((set, member)), ..self }
    }

    /// Sets the ones in zeroed words.
    pub const fn set_ones(&self, words: &mut [Word]) {
        // One by one: what is not indexed need not lie in memory, and is not copied there.
        let [a, b] = self.ones;
        crate::bits::fill(words, a.0, a.1, true);
        crate::bits::fill(words, b.0, b.1, true);
        if let Some((set, member)) = self.member {
            set.insert(words, member);
        }
    }
}

/// How a strategy starts on machines of all sizes, made by [`starts!`](crate::starts).
///
/// Constants need a table: it tells the compiler the length of a storage. A pool that starts at run time
/// calls the function that made the table, so that no program holds the 2 to 3 KB of it.
pub struct Starts<T> {
    table: [Start<T>; Dim::COUNT],
    /// The row of any machine, computed.
    pub(crate) compute: fn(Dim) -> Start<T>,
    recombines: bool,
}

impl<T: Copy> Starts<T> {
    /// A table by dimension, and the function that it was made by.
    pub const fn new(table: [Start<T>; Dim::COUNT], compute: fn(Dim) -> Start<T>) -> Self {
        Self { table, compute, recombines: true }
    }

    /// The table of a strategy that may keep free nodes in pieces although no lease is live, and
    /// refuse requests as fragmented then.
    pub const fn without_recombining(self) -> Self {
        Self { recombines: false, ..self }
    }

    /// Whether the strategy grants all that is possible when every node that serves is free.
    pub const fn recombines(&self) -> bool {
        self.recombines
    }

    /// The row of an n-cube.
    pub(crate) const fn row(&self, dims: Dim) -> Start<T> {
        let [first, ..] = self.table;
        match self.table.as_slice().split_at_checked(dims.get() as usize) {
            Some((_, [row, ..])) => *row,
            _ => first,
        }
    }
}

/// A strategy's [`Starts`](crate::subcube::Starts) out of a `const fn(Dim) -> Start<Self>`.
#[macro_export]
macro_rules! starts {
    ($start:expr) => {{
        let mut table = [$start($crate::cube::Dim::ZERO); $crate::cube::Dim::COUNT];
        let mut at = 0;
        while at < table.len() {
            if let Some(dims) = $crate::cube::Dim::new(at as u8) {
                table[at] = $start(dims);
            }
            at += 1;
        }
        $crate::subcube::Starts::new(table, $start)
    }};
}

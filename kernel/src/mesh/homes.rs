//! Whose leftover the pieces of a machine lie in.

use crate::bits::{Lanes, WORD_LOG2, Word, load, locate, low_mask, ones, word_mut, words_for};
use crate::cube::{Dim, Node, Subcube};
use crate::subcube::cube_lists::Labels;
use crate::subcube::lease::{per_node, words_per_node};

/// For each base of a free cube of the auxiliary list, and of a live mesh: the leftover that it
/// lies in directly, named by the leftover's base.
///
/// - 0 stands for none. No leftover has base 0: the base of a mesh's subcube is a node of the
///   mesh, and node 0 could only be that base.
/// - A base names one leftover: the base of an inner one is never that of an outer one, because
///   between them lies a mesh that keeps the base of its subcube for itself.
/// - The bit vector has a one at each base whose entry is not 0.
#[derive(Clone, Copy, Debug)]
pub(super) struct Homes {
    table: Lanes,
    bases: usize,
}

/// No leftover at all.
pub(super) const NONE: u32 = 0;

impl Homes {
    pub(super) const fn words(dims: Dim) -> usize {
        words_per_node(dims) + words_for(dims.nodes() as usize)
    }

    /// In zeroed words from `start` on.
    pub(super) const fn new(dims: Dim, start: usize) -> Self {
        Self { table: per_node(dims, start), bases: start + words_per_node(dims) }
    }

    fn mark(self, words: &mut [Word], base: u32, present: bool) {
        let (at, mask) = locate(base as usize);
        if let Some(word) = word_mut(words, self.bases.wrapping_add(at)) {
            *word = if present { *word | mask } else { *word & !mask };
        }
    }

    /// Calls `visit` with the bases of the pieces that lie directly in `leftover`. It may give
    /// them, and no other pieces of this leftover, another home.
    pub(super) fn for_each_in(
        self,
        words: &mut [Word],
        leftover: Subcube,
        mut visit: impl FnMut(&mut [Word], Node),
    ) {
        let inside = low_mask(WORD_LOG2) as u32;
        let pattern = pattern(leftover, inside);
        let (base, mask) = (leftover.base().0 & !inside, leftover.mask() & !inside);
        for first in Subcube::from_parts(leftover.dims(), base, mask).nodes() {
            let at = self.bases.wrapping_add((first.0 >> WORD_LOG2) as usize);
            for bit in ones(load(words, at) & pattern) {
                let base = first.0 | bit;
                if self.get(words, base) == leftover.base().0 {
                    visit(words, Node(base));
                }
            }
        }
    }
}

/// The nodes of a subcube in each word that it has nodes in.
fn pattern(cube: Subcube, inside: u32) -> Word {
    let (_, first) = locate((cube.base().0 & inside) as usize);
    (0..WORD_LOG2).filter(|dim| cube.mask() >> dim & 1 == 1).fold(first, |nodes, dim| {
        let distance = 1u32.wrapping_shl(dim);
        nodes | nodes.wrapping_shl(distance)
    })
}

impl Labels for Homes {
    fn get(self, words: &[Word], base: u32) -> u32 {
        self.table.get(words, base)
    }

    fn set(self, words: &mut [Word], base: u32, home: u32) {
        self.table.set(words, base, home);
        self.mark(words, base, home != NONE);
    }

    fn clear(self, words: &mut [Word], base: u32) {
        self.mark(words, base, false);
    }
}

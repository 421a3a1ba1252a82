//! The pieces that a leftover has come to: free subcubes, and meshes that lie in it.

use super::afl::Core;
use super::homes::Homes;
use crate::bits::Word;
use crate::cube::{Marked, Node, Subcube};

/// Pieces of a leftover. Between two of them those that were there, and no other pieces of this
/// leftover, may be taken away or get another home.
pub(super) struct Pieces {
    homes: Homes,
    home: u32,
    bases: Marked,
}

impl Pieces {
    pub(super) const fn new(homes: Homes, home: u32, bases: Marked) -> Self {
        Self { homes, home, bases }
    }

    pub(super) fn next(&mut self, words: &[Word]) -> Option<Node> {
        loop {
            let base = self.bases.next(words)?;
            if self.homes.get(words, base.0) == self.home {
                return Some(base);
            }
        }
    }
}

/// Those that are free.
pub(super) struct FreePieces {
    pieces: Pieces,
    /// Nodes of those to come.
    left: u32,
}

impl FreePieces {
    /// Whether none is to come.
    pub(super) const fn is_over(&self) -> bool {
        self.left == 0
    }
}

impl<T> Core<T> {
    pub(super) fn free_pieces(&self, words: &[Word], leftover: &Subcube) -> FreePieces {
        let left = self.homes.free(words, leftover.base().0);
        FreePieces { pieces: self.homes.pieces(leftover), left }
    }

    pub(super) fn next_free(&self, words: &[Word], free: &mut FreePieces) -> Option<Subcube> {
        while !free.is_over() {
            let base = free.pieces.next(words)?;
            if let Some(cube) = self.auxiliary.cube_from(words, base) {
                free.left = free.left.wrapping_sub(cube.len());
                return Some(cube);
            }
        }
        None
    }
}

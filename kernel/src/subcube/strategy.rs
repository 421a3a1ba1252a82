//! What a strategy must do; a [`Pool`](super::Pool) does the rest.

use crate::bits::Word;
use crate::cube::{Dim, Node, Subcube};

/// Keeps the free nodes of an n-cube and chooses which subcube a request gets.
///
/// A strategy is a small descriptor; its state lies in the pool's words, which every call passes.
/// The pool checks requests, files leases and keeps outages: a strategy is never asked for a
/// dimension above n, never given nodes that are free, and never made to lose a node that is not.
pub trait Strategy {
    /// The name in tables and options.
    const NAME: &'static str;

    /// Makes every node free.
    fn reset(&mut self, words: &mut [Word]);

    /// Chooses a free subcube of dimension `dim` and removes it from the free nodes.
    fn take(&mut self, words: &mut [Word], dim: Dim) -> Option<Subcube>;

    /// Adds the nodes of `cube`, any subcube of the machine, to the free ones.
    fn give(&mut self, words: &mut [Word], cube: Subcube);

    /// Removes one free node.
    fn lose(&mut self, words: &mut [Word], node: Node);

    /// Whether `node` is free.
    fn holds(&self, words: &[Word], node: Node) -> bool;

    /// The largest dimension that [`Strategy::take`] would grant, if that is at most `below`.
    /// Words may serve as scratch, nothing else changes.
    fn largest(&self, words: &mut [Word], below: Dim) -> Option<Dim>;

    /// Whether [`Strategy::take`] would grant `dim`.
    fn fits(&self, words: &mut [Word], dim: Dim) -> bool {
        self.largest(words, dim) == Some(dim)
    }

    /// Free subcubes of dimension `dim` that the strategy recognises.
    fn count(&self, words: &mut [Word], dim: Dim) -> u64;

    /// The largest dimension that could ever be granted while only the nodes of the bit vector
    /// from word `in_service` on do service.
    fn possible(&self, words: &mut [Word], in_service: usize) -> Option<Dim>;

    /// Whether all derived data is what it should be.
    fn check(&self, words: &[Word]) -> bool;
}

//! Nodes that it matters which: sets of them, and machines that are asked for one.

use super::simulator::{Held, Rule};
use locox_models::workload::Job;
use std::ops::Range;

const WORDS: usize = 8;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Nodes([u64; WORDS]);

impl FromIterator<u32> for Nodes {
    fn from_iter<I: IntoIterator<Item = u32>>(nodes: I) -> Self {
        let mut all = Self::default();
        for node in nodes {
            all.0[node as usize / 64] |= 1 << (node % 64);
        }
        all
    }
}

impl Nodes {
    pub(super) fn contains(&self, node: u32) -> bool {
        self.0[node as usize / 64] >> (node % 64) & 1 == 1
    }

    /// How many of a range it has.
    pub(super) fn count(&self, range: &Range<u32>) -> u32 {
        let below = |node: u32, word: u32| match node.saturating_sub(word * 64) {
            64.. => u64::MAX,
            bits => (1 << bits) - 1,
        };
        let words = (range.start / 64..WORDS as u32).take_while(|word| word * 64 < range.end);
        let inside =
            |word| self.0[word as usize] & below(range.end, word) & !below(range.start, word);
        words.map(|word| inside(word).count_ones()).sum()
    }

    pub(super) fn has(&self, other: &Self) -> bool {
        self.0.iter().zip(other.0).all(|(all, some)| some & !all == 0)
    }

    pub(super) fn remove(&mut self, other: &Self) {
        self.0.iter_mut().zip(other.0).for_each(|(all, some)| *all &= !some);
    }

    pub(super) fn insert(&mut self, other: &Self) {
        self.0.iter_mut().zip(other.0).for_each(|(all, some)| *all |= some);
    }
}

/// A machine whose nodes are told apart.
pub(super) trait Named {
    fn nodes(&self) -> u32;

    fn find(&self, free: &Nodes, processors: u32) -> Option<Nodes>;
}

impl<M: Named> Rule for M {
    type Place = Nodes;
    type Map = Nodes;

    fn free(&self, held: &[Held<Nodes>], during: &Range<u64>) -> Nodes {
        let mut free: Nodes = (0..self.nodes()).collect();
        let meets =
            |it: &&Held<Nodes>| it.during.start < during.end && during.start < it.during.end;
        held.iter().filter(meets).for_each(|it| free.remove(&it.place));
        free
    }

    fn has(&self, free: &Nodes, place: &Nodes) -> bool {
        free.has(place)
    }

    fn find(&self, free: &Nodes, job: &Job) -> Option<Nodes> {
        Named::find(self, free, job.processors)
    }

    fn consists_of(&self, place: &Nodes, nodes: &[u32]) -> bool {
        *place == nodes.iter().copied().collect()
    }
}

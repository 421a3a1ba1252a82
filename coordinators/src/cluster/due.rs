//! Which hosts are to be told what they are to run, and in which batch.

use super::Batch;
use locox::bits::{WORD_LOG2, Word, words_for};
use locox::ground::{bit, load, ones, put, set_bit};
use locox::timeshare::HostId;

/// Words for so many hosts.
pub(super) const fn words_of(hosts: usize) -> usize {
    words_for(hosts).saturating_add(hosts.saturating_mul(2))
}

/// For each host a bit if it is to be told, and its newest batch.
#[derive(Debug)]
pub(super) struct Due<'a> {
    pub(super) words: &'a mut [Word],
    pub(super) hosts: usize,
    /// How many of its jobs the first of them was told of.
    pub(super) told: u32,
    /// Batches of a host that reports after another start have numbers above this one: none that was told by a coordinator
    /// which this one's image does not know of.
    pub(super) base: u32,
}

impl Due<'_> {
    /// The first host that is to be told.
    pub(super) fn first(&self) -> Option<HostId> {
        let all = self.words.iter().take(words_for(self.hosts));
        let (at, word) = (0u32..).zip(all).find(|(_, word)| **word != 0)?;
        let bit = ones(*word).next()?;
        Some(HostId((at << WORD_LOG2).wrapping_add(bit)))
    }

    pub(super) fn contains(&self, host: HostId) -> bool {
        bit(self.words, 0, host.0)
    }

    pub(super) fn batch(&self, host: HostId) -> Batch {
        let [boot, number] = self.places(host).map(|at| load(self.words, at) as u32);
        Batch { boot, number }
    }

    pub(super) fn put_batch(&mut self, host: HostId, Batch { boot, number }: Batch) {
        let [of_boot, of_number] = self.places(host);
        put(self.words, of_boot, boot as Word);
        put(self.words, of_number, number as Word);
    }

    fn places(&self, host: HostId) -> [usize; 2] {
        let at = words_for(self.hosts).wrapping_add((host.0 as usize).wrapping_mul(2));
        [at, at.wrapping_add(1)]
    }

    /// A host is to be told all that it is to run, or nothing more. Whoever is being told is told
    /// from the beginning.
    pub(super) fn put(&mut self, host: HostId, is_due: bool) {
        let is_due = is_due && self.batch(host).number < u32::MAX;
        set_bit(self.words, 0, host.0, is_due);
        self.told = 0;
    }

    /// What a host is to run has changed: it is told in a new batch.
    pub(super) fn change(&mut self, host: HostId) {
        self.put_batch(host, self.batch(host).next());
        self.put(host, true);
    }
}

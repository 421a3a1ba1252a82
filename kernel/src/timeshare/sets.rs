//! Sets of hosts in the words of a table: kept ones, and scratch of placements.
//!
//! The sets that passes read together lie together: a [`Block`] is one word of each, and so of as
//! many hosts as a word has bits. Behind the blocks lie the hosts that are free at each level, level
//! by level.

use super::storage::words_of_blocks;
use crate::bits::{WORD_LOG2, Word, algebra, locate};

/// Which set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Set {
    /// Hosts that are there and free at all levels.
    Idle,
    /// Hosts that the placement watched finds calm, see [`Watch`](super::watch::Watch).
    Calm,
    /// Hosts that the placement watched would share, see there.
    Open,
    /// Hosts whose speed has this bit.
    Speed(u8),
    /// Those that a placement has picked.
    Picked,
    /// Scratch of a placement.
    Candidates,
    /// More of it.
    Marked,
}

/// A word of each set but those of free hosts.
pub(super) type Block = [Word; BLOCK];

/// Sets in a block.
pub(super) const BLOCK: usize = 6 + SPEED_BITS as usize;

/// Bits of a speed.
pub(super) const SPEED_BITS: u8 = 8;

impl Set {
    const fn place(self) -> usize {
        match self {
            Self::Idle => 0,
            Self::Calm => 1,
            Self::Open => 2,
            Self::Picked => 3,
            Self::Candidates => 4,
            Self::Marked => 5,
            Self::Speed(bit) => 6 + bit as usize,
        }
    }

    /// Its word of a block.
    pub(super) fn of(self, block: &Block) -> Word {
        block.get(self.place()).copied().unwrap_or(0)
    }

    /// Makes `word` its word of a block.
    pub(super) fn put(self, block: &mut Block, word: Word) {
        if let Some(place) = block.get_mut(self.place()) {
            *place = word;
        }
    }

    /// Makes the host of a bit a member or not.
    pub(super) fn put_bit(self, block: &mut Block, bit: Word, is_member: bool) {
        self.put(block, with_bit(self.of(block), bit, is_member));
    }
}

const fn with_bit(word: Word, bit: Word, is_set: bool) -> Word {
    if is_set { word | bit } else { word & !bit }
}

/// The sets of a table.
pub(super) struct Sets<B, F> {
    pub(super) blocks: B,
    /// Hosts that are there and free at a level, for each level a row as long as there are blocks.
    free: F,
}

/// Sets to be changed.
pub(super) type SetsMut<'a> = Sets<&'a mut [Block], &'a mut [Word]>;

impl<'a> SetsMut<'a> {
    pub(super) fn new(words: &'a mut [Word], hosts: usize) -> Self {
        let of_blocks = words_of_blocks(hosts).min(words.len());
        let (blocks, free) = words.split_at_mut_checked(of_blocks).unwrap_or_default();
        Self { blocks: blocks.as_chunks_mut().0, free }
    }
}

impl<'a> Sets<&'a [Block], &'a [Word]> {
    pub(super) fn view(words: &'a [Word], hosts: usize) -> Self {
        let of_blocks = words_of_blocks(hosts).min(words.len());
        let (blocks, free) = words.split_at_checked(of_blocks).unwrap_or_default();
        Self { blocks: blocks.as_chunks().0, free }
    }
}

impl<B: AsRef<[Block]>, F: AsRef<[Word]>> Sets<B, F> {
    fn width(&self) -> usize {
        self.blocks.as_ref().len()
    }

    fn place(&self, level: u8, at: usize) -> usize {
        usize::from(level).wrapping_mul(self.width()).wrapping_add(at)
    }

    /// The hosts of block `at` that are free at a level.
    pub(super) fn free(&self, level: u8, at: usize) -> Word {
        self.free.as_ref().get(self.place(level, at)).copied().unwrap_or(0)
    }

    /// The words of the hosts that are free at a level.
    pub(super) fn free_row(&self, level: u8) -> &[Word] {
        let start = self.place(level, 0);
        self.free.as_ref().get(start..start.wrapping_add(self.width())).unwrap_or(&[])
    }

    pub(super) fn is_free(&self, level: u8, host: u32) -> bool {
        let (at, bit) = locate(host as usize);
        self.free(level, at) & bit != 0
    }

    pub(super) fn count(&self, set: Set) -> u32 {
        algebra::members(self.blocks.as_ref().iter().map(|block| set.of(block)))
    }

    pub(super) fn contains(&self, set: Set, host: u32) -> bool {
        let (at, bit) = locate(host as usize);
        self.blocks.as_ref().get(at).is_some_and(|block| set.of(block) & bit != 0)
    }

    /// How many hosts are picked, and whether all of them are free at this level.
    pub(super) fn picked_of(&self, level: u8) -> (u32, bool) {
        let (mut count, mut stray) = (0u32, 0);
        for (block, free) in self.blocks.as_ref().iter().zip(self.free_row(level)) {
            let picked = Set::Picked.of(block);
            count = count.wrapping_add(picked.count_ones());
            stray |= picked & !free;
        }
        (count, stray == 0)
    }

    /// The first host of those that `word` finds in a block.
    pub(super) fn first(&self, word: impl Fn(&Block) -> Word) -> Option<u32> {
        let words = self.blocks.as_ref().iter().map(word).enumerate();
        words.filter(|&(_, word)| word != 0).find_map(|(at, word)| members(word, at).next())
    }
}

impl<B: AsRef<[Block]> + AsMut<[Block]>, F: AsRef<[Word]> + AsMut<[Word]>> Sets<B, F> {
    /// Makes `word` the hosts of block `at` that are free at a level.
    pub(super) fn put_free(&mut self, level: u8, at: usize, word: Word) {
        let place = self.place(level, at);
        if let Some(place) = self.free.as_mut().get_mut(place) {
            *place = word;
        }
    }

    /// Says whether the host of a bit is free at a level.
    pub(super) fn put_free_bit(&mut self, level: u8, at: usize, bit: Word, is_free: bool) {
        self.put_free(level, at, with_bit(self.free(level, at), bit, is_free));
    }

    /// A job left the hosts `gone` of block `at`, at the level by which they are listed, and those
    /// below closed up there.
    pub(super) fn close_up(&mut self, at: usize, levels: u8, gone: &[Word; 8]) {
        let mut all = 0;
        for (level, &gone) in (0..levels).zip(gone).filter(|(_, gone)| **gone != 0) {
            self.put_free(level, at, self.free(level, at) | gone);
            all |= gone;
        }
        // Vacant levels sink below the jobs that follow, one level a round.
        for _ in 1..levels {
            let (mut left, mut moved) = (0, 0);
            for (level, &gone) in (1..levels).zip(gone) {
                left |= gone;
                let (above, here) = (self.free(level.wrapping_sub(1), at), self.free(level, at));
                let rises = left & above & !here;
                self.put_free(level.wrapping_sub(1), at, above & !rises);
                self.put_free(level, at, here | rises);
                moved |= rises;
            }
            if moved == 0 {
                break;
            }
        }
        let idle = (0..levels).fold(all, |idle, level| idle & self.free(level, at));
        if let Some(block) = self.block(at) {
            Set::Idle.put(block, Set::Idle.of(block) | idle);
        }
    }

    pub(super) fn block(&mut self, at: usize) -> Option<&mut Block> {
        self.blocks.as_mut().get_mut(at)
    }
}

/// The members in word `at` of a set, lowest first.
pub(super) fn members(word: Word, at: usize) -> impl Iterator<Item = u32> {
    let first = (at as u32) << WORD_LOG2;
    let mut rest = word;
    core::iter::from_fn(move || {
        let bit = rest.trailing_zeros();
        rest &= rest.wrapping_sub(1);
        (bit < Word::BITS).then(|| first.wrapping_add(bit))
    })
}

/// The bit of a host in its word.
pub(super) const fn bit_of(host: u32) -> Word {
    locate(host as usize).1
}

/// The lowest members of a word, at most so many.
pub(super) fn lowest(word: Word, members: u32) -> Word {
    let rest = (0..members.min(Word::BITS)).fold(word, |rest, _| rest & rest.wrapping_sub(1));
    word ^ rest
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bits::ones;

    #[test]
    fn the_lowest_members_are_those_met_first() {
        for word in [0, 1, 0b1011_0100, Word::MAX, Word::MAX << 5, 0x5555_5555] {
            for count in 0..=Word::BITS + 1 {
                let met = ones(word).take(count as usize).fold(0, |set, bit| set | 1 << bit);
                assert_eq!(lowest(word, count), met, "{word:#x} {count}");
            }
        }
    }
}

//! Which of the free PEs a reservation gets.

use crate::bits::{BitSet, OutOfRange, Word, algebra, ones};

use core::ops::Deref;

/// The PEs that are free all through an interval, from which a [`Choice`] removes what it does
/// not take. It reads as a [`BitSet`]; a PE that is not free cannot get in.
#[derive(Debug)]
pub struct FreePes<'a> {
    set: BitSet<&'a mut [Word]>,
}

impl<'a> FreePes<'a> {
    /// The set in `words` of the numbers below `pes`; `None` if they do not fit.
    pub(super) fn new(words: &'a mut [Word], pes: u32) -> Option<Self> {
        BitSet::from_words(words, pes).ok().map(|set| Self { set })
    }

    /// Leaves a PE out.
    ///
    /// # Errors
    ///
    /// [`OutOfRange`] if the machine has no such PE.
    pub fn remove(&mut self, pe: u32) -> Result<(), OutOfRange> {
        self.set.remove(pe).map(|_| ())
    }

    /// Keeps the PEs among the `count` from `start` on only.
    ///
    /// # Errors
    ///
    /// [`OutOfRange`] if the range ends above the machine's last PE; nothing is left out then.
    pub fn keep_range(&mut self, start: u32, count: u32) -> Result<(), OutOfRange> {
        let end = start.checked_add(count).ok_or(OutOfRange)?;
        let above = self.set.len().checked_sub(end).ok_or(OutOfRange)?;
        self.set.remove_range(0, start)?;
        self.set.remove_range(end, above)
    }

    /// Keeps `count` in the lowest run from a multiple of `align`, a power of two, on that is as
    /// long as both; whether there is one.
    fn keep_run(&mut self, count: u32, align: u32) -> bool {
        let mut missing = 0;
        while let Some(first) = self.first_from(missing) {
            let start = (first.wrapping_sub(1) | align.wrapping_sub(1)).wrapping_add(1);
            let end = start.saturating_add(count.max(align));
            if end > self.len() {
                return false;
            }
            missing = algebra::first_missing(self.words(), start);
            if missing >= end {
                return self.keep_range(start, count).is_ok();
            }
        }
        false
    }

    /// Keeps the `count` lowest; all if there are fewer.
    pub fn keep_lowest(&mut self, count: u32) {
        let mut rest = count;
        let mut end = 0u32;
        for word in self.set.words() {
            let members = word.count_ones();
            if members >= rest {
                let last = rest.checked_sub(1).and_then(|others| ones(*word).nth(others as usize));
                end = last.map_or(end, |last| end.saturating_add(last).saturating_add(1));
                break;
            }
            rest = rest.saturating_sub(members);
            end = end.saturating_add(Word::BITS);
        }
        let above = self.set.len().saturating_sub(end);
        // In range: it ends with the set.
        let _ = self.set.remove_range(end, above);
    }
}

impl<'a> Deref for FreePes<'a> {
    type Target = BitSet<&'a mut [Word]>;

    fn deref(&self) -> &Self::Target {
        &self.set
    }
}

/// A rule that says which of the free PEs a reservation gets.
///
/// ```
/// use locox::reserve::{Choice, FreePes};
/// /// Every other PE, to spread the heat.
/// struct EvenPes;
/// impl Choice for EvenPes {
///     fn choose(&self, free: &mut FreePes<'_>, count: u32) -> bool {
///         for pe in (1..free.len()).step_by(2) {
///             let _ = free.remove(pe);
///         }
///         free.keep_lowest(count);
///         free.count() == count
///     }
/// }
/// ```
pub trait Choice {
    /// Leaves exactly `count` PEs in `free`, which holds at least so many, and returns true; or
    /// returns false if none of its members suit.
    fn choose(&self, free: &mut FreePes<'_>, count: u32) -> bool;
}

/// The PEs with the lowest numbers. It never fails.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Lowest;

impl Choice for Lowest {
    fn choose(&self, free: &mut FreePes<'_>, count: u32) -> bool {
        free.keep_lowest(count);
        true
    }
}

/// Consecutive numbers, in the lowest run that is long enough.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Contiguous;

impl Choice for Contiguous {
    fn choose(&self, free: &mut FreePes<'_>, count: u32) -> bool {
        free.keep_run(count, 1)
    }
}

/// An aligned subcube: if `2^k` is the least power of two that holds the count, numbers from a
/// multiple of `2^k` on, all `2^k` free. A count that is no power of two takes the lowest ones of
/// them only.
///
/// A subcube is found this way only if its free coordinates are the lowest ones, as a buddy
/// allocator would place it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AlignedSubcube;

impl Choice for AlignedSubcube {
    fn choose(&self, free: &mut FreePes<'_>, count: u32) -> bool {
        count.checked_next_power_of_two().is_some_and(|size| free.keep_run(count, size))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    extern crate std;
    use std::vec::Vec;

    const PES: u32 = 75;

    fn chosen(choice: &dyn Choice, free: &[u32], count: u32) -> Option<Vec<u32>> {
        let mut words = [0; 3];
        let mut set = BitSet::empty(&mut words[..], PES).unwrap();
        free.iter().for_each(|&pe| assert_eq!(set.insert(pe), Ok(true)));
        let len = crate::bits::words_for(PES as usize);
        let mut free = FreePes::new(&mut words[..len], PES).unwrap();
        choice.choose(&mut free, count).then(|| free.iter().collect())
    }

    /// Runs of free PEs that lie across the border of words, and one at the very end.
    fn scattered() -> Vec<u32> {
        [1..3, 9..15, 30..36, 62..75].into_iter().flatten().collect()
    }

    #[test]
    fn the_lowest_are_taken_first() {
        let free = scattered();
        for count in 1..=free.len() {
            assert_eq!(chosen(&Lowest, &free, count as u32).unwrap(), free[..count]);
        }
    }

    #[test]
    fn a_contiguous_choice_takes_the_lowest_run_that_is_long_enough() {
        let start = |count| chosen(&Contiguous, &scattered(), count).map(|pes| (pes[0], pes.len()));
        assert_eq!(start(2), Some((1, 2)));
        assert_eq!(start(3), Some((9, 3)));
        assert_eq!(start(6), Some((9, 6)));
        assert_eq!(start(7), Some((62, 7)));
        assert_eq!(start(13), Some((62, 13)));
        assert_eq!(start(14), None);
    }

    #[test]
    fn an_aligned_subcube_begins_at_a_multiple_of_its_size() {
        let start =
            |count| chosen(&AlignedSubcube, &scattered(), count).map(|pes| (pes[0], pes.len()));
        assert_eq!(start(1), Some((1, 1)));
        assert_eq!(start(2), Some((10, 2)));
        assert_eq!(start(3), Some((32, 3))); // all of 32..36 must be free, three are taken
        assert_eq!(start(4), Some((32, 4)));
        assert_eq!(start(8), Some((64, 8)));
        assert_eq!(start(9), None); // 64..80 reaches beyond the machine
    }

    #[test]
    fn a_choice_may_pass_over_what_does_not_suit() {
        struct Only(u32);
        impl Choice for Only {
            fn choose(&self, free: &mut FreePes<'_>, _: u32) -> bool {
                free.contains(self.0) && free.keep_range(self.0, 1).is_ok()
            }
        }
        assert_eq!(chosen(&Only(33), &scattered(), 1), Some(Vec::from([33])));
        assert_eq!(chosen(&Only(40), &scattered(), 1), None);
    }
}

//! Which of the free PEs a reservation gets. Those of a place on a machine are chosen by [`Together`](super::Together).

use super::refusal::{Misuse, Refusal};
use crate::bits::{BitSet, OutOfRange, Word, algebra};
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

    /// Keeps the `count` PEs that a choice takes; whether there are so many.
    pub(super) fn take(&mut self, choice: &dyn Choice, count: u32) -> bool {
        let mask = choice.mask();
        let required = mask.required();
        algebra::subtract(self.set.words_mut(), required);
        let others = count.saturating_sub(algebra::count(required));
        let found = if others > 0 {
            choice.choose(self, others)
        } else {
            self.set.clear();
            true
        };
        algebra::unite(self.set.words_mut(), required);
        found && self.count() == count
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

    /// Keeps just these, each named once; whether all of them are members. If not, nothing changes.
    pub(super) fn keep(&mut self, pes: impl Iterator<Item = u32> + Clone) -> bool {
        if !pes.clone().all(|pe| self.contains(pe)) {
            return false;
        }
        self.set.clear();
        { pes }.all(|pe| self.set.insert(pe).is_ok())
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
        for word in self.set.words_mut() {
            let members = word.count_ones();
            if members <= rest {
                rest = rest.wrapping_sub(members);
                continue;
            }
            let mut others = *word;
            while rest > 0 {
                others &= others.wrapping_sub(1);
                rest = rest.wrapping_sub(1);
            }
            *word ^= others;
        }
    }
}

impl<'a> Deref for FreePes<'a> {
    type Target = BitSet<&'a mut [Word]>;

    fn deref(&self) -> &Self::Target {
        &self.set
    }
}

/// Which PEs a request may get, and which it must.
///
/// The search looks at no other PEs: not only those that it takes, but also when enough are free
/// follows from those that are allowed.
#[derive(Clone, Copy, Debug, Default)]
pub struct Mask<'a> {
    allowed: Option<Members<'a>>,
    required: Option<Members<'a>>,
}

/// The range of a set, and its words.
type Members<'a> = (u32, &'a [Word]);

impl<'a> Mask<'a> {
    /// Any PE may be had, and none is required.
    pub const ANY: Self = Self { allowed: None, required: None };

    /// Only those of `allowed`: of a partition, with a feature, or all but some to be avoided.
    pub fn only<T: AsRef<[Word]>>(allowed: &'a BitSet<T>) -> Self {
        Self { allowed: Some((allowed.len(), allowed.words())), required: None }
    }

    /// This mask, and those of `required` in any case.
    pub fn with<T: AsRef<[Word]>>(self, required: &'a BitSet<T>) -> Self {
        Self { required: Some((required.len(), required.words())), ..self }
    }

    /// Whether it makes sense for a request of `count` of the machine's `pes` PEs.
    pub(super) fn check(&self, pes: u32, count: u32) -> Result<(), Misuse> {
        let mut sets = [self.allowed, self.required].into_iter().flatten();
        if sets.any(|(len, _)| len != pes) {
            return Err(Misuse::WrongSet);
        }
        let inside = self.allows(self.required());
        let few = algebra::count(self.required()) <= count;
        if inside && few { Ok(()) } else { Err(Misuse::WrongMask) }
    }

    /// Whether it allows so many.
    pub(super) fn check_count(&self, count: u32) -> Result<(), Refusal> {
        let Some((_, set)) = self.allowed else { return Ok(()) };
        let allowed = algebra::count(set);
        if allowed >= count { Ok(()) } else { Err(Refusal::Masked { allowed }) }
    }

    /// The same among these PEs, unless it allows only some itself.
    pub(super) fn among(self, pes: Self) -> Option<Self> {
        self.allowed.is_none().then_some(Self { allowed: pes.allowed, ..self })
    }

    /// Whether all PEs that `other` allows are allowed, of the same machine.
    pub(super) fn admits(&self, other: &Self) -> bool {
        let len = |mask: &Self| mask.allowed.map(|(len, _)| len);
        len(self) == len(other) && other.allowed.is_none_or(|(_, set)| self.allows(set))
    }

    /// Whether all of these PEs are allowed.
    pub(super) fn allows(&self, pes: &[Word]) -> bool {
        self.allowed.is_none_or(|(_, set)| algebra::is_within(pes, set))
    }

    pub(super) fn required(&self) -> &'a [Word] {
        self.required.map_or(&[], |(_, set)| set)
    }

    /// Leaves those that are allowed in `free`, of which there are `count`, and returns how many
    /// these are.
    pub(super) fn narrow(&self, free: &mut [Word], count: u32) -> u32 {
        self.allowed.map_or(count, |(_, set)| algebra::keep(free, set))
    }

    /// Whether all PEs that are required are in `free`.
    pub(super) fn is_met(&self, free: &[Word]) -> bool {
        algebra::is_within(self.required(), free)
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
    ///
    /// What suits in a set has to suit in a larger one: an earliest fit looks at the ready time and at
    /// the times of slots only, for only there PEs become free, and after a set that does not suit the
    /// search goes on where there is a PE that was not in it. It is not asked where those that are
    /// required are all that is wanted.
    fn choose(&self, free: &mut FreePes<'_>, count: u32) -> bool;

    /// Among which PEs. Those that are required are taken beside what [`Choice::choose`] leaves,
    /// which is not offered them, and asked for so many fewer.
    fn mask(&self) -> Mask<'_> {
        Mask::ANY
    }
}

impl<C: Choice + ?Sized> Choice for &C {
    crate::delegate::delegate! { C:
        fn choose(&self, free: &mut FreePes<'_>, count: u32) -> bool;
        fn mask(&self) -> Mask<'_>;
    }
}

/// A choice among some PEs only.
///
/// ```
/// use locox::bits::BitSet;
/// use locox::handle::PoolId;
/// use locox::reserve::{Fit, Limits, Lowest, Mask, Masked, Request, Timeline};
/// use locox::time::{Duration, Instant};
///
/// const LIMITS: Limits = Limits { pes: 8, reservations: 4 };
/// let mut timeline = Timeline::new(PoolId(0), LIMITS, [0; Timeline::words(LIMITS)])?;
/// let (mut upper, mut seven) = (BitSet::empty([0], 8)?, BitSet::empty([0], 8)?);
/// upper.insert_range(4, 4)?;
/// seven.insert(7)?;
///
/// let choice = Masked { mask: Mask::only(&upper).with(&seven), choice: Lowest };
/// let request = Request::new(Instant::ZERO, Duration::from_ticks(10), 2);
/// let (id, _) = timeline.reserve(&request, &Fit::First, &choice)?;
/// assert!(timeline.pes_of(id)?.iter().eq([4, 7]));
/// // PEs 0 to 6 are free, but 7 is not before 10.
/// assert_eq!(timeline.reserve(&request, &Fit::First, &choice)?.1.start, Instant::from_ticks(10));
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Masked<'a, C> {
    /// Among which.
    pub mask: Mask<'a>,
    /// Which of them.
    pub choice: C,
}

impl<C: Choice> Choice for Masked<'_, C> {
    fn choose(&self, free: &mut FreePes<'_>, count: u32) -> bool {
        self.choice.choose(free, count)
    }

    fn mask(&self) -> Mask<'_> {
        self.mask
    }
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
/// allocator would place it. All subcubes are found by [`Together`](super::Together) on
/// [`Subcubes`](crate::subcube::Subcubes) under complete recognition.
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

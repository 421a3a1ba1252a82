//! Sets of small numbers (nodes, processors) as bits over the caller's words.

use super::{Word, algebra, load, locate, ones_of, padding_is_clear, words_for};

/// A set of the numbers `0..len` over words that the caller owns.
///
/// `S` is any storage of words: an array in a `static`, a boxed slice, `&mut [Word]`, or `&[Word]`
/// for reading. Operations cost one pass over the words unless they say otherwise.
///
/// ```
/// use locox::bits::BitSet;
/// let mut busy = BitSet::empty([0; 2], 64).unwrap();
/// busy.insert(3).unwrap();
/// busy.insert_range(10, 4).unwrap();
/// assert_eq!(busy.count(), 5);
/// assert!(busy.iter().eq([3, 10, 11, 12, 13]));
/// assert_eq!(busy.first_from(4), Some(10));
/// assert!(busy.insert(64).is_err());
/// ```
///
/// # Invariants
///
/// - Bits at or above `len` are zero.
/// - The storage holds at least `words_for(len)` words; more are ignored.
#[derive(Clone, Copy, Debug)]
pub struct BitSet<S> {
    words: S,
    len: u32,
}

/// The number does not belong to the set's range `0..len`, or the storage is too small for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct OutOfRange;

crate::display::error! { OutOfRange: _ => "a number lies outside the range of the set" }

impl<S: AsRef<[Word]>> BitSet<S> {
    /// The set whose members are the bits already in `words`.
    ///
    /// # Errors
    ///
    /// [`OutOfRange`] if the storage is shorter than `len` bits, or if a bit at or above `len` is
    /// set in the words that `len` needs.
    pub fn from_words(words: S, len: u32) -> Result<Self, OutOfRange> {
        let slice = words.as_ref();
        if slice.len() < words_for(len as usize) || !padding_is_clear(slice, len as usize) {
            return Err(OutOfRange);
        }
        Ok(Self { words, len })
    }

    /// The end of the range: members are below it.
    pub const fn len(&self) -> u32 {
        self.len
    }

    /// Whether the set has no member.
    pub fn is_empty(&self) -> bool {
        self.words().iter().all(|&word| word == 0)
    }

    /// The words of the set, lowest members first.
    pub fn words(&self) -> &[Word] {
        let words = self.words.as_ref();
        words.get(..words_for(self.len as usize)).unwrap_or(words)
    }

    /// Whether `member` belongs to the set; false outside its range. Constant cost.
    pub fn contains(&self, member: u32) -> bool {
        let (at, mask) = locate(member as usize);
        member < self.len && load(self.words.as_ref(), at) & mask != 0
    }

    /// The number of members.
    pub fn count(&self) -> u32 {
        algebra::count(self.words())
    }

    /// The smallest member.
    pub fn first(&self) -> Option<u32> {
        self.first_from(0)
    }

    /// The smallest member that is at least `from`.
    pub fn first_from(&self, from: u32) -> Option<u32> {
        algebra::first_from(self.words(), from, 0)
    }

    /// The members in rising order.
    pub fn iter(&self) -> impl Iterator<Item = u32> + Clone {
        ones_of(self.words())
    }

    /// The set as a slice of the `bitvec` crate, for its many operations; empty if the range goes
    /// beyond what that crate can view, some 2^29 numbers on a 32-bit target.
    #[cfg(feature = "bitvec")]
    pub fn as_bitslice(&self) -> &bitvec::slice::BitSlice<Word, bitvec::order::Lsb0> {
        use bitvec::slice::BitSlice;
        // `view_bits` would panic instead.
        let bits = BitSlice::try_from_slice(self.words()).unwrap_or_default();
        bits.get(..self.len as usize).unwrap_or(bits)
    }
}

impl<S: AsRef<[Word]> + AsMut<[Word]>> BitSet<S> {
    /// The empty set over `words`, which are cleared.
    ///
    /// # Errors
    ///
    /// [`OutOfRange`] if the storage is shorter than `len` bits.
    pub fn empty(words: S, len: u32) -> Result<Self, OutOfRange> {
        if words.as_ref().len() < words_for(len as usize) {
            return Err(OutOfRange);
        }
        let mut set = Self { words, len };
        set.clear();
        Ok(set)
    }

    pub(crate) fn words_mut(&mut self) -> &mut [Word] {
        let needed = words_for(self.len as usize);
        let words = self.words.as_mut();
        let end = words.len().min(needed);
        words.split_at_mut_checked(end).map_or(&mut [], |(used, _)| used)
    }

    /// Removes all members.
    pub fn clear(&mut self) {
        self.words_mut().fill(0);
    }

    /// Adds `member`; true if it was not there before. Constant cost.
    ///
    /// # Errors
    ///
    /// [`OutOfRange`] at or above `len`.
    pub fn insert(&mut self, member: u32) -> Result<bool, OutOfRange> {
        self.put(member, true)
    }

    /// Removes `member`; true if it was there before. Constant cost.
    ///
    /// # Errors
    ///
    /// [`OutOfRange`] at or above `len`.
    pub fn remove(&mut self, member: u32) -> Result<bool, OutOfRange> {
        self.put(member, false)
    }

    fn put(&mut self, member: u32, value: bool) -> Result<bool, OutOfRange> {
        if member >= self.len {
            return Err(OutOfRange);
        }
        let (at, mask) = locate(member as usize);
        let word = self.words.as_mut().get_mut(at).ok_or(OutOfRange)?;
        let changes = (*word & mask != 0) != value;
        *word = if value { *word | mask } else { *word & !mask };
        Ok(changes)
    }

    /// Adds `count` numbers from `start` on.
    ///
    /// # Errors
    ///
    /// [`OutOfRange`] if the range ends above `len`; nothing is added then.
    pub fn insert_range(&mut self, start: u32, count: u32) -> Result<(), OutOfRange> {
        self.fill(start, count, true)
    }

    /// Removes `count` numbers from `start` on.
    ///
    /// # Errors
    ///
    /// [`OutOfRange`] if the range ends above `len`; nothing is removed then.
    pub fn remove_range(&mut self, start: u32, count: u32) -> Result<(), OutOfRange> {
        self.fill(start, count, false)
    }

    fn fill(&mut self, start: u32, count: u32, value: bool) -> Result<(), OutOfRange> {
        start.checked_add(count).filter(|&end| end <= self.len).ok_or(OutOfRange)?;
        super::fill(self.words_mut(), start as usize, count as usize, value);
        Ok(())
    }

    /// Adds all members of `other`.
    ///
    /// # Errors
    ///
    /// [`OutOfRange`] if `other` ranges further; nothing is added then.
    pub fn union_with<T: AsRef<[Word]>>(&mut self, other: &BitSet<T>) -> Result<(), OutOfRange> {
        if other.len > self.len {
            return Err(OutOfRange);
        }
        algebra::unite(self.words_mut(), other.words());
        Ok(())
    }

    /// Removes all members of `other`.
    pub fn subtract<T: AsRef<[Word]>>(&mut self, other: &BitSet<T>) {
        algebra::subtract(self.words_mut(), other.words());
    }

    /// Keeps the members that are also in `other`.
    pub fn intersect_with<T: AsRef<[Word]>>(&mut self, other: &BitSet<T>) {
        let shared = other.words().len();
        self.words_mut().iter_mut().skip(shared).for_each(|word| *word = 0);
        self.words_mut().iter_mut().zip(other.words()).for_each(|(a, b)| *a &= b);
    }
}

impl<S: AsRef<[Word]>, T: AsRef<[Word]>> PartialEq<BitSet<T>> for BitSet<S> {
    fn eq(&self, other: &BitSet<T>) -> bool {
        self.len == other.len && self.words() == other.words()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LEN: u32 = Word::BITS + 7;

    fn set(members: &[u32]) -> BitSet<[Word; 2]> {
        let mut set = BitSet::empty([Word::MAX; 2], LEN).unwrap();
        for &member in members {
            assert_eq!(set.insert(member), Ok(true));
        }
        set
    }

    #[test]
    fn scans_cross_word_borders() {
        let s = set(&[0, Word::BITS - 1, Word::BITS, LEN - 1]);
        assert!(s.iter().eq([0, Word::BITS - 1, Word::BITS, LEN - 1]));
        assert_eq!(s.first_from(1), Some(Word::BITS - 1));
        assert_eq!(s.first_from(Word::BITS + 1), Some(LEN - 1));
        assert_eq!(s.first_from(LEN), None);
        assert_eq!(s.first_from(u32::MAX), None);
        assert_eq!((s.first(), s.is_empty()), (Some(0), false));
        assert_eq!((set(&[LEN - 1]).first(), set(&[]).first()), (Some(LEN - 1), None));
        assert!(set(&[]).is_empty());
    }

    #[test]
    fn algebra() {
        let mut s = set(&[1, 2, LEN - 1]);
        s.union_with(&set(&[2, 3])).unwrap();
        assert!(s.iter().eq([1, 2, 3, LEN - 1]));
        s.subtract(&set(&[1, LEN - 1]));
        assert!(s.iter().eq([2, 3]));
        s.intersect_with(&set(&[3]));
        assert!(s.iter().eq([3]));
    }

    #[test]
    fn a_member_is_added_once_and_removed_once() {
        let mut s = set(&[5]);
        assert_eq!(s.insert(5), Ok(false));
        assert!(s.contains(5));
        assert_eq!(s.remove(6), Ok(false));
        assert!(s.iter().eq([5]));
        assert_eq!(s.remove(5), Ok(true));
        assert!(s.is_empty());
    }

    #[test]
    fn sets_are_equal_by_their_members_and_their_range() {
        assert!(set(&[5]) == set(&[5]));
        assert!(set(&[5]) != set(&[6]));
        assert!(set(&[]) != BitSet::empty([0; 2], LEN - 1).unwrap());
    }

    #[test]
    fn what_lies_outside_is_refused_and_nothing_changes() {
        let mut s = set(&[5]);
        assert_eq!(s.insert(LEN), Err(OutOfRange));
        assert_eq!(s.remove(LEN), Err(OutOfRange));
        assert_eq!(s.insert_range(LEN - 1, 2), Err(OutOfRange));
        assert_eq!(s.insert_range(u32::MAX, 2), Err(OutOfRange));
        let wide = BitSet::empty([0; 4], LEN + 1).unwrap();
        assert_eq!(s.union_with(&wide), Err(OutOfRange));
        assert!(!s.contains(LEN));
        assert!(s == set(&[5]));
    }

    #[test]
    fn storage_that_is_short_or_soiled_is_refused() {
        assert_eq!(BitSet::empty([0; 1], LEN).err(), Some(OutOfRange));
        assert_eq!(BitSet::from_words([0; 1], LEN).err(), Some(OutOfRange));
        assert_eq!(BitSet::from_words([0, 1 << 7], LEN).err(), Some(OutOfRange));
        assert!(BitSet::from_words([0; 3], LEN).is_ok());
        assert!(BitSet::from_words([0, 1 << 6], LEN).is_ok());
        assert!(BitSet::from_words([], 0).is_ok());
    }

    #[cfg(feature = "bitvec")]
    #[test]
    fn the_bitvec_view_shows_the_same_members() {
        let s = set(&[0, 63, 70]);
        assert!(s.as_bitslice().iter_ones().eq([0, 63, 70]));
        assert_eq!(s.as_bitslice().len(), LEN as usize);
    }
}

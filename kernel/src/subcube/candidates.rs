//! Free subcubes that might be granted, compared by what each would destroy.

use crate::cube::Subcube;

/// Up to [`Candidates::MOST`] subcubes in the order in which they were added, and for each how
/// many of the larger subcubes have a node in common with it. Adding comes first, then counting.
///
/// - Entries from `len` on are meaningless.
/// - Columns instead of rows, so that a host compares several candidates in one instruction.
pub(super) struct Candidates {
    bases: [u32; Self::MOST],
    masks: [u32; Self::MOST],
    spoilt: [u32; Self::MOST],
    len: usize,
}

impl Candidates {
    pub(super) const MOST: usize = 32;

    pub(super) const fn new() -> Self {
        let none = [0; Self::MOST];
        Self { bases: none, masks: none, spoilt: none, len: 0 }
    }

    pub(super) const fn len(&self) -> u32 {
        self.len as u32
    }

    /// Adds a candidate; whether there was room.
    pub(super) fn push(&mut self, cube: &Subcube) -> bool {
        let (Some(base), Some(mask)) = (self.bases.get_mut(self.len), self.masks.get_mut(self.len))
        else {
            return false;
        };
        *base = cube.base().0;
        *mask = cube.mask();
        self.len = self.len.wrapping_add(1);
        true
    }

    /// Counts `larger` for each candidate that has a node in common with it: that agrees with it
    /// at each coordinate where both are fixed.
    pub(super) fn count(&mut self, larger: &Subcube) {
        let columns = self.bases.iter().zip(&self.masks).zip(&mut self.spoilt);
        for ((base, mask), spoilt) in columns {
            let differing = (base ^ larger.base().0) & !(mask | larger.mask());
            // Wraps in cubes of 22 dimensions and more only, nearly empty ones: saturation would
            // keep a host from counting several at once.
            *spoilt = spoilt.wrapping_add(u32::from(differing == 0));
        }
    }

    /// The base, the mask and the count of the candidate that spoils least, the first of equals.
    pub(super) fn best(&self) -> Option<(u32, u32, u32)> {
        let columns = self.bases.iter().zip(&self.masks).zip(&self.spoilt).take(self.len);
        columns.map(|((&base, &mask), &spoilt)| (base, mask, spoilt)).min_by_key(|it| it.2)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cube(text: &str) -> Subcube {
        text.parse().unwrap()
    }

    #[test]
    fn the_first_of_those_that_meet_the_fewest_is_best() {
        let mut candidates = Candidates::new();
        assert_eq!(candidates.best(), None);
        for text in ["000*", "010*", "111*", "1*11", "00*0"] {
            assert!(candidates.push(&cube(text)));
        }
        // The first two squares meet the first two and the last, the third one only the first.
        for text in ["0*0*", "**00", "*00*"] {
            candidates.count(&cube(text));
        }
        let third = cube("111*");
        assert_eq!(candidates.best(), Some((third.base().0, third.mask(), 0)));
        candidates.count(&cube("111*"));
        let fourth = cube("1*11");
        // Both of them have met that one.
        assert_eq!(candidates.best(), Some((third.base().0, third.mask(), 1)));
        candidates.count(&cube("1110"));
        assert_eq!(candidates.best(), Some((fourth.base().0, fourth.mask(), 1)));
    }

    #[test]
    fn what_does_not_fit_is_not_added() {
        let mut candidates = Candidates::new();
        for at in 0..Candidates::MOST {
            assert_eq!(candidates.len() as usize, at);
            assert!(candidates.push(&cube("01*")));
        }
        assert!(!candidates.push(&cube("10*")));
        candidates.count(&cube("0**"));
        // The one that was not added would be better.
        assert_eq!(candidates.best(), Some((2, 1, 1)));
    }
}

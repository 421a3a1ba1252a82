//! Free subcubes that might be granted, compared by what each would destroy.

use crate::cube::Subcube;

/// Up to [`Candidates::MOST`] subcubes in the order in which they were added, and for each how
/// many of the larger subcubes counted so far have a node in common with it.
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
            *spoilt = spoilt.saturating_add(u32::from(differing == 0));
        }
    }

    /// The base, the mask and the count of the candidate that spoils least, the first of equals.
    pub(super) fn best(&self) -> Option<(u32, u32, u32)> {
        let columns = self.bases.iter().zip(&self.masks).zip(&self.spoilt).take(self.len);
        columns.map(|((&base, &mask), &spoilt)| (base, mask, spoilt)).min_by_key(|it| it.2)
    }
}

//! What is free on one node; devices that are held in parts.
//!
//! A row has a word for each quantity, and one for each device that can be held in parts: what is free of it. Of devices the
//! quantity counts those that can be had as a whole: whoever takes the first part of a device takes one of these.
//!
//! So devices held as a whole need no numbers. At each instant there are at most as many of them, and of devices of which
//! somebody has a part, as the node has; whoever needs one at some time finds one that is free, and keeps it.

use super::amounts::Amounts;

/// The most words of a node.
pub(super) const ROW: usize = Amounts::MOST + Devices::MOST as usize;

/// Devices that can be held in parts.
#[derive(Clone, Copy, Debug)]
pub(super) struct Devices {
    /// Which quantity they are.
    pub(super) quantity: usize,
    /// Of how many parts each is.
    pub(super) parts: u32,
    /// The most that a node has of them.
    pub(super) most: usize,
}

/// What is free on one node.
#[derive(Clone, Copy, PartialEq)]
pub(super) struct Row<'m> {
    /// Of each quantity.
    pub(super) free: &'m [u32],
    /// Of each device that can be held in parts.
    pub(super) parts: &'m [u32],
}

impl<'m> Row<'m> {
    /// The words of a node, of which the first are so many quantities.
    #[inline]
    pub(super) fn of(words: &'m [u32], quantities: usize) -> Self {
        let (free, parts) = words.split_at_checked(quantities).unwrap_or_default();
        Self { free, parts }
    }

    /// Its words, to change them.
    pub(super) fn words(&self) -> [u32; ROW] {
        let mut words = [0; ROW];
        words.iter_mut().zip(self.free.iter().chain(self.parts)).for_each(|(to, it)| *to = *it);
        words
    }
}

impl Devices {
    /// The most that a node may have, 16.
    pub(super) const MOST: u32 = 16;

    /// None that could be held in parts.
    pub(super) const NONE: Self = Self { quantity: 0, parts: 0, most: 0 };

    /// The words of those that a node has.
    pub(super) fn full(&self, has: &Amounts) -> impl Iterator<Item = u32> + use<> {
        let (count, parts) = (has.get(self.quantity) as usize, self.parts);
        (0..self.most).map(move |at| if at < count { parts } else { 0 })
    }

    /// Takes parts of a device.
    #[inline]
    pub(super) fn take(&self, words: &mut [u32], quantities: usize, (parts, device): (u32, u32)) {
        if parts == 0 {
            return;
        }
        let (whole, devices) = words.split_at_mut_checked(quantities).unwrap_or_default();
        let Some(free) = devices.get_mut(device as usize) else { return };
        if *free == self.parts
            && let Some(whole) = whole.get_mut(self.quantity)
        {
            *whole = whole.saturating_sub(1);
        }
        *free = free.saturating_sub(parts);
    }

    /// Whether a device has so many parts that can be had beside devices as a whole.
    pub(super) fn has(&self, row: &Row<'_>, parts: u32, device: u32, beside: &Amounts) -> bool {
        let free = row.parts.get(device as usize).copied().unwrap_or(0);
        let whole = row.free.get(self.quantity).copied().unwrap_or(0);
        parts <= free && (free < self.parts || whole > beside.get(self.quantity))
    }

    /// The parts of a device that can be had.
    pub(super) fn usable(&self, row: &Row<'_>, device: u32) -> u32 {
        let free = row.parts.get(device as usize).copied().unwrap_or(0);
        if self.has(row, free, device, &Amounts::NONE) { free } else { 0 }
    }

    /// Leaves free on a node what is free at both of two times. A device of which nobody has a part is not free where all of
    /// them are held: then somebody has it as a whole.
    pub(super) fn meet(&self, words: &mut [u32], other: &[u32], quantities: usize) {
        let held = |words: &[u32]| words.get(self.quantity) == Some(&0);
        let (own, others) = (held(words), held(other));
        let usable = |free: u32, held: bool| if held && free == self.parts { 0 } else { free };
        for (at, (word, &other)) in words.iter_mut().zip(other).enumerate() {
            *word = match at < quantities {
                true => other.min(*word),
                false => usable(*word, own).min(usable(other, others)),
            };
        }
    }
}

//! Images, word by word, in the caller's buffers.

use crate::memory::{Answer, Fault};
use crate::status::locox_status::{self, LOCOX_TOO_SHORT};
use core::mem::MaybeUninit;
use locox::coordinate::BadImage;
use locox::error::Error;
use locox::invariant::InvariantViolation;

/// Writes words as far as there is room, and counts all of them.
pub(crate) struct Writer<'a> {
    room: core::slice::IterMut<'a, MaybeUninit<u32>>,
    len: usize,
    words: usize,
}

impl<'a> Writer<'a> {
    pub(crate) fn new(room: &'a mut [MaybeUninit<u32>]) -> Self {
        Self { len: room.len(), room: room.iter_mut(), words: 0 }
    }

    pub(crate) fn put(&mut self, word: u32) {
        self.words = self.words.saturating_add(1);
        if let Some(place) = self.room.next() {
            place.write(word);
        }
    }

    /// How many words there are, if all had room.
    pub(crate) fn finish(self) -> Answer<usize> {
        if self.words > self.len {
            return Err(LOCOX_TOO_SHORT.with_len(self.words));
        }
        Ok(self.words)
    }
}

/// The words of an image.
pub(crate) fn reader(image: &[u32]) -> impl Iterator<Item = u32> + '_ {
    image.iter().copied()
}

impl From<BadImage> for Fault {
    fn from(bad: BadImage) -> Self {
        locox_status::from(bad).into()
    }
}

impl From<InvariantViolation> for Fault {
    fn from(broken: InvariantViolation) -> Self {
        locox_status::from(broken).into()
    }
}

impl<R: Into<Fault>, M: Into<Fault>> From<Error<R, M>> for Fault {
    fn from(error: Error<R, M>) -> Self {
        match error {
            Error::Refused(refusal) => refusal.into(),
            Error::Misused(misuse) => misuse.into(),
        }
    }
}

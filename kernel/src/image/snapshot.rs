//! The state of a structure as an image, and back: all of it, or as new.

use super::envelope::{Reader, write_image};
use super::{BadImage, Identity, Place};
use crate::invariant::InvariantViolation;

/// A state that goes out and in as an image: pools, timelines, profiles, queues, coordinators.
pub trait Snapshot {
    /// What stays when all else is as new: the time of a coordinator, the epochs of a pool.
    type Kept: Copy;

    /// What its images and records agree with.
    fn identity(&self) -> Identity;

    /// What stays when all else is as new.
    fn kept(&self) -> Self::Kept;

    /// Passes the state to `put`, word by word: the contents of an image. Twice the same ones from
    /// the same state.
    fn store(&self, put: &mut dyn FnMut(u32));

    /// Takes the words that [`Snapshot::store`] passed into a state that is as new.
    ///
    /// # Errors
    ///
    /// Those of `take`, and [`BadImage`] for words that nobody stored. [`Snapshot::reset`] follows.
    fn load_contents(
        &mut self,
        take: &mut dyn FnMut() -> Result<u32, BadImage>,
    ) -> Result<(), BadImage>;

    /// Makes everything as new, but for what is given.
    fn reset(&mut self, kept: Self::Kept);

    /// Checks every invariant that [`Snapshot::load_contents`] does not. By default there is none.
    ///
    /// # Errors
    ///
    /// [`InvariantViolation`] says which does not hold.
    fn check_invariants(&self) -> Result<(), InvariantViolation> {
        Ok(())
    }

    /// Passes the state to `put` as an image, word by word. It says that it was taken at `place`,
    /// which the state does not count itself.
    fn export_at(&self, place: Place, put: &mut dyn FnMut(u32)) {
        write_image(&self.identity(), place, |put| self.store(put), put);
    }

    /// Passes the state to `put` as an image of which nobody counts when it was taken.
    fn export(&self, put: &mut dyn FnMut(u32)) {
        self.export_at(Place::START, put);
    }

    /// Takes the state of an image, exactly; it says when that was.
    ///
    /// # Errors
    ///
    /// [`BadImage`]. An image of another identity changes nothing; after one whose contents are bad
    /// all is as new, but for what is [kept](Snapshot::kept).
    fn load(&mut self, words: &mut dyn Iterator<Item = u32>) -> Result<Place, BadImage> {
        let (reader, place) = Reader::open(words, &self.identity())?;
        load_opened(self, reader).map(|()| place)
    }
}

/// Takes the contents of an image of this identity: all, or all is as new.
pub(crate) fn load_opened<T: Snapshot + ?Sized>(
    to: &mut T,
    mut reader: Reader<&mut dyn Iterator<Item = u32>>,
) -> Result<(), BadImage> {
    let kept = to.kept();
    to.reset(kept);
    let contents = to.load_contents(&mut || reader.word());
    let read =
        reader.finish(contents).and_then(|()| to.check_invariants().map_err(BadImage::broken));
    if read.is_err() {
        to.reset(kept);
    }
    read
}

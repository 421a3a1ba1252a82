//! The state of a coordinator as an image, and back: all of it, or as new.

use locox::ground::{Reader, write_image};
use locox::image::{BadImage, Identity, Place};
use locox::invariant::InvariantViolation;
use locox::time::Instant;

/// A state that goes out and in as an image.
pub trait Snapshot {
    /// What its images and records agree with.
    fn identity(&self) -> Identity;

    /// The latest time given.
    fn now(&self) -> Instant;

    /// Passes the state to `put`, word by word: the contents of an image. Twice the same ones from
    /// the same state.
    fn store(&self, put: &mut dyn FnMut(u32));

    /// Takes the words that [`Snapshot::store`] passed. Whatever is not in them is as new.
    ///
    /// # Errors
    ///
    /// Those of `take`, and [`BadImage`] for words that nobody stored. [`Snapshot::reset`] follows.
    fn load_contents(
        &mut self,
        take: &mut dyn FnMut() -> Result<u32, BadImage>,
    ) -> Result<(), BadImage>;

    /// Forgets everything but the time, which is `now`.
    fn reset(&mut self, now: Instant);

    /// Has everybody told again what he should be doing: what was told last may not have reached
    /// him, or may have.
    fn resync(&mut self);

    /// Checks every invariant that the type names.
    ///
    /// # Errors
    ///
    /// [`InvariantViolation`] says which does not hold.
    fn check_invariants(&self) -> Result<(), InvariantViolation>;

    /// Passes the state to `put` as an image, word by word. It says that it was taken at `place`,
    /// which a coordinator does not count itself: [`Durable`](super::Durable) does.
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
    /// all is as new, at the present time.
    fn load(&mut self, words: &mut dyn Iterator<Item = u32>) -> Result<Place, BadImage> {
        let (mut reader, place) = Reader::open(words, &self.identity())?;
        let now = self.now();
        let contents = self.load_contents(&mut || reader.word());
        let read = reader.finish(contents);
        let sound = |()| self.check_invariants().map_err(|it| BadImage::Contradiction(it.0));
        let loaded = read.and_then(sound);
        if loaded.is_err() {
            self.reset(now);
        }
        loaded.map(|()| place)
    }

    /// Goes on from an image without a journal. Everybody is told again what he should be doing.
    ///
    /// # Errors
    ///
    /// As [`Snapshot::load`].
    fn restore(&mut self, words: &mut dyn Iterator<Item = u32>) -> Result<(), BadImage> {
        self.load(words)?;
        self.resync();
        Ok(())
    }
}

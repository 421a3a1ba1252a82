//! How pools whose words are the caller's survive a restart, written once for cubes, meshes and boxes.

use super::envelope::{Reader, write_image};
use super::{BadImage, Identity, Place, Take};
use crate::handle::Epoch;

/// A state in words of the caller's that goes out as an image, and goes on from one in another epoch.
pub(crate) trait OverWords<W> {
    fn identity(&self) -> Identity;

    /// Passes the contents of an image to `put`: twice the same words from the same state.
    fn store(&self, words: &[W], put: &mut dyn FnMut(u32));

    /// Takes the words that [`OverWords::store`] passed. After an error [`OverWords::forget`] follows.
    fn load(&mut self, words: &mut [W], take: &mut Take<'_>) -> Result<(), BadImage>;

    /// Makes all as new, but for the epochs.
    fn forget(&mut self, words: &mut [W]);

    /// Begins another epoch.
    fn begin(&mut self, words: &mut [W], epoch: Epoch);

    /// Passes an image to `put`.
    fn export(&self, words: &[W], put: &mut dyn FnMut(u32)) {
        write_image(&self.identity(), Place::START, |put| self.store(words, put), put);
    }

    /// Goes on from an image in another epoch. After one whose contents are bad, all is as new.
    fn restore(
        &mut self,
        words: &mut [W],
        image: &mut dyn Iterator<Item = u32>,
        epoch: Epoch,
    ) -> Result<(), BadImage> {
        let (mut reader, _) = Reader::open(image, &self.identity())?;
        self.forget(words);
        let contents = self.load(words, &mut || reader.word());
        let read = reader.finish(contents);
        if read.is_err() {
            self.forget(words);
        }
        self.begin(words, epoch);
        read
    }
}

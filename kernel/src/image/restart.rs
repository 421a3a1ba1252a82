//! What timelines, profiles and queues call to survive a restart, written once for all of them.

use super::envelope::Reader;
use super::{BadImage, Identity, Take};
use crate::handle::Epoch;
use crate::slab::Slab;

/// A state that goes out as an image, and goes on from one in another epoch.
pub trait Restart {
    /// What its images agree with.
    fn identity(&self) -> Identity;

    /// Passes the contents of an image to `put`: twice the same words from the same state.
    fn store(&self, put: &mut dyn FnMut(u32));

    /// Takes the words that [`Restart::store`] passed. After an error [`Restart::forget`] follows.
    fn load_contents(&mut self, take: &mut Take<'_>) -> Result<(), BadImage>;

    /// Makes all as new; the epochs are set then.
    fn forget(&mut self);

    /// What keeps the entries.
    fn slab(&mut self) -> &mut Slab;

    /// Begins another epoch.
    fn begin_epoch(&mut self, epoch: Epoch);

    /// Takes the state of an image, its epochs too.
    fn load_image(&mut self, image: &mut dyn Iterator<Item = u32>) -> Result<(), BadImage> {
        let (mut reader, _) = Reader::open(image, &self.identity())?;
        let epochs = self.slab().epochs;
        self.forget();
        let contents = self.load_contents(&mut || reader.word());
        let read = reader.finish(contents);
        if read.is_err() {
            self.forget();
            self.slab().epochs = epochs;
        }
        read
    }
}

/// The public methods of a type that is [`Restart`]; `$slab` is where its entries are kept.
macro_rules! restart_api {
    ([$($generics:tt)*] $Type:ty, $($slab:ident).+, $ids:literal) => {
        impl<$($generics)*> $Type {
            /// The epoch in which names are given; 0 at first.
            pub fn epoch(&self) -> $crate::handle::Epoch {
                self.$($slab).+.epochs.now
            }

            /// Begins another epoch, by a number that was never used here, as a count of restarts is.
            #[doc = concat!("What was there stays, and is named anew. Of the ", $ids, " from before, ")]
            /// those of the last epoch are still good for what was there when this one began, so whoever
            /// holds one through two restarts takes the new one in between. All others are stale.
            ///
            /// Cost: all entries that have been in use.
            pub fn begin(&mut self, epoch: $crate::handle::Epoch) {
                $crate::image::Restart::begin_epoch(self, epoch);
            }

            /// Passes all that is known to `put` as an [image](crate::image), word by word.
            ///
            /// Cost: all entries that have been in use, twice.
            pub fn export(&self, mut put: impl FnMut(u32)) {
                use $crate::image::{Place, Restart, write_image};
                write_image(&self.identity(), Place::START, |put| self.store(put), &mut put);
            }

            /// Takes the state of an image exactly, in the epoch in which it was: for whoever replays
            /// what followed it. Without that, call `restore`. Words behind the image are left alone.
            ///
            /// # Errors
            ///
            /// [`BadImage`](crate::image::BadImage). An image of something else changes nothing;
            /// after one whose contents are bad all is as new, but for the epoch.
            pub fn load(
                &mut self,
                image: impl IntoIterator<Item = u32>,
            ) -> Result<(), $crate::image::BadImage> {
                $crate::image::Restart::load_image(self, &mut image.into_iter())
            }

            /// Goes on from an image in another epoch, as after `load` and `begin`. An image does not
            /// know what came after it: names given since then are stale in the new epoch.
            ///
            /// # Errors
            ///
            /// Those of `load`. The epoch begins in any case.
            pub fn restore(
                &mut self,
                image: impl IntoIterator<Item = u32>,
                epoch: $crate::handle::Epoch,
            ) -> Result<(), $crate::image::BadImage> {
                let loaded = self.load(image);
                self.begin(epoch);
                loaded
            }
        }
    };
}

pub(crate) use restart_api;

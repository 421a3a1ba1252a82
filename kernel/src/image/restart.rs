//! What users call of timelines, profiles and queues to survive a restart, written once for all of them.

/// The public methods of a type that is a [`Snapshot`](super::Snapshot); `$slab` is where its entries are kept, and `$begin` has
/// it begin an epoch.
macro_rules! restart_api {
    ([$($generics:tt)*] $Type:ty, $($slab:ident).+, $ids:literal, $begin:expr) => {
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
                let begin: fn(&mut Self, $crate::handle::Epoch) = $begin;
                begin(self, epoch);
            }

            /// Passes all that is known to `put` as an [image](crate::image), word by word.
            ///
            /// Cost: all entries that have been in use, twice.
            pub fn export(&self, mut put: impl FnMut(u32)) {
                $crate::image::Snapshot::export(self, &mut put);
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
                $crate::image::Snapshot::load(self, &mut image.into_iter()).map(|_| ())
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

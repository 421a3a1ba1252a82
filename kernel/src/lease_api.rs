//! What users call of leases, outages and images, written once for pools of subcubes, of meshes and of boxes.

/// Methods of a pool with the fields `core` and `storage`. What is special in one stands before its name.
macro_rules! lease_api {
    (
        [$($generics:tt)*] $Pool:ty => $Lease:ty;
        $(#[$release:meta])+ release
        $(#[$withdraw:meta])+ withdraw
        $(#[$repair:meta])+ repair
        $(#[$lease_at:meta])+ lease_at
        $(#[$export:meta])+ export
        $(#[$restore:meta])+ restore
    ) => {
        impl<$($generics)*> $crate::image::Snapshot for $Pool {
            type Kept = $crate::epochs::Epochs;

            fn identity(&self) -> $crate::image::Identity {
                self.core.identity()
            }

            fn kept(&self) -> $crate::epochs::Epochs {
                self.core.epochs()
            }

            fn store(&self, put: &mut dyn FnMut(u32)) {
                self.core.store(self.storage.as_ref(), put);
            }

            fn load_contents(
                &mut self,
                take: &mut $crate::image::Take<'_>,
            ) -> Result<(), $crate::image::BadImage> {
                self.core.load(self.storage.as_mut(), take)
            }

            fn reset(&mut self, epochs: $crate::epochs::Epochs) {
                self.core.reset(self.storage.as_mut(), epochs);
            }
        }

        impl<$($generics)*> $Pool {
            /// Takes a lease back. Its nodes are free again, but for those withdrawn meanwhile.
            $(#[$release])+
            ///
            /// # Errors
            ///
            /// [`Misuse::Foreign`](crate::handle::Misuse::Foreign) of a lease of another pool, also if it has
            /// this one's number but another machine; [`Misuse::Stale`](crate::handle::Misuse::Stale) of one
            /// that is not live any more.
            pub fn release(&mut self, lease: $Lease) -> Result<(), $crate::handle::Misuse> {
                self.core.release(self.storage.as_mut(), &lease)
            }

            /// Takes nodes out of service, several at once. Then calls `hit` once for each lease that holds
            /// one of them, in the order of the nodes. Nodes that are out already may be named again.
            $(#[$withdraw])+
            ///
            /// # Errors
            ///
            /// [`NoSuchNode`](crate::subcube::NoSuchNode) names the first node outside the machine; none was
            /// withdrawn then.
            pub fn withdraw<F: FnMut($Lease)>(
                &mut self,
                nodes: &[$crate::cube::Node],
                outage: $crate::outage::Outage,
                mut hit: F,
            ) -> Result<(), $crate::outage::NoSuchNode> {
                self.core.withdraw(self.storage.as_mut(), nodes, outage, &mut hit)
            }

            /// Puts nodes back into service. Nodes that serve may be named too.
            $(#[$repair])+
            ///
            /// # Errors
            ///
            /// [`NoSuchNode`](crate::subcube::NoSuchNode) names the first node outside the machine; none was
            /// repaired then.
            pub fn repair(
                &mut self,
                nodes: &[$crate::cube::Node],
            ) -> Result<(), $crate::outage::NoSuchNode> {
                self.core.repair(self.storage.as_mut(), nodes)
            }

            /// The lease that holds `node`.
            $(#[$lease_at])+
            pub fn lease_at(&self, node: $crate::cube::Node) -> Option<$Lease> {
                self.core.lease_at(self.storage.as_ref(), node)
            }

            /// The live leases, by the rising numbers of the nodes that their handles name.
            pub fn leases(&self) -> impl Iterator<Item = $Lease> {
                self.core.leases(self.storage.as_ref())
            }

            /// The epoch in which leases are granted; 0 at first.
            pub fn epoch(&self) -> $crate::handle::Epoch {
                self.core.epochs().now
            }

            /// Begins another epoch. Leases of a pool that was built anew under the number of an older one are
            /// told apart by it. What is live stays live, and [`Self::leases`] and the others show it under the
            /// new epoch. Of the handles from before, those of the last epoch are still good, so whoever holds a
            /// lease through two restarts takes it from there in between. To begin the same epoch again is to
            /// restart again: handles of the one before are stale then.
            pub fn begin(&mut self, epoch: $crate::handle::Epoch) {
                self.core.begin(self.storage.as_mut(), epoch);
            }

            /// Passes leases, outages and generations to `put` as an [image](crate::image), word by word:
            $(#[$export])+
            pub fn export(&self, mut put: impl FnMut(u32)) {
                $crate::image::Snapshot::export(self, &mut put);
            }

            /// Goes on from an image in another epoch, see [`Self::begin`]: one that is used for the first time,
            /// since the image does not know of leases granted after it was taken. Words behind the image are
            /// left alone.
            $(#[$restore])+
            ///
            /// # Errors
            ///
            /// [`BadImage`](crate::image::BadImage). One that is not of this pool and machine changes
            /// nothing; after one whose contents are bad the pool is as new, but for the epoch.
            pub fn restore(
                &mut self,
                image: impl IntoIterator<Item = u32>,
                epoch: $crate::handle::Epoch,
            ) -> Result<(), $crate::image::BadImage> {
                let image: &mut dyn Iterator<Item = u32> = &mut image.into_iter();
                let (image, _) = $crate::image::Reader::open(image, &self.core.identity())?;
                let loaded = $crate::image::load_opened(self, image);
                self.begin(epoch);
                loaded
            }
        }
    };
}

pub(crate) use lease_api;

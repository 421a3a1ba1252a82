//! A pool of slices as an image.
//!
//! Contents: which rows have been in use; of each its generation, and of an open one its profile and its
//! slices, of a closed one what follows it among the vacant ones; then the slices out of service, and those
//! of them that have failed.

use super::{ProfileId, SlicePool, SliceSet};
use crate::coordinate::{BadImage, Identity, Restart, Stored, Take, digest_of_all, restart_api};
use crate::handle::{Epoch, Generation};
use crate::slab::{Rows, RowsMut, Slab, Tag};

impl Restart for SlicePool<'_> {
    fn identity(&self) -> Identity {
        Identity::of(*b"SLIC", self.slab.pool(), digest_of_all(self.table().numbers()))
    }

    fn store(&self, mut put: &mut dyn FnMut(u32)) {
        self.slab.store_head(&mut put);
        for (row, held) in (0..self.slab.used()).zip(&self.rows) {
            let Tag { generation, next } = self.rows[..].tag(row);
            generation.store(&mut put);
            if generation.is_live() {
                put(u32::from(held.profile.0));
                put(held.slices.0);
            } else {
                next.store(&mut put);
            }
        }
        put(self.out.0);
        put(self.failed.0);
    }

    fn load_contents(&mut self, mut take: &mut Take<'_>) -> Result<(), BadImage> {
        self.slab.load_head(self.rows.len(), &mut take)?;
        for row in 0..self.slab.used() {
            let generation = Generation::load(&mut take)?;
            let mut tag = Tag { generation, ..Tag::default() };
            if generation.is_live() {
                self.load_lease(row, take)?;
            } else {
                tag.next = Stored::load(&mut take)?;
            }
            self.rows[..].set_tag(row, tag);
        }
        (self.out, self.failed) = (SliceSet(take()?), SliceSet(take()?));
        self.slab.count_open(&self.rows[..]);
        self.check_invariants().map_err(|it| BadImage::Contradiction(it.0))
    }

    fn forget(&mut self) {
        *self = Self { slab: self.slab.emptied(), ..Self::new(self.id(), self.table()) };
    }

    fn slab(&mut self) -> &mut Slab {
        &mut self.slab
    }

    fn begin_epoch(&mut self, epoch: Epoch) {
        self.slab.begin(&mut self.rows[..], epoch);
    }
}

impl SlicePool<'_> {
    fn load_lease(&mut self, row: u32, take: &mut Take<'_>) -> Result<(), BadImage> {
        let (profile, slices) = (take()?, SliceSet(take()?));
        // No table has so many profiles: what is larger is none either.
        let profile = ProfileId(u8::try_from(profile).unwrap_or(u8::MAX));
        if let Some(held) = self.rows.get_mut(row as usize) {
            (held.profile, held.slices) = (profile, slices);
        }
        self.leased = self.leased.with(slices);
        Ok(())
    }
}

restart_api! { ['t] SlicePool<'t>, slab, "leases" }

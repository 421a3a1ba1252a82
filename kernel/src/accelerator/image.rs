//! A pool of slices as an image.
//!
//! Contents: which rows have been in use, and these; then the slices out of service, and those of them that
//! have failed.

use super::{SlicePool, SliceSet};
use crate::epochs::Epochs;
use crate::image::{
    BadImage, Identity, Snapshot, Stored, Take, digest_of_all, load_all, restart_api,
};

impl Snapshot for SlicePool<'_> {
    type Kept = Epochs;

    fn identity(&self) -> Identity {
        Identity::of(*b"SLIC", self.slab.pool(), digest_of_all(self.table.numbers()))
    }

    fn kept(&self) -> Epochs {
        self.slab.epochs
    }

    fn store(&self, mut put: &mut dyn FnMut(u32)) {
        self.slab.store_head(&mut put);
        self.rows.iter().take(self.slab.used() as usize).for_each(|row| row.store(&mut put));
        self.out.store(&mut put);
        self.failed.store(&mut put);
    }

    fn load_contents(&mut self, mut take: &mut Take<'_>) -> Result<(), BadImage> {
        self.slab.load_head(self.rows.len(), &mut take)?;
        let used = self.rows.get_mut(..self.slab.used() as usize).unwrap_or_default();
        load_all(used, &mut take)?;
        (self.out, self.failed) = (Stored::load(&mut take)?, Stored::load(&mut take)?);
        self.slab.count_open(&self.rows[..]);
        self.leased = self.leases().fold(SliceSet::NONE, |all, it| all.with(it.slices()));
        self.check_invariants().map_err(BadImage::broken)
    }

    fn reset(&mut self, epochs: Epochs) {
        *self = Self::new(self.id(), self.table);
        self.slab.epochs = epochs;
    }
}

restart_api! {
    ['t] SlicePool<'t>, slab, "leases", |it, epoch| it.slab.begin(&mut it.rows[..], epoch)
}

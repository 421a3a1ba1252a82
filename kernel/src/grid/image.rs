//! Images of pools of boxes.
//!
//! Contents, as those of pools of subcubes: the epoch, then for each node the generation of the leases
//! with this origin, and in one word the sides of the live one and whether, and why, the node is out of
//! service.

use super::cuboid::Cuboid;
use super::inventory::{HELD, Inventory, SERVING};
use super::sides::Sides;
use crate::coordinate::{BadImage, Identity, Place, Reader, digest_of_all, write_image};
use crate::cube::Node;
use crate::epochs::Filed;
use crate::handle::Epoch;
use crate::outage::{BELOW, bits_of, outage_of};

impl Inventory {
    fn identity(&self) -> Identity {
        let axes = self.rows.grid.all_axes().into_iter();
        let numbers = axes.map(|axis| u64::from(axis.nodes()) << 1 | u64::from(axis.is_ring()));
        Identity::of(*b"GRID", self.id, digest_of_all(numbers))
    }

    pub(super) fn export(&self, words: &[u64], put: &mut dyn FnMut(u32)) {
        write_image(&self.identity(), Place::START, |put| self.store(words, put), put);
    }

    fn store(&self, words: &[u64], put: &mut dyn FnMut(u32)) {
        put(u32::from(self.epochs.now.0));
        for node in (0..self.rows.grid.nodes()).map(Node) {
            let live = self.lease_from(words, node);
            let sides = live.map_or(0, |lease| lease.cuboid().sides().packed());
            put(self.filed(words, node).0);
            put(sides | bits_of(self.outage(words, node)));
        }
    }

    /// Goes on from an image in another epoch. After one whose contents are bad, the pool is as new.
    pub(super) fn restore(
        &mut self,
        words: &mut [u64],
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

    fn load(
        &mut self,
        words: &mut [u64],
        take: &mut dyn FnMut() -> Result<u32, BadImage>,
    ) -> Result<(), BadImage> {
        self.epochs.now = Epoch(take()? as u16);
        for node in (0..self.rows.grid.nodes()).map(Node) {
            let (filed, row) = (Filed(take()?), take()?);
            if filed.is_live() {
                let cuboid = Cuboid::new(self.rows.grid, node, Sides::unpacked(row & BELOW));
                let cuboid = cuboid.filter(|cuboid| cuboid.origin() == node);
                let cuboid = cuboid.ok_or(BadImage::Contradiction("the sides of a lease"))?;
                if self.count(words, HELD, &cuboid) > 0 {
                    return Err(BadImage::Contradiction("leases overlap"));
                }
                let free = self.count(words, SERVING, &cuboid);
                self.free = self.free.wrapping_sub(free);
                self.file(words, &cuboid, filed);
            } else {
                self.set_filed(words, node, filed);
            }
            let outage = outage_of(row);
            if outage.is_some() {
                self.change(words, node, outage);
            }
        }
        Ok(())
    }
}

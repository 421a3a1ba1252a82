//! What images of pools of subcubes and of meshes have alike.
//!
//! Contents: the epoch, then for each node the generation of the leases with this base, and in one
//! word the mask of the live one and what is below. What is free follows from that: a restored pool
//! takes leases and outages out of the whole cube, by rising node.

use super::inventory::Inventory;
use super::{Start, Strategy};
use crate::bits::Word;
use crate::cube::{Node, Subcube};
use crate::epochs::Epochs;
use crate::handle::{Epoch, Generation};
use crate::image::{BadImage, Identity, Take, digest_of};
use crate::outage::{self, bits_of, outage_of};

/// A pool that is written as an image and goes on from one.
pub(crate) trait Restore: Sized {
    /// The strategy.
    type By: Strategy;

    const KIND: [u8; 4];

    /// A number for what must be alike beside the machine.
    fn configuration(&self) -> u64;

    fn inventory(&self) -> &Inventory<Self::By>;

    fn inventory_mut(&mut self) -> &mut Inventory<Self::By>;

    /// The same pool without leases and outages, over so many words.
    fn anew(&self, start: &Start<Self::By>) -> (Self, usize);

    /// Files a lease of free nodes, with this generation; whether they are free. Of
    /// the image, `take` gives what [`Restore::more`] added to it.
    fn file(
        &mut self,
        words: &mut [Word],
        cube: Subcube,
        filed: Generation,
        take: &mut Take<'_>,
    ) -> Result<bool, BadImage>;

    /// Takes a node that is out of service out of the free ones, unless a lease holds it.
    fn remove_if_free(&mut self, words: &mut [Word], node: Node);

    /// Passes on what else there is to say of the live lease with this base.
    fn more(&self, words: &[Word], base: Node, put: &mut dyn FnMut(u32)) {
        _ = (words, base, put);
    }

    fn identity(&self) -> Identity {
        let Inventory { dims, ledger, .. } = self.inventory();
        let configuration = digest_of(&[u64::from(dims.get()), self.configuration()]);
        Identity::of(Self::KIND, ledger.pool, configuration)
    }

    fn epochs(&self) -> Epochs {
        self.inventory().ledger.epochs
    }

    fn store(&self, words: &[Word], put: &mut dyn FnMut(u32)) {
        let Inventory { ledger, service, dims, .. } = self.inventory();
        put(u32::from(ledger.epochs.now.0));
        for node in (0..dims.nodes()).map(Node) {
            let live = ledger.lease_from(words, node);
            let outage = bits_of(service.outage(words, node));
            put(ledger.filed(words, node.0).raw().rotate_left(1));
            put(live.map_or(0, |lease| lease.cube().mask()) | outage);
            if live.is_some() {
                self.more(words, node, put);
            }
        }
    }

    fn reset(&mut self, words: &mut [Word], epochs: Epochs) {
        let start = (Self::By::STARTS.compute)(self.inventory().dims);
        let (new, needed) = self.anew(&start);
        *self = new;
        self.inventory_mut().ledger.epochs = epochs;
        _ = self.inventory().start_in(words, needed, &start);
    }

    fn load(&mut self, words: &mut [Word], take: &mut Take<'_>) -> Result<(), BadImage> {
        self.inventory_mut().ledger.epochs.now = Epoch(take()? as u16);
        let dims = self.inventory().dims;
        for node in (0..dims.nodes()).map(Node) {
            let (filed, row) = (Generation::from_raw(take()?.rotate_right(1)), take()?);
            if !filed.is_live() {
                self.inventory().ledger.set_filed(words, node.0, filed);
            } else {
                let cube = Subcube::new(dims, node, row & outage::BELOW);
                let cube = cube.filter(|cube| cube.base() == node);
                let cube = cube.ok_or(BadImage::Contradiction("the mask of a lease"))?;
                if !self.file(words, cube, filed, take)? {
                    return Err(BadImage::Contradiction("leases overlap"));
                }
            }
            let outage = outage_of(row);
            // Leases with nodes up to this one are filed, so it is free unless one holds it.
            if outage.is_some() && self.inventory_mut().service.change(words, node, outage) {
                self.remove_if_free(words, node);
            }
        }
        self.inventory_mut().assess(words);
        Ok(())
    }

    fn begin(&mut self, words: &mut [Word], epoch: Epoch) {
        self.inventory_mut().ledger.begin(words, epoch);
    }
}

//! What images of pools of subcubes and of meshes have alike.
//!
//! Contents: the epoch, then for each node the generation of the leases with this base, and in one
//! word the mask of the live one and what is below. What is free follows from that: a restored pool
//! takes leases and outages out of the whole cube, by rising node.

use super::inventory::Inventory;
use super::lease::LIVE;
use super::{Outage, Strategy};
use crate::bits::Word;
use crate::coordinate::{BadImage, Identity, Place, Reader, Writer, digest_of};
use crate::cube::{Node, Subcube};
use crate::handle::Epoch;

/// The node is out of service.
const OUT: u32 = 1 << 24;
/// It has failed.
const FAILED: u32 = 1 << 25;

/// The kind of an image, and a number for what else must be alike.
pub(crate) type Of = ([u8; 4], u64);

/// Where words of an image come from.
pub(crate) type Take<'a> = dyn FnMut() -> Result<u32, BadImage> + 'a;

/// Passes on what else there is to say of the lease with a base.
type More<'a> = dyn Fn(Node, &mut dyn FnMut(u32)) + 'a;

/// A node in an image: the generation as it is stored, the live lease with this base, the outage.
struct Row {
    stored: u32,
    cube: Option<Subcube>,
    outage: Option<Outage>,
}

const OVERLAP: BadImage = BadImage::Contradiction("leases overlap");

impl<T: Strategy> Inventory<T> {
    fn identity(&self, kind: [u8; 4], configuration: u64) -> Identity {
        let configuration = digest_of(&[u64::from(self.dims.get()), configuration]);
        Identity { kind, version: 1, pool: self.ledger.pool, configuration }
    }

    /// Passes an image of this kind and configuration to `put`; `more` adds what else there is to
    /// say of the lease with a base.
    pub(crate) fn export(
        &self,
        words: &[Word],
        (kind, configuration): Of,
        put: &mut dyn FnMut(u32),
        more: &More<'_>,
    ) {
        let mut length = 0u32;
        self.store(words, &mut |_| length = length.wrapping_add(1), more);
        let mut writer =
            Writer::new(&self.identity(kind, configuration), Place::START, length, put);
        self.store(words, &mut |word| writer.put(word), more);
        writer.finish();
    }

    fn store(&self, words: &[Word], put: &mut dyn FnMut(u32), more: &More<'_>) {
        put(u32::from(self.ledger.epoch.0));
        for node in (0..self.dims.nodes()).map(Node) {
            let live = self.ledger.lease_from(words, node);
            let outage = match self.service.outage(words, node) {
                None => 0,
                Some(Outage::Drained) => OUT,
                Some(Outage::Failed) => OUT | FAILED,
            };
            put(self.ledger.stored(words, node.0));
            put(live.map_or(0, |lease| lease.cube().mask()) | outage);
            if live.is_some() {
                more(node, put);
            }
        }
    }

    fn load_row(&self, node: Node, take: &mut Take<'_>) -> Result<Row, BadImage> {
        let (stored, row) = (take()?, take()?);
        let outage = match (row & OUT, row & FAILED) {
            (0, _) => None,
            (_, 0) => Some(Outage::Drained),
            _ => Some(Outage::Failed),
        };
        let cube = Subcube::new(self.dims, node, row & OUT.wrapping_sub(1));
        let cube = cube.filter(|cube| cube.base() == node);
        match (stored & LIVE, cube) {
            (0, _) => Ok(Row { stored, cube: None, outage }),
            (_, None) => Err(BadImage::Contradiction("the mask of a lease")),
            _ => Ok(Row { stored, cube, outage }),
        }
    }
}

/// A pool that goes on from an image.
pub(crate) trait Restore<T: Strategy> {
    const KIND: [u8; 4];

    fn configuration(&self) -> u64;

    fn inventory(&mut self) -> &mut Inventory<T>;

    /// Makes the pool as new.
    fn forget(&mut self, words: &mut [Word]);

    /// Files a lease of free nodes, with the generation as it is stored; whether they are free. Of
    /// the image, `take` gives what `more` added to it.
    fn file(
        &mut self,
        words: &mut [Word],
        cube: Subcube,
        stored: u32,
        take: &mut Take<'_>,
    ) -> Result<bool, BadImage>;

    /// Takes a node out of service.
    fn withdraw_node(&mut self, words: &mut [Word], node: Node, outage: Outage);

    /// Goes on from an image in another epoch. After one whose contents are bad, the pool is as new.
    fn restore(
        &mut self,
        words: &mut [Word],
        image: &mut dyn Iterator<Item = u32>,
        epoch: Epoch,
    ) -> Result<(), BadImage> {
        let configuration = self.configuration();
        let identity = self.inventory().identity(Self::KIND, configuration);
        let (mut reader, _) = Reader::open(image, &identity)?;
        self.forget(words);
        let contents = self.load(words, &mut || reader.word());
        let read = reader.finish(contents);
        if read.is_err() {
            self.forget(words);
        }
        self.inventory().assess(words);
        self.inventory().ledger.begin(words, epoch);
        read
    }

    fn load(&mut self, words: &mut [Word], take: &mut Take<'_>) -> Result<(), BadImage> {
        self.inventory().ledger.epoch = Epoch(take()? as u16);
        for node in (0..self.inventory().dims.nodes()).map(Node) {
            let Row { stored, cube, outage } = self.inventory().load_row(node, take)?;
            match cube {
                None => self.inventory().ledger.store(words, node.0, stored),
                Some(cube) if self.file(words, cube, stored, take)? => {}
                Some(_) => return Err(OVERLAP),
            }
            if let Some(outage) = outage {
                self.withdraw_node(words, node, outage);
            }
        }
        Ok(())
    }
}

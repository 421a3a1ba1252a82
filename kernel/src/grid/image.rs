//! Machines, boxes and pools of boxes in images.
//!
//! Contents of a pool, as those of pools of subcubes: the epoch, then for each node the generation of the leases
//! with this origin, and in one word the sides of the live one and whether, and why, the node is out of
//! service.

use super::cuboid::Cuboid;
use super::inventory::{HELD, Inventory, SERVING};
use super::machine::Grid;
use super::sides::Sides;
use crate::cube::Node;
use crate::epochs::Epochs;
use crate::handle::{Epoch, Generation};
use crate::image::{BadImage, Identity, Stored, Take, digest_of_all};
use crate::outage::{BELOW, bits_of, outage_of};

/// In one word: the sides, then which axes are rings.
impl Stored for Grid {
    fn store(&self, put: &mut impl FnMut(u32)) {
        let rings = (24u8..).zip(self.all_axes()).filter(|(_, axis)| axis.is_ring());
        put(rings.fold(Sides::from_parts(self.sides()).packed(), |word, (bit, _)| word | 1 << bit));
    }

    fn load(take: &mut impl FnMut() -> Result<u32, BadImage>) -> Result<Self, BadImage> {
        let word = take()?;
        let mut ring = word >> 24;
        let axes = Sides::unpacked(word).all().map(|nodes| {
            let is_ring = ring & 1 == 1;
            ring >>= 1;
            (nodes, is_ring)
        });
        Self::try_from(axes).map_err(|_| BadImage::Contradiction("axes that no machine has"))
    }
}

/// As its machine, the number of its origin, and its sides.
impl Stored for Cuboid {
    fn store(&self, put: &mut impl FnMut(u32)) {
        self.grid().store(put);
        put(self.origin().0);
        put(self.sides().packed());
    }

    fn load(take: &mut impl FnMut() -> Result<u32, BadImage>) -> Result<Self, BadImage> {
        let (grid, origin, sides) = (Grid::load(take)?, Node(take()?), Sides::unpacked(take()?));
        let cuboid = Self::new(grid, origin, sides).filter(|it| it.origin() == origin);
        cuboid.ok_or(BadImage::Contradiction("a box lies in its machine"))
    }
}

impl Inventory {
    pub(super) fn identity(&self) -> Identity {
        let axes = self.boxes.rows.grid.all_axes().into_iter();
        let numbers = axes.map(|axis| u64::from(axis.nodes()) << 1 | u64::from(axis.is_ring()));
        Identity::of(*b"GRID", self.id, digest_of_all(numbers))
    }

    pub(super) const fn epochs(&self) -> Epochs {
        self.epochs
    }

    pub(super) fn store(&self, words: &[u64], put: &mut dyn FnMut(u32)) {
        put(u32::from(self.epochs.now.0));
        for node in self.nodes() {
            let live = self.lease_from(words, node);
            let sides = live.map_or(0, |lease| lease.cuboid().sides().packed());
            put(self.filed(words, node).raw().rotate_left(1));
            put(sides | bits_of(self.outage(words, node)));
        }
    }

    pub(super) fn load(&mut self, words: &mut [u64], take: &mut Take<'_>) -> Result<(), BadImage> {
        self.epochs.now = Epoch(take()? as u16);
        for node in self.nodes() {
            let (filed, row) = (Generation::from_raw(take()?.rotate_right(1)), take()?);
            if filed.is_live() {
                let cuboid = Cuboid::new(self.boxes.rows.grid, node, Sides::unpacked(row & BELOW));
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

    pub(super) fn reset(&mut self, words: &mut [u64], epochs: Epochs) {
        *self = Self { free: self.boxes.rows.grid.nodes(), leased: 0, out: 0, epochs, ..*self };
        self.start_in(words);
    }

    pub(super) fn begin(&mut self, words: &mut [u64], epoch: Epoch) {
        self.epochs.begin(epoch);
        self.nodes().for_each(|node| self.set_filed(words, node, self.filed(words, node).begun()));
    }
}

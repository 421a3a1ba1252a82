//! A pool of nodes as an image, and its invariants.
//!
//! Contents: which rows have been in use, and these; then the nodes out of service, and those of them that have failed.

use super::amounts::Amounts;
use super::lease::NodeRow;
use super::pool::NodePool;
use super::row::{ROW, Row};
use crate::bits::{bit, ones_of};
use crate::epochs::Epochs;
use crate::image::{
    BadImage, Identity, Snapshot, Stored, Take, digest_of_all, load_all, restart_api,
};
use crate::invariant::{InvariantViolation, ensure};

impl<const W: usize, R, S> Snapshot for NodePool<'_, W, R, S>
where
    R: AsRef<[NodeRow<W>]> + AsMut<[NodeRow<W>]>,
    S: AsRef<[u32]> + AsMut<[u32]>,
{
    type Kept = Epochs;

    fn identity(&self) -> Identity {
        Identity::of(*b"NODE", self.slab.pool(), digest_of_all(self.machine.numbers()))
    }

    fn kept(&self) -> Epochs {
        self.slab.epochs
    }

    fn store(&self, mut put: &mut dyn FnMut(u32)) {
        self.slab.store_head(&mut put);
        let used = self.rows.as_ref().iter().take(self.slab.used() as usize);
        used.for_each(|row| row.store(&mut put));
        self.out.store(&mut put);
        self.failed.store(&mut put);
    }

    fn load_contents(&mut self, mut take: &mut Take<'_>) -> Result<(), BadImage> {
        let rows = self.rows.as_mut();
        self.slab.load_head(rows.len(), &mut take)?;
        load_all(rows.get_mut(..self.slab.used() as usize).unwrap_or_default(), &mut take)?;
        (self.out, self.failed) = (Stored::load(&mut take)?, Stored::load(&mut take)?);
        self.slab.count_open(self.rows.as_ref());
        self.is_drawn = false;
        NodePool::check_invariants(self).map_err(BadImage::broken)
    }

    fn reset(&mut self, epochs: Epochs) {
        self.slab = self.slab.emptied();
        self.slab.epochs = epochs;
        (self.out, self.failed, self.is_drawn) = ([0; W], [0; W], false);
    }
}

restart_api! {
    [
        'n, const W: usize, R: AsRef<[NodeRow<W>]> + AsMut<[NodeRow<W>]>, S: AsRef<[u32]> + AsMut<[u32]>
    ] NodePool<'n, W, R, S>, slab, "leases", |it, epoch| it.slab.begin(it.rows.as_mut(), epoch)
}

impl<const W: usize, R, S> NodePool<'_, W, R, S>
where
    R: AsRef<[NodeRow<W>]> + AsMut<[NodeRow<W>]>,
    S: AsRef<[u32]> + AsMut<[u32]>,
{
    /// Recomputes what is derived and compares; for tests and fuzzers. Cost: the leases for each node.
    ///
    /// # Errors
    ///
    /// [`InvariantViolation`] names the invariant that does not hold.
    pub fn check_invariants(&self) -> Result<(), InvariantViolation> {
        self.slab.check(self.rows.as_ref())?;
        let machine = &self.machine;
        let mut common = machine.common;
        for place in self.places() {
            let is_known = place.nodes().all(|it| it.0 < machine.nodes());
            ensure(is_known && place.nodes().next().is_some(), "a lease has nodes that there are")?;
            ensure(place.common.fits(&common), "there is what leases have in common")?;
            common = common.less(&place.common);
        }
        ensure(ones_of(&self.out).all(|it| it < machine.nodes()), "nodes out of service")?;
        let is_out = ones_of(&self.failed).all(|it| bit(&self.out, 0, it));
        ensure(is_out, "a failed node is out of service")?;
        for node in 0..machine.nodes() {
            let mut words = [0; ROW];
            let words = words.get_mut(..machine.width()).unwrap_or_default();
            machine.open_on(words, &machine.has_node(node));
            for place in self.places().filter(|it| bit(it.set(), 0, node)) {
                let row = Row::of(words, machine.quantities);
                ensure(machine.has_on(&row, node, place), "leases fit on a node together")?;
                machine.take_place(words, place);
            }
            if bit(&self.out, 0, node) {
                words.fill(0);
            }
            let left = Row::of(words, machine.quantities);
            let is_left = machine.row(self.map(), node) == Some(left);
            ensure(is_left || !self.is_drawn, "the map is what leases and outages leave")?;
        }
        let is_left = Amounts::of(machine.common_of(self.map())) == common;
        ensure(is_left || !self.is_drawn, "the map is what leases leave in common")
    }
}

//! Leases and the ledger that says which are live.
//!
//! The nodes of a lease belong to it alone, and so does its base node: the ledger keeps one entry
//! a node and files a lease under its base.

use crate::bits::{Lanes, Packed, Word, bit, clear, words_for};
use crate::cube::{Dim, Node, Subcube};
use crate::epochs::Epochs;
use crate::handle::{Epoch, Generation, Handle, Misuse, PoolId};

crate::data::data! {
    /// A subcube granted to somebody, until it is released to the pool that granted it.
    ///
    /// A copy is the same lease: after one is released the others are stale, until in one epoch 2^30 more
    /// with the same base were granted: 12 days at a thousand a second.
    pub struct Lease {
        cube: Subcube,
        generation: Generation,
        pool: PoolId,
        epoch: Epoch,
    }
}

impl Lease {
    /// The lease of this subcube and handle; `None` if the handle is not that of the subcube's base.
    pub const fn from_parts(cube: Subcube, handle: Handle) -> Option<Self> {
        if handle.index() != cube.base().0 {
            return None;
        }
        let (pool, epoch) = (handle.pool(), handle.epoch());
        Some(Self { cube, generation: handle.generation(), pool, epoch })
    }

    /// The nodes that it grants.
    pub const fn cube(&self) -> Subcube {
        self.cube
    }

    /// The nodes that it grants, by rising address.
    pub fn nodes(&self) -> impl Iterator<Item = Node> + use<> {
        self.cube.nodes()
    }

    /// Pool, base node, generation and epoch.
    pub const fn handle(&self) -> Handle {
        Handle::new(self.pool, self.cube.base().0, self.generation).in_epoch(self.epoch)
    }
}

// As `0***`.
crate::display::leases! { Lease: cube }

/// Which leases are live.
///
/// - `generations[b]`, with the mark of [`Epochs`], is live exactly while a lease with base `b` is.
/// - `masks[b]` is that lease's mask. Otherwise the entry is the strategy's to use. While node `b`, but
///   for 0, is out of service without a lease it is `b`, which no mask of a subcube with base `b` is.
/// - At `room` there is a bit a node for whatever needs it within one call. A strategy may, but for where it
///   gives or takes single nodes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ledger {
    pub(crate) pool: PoolId,
    pub(crate) epochs: Epochs,
    dims: Dim,
    start: usize,
    pub(crate) masks: Lanes,
    pub(crate) room: usize,
}

impl Ledger {
    /// Words for the ledger of an n-cube.
    pub(crate) const fn words(dims: Dim) -> usize {
        let nodes = dims.nodes() as usize;
        Packed::WHOLES.words(nodes) + words_per_node(dims) + words_for(nodes)
    }

    pub(crate) const fn new(pool: PoolId, dims: Dim, start: usize) -> Self {
        let room = Self::room_in(dims, start);
        let (epochs, masks) = (Epochs::FIRST, Self::masks_in(dims, start));
        Self { pool, epochs, dims, start, masks, room }
    }

    /// The masks of a ledger in the words from `start` on.
    pub(crate) const fn masks_in(dims: Dim, start: usize) -> Lanes {
        per_node(dims, start + Packed::WHOLES.words(dims.nodes() as usize))
    }

    /// The room of a ledger in the words from `start` on.
    pub(crate) const fn room_in(dims: Dim, start: usize) -> usize {
        start + Self::words(dims) - words_for(dims.nodes() as usize)
    }

    /// Clears the room.
    pub(crate) fn clear_room(&self, words: &mut [Word]) {
        clear(words, self.room, words_for(self.dims.nodes() as usize));
    }

    /// Files a new lease of `cube`.
    pub(crate) fn open(&self, words: &mut [Word], cube: Subcube) -> Lease {
        let filed = self.filed(words, cube.base().0).turned();
        debug_assert!(filed.is_live(), "two leases with one base");
        self.file(words, cube, filed);
        self.lease(cube, filed)
    }

    /// Files the lease of `cube` with this generation.
    pub(crate) fn file(&self, words: &mut [Word], cube: Subcube, filed: Generation) {
        let base = cube.base().0;
        self.set_filed(words, base, filed);
        self.masks.set(words, base, cube.mask());
    }

    /// Closes a lease that is live.
    pub(crate) fn close(&self, words: &mut [Word], lease: &Lease) {
        self.set_filed(words, lease.cube.base().0, lease.generation.turned());
    }

    /// Whether a lease is live.
    pub(crate) fn check(&self, words: &[Word], lease: &Lease) -> Result<(), Misuse> {
        let base = lease.cube.base().0;
        if lease.cube.dims() != self.dims {
            return Err(Misuse::Foreign);
        }
        self.epochs.check(lease.handle(), self.pool, self.filed(words, base))?;
        let same = self.masks.get(words, base) == lease.cube.mask();
        if same { Ok(()) } else { Err(Misuse::Stale) }
    }

    /// Begins another epoch: what is live is older from now on.
    pub(crate) fn begin(&mut self, words: &mut [Word], epoch: Epoch) {
        self.epochs.begin(epoch);
        for base in 0..self.dims.nodes() {
            self.set_filed(words, base, self.filed(words, base).begun());
        }
    }

    /// The live leases, by rising base.
    pub(crate) fn leases(&self, words: &[Word]) -> impl Iterator<Item = Lease> {
        (0..self.dims.nodes()).filter_map(|base| self.lease_from(words, Node(base)))
    }

    /// The live lease that holds `node`, if live leases are disjoint. Cost: a step for each way to
    /// clear ones of the address.
    pub(crate) fn lease_at(&self, words: &[Word], node: Node) -> Option<Lease> {
        let own = Some(node).filter(|node| node.0 < self.dims.nodes())?;
        // Of a base without a lease the mask says anything; it is asked first, as it rules out most.
        let masked = own.bases_around().map(|base| (base, self.masks.get(words, base.0)));
        let mut around = masked.filter(|(base, mask)| (node.0 ^ base.0) & !mask == 0);
        around.find_map(|(base, mask)| self.lease_of(words, base, mask))
    }

    /// Whether a live lease has nodes of `cube`. Its base is the highest address there with some ones
    /// made zeros.
    pub(crate) fn meets(&self, words: &[Word], cube: &Subcube) -> bool {
        let highest = Node(cube.base().0 | cube.mask());
        let mut leases = highest.bases_around().filter_map(|base| self.lease_from(words, base));
        leases.any(|lease| lease.cube.intersection(cube).is_some())
    }

    /// Notes whether `node`, which no lease holds, is out of service.
    pub(crate) fn note_out(&self, words: &mut [Word], node: Node, out: bool) {
        self.masks.set(words, node.0, if out { node.0 } else { 0 });
    }

    /// Whether it is noted that `node` is out of service and no lease holds it.
    pub(crate) fn is_noted(&self, words: &[Word], node: Node) -> bool {
        node.0 != 0 && self.masks.get(words, node.0) == node.0
    }

    /// Draws the nodes of all live leases in the room and notes the base of each: in its entry of
    /// `masks`, which nobody needs while it is leased.
    pub(crate) fn draw(&self, words: &mut [Word]) {
        self.clear_room(words);
        for base in (0..self.dims.nodes()).map(Node) {
            if let Some(lease) = self.lease_from(words, base) {
                lease.cube.fill(words, self.room, true);
                lease.nodes().skip(1).for_each(|node| self.masks.set(words, node.0, base.0));
            }
        }
    }

    /// The live lease that holds `node`, if it is drawn.
    pub(crate) fn drawn_at(&self, words: &[Word], node: Node) -> Option<Lease> {
        if !bit(words, self.room, node.0) {
            return None;
        }
        let own = self.lease_from(words, node);
        own.or_else(|| self.lease_from(words, Node(self.masks.get(words, node.0))))
    }

    /// Takes all leases out of what is drawn.
    pub(crate) fn erase_all(&self, words: &mut [Word]) {
        for base in (0..self.dims.nodes()).map(Node) {
            if let Some(lease) = self.lease_from(words, base) {
                self.erase(words, &lease);
            }
        }
    }

    /// Takes a lease out of what is drawn.
    pub(crate) fn erase(&self, words: &mut [Word], lease: &Lease) {
        lease.cube.fill(words, self.room, false);
    }

    /// The live lease with this base.
    pub(crate) fn lease_from(&self, words: &[Word], base: Node) -> Option<Lease> {
        self.lease_of(words, base, self.masks.get(words, base.0))
    }

    /// The live lease with this base and mask.
    fn lease_of(&self, words: &[Word], base: Node, mask: u32) -> Option<Lease> {
        let filed = self.filed(words, base.0);
        let cube = Subcube::from_parts(self.dims, base.0, mask);
        filed.is_live().then(|| self.lease(cube, filed))
    }

    /// The generation of this base, with its mark.
    pub(crate) fn filed(&self, words: &[Word], base: u32) -> Generation {
        Generation::from_raw(Lanes::Wholes(self.start).get(words, base))
    }

    pub(crate) fn set_filed(&self, words: &mut [Word], base: u32, filed: Generation) {
        Lanes::Wholes(self.start).set(words, base, filed.raw());
    }

    fn lease(&self, cube: Subcube, filed: Generation) -> Lease {
        let generation = filed.unmarked();
        Lease { cube, generation, pool: self.pool, epoch: self.epochs.now }
    }
}

/// A table of a number below 2^n for each node of an n-cube.
pub(crate) const fn per_node(dims: Dim, start: usize) -> Lanes {
    if is_narrow(dims) { Lanes::Halves(start) } else { Lanes::Wholes(start) }
}

/// Words of a table of [`per_node`].
pub(crate) const fn words_per_node(dims: Dim) -> usize {
    let packed = if is_narrow(dims) { Packed::HALVES } else { Packed::WHOLES };
    packed.words(dims.nodes() as usize)
}

const fn is_narrow(dims: Dim) -> bool {
    dims.get() <= 16
}

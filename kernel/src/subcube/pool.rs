//! A strategy made into an allocator: leases, outages, refusals, figures.

use super::image::{Restore, Take};
use super::inventory::Inventory;
use super::lease::Lease;
use super::storage::words;
use super::{
    Allocator, InvariantViolation, NoSuchNode, NodeState, NotFree, Outage, Refusal, Stats,
    StorageTooSmall, Strategy,
};
use crate::bits::{Word, bit, set_bit};
use crate::coordinate::BadImage;
use crate::cube::{Dim, Node, Subcube};
use crate::error::Error;
use crate::handle::{Epoch, Misuse, PoolId};
use crate::invariant::ensure;

/// A pool of the nodes of one n-cube under strategy `T`, over the caller's storage `S`.
///
/// The pool itself is small and may be moved. The storage is any slice of [`words`] words, an array
/// in a `static`, boxed or borrowed; what it held does not matter. This shell only hands it to
/// `Core`, so that the algorithms are compiled once and not once for each size of storage.
#[derive(Clone, Debug)]
pub struct Pool<T, S> {
    core: Core<T>,
    storage: S,
}

impl<T: Strategy, S: AsRef<[Word]> + AsMut<[Word]>> Pool<T, S> {
    /// A pool of the whole n-cube. Words of `storage` beyond those needed are not touched.
    ///
    /// # Errors
    ///
    /// [`StorageTooSmall`] below [`words`].
    pub fn new(id: PoolId, dims: Dim, mut storage: S) -> Result<Self, StorageTooSmall> {
        let start = T::STARTS.compute(dims);
        let inventory = Inventory::new(id, dims, &start);
        inventory.start_in(storage.as_mut(), inventory.words(), &start)?;
        Ok(Self { core: Core(inventory), storage })
    }
}

impl<T: Strategy, const N: usize> Pool<T, [Word; N]> {
    /// A pool of the whole n-cube of `DIMS` dimensions, storage included, for a `static`.
    ///
    /// Some of it is not zero, so all of it lies in `.data` and costs flash as well. Firmware keeps
    /// the storage in a `static` of zeros and calls [`Pool::new`].
    ///
    /// ```
    /// use locox::handle::PoolId;
    /// use locox::subcube::{FreeList, Pool, words};
    /// use std::sync::Mutex;
    /// static POOL: Mutex<Pool<FreeList, [usize; words::<FreeList>(10)]>> =
    ///     Mutex::new(Pool::new_static::<10>(PoolId(1)));
    /// ```
    ///
    /// Too short an array does not compile:
    ///
    /// ```compile_fail
    /// use locox::handle::PoolId;
    /// use locox::subcube::{FreeList, Pool, words};
    /// use std::sync::Mutex;
    /// static POOL: Mutex<Pool<FreeList, [usize; words::<FreeList>(10) - 1]>> =
    ///     Mutex::new(Pool::new_static::<10>(PoolId(1)));
    /// ```
    pub const fn new_static<const DIMS: u8>(id: PoolId) -> Self {
        const { assert!(N >= words::<T>(DIMS), "the array is too short for the machine") };
        let dims = const { Dim::new(DIMS).unwrap() };
        let start = T::STARTS.row(dims);
        let inventory = Inventory::new(id, dims, &start);
        let mut storage = [0; N];
        inventory.start(&mut storage, &start);
        Self { core: Core(inventory), storage }
    }
}

impl<T, S> Pool<T, S> {
    pub(super) const fn strategy_mut(&mut self) -> &mut T {
        &mut self.core.0.strategy
    }
}

/// All of a pool but its storage.
///
/// - The strategy holds exactly the free nodes.
/// - `possible` is what it would grant while no lease is live.
#[derive(Clone, Debug)]
struct Core<T>(Inventory<T>);

impl<T: Strategy> Core<T> {
    fn allocate(&mut self, words: &mut [Word], dim: Dim) -> Result<Lease, Refusal> {
        let Self(inventory) = self;
        if inventory.is_faulty(dim) || !inventory.has_enough(dim) {
            return Err(inventory.reason(words, dim));
        }
        let Some(cube) = inventory.strategy.allocate(words, dim) else {
            return Err(inventory.reason(words, dim));
        };
        inventory.count_granted(dim.nodes());
        Ok(inventory.ledger.open(words, cube))
    }

    /// Takes the nodes of `cube` out of the free ones, if all are free.
    fn take_out(&mut self, words: &mut [Word], cube: &Subcube) -> Result<(), NotFree> {
        let Self(inventory) = self;
        if let Some(taken) = cube.nodes().find(|&node| !inventory.strategy.is_free(words, node)) {
            return Err(NotFree(taken));
        }
        inventory.strategy.remove(words, cube, None);
        inventory.count_granted(cube.len());
        Ok(())
    }

    fn claim(&mut self, words: &mut [Word], cube: &Subcube) -> Result<Lease, Claim> {
        let cube = self.0.own(cube).map_err(Error::Misused)?;
        self.take_out(words, &cube).map_err(Error::Refused)?;
        Ok(self.0.ledger.open(words, cube))
    }

    fn claim_nodes(
        &mut self,
        words: &mut [Word],
        nodes: &[Node],
        granted: &mut dyn FnMut(Lease),
    ) -> Result<(), Claim> {
        let Self(inventory) = self;
        inventory.service.check_nodes(nodes).map_err(Error::Misused)?;
        let mut named = nodes.iter().copied();
        if let Some(taken) = named.find(|&node| !inventory.strategy.is_free(words, node)) {
            return Err(Error::Refused(NotFree(taken)));
        }
        let (ledger, dims) = (inventory.ledger, inventory.dims);
        ledger.clear_room(words);
        nodes.iter().for_each(|node| set_bit(words, ledger.room, node.0, true));
        Subcube::whole(dims).visit_marked(words, ledger.room, 0, &mut |words, node| {
            let single = Subcube::from_parts(dims, node.0, 0);
            if self.take_out(words, &single).is_ok() {
                granted(ledger.open(words, single));
            }
        });
        Ok(())
    }

    fn would_fit(&mut self, words: &mut [Word], dim: Dim) -> Result<(), Refusal> {
        let Self(inventory) = self;
        if !inventory.is_faulty(dim) && inventory.fits(words, dim) {
            return Ok(());
        }
        Err(inventory.reason(words, dim))
    }

    fn release(&mut self, words: &mut [Word], lease: &Lease) -> Result<(), Misuse> {
        let Self(inventory) = self;
        inventory.ledger.close(words, lease)?;
        let cube = lease.cube();
        // It comes back whole even if nodes of it are out: given node by node, it might merge with
        // neighbours into other cubes and not be seen again.
        inventory.strategy.free(words, cube);
        inventory.count_released(cube.len());
        let service = inventory.service;
        service.visit_out(words, &cube, &mut |words, node| self.remove(words, node));
        Ok(())
    }

    /// Removes a node that is free but for being out of service.
    fn remove(&mut self, words: &mut [Word], node: Node) {
        debug_assert!(self.0.strategy.is_free(words, node));
        self.0.remove_node(words, node);
        self.0.count_removed();
    }

    fn withdraw(
        &mut self,
        words: &mut [Word],
        nodes: &[Node],
        outage: Outage,
        hit: &mut dyn FnMut(Lease),
    ) -> Result<(), NoSuchNode> {
        let Self(inventory) = self;
        inventory.service.check_nodes(nodes)?;
        if let [node] = *nodes {
            self.withdraw_one(words, node, outage, hit);
            return Ok(());
        }
        if inventory.withdraw(words, nodes, outage) {
            inventory.remove_out(words);
            inventory.assess_after(words, nodes, false);
        }
        let Inventory { ledger, leased: 1.., .. } = inventory else { return Ok(()) };
        ledger.draw(words);
        for &node in nodes {
            if let Some(lease) = ledger.drawn_at(words, node) {
                ledger.erase(words, &lease);
                hit(lease);
            }
        }
        Ok(())
    }

    fn withdraw_one(
        &mut self,
        words: &mut [Word],
        node: Node,
        outage: Outage,
        hit: &mut dyn FnMut(Lease),
    ) {
        let lease = self.lease_at(words, node);
        if self.0.service.change(words, node, Some(outage)) {
            if lease.is_none() {
                self.remove(words, node);
            }
            self.0.assess_after(words, &[node], false);
        }
        lease.into_iter().for_each(hit);
    }

    fn lease_at(&self, words: &[Word], node: Node) -> Option<Lease> {
        if self.0.leased > 0 { self.0.ledger.lease_at(words, node) } else { None }
    }

    /// Several nodes come back by rising address, which joins them soonest.
    fn repair(&mut self, words: &mut [Word], nodes: &[Node]) -> Result<(), NoSuchNode> {
        self.0.service.check_nodes(nodes)?;
        let changed = match nodes {
            [node] => self.repair_one(words, *node),
            _ => self.repair_several(words, nodes),
        };
        if changed {
            self.0.assess_after(words, nodes, true);
        }
        Ok(())
    }

    fn repair_one(&mut self, words: &mut [Word], node: Node) -> bool {
        let changed = self.0.service.change(words, node, None);
        if changed && self.lease_at(words, node).is_none() {
            self.return_node(words, node);
        }
        changed
    }

    /// Leases are drawn, the nodes that come back beside them, and the leases erased.
    fn repair_several(&mut self, words: &mut [Word], nodes: &[Node]) -> bool {
        let Inventory { ledger, leased, dims, .. } = self.0;
        if leased > 0 {
            ledger.draw(words);
        } else {
            ledger.clear_room(words);
        }
        let (mut changed, mut returned) = (false, false);
        for &node in nodes {
            if self.0.service.change(words, node, None) {
                changed = true;
                let is_leased = bit(words, ledger.room, node.0);
                returned |= !is_leased;
                set_bit(words, ledger.room, node.0, true);
            }
        }
        if !returned {
            return changed;
        }
        if leased > 0 {
            ledger.erase_all(words);
        }
        Subcube::whole(dims).visit_marked(words, ledger.room, 0, &mut |words, node| {
            self.return_node(words, node);
        });
        changed
    }

    /// Makes a node free that comes back into service.
    fn return_node(&mut self, words: &mut [Word], node: Node) {
        self.0.strategy.free(words, Subcube::from_parts(self.0.dims, node.0, 0));
        self.0.count_returned();
    }

    fn state(&self, words: &[Word], node: Node) -> Result<NodeState, NoSuchNode> {
        self.0.service.check_nodes(&[node])?;
        let outage = self.0.service.outage(words, node);
        Ok(NodeState { leased: self.lease_at(words, node).is_some(), outage })
    }

    fn check_invariants(&self, words: &mut [Word]) -> Result<(), InvariantViolation> {
        let Self(inventory) = self;
        inventory.check(words)?;
        let (mut free, mut leased) = (0u32, 0u32);
        for node in (0..inventory.dims.nodes()).map(Node) {
            let serves = inventory.service.serves(words, node);
            let lease = self.lease_at(words, node).is_some();
            let held = inventory.strategy.is_free(words, node);
            let free_if = held == (serves && !lease);
            ensure(free_if, "a node is free exactly if it serves and no lease holds it")?;
            free = free.wrapping_add(u32::from(held));
            leased = leased.wrapping_add(u32::from(lease));
        }
        let counted = (free, leased) == (inventory.free, inventory.leased);
        ensure(counted, "the counts of free and leased nodes")?;
        ensure(self.live_nodes(words) == inventory.leased, "leases are disjoint")?;
        let idle = inventory.leased == 0 && T::STARTS.recombines();
        let largest = inventory.largest_decided(words).filter(|_| idle);
        let granted = inventory.possible.is_err()
            || largest.is_none_or(|largest| inventory.possible == Ok(largest));
        ensure(granted, "what is possible is granted while no lease is live")
    }

    /// Nodes of all live leases, a node of two leases counted twice.
    fn live_nodes(&self, words: &[Word]) -> u32 {
        let leases = self.0.ledger.leases(words);
        leases.fold(0, |sum: u32, lease| sum.saturating_add(lease.cube().len()))
    }
}

impl<T: Strategy> Restore<T> for Core<T> {
    const KIND: [u8; 4] = *b"CUBE";

    fn configuration(&self) -> u64 {
        0
    }

    fn inventory(&mut self) -> &mut Inventory<T> {
        &mut self.0
    }

    fn forget(&mut self, words: &mut [Word]) {
        let Self(Inventory { ledger, dims, .. }) = *self;
        let start = T::STARTS.compute(dims);
        self.0 = Inventory::new(ledger.pool, dims, &start);
        self.0.ledger.epoch = ledger.epoch;
        _ = self.0.start_in(words, self.0.words(), &start);
    }

    fn file(
        &mut self,
        words: &mut [Word],
        cube: Subcube,
        stored: u32,
        _: &mut Take<'_>,
    ) -> Result<bool, BadImage> {
        let free = self.take_out(words, &cube).is_ok();
        if free {
            self.0.ledger.file(words, cube, stored);
        }
        Ok(free)
    }

    fn withdraw_node(&mut self, words: &mut [Word], node: Node, outage: Outage) {
        // Leases with nodes up to this one are filed, so that it is free unless one holds it.
        self.0.service.change(words, node, Some(outage));
        if self.0.strategy.is_free(words, node) {
            self.remove(words, node);
        }
    }
}

/// Why a claim is refused.
type Claim = Error<NotFree, NoSuchNode>;

impl<T: Strategy, S: AsRef<[Word]> + AsMut<[Word]>> Pool<T, S> {
    /// The strategy's name in tables and options.
    pub fn name(&self) -> &'static str {
        T::NAME
    }

    /// The number that tells this pool's leases from those of others.
    pub fn id(&self) -> PoolId {
        self.core.0.ledger.pool
    }

    /// The dimensions n of the machine.
    pub fn dims(&self) -> Dim {
        self.core.0.dims
    }

    /// Nodes that a new lease may take.
    pub fn free(&self) -> u32 {
        self.core.0.free
    }

    /// Grants a subcube of dimension `dim`. Cost: the strategy's.
    ///
    /// # Errors
    ///
    /// The [`Refusal`] says why not.
    pub fn allocate(&mut self, dim: Dim) -> Result<Lease, Refusal> {
        self.core.allocate(self.storage.as_mut(), dim)
    }

    /// Grants this very subcube.
    ///
    /// ```
    /// use locox::handle::PoolId;
    /// use locox::subcube::{Buddy, NotFree, Pool, words};
    /// let mut pool = Pool::<Buddy, _>::new(PoolId(1), 4.try_into()?, [0; words::<Buddy>(4)])?;
    /// let lease = pool.claim("1**0".parse()?)?;
    /// let taken = pool.claim("*1*0".parse()?).unwrap_err().refusal();
    /// assert_eq!(taken, Some(NotFree(lease.cube().nodes().nth(2).unwrap())));
    /// assert!(pool.leases().eq([lease]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// Cost: a look at each node and what the strategy needs to take it out.
    ///
    /// # Errors
    ///
    /// [`NotFree`] names its first node that is leased or out of service, [`NoSuchNode`] its last one
    /// if the machine is smaller.
    pub fn claim(&mut self, cube: Subcube) -> Result<Lease, Error<NotFree, NoSuchNode>> {
        self.core.claim(self.storage.as_mut(), &cube)
    }

    /// Grants these very nodes, all or none, each by a lease of its own, by rising address. A node
    /// may be named twice.
    ///
    /// # Errors
    ///
    /// [`NoSuchNode`] names the first address outside the machine, and if there is none [`NotFree`] the
    /// first that is leased or out of service, both in the order of `nodes`; nothing was granted then.
    pub fn claim_nodes<F: FnMut(Lease)>(
        &mut self,
        nodes: &[Node],
        mut granted: F,
    ) -> Result<(), Error<NotFree, NoSuchNode>> {
        self.core.claim_nodes(self.storage.as_mut(), nodes, &mut granted)
    }

    /// The live leases, by rising base.
    pub fn leases(&self) -> impl Iterator<Item = Lease> {
        self.core.0.ledger.leases(self.storage.as_ref())
    }

    /// The epoch in which leases are granted; 0 at first.
    pub fn epoch(&self) -> Epoch {
        self.core.0.ledger.epoch
    }

    /// Begins another epoch. Leases of a pool that was built anew under the number of an older one
    /// are told apart by it. What is live stays live, and [`Pool::leases`] and the others show it under
    /// the new epoch. Of the handles from before, those of the last epoch are still good, so whoever
    /// holds a lease through two restarts takes it from there in between. To begin the same epoch again
    /// is to restart again: handles of the one before are stale then.
    pub fn begin(&mut self, epoch: Epoch) {
        self.core.0.ledger.begin(self.storage.as_mut(), epoch);
    }

    /// Passes leases, outages and generations to `put` as an [image](crate::coordinate), word by word:
    /// 12 words and 2 for each node.
    pub fn export(&self, mut put: impl FnMut(u32)) {
        let of = (Core::<T>::KIND, self.core.configuration());
        self.core.0.export(self.storage.as_ref(), of, &mut put, &|_, _| ());
    }

    /// Goes on from an image in another epoch, see [`Pool::begin`]: one that is used for the first
    /// time, since the image does not know of leases granted after it was taken. Free nodes lie as if
    /// leases and outages had been taken out of the whole cube by rising node. What the strategy was
    /// told, as [`Effort`](super::Effort), is as new. Words behind the image are left alone.
    ///
    /// # Errors
    ///
    /// [`BadImage`]. One that is not of this pool and machine changes nothing; after one whose
    /// contents are bad the pool is as new, but for the epoch.
    pub fn restore(
        &mut self,
        image: impl IntoIterator<Item = u32>,
        epoch: Epoch,
    ) -> Result<(), BadImage> {
        self.core.restore(self.storage.as_mut(), &mut image.into_iter(), epoch)
    }

    /// What [`Pool::allocate`] would answer, without doing it. Mutable because an exact search
    /// needs scratch in the caller's storage; no later answer changes.
    ///
    /// # Errors
    ///
    /// The [`Refusal`] that `allocate` would return.
    pub fn would_fit(&mut self, dim: Dim) -> Result<(), Refusal> {
        self.core.would_fit(self.storage.as_mut(), dim)
    }

    /// Takes a lease back. Its nodes are free again, but for those withdrawn meanwhile. Cost: what
    /// the strategy needs, and while nodes are out a look at each word that the lease has nodes in.
    ///
    /// # Errors
    ///
    /// [`Misuse::Foreign`] of a lease of another pool, also if it has this one's number but a machine
    /// of more or fewer dimensions; [`Misuse::Stale`] of one that is not live any more.
    pub fn release(&mut self, lease: Lease) -> Result<(), Misuse> {
        self.core.release(self.storage.as_mut(), &lease)
    }

    /// Takes nodes out of service, several at once, and then calls `hit` once for each lease
    /// that holds one of them, in the order of the nodes. Those that are out already may be named again.
    /// Cost: that of [`Pool::lease_at`] for one node, for several a few steps for each of the machine; for each that
    /// is free what the strategy needs; if one of them served until now, the strategy's search for
    /// what is possible without them, once.
    ///
    /// # Errors
    ///
    /// [`NoSuchNode`] names the first address outside the machine; no node was withdrawn then.
    pub fn withdraw<F: FnMut(Lease)>(
        &mut self,
        nodes: &[Node],
        outage: Outage,
        mut hit: F,
    ) -> Result<(), NoSuchNode> {
        self.core.withdraw(self.storage.as_mut(), nodes, outage, &mut hit)
    }

    /// Puts nodes back into service. Nodes that serve may be named too. Cost: as that of
    /// [`Pool::withdraw`].
    ///
    /// # Errors
    ///
    /// [`NoSuchNode`] names the first address outside the machine; no node was repaired then.
    pub fn repair(&mut self, nodes: &[Node]) -> Result<(), NoSuchNode> {
        self.core.repair(self.storage.as_mut(), nodes)
    }

    /// The lease that holds `node`. Cost: a step for each way to clear ones of the address, the fewest
    /// first, until the base of its lease is met.
    pub fn lease_at(&self, node: Node) -> Option<Lease> {
        self.core.0.ledger.lease_at(self.storage.as_ref(), node)
    }

    /// Whether `node` is leased, and whether it is out of service.
    ///
    /// # Errors
    ///
    /// [`NoSuchNode`] outside the machine.
    pub fn state(&self, node: Node) -> Result<NodeState, NoSuchNode> {
        self.core.state(self.storage.as_ref(), node)
    }

    /// Counts and fragmentation. Not for hot paths: it counts the free subcubes of every
    /// dimension, by an exhaustive search under [`Complete`](super::Complete).
    pub fn stats(&mut self) -> Stats {
        self.core.0.stats(self.storage.as_mut())
    }

    /// Recomputes all derived data and compares; for tests and fuzzers. Cost: 3^n.
    ///
    /// # Errors
    ///
    /// [`InvariantViolation`] names the invariant that does not hold.
    pub fn check_invariants(&mut self) -> Result<(), InvariantViolation> {
        self.core.check_invariants(self.storage.as_mut())
    }
}

impl<T: Strategy, S: AsRef<[Word]> + AsMut<[Word]>> Allocator for Pool<T, S> {
    crate::delegate::delegate! {
        fn name(&self) -> &'static str;
        fn id(&self) -> PoolId;
        fn dims(&self) -> Dim;
        fn free(&self) -> u32;
        fn allocate(&mut self, dim: Dim) -> Result<Lease, Refusal>;
        fn claim(&mut self, cube: Subcube) -> Result<Lease, Error<NotFree, NoSuchNode>>;
        fn would_fit(&mut self, dim: Dim) -> Result<(), Refusal>;
        fn release(&mut self, lease: Lease) -> Result<(), Misuse>;
        fn withdraw(
            &mut self,
            nodes: &[Node],
            outage: Outage,
            hit: &mut dyn FnMut(Lease),
        ) -> Result<(), NoSuchNode>;
        fn repair(&mut self, nodes: &[Node]) -> Result<(), NoSuchNode>;
        fn lease_at(&self, node: Node) -> Option<Lease>;
        fn state(&self, node: Node) -> Result<NodeState, NoSuchNode>;
        fn export(&self, put: &mut dyn FnMut(u32));
        fn restore(
            &mut self,
            image: &mut dyn Iterator<Item = u32>,
            epoch: Epoch,
        ) -> Result<(), BadImage>;
        fn stats(&mut self) -> Stats;
        fn check_invariants(&mut self) -> Result<(), InvariantViolation>;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::subcube::{Buddy, Complete, FreeList, GrayCode};
    extern crate std;
    use std::vec;
    use std::vec::Vec;

    /// Leases of all shapes, and nodes out of service with and without one.
    fn used<T: Strategy>(mut pool: Pool<T, Vec<Word>>) -> Pool<T, Vec<Word>> {
        let leases = [2, 0, 1, 2, 0, 0].map(|dim| pool.allocate(Dim::new(dim).unwrap()).unwrap());
        pool.withdraw(&[Node(1), Node(15), Node(21)], Outage::Failed, &mut |_| ()).unwrap();
        for lease in [leases[1], leases[3]] {
            pool.release(lease).unwrap();
        }
        pool
    }

    /// What a pool shows, but for what it keeps once only, so that nothing contradicts it: how
    /// often a node was leased, and why it is out.
    type Shown = (Vec<(Option<Subcube>, bool)>, Vec<Result<(), Refusal>>, Stats);

    fn shown<T: Strategy>(pool: &mut Pool<T, Vec<Word>>) -> Shown {
        let nodes = (0..pool.dims().nodes()).map(Node).map(|node| {
            let cube = pool.lease_at(node).map(|lease| lease.cube());
            (cube, pool.state(node).unwrap().outage.is_some())
        });
        let nodes = nodes.collect();
        (nodes, pool.dims().up_to().map(|dim| pool.would_fit(dim)).collect(), pool.stats())
    }

    /// Flips each bit of the storage in turn.
    fn a_flipped_bit_is_reported_or_makes_no_difference<T: Strategy>(pool: Pool<T, Vec<Word>>) {
        let mut pool = used(pool);
        pool.check_invariants().unwrap();
        let before = shown(&mut pool);
        let bits = pool.storage.len() * Word::BITS as usize;
        let mut reported = 0;
        for bit in 0..bits {
            let mut flipped = pool.clone();
            flipped.storage[bit / Word::BITS as usize] ^= 1 << (bit % Word::BITS as usize);
            match flipped.check_invariants() {
                Err(_) => reported += 1,
                Ok(()) => assert_eq!(shown(&mut flipped), before, "bit {bit}"),
            }
        }
        // At least the state of each node in service, and each generation's parity.
        assert!(reported >= 2 * pool.dims().nodes(), "{reported} of {bits}");
    }

    fn fresh<T: Strategy>(dims: u8) -> Pool<T, Vec<Word>> {
        Pool::new(PoolId(1), Dim::new(dims).unwrap(), vec![0; words::<T>(dims)]).unwrap()
    }

    #[test]
    fn the_check_finds_what_somebody_else_wrote() {
        a_flipped_bit_is_reported_or_makes_no_difference(fresh::<Buddy>(5));
        a_flipped_bit_is_reported_or_makes_no_difference(fresh::<GrayCode>(5));
        a_flipped_bit_is_reported_or_makes_no_difference(fresh::<FreeList>(5));
        a_flipped_bit_is_reported_or_makes_no_difference(fresh::<Complete>(5));
    }

    /// Two nodes that serve, in two windows: a pair that only a search finds.
    #[test]
    fn a_search_that_is_given_up_breaks_nothing() {
        let mut pool = fresh::<Complete>(7);
        pool.set_effort(crate::subcube::Effort(1));
        let others: Vec<_> = (1..64).chain(65..128).map(Node).collect();
        pool.withdraw(&others, Outage::Failed, |_| ()).unwrap();
        pool.check_invariants().unwrap();
        let pair = Dim::new(1).unwrap();
        assert_eq!(pool.would_fit(pair), Err(Refusal::Undecided));
        assert_eq!(pool.would_fit(pair.up().unwrap()), Err(Refusal::Faulty));
        pool.set_effort(crate::subcube::Effort::default());
        pool.check_invariants().unwrap();
        assert_eq!(pool.would_fit(pair), Ok(()));
    }

    #[test]
    fn the_check_recounts_every_count() {
        let broken = |spoil: fn(&mut Inventory<_>)| {
            let mut pool = fresh::<FreeList>(3);
            spoil(&mut pool.core.0);
            pool.check_invariants().unwrap_err().0
        };
        assert_eq!(broken(|core| core.free += 1), "the counts of free and leased nodes");
        assert_eq!(broken(|core| core.leased += 1), "the counts of free and leased nodes");
        assert_eq!(broken(|core| core.possible = Ok(None)), "the largest dimension possible");
    }
}

//! A strategy made into an allocator: leases, outages, refusals, figures.

use super::inventory::Inventory;
use super::lease::Lease;
use super::storage::words;
use super::{
    Allocator, Broken, NoSuchNode, NodeState, Outage, Refusal, Stats, StorageTooSmall, Strategy,
};
use crate::bits::Word;
use crate::broken::ensure;
use crate::cube::{Dim, Node, Subcube};
use crate::handle::{Misuse, PoolId};

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
    pub fn new(id: PoolId, dims: Dim, storage: S) -> Result<Self, StorageTooSmall> {
        let mut pool = Self { core: Core(Inventory::new(id, dims)), storage };
        let Core(inventory) = &pool.core;
        inventory.start_in(pool.storage.as_mut(), inventory.words())?;
        Ok(pool)
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
        let inventory = Inventory::new(id, const { Dim::new(DIMS).unwrap() });
        let mut storage = [0; N];
        inventory.start(&mut storage);
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
        if !inventory.has_enough(dim) {
            return Err(inventory.reason(words, dim));
        }
        let Some(cube) = inventory.strategy.take(words, dim) else {
            return Err(inventory.reason(words, dim));
        };
        inventory.count_granted(dim.nodes());
        Ok(inventory.ledger.open(words, cube))
    }

    fn would_fit(&self, words: &mut [Word], dim: Dim) -> Result<(), Refusal> {
        let Self(inventory) = self;
        if inventory.has_enough(dim) && inventory.strategy.fits(words, dim) {
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
        inventory.strategy.give(words, cube);
        inventory.count_released(cube.len());
        if inventory.service.out() > 0 {
            self.remove_what_is_out(words, cube);
        }
        Ok(())
    }

    fn remove_what_is_out(&mut self, words: &mut [Word], cube: Subcube) {
        for node in cube.nodes() {
            if !self.0.service.serves(words, node) {
                self.remove(words, node);
            }
        }
    }

    /// Removes a node that is free but for being out of service.
    fn remove(&mut self, words: &mut [Word], node: Node) {
        debug_assert!(self.0.strategy.holds(words, node));
        self.0.strategy.remove(words, node);
        self.0.count_removed();
    }

    fn withdraw(
        &mut self,
        words: &mut [Word],
        nodes: &[Node],
        outage: Outage,
        hit: &mut dyn FnMut(Lease),
    ) -> Result<(), NoSuchNode> {
        self.change(words, nodes, Some(outage))?;
        for (at, &node) in nodes.iter().enumerate() {
            let Some(lease) = self.0.ledger.lease_at(words, node) else { continue };
            let reported = nodes.iter().take(at).any(|&earlier| lease.cube().contains(earlier));
            if !reported {
                hit(lease);
            }
        }
        Ok(())
    }

    fn is_leased(&self, words: &[Word], node: Node) -> bool {
        self.0.ledger.lease_at(words, node).is_some()
    }

    /// Takes nodes out of service, or puts them back into it.
    fn change(
        &mut self,
        words: &mut [Word],
        nodes: &[Node],
        to: Option<Outage>,
    ) -> Result<(), NoSuchNode> {
        self.0.service.check_nodes(nodes)?;
        for &node in nodes {
            if !self.0.service.change(words, node, to) || self.is_leased(words, node) {
                continue;
            }
            if to.is_some() {
                self.remove(words, node);
            } else {
                self.0.strategy.give(words, Subcube::from_parts(self.0.dims, node.0, 0));
                self.0.count_returned();
            }
        }
        self.0.assess(words);
        Ok(())
    }

    fn state(&self, words: &[Word], node: Node) -> Result<NodeState, NoSuchNode> {
        self.0.service.check_nodes(&[node])?;
        let outage = self.0.service.outage(words, node);
        Ok(NodeState { leased: self.is_leased(words, node), outage })
    }

    fn check_invariants(&self, words: &mut [Word]) -> Result<(), Broken> {
        let Self(inventory) = self;
        inventory.check(words)?;
        let (mut free, mut leased) = (0u32, 0u32);
        for node in (0..inventory.dims.nodes()).map(Node) {
            let serves = inventory.service.serves(words, node);
            let lease = self.is_leased(words, node);
            let held = inventory.strategy.holds(words, node);
            let free_if = held == (serves && !lease);
            ensure(free_if, "a node is free exactly if it serves and no lease holds it")?;
            free = free.wrapping_add(u32::from(held));
            leased = leased.wrapping_add(u32::from(lease));
        }
        let counted = (free, leased) == (inventory.free, inventory.leased);
        ensure(counted, "the counts of free and leased nodes")?;
        ensure(self.live_nodes(words) == inventory.leased, "leases are disjoint")?;
        let largest = inventory.strategy.largest(words, inventory.dims);
        let idle = inventory.leased == 0 && T::RECOMBINES;
        let granted = !idle || inventory.possible == largest;
        ensure(granted, "what is possible would be granted while no lease is live")
    }

    /// Nodes of all live leases, a node of two leases counted twice.
    fn live_nodes(&self, words: &[Word]) -> u32 {
        (0..self.0.dims.nodes())
            .filter_map(|base| self.0.ledger.lease_from(words, Node(base)))
            .fold(0, |sum: u32, lease| sum.saturating_add(lease.cube().len()))
    }
}

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

    /// Grants a subcube of dimension `dim`.
    ///
    /// # Errors
    ///
    /// The [`Refusal`] says why not.
    pub fn allocate(&mut self, dim: Dim) -> Result<Lease, Refusal> {
        self.core.allocate(self.storage.as_mut(), dim)
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

    /// Takes a lease back. Its nodes are free again, but for those withdrawn meanwhile.
    ///
    /// # Errors
    ///
    /// [`Misuse`] of a lease that is not a live one of this pool.
    pub fn release(&mut self, lease: Lease) -> Result<(), Misuse> {
        self.core.release(self.storage.as_mut(), &lease)
    }

    /// Takes nodes out of service, several at once, and then calls `hit` once for each lease
    /// that holds one of them. Nodes that are out already may be named again.
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

    /// Puts nodes back into service. Nodes that serve may be named too.
    ///
    /// # Errors
    ///
    /// [`NoSuchNode`] names the first address outside the machine; no node was repaired then.
    pub fn repair(&mut self, nodes: &[Node]) -> Result<(), NoSuchNode> {
        self.core.change(self.storage.as_mut(), nodes, None)
    }

    /// The lease that holds `node`. Cost: up to 2^(ones in the address).
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
    /// [`Broken`] names the invariant that does not hold.
    pub fn check_invariants(&mut self) -> Result<(), Broken> {
        self.core.check_invariants(self.storage.as_mut())
    }
}

impl<T: Strategy, S: AsRef<[Word]> + AsMut<[Word]>> Allocator for Pool<T, S> {
    crate::forward::forward! {
        fn name(&self) -> &'static str;
        fn id(&self) -> PoolId;
        fn dims(&self) -> Dim;
        fn free(&self) -> u32;
        fn allocate(&mut self, dim: Dim) -> Result<Lease, Refusal>;
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
        fn stats(&mut self) -> Stats;
        fn check_invariants(&mut self) -> Result<(), Broken>;
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

    #[test]
    fn the_check_recounts_every_count() {
        let broken = |spoil: fn(&mut Inventory<_>)| {
            let mut pool = fresh::<FreeList>(3);
            spoil(&mut pool.core.0);
            pool.check_invariants().unwrap_err().0
        };
        assert_eq!(broken(|core| core.free += 1), "the counts of free and leased nodes");
        assert_eq!(broken(|core| core.leased += 1), "the counts of free and leased nodes");
        assert_eq!(broken(|core| core.possible = None), "the largest dimension possible");
    }
}

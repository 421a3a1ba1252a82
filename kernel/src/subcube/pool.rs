//! A strategy made into an allocator: leases, outages, refusals, figures.

use super::lease::{Lease, Ledger};
use super::service::Service;
use super::{Allocator, Broken, NoSuchNode, NodeState, Outage, Refusal, Stats, Strategy};
use crate::bits::Word;
use crate::cube::{Dim, Node, Subcube};
use crate::handle::{Misuse, PoolId};

/// A pool of the nodes of one n-cube under strategy `T`, over the caller's storage `S`.
///
/// Use it by its aliases [`Buddy`](super::Buddy), [`GrayCode`](super::GrayCode),
/// [`FreeList`](super::FreeList) and [`Complete`](super::Complete), through the trait
/// [`Allocator`]. This shell only hands the storage to `Core`, so that the algorithms are
/// compiled once and not once for each size of storage.
#[derive(Clone, Debug)]
pub struct Pool<T, S> {
    pub(crate) core: Core<T>,
    pub(crate) storage: S,
}

/// The storage has fewer words than the machine needs; nothing was built.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct StorageTooSmall {
    /// Words that are needed.
    pub needed: usize,
}

impl core::fmt::Display for StorageTooSmall {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "the pool needs a storage of {} words", self.needed)
    }
}

impl core::error::Error for StorageTooSmall {}

impl<T, S> Pool<T, S> {
    /// For storage that has been prepared already.
    pub(super) const fn assemble(core: Core<T>, storage: S) -> Self {
        Self { core, storage }
    }

    pub(super) const fn strategy_mut(&mut self) -> &mut T {
        &mut self.core.strategy
    }
}

impl<T: Strategy, S: AsMut<[Word]>> Pool<T, S> {
    /// Prepares the storage, whose old content does not matter.
    pub(super) fn prepare(core: Core<T>, storage: S) -> Result<Self, StorageTooSmall> {
        let mut pool = Self { core, storage };
        let needed = pool.core.words();
        let words = pool.storage.as_mut();
        if words.len() < needed {
            return Err(StorageTooSmall { needed });
        }
        words.fill(0);
        pool.core.in_service_from_zeros(words);
        pool.core.strategy.reset(words);
        Ok(pool)
    }
}

/// All of a pool but its storage.
///
/// - Every node is leased, free, or out of service without a lease: exactly one of these.
/// - `free` and `leased` count nodes.
/// - A node that is in service and not leased is held by the strategy, and no other is.
/// - `possible` is what the strategy could grant if every lease were released, and what it would
///   grant while none is live.
#[derive(Clone, Debug)]
pub(crate) struct Core<T> {
    pub(crate) strategy: T,
    pub(crate) ledger: Ledger,
    pub(crate) service: Service,
    pub(crate) dims: Dim,
    pub(crate) free: u32,
    pub(crate) leased: u32,
    pub(crate) possible: Option<Dim>,
}

/// Where the pool's parts lie: the strategy first, then the ledger, then the nodes in service.
pub(super) const fn pool_words(dims: Dim, strategy_words: usize) -> usize {
    strategy_words + Ledger::words(dims) + Service::words(dims)
}

/// The ledger of a pool whose strategy takes `strategy_words`.
pub(super) const fn ledger(pool: PoolId, dims: Dim, strategy_words: usize) -> Ledger {
    Ledger::new(pool, dims, strategy_words)
}

impl<T> Core<T> {
    pub(super) const fn new(pool: PoolId, dims: Dim, strategy: T, strategy_words: usize) -> Self {
        Self {
            strategy,
            ledger: ledger(pool, dims, strategy_words),
            service: Service::new(dims, strategy_words + Ledger::words(dims)),
            dims,
            free: dims.nodes(),
            leased: 0,
            possible: Some(dims),
        }
    }

    pub(crate) const fn words(&self) -> usize {
        self.service.end()
    }

    /// Puts all nodes of zeroed storage in service.
    pub(super) const fn in_service_from_zeros(&self, words: &mut [Word]) {
        self.service.serve_all(words);
    }

    fn state(&self, words: &[Word], node: Node) -> Result<NodeState, NoSuchNode> {
        self.service.check_nodes(&[node])?;
        let leased = self.ledger.lease_at(words, node).is_some();
        Ok(NodeState { leased, outage: self.service.outage(words, node) })
    }
}

impl<T: Strategy> Core<T> {
    fn allocate(&mut self, words: &mut [Word], dim: Dim) -> Result<Lease, Refusal> {
        if dim > self.dims || dim.nodes() > self.free {
            return Err(self.reason(words, dim));
        }
        let Some(cube) = self.strategy.take(words, dim) else {
            return Err(self.reason(words, dim));
        };
        self.free = self.free.wrapping_sub(dim.nodes());
        self.leased = self.leased.wrapping_add(dim.nodes());
        Ok(self.ledger.open(words, cube))
    }

    fn would_fit(&self, words: &mut [Word], dim: Dim) -> Result<(), Refusal> {
        let enough = dim <= self.dims && dim.nodes() <= self.free;
        if enough && self.strategy.fits(words, dim) {
            return Ok(());
        }
        Err(self.reason(words, dim))
    }

    /// Why `dim`, which is not granted, is not.
    pub(crate) fn reason(&self, words: &mut [Word], dim: Dim) -> Refusal {
        if dim > self.dims {
            return Refusal::TooLarge;
        }
        if self.possible < Some(dim) {
            return Refusal::Faulty;
        }
        if dim.nodes() > self.free {
            return Refusal::TooFewFree { free: self.free };
        }
        let below = dim.down().unwrap_or_default();
        Refusal::Fragmented { largest: self.strategy.largest(words, below).unwrap_or_default() }
    }

    fn release(&mut self, words: &mut [Word], lease: &Lease) -> Result<(), Misuse> {
        self.ledger.close(words, lease)?;
        let cube = lease.cube();
        let nodes = cube.len();
        self.leased = self.leased.wrapping_sub(nodes);
        if self.service.out() == 0 {
            self.strategy.give(words, cube);
            self.free = self.free.wrapping_add(nodes);
        } else {
            self.give_what_serves(words, cube);
        }
        Ok(())
    }

    /// Gives back a cube but for the nodes that are out. It comes back whole first: given node by
    /// node, it might merge with neighbours into other cubes and not be seen again.
    fn give_what_serves(&mut self, words: &mut [Word], cube: Subcube) {
        self.strategy.give(words, cube);
        self.free = self.free.wrapping_add(cube.len());
        for node in cube.nodes() {
            if !self.service.serves(words, node) {
                self.strategy.lose(words, node);
                self.free = self.free.wrapping_sub(1);
            }
        }
    }

    fn withdraw(
        &mut self,
        words: &mut [Word],
        nodes: &[Node],
        outage: Outage,
        hit: &mut dyn FnMut(Lease),
    ) -> Result<(), NoSuchNode> {
        self.service.check_nodes(nodes)?;
        for &node in nodes {
            if self.service.withdraw(words, node, outage) {
                self.lose_if_free(words, node);
            }
        }
        self.assess(words);
        for (at, &node) in nodes.iter().enumerate() {
            let Some(lease) = self.ledger.lease_at(words, node) else { continue };
            let reported = nodes.iter().take(at).any(|&earlier| lease.cube().contains(earlier));
            if !reported {
                hit(lease);
            }
        }
        Ok(())
    }

    /// Asks the strategy again what is possible, after nodes left service or came back.
    pub(crate) fn assess(&mut self, words: &mut [Word]) {
        self.possible = self.strategy.possible(words, self.service.start());
    }

    fn lose_if_free(&mut self, words: &mut [Word], node: Node) {
        if self.ledger.lease_at(words, node).is_none() {
            self.strategy.lose(words, node);
            self.free = self.free.wrapping_sub(1);
        }
    }

    fn repair(&mut self, words: &mut [Word], nodes: &[Node]) -> Result<(), NoSuchNode> {
        self.service.check_nodes(nodes)?;
        for &node in nodes {
            if self.service.repair(words, node) && self.ledger.lease_at(words, node).is_none() {
                self.strategy.give(words, Subcube::from_parts(self.dims, node.0, 0));
                self.free = self.free.wrapping_add(1);
            }
        }
        self.assess(words);
        Ok(())
    }

    fn stats(&self, words: &mut [Word]) -> Stats {
        let mut subcubes = [0; Dim::MAX.get() as usize + 1];
        for (dim, count) in self.dims.up_to().zip(&mut subcubes) {
            *count = self.strategy.count(words, dim);
        }
        Stats {
            dims: self.dims,
            free: self.free,
            leased: self.leased,
            out: self.service.out(),
            largest: self.strategy.largest(words, self.dims),
            subcubes,
        }
    }

    fn check_invariants(&self, words: &mut [Word]) -> Result<(), Broken> {
        if !self.strategy.check(words) {
            return Err(Broken("the strategy's derived data"));
        }
        self.service.check(words)?;
        let (mut free, mut leased) = (0u32, 0u32);
        for node in (0..self.dims.nodes()).map(Node) {
            let serves = self.service.serves(words, node);
            let lease = self.ledger.lease_at(words, node).is_some();
            let held = self.strategy.holds(words, node);
            if held != (serves && !lease) {
                return Err(Broken("a node is free exactly if it serves and no lease holds it"));
            }
            free = free.wrapping_add(u32::from(held));
            leased = leased.wrapping_add(u32::from(lease));
        }
        if (free, leased) != (self.free, self.leased) {
            return Err(Broken("the counts of free and leased nodes"));
        }
        if self.live_nodes(words) != self.leased {
            return Err(Broken("leases are disjoint"));
        }
        if self.possible != self.strategy.possible(words, self.service.start()) {
            return Err(Broken("the largest dimension possible"));
        }
        if self.leased == 0 && self.possible != self.strategy.largest(words, self.dims) {
            return Err(Broken("what is possible would be granted while no lease is live"));
        }
        Ok(())
    }

    /// Nodes of all live leases, a node of two leases counted twice.
    fn live_nodes(&self, words: &[Word]) -> u32 {
        (0..self.dims.nodes())
            .filter_map(|base| self.ledger.lease_from(words, Node(base)))
            .fold(0, |sum: u32, lease| sum.saturating_add(lease.cube().len()))
    }
}

impl<T: Strategy, S: AsRef<[Word]> + AsMut<[Word]>> Allocator for Pool<T, S> {
    fn name(&self) -> &'static str {
        T::NAME
    }

    fn id(&self) -> PoolId {
        self.core.ledger.pool()
    }

    fn dims(&self) -> Dim {
        self.core.dims
    }

    fn free(&self) -> u32 {
        self.core.free
    }

    fn allocate(&mut self, dim: Dim) -> Result<Lease, Refusal> {
        self.core.allocate(self.storage.as_mut(), dim)
    }

    fn would_fit(&mut self, dim: Dim) -> Result<(), Refusal> {
        self.core.would_fit(self.storage.as_mut(), dim)
    }

    fn release(&mut self, lease: Lease) -> Result<(), Misuse> {
        self.core.release(self.storage.as_mut(), &lease)
    }

    fn withdraw(
        &mut self,
        nodes: &[Node],
        outage: Outage,
        hit: &mut dyn FnMut(Lease),
    ) -> Result<(), NoSuchNode> {
        self.core.withdraw(self.storage.as_mut(), nodes, outage, hit)
    }

    fn repair(&mut self, nodes: &[Node]) -> Result<(), NoSuchNode> {
        self.core.repair(self.storage.as_mut(), nodes)
    }

    fn lease_at(&self, node: Node) -> Option<Lease> {
        self.core.ledger.lease_at(self.storage.as_ref(), node)
    }

    fn state(&self, node: Node) -> Result<NodeState, NoSuchNode> {
        self.core.state(self.storage.as_ref(), node)
    }

    fn stats(&mut self) -> Stats {
        self.core.stats(self.storage.as_mut())
    }

    fn check_invariants(&mut self) -> Result<(), Broken> {
        self.core.check_invariants(self.storage.as_mut())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::subcube::{
        Buddy, Complete, FreeList, GrayCode, buddy, complete, free_list, gray_code,
    };
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
    fn a_flipped_bit_is_reported_or_makes_no_difference<T: Strategy + Clone>(
        pool: Pool<T, Vec<Word>>,
    ) {
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

    #[test]
    fn the_check_finds_what_somebody_else_wrote() {
        let (id, dims) = (PoolId(1), Dim::new(5).unwrap());
        let zeros = |words| vec![0; words];
        a_flipped_bit_is_reported_or_makes_no_difference(
            Buddy::new(id, dims, zeros(buddy::words(dims))).unwrap(),
        );
        a_flipped_bit_is_reported_or_makes_no_difference(
            GrayCode::new(id, dims, zeros(gray_code::words(dims))).unwrap(),
        );
        a_flipped_bit_is_reported_or_makes_no_difference(
            FreeList::new(id, dims, zeros(free_list::words(dims))).unwrap(),
        );
        a_flipped_bit_is_reported_or_makes_no_difference(
            Complete::new(id, dims, zeros(complete::words(dims))).unwrap(),
        );
    }

    #[test]
    fn the_check_recounts_every_count() {
        let (id, dims) = (PoolId(1), Dim::new(3).unwrap());
        let sound = FreeList::new(id, dims, vec![0; free_list::words(dims)]).unwrap();
        let broken = |spoil: fn(&mut Core<_>)| {
            let mut pool = sound.clone();
            spoil(&mut pool.core);
            pool.check_invariants().unwrap_err().0
        };
        assert_eq!(broken(|core| core.free += 1), "the counts of free and leased nodes");
        assert_eq!(broken(|core| core.leased += 1), "the counts of free and leased nodes");
        assert_eq!(broken(|core| core.possible = None), "the largest dimension possible");
    }
}

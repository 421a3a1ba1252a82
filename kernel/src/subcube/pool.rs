//! A strategy made into an allocator: leases, outages, refusals, figures.

use super::image::Restore;
use super::inventory::Inventory;
use super::lease::Lease;
use super::pool_api::pool_api;
use super::storage::words;
use super::{
    Allocator, ClaimError, InvariantViolation, NoSuchNode, NodeState, NotFree, Outage, Refusal,
    Start, Stats, StorageTooSmall, Strategy,
};
use crate::bits::{Word, bit, set_bit};
use crate::cube::{Dim, Node, Subcube};
use crate::handle::{Epoch, Generation, Misuse, PoolId};
use crate::image::{BadImage, Take};
use crate::invariant::ensure;
use crate::require::require_words;

/// A pool of the nodes of one n-cube under strategy `T`, over the caller's storage `S`.
///
/// The pool itself is small and may be moved. The storage is any slice of [`words`] words, an array
/// in a `static`, boxed or borrowed; what it held does not matter. This shell only hands it to
/// what stands below, so that the algorithms are compiled once and not once for each size of storage.
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
#[derive(Clone, Debug)]
pub struct Pool<T, S> {
    pub(super) core: Inventory<T>,
    pub(super) storage: S,
}

impl<T: Strategy, S: AsRef<[Word]> + AsMut<[Word]>> Pool<T, S> {
    /// A pool of the whole n-cube. Words of `storage` beyond those needed are not touched.
    ///
    /// # Errors
    ///
    /// [`StorageTooSmall`] below [`words`].
    pub fn new(id: PoolId, dims: Dim, mut storage: S) -> Result<Self, StorageTooSmall> {
        let start = (T::STARTS.compute)(dims);
        let core = Inventory::new(id, dims, &start);
        core.start_in(storage.as_mut(), core.words(), &start)?;
        Ok(Self { core, storage })
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
        const { require_words(N, words::<T>(DIMS)) };
        let dims = const { Dim::new(DIMS).unwrap() };
        let start = T::STARTS.row(dims);
        let core = Inventory::new(id, dims, &start);
        let mut storage = [0; N];
        core.start(&mut storage, &start);
        Self { core, storage }
    }
}

pool_api! { Pool: dim: Dim, cube: Subcube => Lease, Stats }

impl<T: Strategy, S: AsRef<[Word]> + AsMut<[Word]>> Pool<T, S> {
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
    ) -> Result<(), ClaimError> {
        self.core.claim_nodes(self.storage.as_mut(), nodes, &mut granted)
    }
}

/// What a pool of subcubes does with its inventory.
///
/// - The strategy holds exactly the free nodes.
/// - `possible` is what it would grant while no lease is live.
impl<T: Strategy> Inventory<T> {
    fn allocate(&mut self, words: &mut [Word], dim: Dim) -> Result<Lease, Refusal> {
        let may_fit = !self.is_faulty(dim) && self.has_enough(dim);
        let cube = if may_fit { self.choose(words, dim) } else { None };
        let Some(cube) = cube else { return Err(self.reason(words, dim)) };
        self.count_granted(dim.nodes());
        Ok(self.ledger.open(words, cube))
    }

    /// Takes the nodes of `cube` out of the free ones, if all are free.
    fn take_out(&mut self, words: &mut [Word], cube: &Subcube) -> Result<(), NotFree> {
        if let Some(taken) = self.strategy.first_taken(words, cube.nodes()) {
            return Err(NotFree(taken));
        }
        self.strategy.remove(words, cube, None);
        self.count_granted(cube.len());
        Ok(())
    }

    fn claim(&mut self, words: &mut [Word], cube: &Subcube) -> Result<Lease, ClaimError> {
        let cube = self.own(cube).map_err(ClaimError::Misused)?;
        self.take_out(words, &cube).map_err(ClaimError::Refused)?;
        Ok(self.ledger.open(words, cube))
    }

    fn claim_nodes(
        &mut self,
        words: &mut [Word],
        nodes: &[Node],
        granted: &mut dyn FnMut(Lease),
    ) -> Result<(), ClaimError> {
        self.service.check_nodes(nodes).map_err(ClaimError::Misused)?;
        if let Some(taken) = self.strategy.first_taken(words, nodes.iter().copied()) {
            return Err(ClaimError::Refused(NotFree(taken)));
        }
        let (ledger, dims) = (self.ledger, self.dims);
        ledger.clear_room(words);
        nodes.iter().for_each(|node| set_bit(words, ledger.room, node.0, true));
        Subcube::whole(dims).visit_marked(words, ledger.room, 0, &mut |words, node| {
            let single = Subcube::from_parts(dims, node.0, 0);
            self.strategy.remove(words, &single, None);
            self.count_granted(1);
            granted(ledger.open(words, single));
        });
        Ok(())
    }

    fn would_fit(&mut self, words: &mut [Word], dim: Dim) -> Result<(), Refusal> {
        if !self.is_faulty(dim) && self.fits(words, dim) {
            return Ok(());
        }
        Err(self.reason(words, dim))
    }

    fn release(&mut self, words: &mut [Word], lease: &Lease) -> Result<(), Misuse> {
        self.ledger.check(words, lease)?;
        self.ledger.close(words, lease);
        let cube = lease.cube();
        // It comes back whole even if nodes of it are out: given node by node, it might merge with
        // neighbours into other cubes and not be seen again.
        self.strategy.free(words, cube);
        self.count_released(cube.len());
        let service = self.service;
        service.visit_out(words, &cube, &mut |words, node| {
            self.remove_node(words, node);
            self.ledger.note_out(words, node, true);
        });
        Ok(())
    }

    fn withdraw(
        &mut self,
        words: &mut [Word],
        nodes: &[Node],
        outage: Outage,
        hit: &mut dyn FnMut(Lease),
    ) -> Result<(), NoSuchNode> {
        self.service.check_nodes(nodes)?;
        // While it serves: whether it is free says more then.
        let single =
            if let [node] = *nodes { Some((node, self.lease_at(words, node))) } else { None };
        let mut changed = false;
        for &node in nodes {
            changed |= self.service.change(words, node, Some(outage));
        }
        if changed {
            self.remove_out(words, nodes);
            self.assess_after(words, nodes, false);
        }
        if let Some((node, lease)) = single {
            match lease {
                Some(lease) => hit(lease),
                None => self.ledger.note_out(words, node, true),
            }
            return Ok(());
        }
        self.ledger.draw(words);
        for &node in nodes {
            if !bit(words, self.ledger.room, node.0) {
                self.ledger.note_out(words, node, true);
            }
        }
        for &node in nodes {
            if let Some(lease) = self.ledger.drawn_at(words, node) {
                self.ledger.erase(words, &lease);
                hit(lease);
            }
        }
        Ok(())
    }

    /// What is known without a search of the ledger is asked first.
    fn lease_at(&self, words: &[Word], node: Node) -> Option<Lease> {
        let unleased = match self.service.serves(words, node) {
            true => self.strategy.is_free(words, node),
            false => self.ledger.is_noted(words, node),
        };
        if unleased { None } else { self.ledger.lease_at(words, node) }
    }

    fn leases(&self, words: &[Word]) -> impl Iterator<Item = Lease> {
        self.ledger.leases(words)
    }

    fn repair(&mut self, words: &mut [Word], nodes: &[Node]) -> Result<(), NoSuchNode> {
        self.service.check_nodes(nodes)?;
        let changed = match nodes {
            [node] => self.repair_one(words, *node),
            _ => self.repair_several(words, nodes),
        };
        if changed {
            self.assess_after(words, nodes, true);
        }
        Ok(())
    }

    fn repair_one(&mut self, words: &mut [Word], node: Node) -> bool {
        let lease = self.lease_at(words, node);
        let changed = self.service.change(words, node, None);
        if changed && lease.is_none() {
            self.return_node(words, node);
        }
        changed
    }

    /// Leases are drawn, the nodes that come back beside them, and the leases erased. So nodes come
    /// back by rising address, which joins them soonest.
    fn repair_several(&mut self, words: &mut [Word], nodes: &[Node]) -> bool {
        let (ledger, dims) = (self.ledger, self.dims);
        ledger.clear_room(words);
        let mut changed = false;
        for &node in nodes {
            if self.service.change(words, node, None) {
                changed = true;
                set_bit(words, ledger.room, node.0, true);
            }
        }
        ledger.erase_all(words);
        Subcube::whole(dims).visit_marked(words, ledger.room, 0, &mut |words, node| {
            self.return_node(words, node);
        });
        changed
    }

    /// Makes a node free that comes back into service.
    fn return_node(&mut self, words: &mut [Word], node: Node) {
        self.ledger.note_out(words, node, false);
        self.strategy.free(words, Subcube::from_parts(self.dims, node.0, 0));
        self.count_returned();
    }

    fn check_invariants(&self, words: &mut [Word]) -> Result<(), InvariantViolation> {
        self.check(words)?;
        let (mut free, mut leased) = (0u32, 0u32);
        for node in (0..self.dims.nodes()).map(Node) {
            let serves = self.service.serves(words, node);
            let lease = self.ledger.lease_at(words, node).is_some();
            let noted = self.ledger.is_noted(words, node);
            let without = node.0 != 0 && !serves && !lease;
            ensure(noted == without, "a node out of service without a lease is noted")?;
            let held = self.strategy.is_free(words, node);
            let free_if = held == (serves && !lease);
            ensure(free_if, "a node is free exactly if it serves and no lease holds it")?;
            free = free.wrapping_add(u32::from(held));
            leased = leased.wrapping_add(u32::from(lease));
        }
        let counted = (free, leased) == (self.free, self.leased);
        ensure(counted, "the counts of free and leased nodes")?;
        // A node of two leases counts twice.
        let nodes = self.leases(words).fold(0, |sum: u32, it| sum.saturating_add(it.cube().len()));
        ensure(nodes == self.leased, "leases are disjoint")?;
        let idle = self.leased == 0 && T::STARTS.recombines();
        let largest = if idle { self.largest_decided(words) } else { None };
        let granted =
            self.possible.is_err() || largest.is_none_or(|largest| self.possible == Ok(largest));
        ensure(granted, "what is possible is granted while no lease is live")
    }
}

impl<T: Strategy> Restore for Inventory<T> {
    type By = T;

    const KIND: [u8; 4] = *b"CUBE";

    fn configuration(&self) -> u64 {
        0
    }

    fn inventory(&self) -> &Inventory<T> {
        self
    }

    fn inventory_mut(&mut self) -> &mut Inventory<T> {
        self
    }

    fn anew(&self, start: &Start<T>) -> (Self, usize) {
        let new = Self::new(self.ledger.pool, self.dims, start);
        let words = new.words();
        (new, words)
    }

    fn file(
        &mut self,
        words: &mut [Word],
        cube: Subcube,
        filed: Generation,
        _: &mut Take<'_>,
    ) -> Result<bool, BadImage> {
        let free = self.take_out(words, &cube).is_ok();
        if free {
            self.ledger.file(words, cube, filed);
        }
        Ok(free)
    }

    fn remove_if_free(&mut self, words: &mut [Word], node: Node) {
        if self.strategy.is_free(words, node) {
            self.remove_node(words, node);
            self.ledger.note_out(words, node, true);
        }
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
            spoil(&mut pool.core);
            pool.check_invariants().unwrap_err().0
        };
        assert_eq!(broken(|core| core.free += 1), "the counts of free and leased nodes");
        assert_eq!(broken(|core| core.leased += 1), "the counts of free and leased nodes");
        assert_eq!(broken(|core| core.possible = Ok(None)), "the largest dimension possible");
    }
}

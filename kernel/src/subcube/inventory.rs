//! What pools of subcubes and pools of meshes keep alike.

use super::fold::DECIDED;
use super::lease::Ledger;
use super::service::Service;
use super::{
    InvariantViolation, LargestDim, NoSuchNode, Refusal, Start, Stats, StorageTooSmall, Strategy,
};
use crate::bits::{Word, tally};
use crate::cube::{Dim, Node, Subcube};
use crate::handle::PoolId;
use crate::invariant::ensure;

/// A strategy, the leases, the nodes in service, and counts.
///
/// - Every node is leased, free, or out of service without a lease: exactly one of these. `free`
///   and `leased` count the first two.
/// - `possible` is what the strategy could grant if every node that serves were free; it is known up
///   to 16 dimensions.
#[derive(Clone, Debug)]
pub(crate) struct Inventory<T> {
    pub(crate) strategy: T,
    pub(crate) ledger: Ledger,
    pub(crate) service: Service,
    pub(crate) dims: Dim,
    pub(crate) free: u32,
    pub(crate) leased: u32,
    pub(crate) possible: LargestDim,
}

impl<T: Strategy> Inventory<T> {
    /// The strategy's words come first, then the ledger, then the nodes in service.
    #[inline]
    pub(crate) const fn new(pool: PoolId, dims: Dim, start: &Start<T>) -> Self {
        Self {
            strategy: start.strategy,
            ledger: Ledger::new(pool, dims, start.words),
            service: Service::new(dims, start.words + Ledger::words(dims)),
            dims,
            free: dims.nodes(),
            leased: 0,
            possible: Ok(Some(dims)),
        }
    }

    pub(crate) const fn words(&self) -> usize {
        self.service.end()
    }

    /// Makes all nodes of zeroed words free.
    #[inline]
    pub(crate) const fn start(&self, words: &mut [Word], start: &Start<T>) {
        start.set_ones(words);
        self.service.serve_all(words);
    }

    /// The same in the first `needed` of words with any content; the others are not touched.
    #[inline]
    pub(crate) fn start_in(
        &self,
        words: &mut [Word],
        needed: usize,
        start: &Start<T>,
    ) -> Result<(), StorageTooSmall> {
        words.get_mut(..needed).ok_or(StorageTooSmall { needed })?.fill(0);
        self.start(words, start);
        Ok(())
    }

    /// `cube` as one of this machine, if it has all its nodes.
    pub(crate) fn own(&self, cube: &Subcube) -> Result<Subcube, NoSuchNode> {
        let (base, mask) = (cube.base(), cube.mask());
        Subcube::new(self.dims, base, mask).ok_or(NoSuchNode(Node(base.0 | mask)))
    }

    /// So many free nodes have been leased.
    pub(crate) const fn count_granted(&mut self, nodes: u32) {
        debug_assert!(nodes <= self.free);
        self.free = self.free.wrapping_sub(nodes);
        self.leased = self.leased.wrapping_add(nodes);
    }

    /// So many leased nodes are free again.
    pub(crate) const fn count_released(&mut self, nodes: u32) {
        debug_assert!(nodes <= self.leased);
        self.leased = self.leased.wrapping_sub(nodes);
        self.free = self.free.wrapping_add(nodes);
    }

    /// A free node is out of service.
    pub(crate) const fn count_removed(&mut self) {
        debug_assert!(self.free > 0);
        self.free = self.free.wrapping_sub(1);
    }

    /// A node that was out of service is free.
    pub(crate) const fn count_returned(&mut self) {
        self.free = self.free.wrapping_add(1);
    }

    /// Whether a request of dimension `dim` is worth a search.
    pub(crate) const fn has_enough(&self, dim: Dim) -> bool {
        dim.get() <= self.dims.get() && dim.nodes() <= self.free
    }

    /// Whether a request of dimension `dim` cannot be granted until nodes are repaired.
    pub(crate) fn is_faulty(&self, dim: Dim) -> bool {
        self.possible.is_ok_and(|possible| possible < Some(dim))
    }

    /// Why `dim`, which is not granted, is not.
    pub(crate) fn reason(&mut self, words: &mut [Word], dim: Dim) -> Refusal {
        if dim > self.dims {
            return Refusal::TooLarge;
        }
        if self.is_faulty(dim) {
            return Refusal::Faulty;
        }
        if dim.nodes() > self.free {
            return Refusal::TooFewFree { needed: dim.nodes(), free: self.free };
        }
        let Ok(largest) = self.strategy.largest(words, dim) else {
            return Refusal::Undecided;
        };
        // Decided, and all that serves is free: nothing to wait for.
        if self.possible.is_err() && self.leased == 0 {
            return Refusal::Faulty;
        }
        Refusal::Fragmented { largest: largest.unwrap_or_default() }
    }

    /// What the strategy grants to a request of dimension `dim`.
    pub(crate) fn choose(&mut self, words: &mut [Word], dim: Dim) -> Option<Subcube> {
        let cube = self.strategy.allocate(words, dim)?;
        debug_assert!(
            self.leased == 0 || !tally::uncounted(|| self.ledger.meets(words, &cube)),
            "the strategy grants a node twice"
        );
        Some(cube)
    }

    /// Whether the strategy would grant `dim`.
    pub(crate) fn fits(&mut self, words: &mut [Word], dim: Dim) -> bool {
        self.has_enough(dim) && self.strategy.largest(words, dim) == Ok(Some(dim))
    }

    /// Removes a free node that is out of service.
    pub(crate) fn remove_node(&mut self, words: &mut [Word], node: Node) {
        debug_assert!(self.strategy.is_free(words, node));
        self.count_removed();
        self.strategy.remove(words, &Subcube::from_parts(self.dims, node.0, 0), None);
    }

    /// Asks the strategy what is possible.
    pub(crate) fn assess(&mut self, words: &mut [Word]) {
        self.possible = self.max_in_service(words, self.dims);
    }

    /// Asks the strategy again, after some of these nodes left service or, if true, came `back`.
    pub(crate) fn assess_after(&mut self, words: &mut [Word], nodes: &[Node], back: bool) {
        // A node that comes back makes at most a subcube of one dimension more possible.
        let most = match self.possible {
            Ok(before) if !back => before,
            Ok(before) if nodes.len() == 1 => before.map_or(Some(Dim::ZERO), Dim::up),
            _ => None,
        };
        let most = most.filter(|&most| most < self.dims && self.dims <= DECIDED);
        self.possible = self.max_in_service(words, most.unwrap_or(self.dims));
    }

    fn max_in_service(&self, words: &mut [Word], most: Dim) -> LargestDim {
        match words.split_at_mut_checked(self.service.in_service) {
            Some((own, serving)) => self.strategy.max_in_service(own, serving, most),
            None => Ok(None),
        }
    }

    /// Removes the free nodes that are out of service, all of which are among those named.
    pub(crate) fn remove_out(&mut self, words: &mut [Word], named: &[Node]) {
        if let [node] = *named {
            if self.strategy.is_free(words, node) {
                self.remove_node(words, node);
            }
        } else if let Some((own, serving)) = words.split_at_mut_checked(self.service.in_service) {
            let removed = self.strategy.remove(own, &Subcube::whole(self.dims), Some(serving));
            self.free = self.free.wrapping_sub(removed);
        }
    }

    pub(crate) fn stats(&self, words: &mut [Word]) -> Stats {
        let Self { strategy, service, dims, free, leased, .. } = self;
        let mut subcubes = [0; Dim::COUNT];
        strategy.count(words, &mut subcubes);
        Stats {
            dims: *dims,
            free: *free,
            leased: *leased,
            out: service.out,
            largest: self.largest_granted(words, largest_of(*dims, &subcubes)),
            subcubes,
        }
    }

    /// The largest dimension that would be granted, if `counted` is that of a free subcube.
    fn largest_granted(&self, words: &mut [Word], counted: Option<Dim>) -> Option<Dim> {
        let mut asked = self.clone();
        counted?.up_to().rev().find(|&dim| asked.fits(words, dim))
    }

    /// The derived data but for the counts and who holds which node.
    pub(crate) fn check(&self, words: &mut [Word]) -> Result<(), InvariantViolation> {
        ensure(self.strategy.check(words), "the strategy's derived data")?;
        ensure(self.says_what_it_counts(words), "the largest subcube is the largest counted")?;
        self.service.check(words)?;
        let possible = self.max_in_service(words, self.dims);
        ensure(possible.is_ok() || self.dims > DECIDED, "what is possible is known")?;
        ensure(self.possible == possible, "the largest dimension possible")
    }

    /// Whether the largest free subcube up to each dimension is what counting says. If a search is given up
    /// it may be smaller, where the search for as many dimensions as were asked for is not.
    fn says_what_it_counts(&self, words: &mut [Word]) -> bool {
        let mut subcubes = [0; Dim::COUNT];
        self.strategy.count(words, &mut subcubes);
        let (mut strategy, decided) = (self.strategy, self.largest_decided(words).is_some());
        self.dims.up_to().all(|most| {
            let counted = largest_of(most, &subcubes);
            let smaller = |largest| !decided && largest < counted && counted < Some(most);
            let largest = strategy.largest(words, most);
            largest.map_or(true, |largest| largest == counted || smaller(largest))
        })
    }

    /// The largest dimension that would be granted, if no search for any is given up.
    pub(crate) fn largest_decided(&self, words: &mut [Word]) -> Option<Option<Dim>> {
        let mut strategy = self.strategy;
        let mut decided = self.dims.up_to().map(|dim| strategy.largest(words, dim).ok());
        decided.try_fold(None, |_, largest| largest)
    }
}

/// The largest dimension up to `most` that was counted.
pub(crate) fn largest_of(most: Dim, subcubes: &[u64; Dim::COUNT]) -> Option<Dim> {
    let counted = most.up_to().zip(subcubes).filter(|&(_, &count)| count > 0);
    counted.map(|(dim, _)| dim).last()
}

//! A whole pool, naively: live leases, outages, and a rule.

use super::{NodeSet, Outages, Rule};
use locox::cube::{Dim, Node, Subcube};
use locox::handle::{Misuse, PoolId};
use locox::subcube::{ClaimError, Lease, NoSuchNode, NodeState, NotFree, Outage, Refusal, Stats};

/// Predicts every answer of a pool. All that can be derived is derived anew at each question.
#[derive(Clone, Debug)]
pub struct Model<R> {
    id: PoolId,
    dims: Dim,
    rule: R,
    live: Vec<Lease>,
    outages: Outages,
}

impl<R: Rule> Model<R> {
    /// The n-cube, all free.
    pub fn new(id: PoolId, dims: Dim, rule: R) -> Self {
        Self { id, dims, rule, live: vec![], outages: Outages::new(dims) }
    }

    /// All that later answers depend on, but for the names of leases: their cubes by base, the
    /// outages, the rule's history. Two states of one key are the same state.
    pub fn key(&self) -> (Vec<Subcube>, Outages, R) {
        let mut cubes: Vec<_> = self.live.iter().map(|lease| lease.cube()).collect();
        cubes.sort_by_key(|cube| cube.base());
        (cubes, self.outages.clone(), self.rule.clone())
    }

    /// The lease that holds `node`.
    pub fn lease_at(&self, node: Node) -> Option<Lease> {
        self.live.iter().find(|lease| lease.cube().contains(node)).copied()
    }

    /// What `node` is doing.
    pub fn state(&self, node: Node) -> Result<NodeState, NoSuchNode> {
        self.outages.check(&[node])?;
        Ok(NodeState { leased: self.lease_at(node).is_some(), outage: self.outages.reason(node) })
    }

    /// The nodes that a new lease may take.
    pub fn free(&self) -> NodeSet {
        let mut free = self.outages.serving();
        self.live.iter().for_each(|lease| free.remove(&lease.cube()));
        free
    }

    /// Which subcube a request gets, or why none.
    pub fn choose(&self, dim: Dim) -> Result<Subcube, Refusal> {
        let free = self.free();
        if dim > self.dims {
            return Err(Refusal::TooLarge);
        }
        if !self.rule.possible(&self.outages.serving(), dim) {
            return Err(Refusal::Faulty);
        }
        if free.len() < dim.nodes() {
            return Err(Refusal::TooFewFree { needed: dim.nodes(), free: free.len() });
        }
        let fragmented = || Refusal::Fragmented { largest: self.stats().largest.unwrap() };
        self.rule.choose(&free, dim).ok_or_else(fragmented)
    }

    /// Which subcube of this machine a claim gets, or why none.
    pub fn claim(&self, cube: Subcube) -> Result<Subcube, ClaimError> {
        let (base, mask) = (cube.base(), cube.mask());
        let own = Subcube::new(self.dims, base, mask);
        let own = own.ok_or(ClaimError::Misused(NoSuchNode(Node(base.0 | mask))))?;
        let free = self.free();
        let taken = own.nodes().find(|&node| !free.contains(node));
        taken.map_or(Ok(own), |node| Err(ClaimError::Refused(NotFree(node))))
    }

    /// The pool goes on from an image, with these leases. What is free lies as if all else had been
    /// taken out of the whole cube by rising node.
    pub fn restart(&mut self, live: &[Lease]) {
        self.live = live.to_vec();
        self.rule = R::new(self.dims);
        for node in (0..self.dims.nodes()).map(Node) {
            let lease = self.lease_at(node);
            if let Some(lease) = lease.filter(|lease| lease.cube().base() == node) {
                self.rule.take(lease.cube());
            }
            if lease.is_none() && self.outages.reason(node).is_some() {
                self.rule.remove(node);
            }
        }
    }

    /// `lease` has been granted.
    pub fn open(&mut self, lease: Lease) {
        self.rule.take(lease.cube());
        self.live.push(lease);
    }

    /// Strikes a lease out. Its cube is free again, and then what is out of it is lost.
    pub fn release(&mut self, lease: Lease) -> Result<(), Misuse> {
        if lease.handle().pool() != self.id || lease.cube().dims() != self.dims {
            return Err(Misuse::Foreign);
        }
        let at = self.live.iter().position(|it| *it == lease).ok_or(Misuse::Stale)?;
        self.live.remove(at);
        self.rule.give(lease.cube());
        let serving = self.outages.serving();
        let out = lease.cube().nodes().filter(|&node| !serving.contains(node));
        out.for_each(|node| self.rule.remove(node));
        Ok(())
    }

    /// Takes nodes out of service; returns the leases hit, in the order in which they were named.
    pub fn withdraw(&mut self, nodes: &[Node], why: Outage) -> Result<Vec<Lease>, NoSuchNode> {
        self.outages.check(nodes)?;
        let (mut hit, mut free) = (vec![], vec![]);
        for &node in nodes {
            let lease = self.lease_at(node);
            if self.outages.withdraw(node, why) && lease.is_none() {
                free.push(node);
            }
            hit.extend(lease.filter(|lease| !hit.contains(lease)));
        }
        self.rule.remove_all(&free);
        Ok(hit)
    }

    /// Puts nodes back into service, by rising address.
    pub fn repair(&mut self, nodes: &[Node]) -> Result<(), NoSuchNode> {
        self.outages.check(nodes)?;
        let mut sorted = nodes.to_vec();
        sorted.sort();
        for node in sorted {
            if self.outages.repair(node) && self.lease_at(node).is_none() {
                self.rule.give(Subcube::new(self.dims, node, 0).unwrap());
            }
        }
        Ok(())
    }

    /// All counts.
    pub fn stats(&self) -> Stats {
        let free = self.free();
        let (mut subcubes, mut largest) = ([0; Dim::COUNT], None);
        for dim in self.dims.up_to() {
            let seen = self.rule.seen(&free, dim).len() as u64;
            largest = if seen > 0 { Some(dim) } else { largest };
            subcubes[usize::from(dim.get())] = seen;
        }
        Stats {
            dims: self.dims,
            free: free.len(),
            leased: self.live.iter().map(|lease| lease.cube().len()).sum(),
            out: self.dims.nodes() - self.outages.serving().len(),
            largest,
            subcubes,
        }
    }
}

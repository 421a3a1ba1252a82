//! A whole pool, naively: live leases, outages, and a rule.

use crate::{NodeSet, Rule};
use locox::cube::{Dim, Node, Subcube};
use locox::handle::{Misuse, PoolId};
use locox::subcube::{Lease, NoSuchNode, NodeState, Outage, Refusal, Stats};

/// Predicts every answer of a pool. All that can be derived is derived anew at each question.
#[derive(Clone, Debug)]
pub struct Model<R> {
    id: PoolId,
    dims: Dim,
    rule: R,
    live: Vec<Lease>,
    outages: Vec<Option<Outage>>,
}

impl<R: Rule> Model<R> {
    /// The n-cube, all free.
    pub fn new(id: PoolId, dims: Dim, rule: R) -> Self {
        Self { id, dims, rule, live: vec![], outages: vec![None; dims.nodes() as usize] }
    }

    /// All that later answers depend on, but for the names of leases: their cubes by base, the
    /// outages, the rule's history. Two states of one key are the same state.
    pub fn key(&self) -> (Vec<Subcube>, Vec<Option<Outage>>, R) {
        let mut cubes: Vec<_> = self.live.iter().map(|lease| lease.cube()).collect();
        cubes.sort_by_key(|cube| cube.base());
        (cubes, self.outages.clone(), self.rule.clone())
    }

    /// The leases that are live, in the order in which they were granted.
    pub fn live(&self) -> &[Lease] {
        &self.live
    }

    /// The lease that holds `node`.
    pub fn lease_at(&self, node: Node) -> Option<Lease> {
        self.live.iter().find(|lease| lease.cube().contains(node)).copied()
    }

    fn serves(&self, node: Node) -> bool {
        self.outages[node.0 as usize].is_none()
    }

    /// The nodes that a new lease may take.
    pub fn free(&self) -> NodeSet {
        NodeSet::of(self.dims, |node| self.serves(node) && self.lease_at(node).is_none())
    }

    /// Which subcube a request gets, or why none.
    pub fn choose(&self, dim: Dim) -> Result<Subcube, Refusal> {
        let free = self.free();
        if dim > self.dims {
            return Err(Refusal::TooLarge);
        }
        if !self.rule.possible(&NodeSet::of(self.dims, |node| self.serves(node)), dim) {
            return Err(Refusal::Faulty);
        }
        if free.len() < dim.nodes() {
            return Err(Refusal::TooFewFree { free: free.len() });
        }
        let largest = |free| Refusal::Fragmented { largest: self.largest(free).unwrap() };
        self.rule.choose(&free, dim).ok_or_else(|| largest(&free))
    }

    fn largest(&self, free: &NodeSet) -> Option<Dim> {
        self.dims.up_to().rev().find(|&dim| !self.rule.seen(free, dim).is_empty())
    }

    /// `lease` has been granted.
    pub fn open(&mut self, lease: Lease) {
        self.rule.take(lease.cube());
        self.live.push(lease);
    }

    /// Strikes a lease out; what serves of it is free again.
    pub fn release(&mut self, lease: Lease) -> Result<(), Misuse> {
        if lease.handle().pool() != self.id || lease.cube().dims() != self.dims {
            return Err(Misuse::Foreign);
        }
        let at = self.live.iter().position(|it| *it == lease).ok_or(Misuse::Stale)?;
        self.live.remove(at);
        self.rule.give(lease.cube());
        let out = lease.cube().nodes().filter(|&node| !self.serves(node)).collect::<Vec<_>>();
        out.into_iter().for_each(|node| self.rule.lose(node));
        Ok(())
    }

    fn check(&self, nodes: &[Node]) -> Result<(), NoSuchNode> {
        let stranger = nodes.iter().find(|node| node.0 >= self.dims.nodes());
        stranger.map_or(Ok(()), |&node| Err(NoSuchNode(node)))
    }

    /// Takes nodes out of service; returns the leases hit, in the order in which they were named.
    pub fn withdraw(&mut self, nodes: &[Node], why: Outage) -> Result<Vec<Lease>, NoSuchNode> {
        self.check(nodes)?;
        let mut hit = vec![];
        for &node in nodes {
            let lease = self.lease_at(node);
            if self.serves(node) && lease.is_none() {
                self.rule.lose(node);
            }
            if self.outages[node.0 as usize] != Some(Outage::Failed) {
                self.outages[node.0 as usize] = Some(why);
            }
            hit.extend(lease.filter(|lease| !hit.contains(lease)));
        }
        Ok(hit)
    }

    /// Puts nodes back into service.
    pub fn repair(&mut self, nodes: &[Node]) -> Result<(), NoSuchNode> {
        self.check(nodes)?;
        for &node in nodes {
            let was_out = self.outages[node.0 as usize].take().is_some();
            if was_out && self.lease_at(node).is_none() {
                self.rule.give(Subcube::new(self.dims, node, 0).unwrap());
            }
        }
        Ok(())
    }

    /// What `node` is doing.
    pub fn state(&self, node: Node) -> Result<NodeState, NoSuchNode> {
        self.check(&[node])?;
        let outage = self.outages[node.0 as usize];
        Ok(NodeState { leased: self.lease_at(node).is_some(), outage })
    }

    /// All counts.
    pub fn stats(&self) -> Stats {
        let free = self.free();
        let mut subcubes = [0; Dim::MAX.get() as usize + 1];
        for dim in self.dims.up_to() {
            subcubes[usize::from(dim.get())] = self.rule.seen(&free, dim).len() as u64;
        }
        Stats {
            dims: self.dims,
            free: free.len(),
            leased: self.live.iter().map(|lease| lease.cube().len()).sum(),
            out: self.outages.iter().flatten().count() as u32,
            largest: self.largest(&free),
            subcubes,
        }
    }
}

//! What a pool of nodes must do, by who holds what.

use super::Setup;
use crate::machine::nodes::{Holder, Rule, Wish};
use locox::nodes::{NodeLease, NodeState, Outage, Refusal};
use std::collections::BTreeMap;

/// Predicts every answer of a pool.
#[derive(Clone, Debug)]
pub struct Model {
    setup: Setup,
    live: Vec<(Holder, NodeLease<1>)>,
    outages: BTreeMap<usize, Outage>,
}

impl Model {
    /// All nodes are free.
    pub fn new(setup: Setup) -> Self {
        Self { setup, live: vec![], outages: BTreeMap::new() }
    }

    /// The nodes and the wishes.
    pub fn setup(&self) -> &Setup {
        &self.setup
    }

    /// All that later answers depend on, but for the names of leases.
    pub fn key(&self) -> (Vec<String>, BTreeMap<usize, Outage>) {
        let mut held: Vec<_> = self.live.iter().map(|it| format!("{:?}", it.0)).collect();
        held.sort();
        (held, self.outages.clone())
    }

    /// The live leases, the oldest first.
    pub fn live(&self) -> Vec<NodeLease<1>> {
        self.live.iter().map(|it| it.1).collect()
    }

    /// Who holds a lease.
    pub fn held(&self) -> Vec<Holder> {
        self.live.iter().map(|it| it.0.clone()).collect()
    }

    /// All nodes that are out of service, as somebody who holds all that they have.
    pub fn out(&self) -> Vec<Holder> {
        let whole =
            |&node: &usize| Holder { nodes: vec![node], amounts: None, part: None, common: vec![] };
        self.outages.keys().map(whole).collect()
    }

    /// What a wish gets, or why nothing.
    ///
    /// # Errors
    ///
    /// The [`Refusal`].
    pub fn choose(&self, wish: &Wish) -> Result<Holder, Refusal> {
        let Setup { cluster, rule, rows, .. } = &self.setup;
        let find = |holders: Vec<Holder>| cluster.find(wish, rule, &[holders]);
        let beside = [self.held(), self.out()].concat();
        if let Some(found) = find(beside.clone()) {
            return if self.live.len() == *rows { Err(Refusal::Full) } else { Ok(found) };
        }
        if find(vec![]).is_none() {
            return Err(Refusal::NoPlace);
        }
        if find(self.out()).is_none() {
            return Err(Refusal::Faulty);
        }
        let free = (0..cluster.nodes.len()).map(|node| cluster.free(node, &beside).amounts[0]);
        let free = free.fold(0, u32::saturating_add);
        let needed = wish.amounts[0].saturating_mul(*wish.nodes.start() as u32);
        Err(if needed > free { Refusal::TooFewFree { needed, free } } else { Refusal::Fragmented })
    }

    /// A lease has been granted.
    pub fn open(&mut self, holder: Holder, lease: NodeLease<1>) {
        self.live.push((holder, lease));
    }

    /// Strikes a lease out; whether it was live.
    pub fn release(&mut self, lease: NodeLease<1>) -> bool {
        let at = self.live.iter().position(|it| it.1 == lease);
        at.map(|at| self.live.remove(at)).is_some()
    }

    /// The pool goes on from an image, with other handles.
    pub fn restart(&mut self, renamed: impl Fn(NodeLease<1>) -> NodeLease<1>) {
        self.live.iter_mut().for_each(|it| it.1 = renamed(it.1));
    }

    /// Takes a node out of service; returns the leases hit, or `None` if there is no such node.
    pub fn withdraw(&mut self, node: usize, why: Outage) -> Option<Vec<NodeLease<1>>> {
        self.setup.cluster.nodes.get(node)?;
        let outage = self.outages.entry(node).or_insert(why);
        if why == Outage::Failed {
            *outage = why;
        }
        let hit = self.live.iter().filter(|it| it.0.nodes.contains(&node)).map(|it| it.1);
        let mut hit: Vec<_> = hit.collect();
        hit.sort_by_key(|it| it.handle().index());
        Some(hit)
    }

    /// Puts a node back into service; whether there is such a node.
    pub fn repair(&mut self, node: usize) -> bool {
        self.outages.remove(&node);
        node < self.setup.cluster.nodes.len()
    }

    /// Room is kept for a wish, too.
    pub fn learn(&mut self, at: usize) {
        if let Rule::Fewest(quantity, kinds) = &mut self.setup.rule {
            let wish = &self.setup.wishes[at];
            if self.setup.cluster.is_new_kind(wish, *quantity, kinds) {
                kinds.push(wish.clone());
            }
        }
    }

    /// What a node is doing.
    pub fn state(&self, node: usize) -> NodeState {
        let leased = self.live.iter().any(|it| it.0.nodes.contains(&node));
        NodeState { leased, outage: self.outages.get(&node).copied() }
    }
}

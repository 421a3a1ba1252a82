//! A machine of which every node is leased, so that any set of nodes can be set free.

use locox::cube::{Dim, Node, Subcube};
use locox::subcube::{Allocator, Lease};
use locox_models::machine::StrategyKind;

/// What is run under the name of a strategy.
pub(super) type Machine = fn(StrategyKind) -> StrategyKind;

/// A pool with a lease of one node on every node that was not set free.
///
/// - `leases[node]` is the lease of that node, live unless the node is free.
pub(super) struct Occupied {
    pool: Box<dyn Allocator + Send>,
    leases: Vec<Lease>,
}

impl Occupied {
    pub(super) fn new(kind: StrategyKind, dims: Dim) -> Self {
        let mut pool = kind.allocator(dims);
        let mut leases: Vec<Lease> = all_single(&mut *pool).collect();
        leases.sort_by_key(|lease| lease.cube().base().0);
        assert_eq!(leases.len(), dims.nodes() as usize, "a node could not be leased");
        Self { pool, leases }
    }

    /// Sets nodes free, in the order given.
    pub(super) fn free(&mut self, nodes: impl IntoIterator<Item = Node>) {
        for node in nodes {
            let released = self.pool.release(self.leases[node.0 as usize]);
            released.expect("a node is set free once");
        }
    }

    /// Leases the free nodes again.
    pub(super) fn refill(&mut self) {
        for lease in all_single(&mut *self.pool) {
            self.leases[lease.cube().base().0 as usize] = lease;
        }
    }

    /// Whether a request for a subcube of dimension `dim` would be granted now.
    pub(super) fn grants(&mut self, dim: Dim) -> bool {
        self.pool.would_fit(dim).is_ok()
    }

    /// Whether a request is granted when exactly the nodes of `cube`, freed in the order given,
    /// are free. All nodes must be leased before, and are after.
    pub(super) fn recognises(&mut self, cube: &Subcube, nodes: &[Node]) -> bool {
        self.free(nodes.iter().copied());
        let granted = self.grants(cube.dim());
        self.refill();
        granted
    }
}

fn all_single(pool: &mut dyn Allocator) -> impl Iterator<Item = Lease> {
    std::iter::from_fn(|| pool.allocate(Dim::ZERO).ok())
}

/// All k-subcubes of the n-cube, n = `dims` and k = `dim`: C(n,k) * 2^(n-k) of them.
pub(crate) fn subcubes(dims: Dim, dim: Dim) -> impl Iterator<Item = Subcube> {
    let masks = (0..dims.nodes()).filter(move |mask| mask.count_ones() == u32::from(dim.get()));
    masks.flat_map(move |mask| {
        let bases = (0..dims.nodes()).filter(move |base| base & mask == 0);
        bases.filter_map(move |base| Subcube::new(dims, Node(base), mask))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn freeing_and_refilling_leaves_every_node_leased() {
        let dims = Dim::new(3).unwrap();
        for kind in StrategyKind::ALL {
            let mut machine = Occupied::new(kind, dims);
            assert!(!machine.grants(Dim::ZERO), "{kind}");
            machine.free([Node(6), Node(1)]);
            assert!(machine.grants(Dim::ZERO), "{kind}");
            machine.refill();
            assert!(!machine.grants(Dim::ZERO), "{kind}");
            machine.free((0..8).map(Node));
            assert!(machine.grants(dims), "{kind}");
        }
    }

    #[test]
    fn there_are_as_many_subcubes_as_the_formula_says() {
        let four = Dim::new(4).unwrap();
        let counts = (0..=4).map(|dim| subcubes(four, Dim::new(dim).unwrap()).count());
        assert!(counts.eq([16, 32, 24, 8, 1]));
    }
}

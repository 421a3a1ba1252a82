//! Nodes by their addresses in a hypercube.

use locox::cube::{Dim, Node};
use locox::handle::PoolId;
use locox::subcube::{Complete, Outage, Pool, words};

/// The most addresses.
pub const ADDRESSES: u32 = 1 << 16;

/// Nodes by their addresses in the smallest hypercube that has them all.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cube {
    /// By address; some have no node.
    names: Vec<Option<String>>,
}

impl Cube {
    /// The nodes of these names at these addresses below [`ADDRESSES`], each there once.
    pub fn new(nodes: impl IntoIterator<Item = (String, u32)>) -> Self {
        let mut names = vec![None];
        for (name, address) in nodes {
            let needed = (address as usize + 1).next_power_of_two();
            names.resize(needed.max(names.len()), None);
            names[address as usize] = Some(name);
        }
        Self { names }
    }

    /// How many addresses there are: a power of two.
    pub fn addresses(&self) -> u32 {
        self.names.len() as u32
    }

    /// The names of the nodes by their numbers, which are their addresses.
    pub fn numbered(&self) -> &[Option<String>] {
        &self.names
    }

    /// The nodes of the largest subcube of which each address has a node: the most that a job can have.
    pub fn most(&self) -> u32 {
        let dims = Dim::holding(self.addresses()).unwrap_or_default();
        let words = vec![0; words::<Complete>(dims.get())];
        let Ok(mut pool) = Pool::<Complete, _>::new(PoolId(0), dims, words) else { return 0 };
        let none = (0..).map(Node).zip(&self.names).filter(|(_, name)| name.is_none());
        let none: Vec<Node> = none.map(|(address, _)| address).collect();
        if pool.withdraw(&none, Outage::Drained, |_| ()).is_err() {
            return 0;
        }
        pool.stats().largest.map_or(0, Dim::nodes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::names::Names;
    use locox_coordinators::manager::NodeId;

    #[test]
    fn addresses_without_a_node_are_no_place_for_jobs() {
        let cube = Cube::new([0, 1, 2, 3, 4, 9].map(|at| (format!("n{at}"), at)));
        assert_eq!((cube.addresses(), cube.most()), (16, 4));
        let names = Names::numbered(cube.numbered());
        assert_eq!(names.len(), 16);
        assert_eq!(names.number("n9"), Some(NodeId(9)));
        assert_eq!(names.name(NodeId(5)), "#5");
        assert_eq!(Cube::new([]).most(), 0);
        assert_eq!(Cube::new([("a".into(), 0)]).most(), 1);
    }
}

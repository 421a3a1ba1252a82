//! The single Gray code: runs of codewords.

use super::{NodeSet, Rule};
use locox::cube::{Dim, Node, Subcube};
use locox::subcube;

/// Sees runs of 2^k consecutive codewords, of the code as a cycle, that start at a multiple of
/// 2^(k-1). A request gets the first free one.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct GrayCode {
    /// The nodes in the order of the code.
    code: Vec<Node>,
}

/// The code by its name: for each bit the list so far, then the same reflected with the bit set.
fn reflected(dims: Dim) -> Vec<Node> {
    (0..dims.get()).fold(vec![Node(0)], |code, bit| {
        let mirror = code.iter().rev().map(|node| Node(node.0 | 1 << bit));
        code.iter().copied().chain(mirror).collect()
    })
}

/// The subcube that is made of exactly these nodes.
fn made_of(dims: Dim, nodes: &[Node]) -> Subcube {
    let zeros = nodes.iter().fold(!0, |all, node| all & node.0);
    let ones = nodes.iter().fold(0, |all, node| all | node.0);
    let cube = Subcube::new(dims, nodes[0], ones & !zeros).unwrap();
    assert_eq!(cube.len() as usize, nodes.len(), "a run of codewords that is no subcube");
    cube
}

impl Rule for GrayCode {
    type Strategy = subcube::GrayCode;

    fn new(dims: Dim) -> Self {
        Self { code: reflected(dims) }
    }

    fn seen(&self, free: &NodeSet, dim: Dim) -> Vec<Subcube> {
        let (nodes, len) = (self.code.len(), dim.nodes() as usize);
        let starts = if len == nodes { 0..1 } else { 0..nodes };
        starts
            .step_by((len / 2).max(1))
            .map(|start| (start..start + len).map(|at| self.code[at % nodes]).collect::<Vec<_>>())
            .filter(|run| run.iter().all(|&node| free.contains(node)))
            .map(|run| made_of(free.dims(), &run))
            .collect()
    }

    fn choose(&self, free: &NodeSet, dim: Dim) -> Option<Subcube> {
        self.seen(free, dim).first().copied()
    }
}

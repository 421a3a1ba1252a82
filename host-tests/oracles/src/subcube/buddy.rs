//! The buddy: aligned blocks.

use super::{NodeSet, Rule};
use locox::cube::{Dim, Node, Subcube};
use locox::subcube;

/// Sees blocks of 2^k addresses that start at a multiple of 2^k. A request is cut from the
/// smallest sufficient block that is not a part of a larger free one, the lowest first.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Buddy;

impl Rule for Buddy {
    type Strategy = subcube::Buddy;

    fn new(_: Dim) -> Self {
        Self
    }

    fn seen(&self, free: &NodeSet, dim: Dim) -> Vec<Subcube> {
        let starts = (0..free.dims().nodes()).step_by(dim.nodes() as usize).map(Node);
        let blocks = starts.map(|start| Subcube::new(free.dims(), start, dim.nodes() - 1).unwrap());
        blocks.filter(|block| free.contains_cube(block)).collect()
    }

    fn choose(&self, free: &NodeSet, dim: Dim) -> Option<Subcube> {
        let sufficient = free.dims().up_to().filter(|&at| at >= dim);
        let block = sufficient.flat_map(|at| self.seen(free, at)).find(|block| {
            let twice = block.len() * 2 - 1;
            let double = Subcube::new(free.dims(), block.base(), twice);
            !double.is_some_and(|double| free.contains_cube(&double))
        })?;
        Subcube::new(free.dims(), block.base(), dim.nodes() - 1)
    }
}

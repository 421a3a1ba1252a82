//! Which nodes the routes inside a mesh pass.
//!
//! Leftover of a mesh keeps its channels to itself, but not its nodes: a route between two nodes
//! of the mesh may pass through the router of a leftover node. If that router stops, the mesh is
//! hit as well.

use super::Embedding;
use super::embedding::Axis;
use crate::cube::{Node, gray};

impl Embedding {
    /// Whether the E-cube route between some two nodes of the mesh passes `node`, ends included.
    ///
    /// Exact. Cost: a few operations a dimension.
    ///
    /// A route passes the nodes that agree with its target below some coordinate and with its
    /// source from there on. That coordinate lies on one axis; on the axes above, `node` has a
    /// codeword of the source, on those below one of the target, and these may be any of the mesh.
    ///
    /// ```
    /// use locox::cube::Node;
    /// use locox::mesh::{Embedding, Shape};
    /// let mesh = Embedding::new("****".parse().unwrap(), Shape::rectangle(3, 3).unwrap()).unwrap();
    /// assert!(mesh.may_route_through(Node(0b0010))); // on the way from 0011 to 0100, say
    /// assert!(!mesh.may_route_through(Node(0b1010)));
    /// ```
    pub fn may_route_through(&self, node: Node) -> bool {
        if !self.cube().contains(node) {
            return false;
        }
        let axes = self.axes();
        let mut outside = axes.iter().filter(|axis| !axis.uses(node));
        match (outside.next(), outside.next()) {
            (None, _) => true,
            (Some(axis), None) => axis.may_switch_at(node),
            (Some(_), Some(_)) => false,
        }
    }
}

impl Axis {
    /// Whether, at some coordinate of this axis, a used codeword agrees with that of `node` from
    /// there on and another one agrees with it below.
    fn may_switch_at(&self, node: Node) -> bool {
        let index = self.index(node);
        let codeword = gray::encode(index).0;
        (0..=self.size.trailing_zeros()).any(|cut| {
            let below = 1u32.wrapping_shl(cut).wrapping_sub(1);
            // The codewords that agree from the cut on are an aligned run. Of those that agree
            // below it, the first one has zeros above.
            let source = index & !below;
            let target = gray::decode(Node(codeword & below));
            source < self.side && target < self.side
        })
    }
}

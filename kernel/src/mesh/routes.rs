//! Which nodes the routes inside a mesh pass.
//!
//! Leftover of a mesh keeps its channels to itself, but not its nodes: a route between two nodes
//! of the mesh may pass through the router of a leftover node. If that router stops, the mesh is
//! hit as well.

use super::Embedding;
use crate::cube::Node;

impl Embedding {
    /// Whether the E-cube route between some two nodes of the mesh passes `node`, ends included.
    ///
    /// Exact. Cost: a few operations a dimension.
    ///
    /// A route passes the nodes that agree with its target below some coordinate and with its
    /// source from there on. That coordinate lies on one axis; on the axes above, `node` has a
    /// codeword of the source, on those below one of the target, and these may be any of the mesh.
    /// On the axis itself any codeword may be: a mesh takes more than half of each axis, so it uses all
    /// codewords without the highest coordinate, and one with it. From that one as the source a route
    /// to any of the former corrects the highest coordinate last.
    ///
    /// ```
    /// use locox::cube::Node;
    /// use locox::mesh::{Embedding, Shape};
    /// let mesh = Embedding::new("****".parse().unwrap(), Shape::rectangle(3, 3).unwrap()).unwrap();
    /// assert!(mesh.may_route_through(Node(0b0010))); // on the way from 0011 to 0100, say
    /// assert!(!mesh.may_route_through(Node(0b1010)));
    /// ```
    pub fn may_route_through(&self, node: Node) -> bool {
        let mut outside = self.axes().into_iter().filter(|axis| !axis.uses(node));
        self.cube().contains(node) && outside.nth(1).is_none()
    }
}

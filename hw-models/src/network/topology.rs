//! How the routers of a machine are wired, and which way messages go.

use super::{channel_count, channel_index, channels};
use locox::cube::ecube::next_hop;
use locox::cube::{Dim, Node};

/// The channels between the routers of a machine, and the routes over them.
///
/// A router has a port for each channel that begins there; the channel ends at the port of the same
/// number of the next router.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Topology {
    /// A hypercube with E-cube routes; a port for each dimension.
    Cube(Dim),
}

impl From<Dim> for Topology {
    fn from(dims: Dim) -> Self {
        Self::Cube(dims)
    }
}

impl Topology {
    /// Nodes of the machine.
    pub const fn nodes(self) -> u32 {
        match self {
            Self::Cube(dims) => dims.nodes(),
        }
    }

    /// Ports of a router to others. At the edge of a mesh some lead nowhere.
    pub const fn ports(self) -> u32 {
        match self {
            Self::Cube(dims) => dims.get() as u32,
        }
    }

    /// Channels that a message passes on its way.
    pub fn distance(self, source: Node, target: Node) -> u32 {
        match self {
            Self::Cube(_) => source.distance(target),
        }
    }

    /// Ports of all routers: channels are numbered below that, by port and then by node.
    pub fn channel_count(self) -> usize {
        match self {
            Self::Cube(dims) => channel_count(dims),
        }
    }

    /// The channels that the routes between all pairs of `nodes` use, each once.
    pub fn channels(self, nodes: &[Node]) -> Vec<usize> {
        match self {
            Self::Cube(dims) => {
                channels(dims, nodes).into_iter().map(|it| channel_index(dims, it)).collect()
            }
        }
    }

    /// The nodes where a channel begins and ends.
    pub fn ends(self, channel: usize) -> (Node, Node) {
        let nodes = self.nodes() as usize;
        let (port, from) = ((channel / nodes) as u32, (channel % nodes) as u32);
        (Node(from), Node(self.end(from, port)))
    }

    /// The port by which a message for `target` leaves the router `at`; `None` if it is there.
    pub(super) fn way_on(self, at: Node, target: Node) -> Option<u32> {
        match self {
            Self::Cube(_) => next_hop(at, target).map(|hop| u32::from(hop.dim.get())),
        }
    }

    /// The router where the channel ends that begins at `from`.
    pub(super) fn end(self, from: u32, port: u32) -> u32 {
        match self {
            Self::Cube(_) => from ^ 1 << port,
        }
    }

    /// The router where the channel begins that ends at `to`.
    pub(super) fn beginning(self, to: u32, port: u32) -> u32 {
        match self {
            Self::Cube(_) => to ^ 1 << port,
        }
    }

    /// On a ring, whether a message for `target` that leaves the router `at` by this port has yet to go
    /// through the channel that closes the ring; `None` on what is no ring.
    pub(super) fn goes_round(self, _at: Node, _port: u32, _target: Node) -> Option<bool> {
        match self {
            Self::Cube(_) => None,
        }
    }
}

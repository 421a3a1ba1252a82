//! How the routers of a machine are wired, and which way messages go.

use super::channels::{channel_count, channel_index, channels, grid_channels};
use locox::cube::{Dim, Node, ecube};
use locox::grid::{Grid, routes};

/// The channels between the routers of a machine, and the routes over them.
///
/// A router has a port for each channel that begins there; the channel ends at the port of the same
/// number of the next router.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Topology {
    /// A hypercube with E-cube routes; a port for each dimension.
    Cube(Dim),
    /// Lines and rings with dimension-order routes; for each axis a port downwards and one upwards.
    Grid(Grid),
}

impl From<Dim> for Topology {
    fn from(dims: Dim) -> Self {
        Self::Cube(dims)
    }
}

impl From<Grid> for Topology {
    fn from(grid: Grid) -> Self {
        Self::Grid(grid)
    }
}

impl Topology {
    /// Nodes of the machine.
    pub const fn nodes(self) -> u32 {
        match self {
            Self::Cube(dims) => dims.nodes(),
            Self::Grid(grid) => grid.nodes(),
        }
    }

    /// Ports of a router to others. Where a line ends one leads nowhere.
    pub(super) const fn ports(self) -> u32 {
        match self {
            Self::Cube(dims) => dims.get() as u32,
            Self::Grid(grid) => 2 * grid.axes().len() as u32,
        }
    }

    /// Ports of all routers. Channels are numbered below that, by port and then by node.
    pub(super) const fn channel_count(self) -> usize {
        match self {
            Self::Cube(dims) => channel_count(dims),
            Self::Grid(grid) => self.ports() as usize * grid.nodes() as usize,
        }
    }

    /// The numbers of the channels that the routes between all pairs of `nodes` use, each once.
    pub(super) fn channels(self, nodes: &[Node]) -> Vec<usize> {
        match self {
            Self::Cube(dims) => {
                channels(dims, nodes).into_iter().map(|it| channel_index(dims, it)).collect()
            }
            Self::Grid(grid) => grid_channels(grid, nodes),
        }
    }

    /// The nodes where a channel begins and ends, by its number.
    pub(super) fn ends(self, channel: usize) -> (Node, Node) {
        let nodes = self.nodes() as usize;
        let (port, from) = ((channel / nodes) as u32, (channel % nodes) as u32);
        (Node(from), Node(self.end(from, port)))
    }

    /// The port by which a message for `target` leaves the router `at`; `None` if it is there.
    pub(super) fn way_on(self, at: Node, target: Node) -> Option<u32> {
        match self {
            Self::Cube(_) => ecube::next_hop(at, target).map(|hop| u32::from(hop.dim.get())),
            Self::Grid(grid) => {
                let hop = routes::next_hop(grid, at, target)?;
                Some(2 * u32::from(hop.axis) + u32::from(hop.up))
            }
        }
    }

    /// The router where the channel ends that begins at `from`.
    pub(super) fn end(self, from: u32, port: u32) -> u32 {
        match self {
            Self::Cube(_) => from ^ 1 << port,
            Self::Grid(grid) => neighbour(grid, from, port),
        }
    }

    /// The router where the channel begins that ends at `to`.
    pub(super) fn beginning(self, to: u32, port: u32) -> u32 {
        match self {
            Self::Cube(_) => to ^ 1 << port,
            Self::Grid(grid) => neighbour(grid, to, port ^ 1),
        }
    }

    /// On a ring, whether a message for `target` that leaves the router `at` by this port has yet to go
    /// through the channel that closes the ring; `None` on what is no ring.
    pub(super) fn goes_round(self, at: Node, port: u32, target: Node) -> Option<bool> {
        let Self::Grid(grid) = self else { return None };
        let axis = port as usize / 2;
        grid.axes().get(axis).filter(|axis| axis.is_ring())?;
        let [at, to] = [at, target].map(|node| grid.coordinates(node).map(|all| all[axis]));
        Some(if port % 2 == 1 { to < at } else { at < to })
    }
}

fn neighbour(grid: Grid, node: u32, port: u32) -> u32 {
    let channel = routes::channel(grid, Node(node), (port / 2) as u8, port % 2 == 1);
    channel.expect("a message goes where there is a channel").to.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn channels_end_where_they_began_and_are_numbered_by_port_and_node() {
        for text in ["mesh:5x3r", "torus:4x3x2", "mesh:4"] {
            let topology = Topology::Grid(text.parse().unwrap());
            let all: Vec<Node> = (0..topology.nodes()).map(Node).collect();
            for channel in topology.channels(&all) {
                assert!(channel < topology.channel_count());
                let (from, to) = topology.ends(channel);
                let port = (channel / all.len()) as u32;
                assert_eq!(topology.beginning(to.0, port), from.0);
                assert!(from != to && topology.way_on(from, to).is_some());
            }
        }
    }

    /// Whoever has gone round a ring never does again, and nobody who need not ever does: the channel
    /// that closes a ring is only passed by those who said that they have yet to pass it.
    #[test]
    fn messages_go_round_a_ring_once_after_they_said_so() {
        for text in ["torus:7", "torus:6x5", "mesh:4x4r"] {
            let topology = Topology::Grid(text.parse().unwrap());
            let nodes = (0..topology.nodes()).map(Node);
            for (source, target) in nodes.clone().flat_map(|a| nodes.clone().map(move |b| (a, b))) {
                let mut at = source;
                let mut before = BTreeSet::new();
                while let Some(port) = topology.way_on(at, target) {
                    let next = Node(topology.end(at.0, port));
                    let closes = if port % 2 == 1 { next < at } else { at < next };
                    let said = topology.goes_round(at, port, target);
                    assert!(!closes || said == Some(true), "{text}: {source} to {target}");
                    assert!(said != Some(true) || !before.contains(&port));
                    if closes {
                        before.insert(port);
                    }
                    at = next;
                }
            }
        }
    }
}

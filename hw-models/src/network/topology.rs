//! How the routers of a machine are wired, and which way messages go.

use super::channels::{channel_count, channel_index, channels, grid_channels};
use super::traffic::Message;
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

    /// On a ring, whether the way of a message that goes by this port leads through the channel that
    /// closes the ring; `None` on what is no ring.
    pub(super) fn goes_round(self, port: u32, message: &Message) -> Option<bool> {
        let Self::Grid(grid) = self else { return None };
        let axis = port as usize / 2;
        grid.axes().get(axis).filter(|axis| axis.is_ring())?;
        let along = |node: Node| grid.coordinates(node).map(|all| all[axis]);
        let (from, to) = (along(message.source), along(message.target));
        Some(if port % 2 == 1 { to < from } else { from < to })
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

    fn pairs(topology: Topology) -> impl Iterator<Item = Message> {
        let nodes = (0..topology.nodes()).map(Node);
        let targets = nodes.clone();
        nodes.flat_map(move |source| {
            targets.clone().map(move |target| Message { source, target, at: 0 })
        })
    }

    /// The channels of a message's way, and which lanes of them it may take.
    fn way(topology: Topology, message: &Message) -> Vec<(u32, u32, Option<bool>)> {
        let mut at = message.source;
        let ports = std::iter::from_fn(|| {
            let port = topology.way_on(at, message.target)?;
            let from = at.0;
            at = Node(topology.end(from, port));
            Some((from, port, topology.goes_round(port, message)))
        });
        ports.collect()
    }

    #[test]
    fn a_message_goes_round_if_its_way_leads_through_the_channel_that_closes_the_ring() {
        for text in ["torus:7", "torus:6x5", "mesh:4x4r"] {
            let topology = Topology::Grid(text.parse().unwrap());
            for message in pairs(topology) {
                let way = way(topology, &message);
                let closes = |&(from, port, _): &(u32, u32, Option<bool>)| {
                    (topology.end(from, port) > from) != (port % 2 == 1)
                };
                let closed: BTreeSet<u32> =
                    way.iter().filter(|it| closes(it)).map(|it| it.1).collect();
                for (from, port, said) in way {
                    assert_eq!(said == Some(true), closed.contains(&port), "{message:?}, {from}");
                }
            }
        }
    }

    /// Whether no channels wait for each other in a circle: each time those are taken away for
    /// which no other waits, until none is left.
    fn is_free_of_circles(topology: Topology, lanes: bool) -> bool {
        let mut waits = BTreeSet::new();
        for message in pairs(topology) {
            let way = way(topology, &message).into_iter();
            let way: Vec<_> =
                way.map(|(from, port, round)| (from, port, round.filter(|_| lanes))).collect();
            waits.extend(way.windows(2).map(|pair| (pair[0], pair[1])));
        }
        loop {
            let before = waits.len();
            let awaited: BTreeSet<_> = waits.iter().map(|it| it.1).collect();
            waits.retain(|(channel, _)| awaited.contains(channel));
            if waits.len() == before {
                return waits.is_empty();
            }
        }
    }

    /// And without, they do on rings of four nodes and more.
    #[test]
    fn with_lanes_by_whether_messages_go_round_channels_do_not_wait_in_a_circle() {
        let rings = (2..=17).map(|nodes| (format!("torus:{nodes}"), nodes >= 4));
        let more =
            [("torus:5x4", true), ("mesh:3x6rx2", true), ("mesh:5x5", false), ("torus:3x3", false)];
        let more = more.map(|(text, locks)| (text.to_string(), locks));
        for (text, locks) in rings.chain(more) {
            let topology = Topology::Grid(text.parse().unwrap());
            assert!(is_free_of_circles(topology, true), "{text}");
            assert_eq!(is_free_of_circles(topology, false), !locks, "{text}");
        }
    }
}

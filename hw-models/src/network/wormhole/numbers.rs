//! Numbers of channels and lanes.

use super::{Ejection, Router};
use crate::network::Topology;
use crate::network::traffic::Message;
use std::ops::Range;

/// How channels and their lanes are numbered.
///
/// The channels of a node have ports: those of the topology, then the one into its router, then those
/// out of it. Each has a lane for each virtual channel. A lane has the same port and the same number
/// there at both ends.
#[derive(Clone, Copy)]
pub(super) struct Numbers {
    pub(super) topology: Topology,
    pub(super) lanes: u32,
    pub(super) lane_bits: u32,
    port_bits: u32,
    /// The port of the channel from a node into its router.
    pub(super) injection: u32,
}

impl Numbers {
    pub(super) fn new(router: &Router, topology: Topology) -> Self {
        let injection = topology.ports();
        let ports = match router.ejection {
            Ejection::Shared => injection + 2,
            Ejection::PerChannel => 2 * (injection + 1),
        };
        let bits = |count: u32| count.next_power_of_two().trailing_zeros();
        let lanes = router.virtual_channels;
        Self { topology, lanes, lane_bits: bits(lanes), port_bits: bits(ports), injection }
    }

    pub(super) const fn channel_of(self, lane: u32) -> u32 {
        lane >> self.lane_bits
    }

    pub(super) const fn node_of(self, lane: u32) -> u32 {
        lane >> (self.lane_bits + self.port_bits)
    }

    pub(super) const fn port_of(self, lane: u32) -> u32 {
        self.channel_of(lane) & ((1 << self.port_bits) - 1)
    }

    pub(super) const fn channel(self, node: u32, port: u32) -> u32 {
        node << self.port_bits | port
    }

    pub(super) const fn lanes_of(self, channel: u32) -> Range<u32> {
        let first = channel << self.lane_bits;
        first..first + self.lanes
    }

    /// The lanes of a channel that a message may take.
    ///
    /// On a ring the messages whose way leads through the channel that closes it have the second half
    /// of the lanes, the others, which are more, the first half. In the first half nobody uses the closing
    /// channel. In the second nobody comes from before the middle of the ring, nor goes beyond it
    /// afterwards, since no way is longer than half of the ring. So in neither do channels wait for
    /// each other in a circle. With a single lane all have that one.
    pub(super) fn lanes_for(self, channel: u32, message: &Message) -> Range<u32> {
        let all = self.lanes_of(channel);
        if self.lanes == 1 {
            return all;
        }
        let middle = all.start + self.lanes.div_ceil(2);
        match self.topology.goes_round(self.port_of(all.start), message) {
            Some(false) => all.start..middle,
            Some(true) => middle..all.end,
            None => all,
        }
    }

    /// The end of a lane that begins at a router, by its port.
    pub(super) fn end(self, lane: u32, port: u32) -> u32 {
        self.at(lane, self.topology.end(self.node_of(lane), port))
    }

    /// The beginning of a lane that ends at a router, by its port.
    pub(super) fn beginning(self, lane: u32, port: u32) -> u32 {
        self.at(lane, self.topology.beginning(self.node_of(lane), port))
    }

    /// The lane of the same port and number at another node.
    const fn at(self, lane: u32, node: u32) -> u32 {
        let bits = self.lane_bits + self.port_bits;
        node << bits | lane & ((1 << bits) - 1)
    }
}

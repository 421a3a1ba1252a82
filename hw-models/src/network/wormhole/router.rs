//! How routers are built.

/// Cycles from a node into its router.
pub(super) const INJECTION: u64 = 2;
/// Cycles from a router into its node.
pub(super) const EJECTION: u64 = 3;

/// How the routers of a cube are built, and how long messages are.
///
/// ```
/// use locox::cube::{Dim, Node};
/// use locox_models::network::traffic::Message;
/// use locox_models::network::wormhole::{Router, Window, deliver};
/// let three = Dim::new(3).unwrap();
/// let message = |source, target| Message { source: Node(source), target: Node(target), at: 0 };
/// // 110 to 001 takes 3 hops, of which the second is all that 111 to 101 needs.
/// let messages = [message(0b110, 0b001), message(0b111, 0b101)];
/// let router = Router::default();
/// let trips = deliver(&router, three, &messages, Window::Stream);
/// assert_eq!(trips[1].latency(), router.zero_load(1));
/// assert!(trips[0].latency() > router.zero_load(3));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Router {
    /// Flits of the buffer behind each channel, for each virtual channel. A credit is back
    /// `2 hop - 1` cycles after its flit set out, from a node after 5; with fewer flits than that
    /// even a message that is alone waits for credits.
    pub buffer: u32,
    /// Virtual channels of each channel: messages that take turns on its cycles, each with a
    /// buffer of its own.
    pub virtual_channels: u32,
    /// Flits of a message.
    pub length: u32,
    /// Cycles from a router to the next.
    pub hop: u32,
    /// How a node takes flits out.
    pub ejection: Ejection,
}

/// How a node takes flits out of the network.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ejection {
    /// Through one channel, a flit a cycle.
    Shared,
    /// Through a channel for each that ends at its router, so that no message waits for its node.
    PerChannel,
}

impl Default for Router {
    /// Messages of 48 flits through routers of three cycles, whose buffers of 5 flits are just
    /// deep enough for a message to flow at full speed.
    fn default() -> Self {
        let ejection = Ejection::Shared;
        Self { buffer: 5, virtual_channels: 1, length: 48, hop: 3, ejection }
    }
}

impl Router {
    /// Cycles that a message takes over `distance` channels if it never waits: `hop` for each, one
    /// for each flit, and 4 to get into the network and out of it.
    pub fn zero_load(&self, distance: u32) -> u64 {
        let head = INJECTION + u64::from(self.hop) * u64::from(distance) + EJECTION;
        head + u64::from(self.length) - 1
    }
}

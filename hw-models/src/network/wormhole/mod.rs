//! Wormhole routing, flit by flit.
//!
//! A message is a train of flits. Its head takes the channels of its E-cube route one after the
//! other, and each belongs to the message until its last flit has left the router before it. A
//! channel carries a flit a cycle, and ends in a buffer from which no flit is lost: one is sent
//! only for a credit, which comes back when a place in the buffer becomes free. Heads that want the
//! same channel get it in turn. A node puts its messages into the network, and takes out those for
//! it, through a channel each.
//!
//! Dimensions rise along each route, so nobody waits for ever.
//!
//! Not modelled: what the software at both ends takes, adaptive routes, channels that fail,
//! messages of several lengths.

mod agenda;
mod numbers;
mod simulation;
mod wheel;

pub use simulation::{Arrival, Simulation};

use super::traffic::Message;
use locox::cube::Dim;
use std::collections::VecDeque;

/// Cycles from a node into its router.
const INJECTION: u64 = 2;
/// Cycles from a router into its node.
const EJECTION: u64 = 3;

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

/// When a node sends its next message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Window {
    /// When the one before has left the node.
    Stream,
    /// When the one before has arrived.
    One,
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

/// How a message fared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Trip {
    /// From which cycle on its node would have sent it: its time or, with [`Window::One`], when the
    /// message before had arrived.
    pub ready: u64,
    /// The cycle in which its last flit was delivered.
    pub delivered: u64,
}

impl Trip {
    /// Cycles from the one to the other.
    pub const fn latency(self) -> u64 {
        self.delivered - self.ready
    }
}

/// Sends the messages, and says how each fared. A node sends in the order of the times, and at the
/// same time in the order given.
///
/// # Panics
///
/// As [`Simulation::new`] and [`Simulation::send`].
pub fn deliver(router: &Router, dims: Dim, messages: &[Message], window: Window) -> Vec<Trip> {
    let at_once = match window {
        Window::Stream => usize::MAX,
        Window::One => 1,
    };
    let mut network = Simulation::new(router, dims);
    let mut queues = queues(dims, messages);
    let mut sent: Vec<usize> = Vec::with_capacity(messages.len());
    for queue in &mut queues {
        sent.extend(queue.drain(..at_once.min(queue.len())));
    }
    sent.iter().for_each(|&place| _ = network.send(messages[place]));
    let mut trips = vec![Trip::default(); messages.len()];
    while let Some(Arrival { number, message, at }) = network.next_arrival() {
        trips[sent[number]] = Trip { ready: message.at, delivered: at };
        let Some(next) = queues[message.source.0 as usize].pop_front() else { continue };
        network.send(Message { at: messages[next].at.max(at), ..messages[next] });
        sent.push(next);
    }
    trips
}

/// What each node has to send, in its order, as places in the list.
fn queues(dims: Dim, messages: &[Message]) -> Vec<VecDeque<usize>> {
    let mut order: Vec<usize> = (0..messages.len()).collect();
    order.sort_by_key(|&place| messages[place].at);
    let mut queues = vec![VecDeque::new(); dims.nodes() as usize];
    for place in order {
        let source = messages[place].source;
        let queue = queues.get_mut(source.0 as usize);
        queue.unwrap_or_else(|| panic!("node {source} lies outside the cube")).push_back(place);
    }
    queues
}

//! Wormhole routing, flit by flit.
//!
//! A message is a train of flits. Its head takes the channels of its E-cube route one after the
//! other, and each belongs to the message until its last flit has left the router before it. A
//! channel carries a flit a cycle, and ends in a buffer from which no flit is lost: one is sent
//! only for a credit, which comes back when a place in the buffer becomes free. Heads that want the
//! same channel get it in turn. A node puts its messages into the network, and takes out those for
//! it, through a channel each.
//!
//! Dimensions, or axes, rise along each route, so nobody waits for ever in a cube or on lines. On a
//! ring messages would wait for each other in a circle: with two virtual channels and more, those
//! that go through the channel that closes it have lanes of their own.
//!
//! Not modelled: what the software at both ends takes, adaptive routes, channels that fail,
//! messages of several lengths.

mod agenda;
mod numbers;
mod router;
mod simulation;
mod wheel;

pub use router::{Ejection, Router};
pub use simulation::{Arrival, Simulation};

use super::Topology;
use super::traffic::Message;
use std::collections::VecDeque;

/// When a node sends its next message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Window {
    /// When the one before has left the node.
    Stream,
    /// When the one before has arrived.
    One,
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
/// As [`Simulation::new`] and [`Simulation::send`]; if messages wait for each other in a circle, which
/// happens on rings with a single virtual channel.
pub fn deliver(
    router: &Router,
    topology: impl Into<Topology>,
    messages: &[Message],
    window: Window,
) -> Vec<Trip> {
    let at_once = match window {
        Window::Stream => usize::MAX,
        Window::One => 1,
    };
    let topology = topology.into();
    let mut network = Simulation::new(router, topology);
    let mut queues = queues(topology, messages);
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
    let stuck = network.outstanding();
    assert_eq!(stuck, 0, "messages wait for each other: rings need two virtual channels");
    trips
}

/// What each node has to send, in its order, as places in the list.
fn queues(topology: Topology, messages: &[Message]) -> Vec<VecDeque<usize>> {
    let mut order: Vec<usize> = (0..messages.len()).collect();
    order.sort_by_key(|&place| messages[place].at);
    let mut queues = vec![VecDeque::new(); topology.nodes() as usize];
    for place in order {
        let source = messages[place].source;
        let queue = queues.get_mut(source.0 as usize);
        queue.unwrap_or_else(|| panic!("node {source} lies outside the machine")).push_back(place);
    }
    queues
}

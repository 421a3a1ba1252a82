//! The network under way, a cycle at a time.

use super::line::Line;
use super::{EJECTION, Ejection, INJECTION, Router};
use crate::network::traffic::Message;
use locox::cube::ecube::next_hop;
use locox::cube::{Dim, Node};
use std::collections::VecDeque;

/// Messages on their way.
///
/// Between two calls everything that arrives in the present cycle has arrived, and nothing else
/// has moved in it: who reads of an arrival may answer in the same cycle.
///
/// The channels of a node are numbered by port: those of the cube by dimension, then the one into
/// its router, then those out of it. Each has a lane for each virtual channel; its *place* counts
/// them through from the first port on, and is the same at both ends of a lane. What belongs to the
/// beginning of a channel is kept with the node where it begins (`channels`, `senders`), what
/// belongs to its end with the node where it ends (`leave`, `receivers`).
///
/// - `held` counts the flits in the buffers of each router, `inside` all that have left their node
///   and not reached another.
/// - `offers` and `asked` are empty between any two steps.
pub struct Simulation {
    router: Router,
    lanes: usize,
    /// Ports through which flits come into a router.
    inputs: usize,
    ports: usize,
    /// Lanes of all ports.
    places: usize,
    now: u64,
    messages: Vec<Message>,
    sources: Vec<Source>,
    channels: Vec<Channel>,
    senders: Vec<Sender>,
    receivers: Vec<Receiver>,
    /// Which lane of a channel is first, by turns, when several have a flit that can go on.
    leave: Vec<usize>,
    cube: Wire,
    injection: Wire,
    ejection: Wire,
    held: Vec<u32>,
    inside: usize,
    outstanding: usize,
    arrived: VecDeque<Arrival>,
    /// Flits that can go on, one of each input: where they are and where they go on.
    offers: Vec<(usize, usize)>,
    /// By port: the place of those that want to leave there whose turn it is.
    asked: Vec<Option<usize>>,
}

/// The last flit of a message has reached its node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Arrival {
    /// The message, by the number that [`Simulation::send`] gave it.
    pub number: usize,
    /// The message itself.
    pub message: Message,
    /// The cycle.
    pub at: u64,
}

#[derive(Clone, Copy)]
struct Flit {
    message: u32,
    /// Flits of the message that follow.
    left: u32,
}

/// The beginning of a channel: who wants it, and who is first.
///
/// - `waiting` are the places where the head in front wants this channel and has no lane of it.
#[derive(Clone, Default)]
struct Channel {
    waiting: Vec<usize>,
    /// Whose turn it is among `waiting`.
    head: usize,
    /// Whose turn it is to send a flit, by place too.
    flit: usize,
    /// Which lane's turn it is to be given away.
    enter: usize,
}

/// The beginning of a lane.
///
/// - `credits`, the flits and the credits on its wire, and the flits in the receiver's buffer make
///   up the size of that buffer.
/// - From the head of a message to its last flit it is `taken`. The next message may follow right
///   behind, into the same buffer.
#[derive(Clone)]
struct Sender {
    credits: u32,
    taken: bool,
}

/// The end of a lane.
///
/// - `next` is the place at which the message in front goes on, once that lane has been given to it.
#[derive(Clone, Default)]
struct Receiver {
    buffer: VecDeque<Flit>,
    next: Option<u32>,
}

/// A kind of channel: flits go there, to a receiver at a node, and credits come back to a sender.
struct Wire {
    flits: Line<(u32, u32, Flit)>,
    credits: Line<usize>,
}

/// A node that sends.
#[derive(Clone, Default)]
struct Source {
    /// Messages in the order of their times.
    queue: VecDeque<u32>,
    /// The lane of the front message and how many of its flits are left, once it has begun.
    sending: Option<(usize, u32)>,
}

impl Wire {
    fn new(flits: u64, credits: u64) -> Self {
        Self { flits: Line::new(flits), credits: Line::new(credits) }
    }
}

impl Simulation {
    /// An empty network at cycle 0.
    ///
    /// # Panics
    ///
    /// If a parameter is 0.
    pub fn new(router: &Router, dims: Dim) -> Self {
        let Router { buffer, virtual_channels, length, hop, ejection } = *router;
        assert!(buffer > 0 && virtual_channels > 0 && length > 0 && hop > 0, "{router:?}");
        let nodes = dims.nodes() as usize;
        let lanes = virtual_channels as usize;
        let inputs = usize::from(dims.get()) + 1;
        let ports = match ejection {
            Ejection::Shared => inputs + 1,
            Ejection::PerChannel => inputs + inputs,
        };
        let hop = u64::from(hop);
        Self {
            router: *router,
            lanes,
            inputs,
            ports,
            places: ports * lanes,
            now: 0,
            messages: Vec::new(),
            sources: vec![Source::default(); nodes],
            channels: vec![Channel::default(); nodes * ports],
            senders: vec![Sender { credits: buffer, taken: false }; nodes * ports * lanes],
            receivers: vec![Receiver::default(); nodes * ports * lanes],
            leave: vec![0; nodes * ports],
            cube: Wire::new(hop, hop - 1),
            injection: Wire::new(INJECTION, INJECTION),
            ejection: Wire::new(EJECTION, EJECTION - 1),
            held: vec![0; nodes],
            inside: 0,
            outstanding: 0,
            arrived: VecDeque::new(),
            offers: Vec::new(),
            asked: vec![None; ports],
        }
    }

    /// Hands a message to its node, to be sent at its time or, when that has gone by, as soon as
    /// may be. Messages are numbered from 0 in the order in which they are handed in.
    ///
    /// # Panics
    ///
    /// If it starts or ends outside the cube.
    pub fn send(&mut self, message: Message) -> usize {
        let inside = |node: Node| (node.0 as usize) < self.held.len();
        assert!(inside(message.source) && inside(message.target), "{message:?} leaves the cube");
        let number = self.messages.len();
        self.messages.push(message);
        let source = &mut self.sources[message.source.0 as usize];
        let not_after = |&other: &u32| self.messages[other as usize].at <= message.at;
        let begun = usize::from(source.sending.is_some());
        let place = source.queue.iter().rposition(not_after).map_or(begun, |place| place + 1);
        source.queue.insert(place, number as u32);
        self.outstanding += 1;
        number
    }

    /// Goes on until the next message has arrived; `None` if there is none.
    pub fn next_arrival(&mut self) -> Option<Arrival> {
        while self.arrived.is_empty() && self.outstanding > 0 {
            self.inject();
            self.forward();
            self.now = self.next_cycle();
            self.arrive();
        }
        self.arrived.pop_front()
    }

    /// The cycle after this one, or the next in which a message is to be sent if until then
    /// nothing moves.
    fn next_cycle(&self) -> u64 {
        let next = self.now + 1;
        if self.inside > 0 || self.sources.iter().any(|source| source.sending.is_some()) {
            return next;
        }
        let fronts = self.sources.iter().filter_map(|source| source.queue.front());
        let first = fronts.map(|&number| self.messages[number as usize].at).min();
        first.map_or(next, |first| first.max(next))
    }

    /// Takes from the wires what is due: credits, flits that reach a router, flits that reach
    /// their node.
    fn arrive(&mut self) {
        let now = self.now;
        for wire in [&mut self.cube, &mut self.injection, &mut self.ejection] {
            while let Some(sender) = wire.credits.take(now) {
                self.senders[sender].credits += 1;
            }
        }
        while let Some((node, receiver, flit)) = self.cube.flits.take(now) {
            self.receive(node as usize, receiver as usize, flit);
        }
        while let Some((node, receiver, flit)) = self.injection.flits.take(now) {
            self.receive(node as usize, receiver as usize, flit);
        }
        while let Some((_, sender, flit)) = self.ejection.flits.take(now) {
            self.ejection.credits.put(now, sender as usize);
            self.inside -= 1;
            if flit.left == 0 {
                let number = flit.message as usize;
                let message = self.messages[number];
                self.arrived.push_back(Arrival { number, message, at: now });
                self.outstanding -= 1;
            }
        }
    }

    fn receive(&mut self, node: usize, receiver: usize, flit: Flit) {
        self.held[node] += 1;
        let Receiver { buffer, next } = &mut self.receivers[receiver];
        buffer.push_back(flit);
        if buffer.len() == 1 && next.is_none() {
            self.want_lane(node, receiver, flit);
        }
    }

    /// The head of a message is in front, and queues up for the next channel of its route.
    fn want_lane(&mut self, node: usize, receiver: usize, head: Flit) {
        let place = receiver - node * self.places;
        let target = self.messages[head.message as usize].target;
        let port = match next_hop(Node(node as u32), target) {
            Some(hop) => usize::from(hop.dim.get()),
            None if self.router.ejection == Ejection::Shared => self.inputs,
            None => self.inputs + place / self.lanes,
        };
        self.channels[node * self.ports + port].waiting.push(place);
    }

    /// Each node sends a flit if it has one and room for it.
    fn inject(&mut self) {
        for node in 0..self.sources.len() {
            let Some((message, lane, left)) = self.flit_to_send(node) else { continue };
            let left = left - 1;
            self.senders[lane].credits -= 1;
            let to = (node as u32, lane as u32, Flit { message, left });
            self.injection.flits.put(self.now, to);
            self.inside += 1;
            let source = &mut self.sources[node];
            source.sending = Some((lane, left));
            if left == 0 {
                source.sending = None;
                source.queue.pop_front();
                self.senders[lane].taken = false;
            }
        }
    }

    /// The message that the node sends, the lane it is in, and how many of its flits are left;
    /// `None` if nothing can be sent now.
    fn flit_to_send(&mut self, node: usize) -> Option<(u32, usize, u32)> {
        let source = &self.sources[node];
        let &message = source.queue.front()?;
        if let Some((lane, left)) = source.sending {
            return (self.senders[lane].credits > 0).then_some((message, lane, left));
        }
        if self.messages[message as usize].at > self.now {
            return None;
        }
        let channel = node * self.ports + self.inputs - 1;
        let lane = self.free_lane(channel)?;
        let sender = channel * self.lanes + lane;
        if self.senders[sender].credits == 0 {
            return None;
        }
        self.take_lane(channel, lane);
        Some((message, sender, self.router.length))
    }

    fn forward(&mut self) {
        for node in 0..self.held.len() {
            if self.held[node] > 0 {
                self.give_lanes(node);
                self.pass_flits(node);
            }
        }
    }

    /// Each channel with a free lane gives one to one of the heads that wait for it.
    fn give_lanes(&mut self, node: usize) {
        let count = self.inputs * self.lanes;
        for port in 0..self.ports {
            let channel = node * self.ports + port;
            if self.channels[channel].waiting.is_empty() {
                continue;
            }
            let Some(lane) = self.free_lane(channel) else { continue };
            self.take_lane(channel, lane);
            let Channel { waiting, head, .. } = &mut self.channels[channel];
            let wait = |&at: &usize| steps(*head, waiting[at], count);
            let Some(first) = (0..waiting.len()).min_by_key(wait) else { continue };
            let place = waiting.swap_remove(first);
            *head = place + 1;
            let next = port * self.lanes + lane;
            self.receivers[node * self.places + place].next = Some(next as u32);
        }
    }

    /// What can go on goes on: with several lanes, one flit of each channel that ends at the router
    /// and one for each that begins there. A single lane belongs to one message, so nobody
    /// contends.
    fn pass_flits(&mut self, node: usize) {
        for place in 0..self.inputs * self.lanes {
            let Some(next) = self.ready(node, place) else { continue };
            match self.lanes {
                1 => self.pass(node, place, next, next),
                _ => self.offer(node, place, next),
            }
        }
        self.settle(node);
    }

    /// Where the flit in front goes on, if there is one and a credit for it.
    fn ready(&self, node: usize, place: usize) -> Option<usize> {
        let Receiver { buffer, next } = &self.receivers[node * self.places + place];
        let next = next.filter(|_| !buffer.is_empty())? as usize;
        (self.senders[node * self.places + next].credits > 0).then_some(next)
    }

    /// The flit in front at `place` wants to go on at `next`, unless it is the turn of one before it
    /// from the same channel.
    fn offer(&mut self, node: usize, place: usize, next: usize) {
        let input = place / self.lanes;
        let turn = self.leave[node * self.ports + input];
        if let Some(rival) = self.offers.pop_if(|(other, _)| *other / self.lanes == input)
            && self.is_earlier(turn, rival.0, place)
        {
            return self.offers.push(rival);
        }
        self.offers.push((place, next));
    }

    /// Of the offers each channel takes the one whose turn it is.
    fn settle(&mut self, node: usize) {
        for &(place, next) in &self.offers {
            let port = next / self.lanes;
            let turn = self.channels[node * self.ports + port].flit;
            let first = self.asked[port].filter(|&other| self.is_earlier(turn, other, place));
            self.asked[port] = first.or(Some(place));
        }
        while let Some((place, next)) = self.offers.pop() {
            let port = next / self.lanes;
            if self.asked[port].take_if(|first| *first == place).is_some() {
                self.channels[node * self.ports + port].flit = place + 1;
                self.leave[node * self.ports + place / self.lanes] = place + 1;
                self.pass(node, place, next, port);
            }
        }
    }

    fn is_earlier(&self, turn: usize, one: usize, other: usize) -> bool {
        steps(turn, one, self.places) < steps(turn, other, self.places)
    }

    /// The flit in front at `place` leaves the router at `next`, a lane of `port`, and its room is
    /// free again.
    fn pass(&mut self, node: usize, place: usize, next: usize, port: usize) {
        let (receiver, sender) = (node * self.places + place, node * self.places + next);
        let Receiver { buffer, next: given } = &mut self.receivers[receiver];
        let Some(flit) = buffer.pop_front() else { return };
        self.held[node] -= 1;
        self.senders[sender].credits -= 1;
        if flit.left == 0 {
            *given = None;
            self.senders[sender].taken = false;
            let following = buffer.front().copied();
            following.into_iter().for_each(|head| self.want_lane(node, receiver, head));
        }
        self.send_back_credit(node, place);
        if port >= self.inputs {
            return self.ejection.flits.put(self.now, (node as u32, sender as u32, flit));
        }
        let end = node ^ 1 << port;
        let receiver = end * self.places + next;
        self.cube.flits.put(self.now, (end as u32, receiver as u32, flit));
    }

    fn send_back_credit(&mut self, node: usize, place: usize) {
        let input = if self.lanes == 1 { place } else { place / self.lanes };
        if input + 1 == self.inputs {
            return self.injection.credits.put(self.now, node * self.places + place);
        }
        let beginning = node ^ 1 << input;
        self.cube.credits.put(self.now, beginning * self.places + place);
    }

    /// A lane of the channel that no message has, if there is one.
    fn free_lane(&self, channel: usize) -> Option<usize> {
        let first = channel * self.lanes;
        let free = |lane: &usize| !self.senders[first + lane].taken;
        in_turn(self.channels[channel].enter, self.lanes).find(free)
    }

    fn take_lane(&mut self, channel: usize, lane: usize) {
        self.channels[channel].enter = lane + 1;
        self.senders[channel * self.lanes + lane].taken = true;
    }
}

/// Numbers below `count`, each once, from `turn` on, which is at most `count`.
fn in_turn(turn: usize, count: usize) -> impl Iterator<Item = usize> {
    (turn..turn + count).map(move |at| if at >= count { at - count } else { at })
}

/// After how many of `count` contenders `contender` comes when it is `turn`'s turn; both are at
/// most `count`.
fn steps(turn: usize, contender: usize, count: usize) -> usize {
    if contender >= turn { contender - turn } else { contender + count - turn }
}

#[cfg(test)]
mod tests {
    use super::super::{Trip, Window, deliver};
    use super::*;
    use crate::network::traffic::{Mesh, Pattern};
    use crate::streams::stream;

    fn dim(dim: u8) -> Dim {
        Dim::new(dim).unwrap()
    }

    fn messages(list: &[(u32, u32, u64)]) -> Vec<Message> {
        let message =
            |&(source, target, at)| Message { source: Node(source), target: Node(target), at };
        list.iter().map(message).collect()
    }

    fn delivered(router: &Router, dims: u8, list: &[(u32, u32, u64)]) -> Vec<u64> {
        let trips = deliver(router, dim(dims), &messages(list), Window::Stream);
        trips.into_iter().map(|trip| trip.delivered).collect()
    }

    /// With the usual router a message takes 3 cycles a hop, and 52.
    const USUAL: Router =
        Router { buffer: 5, virtual_channels: 1, length: 48, hop: 3, ejection: Ejection::Shared };

    #[test]
    fn a_lonely_message_takes_its_hops_its_length_and_4_cycles() {
        for (length, hop, buffer) in [(48, 3, 5), (48, 3, 100), (1, 1, 5), (16, 1, 5), (7, 4, 7)] {
            let router = Router { length, hop, buffer, ..USUAL };
            for (from, to, distance) in [(0, 0, 0), (0, 1, 1), (0, 7, 3), (5, 2, 3), (6, 3, 2)] {
                let cycles = u64::from(hop * distance + length) + 4;
                assert_eq!(delivered(&router, 3, &[(from, to, 9)]), [9 + cycles], "{router:?}");
                assert_eq!(router.zero_load(distance), cycles);
            }
        }
    }

    /// Of 5 cycles that a credit takes, 4 flits use 4: the 48 flits take 11 cycles more.
    #[test]
    fn a_buffer_that_is_too_small_costs_cycles() {
        let router = Router { buffer: 4, ..USUAL };
        assert_eq!(delivered(&router, 3, &[(0, 7, 0)]), [router.zero_load(3) + 11]);
        let router = Router { buffer: 1, length: 3, ..USUAL };
        assert_eq!(delivered(&router, 3, &[(0, 7, 0)]), [router.zero_load(0) + 3 * 3 + 2 * 4]);
    }

    #[test]
    fn a_node_sends_one_message_right_behind_the_other_in_the_order_of_their_times() {
        let list = [(0, 1, 30), (0, 1, 0), (0, 1, 30), (0, 1, 500)];
        assert_eq!(delivered(&USUAL, 1, &list), [103, 55, 151, 555]);
    }

    #[test]
    fn with_a_window_of_one_the_next_follows_when_the_one_before_has_arrived() {
        let list = messages(&[(0, 7, 0), (0, 1, 0), (0, 2, 200), (4, 5, 0)]);
        let trip = |ready, delivered| Trip { ready, delivered };
        let trips = [trip(0, 61), trip(61, 116), trip(200, 255), trip(0, 55)];
        assert_eq!(deliver(&USUAL, dim(3), &list, Window::One), trips);
    }

    /// 000 to 111 waits for 001-011 and keeps 000-001 meanwhile, so 000 to 001 waits too.
    #[test]
    fn a_message_that_waits_keeps_the_channels_that_it_has() {
        let alone = delivered(&USUAL, 3, &[(0b000, 0b111, 3), (0b000, 0b001, 3)]);
        assert_eq!(alone, [64, 106]);
        let list = [(0b001, 0b011, 0), (0b000, 0b111, 3), (0b000, 0b001, 3)];
        // The head is at 001 in 3 + 2 + 3 = 8, the other's last flit leaves that in 2 + 47 = 49.
        assert_eq!(delivered(&USUAL, 3, &list), [55, 64 + 42, 106 + 42]);
    }

    #[test]
    fn those_who_want_the_same_channel_have_it_in_turn() {
        let list: Vec<_> = [1, 2, 4].into_iter().flat_map(|from| [(from, 0, 0); 3]).collect();
        let mut order: Vec<(u64, u32)> =
            delivered(&USUAL, 3, &list).into_iter().zip(list).map(|(at, it)| (at, it.0)).collect();
        order.sort_unstable();
        assert!(order.iter().map(|it| it.1).eq([1, 2, 4, 1, 2, 4, 1, 2, 4]), "{order:?}");
        // Each has the channel right behind the one before.
        assert!(order.windows(2).all(|pair| pair[1].0 - pair[0].0 == 48), "{order:?}");
    }

    #[test]
    fn with_a_way_out_for_each_channel_nobody_waits_for_the_node() {
        let list = [(1, 0, 0), (2, 0, 0), (4, 0, 0)];
        assert_eq!(delivered(&USUAL, 3, &list), [55, 103, 151]);
        let router = Router { ejection: Ejection::PerChannel, ..USUAL };
        assert_eq!(delivered(&router, 3, &list), [55; 3]);
    }

    /// The message to 011 waits for its node, and that to 101 is behind it on the channel 000-001.
    #[test]
    fn on_a_virtual_channel_a_message_passes_one_that_waits() {
        let list = [(0b010, 0b011, 0), (0b000, 0b011, 1), (0b100, 0b101, 0), (0b000, 0b101, 2)];
        let one = delivered(&USUAL, 3, &list);
        let two = delivered(&Router { virtual_channels: 2, ..USUAL }, 3, &list);
        assert!(two[3] < one[3], "{one:?} {two:?}");
    }

    /// Two messages side by side on a channel have each half of its cycles.
    #[test]
    fn virtual_channels_share_the_cycles_of_their_channel() {
        let list = [(0b001, 0b011, 0), (0b000, 0b011, 0)];
        let router = Router { virtual_channels: 2, ejection: Ejection::PerChannel, ..USUAL };
        let found = delivered(&router, 2, &list);
        let [first, second] = found[..] else { panic!("two messages") };
        assert!(first > 90 && second > 90 && first.max(second) <= 110, "{found:?}");
    }

    #[test]
    fn an_answer_may_leave_in_the_cycle_of_the_arrival() {
        let mut network = Simulation::new(&USUAL, dim(2));
        network.send(messages(&[(0, 3, 10)])[0]);
        let arrival = network.next_arrival().unwrap();
        assert_eq!((arrival.number, arrival.at), (0, 68));
        assert_eq!(network.send(messages(&[(3, 0, 68)])[0]), 1);
        assert_eq!(network.next_arrival().unwrap().at, 68 + 58);
        // Its time has gone by.
        network.send(messages(&[(0, 0, 0)])[0]);
        assert_eq!(network.next_arrival().unwrap().at, 126 + 52);
        assert_eq!(network.next_arrival(), None);
    }

    #[test]
    fn times_without_messages_are_skipped() {
        let far = 1 << 47;
        assert_eq!(delivered(&USUAL, 1, &[(0, 1, 0), (0, 1, far)]), [55, far + 55]);
    }

    /// A total exchange from all nodes at once, through routers of every make.
    #[test]
    fn everything_arrives_and_leaves_the_network_as_it_was() {
        let nodes: Vec<Node> = (0..32).map(Node).collect();
        let mesh = Mesh::new([32, 1, 1], nodes);
        let list = mesh.messages(Pattern::AllToAll, &mut stream(1, "traffic", 0));
        for (buffer, virtual_channels, ejection) in [
            (1, 1, Ejection::Shared),
            (5, 1, Ejection::Shared),
            (5, 1, Ejection::PerChannel),
            (2, 3, Ejection::Shared),
            (100, 4, Ejection::PerChannel),
        ] {
            let router = Router { buffer, virtual_channels, ejection, length: 6, ..USUAL };
            let mut network = Simulation::new(&router, dim(5));
            list.iter().for_each(|&message| _ = network.send(message));
            let mut arrivals = Vec::new();
            arrivals.extend(std::iter::from_fn(|| network.next_arrival()));
            assert_eq!(arrivals.len(), 32 * 31);
            assert!(arrivals.is_sorted_by_key(|arrival| arrival.at));
            // The last credits are on their way for some cycles.
            network.now += 10;
            network.arrive();
            let idle = |sender: &Sender| sender.credits == buffer && !sender.taken;
            assert!(network.senders.iter().all(idle), "{router:?}");
            let empty = |receiver: &Receiver| receiver.buffer.is_empty() && receiver.next.is_none();
            assert!(network.receivers.iter().all(empty), "{router:?}");
            assert!(network.channels.iter().all(|channel| channel.waiting.is_empty()));
            assert!(network.inside == 0 && network.held.iter().all(|&held| held == 0));
        }
    }

    #[test]
    #[should_panic = "leaves the cube"]
    fn a_node_outside_the_cube_is_refused() {
        Simulation::new(&USUAL, dim(2)).send(messages(&[(0, 4, 0)])[0]);
    }
}

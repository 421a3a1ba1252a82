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
/// The channels of a router are numbered by port: those of the cube that end there by dimension,
/// then the one from its node, then those to its node. A channel has a lane for each virtual
/// channel.
///
/// - `held` counts the flits in the buffers of each router, `inside` all that have left their node
///   and not reached another.
/// - `asked` is empty between any two steps.
pub struct Simulation {
    router: Router,
    now: u64,
    /// Channels that end at a router: one a dimension, one from the node.
    inputs: usize,
    /// The channels that are numbered with a router.
    ports: usize,
    messages: Vec<Message>,
    sources: Vec<Source>,
    lanes: Vec<Lane>,
    turns: Vec<Turns>,
    cube: Wire,
    injection: Wire,
    ejection: Wire,
    held: Vec<u32>,
    inside: usize,
    outstanding: usize,
    arrived: VecDeque<Arrival>,
    /// By port through which they want to leave: the contender that is next in turn.
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

/// A virtual channel.
///
/// - `credits`, the flits and credits on its wire, and those in `buffer` make up the router's
///   buffer: none is sent that would find no room.
/// - From the head of a message to its last flit it is `taken` at its beginning, and `next` is
///   set at its end. Behind that last flit the next message may follow into the same buffer.
struct Lane {
    credits: u32,
    taken: bool,
    buffer: VecDeque<Flit>,
    /// The lane that the message in front has been given.
    next: Option<u32>,
}

/// Who is first when several want a channel.
#[derive(Clone, Copy, Default)]
struct Turns {
    /// Among the lanes that end at the router before it, for heads.
    head: usize,
    /// Among the channels that end there, for flits.
    flit: usize,
    /// Among its own lanes, for messages that enter it.
    enter: usize,
    /// Among its own lanes, for flits that leave it.
    leave: usize,
}

/// A kind of channel: flits go there, credits come back.
struct Wire {
    flits: Line<(usize, Flit)>,
    credits: Line<usize>,
}

/// A node that sends.
#[derive(Default)]
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
        let inputs = usize::from(dims.get()) + 1;
        let ports = match ejection {
            Ejection::Shared => inputs + 1,
            Ejection::PerChannel => inputs + inputs,
        };
        let channels = nodes * ports;
        let lane = || Lane { credits: buffer, taken: false, buffer: VecDeque::new(), next: None };
        let hop = u64::from(hop);
        Self {
            router: *router,
            now: 0,
            inputs,
            ports,
            messages: Vec::new(),
            sources: std::iter::repeat_with(Source::default).take(nodes).collect(),
            lanes: std::iter::repeat_with(lane)
                .take(channels * virtual_channels as usize)
                .collect(),
            turns: vec![Turns::default(); channels],
            cube: Wire::new(hop, hop - 1),
            injection: Wire::new(INJECTION, INJECTION),
            ejection: Wire::new(EJECTION, EJECTION - 1),
            held: vec![0; nodes],
            inside: 0,
            outstanding: 0,
            arrived: VecDeque::new(),
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
            while let Some(lane) = wire.credits.take(now) {
                self.lanes[lane].credits += 1;
            }
        }
        for wire in [&mut self.cube, &mut self.injection] {
            while let Some((lane, flit)) = wire.flits.take(now) {
                self.lanes[lane].buffer.push_back(flit);
                self.held[lane / (self.ports * self.router.virtual_channels as usize)] += 1;
            }
        }
        while let Some((lane, flit)) = self.ejection.flits.take(now) {
            self.ejection.credits.put(now, lane);
            self.inside -= 1;
            if flit.left == 0 {
                self.outstanding -= 1;
                let number = flit.message as usize;
                let message = self.messages[number];
                self.arrived.push_back(Arrival { number, message, at: now });
            }
        }
    }

    /// Each node sends a flit if it has one and room for it.
    fn inject(&mut self) {
        for node in 0..self.sources.len() {
            let Some((message, lane, left)) = self.flit_to_send(node) else { continue };
            let left = left - 1;
            self.lanes[lane].credits -= 1;
            self.injection.flits.put(self.now, (lane, Flit { message, left }));
            self.inside += 1;
            let source = &mut self.sources[node];
            source.sending = Some((lane, left));
            if left == 0 {
                source.sending = None;
                source.queue.pop_front();
                self.lanes[lane].taken = false;
            }
        }
    }

    /// The message that the node sends, the lane it is in, and how many of its flits are left;
    /// `None` if nothing can be sent now.
    fn flit_to_send(&mut self, node: usize) -> Option<(u32, usize, u32)> {
        let &message = self.sources[node].queue.front()?;
        if let Some((lane, left)) = self.sources[node].sending {
            return (self.lanes[lane].credits > 0).then_some((message, lane, left));
        }
        if self.messages[message as usize].at > self.now {
            return None;
        }
        let channel = node * self.ports + self.inputs - 1;
        let lane = self.free_lane(channel).filter(|&lane| self.lanes[lane].credits > 0)?;
        self.take_lane(channel, lane);
        Some((message, lane, self.router.length))
    }

    fn forward(&mut self) {
        for node in 0..self.held.len() {
            if self.held[node] > 0 {
                self.give_lanes(node);
                self.pass_flits(node);
            }
        }
    }

    /// Heads ask for a lane of the next channel of their route; of those that ask for the same
    /// channel one gets one.
    fn give_lanes(&mut self, node: usize) {
        let count = self.inputs * self.router.virtual_channels as usize;
        let first = self.first_lane(node * self.ports);
        for place in 0..count {
            let lane = &self.lanes[first + place];
            let Some(&Flit { message, .. }) = lane.buffer.front() else { continue };
            if lane.next.is_some() {
                continue;
            }
            let port = self.port_towards(node, place, self.messages[message as usize].target);
            let channel = self.leaving(node, port);
            if self.free_lane(channel).is_some() {
                let turn = self.turns[channel].head;
                self.asked[port] = Some(earlier(self.asked[port], place, turn, count));
            }
        }
        for port in 0..self.ports {
            let Some(place) = self.asked[port].take() else { continue };
            let channel = self.leaving(node, port);
            let lane = self.free_lane(channel).expect("it was free when it was asked for");
            self.take_lane(channel, lane);
            self.turns[channel].head = place + 1;
            self.lanes[first + place].next = Some(lane as u32);
        }
    }

    /// Each channel that ends at the router offers a flit, each that starts there takes one.
    fn pass_flits(&mut self, node: usize) {
        for input in 0..self.inputs {
            let Some(lane) = self.ready_lane(node * self.ports + input) else { continue };
            let next = self.lanes[lane].next.expect("a lane that is ready has one");
            let channel = self.channel_of(next as usize);
            let port = channel % self.ports;
            let turn = self.turns[channel].flit;
            self.asked[port] = Some(earlier(self.asked[port], input, turn, self.inputs));
        }
        for port in 0..self.ports {
            let Some(input) = self.asked[port].take() else { continue };
            let channel = node * self.ports + input;
            let lane = self.ready_lane(channel).expect("it was ready when it asked");
            self.turns[channel].leave = lane - self.first_lane(channel) + 1;
            let leaving = self.leaving(node, port);
            self.turns[leaving].flit = input + 1;
            self.pass(node, lane, port);
        }
    }

    /// The flit in front of `lane` leaves its router through `port`, and its place is free again.
    fn pass(&mut self, node: usize, lane: usize, port: usize) {
        let from = &mut self.lanes[lane];
        let (Some(flit), Some(next)) = (from.buffer.pop_front(), from.next) else { return };
        let next = next as usize;
        if flit.left == 0 {
            from.next = None;
            self.lanes[next].taken = false;
        }
        self.held[node] -= 1;
        self.lanes[next].credits -= 1;
        let injected = self.channel_of(lane) % self.ports == self.inputs - 1;
        let back = if injected { &mut self.injection } else { &mut self.cube };
        back.credits.put(self.now, lane);
        let ahead = if port < self.inputs { &mut self.cube } else { &mut self.ejection };
        ahead.flits.put(self.now, (next, flit));
    }

    /// The port through which what waits at `place` leaves for `target`.
    fn port_towards(&self, node: usize, place: usize, target: Node) -> usize {
        match next_hop(Node(node as u32), target) {
            Some(hop) => usize::from(hop.dim.get()),
            None if self.router.ejection == Ejection::Shared => self.inputs,
            None => self.inputs + place / self.router.virtual_channels as usize,
        }
    }

    /// The channel that leaves the router of `node` through `port`.
    fn leaving(&self, node: usize, port: usize) -> usize {
        let end = if port < self.inputs { node ^ (1 << port) } else { node };
        end * self.ports + port
    }

    fn first_lane(&self, channel: usize) -> usize {
        channel * self.router.virtual_channels as usize
    }

    fn channel_of(&self, lane: usize) -> usize {
        lane / self.router.virtual_channels as usize
    }

    /// A lane of the channel that no message has, if there is one.
    fn free_lane(&self, channel: usize) -> Option<usize> {
        self.lane_in_turn(channel, self.turns[channel].enter, |lane| !lane.taken)
    }

    /// A lane of the channel whose front flit can go on, if there is one.
    fn ready_lane(&self, channel: usize) -> Option<usize> {
        self.lane_in_turn(channel, self.turns[channel].leave, |lane| {
            let credits = |next: u32| self.lanes[next as usize].credits;
            !lane.buffer.is_empty() && lane.next.is_some_and(|next| credits(next) > 0)
        })
    }

    fn lane_in_turn(
        &self,
        channel: usize,
        turn: usize,
        fits: impl Fn(&Lane) -> bool,
    ) -> Option<usize> {
        let (first, count) = (self.first_lane(channel), self.router.virtual_channels as usize);
        let mut lanes = (0..count).map(|step| first + (turn + step) % count);
        lanes.find(|&lane| fits(&self.lanes[lane]))
    }

    fn take_lane(&mut self, channel: usize, lane: usize) {
        self.lanes[lane].taken = true;
        self.turns[channel].enter = lane - self.first_lane(channel) + 1;
    }
}

/// Which of two contenders out of `count` comes first if it is `turn`'s turn.
fn earlier(best: Option<usize>, other: usize, turn: usize, count: usize) -> usize {
    let wait = |contender: usize| (contender + count - turn) % count;
    best.filter(|&best| wait(best) < wait(other)).unwrap_or(other)
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
            let idle = |lane: &Lane| {
                lane.credits == buffer
                    && !lane.taken
                    && lane.buffer.is_empty()
                    && lane.next.is_none()
            };
            assert!(network.lanes.iter().all(idle), "{router:?}");
            assert!(network.inside == 0 && network.held.iter().all(|&held| held == 0));
        }
    }

    #[test]
    #[should_panic = "leaves the cube"]
    fn a_node_outside_the_cube_is_refused() {
        Simulation::new(&USUAL, dim(2)).send(messages(&[(0, 4, 0)])[0]);
    }
}

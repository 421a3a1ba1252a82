//! The network under way, a cycle at a time.

use super::agenda::Agenda;
use super::numbers::Numbers;
use super::router::{EJECTION, Ejection, INJECTION, Router};
use super::wheel::Wheel;
use crate::network::Topology;
use crate::network::traffic::Message;
use locox::cube::Node;
use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};
use std::mem;
use std::ops::Range;

/// Messages on their way.
///
/// Between two calls everything that arrives in the present cycle has arrived, and nothing else
/// has moved in it: who reads of an arrival may answer in the same cycle.
///
/// What belongs to the beginning of a channel is kept with the node where it begins (`channels`,
/// `senders`), what belongs to its end with the node where it ends (`leave`, `receivers`).
///
/// A cycle costs as much as there is to do in it, however large the machine is. Three agendas say
/// where; what is on one of them in vain leaves it when it is looked at.
///
/// And `going`, `asked` are empty between any two steps.
// Invariants of the fields:
//
// - `eager` has every node that can send a flit.
// - `wanted` has every channel where a head waits and may take a lane that is free.
// - `ready` has every receiver with a flit that can go on: a lane was given to its message, and has
//   a credit.
pub struct Simulation {
    router: Router,
    numbers: Numbers,
    now: u64,
    messages: Vec<Message>,
    sources: Vec<Source>,
    channels: Vec<Channel>,
    senders: Vec<Sender>,
    receivers: Vec<Receiver>,
    /// By receiver: messages that have come behind another.
    behind: Vec<Option<Box<Behind>>>,
    /// Which lane of a channel is first, by turns, when several have a flit that can go on.
    leave: Vec<u32>,
    /// Flits that will reach a receiver, each with its message.
    flits: Wheel<(u32, u32)>,
    /// Flits from a sender that will reach their node; the last of a message with that.
    ejected: Wheel<(u32, Option<u32>)>,
    /// Credits that will be back at a sender of a router, and of a node.
    credits: Wheel<u32>,
    injection_credits: Wheel<u32>,
    eager: Agenda,
    wanted: Agenda,
    ready: Agenda,
    /// When nodes will have something to send.
    later: BinaryHeap<Reverse<(u64, u32)>>,
    outstanding: usize,
    arrived: VecDeque<Arrival>,
    /// Receivers whose front flit goes on, and the lanes in which it does.
    going: Vec<(u32, u32)>,
    /// By channel: of the receivers with flits that can go on, the one whose turn it is.
    asked: Vec<Option<u32>>,
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

/// The beginning of a channel: who wants it, and who is first.
///
/// - `waiting` are the receivers where the head in front wants this channel and has no lane of it.
#[derive(Clone, Default)]
struct Channel {
    waiting: Vec<u32>,
    /// Whose turn it is among `waiting`.
    head: u32,
    /// Whose turn it is to send a flit, a receiver too.
    flit: u32,
    /// Which lane's turn it is to be given away.
    enter: u32,
}

/// The beginning of a lane.
///
/// - `credits`, the flits and the credits on its wire, and the flits in the receiver's buffer make
///   up the size of that buffer.
/// - From the head of a message to its last flit it is taken, by the receiver where that message
///   is; a lane out of a node by itself. The next message may follow right behind, into the same
///   buffer.
#[derive(Clone)]
struct Sender {
    credits: u32,
    taken_by: Option<u32>,
}

/// The end of a lane.
///
/// - `left` are the flits of the message in front that have not gone on; 0 if there is no message.
/// - `next` is the lane in which it goes on, once that has been given to it.
#[derive(Clone, Copy, Default)]
struct Receiver {
    front: Run,
    left: u32,
    next: Option<u32>,
}

/// Flits of a message in a buffer.
#[derive(Clone, Copy, Default)]
struct Run {
    message: u32,
    held: u32,
}

/// What is in a buffer behind the message in front.
#[derive(Clone, Default)]
struct Behind(VecDeque<Run>);

/// A node that sends.
#[derive(Clone, Default)]
struct Source {
    /// Messages in the order of their times.
    queue: VecDeque<u32>,
    /// The lane of the front message and how many of its flits are left, once it has begun.
    sending: Option<(u32, u32)>,
}

impl Simulation {
    /// An empty network at cycle 0.
    ///
    /// # Panics
    ///
    /// If a parameter is 0.
    pub fn new(router: &Router, topology: impl Into<Topology>) -> Self {
        let Router { buffer, virtual_channels, length, hop, .. } = *router;
        assert!(buffer > 0 && virtual_channels > 0 && length > 0 && hop > 0, "{router:?}");
        let topology = topology.into();
        let numbers = Numbers::new(router, topology);
        let nodes = topology.nodes();
        let channels = numbers.channel(nodes, 0) as usize;
        let lanes = channels << numbers.lane_bits;
        let hop = u64::from(hop);
        Self {
            router: *router,
            numbers,
            now: 0,
            messages: Vec::new(),
            sources: vec![Source::default(); nodes as usize],
            channels: vec![Channel::default(); channels],
            senders: vec![Sender { credits: buffer, taken_by: None }; lanes],
            receivers: vec![Receiver::default(); lanes],
            behind: vec![None; lanes],
            leave: vec![0; channels],
            flits: Wheel::new(hop.max(INJECTION)),
            ejected: Wheel::new(EJECTION),
            credits: Wheel::new(hop.max(EJECTION)),
            injection_credits: Wheel::new(INJECTION),
            eager: Agenda::new(nodes as usize),
            wanted: Agenda::new(channels),
            ready: Agenda::new(lanes),
            later: BinaryHeap::new(),
            outstanding: 0,
            arrived: VecDeque::new(),
            going: Vec::new(),
            asked: vec![None; channels],
        }
    }

    /// Hands a message to its node, to be sent at its time or, when that has gone by, as soon as
    /// may be. Messages are numbered from 0 in the order in which they are handed in.
    ///
    /// # Panics
    ///
    /// If it starts or ends outside the machine.
    pub fn send(&mut self, message: Message) -> usize {
        let inside = |node: Node| (node.0 as usize) < self.sources.len();
        assert!(inside(message.source) && inside(message.target), "{message:?} leaves the machine");
        let number = self.messages.len();
        self.messages.push(message);
        let source = &mut self.sources[message.source.0 as usize];
        let not_after = |&other: &u32| self.messages[other as usize].at <= message.at;
        let begun = usize::from(source.sending.is_some());
        let place = source.queue.iter().rposition(not_after).map_or(begun, |place| place + 1);
        source.queue.insert(place, number as u32);
        if place == 0 {
            self.eager.add(message.source.0);
        }
        self.outstanding += 1;
        number
    }

    /// Goes on until the next message has arrived; `None` if none will.
    pub fn next_arrival(&mut self) -> Option<Arrival> {
        while self.arrived.is_empty() && self.outstanding > 0 {
            if !self.step() {
                break;
            }
        }
        self.arrived.pop_front()
    }

    /// Messages that were handed in and have not arrived. When none will arrive any more, these wait
    /// for each other in a circle: with a single virtual channel they may on rings.
    pub const fn outstanding(&self) -> usize {
        self.outstanding
    }

    /// Whether anything will happen after that.
    fn step(&mut self) -> bool {
        self.inject();
        self.give_lanes();
        self.pass_flits();
        let Some(next) = self.next_cycle() else { return false };
        self.now = next;
        self.arrive();
        true
    }

    /// The cycle after this one, or the next in which a message is to be sent if until then
    /// nothing moves.
    fn next_cycle(&self) -> Option<u64> {
        let next = self.now + 1;
        if !self.is_at_rest() {
            return Some(next);
        }
        self.later.peek().map(|&Reverse((first, _))| first.max(next))
    }

    /// Whether nothing can move unless a node sends something: whatever could has done so in this
    /// cycle, and would be on its way.
    fn is_at_rest(&self) -> bool {
        let credits = [&self.credits, &self.injection_credits];
        self.flits.is_empty()
            && self.ejected.is_empty()
            && credits.into_iter().all(Wheel::is_empty)
            && self.wanted.is_empty()
    }

    /// Takes from the wires what is due: credits, flits that reach a router, flits that reach
    /// their node.
    fn arrive(&mut self) {
        let now = self.now;
        let mut senders = self.injection_credits.take(now);
        for sender in senders.drain(..) {
            self.senders[sender as usize].credits += 1;
            self.eager.add(self.numbers.node_of(sender));
        }
        self.injection_credits.give_back(senders);
        let mut senders = self.credits.take(now);
        senders.drain(..).for_each(|sender| self.take_back_credit(sender));
        self.credits.give_back(senders);
        let mut flits = self.flits.take(now);
        flits.drain(..).for_each(|(receiver, message)| self.receive(receiver, message));
        self.flits.give_back(flits);
        let mut ejected = self.ejected.take(now);
        ejected.drain(..).for_each(|(sender, last)| self.take_out(sender, last));
        self.ejected.give_back(ejected);
    }

    /// A flit has reached its node; `last` is the message that it ends.
    fn take_out(&mut self, sender: u32, last: Option<u32>) {
        self.credits.put(self.now + EJECTION - 1, sender);
        let Some(number) = last.map(|message| message as usize) else { return };
        let message = self.messages[number];
        self.arrived.push_back(Arrival { number, message, at: self.now });
        self.outstanding -= 1;
    }

    fn take_back_credit(&mut self, sender: u32) {
        let Sender { credits, taken_by } = &mut self.senders[sender as usize];
        *credits += 1;
        if let Some(receiver) = taken_by.filter(|_| *credits == 1) {
            self.ready.add(receiver);
        }
    }

    fn receive(&mut self, at: u32, message: u32) {
        let receiver = &mut self.receivers[at as usize];
        if receiver.left == 0 {
            return self.come_to_front(at, Run { message, held: 1 });
        }
        if receiver.front.message != message {
            return self.behind[at as usize].get_or_insert_default().add(message);
        }
        receiver.front.held += 1;
        if receiver.front.held == 1 && receiver.next.is_some() {
            self.ready.add(at);
        }
    }

    fn come_to_front(&mut self, at: u32, front: Run) {
        let receiver = &mut self.receivers[at as usize];
        receiver.front = front;
        receiver.left = self.router.length;
        self.want_lane(at, front.message);
    }

    /// The head of a message is in front, and queues up for the next channel of its route.
    fn want_lane(&mut self, at: u32, message: u32) {
        let node = self.numbers.node_of(at);
        let out = self.numbers.injection + 1;
        let target = self.messages[message as usize].target;
        let port = match self.numbers.topology.way_on(Node(node), target) {
            Some(port) => port,
            None if self.router.ejection == Ejection::Shared => out,
            None => out + self.numbers.port_of(at),
        };
        let channel = self.numbers.channel(node, port);
        self.channels[channel as usize].waiting.push(at);
        self.wanted.add(channel);
    }

    /// Each node sends a flit if it has one and room for it.
    fn inject(&mut self) {
        while let Some(&Reverse((at, node))) = self.later.peek()
            && at <= self.now
        {
            self.later.pop();
            self.eager.add(node);
        }
        let mut eager = mem::take(&mut self.eager);
        eager.retain(|node| self.send_flit(node));
        self.eager = eager;
    }

    /// Whether the node could send one.
    fn send_flit(&mut self, node: u32) -> bool {
        let Some((message, lane, left)) = self.flit_to_send(node) else { return false };
        let left = left - 1;
        self.flits.put(self.now + INJECTION, (lane, message));
        let sender = &mut self.senders[lane as usize];
        sender.credits -= 1;
        let source = &mut self.sources[node as usize];
        source.sending = Some((lane, left));
        if left == 0 {
            source.sending = None;
            source.queue.pop_front();
            sender.taken_by = None;
        }
        true
    }

    /// The message that the node sends, the lane it is in, and how many of its flits are left;
    /// `None` if nothing can be sent now. A message, a credit, or the time of a message that is
    /// noted here makes the node eager again.
    fn flit_to_send(&mut self, node: u32) -> Option<(u32, u32, u32)> {
        let source = &self.sources[node as usize];
        let &message = source.queue.front()?;
        if let Some((lane, left)) = source.sending {
            let has_credit = self.senders[lane as usize].credits > 0;
            return has_credit.then_some((message, lane, left));
        }
        let at = self.messages[message as usize].at;
        if at > self.now {
            self.later.push(Reverse((at, node)));
            return None;
        }
        let channel = self.numbers.channel(node, self.numbers.injection);
        let lane = self.free_lane(channel, self.numbers.lanes_of(channel))?;
        if self.senders[lane as usize].credits == 0 {
            return None;
        }
        self.take_lane(channel, lane, lane);
        Some((message, lane, self.router.length))
    }

    /// Each channel with a free lane gives one to one of the heads that wait for it.
    fn give_lanes(&mut self) {
        let mut wanted = mem::take(&mut self.wanted);
        wanted.retain(|channel| self.give_lane(channel));
        self.wanted = wanted;
    }

    /// Gives a free lane to the head whose turn it is. Whether there was one, and others wait.
    fn give_lane(&mut self, channel: u32) -> bool {
        let Some((first, lane)) = self.next_head(channel) else { return false };
        let Channel { waiting, head, .. } = &mut self.channels[channel as usize];
        let receiver = waiting.swap_remove(first);
        *head = receiver + 1;
        let others_wait = !waiting.is_empty();
        self.receivers[receiver as usize].next = Some(lane);
        self.ready.add(receiver);
        self.take_lane(channel, lane, receiver);
        others_wait
    }

    /// Of the heads that wait and may take a free lane the one whose turn it is, by its place, and
    /// the lane.
    fn next_head(&self, channel: u32) -> Option<(usize, u32)> {
        let Channel { waiting, head, .. } = &self.channels[channel as usize];
        let lane = |at: u32| {
            let message = self.receivers[at as usize].front.message;
            let lanes = self.numbers.lanes_for(channel, &self.messages[message as usize]);
            self.free_lane(channel, lanes)
        };
        let heads = waiting.iter().enumerate();
        let with_lane = heads.filter_map(|(place, &at)| Some((place, lane(at)?)));
        with_lane.min_by_key(|&(place, _)| steps(*head, waiting[place]))
    }

    /// What can go on goes on: one flit of each channel that ends at a router, and one into each that
    /// begins there.
    fn pass_flits(&mut self) {
        let mut ready = mem::take(&mut self.ready);
        ready.retain(|receiver| {
            let lane = self.way_on(receiver);
            lane.map(|lane| self.going.push((receiver, lane))).is_some()
        });
        self.ready = ready;
        if self.numbers.lanes > 1 {
            self.settle();
        }
        for place in 0..self.going.len() {
            let (receiver, lane) = self.going[place];
            self.pass(receiver, lane);
        }
        self.going.clear();
    }

    /// The lane in which the flit in front can go on, if there is one and it can.
    fn way_on(&self, receiver: u32) -> Option<u32> {
        let Receiver { front, next, .. } = self.receivers[receiver as usize];
        next.filter(|&lane| front.held > 0 && self.senders[lane as usize].credits > 0)
    }

    /// Of the flits that can go on one of each channel stays, and of these one into each channel: those
    /// whose turn it is. A single lane belongs to one message, so nobody contends.
    fn settle(&mut self) {
        let Self { numbers, channels, leave, going, asked, .. } = self;
        let from = |(receiver, _): (u32, u32)| numbers.channel_of(receiver) as usize;
        let into = |(_, lane): (u32, u32)| numbers.channel_of(lane) as usize;
        first_of_each(going, asked, from, |channel| leave[channel]);
        first_of_each(going, asked, into, |channel| channels[channel].flit);
        for &flit in going.iter() {
            let (receiver, _) = flit;
            leave[from(flit)] = receiver + 1;
            channels[into(flit)].flit = receiver + 1;
        }
    }

    /// The flit in front at `at` leaves the router, and its room is free again.
    fn pass(&mut self, at: u32, lane: u32) {
        let receiver = &mut self.receivers[at as usize];
        let message = receiver.front.message;
        receiver.front.held -= 1;
        receiver.left -= 1;
        let left = receiver.left;
        self.senders[lane as usize].credits -= 1;
        self.send_back_credit(at);
        let port = self.numbers.port_of(lane);
        if port > self.numbers.injection {
            let last = (left == 0).then_some(message);
            self.ejected.put(self.now + EJECTION, (lane, last));
        } else {
            let end = self.numbers.end(lane, port);
            self.flits.put(self.now + u64::from(self.router.hop), (end, message));
        }
        if left == 0 {
            self.leave_lane(at, lane);
        }
    }

    fn send_back_credit(&mut self, at: u32) {
        let port = self.numbers.port_of(at);
        if port == self.numbers.injection {
            return self.injection_credits.put(self.now + INJECTION, at);
        }
        // Nothing that is sent in a cycle is seen in that cycle.
        let cycles = u64::from(self.router.hop - 1).max(1);
        self.credits.put(self.now + cycles, self.numbers.beginning(at, port));
    }

    /// The last flit of a message has gone from `at` into `lane`. That is free for the next, and the
    /// head behind the flit, if there is one already, comes to the front.
    fn leave_lane(&mut self, at: u32, lane: u32) {
        self.senders[lane as usize].taken_by = None;
        let channel = self.numbers.channel_of(lane);
        if !self.channels[channel as usize].waiting.is_empty() {
            self.wanted.add(channel);
        }
        let receiver = &mut self.receivers[at as usize];
        receiver.next = None;
        let behind = self.behind[at as usize].as_mut();
        if let Some(front) = behind.and_then(|behind| behind.0.pop_front()) {
            self.come_to_front(at, front);
        }
    }

    /// The one of these lanes of a channel that is next, of those that no message has.
    fn free_lane(&self, channel: u32, lanes: Range<u32>) -> Option<u32> {
        let free = |lane: &u32| self.senders[*lane as usize].taken_by.is_none();
        let turn = self.channels[channel as usize].enter;
        lanes.filter(free).min_by_key(|lane| steps(turn, *lane))
    }

    fn take_lane(&mut self, channel: u32, lane: u32, taken_by: u32) {
        self.channels[channel as usize].enter = lane + 1;
        self.senders[lane as usize].taken_by = Some(taken_by);
    }
}

impl Behind {
    /// A flit of the last message, or the first one of the next.
    fn add(&mut self, message: u32) {
        match self.0.back_mut().filter(|last| last.message == message) {
            Some(last) => last.held += 1,
            None => self.0.push_back(Run { message, held: 1 }),
        }
    }
}

/// How many come before `contender` when it is `turn`'s turn, and after the last the first.
fn steps(turn: u32, contender: u32) -> u32 {
    contender.wrapping_sub(turn)
}

/// Keeps one of each channel: the receiver whose turn it is. `asked` is empty before and after.
fn first_of_each(
    going: &mut Vec<(u32, u32)>,
    asked: &mut [Option<u32>],
    channel: impl Fn((u32, u32)) -> usize,
    turn: impl Fn(usize) -> u32,
) {
    for &flit in going.iter() {
        let (turn, asked) = (turn(channel(flit)), &mut asked[channel(flit)]);
        *asked = asked.iter().copied().chain([flit.0]).min_by_key(|at| steps(turn, *at));
    }
    going.retain(|&flit| asked[channel(flit)].take_if(|first| *first == flit.0).is_some());
}

#[cfg(test)]
mod tests {
    use super::super::{Trip, Window, deliver};
    use super::*;
    use crate::network::traffic::{Mesh, Pattern};
    use crate::streams::stream;
    use locox::cube::Dim;

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
            (0..10).for_each(|_| _ = network.step());
            let idle = |sender: &Sender| sender.credits == buffer && sender.taken_by.is_none();
            assert!(network.senders.iter().all(idle), "{router:?}");
            let empty = |receiver: &Receiver| receiver.left == 0 && receiver.next.is_none();
            assert!(network.receivers.iter().all(empty), "{router:?}");
            assert!(network.channels.iter().all(|channel| channel.waiting.is_empty()));
            assert!(network.flits.is_empty() && network.ejected.is_empty());
        }
    }

    impl Simulation {
        /// What holds between two cycles: no place in a buffer is lost or there twice, and whatever
        /// can go on is on an agenda.
        fn assert_sound(&self) {
            let mut room: Vec<u32> = self.senders.iter().map(|sender| sender.credits).collect();
            let credits = self.credits.iter().chain(self.injection_credits.iter());
            credits.for_each(|&sender| room[sender as usize] += 1);
            self.ejected.iter().for_each(|&(sender, _)| room[sender as usize] += 1);
            let flits = self.flits.iter().map(|&(receiver, _)| receiver);
            flits.for_each(|receiver| room[self.beginning(receiver) as usize] += 1);
            for (at, receiver) in (0..).zip(&self.receivers) {
                let behind = self.behind[at as usize].iter().flat_map(|behind| &behind.0);
                let behind: u32 = behind.map(|run| run.held).sum();
                let held = receiver.front.held + behind;
                if held > 0 {
                    room[self.beginning(at) as usize] += held;
                }
                assert!(self.way_on(at).is_none() || self.ready.has(at));
            }
            assert!(room.iter().all(|&room| room == self.router.buffer));
            for at in 0..self.channels.len() as u32 {
                assert!(self.next_head(at).is_none() || self.wanted.has(at));
            }
        }

        /// The sender at the other end of the lane that ends there.
        fn beginning(&self, receiver: u32) -> u32 {
            let port = self.numbers.port_of(receiver);
            match port < self.numbers.injection {
                true => self.numbers.beginning(receiver, port),
                false => receiver,
            }
        }
    }

    #[test]
    fn no_place_in_a_buffer_is_lost_and_whatever_can_go_on_is_looked_at() {
        let grid = |text: &str| Topology::Grid(text.parse().unwrap());
        let mesh = Mesh::new([4, 4, 1], (0..16).map(Node).collect());
        for (topology, buffer, virtual_channels, length, hop, ejection) in [
            (dim(4).into(), 5, 1, 48, 3, Ejection::Shared),
            (dim(4).into(), 1, 1, 1, 1, Ejection::Shared),
            (dim(4).into(), 4, 1, 3, 2, Ejection::PerChannel),
            (dim(4).into(), 9, 2, 4, 3, Ejection::Shared),
            (dim(4).into(), 2, 3, 5, 1, Ejection::PerChannel),
            (grid("torus:4x4"), 5, 2, 48, 3, Ejection::Shared),
            (grid("torus:16"), 2, 3, 5, 1, Ejection::PerChannel),
            (grid("mesh:8x2r"), 4, 1, 3, 2, Ejection::Shared),
        ] {
            let router = Router { buffer, virtual_channels, length, hop, ejection };
            let mut network = Simulation::new(&router, topology);
            let interval = f64::from(length) / 0.7;
            let mut random = stream(3, "traffic", 0);
            let list = mesh.offered(Pattern::RandomPairs, interval, 700, &mut random);
            list.iter().for_each(|&message| _ = network.send(message));
            while network.outstanding > 0 {
                assert!(network.step());
                network.assert_sound();
            }
            assert_eq!(network.arrived.len(), list.len());
        }
    }

    #[test]
    #[should_panic = "leaves the machine"]
    fn a_node_outside_the_machine_is_refused() {
        Simulation::new(&USUAL, dim(2)).send(messages(&[(0, 4, 0)])[0]);
    }
}

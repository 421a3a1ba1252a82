//! Messages on their way, and who waits for whom.
//!
//! Wormhole routing, simplified: the head of a message takes one channel of its E-cube route after
//! the other, a tick each, and waits where a channel is taken; the message holds all channels that
//! it has taken until its end has arrived, [`LENGTH`] ticks after its head. Channels are given in
//! the order of asking. Dimensions rise along each route, so nobody waits for ever.

use super::traffic::Message;
use super::{channel_count, channel_index};
use crate::events::EventQueue;
use locox::cube::{Dim, Node, ecube};
use locox::time::{Duration, Instant};
use std::collections::{HashMap, VecDeque};

/// Ticks from the arrival of the head of a message to that of its end.
pub const LENGTH: u64 = 16;

/// How the messages of a job fared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Fare {
    /// Ticks until its last message had arrived.
    pub finish: u64,
    /// Ticks that its messages were under way, taken together.
    pub under_way: u64,
    /// Ticks of these that they waited for channels that its own messages held.
    pub waited_for_own: u64,
    /// The same for channels that messages of other jobs held.
    pub waited_for_others: u64,
}

/// Sends the messages of all jobs, all from tick 0 on, and says how each job fared. A node sends
/// its messages in the order given, the next when the one before has arrived.
///
/// # Panics
///
/// If a message starts or ends outside the cube.
///
/// ```
/// use locox::cube::{Dim, Node};
/// use locox_models::network::{traffic::Message, wormhole};
/// let message = |source, target| vec![Message { source: Node(source), target: Node(target) }];
/// // 110 to 001 takes 3 hops, of which the second is all that 111 to 101 needs.
/// let fares = wormhole::send(Dim::new(3).unwrap(), &[message(0b110, 0b001), message(0b111, 0b101)]);
/// assert_eq!(fares[1].finish, 1 + wormhole::LENGTH);
/// assert_eq!(fares[0].finish, 3 + 2 * wormhole::LENGTH);
/// assert_eq!(fares[0].waited_for_others, wormhole::LENGTH);
/// ```
pub fn send(dims: Dim, jobs: &[Vec<Message>]) -> Vec<Fare> {
    let mut network = Network::new(dims, jobs);
    network.start_all();
    while let Some((now, worm)) = network.events.take() {
        network.advance(worm, now);
    }
    network.fares
}

/// Ticks for which jobs repeat their messages when [`slow_downs`] compares them.
const WHILE: u64 = 5_000;

/// How many times as long the messages of each job are under way beside those of the others, on
/// average. Every job repeats its messages, so that all of them are busy for about the same time,
/// and no two stay in step.
///
/// # Panics
///
/// As [`send`].
pub fn slow_downs(dims: Dim, jobs: &[Vec<Message>]) -> Vec<f64> {
    let alone = |job: &Vec<Message>| send(dims, std::slice::from_ref(job))[0];
    let repeated = |job: &Vec<Message>| {
        let rounds = WHILE.checked_div(alone(job).finish).unwrap_or(0);
        job.repeat(rounds.max(1) as usize)
    };
    let repeated: Vec<Vec<Message>> = jobs.iter().map(repeated).collect();
    let together = send(dims, &repeated);
    let ratio = |(fare, job): (&Fare, &Vec<Message>)| match alone(job).under_way {
        0 => 1.0,
        alone => fare.under_way as f64 / alone as f64,
    };
    together.iter().zip(&repeated).map(ratio).collect()
}

/// A message under way.
struct Worm {
    job: usize,
    source: Node,
    target: Node,
    /// Since when it is under way.
    start: Instant,
    /// Where its head is.
    head: Node,
    /// Numbers of the channels that it holds, in the order of its route.
    held: Vec<usize>,
    /// Since when it waits, if it waits.
    since: Instant,
    arrived: bool,
}

/// A channel: who holds it, and who waits for it. Both are numbers of worms.
#[derive(Clone, Default)]
struct Line {
    holder: Option<usize>,
    /// Since when the holder has it.
    since: Instant,
    waiting: VecDeque<usize>,
}

/// - An event is a worm whose head has come through a channel, starts, or whose end arrives.
/// - A worm is in `worms` from its start on; what a node has to send after that is in `outbox`.
struct Network {
    dims: Dim,
    lines: Vec<Line>,
    worms: Vec<Worm>,
    outbox: HashMap<(usize, Node), VecDeque<Node>>,
    /// The senders in the order of the messages, so that no order is left to chance.
    senders: Vec<(usize, Node)>,
    events: EventQueue<usize>,
    fares: Vec<Fare>,
}

impl Network {
    fn new(dims: Dim, jobs: &[Vec<Message>]) -> Self {
        let mut outbox: HashMap<(usize, Node), VecDeque<Node>> = HashMap::new();
        let mut senders = Vec::new();
        for (job, messages) in jobs.iter().enumerate() {
            for message in messages {
                let sender = (job, message.source);
                outbox.entry(sender).or_insert_with(|| {
                    senders.push(sender);
                    VecDeque::new()
                });
                outbox.entry(sender).or_default().push_back(message.target);
            }
        }
        Self {
            dims,
            lines: vec![Line::default(); channel_count(dims)],
            worms: Vec::new(),
            outbox,
            senders,
            events: EventQueue::new(),
            fares: vec![Fare::default(); jobs.len()],
        }
    }

    fn start_all(&mut self) {
        for (job, source) in std::mem::take(&mut self.senders) {
            self.start_next(job, source, Instant::ZERO);
        }
    }

    fn start_next(&mut self, job: usize, source: Node, now: Instant) {
        let outbox = self.outbox.get_mut(&(job, source));
        let Some(target) = outbox.and_then(VecDeque::pop_front) else { return };
        let held = Vec::new();
        let (start, head) = (now, source);
        let worm = Worm { job, source, target, start, head, held, since: now, arrived: false };
        self.worms.push(worm);
        self.events.schedule(now, self.worms.len() - 1);
    }

    fn advance(&mut self, number: usize, now: Instant) {
        let worm = &mut self.worms[number];
        if worm.arrived {
            return self.deliver(number, now);
        }
        let Some(hop) = ecube::next_hop(worm.head, worm.target) else {
            worm.arrived = true;
            return self.events.schedule(now.saturating_add(Duration::from_ticks(LENGTH)), number);
        };
        let channel = channel_index(self.dims, hop);
        if self.lines[channel].holder.is_none() {
            return self.take(number, channel, now);
        }
        worm.since = now;
        self.lines[channel].waiting.push_back(number);
    }

    /// The worm takes the next channel of its route, which is free.
    fn take(&mut self, number: usize, channel: usize, now: Instant) {
        let worm = &mut self.worms[number];
        let hop = ecube::next_hop(worm.head, worm.target).expect("it has not arrived");
        worm.head = hop.to();
        worm.held.push(channel);
        self.lines[channel].holder = Some(number);
        self.lines[channel].since = now;
        self.events.schedule(now.saturating_add(Duration::from_ticks(1)), number);
    }

    fn deliver(&mut self, number: usize, now: Instant) {
        let Worm { job, source, start, .. } = self.worms[number];
        let fare = &mut self.fares[job];
        fare.finish = now.ticks();
        fare.under_way += now.ticks() - start.ticks();
        for channel in std::mem::take(&mut self.worms[number].held) {
            self.charge(channel, job, now);
            self.lines[channel].holder = None;
            if let Some(next) = self.lines[channel].waiting.pop_front() {
                self.take(next, channel, now);
            }
        }
        self.start_next(job, source, now);
    }

    /// Books what those who wait for a channel have waited for its holder, a message of `job`.
    fn charge(&mut self, channel: usize, job: usize, now: Instant) {
        let line = &self.lines[channel];
        for &number in &line.waiting {
            let worm = &self.worms[number];
            let waited = now.ticks() - worm.since.max(line.since).ticks();
            let fare = &mut self.fares[worm.job];
            let book = if worm.job == job {
                &mut fare.waited_for_own
            } else {
                &mut fare.waited_for_others
            };
            *book += waited;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::network::traffic::{Mesh, Pattern};
    use crate::streams::stream;
    use locox::cube::Subcube;

    fn dim(dim: u8) -> Dim {
        Dim::new(dim).unwrap()
    }

    fn messages(list: &[(u32, u32)]) -> Vec<Message> {
        list.iter().map(|&(from, to)| Message { source: Node(from), target: Node(to) }).collect()
    }

    fn total_exchange(cube: &str) -> Vec<Message> {
        let nodes: Vec<Node> = cube.parse::<Subcube>().unwrap().nodes().collect();
        let mesh = Mesh::new([nodes.len() as u32, 1, 1], nodes);
        mesh.messages(Pattern::AllToAll, &mut stream(1, "traffic", 0))
    }

    #[test]
    fn a_lonely_message_takes_a_tick_a_hop_and_its_length() {
        for (from, to) in [(0, 1), (0, 7), (5, 2)] {
            let fare = send(dim(3), &[messages(&[(from, to)])])[0];
            assert_eq!(fare.finish, u64::from(Node(from).distance(Node(to))) + LENGTH);
            assert_eq!((fare.waited_for_own, fare.waited_for_others), (0, 0));
        }
    }

    #[test]
    fn a_node_sends_one_message_after_the_other() {
        let fare = send(dim(3), &[messages(&[(0, 1), (0, 2), (0, 7)])])[0];
        assert_eq!(fare.finish, 1 + 1 + 3 + 3 * LENGTH);
        assert_eq!(fare.waited_for_own, 0);
    }

    /// 000 to 111 holds 000-001, waits for 001-011, and thereby holds 000-001 longer.
    #[test]
    fn a_message_that_waits_holds_what_it_has() {
        let jobs =
            [messages(&[(0b001, 0b011)]), messages(&[(0b000, 0b111)]), messages(&[(0b000, 0b001)])];
        let fares = send(dim(3), &jobs);
        assert_eq!(fares[0].finish, 1 + LENGTH);
        let second = 1 + LENGTH + 2 + LENGTH;
        assert_eq!((fares[1].finish, fares[1].waited_for_others), (second, LENGTH));
        assert_eq!((fares[2].finish, fares[2].waited_for_others), (second + 1 + LENGTH, second));
    }

    #[test]
    fn whoever_waits_is_charged_to_each_holder_in_turn() {
        let jobs = [messages(&[(0, 1)]), messages(&[(0, 1)]), messages(&[(0, 1)])];
        let fares = send(dim(1), &jobs);
        let each = 1 + LENGTH;
        assert!(fares.iter().map(|fare| fare.finish).eq([each, 2 * each, 3 * each]));
        assert!(fares.iter().map(|fare| fare.waited_for_others).eq([0, each, 2 * each]));
    }

    #[test]
    fn jobs_on_disjoint_subcubes_do_not_feel_each_other() {
        let jobs = ["0***", "10**", "11*1"].map(total_exchange);
        assert_eq!(slow_downs(dim(4), &jobs), [1.0; 3]);
        assert!(send(dim(4), &jobs).iter().all(|fare| fare.waited_for_others == 0));
    }

    #[test]
    fn every_message_arrives_under_heavy_load() {
        let jobs = ["****", "****"].map(total_exchange);
        let fares = send(dim(4), &jobs);
        // Each node sends 15 messages of 1 to 4 hops, 32 hops in all.
        let alone = 32 + 15 * LENGTH;
        assert!(fares.iter().all(|fare| fare.finish >= alone && fare.waited_for_others > 0));
    }

    #[test]
    fn a_job_without_messages_is_done_at_once() {
        assert_eq!(slow_downs(dim(2), &[vec![], messages(&[(0, 3)])]), [1.0, 1.0]);
    }
}

//! The manager, event by event.

use super::rows::Rows;
use super::setup::{Job, Outcome, Ran, Setup};
use super::stops::{Fate, Stop};
use crate::events::EventQueue;
use locox::time::{Duration, Instant};
use locox_coordinators::manager::{
    Command, Coordinator, Effect, Key, NodeId, NodeRange, Places, Reason, StopReason,
};
use std::collections::HashSet;

#[derive(Clone, Copy, Debug)]
enum Event {
    Arrives(usize),
    /// A run of a job ends.
    Ends(usize, u32),
    /// A run of a job has stopped.
    Stopped(usize, u32),
    /// A run of a job has saved its work.
    Saves(usize, u32),
    Fails(u32),
    Returns(u32),
    /// Nothing but that something is decided.
    Poll,
}

/// How a job stands.
#[derive(Clone, Debug, Default)]
struct State {
    started: Option<Instant>,
    ran: Ran,
    /// How much of its run it had saved before.
    saved: u64,
    nodes: u32,
    runs: u32,
    has_ended: bool,
}

struct World<'a> {
    setup: &'a Setup,
    jobs: &'a [Job],
    states: Vec<State>,
    coordinator: Coordinator<'a>,
    events: EventQueue<Event>,
    stops: Vec<Stop>,
    /// How many stops, from the first one on, are settled.
    settled: usize,
    lost: u64,
    done: u64,
    left: usize,
    waiting: usize,
    peak_queue: usize,
    has_failed: bool,
}

/// Runs these jobs, sorted by their arrivals, to the end.
///
/// # Panics
///
/// If the configuration makes no sense, or a job asks for more than there is.
///
/// ```
/// use locox::time::{Duration, Instant};
/// use locox_coordinators::manager::{Config, Preemption, UserId};
/// use locox_models::managed::{Fate, Job, Setup, run};
/// let minute = Duration::from_ticks(60);
/// let job = |user, arrives, nodes, run| Job { user: UserId(user), arrives: Instant::from_ticks(arrives), nodes, run, limit: run };
/// // User 1 takes all eight nodes for a day, and an hour later user 2 wants three of them for two hours.
/// let [day, two] = [24, 2].map(|hours| Duration::from_ticks(hours * 3600));
/// let jobs = [job(1, 0, 4, day), job(1, 0, 4, day), job(2, 3600, 3, two)];
/// let preempt = Some(Preemption::standard(minute));
/// let config = Config { preempt, ..Config::standard(minute) };
/// let outcome = run(&Setup::new(config, 8, minute), &jobs);
/// assert_eq!(outcome.count(Fate::Served), 1);
/// assert!(outcome.waits[2] < Duration::from_ticks(180));
/// ```
pub fn run(setup: &Setup, jobs: &[Job]) -> Outcome {
    let users: HashSet<_> = jobs.iter().map(|job| job.user).collect();
    let levels: Vec<&[u32]> = setup.levels.iter().map(Vec::as_slice).collect();
    let mut rows = Rows::new(setup, jobs.len(), users.len());
    let coordinator = rows.coordinator(setup, &levels);
    let mut world = World {
        setup,
        jobs,
        states: vec![State::default(); jobs.len()],
        coordinator,
        events: EventQueue::new(),
        stops: vec![],
        settled: 0,
        lost: 0,
        done: 0,
        left: jobs.len(),
        waiting: 0,
        peak_queue: 0,
        has_failed: false,
    };
    for (at, job) in jobs.iter().enumerate() {
        world.events.schedule(job.arrives, Event::Arrives(at));
    }
    for outage in &setup.outages {
        world.events.schedule(outage.from, Event::Fails(outage.node));
        world.events.schedule(outage.to, Event::Returns(outage.node));
    }
    world.events.schedule(Instant::ZERO, Event::Poll);
    world.run();
    let waits = world.states.iter().zip(jobs);
    let waits = waits.map(|(it, job)| it.started.and_then(|at| at.since(job.arrives)));
    Outcome {
        waits: waits.map(|wait| wait.expect("each job has started")).collect(),
        ran: world.states.into_iter().map(|it| it.ran).collect(),
        peak_queue: world.peak_queue,
        end: world.events.now(),
        stops: world.stops,
        lost: world.lost,
        done: world.done,
    }
}

const fn key(job: usize) -> Key {
    Key { id: job as u64, born: 0 }
}

impl World<'_> {
    fn run(&mut self) {
        while self.left > 0 {
            let (now, event) = self.events.take().expect("a poll is always to come");
            self.has_failed = false;
            self.happens(now, event);
            while self.events.next_at() == Some(now) {
                let (_, event) = self.events.take().expect("it was seen");
                self.happens(now, event);
            }
            self.peak_queue = self.peak_queue.max(self.waiting);
            if self.waiting == 0 {
                continue;
            }
            self.tell(now, Command::Decide);
            while let Some(effect) = self.coordinator.take_effect() {
                self.does(now, effect);
            }
            self.judge();
        }
    }

    fn tell(&mut self, now: Instant, command: Command) {
        self.coordinator.apply(now, command).expect("a fact that is so");
    }

    fn happens(&mut self, now: Instant, event: Event) {
        match event {
            Event::Arrives(at) => {
                let Job { user, nodes, limit, .. } = self.jobs[at];
                self.waiting += 1;
                self.tell(now, Command::Seen { key: key(at), user, nodes, limit, priority: 0 });
            }
            Event::Ends(at, run) if self.is_current(at, run) => {
                let State { nodes, has_ended, ran, .. } = &mut self.states[at];
                (*has_ended, ran.until) = (true, now);
                self.left -= 1;
                self.done += u64::from(*nodes) * now.since(ran.since).map_or(0, Duration::ticks);
                for stop in open(&mut self.stops, &mut self.settled) {
                    if stop.victim == at {
                        stop.fate = Fate::Ended;
                    }
                }
                self.tell(now, Command::Left { key: key(at) });
            }
            Event::Stopped(at, run) if self.is_current(at, run) => {
                self.interrupt(now, at);
                self.tell(now, Command::Waits { key: key(at) });
            }
            Event::Saves(at, run) if self.is_current(at, run) => {
                self.tell(now, Command::Saved { key: key(at), at: now });
                self.save_next(now, at);
            }
            Event::Ends(..) | Event::Stopped(..) | Event::Saves(..) => {}
            Event::Fails(node) => {
                self.has_failed = true;
                self.tell(now, Command::NodeOut { first: NodeId(node), nodes: 1 });
            }
            Event::Returns(node) => {
                self.tell(now, Command::NodeBack { first: NodeId(node), nodes: 1 });
            }
            Event::Poll => {
                let next = now.checked_add(self.setup.poll).expect("an end before that of time");
                self.events.schedule(next, Event::Poll);
            }
        }
    }

    /// Whether this run of the job goes on.
    fn is_current(&self, at: usize, run: u32) -> bool {
        self.states[at].runs == run && !self.states[at].has_ended
    }

    /// A run is over before its end: what it has not saved is lost.
    fn interrupt(&mut self, now: Instant, at: usize) {
        let state = &mut self.states[at];
        let ran = now.since(state.ran.since).map_or(0, Duration::ticks);
        let saved = self.setup.checkpoint.map_or(0, |each| ran - ran % each.ticks());
        state.runs += 1;
        self.waiting += 1;
        state.saved += saved;
        self.lost += u64::from(state.nodes) * (ran - saved);
        self.done += u64::from(state.nodes) * saved;
    }

    fn save_next(&mut self, now: Instant, at: usize) {
        if let Some(next) = self.setup.checkpoint.and_then(|each| now.checked_add(each)) {
            self.events.schedule(next, Event::Saves(at, self.states[at].runs));
        }
    }

    fn does(&mut self, now: Instant, effect: Effect) {
        match effect {
            Effect::Start { key, .. } => self.start(now, key),
            Effect::Stop { key, why } => self.stop(now, key, why),
            Effect::Never { key, .. } => panic!("job {key} asks for more than there is"),
            Effect::Promise { .. } | Effect::Late { .. } | Effect::Notice { .. } => {}
        }
    }

    fn start(&mut self, now: Instant, key: Key) {
        let at = key.id as usize;
        let ranges: Vec<NodeRange> = self.coordinator.nodes(key).collect();
        let nodes: Vec<u32> =
            ranges.iter().flat_map(|range| range.first.0..range.first.0 + range.nodes).collect();
        for (number, &NodeRange { first, nodes }) in ranges.iter().enumerate() {
            self.tell(
                now,
                match number {
                    0 => Command::Runs { key, since: now, first, nodes },
                    _ => Command::RunsAlso { key, first, nodes },
                },
            );
        }
        // A mesh needs all of its subcube, and lends what it leaves over.
        let both = nodes.iter().fold((u32::MAX, 0), |(all, any), it| (all & it, any | it));
        let is_mesh = self.setup.config.places == Places::Meshes;
        let needs = |node: u32| match is_mesh {
            true => node & !(both.0 ^ both.1) == both.0,
            false => nodes.contains(&node),
        };
        for stop in open(&mut self.stops, &mut self.settled).filter(|it| it.of == at) {
            let has = stop.nodes.iter().any(|&node| needs(node));
            stop.fate = if has { Fate::Served } else { Fate::Lost };
        }
        let state = &mut self.states[at];
        state.started = state.started.or(Some(now));
        state.nodes = nodes.len() as u32;
        state.ran = Ran { since: now, until: now, nodes: ranges };
        self.waiting -= 1;
        let left = Duration::from_ticks(self.jobs[at].run.ticks().saturating_sub(state.saved));
        let end = now.checked_add(left).expect("an end before that of time");
        self.events.schedule(end, Event::Ends(at, state.runs));
        self.save_next(now, at);
    }

    fn stop(&mut self, now: Instant, key: Key, why: StopReason) {
        let (StopReason::Turn { job: of, .. } | StopReason::Priority { job: of, .. }) = why;
        let ranges = self.coordinator.nodes(key);
        let nodes = ranges.flat_map(|range| range.first.0..range.first.0 + range.nodes).collect();
        let (victim, of) = (key.id as usize, of.id as usize);
        self.stops.push(Stop { at: now, victim, of, nodes, fate: Fate::Open });
        let end = now.checked_add(self.setup.stopping).expect("an end before that of time");
        self.events.schedule(end, Event::Stopped(victim, self.states[victim].runs));
    }

    /// Stops for a job for which no room is made any more.
    fn judge(&mut self) {
        let Self { stops, settled, coordinator, has_failed, .. } = self;
        for stop in open(stops, settled) {
            stop.fate = match coordinator.reason(key(stop.of)) {
                Ok(Some(Reason::Room)) => Fate::Open,
                Err(_) => Fate::Left,
                Ok(_) if *has_failed => Fate::Failed,
                Ok(_) => Fate::Lost,
            };
        }
    }
}

/// Stops of which it has not shown yet what came of them; those before `settled` are not looked at.
fn open<'a>(stops: &'a mut [Stop], settled: &mut usize) -> impl Iterator<Item = &'a mut Stop> {
    let is_open = |it: &Stop| it.fate == Fate::Open;
    *settled += stops[*settled..].iter().take_while(|it| !is_open(it)).count();
    stops[*settled..].iter_mut().filter(move |it| is_open(it))
}

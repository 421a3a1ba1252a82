//! Histories from seeds.

use super::ground::{Nodes, PlaceIn};
use super::lockstep::Lockstep;
use super::naive::{State, request_of};
use super::step::{Event, Step};
use crate::reserve::Restart;
use locox::dispatch::Job;
use locox::machine::Machine;
use locox::reserve::Request;
use locox::time::{Duration, Instant};

/// Numbers from a seed.
#[derive(Clone, Debug)]
pub struct Draws(pub u64);

impl Draws {
    /// The next one below a bound.
    pub fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(0x1405_7B7E_F767_814F);
        (self.0 >> 33) % end
    }

    /// Whether a coin with so many sides falls on its last.
    pub fn one_in(&mut self, sides: u64) -> bool {
        self.below(sides) == sides - 1
    }

    /// One of these.
    pub fn pick<T: Copy>(&mut self, of: &[T]) -> Option<T> {
        (!of.is_empty()).then(|| of[self.below(of.len() as u64) as usize])
    }
}

/// How often each kind of event is drawn.
#[derive(Clone, Copy, Debug)]
pub struct Mixture {
    weights: [u8; 16],
    /// Whether the machine refuses, at times.
    refuses: bool,
    /// Whether jobs end in time.
    is_calm: bool,
    /// Whether outages may last for ever.
    endless: bool,
    /// How many jobs there are at once, about.
    jobs: usize,
}

impl Mixture {
    /// A mixture from which some kinds may be left out.
    pub fn drawn(draws: &mut Draws, jobs: usize) -> Self {
        let mut weights = [24, 40, 0, 12, 2, 3, 3, 3, 4, 3, 4, 3, 3, 2, 1, 1];
        let is_calm = draws.one_in(3);
        for weight in weights.iter_mut().skip(4) {
            let is_left_out = draws.below(3) == 0 || is_calm && draws.below(4) > 0;
            *weight *= u8::from(!is_left_out);
        }
        let (refuses, endless) = (draws.one_in(3), draws.one_in(6));
        Self { weights, refuses, is_calm, endless, jobs }
    }

    fn kind(&self, draws: &mut Draws) -> usize {
        let sum = self.weights.iter().map(|&it| u64::from(it)).sum();
        let mut at = draws.below(sum);
        for (kind, &weight) in self.weights.iter().enumerate() {
            if at < u64::from(weight) {
                return kind;
            }
            at -= u64::from(weight);
        }
        0
    }
}

/// A time about the present, or before it; most often itself.
fn time(draws: &mut Draws, now: u64) -> u64 {
    match draws.below(16) {
        0..9 => now,
        9 | 10 => now + 1,
        11 => now + 2,
        12 => now + 3,
        13 => now + 4 + draws.below(6),
        _ => now.saturating_sub(draws.below(5)),
    }
}

/// A job of an id that is new.
fn job<G: Nodes>(pair: &Lockstep<G>, draws: &mut Draws) -> Job {
    let ground = pair.model().ground();
    let nodes = &ground.nodes;
    let number = pair.model().jobs.iter().map(|job| (job.terms.id >> 8) + 1).max().unwrap_or(0);
    let mut request = draws.below(ground.requests.len() as u64) as usize;
    // What is never had is asked for at times, and what is small most often.
    for _ in 0..4 {
        let of = &ground.requests[request];
        let is_large = nodes.machine().size(of) > nodes.nodes() / 2 && draws.below(3) > 0;
        if ground.place(request, nodes.all()).is_some() && !is_large {
            break;
        }
        request = draws.below(ground.requests.len() as u64) as usize;
    }
    let size = nodes.machine().size(&ground.requests[request]);
    let pes = match draws.below(24) {
        0 => size.saturating_add(1),
        1 => 1,
        2 => 0,
        _ => size,
    };
    let requested = match draws.below(40) {
        0 => 0,
        it => 1 + it % 10,
    };
    let key = if draws.one_in(3) { draws.below(12) } else { 5 };
    let job = Job::new(number << 8 | request as u32, pes);
    job.within(Duration::from_ticks(requested)).keyed(key)
}

fn size_of<G: Nodes>(pair: &Lockstep<G>, job: &Job) -> u32 {
    let ground = pair.model().ground();
    ground.nodes.machine().size(&ground.requests[request_of(job)])
}

/// A place of the machine.
fn place<G: Nodes>(pair: &Lockstep<G>, draws: &mut Draws) -> (PlaceIn<G>, u32) {
    let ground = pair.model().ground();
    let nodes = &ground.nodes;
    loop {
        let request = draws.below(ground.requests.len() as u64) as usize;
        let all = nodes.all();
        let among = if draws.one_in(2) { pair.model().idle() } else { all };
        let one = nodes.without(among, draws.below(all + 1));
        if let Some(place) = ground.place(request, if draws.one_in(2) { one } else { among }) {
            return (place, request as u32);
        }
    }
}

/// The next step.
pub fn draw<G: Nodes>(
    pair: &Lockstep<G>,
    mixture: &Mixture,
    draws: &mut Draws,
) -> Step<PlaceIn<G>> {
    let model = pair.model();
    let mut now = time(draws, model.now);
    let first_end = model.each(State::Runs).into_iter().min_by_key(|&job| model.jobs[job].until);
    if let (true, Some(job)) = (mixture.is_calm, first_end) {
        now = now.min(model.jobs[job].until.max(model.now));
    }
    let id = |job: usize| model.jobs[job].terms.id;
    let any: Vec<usize> = (model.jobs.len().saturating_sub(14)..model.jobs.len()).collect();
    let one_of = |draws: &mut Draws, state: State| {
        let wrong = draws.one_in(24);
        let these = if wrong { any.clone() } else { model.each(state) };
        draws.pick(&these).map(id)
    };
    let in_line = |draws: &mut Draws| {
        let all = [State::InLine, State::InLine, State::Held, State::Reserved];
        let state = all[draws.below(4) as usize];
        one_of(draws, state)
    };
    let refused = if mixture.refuses && draws.one_in(3) { draws.below(256) as u8 } else { 0 };
    // Who starts is asked with and without places.
    let next = Event::Next(refused);
    let is_crowded = model.open().count() >= mixture.jobs && draws.below(8) > 0;
    let event = match mixture.kind(draws) {
        0 | 2 if is_crowded => None,
        0 | 2 => Some(Event::Push(job(pair, draws))),
        3 => {
            let mut ended = one_of(draws, State::Runs);
            if let (true, Some(job)) = (mixture.is_calm && draws.below(3) > 0, first_end) {
                ended = Some(id(job));
                now = model.jobs[job].until.max(model.now);
            } else if let Some(ended) = ended.and_then(|id| model.find(id)) {
                let end = model.jobs[ended].until;
                now = match draws.below(6) {
                    0 | 1 if end >= model.now => end,
                    2 => end.max(model.now) + draws.below(4),
                    _ => now,
                };
            }
            let other = one_of(draws, State::Runs).filter(|it| Some(*it) != ended);
            match (ended, other) {
                (Some(one), Some(other)) if draws.one_in(6) => Some(Event::FinishBoth(one, other)),
                _ => ended.map(Event::Finish),
            }
        }
        4 if is_crowded => None,
        4 => {
            let mut job = job(pair, draws);
            job.pes = job.pes.min(size_of(pair, &job));
            Some(Event::Adopt(job, now.saturating_sub(draws.below(6))))
        }
        5 if is_crowded => None,
        5 => {
            let (place, request) = place(pair, draws);
            let mut job = job(pair, draws);
            job.id = job.id & !0xFF | request;
            job.pes = size_of(pair, &job);
            job.requested = Duration::from_ticks(job.requested.ticks().max(1));
            let started =
                if draws.one_in(20) { now + 1 } else { now.saturating_sub(draws.below(6)) };
            Some(Event::AdoptAt(job, started, place))
        }
        6 if is_crowded => None,
        6 => {
            let job = job(pair, draws);
            let ready = (now + draws.below(14)).saturating_sub(4);
            let mut request = Request::new(Instant::from_ticks(ready), job.requested, job.pes);
            if draws.one_in(2) {
                let deadline = ready + job.requested.ticks() + draws.below(12);
                let deadline = deadline.saturating_sub(u64::from(draws.one_in(8)) * 6);
                request = request.by(Instant::from_ticks(deadline));
            }
            Some(Event::Reserve(job.id, request))
        }
        7 => {
            let start = (now + draws.below(12)).saturating_sub(5);
            let end = start.max(now) + 1 + draws.below(10);
            let end = if mixture.endless && draws.one_in(4) { u64::MAX } else { end };
            let end = if draws.one_in(12) { start.saturating_sub(draws.below(3)) } else { end };
            let place = place(pair, draws).0;
            // Of two that end together nobody says which is repaired.
            let is_known = model.outages().any(|it| it == (place, end));
            (!is_known).then_some(Event::Withdraw(place, start, end))
        }
        8 => {
            let known: Vec<_> = model.outages().map(|(place, _)| place).collect();
            draws.pick(&known).map(Event::Repair)
        }
        9 => in_line(draws).map(Event::Cancel),
        10 => in_line(draws).map(|id| Event::Rekey(id, draws.below(12))),
        11 => in_line(draws).map(Event::Hold),
        12 => one_of(draws, State::Held).map(Event::Release),
        13 => one_of(draws, State::Runs).map(Event::Requeue),
        14 => {
            let hows = [Restart::Begin, Restart::Load, Restart::Restore];
            Some(Event::Restart(hows[draws.below(3) as usize]))
        }
        15 if draws.one_in(2) => Some(Event::Ask(job(pair, draws))),
        15 => {
            let place = place(pair, draws).0;
            Some(Event::Repair(place))
        }
        _ => None,
    };
    Step { now, event: event.unwrap_or(next) }
}

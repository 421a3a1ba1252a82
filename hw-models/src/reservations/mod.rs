//! Requests for reservations, put to the kernel's timeline one after the other as they arrive.
//!
//! The timeline decides at once and for good: a request is accepted, with a start and PEs, or
//! refused. The figures are those of the study by Li et al. ([`crate::workload::reservations`]):
//! acceptance rate, and slowdown of the accepted with the wait counted from the ready time.

mod machines;
mod places;
mod reading;

pub use machines::{Machine, STANDARD, run_on};
pub use places::run_in_places;
pub use reading::Open;

use crate::workload::reservations::Asking;
use locox::bits::Word;
use locox::handle::PoolId;
use locox::reserve::{
    Choice, Error, Fit, Interval, Limits, Lowest, Request, ReservationId, SetupError, Timeline,
};
use locox::time::Instant;
use reading::{Infinite, UntilLast};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::ops::RangeInclusive;

/// Numbers of consecutive PEs.
pub type PeRange = RangeInclusive<u32>;

/// A place that a request got.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Placed {
    /// From when to when.
    pub at: Interval,
    /// The PEs, in rising order and as few ranges as there can be; empty unless
    /// [`Options::pes`] asks for them.
    pub pes: Vec<PeRange>,
    /// How many PEs: more than asked for where a place has more.
    pub held: u32,
    /// Which machine, by its place among several.
    pub machine: usize,
}

/// What became of a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The request.
    pub asking: Asking,
    /// Its place, or the reason that it has none.
    pub placed: Result<Placed, Error>,
}

impl Answer {
    /// Time from when it was ready (when it arrived, if that was later) to its start, in ticks.
    pub fn wait(&self) -> Option<u64> {
        let ready = self.asking.request.ready.max(self.asking.arrival);
        let placed = self.placed.as_ref().ok()?;
        Some(placed.at.start.ticks() - ready.ticks())
    }

    /// Time from when it was ready to its end, in run times on standard PEs.
    pub fn slowdown(&self) -> Option<f64> {
        let run = self.asking.request.duration.ticks() as f64;
        Some((self.wait()? as f64 + self.held()?) / run)
    }

    /// For how long it has its PEs, in ticks.
    fn held(&self) -> Option<f64> {
        let placed = self.placed.as_ref().ok()?;
        Some((placed.at.end.ticks() - placed.at.start.ticks()) as f64)
    }

    /// PEs times ticks on standard PEs, if it was accepted.
    fn work(&self) -> f64 {
        let request = &self.asking.request;
        let work = f64::from(request.pes) * request.duration.ticks() as f64;
        if self.placed.is_ok() { work } else { 0.0 }
    }
}

/// What a run is to do.
#[derive(Clone, Copy)]
pub struct Options<'a> {
    /// PEs of the machine.
    pub pes: u32,
    /// Which start a request gets.
    pub policy: Fit,
    /// How the policy reads rectangles that nothing follows.
    pub open: Open,
    /// Which of the free PEs it gets.
    pub choice: &'a dyn Choice,
    /// Whether to say which PEs those are.
    pub name_pes: bool,
}

impl Options<'_> {
    /// The PEs with the lowest numbers, which are not named.
    pub fn new(pes: u32, policy: Fit) -> Self {
        Self { pes, policy, open: Open::default(), choice: &Lowest, name_pes: false }
    }
}

/// The answers of a run, in the order of arrival.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// PEs of the machine.
    pub pes: u32,
    /// One for each request.
    pub answers: Vec<Answer>,
}

/// Asks for all of `requests`, in the order of their arrival; those that arrive together, in the
/// order given.
///
/// # Errors
///
/// [`SetupError`] if the kernel has no timeline for so many PEs or requests, or there are none.
///
/// ```
/// use locox::reserve::Fit;
/// use locox_models::reservations::{Options, run};
/// use locox_models::workload::cm5;
/// use locox_models::workload::reservations::{Flexibility, requests};
/// let jobs = cm5::generate(200, 7.0, 1, 0);
/// let requests = requests(&jobs, Flexibility::default(), 1, 0);
/// let outcome = run(&requests, &Options::new(1024, Fit::First)).unwrap();
/// assert!(outcome.acceptance() > 0.5 && outcome.mean_slowdown() >= 1.0);
/// ```
pub fn run(requests: &[Asking], options: &Options<'_>) -> Result<Outcome, SetupError> {
    answers(requests, options, |timeline, asking| by_policy(timeline, &asking.request, options))
}

type Reserved = Result<(ReservationId, Interval), Error>;

/// Each request is answered by `reserve`, with the time of the timeline at its arrival.
fn answers(
    requests: &[Asking],
    options: &Options<'_>,
    mut reserve: impl FnMut(&mut Timeline<Box<[Word]>>, &Asking) -> Reserved,
) -> Result<Outcome, SetupError> {
    let order = in_order(requests);
    let limits = Limits { pes: options.pes, reservations: most_at_once(&order) };
    if !(1..=Limits::MOST).contains(&limits.pes) || limits.reservations == 0 {
        return Err(SetupError::Limits);
    }
    let storage = vec![0; Timeline::words(limits)].into_boxed_slice();
    let mut timeline = Timeline::new(PoolId(0), limits, storage)?;
    let answer = |asking: &Asking| {
        timeline.advance(asking.arrival).expect("arrivals are in order");
        let placed = reserve(&mut timeline, asking).map(|(id, at)| {
            let pes = timeline.pes_of(id).expect("it was made just now");
            let named = if options.name_pes { ranges(pes.iter()) } else { vec![] };
            Placed { at, pes: named, held: pes.count(), machine: 0 }
        });
        Answer { asking: *asking, placed }
    };
    Ok(Outcome { pes: options.pes, answers: order.into_iter().map(answer).collect() })
}

/// Reserves as the options read the policy.
fn by_policy(
    timeline: &mut Timeline<Box<[Word]>>,
    request: &Request,
    options: &Options<'_>,
) -> Reserved {
    let (fit, choice) = (options.policy, options.choice);
    match options.open {
        Open::Endless => timeline.reserve(request, &fit, choice),
        Open::Infinite => timeline.reserve(request, &Infinite(fit), choice),
        Open::LastRecord => {
            let last = timeline.slots().last().map_or(timeline.now(), |slot| slot.time);
            let policy = UntilLast { fit, last, duration: request.duration };
            timeline.reserve(request, &policy, choice)
        }
    }
}

/// How large a timeline [`run`] needs.
pub fn limits(requests: &[Asking], pes: u32) -> Limits {
    Limits { pes, reservations: most_at_once(&in_order(requests)) }
}

fn in_order(requests: &[Asking]) -> Vec<&Asking> {
    let mut order: Vec<&Asking> = requests.iter().collect();
    order.sort_by_key(|asking| asking.arrival);
    order
}

/// The most reservations that can exist at once: a small timeline is a fast one. What has passed
/// its deadline is gone when the next request arrives.
fn most_at_once(order: &[&Asking]) -> u32 {
    let mut deadlines = BinaryHeap::new();
    let mut most = 0;
    for asking in order {
        while deadlines.peek().is_some_and(|&Reverse(deadline)| deadline <= asking.arrival) {
            deadlines.pop();
        }
        deadlines.push(Reverse(asking.request.deadline.unwrap_or(Instant::MAX)));
        most = most.max(deadlines.len());
    }
    u32::try_from(most).unwrap_or(u32::MAX).min(Limits::MOST)
}

/// Rising numbers as ranges.
fn ranges(numbers: impl Iterator<Item = u32>) -> Vec<PeRange> {
    let mut ranges: Vec<PeRange> = Vec::new();
    for number in numbers {
        match ranges.last_mut() {
            Some(last) if number.checked_sub(1) == Some(*last.end()) => {
                *last = *last.start()..=number;
            }
            _ => ranges.push(number..=number),
        }
    }
    ranges
}

impl Outcome {
    /// Requests that were accepted.
    pub fn accepted(&self) -> usize {
        self.answers.iter().filter(|answer| answer.placed.is_ok()).count()
    }

    /// Accepted requests as a share of all.
    pub fn acceptance(&self) -> f64 {
        self.accepted() as f64 / self.answers.len() as f64
    }

    /// Mean of [`Answer::slowdown`]; NaN if none was accepted.
    pub fn mean_slowdown(&self) -> f64 {
        let slowdowns: f64 = self.answers.iter().filter_map(Answer::slowdown).sum();
        slowdowns / self.accepted() as f64
    }

    /// Mean wait of the accepted, in ticks; NaN if none was accepted.
    pub fn mean_wait(&self) -> f64 {
        let waits = self.answers.iter().filter_map(Answer::wait);
        waits.map(|wait| wait as f64).sum::<f64>() / self.accepted() as f64
    }

    /// PEs times ticks accepted, as a share of what was asked for.
    pub fn accepted_work(&self) -> f64 {
        let asked = |answer: &Answer| {
            let request = &answer.asking.request;
            f64::from(request.pes) * request.duration.ticks() as f64
        };
        let accepted: f64 = self.answers.iter().map(Answer::work).sum();
        accepted / self.answers.iter().map(asked).sum::<f64>()
    }

    /// PEs reserved as a share of all, from the first arrival to the last end; NaN if none was
    /// accepted.
    pub fn utilisation(&self) -> f64 {
        let ends =
            self.answers.iter().filter_map(|answer| Some(answer.placed.as_ref().ok()?.at.end));
        let first = self.answers.first().map_or(Instant::ZERO, |answer| answer.asking.arrival);
        let span = ends.max().and_then(|end| end.since(first)).unwrap_or_default().ticks();
        let pes = |it: &Answer| it.placed.as_ref().map_or(0, |placed| placed.held);
        let held = |it: &Answer| f64::from(pes(it)) * it.held().unwrap_or(0.0);
        let work: f64 = self.answers.iter().map(held).sum();
        work / (span as f64 * f64::from(self.pes))
    }
}

//! Timelines, and queues that plan.

use super::random::Random;
use locox::bits::{BitSet, Word};
use locox::dispatch::{Backfill, Easy, Entry, Job, Queue, Ticket};
use locox::handle::PoolId;
use locox::reserve::{
    Choice, Contiguous, Fit, Interval, Limits, Lowest, Policy, Request, Timeline,
};
use locox::time::{Duration, Instant};
use std::hint::black_box;

fn at(ticks: usize) -> Instant {
    Instant::from_ticks(ticks as u64)
}

const FEW: u32 = 64;

/// One reservation begins each tick on a PE of its own and lasts until the next one there begins; requests fit behind them all
/// or in a gap that every hundredth leaves.
pub(crate) fn book(reservations: usize, times: usize) {
    let limits = Limits { pes: FEW, reservations: reservations as u32 + 1 };
    let words = vec![0; Timeline::words(limits)];
    let mut timeline = Timeline::new(PoolId(0), limits, words).expect("it says how much it needs");
    for number in 0..reservations {
        let mut pes = BitSet::empty([0 as Word; 1], FEW).expect("one word");
        pes.insert(number as u32 % FEW).expect("a PE");
        let last = if number % 100 == 0 { 20 } else { FEW as usize };
        timeline.add(Interval { start: at(number), end: at(number + last) }, &pes).expect("free");
    }
    let mut random = Random::new();
    let mut pes = BitSet::empty([0 as Word; 1], FEW).expect("one word");
    for _ in 0..times {
        let ready = at(random.below(reservations));
        let request = Request::new(ready, Duration::from_ticks(5), 1);
        let place = timeline.find(&request, &Fit::First, &Lowest, &mut pes).expect("it has no end");
        let id = timeline.add(black_box(place), &pes).expect("it is free");
        black_box(timeline.cancel(id)).expect("it is there");
    }
}

/// PEs of odd numbers are reserved in turn, one each tick; those of even numbers are free for good.
fn odd_in_turn(reservations: usize) -> Timeline<Vec<Word>> {
    let limits = Limits { pes: FEW, reservations: reservations as u32 };
    let words = vec![0; Timeline::words(limits)];
    let mut timeline = Timeline::new(PoolId(0), limits, words).expect("it says how much it needs");
    for number in 0..reservations {
        let mut pes = BitSet::empty([0 as Word; 1], FEW).expect("one word");
        pes.insert((2 * number as u32 + 1) % FEW).expect("a PE");
        let place = Interval { start: at(number), end: at(number + 1) };
        timeline.add(place, &pes).expect("free");
    }
    timeline
}

/// A search for PEs that are to be free for as long as half of all reservations take.
fn half_the_horizon(reservations: usize, times: usize, policy: &dyn Policy, choice: &dyn Choice) {
    let timeline = odd_in_turn(reservations);
    let mut pes = BitSet::empty([0 as Word; 1], FEW).expect("one word");
    let request = Request::new(at(0), Duration::from_ticks(reservations as u64 / 2), 2);
    for _ in 0..times {
        let place = timeline.find(black_box(&request), policy, choice, &mut pes);
        black_box(place).expect("it has no end");
    }
}

/// No two PEs side by side are free all through until the last window begins to end.
pub(crate) fn refused_by_choice(reservations: usize, times: usize) {
    half_the_horizon(reservations, times, &Fit::First, &Contiguous);
}

/// Each slot is a candidate.
pub(crate) fn rectangles(reservations: usize, times: usize) {
    half_the_horizon(reservations, times, &Fit::DurationWorst, &Lowest);
}

const PES: u32 = 1024;

fn push(queue: &mut impl Queue, now: Instant, random: &mut Random) -> Ticket {
    let (pes, minutes) = (1 << random.below(9), 1 + random.below(1440));
    let job = Job::new(0, pes).within(Duration::from_ticks(60 * minutes as u64));
    queue.push(now, job).expect("there is room")
}

fn start(queue: &mut Backfill<Easy, Vec<Entry>>, now: Instant, running: &mut Vec<Ticket>) {
    while let Some((ticket, _)) = queue.next(now, &mut |_| true) {
        running.push(ticket);
    }
}

pub(crate) fn dispatch(line: usize, times: usize) {
    let entries = vec![Entry::EMPTY; line + PES as usize + 1];
    let mut queue = Backfill::easy(PoolId(0), PES, entries);
    let (mut random, mut running) = (Random::new(), vec![]);
    while queue.len() < line {
        push(&mut queue, at(0), &mut random);
        start(&mut queue, at(0), &mut running);
    }
    for now in 1..=times {
        let ended = running.swap_remove(random.below(running.len()));
        queue.finished(at(now), ended).expect("it runs");
        if queue.len() < line {
            push(&mut queue, at(now), &mut random);
        }
        start(&mut queue, at(now), &mut running);
    }
}

/// Nobody in line can start; the one in the middle of it is held and released, and then goes.
pub(crate) fn planned(line: usize, times: usize) {
    let entries = vec![Entry::EMPTY; line + PES as usize + 1];
    let words = vec![0; Backfill::words(PES, entries.len())];
    let queue = Backfill::conservative(PoolId(0), PES, words, entries).expect("it can be planned");
    let (mut queue, mut random) = (queue.with_depth(100), Random::new());
    let all = Job::new(0, PES).within(Duration::from_ticks(1 << 20));
    queue.push(at(0), all).expect("there is room");
    assert!(queue.next(at(0), &mut |_| true).is_some(), "the machine is free");
    let mut waiting: Vec<Ticket> =
        (0..line).map(|_| push(&mut queue, at(0), &mut random)).collect();
    for now in 1..=times {
        let ticket = waiting.remove(waiting.len() / 2);
        queue.hold(at(now), ticket).expect("it waits");
        queue.release(at(now), ticket).expect("it is held");
        queue.withdraw(at(now), 1).expect("it is in service");
        queue.repair(at(now), 1).expect("it is out of service");
        queue.cancel(at(now), ticket).expect("it waits");
        waiting.push(push(&mut queue, at(now), &mut random));
    }
}

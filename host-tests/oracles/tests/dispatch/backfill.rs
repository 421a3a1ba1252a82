//! Both planners in step with a naive model: every return value of every call, whatever is
//! planned after it, and the invariants.

use locox::bits::Word;
use locox::dispatch::{
    Backfill, Conservative, Denied, Easy, Entry, Job, Misuse, Queue, Refusal, Ticket,
};
use locox::handle::{self, PoolId};
use locox::reserve::{Placement, Request};
use locox::time::{Duration, Instant};
use locox_oracles::dispatch::planner::{self, Naive, State};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::test_runner::{Config, RngSeed, TestRunner};

const STALE: Misuse = Misuse::Handle(handle::Misuse::Stale);

fn at(ticks: u64) -> Instant {
    Instant::from_ticks(ticks)
}

fn interval((start, end): (u64, u64)) -> Placement {
    Placement { start: at(start), end: at(end) }
}

/// Words in which nothing is as it should be.
fn words(pes: u32, entries: usize) -> Vec<Word> {
    vec![0xA5A5_A5A5; Backfill::words(pes, entries)]
}

fn planner(conservative: bool, pes: u32, entries: usize) -> Box<dyn Queue> {
    let (words, slots) = (words(pes, entries), vec![Entry::EMPTY; entries]);
    if conservative {
        Box::new(Backfill::new(PoolId(3), Conservative::new(), pes, words, slots).unwrap())
    } else {
        Box::new(Backfill::new(PoolId(3), Easy::new(), pes, words, slots).unwrap())
    }
}

#[derive(Clone, Debug)]
enum Op {
    /// PEs and requested time.
    Push(u32, u64),
    /// The same, time until ready, and slack until the deadline.
    Reserve(u32, u64, u64, u64),
    Advance(u64),
    Finish(usize),
    Cancel(usize),
}

/// A planner and its model. Jobs start as soon as they are offered.
struct Pair {
    real: Box<dyn Queue>,
    naive: Naive,
    tickets: Vec<Ticket>,
    entries: usize,
    /// Starts are asked for after each single call, or only when time moves on.
    each_event: bool,
}

impl Pair {
    fn new(conservative: bool, pes: u32, entries: usize, each_event: bool) -> Self {
        let real = planner(conservative, pes, entries);
        let naive = Naive::new(conservative, pes);
        Self { real, naive, tickets: vec![], entries, each_event }
    }

    fn now(&self) -> Instant {
        at(self.naive.now)
    }

    /// The time that a call is told: if it is to be refused, a later one, which must not matter.
    fn told(&self, fault: Option<Denied>) -> Instant {
        at(self.naive.now + if fault.is_some() { 7 } else { 0 })
    }

    fn open(&self) -> usize {
        self.naive.jobs.iter().filter(|job| job.state != State::Gone).count()
    }

    /// What is wrong with a job, whatever else goes on.
    fn fault(&self, pes: u32, requested: u64) -> Option<Denied> {
        match () {
            () if pes == 0 => Some(Misuse::NoPes.into()),
            () if requested == 0 => Some(Misuse::NoTime.into()),
            () if pes > self.naive.pes => Some(Refusal::TooLarge.into()),
            () if self.open() == self.entries => Some(Refusal::Full.into()),
            () => None,
        }
    }

    fn job(&self, pes: u32, requested: u64) -> Job {
        Job::new(self.tickets.len() as u32, pes).within(Duration::from_ticks(requested))
    }

    fn push(&mut self, pes: u32, requested: u64) {
        let fault = self.fault(pes, requested);
        let real = self.real.push(self.told(fault), self.job(pes, requested));
        if let Some(denied) = fault {
            assert_eq!(real, Err(denied));
            return;
        }
        self.naive.push(pes, requested);
        self.tickets.push(real.unwrap());
    }

    fn reserve(&mut self, pes: u32, requested: u64, ready: u64, slack: u64) {
        let ready = self.naive.now + ready;
        let deadline = ready + requested + slack;
        let job = self.job(pes, requested);
        let request = Request::new(at(ready), job.requested, pes).by(at(deadline));
        let fault = self.fault(pes, requested);
        let real = self.real.reserve(self.told(fault), job.id, &request);
        if let Some(denied) = fault {
            assert_eq!(real, Err(denied));
            return;
        }
        match self.naive.reserve(pes, requested, ready, deadline) {
            Err(finish) => assert_eq!(real, Err(Refusal::Late { finish: at(finish) }.into())),
            Ok(planned) => {
                let (ticket, placed) = real.unwrap();
                assert_eq!(placed, interval(planned));
                self.tickets.push(ticket);
            }
        }
    }

    /// Ends a job or cancels it, rightly or not.
    fn leave(&mut self, pick: usize, ends: bool) {
        let Some(job) = pick.checked_rem(self.tickets.len()) else { return };
        let (ticket, now) = (self.tickets[job], self.now());
        let real =
            if ends { self.real.finished(now, ticket) } else { self.real.cancel(now, ticket) };
        let state = self.naive.jobs[job].state;
        let expected = match state {
            State::Gone => Err(STALE),
            State::Runs if !ends => Err(Misuse::Runs),
            State::InLine | State::Reserved if ends => Err(Misuse::Waits),
            _ => Ok(job as u32),
        };
        assert_eq!(real.map(|job| job.id), expected);
        if expected.is_ok() {
            self.naive.leave(job);
        }
    }

    fn start(&mut self) {
        loop {
            let mut offered = vec![];
            let started = self.real.next(self.now(), &mut |job| {
                offered.push(job.id as usize);
                true
            });
            let expected = self.naive.start_next();
            assert_eq!(offered, expected.into_iter().collect::<Vec<_>>(), "at {}", self.naive.now);
            let Some(job) = expected else { return };
            assert_eq!(started.unwrap().0, self.tickets[job]);
        }
    }

    fn step(&mut self, op: &Op) {
        match *op {
            Op::Push(pes, requested) => self.push(pes, requested),
            Op::Reserve(pes, requested, ready, slack) => {
                self.reserve(pes, requested, ready, slack);
            }
            Op::Finish(pick) => self.leave(pick, true),
            Op::Cancel(pick) => self.leave(pick, false),
            Op::Advance(by) => {
                self.start();
                self.naive.now += by;
            }
        }
        if self.each_event {
            self.start();
        }
        self.compare();
    }

    fn compare(&self) {
        self.real.check_invariants().unwrap();
        let waits = |state| self.naive.each(state).len();
        let waiting = waits(State::InLine) + waits(State::Reserved);
        assert_eq!((self.real.len(), self.real.is_empty()), (waiting, waiting == 0));
        for (job, &ticket) in self.naive.jobs.iter().zip(&self.tickets) {
            let planned = self.real.planned(ticket);
            match job.state {
                State::Gone => assert_eq!(planned, Err(STALE)),
                State::InLine if !self.naive.conservative => {}
                _ => assert_eq!(planned, Ok(job.planned.map(interval))),
            }
        }
        if !self.each_event {
            return;
        }
        if let Some((head, start, end)) = self.naive.promise() {
            let promised = self.real.planned(self.tickets[head]);
            assert_eq!(promised, Ok(Some(interval((start, end)))));
        }
        let later = |job: &planner::Job| {
            let waits = matches!(job.state, State::InLine | State::Reserved);
            job.planned.map(|(start, _)| start).filter(|&start| waits && start > self.naive.now)
        };
        let wake = self.naive.jobs.iter().filter_map(later).min();
        // The time of the profile moves when the planner is told it.
        if !self.naive.jobs.is_empty() {
            assert_eq!(self.real.wake_at(), wake.map(at));
        }
    }
}

fn ops() -> impl Strategy<Value = Vec<Op>> {
    let pes = || prop_oneof![12 => 1..=8u32, 1 => Just(0), 1 => Just(9)];
    let time = || prop_oneof![12 => 1..12u64, 1 => Just(0)];
    let op = prop_oneof![
        6 => (pes(), time()).prop_map(|(pes, time)| Op::Push(pes, time)),
        2 => (pes(), time(), 0..10u64, 0..15u64).prop_map(|(p, t, r, s)| Op::Reserve(p, t, r, s)),
        5 => (0..5u64).prop_map(Op::Advance),
        6 => any::<usize>().prop_map(Op::Finish),
        1 => any::<usize>().prop_map(Op::Cancel),
    ];
    vec(op, 1..80)
}

fn agree(conservative: bool) {
    let config = Config {
        cases: 4000,
        rng_seed: RngSeed::Fixed(0x10C0),
        failure_persistence: None,
        ..Config::default()
    };
    TestRunner::new(config)
        .run(&(ops(), any::<bool>(), 3usize..12), |(ops, each_event, entries)| {
            let mut pair = Pair::new(conservative, 8, entries, each_event);
            ops.iter().for_each(|op| pair.step(op));
            Ok(())
        })
        .unwrap();
}

#[test]
fn easy_does_what_the_naive_model_says() {
    agree(false);
}

#[test]
fn conservative_does_what_the_naive_model_says() {
    agree(true);
}

/// Runs jobs (arrival, PEs, requested, run) on a planner and its model, event by event:
/// completions in the order of starting, then arrivals.
fn run(conservative: bool, pes: u32, jobs: &[(u64, u32, u64, u64)]) {
    let mut pair = Pair::new(conservative, pes, jobs.len(), true);
    let mut arrived = 0;
    for now in 0.. {
        pair.naive.now = now;
        for (job, &(_, _, _, run)) in jobs.iter().enumerate().take(arrived) {
            let started = pair.naive.jobs[job].planned.map_or(0, |(start, _)| start);
            if pair.naive.jobs[job].state == State::Runs && started + run == now {
                pair.step(&Op::Finish(job));
            }
        }
        while let Some(&(_, pes, requested, _)) = jobs.get(arrived).filter(|job| job.0 == now) {
            pair.step(&Op::Push(pes, requested));
            arrived += 1;
        }
        pair.start();
        if arrived == jobs.len() && pair.open() == 0 {
            return;
        }
        assert!(now < 100, "all jobs end some time");
    }
}

#[test]
fn all_small_workloads_run_as_the_naive_model_says() {
    // PEs, requested time, run time: one that is exact, early, or late.
    let kinds = [(1, 1, 1), (1, 3, 3), (1, 3, 1), (1, 1, 2), (2, 2, 2), (2, 2, 1), (3, 1, 1)];
    let mut workloads = 0;
    for a in kinds {
        for b in kinds {
            for c in kinds {
                for d in kinds {
                    for gaps in 0..8u64 {
                        let mut submit = 0;
                        let mut jobs = vec![];
                        for (n, (pes, requested, run)) in [a, b, c, d].into_iter().enumerate() {
                            submit += if n == 0 { 0 } else { gaps >> (n - 1) & 1 };
                            jobs.push((submit, pes, requested, run));
                        }
                        run(false, 3, &jobs);
                        run(true, 3, &jobs);
                        workloads += 1;
                    }
                }
            }
        }
    }
    assert_eq!(workloads, 7 * 7 * 7 * 7 * 8);
}

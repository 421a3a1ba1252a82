//! Every discipline against a naive model: which jobs are offered in which order, and which leaves.

use locox::dispatch::{
    Fcfs, Job, Lazy, Misuse, Ordered, Patience, Queue, Refusal, Scan, SizeClass, Slot, Ticket,
    Window,
};
use locox::handle::{self, PoolId};
use locox::time::Instant;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::test_runner::{Config, RngSeed, TestRunner};

const SLOTS: usize = 8;
const LARGEST: u32 = 9;
/// None of these queues looks at the time.
const NOW: Instant = Instant::ZERO;

#[derive(Clone, Copy, Debug)]
enum Rule {
    Fcfs,
    Window(u32),
    ScanUp,
    ScanDown,
    Lazy(u32),
}

fn class(job: &Job) -> SizeClass {
    SizeClass::of(job.pes)
}

/// All that waits in the order of arrival, with arrival numbers.
struct Model {
    rule: Rule,
    patience: u64,
    waiting: Vec<(u64, Job)>,
    running: Vec<Job>,
    arrivals: u64,
    /// The size at which a scan is.
    at: u8,
}

impl Model {
    /// The jobs that are offered as long as none is taken.
    fn offers(&mut self) -> Vec<Job> {
        let Some(&(number, oldest)) = self.waiting.first() else { return vec![] };
        let left = self.arrivals - self.waiting.len() as u64;
        if left - number >= self.patience {
            return vec![oldest];
        }
        let jobs: Vec<Job> = self.waiting.iter().map(|&(_, job)| job).collect();
        match self.rule {
            Rule::Fcfs => vec![oldest],
            Rule::Window(width) => jobs.into_iter().take(width.max(1) as usize).collect(),
            Rule::ScanUp | Rule::ScanDown => vec![self.scan(&jobs)],
            Rule::Lazy(backlog) => self.first_of_each(&jobs, backlog),
        }
    }

    fn scan(&mut self, jobs: &[Job]) -> Job {
        let step = if matches!(self.rule, Rule::ScanUp) { 1 } else { 31 };
        loop {
            if let Some(&job) = jobs.iter().find(|job| class(job).get() == self.at) {
                return job;
            }
            self.at = (self.at + step) % 32;
        }
    }

    fn first_of_each(&self, jobs: &[Job], backlog: u32) -> Vec<Job> {
        let same =
            |jobs: &[Job], job: &Job| jobs.iter().filter(|it| class(it) == class(job)).count();
        let is_first = |at: usize, job: &Job| same(&jobs[..at], job) == 0;
        let held_back =
            |job: &Job| same(&self.running, job) > 0 && same(jobs, job) <= backlog as usize;
        let firsts = jobs.iter().enumerate().filter(|(at, job)| is_first(*at, job));
        firsts.map(|(_, job)| *job).filter(|job| !held_back(job)).collect()
    }

    fn leave(&mut self, id: u32) -> Option<Job> {
        let at = self.waiting.iter().position(|(_, job)| job.id == id)?;
        Some(self.waiting.remove(at).1)
    }
}

#[derive(Clone, Debug)]
enum Op {
    /// A job of so many PEs.
    Push(u32),
    /// Takes the job offered after so many others.
    Next(usize),
    /// One that runs, if any does.
    Finish(usize),
    FinishAny(usize),
    Cancel(usize),
}

fn ops() -> impl Strategy<Value = Vec<Op>> {
    let op = prop_oneof![
        6 => (0..=LARGEST).prop_map(Op::Push),
        6 => (0usize..6).prop_map(Op::Next),
        4 => any::<usize>().prop_map(Op::Finish),
        1 => any::<usize>().prop_map(Op::FinishAny),
        1 => any::<usize>().prop_map(Op::Cancel),
    ];
    vec(op, 1..120)
}

fn rules() -> impl Strategy<Value = Rule> {
    prop_oneof![
        Just(Rule::Fcfs),
        (0u32..6).prop_map(Rule::Window),
        Just(Rule::ScanUp),
        Just(Rule::ScanDown),
        prop_oneof![0u32..4, Just(u32::MAX)].prop_map(Rule::Lazy),
    ]
}

fn queue(rule: Rule, patience: Patience) -> Box<dyn Queue> {
    let slots = [Slot::EMPTY; SLOTS];
    match rule {
        Rule::Fcfs => Box::new(Ordered::new(PoolId(0), Fcfs, patience, slots)),
        Rule::Window(width) => {
            Box::new(Ordered::new(PoolId(0), Window::of(width), patience, slots))
        }
        Rule::ScanUp => Box::new(Ordered::new(PoolId(0), Scan::up(), patience, slots)),
        Rule::ScanDown => Box::new(Ordered::new(PoolId(0), Scan::down(), patience, slots)),
        Rule::Lazy(backlog) => {
            Box::new(Ordered::new(PoolId(0), Lazy::beyond(backlog), patience, slots))
        }
    }
}

/// A queue and its model; jobs are numbered by their arrival, and keep their tickets.
struct Pair {
    real: Box<dyn Queue>,
    model: Model,
    tickets: Vec<Ticket>,
}

impl Pair {
    fn push(&mut self, pes: u32) -> Result<(), TestCaseError> {
        let job = Job::new(self.tickets.len() as u32, pes);
        let real = self.real.push(NOW, job);
        if pes == 0 {
            prop_assert_eq!(real, Err(Misuse::NoPes.into()));
        } else if self.model.waiting.len() + self.model.running.len() == SLOTS {
            prop_assert_eq!(real, Err(Refusal::Full.into()));
        } else {
            self.tickets.push(real.unwrap());
            self.model.waiting.push((self.model.arrivals, job));
            self.model.arrivals += 1;
        }
        Ok(())
    }

    /// Takes the job offered after so many others.
    fn next(&mut self, refused: usize) -> Result<(), TestCaseError> {
        let mut expected = self.model.offers();
        expected.truncate(refused + 1);
        let mut offered = vec![];
        let taken = self.real.next(NOW, &mut |job| {
            offered.push(job);
            offered.len() > refused
        });
        prop_assert_eq!(&offered, &expected);
        let job = expected.get(refused);
        prop_assert_eq!(taken, job.map(|job| (self.tickets[job.id as usize], *job)));
        if let Some(job) = job {
            self.model.leave(job.id);
            self.model.running.push(*job);
        }
        Ok(())
    }

    /// Ends a job or cancels it, rightly or not.
    fn leave(&mut self, id: u32, ends: bool) -> Result<(), TestCaseError> {
        let Some(&ticket) = self.tickets.get(id as usize) else { return Ok(()) };
        let real =
            if ends { self.real.finished(NOW, ticket) } else { self.real.cancel(NOW, ticket) };
        let waits = self.model.waiting.iter().any(|(_, job)| job.id == id);
        let runs = self.model.running.iter().position(|job| job.id == id);
        let expected = match runs {
            Some(at) if ends => Ok(self.model.running.swap_remove(at)),
            Some(_) => Err(Misuse::Runs),
            None if waits && ends => Err(Misuse::Waits),
            None => self.model.leave(id).ok_or(Misuse::Handle(handle::Misuse::Stale)),
        };
        prop_assert_eq!(real, expected);
        Ok(())
    }

    fn step(&mut self, op: &Op) -> Result<(), TestCaseError> {
        let any = |pick: usize| pick.checked_rem(self.tickets.len()).unwrap_or(0) as u32;
        match *op {
            Op::Push(pes) => self.push(pes)?,
            Op::Next(refused) => self.next(refused)?,
            Op::Finish(pick) => {
                let running = &self.model.running;
                let job = pick.checked_rem(running.len()).map_or(any(pick), |at| running[at].id);
                self.leave(job, true)?;
            }
            Op::FinishAny(pick) => self.leave(any(pick), true)?,
            Op::Cancel(pick) => self.leave(any(pick), false)?,
        }
        prop_assert_eq!(self.real.len(), self.model.waiting.len());
        prop_assert_eq!(self.real.is_empty(), self.model.waiting.is_empty());
        prop_assert_eq!(self.real.wake_at(), None);
        prop_assert_eq!(self.real.check_invariants(), Ok(()));
        Ok(())
    }
}

#[test]
fn every_discipline_offers_what_the_model_says() {
    let config = Config { cases: 4000, rng_seed: RngSeed::Fixed(0x10C0), ..Config::default() };
    let patience = prop_oneof![(0u32..5).prop_map(Some), Just(None)];
    TestRunner::new(config)
        .run(&(rules(), patience, ops()), |(rule, patience, ops)| {
            let at = if matches!(rule, Rule::ScanUp) { 0 } else { 31 };
            let endless = patience.map_or(u64::MAX, u64::from);
            let patience = patience.map_or(Patience::ENDLESS, Patience::of);
            let real = queue(rule, patience);
            let (waiting, running) = (vec![], vec![]);
            let model = Model { rule, patience: endless, waiting, running, arrivals: 0, at };
            let mut pair = Pair { real, model, tickets: vec![] };
            ops.iter().try_for_each(|op| pair.step(op))
        })
        .unwrap();
}

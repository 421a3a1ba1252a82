//! Every discipline against a naive model: which jobs are offered in which order, and which leaves.

use locox::cube::Dim;
use locox::dispatch::{
    Dispatcher, Fcfs, Job, Lazy, NotWaiting, Patience, Queue, QueueFull, Scan, Slot, Window,
};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::test_runner::{Config, RngSeed, TestRunner};

const SLOTS: usize = 6;
const CLASSES: u8 = 4;

#[derive(Clone, Copy, Debug)]
enum Rule {
    Fcfs,
    Window(u32),
    ScanUp,
    ScanDown,
    Lazy(u32),
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
        let step = if matches!(self.rule, Rule::ScanUp) { 1 } else { 24 };
        loop {
            if let Some(&job) = jobs.iter().find(|job| job.class.get() == self.at) {
                return job;
            }
            self.at = (self.at + step) % 25;
        }
    }

    fn first_of_each(&self, jobs: &[Job], backlog: u32) -> Vec<Job> {
        let same = |jobs: &[Job], job: &Job| jobs.iter().filter(|it| it.class == job.class).count();
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
    Push(u8),
    /// Takes the job offered after so many others.
    Next(usize),
    Finish(usize),
    Cancel(usize),
}

fn ops() -> impl Strategy<Value = Vec<Op>> {
    let op = prop_oneof![
        6 => (0..CLASSES).prop_map(Op::Push),
        6 => (0usize..6).prop_map(Op::Next),
        3 => any::<usize>().prop_map(Op::Finish),
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

fn queue(rule: Rule, patience: Patience) -> Box<dyn Dispatcher> {
    let slots = [Slot::EMPTY; SLOTS];
    match rule {
        Rule::Fcfs => Box::new(Queue::new(Fcfs, patience, slots)),
        Rule::Window(width) => Box::new(Queue::new(Window::of(width), patience, slots)),
        Rule::ScanUp => Box::new(Queue::new(Scan::up(), patience, slots)),
        Rule::ScanDown => Box::new(Queue::new(Scan::down(), patience, slots)),
        Rule::Lazy(backlog) => Box::new(Queue::new(Lazy::beyond(backlog), patience, slots)),
    }
}

fn step(queue: &mut dyn Dispatcher, model: &mut Model, op: &Op) -> Result<(), TestCaseError> {
    match *op {
        Op::Push(class) => {
            let job = Job { id: model.arrivals as u32, class: Dim::new(class).unwrap() };
            let full = model.waiting.len() == SLOTS;
            prop_assert_eq!(queue.push(job), if full { Err(QueueFull) } else { Ok(()) });
            if !full {
                model.waiting.push((model.arrivals, job));
                model.arrivals += 1;
            }
        }
        Op::Next(refused) => {
            let mut expected = model.offers();
            expected.truncate(refused + 1);
            let mut offered = vec![];
            let taken = queue.next(&mut |job| {
                offered.push(job);
                offered.len() > refused
            });
            prop_assert_eq!(&offered, &expected);
            prop_assert_eq!(taken, expected.get(refused).copied());
            if let Some(job) = taken {
                model.leave(job.id);
                model.running.push(job);
            }
        }
        Op::Finish(_) if model.running.is_empty() => {}
        Op::Finish(pick) => {
            queue.finished(model.running.swap_remove(pick % model.running.len()));
        }
        Op::Cancel(pick) => {
            let id = (pick % (model.arrivals as usize + 1)) as u32;
            prop_assert_eq!(queue.cancel(id), model.leave(id).ok_or(NotWaiting(id)));
        }
    }
    prop_assert_eq!(queue.len(), model.waiting.len());
    prop_assert_eq!(queue.is_empty(), model.waiting.is_empty());
    prop_assert_eq!(queue.check_invariants(), Ok(()));
    Ok(())
}

#[test]
fn every_discipline_offers_what_the_model_says() {
    let config = Config { cases: 4000, rng_seed: RngSeed::Fixed(0x10C0), ..Config::default() };
    let patience = prop_oneof![(0u32..5).prop_map(Some), Just(None)];
    TestRunner::new(config)
        .run(&(rules(), patience, ops()), |(rule, patience, ops)| {
            let at = if matches!(rule, Rule::ScanUp) { 0 } else { 24 };
            let endless = patience.map_or(u64::MAX, u64::from);
            let patience = patience.map_or(Patience::ENDLESS, Patience::of);
            let mut queue = queue(rule, patience);
            let (waiting, running) = (vec![], vec![]);
            let mut model = Model { rule, patience: endless, waiting, running, arrivals: 0, at };
            ops.iter().try_for_each(|op| step(queue.as_mut(), &mut model, op))
        })
        .unwrap();
}

//! A sequence of jobs in which somebody says who is next.

use super::reward::Tally;
use super::sequence::{Sequence, sequence};
use super::setup::Setup;
use super::waiting::Waiting;
use crate::error::of_replay;
use locox::time::Instant;
use locox_models::machine::{Machine, Pool};
use locox_models::replay::{Event, Options, OutageQueue, QueueKind, Simulation};
use pyo3::prelude::*;

type Run = Simulation<'static, Box<Pool>, Box<dyn OutageQueue + Send + Sync>, Sequence>;

/// - `choices` are those made since its beginning: it can be told again by them.
/// - `starts` has, for each job, when it started, or -1; `running` those that have not ended.
/// - `waiting` has those of `run`, in the same order, that of their arrival.
pub(super) struct Episode {
    pub(super) first: usize,
    pub(super) choices: Vec<u32>,
    pub(super) starts: Vec<i64>,
    pub(super) running: Vec<usize>,
    pub(super) done: bool,
    pub(super) waiting: Vec<Waiting>,
    run: Run,
    tally: Tally,
}

impl Episode {
    /// From its beginning to the first choice.
    pub(super) fn new(setup: &Setup, first: usize) -> PyResult<Self> {
        let jobs = sequence(&setup.workload, first, setup.length);
        let machine = Box::new(Pool::new(setup.processors));
        let queue = setup.queue.queue(setup.length, setup.processors);
        let options = Options { decisions: setup.decisions(), ..Options::default() };
        let run = Simulation::new("sequence", jobs, machine, queue, options);
        let run = match setup.queue {
            QueueKind::Fcfs => run.chosen_strictly_by_caller(),
            _ => run.chosen_by_caller(),
        };
        let mut episode = Self {
            first,
            choices: vec![],
            starts: vec![-1; setup.length],
            running: vec![],
            done: false,
            waiting: vec![],
            run,
            tally: Tally::default(),
        };
        episode.advance(setup)?;
        Ok(episode)
    }

    pub(super) fn now(&self) -> Instant {
        self.run.now()
    }

    pub(super) fn free(&self) -> u32 {
        let machine = self.run.machine();
        machine.processors() - machine.held()
    }

    /// How many of them the window shows.
    pub(super) fn shown(&self, setup: &Setup) -> usize {
        if self.done { 0 } else { self.waiting.len().min(setup.window) }
    }

    /// The nth that waits is next, or the first one if the window shows no such job; the reward. Nothing
    /// happens after the end.
    pub(super) fn choose(&mut self, setup: &Setup, nth: usize) -> PyResult<f64> {
        if self.done {
            return Ok(0.0);
        }
        let nth = if nth < self.shown(setup) { nth } else { 0 };
        self.choices.push(nth as u32);
        self.run.choose(nth);
        self.advance(setup)?;
        Ok(self.tally.reward(setup.reward, self.done, setup.length, setup.processors))
    }

    /// To the next choice, or to the end.
    fn advance(&mut self, setup: &Setup) -> PyResult<()> {
        loop {
            match self.run.step().map_err(|error| of_replay(&error))? {
                Event::Choice => return Ok(()),
                Event::Done => {
                    self.done = true;
                    return Ok(());
                }
                Event::Arrived { job } => {
                    let submit = self.now().ticks();
                    let all = &setup.workload.jobs;
                    self.waiting.push(Waiting::new(job, submit, &all[self.first + job]));
                }
                Event::Started { job, record } => {
                    let place = self.waiting.binary_search_by_key(&job, |waiting| waiting.number);
                    self.waiting.remove(place.expect("a job that starts has waited"));
                    self.tally.add(setup.reward, &record);
                    self.starts[job] = record.start.ticks() as i64;
                    self.running.push(job);
                }
                Event::Ended { job } => self.running.retain(|&other| other != job),
                _ => {}
            }
        }
    }
}

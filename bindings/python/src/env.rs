//! Sequences of jobs in which somebody else says who is next: the inside of `locox.gym`.

use super::error::{of_replay, value};
use super::workload::Workload;
use locox::time::{Duration, Instant};
use locox_models::machine::{Machine, Pool};
use locox_models::replay::{Event, JobRecord, Options, OutageQueue, QueueKind, Simulation};
use locox_models::streams::{Stream, stream};
use locox_models::workload::{self, Job};
use numpy::{PyArray1, PyReadonlyArray1, PyReadwriteArray1, PyReadwriteArray2, PyReadwriteArray3};
use pyo3::prelude::*;
use rand::RngExt;
use std::sync::Arc;

/// Numbers about a job that waits. What they are stands in `gym.py`.
const COLUMNS: usize = 8;
/// The widest window, and the most environments.
const MOST: usize = 65_536;
/// A wait of so many seconds counts half.
const HALF_WAIT: f32 = 3600.0;
/// Run times below this count as this in a bounded slowdown.
const BOUND: Duration = Duration::from_ticks(10);

#[derive(Clone, Copy, PartialEq, Eq)]
enum Reward {
    BoundedSlowdown,
    Wait,
    Utilisation,
}

/// What all environments have in common.
struct Setup {
    workload: Arc<workload::Workload>,
    processors: u32,
    length: usize,
    window: usize,
    columns: usize,
    queue: QueueKind,
    reward: Reward,
    per_step: bool,
    longest: f32,
}

/// Jobs of a workload in a row, the first of which comes at zero.
struct Sequence {
    workload: Arc<workload::Workload>,
    at: usize,
    end: usize,
    zero: Instant,
}

impl Iterator for Sequence {
    type Item = Job;

    fn next(&mut self) -> Option<Job> {
        let job = self.workload.jobs[..self.end].get(self.at)?;
        self.at += 1;
        let submit = Instant::from_ticks(job.submit.ticks() - self.zero.ticks());
        Some(Job { submit, ..job.clone() })
    }
}

type Run = Simulation<'static, Box<Pool>, Box<dyn OutageQueue + Send + Sync>, Sequence>;

/// One environment.
///
/// - `told` is the part of `sum` that rewards have told.
struct Environment {
    random: Stream,
    run: Run,
    done: bool,
    sum: f64,
    told: f64,
    work: f64,
    finish: Instant,
    starts: Vec<i64>,
}

impl Setup {
    fn run(&self, first: usize) -> Run {
        let jobs = Sequence {
            workload: Arc::clone(&self.workload),
            at: first,
            end: first + self.length,
            zero: self.workload.jobs[first].submit,
        };
        let machine = Box::new(Pool::new(self.processors));
        let queue = self.queue.queue(self.length, self.processors);
        let options = Options { decisions: self.queue.decisions(), ..Options::default() };
        Simulation::new("sequence", jobs, machine, queue, options).chosen_by_caller()
    }

    /// The first job of a sequence.
    fn draw(&self, random: &mut Stream) -> usize {
        random.random_range(0..=self.workload.jobs.len() - self.length)
    }

    /// What a job that starts adds to the sum, of which the reward is the negative mean.
    fn cost(&self, record: &JobRecord) -> f64 {
        match self.reward {
            Reward::BoundedSlowdown => record.bounded_slowdown(BOUND),
            Reward::Wait => record.wait() as f64,
            Reward::Utilisation => 0.0,
        }
    }
}

impl Environment {
    fn new(setup: &Setup, seed: u64) -> Self {
        let starts = vec![-1; setup.length];
        let (random, run) = (stream(seed, "sequences", 0), setup.run(0));
        let finish = Instant::ZERO;
        Self { random, run, done: true, sum: 0.0, told: 0.0, work: 0.0, finish, starts }
    }

    fn reset(&mut self, setup: &Setup, first: Option<usize>) -> PyResult<()> {
        let first = first.unwrap_or_else(|| setup.draw(&mut self.random));
        self.run = setup.run(first);
        (self.done, self.sum, self.told, self.work) = (false, 0.0, 0.0, 0.0);
        self.finish = Instant::ZERO;
        self.starts.fill(-1);
        self.advance(setup)
    }

    /// One that is done begins anew, and its reward is zero. A job that does not wait means the first in
    /// line.
    fn step(&mut self, setup: &Setup, action: i64) -> PyResult<f64> {
        if self.done {
            self.reset(setup, None)?;
            return Ok(0.0);
        }
        let shown = self.run.waiting().len().min(setup.window);
        let nth = usize::try_from(action).ok().filter(|&nth| nth < shown).unwrap_or(0);
        self.run.choose(nth);
        self.advance(setup)?;
        Ok(self.reward(setup))
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
                Event::Started { job, record } => {
                    self.sum += setup.cost(&record);
                    self.work += f64::from(record.processors) * record.run() as f64;
                    self.finish = self.finish.max(record.finish);
                    self.starts[job] = record.start.ticks() as i64;
                }
                _ => {}
            }
        }
    }

    fn reward(&mut self, setup: &Setup) -> f64 {
        if !self.done && !setup.per_step {
            return 0.0;
        }
        if setup.reward == Reward::Utilisation {
            let capacity = self.finish.ticks() as f64 * f64::from(setup.processors);
            return if capacity > 0.0 { self.work / capacity } else { 0.0 };
        }
        let new = self.sum - self.told;
        self.told = self.sum;
        -new / setup.length as f64
    }

    /// The jobs that wait, in the order of their arrival, and how many the window shows.
    fn observe(&self, setup: &Setup, rows: &mut [f32], mask: &mut [bool]) -> usize {
        rows.fill(0.0);
        mask.fill(false);
        if self.done {
            return 0;
        }
        let (now, machine) = (self.run.now(), self.run.machine());
        let all = setup.processors as f32;
        let free = machine.processors() - machine.held();
        let waiting = self.run.waiting();
        let hidden = waiting.len().saturating_sub(setup.window) as f32;
        let shown = waiting.len().min(setup.window);
        let rows = rows.chunks_exact_mut(setup.columns);
        for ((job, row), known) in waiting.zip(rows).zip(mask) {
            let wait = (now.ticks() - job.submit.ticks()) as f32;
            let requested = job.requested.unwrap_or(job.run).ticks() as f32;
            let columns: [f32; COLUMNS] = [
                wait / (wait + HALF_WAIT),
                (requested / setup.longest).min(1.0),
                job.processors as f32 / all,
                f32::from(u8::from(job.processors <= free)),
                requested / (wait + requested).max(1.0),
                free as f32 / all,
                hidden / (hidden + setup.window as f32),
                1.0,
            ];
            row.copy_from_slice(&columns[..setup.columns]);
            *known = true;
        }
        shown
    }
}

/// Environments that are stepped together.
#[pyclass(module = "locox")]
pub(crate) struct Environments {
    setup: Setup,
    all: Vec<Environment>,
}

#[pymethods]
impl Environments {
    #[new]
    #[pyo3(signature = (workload, *, count, processors, length, window, columns, queue, reward, per_step))]
    fn new(
        workload: &Workload,
        count: usize,
        processors: Option<u32>,
        length: usize,
        window: usize,
        columns: usize,
        queue: &str,
        reward: &str,
        per_step: bool,
    ) -> PyResult<Self> {
        let workload = Arc::clone(&workload.all);
        if processors == Some(0) {
            return Err(value("processors is 0; it must be at least 1"));
        }
        let processors = processors.or(workload.processors).filter(|&it| it > 0);
        let processors = processors.ok_or_else(|| {
            value("the workload does not say how many processors there are; give processors=")
        })?;
        if length == 0 || length > workload.jobs.len() {
            let most = workload.jobs.len();
            return Err(value(format!(
                "jobs is {length}; the workload has {most}, give 1 to {most}"
            )));
        }
        if let Some(job) = workload.jobs.iter().find(|job| job.processors > processors) {
            let (id, size) = (job.id, job.processors);
            return Err(value(format!(
                "job {id} asks for {size} of {processors} processors; leave it out"
            )));
        }
        for (name, number) in [("window", window), ("the number of environments", count)] {
            if !(1..=MOST).contains(&number) {
                return Err(value(format!("{name} is {number}; it can be 1 to {MOST}")));
            }
        }
        let queue = match queue {
            "none" => QueueKind::Fcfs,
            "easy" => QueueKind::Easy,
            _ => return Err(value(format!("backfilling is {queue:?}; it can be none or easy"))),
        };
        let reward = match reward {
            "bounded_slowdown" => Reward::BoundedSlowdown,
            "wait" => Reward::Wait,
            "utilisation" if per_step => {
                return Err(value("utilisation is known at the end alone; leave per_step out"));
            }
            "utilisation" => Reward::Utilisation,
            _ => {
                return Err(value(format!(
                    "reward is {reward:?}; it can be bounded_slowdown, wait or utilisation"
                )));
            }
        };
        let requested = |job: &Job| job.requested.unwrap_or(job.run).ticks();
        let longest = workload.jobs.iter().map(requested).max().unwrap_or(0).max(1) as f32;
        let columns = columns.clamp(1, COLUMNS);
        let setup = Setup {
            workload,
            processors,
            length,
            window,
            columns,
            queue,
            reward,
            per_step,
            longest,
        };
        let all = (0..count as u64).map(|seed| Environment::new(&setup, seed)).collect();
        Ok(Self { setup, all })
    }

    /// From now on the environment draws its sequences by this seed.
    fn seed(&mut self, index: usize, seed: u64) -> PyResult<()> {
        self.at(index)?.random = stream(seed, "sequences", 0);
        Ok(())
    }

    /// The environment begins with the sequence whose first job is this one, or with one that it draws.
    #[pyo3(signature = (index, first=None))]
    fn reset(&mut self, index: usize, first: Option<usize>) -> PyResult<()> {
        let last = self.setup.workload.jobs.len() - self.setup.length;
        if let Some(first) = first.filter(|&first| first > last) {
            return Err(value(format!(
                "start is {first}; a sequence can start at job 0 to {last}"
            )));
        }
        self.at(index)?;
        self.all[index].reset(&self.setup, first)
    }

    /// Each environment takes its action. Those that are done begin anew in place of it.
    fn step(
        &mut self,
        py: Python<'_>,
        actions: PyReadonlyArray1<'_, i64>,
        mut rewards: PyReadwriteArray1<'_, f64>,
        mut done: PyReadwriteArray1<'_, bool>,
    ) -> PyResult<()> {
        let (actions, rewards) = (actions.as_slice()?, rewards.as_slice_mut()?);
        let done = done.as_slice_mut()?;
        let count = self.all.len();
        if actions.len() != count || rewards.len() != count || done.len() != count {
            return Err(value(format!("{} actions for {count} environments", actions.len())));
        }
        let Self { setup, all } = self;
        py.detach(|| {
            for (at, environment) in all.iter_mut().enumerate() {
                rewards[at] = environment.step(setup, actions[at])?;
                done[at] = environment.done;
            }
            Ok(())
        })
    }

    /// Writes what each environment shows; how many jobs that are.
    fn observe(
        &self,
        py: Python<'_>,
        mut rows: PyReadwriteArray3<'_, f32>,
        mut mask: PyReadwriteArray2<'_, bool>,
        mut shown: PyReadwriteArray1<'_, i64>,
    ) -> PyResult<()> {
        let (rows, mask) = (rows.as_slice_mut()?, mask.as_slice_mut()?);
        let shown = shown.as_slice_mut()?;
        let Setup { window, columns, .. } = self.setup;
        let count = self.all.len();
        let fits = rows.len() == count * window * columns
            && mask.len() == count * window
            && shown.len() == count;
        if !fits {
            return Err(value("a buffer has another shape"));
        }
        py.detach(|| {
            let rows = rows.chunks_exact_mut(window * columns);
            let each = self.all.iter().zip(rows).zip(mask.chunks_exact_mut(window));
            for (((environment, rows), mask), shown) in each.zip(shown) {
                *shown = environment.observe(&self.setup, rows, mask) as i64;
            }
        });
        Ok(())
    }

    /// When each job of the sequence started, from its first arrival; -1 of those that did not yet.
    fn starts<'py>(&self, py: Python<'py>, index: usize) -> PyResult<Bound<'py, PyArray1<i64>>> {
        let environment =
            self.all.get(index).ok_or_else(|| value("there is no such environment"))?;
        Ok(PyArray1::from_slice(py, &environment.starts))
    }

    /// What the environment's time is.
    fn now(&self, index: usize) -> PyResult<u64> {
        let environment =
            self.all.get(index).ok_or_else(|| value("there is no such environment"))?;
        Ok(environment.run.now().ticks())
    }
}

impl Environments {
    fn at(&mut self, index: usize) -> PyResult<&mut Environment> {
        self.all.get_mut(index).ok_or_else(|| value("there is no such environment"))
    }
}

//! Sequences of jobs in which somebody else says who is next: the inside of `locox.gym`.

mod environment;
mod episode;
mod image;
mod observation;
mod reward;
mod sequence;
mod setup;
mod shown;
mod waiting;

use crate::argument::{self, Given, Width};
use crate::error::value;
use crate::number::Wide;
use crate::workload::Workload;
use environment::{Environment, State};
use numpy::{PyArray2, PyReadonlyArray1};
use observation::Observation;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use reward::Reward;
use setup::Setup;
use shown::{Many, One, Views};
use std::sync::{Arc, Mutex, MutexGuard, TryLockError};

/// Environments that are stepped together.
///
/// - `shared` has arrays that each call writes anew; without it each yields arrays of its own.
#[pyclass(frozen, module = "locox")]
pub(crate) struct Environments {
    setup: Setup,
    observation: Observation,
    all: Mutex<Vec<Environment>>,
    shared: Option<Py<PyTuple>>,
}

#[pymethods]
impl Environments {
    #[new]
    #[pyo3(signature = (
        workload, count, *, processors=None, jobs=256.into(), window=128.into(), observation="full".into(), backfilling="none".into(),
        reward="bounded_slowdown".into(), per_step=false, strict=false, copy=true
    ))]
    fn new(
        py: Python<'_>,
        workload: Given<'_, Workload>,
        #[pyo3(from_py_with = argument::num_envs)] count: Wide,
        processors: Option<Width>,
        #[pyo3(from_py_with = argument::episode)] jobs: Wide,
        #[pyo3(from_py_with = argument::window)] window: Wide,
        #[pyo3(from_py_with = argument::observation)] observation: String,
        #[pyo3(from_py_with = argument::backfilling)] backfilling: String,
        #[pyo3(from_py_with = argument::reward)] reward: String,
        #[pyo3(from_py_with = argument::per_step)] per_step: bool,
        #[pyo3(from_py_with = argument::strict)] strict: bool,
        #[pyo3(from_py_with = argument::copy)] copy: bool,
    ) -> PyResult<Self> {
        let workload = Arc::clone(&workload.0.get().all);
        let processors = setup::processors(&workload, processors.map(|it| it.0))?;
        let observation = Observation::named(&observation, &workload)?;
        let setup = Setup {
            length: setup::length(&workload, &jobs)?,
            window: setup::bounded("window", &window, setup::MOST)?,
            queue: setup::queue(&backfilling)?,
            reward: Reward::named(&reward, per_step)?,
            processors,
            strict,
            workload,
        };
        setup::all_fit(&setup.workload, processors)?;
        let count = setup::bounded("the number of environments", &count, setup::MOST)?;
        let arrays = || shown::arrays(py, &setup, &observation, count).into_pyobject(py);
        let shared = if copy { None } else { Some(arrays()?.unbind()) };
        let all = Mutex::new((0..count).map(|_| Environment::default()).collect());
        Ok(Self { setup, observation, all, shared })
    }

    /// The shape of an observation of one of them.
    #[getter]
    fn shape(&self) -> Vec<usize> {
        self.observation.shape(self.setup.window)
    }

    /// The number of actions.
    #[getter]
    fn window(&self) -> usize {
        self.setup.window
    }

    /// Each begins with the sequence that starts at this job, or with one that it draws, by a new seed if it
    /// gets one.
    fn reset(
        &self,
        seeds: Vec<Option<u64>>,
        starts: Vec<Option<Bound<'_, PyAny>>>,
    ) -> PyResult<()> {
        let mut all = self.lock()?;
        let start = |start: &Option<Bound<'_, PyAny>>| {
            start.as_ref().map(|start| self.setup.start_given(start)).transpose()
        };
        let starts: Vec<Option<usize>> = starts.iter().map(start).collect::<PyResult<_>>()?;
        for ((one, seed), start) in all.iter_mut().zip(seeds).zip(starts) {
            seed.into_iter().for_each(|seed| one.seed(seed));
            one.reset(&self.setup, start)?;
        }
        Ok(())
    }

    /// Each takes its action. Those that are done begin anew in place of it.
    fn step<'py>(
        &self,
        py: Python<'py>,
        actions: PyReadonlyArray1<'py, i64>,
    ) -> PyResult<Many<'py>> {
        let actions = actions.as_array().to_vec();
        let all = &mut *self.lock()?;
        if actions.len() != all.len() {
            return Err(value!("{} actions for {} environments", actions.len(), all.len()));
        }
        let mut steps = Vec::with_capacity(all.len());
        for (one, &action) in all.iter().zip(&actions) {
            begun(py, one)?;
            steps.push(one.nth(&self.setup, action)?);
        }
        self.look(py, all.len(), |views| {
            for (at, (one, nth)) in all.iter_mut().zip(steps).enumerate() {
                views.rewards[at] = one.step(&self.setup, nth)?;
            }
            views.write(&self.setup, &self.observation, all);
            Ok(())
        })
    }

    /// What each shows: as a step yields it, and the rewards are zero.
    fn show<'py>(&self, py: Python<'py>) -> PyResult<Many<'py>> {
        let all = &*self.lock()?;
        self.look(py, all.len(), |views| {
            views.rewards.fill(0.0);
            views.write(&self.setup, &self.observation, all);
            Ok(())
        })
    }

    /// A step of the only one.
    fn step_one<'py>(&self, py: Python<'py>, action: i64) -> PyResult<One<'py>> {
        let mut all = self.lock()?;
        let one = all.first_mut().ok_or_else(|| value!("there is no environment"))?;
        begun(py, one)?;
        if one.episode.as_ref().is_some_and(|episode| episode.done) {
            return Err(reset_needed(py, "the episode has ended; call reset()"));
        }
        let nth = one.nth(&self.setup, action)?;
        let reward = one.step(&self.setup, nth)?;
        shown::one(py, &self.setup, &self.observation, one, reward)
    }

    /// What the only one shows.
    fn show_one<'py>(&self, py: Python<'py>) -> PyResult<One<'py>> {
        let all = self.lock()?;
        let one = all.first().ok_or_else(|| value!("there is no environment"))?;
        shown::one(py, &self.setup, &self.observation, one, 0.0)
    }

    /// Which actions are jobs, of each.
    fn masks<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<bool>>> {
        let all = self.lock()?;
        shown::masks(py, &self.setup, &all)
    }

    /// When each job of each sequence started, from its first arrival; -1 of those that did not yet.
    fn starts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<i64>>> {
        let all = self.lock()?;
        let none = || vec![-1; self.setup.length];
        let starts =
            |one: &Environment| one.episode.as_ref().map_or_else(none, |it| it.starts.clone());
        Ok(PyArray2::from_vec2(py, &all.iter().map(starts).collect::<Vec<_>>())?)
    }

    /// What they can be made of again, beside what they were made with.
    fn state(&self) -> PyResult<Vec<State>> {
        Ok(self.lock()?.iter().map(Environment::state).collect())
    }

    /// They become what they were when they were asked for their state. Takes as long as their episodes took.
    fn restore(&self, states: Vec<State>) -> PyResult<()> {
        let mut all = self.lock()?;
        if states.len() != all.len() {
            return Err(value!("{} states for {} environments", states.len(), all.len()));
        }
        let of = |state| Environment::of(&self.setup, state);
        *all = states.into_iter().map(of).collect::<PyResult<_>>()?;
        Ok(())
    }
}

impl Environments {
    /// # Errors
    ///
    /// `RuntimeError` if another thread has them.
    fn lock(&self) -> PyResult<MutexGuard<'_, Vec<Environment>>> {
        self.all.try_lock().map_err(|fault| {
            PyRuntimeError::new_err(match fault {
                TryLockError::WouldBlock => {
                    "another thread uses this environment; give each thread its own"
                }
                TryLockError::Poisoned(_) => "an earlier call failed; make another environment",
            })
        })
    }

    /// Lets somebody write into arrays; the arrays.
    fn look<'py>(
        &self,
        py: Python<'py>,
        count: usize,
        write: impl FnOnce(&mut Views<'_>) -> PyResult<()> + Send,
    ) -> PyResult<Many<'py>> {
        let arrays = match &self.shared {
            Some(shared) => shared.bind(py).extract()?,
            None => shown::arrays(py, &self.setup, &self.observation, count),
        };
        shown::fill(py, &arrays, write)?;
        Ok(arrays)
    }
}

/// # Errors
///
/// Gymnasium's `ResetNeeded` before the first reset.
fn begun(py: Python<'_>, one: &Environment) -> PyResult<()> {
    match one.episode {
        Some(_) => Ok(()),
        None => Err(reset_needed(py, "nothing has begun; call reset() before step()")),
    }
}

fn reset_needed(py: Python<'_>, text: &str) -> PyErr {
    let kind = py.import("gymnasium.error").and_then(|module| module.getattr("ResetNeeded"));
    match kind.and_then(|kind| kind.call1((text,))) {
        Ok(fault) => PyErr::from_value(fault),
        Err(fault) => fault,
    }
}

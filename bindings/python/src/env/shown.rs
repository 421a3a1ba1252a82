//! What environments show, in arrays of numpy.

use super::environment::Environment;
use super::observation::Observation;
use super::setup::Setup;
use crate::error::value;
use numpy::ndarray::{Array, Dimension, Ix1, Ix2, IxDyn};
use numpy::{PyArray, PyArray1, PyArray2, PyArrayDyn, PyArrayMethods, PyReadwriteArray};
use pyo3::prelude::*;

/// What a step of one environment yields: observation, reward, whether it is done, mask, how many jobs its
/// window shows.
pub(super) type One<'py> =
    (Bound<'py, PyArrayDyn<f32>>, f64, bool, Bound<'py, PyArray1<bool>>, usize);

/// The same of many.
pub(super) type Many<'py> = (
    Bound<'py, PyArrayDyn<f32>>,
    Bound<'py, PyArray1<f64>>,
    Bound<'py, PyArray1<bool>>,
    Bound<'py, PyArray2<bool>>,
    Bound<'py, PyArray1<i64>>,
);

/// What is in these arrays.
pub(super) struct Views<'a> {
    pub(super) observations: &'a mut [f32],
    pub(super) rewards: &'a mut [f64],
    pub(super) done: &'a mut [bool],
    pub(super) masks: &'a mut [bool],
    pub(super) waiting: &'a mut [i64],
}

/// Arrays for so many environments.
pub(super) fn arrays<'py>(
    py: Python<'py>,
    setup: &Setup,
    observation: &Observation,
    count: usize,
) -> Many<'py> {
    let mut shape = observation.shape(setup.window);
    shape.insert(0, count);
    let observations = zeros(py, IxDyn(&shape));
    let masks = zeros(py, Ix2(count, setup.window));
    (observations, zeros(py, Ix1(count)), zeros(py, Ix1(count)), masks, zeros(py, Ix1(count)))
}

/// Lets somebody write into arrays without the lock of the interpreter.
///
/// # Errors
///
/// `ValueError` if the caller has made one unwritable, and those of `write`.
pub(super) fn fill(
    py: Python<'_>,
    (observations, rewards, done, masks, waiting): &Many<'_>,
    write: impl FnOnce(&mut Views<'_>) -> PyResult<()> + Send,
) -> PyResult<()> {
    let mut observations = writable(observations)?;
    let mut rewards = writable(rewards)?;
    let mut done = writable(done)?;
    let mut masks = writable(masks)?;
    let mut waiting = writable(waiting)?;
    let mut views = Views {
        observations: observations.as_slice_mut()?,
        rewards: rewards.as_slice_mut()?,
        done: done.as_slice_mut()?,
        masks: masks.as_slice_mut()?,
        waiting: waiting.as_slice_mut()?,
    };
    py.detach(|| write(&mut views))
}

/// In memory of ours: numpy's own zeros let go of the interpreter, and a thread that is ended there, as the
/// interpreter ends, takes the process with it.
fn zeros<T: numpy::Element + Default, D: Dimension>(
    py: Python<'_>,
    shape: D,
) -> Bound<'_, PyArray<T, D>> {
    PyArray::from_owned_array(py, Array::default(shape))
}

fn writable<'py, T: numpy::Element, D: Dimension>(
    array: &Bound<'py, PyArray<T, D>>,
) -> PyResult<PyReadwriteArray<'py, T, D>> {
    array
        .try_readwrite()
        .map_err(|_| value!("a buffer of the environment cannot be written; leave it as it is"))
}

impl Views<'_> {
    /// What these environments show.
    pub(super) fn write(&mut self, setup: &Setup, observation: &Observation, all: &[Environment]) {
        let size = self.observations.len() / all.len();
        let observations = self.observations.chunks_exact_mut(size);
        let masks = self.masks.chunks_exact_mut(setup.window);
        for (at, ((one, out), mask)) in all.iter().zip(observations).zip(masks).enumerate() {
            let Some(episode) = &one.episode else { continue };
            observation.write(setup, episode, out);
            let shown = episode.shown(setup);
            mask[..shown].fill(true);
            mask[shown..].fill(false);
            self.waiting[at] = shown as i64;
            self.done[at] = episode.done;
        }
    }
}

/// What one environment shows, after a step with this reward.
pub(super) fn one<'py>(
    py: Python<'py>,
    setup: &Setup,
    observation: &Observation,
    one: &Environment,
    reward: f64,
) -> PyResult<One<'py>> {
    let array = zeros(py, IxDyn(&observation.shape(setup.window)));
    let mask = zeros(py, Ix1(setup.window));
    let (mut done, mut shown) = (false, 0);
    if let Some(episode) = &one.episode {
        observation.write(setup, episode, writable(&array)?.as_slice_mut()?);
        (done, shown) = (episode.done, episode.shown(setup));
        writable(&mask)?.as_slice_mut()?[..shown].fill(true);
    }
    Ok((array, reward, done, mask, shown))
}

/// Which actions are jobs, of each environment.
pub(super) fn masks<'py>(
    py: Python<'py>,
    setup: &Setup,
    all: &[Environment],
) -> PyResult<Bound<'py, PyArray2<bool>>> {
    let masks = zeros(py, Ix2(all.len(), setup.window));
    for (one, mask) in
        all.iter().zip(writable(&masks)?.as_slice_mut()?.chunks_exact_mut(setup.window))
    {
        let shown = one.episode.as_ref().map_or(0, |episode| episode.shown(setup));
        mask[..shown].fill(true);
    }
    Ok(masks)
}

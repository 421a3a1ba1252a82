//! One environment: one episode after the other.

use super::episode::Episode;
use super::setup::Setup;
use crate::error::value;
use pyo3::prelude::*;

/// What an environment can be made of again: seed, episodes drawn, and the present one by its first job
/// and the choices in it.
pub(super) type State = (u64, u64, Option<(usize, Vec<u32>)>);

/// - `drawn` counts the episodes drawn under this seed.
#[derive(Default)]
pub(super) struct Environment {
    seed: u64,
    drawn: u64,
    pub(super) episode: Option<Episode>,
}

impl Environment {
    /// From now on sequences are drawn by this seed.
    pub(super) fn seed(&mut self, seed: u64) {
        (self.seed, self.drawn) = (seed, 0);
    }

    /// Begins with this job, or with one that is drawn.
    pub(super) fn reset(&mut self, setup: &Setup, first: Option<usize>) -> PyResult<()> {
        let first = first.unwrap_or_else(|| {
            self.drawn += 1;
            setup.draw(self.seed, self.drawn)
        });
        self.episode = Some(Episode::new(setup, first)?);
        Ok(())
    }

    /// One whose episode is over begins anew, and its reward is zero.
    pub(super) fn step(&mut self, setup: &Setup, nth: usize) -> PyResult<f64> {
        match &mut self.episode {
            Some(episode) if !episode.done => episode.choose(setup, nth),
            _ => self.reset(setup, None).map(|()| 0.0),
        }
    }

    /// Whether an action is one, as a number of a job in the window.
    ///
    /// # Errors
    ///
    /// `ValueError` beyond the window or, if `strict`, where no job waits in a running episode.
    pub(super) fn nth(&self, setup: &Setup, action: i64) -> PyResult<usize> {
        let window = setup.window;
        let nth = usize::try_from(action).ok().filter(|&nth| nth < window);
        let nth =
            nth.ok_or_else(|| value!("the action is {action}; it can be 0 to {}", window - 1))?;
        let running = self.episode.as_ref().filter(|episode| !episode.done);
        let shown = running.map_or(window, |episode| episode.shown(setup));
        if setup.strict && nth >= shown {
            return Err(value!(
                "the action is {action}, which action_mask rules out: {shown} jobs wait"
            ));
        }
        Ok(nth)
    }

    pub(super) fn state(&self) -> State {
        let episode = self.episode.as_ref();
        let choices = episode.map(|episode| (episode.first, episode.choices.clone()));
        (self.seed, self.drawn, choices)
    }

    /// The environment of this state: its episode is run once more.
    pub(super) fn of(setup: &Setup, (seed, drawn, episode): State) -> PyResult<Self> {
        let Some((first, choices)) = episode else {
            return Ok(Self { seed, drawn, episode: None });
        };
        let mut episode = Episode::new(setup, setup.start(first as i64)?)?;
        for nth in choices {
            episode.choose(setup, nth as usize)?;
        }
        Ok(Self { seed, drawn, episode: Some(episode) })
    }
}

//! What all environments have in common.

use super::reward::Reward;
use crate::error::value;
use crate::number::{Wide, shown};
use locox_models::replay::{Decisions, QueueKind};
use locox_models::streams::stream;
use locox_models::swf::MOST_PROCESSORS;
use locox_models::workload::{Job, Workload};
use pyo3::exceptions::PyOverflowError;
use pyo3::prelude::*;
use rand::RngExt;
use std::fmt::Display;
use std::sync::Arc;

/// The widest window, and the most environments.
pub(super) const MOST: usize = 65_536;

/// - `strict` forbids actions that are no job.
pub(super) struct Setup {
    pub(super) workload: Arc<Workload>,
    pub(super) processors: u32,
    pub(super) length: usize,
    pub(super) window: usize,
    pub(super) queue: QueueKind,
    pub(super) reward: Reward,
    pub(super) strict: bool,
}

impl Setup {
    /// The number of the first job of an episode. An episode under a seed is always the same.
    pub(super) fn draw(&self, seed: u64, episode: u64) -> usize {
        stream(seed, "sequences", episode).random_range(0..=self.last())
    }

    /// The last job with which a sequence can begin.
    pub(super) fn last(&self) -> usize {
        self.workload.jobs.len() - self.length
    }

    /// # Errors
    ///
    /// `ValueError` if no sequence can begin with this job.
    pub(super) fn start(&self, start: i64) -> PyResult<usize> {
        let first = usize::try_from(start).ok().filter(|&first| first <= self.last());
        first.ok_or_else(|| self.no_start(&start))
    }

    /// As [`Setup::start`], of any number.
    ///
    /// # Errors
    ///
    /// Also what its conversion raises.
    pub(super) fn start_given(&self, start: &Bound<'_, PyAny>) -> PyResult<usize> {
        match start.extract() {
            Ok(number) => self.start(number),
            Err(raised) if raised.is_instance_of::<PyOverflowError>(start.py()) => {
                Err(self.no_start(&shown(start)))
            }
            Err(raised) => Err(raised),
        }
    }

    fn no_start(&self, start: &dyn Display) -> PyErr {
        let last = self.last();
        value!("start is {start}; a sequence can start at job 0 to {last}")
    }

    /// Where nobody is passed, arrivals come before ends, as they do in RLScheduler. Who plans counts on
    /// what was requested.
    pub(super) fn decisions(&self) -> Decisions {
        match self.queue {
            QueueKind::Fcfs => Decisions::ArrivalsFirst,
            other => other.decisions(),
        }
    }
}

/// # Errors
///
/// `ValueError` if the workload does not know it and it was not given, or no machine has so many.
pub(super) fn processors(workload: &Workload, given: Option<Wide>) -> PyResult<u32> {
    let processors = given.or(workload.processors.map(Wide::from)).ok_or_else(|| {
        value!("the workload does not say how many processors there are; give processors=")
    })?;
    Ok(bounded("processors", &processors, MOST_PROCESSORS as usize)? as u32)
}

/// # Errors
///
/// `ValueError` if one is too large.
pub(super) fn all_fit(workload: &Workload, processors: u32) -> PyResult<()> {
    match workload.jobs.iter().find(|job| job.processors > processors) {
        None => Ok(()),
        Some(Job { id, processors: size, .. }) => {
            Err(value!("job {id} asks for {size} of {processors} processors; leave it out"))
        }
    }
}

pub(super) fn length(workload: &Workload, jobs: &Wide) -> PyResult<usize> {
    let most = workload.jobs.len();
    jobs.up_to(most).ok_or_else(|| match most {
        0 => value!("the workload has no jobs; give one that has"),
        _ => value!("jobs is {jobs}; the workload has {most}, give 1 to {most}"),
    })
}

pub(super) fn bounded(name: &str, number: &Wide, most: usize) -> PyResult<usize> {
    let bounded = number.up_to(most);
    bounded.ok_or_else(|| value!("{name} is {number}; it can be 1 to {most}"))
}

pub(super) fn queue(backfilling: &str) -> PyResult<QueueKind> {
    match backfilling {
        "none" => Ok(QueueKind::Fcfs),
        "easy" => Ok(QueueKind::Easy),
        other => Err(value!("backfilling is {other:?}; it can be none or easy")),
    }
}

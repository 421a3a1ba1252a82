//! Where the jobs come from: a trace, or a model.

use super::{Drawn, Reason};
use crate::cli::MachineSpec;
use locox_models::workload::Workload;
use locox_models::workload::lublin::Lublin;
use locox_models::workload::synthetic::Synthetic;
use locox_models::workload::weeks::Weeks;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::ops::RangeInclusive;

/// Jobs for a machine, as often as wanted.
#[derive(Clone, Debug)]
pub struct Source {
    pub name: String,
    /// What to call it in errors: the file.
    pub origin: String,
    pub machine: MachineSpec,
    pub jobs: Jobs,
}

#[derive(Clone, Debug)]
pub enum Jobs {
    /// What was recorded.
    Trace(Workload),
    Lublin(Lublin),
    Synthetic(Synthetic),
}

impl Jobs {
    /// How many a draw has, about.
    pub fn count(&self) -> usize {
        match self {
            Self::Trace(trace) => trace.jobs.len(),
            Self::Lublin(recipe) => recipe.jobs,
            Self::Synthetic(recipe) => recipe.jobs,
        }
    }
}

/// A trace has to have so many weeks, or how they differ cannot be told.
pub const FEWEST_WEEKS: usize = 8;

impl Source {
    pub fn is_trace(&self) -> bool {
        matches!(self.jobs, Jobs::Trace(_))
    }

    pub fn is_lublin(&self) -> bool {
        matches!(self.jobs, Jobs::Lublin(_))
    }

    /// How many jobs what is compared has, about: those of the whole weeks of a trace, or of a replication.
    pub fn jobs_compared(&self) -> usize {
        match &self.jobs {
            Jobs::Trace(trace) => recorded(trace).jobs.len(),
            model => model.count(),
        }
    }

    /// Whole weeks of a trace, if they are drawn.
    pub fn weeks(&self) -> Option<usize> {
        let Jobs::Trace(trace) = &self.jobs else { return None };
        self.has_weeks().then(|| Weeks::of(trace).count())
    }

    /// Whether its weeks can be drawn.
    pub fn has_weeks(&self) -> bool {
        matches!(&self.jobs, Jobs::Trace(trace) if Weeks::of(trace).count() >= FEWEST_WEEKS)
    }

    /// What its draws are, or why nothing is drawn.
    pub fn drawn(&self) -> Result<Drawn, Reason> {
        let Jobs::Trace(trace) = &self.jobs else { return Ok(Drawn::Replications) };
        let weeks = Weeks::of(trace);
        match weeks.count() {
            count if count < FEWEST_WEEKS => Err(Reason::TooShort),
            _ if weeks.hang_together() => Err(Reason::OrderMatters),
            count => Ok(Drawn::Weeks(count)),
        }
    }

    /// The draws to run: of a trace the recorded one, 0, and `seeds` of its weeks; of a model
    /// `seeds` replications.
    pub fn draws(&self, seeds: u64) -> RangeInclusive<u64> {
        match self.drawn() {
            Err(Reason::TooShort) => 0..=0,
            Ok(Drawn::Replications) => 1..=seeds,
            _ => 0..=seeds,
        }
    }

    /// The offered load of what was recorded; `None` of models.
    pub fn recorded_load(&self) -> Option<f64> {
        match &self.jobs {
            Jobs::Trace(trace) => trace.offered_load(self.machine.processors()),
            _ => None,
        }
    }

    /// One draw, at an offered load of `load`, or as it comes. All draws of a trace are scaled by
    /// one factor, so that their weeks differ in load as those recorded; each replication of a
    /// model by its own.
    ///
    /// # Errors
    ///
    /// Why the model has no jobs, or they cannot be scaled.
    pub fn draw(&self, load: Option<f64>, seed: u64, draw: u64) -> Result<Workload, String> {
        let mut workload = match &self.jobs {
            Jobs::Trace(trace) if draw == 0 => recorded(trace),
            Jobs::Trace(trace) => Weeks::of(trace).resampled(seed, draw),
            Jobs::Lublin(recipe) => {
                recipe.generate(seed, draw).map_err(|error| error.to_string())?
            }
            Jobs::Synthetic(recipe) => {
                recipe.generate(seed, draw).map_err(|error| error.to_string())?
            }
        };
        let Some(load) = load else { return Ok(workload) };
        let offered = self.recorded_load().or(workload.offered_load(self.machine.processors()));
        let factor = load / offered.ok_or("all jobs arrive at once, so that they have no load")?;
        let scaled = workload.scale_load(factor);
        scaled.map_err(|_| format!("the jobs cannot be scaled to a load of {load}"))?;
        Ok(workload)
    }

    /// A number that other jobs, or another machine, do not have.
    pub fn digest(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.machine.to_string().hash(&mut hasher);
        match &self.jobs {
            Jobs::Trace(trace) => {
                for job in &trace.jobs {
                    let requested = job.requested.map(|requested| requested.ticks());
                    (job.submit.ticks(), job.processors, job.run.ticks(), requested, job.user)
                        .hash(&mut hasher);
                }
            }
            model => format!("{model:?}").hash(&mut hasher),
        }
        hasher.finish()
    }
}

/// What was recorded, as long as what is drawn: its whole weeks, or all of it if they are too few.
fn recorded(trace: &Workload) -> Workload {
    let weeks = Weeks::of(trace);
    if weeks.count() < FEWEST_WEEKS { trace.clone() } else { weeks.whole() }
}

//! Where the jobs come from: a trace, or a model.

use super::{Drawn, Reason};
use crate::cli::MachineSpec;
use locox_models::compare::trace;
use locox_models::managed::Users;
use locox_models::workload::Workload;
use locox_models::workload::lublin::Lublin;
use locox_models::workload::synthetic::Synthetic;
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
    /// So many jobs, for as many days as they need.
    Users(Users, usize),
}

impl Jobs {
    /// How many a draw has, about.
    pub fn count(&self) -> usize {
        match self {
            Self::Trace(trace) => trace.jobs.len(),
            Self::Lublin(recipe) => recipe.jobs,
            Self::Synthetic(recipe) => recipe.jobs,
            Self::Users(_, jobs) => *jobs,
        }
    }
}

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
            Jobs::Trace(recorded) => trace::draw(recorded, 0, 0).jobs.len(),
            model => model.count(),
        }
    }

    /// Whole weeks of a trace, if they are drawn.
    pub fn weeks(&self) -> Option<usize> {
        let Jobs::Trace(recorded) = &self.jobs else { return None };
        trace::weeks(recorded)
    }

    /// Whether its weeks can be drawn.
    pub fn has_weeks(&self) -> bool {
        self.weeks().is_some()
    }

    /// What its draws are, or why nothing is drawn.
    pub fn drawn(&self) -> Result<Drawn, Reason> {
        let Jobs::Trace(recorded) = &self.jobs else { return Ok(Drawn::Replications) };
        trace::drawn(recorded)
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

    /// One draw, at an offered load of `load`, or as it comes.
    ///
    /// # Errors
    ///
    /// Why the model has no jobs, or they cannot be scaled.
    pub fn draw(&self, load: Option<f64>, seed: u64, draw: u64) -> Result<Workload, String> {
        let mut workload = match &self.jobs {
            Jobs::Trace(recorded) => trace::draw(recorded, seed, draw),
            Jobs::Lublin(recipe) => {
                recipe.generate(seed, draw).map_err(|error| error.to_string())?
            }
            Jobs::Synthetic(recipe) => {
                recipe.generate(seed, draw).map_err(|error| error.to_string())?
            }
            Jobs::Users(users, jobs) => first(*users, *jobs, seed, draw),
        };
        let Some(load) = load else { return Ok(workload) };
        let recorded = match &self.jobs {
            Jobs::Trace(recorded) => Some(recorded),
            _ => None,
        };
        trace::scale(&mut workload, recorded, (load, self.machine.processors()))?;
        Ok(workload)
    }

    /// A number that other jobs, or another machine, do not have.
    pub fn digest(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.machine.hash(&mut hasher);
        match &self.jobs {
            Jobs::Trace(recorded) => trace::hash(recorded, &mut hasher),
            model => format!("{model:?}").hash(&mut hasher),
        }
        hasher.finish()
    }
}

/// The first jobs of users.
fn first(mut users: Users, jobs: usize, seed: u64, draw: u64) -> Workload {
    loop {
        let mut workload = users.workload(seed, draw);
        if workload.jobs.len() >= jobs {
            workload.jobs.truncate(jobs);
            return workload;
        }
        users.days *= 2;
    }
}

//! What an agent is told about its choices.

use crate::error::value;
use locox::time::{Duration, Instant};
use locox_models::replay::JobRecord;
use pyo3::prelude::*;

/// Run times below this count as this in a bounded slowdown.
const BOUND: Duration = Duration::from_ticks(10);

/// What is rewarded, and whether in parts as jobs start.
#[derive(Clone, Copy)]
pub(super) struct Reward {
    figure: Figure,
    per_step: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Figure {
    BoundedSlowdown,
    Wait,
    Utilisation,
}

/// What has come of an episode up to now.
///
/// - `told` is the part of `sum` that rewards have told.
#[derive(Default)]
pub(super) struct Tally {
    sum: f64,
    told: f64,
    work: f64,
    finish: Instant,
}

impl Reward {
    pub(super) fn named(name: &str, per_step: bool) -> PyResult<Self> {
        let figure = match name {
            "bounded_slowdown" => Figure::BoundedSlowdown,
            "wait" => Figure::Wait,
            "utilisation" if per_step => {
                Err(value!("utilisation is known at the end alone; leave per_step out"))?
            }
            "utilisation" => Figure::Utilisation,
            _ => {
                Err(value!("reward is {name:?}; it can be bounded_slowdown, wait or utilisation"))?
            }
        };
        Ok(Self { figure, per_step })
    }
}

impl Tally {
    /// A job starts.
    pub(super) fn add(&mut self, reward: Reward, record: &JobRecord) {
        self.sum += match reward.figure {
            Figure::BoundedSlowdown => record.bounded_slowdown(BOUND),
            Figure::Wait => record.wait() as f64,
            Figure::Utilisation => 0.0,
        };
        self.work += f64::from(record.processors) * record.run() as f64;
        self.finish = self.finish.max(record.finish);
    }

    /// The reward of a step of an episode of so many jobs.
    pub(super) fn reward(
        &mut self,
        reward: Reward,
        done: bool,
        jobs: usize,
        processors: u32,
    ) -> f64 {
        if !done && !reward.per_step {
            return 0.0;
        }
        if reward.figure == Figure::Utilisation {
            let capacity = self.finish.ticks() as f64 * f64::from(processors);
            return if capacity > 0.0 { self.work / capacity } else { 0.0 };
        }
        let new = self.told - self.sum;
        self.told = self.sum;
        new / jobs as f64
    }
}

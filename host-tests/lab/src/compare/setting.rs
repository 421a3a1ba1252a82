//! What was found of the jobs of one source at one load.

use super::{Drawn, Effect, Metric, Reason, Run, SATURATED_BELOW, Sample, Source};
use crate::method::Method;

/// A source at a load, and what each method made of it.
pub struct Setting<'a> {
    pub source: &'a Source,
    /// `None` as the jobs come.
    pub load: Option<f64>,
    /// The base line first.
    pub found: Vec<Found>,
}

/// The runs of a method on all draws, in their order; of a trace first on what was recorded.
#[derive(Clone, Debug)]
pub struct Found {
    pub method: Method,
    /// Or why nothing is.
    pub drawn: Result<Drawn, Reason>,
    pub runs: Vec<Run>,
}

impl Run {
    /// Whether jobs wait in too many weeks for the weeks to be drawn by themselves.
    pub fn is_saturated(&self) -> bool {
        self.weeks_without_queue < SATURATED_BELOW
    }
}

impl Found {
    /// What it is in a metric, beside the base line.
    pub fn effect(&self, metric: Metric, baseline: &Self) -> Effect {
        let other = (self.method != baseline.method).then(|| baseline.sample(metric));
        Effect::of(metric, &self.sample(metric), other.as_ref())
    }

    pub(super) fn sample(&self, metric: Metric) -> Sample {
        let figure = |run: &Run| run.figures.get(metric.name()).copied();
        let values = self.runs.iter().map(|run| figure(run).unwrap_or(f64::NAN)).collect();
        Sample { drawn: self.drawn(), values }
    }

    /// What was drawn, or why what was drawn says nothing.
    fn drawn(&self) -> Result<Drawn, Reason> {
        match (self.drawn, self.runs.first()) {
            (Ok(Drawn::Weeks(_)), Some(recorded)) if recorded.is_saturated() => {
                Err(Reason::Saturated)
            }
            (drawn, _) => drawn,
        }
    }
}

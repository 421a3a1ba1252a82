//! How much jobs ask of a machine: of a workload, and job by job.

use super::{Job, Workload};
use locox::time::Instant;

/// A factor of the load that is not a positive number.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[error(
    "the load cannot be scaled by {0}; use a number above 0, such as 1.5 for half as much more"
)]
pub struct BadFactor(pub f64);

impl Workload {
    /// Multiplies the load by `factor`: divides the times between arrivals by it. The first job
    /// stays where it is. A factor of 1 changes nothing.
    ///
    /// # Errors
    ///
    /// [`BadFactor`] unless `factor` is positive and finite; nothing is changed then.
    pub fn scale_load(&mut self, factor: f64) -> Result<(), BadFactor> {
        let mut scale = LoadScale::by(factor)?;
        self.jobs.iter_mut().for_each(|job| scale.scale(job));
        Ok(())
    }

    /// Work that arrives in a unit of time on average, as a share of a machine of `processors`
    /// processors: above 1 no machine of that size can keep up. Arrivals are counted from the
    /// first to the last; `None` if that is no time.
    pub fn offered_load(&self, processors: u32) -> Option<f64> {
        let mut load = OfferedLoad::default();
        self.jobs.iter().for_each(|job| load.add(job));
        load.share(processors)
    }
}

/// Multiplies the load of jobs that come one by one: divides the times between arrivals. The first job
/// stays where it is. A factor of 1 changes nothing.
#[derive(Clone, Debug)]
pub struct LoadScale {
    factor: f64,
    first: Option<u64>,
}

impl LoadScale {
    /// By a factor.
    ///
    /// # Errors
    ///
    /// [`BadFactor`] unless it is positive and finite.
    pub fn by(factor: f64) -> Result<Self, BadFactor> {
        let sound = factor > 0.0 && factor.is_finite();
        if sound { Ok(Self { factor, first: None }) } else { Err(BadFactor(factor)) }
    }

    /// Moves the next job, which is not submitted before the first.
    pub fn scale(&mut self, job: &mut Job) {
        let first = *self.first.get_or_insert(job.submit.ticks());
        let after = (job.submit.ticks() - first) as f64 / self.factor;
        job.submit = Instant::from_ticks(first.saturating_add(after.round() as u64));
    }
}

/// The load that jobs offer, which come one by one.
#[derive(Clone, Debug, Default)]
pub struct OfferedLoad {
    /// The first arrival and the last.
    span: Option<(Instant, Instant)>,
    work: f64,
}

impl OfferedLoad {
    /// Counts the next job.
    pub fn add(&mut self, job: &Job) {
        let first = self.span.map_or(job.submit, |(first, _)| first);
        self.span = Some((first, job.submit));
        self.work += f64::from(job.processors) * job.run.ticks() as f64;
    }

    /// As [`Workload::offered_load`].
    pub fn share(&self, processors: u32) -> Option<f64> {
        let (first, last) = self.span?;
        let span = last.since(first)?.ticks();
        (span > 0).then(|| self.work / (span as f64 * f64::from(processors)))
    }
}

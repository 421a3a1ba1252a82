//! Workloads made up: exponential times between arrivals, exponential service times, sizes by
//! classes.
//!
//! Arrivals, sizes and service times come from a stream each ([`crate::streams`]), so that two
//! workloads that differ in the sizes only see the same arrivals.

use super::{Job, Workload};
use crate::streams::stream;
use locox::cube::Dim;
use locox::time::{Duration, Instant};
use rand::distr::Distribution;
use rand::distr::weighted::WeightedIndex;
use rand_distr::Exp1;
use std::ops::RangeInclusive;

/// Ticks to the unit of time of an experiment that does not speak of seconds.
pub const TICKS_PER_UNIT: u64 = 1_000_000;

/// Jobs of one size.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Class {
    /// Processors that such a job asks for.
    pub processors: u32,
    /// How frequent such jobs are, compared with the other classes.
    pub weight: f64,
    /// Mean service time in ticks.
    pub service: f64,
}

/// A recipe for workloads.
#[derive(Clone, Debug, PartialEq)]
pub struct Synthetic {
    /// Name of the workloads.
    pub name: String,
    /// Processors of the machine that they are meant for.
    pub processors: u32,
    /// How many jobs.
    pub jobs: usize,
    /// Mean time between arrivals in ticks.
    pub interarrival: f64,
    /// The kinds of jobs.
    pub classes: Vec<Class>,
}

/// A recipe that no workload can be made from.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum BadRecipe {
    /// The mean time between arrivals is negative or not a number.
    #[error("the mean time between arrivals is {0}; it must be at least 0")]
    Interarrival(f64),
    /// A mean service time is negative or not a number.
    #[error(
        "the mean service time of jobs of {processors} processors is {service}; it must be at least 0"
    )]
    Service {
        /// The class.
        processors: u32,
        /// Its mean service time.
        service: f64,
    },
    /// A class without processors.
    #[error("a class of jobs asks for no processor; it must ask for at least 1")]
    NoProcessors,
    /// No class, or weights that cannot be chosen by.
    #[error(
        "the weights of the classes of jobs are unfit; at least one must be above 0, none below"
    )]
    Weights,
}

impl Synthetic {
    /// Jobs for a cube whose sizes are subcubes of the dimensions `sizes`, each as frequent as the
    /// others and with the same mean service time; [`Synthetic::with_load`] sets the arrivals.
    ///
    /// # Panics
    ///
    /// If `sizes` goes beyond `dims`: no such job could run.
    pub fn subcubes(dims: Dim, sizes: RangeInclusive<u8>, service: f64, jobs: usize) -> Self {
        assert!(*sizes.end() <= dims.get(), "subcubes of {sizes:?} do not fit a {dims}-cube");
        let class = |dim: u8| Class { processors: 1 << dim, weight: 1.0, service };
        Self {
            name: format!("{dims}-cube, subcubes of {} to {}", sizes.start(), sizes.end()),
            processors: dims.nodes(),
            jobs,
            interarrival: service,
            classes: sizes.map(class).collect(),
        }
    }

    /// A busy day of a 7-cube: 400 jobs whose shares and mean run times by size are, rounded,
    /// those of the log of the iPSC/860 at NASA Ames (1993); its rhythm of day and night and its
    /// long tail of run times are left out. Times in seconds.
    pub fn cube_day() -> Self {
        const SHARES_AND_MEANS: [(f64, f64); 8] = [
            (27.0, 125.0),
            (10.0, 580.0),
            (15.0, 860.0),
            (10.0, 600.0),
            (10.0, 510.0),
            (20.0, 1210.0),
            (6.0, 2100.0),
            (2.0, 2530.0),
        ];
        let class = |(dim, (weight, service))| Class { processors: 1u32 << dim, weight, service };
        Self {
            name: "a day of a 7-cube".into(),
            processors: 128,
            jobs: 400,
            interarrival: 86_400.0 / 400.0,
            classes: (0..).zip(SHARES_AND_MEANS).map(class).collect(),
        }
    }

    /// Mean processors times service time of a job, in processor ticks.
    fn mean_work(&self) -> f64 {
        let weights: f64 = self.classes.iter().map(|class| class.weight).sum();
        let work = |class: &Class| class.weight * f64::from(class.processors) * class.service;
        self.classes.iter().map(work).sum::<f64>() / weights
    }

    /// The share of the machine that the jobs would keep busy if none ever waited.
    pub fn load(&self) -> f64 {
        self.mean_work() / (self.interarrival * f64::from(self.processors))
    }

    /// The same recipe with arrivals so frequent that [`Synthetic::load`] is `load`.
    pub fn with_load(self, load: f64) -> Self {
        let interarrival = self.mean_work() / (load * f64::from(self.processors));
        Self { interarrival, ..self }
    }

    fn check(&self) -> Result<(), BadRecipe> {
        let fit = |mean: f64| mean >= 0.0 && mean.is_finite();
        if !fit(self.interarrival) {
            return Err(BadRecipe::Interarrival(self.interarrival));
        }
        for &Class { processors, service, .. } in &self.classes {
            if processors == 0 {
                return Err(BadRecipe::NoProcessors);
            }
            if !fit(service) {
                return Err(BadRecipe::Service { processors, service });
            }
        }
        Ok(())
    }

    /// Makes the workload of one replication. The same seed and replication give the same jobs.
    ///
    /// # Errors
    ///
    /// [`BadRecipe`].
    ///
    /// ```
    /// use locox_models::workload::synthetic::Synthetic;
    /// let day = Synthetic::cube_day().generate(1, 0).unwrap();
    /// assert_eq!(day.processors, Some(128));
    /// assert_eq!(day, Synthetic::cube_day().generate(1, 0).unwrap());
    /// assert_ne!(day, Synthetic::cube_day().generate(1, 1).unwrap());
    /// ```
    pub fn generate(&self, seed: u64, replication: u64) -> Result<Workload, BadRecipe> {
        self.check()?;
        let sizes = WeightedIndex::new(self.classes.iter().map(|class| class.weight))
            .map_err(|_| BadRecipe::Weights)?;
        let mut arrival_stream = stream(seed, "arrivals", replication);
        let mut size_stream = stream(seed, "sizes", replication);
        let mut service_stream = stream(seed, "service", replication);
        // Kept unrounded, so that roundings do not add up.
        let mut now = 0.0;
        let jobs = (1..=self.jobs as u64).map(|id| {
            let gap: f64 = Exp1.sample(&mut arrival_stream);
            let class = self.classes[sizes.sample(&mut size_stream)];
            let service: f64 = Exp1.sample(&mut service_stream);
            now += gap * self.interarrival;
            Job {
                id,
                line: None,
                submit: Instant::from_ticks(now.round() as u64),
                processors: class.processors,
                run: Duration::from_ticks((service * class.service).round() as u64),
                requested: None,
                user: None,
            }
        });
        Ok(Workload {
            name: self.name.clone(),
            jobs: jobs.collect(),
            processors: Some(self.processors),
            notes: vec![format!("synthetic, seed {seed}, replication {replication}")],
            skipped: 0,
            incomplete: 0,
        })
    }
}

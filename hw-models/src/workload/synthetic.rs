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

    /// A busy day of a 7-cube: 450 jobs whose shares and mean run times by size are, rounded,
    /// those of the log of the iPSC/860 at NASA Ames (1993). Left out are its jobs that take the
    /// whole machine, its rhythm of day and night, and the long tail of its run times. Times are
    /// seconds; the load is 0.74.
    pub fn cube_day() -> Self {
        const JOBS: usize = 450;
        const SHARES_AND_MEANS: [(f64, f64); 7] = [
            (27.0, 125.0),
            (10.0, 580.0),
            (15.0, 860.0),
            (10.0, 600.0),
            (10.0, 510.0),
            (20.0, 1210.0),
            (6.0, 2100.0),
        ];
        let class = |(dim, (weight, service))| Class { processors: 1u32 << dim, weight, service };
        Self {
            name: "a day of a 7-cube".into(),
            processors: 128,
            jobs: JOBS,
            interarrival: 86_400.0 / JOBS as f64,
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
                shape: None,
                memory: 0,
                demand: None,
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::Estimate;

    fn dim(dim: u8) -> Dim {
        Dim::new(dim).unwrap()
    }

    fn gaps(workload: &Workload) -> Vec<f64> {
        let times = workload.jobs.iter().map(|job| job.submit.ticks() as f64);
        times.clone().zip(times.skip(1)).map(|(a, b)| b - a).collect()
    }

    /// 20,000 jobs: the interval of 95 % is widened to about 99.99 %, the seed is fixed.
    #[track_caller]
    fn assert_mean(values: &[f64], mean: f64) {
        let estimate = Estimate::of(values);
        let allowed = 2.0 * estimate.half_width.unwrap();
        assert!((estimate.mean - mean).abs() < allowed, "{estimate} is not {mean}");
    }

    #[test]
    fn arrivals_service_times_and_sizes_have_the_means_asked_for() {
        let classes = [(1, 3.0, 50e6), (8, 1.0, 400e6)];
        let class = |(processors, weight, service)| Class { processors, weight, service };
        let recipe = Synthetic {
            name: "two classes".into(),
            processors: 16,
            jobs: 20_000,
            interarrival: 30e6,
            classes: classes.map(class).to_vec(),
        };
        assert!((recipe.load() - (3.0 * 50.0 + 8.0 * 400.0) / 4.0 / (30.0 * 16.0)).abs() < 1e-12);
        let workload = recipe.generate(5, 0).unwrap();
        assert_mean(&gaps(&workload), 30e6);
        let small: Vec<_> =
            workload.jobs.iter().map(|job| f64::from(job.processors == 1)).collect();
        assert_mean(&small, 0.75);
        for (processors, _, service) in classes {
            let of_class = workload.jobs.iter().filter(|job| job.processors == processors);
            let runs: Vec<_> = of_class.map(|job| job.run.ticks() as f64).collect();
            assert_mean(&runs, service);
        }
        let load = workload.offered_load(16).unwrap();
        assert!((load / recipe.load() - 1.0).abs() < 0.05, "{load}");
    }

    /// An exponential variable exceeds its mean with probability 1/e, twice its mean with 1/e^2.
    #[test]
    fn times_between_arrivals_are_exponential() {
        let recipe = Synthetic::subcubes(dim(4), 0..=4, 1e6, 20_000);
        let gaps = gaps(&recipe.generate(6, 0).unwrap());
        for times in [0.5, 1.0, 2.0] {
            let beyond: Vec<_> = gaps.iter().map(|&gap| f64::from(gap > times * 1e6)).collect();
            assert_mean(&beyond, (-times).exp());
        }
    }

    #[test]
    fn other_sizes_leave_arrivals_and_service_times_alone() {
        let small = Synthetic::subcubes(dim(6), 0..=3, 1e6, 100).generate(7, 2).unwrap();
        let large = Synthetic::subcubes(dim(6), 4..=6, 1e6, 100).generate(7, 2).unwrap();
        let times = |workload: &Workload| -> Vec<_> {
            workload.jobs.iter().map(|job| (job.submit, job.run)).collect()
        };
        assert_eq!(times(&small), times(&large));
        assert_ne!(small.jobs, large.jobs);
    }

    #[test]
    fn a_load_is_reached_by_arrivals_alone() {
        let day = Synthetic::cube_day();
        assert!((day.load() - 0.738).abs() < 1e-3, "{}", day.load());
        let slower = day.clone().with_load(day.load() / 2.0);
        assert!((slower.interarrival / day.interarrival - 2.0).abs() < 1e-12);
        assert_eq!(slower.classes, day.classes);
    }

    #[test]
    fn a_recipe_that_makes_no_sense_is_refused() {
        let refusal = |spoil: fn(&mut Synthetic)| {
            let mut recipe = Synthetic::cube_day();
            spoil(&mut recipe);
            recipe.generate(1, 0).unwrap_err()
        };
        let service = BadRecipe::Service { processors: 1, service: -1.0 };
        assert_eq!(refusal(|recipe| recipe.interarrival = -1.0), BadRecipe::Interarrival(-1.0));
        assert_eq!(refusal(|recipe| recipe.classes[0].service = -1.0), service);
        assert_eq!(refusal(|recipe| recipe.classes[1].processors = 0), BadRecipe::NoProcessors);
        assert_eq!(refusal(|recipe| recipe.classes.clear()), BadRecipe::Weights);
        assert_eq!(refusal(|recipe| recipe.classes[0].weight = -1.0), BadRecipe::Weights);
    }

    #[test]
    #[should_panic = "do not fit a 3-cube"]
    fn subcubes_larger_than_the_cube_are_refused() {
        Synthetic::subcubes(dim(3), 0..=4, 1.0, 1);
    }
}

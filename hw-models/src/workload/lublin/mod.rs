//! The model of Lublin and Feitelson: jobs as large parallel machines see them.
//!
//! Source: U. Lublin and D. G. Feitelson, *The workload on parallel supercomputers: modeling the
//! characteristics of rigid jobs*, Journal of Parallel and Distributed Computing 63(11), 2003,
//! with the constants of the authors' generator (Parallel Workloads Archive). Sizes are serial,
//! powers of two, or anything, by a two-stage uniform logarithm ([`TwoStage`]); run times a
//! mixture of two gammas that leans to the longer one for larger jobs ([`HyperGamma`]); arrivals
//! gamma, paced by a daily cycle ([`Arrivals`]). Run times depend on the size; nothing else
//! depends on anything.
//!
//! The source was fitted to machines of 128 processors. For another machine the largest size and
//! the bend of the distribution keep their distance from the logarithm of the machine, as the
//! generator's remarks advise; they go no lower than the smallest size.
//!
//! The source does not model requested times. [`Lublin::estimates`] adds them by the f-model.

mod arrivals;
mod run_times;
mod sizes;

pub use arrivals::{ArrivalTimes, Arrivals, SLOTS};
pub use run_times::{HyperGamma, RunTimes};
pub use sizes::TwoStage;

use super::{Job, Workload};
use crate::streams::stream;
use locox::time::{Duration, Instant};
use rand::RngExt;
use std::fmt;

/// Logarithm of the machines that the constants were fitted to.
const FITTED: f64 = 7.0;

/// The constants of the model.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Parameters {
    /// Probability of a job on one processor.
    pub serial: f64,
    /// Probability of a job of more that takes a power of two of them.
    pub power_of_two: f64,
    /// Logarithms of the sizes of parallel jobs, on a machine of 128.
    pub sizes: TwoStage,
    /// How long jobs run.
    pub run_times: HyperGamma,
    /// When they arrive.
    pub arrivals: Arrivals,
}

/// The three sets of constants.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// All jobs, of whatever kind.
    All,
    /// Batch jobs.
    Batch,
    /// Interactive jobs.
    Interactive,
}

impl Kind {
    /// All three.
    pub const ALL: [Self; 3] = [Self::All, Self::Batch, Self::Interactive];

    /// The name in options and headers.
    pub const fn name(self) -> &'static str {
        match self {
            Self::All => "all",
            Self::Batch => "batch",
            Self::Interactive => "interactive",
        }
    }

    /// Its constants.
    pub const fn parameters(self) -> Parameters {
        match self {
            Self::All => Parameters {
                serial: 0.244,
                power_of_two: 0.576,
                sizes: TwoStage { low: 0.8, med: 4.5, high: 7.0, prob: 0.86 },
                run_times: HyperGamma {
                    short: (4.2, 0.94),
                    long: (312.0, 0.03),
                    slope: -0.0054,
                    offset: 0.78,
                },
                arrivals: Arrivals {
                    rush: (10.2303, 0.4871),
                    all_over_rush: 1.0225,
                    cycle: (8.1737, 3.9631),
                },
            },
            Self::Batch => Parameters {
                serial: 0.2927,
                power_of_two: 0.6686,
                sizes: TwoStage { low: 1.2, med: 5.0, high: 7.0, prob: 0.875 },
                run_times: HyperGamma {
                    short: (6.57, 0.823),
                    long: (639.1, 0.0156),
                    slope: -0.003,
                    offset: 0.6986,
                },
                arrivals: Arrivals {
                    rush: (6.0415, 0.8531),
                    all_over_rush: 1.0519,
                    cycle: (6.1271, 5.2740),
                },
            },
            Self::Interactive => Parameters {
                serial: 0.1541,
                power_of_two: 0.625,
                sizes: TwoStage { low: 1.0, med: 3.0, high: 5.5, prob: 0.705 },
                run_times: HyperGamma {
                    short: (3.8351, 0.6605),
                    long: (7.073, 0.6856),
                    slope: -0.0118,
                    offset: 0.9156,
                },
                arrivals: Arrivals {
                    rush: (6.5510, 0.6621),
                    all_over_rush: 0.9797,
                    cycle: (8.9186, 3.6680),
                },
            },
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A recipe for workloads.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lublin {
    /// Which jobs.
    pub kind: Kind,
    /// How many.
    pub jobs: usize,
    /// Processors of the machine; no job asks for more.
    pub processors: u32,
    /// The f of the f-model of requested times, at least 0: a request is uniform between the run
    /// time and f + 1 times that; 0 means that users know exactly. `None` for no requested times.
    ///
    /// Source: A. W. Mu'alem and D. G. Feitelson, *Utilization, predictability, workloads, and
    /// user runtime estimates in scheduling the IBM SP2 with backfilling*, 2001. Real users ask
    /// for round numbers; no model of that is followed here.
    pub estimates: Option<f64>,
}

/// A recipe that no workload can be made from.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum BadRecipe {
    /// A machine without processors.
    #[error("the machine has no processor; it must have at least 1")]
    NoProcessors,
    /// The f of requested times is negative or not a number.
    #[error("the f of requested times is {0}; it must be at least 0")]
    Estimates(f64),
}

impl Lublin {
    /// Makes the workload of one replication; times are seconds from a midnight on. The same seed
    /// and replication give the same jobs, and other sizes leave the arrivals alone.
    ///
    /// # Errors
    ///
    /// [`BadRecipe`].
    ///
    /// ```
    /// use locox_models::workload::lublin::{Kind, Lublin};
    /// let recipe = Lublin { kind: Kind::All, jobs: 100, processors: 1024, estimates: None };
    /// let workload = recipe.generate(1, 0).unwrap();
    /// assert_eq!(workload.jobs.len(), 100);
    /// assert_eq!(workload, recipe.generate(1, 0).unwrap());
    /// ```
    pub fn generate(&self, seed: u64, replication: u64) -> Result<Workload, BadRecipe> {
        Ok(Workload {
            name: format!("lublin-{}-{}", self.kind, self.processors),
            jobs: self.stream(seed, replication)?.collect(),
            processors: Some(self.processors),
            notes: self.notes(seed, replication),
            skipped: 0,
            incomplete: 0,
        })
    }

    /// The jobs of [`Lublin::generate`], one after the other.
    ///
    /// # Errors
    ///
    /// [`BadRecipe`].
    pub fn stream(
        &self,
        seed: u64,
        replication: u64,
    ) -> Result<impl Iterator<Item = Job> + use<>, BadRecipe> {
        self.check()?;
        let Self { jobs, processors: most, estimates, .. } = *self;
        let Parameters { serial, power_of_two, sizes, run_times, arrivals } =
            self.kind.parameters();
        let sizes = sizes.for_machine(self.processors, FITTED);
        let run_times = run_times.times();
        let mut arrivals = arrivals.times();
        let mut arrival_stream = stream(seed, "arrivals", replication);
        let mut size_stream = stream(seed, "sizes", replication);
        let mut run_stream = stream(seed, "run times", replication);
        let mut estimate_stream = stream(seed, "estimates", replication);
        Ok((1..=jobs as u64).map(move |id| {
            let submit = arrivals.next(&mut arrival_stream);
            let which: f64 = size_stream.random();
            let processors = if which < serial {
                1
            } else if which < serial + power_of_two {
                sizes.power_of_two(most, &mut size_stream)
            } else {
                sizes.any(most, &mut size_stream)
            };
            let run = run_times.draw(processors, &mut run_stream);
            let requested = estimates.map(|f| {
                let over: f64 = estimate_stream.random();
                (run as f64 * (1.0 + f * over)).round() as u64
            });
            Job {
                id,
                line: None,
                submit: Instant::from_ticks(submit as u64),
                processors,
                shape: None,
                memory: 0,
                demand: None,
                run: Duration::from_ticks(run),
                requested: requested.map(Duration::from_ticks),
                user: None,
            }
        }))
    }

    fn check(&self) -> Result<(), BadRecipe> {
        if self.processors == 0 {
            return Err(BadRecipe::NoProcessors);
        }
        match self.estimates {
            Some(f) if !(f >= 0.0 && f.is_finite()) => Err(BadRecipe::Estimates(f)),
            _ => Ok(()),
        }
    }

    fn notes(&self, seed: u64, replication: u64) -> Vec<String> {
        let requested = match self.estimates {
            None => "none".into(),
            Some(f) => format!("f-model, f = {f}"),
        };
        vec![
            "Model: Lublin and Feitelson, J. Parallel and Distributed Computing 63(11), 2003"
                .into(),
            format!("Constants: {} jobs, for {} processors", self.kind, self.processors),
            format!("Requested times: {requested}"),
            format!("Seed: {seed}, replication {replication}"),
        ]
    }
}

//! Every policy at every setting, on the same requests.

use crate::Lab;
use crate::difference::minus;
use locox::reserve::Fit;
use locox_models::reservations::{Open, Options, run};
use locox_models::stats::{Estimate, mean};
use locox_models::swf::Strictness;
use locox_models::workload::reservations::{Flexibility, requests};
use locox_models::workload::{Workload, cm5, from_swf};
use locox_report::failure::Failure;
use std::cmp::Ordering;

/// The log of the source.
const LOG: &str = "LANL-CM5-1994-4.1-cln";

/// What a run can be varied in.
#[derive(Clone, Copy)]
pub(super) struct Setting {
    /// UMed: sizes.
    pub(super) med: f64,
    /// What times of arrival are divided by.
    pub(super) arrival_factor: f64,
    pub(super) flexibility: Flexibility,
}

/// The defaults of the source.
pub(super) const DEFAULT: Setting = Setting {
    med: 7.0,
    arrival_factor: 1.0,
    flexibility: Flexibility { artime: 3.0, deadline: 3.0 },
};

/// Where jobs come from.
pub(super) enum Source {
    Model,
    /// Jobs in the order of a log, a stretch for each replication.
    Log(Vec<Workload>),
}

impl Source {
    /// The log cut into stretches of `jobs`; `None` if there is no log.
    pub(super) fn log(lab: &Lab, jobs: usize, most: usize) -> Result<Option<Self>, Failure> {
        let Some(path) = lab.trace(LOG) else { return Ok(None) };
        let log = from_swf(&path, Strictness::Strict, None);
        let log = cm5::from_log(&log.map_err(|error| Failure::Input(error.to_string()))?);
        let stretches = log.jobs.chunks_exact(jobs).take(most);
        let cut = |jobs: &[_]| Workload { jobs: jobs.to_vec(), ..log.clone() };
        Ok(Some(Self::Log(stretches.map(cut).collect())))
    }

    /// How many stretches a log has; 0 for the model.
    pub(super) fn replications(&self) -> usize {
        match self {
            Self::Model => 0,
            Self::Log(stretches) => stretches.len(),
        }
    }

    pub(super) fn name(&self) -> &'static str {
        match self {
            Self::Model => "model",
            Self::Log(_) => "log",
        }
    }

    /// The jobs of a replication, before their arrivals are scaled.
    fn jobs(&self, lab: &Lab, count: usize, setting: &Setting, resize: bool, at: u64) -> Workload {
        match self {
            Self::Model => cm5::generate(count, setting.med, lab.seed, at),
            Self::Log(stretches) if resize => {
                cm5::resized(&stretches[at as usize], setting.med, lab.seed, at)
            }
            Self::Log(stretches) => stretches[at as usize].clone(),
        }
    }
}

/// The figures of one run.
#[derive(Clone, Copy, Default)]
pub(super) struct Measures {
    /// Accepted requests, in per cent.
    pub(super) acceptance: f64,
    pub(super) slowdown: f64,
    /// PEs times seconds accepted, in per cent of those asked for.
    pub(super) work: f64,
}

/// How one of the figures is got at.
pub(super) type Measure = fn(&Measures) -> f64;

pub(super) const ACCEPTANCE: Measure = |measures| measures.acceptance;
pub(super) const SLOWDOWN: Measure = |measures| measures.slowdown;
pub(super) const WORK: Measure = |measures| measures.work;

/// The runs of one source: at each setting, in each replication, each policy in the order of
/// [`Fit::ALL`].
pub(super) struct Grid {
    /// The values on the horizontal axis, one for each setting.
    pub(super) values: Vec<f64>,
    runs: Vec<Vec<[Measures; 7]>>,
    /// Work that arrives at each setting, as a share of the machine.
    pub(super) load: Vec<f64>,
}

/// What is run.
pub(super) struct Plan<'a> {
    pub(super) values: &'a [f64],
    pub(super) setting: fn(f64) -> Setting,
    /// Whether sizes of the log are drawn anew.
    pub(super) resize: bool,
    pub(super) jobs: usize,
    pub(super) replications: usize,
    /// How rectangles are read that nothing follows.
    pub(super) open: Open,
    /// Which policy runs in the place of which; each in its own but for tests.
    pub(super) in_place_of: fn(Fit) -> Fit,
}

impl Grid {
    pub(super) fn measure(lab: &Lab, source: &Source, plan: &Plan<'_>) -> Self {
        let replications = match source {
            Source::Model => plan.replications,
            Source::Log(stretches) => stretches.len(),
        };
        let items: Vec<(f64, u64)> = plan
            .values
            .iter()
            .flat_map(|&value| (0..replications as u64).map(move |at| (value, at)))
            .collect();
        let results = lab.parallel(&items, |&(value, at)| one(lab, source, plan, value, at));
        let (mut runs, mut load) = (Vec::new(), Vec::new());
        for results in results.chunks(replications.max(1)) {
            let (measures, loads): (Vec<_>, Vec<_>) = results.iter().copied().unzip();
            runs.push(measures);
            load.push(mean(&loads));
        }
        Self { values: plan.values.to_vec(), runs, load }
    }

    /// Runs that somebody made up, to see what is said of them.
    #[cfg(test)]
    pub(super) fn made_up(
        values: &[f64],
        replications: usize,
        run: impl Fn(usize, usize, Fit) -> Measures,
    ) -> Self {
        let of = |at| (0..replications).map(|of| Fit::ALL.map(|fit| run(at, of, fit))).collect();
        let runs = (0..values.len()).map(of).collect();
        Self { values: values.to_vec(), runs, load: vec![1.0; values.len()] }
    }

    /// A figure of a policy at each setting.
    pub(super) fn estimates(&self, fit: Fit, measure: Measure) -> Vec<Estimate> {
        self.each(|run| measure(&run[index(fit)])).iter().map(|of| Estimate::of(of)).collect()
    }

    /// How much larger a figure of `a` is than that of `b`, on the same requests: at each setting,
    /// in each replication.
    pub(super) fn differences(&self, a: Fit, b: Fit, measure: Measure) -> Vec<Vec<f64>> {
        self.each(|run| measure(&run[index(a)]) - measure(&run[index(b)]))
    }

    /// How much a figure of a policy rises from each setting to the next, on the same draws.
    pub(super) fn steps(&self, fit: Fit, measure: Measure) -> Vec<Vec<f64>> {
        rises(&self.each(|run| measure(&run[index(fit)])))
    }

    /// How much more it rises from each setting to the next than it did before: 0 along a line.
    pub(super) fn bends(&self, fit: Fit, measure: Measure) -> Vec<Vec<f64>> {
        rises(&self.steps(fit, measure))
    }

    /// How much larger the difference of `a` and `b` is at the last setting than at the first, on
    /// the same draws.
    pub(super) fn widening(&self, a: Fit, b: Fit, measure: Measure) -> Vec<f64> {
        let by = self.differences(a, b, measure);
        minus(&by[by.len() - 1], &by[0])
    }

    /// How alike the order of the policies at each setting is to that at the setting of number
    /// `as_at`: Spearman's correlation, on the same draws.
    pub(super) fn orders(&self, as_at: usize, measure: Measure) -> Vec<Vec<f64>> {
        let ranks = |run: &[Measures; 7]| ranks(run.map(|one| measure(&one)));
        let at = |runs: &Vec<[Measures; 7]>| {
            let pairs = runs.iter().zip(&self.runs[as_at]);
            pairs.map(|(run, other)| correlation(ranks(run), ranks(other))).collect()
        };
        self.runs.iter().map(at).collect()
    }

    fn each(&self, value: impl Fn(&[Measures; 7]) -> f64) -> Vec<Vec<f64>> {
        self.runs.iter().map(|runs| runs.iter().map(&value).collect()).collect()
    }
}

/// How many are smaller, and half of those that are equal.
fn ranks(values: [f64; 7]) -> [f64; 7] {
    let below = |value: f64, other: f64| match other.total_cmp(&value) {
        Ordering::Less => 1.0,
        Ordering::Equal => 0.5,
        Ordering::Greater => 0.0,
    };
    values.map(|value| values.iter().map(|&other| below(value, other)).sum())
}

/// 0 where all of one are equal.
fn correlation(one: [f64; 7], other: [f64; 7]) -> f64 {
    let off = |values: [f64; 7]| values.map(|value| value - mean(&values));
    let (one, other) = (off(one), off(other));
    let product = |a: [f64; 7], b: [f64; 7]| -> f64 { a.iter().zip(b).map(|(a, b)| a * b).sum() };
    let size = (product(one, one) * product(other, other)).sqrt();
    if size > 0.0 { product(one, other) / size } else { 0.0 }
}

/// From each setting to the next, replication by replication.
fn rises(settings: &[Vec<f64>]) -> Vec<Vec<f64>> {
    settings.windows(2).map(|pair| minus(&pair[1], &pair[0])).collect()
}

fn index(fit: Fit) -> usize {
    Fit::ALL.iter().position(|&other| other == fit).unwrap_or(0)
}

fn one(lab: &Lab, source: &Source, plan: &Plan<'_>, value: f64, at: u64) -> ([Measures; 7], f64) {
    let setting = (plan.setting)(value);
    let mut jobs = source.jobs(lab, plan.jobs, &setting, plan.resize, at);
    jobs.scale_load(setting.arrival_factor).expect("arrival factors are positive");
    let load = jobs.offered_load(cm5::PROCESSORS).unwrap_or(0.0);
    let requests = requests(&jobs, setting.flexibility, lab.seed, at);
    let measures = Fit::ALL.map(|fit| {
        let policy = (plan.in_place_of)(fit);
        let options = Options { open: plan.open, ..Options::new(cm5::PROCESSORS, policy) };
        let outcome = run(&requests, &options).expect("the kernel has room for some requests");
        Measures {
            acceptance: 100.0 * outcome.acceptance(),
            slowdown: outcome.mean_slowdown(),
            work: 100.0 * outcome.accepted_work(),
        }
    });
    (measures, load)
}

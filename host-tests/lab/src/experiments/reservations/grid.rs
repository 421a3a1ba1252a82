//! Every policy at every setting, on the same requests.

use crate::experiments::Lab;
use crate::failure::Failure;
use locox::reserve::Fit;
use locox_models::reservations::{Open, Options, run};
use locox_models::stats::{Estimate, mean};
use locox_models::swf::Strictness;
use locox_models::workload::reservations::{Flexibility, requests};
use locox_models::workload::{Workload, cm5, from_swf};

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

    /// A figure of a policy at each setting.
    pub(super) fn estimates(&self, fit: Fit, measure: Measure) -> Vec<Estimate> {
        self.each(|run| measure(&run[index(fit)]))
    }

    /// How much larger a figure of `a` is than that of `b`, on the same requests.
    pub(super) fn differences(&self, a: Fit, b: Fit, measure: Measure) -> Vec<Estimate> {
        self.each(|run| measure(&run[index(a)]) - measure(&run[index(b)]))
    }

    /// How much a figure of a policy rises from each setting to the next, on the same draws.
    pub(super) fn steps(&self, fit: Fit, measure: Measure) -> Vec<Estimate> {
        let of = |run: &[Measures; 7]| measure(&run[index(fit)]);
        let step = |pair: &[Vec<[Measures; 7]>]| {
            let rises = pair[0].iter().zip(&pair[1]).map(|(from, to)| of(to) - of(from));
            Estimate::of(&rises.collect::<Vec<_>>())
        };
        self.runs.windows(2).map(step).collect()
    }

    /// How much larger the difference of `a` and `b` is at the last setting than at the first, on
    /// the same draws.
    pub(super) fn widening(&self, a: Fit, b: Fit, measure: Measure) -> Estimate {
        let by = |run: &[Measures; 7]| measure(&run[index(a)]) - measure(&run[index(b)]);
        let (first, last) = (&self.runs[0], &self.runs[self.runs.len() - 1]);
        let grown = first.iter().zip(last).map(|(first, last)| by(last) - by(first));
        Estimate::of(&grown.collect::<Vec<_>>())
    }

    /// How far the highest and the lowest policy are apart at each setting.
    pub(super) fn spread(&self, measure: Measure) -> Vec<f64> {
        let all = Fit::ALL.map(|fit| self.estimates(fit, measure));
        let at = |at: usize| {
            let means = all.iter().map(|estimates| estimates[at].mean);
            let low = means.clone().fold(f64::INFINITY, f64::min);
            means.fold(f64::NEG_INFINITY, f64::max) - low
        };
        (0..self.values.len()).map(at).collect()
    }

    fn each(&self, value: impl Fn(&[Measures; 7]) -> f64) -> Vec<Estimate> {
        let estimate = |runs: &Vec<_>| Estimate::of(&runs.iter().map(&value).collect::<Vec<_>>());
        self.runs.iter().map(estimate).collect()
    }
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
        let options = Options { open: plan.open, ..Options::new(cm5::PROCESSORS, fit) };
        let outcome = run(&requests, &options).expect("the kernel has room for some requests");
        Measures {
            acceptance: 100.0 * outcome.acceptance(),
            slowdown: outcome.mean_slowdown(),
            work: 100.0 * outcome.accepted_work(),
        }
    });
    (measures, load)
}

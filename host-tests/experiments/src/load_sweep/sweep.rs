//! Replications at rising loads until the turnarounds are known well enough.

use super::{Cube, Effort, Lab, Method};
use locox::cube::Dim;
use locox_models::replay::{JobRecord, Options, replay};
use locox_models::stats::Estimate;
use locox_models::workload::meshes::Meshes;
use locox_models::workload::synthetic::TICKS_PER_UNIT;

/// A workload at rising loads, under several methods.
pub(crate) struct Sweep {
    pub(crate) cube: Cube,
    /// Its load and its number of jobs are set by the sweep.
    pub(crate) recipe: Meshes,
    pub(crate) loads: Vec<f64>,
    pub(crate) methods: Vec<Method>,
}

impl Sweep {
    /// Without the loads above this.
    pub(crate) fn up_to(mut self, load: f64) -> Self {
        self.loads.retain(|&at| at <= load);
        self
    }
}

/// Half the 95 % confidence interval of the mean turnaround, as a share of the mean, that is
/// enough.
pub(crate) const PRECISION: f64 = 0.05;

/// If more than this share of the jobs waits when the last one arrives, the machine does not keep
/// up.
const BACKLOG: f64 = 0.02;

/// What a replication shows.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sample {
    /// Mean turnaround in seconds.
    pub(crate) turnaround: f64,
    /// Share of the nodes in use.
    pub(crate) utilisation: f64,
    /// Share of the jobs that wait when the last one arrives.
    backlog: f64,
}

/// One method at one load.
#[derive(Clone, Debug)]
pub(crate) struct LoadPoint {
    pub(crate) load: f64,
    /// By replication.
    pub(crate) samples: Vec<Sample>,
}

/// One method at all loads.
#[derive(Clone, Debug)]
pub(crate) struct Curve {
    pub(crate) method: Method,
    pub(crate) points: Vec<LoadPoint>,
}

impl LoadPoint {
    fn estimate(&self, of: impl Fn(&Sample) -> f64) -> Estimate {
        Estimate::of(&self.samples.iter().map(of).collect::<Vec<_>>())
    }

    pub(crate) fn turnaround(&self) -> Estimate {
        self.estimate(|sample| sample.turnaround)
    }

    /// In per cent.
    pub(crate) fn utilisation(&self) -> Estimate {
        self.estimate(|sample| sample.utilisation * 100.0)
    }

    /// Whether the machine gets as much done as there is to do. Beyond that the turnaround grows
    /// with the length of the run and means little.
    pub(crate) fn keeps_up(&self) -> bool {
        self.estimate(|sample| sample.backlog).mean <= BACKLOG
    }

    fn is_precise(&self) -> bool {
        if self.samples.is_empty() {
            return false;
        }
        let turnaround = self.turnaround();
        let half_width = turnaround.half_width.unwrap_or(f64::INFINITY);
        !self.keeps_up() || half_width <= PRECISION * turnaround.mean
    }

    /// How much longer turnarounds are than under `other`, replication by replication, in seconds.
    pub(crate) fn longer_than(&self, other: &Self) -> Vec<f64> {
        let pairs = self.samples.iter().zip(&other.samples);
        pairs.map(|(a, b)| a.turnaround - b.turnaround).collect()
    }
}

/// The curves of each sweep, in the order of its methods.
pub(crate) fn measure(lab: &Lab, sweeps: &[Sweep], effort: Effort) -> Vec<Vec<Curve>> {
    let curve = |method: &Method, loads: &[f64]| {
        let point = |&load| LoadPoint { load, samples: Vec::new() };
        let loads = loads.iter().step_by(effort.stride);
        Curve { method: *method, points: loads.map(point).collect() }
    };
    let curves =
        |sweep: &Sweep| sweep.methods.iter().map(|method| curve(method, &sweep.loads)).collect();
    let mut results: Vec<Vec<Curve>> = sweeps.iter().map(curves).collect();
    for batch in 0..effort.batches {
        let items: Vec<(usize, usize, u64)> = open_points(&results)
            .flat_map(|(sweep, at)| {
                (batch * effort.batch..(batch + 1) * effort.batch)
                    .map(move |replication| (sweep, at, replication))
            })
            .collect();
        let samples = lab.parallel(&items, |&(sweep, at, replication)| {
            let load = results[sweep][0].points[at].load;
            replicate(&sweeps[sweep], load, effort.jobs, lab.seed, replication)
        });
        for ((sweep, at, _), samples) in items.into_iter().zip(samples) {
            let curves = results[sweep].iter_mut();
            curves.zip(samples).for_each(|(curve, sample)| curve.points[at].samples.push(sample));
        }
    }
    results
}

/// Sweep and load of each point of which some method's turnaround is not known well enough.
fn open_points(results: &[Vec<Curve>]) -> impl Iterator<Item = (usize, usize)> {
    results.iter().enumerate().flat_map(|(number, curves)| {
        let open = |at: &usize| !curves.iter().all(|curve| curve.points[*at].is_precise());
        (0..curves[0].points.len()).filter(open).map(move |at| (number, at))
    })
}

/// One replication at one load: a sample of each method.
fn replicate(sweep: &Sweep, load: f64, jobs: usize, seed: u64, replication: u64) -> Vec<Sample> {
    let recipe = Meshes { load, jobs, ..sweep.recipe.clone() };
    let workload = recipe.generate(seed, replication);
    let sample = |method: &Method| {
        let mut machine = sweep.cube.machine(method);
        let mut queue = method.queue.queue(workload.jobs.len(), sweep.cube.dims.nodes());
        let decisions = method.queue.decisions();
        let options = Options { points: 0, decisions, ..Options::default() };
        let outcome = replay(&workload, &mut machine, &mut *queue, &options);
        sample(&outcome.expect("every mesh fits the empty machine").jobs, sweep.cube.dims)
    };
    sweep.methods.iter().map(sample).collect()
}

/// Turnarounds of all jobs but the first tenth; utilisation from the first of their arrivals to the
/// last.
fn sample(jobs: &[JobRecord], dims: Dim) -> Sample {
    let settled = &jobs[jobs.len() / 10..];
    let (from, to) = (settled[0].submit.ticks(), settled[settled.len() - 1].submit.ticks());
    let turnaround: u64 = settled.iter().map(JobRecord::turnaround).sum();
    let within = |ticks: u64| ticks.clamp(from, to);
    let work = |job: &JobRecord| {
        let ticks = within(job.finish.ticks()) - within(job.start.ticks());
        ticks as f64 * f64::from(job.processors)
    };
    let capacity = (to - from) as f64 * f64::from(dims.nodes());
    let waiting = jobs.iter().filter(|job| job.start.ticks() > to).count();
    Sample {
        turnaround: turnaround as f64 / settled.len() as f64 / TICKS_PER_UNIT as f64,
        utilisation: jobs.iter().map(work).sum::<f64>() / capacity,
        backlog: waiting as f64 / jobs.len() as f64,
    }
}

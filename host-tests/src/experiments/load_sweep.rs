//! Turnaround and utilisation against load, for experiments in the manner of Turner's chapter 4.
//!
//! All methods see the same jobs (common random numbers), so that their differences are sharper
//! than their means.

use super::Lab;
use crate::report::{Axis, Cell, Fact, Plot, Point, Series, Shape, Table, counted};
use locox::cube::Dim;
use locox::mesh::Leftover;
use locox_models::machine::{MeshCube, StrategyKind};
use locox_models::replay::{JobRecord, Options, QueueKind, replay, saturated};
use locox_models::stats::Estimate;
use locox_models::workload::Job;
use locox_models::workload::meshes::{Meshes, SERVICE};
use locox_models::workload::synthetic::TICKS_PER_UNIT;

/// A way to allocate meshes, and the queue in front of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Method {
    pub(super) kind: StrategyKind,
    pub(super) leftover: Leftover,
    pub(super) queue: QueueKind,
}

impl Method {
    /// The thesis's FL: the free list alone.
    pub(super) const FL: Self = Self::over(StrategyKind::FreeList, Leftover::Kept);
    /// The thesis's AFL: the auxiliary list on top of it.
    pub(super) const AFL: Self = Self::over(StrategyKind::FreeList, Leftover::Reused);
    /// The two curves of each figure.
    pub(super) const PAIR: [Self; 2] = [Self::FL, Self::AFL];

    pub(super) const fn over(kind: StrategyKind, leftover: Leftover) -> Self {
        Self { kind, leftover, queue: QueueKind::Fcfs }
    }

    pub(super) const fn behind(self, queue: QueueKind) -> Self {
        Self { queue, ..self }
    }

    /// `FL`, `AFL + FL`, `AFL + buddy`, `AFL + FL, scan-up`.
    pub(super) fn name(&self) -> String {
        let strategy = match self.kind {
            StrategyKind::FreeList => "FL",
            other => other.name(),
        };
        let list = if self.leftover == Leftover::Reused { "AFL + " } else { "" };
        match self.queue {
            QueueKind::Fcfs => format!("{list}{strategy}"),
            queue => format!("{list}{strategy}, {queue}"),
        }
    }

    /// All strategies, with and without the auxiliary list; the thesis's pair among them.
    pub(super) fn strategies() -> Vec<Self> {
        let both =
            |kind| [Leftover::Kept, Leftover::Reused].map(|leftover| Self::over(kind, leftover));
        StrategyKind::ALL.into_iter().flat_map(both).collect()
    }

    /// The thesis's pair behind its own queue and behind others.
    pub(super) fn queues() -> Vec<Self> {
        let queues = [QueueKind::Fcfs, QueueKind::ScanUp, QueueKind::ScanDown, QueueKind::Lazy];
        queues.into_iter().flat_map(|queue| Self::PAIR.map(|method| method.behind(queue))).collect()
    }

    pub(super) fn machine(&self, dims: Dim) -> MeshCube {
        MeshCube::new(dims, self.kind, self.leftover)
    }
}

/// A workload at rising loads, under several methods.
pub(super) struct Sweep {
    pub(super) dims: Dim,
    /// Its load and its number of jobs are set by the sweep.
    pub(super) recipe: Meshes,
    pub(super) loads: Vec<f64>,
    pub(super) methods: Vec<Method>,
}

/// How long and how often to simulate.
#[derive(Clone, Copy, Debug)]
pub(super) struct Effort {
    /// Jobs of a replication. The first tenth does not count.
    pub(super) jobs: usize,
    /// Replications that are made at once.
    pub(super) batch: u64,
    /// The most batches; they end earlier where [`PRECISION`] is reached.
    pub(super) batches: u64,
}

/// Half the 95 % confidence interval of the mean turnaround, as a share of the mean, that is
/// enough.
pub(super) const PRECISION: f64 = 0.05;

/// If more than this share of the jobs waits when the last one arrives, the machine does not keep
/// up.
const BACKLOG: f64 = 0.02;

/// What a replication shows.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sample {
    /// Mean turnaround in seconds.
    pub(super) turnaround: f64,
    /// Share of the nodes in use.
    pub(super) utilisation: f64,
    /// Share of the jobs that wait when the last one arrives.
    backlog: f64,
}

/// One method at one load.
#[derive(Clone, Debug)]
pub(super) struct LoadPoint {
    pub(super) load: f64,
    /// By replication.
    pub(super) samples: Vec<Sample>,
}

/// One method at all loads.
#[derive(Clone, Debug)]
pub(super) struct Curve {
    pub(super) method: Method,
    pub(super) points: Vec<LoadPoint>,
}

impl LoadPoint {
    fn estimate(&self, of: impl Fn(&Sample) -> f64) -> Estimate {
        Estimate::of(&self.samples.iter().map(of).collect::<Vec<_>>())
    }

    pub(super) fn turnaround(&self) -> Estimate {
        self.estimate(|sample| sample.turnaround)
    }

    /// In per cent.
    pub(super) fn utilisation(&self) -> Estimate {
        self.estimate(|sample| sample.utilisation * 100.0)
    }

    /// Whether the machine gets as much done as there is to do. Beyond that the turnaround grows
    /// with the length of the run and means little.
    pub(super) fn keeps_up(&self) -> bool {
        self.estimate(|sample| sample.backlog).mean <= BACKLOG
    }

    fn is_precise(&self) -> bool {
        let turnaround = self.turnaround();
        let half_width = turnaround.half_width.unwrap_or(f64::INFINITY);
        !self.keeps_up() || half_width <= PRECISION * turnaround.mean
    }

    /// How much longer turnarounds are than under `other`, replication by replication, in seconds.
    pub(super) fn longer_than(&self, other: &Self) -> Estimate {
        let pairs = self.samples.iter().zip(&other.samples);
        Estimate::of(&pairs.map(|(a, b)| a.turnaround - b.turnaround).collect::<Vec<_>>())
    }
}

/// The curves of each sweep, in the order of its methods.
pub(super) fn measure(lab: &Lab, sweeps: &[Sweep], effort: Effort) -> Vec<Vec<Curve>> {
    let curve = |method: &Method, loads: &[f64]| {
        let point = |&load| LoadPoint { load, samples: Vec::new() };
        Curve { method: *method, points: loads.iter().map(point).collect() }
    };
    let curves =
        |sweep: &Sweep| sweep.methods.iter().map(|method| curve(method, &sweep.loads)).collect();
    let mut results: Vec<Vec<Curve>> = sweeps.iter().map(curves).collect();
    for batch in 0..effort.batches {
        let items: Vec<(usize, usize, u64)> = open_points(sweeps, &results)
            .flat_map(|(sweep, at)| {
                (batch * effort.batch..(batch + 1) * effort.batch)
                    .map(move |replication| (sweep, at, replication))
            })
            .collect();
        let samples = lab.parallel(&items, |&(sweep, at, replication)| {
            let sweep = &sweeps[sweep];
            replicate(sweep, sweep.loads[at], effort.jobs, lab.seed, replication)
        });
        for ((sweep, at, _), samples) in items.into_iter().zip(samples) {
            let curves = results[sweep].iter_mut();
            curves.zip(samples).for_each(|(curve, sample)| curve.points[at].samples.push(sample));
        }
    }
    results
}

/// Sweep and load of each point of which some method's turnaround is not known well enough.
fn open_points(sweeps: &[Sweep], results: &[Vec<Curve>]) -> impl Iterator<Item = (usize, usize)> {
    sweeps.iter().zip(results).enumerate().flat_map(|(number, (sweep, curves))| {
        let open = |at: &usize| !curves.iter().all(|curve| curve.points[*at].is_precise());
        (0..sweep.loads.len()).filter(open).map(move |at| (number, at))
    })
}

/// One replication at one load: a sample of each method.
fn replicate(sweep: &Sweep, load: f64, jobs: usize, seed: u64, replication: u64) -> Vec<Sample> {
    let recipe = Meshes { load, jobs, ..sweep.recipe.clone() };
    let workload = recipe.generate(seed, replication);
    let sample = |method: &Method| {
        let mut machine = method.machine(sweep.dims);
        let mut queue = method.queue.queue(workload.jobs.len());
        let options = Options { points: 0, ..Options::default() };
        let outcome = replay(&workload, &mut machine, &mut *queue, &options);
        sample(&outcome.expect("every mesh fits the empty machine").jobs, sweep.dims)
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

/// What a method yields when jobs always wait.
#[derive(Clone, Debug)]
pub(super) struct Limit {
    pub(super) method: Method,
    /// By replication, in per cent of the nodes.
    pub(super) utilisations: Vec<f64>,
    /// By replication: the load at which the queue begins to grow without end.
    pub(super) loads: Vec<f64>,
}

impl Limit {
    pub(super) fn utilisation(&self) -> Estimate {
        Estimate::of(&self.utilisations)
    }

    pub(super) fn load(&self) -> Estimate {
        Estimate::of(&self.loads)
    }

    /// How much more of the nodes is used than under `other`, in percentage points.
    pub(super) fn more_than(&self, other: &Self) -> Estimate {
        let pairs = self.utilisations.iter().zip(&other.utilisations);
        Estimate::of(&pairs.map(|(a, b)| a - b).collect::<Vec<_>>())
    }
}

/// Jobs that wait at a saturated machine.
pub(super) const WAITING: usize = 16;

/// The limits of all methods for each recipe. By Little's law the mean number of running jobs is
/// the load, service time over interarrival time, that the machine sustains.
pub(super) fn limits(
    lab: &Lab,
    dims: Dim,
    recipes: &[Meshes],
    methods: &[Method],
    jobs: usize,
    replications: u64,
) -> Vec<Vec<Limit>> {
    let items: Vec<(usize, u64)> = (0..recipes.len())
        .flat_map(|recipe| (0..replications).map(move |replication| (recipe, replication)))
        .collect();
    let runs = lab.parallel(&items, |&(recipe, replication)| {
        let recipe = Meshes { jobs, ..recipes[recipe].clone() };
        let workload = recipe.generate(lab.seed, replication);
        methods.iter().map(|method| limit(method, dims, &workload.jobs)).collect::<Vec<_>>()
    });
    let limit = |runs: &[Vec<(f64, f64)>], at: usize| {
        let (utilisations, loads) = runs.iter().map(|run| run[at]).unzip();
        Limit { method: methods[at], utilisations, loads }
    };
    let of_recipe =
        |runs: &[Vec<(f64, f64)>]| (0..methods.len()).map(|at| limit(runs, at)).collect();
    runs.chunks(replications as usize).map(of_recipe).collect()
}

/// Utilisation in per cent, and the load that goes with it.
fn limit(method: &Method, dims: Dim, jobs: &[Job]) -> (f64, f64) {
    let mut machine = method.machine(dims);
    let full = saturated(jobs, &mut machine, method.queue, WAITING, jobs.len() / 10);
    let full = full.expect("there are enough jobs to saturate the machine");
    // Service times are drawn: their mean over these jobs is only nearly the one asked for.
    let drawn = jobs.iter().map(|job| job.run.ticks() as f64).sum::<f64>() / jobs.len() as f64;
    (full.utilisation * 100.0, full.running * SERVICE * TICKS_PER_UNIT as f64 / drawn)
}

/// Turnarounds beyond this are cut off, as in the thesis, in seconds.
const CUT: f64 = 100.0;

pub(super) const CAPTION: &str = "Load is mean service time over mean time between arrivals. Turnarounds beyond 100 s are cut \
     off, as in the source: there the queue grows as long as jobs arrive.";

/// The two plots of a figure: turnaround and utilisation.
pub(super) fn figure(title: &str, curves: &[Curve]) -> [Plot; 2] {
    let plot = |label: &str, points: &dyn Fn(&Curve) -> Vec<Point>| Plot {
        title: title.into(),
        caption: String::new(),
        x: Axis::linear("load"),
        y: Axis::linear(label),
        series: curves
            .iter()
            .map(|curve| Series {
                name: curve.method.name(),
                shape: Shape::Line,
                points: points(curve),
            })
            .collect(),
    };
    let utilisation = |curve: &Curve| {
        curve.points.iter().map(|at| Point::estimated(at.load, &at.utilisation())).collect()
    };
    [plot("turnaround (s)", &turnarounds), plot("utilisation (%)", &utilisation)]
}

/// The points up to the cut, and the place where the line to the next one crosses it.
fn turnarounds(curve: &Curve) -> Vec<Point> {
    let all = curve.points.iter().map(|at| Point::estimated(at.load, &at.turnaround()));
    let mut points: Vec<Point> = Vec::new();
    for point in all {
        if point.y <= CUT {
            points.push(point);
            continue;
        }
        if let Some(last) = points.last() {
            let x = last.x + (point.x - last.x) * (CUT - last.y) / (point.y - last.y);
            points.push(Point { x, y: CUT, half_width: None });
        }
        break;
    }
    points
}

/// Seconds at most.
pub(super) const QUICK: Effort = Effort { jobs: 2_000, batch: 4, batches: 1 };
pub(super) const FULL: Effort = Effort { jobs: 10_000, batch: 8, batches: 4 };

/// What every experiment of this kind was run with.
pub(super) fn parameters(effort: Effort) -> Vec<Fact> {
    let Effort { jobs, batch, batches } = effort;
    let percent = PRECISION * 100.0;
    vec![
        Fact::new(
            "jobs of a replication",
            format!("{}, the first tenth not counted", counted(jobs as u64)),
        ),
        Fact::new(
            "replications",
            format!(
                "{batch} to {}, until half the 95 % interval of the turnaround is at most \
                 {percent} % of it wherever the machine keeps up",
                batch * batches
            ),
        ),
        Fact::new("queue", "first come, first served, unless said otherwise"),
    ]
}

/// What the auxiliary list gains over the free list alone on one workload.
pub(super) struct Gain<'a> {
    fl: &'a Curve,
    afl: &'a Curve,
    pub(super) fl_limit: &'a Limit,
    pub(super) afl_limit: &'a Limit,
}

impl<'a> Gain<'a> {
    /// # Panics
    ///
    /// Unless FL and AFL + FL are among the curves and among the limits.
    pub(super) fn new(curves: &'a [Curve], limits: &'a [Limit]) -> Self {
        let curve = |method| curves.iter().find(|curve| curve.method == method);
        let limit = |method| limits.iter().find(|limit| limit.method == method);
        let missing = "the pair is measured";
        Self {
            fl: curve(Method::FL).expect(missing),
            afl: curve(Method::AFL).expect(missing),
            fl_limit: limit(Method::FL).expect(missing),
            afl_limit: limit(Method::AFL).expect(missing),
        }
    }

    /// Percentage points of utilisation at saturation.
    pub(super) fn utilisation(&self) -> Estimate {
        self.afl_limit.more_than(self.fl_limit)
    }

    /// Loads at which both keep up, with the turnarounds of FL and how much longer those of
    /// AFL + FL are.
    pub(super) fn turnarounds(&self) -> impl Iterator<Item = (f64, Estimate, Estimate)> {
        let points = self.fl.points.iter().zip(&self.afl.points);
        points
            .filter(|(fl, afl)| fl.keeps_up() && afl.keeps_up())
            .map(|(fl, afl)| (fl.load, fl.turnaround(), afl.longer_than(fl)))
    }

    /// Loads at which the turnarounds of AFL + FL are longer beyond doubt.
    pub(super) fn slower(&self) -> Vec<f64> {
        let slower = |longer: Estimate| is_above_zero(longer);
        self.turnarounds().filter(|&(_, _, longer)| slower(longer)).map(|(load, ..)| load).collect()
    }

    /// Loads at which they are shorter beyond doubt.
    pub(super) fn faster(&self) -> Vec<f64> {
        let faster = |longer: Estimate| is_below_zero(longer);
        self.turnarounds().filter(|&(_, _, longer)| faster(longer)).map(|(load, ..)| load).collect()
    }
}

/// Whether the whole 95 % interval lies above zero.
pub(super) fn is_above_zero(estimate: Estimate) -> bool {
    estimate.half_width.is_some_and(|half_width| estimate.mean > half_width)
}

/// Whether the whole 95 % interval lies below zero.
pub(super) fn is_below_zero(estimate: Estimate) -> bool {
    estimate.half_width.is_some_and(|half_width| estimate.mean < -half_width)
}

/// Utilisation at saturation, workloads in rows and methods in columns.
pub(super) fn limits_table(
    first: &str,
    names: &[String],
    methods: &[Method],
    limits: &[Vec<Limit>],
) -> Table {
    let titles: Vec<String> = methods.iter().map(Method::name).collect();
    let keys: Vec<String> = titles
        .iter()
        .map(|title| {
            title.to_lowercase().replace(", ", "_").replace([' ', '-'], "_").replace("_+_", "_")
        })
        .collect();
    let mut columns = vec![(first, first)];
    columns.extend(keys.iter().zip(&titles).map(|(key, title)| (key.as_str(), title.as_str())));
    let title = format!("Nodes in use (%) while {WAITING} jobs always wait");
    let mut table = Table::new(title, &columns);
    for (name, limits) in names.iter().zip(limits) {
        let mut row = vec![Cell::text(name)];
        row.extend(limits.iter().map(|limit| Cell::Estimate(limit.utilisation(), 1)));
        table.push(row);
    }
    table
}

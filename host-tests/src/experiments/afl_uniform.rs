//! Figures 4.2 to 4.5: meshes whose sides are uniform in [1,16] or [1,32].

use super::load_sweep::{
    self, CAPTION, Curve, Effort, Gain, Limit, Method, Sweep, figure, is_above_zero, limits,
    limits_table, measure,
};
use super::{Experiment, Findings, Lab};
use crate::cube_map::CubeMap;
use crate::report::{Block, Claim, Gallery, Picture, Verdict};
use locox::cube::{Dim, Subcube};
use locox::mesh::{Embedding, Shape};
use locox_models::replay::{Options, QueueKind, replay};
use locox_models::workload::meshes::{Meshes, Service, Sides};
use locox_models::workload::synthetic::TICKS_PER_UNIT;

pub(super) const EXPERIMENT: Experiment = Experiment {
    name: "afl-uniform",
    title: "Meshes with uniform sides: free list against auxiliary free list",
    source: "Turner 1995, section 4.1, figures 4.2 to 4.5",
    about: "Square and rectangular meshes on a 10-cube, with sides uniform in [1,16] and in \
            [1,32]; exponential interarrival and service times, a mean service time of 4 s, first \
            come, first served. Each method sees the same jobs. Beyond the source: the other \
            strategies, and other queues.",
    run: |lab| Ok(run(lab)),
};

const TEN: Dim = Dim::new(10).unwrap();

/// A figure of the thesis.
struct Figure {
    title: &'static str,
    sides: Sides,
    /// The loads of its axis, as multiples of `step`.
    step: f64,
    loads: std::ops::RangeInclusive<u32>,
}

fn figures() -> [Figure; 4] {
    let figure = |title, sides, step, loads| Figure { title, sides, step, loads };
    [
        figure("Figure 4.2: square, [1,16].", Sides::Square(1..=16), 0.5, 2..=15),
        figure("Figure 4.3: rectangular, [1,16].", Sides::Rectangle(1..=16), 0.5, 4..=17),
        figure("Figure 4.4: square, [1,32].", Sides::Square(1..=32), 0.1, 2..=18),
        figure("Figure 4.5: rectangular, [1,32].", Sides::Rectangle(1..=32), 0.1, 2..=20),
    ]
}

impl Figure {
    fn recipe(&self) -> Meshes {
        let (name, sides) = (self.title.to_owned(), self.sides.clone());
        Meshes { name, jobs: 0, load: 1.0, sides, service: Service::Exponential }
    }

    fn sweep(&self, methods: &[Method]) -> Sweep {
        let loads = self.loads.clone().map(|at| f64::from(at) * self.step).collect();
        Sweep { dims: TEN, recipe: self.recipe(), loads, methods: methods.to_vec() }
    }
}

fn run(lab: &Lab) -> Findings {
    let effort = lab.either(load_sweep::QUICK, load_sweep::FULL);
    let sweeps = |methods: &[Method]| figures().map(|figure| figure.sweep(methods));
    let published = measure(lab, &sweeps(&Method::PAIR), effort);
    // What nobody has published needs no better precision than that of the plots.
    let beyond = Effort { batches: 1, ..effort };
    let (strategies, queues) = (Method::strategies(), Method::queues());
    let by_strategy = measure(lab, &sweeps(&strategies), beyond);
    let by_queue = measure(lab, &sweeps(&queues), beyond);
    let recipes = figures().map(|figure| figure.recipe());
    let everything = [&strategies[..], &queues[2..]].concat();
    let limits = limits(lab, TEN, &recipes, &everything, effort.jobs, effort.batch);
    let names = figures().map(|figure| figure.title.trim_end_matches('.').to_owned());
    let mut results = vec![
        gallery("As published.", CAPTION, &published, true),
        gallery("Other strategies.", BEYOND, &by_strategy, false),
        gallery("Other queues.", BEYOND, &by_queue, false),
        Block::Table(limits_table("figure", &names, &everything, &limits)),
    ];
    results.push(Block::Picture(picture(lab.seed)));
    Findings {
        parameters: load_sweep::parameters(effort),
        claims: claims(&published, &limits),
        results,
    }
}

const BEYOND: &str = "Turnarounds beyond 100 s are cut off.";

fn gallery(title: &str, caption: &str, curves: &[Vec<Curve>], both: bool) -> Block {
    let plots = figures().into_iter().zip(curves);
    let plots = plots.flat_map(|(of, curves)| {
        figure(of.title, curves).into_iter().take(if both { 2 } else { 1 })
    });
    Block::Gallery(Gallery { title: title.into(), caption: caption.into(), plots: plots.collect() })
}

/// Shows half a minute of the figure with the largest difference.
fn picture(seed: u64) -> Picture {
    let [.., rectangular] = figures();
    let workload = Meshes { jobs: 300, load: 1.3, ..rectangular.recipe() }.generate(seed, 0);
    let replayed = Method::PAIR.map(|method| {
        let options = Options { points: 0, ..Options::default() };
        let mut queue = QueueKind::Fcfs.queue(workload.jobs.len());
        let outcome = replay(&workload, &mut method.machine(TEN), &mut *queue, &options);
        (method.name(), outcome.expect("every mesh fits the empty machine"))
    });
    let runs = replayed.iter().map(|(name, outcome)| (name.clone(), outcome)).collect();
    let map =
        CubeMap { dims: TEN, ticks: TICKS_PER_UNIT, unit: "s", workload: &workload.jobs, runs };
    map.picture("The 10-cube at a load of 1.3, rectangular meshes, [1,32].")
        .expect("a 10-cube is small enough, and its jobs are meshes")
}

fn claims(published: &[Vec<Curve>], limits: &[Vec<Limit>]) -> Vec<Claim> {
    let gains: Vec<Gain> =
        published.iter().zip(limits).map(|(curves, limits)| Gain::new(curves, limits)).collect();
    let (small, large) = gains.split_at(2);
    vec![
        Claim {
            statement: "With sides in [1,16] both methods perform about the same".into(),
            source: "Turner 1995, p. 49".into(),
            verdict: Verdict::of(small.iter().all(about_the_same)),
            evidence: format!(
                "{} Counted as the same: at most {SAME} percentage points of utilisation at \
                 saturation, and no turnaround that differs by more than a tenth at up to nine \
                 tenths of the limit of FL.",
                evidence(small)
            ),
        },
        Claim {
            statement: "With sides in [1,16] no leftover has more than 6 dimensions".into(),
            source: "Turner 1995, p. 49".into(),
            verdict: Verdict::of(largest_leftover(16) == 6),
            evidence: format!(
                "The largest of all 256 meshes has {}; with sides in [1,32] it has {}.",
                largest_leftover(16),
                largest_leftover(32)
            ),
        },
        Claim {
            statement: "With sides in [1,32] the auxiliary list gives slightly better utilisation \
                        and turnaround"
                .into(),
            source: "Turner 1995, p. 49".into(),
            verdict: Verdict::of(large.iter().all(better)),
            evidence: evidence(large),
        },
    ]
}

/// Percentage points that count as no difference.
const SAME: f64 = 2.0;

fn about_the_same(gain: &Gain) -> bool {
    let limit = gain.fl_limit.load().mean;
    let mut below = gain.turnarounds().filter(|(load, ..)| *load <= 0.9 * limit);
    gain.utilisation().mean.abs() <= SAME
        && below.all(|(_, fl, longer)| longer.mean.abs() <= 0.1 * fl.mean)
}

fn better(gain: &Gain) -> bool {
    is_above_zero(gain.utilisation()) && gain.slower().is_empty() && !gain.faster().is_empty()
}

fn evidence(gains: &[Gain]) -> String {
    let one = |(gain, shape): (&Gain, &str)| {
        let busiest = gain.turnarounds().last().map(|(load, fl, longer)| {
            format!(
                ", turnarounds at a load of {load:.1}, the highest at which both keep up, {fl:.1} s \
                 and {longer:+.1} s",
            )
        });
        format!(
            "{shape}: utilisation at saturation {:.1} % with FL, {:+.1} points with AFL + FL{}.",
            gain.fl_limit.utilisation(),
            gain.utilisation(),
            busiest.unwrap_or_default()
        )
    };
    gains.iter().zip(["Square", "Rectangular"]).map(one).collect::<Vec<_>>().join(" ")
}

/// Dimensions of the largest leftover of all meshes with sides up to `side`.
fn largest_leftover(side: u32) -> u8 {
    let shapes = (1..=side).flat_map(|x| (1..=side).map(move |y| Shape::rectangle(x, y)));
    let meshes = shapes
        .filter_map(Result::ok)
        .filter_map(|shape| Embedding::new(Subcube::whole(shape.dim()), shape));
    meshes.flat_map(|mesh| mesh.leftover()).map(|cube| cube.dim().get()).max().unwrap_or(0)
}

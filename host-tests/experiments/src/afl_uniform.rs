//! Figures 4.2 to 4.5: meshes whose sides are uniform in [1,16] or [1,32].

use super::difference::signed;
use super::load_sweep::{
    self, CAPTION, Curve, Gain, Limit, Method, ONE_KEEPS_UP, POINTS, SECONDS, Sweep, as_long,
    conclusion, figure, limits_table, limits_with_others, measure, picture, shorter,
};
use super::{Effort, Experiment, Findings, Lab};
use locox::cube::{Dim, Subcube};
use locox::mesh::{Embedding, Leftover, Shape};
use locox_models::machine::StrategyKind;
use locox_models::stats::Estimate;
use locox_models::workload::meshes::{Meshes, Service, Sides};
use locox_report::judge::{self, Case, Expected, Unit};
use locox_report::report::{Block, Claim, Gallery, Picture, Statement, Verdict};

pub(super) const EXPERIMENT: Experiment = Experiment {
    name: "afl-uniform",
    title: "Meshes with uniform sides: free list against auxiliary free list",
    source: "Turner 1995, section 4.1, figures 4.2 to 4.5",
    about: "Square and rectangular meshes on a 10-cube, with sides uniform in [1,16] and in \
            [1,32]; exponential interarrival and service times, a mean service time of 4 s, first \
            come, first served. Each method sees the same jobs. FL is the free list of the \
            source, which joins pairs and searches no further. Beyond the source: the other \
            strategies, ours with a search behind the list among them, and other queues.",
    statements: &[],
    run: |lab| Ok(run(lab)),
};

const SOURCE: &str = "Turner 1995, section 4.1";

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
    let (mut strategies, mut others) = (Method::strategies(), Method::others());
    if lab.effort == Effort::Quick {
        // It takes as long as all the others together.
        let is_fast = |method: &Method| method.kind != StrategyKind::Complete;
        strategies.retain(is_fast);
        others.retain(is_fast);
    }
    let limits = limits_with_others(lab, TEN, &recipes(), &others, effort);
    let beyond = |methods: &[Method]| {
        let sweeps: Vec<Sweep> = sweeps(methods)
            .into_iter()
            .zip(&limits)
            .map(|(sweep, limits)| sweep.up_to(1.1 * highest(limits, methods)))
            .collect();
        measure(lab, &sweeps, effort.beyond_the_source())
    };
    let (by_strategy, by_queue) = (beyond(&strategies), beyond(&Method::queues()));
    let names = figures().map(|figure| figure.title.trim_end_matches('.').to_owned());
    let by_figure: Vec<&[Limit]> = limits.iter().map(Vec::as_slice).collect();
    let mut results = vec![
        as_published(&published),
        turnarounds("Other strategies, leftovers lost.", &by_strategy, Leftover::Kept),
        turnarounds("Other strategies under the auxiliary list.", &by_strategy, Leftover::Reused),
        turnarounds("Other queues, leftovers lost.", &by_queue, Leftover::Kept),
        turnarounds("Other queues before the auxiliary list.", &by_queue, Leftover::Reused),
        Block::Table(limits_table(
            "figure",
            &names,
            &[&Method::PAIR[..], &others].concat(),
            &by_figure,
        )),
    ];
    results.push(Block::Picture(crowded(lab.seed)));
    let mut parameters = load_sweep::parameters(effort);
    parameters.push(load_sweep::parameters_of_others(effort));
    Findings { parameters, claims: claims(&published, &limits), results }
}

/// The highest load that one of the methods sustains.
fn highest(limits: &[Limit], methods: &[Method]) -> f64 {
    let of = |limit: &&Limit| methods.contains(&limit.method);
    limits.iter().filter(of).map(|limit| limit.load().mean).fold(0.0, f64::max)
}

fn as_published(curves: &[Vec<Curve>]) -> Block {
    let plots = figures().into_iter().zip(curves);
    let plots = plots.flat_map(|(of, curves)| figure(of.title, curves)).collect();
    Block::Gallery(Gallery { title: "As published.".into(), caption: CAPTION.into(), plots })
}

/// Of the methods that do the same with leftovers.
fn turnarounds(title: &str, curves: &[Vec<Curve>], leftover: Leftover) -> Block {
    let plots = figures().into_iter().zip(curves).map(|(of, curves)| {
        let alike = curves.iter().filter(|curve| curve.method.leftover == leftover);
        let [turnarounds, _] = figure(of.title, &alike.cloned().collect::<Vec<_>>());
        turnarounds
    });
    let caption = "Turnarounds beyond 100 s are cut off.".into();
    Block::Gallery(Gallery { title: title.into(), caption, plots: plots.collect() })
}

/// The workloads of the figures.
pub(super) fn recipes() -> Vec<Meshes> {
    figures().iter().map(Figure::recipe).collect()
}

/// The figure with the largest difference.
fn crowded(seed: u64) -> Picture {
    let [.., rectangular] = figures();
    let workload = Meshes { jobs: 300, load: 1.3, ..rectangular.recipe() }.generate(seed, 0);
    picture("The 10-cube at a load of 1.3, rectangular meshes, [1,32].", TEN, &workload)
}

/// Per cent that count as no difference, since no reader could tell it from the curves in print.
const SAME: f64 = 5.0;

const PER_CENT: Unit = Unit("%", 1);

const SHAPES: [&str; 2] = ["Square", "Rectangular"];

fn claims(published: &[Vec<Curve>], limits: &[Vec<Limit>]) -> Vec<Claim> {
    let gains: Vec<(String, Gain)> = figures()
        .iter()
        .zip(published.iter().zip(limits))
        .map(|(of, (curves, limits))| {
            (of.title.trim_end_matches('.').to_owned(), Gain::new(curves, limits))
        })
        .collect();
    let (small, large) = gains.split_at(2);
    let alike =
        |(name, gain): &(String, Gain)| Case::new(name, gain.sustained(), Expected::alike(SAME));
    let as_long = |(name, gain): &(String, Gain)| as_long(name, gain, SAME);
    let fuller =
        |(name, gain): &(String, Gain)| Case::new(name, gain.utilisation(), Expected::MORE);
    let shorter = |(name, gain): &(String, Gain)| shorter(name, gain);
    let every = |cases: Vec<Case>, unit| judge::every(&cases, unit);
    let mut claims = vec![
        every(small.iter().map(alike).collect(), PER_CENT).claim(
            "With sides in [1,16] both methods perform about the same: they sustain the same load",
            SOURCE,
            format!(
                "{} Counted as the same: at most {SAME} % apart. {}",
                evidence(small),
                with_a_search(&limits[..2])
            ),
        ),
        every(small.iter().flat_map(as_long).collect(), PER_CENT).claim(
            "With sides in [1,16] both methods perform about the same: turnarounds are as long",
            SOURCE,
            format!(
                "{ONE_KEEPS_UP} Counted as the same: at most {SAME} % apart. A small mesh that \
                 outlives the owner of its leftover keeps the owner's cube from being whole again; \
                 with sides in [1,16] leftovers are too small to make up for that."
            ),
        ),
        largest_leftover_claim(largest_leftover),
        every(large.iter().map(fuller).collect(), POINTS).claim(
            "With sides in [1,32] the auxiliary list gives slightly better utilisation",
            SOURCE,
            format!("{} {}", evidence(large), with_a_search(&limits[2..])),
        ),
        every(large.iter().flat_map(shorter).collect(), SECONDS).claim(
            "With sides in [1,32] the auxiliary list gives slightly better turnarounds",
            SOURCE,
            ONE_KEEPS_UP,
        ),
    ];
    claims.extend(conclusion(&gains));
    claims
}

/// `largest` says how many dimensions the largest leftover has of meshes with sides up to so much.
fn largest_leftover_claim(largest: impl Fn(u32) -> u8) -> Claim {
    Claim {
        statement: Statement::unnamed(
            "With sides in [1,16] no leftover has more than 6 dimensions".into(),
            SOURCE.into(),
        ),
        variant: String::new(),
        verdict: Verdict::of(largest(16) == 6),
        judged: None,
        evidence: format!(
            "The largest of all 256 meshes has {}; with sides in [1,32] it has {}.",
            largest(16),
            largest(32)
        ),
    }
}

fn evidence(gains: &[(String, Gain)]) -> String {
    let one = |((_, gain), shape): (&(String, Gain), &str)| {
        let busiest = gain.turnarounds().last().map(|(load, fl, longer)| {
            format!(
                "; turnarounds at a load of {load:.1}, the highest at which one keeps up, {fl:.1} s \
                 with FL, {} s with AFL + FL (beyond 100 s is cut off)",
                signed(Estimate::of(&longer))
            )
        });
        format!(
            "{shape}: sustained load {:.2} with FL, {:.2} with AFL + FL; utilisation at saturation \
             {:.1} % with FL, {} points with AFL + FL{}.",
            gain.fl_limit.load(),
            gain.afl_limit.load(),
            gain.fl_limit.utilisation(),
            signed(Estimate::of(&gain.utilisation())),
            busiest.unwrap_or_default()
        )
    };
    gains.iter().zip(SHAPES).map(one).collect::<Vec<_>>().join(" ")
}

/// What becomes of it beyond the source, with a search behind the list, if that was measured.
fn with_a_search(limits: &[Vec<Limit>]) -> String {
    let one = |(limits, shape): (&Vec<Limit>, &str)| {
        let of = |method| limits.iter().find(|limit| limit.method == method);
        let [fl, afl] = Method::SEARCHED.map(of);
        let more = Estimate::of(&afl?.more_than(fl?));
        Some(format!(
            "{} {:.1} % and {} points",
            shape.to_lowercase(),
            fl?.utilisation(),
            signed(more)
        ))
    };
    let told: Vec<String> = limits.iter().zip(SHAPES).filter_map(one).collect();
    if told.is_empty() {
        return String::new();
    }
    format!(
        "Beyond the source, with a search behind the list: {}; a free subcube that no list holds is \
         found then, and the auxiliary list costs less of the large ones.",
        told.join(", ")
    )
}

/// Dimensions of the largest leftover of all meshes with sides up to `side`.
fn largest_leftover(side: u32) -> u8 {
    let shapes = (1..=side).flat_map(|x| (1..=side).map(move |y| Shape::rectangle(x, y)));
    let meshes = shapes
        .filter_map(Result::ok)
        .filter_map(|shape| Embedding::new(Subcube::whole(shape.dim()), shape));
    meshes.flat_map(|mesh| mesh.leftover()).map(|cube| cube.dim().get()).max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::super::load_sweep::LoadPoint;
    use super::*;
    use Verdict::{DoesNotHold, Holds, HoldsInPart};

    /// Verdicts on curves of four figures in which AFL + FL uses so many points more than FL, and
    /// turnarounds differ by so many seconds of ten: in the first two, and in the others.
    fn verdicts(points: [f64; 2], seconds: [f64; 2]) -> Vec<Verdict> {
        let scattered = |mean: f64, method: Method| -> Vec<f64> {
            let own = if method == Method::FL { 0.0 } else { 0.01 };
            (0..5).map(|at| mean + f64::from(at) + own * f64::from(at * at % 3)).collect()
        };
        let of = |more: f64, longer: f64| {
            let by = |method, amount| if method == Method::AFL { amount } else { 0.0 };
            let curve = |method| {
                let turnarounds = scattered(10.0 + by(method, longer), method);
                Curve { method, points: vec![LoadPoint::made_up(1.0, &turnarounds)] }
            };
            let limit = |method| {
                let values = scattered(50.0 + by(method, more), method);
                Limit::made_up(method, values.clone(), values)
            };
            (Method::PAIR.map(curve).to_vec(), Method::PAIR.map(limit).to_vec())
        };
        let (curves, limits): (Vec<_>, Vec<_>) =
            [0, 0, 1, 1].map(|at: usize| of(points[at], seconds[at])).into_iter().unzip();
        claims(&curves, &limits).into_iter().map(|claim| claim.verdict).collect()
    }

    #[test]
    fn every_verdict_can_fail() {
        assert_eq!(verdicts([0.5, 5.0], [-0.1, -2.0]), [Holds; 7]);
        // Leftovers are those of the shapes, whatever the method.
        let not = DoesNotHold;
        assert_eq!(verdicts([-5.0, -5.0], [2.0, 2.0]), [not, not, Holds, not, not, not, not]);
        let part = verdicts([-5.0, 5.0], [2.0, -2.0]);
        assert_eq!(part, [not, not, Holds, Holds, Holds, HoldsInPart, HoldsInPart]);
        assert_eq!(largest_leftover_claim(|side| side as u8).verdict, DoesNotHold);
    }
}

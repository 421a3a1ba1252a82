//! Figures 4.2 to 4.5: meshes whose sides are uniform in [1,16] or [1,32].

use super::difference::{minus, signed};
use super::load_sweep::{
    self, CAPTION, Cube, Curve, Gain, Limit, Method, ONE_KEEPS_UP, POINTS, SECONDS, Sweep, as_long,
    figure, limits_table, limits_with_others, measure, picture, shorter, throughput, turnaround,
};
use super::sources::turner_meshes::{
    AT_MOST_6, BETTER_TURNAROUND, BETTER_UTILISATION, MORE_SATISFIED, SAME, THROUGHPUT, TURNAROUND,
};
use super::thresholds::{AFL_SAME, AFL_SLIGHT};
use super::{Effort, Experiment, Findings, Lab};
use locox::cube::{Dim, Subcube};
use locox::mesh::{Embedding, Leftover, Shape};
use locox_models::machine::StrategyKind;
use locox_models::stats::Estimate;
use locox_models::workload::meshes::{Meshes, Service, Sides};
use locox_report::judge::{self, Case, Expected, Unit};
use locox_report::report::{Block, Claim, Gallery, Picture};

pub(super) const EXPERIMENT: Experiment = Experiment {
    name: "afl-uniform",
    title: "Meshes with uniform sides: free list against auxiliary free list",
    source: "Turner 1995, section 4.1, figures 4.2 to 4.5",
    about: "Square and rectangular meshes on a 10-cube, with sides uniform in [1,16] and in \
            [1,32]; exponential interarrival and service times, a mean service time of 4 s, first \
            come, first served. Each method sees the same jobs. FL is a free list that joins pairs; \
            the source says that its own recognises all subcubes, and prints no rule, so statements \
            are judged with a search behind the list too. Beyond the source: the other strategies \
            and other queues.",
    statements: &[
        &SAME,
        &AT_MOST_6,
        &BETTER_UTILISATION,
        &BETTER_TURNAROUND,
        &MORE_SATISFIED,
        &THROUGHPUT,
        &TURNAROUND,
    ],
    run: |lab| Ok(run(lab)),
    #[cfg(test)]
    planted: tests::planted,
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

    fn sweep(&self, cube: Cube, methods: &[Method]) -> Sweep {
        let loads = self.loads.clone().map(|at| f64::from(at) * self.step).collect();
        Sweep { cube, recipe: self.recipe(), loads, methods: methods.to_vec() }
    }
}

fn run(lab: &Lab) -> Findings {
    let other_effort = lab.either(load_sweep::QUICK, load_sweep::FULL);
    let effort = other_effort.at_full_length();
    let cube = Cube::new(TEN);
    let sweeps = |methods: &[Method]| figures().map(|figure| figure.sweep(cube, methods));
    let published = measure(lab, &sweeps(&Method::PAIR), effort);
    let (mut strategies, mut others) = (Method::strategies(), Method::others());
    if lab.effort == Effort::Quick {
        // It takes as long as all the others together.
        let is_fast = |method: &Method| method.kind != StrategyKind::Complete;
        strategies.retain(is_fast);
        others.retain(is_fast);
    }
    let limits = limits_with_others(lab, cube, &recipes(), effort, (&others, other_effort));
    let beyond = |methods: &[Method]| {
        let sweeps: Vec<Sweep> = sweeps(methods)
            .into_iter()
            .zip(&limits)
            .map(|(sweep, limits)| sweep.up_to(1.1 * highest(limits, methods)))
            .collect();
        measure(lab, &sweeps, other_effort.beyond_the_source())
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
    parameters.push(load_sweep::parameters_of_others(other_effort));
    let claims =
        [vec![at_most_6(largest_leftover)], claims(&published, &by_strategy, &limits)].concat();
    Findings { parameters, claims, results }
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

const PER_CENT: Unit = Unit("%", 1);
const SHARE: Unit = Unit("% of the jobs", 1);

const SHAPES: [&str; 2] = ["Square", "Rectangular"];

/// `published` are curves of the pair; its reading with a search is among the strategies.
fn claims(published: &[Vec<Curve>], searched: &[Vec<Curve>], limits: &[Vec<Limit>]) -> Vec<Claim> {
    let by_reading = Method::READINGS.into_iter().zip([published, searched]);
    let of = |((reading, pair), curves): ((&str, [Method; 2]), &[Vec<Curve>])| {
        let gains: Vec<Gain> = curves
            .iter()
            .zip(limits)
            .map(|(curves, limits)| Gain::new(pair, curves, limits))
            .collect();
        of_reading(reading, &gains)
    };
    by_reading.flat_map(of).collect()
}

/// A figure's name, and what the auxiliary list gains there.
type Named<'a, 'b> = (String, &'b Gain<'a>);

fn of_reading(reading: &str, gains: &[Gain]) -> Vec<Claim> {
    let names = figures().map(|of| of.title.trim_end_matches('.').to_owned());
    let gains: Vec<Named> = names.into_iter().zip(gains).collect();
    let (small, large) = gains.split_at(2);
    let more_of = |(name, gain): &Named, expected| Case::new(name, gain.utilisation(), expected);
    let relative = |(name, gain): &Named| {
        Case::new(name, gain.relative_utilisation(), Expected::alike(AFL_SAME))
    };
    let as_long = |(name, gain): &Named| as_long(name, gain, AFL_SAME);
    let shorter = |(name, gain): &Named| shorter(name, gain);
    let every = |cases: Vec<Case>, unit| judge::every(&cases, unit);
    let more = gains.iter().map(|(name, gain)| (name.clone(), gain.utilisation()));
    let all: Vec<Case> = gains.iter().flat_map(shorter).collect();
    let slightly = Expected::Inside(0.0, AFL_SLIGHT);
    vec![
        every(small.iter().map(relative).collect(), PER_CENT)
            .on(&SAME, format!("{} {NO_OWNER}", evidence(small)))
            .variant(format!("utilisation, {reading}")),
        every(small.iter().flat_map(as_long).collect(), PER_CENT)
            .on(&SAME, format!("With a plus jobs take longer under AFL + FL than under FL alone. {ONE_KEEPS_UP} {NO_OWNER}"))
            .variant(format!("turnaround, {reading}")),
        every(large.iter().map(|it| more_of(it, slightly)).collect(), POINTS)
            .on(&BETTER_UTILISATION, evidence(large))
            .variant(reading),
        every(large.iter().flat_map(shorter).collect(), SECONDS)
            .on(&BETTER_TURNAROUND, ONE_KEEPS_UP)
            .variant(reading),
        more_satisfied(small, large).variant(reading),
        throughput(more.collect()).variant(format!("uniform sides, {reading}")),
        turnaround(&all).variant(format!("uniform sides, {reading}")),
    ]
}

const NO_OWNER: &str = "A small mesh that outlives the owner of its leftover keeps the owner's cube from \
                        being whole again; with sides in [1,16] leftovers are too small to make up for \
                        that.";

/// Jobs that start in leftovers, of squares and of rectangles.
fn more_satisfied(small: &[Named], large: &[Named]) -> Claim {
    let inside = |(_, gain): &Named| gain.afl_limit.in_leftovers.clone();
    let case = |((shape, small), large): ((&str, &Named), &Named)| {
        Case::new(shape, minus(&inside(large), &inside(small)), Expected::MORE)
    };
    let pairs = SHAPES.into_iter().zip(small).zip(large);
    let cases: Vec<Case> = pairs.map(case).collect();
    let told = |named: &Named| format!("{:.0} %", Estimate::of(&inside(named)));
    let list = |of: &[Named]| of.iter().map(told).collect::<Vec<_>>().join(" and ");
    judge::every(&cases, SHARE).on(
        &MORE_SATISFIED,
        format!(
            "Of squares and of rectangles start in leftovers, at saturation: {} with sides in [1,32], {} \
             in [1,16].",
            list(large),
            list(small)
        ),
    )
}

/// `largest` says how many dimensions the largest leftover has of meshes with sides up to so much.
fn at_most_6(largest: impl Fn(u32) -> u8) -> Claim {
    let case = ("all 256 meshes".to_owned(), largest(16) <= 6);
    judge::exactly([case]).on(
        &AT_MOST_6,
        format!(
            "The largest of all 256 meshes has {}; with sides in [1,32] it has {}.",
            largest(16),
            largest(32)
        ),
    )
}

fn evidence(gains: &[Named]) -> String {
    let one = |((_, gain), shape): (&Named, &str)| {
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
    use super::*;
    use locox_report::progress::Progress;
    use locox_report::report::Verdict::{self, DoesNotHold, Holds};

    const SHORT: load_sweep::Effort =
        load_sweep::Effort { jobs: 300, stride: 8, ..load_sweep::QUICK };

    /// Of the pair under both readings, short runs.
    fn judged(cube: Cube) -> Vec<Claim> {
        let lab = Lab::new(Effort::Quick, 1, Progress::hidden());
        let curves = Method::READINGS.map(|(_, pair)| {
            measure(&lab, &figures().map(|figure| figure.sweep(cube, &pair)), SHORT)
        });
        let limits = limits_with_others(&lab, cube, &recipes(), SHORT, (&Method::SEARCHED, SHORT));
        claims(&curves[0], &curves[1], &limits)
    }

    pub(super) fn planted() -> [Vec<Claim>; 2] {
        [judged(Cube::new(TEN)), judged(Cube::exchanged(TEN))]
    }

    fn verdicts(cube: Cube, id: &str) -> Vec<Verdict> {
        let all = judged(cube).into_iter();
        all.filter(|claim| claim.id().starts_with(id)).map(|claim| claim.verdict).collect()
    }

    /// The free list alone where the auxiliary list belongs, and the other way round.
    #[test]
    fn methods_exchanged_turn_the_verdicts() {
        let id = "turner-1995/p49/better-utilisation@pairs-joined";
        assert_eq!(verdicts(Cube::new(TEN), id), [Holds]);
        assert_eq!(verdicts(Cube::exchanged(TEN), id), [DoesNotHold]);
        assert_eq!(at_most_6(largest_leftover).verdict, Holds);
        assert_eq!(at_most_6(|side| largest_leftover(2 * side)).verdict, DoesNotHold);
    }
}

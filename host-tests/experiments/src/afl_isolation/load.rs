//! How much longer messages take beside another job, against the load.

use super::contention::{Beside, Placed, figure_3_1, interval, placed, smallest};
use super::shapes::Shaped;
use crate::Lab;
use locox_models::network::side_by_side;
use locox_models::network::traffic::{Mesh, Pattern};
use locox_models::network::wormhole::{Ejection, Router, Window};
use locox_models::stats::{Estimate, mean};
use locox_models::streams::stream;
use locox_report::report::{Axis, Cell, Gallery, Plot, Point, Series, Shape, Table, counted};

/// Draws of the messages, for each figure.
pub(super) const DRAWS: u64 = 20;
/// Cycles for which messages are offered over all shapes, which are many.
const SHORT: u64 = 1_800;
/// The load at which patterns are compared.
const USUAL: f64 = 0.5;

/// Two jobs, or all pairs of a kind: how much longer messages take of the first and of the second.
pub(super) struct Slowed {
    pub(super) placement: &'static str,
    pub(super) router: &'static str,
    pub(super) pattern: Pattern,
    pub(super) load: f64,
    /// Cycles for which messages were offered.
    cycles: u64,
    /// By draw, a mean over the pairs.
    pub(super) times: [Vec<f64>; 2],
}

/// What is measured.
#[derive(Clone, Copy)]
struct Case<'a> {
    placement: &'static str,
    pairs: &'a [Placed],
    router: (&'static str, Router),
    pattern: Pattern,
    load: f64,
    cycles: u64,
}

fn routers() -> [(&'static str, Router); 3] {
    let usual = Router::default();
    [
        ("buffers of 5 flits", usual),
        ("buffers of 16 flits", Router { buffer: 16, ..usual }),
        ("own ways out", Router { ejection: Ejection::PerChannel, ..usual }),
    ]
}

const FIGURE: &str = "2 x 3 beside 2 x 5 as in figure 3.1";
const SMALLEST: &str = "5 x 1 beside 1*1";
const ALL: &str = "all shapes beside joined leftovers";

pub(super) fn measure(lab: &Lab, judged: &[Shaped]) -> Vec<Slowed> {
    let pairs = [figure_3_1()];
    let fives = [smallest()];
    let joined = placed(judged, Beside::Joined);
    let named = [(FIGURE, &pairs[..]), (SMALLEST, &fives[..])];
    let loads = lab.either(vec![0.3, 0.5, 0.7], (1..=9).map(|it| f64::from(it) / 10.0).collect());
    let usual = Case {
        placement: FIGURE,
        pairs: &pairs,
        router: routers()[0],
        pattern: Pattern::RandomPairs,
        load: USUAL,
        // Queues settle late at high loads.
        cycles: lab.either(2 * SHORT, 10 * SHORT),
    };
    let mut cases = Vec::new();
    for (placement, pairs) in named {
        for router in routers() {
            let case = |&load| Case { placement, pairs, router, load, ..usual };
            cases.extend(loads.iter().map(case));
        }
    }
    let all = |load| Case { placement: ALL, pairs: &joined, load, cycles: SHORT, ..usual };
    cases.extend(lab.either(vec![USUAL], vec![0.3, USUAL, 0.7]).into_iter().map(all));
    let others = Pattern::ALL.into_iter().filter(|&pattern| pattern != usual.pattern);
    cases.extend(others.map(|pattern| Case { pattern, ..usual }));
    lab.parallel(&cases, |case| slowed(case, lab.seed))
}

/// Two jobs on each of these, at the usual load.
#[cfg(test)]
pub(super) fn of_pairs(lab: &Lab, pairs: &[Placed]) -> Slowed {
    let (router, pattern) = (routers()[0], Pattern::RandomPairs);
    let case = Case { placement: FIGURE, pairs, router, pattern, load: USUAL, cycles: SHORT };
    slowed(&case, lab.seed)
}

fn slowed(case: &Case, seed: u64) -> Slowed {
    let mut times = [vec![], vec![]];
    for draw in 0..DRAWS {
        let mut random = stream(seed, "load", draw);
        let mut of_draw = [vec![], vec![]];
        for Placed { dims, meshes } in case.pairs {
            let mut offered = |mesh: &Mesh| {
                mesh.offered(case.pattern, interval(case.load), case.cycles, &mut random)
            };
            let jobs: Vec<_> = meshes.iter().map(&mut offered).collect();
            let found = side_by_side(&case.router.1, *dims, &jobs, Window::Stream);
            for (times, job) in of_draw.iter_mut().zip(found) {
                times.push(job.slow_down());
            }
        }
        for (times, of_draw) in times.iter_mut().zip(of_draw) {
            times.push(mean(&of_draw));
        }
    }
    let Case { placement, router: (router, _), pattern, load, cycles, .. } = *case;
    Slowed { placement, router, pattern, load, cycles, times }
}

/// The four patterns on the meshes of figure 3.1.
pub(super) fn of_figure(slowed: &[Slowed]) -> impl Iterator<Item = &Slowed> {
    let usual = routers()[0].0;
    slowed.iter().filter(move |it| it.placement == FIGURE && it.load == USUAL && it.router == usual)
}

/// All shapes beside joined leftovers, by rising load.
pub(super) fn of_all(slowed: &[Slowed]) -> impl Iterator<Item = &Slowed> {
    slowed.iter().filter(|it| it.placement == ALL)
}

impl Slowed {
    pub(super) fn estimate(&self, job: usize) -> Estimate {
        Estimate::of(&self.times[job])
    }

    /// The least and the greatest draw.
    pub(super) fn range(&self, job: usize) -> [f64; 2] {
        let times = self.times[job].iter().copied();
        [times.clone().fold(f64::INFINITY, f64::min), times.fold(0.0, f64::max)]
    }
}

pub(super) fn gallery(slowed: &[Slowed]) -> Gallery {
    let jobs = ["first job", "second job"];
    let plot = |placement: &'static str| Plot {
        title: format!("{placement}."),
        caption: String::new(),
        x: Axis::linear("flits offered a node and cycle"),
        y: Axis::close("times as long"),
        series: (0..2)
            .flat_map(|job| {
                routers().map(|(router, _)| Series {
                    name: format!("{}, {router}", jobs[job]),
                    shape: Shape::Line,
                    points: slowed
                        .iter()
                        .filter(|it| it.placement == placement && it.router == router)
                        .filter(|it| it.pattern == Pattern::RandomPairs)
                        .map(|it| Point::estimated(it.load, &it.estimate(job)))
                        .collect(),
                })
            })
            .collect(),
    };
    Gallery {
        title: "How many times as long messages take beside another job.".into(),
        caption: format!(
            "Random pairs, messages at random times; means of {DRAWS} draws with 95 % confidence \
             intervals. Where a node offers more than gets through, queues grow \
             until the end, alone or beside others, and the factor depends on that time."
        ),
        plots: vec![plot(FIGURE), plot(SMALLEST)],
    }
}

/// One for each placement.
pub(super) fn tables(slowed: &[Slowed]) -> impl Iterator<Item = Table> {
    let of = |placement| slowed.iter().filter(move |it| it.placement == placement);
    [FIGURE, SMALLEST, ALL].into_iter().map(move |placement| table(placement, of(placement)))
}

fn table<'a>(placement: &str, slowed: impl Iterator<Item = &'a Slowed>) -> Table {
    let mut slowed = slowed.peekable();
    let cycles = slowed.peek().map_or(0, |it| it.cycles);
    let columns = [
        ("router", "routers"),
        ("pattern", "traffic"),
        ("load", "load"),
        ("first", "first job: times as long"),
        ("first_range", "draws from, to"),
        ("second", "second job: times as long"),
        ("second_range", "draws from, to"),
    ];
    let title = format!(
        "Slow-down of {placement}, messages offered for {} cycles, {DRAWS} draws each",
        counted(cycles)
    );
    let mut table = Table::new(title, &columns);
    for it in slowed {
        let range = |job| {
            let [least, most] = it.range(job);
            Cell::text(format!("{least:.2}, {most:.2}"))
        };
        table.push(vec![
            Cell::text(it.router),
            Cell::text(it.pattern.name()),
            Cell::Number(it.load, 1),
            Cell::Estimate(it.estimate(0), 3),
            range(0),
            Cell::Estimate(it.estimate(1), 3),
            range(1),
        ]);
    }
    table
}

//! What sharing channels costs: messages of jobs side by side, by the wormhole model.

use super::shapes::{Judged, whole};
use crate::experiments::Lab;
use crate::report::{Cell, Table};
use locox::cube::{Dim, Node, Subcube};
use locox::mesh::{Embedding, Shape};
use locox_models::network::side_by_side;
use locox_models::network::traffic::{Mesh, Pattern};
use locox_models::network::wormhole::{Router, Window, deliver};
use locox_models::stats::mean;
use locox_models::streams::{Stream, stream};

/// Cycles for which each job repeats its rounds, so that all are busy for about the same time and
/// no two stay in step.
const WHILE: u64 = 15_000;

fn slowed(dims: Dim, meshes: &[Mesh], pattern: Pattern, random: &mut Stream) -> Vec<f64> {
    let router = Router::default();
    let repeated = |mesh: &Mesh| {
        let round = mesh.messages(pattern, random);
        let trips = deliver(&router, dims, &round, Window::One);
        let finish = trips.iter().map(|trip| trip.delivered).max().unwrap_or(WHILE);
        round.repeat((WHILE / finish).max(1) as usize)
    };
    let jobs: Vec<_> = meshes.iter().map(repeated).collect();
    let found = side_by_side(&router, dims, &jobs, Window::One);
    found.iter().map(|job| job.slow_down()).collect()
}

/// How much longer messages take in the 2 x 3 and in the 2 x 5 mesh of figure 3.1.
///
/// The rows of both are told apart by the lowest bit; columns are consecutive codewords.
pub(super) fn figure_3_1(seed: u64) -> Vec<(Pattern, [f64; 2])> {
    let nodes = |columns: &[&str]| -> Vec<Node> {
        let cubes = columns.iter().filter_map(|column| column.parse::<Subcube>().ok());
        cubes.flat_map(|column| column.nodes()).collect()
    };
    let meshes = [
        Mesh::new([3, 2, 1], nodes(&["000*", "001*", "011*"])),
        Mesh::new([5, 2, 1], nodes(&["010*", "110*", "111*", "101*", "100*"])),
    ];
    let four = Dim::new(4).expect("small");
    let of = |pattern| {
        let slowed = slowed(four, &meshes, pattern, &mut stream(seed, "traffic", 0));
        (pattern, [slowed[0], slowed[1]])
    };
    Pattern::ALL.map(of).into()
}

/// Who runs beside the mesh.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Beside {
    /// A job on each leftover, as partitioned.
    Leftovers,
    /// One job, on the largest subcube of leftover nodes that uses a channel of the mesh.
    Joined,
}

/// How jobs fare with one pattern, over all shapes.
pub(super) struct Fares {
    pub(super) pattern: Pattern,
    pub(super) beside: Beside,
    /// How many times as long messages of each job take.
    pub(super) times: Vec<f64>,
}

impl Fares {
    pub(super) fn worst(&self) -> f64 {
        self.times.iter().copied().fold(1.0, f64::max)
    }

    /// Jobs that are slowed, in per cent.
    fn slowed(&self) -> f64 {
        let slowed = self.times.iter().filter(|&&times| times > 1.0).count();
        100.0 * slowed as f64 / self.times.len() as f64
    }
}

/// Every mesh that leaves something over, with others beside it.
pub(super) fn beside(lab: &Lab, judged: &[Judged]) -> Vec<Fares> {
    let sides = [Beside::Leftovers, Beside::Joined];
    let items: Vec<(Beside, Pattern)> =
        sides.iter().flat_map(|&beside| Pattern::ALL.map(|pattern| (beside, pattern))).collect();
    lab.parallel(&items, |&(beside, pattern)| {
        let mut random = stream(lab.seed, "traffic", 0);
        let jobs = judged.iter().filter_map(|it| Some((it.shape.dim(), meshes(it, beside)?)));
        let times = jobs.flat_map(|(dims, meshes)| slowed(dims, &meshes, pattern, &mut random));
        Fares { pattern, beside, times: times.collect() }
    })
}

/// The mesh and those beside it, single nodes aside; `None` if there are none.
fn meshes(judged: &Judged, beside: Beside) -> Option<Vec<Mesh>> {
    let mesh = whole(judged.shape);
    let others: Vec<Subcube> = match beside {
        Beside::Leftovers => mesh.leftover().filter(|cube| cube.dim() > Dim::ZERO).collect(),
        Beside::Joined => judged.largest.into_iter().collect(),
    };
    let own = Mesh::new(judged.shape.sides(), mesh.nodes().collect());
    let others = others.into_iter().map(square);
    let all: Vec<Mesh> = std::iter::once(own).chain(others).collect();
    (all.len() > 1).then_some(all)
}

/// The mesh closest to a square that fills the subcube.
fn square(cube: Subcube) -> Mesh {
    let rows = cube.dim().get() / 2;
    let shape = Shape::rectangle(1 << rows, 1 << (cube.dim().get() - rows)).expect("it is a cube");
    let mesh = Embedding::new(cube, shape).expect("the shape fills the cube");
    Mesh::new(shape.sides(), mesh.nodes().collect())
}

pub(super) fn table(figure: &[(Pattern, [f64; 2])], fares: &[Fares]) -> Table {
    let columns = [
        ("placement", "placement"),
        ("pattern", "traffic"),
        ("mean", "times as long"),
        ("worst", "worst job"),
        ("slowed", "jobs slowed (%)"),
    ];
    let title = "How many times as long messages take beside other jobs";
    let mut table = Table::new(title, &columns);
    let of_figure = figure.iter().map(|&(pattern, times)| {
        (
            "2x5 and 2x3 as in figure 3.1",
            Fares { pattern, beside: Beside::Joined, times: times.into() },
        )
    });
    let mut push = |placement: &str, fares: &Fares| {
        table.push(vec![
            Cell::text(placement),
            Cell::text(fares.pattern.name()),
            Cell::Number(mean(&fares.times), 3),
            Cell::Number(fares.worst(), 3),
            Cell::Number(fares.slowed(), 0),
        ]);
    };
    of_figure.for_each(|(placement, fares)| push(placement, &fares));
    for of_pattern in fares {
        let placement = match of_pattern.beside {
            Beside::Leftovers => "all shapes, a job on each leftover",
            Beside::Joined => "all shapes, a job on joined leftovers",
        };
        push(placement, of_pattern);
    }
    table
}

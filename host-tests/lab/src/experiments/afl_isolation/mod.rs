//! Theorem 1: meshes and what runs in their leftovers share no channel. And what it takes.

mod claims;
mod contention;
mod shapes;

use super::{Experiment, Findings, Lab};
use crate::report::{Block, Fact, counted};
use contention::Fares;
use locox::cube::Dim;
use locox::mesh::Leftover;
use locox_models::machine::StrategyKind;
use locox_models::network::traffic::Pattern;
use locox_models::network::{Churn, Course, Leak};
use shapes::Judged;

pub(super) const EXPERIMENT: Experiment = Experiment {
    name: "afl-isolation",
    title: "Jobs in leftovers: do they share channels with the mesh?",
    source: "Turner 1995, sections 3.1 to 3.3, theorem 1",
    about: "A mesh takes a subcube, and what it leaves over goes to other jobs. Messages travel by \
            E-cube routing. Every shape is tried in the subcube that it needs; meshes come and go \
            while nodes fail; and where channels are shared the messages are timed.",
    run: |lab| Ok(run(lab)),
};

/// What is known at the end.
struct Evidence {
    judged: Vec<Judged>,
    churned: Vec<(StrategyKind, Result<Course, Leak>)>,
    /// Operations that each strategy has gone through.
    operations: u64,
    figure: Vec<(Pattern, [f64; 2])>,
    fares: Vec<Fares>,
}

/// Dimensions of the cubes in which meshes come and go.
const CHURNED: [Dim; 2] = [Dim::new(6).unwrap(), Dim::new(8).unwrap()];

fn run(lab: &Lab) -> Findings {
    let (largest, talking) = lab.either((6, 4), (8, 6));
    let operations = lab.either(5_000, 500_000);
    let judged = shapes::judge_all(lab, largest);
    let small = judged.partition_point(|it| it.shape.dim().get() <= talking);
    let evidence = Evidence {
        churned: churn(lab, operations),
        operations: operations * CHURNED.len() as u64,
        figure: contention::figure_3_1(lab.seed),
        fares: contention::beside(lab, &judged[..small]),
        judged,
    };
    Findings {
        parameters: vec![
            Fact::new("shapes", format!("all X x Y in subcubes of up to {largest} dimensions")),
            Fact::new(
                "coming and going",
                format!(
                    "{} operations a strategy, in a 6-cube and an 8-cube",
                    counted(evidence.operations)
                ),
            ),
            Fact::new(
                "messages timed",
                format!("shapes in subcubes of up to {talking} dimensions"),
            ),
        ],
        claims: claims::all(&evidence),
        results: vec![
            Block::Table(shapes::table(&evidence.judged)),
            Block::Table(contention::table(&evidence.figure, &evidence.fares)),
        ],
    }
}

fn churn(lab: &Lab, operations: u64) -> Vec<(StrategyKind, Result<Course, Leak>)> {
    let items: Vec<(StrategyKind, Dim)> =
        StrategyKind::ALL.iter().flat_map(|&kind| CHURNED.map(|dims| (kind, dims))).collect();
    let courses = lab.parallel(&items, |&(kind, dims)| {
        let mut pool = kind.mesh_allocator(dims, Leftover::Reused);
        Churn { operations, check_every: operations / 10, seed: lab.seed }.run(&mut *pool)
    });
    items.into_iter().map(|(kind, _)| kind).zip(courses).collect()
}

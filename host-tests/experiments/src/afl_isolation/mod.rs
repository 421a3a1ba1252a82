//! Theorem 1: meshes and what runs in their leftovers share no channel. And what it takes.

mod barrier;
mod claims;
mod contention;
mod geometry;
mod load;
mod shapes;

use super::sources::turner_meshes::{
    ANY_SIZE, ANY_STRATEGY, BOTH_CANNOT_RUN, COALESCED, CONTENTION, DILATION, DISJOINT,
    FEW_LEFTOVERS, FEW_PIECES, JOINED_ACROSS, LARGEST_LEFTOVER, LEAVES_5_5, LEAVES_20_30, LEMMA_1,
    NO_INTERFERENCE, PROOF_CASE_1, ROUTERS, STEP_4, SUBCUBE_CLOSED, THEOREM_1,
};
use super::{Experiment, Findings, Lab};
use claims::Evidence;
use locox::cube::Dim;
use locox::mesh::Leftover;
use locox_models::machine::StrategyKind;
use locox_models::network::{Churn, Course, Leak};
use locox_report::report::{Block, Fact, counted};

pub(super) const EXPERIMENT: Experiment = Experiment {
    name: "afl-isolation",
    title: "Meshes and their leftovers: do they share channels?",
    source: "Turner 1995, sections 3.1 to 3.3, theorem 1",
    about: "A mesh takes a subcube, and what it leaves over goes to other jobs. Messages travel by \
            E-cube routing, flit by flit through buffers of wormhole routers. Every shape is tried in \
            the subcube that it needs; meshes come and go while nodes fail; every message is \
            compared with itself when its job is alone; and where channels are shared messages \
            are timed, under loads of all sizes.",
    statements: &[
        &ANY_SIZE,
        &DILATION,
        &LEMMA_1,
        &SUBCUBE_CLOSED,
        &LEAVES_20_30,
        &LEAVES_5_5,
        &DISJOINT,
        &LARGEST_LEFTOVER,
        &FEW_LEFTOVERS,
        &FEW_PIECES,
        &COALESCED,
        &THEOREM_1,
        &PROOF_CASE_1,
        &ANY_STRATEGY,
        &JOINED_ACROSS,
        &STEP_4,
        &BOTH_CANNOT_RUN,
        &CONTENTION,
        &NO_INTERFERENCE,
        &ROUTERS,
    ],
    run: |lab| Ok(run(lab)),
    #[cfg(test)]
    planted: claims::tests::planted,
};

/// Dimensions of the cubes in which meshes come and go.
const CHURNED: [Dim; 2] = [Dim::new(6).unwrap(), Dim::new(8).unwrap()];

fn run(lab: &Lab) -> Findings {
    let (largest, talking) = lab.either((6, 4), (8, 6));
    let operations = lab.either(5_000, 500_000);
    let judged = shapes::judge_all(lab, largest, shapes::SOUND);
    let small = judged.partition_point(|it| it.shape.dim().get() <= talking);
    let evidence = Evidence {
        churned: churn(lab, operations),
        operations: operations * CHURNED.len() as u64,
        compared: contention::compare(lab, &judged[..small]),
        slowed: load::measure(lab, &judged[..small]),
        costs: barrier::measure(lab),
        judged,
    };
    Findings {
        parameters: vec![
            Fact::new(
                "shapes",
                format!(
                    "all X x Y in subcubes of up to {largest} dimensions, but where the row says another machine"
                ),
            ),
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
        claims: [geometry::all(lab), claims::all(&evidence)].concat(),
        results: [
            Block::Table(shapes::table(&evidence.judged)),
            Block::Table(contention::table(&evidence.compared)),
            Block::Gallery(load::gallery(&evidence.slowed)),
        ]
        .into_iter()
        .chain(load::tables(&evidence.slowed).map(Block::Table))
        .chain([Block::Table(barrier::table(&evidence.costs))])
        .collect(),
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

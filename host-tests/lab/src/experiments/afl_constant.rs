//! Figure 4.1: 4x6 and 4x2 meshes in turn.

use super::difference::{is_below_zero, signed};
use super::load_sweep::{self, Limit, Method, Sweep, WAITING, figure, limits, measure, picture};
use super::{Experiment, Findings, Lab};
use crate::report::{Block, Cell, Claim, Gallery, Picture, Table, Verdict};
use locox::cube::Dim;
use locox_models::stats::Estimate;
use locox_models::workload::meshes::{Meshes, Service, Sides};

pub(super) const EXPERIMENT: Experiment = Experiment {
    name: "afl-constant",
    title: "Meshes of 4x6 and 4x2 in turn: the auxiliary free list at its best",
    source: "Turner 1995, chapter 4, figure 4.1",
    about: "A 4x6 mesh needs a 5-cube and leaves a 3-cube over, which is just what a 4x2 mesh \
            needs. With the free list alone (FL) the leftover is lost, with the auxiliary list \
            (AFL + FL) it is used. The source says of all its experiments that the machine is a \
            10-cube and that service times are exponential; both are varied here.",
    run: |lab| Ok(run(lab)),
};

const SOURCE: &str = "Turner 1995, p. 48";

/// The machine on which the published figures come out: it holds two 5-cubes.
const SMALL: Dim = Dim::new(6).unwrap();
/// The machine that the source names.
const LARGE: Dim = Dim::new(10).unwrap();

const SERVICES: [Service; 2] = [Service::Constant, Service::Exponential];

fn recipe(service: Service) -> Meshes {
    let sides = Sides::InTurn(vec![[4, 6], [4, 2]]);
    Meshes { name: "4x6, 4x2".into(), jobs: 0, load: 1.0, sides, service }
}

fn run(lab: &Lab) -> Findings {
    let effort = lab.either(load_sweep::QUICK, load_sweep::FULL);
    let sweeps = SERVICES.map(|service| Sweep {
        dims: SMALL,
        recipe: recipe(service),
        loads: (2..=18).map(|step| f64::from(step) * 0.25).collect(),
        methods: Method::PAIR.to_vec(),
    });
    let curves = measure(lab, &sweeps, effort);
    let recipes = SERVICES.map(recipe);
    let limits = [SMALL, LARGE]
        .map(|dims| limits(lab, dims, &recipes, &Method::PAIR, effort.jobs, effort.batch));
    let plots = |service: &str, at: usize| figure(service, &curves[at]);
    let plots = [plots("Constant service.", 0), plots("Exponential service.", 1)];
    Findings {
        parameters: load_sweep::parameters(effort),
        claims: claims(&limits),
        results: vec![
            Block::Gallery(Gallery {
                title: "Figure 4.1, on a 6-cube.".into(),
                caption: load_sweep::CAPTION.into(),
                plots: plots.into_iter().flatten().collect(),
            }),
            Block::Picture(busy(lab.seed)),
            Block::Table(table(&limits)),
        ],
    }
}

/// A load that AFL + FL sustains and FL does not.
fn busy(seed: u64) -> Picture {
    let workload = Meshes { jobs: 150, load: 3.0, ..recipe(Service::Constant) }.generate(seed, 0);
    picture("The 6-cube at a load of 3, constant service.", SMALL, &workload)
}

/// Cubes, services, methods.
type Limits = [Vec<Vec<Limit>>; 2];

fn table(limits: &Limits) -> Table {
    let title = format!(
        "Saturated: {WAITING} jobs always wait. The limit is the load at which turnarounds begin to grow without end"
    );
    let mut table = Table::new(
        title,
        &[
            ("machine", "machine"),
            ("service", "service times"),
            ("method", "method"),
            ("utilisation", "utilisation (%)"),
            ("limit", "limit"),
        ],
    );
    for (dims, of_cube) in [SMALL, LARGE].into_iter().zip(limits) {
        for (service, of_service) in ["constant", "exponential"].into_iter().zip(of_cube) {
            for (method, limit) in Method::PAIR.iter().zip(of_service) {
                table.push(vec![
                    Cell::text(format!("{dims}-cube")),
                    Cell::text(service),
                    Cell::text(method.name()),
                    Cell::Estimate(limit.utilisation(), 1),
                    Cell::Estimate(limit.load(), 2),
                ]);
            }
        }
    }
    table
}

/// Whether an estimate is a published figure, up to 2 %: a finite run ends in mid-work.
fn is(estimate: Estimate, published: f64) -> bool {
    (estimate.mean - published).abs() <= 0.02 * published
}

fn claims(limits: &Limits) -> Vec<Claim> {
    let [small, large] = limits;
    let (constant, exponential) = (&small[0], &small[1]);
    let utilisation = |of: &[Limit]| {
        format!("{:.1} % with AFL + FL, {:.1} % with FL", of[1].utilisation(), of[0].utilisation())
    };
    let load =
        |of: &[Limit]| format!("{:.2} with AFL + FL, {:.2} with FL", of[1].load(), of[0].load());
    let published = |of: &[Limit]| is(of[1].utilisation(), 100.0) && is(of[0].utilisation(), 50.0);
    let knees = |of: &[Limit]| is(of[1].load(), 4.0) && is(of[0].load(), 2.0);
    let claim = |statement: &str, holds: bool, evidence: String| Claim {
        statement: statement.into(),
        source: SOURCE.into(),
        verdict: Verdict::of(holds),
        evidence,
    };
    vec![
        claim(
            "The AFL method obtained 100 % utilisation, the FL method 50 %",
            published(constant),
            format!(
                "On a 6-cube with constant service times: {}. A job that starts in a leftover \
                 then ends with its owner, so the 5-cube is whole again for the next 4x6 mesh.",
                utilisation(constant)
            ),
        ),
        claim(
            "Turnaround starts to increase exponentially at a load of 4.0 for AFL and 2.0 for FL",
            knees(constant),
            format!(
                "On a 6-cube with constant service times: {}. A load of 4.0 is four jobs at a \
                 time, two of each size, which fill 64 nodes.",
                load(constant)
            ),
        ),
        claim(
            "The same figures with exponential service times, which the source states for all \
             its experiments",
            published(exponential) && knees(exponential),
            format!(
                "{}; limits {}. Jobs that start together no longer end together. Under FL up to \
                 four 4x2 meshes come to share a 5-cube while 4x6 meshes follow one another in \
                 the other one; under AFL + FL a 4x2 mesh that outlives the owner of its leftover \
                 keeps the next 4x6 mesh out.",
                utilisation(exponential),
                load(exponential)
            ),
        ),
        claim(
            "The same figures on a 10-cube, which the source states for all its experiments",
            published(&large[0]) && knees(&large[0]),
            format!(
                "With constant service times {}; limits {}. 1024 nodes hold 32 pairs of these \
                 meshes, so turnarounds cannot grow at a load of 4.",
                utilisation(&large[0]),
                load(&large[0])
            ),
        ),
        Claim {
            source: "Turner 1995, chapter 4, read off the curves".into(),
            ..claim(
                "The auxiliary list is never worse than the free list alone",
                limits.iter().flatten().all(|of| !is_below_zero(of[1].more_than(&of[0]))),
                format!(
                    "On a 10-cube with exponential service times AFL + FL differs by {} points from the \
                     {:.1} % of FL. \
                 There FL packs the small meshes into a few subcubes of their own; under AFL + FL \
                 each that outlives its owner keeps a 5-cube from being whole.",
                    signed(large[1][1].more_than(&large[1][0])),
                    large[1][0].utilisation()
                ),
            )
        },
        claim(
            "The AFL method performed twice as well as the FL method",
            is(Estimate::of(&[constant[1].load().mean / constant[0].load().mean]), 2.0),
            format!(
                "{:.2} times the load with constant service times, {:.2} times with exponential \
                 ones.",
                constant[1].load().mean / constant[0].load().mean,
                exponential[1].load().mean / exponential[0].load().mean
            ),
        ),
    ]
}

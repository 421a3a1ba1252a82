//! Figure 4.1: 4x6 and 4x2 meshes in turn.

use super::load_sweep::{
    self, Curve, Gain, Limit, Method, ONE_KEEPS_UP, SECONDS, Sweep, WAITING, figure, limits,
    measure, picture, shorter,
};
use super::{Experiment, Findings, Lab};
use locox::cube::Dim;
use locox_models::stats::Estimate;
use locox_models::workload::meshes::{Meshes, Service, Sides};
use locox_report::judge::{self, Case, Expected, Unit};
use locox_report::report::{Block, Cell, Claim, Gallery, Picture, Table};

pub(super) const EXPERIMENT: Experiment = Experiment {
    name: "afl-constant",
    title: "Meshes of 4x6 and 4x2 in turn: the auxiliary free list at its best",
    source: "Turner 1995, chapter 4, figure 4.1",
    about: "A 4x6 mesh needs a 5-cube and leaves a 3-cube over, which is just what a 4x2 mesh \
            needs. With the free list alone (FL) the leftover is lost, with the auxiliary list \
            (AFL + FL) it is used. The source says of all its experiments that the machine is a \
            10-cube and that service times are exponential; both are varied here.",
    statements: &[],
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
        .map(|dims| limits(lab, dims, &recipes, &methods(), effort.jobs, effort.batch));
    let plots = |service: &str, at: usize| figure(service, &curves[at]);
    let plots = [plots("Constant service.", 0), plots("Exponential service.", 1)];
    Findings {
        parameters: load_sweep::parameters(effort),
        claims: claims(&curves, &limits),
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

/// The thesis's pair, and ours beside it.
fn methods() -> Vec<Method> {
    [Method::PAIR, Method::SEARCHED].concat()
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
            for limit in of_service {
                table.push(vec![
                    Cell::text(format!("{dims}-cube")),
                    Cell::text(service),
                    Cell::text(limit.method.name()),
                    Cell::Estimate(limit.utilisation(), 1),
                    Cell::Estimate(limit.load(), 2),
                ]);
            }
        }
    }
    table
}

/// A finite run ends in mid-work: so many per cent of a published figure are none.
const EXACT: f64 = 2.0;

const PER_CENT: Unit = Unit("% off the published figures", 1);

/// How far values are from a published figure, in per cent of it.
fn off(name: &str, values: &[f64], published: f64) -> Case {
    let off = values.iter().map(|value| 100.0 * (value / published - 1.0)).collect();
    Case::new(name, off, Expected::alike(EXACT))
}

fn claims(curves: &[Vec<Curve>], limits: &Limits) -> Vec<Claim> {
    let [small, large] = limits;
    let (constant, exponential) = (&small[0], &small[1]);
    let utilisation = |of: &[Limit]| {
        format!("{:.1} % with AFL + FL, {:.1} % with FL", of[1].utilisation(), of[0].utilisation())
    };
    let load =
        |of: &[Limit]| format!("{:.2} with AFL + FL, {:.2} with FL", of[1].load(), of[0].load());
    let published = |of: &[Limit]| {
        [
            off("utilisation with AFL + FL", &of[1].utilisations, 100.0),
            off("utilisation with FL", &of[0].utilisations, 50.0),
        ]
    };
    let knees = |of: &[Limit]| {
        [off("limit of AFL + FL", &of[1].loads, 4.0), off("limit of FL", &of[0].loads, 2.0)]
    };
    let both = |of: &[Limit]| [published(of), knees(of)].concat();
    let times = |of: &[Limit]| -> Vec<f64> {
        of[1].loads.iter().zip(&of[0].loads).map(|(afl, fl)| afl / fl).collect()
    };
    let claim = |statement: &str, cases: &[Case], evidence: String| {
        judge::every(cases, PER_CENT).claim(statement, SOURCE, evidence)
    };
    vec![
        claim(
            "The AFL method obtained 100 % utilisation, the FL method 50 %",
            &published(constant),
            format!(
                "On a 6-cube with constant service times: {}. A job that starts in a leftover \
                 then ends with its owner, so the 5-cube is whole again for the next 4x6 mesh.",
                utilisation(constant)
            ),
        ),
        claim(
            "Turnaround starts to increase exponentially at a load of 4.0 for AFL and 2.0 for FL",
            &knees(constant),
            format!(
                "On a 6-cube with constant service times: {}. A load of 4.0 is four jobs at a \
                 time, two of each size, which fill 64 nodes.",
                load(constant)
            ),
        ),
        claim(
            "The same figures with exponential service times, which the source states for all \
             its experiments",
            &both(exponential),
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
            &both(&large[0]),
            format!(
                "With constant service times {}; limits {}. 1024 nodes hold 32 pairs of these \
                 meshes, so turnarounds cannot grow at a load of 4.",
                utilisation(&large[0]),
                load(&large[0])
            ),
        ),
        claim(
            "The AFL method performed twice as well as the FL method",
            &[off("limit of AFL + FL over that of FL", &times(constant), 2.0)],
            format!(
                "{:.2} times the load with constant service times, {:.2} times with exponential \
                 ones.",
                Estimate::of(&times(constant)),
                Estimate::of(&times(exponential))
            ),
        ),
        increases_throughput(limits),
        decreases_turnarounds(curves, &limits[0]),
    ]
}

/// What the thesis concludes of all its experiments.
fn increases_throughput(limits: &Limits) -> Claim {
    let cubes = [SMALL, LARGE].into_iter().zip(limits).flat_map(|(dims, of_cube)| {
        let services = ["constant", "exponential"].into_iter().zip(of_cube);
        services.map(move |(service, of)| (format!("{dims}-cube, {service} service"), of))
    });
    let case = |(name, of): (String, &Vec<Limit>)| {
        Case::new(name, of[1].more_than(&of[0]), Expected::MORE)
    };
    judge::every(&cubes.map(case).collect::<Vec<_>>(), Unit("percentage points of utilisation", 1))
        .claim(
            "The auxiliary list generally increases throughput",
            "Turner 1995, p. 128",
            "At saturation. On a 10-cube with exponential service times FL packs the small meshes \
             into a few subcubes of their own; under AFL + FL each that outlives its owner keeps a \
             5-cube from being whole.",
        )
}

/// On the 6-cube, where there is a figure of turnarounds.
fn decreases_turnarounds(curves: &[Vec<Curve>], limits: &[Vec<Limit>]) -> Claim {
    let services = ["constant service", "exponential service"].into_iter();
    let of_service = services.zip(curves.iter().zip(limits));
    let cases = of_service
        .flat_map(|(name, (curves, limits))| shorter(name, &Gain::new(curves, limits)))
        .collect::<Vec<_>>();
    judge::every(&cases, SECONDS).claim(
        "The auxiliary list generally decreases turnarounds",
        "Turner 1995, p. 128",
        ONE_KEEPS_UP,
    )
}

#[cfg(test)]
mod tests {
    use super::super::load_sweep::LoadPoint;
    use super::*;
    use locox_report::report::Verdict::{self, DoesNotHold, Holds, HoldsInPart};

    /// Limits with those utilisations and loads of FL and AFL + FL, in both cubes.
    fn verdicts(fl: (f64, f64), afl: (f64, f64)) -> Vec<Verdict> {
        let limit = |method, (utilisation, load): (f64, f64)| {
            let near =
                |value: f64| (0..5).map(move |at| value * (1.0 - 0.001 * f64::from(at * at % 3)));
            let (utilisations, loads) = (near(utilisation).collect(), near(load).collect());
            Limit::made_up(method, utilisations, loads)
        };
        let pair = || vec![limit(Method::FL, fl), limit(Method::AFL, afl)];
        let cube = || vec![pair(), pair()];
        // Who sustains more has the shorter turnarounds.
        let curve = |method, load: f64, own: f64| {
            let turnarounds: Vec<f64> = (0..5)
                .map(|at| 20.0 - load + f64::from(at) + own * f64::from(at * at % 3))
                .collect();
            Curve { method, points: vec![LoadPoint::made_up(1.0, &turnarounds)] }
        };
        let curves = || vec![curve(Method::FL, fl.1, 0.0), curve(Method::AFL, afl.1, 0.01)];
        claims(&[curves(), curves()], &[cube(), cube()])
            .into_iter()
            .map(|claim| claim.verdict)
            .collect()
    }

    #[test]
    fn every_verdict_can_fail() {
        assert_eq!(verdicts((50.0, 2.0), (100.0, 4.0)), [Holds; 7]);
        assert_eq!(verdicts((100.0, 4.0), (50.0, 2.0)), [DoesNotHold; 7]);
        let (same, half) = (verdicts((50.0, 2.0), (50.0, 2.0)), HoldsInPart);
        let undecided = Verdict::Undecided;
        assert_eq!(same[..6], [half, half, half, half, DoesNotHold, undecided]);
    }
}

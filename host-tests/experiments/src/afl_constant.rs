//! Figure 4.1: 4x6 and 4x2 meshes in turn.

use super::load_sweep::{
    self, Cube, Curve, Effort, Gain, Limit, Method, Sweep, WAITING, figure, limits, measure,
    picture, shorter, throughput, turnaround,
};
use super::sources::TURNER;
use super::sources::turner_meshes::{
    KNEE, KNEE_CHOSEN, NO_ROOM, ONE_5_CUBE, THROUGHPUT, THROUGHPUT_CHOSEN, TURNAROUND,
    TURNAROUND_CHOSEN, TWICE, TWICE_CHOSEN, UTILISATION, UTILISATION_CHOSEN, WHOLE_5_CUBE,
};
use super::thresholds::AFL_EXACT;
use super::{Experiment, Findings, Lab};
use locox::cube::Dim;
use locox::mesh::{Leftover, Shape};
use locox_models::machine::StrategyKind;
use locox_models::stats::Estimate;
use locox_models::workload::meshes::{Meshes, Service, Sides};
use locox_report::judge::{self, Case, Expected, Unit};
use locox_report::report::{
    Block, Cell, Claim, Gallery, Judged, Picture, Published, Series, Statement, Status, Table,
};

pub(super) const EXPERIMENT: Experiment = Experiment {
    name: "afl-constant",
    title: "Meshes of 4x6 and 4x2 in turn: the auxiliary free list at its best",
    source: "Turner 1995, chapter 4, figure 4.1",
    about: "A 4x6 mesh needs a 5-cube and leaves a 3-cube over, which is just what a 4x2 mesh \
            needs. With the free list alone (FL) the leftover is lost, with the auxiliary list \
            (AFL + FL) it is used. The source says of all its experiments that the machine is a \
            10-cube and that service times are exponential; both are varied here.",
    statements: &[
        &ONE_5_CUBE,
        &WHOLE_5_CUBE,
        &NO_ROOM,
        &UTILISATION,
        &KNEE,
        &TWICE,
        &UTILISATION_CHOSEN,
        &KNEE_CHOSEN,
        &TWICE_CHOSEN,
        &THROUGHPUT,
        &TURNAROUND,
        &THROUGHPUT_CHOSEN,
        &TURNAROUND_CHOSEN,
    ],
    run: |lab| Ok(run(lab)),
    #[cfg(test)]
    planted: tests::planted,
};

/// The machine on which the published figures come out: it holds two 5-cubes.
const SMALL: Dim = Dim::new(6).unwrap();
/// The machine that the source names.
const LARGE: Dim = Dim::new(10).unwrap();

/// Utilisations that the methods "obtained", in per cent, at the loads from which their turnarounds
/// "started to increase exponentially".
const PRINTED: [Published; 2] = [
    Published { x: 2.0, y: 50.0, error: Some(0.5) },
    Published { x: 4.0, y: 100.0, error: Some(0.5) },
];

const SERVICES: [Service; 2] = [Service::Constant, Service::Exponential];

fn recipe(service: Service) -> Meshes {
    let sides = Sides::InTurn(vec![[4, 6], [4, 2]]);
    Meshes { name: "4x6, 4x2".into(), jobs: 0, load: 1.0, sides, service }
}

fn run(lab: &Lab) -> Findings {
    let effort = lab.either(load_sweep::QUICK, load_sweep::FULL);
    let (curves, limits) = study(lab, effort, Cube::new);
    let gallery = |title: &str, [constant, exponential]: &[Vec<Curve>; 2]| {
        let plots =
            [figure("Constant service.", constant), figure("Exponential service.", exponential)];
        let caption = load_sweep::CAPTION.into();
        Gallery { title: title.into(), caption, plots: plots.into_iter().flatten().collect() }
    };
    let mut small = gallery("Figure 4.1, on a 6-cube.", &curves[0]);
    let [_, utilisation, ..] = &mut small.plots[..] else { unreachable!("there are four plots") };
    utilisation.series.push(Series::published(&TURNER, UTILISATION.place, &PRINTED));
    Findings {
        parameters: load_sweep::parameters(effort),
        claims: [placed([Leftover::Reused, Leftover::Kept]), claims(&curves, &limits)].concat(),
        results: vec![
            Block::Gallery(small),
            Block::Gallery(gallery("The same on a 10-cube.", &curves[1])),
            Block::Picture(busy(lab.seed)),
            Block::Table(table(&limits)),
        ],
    }
}

/// Loads up to what each cube sustains, and somewhat beyond.
fn loads(dims: Dim) -> Vec<f64> {
    match dims {
        SMALL => (2..=18).map(|step| f64::from(step) * 0.25).collect(),
        _ => (1..=17).map(|step| f64::from(step) * 4.0).collect(),
    }
}

/// Curves by cube and service, and limits.
fn study(lab: &Lab, effort: Effort, cube: fn(Dim) -> Cube) -> (Curves, Limits) {
    let cubes = [SMALL, LARGE];
    let sweeps = cubes.map(|dims| {
        SERVICES.map(|service| Sweep {
            cube: cube(dims),
            recipe: recipe(service),
            loads: loads(dims),
            methods: Method::PAIR.to_vec(),
        })
    });
    let curves = sweeps
        .map(|sweeps| measure(lab, &sweeps, effort).try_into().expect("a sweep for each service"));
    let recipes = SERVICES.map(recipe);
    let limits =
        cubes.map(|dims| limits(lab, cube(dims), &recipes, &methods(), effort.jobs, effort.batch));
    (curves, limits)
}

/// The thesis's pair, and with a search behind the list.
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
type Curves = [[Vec<Curve>; 2]; 2];

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

const PER_CENT: Unit = Unit("% off the published figures", 1);

/// How far values are from a published figure, in per cent of it.
fn off(name: &str, values: &[f64], published: f64) -> Case {
    let off = values.iter().map(|value| 100.0 * (value / published - 1.0)).collect();
    Case::new(name, off, Expected::alike(AFL_EXACT))
}

/// What fits beside what, with the auxiliary list and without, in this order.
fn placed([with, without]: [Leftover; 2]) -> Vec<Claim> {
    let together = "A 4 x 6 mesh leaves a 3-cube over, which is just what a 4 x 2 mesh needs.";
    vec![
        over_each(|kind| fits(kind, 5, with, &[6, 2])).on(&ONE_5_CUBE, together),
        over_each(|kind| fits(kind, 5, without, &[6]) && !fits(kind, 5, without, &[6, 2]))
            .on(&WHOLE_5_CUBE, ""),
        over_each(|kind| fits(kind, 6, without, &[6, 2]) && !fits(kind, 6, without, &[6, 2, 6]))
            .on(&NO_ROOM, ""),
    ]
}

fn over_each(is_so: impl Fn(StrategyKind) -> bool) -> Judged {
    judge::exactly(StrategyKind::NAMED.map(|kind| (kind.to_string(), is_so(kind))))
}

/// Whether meshes of four rows and so many columns, asked for in turn, all find room in an empty cube.
fn fits(kind: StrategyKind, dims: u8, leftover: Leftover, columns: &[u32]) -> bool {
    let mut pool = kind.mesh_allocator(Dim::new(dims).expect("small"), leftover);
    let shape = |&columns| Shape::rectangle(4, columns).expect("small");
    columns.iter().map(shape).all(|shape| pool.allocate(shape).is_ok())
}

/// Which of the cubes and services, and what it is called.
const SETTINGS: [(usize, usize, &str); 4] = [
    (1, 1, "10-cube, exponential service"),
    (1, 0, "10-cube, constant service"),
    (0, 1, "6-cube, exponential service"),
    (0, 0, "6-cube, constant service"),
];

fn claims(curves: &Curves, limits: &Limits) -> Vec<Claim> {
    let [as_stated @ .., chosen] = SETTINGS;
    let mut claims = vec![];
    for (cube, service, name) in as_stated {
        let of = as_published(&limits[cube][service], [&UTILISATION, &KNEE, &TWICE], WHY[service]);
        claims.extend(of.map(|claim| as_far_as_stated((cube, service), claim).variant(name)));
    }
    let (cube, service, _) = chosen;
    let statements = [&UTILISATION_CHOSEN, &KNEE_CHOSEN, &TWICE_CHOSEN];
    claims.extend(as_published(
        &limits[cube][service],
        statements,
        "A job that starts in a leftover ends with its owner, so the 5-cube is whole again for the next \
         4 x 6 mesh. A load of 4.0 is four jobs at a time, two of each size, which fill 64 nodes.",
    ));
    for (cube, service, name) in as_stated {
        let of = conclusion((&curves[cube][service], &limits[cube][service]), name);
        let of = of.map(|claim| as_far_as_stated((cube, service), claim));
        claims.extend(of.map(|claim| claim.variant(format!("{WORKLOAD}, {name}"))));
    }
    let (cube, service, name) = chosen;
    let [more, shorter] = conclusion((&curves[cube][service], &limits[cube][service]), name);
    let [more, shorter] = [more, shorter].map(|claim| claim.by(Status::Calibration));
    claims.push(Claim { statement: &THROUGHPUT_CHOSEN, ..more });
    claims.push(Claim { statement: &TURNAROUND_CHOSEN, ..shorter });
    claims
}

/// The source names the first of the settings alone.
fn as_far_as_stated(setting: (usize, usize), claim: Claim) -> Claim {
    if setting == (1, 1) { claim } else { claim.by(Status::Derived) }
}

/// What the source concludes of all its experiments, of this one workload.
fn conclusion((curves, limits): (&[Curve], &[Limit]), name: &str) -> [Claim; 2] {
    let more = vec![(name.to_owned(), limits[1].more_than(&limits[0]))];
    [throughput(more), turnaround(&shorter(name, &Gain::new(Method::PAIR, curves, limits)))]
}

const WORKLOAD: &str = "4 x 6 and 4 x 2 in turn";

/// By service: constant, exponential.
const WHY: [&str; 2] = [
    "1024 nodes hold 32 pairs of these meshes, so turnarounds cannot grow at a load of 4.",
    "Jobs that start together do not end together: under FL up to four 4 x 2 meshes come to share a \
     5-cube; under AFL + FL one that outlives the owner of its leftover keeps the next 4 x 6 mesh out.",
];

/// Beside the published figures: utilisations, loads, and how often the one goes into the other.
fn as_published(of: &[Limit], statements: [&'static Statement; 3], why: &str) -> [Claim; 3] {
    let (fl, afl) = (&of[0], &of[1]);
    let times: Vec<f64> = afl.loads.iter().zip(&fl.loads).map(|(afl, fl)| afl / fl).collect();
    let cases = [
        vec![
            off("utilisation with AFL + FL", &afl.utilisations, 100.0),
            off("utilisation with FL", &fl.utilisations, 50.0),
        ],
        vec![off("limit of AFL + FL", &afl.loads, 4.0), off("limit of FL", &fl.loads, 2.0)],
        vec![off("limit of AFL + FL over that of FL", &times, 2.0)],
    ];
    let told = [
        format!(
            "{:.1} % with AFL + FL, {:.1} % with FL. {why}",
            afl.utilisation(),
            fl.utilisation()
        ),
        format!("{:.2} with AFL + FL, {:.2} with FL.", afl.load(), fl.load()),
        format!("{:.2} times the load.", Estimate::of(&times)),
    ];
    [0, 1, 2].map(|at| judge::every(&cases[at], PER_CENT).on(statements[at], &*told[at]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use locox_report::progress::Progress;
    use locox_report::report::Verdict::{self, DoesNotHold, Holds};

    const SHORT: Effort = Effort { jobs: 300, ..load_sweep::QUICK };

    fn judged(cube: fn(Dim) -> Cube) -> Vec<Claim> {
        let lab = Lab::new(crate::Effort::Quick, 1, Progress::hidden());
        let (curves, limits) = study(&lab, SHORT, cube);
        claims(&curves, &limits)
    }

    pub(super) fn planted() -> [Vec<Claim>; 2] {
        [judged(Cube::new), judged(Cube::exchanged)]
    }

    fn verdicts(cube: fn(Dim) -> Cube, id: &str) -> Vec<Verdict> {
        let all = judged(cube).into_iter();
        all.filter(|claim| claim.id().starts_with(id)).map(|claim| claim.verdict).collect()
    }

    /// The free list alone where the auxiliary list belongs, and the other way round.
    #[test]
    fn methods_exchanged_turn_the_verdicts() {
        let chosen = [&TWICE_CHOSEN, &THROUGHPUT_CHOSEN, &TURNAROUND_CHOSEN];
        for id in chosen.map(|statement| statement.id) {
            assert!(verdicts(Cube::new, id).iter().all(|verdict| *verdict == Holds), "{id}");
            let wrong = verdicts(Cube::exchanged, id);
            assert!(wrong.iter().all(|verdict| *verdict == DoesNotHold), "{id}: {wrong:?}");
        }
        let right = placed([Leftover::Reused, Leftover::Kept]);
        assert!(right.iter().all(|claim| claim.verdict == Holds));
        let wrong = placed([Leftover::Kept, Leftover::Reused]);
        assert!(wrong.iter().all(|claim| claim.verdict == DoesNotHold));
    }
}

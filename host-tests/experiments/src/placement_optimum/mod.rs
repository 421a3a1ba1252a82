//! How much of the demand the best placement serves, and what each strategy loses against it.

mod cubes;

use super::loss_system::Optimum;
use super::sources::hypercubes::{COMPLETE_BEST, GRAY_BEFORE_BUDDY, NEAR_OPTIMUM};
use super::thresholds::PLACEMENT_NEAR;
use super::{Experiment, Findings, Lab};
use cubes::{Machine, Pool};
use locox::cube::Dim;
use locox_models::machine::StrategyKind;
use locox_models::stats::Estimate;
use locox_models::streams::stream;
use locox_report::judge::{self, Case, Expected, Unit};
use locox_report::report::{Block, Cell, Claim, Fact, Table, counted};

pub(super) const EXPERIMENT: Experiment = Experiment {
    name: "placement-optimum",
    title: "Placement against the best there is on small cubes",
    source: "worked out for this project",
    about: "Requests for subcubes of each dimension come as Poisson streams and are lost if they \
            find no room; leases end after exponential times. Which placement serves most of the \
            demand? Among all that refuse nothing that fits the best is computed exactly, by value \
            iteration over the sets of live leases, those alike but for the names of nodes taken \
            as one. What a strategy loses against it is the value of the states that its \
            placements lead to, compared with the best ones, averaged over the requests of a run.",
    statements: &[&NEAR_OPTIMUM, &COMPLETE_BEST, &GRAY_BEFORE_BUDDY],
    run: |lab| Ok(run(lab)),
    #[cfg(test)]
    planted: tests::planted,
};

/// Demand as a share of the machine.
const LOAD: f64 = 0.9;

/// Which dimensions requests have: name, and the weight of dimension k of n.
type Workload = (&'static str, fn(u8, u8) -> f64);

const WORKLOADS: [Workload; 4] = [
    ("1 to half of the nodes, equally frequent", |k, n| f64::from(u8::from(k < n))),
    ("1 to all nodes, equally frequent", |_, _| 1.0),
    ("1 to half, each size half as frequent as the next smaller", |k, n| {
        if k < n { 0.5f64.powi(k.into()) } else { 0.0 }
    }),
    ("1 to half, each size twice as frequent as the next smaller", |k, n| {
        if k < n { 2f64.powi(k.into()) } else { 0.0 }
    }),
];

/// What came of one machine under one workload.
struct Outcome {
    dims: u8,
    workload: &'static str,
    /// Per cent of the demand.
    served: f64,
    /// By strategy and replication, per cent of what is served at best.
    lost: Vec<Vec<f64>>,
}

fn run(lab: &Lab) -> Findings {
    let (requests, replications) = lab.either((10_000, 4), (200_000, 10));
    let machines = lab.parallel(&[3, 4], |&n| Machine::new(dim(n)));
    let outcomes = study(lab, &machines, requests, replications, |kind| kind);
    Findings {
        parameters: vec![
            Fact::new("load", LOAD),
            Fact::new("requests of a replication", counted(requests)),
            Fact::new("replications", replications),
            Fact::new("states of the 3-cube", counted(machines[0].system.states() as u64)),
            Fact::new("states of the 4-cube", counted(machines[1].system.states() as u64)),
        ],
        claims: claims(&outcomes),
        results: vec![Block::Table(table(&outcomes))],
    }
}

/// The strategy that is run under the name of one.
type Run = fn(StrategyKind) -> StrategyKind;

fn study(
    lab: &Lab,
    machines: &[Machine],
    requests: u64,
    replications: u64,
    run: Run,
) -> Vec<Outcome> {
    let mut outcomes = vec![];
    for machine in machines {
        let n = machine.dims().get();
        let optima = lab.parallel(&WORKLOADS, |(_, weight)| {
            let weights: Vec<f64> = (0..=n).map(|k| weight(k, n)).collect();
            machine.system.optimum(&weights, LOAD)
        });
        for ((workload, _), optimum) in WORKLOADS.iter().zip(&optima) {
            let served = 100.0 * optimum.served;
            let lost = losses(lab, (machine, optimum), requests, replications, run);
            outcomes.push(Outcome { dims: n, workload, served, lost });
        }
    }
    outcomes
}

fn dim(dim: u8) -> Dim {
    Dim::new(dim).expect("a small dimension")
}

fn losses(
    lab: &Lab,
    (machine, optimum): (&Machine, &Optimum<'_>),
    requests: u64,
    replications: u64,
    run: Run,
) -> Vec<Vec<f64>> {
    let one = |kind| (0..replications).map(move |replication| (kind, replication));
    let items: Vec<_> = StrategyKind::ALL.into_iter().flat_map(one).collect();
    let lost = lab.parallel(&items, |&(kind, replication)| {
        let pool = Pool { machine, pool: run(kind).allocator(machine.dims()) };
        100.0 * optimum.loss(pool, requests, stream(lab.seed, "placement-optimum", replication))
    });
    lost.chunks(replications as usize).map(<[_]>::to_vec).collect()
}

fn table(outcomes: &[Outcome]) -> Table {
    let mut columns = vec![
        ("dims", "dimensions"),
        ("sizes", "sizes of requests"),
        ("best", "best: served (% of the demand)"),
    ];
    columns.extend(StrategyKind::ALL.iter().map(|kind| (kind.name(), kind.name())));
    let mut table = Table::new("What strategies lose against the best placement (%)", &columns);
    for Outcome { dims, workload, served, lost, .. } in outcomes {
        let mut row =
            vec![Cell::Count((*dims).into()), Cell::text(*workload), Cell::Number(*served, 2)];
        row.extend(lost.iter().map(|lost| Cell::Estimate(Estimate::of(lost), 3)));
        table.push(row);
    }
    table
}

fn of(outcome: &Outcome, kind: StrategyKind) -> &[f64] {
    let at = StrategyKind::ALL.iter().position(|&it| it == kind).expect("all are measured");
    &outcome.lost[at]
}

const PER_CENT: Unit = Unit("per cent", 2);

/// What `more` loses more than `less`, where the machine is this one.
fn case(outcome: &Outcome, more: StrategyKind, less: StrategyKind) -> Case {
    let pairs = of(outcome, more).iter().zip(of(outcome, less));
    let name = format!("{} dimensions, {}, {}", outcome.dims, outcome.workload, more.name());
    Case::new(name, pairs.map(|(more, less)| more - less).collect(), Expected::MORE)
}

fn claims(outcomes: &[Outcome]) -> Vec<Claim> {
    let lost_of = |kind, is_one: fn(&&Outcome) -> bool| {
        let means = outcomes.iter().filter(is_one).map(|it| Estimate::of(of(it, kind)).mean);
        let (least, most) =
            means.fold((f64::MAX, 0.0f64), |(low, high), mean| (mean.min(low), mean.max(high)));
        format!("{} {least:.2} to {most:.2}", StrategyKind::name(kind))
    };
    let lost = |kind| lost_of(kind, |_| true);
    let is_4_cube = |outcome: &&Outcome| outcome.dims == 4;
    let near = outcomes.iter().filter(is_4_cube).map(|outcome| {
        let expected = Expected::Inside(f64::NEG_INFINITY, PLACEMENT_NEAR);
        Case::new(outcome.workload, of(outcome, StrategyKind::Complete).to_vec(), expected)
    });
    let others = StrategyKind::ALL.into_iter().filter(|&kind| kind != StrategyKind::Complete);
    let better = others.flat_map(|kind| {
        outcomes.iter().map(move |outcome| case(outcome, kind, StrategyKind::Complete))
    });
    let step = outcomes.iter().map(|it| case(it, StrategyKind::Buddy, StrategyKind::GrayCode));
    vec![
        judge::every(&near.collect::<Vec<_>>(), PER_CENT).of_levels().on(
            &NEAR_OPTIMUM,
            format!("Lost, per cent: {}.", lost_of(StrategyKind::Complete, is_4_cube)),
        ),
        judge::every(&better.collect::<Vec<_>>(), PER_CENT).on(
            &COMPLETE_BEST,
            format!("Lost, per cent: {}.", StrategyKind::ALL.map(lost).join(", ")),
        ),
        judge::every(&step.collect::<Vec<_>>(), PER_CENT)
            .on(&GRAY_BEFORE_BUDDY, "It recognises twice as many subcubes."),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use locox_report::progress::Progress;
    use locox_report::report::Verdict::{self, DoesNotHold, Holds};

    /// On the 3-cube: whether each other strategy loses more than complete recognition.
    fn judged(run: Run) -> Vec<Claim> {
        let lab = Lab::new(crate::Effort::Quick, 1, Progress::hidden());
        claims(&study(&lab, &[Machine::new(dim(3))], 20_000, 4, run))
    }

    const EXCHANGED: Run = |kind| match kind {
        StrategyKind::Buddy => StrategyKind::Complete,
        StrategyKind::Complete => StrategyKind::Buddy,
        other => other,
    };

    pub(super) fn planted() -> [Vec<Claim>; 2] {
        [judged(|kind| kind), judged(EXCHANGED)]
    }

    fn verdict(run: Run) -> Verdict {
        judged(run)
            .into_iter()
            .filter(|claim| claim.statement.id == COMPLETE_BEST.id)
            .map(|claim| claim.verdict)
            .next()
            .unwrap()
    }

    #[test]
    fn the_buddy_system_under_the_name_of_complete_recognition_turns_the_verdict() {
        assert_eq!(verdict(|kind| kind), Holds);
        assert_eq!(verdict(EXCHANGED), DoesNotHold);
    }
}

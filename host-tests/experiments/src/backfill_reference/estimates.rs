//! The model of Lublin and Feitelson, with users who know their run times more or less well.

use super::replays::{MUALEM, QUEUES, SLOWDOWN, replayed};
use crate::Lab;
use crate::difference::signed;
use locox_models::replay::{Decisions, QueueKind};
use locox_models::stats::Estimate;
use locox_models::workload::Workload;
use locox_models::workload::lublin::{Kind, Lublin};
use locox_report::judge::{self, Case, Expected};
use locox_report::report::{Cell, Claim, Table};

/// The f of the f-model: requests are uniform between the run time and f + 1 times that.
const FACTORS: [f64; 4] = [0.0, 1.0, 3.0, 10.0];
pub(super) const PROCESSORS: u32 = 128;
const LOAD: f64 = 0.8;

/// Jobs, and replications.
pub(super) fn size(lab: &Lab) -> (usize, u64) {
    lab.either((1_000, 5), (10_000, 20))
}

/// Slowdowns and waits under a queue, one a replication.
pub(super) struct Row {
    queue: QueueKind,
    factor: f64,
    slowdowns: Vec<f64>,
    waits: Vec<f64>,
}

pub(super) fn measure(lab: &Lab) -> Vec<Row> {
    let (jobs, replications) = size(lab);
    let ways: Vec<(QueueKind, f64)> = FACTORS
        .iter()
        .flat_map(|&factor| QUEUES.map(|queue| (queue, factor)))
        // First come, first served does not look at requests.
        .filter(|&(queue, factor)| queue.plans() || factor == 0.0)
        .collect();
    let runs: Vec<_> =
        ways.iter().flat_map(|&way| (0..replications).map(move |rep| (way, rep))).collect();
    let results = lab.parallel(&runs, |&((queue, factor), replication)| {
        let workload = workload(lab.seed, replication, jobs, factor);
        let outcome = replayed(&workload, PROCESSORS, queue, Decisions::Planned);
        let outcome = outcome.expect("the model makes jobs that fit its machine");
        (outcome.mean_bounded_slowdown, outcome.mean_wait)
    });
    let rows = ways.into_iter().zip(results.chunks(replications as usize));
    rows.map(|((queue, factor), results)| {
        let (slowdowns, waits) = results.iter().copied().unzip();
        Row { queue, factor, slowdowns, waits }
    })
    .collect()
}

/// The same jobs for each factor, at the same load.
fn workload(seed: u64, replication: u64, jobs: usize, factor: f64) -> Workload {
    at_load(LOAD, seed, replication, jobs, factor)
}

pub(super) fn at_load(
    load: f64,
    seed: u64,
    replication: u64,
    jobs: usize,
    factor: f64,
) -> Workload {
    let estimates = Some(factor);
    let recipe = Lublin { kind: Kind::All, jobs, processors: PROCESSORS, estimates };
    let mut workload = recipe.generate(seed, replication).expect("a recipe in range");
    let offered = workload.offered_load(PROCESSORS).expect("jobs that arrive one after the other");
    workload.scale_load(load / offered).expect("a load above zero");
    workload
}

pub(super) fn table(rows: &[Row]) -> Table {
    let columns = [
        ("queue", "queue"),
        ("factor", "f of requests"),
        ("mean_bounded_slowdown", "slowdown"),
        ("mean_wait_s", "mean wait (s)"),
    ];
    let title = format!("Jobs of the model on {PROCESSORS} processors at a load of {LOAD}");
    let mut table = Table::new(title, &columns);
    for Row { queue, factor, slowdowns, waits } in rows {
        table.push(vec![
            Cell::text(queue.to_string()),
            if queue.plans() { Cell::Number(*factor, 0) } else { Cell::Missing },
            Cell::Estimate(Estimate::of(slowdowns), 1),
            Cell::Estimate(Estimate::of(waits), 0),
        ]);
    }
    table
}

/// What the first slowdowns are above the second, replication by replication.
fn above(first: &[f64], second: &[f64]) -> Vec<f64> {
    first.iter().zip(second).map(|(a, b)| a - b).collect()
}

/// Under a queue that does not look at requests they are the same for every factor.
fn slowdowns(rows: &[Row], queue: QueueKind, factor: f64) -> &[f64] {
    let factor = if queue.plans() { factor } else { 0.0 };
    let row = rows.iter().find(|row| row.queue == queue && row.factor == factor);
    row.map_or(&[], |row| &row.slowdowns)
}

/// A queue's slowdown above another's for each factor, on the jobs of the model.
pub(super) fn cases(rows: &[Row], queue: QueueKind, against: QueueKind) -> Vec<Case> {
    let of = |factor| {
        let by = above(slowdowns(rows, queue, factor), slowdowns(rows, against, factor));
        let name = format!("{queue} against {against}, model with f = {factor}");
        Case::new(name, by, Expected::LESS)
    };
    FACTORS.map(of).into()
}

/// The surprising result of the source.
pub(super) fn claim(rows: &[Row]) -> Claim {
    let gain = |queue: QueueKind, factor| {
        let exact = slowdowns(rows, queue, FACTORS[0]);
        let by = above(slowdowns(rows, queue, factor), exact);
        Case::new(format!("{queue} with f = {factor}"), by, Expected::LESS)
    };
    let kinds = [QueueKind::Easy, QueueKind::Conservative];
    let of = |queue| FACTORS[1..].iter().map(move |&factor| gain(queue, factor));
    let cases: Vec<Case> = kinds.into_iter().flat_map(of).collect();
    judge::every(&cases, SLOWDOWN).claim(
        "Backfilling works better when users overestimate run times by a substantial factor",
        MUALEM,
        format!("Slowdown against exact requests, paired by replication. {}.", told(&cases)),
    )
}

/// Each case with its mean and interval.
pub(super) fn told(cases: &[Case]) -> String {
    let one = |case: &Case| format!("{}: {}", case.name, signed(Estimate::of(&case.differences)));
    cases.iter().map(one).collect::<Vec<_>>().join("; ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use locox_report::report::Verdict::{DoesNotHold, Holds};

    /// Rows in which requests of factor f change the slowdown by `by` a unit of f.
    fn rows(by: f64) -> Vec<Row> {
        let values = |factor: f64| -> Vec<f64> {
            (0..5).map(|at| 100.0 + by * factor + f64::from(at * at % 3)).collect()
        };
        let of = |queue| {
            FACTORS.map(|factor| Row { queue, factor, slowdowns: values(factor), waits: vec![] })
        };
        QUEUES.into_iter().flat_map(of).collect()
    }

    #[test]
    fn the_verdict_can_fail() {
        assert_eq!(claim(&rows(-3.0)).verdict, Holds);
        assert_eq!(claim(&rows(3.0)).verdict, DoesNotHold);
    }
}

//! The model of Lublin and Feitelson, with users who know their run times more or less well.

use super::{MUALEM, QUEUES, replayed};
use crate::experiments::Lab;
use crate::report::{Cell, Claim, Table, Verdict};
use locox_models::replay::{Decisions, QueueKind};
use locox_models::stats::Estimate;
use locox_models::workload::Workload;
use locox_models::workload::lublin::{Kind, Lublin};

/// The f of the f-model: requests are uniform between the run time and f + 1 times that.
const FACTORS: [f64; 4] = [0.0, 1.0, 3.0, 10.0];
const PROCESSORS: u32 = 128;
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
    let estimates = Some(factor);
    let recipe = Lublin { kind: Kind::All, jobs, processors: PROCESSORS, estimates };
    let mut workload = recipe.generate(seed, replication).expect("a recipe in range");
    let offered = workload.offered_load(PROCESSORS).expect("jobs that arrive one after the other");
    workload.scale_load(LOAD / offered).expect("a load above zero");
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
fn above(first: &[f64], second: &[f64]) -> Estimate {
    Estimate::of(&first.iter().zip(second).map(|(a, b)| a - b).collect::<Vec<_>>())
}

fn slowdowns(rows: &[Row], queue: QueueKind, factor: f64) -> &[f64] {
    let row = rows.iter().find(|row| row.queue == queue && row.factor == factor);
    row.map_or(&[], |row| &row.slowdowns)
}

/// A difference, and the f that it belongs to.
fn signed(Estimate { mean, half_width, .. }: &Estimate, f: f64) -> String {
    let half_width = half_width.map(|half| format!(" ± {half:.1}")).unwrap_or_default();
    format!("{mean:+.1}{half_width} with f = {f}")
}

fn is_below_zero(estimate: &Estimate) -> bool {
    estimate.half_width.is_some_and(|half| estimate.mean + half < 0.0)
}

/// Conservative above EASY for each factor.
fn differences(rows: &[Row]) -> Vec<(f64, Estimate)> {
    let of = |factor| {
        let conservative = slowdowns(rows, QueueKind::Conservative, factor);
        (factor, above(conservative, slowdowns(rows, QueueKind::Easy, factor)))
    };
    FACTORS.map(of).to_vec()
}

pub(super) fn conservative_is_ahead_somewhere(rows: &[Row]) -> bool {
    differences(rows).iter().any(|(_, difference)| is_below_zero(difference))
}

pub(super) fn told(rows: &[Row]) -> String {
    let each = differences(rows);
    let each = each.iter().map(|(f, difference)| signed(difference, *f));
    let each: Vec<_> = each.collect();
    format!("By the model, conservative has a slowdown of {} against EASY.", each.join(", "))
}

/// The surprising result of the source.
pub(super) fn claim(rows: &[Row]) -> Claim {
    let exact = |queue| slowdowns(rows, queue, FACTORS[0]);
    let gain = |queue, factor| above(slowdowns(rows, queue, factor), exact(queue));
    let kinds = [QueueKind::Easy, QueueKind::Conservative];
    let told = kinds.map(|queue| {
        let each = FACTORS[1..].iter().map(|&f| signed(&gain(queue, f), f));
        format!("{queue}: {}", each.collect::<Vec<_>>().join(", "))
    });
    let better = |queue: &QueueKind| FACTORS[1..].iter().any(|&f| is_below_zero(&gain(*queue, f)));
    Claim {
        statement: "Backfilling works better when users overestimate run times by a substantial \
                    factor"
            .into(),
        source: MUALEM.into(),
        verdict: Verdict::of(kinds.iter().all(better)),
        judged: None,
        evidence: format!(
            "Slowdown against exact requests, paired by replication. {}. Counted as better: below \
             zero with 95 % confidence for some f.",
            told.join("; ")
        ),
    }
}

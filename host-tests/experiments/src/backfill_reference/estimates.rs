//! The model of Lublin and Feitelson, with users who know their run times more or less well.

use super::replays::{CONSERVATIVE, EASY, QUEUES, Queues, SLOWDOWN, relative, replayed};
use crate::Lab;
use crate::difference::{minus, signed};
use crate::sources::backfilling::OVERESTIMATES_HELP;
use crate::thresholds::BACKFILL_SUBSTANTIAL;
use locox_models::replay::Decisions;
use locox_models::stats::Estimate;
use locox_models::workload::Workload;
use locox_models::workload::lublin::{Kind, Lublin};
use locox_report::judge::{self, Case, Expected};
use locox_report::report::{Cell, Claim, Table};

/// The f of the f-model: requests are uniform between the run time and f + 1 times that.
pub(super) type Factors = [f64; 4];
pub(super) const FACTORS: Factors = [0.0, 1.0, 3.0, 10.0];
pub(super) const PROCESSORS: u32 = 128;
const LOAD: f64 = 0.8;

/// Jobs, and replications.
pub(super) fn size(lab: &Lab) -> (usize, u64) {
    lab.either((1_000, 5), (10_000, 20))
}

/// Slowdowns and waits under a queue, one a replication.
#[derive(Clone)]
pub(super) struct Row {
    /// Its place among the queues that are compared.
    place: usize,
    factor: f64,
    slowdowns: Vec<f64>,
    waits: Vec<f64>,
    /// In per cent, from the first arrival to the last end.
    utilisations: Vec<f64>,
}

/// `queues` and `factors` are what runs as [`QUEUES`] and as [`FACTORS`].
pub(super) fn measure(lab: &Lab, queues: Queues, factors: Factors) -> Vec<Row> {
    let (jobs, replications) = size(lab);
    let ways: Vec<(usize, usize)> = (0..FACTORS.len())
        .flat_map(|factor| (0..QUEUES.len()).map(move |place| (place, factor)))
        // First come, first served does not look at requests.
        .filter(|&(place, factor)| QUEUES[place].plans() || FACTORS[factor] == 0.0)
        .collect();
    let runs: Vec<_> =
        ways.iter().flat_map(|&way| (0..replications).map(move |rep| (way, rep))).collect();
    let results = lab.parallel(&runs, |&((place, factor), replication)| {
        let workload = at_load(LOAD, lab.seed, replication, jobs, factors[factor]);
        let outcome = replayed(&workload, PROCESSORS, queues[place], Decisions::Planned);
        let outcome = outcome.expect("the model makes jobs that fit its machine");
        [outcome.mean_bounded_slowdown, outcome.mean_wait, 100.0 * outcome.utilisation]
    });
    let rows = ways.into_iter().zip(results.chunks(replications as usize));
    rows.map(|((place, factor), results)| {
        let of = |figure: usize| results.iter().map(|result| result[figure]).collect();
        let [slowdowns, waits, utilisations] = [0, 1, 2].map(of);
        Row { place, factor: FACTORS[factor], slowdowns, waits, utilisations }
    })
    .collect()
}

/// All factors have the same jobs, at the same load.
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
    for Row { place, factor, slowdowns, waits, .. } in rows {
        let queue = QUEUES[*place];
        table.push(vec![
            Cell::text(queue.to_string()),
            if queue.plans() { Cell::Number(*factor, 0) } else { Cell::Missing },
            Cell::Estimate(Estimate::of(slowdowns), 1),
            Cell::Estimate(Estimate::of(waits), 0),
        ]);
    }
    table
}

/// Under a queue that does not look at requests they are the same for every factor.
fn slowdowns(rows: &[Row], place: usize, factor: f64) -> &[f64] {
    row(rows, place, factor).map_or(&[], |row| &row.slowdowns)
}

fn row(rows: &[Row], place: usize, factor: f64) -> Option<&Row> {
    let factor = if QUEUES[place].plans() { factor } else { 0.0 };
    rows.iter().find(|row| row.place == place && row.factor == factor)
}

/// How much more of the machine a queue uses than another for each factor, in percentage points.
pub(super) fn fuller(rows: &[Row], place: usize, than: usize) -> Vec<Case> {
    let used = |place, factor| row(rows, place, factor).map_or(&[][..], |row| &row.utilisations);
    let of = |factor| {
        let [queue, other] = [place, than].map(|place| QUEUES[place]);
        let name = format!("{queue} against {other}, model with f = {factor}");
        Case::new(name, minus(used(place, factor), used(than, factor)), Expected::MORE)
    };
    FACTORS.map(of).into()
}

/// How much more a queue's slowdown is than another's for each factor, on the jobs of the model, in per
/// cent of the other's mean.
pub(super) fn cases(rows: &[Row], place: usize, against: usize) -> Vec<Case> {
    let of = |factor| {
        let by = relative(slowdowns(rows, place, factor), slowdowns(rows, against, factor));
        let [queue, other] = [place, against].map(|place| QUEUES[place]);
        let name = format!("{queue} against {other}, model with f = {factor}");
        Case::new(name, by, Expected::LESS)
    };
    FACTORS.map(of).into()
}

/// What conservative backfilling adds to the slowdown under EASY for each factor, in per cent.
pub(super) fn added(rows: &[Row]) -> Vec<(String, Vec<f64>)> {
    let of = |factor| {
        let [conservative, easy] = [CONSERVATIVE, EASY].map(|place| slowdowns(rows, place, factor));
        (format!("model with f = {factor}"), relative(conservative, easy))
    };
    FACTORS.map(of).into()
}

/// The surprising result of the source.
pub(super) fn claim(rows: &[Row]) -> Claim {
    let gain = |place: usize, factor| {
        let exact = slowdowns(rows, place, FACTORS[0]);
        let by = minus(slowdowns(rows, place, factor), exact);
        Case::new(format!("{} with f = {factor}", QUEUES[place]), by, Expected::LESS)
    };
    let all: Vec<(Case, f64)> = [EASY, CONSERVATIVE]
        .into_iter()
        .flat_map(|place| FACTORS[1..].iter().map(move |&factor| (gain(place, factor), factor)))
        .collect();
    let cases: Vec<Case> = all.iter().map(|(case, _)| case.clone()).collect();
    let substantial = all.into_iter().filter(|&(_, factor)| factor >= BACKFILL_SUBSTANTIAL);
    let substantial: Vec<Case> = substantial.map(|(case, _)| case).collect();
    judge::every(&substantial, SLOWDOWN).on(
        &OVERESTIMATES_HELP,
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
    use crate::Effort;
    use locox_models::replay::QueueKind;
    use locox_report::progress::Progress;
    use locox_report::report::Verdict::DoesNotHold;

    /// A queue that lets nobody pass, wherever requests are not exact.
    #[test]
    fn the_wrong_queue_for_requests_that_are_not_exact_is_caught() {
        let lab = Lab::new(Effort::Quick, 1, Progress::hidden());
        let sound = measure(&lab, QUEUES, FACTORS);
        let others = measure(&lab, [QueueKind::Fcfs; 3], FACTORS);
        let wrong = sound.iter().cloned().zip(others);
        let wrong = wrong.map(|(row, other)| if row.factor == 0.0 { row } else { other });
        assert_ne!(claim(&sound).verdict, DoesNotHold);
        assert_eq!(claim(&wrong.collect::<Vec<_>>()).verdict, DoesNotHold);
    }
}

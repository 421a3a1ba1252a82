//! What the bounded rules do to waits, up to loads at which lines grow as long as jobs come.

use super::estimates::{PROCESSORS, at_load};
use super::replays::replayed;
use crate::Lab;
use locox_models::replay::{Decisions, QueueKind};
use locox_models::stats::Estimate;
use locox_report::report::{Cell, Table};

const LOADS: [f64; 3] = [0.8, 1.0, 1.2];
/// Requests of up to four times the run time.
const FACTOR: f64 = 3.0;
const DEPTHS: [u32; 2] = [10, 100];

/// Jobs, and replications.
pub(super) fn size(lab: &Lab) -> (usize, u64) {
    lab.either((500, 2), (10_000, 10))
}

pub(super) fn table(lab: &Lab) -> Table {
    let (jobs, replications) = size(lab);
    let queues: Vec<QueueKind> = [QueueKind::Easy, QueueKind::Conservative]
        .into_iter()
        .chain(DEPTHS.map(QueueKind::EasyAmong))
        .chain(DEPTHS.map(QueueKind::ConservativeAmong))
        .collect();
    let ways: Vec<(QueueKind, f64)> =
        queues.iter().flat_map(|&queue| LOADS.map(|load| (queue, load))).collect();
    let runs: Vec<_> =
        ways.iter().flat_map(|&way| (0..replications).map(move |rep| (way, rep))).collect();
    let waits = lab.parallel(&runs, |&((queue, load), replication)| {
        let workload = at_load(load, lab.seed, replication, jobs, FACTOR);
        let outcome = replayed(&workload, PROCESSORS, queue, Decisions::Planned);
        outcome.expect("the model makes jobs that fit its machine").mean_wait
    });
    let columns = [("queue", "queue"), ("load", "load"), ("mean_wait_s", "mean wait (s)")];
    let title = format!("All in line, or only the first: the model on {PROCESSORS} processors");
    let mut table = Table::new(title, &columns);
    for ((queue, load), waits) in ways.into_iter().zip(waits.chunks(replications as usize)) {
        table.push(vec![
            Cell::text(queue.to_string()),
            Cell::Number(load, 1),
            Cell::Estimate(Estimate::of(waits), 0),
        ]);
    }
    table
}

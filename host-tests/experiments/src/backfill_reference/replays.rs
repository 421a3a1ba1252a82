//! Replays of one workload under each of the queues that are compared.

use crate::difference::minus;
use locox_models::machine::Pool;
use locox_models::replay::{Decisions, Options, OutageQueue, Outcome, QueueKind, replay};
use locox_models::stats::mean;
use locox_models::swf::Strictness;
use locox_models::workload::Workload;
use locox_report::failure::Failure;
use locox_report::judge::Unit;

pub(super) const SLOWDOWN: Unit = Unit("of mean bounded slowdown", 1);
pub(super) const OF_FCFS: Unit = Unit("% of the slowdown under first come, first served", 1);
pub(super) const POINTS: Unit = Unit("percentage points of utilisation", 1);
pub(super) const PER_CENT: Unit = Unit("% of the slowdown under EASY", 1);

/// What runs as first come, first served, as EASY and as conservative backfilling.
pub(super) type Queues = [QueueKind; 3];

/// The queues that are compared.
pub(super) const QUEUES: Queues = [QueueKind::Fcfs, QueueKind::Easy, QueueKind::Conservative];
/// Where each stands among them.
pub(super) const FCFS: usize = 0;
pub(super) const EASY: usize = 1;
pub(super) const CONSERVATIVE: usize = 2;

pub(super) fn replayed(
    workload: &Workload,
    processors: u32,
    queue: QueueKind,
    decisions: Decisions,
) -> Result<Outcome, Failure> {
    replayed_by(&mut *queue.queue(workload.jobs.len(), processors), workload, processors, decisions)
}

/// The same under a queue that has no name.
pub(super) fn replayed_by(
    queue: &mut dyn OutageQueue,
    workload: &Workload,
    processors: u32,
    decisions: Decisions,
) -> Result<Outcome, Failure> {
    let strictness = Strictness::Lenient;
    let options = Options { strictness, points: 0, decisions, ..Options::default() };
    let outcome = replay(workload, &mut Pool::new(processors), queue, &options);
    outcome.map_err(|error| Failure::Input(error.to_string()))
}

/// Slowdowns of the first beside those of the second, part by part, in per cent of the second's mean.
pub(super) fn relative(first: &[f64], second: &[f64]) -> Vec<f64> {
    let mean = mean(second);
    minus(first, second).into_iter().map(|by| 100.0 * by / mean).collect()
}

//! Replays of one workload under each of the queues that are compared.

use locox_models::machine::Pool;
use locox_models::replay::{Decisions, Options, Outcome, QueueKind, replay};
use locox_models::swf::Strictness;
use locox_models::workload::Workload;
use locox_report::failure::Failure;
use locox_report::judge::Unit;

pub(super) const SLOWDOWN: Unit = Unit("of mean bounded slowdown", 1);

pub(super) const MUALEM: &str = "Mu'alem and Feitelson 2001, abstract";

/// The queues that are compared.
pub(super) const QUEUES: [QueueKind; 3] =
    [QueueKind::Fcfs, QueueKind::Easy, QueueKind::Conservative];

pub(super) fn replayed(
    workload: &Workload,
    processors: u32,
    queue: QueueKind,
    decisions: Decisions,
) -> Result<Outcome, Failure> {
    let strictness = Strictness::Lenient;
    let options = Options { strictness, points: 0, decisions, ..Options::default() };
    let mut queue = queue.queue(workload.jobs.len(), processors);
    let outcome = replay(workload, &mut Pool::new(processors), &mut *queue, &options);
    outcome.map_err(|error| Failure::Input(error.to_string()))
}

//! The machine over time, under the two methods side by side.

use super::Method;
use locox::cube::Dim;
use locox_models::replay::{Options, replay};
use locox_models::workload::Workload;
use locox_models::workload::synthetic::TICKS_PER_UNIT;
use locox_report::node_map::{Machine, NodeMap};
use locox_report::report::Picture;

/// # Panics
///
/// If the machine is too large to be drawn, or a job does not fit it.
pub(crate) fn picture(title: &str, dims: Dim, workload: &Workload) -> Picture {
    let replayed = Method::PAIR.map(|method| {
        let mut machine = method.machine(dims);
        let mut queue = method.queue.queue(workload.jobs.len(), dims.nodes());
        let decisions = method.queue.decisions();
        let options = Options { points: 0, decisions, ..Options::default() };
        let outcome = replay(workload, &mut machine, &mut *queue, &options);
        (method.name(), outcome.expect("every mesh fits the empty machine"))
    });
    let runs = replayed.iter().map(|(name, outcome)| (name.clone(), outcome)).collect();
    let map = NodeMap {
        machine: Machine::Cube(dims),
        ticks: TICKS_PER_UNIT,
        unit: "s",
        workload: &workload.jobs,
        runs,
    };
    map.picture(title).expect("the cube is small enough, and its jobs are meshes")
}

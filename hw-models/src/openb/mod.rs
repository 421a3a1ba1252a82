//! *openb*: nodes with GPUs, and the tasks that came to them, as Alibaba published them in 2023 (`cluster-trace-gpu-v2023`), as what
//! replays read: a trace, [what its jobs ask for](crate::machine::DemandFile), and a [cluster](crate::machine::Cluster).
//!
//! - A task is a job on one node. Its CPUs, which are in thousandths, are rounded up to whole cores.
//! - `gpu_spec`, the models of GPUs that it may have, are features of nodes.
//! - A task that was never scheduled did not run: it is dropped.

mod nodes;
mod tasks;

pub use nodes::{BadNodes, NodeList};
pub use tasks::{BadTaskKind, BadTasks, Report, TaskList};

/// CPUs in thousandths as cores.
fn cores(milli: u32) -> u32 {
    milli.div_ceil(1000)
}

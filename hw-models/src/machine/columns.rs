//! Columns of the files of clusters and of demands that are not quantities, and which names are left for quantities.

use crate::table;

pub(super) const COUNT: &str = "count";
/// For readers.
pub(super) const CLASS: &str = "class";
pub(super) const FEATURES: &str = "features";
pub(super) const JOB: &str = "job";
pub(super) const NODES: &str = "nodes";
pub(super) const GPU_MILLI: &str = "gpu_milli";

/// Whether both files can have a quantity of this name.
pub(crate) fn is_quantity(name: &str) -> bool {
    table::is_value(name) && ![COUNT, CLASS, FEATURES, JOB, NODES, GPU_MILLI].contains(&name)
}

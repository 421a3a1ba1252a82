//! The kernel and the models of locox for Python. Comments on what users see are its documentation there.

mod argument;
mod compare;
mod env;
mod error;
mod fair;
mod file;
mod grid;
mod interrupt;
mod leases;
mod mapping;
mod method;
mod nodes;
mod number;
mod outcome;
#[cfg(unix)]
mod pipe;
mod pool;
mod queue;
mod replay;
mod shared;
mod slices;
mod timeline;
mod workload;

use pyo3::prelude::*;

/// What `locox` and `locox.gym` are made of.
#[pymodule]
mod _locox {
    use super::*;

    #[pymodule_export]
    use super::{
        compare::compare,
        env::Environments,
        error::{Misused, Refused, ReplayError, TraceError},
        fair::{Decision, FairShare},
        grid::{BoxLease, GridPool},
        mapping::{Mapping, map_jobs},
        nodes::{NodeLease, NodePool},
        outcome::{_outcome, Outcome},
        pool::{Lease, MeshLease, MeshPool, Pool},
        queue::{Job, Queue},
        replay::replay,
        slices::{SliceLease, SlicePool},
        timeline::{Profile, Reservation, Timeline},
        workload::{_workload, Workload, lublin, read_swf},
    };

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}

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
    use super::compare::compare;
    #[pymodule_export]
    use super::env::Environments;
    #[pymodule_export]
    use super::error::{Misused, Refused, ReplayError, TraceError};
    #[pymodule_export]
    use super::fair::{Decision, FairShare};
    #[pymodule_export]
    use super::grid::{BoxLease, GridPool};
    #[pymodule_export]
    use super::mapping::{Mapping, map_jobs};
    #[pymodule_export]
    use super::outcome::{_outcome, Outcome};
    #[pymodule_export]
    use super::pool::{Lease, MeshLease, MeshPool, Pool};
    #[pymodule_export]
    use super::queue::{Job, Queue};
    #[pymodule_export]
    use super::replay::replay;
    #[pymodule_export]
    use super::slices::{SliceLease, SlicePool};
    #[pymodule_export]
    use super::timeline::{Profile, Reservation, Timeline};
    #[pymodule_export]
    use super::workload::{_workload, Workload, lublin, read_swf};

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}

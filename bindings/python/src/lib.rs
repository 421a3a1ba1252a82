//! The kernel and the models of locox for Python. Comments on what users see are its documentation there.

mod env;
mod error;
mod file;
mod number;
mod outcome;
mod replay;
mod workload;

use pyo3::prelude::*;

/// What `locox` and `locox.gym` are made of.
#[pymodule]
mod _locox {
    use super::*;

    #[pymodule_export]
    use super::env::Environments;
    #[pymodule_export]
    use super::error::{ReplayError, TraceError};
    #[pymodule_export]
    use super::outcome::{_outcome, Outcome};
    #[pymodule_export]
    use super::replay::replay;
    #[pymodule_export]
    use super::workload::{_workload, Workload, lublin, read_swf};

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}

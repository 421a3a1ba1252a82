//! The models of locox for Python. What users see is documented in `python/locox`.

mod env;
mod error;
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
    use super::outcome::Outcome;
    #[pymodule_export]
    use super::replay::replay;
    #[pymodule_export]
    use super::workload::{Workload, lublin, read_swf};

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}

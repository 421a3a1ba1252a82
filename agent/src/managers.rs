//! Which resource manager it is: the one place that knows all of them.

use crate::backend::Backend;
use crate::condor::Condor;
use crate::config::{Config, ManagerConfig, Mode};
use crate::simulated::SimulatedFile;
use crate::slurm::Slurm;
use std::io;

/// Opens the manager of a configuration. `looks_only`: nothing that is done with it changes it.
///
/// # Errors
///
/// Why it cannot be opened: one line.
pub fn open(config: &Config, looks_only: bool) -> io::Result<Box<dyn Backend>> {
    match &config.manager {
        ManagerConfig::Simulated { file, world } => {
            let opened = SimulatedFile::open(file, world, looks_only);
            let with_path = |error: io::Error| {
                io::Error::new(error.kind(), format!("{}: {error}", file.display()))
            };
            Ok(Box::new(opened.map_err(with_path)?))
        }
        // Real managers are changed by acts alone, which who only looks does not ask for.
        ManagerConfig::Slurm(slurm) => {
            Ok(Box::new(Slurm::new(slurm.clone()).map_err(io::Error::other)?))
        }
        ManagerConfig::Condor(condor) => Ok(Box::new(Condor::new(condor))),
    }
}

/// What a manager cannot do that a configuration needs; `None` if it can all of it.
pub fn lacks(backend: &dyn Backend, config: &Config) -> Option<&'static str> {
    let can = backend.abilities();
    match config.mode {
        Mode::Advisory if !can.priorities => Some(
            "mode = \"advisory\" needs a manager that orders jobs by ranks, which this one does not",
        ),
        Mode::Authoritative if !can.gate => Some(
            "mode = \"authoritative\" needs a gate, which this manager does not have: see `locox-agent gate`",
        ),
        Mode::Authoritative if !can.places => {
            Some("mode = \"authoritative\" needs a manager that starts jobs on chosen nodes")
        }
        Mode::Authoritative if config.preempt.is_some() && !can.preempt => {
            Some("preempt = true needs a manager that stops jobs and queues them again")
        }
        _ => None,
    }
}

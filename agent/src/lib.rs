//! Governs a cluster through its resource manager: the kernel decides which job runs where and when, and the
//! manager acts.

pub mod backend;
mod command;
pub mod condor;
pub mod config;
pub mod simulated;
pub mod slurm;

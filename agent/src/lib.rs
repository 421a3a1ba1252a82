//! Governs a cluster through its resource manager: the kernel decides which job runs where and when, and the
//! manager acts.

pub mod backend;
pub mod config;
pub mod simulated;

//! Hosts that parallel jobs share in time, as in the second half of Turner's thesis (1995).
//!
//! [`World`] runs a few jobs on a few hosts, event by event: each host has a processor under one of
//! two [`Kernel`]s, and messages take time. [`Program`] is what a job does, [`calibration`] which of
//! the figures were printed and which were fitted to those, [`equations`] what the source computes
//! by hand. [`fluid`] runs streams of jobs by rates under the kernel's own coordinator, and [`lists`]
//! are files of jobs and hosts for it.
//!
//! Times are microseconds.

pub mod calibration;
mod cpu;
pub mod equations;
pub mod fluid;
pub mod lists;
mod program;
mod world;

pub use cpu::{Kernel, Quanta};
pub use program::{Daemon, Network, Priority, Program};
pub use world::{Job, Outcome, Spell, World};

/// Microseconds to the second.
pub const SECOND: f64 = 1e6;

/// So many seconds as ticks.
pub fn seconds(count: f64) -> u64 {
    (count * SECOND).round() as u64
}

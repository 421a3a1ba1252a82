//! The agent from outside: one binary, because each costs a link.

mod command;
mod live_slurm;
mod migrate;
mod simulated;

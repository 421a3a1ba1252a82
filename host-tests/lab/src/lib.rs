//! **locox-lab**: the command `locox` and the parts that it is made of.
//!
//! # Map
//!
//! - [`cli`] is the command line, [`commands`] what each command does.
//! - [`comparison`] replays a workload under several strategies.
//! - [`compare`] is the factorial over jobs, loads and methods, with intervals.
//! - [`jobs`] shows jobs of replays one by one.
//! - [`gantt`] draws what runs when and where.
//! - [`shares`] runs a pool of workstations under several rankings.
//! - [`program`] is how a program begins and ends.
//! - [`output`] is where results go, [`unfinished`] what a signal removes, [`input`] where traces come from, [`memory`] how many jobs there is room for.
//!
//! Reports and what they are made of are those of `locox-report`. Published experiments are in `locox-experiments`,
//! a program of its own; [`cli`] has its command line, too.

#![forbid(unsafe_code)]

pub mod cli;
pub mod commands;
pub mod compare;
pub mod comparison;
pub mod gantt;
pub mod input;
pub mod jobs;
mod lanes;
pub mod memory;
pub mod method;
pub mod output;
pub mod program;
mod queue;
pub mod shares;
pub mod shell;
pub mod unfinished;
mod way;

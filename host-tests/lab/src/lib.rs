//! **locox-lab**: the command `locox` and the parts that it is made of.
//!
//! # Map
//!
//! - [`cli`] is the command line, [`commands`] what each command does.
//! - [`comparison`] replays a workload under several strategies; [`batsim`] writes the jobs.
//! - [`compare`] is the factorial over jobs, loads and methods, with intervals.
//! - [`cube_map`] draws the machine over time, [`gantt`] what runs when and where.
//! - [`shares`] runs a pool of workstations under several rankings.
//! - [`experiments`] are the published ones, one file or folder each; [`judge`] makes verdicts of
//!   what they find.
//! - [`report`] is what is said and how it looks; [`output`] where it goes, [`printable`] for a
//!   terminal; [`progress`] the bar meanwhile; [`failure`] what is told if it cannot be.
//! - [`parallel`] spreads work over threads. [`input`] is where traces come from, [`memory`] how many jobs there is room for.

#![forbid(unsafe_code)]

pub mod batsim;
pub mod cli;
pub mod commands;
pub mod compare;
pub mod comparison;
pub mod cube_map;
pub mod experiments;
pub mod failure;
pub mod gantt;
pub mod input;
pub mod judge;
pub mod memory;
pub mod method;
pub mod output;
pub mod parallel;
pub mod printable;
pub mod progress;
pub mod report;
pub mod shares;

//! **locox-lab**: the command `locox` and the parts that it is made of.
//!
//! # Map
//!
//! - [`cli`] is the command line, [`commands`] what each command does.
//! - [`comparison`] replays a workload under several strategies; [`batsim`] writes the jobs.
//! - [`cube_map`] draws the machine over time, [`gantt`] reservations.
//! - [`shares`] runs a pool of workstations under several rankings.
//! - [`experiments`] are the published ones, one file or folder each.
//! - [`report`] is what is said and how it looks; [`output`] where it goes; [`progress`] the bar
//!   meanwhile; [`failure`] what is told if it cannot be.

#![forbid(unsafe_code)]

pub mod batsim;
pub mod cli;
pub mod commands;
pub mod comparison;
pub mod cube_map;
pub mod experiments;
pub mod failure;
pub mod gantt;
pub mod output;
pub mod progress;
pub mod report;
pub mod shares;

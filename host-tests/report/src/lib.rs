//! What the command `locox` says, and how it looks.
//!
//! - [`report`] is a document: on a terminal, as a page, as data.
//! - [`judge`] makes verdicts of what experiments find.
//! - [`node_map`] draws the machine over time.
//! - [`printable`] is text for a terminal, [`progress`] the bar meanwhile, [`line`](mod@line) how a simulation stands, [`screen`] who reads it; [`failure`] what
//!   is told if it cannot be.
//! - [`parallel`] spreads work over threads.

#![forbid(unsafe_code)]

pub mod failure;
pub mod judge;
pub mod line;
pub mod node_map;
pub mod parallel;
pub mod printable;
pub mod progress;
pub mod report;
pub mod screen;

//! **locox-coordinators**: the state machines over [`locox`] that run for years.
//!
//! A coordinator takes commands at given times and gives effects, which its caller carries out. It has no operating
//! system, no heap, no clock and no randomness of its own, and no panic path. Same commands at the same times, same
//! effects, on every target.
//!
//! - [`coordinate`]: what every coordinator is; images, records of commands, and their replay;
//! - [`station`]: a network of workstations and a processor bank;
//! - [`cluster`]: hosts that run several parallel jobs each, and the part of it on each host;
//! - [`site`]: unlike machines and clusters of them, with queues, users, and what past runs took;
//! - [`manager`]: a machine that a resource manager runs: an agent tells facts and does what is decided.
//!
//! The mechanisms by which they decide are in [`locox`], whose [principles](locox#principles) hold here too.
//!
//! # Features
//!
//! As those of [`locox`]: `leaf-index` is on by default; `serde` and `defmt` derive their traits on the small public types.

#![no_std]
#![forbid(unsafe_code)]
#![warn(missing_docs)]

pub mod cluster;
pub mod coordinate;
pub mod manager;
pub mod site;
pub mod station;

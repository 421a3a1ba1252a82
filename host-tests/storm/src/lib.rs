//! All coordinators, a bank and an agent in one simulated world that means harm: messages are late, lost, doubled,
//! reordered and forged; machines and coordinators fail and start again; clocks step; disks tear, turn bits, are full,
//! and say that something is durable that is not; owners come and go.
//!
//! A world follows from its seed. Its plan is drawn first, and can be left out bit by bit until the fewest commands are left
//! with which a [`Claim`] does not hold.

mod agent;
mod bank;
mod carrier;
mod chip;
mod claims;
mod context;
mod disk;
mod figures;
mod holders;
mod host;
mod kept;
mod machines;
mod network;
mod numbers;
mod owned_site;
mod panics;
mod parts;
mod plan;
mod planted;
mod run;
mod server;
mod shared;
mod shrink;
mod site;
mod stations;
mod time;
mod workstations;
mod world;

pub use claims::{Claim, Violation};
pub use figures::Figures;
pub use planted::Planted;
pub use run::{Failed, Found, Shrunk, Worlds, run, shrunk};

//! Random calls with wrong names, null and misaligned pointers and short buffers: nothing crashes,
//! what is wrong changes nothing, and every answer is that of the kernel driven in step.
//!
//! `LOCOX_CALLS=10000000 cargo test --release -p locox-c --test hostile` makes more of them.

mod attempt;
mod boxes;
mod cluster;
mod dice;
mod grid;
mod history;
mod machines;
mod manager;
mod mapping;
mod node;
mod nodes;
mod pool;
mod profile;
mod queue;
mod ranking;
mod site;
mod slices;
mod station;
mod time;
mod timeline;
mod timeshare;

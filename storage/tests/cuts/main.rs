//! Power cuts at every write, torn writes and bits that turn: nothing is lost, and nothing is taken
//! for what it is not.

mod batches;
mod disk;
mod file;
mod flash;
mod folder;
mod ledger;
mod manager;
mod owners;
#[cfg(unix)]
mod processes;
mod run;
mod shared;
mod short;
mod turns;
mod unreadable;

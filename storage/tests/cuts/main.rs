//! Power cuts at every write, torn writes and bits that turn: nothing is lost, and nothing is taken
//! for what it is not.

mod file;
mod flash;
mod folder;
#[cfg(unix)]
mod processes;
mod run;

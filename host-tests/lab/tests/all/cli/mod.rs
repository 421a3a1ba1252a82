//! The command `locox` from outside.

mod bench;
mod boxes;
mod compare;
mod elmer;
mod errors;
mod generate;
mod hostile;
mod hostile_files;
mod hostile_numbers;
mod import;
mod manager;
mod manual;
mod map;
mod network;
mod nodes;
mod outages;
mod outputs;
mod recorded;
#[cfg(unix)]
mod reproduce;
mod reserve;
mod results;
mod streamed;
mod sweep;
#[cfg(unix)]
mod terminal;
mod traces;

const PROGRAM: &str = env!("CARGO_BIN_EXE_locox");

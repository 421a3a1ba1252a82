//! The command `locox` from outside.

mod bench;
mod errors;
mod results;

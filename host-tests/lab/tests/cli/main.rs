//! The command `locox` from outside.

mod bench;
mod errors;
mod generate;
mod reserve;
mod results;

//! The program `locox-reproduce`, and verdicts: one binary, because each costs a link.

#[expect(dead_code, reason = "traces are for `locox`")]
#[path = "../../../lab/tests/all/cli/bench.rs"]
mod bench;
mod reproduce;
mod verdicts;

const PROGRAM: &str = env!("CARGO_BIN_EXE_locox-reproduce");

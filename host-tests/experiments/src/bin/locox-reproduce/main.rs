//! The program `locox-reproduce`, to which `locox reproduce` hands over.

mod archive;
mod reproduce;

use clap::Parser;
use locox_lab::cli::{Common, Reproduce};
use locox_lab::program;
use std::process::ExitCode;

/// Run published experiments again and judge their claims.
#[derive(Parser)]
#[command(name = "locox-reproduce", version)]
struct Program {
    #[command(flatten)]
    options: Reproduce,
    #[command(flatten)]
    common: Common,
}

fn main() -> ExitCode {
    program::run(|program: Program| {
        program.common.apply();
        reproduce::run(&program.options, &program::command_line("locox reproduce"))
    })
}

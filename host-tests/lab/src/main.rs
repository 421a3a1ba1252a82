//! The command `locox`.

use locox_lab::commands::execute;
use locox_lab::program;
use std::process::ExitCode;

fn main() -> ExitCode {
    program::run(|cli| execute(cli, &program::command_line("locox")))
}

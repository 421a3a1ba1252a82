//! The command `locox-agent`.

use std::process::ExitCode;

fn main() -> ExitCode {
    locox_agent::cli::main()
}

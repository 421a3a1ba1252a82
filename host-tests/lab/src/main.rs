//! The command `locox`.

use clap::Parser;
use locox_lab::cli::Cli;
use locox_lab::commands::execute;
use locox_lab::shell::quoted;
use locox_report::failure::Failure;
use std::io::{Write, stderr};
use std::process::ExitCode;

fn main() -> ExitCode {
    let done = match Cli::try_parse() {
        Ok(cli) => execute(cli, &command_line()),
        // Help and version are answers, not errors.
        Err(answer) if !answer.use_stderr() => {
            let _ = answer.print();
            return ExitCode::SUCCESS;
        }
        Err(error) => Err(Failure::from(error)),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            let _ = writeln!(stderr(), "locox: {failure}");
            ExitCode::from(failure.exit_code())
        }
    }
}

/// The command as one could type it again.
fn command_line() -> String {
    let arguments = std::env::args_os().skip(1).map(|argument| quoted(&argument.to_string_lossy()));
    ["locox".to_owned()].into_iter().chain(arguments).collect::<Vec<_>>().join(" ")
}

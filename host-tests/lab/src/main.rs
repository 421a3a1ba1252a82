//! The command `locox`.

use clap::Parser;
use locox_lab::cli::Cli;
use locox_lab::commands::execute;
use locox_lab::shell::quoted;
use locox_report::failure::Failure;
use std::io::{Write, stderr};
use std::path::Path;
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

/// The command as one could type it again where its files are: a report that is given away does not tell where.
fn command_line() -> String {
    let arguments =
        std::env::args_os().skip(1).map(|argument| quoted(&placeless(&argument.to_string_lossy())));
    ["locox".to_owned()].into_iter().chain(arguments).collect::<Vec<_>>().join(" ")
}

/// An argument; of an absolute path its last name. Devices have one place everywhere.
fn placeless(argument: &str) -> String {
    let (option, path) = match argument.split_once('=') {
        Some((option, path)) if option.starts_with('-') => (format!("{option}="), path),
        _ => (String::new(), argument),
    };
    let path = Path::new(path);
    let name = path.file_name().filter(|_| path.is_absolute() && !path.starts_with("/dev"));
    name.map_or(argument.into(), |name| option + &name.to_string_lossy())
}

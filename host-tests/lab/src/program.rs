//! How a program of ours begins and ends: its command line is read, answered or refused, and an exit code returned.

use crate::output::unprintable;
use crate::shell::quoted;
use crate::unfinished;
use clap::Parser;
use locox_report::failure::Failure;
use std::io::{ErrorKind, Write, stderr, stdout};
use std::path::Path;
use std::process::ExitCode;

/// Reads the command line and executes it.
pub fn run<C: Parser>(execute: impl FnOnce(C) -> Result<(), Failure>) -> ExitCode {
    unfinished::go_with_the_command();
    let done = match C::try_parse() {
        Ok(command) => execute(command),
        // Help and version are answers, not errors.
        Err(answer) if !answer.use_stderr() => print(&answer),
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

/// Prints help or the version, in colours where there are some. A reader who has read enough may go.
fn print(answer: &clap::Error) -> Result<(), Failure> {
    let printed = answer.print().and_then(|()| stdout().flush());
    match printed {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => Err(unprintable(&error)),
        _ => Ok(()),
    }
}

/// The command as one could type it again where its files are: a report that is given away does not tell where.
pub fn command_line(name: &str) -> String {
    let arguments =
        std::env::args_os().skip(1).map(|argument| quoted(&placeless(&argument.to_string_lossy())));
    [name.to_owned()].into_iter().chain(arguments).collect::<Vec<_>>().join(" ")
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

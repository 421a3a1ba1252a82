//! The command `locox`.

use clap::Parser;
use locox_lab::cli::Cli;
use locox_lab::commands::execute;
use locox_lab::output::unprintable;
use locox_lab::shell::quoted;
use locox_lab::unfinished;
use locox_report::failure::Failure;
use std::io::{ErrorKind, Write, stderr, stdout};
use std::path::Path;
use std::process::ExitCode;

fn main() -> ExitCode {
    unfinished::go_with_the_command();
    let done = match Cli::try_parse() {
        Ok(cli) => execute(cli, &command_line()),
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

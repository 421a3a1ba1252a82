//! `locox reproduce` hands over to a program of its own, as cargo does for its subcommands: so only those who run
//! experiments compile them.

use locox_report::failure::Failure;
use std::convert::Infallible;
use std::env::{args_os, consts::EXE_SUFFIX, current_exe};
use std::io::{self, ErrorKind};
use std::path::PathBuf;
use std::process::Command;

const NAME: &str = "locox-reproduce";

/// Becomes the other program; returns only if that fails.
pub(super) fn run() -> Result<(), Failure> {
    let program = program();
    let mut command = Command::new(&program);
    // Nothing but the command's own name goes before its arguments.
    command.args(args_os().skip(2));
    let Err(error) = become_it(&mut command);
    Err(match error.kind() {
        ErrorKind::NotFound => Failure::Usage(format!(
            "reproduce: there is no program {NAME} beside this one nor in PATH; in a clone of the repository \
             `cargo build --release -p locox-experiments` builds it, and `cargo install --locked --path \
             host-tests/experiments` installs it"
        )),
        _ => Failure::Input(format!("{}: cannot be run: {error}", program.display())),
    })
}

/// The program beside this one, or the one that PATH leads to.
fn program() -> PathBuf {
    let name = format!("{NAME}{EXE_SUFFIX}");
    let beside = current_exe().map(|exe| exe.with_file_name(&name));
    beside.ok().filter(|path| path.is_file()).unwrap_or_else(|| name.into())
}

/// The process stays the same, so that signals, streams and the end are those of the other program.
#[cfg(unix)]
fn become_it(command: &mut Command) -> Result<Infallible, io::Error> {
    use std::os::unix::process::CommandExt;
    Err(command.exec())
}

#[cfg(not(unix))]
fn become_it(command: &mut Command) -> Result<Infallible, io::Error> {
    let status = command.status()?;
    std::process::exit(status.code().unwrap_or(1))
}

//! What the commands do, one a file; and how all of them deliver.

mod compare;
pub mod delivery;
mod demands;
mod elmer;
mod generate;
mod import;
mod import_openb;
mod main_job;
mod manual;
mod map;
mod network;
mod record;
mod replay;
mod replay_log;
mod replay_setup;
mod replay_stream;
mod reproduce;
mod reserve;
mod stations;
mod sweep;

use crate::cli::{Cli, Command};
use locox_report::failure::Failure;

/// Runs the command; `command_line` goes into the report.
///
/// # Errors
///
/// The [`Failure`] to tell the user.
pub fn execute(cli: Cli, command_line: &str) -> Result<(), Failure> {
    cli.common.apply();
    match cli.command {
        None => main_job::run(&cli.main_job, command_line),
        Some(Command::Replay(options)) => replay::run(&options, command_line),
        Some(Command::Compare(options)) => compare::run(&options, command_line),
        Some(Command::Sweep(options)) => sweep::run(&options),
        Some(Command::Stations(options)) => stations::run(&options, command_line),
        Some(Command::Reproduce(_)) => reproduce::run(),
        Some(Command::Reserve(options)) => reserve::run(&options, command_line),
        Some(Command::Elmer(options)) => elmer::run(&options, command_line),
        Some(Command::Map(options)) => map::run(&options, command_line),
        Some(Command::Network(options)) => network::run(&options),
        Some(Command::Generate(model)) => generate::run(&model),
        Some(Command::Import(of)) => import::run(&of),
        Some(Command::Record(of)) => record::run(&of),
        Some(Command::ReplayLog(options)) => replay_log::run(&options),
        Some(Command::Completions(options)) => manual::completions(&options),
        Some(Command::Man(options)) => manual::man(&options),
    }
}

//! The command line: a file for each command, and what several of them have.
//!
//! Names are those of the models' own lists, so that a new entry is known here at once.

mod common;
mod compare;
mod elmer;
mod generate;
mod import;
mod machine;
mod manual;
mod map;
mod network;
mod numbers;
mod preempt;
mod record;
mod replay;
mod reproduce;
mod reserve;
mod results;
mod stations;
mod sweep;

pub use common::Common;
pub use compare::Compare;
pub use elmer::{Elmer, ElmerSetup, LossSpec, PlacementKind, Placements};
pub use generate::{
    Generate, GenerateElmerHosts, GenerateElmerJobs, GenerateLublin, GenerateReservations,
};
pub use import::{Import, ImportOpenb, ImportSacct, UnitName};
pub use machine::{MachineName, MachineSpec, Strategies, Switch};
pub use manual::{Completions, Man};
pub use map::{Algorithm, Map, Reading, Sizes};
pub use network::{Network, NetworkFormat, SendWindow};
pub use preempt::Preempting;
pub use record::{
    MOST_COMMANDS, OneRanking, Record, RecordElmer, RecordSite, RecordStations, ReplayLog,
};
pub use replay::{Replay, ShareBy};
pub use reproduce::Reproduce;
pub use reserve::{PeChoice, Policies, Reserve, policy_name};
pub use results::{Format, ResultFile, Results, once};
pub use stations::{Owners, Ranking, Stations, StationsPool, Users};
pub use sweep::Sweep;

use clap::{Args, Parser, Subcommand};
use numbers::Numeric;

/// Which processors a job gets, when, and at whose expense.
///
/// Without a command it runs made-up months of jobs first come, first served and with backfilling, prints how much less
/// jobs wait, and writes a report.
#[derive(Debug, Parser)]
#[command(name = "locox", version, args_conflicts_with_subcommands = true)]
pub struct Cli {
    #[command(subcommand)]
    pub command: Option<Command>,
    #[command(flatten)]
    pub main_job: MainJob,
    #[command(flatten)]
    pub common: Common,
}

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Replay a trace in the Standard Workload Format (plain, .gz or .xz) on a modelled machine.
    Replay(Replay),
    /// Compare strategies and queues on many draws of the same jobs, and say what can be told apart.
    Compare(Compare),
    /// Have a resource manager run the parts of a comparison: writes the script to submit.
    Sweep(Sweep),
    /// Run a pool of workstations whose idle processors serve their users' background jobs.
    Stations(Stations),
    /// Run published experiments again and judge their claims.
    Reproduce(Reproduce),
    /// Answer requests for advance reservations, and say when and on which PEs.
    Reserve(Reserve),
    /// Say which of unlike machines, or clusters of them, runs which job, by several algorithms.
    Map(Map),
    /// Run a list of jobs on hosts that several of them share in time, one above the other.
    Elmer(Elmer),
    /// Send a list of messages through the routers of a hypercube, flit by flit.
    Network(Network),
    /// Make up a workload, or requests for reservations, and write a file.
    #[command(subcommand)]
    Generate(Generate),
    /// Make a trace of what other programs recorded.
    #[command(subcommand)]
    Import(Import),
    /// Write down what a model tells its coordinator, for `replay-log` on any machine.
    #[command(subcommand)]
    Record(Record),
    /// Apply a recorded run to a fresh coordinator; print the digests of its effects and of its
    /// final state.
    ReplayLog(ReplayLog),
    /// Print the script by which a shell completes commands and options.
    Completions(Completions),
    /// Print the page of the manual, or write a page of each command.
    Man(Man),
}

#[derive(Debug, Args)]
pub struct MainJob {
    /// Seed of the months.
    #[arg(long, value_name = "N", default_value_t = 1, whole = 0..=u64::MAX)]
    pub seed: u64,
    #[command(flatten)]
    pub results: Results,
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::{Arg, CommandFactory};
    use locox_models::replay::Order;
    use std::any::TypeId;
    use std::path::PathBuf;

    #[test]
    fn the_command_line_is_consistent() {
        Cli::command().debug_assert();
    }

    /// What takes no number: names that are listed, files, methods and orders.
    fn has_no_number(argument: &Arg) -> bool {
        let of = argument.get_value_parser().type_id();
        let has_values = argument.get_action().takes_values();
        let is_listed = !argument.get_possible_values().is_empty();
        !has_values
            || is_listed
            || of == TypeId::of::<PathBuf>()
            || of == TypeId::of::<String>()
            || of == TypeId::of::<Order>()
    }

    fn check(command: &clap::Command, path: &str) -> usize {
        let numeric = command.get_arguments().filter(|argument| !has_no_number(argument));
        let mut count = 0;
        for argument in numeric {
            let help = argument.get_help().map(ToString::to_string).unwrap_or_default();
            let id = argument.get_id();
            assert!(help.contains(" [range: "), "{path} --{id} takes a number of no range: {help}");
            count += 1;
        }
        let below = command.get_subcommands();
        count + below.map(|one| check(one, &format!("{path} {}", one.get_name()))).sum::<usize>()
    }

    #[test]
    fn each_number_has_a_range_in_its_help() {
        let count = check(&Cli::command(), "locox");
        assert!(count > 50, "{count}");
    }
}

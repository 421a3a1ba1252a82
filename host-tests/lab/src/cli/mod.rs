//! The command line: a file for each command, and what several of them have.
//!
//! Names are those of the models' own lists, so that a new entry is known here at once.

mod compare;
mod elmer;
mod generate;
mod machine;
mod map;
mod network;
mod numbers;
mod record;
mod replay;
mod reproduce;
mod reserve;
mod results;
mod stations;

pub use compare::Compare;
pub use elmer::{Elmer, ElmerSetup, LossSpec, PlacementKind, Placements};
pub use generate::{
    Generate, GenerateElmerHosts, GenerateElmerJobs, GenerateLublin, GenerateReservations,
};
pub use machine::{MachineSpec, Strategies, Switch};
pub use map::{Algorithm, Map, Reading, Sizes};
pub use network::{Network, NetworkFormat, SendWindow};
pub use record::{OneRanking, Record, RecordElmer, RecordSite, RecordStations, ReplayLog};
pub use replay::{Replay, ShareBy};
pub use reproduce::Reproduce;
pub use reserve::{PeChoice, Policies, Reserve, policy_name};
pub use results::{Format, ResultFile, Results};
pub use stations::{Owners, Ranking, Stations, StationsPool, Users};

use clap::{Args, Parser, Subcommand};

/// Which processors a job gets, when, and at whose expense.
///
/// Without a command it replays an embedded workload on a hypercube under every strategy, prints
/// the comparison and writes a report.
#[derive(Debug, Parser)]
#[command(name = "locox", version, args_conflicts_with_subcommands = true)]
pub struct Cli {
    #[command(subcommand)]
    pub command: Option<Command>,
    #[command(flatten)]
    pub main_job: MainJob,
    /// Worker threads, four per core at most; results do not depend on it [default: one per core].
    #[arg(long, global = true, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub threads: Option<u16>,
}

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Replay a trace in the Standard Workload Format (plain, .gz or .xz) on a modelled machine.
    Replay(Replay),
    /// Compare strategies and queues on many draws of the same jobs, and say what can be told apart.
    Compare(Compare),
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
    /// Write down what a model tells its coordinator, for `replay-log` on any machine.
    #[command(subcommand)]
    Record(Record),
    /// Apply a recorded run to a fresh coordinator; print the digests of its effects and of its
    /// final state.
    ReplayLog(ReplayLog),
}

#[derive(Debug, Args)]
pub struct MainJob {
    /// Seed of the embedded workload.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    #[command(flatten)]
    pub results: Results,
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_consistent() {
        Cli::command().debug_assert();
    }
}

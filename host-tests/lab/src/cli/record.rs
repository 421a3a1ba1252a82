//! `locox record` and `locox replay-log`.

use super::ResultFile;
use super::elmer::{ElmerSetup, PlacementKind, placement_kinds};
use super::numbers::Numeric;
use super::stations::StationsPool;
use clap::{Args, Subcommand, ValueEnum};
use std::path::PathBuf;

/// The most that are written down.
pub const MOST_COMMANDS: u64 = 10_000_000;

/// Which coordinator is recorded.
#[derive(Debug, Subcommand)]
pub enum Record {
    /// That of a pool of workstations, as `locox stations` runs it.
    Stations(RecordStations),
    /// That of shared hosts, as `locox elmer` runs it.
    Elmer(RecordElmer),
    /// That of the site of the study of PJS, with jobs of three priorities.
    Site(RecordSite),
}

#[derive(Debug, Args)]
pub struct RecordSite {
    /// How many jobs.
    #[arg(long, value_name = "N", default_value_t = 500, whole = 1..=5_000_u32)]
    pub jobs: u32,
    /// Jobs in a quantum of ten seconds, on the average.
    #[arg(long, value_name = "JOBS", default_value_t = 8, whole = 1..=10_000_u32)]
    pub rate: u32,
    /// By how much run times deviate from those of their classes, in per cent.
    #[arg(long, value_name = "PERCENT", default_value_t = 30, whole = 0..=1000_u32)]
    pub deviation: u32,
    /// Seed of all random streams.
    #[arg(long, value_name = "N", default_value_t = 1, whole = 0..=u64::MAX)]
    pub seed: u64,
    /// At most so many commands, of 64 bytes each.
    #[arg(long, value_name = "N", default_value_t = 100_000, whole = 1..=MOST_COMMANDS)]
    pub commands: u64,
    #[command(flatten)]
    pub result: ResultFile,
}

#[derive(Debug, Args)]
pub struct RecordElmer {
    #[command(flatten)]
    pub of: ElmerSetup,
    /// Which hosts and which level a job gets.
    #[arg(long, default_value = "non-interfering", value_parser = placement_kinds())]
    pub placement: PlacementKind,
    /// At most so many commands, of 64 bytes each.
    #[arg(long, value_name = "N", default_value_t = 100_000, whole = 1..=MOST_COMMANDS)]
    pub commands: u64,
    #[command(flatten)]
    pub result: ResultFile,
}

#[derive(Debug, Args)]
pub struct RecordStations {
    #[command(flatten)]
    pub pool: StationsPool,
    /// Who gets a processor.
    #[arg(long, value_enum, default_value_t = OneRanking::UpdownTime)]
    pub policy: OneRanking,
    /// At most so many commands, of 64 bytes each.
    #[arg(long, value_name = "N", default_value_t = 100_000, whole = 1..=MOST_COMMANDS)]
    pub commands: u64,
    #[command(flatten)]
    pub result: ResultFile,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum OneRanking {
    /// By an index that moves with the time.
    UpdownTime,
    /// By the study's table of indices; see --functions.
    UpdownTable,
    RoundRobin,
    Random,
}

#[derive(Debug, Args)]
pub struct ReplayLog {
    /// The recorded run; `-` is standard input.
    pub file: PathBuf,
}

//! `locox generate`.

use super::ResultFile;
use super::numbers::{FACTOR, LOAD, MOST_JOBS, Numeric, RUN_TIMES, SECONDS};
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, Subcommand};
use locox_models::swf::MOST_PROCESSORS;
use locox_models::workload::lublin::Kind;
use std::path::PathBuf;

/// The models of workloads.
#[derive(Debug, Subcommand)]
pub enum Generate {
    /// The model of Lublin and Feitelson: rigid jobs of large parallel machines, as a trace.
    Lublin(GenerateLublin),
    /// Requests for `locox reserve`: those of the study of Li et al., or from a trace.
    Reservations(GenerateReservations),
    /// Jobs for `locox elmer`, half of them with a barrier, as they arrive at random.
    ElmerJobs(GenerateElmerJobs),
    /// Hosts for `locox elmer`.
    ElmerHosts(GenerateElmerHosts),
}

#[derive(Debug, Args)]
pub struct GenerateElmerJobs {
    /// How many jobs.
    #[arg(long, value_name = "N", default_value_t = 100, whole = 1..=1_000_000_u32)]
    pub jobs: u32,
    /// Hosts that they are for: each needs up to half of them.
    #[arg(long, value_name = "N", default_value_t = 6, whole = 1..=65_536_u32)]
    pub hosts: u32,
    /// Offered load; 1 is all of the processors.
    #[arg(long, value_name = "F", default_value_t = 0.8, load = LOAD)]
    pub load: f64,
    /// Mean time of a job alone, exponential, in seconds.
    #[arg(long, value_name = "S", default_value_t = 300.0, real = SECONDS)]
    pub alone: f64,
    /// Seed of all random streams.
    #[arg(long, value_name = "N", default_value_t = 1, whole = 0..=u64::MAX)]
    pub seed: u64,
    #[command(flatten)]
    pub result: ResultFile,
}

#[derive(Debug, Args)]
pub struct GenerateElmerHosts {
    /// How many hosts.
    #[arg(long, value_name = "N", default_value_t = 6, whole = 1..=65_536_u32)]
    pub hosts: u32,
    /// Of speeds from a half to twice the nominal one, instead of all alike.
    #[arg(long)]
    pub unlike: bool,
    /// Seed of all random streams.
    #[arg(long, value_name = "N", default_value_t = 1, whole = 0..=u64::MAX)]
    pub seed: u64,
    #[command(flatten)]
    pub result: ResultFile,
}

#[derive(Debug, Args)]
pub struct GenerateReservations {
    /// Make a request of each job of this trace (`-` is standard input), for its requested time (else its run time),
    /// instead of the study's model of a CM-5 with 1024 PEs.
    #[arg(long, value_name = "TRACE")]
    pub trace: Option<PathBuf>,
    /// How many requests; of a trace, at most so many.
    #[arg(long, value_name = "N", default_value_t = 10_000, whole = 1..=MOST_JOBS)]
    pub jobs: u64,
    /// UMed of the model: larger means larger jobs.
    #[arg(long, value_name = "U", default_value_t = 7.0, conflicts_with = "trace", real = 4.5..=10.0)]
    pub med: f64,
    /// The most that a request is ready after it is made, in run times.
    #[arg(long, value_name = "F", default_value_t = 3.0, real = RUN_TIMES)]
    pub artime: f64,
    /// The most that it may start after it is ready, in run times.
    #[arg(long, value_name = "F", default_value_t = 3.0, real = RUN_TIMES)]
    pub deadline: f64,
    /// Divide times of arrival by this.
    #[arg(long, value_name = "F", default_value_t = 1.0, real = FACTOR)]
    pub arrival_factor: f64,
    /// Seed of all random streams.
    #[arg(long, value_name = "N", default_value_t = 1, whole = 0..=u64::MAX)]
    pub seed: u64,
    #[command(flatten)]
    pub result: ResultFile,
}

#[derive(Debug, Args)]
pub struct GenerateLublin {
    /// How many jobs.
    #[arg(long, value_name = "N", default_value_t = 10_000, whole = 1..=MOST_JOBS)]
    pub jobs: u64,
    /// Processors of the machine that they are for.
    #[arg(long, value_name = "P", default_value_t = 1024, whole = 1..=MOST_PROCESSORS)]
    pub machine_size: u32,
    /// Which set of constants: of all jobs, batch jobs or interactive ones.
    #[arg(long, default_value = Kind::All.name(), value_parser = kinds())]
    pub kind: Kind,
    /// Add requested times, uniform between the run time and F + 1 times that.
    #[arg(long, value_name = "F", real = RUN_TIMES)]
    pub estimates: Option<f64>,
    /// Seed of all random streams.
    #[arg(long, value_name = "N", default_value_t = 1, whole = 0..=u64::MAX)]
    pub seed: u64,
    #[command(flatten)]
    pub result: ResultFile,
}

pub(super) fn kinds() -> impl TypedValueParser<Value = Kind> {
    PossibleValuesParser::new(Kind::ALL.map(Kind::name)).map(|name| {
        let kind = Kind::ALL.into_iter().find(|kind| kind.name() == name);
        kind.unwrap_or(Kind::All)
    })
}

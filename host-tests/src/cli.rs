//! The command line.

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, Parser, Subcommand, ValueEnum};
use locox::cube::Dim;
use locox_models::machine::StrategyKind;
use locox_models::replay::QueueKind;
use locox_models::workload::lublin::Kind;
use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

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
    /// Worker threads; results do not depend on it [default: one per core].
    #[arg(long, global = true, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub threads: Option<u16>,
}

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Replay a trace in the Standard Workload Format (plain, .gz or .xz) on a modelled machine.
    Replay(Replay),
    /// Run published experiments again and judge their claims.
    Reproduce(Reproduce),
    /// Make up a workload and write it as a trace.
    #[command(subcommand)]
    Generate(Generate),
}

#[derive(Debug, Args)]
pub struct MainJob {
    /// Seed of the embedded workload.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    #[command(flatten)]
    pub results: Results,
}

/// Where results go, and in which form.
#[derive(Debug, Args)]
pub struct Results {
    /// Directory for the report and its files.
    #[arg(long, value_name = "DIR", default_value = "locox-report")]
    pub out: PathBuf,
    /// What to print.
    #[arg(long, value_enum, default_value_t = Format::Table)]
    pub format: Format,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// Tables for people.
    Table,
    /// One JSON object with everything in the report.
    Json,
    /// The tables with unrounded values.
    Csv,
}

#[derive(Debug, Args)]
pub struct Replay {
    /// The trace.
    pub trace: PathBuf,
    /// `cube:N` (a hypercube of N dimensions) or `pool:P` (P processors without topology)
    /// [default: as the trace's header says; a power of two is a cube, but for backfilling].
    #[arg(long, value_name = "MACHINE")]
    pub machine: Option<MachineSpec>,
    /// How the hypercube finds a subcube [default: all].
    #[arg(long, value_parser = strategies())]
    pub strategy: Option<Strategies>,
    /// Jobs run on meshes of just as many processors as they ask for, not on whole subcubes.
    #[arg(long)]
    pub mesh: bool,
    /// Whether others may use what a mesh leaves over in its subcube: the auxiliary free list
    /// [default: both, side by side].
    #[arg(long, value_enum, requires = "mesh")]
    pub afl: Option<Switch>,
    /// Who is next: fcfs, scan-up, scan-down, lazy, window:N; or easy or conservative backfilling,
    /// which plan by requested times and need a pool.
    #[arg(long, value_name = "QUEUE", default_value_t = QueueKind::Fcfs)]
    pub queue: QueueKind,
    /// Divide the times between submissions by this.
    #[arg(long, value_name = "F", default_value_t = 1.0, value_parser = positive, allow_negative_numbers = true)]
    pub scale_load: f64,
    /// Only the first N jobs.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub jobs: Option<u64>,
    /// Sort the jobs by submission and number, as a trace in the order of completion needs.
    #[arg(long)]
    pub sort: bool,
    /// Skip and count lines that cannot be used, and reject jobs larger than the machine.
    #[arg(long)]
    pub lenient: bool,
    #[command(flatten)]
    pub results: Results,
}

#[derive(Debug, Args)]
pub struct Reproduce {
    /// The experiment; see --list.
    #[arg(required_unless_present_any = ["all", "list"])]
    pub name: Option<String>,
    /// All experiments.
    #[arg(long, conflicts_with = "name")]
    pub all: bool,
    /// Only list the experiments.
    #[arg(long, conflicts_with_all = ["name", "all"])]
    pub list: bool,
    /// A run of seconds.
    #[arg(long)]
    pub quick: bool,
    /// Seed of all random streams.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    #[command(flatten)]
    pub results: Results,
}

/// The models of workloads.
#[derive(Debug, Subcommand)]
pub enum Generate {
    /// The model of Lublin and Feitelson: rigid jobs of large parallel machines.
    Lublin(GenerateLublin),
}

#[derive(Debug, Args)]
pub struct GenerateLublin {
    /// How many jobs.
    #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = clap::value_parser!(u32).range(1..))]
    pub jobs: u32,
    /// Processors of the machine that they are for.
    #[arg(long, value_name = "P", default_value_t = 1024, value_parser = clap::value_parser!(u32).range(1..))]
    pub machine_size: u32,
    /// Which set of constants: of all jobs, batch jobs or interactive ones.
    #[arg(long, default_value = Kind::All.name(), value_parser = kinds())]
    pub kind: Kind,
    /// Add requested times, uniform between the run time and F + 1 times that.
    #[arg(long, value_name = "F", value_parser = not_negative, allow_negative_numbers = true)]
    pub estimates: Option<f64>,
    /// Seed of all random streams.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// The trace to write, plain text.
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Switch {
    On,
    Off,
}

/// A machine to replay on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MachineSpec {
    Cube(Dim),
    Pool(u32),
}

impl MachineSpec {
    /// A cube if the number of processors is that of one, else a pool.
    pub fn of(processors: u32) -> Self {
        let cube = Dim::holding(processors).filter(|dims| dims.nodes() == processors);
        cube.map_or(Self::Pool(processors), Self::Cube)
    }

    pub fn processors(self) -> u32 {
        match self {
            Self::Cube(dims) => dims.nodes(),
            Self::Pool(processors) => processors,
        }
    }
}

impl fmt::Display for MachineSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Cube(dims) => write!(f, "{dims}-cube"),
            Self::Pool(processors) => write!(f, "pool of {processors}"),
        }
    }
}

impl FromStr for MachineSpec {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (kind, size) = text.split_once(':').unwrap_or((text, ""));
        match kind {
            "cube" => {
                let dims = size.parse().ok().and_then(Dim::new);
                let most = Dim::MAX.get();
                dims.map(Self::Cube).ok_or(format!("write cube:N with N from 0 to {most}"))
            }
            "pool" => {
                let processors = size.parse().ok().filter(|&processors| processors > 0);
                processors.map(Self::Pool).ok_or("write pool:P with P from 1 to 4294967295".into())
            }
            _ => Err("write cube:N or pool:P".into()),
        }
    }
}

/// One strategy or all of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strategies {
    All,
    One(StrategyKind),
}

impl Strategies {
    pub fn list(self) -> Vec<StrategyKind> {
        match self {
            Self::All => StrategyKind::ALL.to_vec(),
            Self::One(kind) => vec![kind],
        }
    }
}

// The parsers are built from the lists of the models, so that a new entry is known here at once.

fn strategies() -> impl TypedValueParser<Value = Strategies> {
    let names = StrategyKind::ALL.iter().map(|kind| kind.name()).chain(["all"]);
    PossibleValuesParser::new(names).map(|name| {
        let kind = StrategyKind::ALL.iter().find(|kind| kind.name() == name);
        kind.map_or(Strategies::All, |&kind| Strategies::One(kind))
    })
}

fn kinds() -> impl TypedValueParser<Value = Kind> {
    PossibleValuesParser::new(Kind::ALL.map(Kind::name)).map(|name| {
        let kind = Kind::ALL.into_iter().find(|kind| kind.name() == name);
        kind.unwrap_or(Kind::All)
    })
}

fn not_negative(text: &str) -> Result<f64, String> {
    let value = text.parse().ok().filter(|value: &f64| value.is_finite() && *value >= 0.0);
    value.ok_or("write a number from 0 on".into())
}

fn positive(text: &str) -> Result<f64, String> {
    let value = text.parse().ok().filter(|value: &f64| value.is_finite() && *value > 0.0);
    value.ok_or("write a number above 0".into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn machines_read_as_written() {
        let seven = Dim::new(7).unwrap();
        assert_eq!("cube:7".parse(), Ok(MachineSpec::Cube(seven)));
        assert_eq!("pool:100".parse(), Ok(MachineSpec::Pool(100)));
        for wrong in ["", "cube", "cube:", "cube:25", "cube:-1", "pool:0", "pool:x", "mesh:4"] {
            let told = wrong.parse::<MachineSpec>().unwrap_err();
            assert!(told.starts_with("write "), "{wrong}: {told}");
        }
    }
}

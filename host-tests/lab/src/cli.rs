//! The command line.

use crate::compare::{FEWEST_DRAWS, Metric, Shard};
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, Parser, Subcommand, ValueEnum};
use locox::cube::Dim;
use locox::reserve::{AlignedSubcube, Choice, Contiguous, Fit, Lowest};
use locox::subcube::Effort;
use locox_models::machine::StrategyKind;
use locox_models::network::list::MOST_DIMS;
use locox_models::network::wormhole::Window;
use locox_models::replay::{Order, QueueKind};
use locox_models::timeshare::fluid::Loss;
use locox_models::workload::lublin::Kind;
use locox_models::workstation::Functions;
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

/// Where results go, and in which form.
#[derive(Debug, Args)]
pub struct Results {
    /// Directory for the report and its files; `-` for none, only what is printed.
    #[arg(long, value_name = "DIR", default_value = "locox-report")]
    pub out: PathBuf,
    /// Replace files that are not of an earlier report.
    #[arg(long)]
    pub force: bool,
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
    /// The trace; `-` is standard input.
    pub trace: PathBuf,
    /// `cube:N` (a hypercube of N dimensions) or `pool:P` (P processors without topology)
    /// [default: as the trace's header says; a power of two is a cube, but for backfilling].
    #[arg(long, value_name = "MACHINE")]
    pub machine: Option<MachineSpec>,
    /// How the hypercube finds a subcube, several with commas between [default: all].
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = strategies())]
    pub strategy: Vec<Strategies>,
    /// Word operations that `complete` may take to search for a job's subcube: what it has not found by
    /// then is undecided.
    #[arg(long, value_name = "N", default_value_t = Effort::default().0, value_parser = clap::value_parser!(u64).range(1..), conflicts_with = "mesh")]
    pub effort: u64,
    /// Jobs run on meshes of just as many processors as they ask for, not on whole subcubes.
    #[arg(long)]
    pub mesh: bool,
    /// Whether others may use what a mesh leaves over in its subcube: the auxiliary free list
    /// [default: both, side by side].
    #[arg(long, value_enum, requires = "mesh")]
    pub afl: Option<Switch>,
    /// Who is next, several with commas between: fcfs, scan-up, scan-down, lazy, window:N; or
    /// easy, easy:N, conservative, conservative:N, backfilling, which plans by requested times and
    /// needs a pool (N: how many in line may overtake, or are moved after an early end).
    #[arg(long, value_name = "LIST", value_delimiter = ',', default_value = "fcfs")]
    pub queue: Vec<QueueKind>,
    /// In which order jobs stand in line: fcfs (as they come), sjf (the shortest first, by
    /// requested time) or fair-share (whose owner has had the least of late).
    #[arg(long, default_value_t = Order::Arrival)]
    pub order: Order,
    /// Who is an owner for a fair share: the trace's users, or their groups.
    #[arg(long, value_enum, default_value_t = ShareBy::User)]
    pub share_by: ShareBy,
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

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ShareBy {
    User,
    Group,
}

#[derive(Debug, Args)]
pub struct Compare {
    /// Where jobs come from: traces in the Standard Workload Format (plain, .gz or .xz, `-` is
    /// standard input), model:lublin, model:ipsc.
    #[arg(required = true, value_name = "TRACE")]
    pub sources: Vec<PathBuf>,
    /// `cube:N` or `pool:P` for all of them [default: as a trace's header says; cube:10 for
    /// model:lublin, cube:7 for model:ipsc].
    #[arg(long, value_name = "MACHINE")]
    pub machine: Option<MachineSpec>,
    /// How hypercubes find a subcube, several with commas between [default: all].
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = strategies())]
    pub strategy: Vec<Strategies>,
    /// Who is next, several with commas between: fcfs, scan-up, scan-down, lazy, window:N, easy,
    /// easy:N, conservative, conservative:N. The last four plan, and stand for a pool of as many
    /// processors.
    #[arg(long, value_name = "LIST", value_delimiter = ',', default_value = "fcfs")]
    pub queue: Vec<QueueKind>,
    /// Jobs run on meshes, with and without reuse of what these leave over (+afl).
    #[arg(long)]
    pub mesh: bool,
    /// Offered loads, several with commas between; 1 is all of the machine [default: as jobs come].
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = load, allow_negative_numbers = true)]
    pub load: Vec<f64>,
    /// Replications of a model, and draws of a trace's weeks; of a trace fewer than 39 give no
    /// intervals.
    #[arg(long, value_name = "N", default_value_t = FEWEST_DRAWS as u64, value_parser = clap::value_parser!(u64).range(..=100_000))]
    pub seeds: u64,
    /// Only the first N jobs of a trace; how many of a model [default: all; 5000].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub jobs: Option<u64>,
    /// What the others are compared with, such as buddy/fcfs [default: the first strategy under the
    /// first queue].
    #[arg(long, value_name = "STRATEGY/QUEUE")]
    pub baseline: Option<String>,
    /// The figures, several with commas between.
    #[arg(long, value_name = "LIST", value_delimiter = ',', default_value = "wait,slowdown,utilisation", value_parser = metrics())]
    pub metric: Vec<Metric>,
    /// Seed of all random streams.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Run only part i of n, on this host; the same without --shard then puts them together.
    #[arg(long, value_name = "I/N")]
    pub shard: Option<Shard>,
    /// Sort the jobs by submission and number.
    #[arg(long)]
    pub sort: bool,
    /// Skip and count lines that cannot be used, and reject jobs larger than the machine.
    #[arg(long)]
    pub lenient: bool,
    #[command(flatten)]
    pub results: Results,
}

#[derive(Debug, Args)]
pub struct Stations {
    #[command(flatten)]
    pub pool: StationsPool,
    /// Who gets a processor: by an index that moves with the time, as a coordinator has it by default,
    /// or by the study's table of indices, in turn, or by lot.
    #[arg(long, value_enum, default_value_t = Ranking::All)]
    pub policy: Ranking,
    /// Runs with other owners and jobs, for confidence intervals.
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub replications: u32,
    #[command(flatten)]
    pub results: Results,
}

/// Who owns the stations, what jobs there are, and how the coordinator is set up.
#[derive(Debug, Args)]
pub struct StationsPool {
    /// When the stations were available: lines of station,from,until in seconds; `-` is standard
    /// input [default: --owners].
    #[arg(value_name = "FILE")]
    pub recording: Option<PathBuf>,
    /// How long owners stay and are away.
    #[arg(long, value_enum, default_value_t = Owners::Hyperexponential, conflicts_with = "recording")]
    pub owners: Owners,
    /// Mean time for which a station is available, in minutes.
    #[arg(long, value_name = "MIN", default_value_t = 100.0, value_parser = minutes, allow_negative_numbers = true, conflicts_with = "recording")]
    pub available: f64,
    /// Mean time for which its owner keeps it, in minutes.
    #[arg(long, value_name = "MIN", default_value_t = 40.0, value_parser = minutes, allow_negative_numbers = true, conflicts_with = "recording")]
    pub unavailable: f64,
    /// Stations [default: as many as FILE has, or users].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=65_536))]
    pub stations: Option<u32>,
    /// Processors that have no owner.
    #[arg(long, value_name = "N", default_value_t = 6, value_parser = clap::value_parser!(u32).range(..=65_536))]
    pub bank: u32,
    /// Jobs of each station's user, station by station; NxJ are N users with J jobs each.
    #[arg(long, value_name = "LIST", default_value = "11x1,2,5")]
    pub jobs: Users,
    /// A user's jobs come together, so often on average, instead of being there at all times.
    #[arg(long, value_name = "HOURS", value_parser = hours, allow_negative_numbers = true)]
    pub every: Option<f64>,
    /// Mean service time of a job, exponential, in hours.
    #[arg(long, value_name = "HOURS", default_value_t = 2.0, value_parser = hours, allow_negative_numbers = true)]
    pub service: f64,
    /// Size of a job's checkpoint in MB.
    #[arg(long, value_name = "MB", default_value_t = 0.5, value_parser = not_negative, allow_negative_numbers = true)]
    pub memory: f64,
    /// Scheduling interval in minutes.
    #[arg(long, value_name = "MIN", default_value_t = 10.0, value_parser = minutes, allow_negative_numbers = true)]
    pub interval: f64,
    /// Time to move a job, in minutes.
    #[arg(long, value_name = "MIN", default_value_t = 1.0, value_parser = minutes_or_none, allow_negative_numbers = true)]
    pub transfer: f64,
    /// A job that runs elsewhere comes home when its own station becomes available.
    #[arg(long)]
    pub recall: bool,
    /// What moves the schedule indices of updown-table.
    #[arg(long, default_value_t = Functions::Condor, value_parser = functions())]
    pub functions: Functions,
    /// Days to run.
    #[arg(long, value_name = "N", default_value_t = 365, value_parser = clap::value_parser!(u32).range(1..=36_500))]
    pub days: u32,
    /// Seed of all random streams.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
}

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
    #[arg(long, value_name = "N", default_value_t = 500, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub jobs: u32,
    /// Jobs in a quantum of ten seconds, on the average.
    #[arg(long, value_name = "JOBS", default_value_t = 8, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub rate: u32,
    /// By how much run times deviate from those of their classes, in per cent.
    #[arg(long, value_name = "PERCENT", default_value_t = 30, value_parser = clap::value_parser!(u32).range(0..=1000))]
    pub deviation: u32,
    /// Seed of all random streams.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// At most so many commands, of 64 bytes each.
    #[arg(long, value_name = "N", default_value_t = 100_000, value_parser = clap::value_parser!(u64).range(1..=10_000_000))]
    pub commands: u64,
    #[command(flatten)]
    pub result: ResultFile,
}

#[derive(Debug, Args)]
pub struct RecordElmer {
    #[command(flatten)]
    pub of: ElmerSetup,
    /// Which hosts and which level a job gets.
    #[arg(long, default_value = "v3", value_parser = placement_kinds())]
    pub placement: PlacementKind,
    /// At most so many commands, of 64 bytes each.
    #[arg(long, value_name = "N", default_value_t = 100_000, value_parser = clap::value_parser!(u64).range(1..=10_000_000))]
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
    #[arg(long, value_name = "N", default_value_t = 100_000, value_parser = clap::value_parser!(u64).range(1..=10_000_000))]
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

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Owners {
    Exponential,
    /// Short and long periods mixed.
    Hyperexponential,
    /// The longer a period has lasted, the longer it will.
    Weibull,
    /// Hyperexponential in the rhythm of an office's week.
    Office,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Ranking {
    UpdownTime,
    UpdownTable,
    RoundRobin,
    Random,
    All,
}

/// Jobs of each user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Users(pub Vec<u32>);

impl FromStr for Users {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = "write numbers of jobs and commas, NxJ for N users with J jobs each, such as \
                     11x1,2,5";
        let part = |part: &str| {
            let (users, jobs) = part.split_once('x').unwrap_or(("1", part));
            let users = users.parse().ok().filter(|users| (1..=65_536).contains(users))?;
            Some(std::iter::repeat_n(jobs.parse().ok()?, users))
        };
        let parts: Option<Vec<_>> = text.split(',').map(part).collect();
        let jobs: Vec<u32> = parts.ok_or(wrong)?.into_iter().flatten().collect();
        if jobs.iter().all(|&jobs| jobs == 0) {
            return Err("no user has a job; write a number above 0 for one of them".into());
        }
        Ok(Self(jobs))
    }
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
    /// Print the verdicts alone, as JSON; see docs/verdicts.md.
    #[arg(long, conflicts_with_all = ["list", "format"])]
    pub json: bool,
    /// Seed of all random streams.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    #[command(flatten)]
    pub results: Results,
}

#[derive(Debug, Args)]
pub struct Reserve {
    /// Requests, one a line: t_a t_r t_du t_dl n, that is when it is made, ready from when, for how
    /// long, done by when (`-`: whenever), how many PEs. Times in whole units of time, such as
    /// seconds; blanks or commas between; a first line of these names gives another order. `-` is
    /// standard input.
    pub requests: PathBuf,
    /// PEs of the machine.
    #[arg(long, value_name = "P", value_parser = clap::value_parser!(u32).range(1..=1 << 20))]
    pub pes: u32,
    /// Which of the possible starts a request gets, several with commas between.
    #[arg(long, value_name = "LIST", value_delimiter = ',', default_value = "ff", value_parser = policies())]
    pub policy: Vec<Policies>,
    /// Which of the free PEs it gets.
    #[arg(long, value_enum, default_value_t = PeChoice::Lowest)]
    pub choice: PeChoice,
    /// Skip and count lines that cannot be read.
    #[arg(long)]
    pub lenient: bool,
    #[command(flatten)]
    pub results: Results,
}

#[derive(Debug, Args)]
pub struct Elmer {
    #[command(flatten)]
    pub of: ElmerSetup,
    /// Which hosts and which level a job gets, several with commas between.
    #[arg(long, value_name = "LIST", value_delimiter = ',', default_value = "v3", value_parser = placements())]
    pub placement: Vec<Placements>,
    #[command(flatten)]
    pub results: Results,
}

/// Jobs, hosts, and how the hosts are shared.
#[derive(Debug, Args)]
pub struct ElmerSetup {
    /// The jobs, one a line: when it is submitted (s), how many hosts it needs, how long it takes alone
    /// (s), the share of a processor that each of its processes uses then, `ep` or `barrier`. `-` is
    /// standard input.
    pub jobs: PathBuf,
    /// The hosts, one a line: name, and speed, of which 1 is nominal.
    #[arg(long, value_name = "FILE", required_unless_present = "count")]
    pub hosts: Option<PathBuf>,
    /// So many hosts of nominal speed instead.
    #[arg(long, value_name = "N", conflicts_with = "hosts", value_parser = clap::value_parser!(u32).range(1..=65_536))]
    pub count: Option<u32>,
    /// Levels of a host: how many jobs may share it.
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u8).range(1..=8))]
    pub levels: u8,
    /// The utilisation up to which v2 and v3 share a host, above 0 and below 1.
    #[arg(long, value_name = "F", default_value_t = 0.7, value_parser = share, allow_negative_numbers = true)]
    pub threshold: f64,
    /// The age in seconds up to which v2 and v3 believe a reading of the utilisation.
    #[arg(long, value_name = "S", default_value_t = 3600.0, value_parser = positive, allow_negative_numbers = true)]
    pub believed: f64,
    /// A host is lost from one time to another, in seconds; jobs that have a process there begin anew.
    /// Several times, if several are lost.
    #[arg(long, value_name = "HOST:FROM-UNTIL")]
    pub lose: Vec<LossSpec>,
    /// Seed of the lots that v1 and v2 draw.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
}

impl Elmer {
    /// Those that are asked for, each once.
    pub fn placements(&self) -> Vec<PlacementKind> {
        let kinds = |asked: &Placements| match *asked {
            Placements::All => PlacementKind::ALL.to_vec(),
            Placements::One(kind) => vec![kind],
        };
        once(self.placement.iter().flat_map(kinds))
    }
}

/// Which hosts and which level a job gets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlacementKind {
    /// One job a host.
    Space,
    V1,
    V2,
    V3,
}

impl PlacementKind {
    const ALL: [Self; 4] = [Self::Space, Self::V1, Self::V2, Self::V3];

    pub fn name(self) -> &'static str {
        match self {
            Self::Space => "space",
            Self::V1 => "v1",
            Self::V2 => "v2",
            Self::V3 => "v3",
        }
    }
}

/// One placement or all of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Placements {
    All,
    One(PlacementKind),
}

/// A host that is lost.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LossSpec(pub Loss);

impl FromStr for LossSpec {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let parsed = || {
            let (host, times) = text.split_once(':')?;
            let (from, until) = times.split_once('-')?;
            let (from, until): (f64, f64) = (from.parse().ok()?, until.parse().ok()?);
            let is_sound = (0.0..=1e9).contains(&from) && from < until && until <= 1e9;
            is_sound.then_some(Loss { host: host.parse().ok()?, from, until })
        };
        parsed().map(Self).ok_or("write HOST:FROM-UNTIL in seconds, such as 0:100-250".into())
    }
}

#[derive(Debug, Args)]
pub struct Map {
    /// Expected times: a row for each job, in it a number for each machine and then each cluster,
    /// with blanks or commas between, `-` where it cannot run. A first line of names gives another
    /// order: of machines, clusters or classes of machines, and `job` before them if rows begin with
    /// names of jobs. Plain, .gz or .xz, `-` is standard input.
    pub times: PathBuf,
    /// The site in TOML: tables machine (name, class, free, away), cluster (name, members, least,
    /// interconnect) and interconnect (name, down) [default: a machine for each column].
    #[arg(long, value_name = "FILE", conflicts_with = "size")]
    pub site: Option<PathBuf>,
    /// The table is so many numbers, row by row, however they stand in lines.
    #[arg(long, value_name = "JOBSxMACHINES")]
    pub size: Option<Sizes>,
    /// Which algorithms, several with commas between [default: all].
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_enum)]
    pub algorithm: Vec<Algorithm>,
    /// What the best machine of a job is.
    #[arg(long, value_enum, default_value_t = Reading::Completion)]
    pub best: Reading,
    /// Ticks of a unit of time: times are rounded to whole ones [default: the least power of ten up
    /// to 1,000,000 by which all are whole].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    pub ticks: Option<u64>,
    #[command(flatten)]
    pub results: Results,
}

impl Map {
    /// Those that are asked for, each once.
    pub fn algorithms(&self) -> Vec<Algorithm> {
        let all = Algorithm::value_variants().iter().copied();
        all.filter(|one| self.algorithm.is_empty() || self.algorithm.contains(one)).collect()
    }
}

/// Which job is next, and where it goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Algorithm {
    /// The first; the machine that is free first.
    Olb,
    /// The first; its best machine.
    BestAssignment,
    /// That which ends first; its best machine.
    MinMin,
    /// That which ends last; its best machine.
    MinMax,
    /// That which would lose most without it; its best machine.
    Sufferage,
    /// The better of min-min and min-max.
    Duplex,
    /// As duplex, and on clusters what pays off there.
    Pjs,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Reading {
    /// The one on which it ends first.
    Completion,
    /// The one on which it runs for the shortest time, however long it waits.
    Execution,
}

/// Rows and columns of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sizes {
    pub jobs: usize,
    pub machines: usize,
}

impl FromStr for Sizes {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let positive = |text: &str| text.parse().ok().filter(|&number| number > 0);
        let parts = text.split_once('x').and_then(|(a, b)| positive(a).zip(positive(b)));
        let (jobs, machines) = parts.ok_or("write JOBSxMACHINES, such as 512x16")?;
        Ok(Self { jobs, machines })
    }
}

#[derive(Debug, Args)]
pub struct Network {
    /// Messages, one a line in the order of their times: src dst at, in cycles; plain, .gz or .xz,
    /// `-` for the standard input. Further columns are ignored.
    pub list: PathBuf,
    /// Dimensions of the cube [default: the smallest that has all nodes].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(..=i64::from(MOST_DIMS.get())))]
    pub cube: Option<u8>,
    /// Flits of the buffer behind each channel.
    #[arg(long, value_name = "B", default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..=65_536))]
    pub buffers: u32,
    /// Virtual channels of each channel, each with a buffer of its own.
    #[arg(long, value_name = "V", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=8))]
    pub virtual_channels: u32,
    /// Flits of a message.
    #[arg(long, value_name = "FLITS", default_value_t = 48, value_parser = clap::value_parser!(u32).range(1..=65_536))]
    pub length: u32,
    /// Cycles from a router to the next.
    #[arg(long, value_name = "CYCLES", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..=1_000))]
    pub hop: u32,
    /// When a node sends its next message.
    #[arg(long, value_enum, default_value_t = SendWindow::Stream)]
    pub window: SendWindow,
    /// What to print.
    #[arg(long, value_enum, default_value_t = NetworkFormat::Table)]
    pub format: NetworkFormat,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum NetworkFormat {
    /// Latency and throughput.
    Table,
    /// Each message: src,dst,at,delivered, in cycles.
    Csv,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum SendWindow {
    /// When the one before has arrived.
    One,
    /// When the one before has left the node.
    Stream,
}

impl SendWindow {
    /// The model's window.
    pub fn window(self) -> Window {
        match self {
            Self::One => Window::One,
            Self::Stream => Window::Stream,
        }
    }

    /// When a node sends its next message.
    pub fn told(self) -> &'static str {
        match self {
            Self::One => "the next message when the one before has arrived",
            Self::Stream => "one message right behind the other",
        }
    }
}

/// One policy of reservation or all of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Policies {
    All,
    One(Fit),
}

impl Policies {
    /// Each of those that were asked for, once.
    pub fn of(asked: &[Self]) -> Vec<Fit> {
        once(asked.iter().flat_map(|asked| match *asked {
            Self::All => Fit::ALL.to_vec(),
            Self::One(fit) => vec![fit],
        }))
    }
}

/// Which of the free PEs a reservation gets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum PeChoice {
    /// Those with the lowest numbers.
    Lowest,
    /// Consecutive numbers.
    Contiguous,
    /// An aligned subcube.
    Subcube,
}

impl PeChoice {
    /// The kernel's rule.
    pub fn choice(self) -> &'static dyn Choice {
        match self {
            Self::Lowest => &Lowest,
            Self::Contiguous => &Contiguous,
            Self::Subcube => &AlignedSubcube,
        }
    }

    /// What a request gets.
    pub fn told(self) -> &'static str {
        match self {
            Self::Lowest => "those with the lowest numbers",
            Self::Contiguous => "consecutive ones",
            Self::Subcube => "those of an aligned subcube",
        }
    }
}

/// The name of a policy in options and file names.
pub fn policy_name(fit: Fit) -> &'static str {
    match fit {
        Fit::First => "ff",
        Fit::PeBest => "pe-b",
        Fit::PeWorst => "pe-w",
        Fit::DurationBest => "du-b",
        Fit::DurationWorst => "du-w",
        Fit::PeDurationBest => "pedu-b",
        Fit::PeDurationWorst => "pedu-w",
    }
}

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
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub jobs: u32,
    /// Hosts that they are for: each needs up to half of them.
    #[arg(long, value_name = "N", default_value_t = 6, value_parser = clap::value_parser!(u32).range(1..=65_536))]
    pub hosts: u32,
    /// Offered load; 1 is all of the processors.
    #[arg(long, value_name = "F", default_value_t = 0.8, value_parser = load, allow_negative_numbers = true)]
    pub load: f64,
    /// Mean time of a job alone, exponential, in seconds.
    #[arg(long, value_name = "S", default_value_t = 300.0, value_parser = positive, allow_negative_numbers = true)]
    pub alone: f64,
    /// Seed of all random streams.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    #[command(flatten)]
    pub result: ResultFile,
}

#[derive(Debug, Args)]
pub struct GenerateElmerHosts {
    /// How many hosts.
    #[arg(long, value_name = "N", default_value_t = 6, value_parser = clap::value_parser!(u32).range(1..=65_536))]
    pub hosts: u32,
    /// Of speeds from a half to twice the nominal one, instead of all alike.
    #[arg(long)]
    pub unlike: bool,
    /// Seed of all random streams.
    #[arg(long, default_value_t = 1)]
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
    #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = clap::value_parser!(u32).range(1..))]
    pub jobs: u32,
    /// UMed of the model: larger means larger jobs, from 4.5 to 10.
    #[arg(long, value_name = "U", default_value_t = 7.0, conflicts_with = "trace", value_parser = med)]
    pub med: f64,
    /// The most that a request is ready after it is made, in run times.
    #[arg(long, value_name = "F", default_value_t = 3.0, value_parser = not_negative, allow_negative_numbers = true)]
    pub artime: f64,
    /// The most that it may start after it is ready, in run times.
    #[arg(long, value_name = "F", default_value_t = 3.0, value_parser = not_negative, allow_negative_numbers = true)]
    pub deadline: f64,
    /// Divide times of arrival by this.
    #[arg(long, value_name = "F", default_value_t = 1.0, value_parser = positive, allow_negative_numbers = true)]
    pub arrival_factor: f64,
    /// Seed of all random streams.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    #[command(flatten)]
    pub result: ResultFile,
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
    #[command(flatten)]
    pub result: ResultFile,
}

/// Where a single file goes.
#[derive(Debug, Args)]
pub struct ResultFile {
    /// The file to write; `-` is standard output, and the endings .gz and .xz compress.
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,
    /// Replace the file if it is there.
    #[arg(long)]
    pub force: bool,
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
    /// Each of those that were asked for, once; all if none was.
    pub fn of(asked: &[Self]) -> Vec<StrategyKind> {
        let kinds = |asked: &Self| match *asked {
            Self::All => StrategyKind::ALL.to_vec(),
            Self::One(kind) => vec![kind],
        };
        let asked = if asked.is_empty() { &[Self::All] } else { asked };
        once(asked.iter().flat_map(kinds))
    }
}

fn once<T: PartialEq>(all: impl Iterator<Item = T>) -> Vec<T> {
    all.fold(Vec::new(), |mut once, one| {
        if !once.contains(&one) {
            once.push(one);
        }
        once
    })
}

// The parsers are built from the lists of the models, so that a new entry is known here at once.

fn strategies() -> impl TypedValueParser<Value = Strategies> {
    let names = StrategyKind::NAMED.iter().map(|kind| kind.name()).chain(["all"]);
    PossibleValuesParser::new(names).map(|name| {
        let kind = StrategyKind::NAMED.iter().find(|kind| kind.name() == name);
        kind.map_or(Strategies::All, |&kind| Strategies::One(kind))
    })
}

fn placement_kinds() -> impl TypedValueParser<Value = PlacementKind> {
    PossibleValuesParser::new(PlacementKind::ALL.map(PlacementKind::name)).map(|name| {
        let kind = PlacementKind::ALL.into_iter().find(|kind| kind.name() == name);
        kind.unwrap_or(PlacementKind::V3)
    })
}

fn placements() -> impl TypedValueParser<Value = Placements> {
    let names = PlacementKind::ALL.map(PlacementKind::name).into_iter().chain(["all"]);
    PossibleValuesParser::new(names).map(|name| {
        let kind = PlacementKind::ALL.into_iter().find(|kind| kind.name() == name);
        kind.map_or(Placements::All, Placements::One)
    })
}

/// What three digits can tell from both ends.
fn share(text: &str) -> Result<f64, String> {
    let value = text.parse().ok().filter(|value| (0.001..=0.999).contains(value));
    value.ok_or("write a number above 0 and below 1, such as 0.7".into())
}

fn policies() -> impl TypedValueParser<Value = Policies> {
    let names = Fit::ALL.map(policy_name).into_iter().chain(["all"]);
    PossibleValuesParser::new(names).map(|name| {
        let fit = Fit::ALL.into_iter().find(|&fit| policy_name(fit) == name);
        fit.map_or(Policies::All, Policies::One)
    })
}

fn metrics() -> impl TypedValueParser<Value = Metric> {
    PossibleValuesParser::new(Metric::ALL.map(Metric::name)).map(|name| {
        let metric = Metric::ALL.into_iter().find(|metric| metric.name() == name);
        metric.unwrap_or(Metric::Wait)
    })
}

fn kinds() -> impl TypedValueParser<Value = Kind> {
    PossibleValuesParser::new(Kind::ALL.map(Kind::name)).map(|name| {
        let kind = Kind::ALL.into_iter().find(|kind| kind.name() == name);
        kind.unwrap_or(Kind::All)
    })
}

fn med(text: &str) -> Result<f64, String> {
    let value = text.parse().ok().filter(|value| (4.5..=10.0).contains(value));
    value.ok_or("write a number from 4.5 to 10".into())
}

fn not_negative(text: &str) -> Result<f64, String> {
    let value = text.parse().ok().filter(|value: &f64| value.is_finite() && *value >= 0.0);
    value.ok_or("write a number from 0 on".into())
}

/// A hundred years: what lasts longer never ends in any run.
const MOST_HOURS: f64 = 876_000.0;
const MOST_MINUTES: f64 = MOST_HOURS * 60.0;

fn at_most(most: f64, value: f64) -> Result<f64, String> {
    if value <= most { Ok(value) } else { Err(format!("write a number of at most {most}")) }
}

/// Ten times what the machine can do floods it as well as more would; and a thousandth leaves it
/// idle, and the clock within its range.
fn load(text: &str) -> Result<f64, String> {
    let value = text.parse().ok().filter(|value| (0.001..=10.0).contains(value));
    value.ok_or("write a share of the machine from 0.001 to 10; 0.6 is 60 %".into())
}

fn hours(text: &str) -> Result<f64, String> {
    at_most(MOST_HOURS, positive(text)?)
}

fn minutes(text: &str) -> Result<f64, String> {
    at_most(MOST_MINUTES, positive(text)?)
}

fn minutes_or_none(text: &str) -> Result<f64, String> {
    at_most(MOST_MINUTES, not_negative(text)?)
}

fn functions() -> impl TypedValueParser<Value = Functions> {
    PossibleValuesParser::new(Functions::ALL.map(Functions::name)).map(|name| {
        let named = Functions::ALL.into_iter().find(|functions| functions.name() == name);
        named.unwrap_or(Functions::Condor)
    })
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
    fn users_read_as_written() {
        assert_eq!("2x1,0,3x4".parse(), Ok(Users(vec![1, 1, 0, 4, 4, 4])));
        for wrong in ["", "1,", "x2", "0x2", "-1", "2x", "65537x1", "a"] {
            assert!(wrong.parse::<Users>().unwrap_err().starts_with("write "), "{wrong}");
        }
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

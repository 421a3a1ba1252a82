//! `locox compare`.

use super::Results;
use super::machine::{MachineName, Strategies, StrategyParser, machines};
use super::numbers::{LOAD, MOST_JOBS, Numeric, RUN_TIMES, told};
use super::preempt::Preempting;
use crate::compare::{FEWEST_DRAWS, Metric, Shard};
use crate::queue::Queue;
use clap::Args;
use clap::builder::ArgPredicate;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use locox_models::replay::{Order, QueueKind};
use std::path::PathBuf;

#[derive(Debug, Args)]
pub struct Compare {
    /// Where jobs come from: traces in the Standard Workload Format (plain, .gz or .xz, `-` is
    /// standard input), model:lublin, model:ipsc, model:users (eight, of whom each wants half as much as the one before).
    #[arg(required = true, value_name = "TRACE")]
    pub sources: Vec<PathBuf>,
    /// `cube:N`, `pool:P`, `torus:XxYxZ`, `mesh:XxY`, `blocks:BxM`, `tree:RxN` or `nodes:FILE` for all of them, as `locox replay` has them
    /// [default: as a trace's header says; cube:10 for model:lublin, cube:7 for model:ipsc, pool:64 for model:users].
    #[arg(long, value_name = "MACHINE", ranges = &machines())]
    pub machine: Option<MachineName>,
    /// How hypercubes find a subcube, several with commas between [default: all]; on a torus, a mesh or blocks,
    /// which of the free boxes a job gets: first, corner, fewest, first@4x4x2 and so on; on nodes first, best, fewest; on racks preferred, required; as `locox replay` has them.
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = StrategyParser)]
    pub strategy: Vec<Strategies>,
    /// Who is next, several with commas between: fcfs, scan-up, scan-down, lazy, window:N, easy,
    /// easy:N, conservative, conservative:N, promises:N, promises:all, manager, as `locox replay` has them. The two before the last promise
    /// places; the four before them plan with numbers, and stand for a pool of as many processors.
    #[arg(long, value_name = "LIST", value_delimiter = ',', default_value = "fcfs", default_value_if("preempt", ArgPredicate::IsPresent, None), ranges = &format!("N {}", told(&QueueKind::NUMBERS)))]
    pub queue: Vec<Queue>,
    #[command(flatten)]
    pub preempting: Preempting,
    /// In which order jobs stand in line, several with commas between: fcfs (as they come), sjf (the shortest
    /// first, by requested time) or fair-share, as `locox replay` has them.
    #[arg(long, value_name = "LIST", value_delimiter = ',', default_value = "fcfs")]
    pub order: Vec<Order>,
    /// Jobs run on meshes, with and without reuse of what these leave over (+afl).
    #[arg(long)]
    pub mesh: bool,
    /// On nodes, give each job whole nodes as well, beside the same with shared ones (+exclusive).
    #[arg(long)]
    pub exclusive: bool,
    /// What jobs of the one trace ask for of the nodes, as `locox replay` has it.
    #[arg(long, value_name = "FILE")]
    pub demands: Option<PathBuf>,
    /// Offered loads, several with commas between; 1 is all of the machine [default: as jobs come].
    #[arg(long, value_name = "LIST", value_delimiter = ',', load = LOAD)]
    pub load: Vec<f64>,
    /// Replications of a model, and draws of a trace's weeks; of a trace fewer than 39 give no
    /// answer.
    #[arg(long, value_name = "N", default_value_t = FEWEST_DRAWS as u64, whole = 0..=100_000_u64)]
    pub seeds: u64,
    /// Only the first N jobs of a trace; how many of a model [default: all; 5000].
    #[arg(long, value_name = "N", whole = 1..=MOST_JOBS)]
    pub jobs: Option<u64>,
    /// Requested times of model:lublin: uniform between the run time and F + 1 times that; 0: exact [default: 3].
    #[arg(long, value_name = "F", real = RUN_TIMES)]
    pub estimates: Option<f64>,
    /// What the others are compared with, such as buddy/fcfs or pool/easy/sjf [default: the first strategy under
    /// the first queue].
    #[arg(long, value_name = "STRATEGY/QUEUE")]
    pub baseline: Option<String>,
    /// The figures, several with commas between.
    #[arg(long, value_name = "LIST", value_delimiter = ',', default_value = "wait,slowdown,utilisation", value_parser = metrics())]
    pub metric: Vec<Metric>,
    /// Seed of all random streams.
    #[arg(long, value_name = "N", default_value_t = 1, whole = 0..=u64::MAX)]
    pub seed: u64,
    /// Run only part I of N, on this host; the same without --shard then puts them together.
    #[arg(long, value_name = "I/N", ranges = &Shard::ranges())]
    pub shard: Option<Shard>,
    /// Sort the jobs by submission and number.
    #[arg(long)]
    pub sort: bool,
    /// Skip and count lines that cannot be used, and reject jobs larger than the machine.
    /// A million such lines in a row end the command.
    #[arg(long)]
    pub lenient: bool,
    #[command(flatten)]
    pub results: Results,
}

fn metrics() -> impl TypedValueParser<Value = Metric> {
    PossibleValuesParser::new(Metric::ALL.map(Metric::name)).map(|name| {
        let metric = Metric::ALL.into_iter().find(|metric| metric.name() == name);
        metric.unwrap_or(Metric::Wait)
    })
}

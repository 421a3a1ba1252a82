//! `locox replay`.

use super::Results;
use super::machine::{MachineName, Strategies, StrategyParser, Switch, machines};
use super::numbers::{FACTOR, Numeric, told};
use super::preempt::Preempting;
use crate::queue::Queue;
use clap::builder::ArgPredicate;
use clap::{Args, ValueEnum};
use locox::subcube::Effort;
use locox_models::replay::{Decisions, Order, QueueKind};
use std::path::PathBuf;

#[derive(Debug, Args)]
pub struct Replay {
    /// The trace; `-` is standard input.
    pub trace: PathBuf,
    /// `cube:N` (a hypercube of N dimensions), `pool:P` (P processors without topology), `torus:XxYxZ`,
    /// `mesh:XxY` (one to four sides; in a mesh an r behind a side makes it a ring), `blocks:BxM` (a row of B
    /// blocks of M nodes, each behind a switch), `tree:RxN` (R racks of N nodes), `tree:BxRxN` (B blocks of such) or
    /// `nodes:FILE` (nodes that jobs share; FILE names the columns count, cores, memory in MiB and others, with commas between, and has a
    /// line for each class of nodes; `features` are words with | between, by which jobs may ask for classes, `class` is for readers, and a line
    /// whose count is `all` has what all nodes have in common, such as licences) [default: as the trace's header says; a power of two is a cube, but
    /// for backfilling].
    #[arg(long, value_name = "MACHINE", ranges = &machines())]
    pub machine: Option<MachineName>,
    /// How the hypercube finds a subcube, several with commas between [default: all]; on a torus, a mesh or
    /// blocks, which of the free boxes a job gets: first, corner, fewest; as first@4x4x2 if boxes begin at the
    /// corners of blocks of 4x4x2, as first@4x4x2+lent if others use what they leave over of these; on nodes first, best (where the least is left) or fewest (where the least is lost to jobs like those that came); on racks preferred, or required: a job
    /// no larger than a rack runs in one, one no larger than a block in that.
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = StrategyParser)]
    pub strategy: Vec<Strategies>,
    /// Word operations that `complete` may take to search for a job's subcube: what it has not found by
    /// then is undecided.
    #[arg(long, value_name = "N", default_value_t = Effort::default().0, whole = 1..=1_000_000_000_u64, conflicts_with = "mesh")]
    pub effort: u64,
    /// Jobs run on meshes of just as many processors as they ask for, not on whole subcubes.
    #[arg(long)]
    pub mesh: bool,
    /// On nodes, give each job whole nodes as well, beside the same with shared ones (+exclusive). On nodes a job of p processors
    /// is p tasks, each of a core and the memory that the log says, requested or used, equally many on each node: p is rounded up to
    /// a multiple of the fewest nodes that could hold it, and it gets the fewest nodes that fit.
    #[arg(long)]
    pub exclusive: bool,
    /// What jobs ask for of the nodes, on nodes:FILE: a file that names the columns job, cores and others, with commas between (plain, .gz or
    /// .xz; `-` is standard input), and has a line for each job that asks for more than processors and memory. `nodes` is how many it
    /// wants; cores, memory, gpu and other quantities of the nodes are so much on each; `gpu_milli` is a part of one gpu in thousandths,
    /// `features` are words with | between, one of which its nodes have.
    #[arg(long, value_name = "FILE")]
    pub demands: Option<PathBuf>,
    /// Whether others may use what a mesh leaves over in its subcube: the auxiliary free list
    /// [default: both, side by side].
    #[arg(long, value_enum, requires = "mesh")]
    pub afl: Option<Switch>,
    /// Who is next, several with commas between: fcfs, scan-up, scan-down, lazy, window:N; or
    /// easy, easy:N, conservative, conservative:N, promises:N, promises:all; or manager, the coordinator of resource managers, which
    /// serves users in turn, by what they have had of late. The six before it backfill by requested times. The first
    /// four of them need a pool (N: how many in line may overtake, or are moved after an early end); promises:N and promises:all promise
    /// the first N in line, or all, a time and a place on any machine. Where thousands wait,
    /// conservative takes long; conservative:100 does not. After an early end conservative moves each job in line
    /// once, then the first one that has to wait until it stays: others may be left an earlier place until the next early end,
    /// which costs nothing: on three logs more passes shorten no mean wait.
    #[arg(long, value_name = "LIST", value_delimiter = ',', default_value = "fcfs", default_value_if("preempt", ArgPredicate::IsPresent, None), ranges = &format!("N {}", told(&QueueKind::NUMBERS)))]
    pub queue: Vec<Queue>,
    #[command(flatten)]
    pub preempting: Preempting,
    /// In which order jobs stand in line, several with commas between: fcfs (as they come), sjf (the shortest first, by
    /// requested time) or fair-share (first the first job of each owner, of those who have had the
    /// least of late first; then all others as they come).
    #[arg(long, value_name = "LIST", value_delimiter = ',', default_value = "fcfs")]
    pub order: Vec<Order>,
    /// Who is an owner for a fair share: the trace's users, or their groups.
    #[arg(long, value_enum, default_value_t = ShareBy::User)]
    pub share_by: ShareBy,
    /// When it is decided, of all that happens in one second [default: as-planned for queues that plan, each-event
    /// for others].
    #[arg(long, value_enum, value_name = "WHEN")]
    pub decide: Option<Decide>,
    /// When processors were out of service: a file in the Standard Outage Format (plain, .gz or .xz; `-`
    /// is standard input). A line is an outage: times of announcement, start and end, type, how many nodes,
    /// then each of them or -1; times as in the trace, -1 where unknown. Jobs that are hit fail and start
    /// over. Queues that promise places plan around outages that are announced before they begin, with nodes and end.
    #[arg(long, value_name = "FILE")]
    pub outages: Option<PathBuf>,
    /// Measure how much of what is free is of no use, on a cube, a torus, a mesh, blocks or nodes that jobs share: processors that
    /// lie in no free place of what a job needs, as a share of the free ones, averaged over all jobs and over the time. On nodes with
    /// GPUs these count in place of processors, for the jobs that ask for some. That takes longer.
    #[arg(long, conflicts_with = "mesh")]
    pub fragmentation: bool,
    /// Divide the times between submissions by this.
    #[arg(long, value_name = "F", default_value_t = 1.0, real = FACTOR)]
    pub scale_load: f64,
    /// Only the first N jobs.
    #[arg(long, value_name = "N", whole = 1..=u64::from(u32::MAX))]
    pub jobs: Option<u64>,
    /// Sort the jobs by submission and number, as a trace in the order of completion needs.
    #[arg(long)]
    pub sort: bool,
    /// Skip and count lines that cannot be used, and reject jobs larger than the machine.
    /// A million such lines in a row end the command.
    #[arg(long)]
    pub lenient: bool,
    /// Show in the terminal how each simulation stands while it runs; results are the same.
    #[arg(long)]
    pub watch: bool,
    #[command(flatten)]
    pub results: Results,
}

/// See [`Decisions`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Decide {
    /// After each event, where whoever has reached his requested time has ended before all others.
    AsPlanned,
    /// After each event, ends before arrivals.
    EachEvent,
    /// After each event, arrivals before ends.
    ArrivalsFirst,
    /// Once, after all of them, as a manager does that looks now and then.
    EachSecond,
}

impl From<Decide> for Decisions {
    fn from(when: Decide) -> Self {
        match when {
            Decide::AsPlanned => Self::Planned,
            Decide::EachEvent => Self::EachEvent,
            Decide::ArrivalsFirst => Self::ArrivalsFirst,
            Decide::EachSecond => Self::EachInstant,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ShareBy {
    User,
    Group,
}

//! `locox import`.

use super::ResultFile;
use super::numbers::Numeric;
use clap::{Args, Subcommand, ValueEnum};
use locox_models::sacct::Unit;
use locox_models::swf::MOST_PROCESSORS;
use std::path::PathBuf;

/// Whose records.
#[derive(Debug, Subcommand)]
pub enum Import {
    /// Slurm's accounting: what `sacct -a -D -P --format=...` printed, as a trace.
    ///
    /// The columns, in any order: JobID,User,Group,Partition,State,Submit,Start,End,Elapsed,Suspended,Timelimit,
    /// NNodes,ReqCPUS,AllocCPUS,AllocTRES,ReqTRES. Others are ignored. Lines that are no job that ran and ended are dropped,
    /// and counted by reason. A million lines in a row that cannot be read end the command.
    Sacct(ImportSacct),
    /// Tasks and nodes with GPUs of the openb trace (Alibaba, cluster-trace-gpu-v2023): a trace, what its jobs ask for, and a cluster.
    ///
    /// Of tasks the columns cpu_milli, memory_mib, num_gpu, gpu_milli, gpu_spec (which may be missing), creation_time,
    /// scheduled_time and deletion_time are read, of nodes cpu_milli, memory_mib, gpu and model; others are ignored. CPUs are rounded up to
    /// whole cores. Tasks that were never scheduled are dropped, and counted.
    Openb(ImportOpenb),
}

#[derive(Debug, Args)]
pub struct ImportOpenb {
    /// The list of tasks, plain, .gz or .xz.
    pub tasks: PathBuf,
    /// The list of nodes, plain, .gz or .xz.
    pub nodes: PathBuf,
    /// The directory for jobs.swf, jobs.demands.csv and cluster.csv, which is made if it is not there; files of these names are
    /// replaced.
    #[arg(long, value_name = "DIR")]
    pub out: PathBuf,
}

#[derive(Debug, Args)]
pub struct ImportSacct {
    /// What sacct printed, plain, .gz or .xz; `-` is standard input.
    pub file: PathBuf,
    /// What counts as a processor of the trace.
    #[arg(long, value_enum, default_value_t = UnitName::Cpus)]
    pub unit: UnitName,
    /// Processors of the machine, for the header of the trace [default: the most in use at once].
    #[arg(long, value_name = "P", whole = 1..=MOST_PROCESSORS)]
    pub machine_size: Option<u32>,
    /// Do not write names of users, groups and partitions into the trace.
    #[arg(long)]
    pub anonymous: bool,
    /// Also write what jobs ask for of nodes with quantities, by AllocTRES or else ReqTRES, for `locox replay --demands`: nodes, and
    /// cores, memory in MiB, gpu and other gres on each; licences in all; types of GPUs as features. It has nothing of heterogeneous jobs.
    #[arg(long, value_name = "FILE")]
    pub demands: Option<PathBuf>,
    #[command(flatten)]
    pub result: ResultFile,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum UnitName {
    /// AllocCPUS: cores or hardware threads.
    Cpus,
    /// NNodes.
    Nodes,
}

impl From<UnitName> for Unit {
    fn from(name: UnitName) -> Self {
        match name {
            UnitName::Cpus => Self::Cpus,
            UnitName::Nodes => Self::Nodes,
        }
    }
}

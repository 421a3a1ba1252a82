//! `locox sweep`.

use super::numbers::Numeric;
use clap::{ArgGroup, Args};
use std::path::PathBuf;

#[derive(Debug, Args)]
#[command(group = ArgGroup::new("manager").required(true))]
pub struct Sweep {
    /// Write a script for Slurm's `sbatch`: an array job with an element for each part.
    #[arg(long, group = "manager")]
    pub slurm: bool,
    /// In how many parts; Slurm takes no more than its MaxArraySize, mostly 1000.
    #[arg(long, value_name = "N", default_value_t = 8, whole = 1..=1_000_u64)]
    pub parts: u64,
    /// An option for the manager, as it takes it, such as `--sbatch=--partition=long`; repeat it for several.
    #[arg(long, value_name = "OPTION", requires = "slurm", allow_hyphen_values = true)]
    pub sbatch: Vec<String>,
    /// The script [default: sweep.sh in the directory of the command].
    #[arg(long, value_name = "FILE")]
    pub script: Option<PathBuf>,
    /// The command: `compare` with its options, an --out that all nodes share, and without --shard.
    #[arg(
        required = true,
        trailing_var_arg = true,
        allow_hyphen_values = true,
        value_name = "COMMAND"
    )]
    pub command: Vec<String>,
}

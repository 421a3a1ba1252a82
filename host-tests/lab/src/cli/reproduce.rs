//! `locox reproduce`.

use super::Results;
use super::numbers::Numeric;
use clap::Args;
use std::path::PathBuf;

#[derive(Debug, Args)]
pub struct Reproduce {
    /// The experiment, or the id of a statement, or how such ids begin; see --list. A statement that
    /// several experiments judge runs all of them; with a variant, behind `@`, only those that have it.
    #[arg(required_unless_present_any = ["all", "list"])]
    pub name: Option<String>,
    /// All experiments.
    #[arg(long, conflicts_with = "name")]
    pub all: bool,
    /// Only list the experiments, and the ids of what they judge.
    #[arg(long, conflicts_with_all = ["name", "all"])]
    pub list: bool,
    /// A run of seconds.
    #[arg(long)]
    pub quick: bool,
    /// Print the verdicts alone, as JSON; see docs/evidence/verdicts.md.
    #[arg(long, conflicts_with_all = ["list", "format"])]
    pub json: bool,
    /// Write page, data, figures and checksums into a file as well: .tar, compressed as .tar.zst,
    /// .tar.xz or .tar.gz say. The same command makes the same bytes.
    #[arg(long, value_name = "FILE", conflicts_with = "list")]
    pub archive: Option<PathBuf>,
    /// Seed of all random streams.
    #[arg(long, value_name = "N", default_value_t = 1, whole = 0..=u64::MAX)]
    pub seed: u64,
    #[command(flatten)]
    pub results: Results,
}

//! `locox reproduce`.

use super::Results;
use super::numbers::Numeric;
use clap::Args;

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
    #[arg(long, value_name = "N", default_value_t = 1, whole = 0..=u64::MAX)]
    pub seed: u64,
    #[command(flatten)]
    pub results: Results,
}

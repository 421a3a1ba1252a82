//! What all commands have.

use super::numbers::Numeric;
use clap::Args;
use locox_report::{parallel, screen};

#[derive(Debug, Args)]
pub struct Common {
    /// Worker threads, of which four per core are started at most; results do not depend on it
    /// [default: one per core].
    #[arg(long, global = true, value_name = "N", whole = 1..=u16::MAX)]
    pub threads: Option<u16>,
    /// Say nothing but errors: no table and no progress. Results are what --out and --format ask for.
    #[arg(long, short, global = true)]
    pub quiet: bool,
}

impl Common {
    /// Has the whole process heed them.
    pub fn apply(&self) {
        if let Some(threads) = self.threads {
            parallel::limit(threads.into());
        }
        if self.quiet {
            screen::be_quiet();
        }
    }
}

//! Where results go, for all commands.

use clap::{Args, ValueEnum};
use std::path::PathBuf;

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

/// Each of them where it stands first.
pub fn once<T: PartialEq>(all: impl Iterator<Item = T>) -> Vec<T> {
    all.fold(Vec::new(), |mut once, one| {
        if !once.contains(&one) {
            once.push(one);
        }
        once
    })
}

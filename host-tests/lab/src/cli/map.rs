//! `locox map`.

use super::Results;
use super::numbers::{Numeric, part, told};
use clap::{Args, ValueEnum};
use locox_models::site::MOST_MACHINES;
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::str::FromStr;

#[derive(Debug, Args)]
pub struct Map {
    /// Expected times: a row for each job, in it a number for each machine and then each cluster,
    /// with blanks or commas between, `-` where it cannot run. A first line of names gives another
    /// order: of machines, clusters or classes of machines, and `job` before them if rows begin with
    /// names of jobs; in a column `kind`, kinds of jobs of the site file. Plain, .gz or .xz, `-` is standard input.
    pub times: PathBuf,
    /// The site in TOML: tables machine (name, class, free, away, speed, processors, memory, storage,
    /// system), cluster (name, members, least, interconnect), interconnect (name, down, latency,
    /// bandwidth, traffic, switched) and kind (name, work, processors, memory, storage, system,
    /// parallel, messages, bytes) [default: a machine for each column].
    #[arg(long, value_name = "FILE", conflicts_with = "size")]
    pub site: Option<PathBuf>,
    /// The table is so many numbers, row by row, however they stand in lines.
    #[arg(long, value_name = "JOBSxMACHINES", ranges = &Sizes::ranges())]
    pub size: Option<Sizes>,
    /// Which algorithms, several with commas between [default: all but genetic].
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_enum)]
    pub algorithm: Vec<Algorithm>,
    /// What the best machine of a job is.
    #[arg(long, value_enum, default_value_t = Reading::Completion)]
    pub best: Reading,
    /// What is random in a genetic search is drawn from it.
    #[arg(long, value_name = "N", whole = 0..=u32::MAX, default_value_t = 1)]
    pub seed: u32,
    /// Chromosomes of a genetic search.
    #[arg(long, value_name = "N", whole = 2..=1_000_usize, default_value_t = 100)]
    pub chromosomes: usize,
    /// Generations of a genetic search: in each, as many children as chromosomes.
    #[arg(long, value_name = "N", whole = 0..=1_000_000_u32, default_value_t = 100)]
    pub generations: u32,
    /// Ticks of a unit of time: times are rounded to whole ones [default: the least power of ten up
    /// to 1,000,000 by which all are whole].
    #[arg(long, value_name = "N", whole = 1..=1_000_000_000_u64)]
    pub ticks: Option<u64>,
    #[command(flatten)]
    pub results: Results,
}

impl Map {
    /// Those that are asked for, each once.
    pub fn algorithms(&self) -> Vec<Algorithm> {
        let all = Algorithm::value_variants().iter().copied();
        let is_wanted = |one: &Algorithm| match self.algorithm[..] {
            [] => *one != Algorithm::Genetic,
            _ => self.algorithm.contains(one),
        };
        all.filter(is_wanted).collect()
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
    MaxMin,
    /// That which would lose most without it; its best machine.
    Sufferage,
    /// The better of min-min and max-min.
    Duplex,
    /// As duplex, and on clusters what pays off there.
    Pjs,
    /// As pjs, and what random changes make better.
    Genetic,
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

impl Sizes {
    const JOBS: RangeInclusive<usize> = 1..=1_000_000;
    const MACHINES: RangeInclusive<usize> = 1..=MOST_MACHINES;

    fn ranges() -> String {
        format!("JOBS {}, MACHINES {}", told(&Self::JOBS), told(&Self::MACHINES))
    }
}

impl FromStr for Sizes {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let sizes = text.split_once('x').and_then(|(jobs, machines)| {
            let (jobs, machines) = (part(jobs, &Self::JOBS)?, part(machines, &Self::MACHINES)?);
            Some(Self { jobs, machines })
        });
        sizes.ok_or_else(|| format!("write JOBSxMACHINES, such as 512x16, with {}", Self::ranges()))
    }
}

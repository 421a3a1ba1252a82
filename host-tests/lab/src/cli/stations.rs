//! `locox stations`.

use super::Results;
use super::numbers::{
    CALLS, HOURS, MEGABYTES, MINUTES, MINUTES_OF_SECONDS, MINUTES_OR_NONE, Numeric,
    SECONDS_OR_NONE, part, told,
};
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};
use locox_models::workstation::{Functions, MOST_JOBS, MOST_STATIONS};
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::str::FromStr;

#[derive(Debug, Args)]
pub struct Stations {
    #[command(flatten)]
    pub pool: StationsPool,
    /// Who gets a processor: by an index that moves with the time, as a coordinator has it by default,
    /// or by the study's table of indices, in turn, or by lot.
    #[arg(long, value_enum, default_value_t = Ranking::All)]
    pub policy: Ranking,
    /// Runs with other owners and jobs, for confidence intervals.
    #[arg(long, value_name = "N", default_value_t = 5, whole = 1..=10_000_u32)]
    pub replications: u32,
    /// Show in the terminal how each simulation stands while it runs; results are the same.
    #[arg(long)]
    pub watch: bool,
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
    #[arg(long, value_name = "MIN", default_value_t = 100.0, real = MINUTES, conflicts_with = "recording")]
    pub available: f64,
    /// Mean time for which its owner keeps it, in minutes.
    #[arg(long, value_name = "MIN", default_value_t = 40.0, real = MINUTES, conflicts_with = "recording")]
    pub unavailable: f64,
    /// Stations [default: as many as FILE has, or users].
    #[arg(long, value_name = "N", whole = 1..=MOST_STATIONS)]
    pub stations: Option<u32>,
    /// Processors that have no owner.
    #[arg(long, value_name = "N", default_value_t = 6, whole = 0..=65_536_u32)]
    pub bank: u32,
    /// Jobs of each station's user, station by station; NxJ are N users with J jobs each.
    #[arg(long, value_name = "LIST", default_value = "11x1,2,5", ranges = &Users::ranges())]
    pub jobs: Users,
    /// A user's jobs come together, so often on average, instead of being there at all times.
    #[arg(long, value_name = "HOURS", real = HOURS)]
    pub every: Option<f64>,
    /// Mean service time of a job, exponential, in hours.
    #[arg(long, value_name = "HOURS", default_value_t = 2.0, real = HOURS)]
    pub service: f64,
    /// Size of a job's checkpoint in MB.
    #[arg(long, value_name = "MB", default_value_t = 0.5, real = MEGABYTES)]
    pub memory: f64,
    /// System calls of a job that runs elsewhere, in a second of its execution: its home's shadow process
    /// serves them [default: none].
    #[arg(long, value_name = "RATE", real = CALLS)]
    pub calls: Option<f64>,
    /// Processor time of the home for each call, in seconds.
    #[arg(long, value_name = "SECONDS", real = SECONDS_OR_NONE, requires = "calls")]
    pub call_cost: Option<f64>,
    /// How long the job waits for the answer to a call, in seconds. Its checkpoint waits too.
    #[arg(long, value_name = "SECONDS", real = SECONDS_OR_NONE, requires = "calls")]
    pub call_time: Option<f64>,
    /// Scheduling interval in minutes.
    #[arg(long, value_name = "MIN", default_value_t = 10.0, real = MINUTES_OF_SECONDS)]
    pub interval: f64,
    /// Time to move a job, in minutes.
    #[arg(long, value_name = "MIN", default_value_t = 1.0, real = MINUTES_OR_NONE)]
    pub transfer: f64,
    /// A job that runs elsewhere comes home when its own station becomes available.
    #[arg(long)]
    pub recall: bool,
    /// What moves the schedule indices of updown-table.
    #[arg(long, default_value_t = Functions::Condor, value_parser = functions())]
    pub functions: Functions,
    /// Days to run.
    #[arg(long, value_name = "N", default_value_t = 365, whole = 1..=36_500_u32)]
    pub days: u32,
    /// Seed of all random streams.
    #[arg(long, value_name = "N", default_value_t = 1, whole = 0..=u64::MAX)]
    pub seed: u64,
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

impl Users {
    const USERS: RangeInclusive<usize> = 1..=MOST_STATIONS as usize;
    const JOBS: RangeInclusive<u32> = 0..=MOST_JOBS;

    fn ranges() -> String {
        format!("N {}, J {}", told(&Self::USERS), told(&Self::JOBS))
    }
}

impl FromStr for Users {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || {
            format!(
                "write numbers of jobs and commas, NxJ for N users with J jobs each, such as \
                 11x1,2,5, with {}",
                Self::ranges()
            )
        };
        let mut jobs: Vec<u32> = Vec::new();
        for text in text.split(',') {
            let (users, each) = text.split_once('x').unwrap_or(("1", text));
            let users = part(users, &Self::USERS).ok_or_else(wrong)?;
            let each = part(each, &Self::JOBS).ok_or_else(wrong)?;
            jobs.extend(std::iter::repeat_n(each, users));
            if !Self::USERS.contains(&jobs.len()) {
                return Err(format!("write at most {} users in all", Self::USERS.end()));
            }
        }
        if jobs.iter().all(|&jobs| jobs == 0) {
            return Err("no user has a job; write a number above 0 for one of them".into());
        }
        Ok(Self(jobs))
    }
}

pub(super) fn functions() -> impl TypedValueParser<Value = Functions> {
    PossibleValuesParser::new(Functions::ALL.map(Functions::name)).map(|name| {
        let named = Functions::ALL.into_iter().find(|functions| functions.name() == name);
        named.unwrap_or(Functions::Condor)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn users_read_as_written() {
        assert_eq!("2x1,0,3x4".parse(), Ok(Users(vec![1, 1, 0, 4, 4, 4])));
        for wrong in ["", "1,", "x2", "0x2", "-1", "2x", "16385x1", "16384x0,1", "4097", "a"] {
            assert!(wrong.parse::<Users>().unwrap_err().starts_with("write "), "{wrong}");
        }
    }
}

//! `locox stations`.

use super::Results;
use super::numbers::{hours, minutes, minutes_or_none, not_negative};
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};
use locox_models::workstation::Functions;
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
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub replications: u32,
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
    #[arg(long, value_name = "MIN", default_value_t = 100.0, value_parser = minutes, allow_negative_numbers = true, conflicts_with = "recording")]
    pub available: f64,
    /// Mean time for which its owner keeps it, in minutes.
    #[arg(long, value_name = "MIN", default_value_t = 40.0, value_parser = minutes, allow_negative_numbers = true, conflicts_with = "recording")]
    pub unavailable: f64,
    /// Stations [default: as many as FILE has, or users].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=65_536))]
    pub stations: Option<u32>,
    /// Processors that have no owner.
    #[arg(long, value_name = "N", default_value_t = 6, value_parser = clap::value_parser!(u32).range(..=65_536))]
    pub bank: u32,
    /// Jobs of each station's user, station by station; NxJ are N users with J jobs each.
    #[arg(long, value_name = "LIST", default_value = "11x1,2,5")]
    pub jobs: Users,
    /// A user's jobs come together, so often on average, instead of being there at all times.
    #[arg(long, value_name = "HOURS", value_parser = hours, allow_negative_numbers = true)]
    pub every: Option<f64>,
    /// Mean service time of a job, exponential, in hours.
    #[arg(long, value_name = "HOURS", default_value_t = 2.0, value_parser = hours, allow_negative_numbers = true)]
    pub service: f64,
    /// Size of a job's checkpoint in MB.
    #[arg(long, value_name = "MB", default_value_t = 0.5, value_parser = not_negative, allow_negative_numbers = true)]
    pub memory: f64,
    /// Scheduling interval in minutes.
    #[arg(long, value_name = "MIN", default_value_t = 10.0, value_parser = minutes, allow_negative_numbers = true)]
    pub interval: f64,
    /// Time to move a job, in minutes.
    #[arg(long, value_name = "MIN", default_value_t = 1.0, value_parser = minutes_or_none, allow_negative_numbers = true)]
    pub transfer: f64,
    /// A job that runs elsewhere comes home when its own station becomes available.
    #[arg(long)]
    pub recall: bool,
    /// What moves the schedule indices of updown-table.
    #[arg(long, default_value_t = Functions::Condor, value_parser = functions())]
    pub functions: Functions,
    /// Days to run.
    #[arg(long, value_name = "N", default_value_t = 365, value_parser = clap::value_parser!(u32).range(1..=36_500))]
    pub days: u32,
    /// Seed of all random streams.
    #[arg(long, default_value_t = 1)]
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

impl FromStr for Users {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = "write numbers of jobs and commas, NxJ for N users with J jobs each, such as \
                     11x1,2,5";
        let part = |part: &str| {
            let (users, jobs) = part.split_once('x').unwrap_or(("1", part));
            let users = users.parse().ok().filter(|users| (1..=65_536).contains(users))?;
            Some(std::iter::repeat_n(jobs.parse().ok()?, users))
        };
        let parts: Option<Vec<_>> = text.split(',').map(part).collect();
        let jobs: Vec<u32> = parts.ok_or(wrong)?.into_iter().flatten().collect();
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
        for wrong in ["", "1,", "x2", "0x2", "-1", "2x", "65537x1", "a"] {
            assert!(wrong.parse::<Users>().unwrap_err().starts_with("write "), "{wrong}");
        }
    }
}

//! `locox reserve`.

use super::numbers::Numeric;
use super::results::{Results, once};
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};
use locox::reserve::{AlignedSubcube, Choice, Contiguous, Fit, Lowest};
use std::path::PathBuf;

#[derive(Debug, Args)]
pub struct Reserve {
    /// Requests, one a line: t_a t_r t_du t_dl n, that is when it is made, ready from when, for how
    /// long, done by when (`-`: whenever), how many PEs. Times in whole units of time, such as
    /// seconds; blanks or commas between; a first line of these names gives another order. `-` is
    /// standard input.
    pub requests: PathBuf,
    /// PEs of the machine.
    #[arg(long, value_name = "P", whole = 1..=1_u32 << 20)]
    pub pes: u32,
    /// Which of the possible starts a request gets, several with commas between.
    #[arg(long, value_name = "LIST", value_delimiter = ',', default_value = "ff", value_parser = policies())]
    pub policy: Vec<Policies>,
    /// Which of the free PEs it gets.
    #[arg(long, value_enum, default_value_t = PeChoice::Lowest)]
    pub choice: PeChoice,
    /// Skip and count lines that cannot be read.
    #[arg(long)]
    pub lenient: bool,
    #[command(flatten)]
    pub results: Results,
}

/// One policy of reservation or all of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Policies {
    All,
    One(Fit),
}

impl Policies {
    /// Each of those that were asked for, once.
    pub fn of(asked: &[Self]) -> Vec<Fit> {
        once(asked.iter().flat_map(|asked| match *asked {
            Self::All => Fit::ALL.to_vec(),
            Self::One(fit) => vec![fit],
        }))
    }
}

/// Which of the free PEs a reservation gets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum PeChoice {
    /// Those with the lowest numbers.
    Lowest,
    /// Consecutive numbers.
    Contiguous,
    /// An aligned subcube.
    Subcube,
}

impl PeChoice {
    /// The kernel's rule.
    pub fn choice(self) -> &'static dyn Choice {
        match self {
            Self::Lowest => &Lowest,
            Self::Contiguous => &Contiguous,
            Self::Subcube => &AlignedSubcube,
        }
    }

    /// What a request gets.
    pub fn told(self) -> &'static str {
        match self {
            Self::Lowest => "those with the lowest numbers",
            Self::Contiguous => "consecutive ones",
            Self::Subcube => "those of an aligned subcube",
        }
    }
}

/// The name of a policy in options and file names.
pub fn policy_name(fit: Fit) -> &'static str {
    match fit {
        Fit::First => "ff",
        Fit::PeBest => "pe-b",
        Fit::PeWorst => "pe-w",
        Fit::DurationBest => "du-b",
        Fit::DurationWorst => "du-w",
        Fit::PeDurationBest => "pedu-b",
        Fit::PeDurationWorst => "pedu-w",
    }
}

fn policies() -> impl TypedValueParser<Value = Policies> {
    let names = Fit::ALL.map(policy_name).into_iter().chain(["all"]);
    PossibleValuesParser::new(names).map(|name| {
        let fit = Fit::ALL.into_iter().find(|&fit| policy_name(fit) == name);
        fit.map_or(Policies::All, Policies::One)
    })
}

//! `locox reserve`.

use super::machine::{MachineSpec, Strategies, StrategyParser, machines};
use super::numbers::{Numeric, part, told};
use super::results::{Results, once};
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};
use locox::reserve::{AlignedSubcube, Choice, Contiguous, Fit, Lowest};
use locox_models::reservations::{Machine, STANDARD};
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::str::FromStr;

/// PEs of a machine.
const PES: RangeInclusive<u32> = 1..=1 << 20;

#[derive(Debug, Args)]
pub struct Reserve {
    /// Requests, one a line: t_a t_r t_du t_dl n, that is when it is made, ready from when, for how
    /// long, done by when (`-`: whenever), how many PEs. Times in whole units of time, such as
    /// seconds; blanks or commas between; a first line of these names gives another order. `-` is
    /// standard input.
    pub requests: PathBuf,
    /// PEs of the machine.
    #[arg(long, value_name = "P", whole = PES, required_unless_present_any = ["machines", "speeds", "machine"])]
    pub pes: Option<u32>,
    /// PEs of several machines, with commas between, in place of --pes: a request goes where it ends first. PEs
    /// are numbered through.
    #[arg(long, value_name = "LIST", value_delimiter = ',', conflicts_with = "pes", whole = PES)]
    pub machines: Vec<u32>,
    /// How fast the PEs are, so many and their speed, such as 8x1,8x0.5: durations are those at speed 1, and a
    /// reservation lasts as long as its slowest PE takes.
    #[arg(long, value_name = "LIST", value_delimiter = ',', ranges = &SpeedRun::ranges())]
    pub speeds: Vec<SpeedRun>,
    /// A machine whose PEs are to lie together, in place of --pes: `cube:N`, `torus:XxYxZ`, `mesh:XxY`, `blocks:BxM`,
    /// `tree:RxN`, `tree:BxRxN` or `pool:P`, as for replay. A request gets the subcube, the box, or the nodes near each
    /// other that a job of so many nodes would get, and holds all of them.
    #[arg(long, value_name = "MACHINE", conflicts_with_all = ["pes", "machines", "speeds", "choice"], ranges = &machines())]
    pub machine: Option<MachineSpec>,
    /// Which of the free places it gets, a strategy of replay for such a machine [default: complete on a cube, first on a
    /// torus, a mesh or blocks, required on racks].
    // What conflicts with a machine would excuse its absence.
    #[arg(long, value_name = "NAME", requires = "machine", conflicts_with_all = ["pes", "machines", "speeds"], value_parser = StrategyParser)]
    pub strategy: Option<Strategies>,
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

impl Reserve {
    /// The machines; what is wrong if their PEs are not those that have speeds.
    pub fn machines(&self) -> Result<Vec<Machine>, String> {
        let total = |all: &mut dyn Iterator<Item = u32>| all.map(u64::from).sum::<u64>();
        let told = total(&mut self.speeds.iter().map(|run| run.pes));
        let pes = self.pes.or(self.machine.map(MachineSpec::processors));
        let sizes = match (&self.machines[..], pes) {
            ([], None) => vec![u32::try_from(told).unwrap_or(u32::MAX)],
            ([], Some(pes)) => vec![pes],
            (several, _) => several.to_vec(),
        };
        let pes = total(&mut sizes.iter().copied());
        if pes > u64::from(*PES.end()) {
            return Err(format!("{pes} PEs in all; use at most {}", PES.end()));
        }
        if self.speeds.is_empty() {
            return Ok(sizes.into_iter().map(Machine::standard).collect());
        }
        if told != pes {
            return Err(format!(
                "--speeds: {told} PEs have speeds, and there are {pes}; make them as many"
            ));
        }
        let mut speeds: Vec<u32> = self.speeds.iter().map(|run| run.speed).collect();
        speeds.sort_unstable();
        speeds.dedup();
        if speeds.len() > MOST_SPEEDS {
            let count = speeds.len();
            return Err(format!("--speeds: {count} different speeds; use at most {MOST_SPEEDS}"));
        }
        let mut left = self.speeds.iter().map(|run| (run.pes, run.speed)).rev().collect::<Vec<_>>();
        Ok(sizes.into_iter().map(|pes| Machine { runs: taken(&mut left, pes) }).collect())
    }
}

/// Each different speed is a search.
const MOST_SPEEDS: usize = 32;

/// So many PEs of those that are left, the next one last.
fn taken(left: &mut Vec<(u32, u32)>, mut pes: u32) -> Vec<(u32, u32)> {
    let mut runs = vec![];
    while let Some((count, speed)) = left.pop_if(|_| pes > 0) {
        let here = count.min(pes);
        runs.push((here, speed));
        pes -= here;
        if here < count {
            left.push((count - here, speed));
        }
    }
    runs
}

/// So many PEs of one speed, in thousandths.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SpeedRun {
    pub pes: u32,
    pub speed: u32,
}

impl SpeedRun {
    const MOST: u32 = 1000;

    fn ranges() -> String {
        format!("PESxSPEED with PES {}, SPEED 0.001 to {}", told(&PES), Self::MOST)
    }
}

impl FromStr for SpeedRun {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let run = text.split_once('x').and_then(|(pes, speed)| {
            let speed =
                thousandths(speed).filter(|speed| (1..=Self::MOST * STANDARD).contains(speed));
            Some(Self { pes: part(pes, &PES)?, speed: speed? })
        });
        run.ok_or_else(|| {
            format!(
                "write {}, such as 8x0.5, and at most three digits behind the point",
                Self::ranges()
            )
        })
    }
}

/// A decimal number with at most three digits behind the point.
fn thousandths(text: &str) -> Option<u32> {
    let (whole, rest) = text.split_once('.').unwrap_or((text, "0"));
    let digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    if !digits(whole) || !digits(rest) || rest.len() > 3 {
        return None;
    }
    let rest: u32 = format!("{rest:0<3}").parse().ok()?;
    whole.parse::<u32>().ok()?.checked_mul(STANDARD)?.checked_add(rest)
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

//! `locox elmer`.

use super::numbers::{LONGEST, Numeric, SECONDS, SHARE, part, told};
use super::results::{Results, once};
use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use locox_models::recorded::Queueing;
use locox_models::replay::QueueKind;
use locox_models::timeshare::fluid::Loss;
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::str::FromStr;

#[derive(Debug, Args)]
pub struct Elmer {
    #[command(flatten)]
    pub of: ElmerSetup,
    /// Which hosts and which level a job gets, several with commas between.
    #[arg(long, value_name = "LIST", value_delimiter = ',', default_value = "non-interfering", value_parser = placements())]
    pub placement: Vec<Placements>,
    #[command(flatten)]
    pub results: Results,
}

/// Jobs, hosts, and how the hosts are shared.
#[derive(Debug, Args)]
pub struct ElmerSetup {
    /// The jobs, one a line: when it is submitted (s), how many hosts it needs, how long it takes alone
    /// (s), the share of a processor that each of its processes uses then, `ep` or `barrier`. Behind that
    /// perhaps `set=N`, the number of its --hostfile; `memory=N`, which each process needs; `key=N`, behind
    /// smaller ones of which it waits. `-` is standard input.
    pub jobs: PathBuf,
    /// The hosts, one a line: name, speed, of which 1 is nominal, and perhaps memory.
    #[arg(long, value_name = "FILE", required_unless_present = "count")]
    pub hosts: Option<PathBuf>,
    /// So many hosts of nominal speed instead.
    #[arg(long, value_name = "N", conflicts_with = "hosts", whole = 1..=65_536_u32)]
    pub count: Option<u32>,
    /// A set of hosts for jobs to name, one name a line. Several times, for the sets 1, 2, and so on.
    #[arg(long, value_name = "FILE")]
    pub hostfile: Vec<PathBuf>,
    /// In which order jobs are tried: fcfs, scan-up, scan-down, lazy, window:N.
    #[arg(long, value_name = "QUEUE", default_value = "fcfs", value_parser = queueing, ranges = &format!("N {}", told(&QueueKind::NUMBERS)))]
    pub queue: Queueing,
    /// Levels of a host: how many jobs may share it.
    #[arg(long, value_name = "N", default_value_t = 3, whole = 1..=8_u8)]
    pub levels: u8,
    /// The utilisation up to which first-calm-level and non-interfering share a host.
    #[arg(long, value_name = "F", default_value_t = 0.7, real = SHARE)]
    pub threshold: f64,
    /// The age in seconds up to which first-calm-level and non-interfering believe a reading of the
    /// utilisation.
    #[arg(long, value_name = "S", default_value_t = 3600.0, real = SECONDS)]
    pub believed: f64,
    /// A host is lost from one time to another, in seconds; jobs that have a process there begin anew.
    /// Several times, if several are lost.
    #[arg(long, value_name = "HOST:FROM-UNTIL", ranges = &LossSpec::ranges())]
    pub lose: Vec<LossSpec>,
    /// Seed of the lots that first-level and first-calm-level draw.
    #[arg(long, value_name = "N", default_value_t = 1, whole = 0..=u64::MAX)]
    pub seed: u64,
}

impl Elmer {
    /// Those that are asked for, each once.
    pub fn placements(&self) -> Vec<PlacementKind> {
        let kinds = |asked: &Placements| match *asked {
            Placements::All => PlacementKind::ALL.to_vec(),
            Placements::One(kind) => vec![kind],
        };
        once(self.placement.iter().flat_map(kinds))
    }
}

/// Which hosts and which level a job gets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlacementKind {
    /// One job a host.
    Space,
    FirstLevel,
    FirstCalmLevel,
    NonInterfering,
}

impl PlacementKind {
    const ALL: [Self; 4] =
        [Self::Space, Self::FirstLevel, Self::FirstCalmLevel, Self::NonInterfering];

    pub fn name(self) -> &'static str {
        match self {
            Self::Space => "space",
            Self::FirstLevel => "first-level",
            Self::FirstCalmLevel => "first-calm-level",
            Self::NonInterfering => "non-interfering",
        }
    }
}

/// One placement or all of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Placements {
    All,
    One(PlacementKind),
}

/// A host that is lost.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LossSpec(pub Loss);

impl LossSpec {
    const HOSTS: RangeInclusive<usize> = 0..=65_535;
    const TIMES: RangeInclusive<f64> = 0.0..=LONGEST;

    fn ranges() -> String {
        format!("HOST {}, FROM and UNTIL {}", told(&Self::HOSTS), told(&Self::TIMES))
    }
}

impl FromStr for LossSpec {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let parsed = || {
            let (host, times) = text.split_once(':')?;
            let (from, until) = times.split_once('-')?;
            let (from, until) = (part(from, &LossSpec::TIMES)?, part(until, &LossSpec::TIMES)?);
            let host = part(host, &LossSpec::HOSTS)?;
            (from < until).then_some(Loss { host, from, until })
        };
        parsed().map(Self).ok_or("write HOST:FROM-UNTIL in seconds, such as 0:100-250".into())
    }
}

/// The queues of the other commands, but for those that plan by times.
fn queueing(name: &str) -> Result<Queueing, String> {
    let kind: Option<QueueKind> = name.parse().ok();
    let queueing = kind.and_then(QueueKind::queueing);
    queueing.ok_or_else(|| {
        format!(
            "there is no such order; write fcfs, scan-up, scan-down, lazy or window:N, N from {} to {}",
            QueueKind::NUMBERS.start(),
            QueueKind::NUMBERS.end()
        )
    })
}

pub(super) fn placement_kinds() -> impl TypedValueParser<Value = PlacementKind> {
    PossibleValuesParser::new(PlacementKind::ALL.map(PlacementKind::name)).map(|name| {
        let kind = PlacementKind::ALL.into_iter().find(|kind| kind.name() == name);
        kind.unwrap_or(PlacementKind::NonInterfering)
    })
}

fn placements() -> impl TypedValueParser<Value = Placements> {
    let names = PlacementKind::ALL.map(PlacementKind::name).into_iter().chain(["all"]);
    PossibleValuesParser::new(names).map(|name| {
        let kind = PlacementKind::ALL.into_iter().find(|kind| kind.name() == name);
        kind.map_or(Placements::All, Placements::One)
    })
}

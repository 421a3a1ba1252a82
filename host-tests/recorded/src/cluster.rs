//! Recorded runs of [`locox_coordinators::cluster`].

use crate::BadRun;
use crate::head::{Head, name_of};
use alloc::boxed::Box;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use alloc::{format, vec};
use core::fmt::{self, Display};
use core::str::FromStr;
use locox::dispatch::{Discipline, Fcfs, Lazy, Scan, Window};
use locox::handle::PoolId;
use locox::time::{Duration, Instant};
use locox::timeshare::{self, Entry, FirstLevel, HostRow, NonInterfering, Placement, Threshold};
use locox_coordinators::cluster::{Columns, Config, Coordinator, JobRow, Retry};
use locox_storage::{BadHistory, ReplaySummary, replay_history};

const WORDS: [&str; 16] = [
    "coordinator",
    "placement",
    "lots",
    "levels",
    "degree",
    "threshold",
    "believed",
    "settled",
    "hosts",
    "jobs",
    "retry",
    "silence",
    "sets",
    "memory",
    "pool",
    "queue",
];

/// The most rows of a kind that a file may ask for.
const MOST: usize = 1 << 20;

const RETRIES: [(&str, Retry); 3] =
    [("one", Retry::OneAtEnds), ("all", Retry::AllAtEnds), ("always", Retry::Always)];

/// A placement of the kernel with its parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    /// Version 1, by lot or in order.
    FirstLevel {
        /// Jobs on a host at most.
        degree: u8,
        /// Whether it draws lots.
        lots: bool,
    },
    /// Version 2, by lot or in order.
    FirstCalmLevel {
        /// Jobs on a host at most.
        degree: u8,
        /// Whether it draws lots.
        lots: bool,
        /// The utilisation up to which a host is free.
        threshold: Threshold,
        /// The age up to which a reading is believed.
        believed: Duration,
    },
    /// Version 3.
    NonInterfering(NonInterfering),
}

/// A discipline of the kernel with its parameter.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Queueing {
    /// First come, first served.
    #[default]
    Fcfs,
    /// So many of the first.
    Window(u32),
    /// One size after the other, upwards.
    ScanUp,
    /// The same downwards.
    ScanDown,
    /// Sizes of which none runs, or of which more than so many jobs wait.
    Lazy(u32),
}

impl Queueing {
    /// The discipline.
    pub fn discipline(self) -> Box<dyn Discipline> {
        match self {
            Self::Fcfs => Box::new(Fcfs),
            Self::Window(width) => Box::new(Window::of(width)),
            Self::ScanUp => Box::new(Scan::up()),
            Self::ScanDown => Box::new(Scan::down()),
            Self::Lazy(backlog) => Box::new(Lazy::beyond(backlog)),
        }
    }
}

impl Display for Queueing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Fcfs => f.pad("fcfs"),
            Self::Window(width) => f.pad(&format!("window:{width}")),
            Self::ScanUp => f.pad("scan-up"),
            Self::ScanDown => f.pad("scan-down"),
            Self::Lazy(backlog) => f.pad(&format!("lazy:{backlog}")),
        }
    }
}

impl FromStr for Queueing {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        let number = |number: &str| number.parse().map_err(drop);
        match text.split_once(':') {
            Some(("window", width)) => Ok(Self::Window(number(width)?)),
            Some(("lazy", backlog)) => Ok(Self::Lazy(number(backlog)?)),
            None if text == "fcfs" => Ok(Self::Fcfs),
            None if text == "scan-up" => Ok(Self::ScanUp),
            None if text == "scan-down" => Ok(Self::ScanDown),
            _ => Err(()),
        }
    }
}

/// What is done with the placement that a rule stands for.
pub trait UnderPlacement {
    /// What comes of it.
    type Done;

    /// Does it.
    fn under<P: Placement>(self, placement: P) -> Self::Done;
}

impl Rule {
    /// Does something with the placement.
    pub fn with<U: UnderPlacement>(self, what: U) -> U::Done {
        match self {
            Self::FirstLevel { degree, lots: false } => what.under(FirstLevel::new(degree)),
            Self::FirstLevel { degree, lots: true } => {
                what.under(FirstLevel::new(degree).shuffled())
            }
            Self::FirstCalmLevel { degree, lots: false, threshold, believed } => {
                what.under(FirstLevel::new(degree).on_calm_hosts(threshold, believed))
            }
            Self::FirstCalmLevel { degree, lots: true, threshold, believed } => {
                what.under(FirstLevel::new(degree).on_calm_hosts(threshold, believed).shuffled())
            }
            Self::NonInterfering(non_interfering) => what.under(non_interfering),
        }
    }
}

pub(crate) fn replay(
    head: &mut Head<'_>,
    bytes: &[u8],
) -> Result<Result<ReplaySummary, BadHistory>, BadRun> {
    let made_of = MadeOf::read(head)?;
    let replayed = made_of.rule.with(Replay { made_of, bytes });
    replayed.map_err(|what| head.wrong("levels", what))
}

/// What a coordinator is made of.
#[derive(Clone, Copy, Debug)]
pub struct MadeOf {
    /// Its placement.
    pub rule: Rule,
    /// Its queue.
    pub queue: Queueing,
    /// Levels of each host.
    pub levels: u8,
    /// Hosts.
    pub hosts: usize,
    /// Rows of jobs.
    pub jobs: usize,
    /// Its parameters.
    pub config: Config,
}

impl MadeOf {
    /// What a file begins with, up to the history.
    pub fn head(&self) -> Vec<u8> {
        let Self { rule, queue, levels, hosts, jobs, config } = self;
        let (name, lots, degree, readings, settled) = match *rule {
            Rule::FirstLevel { degree, lots } => ("first-level", lots, degree, None, None),
            Rule::FirstCalmLevel { degree, lots, threshold, believed } => {
                ("first-calm-level", lots, degree, Some((threshold, believed)), None)
            }
            Rule::NonInterfering(NonInterfering { degree, threshold, believed, settled }) => {
                ("non-interfering", false, degree, Some((threshold, believed)), Some(settled))
            }
        };
        let dash = |it: Option<u64>| it.map_or("-".into(), |it| it.to_string());
        let threshold = readings.map(|(it, _)| it.load().thousandths().into());
        let values: [&dyn Display; WORDS.len()] = [
            &"cluster",
            &name,
            &lots,
            levels,
            &degree,
            &dash(threshold),
            &dash(readings.map(|(_, it)| it.ticks())),
            &dash(settled.map(Duration::ticks)),
            hosts,
            jobs,
            &name_of(&RETRIES, config.retry),
            &dash(config.silence.map(Duration::ticks)),
            &config.sets,
            &config.memory,
            &config.pool.0,
            queue,
        ];
        let lines: Vec<(&str, &dyn Display)> = WORDS.into_iter().zip(values).collect();
        Head::write(&lines)
    }

    fn read(head: &Head<'_>) -> Result<Self, BadRun> {
        head.has_only(&WORDS)?;
        let retry = head.one_of("retry", &RETRIES)?;
        let silence = head.optional("silence")?.map(Duration::from_ticks);
        let rows = |word| {
            let rows = head.value(word)?;
            if rows <= MOST { Ok(rows) } else { Err(head.wrong(word, format!("more than {MOST}"))) }
        };
        Ok(Self {
            rule: Self::rule(head)?,
            queue: head.value("queue")?,
            levels: head.value("levels")?,
            hosts: rows("hosts")?,
            jobs: rows("jobs")?,
            config: Config {
                retry,
                silence,
                sets: head.value("sets")?,
                memory: head.value("memory")?,
                pool: PoolId(head.value("pool")?),
            },
        })
    }

    fn rule(head: &Head<'_>) -> Result<Rule, BadRun> {
        let (degree, lots) = (head.value("degree")?, head.value("lots")?);
        let ticks = |word| head.value(word).map(Duration::from_ticks);
        let threshold = || {
            let threshold = Threshold::from_thousandths(head.value("threshold")?);
            threshold.map_err(|misuse| head.wrong("threshold", misuse.to_string()))
        };
        match head.text("placement")? {
            "first-level" => Ok(Rule::FirstLevel { degree, lots }),
            "first-calm-level" => Ok(Rule::FirstCalmLevel {
                degree,
                lots,
                threshold: threshold()?,
                believed: ticks("believed")?,
            }),
            "non-interfering" => Ok(Rule::NonInterfering(NonInterfering {
                degree,
                threshold: threshold()?,
                believed: ticks("believed")?,
                settled: ticks("settled")?,
            })),
            other => Err(head.wrong("placement", format!("there is no placement {other:?}"))),
        }
    }
}

struct Replay<'b> {
    made_of: MadeOf,
    bytes: &'b [u8],
}

impl UnderPlacement for Replay<'_> {
    /// The outer error is what the coordinator says to what it is made of.
    type Done = Result<Result<ReplaySummary, BadHistory>, String>;

    fn under<P: Placement>(self, placement: P) -> Self::Done {
        let MadeOf { queue, levels, hosts, jobs, config, .. } = self.made_of;
        let mut entries = vec![Entry::EMPTY; hosts * usize::from(levels)];
        let mut host_rows = vec![HostRow::EMPTY; hosts];
        let mut job_rows = vec![JobRow::EMPTY; jobs];
        let mut placed = vec![timeshare::JobRow::EMPTY; jobs];
        let mut bits = vec![0; config.words(hosts, levels)];
        let columns = Columns {
            entries: &mut entries,
            hosts: &mut host_rows,
            jobs: &mut job_rows,
            placed: &mut placed,
            words: &mut bits,
        };
        let mut discipline = queue.discipline();
        let rules = (placement, &mut *discipline);
        let cluster = Coordinator::with_discipline(config, levels, columns, rules, Instant::ZERO);
        let cluster = cluster.map_err(|misuse| misuse.to_string())?;
        Ok(replay_history(self.bytes, cluster))
    }
}

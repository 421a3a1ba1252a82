//! Recorded runs of [`locox_coordinators::station`].

use crate::head::Head;
use crate::{BadRun, Functions, Policy, Under};
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use alloc::{format, vec};
use core::fmt::Display;
use locox::fair::{Contender, Demand, Fairness};
use locox::handle::PoolId;
use locox::time::{Duration, Instant};
use locox_coordinators::station::{
    Columns, Config, Coordinator, HomeRow, JobRow, NodeRow, Trigger,
};
use locox_storage::{BadHistory, ReplaySummary, replay_history};

/// The last one only where there is a bound: runs were recorded before there was.
const WORDS: [&str; 18] = [
    "coordinator",
    "ranking",
    "stations",
    "nodes",
    "jobs",
    "interval",
    "poll",
    "checkpoint",
    "transfer",
    "trigger",
    "rounds",
    "recall",
    "lease",
    "back-off",
    "retries",
    "faults",
    "pool",
    "decisions",
];

/// The most rows of a kind that a file may ask for.
const MOST: usize = 1 << 20;

const TRIGGERS: [(&str, Trigger); 3] = [
    ("interval", Trigger::IntervalOnly),
    ("capacity", Trigger::Capacity),
    ("demand", Trigger::Demand),
];

pub(crate) fn replay(
    head: &mut Head<'_>,
    history: &[u8],
) -> Result<Result<ReplaySummary, BadHistory>, BadRun> {
    let made_of = MadeOf::read(head)?;
    let MadeOf { policy, config, stations, .. } = made_of;
    let replayed = policy.rank(config.interval, stations, Replay { made_of, history });
    let wrong = |what: String| head.wrong("interval", what);
    replayed.map_err(|bad| wrong(bad.to_string()))?.map_err(wrong)
}

/// What a coordinator is made of.
#[derive(Clone, Copy, Debug)]
pub struct MadeOf {
    /// Its ranking.
    pub policy: Policy,
    /// Its parameters.
    pub config: Config,
    /// Stations.
    pub stations: usize,
    /// Nodes.
    pub nodes: usize,
    /// Rows of jobs.
    pub jobs: usize,
}

impl MadeOf {
    /// What a file begins with, up to the history.
    pub fn head(&self) -> Vec<u8> {
        let Self { policy, config, stations, nodes, jobs } = self;
        let period = |it: Option<Duration>| it.map_or("-".into(), |it| it.ticks().to_string());
        let trigger = TRIGGERS.iter().find(|(_, it)| *it == config.trigger);
        let values: [&dyn Display; WORDS.len() - 1] = [
            &"station",
            &name(*policy),
            stations,
            nodes,
            jobs,
            &config.interval.ticks(),
            &period(config.poll),
            &period(config.checkpoint),
            &config.transfer.ticks(),
            &trigger.map_or("", |(name, _)| *name),
            &config.rounds,
            &config.recall,
            &period(config.lease),
            &config.back_off.ticks(),
            &config.retries,
            &config.faults,
            &config.pool.0,
        ];
        let bound = config.decisions.as_ref().map(|most| most as &dyn Display);
        let values = values.into_iter().chain(bound);
        let lines: Vec<(&str, &dyn Display)> = WORDS.into_iter().zip(values).collect();
        Head::write(&lines)
    }

    fn read(head: &Head<'_>) -> Result<Self, BadRun> {
        head.has_only(&WORDS)?;
        let ticks = |word| head.value(word).map(Duration::from_ticks);
        let period = |word| Ok(head.optional(word)?.map(Duration::from_ticks));
        let trigger = head.text("trigger")?;
        let known = TRIGGERS.iter().find(|(name, _)| *name == trigger);
        let (_, trigger) = *known
            .ok_or_else(|| head.wrong("trigger", format!("there is no trigger {trigger:?}")))?;
        let ranking = head.text("ranking")?;
        let policy = policies().find(|policy| name(*policy) == ranking);
        let unknown = || head.wrong("ranking", format!("there is no ranking {ranking:?}"));
        let config = Config {
            interval: ticks("interval")?,
            poll: period("poll")?,
            checkpoint: period("checkpoint")?,
            transfer: ticks("transfer")?,
            trigger,
            rounds: head.value("rounds")?,
            recall: head.value("recall")?,
            lease: period("lease")?,
            back_off: ticks("back-off")?,
            retries: head.value("retries")?,
            faults: head.value("faults")?,
            pool: PoolId(head.value("pool")?),
            decisions: head.has("decisions").then(|| head.value("decisions")).transpose()?,
        };
        let rows = |word| {
            let rows = head.value(word)?;
            if rows <= MOST { Ok(rows) } else { Err(head.wrong(word, format!("more than {MOST}"))) }
        };
        Ok(Self {
            policy: policy.ok_or_else(unknown)?,
            config,
            stations: rows("stations")?,
            nodes: rows("nodes")?,
            jobs: rows("jobs")?,
        })
    }
}

fn policies() -> impl Iterator<Item = Policy> {
    let others = [Policy::TimedUpDown, Policy::RoundRobin, Policy::Random];
    others.into_iter().chain(Functions::ALL.map(Policy::UpDown))
}

/// The name of a ranking in files.
fn name(policy: Policy) -> String {
    match policy {
        Policy::TimedUpDown => "timed-updown".into(),
        Policy::UpDown(functions) => format!("updown-{functions}"),
        Policy::RoundRobin => "round-robin".into(),
        Policy::Random => "random".into(),
    }
}

struct Replay<'h> {
    made_of: MadeOf,
    history: &'h [u8],
}

impl Under for Replay<'_> {
    /// The outer error is what the coordinator says to what it is made of.
    type Done = Result<Result<ReplaySummary, BadHistory>, String>;

    fn under<F: Fairness>(self, fair: F) -> Self::Done {
        let MadeOf { config, stations, nodes, jobs, .. } = self.made_of;
        let rows = table(stations, nodes, jobs);
        let coordinator = Coordinator::new(config, rows, fair, Instant::ZERO);
        let coordinator = coordinator.map_err(|misuse| misuse.to_string())?;
        Ok(replay_history(self.history, coordinator))
    }
}

/// The rows of a coordinator.
pub type Table = Columns<Vec<Demand>, Vec<HomeRow>, Vec<NodeRow>, Vec<JobRow>, Vec<Contender>>;

/// Empty rows of a coordinator.
pub fn table(stations: usize, nodes: usize, jobs: usize) -> Table {
    Columns {
        demand: vec![Demand::default(); stations],
        homes: vec![HomeRow::EMPTY; stations],
        nodes: vec![NodeRow::EMPTY; nodes],
        jobs: vec![JobRow::EMPTY; jobs],
        scratch: vec![Contender::EMPTY; 2 * nodes + 4],
    }
}

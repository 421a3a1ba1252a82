//! Recorded runs of [`locox::station`].

use super::BadRun;
use super::head::Head;
use crate::workstation::{BadPool, Functions, Policy, Pool, Under, table};
use locox::fair::Fairness;
use locox::handle::PoolId;
use locox::station::{Config, Coordinator, Trigger};
use locox::time::{Duration, Instant};
use locox_storage::{BadHistory, Replayed, replay_history};
use std::fmt::Display;

const WORDS: [&str; 17] = [
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
];

/// The most rows of a kind that a file may ask for.
const MOST: usize = 1 << 20;

const TRIGGERS: [(&str, Trigger); 3] = [
    ("interval", Trigger::IntervalOnly),
    ("capacity", Trigger::Capacity),
    ("demand", Trigger::Demand),
];

/// Runs a pool under a ranking and writes down what its coordinator was told, up to so many
/// commands. Same pool, ranking and seed, same bytes.
///
/// # Errors
///
/// [`BadPool`] names the parameter.
pub fn record_stations(
    pool: &Pool,
    policy: Policy,
    seed: u64,
    most: u64,
) -> Result<Vec<u8>, BadPool> {
    let history = pool.history(policy, seed, most)?;
    let stations = pool.stations.len();
    let setup = Setup {
        policy,
        config: pool.config,
        stations,
        nodes: stations + pool.bank as usize,
        jobs: pool.job_rows(),
    };
    let mut bytes = setup.head();
    bytes.extend(history);
    Ok(bytes)
}

pub(super) fn replay(
    head: &mut Head<'_>,
    history: &[u8],
) -> Result<Result<Replayed, BadHistory>, BadRun> {
    let setup = Setup::read(head)?;
    let Setup { policy, config, stations, .. } = setup;
    let replayed = policy.rank(config.interval, stations, Replay { setup, history });
    let wrong = |what: String| head.wrong("interval", what);
    replayed.map_err(|bad| wrong(bad.to_string()))?.map_err(wrong)
}

/// What a coordinator is made of.
#[derive(Clone, Copy)]
struct Setup {
    policy: Policy,
    config: Config,
    stations: usize,
    nodes: usize,
    jobs: usize,
}

impl Setup {
    fn head(&self) -> Vec<u8> {
        let Self { policy, config, stations, nodes, jobs } = self;
        let period = |it: Option<Duration>| it.map_or("-".into(), |it| it.ticks().to_string());
        let trigger = TRIGGERS.iter().find(|(_, it)| *it == config.trigger);
        let values: [&dyn Display; WORDS.len()] = [
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
    setup: Setup,
    history: &'h [u8],
}

impl Under for Replay<'_> {
    /// The outer error is what the coordinator says to its setup.
    type Done = Result<Result<Replayed, BadHistory>, String>;

    fn under<F: Fairness>(self, fair: F) -> Self::Done {
        let Setup { config, stations, nodes, jobs, .. } = self.setup;
        let rows = table(stations, nodes, jobs);
        let coordinator = Coordinator::new(config, fair, rows, Instant::ZERO);
        let coordinator = coordinator.map_err(|misuse| misuse.to_string())?;
        Ok(replay_history(self.history, coordinator))
    }
}

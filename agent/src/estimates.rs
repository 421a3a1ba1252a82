//! When jobs start, if all run for as long as they may and nobody with a better claim comes.

use crate::config::Config;
use crate::facts::is_endless;
use crate::rows::{NotTaken, Rows};
use locox::bits::Word;
use locox::handle::PoolId;
use locox::image::BadImage;
use locox::reserve::{Interval, Limits, Profile, SetupError};
use locox::time::{Duration, Instant};
use locox_coordinators::manager::{
    Command, Coordinator, Error, Job, Key, Misuse, Reason, Status, UserId, Yields,
};

/// When a job is expected to start and to end, in seconds since 1970.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Estimate {
    /// When it starts, or started.
    pub start: u64,
    /// When it ends.
    pub end: u64,
}

/// A job that nobody has submitted.
#[derive(Clone, Copy, Debug)]
pub struct Asked {
    /// Whose it would be.
    pub user: u32,
    /// Nodes.
    pub nodes: u32,
    /// In seconds.
    pub limit: u64,
}

/// Why there is no estimate.
#[derive(Debug, thiserror::Error)]
pub enum NoEstimate {
    /// The job is not known, or cannot be.
    #[error("{0}")]
    Kernel(#[from] Error),
    /// A parameter.
    #[error("{0}")]
    Misuse(#[from] Misuse),
    /// The configuration.
    #[error("{0}")]
    Config(#[from] NotTaken),
    /// A copy cannot be made.
    #[error("{0}")]
    Copy(#[from] BadImage),
    /// There are more jobs or nodes than can be planned with.
    #[error("{0}")]
    Setup(#[from] SetupError),
    /// It waits for a job that may run for ever.
    #[error("jobs without a limit run or stand before it")]
    Endless,
    /// It would take too long.
    #[error("{ahead} jobs stand before it, and it is not computed for more than {most} in all")]
    Long {
        /// So many jobs run or stand before it.
        ahead: u32,
        /// As many as are searched for.
        most: u32,
    },
}

/// Jobs for which nodes and times are searched in one answer.
pub const SEARCHES: u32 = 20_000;

/// When a job starts and ends; `None` if it is held or too few nodes are in service. One without a limit ends in more
/// than 2^60 seconds.
///
/// Cost: a search for each job that runs or stands before it. They are taken from `searches`.
///
/// # Errors
///
/// There is no such job; [`NoEstimate::Endless`]; [`NoEstimate::Long`] if there are not so many searches left.
pub fn estimate(
    manager: &Coordinator<'_>,
    config: &Config,
    key: Key,
    searches: &mut u32,
) -> Result<Option<Estimate>, NoEstimate> {
    let has_nodes =
        |job: &Job| matches!(job.status, Status::Running | Status::Starting | Status::Stopping);
    let before = manager.jobs().filter(has_nodes).count() as u32;
    let ahead = manager.ahead(key)?.unwrap_or(0).saturating_add(before);
    let too_long = NoEstimate::Long { ahead, most: SEARCHES };
    *searches = searches.checked_sub(ahead).ok_or(too_long)?;
    let waits_for_stops = manager.reason(key)? == Some(Reason::Room);
    let counts = config.places.are_any() && manager.outages().next().is_none() && !waits_for_stops;
    let estimate = match counts {
        true => planned(manager, config, key)?,
        false => played(manager, config, key)?,
    };
    let now = manager.now().ticks();
    match estimate {
        Some(Estimate { start, .. }) if is_endless(start.saturating_sub(now)) => {
            Err(NoEstimate::Endless)
        }
        // Behind several such jobs it has a time beyond the end of time; what was played says so itself.
        None if counts && can_start(manager, key)? => Err(NoEstimate::Endless),
        estimate => Ok(estimate),
    }
}

/// Whether nothing but jobs keeps a job from starting.
fn can_start(manager: &Coordinator<'_>, key: Key) -> Result<bool, Misuse> {
    let reason = manager.reason(key)?;
    Ok(!matches!(reason, Some(Reason::Held | Reason::TooLarge { .. } | Reason::Outage { .. })))
}

/// When a job starts and ends, by numbers of nodes.
fn planned(
    manager: &Coordinator<'_>,
    config: &Config,
    key: Key,
) -> Result<Option<Estimate>, NoEstimate> {
    let limits = Limits { pes: manager.size(), reservations: config.jobs + 1 };
    let words: Vec<Word> = vec![0; Profile::words(limits)];
    let mut scratch = Profile::new(PoolId(0), limits, words)?;
    let placement = manager.estimate(key, &mut scratch)?;
    let of = |Interval { start, end }| Estimate { start: start.ticks(), end: end.ticks() };
    Ok(placement.map(of))
}

/// When a job starts and ends, by a copy of the coordinator in which time goes on and each job takes as long as it may:
/// numbers of nodes do not say when nodes are free together, nor which of them are planned to be out.
///
/// Cost: a decision for each end of a job or of a planned outage before that.
fn played(
    manager: &Coordinator<'_>,
    config: &Config,
    key: Key,
) -> Result<Option<Estimate>, NoEstimate> {
    let mut rows = Rows::default();
    let mut copy = copy(manager, config, &mut rows)?;
    let end_of = |job: &Job| Some(job.since?.saturating_add(job.limit));
    let (mut now, mut ended) = (copy.now(), 0);
    loop {
        copy.apply(now, Command::Decide)?;
        while copy.take_effect().is_some() {}
        let Some(job) = copy.job(key) else { return Ok(None) };
        if let Some((start, end)) = job.since.zip(end_of(&job)) {
            return Ok(Some(Estimate { start: start.ticks(), end: end.ticks() }));
        }
        if matches!(job.status, Status::Held | Status::Never) {
            return Ok(None);
        }
        if ended > SEARCHES {
            return Err(NoEstimate::Long { ahead: ended, most: SEARCHES });
        }
        let soonest = now.saturating_add(Duration::from_ticks(1));
        let end = |job: Job| {
            let stop = copy.stop(job.key).map(|(at, _)| at);
            let end = end_of(&job)?;
            let is_stopped = stop.is_some_and(|stop| stop < end);
            Some((stop.map_or(end, |stop| stop.min(end)).max(soonest), job.key, is_stopped))
        };
        let ends: Vec<(Instant, Key, bool)> = copy.jobs().filter_map(end).collect();
        let outages = copy.outages().map(|outage| outage.to);
        let next = ends.iter().map(|(end, ..)| *end).chain(outages).min();
        let Some(next) = next else { return Ok(None) };
        if is_endless(next.ticks().saturating_sub(manager.now().ticks())) {
            return Err(NoEstimate::Endless);
        }
        for (_, key, is_stopped) in ends.into_iter().filter(|(end, ..)| *end == next) {
            copy.apply(
                next,
                if is_stopped { Command::Waits { key } } else { Command::Left { key } },
            )?;
            ended += 1;
        }
        now = next;
    }
}

/// A coordinator that knows the same.
fn copy<'r>(
    manager: &Coordinator<'_>,
    config: &Config,
    rows: &'r mut Rows,
) -> Result<Coordinator<'r>, NoEstimate> {
    let mut image = vec![];
    manager.export(|word| image.push(word));
    let mut copy = rows.fresh(config)?;
    copy.load(image)?;
    Ok(copy)
}

/// When a job would start that nobody has submitted, on a copy of the coordinator.
///
/// Cost: that of a copy and of an [`estimate`].
///
/// # Errors
///
/// There is no room for it, or it asks for nothing.
pub fn would_start(
    manager: &Coordinator<'_>,
    config: &Config,
    asked: Asked,
    now: u64,
) -> Result<Option<Estimate>, NoEstimate> {
    let mut rows = Rows::default();
    let mut copy = with(manager, config, asked, now, &mut rows)?;
    copy.apply(copy.now(), Command::Decide)?;
    estimate(&copy, config, NOBODYS, &mut { SEARCHES })
}

/// Which jobs would have to yield so that one starts at once that nobody has submitted, on a copy of the coordinator; `None` if it has no place
/// even then.
///
/// # Errors
///
/// There is no room for it, or it asks for nothing.
pub fn at_once(
    manager: &Coordinator<'_>,
    config: &Config,
    asked: Asked,
    now: u64,
) -> Result<Option<Vec<Yields>>, NoEstimate> {
    let (mut rows, mut yields) = (Rows::default(), vec![]);
    let mut copy = with(manager, config, asked, now, &mut rows)?;
    let options = copy.options(NOBODYS, |job| yields.push(job))?;
    Ok(options.now.map(|_| yields))
}

/// The job that nobody has submitted.
const NOBODYS: Key = Key { id: u64::MAX, born: u32::MAX };

/// A copy that knows of it.
fn with<'r>(
    manager: &Coordinator<'_>,
    config: &Config,
    asked: Asked,
    now: u64,
    rows: &'r mut Rows,
) -> Result<Coordinator<'r>, NoEstimate> {
    let mut copy = copy(manager, config, rows)?;
    let now = Instant::from_ticks(now).max(copy.now());
    let (user, limit) = (UserId(asked.user), Duration::from_ticks(asked.limit));
    let Asked { nodes, .. } = asked;
    copy.apply(now, Command::Seen { key: NOBODYS, user, nodes, limit, priority: 0 })?;
    Ok(copy)
}

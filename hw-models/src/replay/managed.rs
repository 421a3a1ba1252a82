//! A replay under a resource manager's coordinator, which may stop jobs for others.

use super::outage_figures::OutageTally;
use super::outcome::{End, Refusals};
use super::{JobRecord, Options, Outcome, ReplayError, StopFigures, UserWaits, check_jobs};
use crate::machine::Machine;
use crate::managed::{self, Fate, Ran, Setup};
use crate::workload::{Job, Workload};
use locox::time::{Duration, Instant};
use locox_coordinators::manager::{NodeRange, UserId};

/// Nothing that comes or runs for longer than ten years is simulated, as something is decided each minute.
const LONGEST: u64 = 10 * 366 * 24 * 3600;

/// Runs all jobs of `workload` under the [coordinator of managers](locox_coordinators::manager), whose nodes are those of `machine`.
///
/// All jobs without a user belong to one user. The limit of a job is its requested time, or its run time if that is longer, but at least a tick. A job
/// that was stopped is listed as if it had run in one piece before its end: the rest of its time it waited. It has no list of processors
/// if it went on from what it had saved. What there is in `options` of decisions, order, outages, fragmentation and promises is ignored.
///
/// # Panics
///
/// If the setup makes no sense.
///
/// # Errors
///
/// [`ReplayError::OutOfOrder`], [`ReplayError::TooLarge`], and [`ReplayError::TooLong`] of what takes more than ten years.
///
/// ```
/// use locox::time::Duration;
/// use locox_coordinators::manager::{Config, Preemption};
/// use locox_models::machine::Pool;
/// use locox_models::managed::{Setup, Users};
/// use locox_models::replay::{Options, replay_managed};
/// let jobs = Users { users: 8, nodes: 64, days: 3, load: 1.2 }.workload(1, 0);
/// let minute = Duration::from_ticks(60);
/// let config = Config { preempt: Some(Preemption::standard(minute)), ..Config::standard(minute) };
/// let setup = Setup::new(config, 64, minute);
/// let outcome = replay_managed(&jobs, &Pool::new(64), &setup, &Options::default()).unwrap();
/// let stops = outcome.stops.unwrap();
/// assert!(stops.served > 0 && stops.lost == 0 && stops.work_lost < 0.2);
/// ```
pub fn replay_managed(
    workload: &Workload,
    machine: &dyn Machine,
    setup: &Setup,
    options: &Options<'_>,
) -> Result<Outcome, ReplayError> {
    check_jobs(workload, machine, options)?;
    let first = workload.jobs.first().map_or(Instant::ZERO, |job| job.submit);
    let takes_long = |job: &&Job| {
        let comes = job.submit.since(first).map_or(0, Duration::ticks);
        comes.max(job.run.ticks()) > LONGEST
    };
    if let Some(&Job { id, line, .. }) = workload.jobs.iter().find(takes_long) {
        return Err(ReplayError::TooLong { workload: workload.name.clone(), id, line });
    }
    let fits = |job: &&Job| job.processors <= setup.nodes;
    let jobs: Vec<managed::Job> =
        workload.jobs.iter().filter(fits).map(|job| asked(job, first)).collect();
    let done = managed::run(setup, &jobs);
    let mut ran = done.ran.iter();
    let record = |job: &Job| match fits(&job).then(|| ran.next()).flatten() {
        Some(ran) => record(job, first, ran, options),
        None => JobRecord::rejected(job),
    };
    let records: Vec<JobRecord> = workload.jobs.iter().map(record).collect();
    let stops = setup.config.preempt.is_some();
    let end = End {
        machine: machine.name(),
        queue: if stops { "manager+stops" } else { "manager" },
        processors: setup.nodes,
        refusals: Refusals::default(),
        peak_queue: done.peak_queue,
        tally: &OutageTally::default(),
        promises: None,
        fragmentation: None,
        options,
    };
    let mut outcome = Outcome::summarise(|| records.iter(), end);
    outcome.stops = Some(figures(&done));
    outcome.users = UserWaits::of(&workload.jobs, &records);
    outcome.jobs = records;
    Ok(outcome)
}

/// The first job comes in the first instant.
fn asked(job: &Job, first: Instant) -> managed::Job {
    let arrives = job.submit.since(first).map_or(0, Duration::ticks);
    managed::Job {
        user: UserId(job.user.unwrap_or(u32::MAX)),
        nodes: job.processors,
        arrives: Instant::from_ticks(arrives),
        run: job.run,
        limit: job.requested.unwrap_or(job.run).max(job.run).max(Duration::from_ticks(1)),
    }
}

fn record(job: &Job, first: Instant, ran: &Ran, options: &Options<'_>) -> JobRecord {
    let at =
        |time: Instant, before: u64| Instant::from_ticks(first.ticks() + time.ticks() - before);
    let run = job.run.ticks();
    let in_one_piece = ran.until.since(ran.since) == Some(job.run);
    JobRecord {
        start: at(ran.until, run),
        finish: at(ran.until, 0),
        held: ran.nodes.iter().map(|range| range.nodes).sum(),
        success: true,
        allocated: (options.allocations && in_one_piece).then(|| allocated(&ran.nodes)),
        ..JobRecord::rejected(job)
    }
}

/// `0-3 8`.
fn allocated(ranges: &[NodeRange]) -> String {
    let told = |&NodeRange { first, nodes }: &NodeRange| match nodes {
        1 => first.0.to_string(),
        _ => format!("{}-{}", first.0, first.0 + nodes - 1),
    };
    ranges.iter().map(told).collect::<Vec<_>>().join(" ")
}

fn figures(done: &managed::Outcome) -> StopFigures {
    let count = |fate| done.count(fate) as u64;
    let all = done.lost + done.done;
    StopFigures {
        served: count(Fate::Served),
        left: count(Fate::Left),
        failed: count(Fate::Failed),
        ended: count(Fate::Ended),
        lost: count(Fate::Lost),
        work_lost: if all > 0 { done.lost as f64 / all as f64 } else { 0.0 },
    }
}

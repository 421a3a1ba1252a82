//! Questions about one job.

use super::answer::{Done, Failure, failure, say};
use super::times;
use super::view::{View, key};
use crate::agent::Storage;
use crate::backend::JobSeen;
use crate::config::Config;
use crate::estimates::{self, Asked, Estimate, NoEstimate, SEARCHES, estimate, would_start};
use crate::planned::{count, few};
use locox_coordinators::manager::{Job, Reason, Status, Yields};

/// Says why a job waits, or that it does not.
pub(super) fn why(config: &Config, job: &str) -> Done {
    let mut storage = Storage::default();
    let view = View::of_job(&mut storage, config, job)?;
    for job in view.jobs(job)? {
        say(why_one(&view, job)?)?;
    }
    Ok(true)
}

fn why_one(view: &View<'_>, job: &JobSeen) -> Result<String, Failure> {
    let manager = view.manager();
    let says = match job.reason.as_str() {
        "" | "None" => String::new(),
        reason => format!("; the manager says {reason}"),
    };
    if let Some(why) = view.left(&job.name) {
        let does = if job.waits() { "waits for" } else { "runs, started by" };
        return Ok(format!(
            "{} ({}, {}) {does} the manager, to which it is left: {why}{says}",
            job.name,
            job.owner,
            count(job.nodes)
        ));
    }
    let Some(known) = manager.job(key(job)) else {
        let lacks = view.agent.room().lacks(manager);
        return Ok(format!("{} is not governed: {lacks}", job.name));
    };
    let head = format!(
        "{} ({}, {}, {})",
        job.name,
        job.owner,
        count(job.nodes),
        times::limit(times::known(known.limit.ticks()))
    );
    let nodes = view.agent.names().of_ranges(manager.nodes(known.key));
    let text = match known.status {
        Status::Running | Status::Stopping => {
            let stop =
                view.stop(known.key).map_or_else(String::new, |stop| format!(", and {stop}"));
            format!("runs on {}{stop}", few(&nodes))
        }
        Status::Starting => format!("is asked to start now, on {}", few(&nodes)),
        Status::Waiting | Status::Held | Status::Never => waits(view, &known)?,
    };
    let attempt =
        if known.attempt > 1 { format!("; attempt {}", known.attempt) } else { String::new() };
    Ok(format!("{head} {text}{attempt}{says}"))
}

fn waits(view: &View<'_>, job: &Job) -> Result<String, Failure> {
    let (manager, key) = (view.manager(), job.key);
    if view.status(job) == Status::Never {
        return Ok(format!("waits for ever: {}", view.too_large()));
    }
    if let Some(kept) = view.kept(&view.name(key)) {
        return Ok(format!("waits: {kept}"));
    }
    let place = match manager.ahead(key)? {
        Some(ahead) => format!("waits, place {} in line", ahead + 1),
        None => "waits, not in line".into(),
    };
    let Some(reason) = manager.reason(key)? else { return Ok(place) };
    let place = if reason == Reason::Room { "waits".into() } else { place };
    let reason = view.reason(job, reason);
    let promise = view.agent.promises().by(key).map_or_else(String::new, |by| {
        format!("; it is promised for {}", times::at(by, view.now()))
    });
    Ok(format!("{place}: {reason}{promise}"))
}

/// Says when a job is expected to start and to end.
pub(super) fn when(config: &Config, job: &str) -> Done {
    let mut storage = Storage::default();
    let view = View::of_job(&mut storage, config, job)?;
    let mut known = true;
    let mut searches = SEARCHES;
    for job in view.jobs(job)? {
        if let Some(why) = view.left(&job.name) {
            known = false;
            say(format!("{} has no time here: it is left to the manager: {why}", job.name))?;
            continue;
        }
        if let Some(kept) = view.kept(&job.name) {
            known = false;
            say(format!("{} has no time yet: {kept}", job.name))?;
            continue;
        }
        match estimate(view.manager(), config, key(job), &mut searches) {
            Ok(at) => {
                known &= at.is_some();
                let ends = at.filter(|at| is_known(at.end, view.now()));
                let by = job.deadline.zip(ends).filter(|(by, at)| at.end > *by);
                let late = by.map_or_else(String::new, |(by, _)| {
                    format!(", after its deadline, {}", times::at(by, view.now()))
                });
                say(format!("{} {}{late}", job.name, told(&view, job, at)))?;
            }
            Err(error @ (NoEstimate::Long { .. } | NoEstimate::Endless)) => {
                known = false;
                say(format!("{} has no time here: {error}", job.name))?;
            }
            Err(error) => return Err(error.into()),
        }
    }
    Ok(known)
}

fn told(view: &View<'_>, job: &JobSeen, at: Option<Estimate>) -> String {
    let now = view.now();
    match at {
        Some(Estimate { start, end }) if !job.waits() => match is_known(end, now) {
            true => format!("started {}, ends by {}", times::at(start, now), times::at(end, now)),
            false => format!("started {}, runs without a limit", times::at(start, now)),
        },
        Some(Estimate { start, .. }) if start <= now => "is asked to start now".into(),
        Some(Estimate { start, end }) => match view.agent.promises().by(key(job)) {
            Some(by) if is_known(end, now) => format!(
                "is promised for {}, and ends by {} then",
                times::at(by, now),
                // It may be expected earlier than it is promised.
                times::at(by.saturating_add(end.saturating_sub(start)), now)
            ),
            Some(by) => format!("is promised for {}", times::at(by, now)),
            None if is_known(end, now) => format!(
                "is expected to start by {}, and to end by {}",
                times::at(start, now),
                times::at(end, now)
            ),
            None => format!("is expected to start by {}", times::at(start, now)),
        },
        None if job.nodes > view.most() => format!("never starts: {}", view.too_large()),
        None => "has no time yet: it is held, or too few nodes are in service, or none that lie as it needs them".into(),
    }
}

/// Whether a job that ends by then has a limit.
fn is_known(end: u64, now: u64) -> bool {
    times::known(end.saturating_sub(now)).is_some()
}

/// Says when a job would start, and if asked what it costs to start it at once.
pub(super) fn would(config: &Config, asked: Asked, by: Option<&str>, at_once: bool) -> Done {
    let mut storage = Storage::default();
    let view = View::open(&mut storage, config)?;
    let by = by.map(|by| times::deadline(by, view.now())).transpose().map_err(failure)?;
    let in_time = would_in_time(&view, config, asked, by)?;
    if at_once && asked.nodes <= view.most() {
        say(cost_at_once(&view, estimates::at_once(view.manager(), config, asked, view.now())?))?;
    }
    Ok(in_time)
}

fn would_in_time(view: &View<'_>, config: &Config, asked: Asked, by: Option<u64>) -> Done {
    let now = view.now();
    let at = match would_start(view.manager(), config, asked, now) {
        Err(error @ NoEstimate::Endless) => {
            say(format!("no time is known: {error}"))?;
            return Ok(false);
        }
        at => at?,
    };
    let Some(at) = at else {
        say(match asked.nodes > view.most() {
            true => format!("never: {}", view.too_large()),
            false => "not before nodes come back: it asks for more than are in service".into(),
        })?;
        return Ok(false);
    };
    let (start, end) = (times::at(at.start, now), times::at(at.end, now));
    let Some(by) = by else {
        say(format!("as things are it would start by {start} and end by {end}"))?;
        return Ok(true);
    };
    let in_time = at.end <= by;
    let answer = if in_time { "yes" } else { "no" };
    say(format!("{answer}, as things are: it would start by {start} and end by {end}"))?;
    Ok(in_time)
}

fn cost_at_once(view: &View<'_>, yields: Option<Vec<Yields>>) -> String {
    let Some(yields) = yields else {
        return "not at once: to stop all jobs that may be stopped would not make room".into();
    };
    let names = |which: &dyn Fn(&&Yields) -> bool| {
        let all = yields.iter().filter(which).map(|job| view.name(job.key));
        all.collect::<Vec<_>>().join(",")
    };
    let (all, moved) = (names(&|_| true), names(&|job| job.moves));
    let hours = yields.iter().map(|job| job.lost as f64).sum::<f64>() / 3600.0;
    match (all.is_empty(), moved.is_empty()) {
        (true, _) => "nobody would have to stop for it: enough nodes are free now".into(),
        (_, true) => format!("at once by stopping {all} ({hours:.2} node-hours lost)"),
        (_, false) => format!(
            "at once by stopping {all} ({hours:.2} node-hours lost); {moved} could start again at once on other nodes"
        ),
    }
}

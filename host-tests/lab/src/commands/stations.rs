//! `locox stations`: a pool of workstations under the kernel's rankings.

use super::delivery::{deliver, progress, provenance, publication};
use crate::cli::{Owners, Ranking, Stations, StationsPool};
use crate::compare::headline;
use crate::input;
use crate::shares::Shares;
use locox::time::Duration;
use locox_coordinators::station::Config;
use locox_models::workstation::{
    Arrivals, BadPool, Calls, Costs, Habit, Lengths, Policy, Pool, Recording, Station, User, Week,
};
use locox_report::failure::Failure;
use locox_report::report::{Fact, Report, counted};
use std::path::Path;
use std::sync::Arc;

const MINUTE: f64 = 60.0;
const HOUR: f64 = 3600.0;
const DAY: u64 = 86_400;

/// Points of the curves over time.
const POINTS: usize = 200;

pub(super) fn run(options: &Stations, command_line: &str) -> Result<(), Failure> {
    let publication = publication(&options.results)?;
    let Stations { pool: of_pool, replications, .. } = options;
    let shares = Shares {
        pool: pool(of_pool, *replications)?,
        policies: policies(options),
        seed: of_pool.seed,
        replications: (*replications).into(),
        facts: facts(options),
    };
    let runs = shares.run(&progress("stations", options.watch)?).map_err(refused)?;
    let report = Report {
        title: format!(
            "{} workstations and a bank of {}",
            shares.pool.stations.len(),
            of_pool.bank
        ),
        lead: headline::before(
            shares.headline(&runs),
            format!(
                "{} background jobs of {} users over {} days: who gets whose processor, and who waits.",
                counted(of_pool.jobs.0.iter().map(|&jobs| u64::from(jobs)).sum()),
                of_pool.jobs.0.iter().filter(|&&jobs| jobs > 0).count(),
                counted(of_pool.days.into())
            ),
        ),
        provenance: provenance(command_line, Some(of_pool.seed)),
        sections: vec![shares.section(&runs)],
    };
    let next = format!("for narrower intervals: --replications {}", (4 * replications).min(10_000));
    deliver(&report, publication, options.results.format, &next)
}

/// One for each station.
fn habits(options: &StationsPool) -> Result<Vec<Habit>, Failure> {
    let Some(path) = &options.recording else {
        let count = options.stations.map_or(options.jobs.0.len(), |stations| stations as usize);
        return Ok(vec![owner(options); count]);
    };
    let recording = input::recording(path).map_err(|error| Failure::Input(error.to_string()))?;
    let count = asked_of(path, options, &recording)?;
    let recording = Arc::new(recording);
    let habit = |station| Habit::Recorded { recording: Arc::clone(&recording), station };
    Ok((0..count).map(habit).collect())
}

fn asked_of(path: &Path, options: &StationsPool, recording: &Recording) -> Result<usize, Failure> {
    let recorded = recording.stations();
    let asked = options.stations.map_or(recorded, |stations| stations as usize);
    if asked > recorded {
        return Err(Failure::Usage(format!(
            "--stations: {} records {recorded}, not {asked}; ask for fewer",
            input::shown(path).display()
        )));
    }
    Ok(asked)
}

fn owner(options: &StationsPool) -> Habit {
    let (available, unavailable) = match options.owners {
        Owners::Exponential => (Lengths::Exponential(1.0), Lengths::Exponential(1.0)),
        Owners::Weibull => (Lengths::weibull_available(), Lengths::weibull_unavailable()),
        Owners::Hyperexponential | Owners::Office => {
            (Lengths::hyperexponential_available(), Lengths::hyperexponential_unavailable())
        }
    };
    Habit::Periods {
        available: available.with_mean(options.available * MINUTE),
        unavailable: unavailable.with_mean(options.unavailable * MINUTE),
        week: (options.owners == Owners::Office).then(Week::office),
    }
}

/// Days of single stations: some hours of work.
const MOST_STATION_DAYS: u64 = 10_000_000;
/// What is kept of a station in a run takes as long as so many days, and its memory.
const FEWEST_DAYS: u64 = 10;
/// Jobs that come in a run: if all of them wait, they take some hundred MB.
const MOST_ARRIVALS: f64 = 2_000_000.0;

/// What each option may be, all of them together may not.
fn are_bounded(options: &StationsPool, stations: u64, replications: u64) -> Result<(), Failure> {
    let days = u64::from(options.days);
    let station_days = stations * replications * days.max(FEWEST_DAYS);
    if station_days > MOST_STATION_DAYS {
        return Err(Failure::Usage(format!(
            "--days: {station_days} days of stations (stations x replications x days, of which \
             {FEWEST_DAYS} count at least) are more than {MOST_STATION_DAYS}; ask for fewer of one of them"
        )));
    }
    let jobs: u64 = options.jobs.0.iter().map(|&jobs| u64::from(jobs)).sum();
    let arrivals = options.every.map_or(0.0, |hours| (24 * days * jobs) as f64 / hours);
    if arrivals > MOST_ARRIVALS {
        return Err(Failure::Usage(format!(
            "--every: about {arrivals:.0} jobs would come, more than {MOST_ARRIVALS}; ask for longer times \
             between them, fewer --jobs or fewer --days"
        )));
    }
    Ok(())
}

/// What the options describe.
pub(super) fn pool(options: &StationsPool, replications: u32) -> Result<Pool, Failure> {
    let habits = habits(options)?;
    are_bounded(options, habits.len() as u64, replications.into())?;
    let jobs = &options.jobs.0;
    if jobs.len() > habits.len() {
        return Err(Failure::Usage(format!(
            "--jobs: {} users, but there are {} stations; leave out some users or ask for more \
             stations",
            jobs.len(),
            habits.len()
        )));
    }
    let jobs = jobs.iter().copied().chain(std::iter::repeat(0));
    let station = |(habit, jobs)| Station { habit, user: user(options, jobs) };
    Ok(Pool {
        stations: habits.into_iter().zip(jobs).map(station).collect(),
        bank: options.bank,
        config: Config {
            interval: ticks(options.interval),
            transfer: ticks(options.transfer),
            recall: options.recall,
            ..Config::standard(Duration::from_ticks(MINUTE as u64))
        },
        costs: Costs { calls: calls(options), ..Costs::STUDY },
        span: Duration::from_ticks(u64::from(options.days) * DAY),
        points: POINTS,
        ..Pool::study(0)
    })
}

fn calls(options: &StationsPool) -> Option<Calls> {
    let (cost, time) = (options.call_cost.unwrap_or(0.0), options.call_time.unwrap_or(0.0));
    options.calls.map(|rate| Calls { rate, cost, time })
}

/// Minutes in whole seconds.
fn ticks(minutes: f64) -> Duration {
    Duration::from_ticks((minutes * MINUTE).round() as u64)
}

fn user(options: &StationsPool, jobs: u32) -> User {
    let (service, memory) = (Lengths::Exponential(options.service * HOUR), options.memory);
    let every = options.every.filter(|_| jobs > 0);
    let arrivals =
        every.map(|hours| Arrivals { every: Lengths::Exponential(hours * HOUR), batch: jobs });
    let permanent = if options.every.is_some() { 0 } else { jobs };
    User { permanent, arrivals, service, memory }
}

fn policies(options: &Stations) -> Vec<Policy> {
    let table = Policy::UpDown(options.pool.functions);
    match options.policy {
        Ranking::UpdownTime => vec![Policy::TimedUpDown],
        Ranking::UpdownTable => vec![table],
        Ranking::RoundRobin => vec![Policy::RoundRobin],
        Ranking::Random => vec![Policy::Random],
        Ranking::All => vec![Policy::TimedUpDown, table, Policy::RoundRobin, Policy::Random],
    }
}

fn facts(Stations { pool: options, replications, .. }: &Stations) -> Vec<Fact> {
    let owners = match &options.recording {
        Some(path) => format!("recorded in {}", path.display()),
        None => format!(
            "{:?}, {} min away, {} min there",
            options.owners, options.available, options.unavailable
        )
        .to_lowercase(),
    };
    let coming = options.every.map_or("at all times".into(), |hours| format!("every {hours} h"));
    let calls = calls(options).map(|Calls { rate, cost, time }| {
        Fact::new("calls", format!("{rate} a second, {cost} s of the home, {time} s to an answer"))
    });
    let facts = vec![
        Fact::new("owners", owners),
        Fact::new("jobs", format!("{coming}, {} h on average", options.service)),
        Fact::new(
            "interval, transfer",
            format!("{} min, {} min", options.interval, options.transfer),
        ),
        Fact::new("functions of Up-Down (by table)", options.functions),
        Fact::new("replications", replications),
    ];
    facts.into_iter().chain(calls).collect()
}

/// What the parser lets pass and the pool does not.
pub(super) fn refused(error: BadPool) -> Failure {
    Failure::Usage(match error {
        BadPool::TooManyJobs { .. } => format!("--jobs: {error}; ask for fewer"),
        other => format!("{other}; change the option of that name"),
    })
}

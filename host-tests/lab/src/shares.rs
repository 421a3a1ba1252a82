//! A pool of workstations under several rankings, and what differs.

use crate::compare::headline::{self, Pair, Scale};
use locox_models::stats::{Estimate, mean};
use locox_models::workstation::{BadPool, Outcome, Point, Policy, Pool, Use};
use locox_report::parallel;
use locox_report::progress::Progress;
use locox_report::report::{Axis, Block, Cell, Fact, Plot, Section, Series, Shape, Table, some};

const DAY: f64 = 86_400.0;

/// What is to be compared.
pub struct Shares {
    pub pool: Pool,
    /// At least one.
    pub policies: Vec<Policy>,
    pub seed: u64,
    pub replications: u64,
    /// What a reader should know of the pool.
    pub facts: Vec<Fact>,
}

/// A policy's replications.
pub struct Run {
    policy: Policy,
    outcomes: Vec<Outcome>,
}

impl Shares {
    /// Runs all replications of all policies, side by side.
    ///
    /// # Errors
    ///
    /// [`BadPool`] if the pool cannot be run.
    pub fn run(&self, progress: &Progress) -> Result<Vec<Run>, BadPool> {
        self.pool.check()?;
        progress.expect(self.policies.len() * self.replications as usize);
        // Only those of the first are drawn, and they take the most memory.
        let without_curves = Pool { points: 0, ..self.pool.clone() };
        let of_policy = |&policy: &Policy| {
            let one = |&replication: &_| {
                let pool = if replication == 0 { &self.pool } else { &without_curves };
                let mut line = progress.line(policy.name());
                let show = |moment: &dyn Fn() -> _| line.show(moment);
                let outcome = pool.run_shown(policy, self.seed, replication, show);
                progress.done(1);
                outcome
            };
            let replications: Vec<_> = (0..self.replications).collect();
            let outcomes = parallel::map(&replications, one);
            Ok(Run { policy, outcomes: outcomes.into_iter().collect::<Result<_, _>>()? })
        };
        self.policies.iter().map(of_policy).collect()
    }

    /// What the page begins with, if there are several: what the first does for who asks for least, beside the last.
    pub fn headline(&self, runs: &[Run]) -> Option<String> {
        let [first, .., last] = runs else { return None };
        let submitted = |&station: &usize| -> u64 {
            first.outcomes.iter().map(|outcome| outcome.users[station].submitted).sum()
        };
        let stations = (0..self.pool.stations.len()).filter(|&station| has_jobs(first, station));
        let station = stations.min_by_key(submitted)?;
        let ratios = |run: &Run| -> Vec<f64> {
            run.outcomes.iter().map(|outcome| outcome.users[station].wait_ratio()).collect()
        };
        let (own, base) = (ratios(first), ratios(last));
        let by: Vec<f64> = own.iter().zip(&base).map(|(own, base)| own - base).collect();
        let (by, over) = (Estimate::of(&by), some(self.replications, "replication"));
        let sides = [first, last].map(|run| run.policy.name()).into_iter();
        let sides: Vec<(&str, f64)> = sides.zip([mean(&own), mean(&base)]).collect();
        let what = format!(
            "remote cycle wait ratio of the user of station {station}, who has the fewest jobs,"
        );
        let scale = Scale::of("", 2, 0.0);
        let told = match by.half_width {
            Some(half) if half < by.mean.abs() => {
                let interval = Ok((by.mean - half, by.mean + half));
                Pair {
                    what: &what,
                    one: sides[0],
                    base: sides[1],
                    difference: by.mean,
                    interval,
                    over,
                    scale,
                }
                .told()
            }
            _ => {
                let sides: Vec<(String, f64)> =
                    sides.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
                headline::nothing(&what, scale, &sides)
            }
        };
        by.mean.is_finite().then_some(told)
    }

    /// The comparison as a section of a report.
    pub fn section(&self, runs: &[Run]) -> Section {
        let stations = self.pool.stations.len() as f64 + f64::from(self.pool.bank);
        let waiting = |point: &Point| point.waiting.iter().sum();
        let blocks = vec![
            Block::Plot(by_user(runs, self.pool.stations.len())),
            Block::Table(overview(runs)),
            Block::Facts(self.facts.clone()),
            Block::Plot(over_time(runs, "Processors with a job", "processors (%)", |point| {
                100.0 * point.used / stations
            })),
            Block::Plot(over_time(runs, "Queue", "jobs waiting", waiting)),
            Block::Table(users(runs, self.pool.stations.len())),
        ];
        Section { id: "shares".into(), title: "Shares".into(), blocks }
    }
}

impl Run {
    fn estimate(&self, figure: impl Fn(&Outcome) -> f64) -> Estimate {
        Estimate::of(&self.outcomes.iter().map(figure).collect::<Vec<_>>())
    }

    /// A cell for a ratio of which there may be none, such as to a wait that never was.
    fn ratio(&self, figure: impl Fn(&Outcome) -> f64, digits: usize) -> Cell {
        let estimate = self.estimate(figure);
        if estimate.mean.is_finite() { Cell::Estimate(estimate, digits) } else { Cell::Missing }
    }
}

fn overview(runs: &[Run]) -> Table {
    let columns = [
        ("policy", "policy"),
        ("jobs_a_day", "jobs a day"),
        ("utilisation", "available time used (%)"),
        ("queue", "queue"),
        ("wait_ratio", "remote cycle wait ratio"),
        ("remote", "remote (%)"),
        ("response_ratio", "remote response ratio"),
        ("preemptions_a_day", "preemptions a day"),
        ("evictions_a_day", "evictions a day"),
        ("leverage", "leverage"),
        ("commands", "commands"),
    ];
    let mut table = Table::new("All users together", &columns)
        .with_note(
            "A dash: none was remote, or none waited. ±: half of the 95 % interval of a mean over runs; where it is more \
             than the mean, the lower end is 0.",
        )
        .with_details_from("preemptions_a_day");
    for run in runs {
        let daily = |count: fn(&Outcome) -> u64| {
            Cell::Estimate(run.estimate(|one| count(one) as f64 / (one.span / DAY)), 1)
        };
        table.push(vec![
            Cell::text(run.policy.name()),
            Cell::Estimate(run.estimate(Outcome::throughput), 1),
            Cell::Estimate(run.estimate(|one| 100.0 * one.utilisation()), 1),
            Cell::Estimate(run.estimate(|one| one.mean_queue), 2),
            run.ratio(|one| one.all().wait_ratio(), 2),
            run.ratio(|one| 100.0 * one.all().remote_share(), 1),
            run.ratio(|one| one.all().response_ratio(), 2),
            daily(|one| one.preemptions),
            daily(|one| one.evictions),
            run.ratio(|one| one.all().leverage(), 0),
            Cell::Estimate(run.estimate(|one| one.commands as f64), 0),
        ]);
    }
    table
}

/// Users of the same jobs are not joined: each has an owner of his own.
fn users(runs: &[Run], stations: usize) -> Table {
    let columns = [
        ("policy", "policy"),
        ("station", "station"),
        ("jobs_done", "jobs done"),
        ("wait_ratio", "wait ratio"),
        ("remote", "remote (%)"),
        ("response_ratio", "response ratio"),
        ("job_wait_ratio", "wait by service"),
    ];
    let mut table = Table::new("User by user", &columns);
    for run in runs {
        for station in (0..stations).filter(|&station| has_jobs(run, station)) {
            let of = |one: &Outcome| one.users[station];
            table.push(vec![
                Cell::text(run.policy.name()),
                Cell::Count(station as u64),
                Cell::Estimate(run.estimate(|one| of(one).finished as f64), 0),
                run.ratio(|one| of(one).wait_ratio(), 2),
                run.ratio(|one| 100.0 * of(one).remote_share(), 1),
                run.ratio(|one| of(one).response_ratio(), 2),
                run.ratio(|one| of(one).job_wait_ratio(), 2),
            ]);
        }
    }
    table
}

fn has_jobs(run: &Run, station: usize) -> bool {
    run.outcomes.iter().any(|outcome| outcome.users[station].submitted > 0)
}

fn by_user(runs: &[Run], stations: usize) -> Plot {
    let series = runs.iter().map(|run| {
        let ratio = |station: usize| {
            let estimate = run.estimate(|one| Use::wait_ratio(&one.users[station]));
            let point = locox_report::report::Point::estimated(station as f64, &estimate);
            (has_jobs(run, station) && estimate.mean.is_finite()).then_some(point)
        };
        let points = (0..stations).filter_map(ratio).collect();
        Series { name: run.policy.name().into(), shape: Shape::Points, points }
    });
    Plot {
        title: "Remote cycle wait ratio, user by user.".into(),
        caption: "Remote execution for each hour without a processor; higher is better.".into(),
        x: Axis::linear("number of the user's station"),
        y: Axis::log("remote cycle wait ratio"),
        series: series.collect(),
    }
}

/// Of the first replication.
fn over_time(runs: &[Run], title: &str, label: &str, value: impl Fn(&Point) -> f64) -> Plot {
    let series = runs.iter().map(|run| {
        let points = run.outcomes.first().map_or(&[][..], |outcome| &outcome.points);
        let place = |point: &Point| (point.at / DAY, value(point));
        Series::exact(run.policy.name(), Shape::Step, points.iter().map(place))
    });
    Plot {
        title: format!("{title} over time."),
        caption: "Means over equal parts of the first replication.".into(),
        x: Axis::linear("time since the start of the run (days)"),
        y: Axis::linear(label),
        series: series.collect(),
    }
}

//! What a pool is made of.

use super::bad_pool::not_negative;
use super::{BadPool, Calls, Habit, Lengths, MOST_JOBS};
use locox::node::{LocalRule, OnReturn};
use locox::time::Duration;
use locox_coordinators::station::Config;

const MINUTE: u64 = 60;
const DAY: u64 = 86_400;

/// Workstations, a processor bank, and the rules. Ticks are seconds.
#[derive(Clone, Debug)]
pub struct Pool {
    /// The stations.
    pub stations: Vec<Station>,
    /// Processors without an owner.
    pub bank: u32,
    /// The coordinator's parameters. Its transfer is what moving a job to a processor takes.
    pub config: Config,
    /// What stations do with guests.
    pub local: LocalRule,
    /// What checkpoints and remote system calls cost.
    pub costs: Costs,
    /// Jobs that there can be at once; more wait at home until one is done.
    pub most_jobs: u32,
    /// How long it runs.
    pub span: Duration,
    /// Points of the curves over time; none costs nothing.
    pub points: usize,
}

/// A workstation.
#[derive(Clone, Debug)]
pub struct Station {
    /// When it is available.
    pub habit: Habit,
    /// Whose jobs have their home there.
    pub user: User,
}

/// The background jobs of a user.
#[derive(Clone, Debug, PartialEq)]
pub struct User {
    /// Jobs that there are at all times: where one ends, the next one arrives.
    pub permanent: u32,
    /// Jobs that arrive besides.
    pub arrivals: Option<Arrivals>,
    /// How long jobs run, in seconds.
    pub service: Lengths,
    /// Size of a checkpoint, in MB.
    pub memory: f64,
}

/// When jobs arrive.
#[derive(Clone, Debug, PartialEq)]
pub struct Arrivals {
    /// Times between them, in seconds.
    pub every: Lengths,
    /// Jobs that come together.
    pub batch: u32,
}

/// What it costs to support a job elsewhere.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Costs {
    /// Time that a processor needs to write a checkpoint, in seconds for each MB.
    pub checkpoint: f64,
    /// Processor time of the home for each placement and each checkpoint, in seconds for each MB.
    pub handling: f64,
    /// Share of the home's processor that a job's shadow process takes while the job runs
    /// elsewhere.
    pub shadow: f64,
    /// System calls of jobs elsewhere; none: they make none.
    pub calls: Option<Calls>,
}

impl User {
    /// A user who always has so many jobs of two hours on average, exponential, of 0.5 MB.
    pub const fn permanent(jobs: u32) -> Self {
        Self { permanent: jobs, arrivals: None, service: Lengths::Exponential(7200.0), memory: 0.5 }
    }
}

impl Costs {
    /// Those of the study: a checkpoint is part of the transfer, five seconds of the home's
    /// processor for each MB, and nothing for the shadow and for calls, whose cost the source does not
    /// print.
    pub const STUDY: Self = Self { checkpoint: 0.0, handling: 5.0, shadow: 0.0, calls: None };
}

impl Pool {
    /// The pool of the study: 13 stations, of which 0 to 10 have a light user with one job, 11 a
    /// medium one with two, and 12 a heavy one with `heavy` jobs; two years. Jobs do not come home
    /// before they must leave, there is no bank, and owners are hyperexponential: of these the
    /// source does not speak.
    pub fn study(heavy: u32) -> Self {
        let habit = Habit::study(
            Lengths::hyperexponential_available(),
            Lengths::hyperexponential_unavailable(),
        );
        let jobs = std::iter::repeat_n(1, 11).chain([2, heavy]);
        let station = |jobs| Station { habit: habit.clone(), user: User::permanent(jobs) };
        Self {
            stations: jobs.map(station).collect(),
            bank: 0,
            config: Config { poll: None, ..Config::study(Duration::from_ticks(MINUTE)) },
            local: LocalRule {
                on_return: OnReturn::Checkpoint,
                grace: Duration::from_ticks(10 * MINUTE),
                kill_again: Duration::from_ticks(MINUTE),
            },
            costs: Costs::STUDY,
            most_jobs: MOST_JOBS,
            span: Duration::from_ticks(2 * 365 * DAY),
            points: 0,
        }
    }

    /// Rows that its coordinator needs for jobs: a permanent job's successor arrives before it is
    /// gone.
    pub(crate) fn job_rows(&self) -> usize {
        self.most_jobs as usize + self.stations.len()
    }

    /// Whether it can be run.
    ///
    /// # Errors
    ///
    /// [`BadPool`] names the parameter.
    pub fn check(&self) -> Result<(), BadPool> {
        if self.stations.is_empty() {
            return Err(BadPool::NoStations);
        }
        if self.span == Duration::ZERO {
            return Err(BadPool::NotPositive { parameter: "span" });
        }
        let Costs { checkpoint, handling, shadow, calls } = self.costs;
        not_negative("checkpoint", checkpoint)?;
        not_negative("handling", handling)?;
        not_negative("shadow", shadow)?;
        calls.map_or(Ok(()), |calls| calls.check())?;
        self.stations.iter().try_for_each(Station::check)?;
        let jobs = self.stations.iter().map(|station| u64::from(station.user.permanent)).sum();
        let most = self.most_jobs;
        if jobs > u64::from(most) { Err(BadPool::TooManyJobs { jobs, most }) } else { Ok(()) }
    }
}

impl Station {
    fn check(&self) -> Result<(), BadPool> {
        self.habit.check()?;
        self.user.service.check("service")?;
        not_negative("memory", self.user.memory)?;
        let Some(arrivals) = &self.user.arrivals else { return Ok(()) };
        arrivals.every.check("arrivals")?;
        if arrivals.batch == 0 {
            return Err(BadPool::NotPositive { parameter: "batch" });
        }
        Ok(())
    }
}

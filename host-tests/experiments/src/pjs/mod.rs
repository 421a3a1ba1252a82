//! The case studies of PJS (Collins and George 2001), with the coordinator that ships in the loop of
//! a model of their site, and what is asked beyond them.

mod overhead;
mod performance;
mod predictions;
mod preemption;
mod priority;

pub(super) use overhead::EXPERIMENT as OVERHEAD;
pub(super) use performance::EXPERIMENT as PERFORMANCE;
pub(super) use predictions::EXPERIMENT as PREDICTIONS;
pub(super) use preemption::EXPERIMENT as PREEMPTION;
pub(super) use priority::EXPERIMENT as PRIORITY;

use locox::handle::PoolId;
use locox::time::Duration;
use locox_coordinators::site::{Algorithm, Claim, Config, Policy, Remap};
use locox_models::site::{Done, Rules, SECOND, Study, Submission, run};
use locox_models::stats::mean;
use locox_report::judge::{Case, Expected};
use locox_report::report::Fact;

/// The quantum, in seconds.
const QUANTUM: u64 = 10;

/// Shares of jobs of high, medium and low priority.
type Shares = [u32; 3];
const DISTRIBUTIONS: [Shares; 3] = [[10, 10, 80], [25, 25, 50], [50, 25, 25]];
const LEVELS: [&str; 3] = ["high", "medium", "low"];
const HIGH: usize = 0;
const MEDIUM: usize = 1;
const LOW: usize = 2;

fn told(shares: Shares) -> String {
    shares.map(|share| share.to_string()).join("/")
}

/// As in the study, which has no bound on waiting.
fn config(remap: Remap) -> Config {
    Config {
        remap,
        patience: None,
        ..Config::new(Duration::from_ticks(QUANTUM * SECOND), PoolId(1))
    }
}

fn policy(algorithm: Algorithm, level: u8, claim: Claim) -> Policy {
    Policy { algorithm, level, claim, ..Policy::EMPTY }
}

/// All jobs alike.
fn one_queue(config: Config, algorithm: Algorithm) -> Rules {
    Rules::new(config, policy(algorithm, 0, Claim::Neither))
}

/// Jobs, and what became of them.
struct Ran {
    jobs: Vec<Submission>,
    done: Vec<Done>,
}

impl Ran {
    fn new(study: &Study, rules: &Rules, jobs: &[Submission]) -> Self {
        Self { done: run(study, rules, jobs), jobs: jobs.into() }
    }

    /// Each job's queue, and the seconds from its submission to its end.
    fn times(&self) -> impl Iterator<Item = (u32, f64)> {
        self.jobs.iter().zip(&self.done).map(|(job, done)| {
            let ticks = done.end.since(job.at).map_or(0, Duration::ticks);
            (job.queue, ticks as f64 / SECOND as f64)
        })
    }

    fn times_of(&self, queue: u32) -> Vec<f64> {
        self.times().filter(|(of, _)| *of == queue).map(|(_, time)| time).collect()
    }

    /// Seconds of all jobs from when they were mapped, where all came at time zero.
    fn total(&self) -> f64 {
        self.times().map(|(_, time)| time - QUANTUM as f64).sum()
    }

    /// The same of those of each level.
    fn totals(&self) -> [f64; 3] {
        [0, 1, 2].map(|level| self.times_of(level).iter().map(|time| time - QUANTUM as f64).sum())
    }

    /// The same run, as if the jobs had been submitted to the queues of others.
    fn with_queues_of(self, jobs: &[Submission]) -> Self {
        Self { jobs: jobs.into(), ..self }
    }

    fn mean(&self) -> f64 {
        self.times().map(|(_, time)| time).sum::<f64>() / self.jobs.len() as f64
    }

    fn mean_of(&self, queue: u32) -> f64 {
        mean(&self.times_of(queue))
    }

    /// The share of the jobs of a queue that ran on clusters in the end.
    fn parallel_of(&self, queue: u32) -> f64 {
        let these = self.jobs.iter().zip(&self.done).filter(|(job, _)| job.queue == queue);
        mean(&these.map(|(_, done)| f64::from(u8::from(done.is_parallel))).collect::<Vec<_>>())
    }

    fn parallel(&self) -> f64 {
        let parallel = self.done.iter().filter(|done| done.is_parallel).count();
        parallel as f64 / self.done.len() as f64
    }

    /// The same of those that lost their place at least so often; `None` if nobody did.
    fn parallel_of_preempted(&self, often: u32) -> Option<f64> {
        let preempted = self.done.iter().filter(|done| done.preemptions >= often);
        let these: Vec<f64> = preempted.map(|done| f64::from(u8::from(done.is_parallel))).collect();
        (!these.is_empty()).then(|| mean(&these))
    }

    fn most_preemptions(&self) -> u32 {
        self.done.iter().map(|done| done.preemptions).max().unwrap_or(0)
    }
}

/// What the other saves of it, in per cent.
fn saved(of: f64, by: f64) -> f64 {
    100.0 * (1.0 - by / of)
}

/// The same, replication by replication.
fn savings(of: &[f64], by: &[f64]) -> Vec<f64> {
    of.iter().zip(by).map(|(&of, &by)| saved(of, by)).collect()
}

/// All that was measured under a distribution, in the order in which it was.
struct Over<'a, At> {
    shares: Shares,
    all: Vec<&'a At>,
}

impl<'a, At> Over<'a, At> {
    /// Of each distribution; `shares_of` says which one it is of.
    fn each(all: &'a [At], shares_of: fn(&At) -> Shares) -> [Self; 3] {
        DISTRIBUTIONS.map(|shares| {
            let all = all.iter().filter(|at| shares_of(at) == shares).collect();
            Self { shares, all }
        })
    }

    fn case(&self, differences: Vec<f64>, expected: Expected) -> Case {
        Case::new(told(self.shares), differences, expected)
    }
}

fn parameters(jobs: &str, replications: u64) -> Vec<Fact> {
    vec![
        Fact::new("site", "142 machines of three classes (ours), 17 clusters of 8 and one of 6"),
        Fact::new("jobs", jobs),
        Fact::new(
            "run times",
            "chosen so that the printed axes are met (locox_models::site::Study)",
        ),
        Fact::new("quantum", "10 s"),
        Fact::new("replications", replications),
    ]
}

/// The verdict on each statement of an experiment, all of which must be judged and no others.
#[cfg(test)]
fn verdicts_of(
    experiment: &crate::Experiment,
    claims: Vec<locox_report::report::Claim>,
) -> impl Fn(&locox_report::report::Statement) -> locox_report::report::Verdict {
    use std::collections::HashSet;
    let judged: HashSet<&str> = claims.iter().map(|claim| claim.statement.id).collect();
    let listed = experiment.statements.iter().map(|statement| statement.id);
    assert_eq!(judged, listed.collect());
    move |statement| {
        claims.iter().find(|claim| claim.statement == statement).expect("it is judged").verdict
    }
}

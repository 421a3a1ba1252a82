//! In which order jobs stand in line: the keys that a replay gives them.

use crate::workload::Job;
use locox::time::{Duration, Instant};
use std::collections::{BTreeMap, HashMap};
use std::fmt;
use std::str::FromStr;

/// In which order jobs stand in line; those that are equal in the order of arrival.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Order {
    /// As they come.
    #[default]
    Arrival,
    /// The shortest first, by how long they may run.
    Shortest,
    /// By fair shares: the first waiting job of each owner stands by what the owner has had of late,
    /// the least first. The other jobs stand behind all of these, in the order of arrival. So the
    /// coordinator of a resource manager does it (`locox_coordinators::manager`).
    ///
    /// - An owner is a user number of the trace. All jobs without one belong to one owner.
    /// - A job that starts costs its owner its processors times its limit in seconds: the requested
    ///   time, or the run time where the trace has none, and at least one second. It costs all of that
    ///   at its start, also if it ends early. A job that an outage ends has cost it, and costs it again
    ///   when it starts anew.
    /// - Costs halve every [`HALF_LIFE`]. Each owner begins with a cost of one at time 0.
    /// - Of owners that have had equally much, the job that came first stands first. Two of them have
    ///   had equally much if the binary logarithms of what they have had are the same multiple of
    ///   2^-20 after rounding, so if they differ by less than a millionth or so.
    ///
    /// In symbols: job *i* of an owner with cost *c* that started at second *t* adds
    /// *c* 2^(*t*/604800) to a sum that begins with 1. The owner stands by 2^20 times the binary
    /// logarithm of the sum, rounded to an integer. All owners forget alike, so that the passing of time
    /// alone never changes the order.
    FairShare,
}

/// After so long an owner's costs count half.
pub const HALF_LIFE: Duration = Duration::from_ticks(7 * 24 * 3600);

/// Differences of a logarithm that count, in one.
const STEPS: f64 = (1 << 20) as f64;

/// The key of a job that waits behind another one of its owner.
pub(super) const BEHIND: u64 = u64::MAX;

impl Order {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Arrival, Self::Shortest, Self::FairShare];
}

impl fmt::Display for Order {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Arrival => "fcfs",
            Self::Shortest => "sjf",
            Self::FairShare => "fair-share",
        })
    }
}

/// A name that no order has.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown order `{0}`; the orders are fcfs, sjf, fair-share")]
pub struct UnknownOrder(pub String);

impl FromStr for Order {
    type Err = UnknownOrder;

    fn from_str(name: &str) -> Result<Self, UnknownOrder> {
        let found = Self::ALL.into_iter().find(|order| order.to_string() == name);
        found.ok_or_else(|| UnknownOrder(name.to_owned()))
    }
}

/// What owners have had of late, and which jobs of each wait. Cost: the logarithm of an owner's jobs.
///
/// All forget alike, so who has had less does not change while nothing starts. So a cost is noted as
/// if it had been more the later it was, by its logarithm, and nothing need be forgotten.
#[derive(Clone, Debug, Default)]
pub(super) struct Shares {
    owners: HashMap<Option<u32>, Share>,
}

#[derive(Clone, Debug, Default)]
struct Share {
    /// The binary logarithm of what the owner has had.
    used: f64,
    /// Where the waiting jobs are, in the order of arrival.
    waiting: BTreeMap<u64, usize>,
}

impl Share {
    fn first(&self) -> Option<usize> {
        self.waiting.first_key_value().map(|(_, &at)| at)
    }
}

impl Shares {
    /// The job at a place waits from now on. Its key, and the job whose key is [`BEHIND`] from now on.
    pub(super) fn wait(&mut self, at: usize, arrival: u64, job: &Job) -> (u64, Option<usize>) {
        let share = self.owners.entry(job.user).or_default();
        let first = share.first();
        share.waiting.insert(arrival, at);
        if share.first() == Some(at) { (key(share.used), first) } else { (BEHIND, None) }
    }

    /// A job has started that may run for so long. The first job of its owner that waits now, and its key.
    pub(super) fn start(
        &mut self,
        now: Instant,
        arrival: u64,
        job: &Job,
        limit: Duration,
    ) -> Option<(usize, u64)> {
        let share = self.owners.entry(job.user).or_default();
        share.waiting.remove(&arrival);
        let work = f64::from(job.processors) * limit.ticks() as f64;
        let weight = now.ticks() as f64 / HALF_LIFE.ticks() as f64;
        share.used = log2_sum(share.used, work.log2() + weight);
        Some((share.first()?, key(share.used)))
    }
}

/// Where the first job of an owner stands who has had so much, before all jobs [`BEHIND`].
fn key(used: f64) -> u64 {
    ((used * STEPS).round() as u64).min(BEHIND - 1)
}

/// The logarithm of the sum of two numbers that are known by theirs.
fn log2_sum(a: f64, b: f64) -> f64 {
    let (more, less) = (a.max(b), a.min(b));
    more + (less - more).exp2().ln_1p() / std::f64::consts::LN_2
}

#[cfg(test)]
mod tests {
    use super::*;

    fn job(user: u32, processors: u32) -> Job {
        Job {
            id: 0,
            line: None,
            submit: Instant::ZERO,
            processors,
            shape: None,
            memory: 0,
            demand: None,
            run: Duration::from_ticks(1),
            requested: None,
            user: Some(user),
        }
    }

    #[test]
    fn names_are_read_as_they_are_written() {
        for order in Order::ALL {
            assert_eq!(order.to_string().parse(), Ok(order));
        }
        let error = "lifo".parse::<Order>().unwrap_err().to_string();
        assert_eq!(error, "unknown order `lifo`; the orders are fcfs, sjf, fair-share");
    }

    #[test]
    fn who_has_had_less_of_late_stands_before() {
        let mut shares = Shares::default();
        let week = |n| Instant::from_ticks(n * HALF_LIFE.ticks());
        let hour = Duration::from_ticks(3600);
        let mut starts = |now, arrival, user, processors| {
            let job = job(user, processors);
            shares.wait(7, arrival, &job);
            shares.wait(8, arrival + 1, &job);
            let (first, key) = shares.start(now, arrival, &job, hour).unwrap();
            assert_eq!(first, 8);
            shares.start(now, arrival + 1, &job, Duration::ZERO);
            key
        };
        let early = starts(week(0), 0, 1, 64);
        // A week later 64 processors count as many as 32 would now, two weeks later as 16.
        let later = [starts(week(1), 2, 2, 33), starts(week(2), 4, 3, 15)];
        assert!(early < later[0]);
        assert!(later[1] < early);
        // Together they are more than either, to the last.
        assert!(starts(week(2), 6, 3, 2) > early);
    }

    #[test]
    fn equal_costs_in_another_order_are_equal() {
        let mut shares = Shares::default();
        let key_after = |shares: &mut Shares, user, sizes: [u32; 3]| {
            shares.wait(0, 100, &job(user, 1));
            for (arrival, size) in (0..).zip(sizes) {
                let started = job(user, size);
                shares.wait(1, arrival, &started);
                let now = Instant::from_ticks(1_000_000);
                shares.start(now, arrival, &started, Duration::from_ticks(977));
            }
            let last = shares.start(Instant::ZERO, 99, &job(user, 1), Duration::ZERO);
            last.unwrap().1
        };
        assert_eq!(key_after(&mut shares, 1, [3, 5, 11]), key_after(&mut shares, 2, [11, 3, 5]));
    }

    #[test]
    fn the_first_job_of_an_owner_stands_before_the_others() {
        let mut shares = Shares::default();
        assert_eq!(shares.wait(4, 10, &job(7, 1)), (0, None));
        assert_eq!(shares.wait(5, 11, &job(7, 1)), (BEHIND, None));
        assert_eq!(shares.wait(6, 12, &job(8, 1)), (0, None));
        // One that came before it waits again.
        assert_eq!(shares.wait(3, 9, &job(7, 1)), (0, Some(4)));
        let minute = Duration::from_ticks(60);
        let (first, key) = shares.start(Instant::ZERO, 11, &job(7, 1), minute).unwrap();
        assert_eq!((first, key), (3, (61_f64.log2() * STEPS).round() as u64));
        assert_eq!(shares.start(Instant::ZERO, 12, &job(8, 1), minute), None);
    }
}

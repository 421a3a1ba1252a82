//! In which order jobs stand in line: the keys that a replay gives them.

use crate::workload::Job;
use locox::time::{Duration, Instant};
use std::collections::HashMap;
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
    /// Those whose owner has had the least of late first. An owner has had the processors of each
    /// job that started, for as long as it may run, and half of that is forgotten in each
    /// [`HALF_LIFE`]. Jobs of nobody known count as one owner's.
    FairShare,
}

/// After so long an owner's use counts half.
pub const HALF_LIFE: Duration = Duration::from_ticks(7 * 24 * 3600);

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

/// What owners have had of late.
///
/// All forget alike, so who has had less does not change while nothing starts. So a use is noted as
/// if it had been more the later it was, by its logarithm, and nothing need be forgotten.
#[derive(Clone, Debug, Default)]
pub(super) struct Shares {
    owners: HashMap<Option<u32>, Share>,
}

#[derive(Clone, Debug, Default)]
struct Share {
    /// The binary logarithm of what the owner has had.
    used: f64,
    /// Jobs that wait, by the number that they were given.
    waiting: Vec<usize>,
}

impl Shares {
    /// A job waits from now on; its key.
    pub(super) fn wait(&mut self, index: usize, job: &Job) -> u64 {
        let share = self.owners.entry(job.user).or_default();
        share.waiting.push(index);
        key(share.used)
    }

    /// A job has started that may run for so long; the others of its owner that wait, and their key
    /// from now on.
    pub(super) fn start(
        &mut self,
        now: Instant,
        index: usize,
        job: &Job,
        limit: Duration,
    ) -> (u64, &[usize]) {
        let share = self.owners.entry(job.user).or_default();
        share.waiting.retain(|&other| other != index);
        let work = f64::from(job.processors) * limit.ticks() as f64;
        let weight = now.ticks() as f64 / HALF_LIFE.ticks() as f64;
        share.used = log2_sum(share.used, work.log2() + weight);
        (key(share.used), &share.waiting)
    }
}

/// Floats that are not negative are ordered as their bits are.
fn key(used: f64) -> u64 {
    used.max(0.0).to_bits()
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
        let mut starts = |now, index, user, processors| {
            let job = job(user, processors);
            shares.wait(index, &job);
            shares.start(now, index, &job, hour).0
        };
        let early = starts(week(0), 0, 1, 64);
        // A week later 64 processors count as many as 32 would now, two weeks later as 16.
        let later = [starts(week(1), 1, 2, 33), starts(week(2), 2, 3, 15)];
        assert!(early < later[0]);
        assert!(later[1] < early);
        // Together they are more than either, to the last.
        assert!(starts(week(2), 3, 3, 2) > early);
    }

    #[test]
    fn a_start_concerns_the_others_of_its_owner() {
        let mut shares = Shares::default();
        let keys: Vec<u64> = (0..3).map(|index| shares.wait(index, &job(7, 1))).collect();
        assert_eq!(keys, [0, 0, 0]);
        shares.wait(3, &job(8, 1));
        let (key, others) = shares.start(Instant::ZERO, 1, &job(7, 1), Duration::from_ticks(60));
        assert!(key > 0);
        assert_eq!(others, [0, 2]);
    }
}

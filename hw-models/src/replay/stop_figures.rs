//! What a manager that stops jobs for others did, and for whom jobs wait.

use super::JobRecord;
use crate::workload::Job;
use std::collections::BTreeMap;

/// What became of jobs that a manager stopped for others.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct StopFigures {
    /// The job for which it was started on nodes that the stop freed.
    pub served: u64,
    /// That job left before.
    pub left: u64,
    /// A node failed, and that job lost its place.
    pub failed: u64,
    /// The job that was to be stopped ended by itself first.
    pub ended: u64,
    /// The nodes went to somebody else.
    pub lost: u64,
    /// Work that stops lost, as a share of all that was done.
    pub work_lost: f64,
}

impl StopFigures {
    /// Jobs that were told to stop.
    pub fn all(&self) -> u64 {
        self.served + self.left + self.failed + self.ended + self.lost
    }
}

/// How long jobs of some users waited, in ticks.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Waits {
    /// In the mean.
    pub mean: f64,
    /// At most.
    pub longest: u64,
}

/// Waits of users, by the work that they asked for: processors for the requested time, or the run time without one. All jobs
/// without a user belong to one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct UserWaits {
    /// Of the half of the users who asked for least.
    pub lighter: Waits,
    /// Of the others.
    pub heavier: Waits,
}

impl UserWaits {
    /// Of the jobs that ran; `None` if they are of fewer than two users.
    pub fn of(jobs: &[Job], records: &[JobRecord]) -> Option<Self> {
        let mut users: BTreeMap<Option<u32>, (f64, Vec<u64>)> = BTreeMap::new();
        for (job, record) in jobs.iter().zip(records).filter(|(_, record)| record.success) {
            let (work, waits) = users.entry(job.user).or_default();
            *work += f64::from(job.processors) * job.requested.unwrap_or(job.run).ticks() as f64;
            waits.push(record.wait());
        }
        let mut users: Vec<_> = users.into_values().collect();
        users.sort_by(|one, other| one.0.total_cmp(&other.0));
        let (lighter, heavier) = users.split_at(users.len() / 2);
        let waits = |users: &[(f64, Vec<u64>)]| {
            let all = || users.iter().flat_map(|(_, waits)| waits);
            let mean = all().sum::<u64>() as f64 / all().count() as f64;
            Some(Waits { mean, longest: *all().max()? })
        };
        Some(Self { lighter: waits(lighter)?, heavier: waits(heavier)? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use locox::time::{Duration, Instant};

    #[test]
    fn the_lighter_half_asked_for_less_and_nobody_is_a_user_too() {
        // Users 1 and 2 ask for little, user 3 and whoever has no name for much.
        let of = [(1, 1, 10), (3, 8, 20), (2, 2, 40), (9, 9, 50), (1, 1, 30)];
        let job = |(user, processors, _): (u32, u32, u64)| Job {
            id: 0,
            line: None,
            submit: Instant::ZERO,
            processors,
            shape: None,
            memory: 0,
            demand: None,
            run: Duration::from_ticks(100),
            requested: None,
            user: Some(user).filter(|&user| user < 9),
        };
        let jobs = of.map(job);
        let record = |(job, (.., wait)): (&Job, (u32, u32, u64))| {
            let (start, finish) = (Instant::from_ticks(wait), Instant::from_ticks(wait + 100));
            JobRecord { start, finish, success: true, ..JobRecord::rejected(job) }
        };
        let records: Vec<_> = jobs.iter().zip(of).map(record).collect();
        let lighter = Waits { mean: 80.0 / 3.0, longest: 40 };
        let heavier = Waits { mean: 35.0, longest: 50 };
        assert_eq!(UserWaits::of(&jobs, &records), Some(UserWaits { lighter, heavier }));
        assert_eq!(UserWaits::of(&jobs[..1], &records), None);
    }
}

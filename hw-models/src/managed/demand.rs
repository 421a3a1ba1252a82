//! Jobs of users, of whom some want much and others little.

use super::setup::Job;
use crate::streams::stream;
use crate::workload::{self, Workload};
use locox::time::{Duration, Instant};
use locox_coordinators::manager::UserId;
use rand::RngExt;
use rand_distr::{Distribution, LogNormal};

/// Users who submit jobs in batches; a tick is a second. The first one wants half as much as all together, the next one half
/// of the rest, and so on.
#[derive(Clone, Copy, Debug)]
pub struct Users {
    /// How many.
    pub users: u32,
    /// On so many nodes.
    pub nodes: u32,
    /// For so long.
    pub days: u32,
    /// What all jobs take, as a part of what there is.
    pub load: f64,
}

const HOUR: f64 = 3600.0;

impl Users {
    /// Their jobs by arrival: each power of two below the nodes as often as another, and three of ten with half as many nodes more; of a
    /// median of an hour, and half a day at most. Limits are one to four times as long.
    pub fn jobs(&self, seed: u64, replication: u64) -> Vec<Job> {
        let mut random = stream(seed, "managed users", replication);
        let seconds = u64::from(self.days) * 24 * 3600;
        let mut left = self.load * f64::from(self.nodes) * seconds as f64;
        let run = LogNormal::new(HOUR.ln(), 1.2).expect("a shape above 0");
        let mut jobs = vec![];
        while left > 0.0 {
            let halvings = (0..self.users - 1).find(|_| random.random_bool(0.5));
            let user = UserId(halvings.unwrap_or(self.users - 1));
            let arrives = Instant::from_ticks(random.random_range(0..seconds));
            for _ in 0..random.random_range(1..=4) {
                let power: u32 = 1 << random.random_range(0..self.nodes.ilog2().max(1));
                let nodes = if random.random_bool(0.3) { power + power / 2 } else { power };
                let ticks = run.sample(&mut random).clamp(60.0, 12.0 * HOUR) as u64;
                let limit = (ticks as f64 * random.random_range(1.0..4.0)) as u64;
                let [run, limit] = [ticks, limit.max(ticks)].map(Duration::from_ticks);
                jobs.push(Job { user, nodes, arrives, run, limit });
                left -= f64::from(nodes) * ticks as f64;
            }
        }
        jobs.sort_by_key(|job| job.arrives);
        jobs
    }

    /// The same as a workload, with limits as requested times.
    pub fn workload(&self, seed: u64, replication: u64) -> Workload {
        let job = |(id, job): (u64, Job)| workload::Job {
            id,
            line: None,
            submit: job.arrives,
            processors: job.nodes,
            shape: None,
            memory: 0,
            demand: None,
            run: job.run,
            requested: Some(job.limit),
            user: Some(job.user.0),
        };
        Workload {
            name: "users".into(),
            jobs: (1..).zip(self.jobs(seed, replication)).map(job).collect(),
            processors: Some(self.nodes),
            notes: vec![],
            skipped: 0,
            incomplete: 0,
        }
    }
}

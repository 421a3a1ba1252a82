//! How fast jobs go on: what those above them leave of their hosts.

use locox::timeshare::Speed;
use std::collections::BTreeMap;

/// How far a job is that runs.
#[derive(Clone, Debug)]
pub(super) struct Progress {
    /// Whether it goes on as its slowest process does.
    pub(super) barrier: bool,
    /// Seconds alone that are left.
    pub(super) left: f64,
    /// Seconds alone that it does in a second.
    pub(super) rate: f64,
    /// Its hosts in rising order.
    pub(super) uses: Vec<Use>,
}

/// A host as a job uses it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Use {
    /// The host.
    pub host: usize,
    /// The share of its processor that the job uses at rate 1.
    pub cost: f64,
    /// The greatest rate there.
    pub most: f64,
}

impl Use {
    /// By a job that uses this share of a host of nominal speed, and waits otherwise: a faster host
    /// shortens what it computes and not its waiting.
    pub(super) fn new(host: usize, demand: f64, speed: Speed) -> Self {
        let cost = demand * f64::from(Speed::NOMINAL.0) / f64::from(speed.0.max(1));
        Self { host, cost, most: 1.0 / (cost + 1.0 - demand) }
    }
}

/// The jobs that run, by number in the order of their submission.
pub(super) type Jobs = BTreeMap<usize, Progress>;

/// Sets the rate of each job, given who stands on each host from the most urgent one on. Jobs that
/// are above each other on different hosts are settled by some rounds.
pub(super) fn set_rates(jobs: &mut Jobs, columns: &[Vec<usize>]) {
    const ROUNDS: usize = 8;
    // A job that gets nothing goes on very slowly.
    const LEAST: f64 = 1e-4;
    let order: Vec<usize> = jobs.keys().copied().collect();
    for _ in 0..ROUNDS {
        let mut moved = 0.0f64;
        for &number in &order {
            let rate = rate(jobs, columns, number).max(LEAST);
            if let Some(job) = jobs.get_mut(&number) {
                moved = moved.max((job.rate - rate).abs());
                job.rate = rate;
            }
        }
        if moved < 1e-9 {
            break;
        }
    }
}

fn rate(jobs: &Jobs, columns: &[Vec<usize>], number: usize) -> f64 {
    let job = &jobs[&number];
    let used = |other: &usize, host: usize| {
        let Some(other) = jobs.get(other) else { return 0.0 };
        let found = other.uses.binary_search_by_key(&host, |it| it.host);
        found.map_or(0.0, |at| other.uses[at].cost * other.rate)
    };
    let left = |host: usize| {
        let above = columns[host].iter().take_while(|&&it| it != number);
        (1.0 - above.map(|other| used(other, host)).sum::<f64>()).max(0.0)
    };
    let rates = job.uses.iter().map(|it| (left(it.host) / it.cost).min(it.most));
    if job.barrier {
        return rates.fold(f64::INFINITY, f64::min);
    }
    rates.sum::<f64>() / job.uses.len() as f64
}

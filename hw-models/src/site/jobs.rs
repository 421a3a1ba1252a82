//! Jobs of the study: five classes in equal parts, and priorities in their shares.
//!
//! Collins and George 2001: where all jobs come at once, the parts are exact, in a random order (cases 2
//! and 3: of 50 jobs at 10/10/80 five have high priority); where they arrive at random, each job's class
//! and priority are drawn (case 4).

use super::swil::Submission;
use crate::streams::{Stream, stream};
use locox::time::Instant;
use locox_recorded::{SECOND, Study};
use rand::RngExt;
use rand_distr::{Distribution, Exp1, StandardNormal};

/// The quantum of the study, in seconds.
const QUANTUM: f64 = 10.0;

/// So many jobs at time zero; queues get them in these shares.
pub fn batch(count: usize, shares: &[u32], seed: u64, replication: u64) -> Vec<Submission> {
    let mut draws = stream(seed, "jobs of a site", replication);
    let kinds = mixed(count, &mut draws);
    let queues = by_shares(count, shares, &mut draws);
    let job = |(class, queue)| Submission { at: Instant::ZERO, queue, class, factor: 1.0 };
    kinds.into_iter().zip(queues).map(job).collect()
}

/// So many jobs, on the average so many a quantum of ten seconds, without memory; class and queue of
/// each are drawn. What they take deviates from what their class takes by a factor, log-normal with a mean of 1 and this standard
/// deviation.
pub fn poisson(
    count: usize,
    a_quantum: f64,
    shares: &[u32],
    deviation: f64,
    seed: u64,
    replication: u64,
) -> Vec<Submission> {
    let mut draws = stream(seed, "jobs of a site", replication);
    let mut arrivals = stream(seed, "arrivals at a site", replication);
    let mut factors = stream(seed, "run times on a site", replication);
    let sigma_squared = (1.0 + deviation * deviation).ln();
    let mut at = 0.0;
    let job = |_| {
        let gap: f64 = Exp1.sample(&mut arrivals);
        at += gap * QUANTUM / a_quantum;
        let normal: f64 = StandardNormal.sample(&mut factors);
        Submission {
            at: Instant::from_ticks((at * SECOND as f64) as u64),
            queue: drawn(shares, &mut draws),
            class: draws.random_range(0..Study::KINDS as u32),
            factor: (normal * sigma_squared.sqrt() - sigma_squared / 2.0).exp(),
        }
    };
    (0..count).map(job).collect()
}

/// The number of a queue; each gets its share.
fn drawn(shares: &[u32], draws: &mut Stream) -> u32 {
    let mut left = draws.random_range(0..shares.iter().sum());
    let is_of = |&share: &u32| {
        let is_of = left < share;
        left = left.saturating_sub(share);
        is_of
    };
    shares.iter().position(is_of).unwrap_or(0) as u32
}

fn mixed(count: usize, draws: &mut Stream) -> Vec<u32> {
    shuffled((0..count).map(|at| (at % Study::KINDS) as u32).collect(), draws)
}

/// Numbers of queues in their shares, as exactly as so many jobs allow.
fn by_shares(count: usize, shares: &[u32], draws: &mut Stream) -> Vec<u32> {
    let all: u32 = shares.iter().sum();
    let mut bounds = shares.iter().scan(0, |sum, &share| {
        *sum += share;
        Some((f64::from(*sum) / f64::from(all) * count as f64).round() as usize)
    });
    let bounds: Vec<usize> = bounds.by_ref().collect();
    let queue = |at: usize| bounds.iter().position(|&bound| at < bound).unwrap_or(0) as u32;
    shuffled((0..count).map(queue).collect(), draws)
}

fn shuffled(mut all: Vec<u32>, draws: &mut Stream) -> Vec<u32> {
    for at in (1..all.len()).rev() {
        all.swap(at, draws.random_range(0..=at));
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of_queues(jobs: &[Submission]) -> [usize; 3] {
        [0, 1, 2].map(|queue| jobs.iter().filter(|job| job.queue == queue).count())
    }

    fn of_classes(jobs: &[Submission]) -> [usize; 5] {
        [0, 1, 2, 3, 4].map(|class| jobs.iter().filter(|job| job.class == class).count())
    }

    #[test]
    fn where_all_come_at_once_the_shares_are_exact() {
        let jobs = batch(500, &[10, 10, 80], 1, 2);
        assert_eq!((of_queues(&jobs), of_classes(&jobs)), ([50, 50, 400], [100; 5]));
        assert!(jobs.iter().all(|job| job.at == Instant::ZERO));
    }

    #[test]
    fn where_they_arrive_shares_are_drawn_and_times_rise() {
        let all: Vec<Submission> = (0..20)
            .flat_map(|replication| poisson(500, 8.0, &[10, 10, 80], 0.3, 1, replication))
            .collect();
        assert_ne!(of_queues(&all[..500]), of_queues(&all[500..1000]));
        assert_ne!(of_classes(&all[..500]), [100; 5]);
        for (found, expected) in of_queues(&all).into_iter().zip([1_000, 1_000, 8_000]) {
            assert!(found.abs_diff(expected) < 150, "{found} of {expected}");
        }
        assert!(of_classes(&all).into_iter().all(|found| found.abs_diff(2_000) < 150));
        let jobs = &all[..500];
        assert!(jobs.is_sorted_by_key(|job| job.at));
        let span = jobs.last().unwrap().at.ticks() / SECOND;
        assert!((500..800).contains(&span), "{span} s");
        let mean = jobs.iter().map(|job| job.factor).sum::<f64>() / 500.0;
        assert!((mean - 1.0).abs() < 0.05);
    }
}

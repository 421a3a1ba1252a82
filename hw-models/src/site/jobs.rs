//! Jobs of the study: five classes in equal parts, in a random order.

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

/// So many jobs, on the average so many a quantum of ten seconds, without memory. What they take
/// deviates from what their class takes by a factor, log-normal with a mean of 1 and this standard
/// deviation.
pub fn poisson(
    count: usize,
    a_quantum: f64,
    shares: &[u32],
    deviation: f64,
    seed: u64,
    replication: u64,
) -> Vec<Submission> {
    let mut jobs = batch(count, shares, seed, replication);
    let mut arrivals = stream(seed, "arrivals at a site", replication);
    let mut factors = stream(seed, "run times on a site", replication);
    let sigma_squared = (1.0 + deviation * deviation).ln();
    let mut at = 0.0;
    for job in &mut jobs {
        let gap: f64 = Exp1.sample(&mut arrivals);
        at += gap * QUANTUM / a_quantum;
        job.at = Instant::from_ticks((at * SECOND as f64) as u64);
        let normal: f64 = StandardNormal.sample(&mut factors);
        job.factor = (normal * sigma_squared.sqrt() - sigma_squared / 2.0).exp();
    }
    jobs
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

    #[test]
    fn shares_are_exact_and_times_rise() {
        let jobs = poisson(500, 8.0, &[10, 10, 80], 0.3, 1, 2);
        let of = |queue| jobs.iter().filter(|job| job.queue == queue).count();
        assert_eq!([0, 1, 2].map(of), [50, 50, 400]);
        assert!((0..5).all(|class| jobs.iter().filter(|job| job.class == class).count() == 100));
        assert!(jobs.is_sorted_by_key(|job| job.at));
        let span = jobs.last().unwrap().at.ticks() / SECOND;
        assert!((500..800).contains(&span), "{span} s");
        let mean = jobs.iter().map(|job| job.factor).sum::<f64>() / 500.0;
        assert!((mean - 1.0).abs() < 0.05);
    }
}

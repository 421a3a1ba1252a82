//! Jobs of the CM-5 at Los Alamos as Li et al. model them, for the study of reservations.
//!
//! Source: Li, Pei, Shen, Wu, He, Yang, *Resource availability-aware advance reservation for
//! parallel jobs with deadlines*, section 6.1: the arrivals of the model of Lublin and Feitelson
//! ([`super::lublin`]); sizes that are powers of two, by its two-stage uniform distribution with
//! the CM-5's parameters; six run times only, whose frequency depends on the size.
//!
//! The source gives neither the constants of the arrivals nor the frequencies of the run times.
//! Those here were computed from the log LANL-CM5-1994-4.1-cln of the Parallel Workloads Archive:
//! the arrivals fitted as the model's authors do, the frequencies counted over the requested
//! times, each moved to the nearest of the six by logarithm.

use super::lublin::{Arrivals, TwoStage};
use super::{Job, Workload};
use crate::streams::{Stream, stream};
use locox::time::{Duration, Instant};
use rand::RngExt;

/// Processors of the machine.
pub const PROCESSORS: u32 = 1024;

/// The run times, in seconds.
pub const RUN_TIMES: [u64; 6] = [60, 300, 900, 1800, 3600, 10_800];

/// How frequent they are, in thousandths: for 32, 64, 128, 256, and 512 or more processors.
pub const SHARES: [[u32; 6]; 5] = [
    [121, 403, 133, 59, 250, 34],
    [27, 213, 131, 87, 501, 41],
    [20, 164, 177, 82, 488, 69],
    [23, 39, 61, 96, 65, 715],
    [6, 68, 65, 116, 104, 640],
];

const ARRIVALS: Arrivals =
    Arrivals { rush: (9.98, 0.474), all_over_rush: 1.088, cycle: (8.473, 3.458) };

/// The run time of the six that is nearest by logarithm.
pub fn nearest_run_time(seconds: u64) -> u64 {
    let logarithm = (seconds.max(1) as f64).ln();
    let distance = |run: &u64| ((*run as f64).ln() - logarithm).abs();
    RUN_TIMES.into_iter().min_by(|a, b| distance(a).total_cmp(&distance(b))).unwrap_or(seconds)
}

/// The sizes, in dependence of the parameter UMed (usually 7): larger means larger jobs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sizes(TwoStage);

impl Sizes {
    /// With UMed from 4.5 to 10.
    pub const fn with_med(med: f64) -> Self {
        Self(TwoStage { low: 4.5, med, high: 10.0, prob: 0.82 })
    }

    /// A power of two from 32 to 1024.
    pub fn draw(&self, random: &mut Stream) -> u32 {
        self.0.power_of_two(PROCESSORS, random).max(32)
    }
}

/// A run time for a job of `processors`.
fn draw_run_time(processors: u32, random: &mut Stream) -> u64 {
    let row = (processors.max(32).ilog2() as usize - 5).min(SHARES.len() - 1);
    // The shares are rounded; what is missing to a thousand must not be lost.
    let mut rest = random.random_range(0..SHARES[row].iter().sum());
    for (run, share) in RUN_TIMES.into_iter().zip(SHARES[row]) {
        if rest < share {
            return run;
        }
        rest -= share;
    }
    unreachable!("the draw lies below the sum of the shares")
}

/// Makes `jobs` jobs with sizes by `med` (UMed). The same seed and replication give the same
/// jobs, and another `med` leaves the arrivals alone.
///
/// ```
/// use locox_models::workload::cm5;
/// let workload = cm5::generate(100, 7.0, 1, 0);
/// assert!(workload.jobs.iter().all(|job| cm5::RUN_TIMES.contains(&job.run.ticks())));
/// ```
pub fn generate(jobs: usize, med: f64, seed: u64, replication: u64) -> Workload {
    let sizes = Sizes::with_med(med);
    let mut arrivals = ARRIVALS.times();
    let mut arrival_stream = stream(seed, "arrivals", replication);
    let mut size_stream = stream(seed, "sizes", replication);
    let mut run_stream = stream(seed, "run times", replication);
    let jobs = (1..=jobs as u64).map(|id| {
        let submit = arrivals.next(&mut arrival_stream) as u64;
        let processors = sizes.draw(&mut size_stream);
        let run = draw_run_time(processors, &mut run_stream);
        job(id, submit, processors, run)
    });
    Workload {
        name: "CM-5 model".into(),
        jobs: jobs.collect(),
        processors: Some(PROCESSORS),
        notes: vec![format!("UMed {med}, seed {seed}, replication {replication}")],
        skipped: 0,
        incomplete: 0,
    }
}

fn job(id: u64, submit: u64, processors: u32, run: u64) -> Job {
    Job {
        id,
        line: None,
        submit: Instant::from_ticks(submit),
        processors,
        shape: None,
        memory: 0,
        demand: None,
        run: Duration::from_ticks(run),
        requested: None,
        user: None,
    }
}

/// The jobs of a log as the source uses them: each runs for the nearest of the six run times to
/// what its user requested or, if that is unknown, to what it took.
pub fn from_log(log: &Workload) -> Workload {
    let seconds = |job: &Job| job.requested.unwrap_or(job.run).ticks();
    let jobs = log
        .jobs
        .iter()
        .map(|old| job(old.id, old.submit.ticks(), old.processors, nearest_run_time(seconds(old))));
    Workload { jobs: jobs.collect(), ..log.clone() }
}

/// The arrivals of a log whose sizes are drawn anew by `med` (UMed); each job takes the run time
/// of one of the log's jobs of its new size, drawn with equal chances. `log` comes from
/// [`from_log`]; a size that it does not have keeps the run time of the job that it replaces.
pub fn resized(log: &Workload, med: f64, seed: u64, replication: u64) -> Workload {
    let sizes = Sizes::with_med(med);
    let mut size_stream = stream(seed, "sizes", replication);
    let mut run_stream = stream(seed, "run times", replication);
    let mut by_size = vec![Vec::new(); 32];
    for job in &log.jobs {
        by_size[job.processors.ilog2() as usize].push(job.run.ticks());
    }
    let jobs = log.jobs.iter().map(|old| {
        let processors = sizes.draw(&mut size_stream);
        let position: f64 = run_stream.random();
        let runs = &by_size[processors.ilog2() as usize];
        let run = runs.get((position * runs.len() as f64) as usize).copied();
        job(old.id, old.submit.ticks(), processors, run.unwrap_or(old.run.ticks()))
    });
    Workload { jobs: jobs.collect(), ..log.clone() }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 3.3 standard deviations of a share of `count` values; the seeds are fixed.
    #[track_caller]
    fn assert_share(found: usize, count: usize, stated: f64) {
        let allowed = 3.3 * (stated * (1.0 - stated) / count as f64).sqrt();
        let found = found as f64 / count as f64;
        assert!((found - stated).abs() <= allowed, "{found} is not {stated} up to {allowed}");
    }

    /// The lower stage from 4.5 to UMed has 0.82; a power of two takes half a step on either side.
    #[test]
    fn sizes_are_powers_of_two_by_the_two_stages() {
        for med in [5.0, 6.0, 7.0, 8.0, 9.0] {
            let workload = generate(20_000, med, 3, 0);
            let mut below = 0.0;
            for dim in 5..=10 {
                let mass = |from: f64, to: f64, low: f64, high: f64| {
                    (to.min(high) - from.max(low)).max(0.0) / (high - low)
                };
                let (from, to) = (f64::from(dim) - 0.5, f64::from(dim) + 0.5);
                let share = 0.82 * mass(from, to, 4.5, med) + 0.18 * mass(from, to, med, 10.0);
                let of_size = workload.jobs.iter().filter(|job| job.processors == 1 << dim);
                assert_share(of_size.count(), workload.jobs.len(), share);
                below += share;
            }
            assert!((below - 1.0).abs() < 1e-12);
        }
    }

    #[test]
    fn run_times_have_the_shares_of_their_size() {
        let workload = generate(40_000, 7.0, 4, 0);
        for (row, shares) in SHARES.iter().enumerate() {
            let size = |job: &&Job| (job.processors.ilog2() as usize - 5).min(4) == row;
            let of_size: Vec<_> = workload.jobs.iter().filter(size).collect();
            for (run, share) in RUN_TIMES.into_iter().zip(shares) {
                let stated = f64::from(*share) / f64::from(shares.iter().sum::<u32>());
                let found = of_size.iter().filter(|job| job.run.ticks() == run).count();
                assert_share(found, of_size.len(), stated);
            }
        }
    }

    #[test]
    fn larger_sizes_leave_the_arrivals_alone() {
        let times = |med| -> Vec<Instant> {
            generate(500, med, 5, 1).jobs.iter().map(|job| job.submit).collect()
        };
        assert_eq!(times(5.0), times(9.0));
    }

    #[test]
    fn the_nearest_run_time_is_that_of_the_logarithm() {
        let nearest = [(0, 60), (60, 60), (134, 60), (135, 300), (1000, 900), (90_000, 10_800)];
        for (seconds, run) in nearest {
            assert_eq!(nearest_run_time(seconds), run, "{seconds}");
        }
    }

    #[test]
    fn a_log_runs_for_what_was_requested_and_resized_keeps_its_arrivals() {
        let mut log = generate(2_000, 7.0, 6, 0);
        log.jobs[0].requested = Some(Duration::from_ticks(3_000));
        log.jobs[0].run = Duration::from_ticks(5);
        let mapped = from_log(&log);
        assert_eq!(mapped.jobs[0].run.ticks(), 3_600);
        assert_eq!(mapped.jobs[1], log.jobs[1]);
        let resized = resized(&mapped, 9.0, 6, 0);
        let submits = |workload: &Workload| -> Vec<_> {
            workload.jobs.iter().map(|job| job.submit).collect()
        };
        assert_eq!(submits(&resized), submits(&log));
        let mean = |workload: &Workload| {
            workload.jobs.iter().map(|job| f64::from(job.processors)).sum::<f64>() / 2_000.0
        };
        assert!(mean(&resized) > 1.3 * mean(&log));
        // Run times are those of jobs of the same size.
        for job in &resized.jobs {
            let same = |other: &&Job| other.processors == job.processors && other.run == job.run;
            assert!(mapped.jobs.iter().any(|other| same(&other)));
        }
    }
}

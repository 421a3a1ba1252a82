//! Requests for advance reservations, made from jobs.
//!
//! Source: Li, Pei, Shen, Wu, He, Yang, *Resource availability-aware advance reservation for
//! parallel jobs with deadlines*, section 6.1. A job that arrives at t_a and runs for t_du becomes
//! a request that is ready at `t_r = t_a + artime * U * t_du` and has the deadline
//! `t_dl = t_r + (1 + deadline * U') * t_du`, with U and U' uniform from 0 to 1. Times are rounded
//! to whole ticks. The arrival factor of the source is [`Workload::scale_load`].

use super::{Job, Workload};
use crate::streams::stream;
use locox::reserve::Request;
use locox::time::{Duration, Instant};
use rand::RngExt;

/// A request and when it is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Asking {
    /// Its number.
    pub id: u64,
    /// t_a: when it is made, and answered.
    pub arrival: Instant,
    /// What is asked for.
    pub request: Request,
}

/// How much time requests leave: both factors are at least 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Flexibility {
    /// The most that a request is ready after it is made, in run times.
    pub artime: f64,
    /// The most that it may start after it is ready, in run times; 0 for immediate deadlines.
    pub deadline: f64,
}

impl Flexibility {
    /// Both factors alike, as in the source; 3 is its default.
    pub const fn both(factor: f64) -> Self {
        Self { artime: factor, deadline: factor }
    }
}

impl Default for Flexibility {
    fn default() -> Self {
        Self::both(3.0)
    }
}

/// Makes a request of each job. The same seed and replication draw the same numbers, whatever
/// the factors and the jobs.
///
/// ```
/// use locox_models::workload::cm5;
/// use locox_models::workload::reservations::{Flexibility, requests};
/// let jobs = cm5::generate(10, 7.0, 1, 0);
/// let immediate = Flexibility { artime: 3.0, deadline: 0.0 };
/// for asking in requests(&jobs, immediate, 1, 0) {
///     let end = asking.request.ready.checked_add(asking.request.duration);
///     assert_eq!(asking.request.deadline, end);
/// }
/// ```
pub fn requests(
    jobs: &Workload,
    flexibility: Flexibility,
    seed: u64,
    replication: u64,
) -> Vec<Asking> {
    let mut ready = stream(seed, "ready times", replication);
    let mut deadline = stream(seed, "deadlines", replication);
    let asking = |job: &Job| {
        let times = |factor: f64, drawn: f64| {
            Duration::from_ticks((factor * drawn * job.run.ticks() as f64).round() as u64)
        };
        let ready = job.submit.saturating_add(times(flexibility.artime, ready.random()));
        let slack = times(flexibility.deadline, deadline.random());
        let deadline = ready.saturating_add(job.run).saturating_add(slack);
        let request = Request::new(ready, job.run, job.processors).by(deadline);
        Asking { id: job.id, arrival: job.submit, request }
    };
    jobs.jobs.iter().map(asking).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::mean;
    use crate::workload::cm5;

    /// How long each request is ready after its arrival, and how much slack it has, in run times.
    fn factors(flexibility: Flexibility) -> (Vec<f64>, Vec<f64>) {
        let jobs = cm5::generate(20_000, 7.0, 2, 0);
        let times = |asking: &Asking| {
            let Request { ready, duration, deadline, .. } = asking.request;
            let run = duration.ticks() as f64;
            let lead = ready.ticks() - asking.arrival.ticks();
            let slack = deadline.unwrap().ticks() - ready.ticks() - duration.ticks();
            (lead as f64 / run, slack as f64 / run)
        };
        requests(&jobs, flexibility, 2, 0).iter().map(times).unzip()
    }

    #[test]
    fn ready_times_and_deadlines_are_uniform_up_to_their_factors() {
        let (lead, slack) = factors(Flexibility { artime: 2.0, deadline: 5.0 });
        for (values, most) in [(lead, 2.0), (slack, 5.0)] {
            // Rounding is at most half a second of a minute.
            assert!(values.iter().all(|value| (0.0..=most + 0.01).contains(value)));
            assert!((mean(&values) / most - 0.5).abs() < 0.01, "{}", mean(&values));
            let quarter = values.iter().filter(|&&value| value < most / 4.0).count();
            assert!((quarter as f64 / 20_000.0 - 0.25).abs() < 0.012, "{quarter}");
        }
    }

    #[test]
    fn without_factors_requests_are_ready_at_once_and_immediate() {
        let (lead, slack) = factors(Flexibility::both(0.0));
        assert!(lead.iter().chain(&slack).all(|&value| value == 0.0));
    }

    #[test]
    fn another_flexibility_draws_the_same_numbers() {
        let (small, _) = factors(Flexibility { artime: 1.0, deadline: 5.0 });
        let (large, _) = factors(Flexibility { artime: 4.0, deadline: 0.0 });
        for (small, large) in small.iter().zip(&large) {
            assert!((small * 4.0 - large).abs() < 0.06, "{small} {large}");
        }
    }

    #[test]
    fn requests_keep_arrival_size_and_run_time_of_their_jobs() {
        let jobs = cm5::generate(50, 7.0, 2, 0);
        for (job, asking) in jobs.jobs.iter().zip(requests(&jobs, Flexibility::default(), 2, 0)) {
            assert_eq!((asking.id, asking.arrival), (job.id, job.submit));
            assert_eq!((asking.request.pes, asking.request.duration), (job.processors, job.run));
        }
    }
}

//! Turnaround and utilisation against load, for experiments in the manner of Turner's chapter 4.
//!
//! All methods see the same jobs (common random numbers), so that their differences are sharper
//! than their means.

mod effort;
mod figure;
mod gain;
mod leftovers;
mod limits;
mod method;
mod picture;
mod sweep;

pub(super) use effort::{Effort, FULL, QUICK};
pub(super) use figure::{CAPTION, CUT, figure};
pub(super) use gain::{
    Gain, ONE_KEEPS_UP, POINTS, SECONDS, as_long, shorter, throughput, turnaround,
};
pub(super) use limits::{Limit, WAITING, limits, limits_table, limits_with_others};
pub(super) use method::{Cube, Method};
pub(super) use picture::picture;
pub(super) use sweep::{Curve, LoadPoint, PRECISION, Sweep, measure};

use super::Lab;
use locox_report::report::{Fact, counted};

/// What methods that the source does not compare were run with.
pub(super) fn parameters_of_others(effort: Effort) -> Fact {
    let Effort { jobs, batch, .. } = effort.beyond_the_source();
    let jobs = counted(jobs as u64);
    Fact::new(
        "free lists that search, other strategies and queues",
        format!("{batch} replications of {jobs} jobs"),
    )
}

/// What every experiment of this kind was run with.
pub(super) fn parameters(effort: Effort) -> Vec<Fact> {
    let Effort { jobs, batch, batches, .. } = effort;
    let percent = PRECISION * 100.0;
    vec![
        Fact::new(
            "jobs of a replication",
            format!("{}, the first tenth not counted", counted(jobs as u64)),
        ),
        Fact::new(
            "replications",
            match batches {
                1 => batch.to_string(),
                _ => format!(
                    "{batch} to {}, until half the 95 % interval of the turnaround is at most \
                     {percent} % of it wherever the machine keeps up",
                    batch * batches
                ),
            },
        ),
        Fact::new("queue", "first come, first served, unless said otherwise"),
        Fact::new("free list", "joins pairs, unless said that it searches"),
    ]
}

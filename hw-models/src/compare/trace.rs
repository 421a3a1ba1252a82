//! What a comparison draws of a trace: its whole weeks, anew.

use super::{Drawn, Reason};
use crate::workload::Workload;
use crate::workload::weeks::Weeks;
use std::hash::{Hash, Hasher};

/// A trace has to have so many weeks, or how they differ cannot be told.
const FEWEST_WEEKS: usize = 8;

/// Its whole weeks; none if they are too few to be drawn.
pub fn weeks(trace: &Workload) -> Option<usize> {
    Some(Weeks::of(trace).count()).filter(|&count| count >= FEWEST_WEEKS)
}

/// What its draws are, or why nothing is drawn.
///
/// # Errors
///
/// [`Reason::TooShort`], [`Reason::OrderMatters`].
pub fn drawn(trace: &Workload) -> Result<Drawn, Reason> {
    let weeks = Weeks::of(trace);
    match weeks.count() {
        count if count < FEWEST_WEEKS => Err(Reason::TooShort),
        _ if weeks.hang_together() => Err(Reason::OrderMatters),
        count => Ok(Drawn::Weeks(count)),
    }
}

/// A draw of its weeks. The one of number 0 is what was recorded, as long as the others: its whole weeks, or all of it
/// if they are too few.
pub fn draw(trace: &Workload, seed: u64, number: u64) -> Workload {
    match (Weeks::of(trace), number) {
        (weeks, 0) if weeks.count() < FEWEST_WEEKS => trace.clone(),
        (weeks, 0) => weeks.whole(),
        (weeks, number) => weeks.resampled(seed, number),
    }
}

/// Scales a draw to an offered load of so many processors. All draws of a trace are scaled by one factor, that of what
/// was `recorded`, so that their weeks differ in load as those; each replication of a model by its own.
///
/// # Errors
///
/// Why that cannot be.
pub fn scale(
    draw: &mut Workload,
    recorded: Option<&Workload>,
    (load, processors): (f64, u32),
) -> Result<(), String> {
    let offered = recorded.unwrap_or(draw).offered_load(processors);
    let factor = load / offered.ok_or("all jobs arrive at once, so that they have no load")?;
    let scaled = draw.scale_load(factor);
    scaled.map_err(|_| format!("the jobs cannot be scaled to a load of {load}"))
}

/// Hashes what tells jobs from others.
pub fn hash(workload: &Workload, hasher: &mut impl Hasher) {
    for job in &workload.jobs {
        let requested = job.requested.map(|requested| requested.ticks());
        let asks = (job.processors, job.memory, &job.demand);
        (job.submit.ticks(), asks, job.run.ticks(), requested, job.user).hash(hasher);
    }
}

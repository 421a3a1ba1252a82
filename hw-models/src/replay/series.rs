//! Curves over time, thinned for plots.

use super::JobRecord;
use locox::time::{Duration, Instant};
use std::borrow::Borrow;

/// What went on in one of the equal spans into which a replay is cut.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// Begin of the span.
    pub at: Instant,
    /// Mean share of the processors that were in use.
    pub utilisation: f64,
    /// Mean number of jobs that waited.
    pub queue: f64,
    /// Mean share of the processors that were out of service.
    pub out_of_service: f64,
    /// Mean [fragmentation](super::Outcome::fragmentation); 0 if it was not measured.
    pub fragmentation: f64,
}

/// Cuts `[start, start + makespan)` into `count` equal spans and averages over each. Exact: every
/// job counts for the time that it waited or ran within the span.
pub(super) fn series(
    jobs: impl Iterator<Item: Borrow<JobRecord>>,
    start: Instant,
    makespan: Duration,
    processors: u32,
    count: usize,
) -> Vec<Point> {
    if makespan == Duration::ZERO || count == 0 {
        return Vec::new();
    }
    let width = makespan.ticks() as f64 / count as f64;
    let position = |at: Instant| at.since(start).map_or(0.0, |since| since.ticks() as f64 / width);
    let mut in_use = Spans::new(count);
    let mut waiting = Spans::new(count);
    for job in jobs {
        let job = job.borrow();
        if !job.success {
            continue;
        }
        let asked = f64::from(job.processors) / f64::from(processors);
        let begin = position(job.start);
        waiting.step(position(job.submit), 1.0);
        waiting.step(begin, -1.0);
        in_use.step(begin, asked);
        in_use.step(position(job.finish), -asked);
    }
    let points = in_use.means().into_iter().zip(waiting.means()).enumerate();
    let point = |(index, (utilisation, queue))| {
        let after = (index as f64 * width).round() as u64;
        Point {
            at: start.saturating_add(Duration::from_ticks(after)),
            utilisation,
            queue,
            out_of_service: 0.0,
            fragmentation: 0.0,
        }
    };
    points.map(point).collect()
}

/// Adds something that has these levels, each from an instant on, to a series over the time between two
/// instants.
pub(super) fn add_levels(
    series: &mut [Point],
    levels: impl Iterator<Item = (Instant, f64)>,
    (start, finish): (Instant, Instant),
    of: impl Fn(&mut Point) -> &mut f64,
) {
    let makespan = finish.since(start).unwrap_or_default();
    let width = makespan.ticks() as f64 / series.len() as f64;
    let mut spans = Spans::new(series.len());
    let mut before = 0.0;
    for (at, level) in levels {
        let since = at.since(start).unwrap_or_default();
        spans.step(since.ticks() as f64 / width, level - before);
        before = level;
    }
    for (point, mean) in series.iter_mut().zip(spans.means()) {
        *of(point) = mean;
    }
}

/// Means over the spans `[0, 1), [1, 2), …` of a quantity that changes in steps.
///
/// A step counts in part in the span in which it happens, and in full in all later ones.
pub(crate) struct Spans {
    partial: Vec<f64>,
    later: Vec<f64>,
}

impl Spans {
    pub(crate) fn new(count: usize) -> Self {
        Self { partial: vec![0.0; count], later: vec![0.0; count] }
    }

    pub(crate) fn step(&mut self, at: f64, change: f64) {
        let span = at as usize;
        if let Some(partial) = self.partial.get_mut(span) {
            // No position is negative, so this is the share of the span that is left.
            *partial += change * (1.0 - (at - span as f64));
        }
        if let Some(later) = self.later.get_mut(span + 1) {
            *later += change;
        }
    }

    pub(crate) fn means(&self) -> Vec<f64> {
        let mut level = 0.0;
        let mean = |(partial, later): (&f64, &f64)| {
            level += later;
            // Steps up and down cancel up to rounding; nothing that is counted is negative.
            (level + partial).max(0.0)
        };
        self.partial.iter().zip(&self.later).map(mean).collect()
    }
}

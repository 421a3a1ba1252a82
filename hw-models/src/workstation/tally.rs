//! Keeps account while a world runs.

use super::{Outcome, Point, Pool, Use};
use crate::replay::Spans;
use crate::stats::TimeWeighted;
use locox::fair::Demand;
use locox::time::Instant;

/// What is counted, and up to when.
pub(super) struct Tally {
    pub(super) users: Vec<Use>,
    pub(super) preemptions: u64,
    pub(super) evictions: u64,
    pub(super) kills: u64,
    pub(super) commands: u64,
    /// The demand as it was noted last, and since when a station waits.
    demand: Vec<(Demand, Option<Instant>)>,
    available: TimeWeighted,
    queue: TimeWeighted,
    curves: Option<Curves>,
}

struct Curves {
    /// Ticks to a point.
    width: f64,
    available: Spans,
    used: Spans,
    waiting: Vec<Spans>,
}

impl Tally {
    pub(super) fn new(pool: &Pool) -> Self {
        let stations = pool.stations.len();
        let nothing = TimeWeighted::new(Instant::ZERO, 0.0);
        let spans = || Spans::new(pool.points);
        Self {
            users: vec![Use::default(); stations],
            preemptions: 0,
            evictions: 0,
            kills: 0,
            commands: 0,
            demand: vec![(Demand::default(), None); stations],
            available: nothing,
            queue: nothing,
            curves: (pool.points > 0).then(|| Curves {
                width: pool.span.ticks() as f64 / pool.points as f64,
                available: spans(),
                used: spans(),
                waiting: (0..stations).map(|_| spans()).collect(),
            }),
        }
    }

    /// One processor more is available, or less.
    pub(super) fn available(&mut self, now: Instant, change: f64) {
        self.available.set(now, self.available.value() + change);
        if let Some(curves) = &mut self.curves {
            curves.available.step(now.ticks() as f64 / curves.width, change);
        }
    }

    /// One processor more has a job, or less.
    pub(super) fn used(&mut self, now: Instant, change: f64) {
        if let Some(curves) = &mut self.curves {
            curves.used.step(now.ticks() as f64 / curves.width, change);
        }
    }

    /// Takes note of what stations want and hold from now on.
    pub(super) fn note(&mut self, now: Instant, demand: &[Demand]) {
        let mut queued = 0.0;
        for (station, (noted, present)) in self.demand.iter_mut().zip(demand).enumerate() {
            let (before, since) = noted;
            if before == present {
                continue;
            }
            let more = f64::from(present.wants) - f64::from(before.wants);
            queued += more;
            if let Some(curves) = &mut self.curves {
                curves.waiting[station].step(now.ticks() as f64 / curves.width, more);
            }
            let waits = present.wants > 0 && present.holds == 0;
            if waits != since.is_some() {
                self.users[station].wait += since.map_or(0.0, |since| seconds(since, now));
                *since = waits.then_some(now);
            }
            *before = *present;
        }
        if queued != 0.0 {
            self.queue.set(now, self.queue.value() + queued);
        }
    }

    /// What came of it all at `end`.
    pub(super) fn outcome(mut self, end: Instant) -> Outcome {
        for (user, (_, since)) in self.users.iter_mut().zip(&self.demand) {
            user.wait += since.map_or(0.0, |since| seconds(since, end));
        }
        let span = end.ticks() as f64;
        Outcome {
            span,
            users: self.users,
            available: self.available.mean(end).unwrap_or(0.0) * span,
            mean_queue: self.queue.mean(end).unwrap_or(0.0),
            preemptions: self.preemptions,
            evictions: self.evictions,
            kills: self.kills,
            commands: self.commands,
            points: self.curves.map_or_else(Vec::new, Curves::points),
        }
    }
}

impl Curves {
    fn points(self) -> Vec<Point> {
        let waiting: Vec<Vec<f64>> = self.waiting.iter().map(Spans::means).collect();
        let levels = self.available.means().into_iter().zip(self.used.means());
        let point = |(index, (available, used)): (usize, (f64, f64))| Point {
            at: index as f64 * self.width,
            available,
            used,
            waiting: waiting.iter().map(|station| station[index]).collect(),
        };
        levels.enumerate().map(point).collect()
    }
}

/// The time from one instant to a later one.
pub(super) fn seconds(from: Instant, to: Instant) -> f64 {
    to.since(from).map_or(0.0, |span| span.ticks() as f64)
}

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
    /// Since when a processor is free that somebody wants.
    spare_since: Option<Instant>,
    /// The longest time for which one was.
    longest_spare: f64,
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
    held: Vec<Spans>,
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
            spare_since: None,
            longest_spare: 0.0,
            available: nothing,
            queue: nothing,
            curves: (pool.points > 0).then(|| Curves {
                width: pool.span.ticks() as f64 / pool.points as f64,
                available: spans(),
                used: spans(),
                waiting: (0..stations).map(|_| spans()).collect(),
                held: (0..stations).map(|_| spans()).collect(),
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

    /// Takes note of what stations want and hold, and how many processors are free, from now on.
    pub(super) fn note(&mut self, now: Instant, demand: &[Demand], free: u32) {
        let mut queued = 0.0;
        for (station, (noted, present)) in self.demand.iter_mut().zip(demand).enumerate() {
            let (before, since) = noted;
            if before == present {
                continue;
            }
            let more = f64::from(present.wants) - f64::from(before.wants);
            queued += more;
            if let Some(curves) = &mut self.curves {
                let at = now.ticks() as f64 / curves.width;
                curves.waiting[station].step(at, more);
                let held = f64::from(present.holds) - f64::from(before.holds);
                curves.held[station].step(at, held);
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
        self.note_spare(now, free > 0 && self.queue.value() > 0.0);
    }

    fn note_spare(&mut self, now: Instant, is_spare: bool) {
        if is_spare == self.spare_since.is_some() {
            return;
        }
        let spell = self.spare_since.map_or(0.0, |since| seconds(since, now));
        self.longest_spare = self.longest_spare.max(spell);
        self.spare_since = is_spare.then_some(now);
    }

    /// What came of it all at `end`.
    pub(super) fn outcome(mut self, end: Instant) -> Outcome {
        self.note_spare(end, false);
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
            longest_spare: self.longest_spare,
            commands: self.commands,
            points: self.curves.map_or_else(Vec::new, Curves::points),
        }
    }
}

impl Curves {
    fn points(self) -> Vec<Point> {
        let waiting: Vec<Vec<f64>> = self.waiting.iter().map(Spans::means).collect();
        let held: Vec<Vec<f64>> = self.held.iter().map(Spans::means).collect();
        let levels = self.available.means().into_iter().zip(self.used.means());
        let point = |(index, (available, used)): (usize, (f64, f64))| Point {
            at: index as f64 * self.width,
            available,
            used,
            waiting: waiting.iter().map(|station| station[index]).collect(),
            held: held.iter().map(|station| station[index]).collect(),
        };
        levels.enumerate().map(point).collect()
    }
}

/// The time from one instant to a later one.
pub(super) fn seconds(from: Instant, to: Instant) -> f64 {
    to.since(from).map_or(0.0, |span| span.ticks() as f64)
}

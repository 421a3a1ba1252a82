//! What was given up since the line was last compressed. Nothing else can bring a job forward: its
//! earliest start was looked for then, and since then all other PEs have stayed busy or become so.

use crate::image::{BadImage, Stored};
use crate::reserve::Interval;
use crate::sort;
use crate::time::Instant;

/// How many intervals are told apart.
const MOST: usize = 4;

/// Intervals that cover all in which PEs were given up, by start, each with the most PEs that were
/// free then at a time of it. Where they are more than can be told apart, one is joined with the
/// nearest and the time between: that costs time and changes nothing.
#[derive(Clone, Copy, Debug)]
pub(super) struct FreedIntervals([(Interval, u32); MOST]);

impl FreedIntervals {
    pub(super) const NONE: Self = Self([(Interval::NEVER, 0); MOST]);

    /// All of time: for a job that was not looked at the last time.
    pub(super) const ALL: Self = {
        let mut all = Self::NONE;
        all.0[0] = (Interval::ALWAYS, u32::MAX);
        all
    };

    /// Adds an interval in which at most so many PEs are free at a time.
    pub(super) fn add(&mut self, at: Interval, pes: u32) {
        let Some((nearest, most)) = self.0.iter_mut().min_by_key(|it| distance(&it.0, &at)) else {
            return;
        };
        *most = pes.max(*most);
        if !is_none(nearest) && nearest.start <= at.start {
            nearest.end = nearest.end.max(at.end);
            return;
        }
        let end = if is_none(nearest) { at.end } else { nearest.end.max(at.end) };
        *nearest = Interval { start: at.start, end };
        sort::sort_backwards(&mut self.0, |(a, _), (b, _)| a.start > b.start);
    }

    /// Where so many PEs may be free before an instant, by start. One that is not in use has none.
    pub(super) fn intervals(&self, pes: u32, before: Instant) -> impl Iterator<Item = Interval> {
        let room = move |it: &&(Interval, u32)| it.1 >= pes && it.0.start < before;
        self.0.iter().filter(room).map(|(at, _)| *at)
    }
}

impl Stored for FreedIntervals {
    fn store(&self, put: &mut impl FnMut(u32)) {
        for (at, pes) in &self.0 {
            at.store(put);
            put(*pes);
        }
    }

    fn load(take: &mut impl FnMut() -> Result<u32, BadImage>) -> Result<Self, BadImage> {
        let mut freed = Self::NONE;
        for (at, pes) in &mut freed.0 {
            *at = Stored::load(take)?;
            *pes = take()?;
        }
        Ok(freed)
    }
}

fn is_none(at: &Interval) -> bool {
    at.end <= at.start
}

/// The time between two intervals; a place that is not in use is nearer than all that do not touch.
fn distance(it: &Interval, at: &Interval) -> u64 {
    if is_none(it) {
        return 1;
    }
    let (end, start) = (it.end.min(at.end), it.start.max(at.start));
    match start.ticks().saturating_sub(end.ticks()) {
        0 => 0,
        between => between.saturating_add(1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    extern crate std;
    use std::vec::Vec;

    fn at(start: u64, end: u64) -> Interval {
        Interval { start: Instant::from_ticks(start), end: Instant::from_ticks(end) }
    }

    #[test]
    fn whatever_is_given_up_is_covered_and_little_else() {
        let mut freed = FreedIntervals::NONE;
        let kept =
            |freed: &FreedIntervals, pes| freed.intervals(pes, Instant::MAX).collect::<Vec<_>>();
        assert_eq!(kept(&freed, 1), []);
        for (start, end) in [(50, 60), (10, 20), (55, 70), (20, 25), (90, 91), (200, 300)] {
            freed.add(at(start, end), 1);
        }
        assert_eq!(kept(&freed, 1), [at(10, 25), at(50, 70), at(90, 91), at(200, 300)]);
        let before = |start| freed.intervals(1, Instant::from_ticks(start)).count();
        assert_eq!([10, 11, 90, 91, 201].map(before), [0, 1, 2, 3, 4]);
        // No room for a fifth: it joins the nearest.
        freed.add(at(94, 95), 7);
        assert_eq!(kept(&freed, 1).get(2), Some(&at(90, 95)));
        assert_eq!(kept(&freed, 7), [at(90, 95)]);
        assert_eq!(kept(&freed, 8), []);
        freed.add(at(0, 1000), 9);
        assert_eq!(kept(&freed, 9), [at(0, 1000)]);
        assert_eq!(kept(&FreedIntervals::ALL, u32::MAX), [Interval::ALWAYS]);
    }
}

//! Which places the first jobs in line are promised, and for how long each of these promises is the last word.

use super::OutageQueue;
use crate::machine::Place;
use locox::time::Instant;
use std::collections::BTreeMap;

/// The start and the place that a job was promised for a while.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PromisedPlace {
    /// When that was promised.
    pub from: Instant,
    /// When another start or place was promised, or none, or the job started.
    pub until: Instant,
    /// The promised start.
    pub start: Instant,
    /// The promised place.
    pub place: Place,
}

/// Follows the promised places of so many jobs, the first in line.
///
/// - `seen` has those of the jobs that wait. What is promised now is open: it lasts until the end of time.
#[derive(Clone, Default)]
pub(super) struct PlaceWatch {
    most: usize,
    seen: BTreeMap<u32, Vec<PromisedPlace>>,
}

impl PlaceWatch {
    pub(super) fn new(most: usize) -> Self {
        Self { most, ..Self::default() }
    }

    /// The queue has decided that nobody else starts now.
    pub(super) fn look(&mut self, now: Instant, queue: &(impl OutageQueue + ?Sized)) {
        if self.most == 0 {
            return;
        }
        let Self { most, seen } = self;
        seen.values_mut().for_each(|seen| close(seen, now));
        queue.promised_places(*most, &mut |job, start, spot| {
            let Some(place) = Place::of(spot) else { return };
            let seen = seen.entry(job).or_default();
            match seen.last_mut() {
                Some(last) if (last.until, last.start, &last.place) == (now, start, &place) => {
                    last.until = Instant::MAX;
                }
                _ => seen.push(PromisedPlace { from: now, until: Instant::MAX, start, place }),
            }
        });
    }

    /// A job starts; what it was promised.
    pub(super) fn start(&mut self, now: Instant, job: usize) -> Vec<PromisedPlace> {
        let mut seen = self.seen.remove(&(job as u32)).unwrap_or_default();
        close(&mut seen, now);
        seen
    }
}

fn close(seen: &mut [PromisedPlace], now: Instant) {
    if let Some(last) = seen.last_mut() {
        last.until = last.until.min(now);
    }
}

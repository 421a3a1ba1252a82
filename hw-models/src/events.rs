//! The next event.

use locox::time::Instant;
use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;

/// Events that are to happen, the next one first.
///
/// Scheduling and taking cost O(log n).
///
/// ```
/// use locox::time::Instant;
/// use locox_models::events::EventQueue;
/// let mut events = EventQueue::new();
/// events.schedule(Instant::from_ticks(7), "second");
/// events.schedule(Instant::from_ticks(7), "third");
/// events.schedule(Instant::from_ticks(3), "first");
/// let order: Vec<_> = std::iter::from_fn(|| events.take()).map(|(_, event)| event).collect();
/// assert_eq!(order, ["first", "second", "third"]);
/// assert_eq!(events.now(), Instant::from_ticks(7));
/// ```
///
/// # Invariants
///
/// - Events at one instant come out in the order in which they were scheduled.
/// - The clock, [`EventQueue::now`], is the instant of the event taken last; nothing is scheduled
///   before it.
#[derive(Clone, Debug)]
pub struct EventQueue<T> {
    heap: BinaryHeap<Reverse<Entry<T>>>,
    scheduled: u64,
    now: Instant,
}

#[derive(Clone, Debug)]
struct Entry<T> {
    at: Instant,
    sequence: u64,
    event: T,
}

impl<T> EventQueue<T> {
    /// No event, and the clock at zero.
    pub const fn new() -> Self {
        Self { heap: BinaryHeap::new(), scheduled: 0, now: Instant::ZERO }
    }

    /// Adds an event.
    ///
    /// # Panics
    ///
    /// If `at` has passed: a model that changes the past is wrong.
    pub fn schedule(&mut self, at: Instant, event: T) {
        assert!(at >= self.now, "an event at {at:?} is scheduled at {:?}", self.now);
        self.heap.push(Reverse(Entry { at, sequence: self.scheduled, event }));
        self.scheduled += 1;
    }

    /// The instant of the next event.
    pub fn next_at(&self) -> Option<Instant> {
        self.heap.peek().map(|entry| entry.0.at)
    }

    /// Takes the next event and moves the clock to it.
    pub fn take(&mut self) -> Option<(Instant, T)> {
        let Reverse(entry) = self.heap.pop()?;
        self.now = entry.at;
        Some((entry.at, entry.event))
    }

    /// Drops the events for which `keep` is false. Cost: O(n).
    pub fn retain(&mut self, mut keep: impl FnMut(&T) -> bool) {
        self.heap.retain(|entry| keep(&entry.0.event));
    }

    /// The instant of the event taken last.
    pub const fn now(&self) -> Instant {
        self.now
    }

    /// Events still to come.
    pub fn len(&self) -> usize {
        self.heap.len()
    }

    /// Whether nothing is to come.
    pub fn is_empty(&self) -> bool {
        self.heap.is_empty()
    }
}

impl<T> Default for EventQueue<T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T> Ord for Entry<T> {
    fn cmp(&self, other: &Self) -> Ordering {
        (self.at, self.sequence).cmp(&(other.at, other.sequence))
    }
}

impl<T> PartialOrd for Entry<T> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<T> PartialEq for Entry<T> {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl<T> Eq for Entry<T> {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thousand_events_come_out_by_time_and_then_by_order_of_scheduling() {
        let mut events = EventQueue::new();
        let mut expected: Vec<(u64, u64)> = (0..1000).map(|n| (n * 7919 % 13, n)).collect();
        for &(at, n) in &expected {
            events.schedule(Instant::from_ticks(at), n);
        }
        expected.sort_unstable();
        let taken: Vec<_> =
            std::iter::from_fn(|| events.take()).map(|(at, n)| (at.ticks(), n)).collect();
        assert_eq!(taken, expected);
        assert!(events.is_empty());
    }

    #[test]
    fn events_that_are_dropped_do_not_happen_and_the_others_keep_their_order() {
        let mut events = EventQueue::new();
        (0..20).for_each(|n| events.schedule(Instant::from_ticks(n / 4), n));
        events.retain(|n| n % 3 != 0);
        let taken = std::iter::from_fn(|| events.take()).map(|(_, n)| n);
        assert!(taken.eq((0..20).filter(|n| n % 3 != 0)));
    }

    #[test]
    #[should_panic = "is scheduled at"]
    fn the_past_cannot_be_changed() {
        let mut events = EventQueue::new();
        events.schedule(Instant::from_ticks(5), ());
        events.take();
        events.schedule(Instant::from_ticks(4), ());
    }
}

//! What is on its way for a fixed time.

use std::collections::VecDeque;

/// A line of so many cycles.
///
/// - Things arrive in the order in which they were put in, so the front is due first.
pub(super) struct Line<T> {
    cycles: u64,
    under_way: VecDeque<(u64, T)>,
}

impl<T> Line<T> {
    pub(super) fn new(cycles: u64) -> Self {
        Self { cycles, under_way: VecDeque::new() }
    }

    pub(super) fn put(&mut self, now: u64, thing: T) {
        self.under_way.push_back((now + self.cycles, thing));
    }

    /// The next thing that has arrived by now.
    pub(super) fn take(&mut self, now: u64) -> Option<T> {
        self.under_way.pop_front_if(|(due, _)| *due <= now).map(|(_, thing)| thing)
    }
}

//! Candidate starts: a window of the length of a request that moves from one to the next.
//!
//! Rule, from Li et al., section 4.2: the candidates are the ready time, the latest start that
//! keeps the deadline, and in between the time of every slot and every such time less the
//! duration. Two cursors, for the start and for the end of the window, find them in order.

use super::request::Placement;
use super::search::Ask;
use super::slots::{At, Slots};

/// An interval, such as one of the duration of a request.
#[derive(Clone, Copy, Debug)]
pub(super) struct Window {
    pub(super) start: u64,
    pub(super) end: u64,
    /// The slot that the start lies in.
    pub(super) head: At,
    /// The slot that the end lies in.
    pub(super) tail: At,
}

impl Slots<'_> {
    /// The window at `start`, which lies in the slot `head`.
    pub(super) fn window(&self, start: u64, head: At, ask: &Ask) -> Window {
        let end = start.saturating_add(ask.duration);
        Window { start, end, head, tail: self.locate_from(head, end) }
    }

    /// An interval, without what lies in the past.
    pub(super) fn interval(&self, at: Placement) -> Window {
        let (start, end) = (at.start.ticks().max(self.now()), at.end.ticks());
        let head = self.locate(start);
        Window { start, end, head, tail: self.locate_from(head, end) }
    }

    /// Moves a window to the next candidate; false if it was at the last one.
    pub(super) fn step(&self, window: &mut Window, ask: &Ask) -> bool {
        let (after_head, after_tail) = (self.next(window.head), self.next(window.tail));
        let by_head = after_head.map_or(u64::MAX, |at| self.time(at));
        let by_tail = after_tail.map_or(u64::MAX, |at| self.time(at).wrapping_sub(ask.duration));
        let by_deadline = if ask.has_deadline { ask.latest } else { u64::MAX };
        let next = by_head.min(by_tail).min(by_deadline);
        if next > ask.latest || window.start >= ask.latest {
            return false;
        }
        window.start = next;
        window.end = next.saturating_add(ask.duration);
        if let Some(at) = after_head.filter(|_| by_head == next) {
            window.head = at;
        }
        if let Some(at) = after_tail.filter(|_| by_tail == next) {
            window.tail = at;
        }
        true
    }

    /// Behind the last slot of a window.
    pub(super) fn behind(&self, window: &Window) -> At {
        if self.time(window.tail) == window.end { window.tail } else { window.tail.after() }
    }
}

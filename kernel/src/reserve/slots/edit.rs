//! Changes to the slots of a timeline: PEs become busy or free for an interval, time moves on.

use super::find::Window;
use super::layout::LeafSlot;
use super::leaves::{Border, SlotsMut};
use super::pes::{Change, Pes};
use crate::reserve::refusal::Misuse;
use crate::reserve::request::Interval;
use crate::time::Instant;

impl<const IDENTITY: bool> SlotsMut<'_, IDENTITY> {
    /// Makes PEs busy (or free) for an interval; for good if it ends at the end of time. They must
    /// be free (busy) all through. What lies in the past is left out, which what is for good never does:
    /// there is a present at the end of time too.
    pub(crate) fn change(&mut self, at: Interval, change: Change<'_>) {
        let for_good = at.end == Instant::MAX;
        if at.end.ticks() <= self.view().now() && !for_good {
            return;
        }
        let window = self.view().interval(at);
        if !for_good {
            return self.change_window(&window, change);
        }
        let mut head = window.head;
        let from = self.open(window.head, window.start, &mut head);
        let last = self.view().last();
        self.cover(from.at, last.after(), change);
        self.close_repeated(from, &mut from.at.clone());
    }

    /// The same if it is known where the interval lies, and that it ends some time.
    pub(crate) fn change_window(&mut self, window: &Window, change: Change<'_>) {
        let Window { start, end, mut head, tail } = *window;
        debug_assert!(self.view().now() <= start && start < end, "an interval yet to come");
        let mut to = self.open(tail, end, &mut head);
        let mut from = self.open(head, start, &mut to.at);
        self.cover(from.at, to.at, change);
        self.close_repeated(to, &mut from.at);
        self.close_repeated(from, &mut from.at.clone());
    }

    /// Takes out a border of a change that says the same as the slot before it.
    fn close_repeated(&mut self, border: Border, earlier: &mut LeafSlot) {
        if !border.is_new && self.view().repeats(border.at) {
            self.close(border.at, earlier);
        }
    }

    /// Without identity: moves what is held from one interval to another that begins earlier. The time
    /// that is in both stays as it is.
    pub(crate) fn bring_forward(&mut self, from: Interval, to: Interval, pes: Pes<'_>) {
        let (left, reached) = (from.start.max(to.end), from.start.min(to.end));
        self.change(Interval { start: left, ..from }, Change::Vacate(pes));
        self.change(Interval { end: reached, ..to }, Change::Occupy(pes));
    }

    /// Moves the present forward to `now`, and drops what has passed.
    pub(crate) fn advance(&mut self, now: Instant) -> Result<(), Misuse> {
        let at = self.view().slot_of(now)?;
        if at != self.view().start() {
            self.drop_before(at);
        }
        self.set_present(now.ticks());
        Ok(())
    }
}

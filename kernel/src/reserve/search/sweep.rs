//! A flat timeline is swept: it has few slots, and there it costs less to try one start after the other,
//! by the rows of its window, than to find out where to leap.
//!
//! Cost: for each slot up to the start found the rows of its window.

use super::super::choice::Mask;
use super::super::slots::{At, Slots, tables};
use super::ask::Ask;
use super::{Fit, Start};
use crate::bits::Word;

impl<const IDENTITY: bool> Slots<'_, IDENTITY> {
    /// The first start from one on, at which enough of the PEs that `mask` allows are free; these are
    /// left in `free`. If it is to be the one with the `most`, it goes on for one PE more after each,
    /// and what is in `free` is of no use.
    pub(super) fn sweep(
        &self,
        from: Start,
        ask: &Ask,
        most: bool,
        mask: Mask<'_>,
        free: &mut [Word],
    ) -> Option<Fit> {
        let (At { leaf, slot: mut head }, mut start) = from;
        let (mut to, times) = (head, tables::ticks(self.times(leaf), self.len(leaf)));
        let (mut found, mut wanted) = (None, ask.pes);
        while start <= ask.latest {
            let end = start.wrapping_add(ask.duration);
            while times.get(to).is_some_and(|tick| tables::value(tick) < end) {
                to = to.wrapping_add(1);
            }
            let pes = self.free_between(leaf.slot(head), leaf.slot(to), mask, free);
            if pes >= wanted && mask.is_met(free) {
                found = Some(Fit { head: leaf.slot(head), start, pes });
                if !most {
                    break;
                }
                wanted = pes.wrapping_add(1);
            }
            head = head.wrapping_add(1);
            let Some(tick) = times.get(head) else { break };
            start = tables::value(tick);
        }
        found
    }
}

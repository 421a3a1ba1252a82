//! The earliest fit: the first instant from which enough PEs are free, the same ones all through.
//!
//! Rules: a start is the ready time or the time of a slot, for only there PEs become free. The
//! search leaps. A slot with too few free PEs inside the window moves the start to the first slot
//! after it that has enough. Where all counts suffice, the sets are intersected from the end of
//! the window backwards; the slot at which too few PEs are left rules out every start up to it.
//!
//! Cost: each leap passes over leaves by their least and greatest counts, and over leaves inside
//! the window by the union of their rows. Source of the idea of a slot list: Li et al., section
//! 4; unlike there, no list of candidates is made, and the answer is the true earliest one.

use super::choice::{Choice, FreePes};
use super::request::Placement;
use super::slots::{At, Slots};
use crate::bits::Word;
use crate::bits::algebra;

/// A request that has passed the first checks.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ask {
    /// At least the present.
    pub(super) ready: u64,
    pub(super) duration: u64,
    /// The latest start; `latest + duration` is an instant.
    pub(super) latest: u64,
    /// Whether the latest start follows from a deadline, and so is a candidate.
    pub(super) has_deadline: bool,
    /// At most the PEs of the machine.
    pub(super) pes: u32,
    /// From here on the PEs need not be free: by counts alone, they are the asker's already.
    pub(super) until: u64,
}

impl Slots<'_> {
    /// The earliest start of `ask`; `free` is left with the PEs chosen.
    pub(super) fn earliest(
        &self,
        ask: &Ask,
        choice: &dyn Choice,
        free: &mut [Word],
    ) -> Option<u64> {
        let (mut head, mut start) = (self.locate(ask.ready), ask.ready);
        loop {
            (head, start) = self.leap(head, start, ask)?;
            let after = match self.narrow(head, start.wrapping_add(ask.duration), ask.pes, free) {
                Ok(_) if self.choose(choice, free, ask.pes) => return Some(start),
                Ok(_) => head,
                Err(fails) => fails,
            };
            head = self.next(after)?;
            start = self.time(head);
        }
    }

    /// By counts: where a reservation of `pes` PEs at `own` could go that starts earlier. From its
    /// start on it has the PEs already, so they need only be free until then.
    pub(super) fn earlier(&self, own: Placement, pes: u32) -> Option<Placement> {
        let (now, start) = (self.now(), own.start.ticks());
        let duration = own.end.since(own.start)?.ticks();
        let latest = start.checked_sub(1).filter(|&latest| latest >= now)?;
        let ask = Ask { ready: now, duration, latest, has_deadline: true, pes, until: start };
        let (_, start) = self.leap(self.start(), now, &ask)?;
        Some(ask.placed(start))
    }

    /// Keeps the PEs of `free` that `choice` takes. Without identity there is no choice.
    pub(super) fn choose(&self, choice: &dyn Choice, free: &mut [Word], pes: u32) -> bool {
        if self.layout.row == 0 {
            return true;
        }
        FreePes::new(free, self.layout.pes)
            .is_some_and(|mut free| choice.choose(&mut free, pes) && free.count() == pes)
    }

    /// Makes `free` the PEs free from the slot `head` until `end`, and returns how many they are.
    ///
    /// # Errors
    ///
    /// Fewer than `pes` are: the last slot that every window of this length with so many free PEs
    /// must leave behind. `free` is of no use then.
    pub(super) fn narrow(
        &self,
        head: At,
        end: u64,
        pes: u32,
        free: &mut [Word],
    ) -> Result<u32, At> {
        if self.layout.row == 0 {
            return Ok(self.layout.pes);
        }
        let to = self.locate_from(head, end.wrapping_sub(1)).after();
        free.fill(0);
        self.unite_between(head, to, free);
        let left = algebra::complement(free, self.layout.pes);
        if left >= pes { Ok(left) } else { Err(self.blocking(head, to, pes, free)) }
    }

    /// Adds to `busy` the PEs busy in a slot from `head` up to but not including `to`.
    pub(super) fn unite_between(&self, head: At, to: At, busy: &mut [Word]) {
        for place in head.leaf.place..=to.leaf.place {
            let Some((from, end)) = self.part_of_leaf(place, head, to) else { continue };
            let leaf = from.leaf;
            algebra::unite(busy, self.mask(leaf));
            let union = self.union(leaf);
            if from.slot == 0 && end == self.len(leaf) && !union.is_empty() {
                algebra::unite(busy, union);
            } else {
                algebra::unite_rows(busy, self.rows_between(from, end));
            }
        }
    }

    /// The last slot from `head` up to but not including `to` from which on fewer than `pes` are
    /// free until the end; `head` if none is.
    pub(super) fn blocking(&self, head: At, to: At, pes: u32, free: &mut [Word]) -> At {
        free.fill(0);
        let mut left = algebra::complement(free, self.layout.pes);
        for place in (head.leaf.place..=to.leaf.place).rev() {
            let Some((from, end)) = self.part_of_leaf(place, head, to) else { continue };
            let leaf = from.leaf;
            left = left.wrapping_sub(algebra::take(free, self.mask(leaf)));
            let union = self.union(leaf);
            let whole = from.slot == 0 && end == self.len(leaf) && !union.is_empty();
            if whole && left.wrapping_sub(algebra::count_common(free, union)) >= pes {
                left = left.wrapping_sub(algebra::take(free, union));
                continue;
            }
            for slot in (from.slot..end).rev() {
                let at = leaf.slot(slot);
                left = left.wrapping_sub(algebra::take(free, self.own_row(at)));
                if left < pes {
                    return at;
                }
            }
        }
        head
    }
}

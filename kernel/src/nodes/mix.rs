//! The mix of requests for which *fewest lost* keeps room.
//!
//! A node's *worth* is what it could still give away of one quantity, such as GPUs: the sum over all kinds of requests in the mix. Each
//! kind, if it were alone, could use what is free of that quantity, and no more than the other quantities are enough for; if not one such
//! request fits, nothing. How often a kind came does not count.
//!
//! Found by trying rules on the tasks of a public trace (`docs/guide/nodes.md` has the table). The idea to look at what can no longer be given
//! away is that of Weng and others, *Beware of Fragmentation*, USENIX ATC 2023.

use super::amounts::Amounts;
use super::request::NodeRequest;
use super::row::{Devices, Row};
use crate::slices::edit;

/// How much of what counts is used for each unit of a quantity: `times` / 2^`bits`, rounded down.
#[derive(Clone, Copy, Debug)]
struct Rate {
    times: u32,
    bits: u32,
}

impl Rate {
    const NONE: Self = Self { times: 0, bits: 0 };

    /// So much with so much, which is not nothing.
    fn new(used: u32, with: u32) -> Self {
        let rate = (u64::from(used) << 32).checked_div(with.into()).unwrap_or(0);
        let less = (u64::BITS >> 1).saturating_sub(rate.leading_zeros());
        Self { times: rate.wrapping_shr(less) as u32, bits: (u64::BITS >> 1).wrapping_sub(less) }
    }

    fn of(self, free: u32) -> u64 {
        u64::from(free).wrapping_mul(self.times.into()).wrapping_shr(self.bits)
    }
}

/// Requests that are alike.
#[derive(Clone, Copy, Debug)]
struct Kind {
    /// What they ask for on a node, rounded.
    amounts: Amounts,
    part: u32,
    /// How often they came, or others in whose place they are.
    count: u32,
    rates: [Rate; Amounts::MOST],
}

/// The kinds of requests that came.
// Invariants of the fields:
//
// - The first `used` of the kinds differ from each other.
// - `quantity` is what counts. If it is devices that are held in parts, `parts` is of how many each, and else 0.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mix {
    quantity: usize,
    parts: u32,
    kinds: [Kind; Self::KINDS],
    used: usize,
}

impl Mix {
    /// The most kinds that are told apart.
    pub(super) const KINDS: usize = 32;

    /// Of no requests yet, where a quantity counts.
    pub(super) const fn new(quantity: usize, parts: u32) -> Self {
        let rates = [Rate::NONE; Amounts::MOST];
        let none = Kind { amounts: Amounts::NONE, part: 0, count: 0, rates };
        Self { quantity, parts, kinds: [none; Self::KINDS], used: 0 }
    }

    /// Counts a request. One of a new kind takes the place of the one that came least often, if there is no other, and is taken
    /// to have come as often, as in Metwally's *space saving* (2005). A request for more quantities than nodes have does not count:
    /// their rows do not say that they have nothing of these.
    pub(super) fn learn(&mut self, of: &NodeRequest<'_>, quantities: usize) {
        let part = if self.parts > 0 { of.part } else { 0 };
        let whole = of.amounts.get(self.quantity).saturating_mul(self.parts.max(1));
        let used = whole.saturating_add(part);
        if used == 0 || of.amounts.used() > quantities {
            return;
        }
        let amounts = of.amounts.rounded(self.quantity);
        let known = self.kinds.iter().take(self.used);
        if let Some(at) = known.clone().position(|it| it.amounts == amounts && it.part == part) {
            edit(&mut self.kinds, at as u32, |it| it.count = it.count.saturating_add(1));
            return;
        }
        let at = match self.used < Self::KINDS {
            true => self.used,
            false => known.enumerate().min_by_key(|(_, it)| it.count).map_or(0, |(at, _)| at),
        };
        self.used = self.used.max(at.wrapping_add(1));
        let rates = amounts.all().map(|each| Rate::new(used, each));
        edit(&mut self.kinds, at as u32, |it| {
            *it = Kind { amounts, part, rates, count: it.count.saturating_add(1) };
        });
    }

    /// By how much less a node is worth once its row is another one, which has no more of anything; `None` if that is more than
    /// `most`.
    pub(super) fn lost(&self, row: &Row<'_>, left: &Row<'_>, most: u64) -> Option<u64> {
        let (before, after) = (self.free(row), self.free(left));
        let mut lost = 0u64;
        for kind in self.kinds.iter().take(self.used) {
            let used = before.usable(kind);
            if used > 0 {
                lost = lost.wrapping_add(used.saturating_sub(after.usable(kind)));
                if lost > most {
                    return None;
                }
            }
        }
        Some(lost)
    }

    fn free<'m>(&self, row: &Row<'m>) -> Free<'m> {
        let whole = row.free.get(self.quantity).copied().unwrap_or(0);
        let whole = u64::from(whole).wrapping_mul(self.parts.max(1).into());
        let mut open = heapless::Vec::new();
        // There is room for all that a node may have.
        let parts = row.parts.iter().filter(|it| **it > 0 && **it < self.parts);
        parts.for_each(|it| _ = open.push(*it));
        Free { amounts: row.free, whole, open }
    }
}

/// What is free on a node.
struct Free<'m> {
    amounts: &'m [u32],
    /// Of what counts, as a whole.
    whole: u64,
    /// Of each device of which others have parts.
    open: heapless::Vec<u32, { Devices::MOST as usize }>,
}

impl Free<'_> {
    /// How much of what counts can be used for a kind.
    fn usable(&self, kind: &Kind) -> u64 {
        let mut least = self.whole;
        if kind.part > 0 {
            let open = self.open.iter().filter(|it| **it >= kind.part);
            least = open.fold(least, |sum, it| sum.wrapping_add(u64::from(*it)));
        }
        for ((&free, &each), rate) in self.amounts.iter().zip(kind.amounts.all()).zip(&kind.rates) {
            if each > free {
                return 0;
            }
            if each > 0 {
                least = least.min(rate.of(free));
            }
        }
        least
    }
}

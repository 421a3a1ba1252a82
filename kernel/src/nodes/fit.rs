//! Which of the nodes where a request fits it gets.

use super::amounts::Amounts;
use super::machine::{Nodes, within};
use super::place::NodePlace;
use super::request::NodeRequest;
use super::row::Row;
use crate::bits::set_bit;
use crate::slices::put;
use crate::sort::sort_backwards;

/// Which of the nodes where a request fits it gets. Of equals these are the first, and so it is with devices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Placement {
    /// The first.
    First,
    /// *Best fit*: those where the least is left, the sum over all quantities of the share of the most that a node has.
    /// Of devices held in parts the one with the fewest parts free.
    Best,
}

impl<const W: usize> Nodes<'_, W> {
    /// Whether a node has what a place takes of it.
    pub(super) fn has_on(&self, row: &Row<'_>, node: u32, at: &NodePlace<W>) -> bool {
        if at.amounts == Amounts::ALL {
            return self.is_empty(row, &self.has_node(node));
        }
        at.amounts.used() <= self.quantities
            && within(&at.amounts, row.free)
            && (at.part == 0 || self.devices.has(row, at.part, at.device, &at.amounts))
    }

    /// Whether nobody has anything of a node.
    fn is_empty(&self, row: &Row<'_>, has: &Amounts) -> bool {
        row.free == has.all().get(..self.quantities).unwrap_or_default()
            && row.parts.iter().copied().eq(self.devices.full(has))
    }

    /// Whether a request fits on a node, and with which device; how well, where less is better.
    fn fit(&self, row: &Row<'_>, class: u8, of: &NodeRequest<'_>) -> Option<(u64, u32)> {
        if !within(&of.amounts, row.free) {
            return None;
        }
        if of.exclusive && !self.is_empty(row, self.classes.get(usize::from(class))?) {
            return None;
        }
        let device = if of.part > 0 { self.device(row, of)? } else { 0 };
        let score = match self.placement {
            Placement::First => 0,
            Placement::Best => self.left_over(row, of),
        };
        Some((score, device))
    }

    /// The device of which a request gets a part.
    fn device(&self, row: &Row<'_>, of: &NodeRequest<'_>) -> Option<u32> {
        let all = (0..).zip(row.parts);
        let mut fitting = all.filter(|&(at, _)| self.devices.has(row, of.part, at, &of.amounts));
        let (device, _) = match self.placement {
            Placement::First => fitting.next()?,
            Placement::Best => fitting.min_by_key(|&(_, free)| *free)?,
        };
        Some(device)
    }

    /// What would be left of a node: the sum over its quantities of the share of the most that a node has. Of devices of which
    /// others have parts it is what these leave.
    fn left_over(&self, row: &Row<'_>, of: &NodeRequest<'_>) -> u64 {
        let left = row.free.iter().zip(of.amounts.all());
        let shares = left
            .zip(&self.shares)
            .map(|((free, own), share)| share.wrapping_mul(free.saturating_sub(*own).into()));
        let of_parts = row.parts.iter().filter(|it| **it < self.devices.parts);
        let parts = of_parts.fold(0, |sum: u64, it| sum.wrapping_add(u64::from(*it)));
        let share = self.shares.get(self.devices.quantity).copied().unwrap_or(0);
        let share = share.checked_div(self.devices.parts.into()).unwrap_or(0);
        let whole = shares.fold(0, u64::wrapping_add).wrapping_add(parts.wrapping_mul(share));
        whole.saturating_sub(share.wrapping_mul(of.part.into()))
    }

    /// The nodes that a request which names nodes gets.
    pub(super) fn choose(
        &self,
        map: &[u32],
        of: &NodeRequest<'_>,
        room: &mut [u32],
    ) -> Option<NodePlace<W>> {
        if of.amounts.used() > self.quantities {
            return None;
        }
        let allowed = self.rows(map).filter(|&(node, class, _)| of.allows(node, class));
        let mut fitting = allowed.filter_map(|(node, class, row)| {
            let (score, device) = self.fit(&row, class, of)?;
            Some((score, node, device))
        });
        let amounts = if of.exclusive { Amounts::ALL } else { of.amounts };
        let mut place =
            NodePlace { nodes: [0; W], amounts, part: of.part, device: 0, common: of.common };
        if of.most == 1 {
            let best = match self.placement {
                Placement::First => fitting.next(),
                Placement::Best => fitting.min(),
            };
            let (_, node, device) = best?;
            set_bit(&mut place.nodes, 0, node, true);
            return Some(NodePlace { device, ..place });
        }
        let (rows, _) = room.as_chunks_mut::<3>();
        let mut count = 0usize;
        for (score, node, _) in fitting {
            put(rows, count, [(score >> 32) as u32, score as u32, node]);
            count = count.wrapping_add(1);
        }
        if (count as u64) < u64::from(of.least) {
            return None;
        }
        let rows = rows.get_mut(..count).unwrap_or_default();
        sort_backwards(rows, |one, other| one < other);
        for [_, _, node] in rows.iter().rev().take(of.most as usize) {
            set_bit(&mut place.nodes, 0, *node, true);
        }
        Some(place)
    }
}

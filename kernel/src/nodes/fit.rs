//! Which of the nodes where a request fits it gets.

use super::amounts::Amounts;
use super::machine::Nodes;
use super::place::NodePlace;
use super::placement::Placement;
use super::request::NodeRequest;
use super::row::{ROW, Row};
use crate::bits::set_bit;
use crate::slices::put;
use crate::sort::{heapify, pop};

impl<const W: usize> Nodes<'_, W> {
    /// Whether a node has what a place takes of it.
    pub(super) fn has_on(&self, row: &Row<'_>, node: u32, at: &NodePlace<W>) -> bool {
        if at.amounts == Amounts::ALL {
            return self.is_empty(row, &self.has_node(node));
        }
        at.amounts.used() <= self.quantities
            && at.amounts.within(row.free)
            && (at.part == 0 || self.devices.has(row, at.part, at.device, &at.amounts))
    }

    /// Whether nobody has anything of a node.
    fn is_empty(&self, row: &Row<'_>, has: &Amounts) -> bool {
        row.free == has.all().get(..self.quantities).unwrap_or_default()
            && row.parts.iter().copied().eq(self.devices.full(has))
    }

    /// Whether a request fits on a node, but for its part of a device.
    fn is_open(&self, row: &Row<'_>, class: u8, of: &NodeRequest<'_>) -> bool {
        let is_empty = || {
            let has = self.classes.get(usize::from(class));
            has.is_some_and(|has| self.is_empty(row, has))
        };
        of.amounts.within(row.free) && (!of.exclusive || is_empty())
    }

    /// The devices that have the part of one that a request is for, and what is free of each.
    fn devices_for<'m>(
        &self,
        row: &Row<'m>,
        of: &NodeRequest<'_>,
    ) -> impl Iterator<Item = (u32, &'m u32)> {
        let all = (0..).zip(row.parts);
        all.filter(move |&(at, _)| self.devices.has(row, of.part, at, &of.amounts))
    }

    /// Whether a request fits on a node.
    pub(super) fn fits_on(&self, row: &Row<'_>, class: u8, of: &NodeRequest<'_>) -> bool {
        self.is_open(row, class, of) && (of.part == 0 || self.devices_for(row, of).next().is_some())
    }

    /// Whether a request fits on a node, and with which device; how well, where less is better. `None` also if that is more than
    /// `most`.
    fn fit(&self, row: &Row<'_>, class: u8, of: &NodeRequest<'_>, most: u64) -> Option<(u64, u32)> {
        if !self.is_open(row, class, of) {
            return None;
        }
        let devices = || self.devices_for(row, of);
        match (self.placement, of.part) {
            (Placement::First, 0) => Some((0, 0)),
            (Placement::First, _) => Some((0, devices().next()?.0)),
            (Placement::Best, 0) => Some((self.left_over(row, of), 0)),
            (Placement::Best, _) => {
                let (device, _) = devices().min_by_key(|&(_, free)| *free)?;
                Some((self.left_over(row, of), device))
            }
            (Placement::Fewest, 0) => Some((self.lost(row, of, 0, most)?, 0)),
            (Placement::Fewest, _) => {
                let (mut best, mut most, mut last) = (None, most, None);
                for (device, free) in devices() {
                    // Devices that are alike often lie side by side.
                    if last.replace(free) == Some(free) {
                        continue;
                    }
                    if let Some(lost) = self.lost(row, of, device, most)
                        && (best.is_none() || lost < most)
                    {
                        (best, most) = (Some((lost, device)), lost);
                    }
                }
                best
            }
        }
    }

    /// What a node loses by a request, and below that, in 20 bits, what is left of it.
    fn lost(&self, row: &Row<'_>, of: &NodeRequest<'_>, device: u32, most: u64) -> Option<u64> {
        let mut words = if of.exclusive { [0; ROW] } else { row.words() };
        let left = words.get_mut(..self.width())?;
        if !of.exclusive {
            self.take_on(left, &of.amounts, (of.part, device));
        }
        let lost = self.mix.lost(row, &Row::of(left, self.quantities), most >> 20)?;
        Some(lost << 20 | (self.left_over(row, of) >> 24).min((1 << 20) - 1))
    }

    /// What would be left of a node: the sum over its quantities of the share of the most that a node has. Of devices of which
    /// others have parts it is what these leave.
    fn left_over(&self, row: &Row<'_>, of: &NodeRequest<'_>) -> u64 {
        let left = row.free.iter().zip(of.amounts.all());
        let shares = left
            .zip(&self.shares)
            .map(|((free, own), share)| share.wrapping_mul(free.wrapping_sub(*own).into()));
        let whole = shares.fold(0, u64::wrapping_add);
        if row.parts.is_empty() {
            return whole;
        }
        let of_parts = row.parts.iter().filter(|it| **it < self.devices.parts);
        let parts = of_parts.fold(0, |sum: u64, it| sum.wrapping_add(u64::from(*it)));
        let share = self.share_of_part;
        whole
            .wrapping_add(parts.wrapping_mul(share))
            .saturating_sub(share.wrapping_mul(of.part.into()))
    }

    /// How many tasks of a request fit on a node.
    fn tasks_on(&self, row: &Row<'_>, class: u8, of: &NodeRequest<'_>) -> u32 {
        if !self.is_open(row, class, of) {
            return 0;
        }
        let most = row.free.iter().zip(of.amounts.all());
        most.fold(of.tasks, |most, (free, own)| {
            free.checked_div(*own).map_or(most, |it| it.min(most))
        })
    }

    /// A request for tasks as one for nodes: the fewest on which they lie, if they do on any.
    pub(super) fn spread<'n>(
        &self,
        map: &[u32],
        of: &NodeRequest<'n>,
        room: &mut [u32],
    ) -> Option<NodeRequest<'n>> {
        let counts = room.get_mut(..self.nodes() as usize)?;
        let mut most = 0;
        for ((node, class, row), count) in self.rows(map).zip(&mut *counts) {
            *count = if of.allows(node, class) { self.tasks_on(&row, class, of) } else { 0 };
            most = most.max(*count);
        }
        // On fewer nodes some node would have more tasks than fit on any.
        let fewest = of.tasks.saturating_sub(1).checked_div(most)?.saturating_add(1);
        let mut shapes = of.shapes(fewest..=self.nodes());
        shapes.find(|shape| {
            let each = of.tasks.checked_div(shape.least).unwrap_or(0);
            counts.iter().filter(|count| **count >= each).count() >= shape.least as usize
        })
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
        let amounts = if of.exclusive { Amounts::ALL } else { of.amounts };
        let place =
            NodePlace { nodes: [0; W], amounts, part: of.part, device: 0, common: of.common };
        if of.most == 1 {
            return self.choose_one(allowed, of, place);
        }
        let fitting = allowed.filter_map(|(node, class, row)| {
            let (score, _) = self.fit(&row, class, of, u64::MAX)?;
            Some((score, node))
        });
        let (rows, _) = room.as_chunks_mut::<3>();
        let mut count = 0usize;
        let wanted = if self.placement == Placement::First { of.most as usize } else { usize::MAX };
        for (score, node) in fitting.take(wanted) {
            put(rows, count, [(score >> 32) as u32, score as u32, node]);
            count = count.wrapping_add(1);
        }
        if (count as u64) < u64::from(of.least) {
            return None;
        }
        let rows = rows.get_mut(..count).unwrap_or_default();
        // Not as arrays, whose comparison has a panic path.
        let key = |&[high, low, node]: &[u32; 3]| (high, low, node);
        let is_better = |one: &[u32; 3], other: &[u32; 3]| key(one) < key(other);
        heapify(rows, is_better);
        let mut place = place;
        for left in (1..=count).rev().take(of.most as usize) {
            let [_, _, node] = pop(rows.get_mut(..left)?, is_better)?;
            set_bit(&mut place.nodes, 0, node, true);
        }
        Some(place)
    }

    /// The node that a request for one gets.
    fn choose_one<'m>(
        &self,
        allowed: impl Iterator<Item = (u32, u8, Row<'m>)> + Clone,
        of: &NodeRequest<'_>,
        place: NodePlace<W>,
    ) -> Option<NodePlace<W>> {
        let (mut best, mut most) = (None, u64::MAX);
        let mut last = None;
        if self.placement == Placement::Fewest {
            // What the tightest node loses is a bound: most others are given up soon.
            let fits = allowed.clone().filter(|(_, _, row)| of.amounts.within(row.free));
            let tight = fits.min_by_key(|(_, _, row)| self.left_over(row, of));
            let lost = tight.and_then(|(_, class, row)| self.fit(&row, class, of, most));
            most = lost.map_or(most, |(lost, _)| lost);
        }
        for (node, class, row) in allowed {
            // Nodes that are alike often lie side by side.
            if last.replace((row, class)) == Some((row, class)) {
                continue;
            }
            let Some((score, device)) = self.fit(&row, class, of, most) else { continue };
            if best.is_none_or(|_| score < most) && score <= most {
                (best, most) = (Some((node, device)), score);
            }
            // None is better.
            if score == 0 {
                break;
            }
        }
        let (node, device) = best?;
        let mut place = NodePlace { device, ..place };
        set_bit(&mut place.nodes, 0, node, true);
        Some(place)
    }
}

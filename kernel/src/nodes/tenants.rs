//! Who stays on one node, so that a request fits there at the least cost.
//!
//! Jobs are gone through from the costliest on. Each stays, if the request still fits, or leaves, and a way that cannot cost less than the
//! best so far is given up. At most 2^20 ways are tried.
//!
//! Source: worked out for this project; a branch and bound as for the knapsack.

use super::machine::Nodes;
use super::place::NodePlace;
use super::request::NodeRequest;
use super::row::{ROW, Row};
use crate::machine::Stake;
use crate::slices::{put, swap};

/// A job on a node: what it costs that it leaves, and where it stands among the stakes.
pub(super) type Tenant = (u64, u32);

/// Up to so many tenants of a node, the costliest first.
pub(super) struct Tenants {
    all: [Tenant; Tenants::MOST + 1],
    count: usize,
}

impl Tenants {
    /// Among so many the choice is exact.
    pub(super) const MOST: usize = 20;

    pub(super) const NONE: Self = Self { all: [(0, 0); Self::MOST + 1], count: 0 };

    /// Adds one. If these are too many, the costliest is returned and is none of them any more.
    pub(super) fn add(&mut self, own: Tenant) -> Option<Tenant> {
        put(&mut self.all, self.count, own);
        for at in (0..self.count).rev() {
            if self.all.get(at).is_some_and(|it| it.0 >= own.0) {
                break;
            }
            swap(&mut self.all, at, at.wrapping_add(1));
        }
        if self.count < Self::MOST {
            self.count = self.count.wrapping_add(1);
            return None;
        }
        let costliest = *self.all.first()?;
        (0..Self::MOST).for_each(|at| swap(&mut self.all, at, at.wrapping_add(1)));
        Some(costliest)
    }

    pub(super) fn all(&self) -> &[Tenant] {
        self.all.get(..self.count).unwrap_or_default()
    }
}

/// Looks for those who leave a node.
pub(super) struct Search<'s, const W: usize> {
    pub(super) machine: &'s Nodes<'s, W>,
    pub(super) of: &'s NodeRequest<'s>,
    pub(super) class: u8,
    pub(super) stakes: &'s [Stake<NodePlace<W>>],
    /// Whether the first way will do.
    pub(super) first: bool,
    /// The least cost so far.
    pub(super) least: u64,
    /// Who leaves for it, a bit each, that of the last tenant lowest.
    pub(super) leave: u32,
}

impl<const W: usize> Search<'_, W> {
    /// What is free beside a tenant, if the request fits there.
    pub(super) fn beside(&self, words: &[u32; ROW], (_, at): Tenant) -> Option<[u32; ROW]> {
        let mut left = *words;
        let words = left.get_mut(..self.machine.width())?;
        self.machine.take_place(words, &self.stakes.get(at as usize)?.place);
        let row = Row::of(words, self.machine.quantities);
        self.machine.fits_on(&row, self.class, self.of).then_some(left)
    }

    /// Tries the ways for these tenants, where `words` are free beside those who stay, and others leave already.
    pub(super) fn look(&mut self, words: &[u32; ROW], tenants: &[Tenant], lost: u64, leave: u32) {
        if lost.saturating_add(self.bound(words, tenants)) >= self.least {
            return;
        }
        let Some((&costliest, others)) = tenants.split_first() else {
            (self.least, self.leave) = (lost, leave);
            return;
        };
        let before = self.least;
        if let Some(left) = self.beside(words, costliest) {
            self.look(&left, others, lost, leave);
        }
        if !self.first || self.least == before {
            let own = 1u32.wrapping_shl(others.len() as u32);
            self.look(words, others, lost.saturating_add(costliest.0), leave | own);
        }
    }

    /// What it costs at least: these tenants have so much too much of a quantity in all, and nobody more than the one with the most.
    fn bound(&self, words: &[u32; ROW], tenants: &[Tenant]) -> u64 {
        let wanted = self.of.amounts.all().iter().zip(words).enumerate();
        let leaving = wanted.filter(|(_, (own, _))| **own > 0).map(|(quantity, (own, free))| {
            let (mut held, mut most) = (0u64, 1);
            for it in tenants.iter().filter_map(|it| self.stakes.get(it.1 as usize)) {
                let own = it.place.amounts.get(quantity).into();
                (held, most) = (held.wrapping_add(own), own.max(most));
            }
            let too_much = held.saturating_sub(free.saturating_sub(*own).into());
            rounded_up(too_much, most)
        });
        let leaving = leaving.max().unwrap_or(0) as usize;
        tenants.iter().rev().take(leaving).fold(0, |sum: u64, it| sum.saturating_add(it.0))
    }
}

/// A quotient; 0 if the divisor is. `div_ceil` could panic.
pub(super) fn rounded_up(number: u64, divisor: u64) -> u64 {
    let more = divisor.saturating_sub(1);
    number.saturating_add(more).checked_div(divisor).unwrap_or(0)
}

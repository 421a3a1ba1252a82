//! The most urgent level with enough free hosts: version 1 of the source.
//!
//! Source: Turner's thesis (1995), section 6.3: levels are tried from the most urgent one on, and
//! the first at which as many hosts are free as are asked for is taken. Cost: one word operation
//! for 64 hosts and each level, and one step for each host that is picked.
//! When to choose it: as the yardstick. With one level it shares the cluster in space.
//!
//! It breaks its own principle that the first to come is the most urgent. With six hosts and two
//! levels A takes level 0 of four, B takes level 1 of three, perhaps of the two that A left: C
//! then finds level 0 free on those two, above B.
//!
//! Deviations: in the order of their numbers by default, at random as in the source by
//! [`FirstLevel::shuffled`].

use super::{Choice, Order, Placement, Request, Why, check_degree};
use crate::bits::Word;
use crate::timeshare::sets::Set;
use crate::timeshare::{Misuse, PlacementView, Refusal};
use core::marker::PhantomData;

/// Takes the most urgent level at which enough hosts are free.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FirstLevel<D = ()> {
    degree: u8,
    order: PhantomData<D>,
}

impl FirstLevel {
    /// With so many jobs on a host at most.
    pub const fn new(degree: u8) -> Self {
        Self { degree, order: PhantomData }
    }

    /// One that draws lots among free hosts.
    pub const fn shuffled(self) -> FirstLevel<u32> {
        FirstLevel { degree: self.degree, order: PhantomData }
    }
}

impl<D: Order> Placement for FirstLevel<D> {
    type Draw = D;

    fn name(&self) -> &'static str {
        "first-level"
    }

    fn check(&self, levels: u8) -> Result<(), Misuse> {
        check_degree(self.degree, levels)
    }

    fn choose(
        &self,
        view: &mut PlacementView<'_>,
        request: &Request,
        draw: D,
    ) -> Result<Choice, Refusal> {
        view.sets.row_mut(Set::Candidates).fill(Word::MAX);
        pick_first_level(view, self.degree, request.hosts, draw)
    }
}

/// Picks hosts at the first level at which enough candidates are free.
pub(super) fn pick_first_level(
    view: &mut PlacementView<'_>,
    degree: u8,
    hosts: u32,
    draw: impl Order,
) -> Result<Choice, Refusal> {
    let (level, free) =
        view.first_level(degree, hosts).map_err(|most| Refusal::TooFew { free: most })?;
    match draw.lot() {
        None => view.pick_first(hosts),
        Some(draw) => view.pick_drawn(hosts, free, draw),
    }
    Ok(Choice { level: Some(level), why: Why::Level(level) })
}

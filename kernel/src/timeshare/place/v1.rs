//! Version 1: the most urgent level with enough free hosts.
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
//! [`V1::shuffled`].

use super::order::{AtRandom, InOrder, Order};
use super::{Choice, Placement, Request, Why, check_degree};
use crate::timeshare::sets::Set;
use crate::timeshare::{Board, Level, Misuse, Refusal};
use core::marker::PhantomData;

/// Takes the most urgent level at which enough hosts are free.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct V1<O = InOrder> {
    degree: u8,
    order: PhantomData<O>,
}

impl V1 {
    /// With so many jobs on a host at most.
    pub const fn new(degree: u8) -> Self {
        Self { degree, order: PhantomData }
    }

    /// One that draws lots among free hosts.
    pub const fn shuffled(self) -> V1<AtRandom> {
        V1 { degree: self.degree, order: PhantomData }
    }
}

impl<O: Order> Placement for V1<O> {
    type Draw = O::Draw;

    fn name(&self) -> &'static str {
        "v1"
    }

    fn check(&self, levels: u8) -> Result<(), Misuse> {
        check_degree(self.degree, levels)
    }

    fn choose(
        &self,
        board: &mut Board<'_>,
        request: &Request,
        draw: O::Draw,
    ) -> Result<Choice, Refusal> {
        first_level(board, self.degree, None, request.hosts, O::lots(draw))
    }
}

/// Picks hosts at the first level at which enough are free, and in the set `among` if there is one.
pub(super) fn first_level(
    board: &mut Board<'_>,
    degree: u8,
    among: Option<Set>,
    hosts: u32,
    lots: Option<u32>,
) -> Result<Choice, Refusal> {
    let mut most = 0;
    for level in (0..degree).map_while(Level::new) {
        let free = Set::Free(level.number());
        let of = (free, among.unwrap_or(free));
        let count = board.sets.count_common(of.0, of.1);
        if count >= hosts {
            match lots {
                None => board.pick_first(of, hosts),
                Some(draw) => board.pick_drawn(of, hosts, draw),
            }
            return Ok(Choice { level: Some(level), why: Why::Level(level) });
        }
        most = most.max(count);
    }
    Err(Refusal::TooFew { free: most })
}

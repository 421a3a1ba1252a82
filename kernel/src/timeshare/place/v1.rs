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
use crate::bits::Word;
use crate::timeshare::sets::{Block, SetsMut};
use crate::timeshare::{Board, Misuse, Refusal};
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
        first_level(board, self.degree, request.hosts, O::lots(draw), |_| Word::MAX)
    }
}

/// Picks hosts at the first level at which enough are free of those that `among` has of a block.
pub(super) fn first_level(
    board: &mut Board<'_>,
    degree: u8,
    hosts: u32,
    lots: Option<u32>,
    among: impl Fn(&Block) -> Word,
) -> Result<Choice, Refusal> {
    let (level, free) =
        board.level_with(degree, hosts, &among).map_err(|most| Refusal::TooFew { free: most })?;
    let choice = |sets: &SetsMut<'_>, at| {
        sets.free(level.number(), at) & sets.blocks.get(at).map_or(0, &among)
    };
    match lots {
        None => board.pick_first(hosts, choice),
        Some(draw) => board.pick_drawn(hosts, free, draw, choice),
    }
    Ok(Choice { level: Some(level), why: Why::Level(level) })
}

//! Version 2: version 1 among hosts that are not busy.
//!
//! Source: Turner's thesis (1995), section 6.3: a host counts as free at a level only if its
//! utilisation does not exceed a threshold. Readings are seconds old by then, which is why the age
//! up to which one is believed is a parameter here; the source believes all. Cost: that of version
//! 1, and one pass over the hosts where a reading may have become too old since the last decision,
//! or another threshold was asked for. When to choose it: as the yardstick. It passes earlier jobs
//! as version 1 does.

use super::order::{AtRandom, InOrder, Order};
use super::v1::first_level;
use super::{Choice, Placement, Request, check_degree};
use crate::time::Duration;
use crate::timeshare::board::Board;
use crate::timeshare::sets::Set;
use crate::timeshare::watch::Calm;
use crate::timeshare::{Misuse, Refusal, Threshold};
use core::marker::PhantomData;

/// Takes the most urgent level at which enough hosts are free and not busy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct V2<O = InOrder> {
    degree: u8,
    threshold: Threshold,
    believed: Duration,
    order: PhantomData<O>,
}

impl V2 {
    /// With so many jobs on a host at most, and none more on one whose utilisation exceeds the
    /// threshold, or was not read for longer than `believed`.
    pub const fn new(degree: u8, threshold: Threshold, believed: Duration) -> Self {
        Self { degree, threshold, believed, order: PhantomData }
    }

    /// One that draws lots among free hosts.
    pub const fn shuffled(self) -> V2<AtRandom> {
        let Self { degree, threshold, believed, .. } = self;
        V2 { degree, threshold, believed, order: PhantomData }
    }
}

impl<O: Order> Placement for V2<O> {
    type Draw = O::Draw;

    fn name(&self) -> &'static str {
        "v2"
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
        board.watch(Calm { threshold: self.threshold, sharing: None }, self.believed);
        first_level(board, self.degree, request.hosts, O::lots(draw), |block| Set::Calm.of(block))
    }
}

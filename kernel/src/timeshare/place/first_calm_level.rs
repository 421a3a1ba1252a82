//! The first level among hosts that are not busy: version 2 of the source.
//!
//! Source: Turner's thesis (1995), section 6.3: a host counts as free at a level only if its
//! utilisation does not exceed a threshold. Readings are seconds old by then, which is why the age
//! up to which one is believed is a parameter here; the source believes all. Cost: that of
//! [`FirstLevel`](super::FirstLevel), and one look at the reading of each host that is free. When to
//! choose it: as the yardstick. It passes earlier jobs as `FirstLevel` does.

use super::first_level::pick_first_level;
use super::{Choice, Order, Placement, Request, check_degree};
use crate::time::Duration;
use crate::timeshare::sets::Set;
use crate::timeshare::{Misuse, PlacementView, Refusal, Threshold};
use core::marker::PhantomData;

/// Takes the most urgent level at which enough hosts are free and not busy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FirstCalmLevel<D = ()> {
    degree: u8,
    threshold: Threshold,
    believed: Duration,
    order: PhantomData<D>,
}

impl FirstCalmLevel {
    /// With so many jobs on a host at most, and none more on one whose utilisation exceeds the
    /// threshold, or was not read for longer than `believed`.
    pub const fn new(degree: u8, threshold: Threshold, believed: Duration) -> Self {
        Self { degree, threshold, believed, order: PhantomData }
    }

    /// One that draws lots among free hosts.
    pub const fn shuffled(self) -> FirstCalmLevel<u32> {
        let Self { degree, threshold, believed, .. } = self;
        FirstCalmLevel { degree, threshold, believed, order: PhantomData }
    }
}

impl<D: Order> Placement for FirstCalmLevel<D> {
    type Draw = D;

    fn name(&self) -> &'static str {
        "first-calm-level"
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
        let highest = self.threshold.load();
        for at in 0..view.sets.width() {
            let free = view.sets.free_at_any(self.degree, at);
            let calm = view.filter(free, at, |row| {
                row.utilisation() <= highest && view.age(row) <= self.believed
            });
            view.sets.put(Set::Candidates, at, calm);
        }
        pick_first_level(view, self.degree, request.hosts, draw)
    }
}

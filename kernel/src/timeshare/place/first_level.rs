//! The most urgent level with enough free hosts: versions 1 and 2 of the source.
//!
//! Source: Turner's thesis (1995), section 6.3: levels are tried from the most urgent one on, and
//! the first at which as many hosts are free as are asked for is taken. In version 2 a host counts as
//! free at a level only if its utilisation does not exceed a threshold. Readings are seconds old by
//! then, which is why the age up to which one is believed is a parameter here; the source believes
//! all. Cost: one word operation for 64 hosts and each level, and one step for each host that is
//! picked; in version 2 also one look at the reading of each host.
//! When to choose it: as the yardstick. With one level it shares the cluster in space.
//!
//! It breaks its own principle that the first to come is the most urgent. With six hosts and two
//! levels A takes level 0 of four, B takes level 1 of three, perhaps of the two that A left: C
//! then finds level 0 free on those two, above B.
//!
//! Deviations: in the order of their numbers by default, at random as in the source by
//! [`FirstLevel::shuffled`].

use super::{Choice, Placement, Request, Why, check_degree};
use crate::draw::Draw;
use crate::time::Duration;
use crate::timeshare::sets::Set;
use crate::timeshare::{Misuse, PlacementView, Refusal, Threshold};
use core::marker::PhantomData;

/// Takes the most urgent level at which enough hosts are free: by rising number, or by lot if what
/// is drawn, `D`, is a `u32`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FirstLevel<D = ()> {
    degree: u8,
    /// How busy a host may be, and how old that reading.
    calm: Option<(Threshold, Duration)>,
    draw: PhantomData<D>,
}

impl FirstLevel {
    /// With so many jobs on a host at most.
    pub const fn new(degree: u8) -> Self {
        Self { degree, calm: None, draw: PhantomData }
    }

    /// This placement, with none more on a host whose utilisation exceeds the threshold, or was not read
    /// for longer than `believed`.
    pub const fn on_calm_hosts(self, threshold: Threshold, believed: Duration) -> Self {
        Self { calm: Some((threshold, believed)), ..self }
    }

    /// One that draws lots among free hosts.
    pub const fn shuffled(self) -> FirstLevel<u32> {
        FirstLevel { degree: self.degree, calm: self.calm, draw: PhantomData }
    }
}

impl<D: Draw> Placement for FirstLevel<D> {
    type Draw = D;

    fn name(&self) -> &'static str {
        if self.calm.is_some() { "first-calm-level" } else { "first-level" }
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
        for at in 0..view.sets.width() {
            let among = view.among(at);
            let candidates = self.calm.map_or(among, |(threshold, believed)| {
                view.filter(among, at, view.is_calm(threshold, believed))
            });
            view.sets.put(Set::Candidates, at, candidates);
        }
        let (level, free) = view
            .first_level(self.degree, request.hosts)
            .map_err(|most| Refusal::TooFew { free: most })?;
        match draw.lot() {
            None => view.pick_first(request.hosts),
            Some(draw) => view.pick_drawn(request.hosts, free, draw),
        }
        Ok(Choice { level: Some(level), why: Why::Level(level) })
    }
}

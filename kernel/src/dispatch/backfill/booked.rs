//! The profile of a planner, whatever its storage.
//!
//! A planner has one from the moment on at which somebody needs it. So firmware under EASY in which no
//! job ever asks for an interval of its own does not link it: only what may first need one names it.

use super::freed::Freed;
use crate::bits::Word;
use crate::reserve::{Error, Placement, Profile, Request, Reservation, ReservationId};
use crate::time::Instant;

/// What is asked of a [`Profile`], and told to it.
pub(super) trait Booked {
    fn now(&self) -> Instant;
    fn advance(&mut self, now: Instant);

    /// The earliest place of a request.
    fn first(&self, request: &Request) -> Option<Placement>;
    /// PEs that are free at an instant; none in the past.
    fn free_at(&self, time: Instant) -> u32;
    /// PEs that are free all through an interval; none if it is none.
    fn fewest_free(&self, at: Placement) -> u32;
    /// The most PEs that are free at a time of an interval.
    fn most_free(&self, at: Placement) -> u32;
    fn free_now(&self) -> u32;
    fn free_until(&self, pes: u32) -> Instant;

    fn add(&mut self, at: Placement, pes: u32) -> Option<ReservationId>;
    fn replace(&mut self, id: ReservationId, at: Placement, pes: u32) -> Result<(), Error>;
    /// What is given back.
    fn cancel(&mut self, id: ReservationId) -> Option<Placement>;
    /// When a reservation ends that has not.
    fn end_of(&self, id: ReservationId) -> Option<Instant>;
    /// Where a reservation that is held is then, if it is moved.
    fn bring_forward(&mut self, held: &Reservation, freed: &Freed) -> Option<Placement>;
}

/// How a profile becomes one, once somebody needs it.
pub(super) type Open<W> = fn(&mut Profile<W>) -> &mut dyn Booked;

pub(super) fn open<W: AsRef<[Word]> + AsMut<[Word]>>(profile: &mut Profile<W>) -> &mut dyn Booked {
    profile
}

impl<W: AsRef<[Word]> + AsMut<[Word]>> Booked for Profile<W> {
    fn now(&self) -> Instant {
        self.now()
    }

    fn advance(&mut self, now: Instant) {
        let _ = self.advance(now);
    }

    fn first(&self, request: &Request) -> Option<Placement> {
        self.first(request).ok()
    }

    fn free_at(&self, time: Instant) -> u32 {
        self.free_at(time).unwrap_or(0)
    }

    fn fewest_free(&self, at: Placement) -> u32 {
        self.fewest_free(at).unwrap_or(0)
    }

    fn most_free(&self, at: Placement) -> u32 {
        self.most_free(at)
    }

    fn free_now(&self) -> u32 {
        self.free_now()
    }

    fn free_until(&self, pes: u32) -> Instant {
        self.free_until(pes)
    }

    fn add(&mut self, at: Placement, pes: u32) -> Option<ReservationId> {
        self.add(at, pes).ok()
    }

    fn replace(&mut self, id: ReservationId, at: Placement, pes: u32) -> Result<(), Error> {
        self.replace(id, at, pes)
    }

    fn cancel(&mut self, id: ReservationId) -> Option<Placement> {
        self.cancel(id).ok()
    }

    fn end_of(&self, id: ReservationId) -> Option<Instant> {
        self.reservation(id).ok().map(|held| held.at.end)
    }

    fn bring_forward(&mut self, held: &Reservation, freed: &Freed) -> Option<Placement> {
        self.bring_forward_into(held, freed.intervals(held.pes, held.at.start))
    }
}

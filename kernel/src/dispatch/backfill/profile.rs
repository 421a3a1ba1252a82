//! The profile of a planner: how many PEs are promised from when to when.

use crate::bits::Word;
use crate::reserve::{Denied, Fit, Misuse, Placement, Profile, Request, ReservationId};
use crate::time::{Duration, Instant};

/// A profile, whatever its storage. What it is asked is known to make sense.
pub(super) trait AnyProfile {
    /// A time that has passed already is the present.
    fn advance(&mut self, now: Instant);

    /// The earliest interval from an instant on, unless it ends beyond the end of time.
    fn earliest(&self, from: Instant, time: Duration, pes: u32) -> Option<Placement>;

    fn add(&mut self, at: Placement, pes: u32) -> Option<ReservationId>;

    /// Gives a reservation another interval, if so many PEs are free in it; one that has ended is
    /// made anew. What to know it by.
    fn replace(&mut self, id: ReservationId, at: Placement, pes: u32) -> Option<ReservationId>;

    /// Until when it held PEs; `None` if it has ended and is gone by itself.
    fn cancel(&mut self, id: ReservationId) -> Option<Instant>;

    /// Where the reservation is after it was moved as near as it can; `None` if it has ended.
    fn bring_forward(&mut self, id: ReservationId) -> Option<Placement>;

    /// None are free in an interval that is none.
    fn fewest_free(&self, at: Placement) -> u32;
}

impl<W: AsRef<[Word]> + AsMut<[Word]>> AnyProfile for Profile<W> {
    fn advance(&mut self, now: Instant) {
        if now > self.now() {
            let _ = Profile::advance(self, now);
        }
    }

    fn earliest(&self, from: Instant, time: Duration, pes: u32) -> Option<Placement> {
        self.find(&Request::new(from, time, pes), &Fit::First).ok()
    }

    fn add(&mut self, at: Placement, pes: u32) -> Option<ReservationId> {
        Profile::add(self, at, pes).ok()
    }

    fn replace(&mut self, id: ReservationId, at: Placement, pes: u32) -> Option<ReservationId> {
        match Profile::replace(self, id, at, pes) {
            Err(Denied::Wrong(Misuse::Handle(_))) => AnyProfile::add(self, at, pes),
            _ => Some(id),
        }
    }

    fn cancel(&mut self, id: ReservationId) -> Option<Instant> {
        Profile::cancel(self, id).ok().map(|given_back| given_back.end)
    }

    fn bring_forward(&mut self, id: ReservationId) -> Option<Placement> {
        Profile::bring_forward(self, id).ok()
    }

    fn fewest_free(&self, at: Placement) -> u32 {
        Profile::fewest_free(self, at).unwrap_or(0)
    }
}

//! How many PEs of a machine are reserved from when to when.

use super::calendar::Calendar;
use super::choice::Lowest;
use super::edit::Edit;
use super::ledger::{Reservation, ReservationId};
use super::limits::{Limits, SetupError};
use super::policy::{FirstFit, Policy};
#[cfg(doc)]
use super::refusal::Refusal;
use super::refusal::{Error, Misuse};
use super::request::{Interval, Request};
use super::search::best::best_of;
use super::search::candidates::Candidates;
use super::search::checked_request::CheckedRequest;
use super::search::fit::{Search, earlier};
use super::slots::pes::Pes;
use crate::bits::Word;
use crate::handle::PoolId;
use crate::time::{Duration, Instant};

/// How many PEs of a machine are reserved from when to when: as a
/// [`Timeline`](super::Timeline), where only their number matters. Up to 192 slots, or all of them
/// without the feature `leaf-index`, lie in one array; where there may be more, a leaf is up to 64.
///
/// ```
/// use locox::handle::PoolId;
/// use locox::reserve::{Fit, Limits, Interval, Profile, Request};
/// use locox::time::{Duration, Instant};
///
/// const LIMITS: Limits = Limits { pes: 1_000_000, reservations: 100 };
/// let mut profile = Profile::new(PoolId(0), LIMITS, [0; Profile::words(LIMITS)])?;
///
/// let at = Instant::from_ticks;
/// profile.add(Interval { start: at(10), end: at(20) }, 900_000)?;
/// let request = Request::new(at(0), Duration::from_ticks(15), 200_000);
/// assert_eq!(profile.find(&request, &Fit::First)?.start, at(20));
/// assert_eq!(profile.fewest_free(Interval { start: at(0), end: at(15) }), Ok(100_000));
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Profile<S> {
    pub(super) words: S,
    pub(super) calendar: Calendar<false>,
}

impl<const N: usize> Profile<[Word; N]> {
    /// As [`Profile::new_static`], with limits that are no constants.
    pub(crate) const fn in_array(pool: PoolId, limits: Limits) -> Result<Self, SetupError> {
        match Calendar::checked(pool, limits, N) {
            Ok(calendar) => Ok(Self { words: [0; N], calendar }),
            Err(error) => Err(error),
        }
    }
}

impl<S: AsRef<[Word]> + AsMut<[Word]>> Profile<S> {
    /// Finds a place for a request, which `policy` prefers. Nothing is reserved.
    ///
    /// Cost: for [`Fit::First`](super::Fit::First) a few leaps over slots with too few free PEs, for
    /// [`Fit::PeWorst`](super::Fit::PeWorst) such leaps for each start with more PEs than those before,
    /// for other policies a look at the summary of each leaf of the window, for each candidate.
    ///
    /// # Errors
    ///
    /// [`Refusal::TooLarge`], [`Refusal::Late`], [`Refusal::Faulty`], [`Refusal::Overflow`] for a
    /// request that has no place; [`Misuse::NoPes`], [`Misuse::NoTime`], [`Misuse::Overflow`],
    /// [`Misuse::DeadlineTooEarly`] for one that makes no sense.
    pub fn find(
        &self,
        request: &Request,
        policy: &(impl Policy + ?Sized),
    ) -> Result<Interval, Error> {
        let slots = self.view();
        let request = CheckedRequest::new(&slots, request, &Lowest)?;
        Ok(Search { slots, request }.best(best_of(&policy), &mut [])?)
    }

    /// The same by [`Fit::First`](super::Fit::First): who needs no other policy links none.
    pub(crate) fn first(&self, request: &Request) -> Result<Interval, Error> {
        self.find(request, &FirstFit)
    }

    /// The feasible candidates of a request, earliest first.
    ///
    /// # Errors
    ///
    /// Those of [`Profile::find`] for requests that make no sense.
    pub fn candidates(&self, request: &Request) -> Result<Candidates<'_, false>, Error> {
        let slots = self.view();
        let request = CheckedRequest::new(&slots, request, &Lowest)?;
        Ok(Candidates::new(Search { slots, request }, &mut []))
    }

    /// Finds a place for a request and reserves it.
    ///
    /// # Errors
    ///
    /// Those of [`Profile::find`], and [`Refusal::Full`].
    pub fn reserve(
        &mut self,
        request: &Request,
        policy: &(impl Policy + ?Sized),
    ) -> Result<(ReservationId, Interval), Error> {
        self.edit().reserve(request, &Lowest, best_of(&policy))
    }

    /// Where [`Profile::reserve`] would put a request. Nothing changes; only where all entries were in use may
    /// those of reservations that have ended be used again, as after a refusal.
    ///
    /// # Errors
    ///
    /// Those of [`Profile::reserve`].
    pub fn would_reserve(
        &mut self,
        request: &Request,
        policy: &(impl Policy + ?Sized),
    ) -> Result<Interval, Error> {
        self.edit().would_reserve(request, &Lowest, best_of(&policy))
    }

    /// Reserves one of some alternatives, the one that ends first; of equal ones the first. Which one it
    /// is comes first.
    ///
    /// # Errors
    ///
    /// Those of [`Timeline::reserve_one_of`](super::Timeline::reserve_one_of).
    pub fn reserve_one_of(
        &mut self,
        alternatives: &[Request],
    ) -> Result<(usize, ReservationId, Interval), Error> {
        self.edit().reserve_one_of(alternatives, &Lowest)
    }

    /// Reserves a series: as many reservations as there are `ids`, each `period` after the one before it,
    /// at the earliest start at which all have a place, or none. Returns where the first one lies.
    ///
    /// # Errors
    ///
    /// Those of [`Timeline::reserve_series`](super::Timeline::reserve_series).
    pub fn reserve_series(
        &mut self,
        request: &Request,
        period: Duration,
        ids: &mut [Option<ReservationId>],
    ) -> Result<Interval, Error> {
        self.edit().reserve_series(request, period, &Lowest, ids)
    }

    /// Reserves `pes` PEs for an interval chosen by the caller.
    ///
    /// Cost: the leaves at both ends, a summary of each leaf between.
    ///
    /// # Errors
    ///
    /// [`Refusal::Busy`] with the first instant at which too few are free; [`Misuse::NoPes`],
    /// [`Refusal::TooLarge`], [`Misuse::Past`], [`Misuse::NoTime`], [`Misuse::Overflow`],
    /// [`Refusal::Full`].
    pub fn add(&mut self, at: Interval, pes: u32) -> Result<ReservationId, Error> {
        self.edit().add(at, Pes::of_count(pes))
    }

    /// Gives a reservation another interval and another number of PEs; its own count as free.
    ///
    /// # Errors
    ///
    /// As [`Profile::add`], except that there is always room; [`Misuse::Handle`].
    pub fn replace(&mut self, id: ReservationId, at: Interval, pes: u32) -> Result<(), Error> {
        self.edit().replace(id, at, Pes::of_count(pes))
    }

    /// Moves a reservation to the earliest start from now on, if that is earlier than the one it
    /// has; its own PEs count as free. Returns where it is then. Never moves it back.
    ///
    /// Cost: a search by [`Fit::First`](super::Fit::First) that ends at its start; if it moves, as
    /// [`Profile::cancel`] and adding anew.
    ///
    /// # Errors
    ///
    /// [`Misuse::Handle`] of an id that is stale (cancelled or ended already) or foreign.
    pub fn bring_forward(&mut self, id: ReservationId) -> Result<Interval, Misuse> {
        let held = self.reservation(id)?;
        let nearer = self.bring_forward_into(&held, core::iter::once(Interval::ALWAYS));
        Ok(nearer.unwrap_or(held.at))
    }

    /// The same if it is known that this is held, and that only starts will do with which it has time in
    /// one of the intervals of `freed`: no others are looked at. `None` if it stays where it is.
    pub(crate) fn bring_forward_into(
        &mut self,
        held: &Reservation,
        freed: impl Iterator<Item = Interval>,
    ) -> Option<Interval> {
        let to = earlier(self.view(), held.at, held.pes, freed)?;
        self.edit().bring_forward(held.id, to);
        Some(to)
    }

    /// The most PEs that are free at a time of an interval, as far as that is not past.
    pub(crate) fn most_free(&self, at: Interval) -> u32 {
        self.view().range_free(at).1
    }

    /// PEs that are free at the present.
    pub(crate) fn free_now(&self) -> u32 {
        let slots = self.view();
        slots.layout.shape.free(slots.busy(slots.start()))
    }

    /// From the present until when at least `pes` PEs are free; the present if they are not.
    pub(crate) fn free_until(&self, pes: u32) -> Instant {
        let slots = self.view();
        let taken = slots.first_conflict(slots.start(), u64::MAX, Pes::of_count(pes));
        taken.map_or(Instant::MAX, |at| slots.instant(at))
    }

    /// As [`Profile::find`], as if the reservation `id` did not exist. No change that any call
    /// can see.
    ///
    /// # Errors
    ///
    /// Those of [`Profile::find`], and [`Misuse::Handle`].
    pub fn find_instead(
        &mut self,
        id: ReservationId,
        request: &Request,
        policy: &(impl Policy + ?Sized),
    ) -> Result<Interval, Error> {
        self.edit().find_instead(id, request, &Lowest, best_of(&policy), &mut [])
    }

    /// Makes `pes` the number of PEs out of service. More may then be promised than there are:
    /// slots show more busy PEs than the machine has.
    ///
    /// Cost: a summary of each leaf.
    ///
    /// # Errors
    ///
    /// [`Misuse::NoSuchPe`] if the machine does not have so many.
    pub fn set_out_of_service(&mut self, pes: u32) -> Result<(), Misuse> {
        self.edit().slots.set_out_of_service(pes)
    }

    /// Without reservations, as of `now`, with so many PEs out of service.
    pub(crate) fn restart(&mut self, now: Instant, out: u32) {
        self.clear();
        let Edit { slots, .. } = &mut self.edit();
        let known = slots.advance(now).is_ok() && slots.set_out_of_service(out).is_ok();
        debug_assert!(known, "no more PEs are out of service than there are");
    }

    /// As [`Profile::add`] of an interval yet to come, also where that many PEs are not free.
    pub(crate) fn add_anyway(&mut self, at: Interval, pes: u32) -> Option<ReservationId> {
        let mut edit = self.edit();
        let index = edit.ledger.vacant().ok()?;
        Some(edit.occupy(index, at, pes).0)
    }
}

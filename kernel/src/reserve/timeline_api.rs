//! What timelines and profiles do alike, written once for both.

use super::attempt::{Attempt, Step};
use super::calendar::Calendar;
use super::check::check;
use super::edit::Edit;
use super::ledger::{Ledger, Reservation, ReservationId};
use super::limits::{Limits, SetupError};
use super::profile::Profile;
use super::refusal::{Error, Misuse};
use super::request::Interval;
use super::slots::view::{Slot, Slots};
use super::timeline::Timeline;
use crate::bits::Word;
use crate::handle::PoolId;
use crate::invariant::InvariantViolation;
use crate::require::require_words;
use crate::time::Instant;

/// The methods of `$Type`, which keeps rows or not.
macro_rules! timeline_api {
    ($Type:ident, identity: $identity:literal) => {
        impl $Type<()> {
            /// Words of storage for these limits; `usize::MAX` for limits out of range.
            pub const fn words(limits: Limits) -> usize {
                match Calendar::<$identity>::new(PoolId(0), limits) {
                    Some(calendar) => calendar.words(),
                    None => usize::MAX,
                }
            }
        }

        impl<const N: usize> $Type<[Word; N]> {
            /// Empty, with the storage inside: for a `static` of a host. One in firmware is paid
            /// for in flash as well as in memory; there storage in a static of zeros of its own
            /// costs memory only.
            ///
            /// An array shorter than these limits need, or limits out of range, do not compile.
            pub const fn new_static<const PES: u32, const RESERVATIONS: u32>(pool: PoolId) -> Self {
                let calendar = const {
                    let limits = Limits { pes: PES, reservations: RESERVATIONS };
                    let calendar = Calendar::new(PoolId(0), limits);
                    let calendar = calendar.expect("a limit is zero or above Limits::MOST");
                    require_words(N, calendar.words());
                    calendar
                };
                Self { words: [0; N], calendar: calendar.of_pool(pool) }
            }
        }

        impl<S: AsRef<[Word]> + AsMut<[Word]>> $Type<S> {
            /// Empty, over `storage`, whatever is in it. The present is [`Instant::ZERO`].
            ///
            /// Cost: a leaf and the directory. Storage is touched when it is first needed, so
            /// that a host pays for what is in use.
            ///
            /// # Errors
            ///
            /// [`SetupError`]: limits out of range, or fewer words than they need.
            pub fn new(pool: PoolId, limits: Limits, mut storage: S) -> Result<Self, SetupError> {
                let mut calendar = Calendar::checked(pool, limits, storage.as_ref().len())?;
                calendar.clear(storage.as_mut());
                Ok(Self { words: storage, calendar })
            }

            /// Forgets reservations, outages and the present: it is as new, but for the epoch. Names from
            /// before may come again until another epoch [begins](Self::begin).
            ///
            /// Cost: a leaf and the directory.
            pub fn clear(&mut self) {
                self.calendar.clear(self.words.as_mut());
            }

            /// How much it can hold.
            pub fn limits(&self) -> Limits {
                self.calendar.limits
            }

            pub(super) fn ledger(&self) -> Ledger<'_> {
                self.calendar.ledger(self.words.as_ref(), self.now().ticks())
            }

            pub(super) fn view(&self) -> Slots<'_, $identity> {
                self.calendar.slots(self.words.as_ref())
            }

            pub(super) fn edit(&mut self) -> Edit<'_, $identity> {
                Edit::new(&mut self.calendar, self.words.as_mut())
            }

            /// The present.
            pub fn now(&self) -> Instant {
                Instant::from_ticks(self.view().now())
            }

            /// Moves the present forward to `now` and drops the slots that have passed.
            ///
            /// Cost: a leaf, and the slots that are dropped.
            ///
            /// # Errors
            ///
            /// [`Misuse::Past`] for a time before the present.
            pub fn advance(&mut self, now: Instant) -> Result<(), Misuse> {
                self.edit().slots.advance(now)
            }

            // Reservations.

            /// Ends a reservation now: one that is running completes early, one yet to come is
            /// called off. Returns the interval that is given back.
            ///
            /// Cost: the leaves at both ends, a summary of each leaf between.
            ///
            /// # Errors
            ///
            /// [`Misuse::Handle`] of an id that is stale (cancelled or ended already) or foreign.
            pub fn cancel(&mut self, id: ReservationId) -> Result<Interval, Misuse> {
                self.edit().cancel(id)
            }

            /// Gives a reservation another end: extends it, or shortens it.
            ///
            /// Cost: as cancelling and adding anew.
            ///
            /// # Errors
            ///
            /// [`Refusal::Busy`](super::Refusal::Busy) if PEs are not free in the time that is added, with the first
            /// instant at which they are not; [`Misuse::NoTime`] for an end before the start or
            /// the present; [`Misuse::Overflow`]; [`Misuse::Handle`].
            pub fn set_end(&mut self, id: ReservationId, end: Instant) -> Result<(), Error> {
                let at = self.reservation(id)?.at;
                self.edit().reschedule(id, Interval { end, ..at })
            }

            /// Moves a reservation to another start, with the same PEs and the same duration.
            ///
            /// Cost: as cancelling and adding anew.
            ///
            /// # Errors
            ///
            /// [`Refusal::Busy`](super::Refusal::Busy) if PEs are not free in the time that is added;
            /// [`Misuse::Past`], but for the start that it has; [`Misuse::Overflow`];
            /// [`Misuse::Handle`].
            pub fn move_to(&mut self, id: ReservationId, start: Instant) -> Result<(), Error> {
                let mut edit = self.edit();
                let (_, to) = edit.moved(id, start)?;
                edit.reschedule(id, to)
            }

            /// Changes that are tried, and kept or undone together; as many as `steps` has room for.
            pub fn attempt<'a>(&'a mut self, steps: &'a mut [Step]) -> Attempt<'a, $identity> {
                Attempt::new(self.edit(), steps)
            }

            /// What is known of a reservation. Constant cost, but for counting its PEs.
            ///
            /// # Errors
            ///
            /// [`Misuse::Handle`] of an id that is stale (cancelled or ended already) or foreign.
            pub fn reservation(&self, id: ReservationId) -> Result<Reservation, Misuse> {
                let ledger = self.ledger();
                ledger.find(id).map(|_| ledger.reservation(id))
            }

            /// The reservations that have not ended, in no order of time. Cost: all entries.
            pub fn reservations(&self) -> impl Iterator<Item = Reservation> + '_ {
                let ledger = self.ledger();
                ledger.live().map(move |id| ledger.reservation(id))
            }

            // Queries.

            /// The slots by rising time, from the present on; the last one lasts. Cost: each is found by
            /// binary search.
            pub fn slots(&self) -> impl Iterator<Item = Slot> + '_ {
                let mut next = Some(self.now().ticks());
                core::iter::from_fn(move || self.view().pass(&mut next))
            }

            /// PEs free at an instant.
            ///
            /// # Errors
            ///
            /// [`Misuse::Past`].
            pub fn free_at(&self, time: Instant) -> Result<u32, Misuse> {
                self.view().free_at(time)
            }

            /// The least number of PEs free in an interval, at any time in it. Those need not be
            /// the same ones all through.
            ///
            /// Cost: the leaves at both ends, a summary of each leaf between.
            ///
            /// # Errors
            ///
            /// [`Misuse::Past`], [`Misuse::NoTime`], [`Misuse::Overflow`].
            pub fn fewest_free(&self, at: Interval) -> Result<u32, Misuse> {
                self.view().check_interval(at, None)?;
                Ok(self.view().range_free(at).0)
            }

            /// Recomputes all derived data. Cost: slots times reservations.
            ///
            /// # Errors
            ///
            /// [`InvariantViolation`] names the invariant that does not hold.
            pub fn check_invariants(&self) -> Result<(), InvariantViolation> {
                check(&self.view(), self.limits(), self.ledger())
            }
        }
    };
}

timeline_api!(Timeline, identity: true);
timeline_api!(Profile, identity: false);

//! The timeline as users see it: a thin shell around code that does not depend on the storage.

use super::book::Book;
use super::layout::Limits;
use super::ledger::ReservationId;
use super::request::{Placement, Refusal};
use super::slots::Slots;
use crate::bits::{Word, words_for};
use crate::broken::Broken;
use crate::handle::{Misuse, PoolId};
use crate::time::Instant;
use core::fmt;
use core::marker::PhantomData;

/// What a timeline keeps of the PEs: their [`Identity`], or [`Counts`] only.
pub trait Kind: sealed::Sealed {
    /// Whether the identity of the PEs is kept.
    const IDENTITY: bool;
}

mod sealed {
    pub trait Sealed {}
    impl Sealed for super::Identity {}
    impl Sealed for super::Counts {}
}

/// Which PEs are busy.
#[derive(Clone, Copy, Debug)]
pub enum Identity {}

/// How many PEs are busy.
#[derive(Clone, Copy, Debug)]
pub enum Counts {}

impl Kind for Identity {
    const IDENTITY: bool = true;
}

impl Kind for Counts {
    const IDENTITY: bool = false;
}

/// Limits out of range, or storage too small for them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Unusable {
    /// A limit is zero or above [`Limits::MOST`].
    Limits,
    /// The storage is too short.
    Storage {
        /// The words needed.
        words: usize,
    },
}

impl fmt::Display for Unusable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Limits => write!(f, "a limit is not in 1..={}", Limits::MOST),
            Self::Storage { words } => write!(f, "the storage is shorter than {words} words"),
        }
    }
}

impl core::error::Error for Unusable {}

/// What is known of a reservation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Reservation {
    /// Its name.
    pub id: ReservationId,
    /// From when to when.
    pub at: Placement,
    /// How many PEs.
    pub pes: u32,
}

/// From `time` until the next slot's, so many PEs are busy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Slot {
    /// When it begins.
    pub time: Instant,
    /// PEs reserved or out of service.
    pub busy: u32,
}

/// Which PEs of a machine are reserved from when to when.
///
/// The storage `S` is a slice of words: an array, a boxed or a borrowed slice. A reservation that
/// has ended is gone by itself once the present has reached its end; its id is stale then.
///
/// Costs are given for r reservations in s <= 2r + 1 slots, and rows of w words (w = 0 for a
/// [`Profile`]). A *leaf* is up to 32 slots (64 in a profile). All operations find their slots by
/// binary search.
#[derive(Clone)]
pub struct Timeline<S, K = Identity> {
    pub(super) words: S,
    pub(super) book: Book,
    kind: PhantomData<K>,
}

/// How many PEs of a machine are reserved from when to when: a timeline without identity.
///
/// ```
/// use locox::handle::PoolId;
/// use locox::reserve::{Fit, Limits, Placement, Profile, Refusal, Request};
/// use locox::time::{Duration, Instant};
///
/// const LIMITS: Limits = Limits { pes: 1_000_000, reservations: 100 };
/// let storage = [0; LIMITS.words_of_counts()];
/// let mut profile = Profile::new(PoolId(0), LIMITS, storage)?;
///
/// let at = Instant::from_ticks;
/// profile.add(Placement { start: at(10), end: at(20) }, 900_000)?;
/// let request = Request::new(at(0), Duration::from_ticks(15), 200_000);
/// assert_eq!(profile.find(&request, &Fit::First)?.start, at(20));
/// assert_eq!(profile.fewest_free(Placement { start: at(0), end: at(15) }), Ok(100_000));
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
pub type Profile<S> = Timeline<S, Counts>;

const fn book<K: Kind>(pool: PoolId, limits: Limits, words: usize) -> Result<Book, Unusable> {
    let row = if K::IDENTITY { words_for(limits.pes as usize) } else { 0 };
    let Some(book) = Book::new(pool, limits, row) else { return Err(Unusable::Limits) };
    let needed = book.layout().words();
    if words < needed {
        return Err(Unusable::Storage { words: needed });
    }
    Ok(book)
}

impl<const N: usize, K: Kind> Timeline<[Word; N], K> {
    /// An empty timeline in an array of its own, fit for a `static`.
    ///
    /// # Errors
    ///
    /// [`Unusable`] limits, or an array shorter than they need.
    ///
    /// ```
    /// use locox::bits::Word;
    /// use locox::handle::PoolId;
    /// use locox::reserve::{Limits, Timeline};
    /// use std::sync::Mutex;
    ///
    /// const LIMITS: Limits = Limits { pes: 64, reservations: 15 };
    /// const WORDS: usize = LIMITS.words_with_identity();
    /// static TIMELINE: Mutex<Timeline<[Word; WORDS]>> =
    ///     Mutex::new(match Timeline::new_static(PoolId(0), LIMITS) {
    ///         Ok(timeline) => timeline,
    ///         Err(_) => panic!("the array has the words that the limits need"),
    ///     });
    /// assert_eq!(TIMELINE.lock().unwrap().limits(), LIMITS);
    /// ```
    pub const fn new_static(pool: PoolId, limits: Limits) -> Result<Self, Unusable> {
        match book::<K>(pool, limits, N) {
            Ok(book) => Ok(Self { words: [0; N], book, kind: PhantomData }),
            Err(unusable) => Err(unusable),
        }
    }
}

impl<S: AsRef<[Word]> + AsMut<[Word]>, K: Kind> Timeline<S, K> {
    /// An empty timeline over `storage`, whatever is in it. The present is [`Instant::ZERO`].
    ///
    /// Cost: a leaf and the directory. Storage is touched when it is first needed, so that a host
    /// pays for what is in use.
    ///
    /// # Errors
    ///
    /// [`Unusable`] limits, or storage shorter than [`Limits::words_with_identity`] (for a
    /// [`Profile`], [`Limits::words_of_counts`]).
    pub fn new(pool: PoolId, limits: Limits, mut storage: S) -> Result<Self, Unusable> {
        let book = book::<K>(pool, limits, storage.as_ref().len())?;
        book.clear(storage.as_mut());
        Ok(Self { words: storage, book, kind: PhantomData })
    }

    /// How much it can hold.
    pub fn limits(&self) -> Limits {
        self.book.layout().limits()
    }

    pub(super) fn view(&self) -> Slots<'_> {
        self.book.slots(self.words.as_ref())
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
    /// [`Refusal::Past`] for a time before the present.
    pub fn advance(&mut self, now: Instant) -> Result<(), Refusal> {
        self.book.advance(self.words.as_mut(), now)
    }

    // Reservations.

    /// Ends a reservation now: one that is running completes early, one yet to come is called
    /// off. Returns the interval that is given back.
    ///
    /// Cost: the leaves at both ends, a summary of each leaf between.
    ///
    /// # Errors
    ///
    /// [`Misuse`] of an id that is stale (cancelled or ended already) or foreign.
    pub fn cancel(&mut self, id: ReservationId) -> Result<Placement, Misuse> {
        self.book.cancel(self.words.as_mut(), id)
    }

    /// Gives a reservation another end: extends it, or shortens it.
    ///
    /// Cost: as [`Timeline::cancel`] and adding anew.
    ///
    /// # Errors
    ///
    /// [`Refusal::Busy`] if PEs are not free in the time that is added, with the first instant
    /// at which they are not; [`Refusal::NoTime`] for an end before the start or the present;
    /// [`Refusal::Overflow`]; [`Refusal::Misuse`].
    pub fn set_end(&mut self, id: ReservationId, end: Instant) -> Result<(), Refusal> {
        let at = self.reservation(id)?.at;
        self.book.reschedule(self.words.as_mut(), id, Placement { end, ..at })
    }

    /// Moves a reservation to another start, with the same PEs and the same duration.
    ///
    /// Cost: as [`Timeline::cancel`] and adding anew.
    ///
    /// # Errors
    ///
    /// [`Refusal::Busy`] if PEs are not free in the time that is added; [`Refusal::Past`];
    /// [`Refusal::Overflow`]; [`Refusal::Misuse`].
    pub fn move_to(&mut self, id: ReservationId, start: Instant) -> Result<(), Refusal> {
        let at = self.reservation(id)?.at;
        let duration = at.end.since(at.start).unwrap_or_default();
        let end = start.checked_add(duration).ok_or(Refusal::Overflow)?;
        self.book.reschedule(self.words.as_mut(), id, Placement { start, end })
    }

    /// What is known of a reservation. Constant cost, but for counting its PEs.
    ///
    /// # Errors
    ///
    /// [`Misuse`] of an id that is stale (cancelled or ended already) or foreign.
    pub fn reservation(&self, id: ReservationId) -> Result<Reservation, Misuse> {
        let ledger = self.book.ledger(self.words.as_ref());
        let index = ledger.find(id)?;
        Ok(Reservation { id, at: ledger.placement(index), pes: ledger.claim(index).count })
    }

    /// The reservations that have not ended, in no order of time. Cost: all entries.
    pub fn reservations(&self) -> impl Iterator<Item = Reservation> + '_ {
        let ledger = self.book.ledger(self.words.as_ref());
        ledger.live().map(move |(index, id)| Reservation {
            id,
            at: ledger.placement(index),
            pes: ledger.claim(index).count,
        })
    }

    // Queries.

    /// The slots by rising time, from the present on; the last one lasts.
    pub fn slots(&self) -> impl Iterator<Item = Slot> + '_ {
        let view = self.view();
        view.all()
            .map(move |at| Slot { time: Instant::from_ticks(view.time(at)), busy: view.busy(at) })
    }

    /// PEs free at an instant.
    ///
    /// # Errors
    ///
    /// [`Refusal::Past`].
    pub fn free_at(&self, time: Instant) -> Result<u32, Refusal> {
        if time < self.now() {
            return Err(Refusal::Past);
        }
        let view = self.view();
        Ok(view.layout.pes.saturating_sub(view.busy(view.locate(time.ticks()))))
    }

    /// The least number of PEs free in an interval, at any time in it. Those need not be the same
    /// ones all through.
    ///
    /// Cost: the leaves at both ends, a summary of each leaf between.
    ///
    /// # Errors
    ///
    /// [`Refusal::Past`], [`Refusal::NoTime`], [`Refusal::Overflow`].
    pub fn fewest_free(&self, at: Placement) -> Result<u32, Refusal> {
        let view = self.view();
        view.check_interval(at, None)?;
        let busy = view.most_busy(view.locate(at.start.ticks()), at.end.ticks());
        Ok(view.layout.pes.saturating_sub(busy))
    }

    /// Recomputes all derived data. Cost: slots times reservations.
    ///
    /// # Errors
    ///
    /// [`Broken`] names the invariant that does not hold.
    pub fn check_invariants(&self) -> Result<(), Broken> {
        self.book.check(self.words.as_ref())
    }
}

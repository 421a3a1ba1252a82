//! Which PEs of a machine are reserved from when to when.

use super::calendar::Calendar;
use super::choice::{Choice, Lowest, Mask};
use super::ledger::ReservationId;
use super::policy::Policy;
#[cfg(doc)]
use super::refusal::Refusal;
use super::refusal::{Error, Misuse};
use super::request::{Interval, Request};
use super::search::best::best_of;
use super::search::candidates::Candidates;
use super::search::checked_request::CheckedRequest;
use super::search::fit::Search;
use super::slots::pes::Pes;
use super::speeds::{AtSpeeds, Speeds};
use crate::bits::{BitSet, Word, algebra};
use crate::time::{Duration, Instant};

/// Which PEs of a machine are reserved from when to when.
///
/// The storage `S` holds [`Timeline::words`] words: an array, a boxed or a borrowed slice. A reservation that
/// has ended is gone by itself once the present has reached its end; its id is stale then.
///
/// Costs are given for r reservations in s <= 2r + 1 slots, and rows of w words. A *leaf* is up to
/// 32 slots, or all of them without the feature `leaf-index`. All operations find their slots by binary search.
///
/// Firmware keeps the storage in a `static` of zeros, which costs no flash, and hands a `&mut` of it
/// to [`Timeline::new`]. On a host [`Timeline::new_static`] makes one with its storage inside.
///
/// ```
/// use locox::bits::Word;
/// use locox::handle::PoolId;
/// use locox::reserve::{Limits, Timeline};
/// use static_cell::ConstStaticCell;
///
/// const LIMITS: Limits = Limits { pes: 64, reservations: 15 };
/// static STORAGE: ConstStaticCell<[Word; Timeline::words(LIMITS)]> =
///     ConstStaticCell::new([0; Timeline::words(LIMITS)]);
/// let timeline = Timeline::new(PoolId(0), LIMITS, &mut STORAGE.take()[..]).unwrap();
/// assert_eq!(timeline.limits(), LIMITS);
/// ```
#[derive(Clone)]
pub struct Timeline<S> {
    pub(super) words: S,
    pub(super) calendar: Calendar<true>,
}

impl<S: AsRef<[Word]> + AsMut<[Word]>> Timeline<S> {
    /// Finds a place for a request, which `policy` prefers, and leaves in `pes` the PEs, which
    /// `choice` takes among those free. Nothing is reserved.
    ///
    /// The answer is exact: if it is [`Refusal::Late`], no start keeps the deadline.
    ///
    /// Cost: for [`Fit::First`](super::Fit::First) a few leaps over slots with too few free PEs, and over
    /// the window the summary of each leaf and two leaves of rows. In the worst state this is repeated for
    /// each slot, where each window fails at its first one, or is refused by the choice after another PE has
    /// become free; as that PE must stay free for the whole window, all windows together take at most the
    /// summary of each leaf for each PE. [`Fit::PeWorst`](super::Fit::PeWorst) searches again for
    /// each start with more PEs than those before. Other policies: for each candidate the slots that
    /// its window has and the last one did not, and where its PEs are others its rectangle, in the worst
    /// state the summary of each leaf. Where the choice refuses the best start, all but the first fit search once
    /// more, and offer it those on the way. A refusal goes on behind the deadline, to say when there is a place.
    ///
    /// # Errors
    ///
    /// [`Refusal::TooLarge`], [`Refusal::Late`], [`Refusal::Faulty`], [`Refusal::Masked`],
    /// [`Refusal::Overflow`] for a request that has no place; [`Misuse::NoPes`], [`Misuse::NoTime`],
    /// [`Misuse::Overflow`], [`Misuse::DeadlineTooEarly`], [`Misuse::WrongSet`] for `pes` or the mask of
    /// the choice, and [`Misuse::WrongMask`], if it makes no sense, whether or not it has a place.
    pub fn find<T: AsRef<[Word]> + AsMut<[Word]>>(
        &self,
        request: &Request,
        policy: &(impl Policy + ?Sized),
        choice: &dyn Choice,
        pes: &mut BitSet<T>,
    ) -> Result<Interval, Error> {
        self.check_set(pes)?;
        let slots = self.view();
        let request = CheckedRequest::new(&slots, request, choice)?;
        Ok(Search { slots, request }.best(best_of(&policy), pes.words_mut())?)
    }

    /// The feasible candidates of a request, earliest first: the first is the earliest fit, the
    /// others are the alternatives to it. While they are read `pes` holds the PEs free from the
    /// last candidate on.
    ///
    /// # Errors
    ///
    /// Those of [`Timeline::find`] for requests that make no sense, [`Refusal::TooLarge`], and
    /// [`Refusal::Overflow`] if no start from the present on ends before the end of time.
    pub fn candidates<'a, T: AsRef<[Word]> + AsMut<[Word]>>(
        &'a self,
        request: &Request,
        pes: &'a mut BitSet<T>,
    ) -> Result<Candidates<'a>, Error> {
        self.check_set(pes)?;
        let slots = self.view();
        let request = CheckedRequest::new(&slots, request, &Lowest)?;
        Ok(Candidates::new(Search { slots, request }, pes.words_mut()))
    }

    /// Finds a place for a request and reserves it.
    ///
    /// Cost: as [`Timeline::find`] and [`Timeline::add`].
    ///
    /// # Errors
    ///
    /// Those of [`Timeline::find`], and [`Refusal::Full`].
    pub fn reserve(
        &mut self,
        request: &Request,
        policy: &(impl Policy + ?Sized),
        choice: &dyn Choice,
    ) -> Result<(ReservationId, Interval), Error> {
        self.edit().reserve(request, choice, best_of(&policy))
    }

    /// Where [`Timeline::reserve`] would put a request. Nothing changes; only where all entries were in use may
    /// those of reservations that have ended be used again, as after a refusal.
    ///
    /// Cost: as [`Timeline::find`].
    ///
    /// # Errors
    ///
    /// Those of [`Timeline::reserve`].
    pub fn would_reserve(
        &mut self,
        request: &Request,
        policy: &(impl Policy + ?Sized),
        choice: &dyn Choice,
    ) -> Result<Interval, Error> {
        self.edit().would_reserve(request, choice, best_of(&policy))
    }

    /// Reserves PEs of unlike speed. The duration of the request is that on standard PEs; the
    /// reservation lasts as long as the slowest of its PEs takes, in whole ticks, rounded up.
    ///
    /// For each class of `speeds` the policy chooses a start among the PEs of that class. Of these the place is
    /// taken that ends first; of equal ones that of the higher speed. With one class of all PEs at the
    /// standard speed it is [`Timeline::reserve`]. Under [`Fit::First`](super::Fit::First) nothing ends earlier,
    /// if the choice needs no PEs beside those that it takes, as an
    /// [`AlignedSubcube`](super::AlignedSubcube) of three does.
    ///
    /// Cost: a search for each class, and one more; and [`Timeline::add`].
    ///
    /// # Errors
    ///
    /// Those of [`Timeline::reserve`], but a deadline that comes before ready time plus duration is refused
    /// as [`Refusal::Late`] with the earliest finish at any speed, and a misuse only if it leaves no time
    /// at all. [`Misuse::WrongMask`] also for a choice that allows only some PEs: leave the others out of
    /// the classes. If no class has a place, the refusal that is nearest to one.
    pub fn reserve_at_speeds(
        &mut self,
        request: &Request,
        speeds: Speeds<'_>,
        policy: &(impl Policy + ?Sized),
        choice: &dyn Choice,
    ) -> Result<(ReservationId, Interval), Error> {
        let (mut edit, best) = (self.edit(), best_of(&policy));
        let (index, at) = AtSpeeds { request, speeds, choice, best }.place(&mut edit)?;
        Ok(edit.occupy(index, at, request.pes))
    }

    /// Where [`Timeline::reserve_at_speeds`] would put a request. It changes as little as
    /// [`Timeline::would_reserve`].
    ///
    /// Cost: a search for each class, and one more.
    ///
    /// # Errors
    ///
    /// Those of [`Timeline::reserve_at_speeds`].
    pub fn would_reserve_at_speeds(
        &mut self,
        request: &Request,
        speeds: Speeds<'_>,
        policy: &(impl Policy + ?Sized),
        choice: &dyn Choice,
    ) -> Result<Interval, Error> {
        let best = best_of(&policy);
        Ok(AtSpeeds { request, speeds, choice, best }.place(&mut self.edit())?.1)
    }

    /// Reserves one of some alternatives, the one that ends first; of equal ones the first. So a
    /// moldable job names how long it runs on how many PEs. Which one it is comes first.
    ///
    /// Cost: an earliest fit for each, which later ones give up where they would end later, and
    /// [`Timeline::reserve`].
    ///
    /// # Errors
    ///
    /// [`Misuse::NoRequest`]; a misuse in any of them; [`Refusal::Full`]; if none has a place, the refusal
    /// that is nearest to one: the earliest finish of all, else a fault, a mask, the size of the machine.
    pub fn reserve_one_of(
        &mut self,
        alternatives: &[Request],
        choice: &dyn Choice,
    ) -> Result<(usize, ReservationId, Interval), Error> {
        self.edit().reserve_one_of(alternatives, choice)
    }

    /// Reserves a series: as many reservations as there are `ids`, each `period` after the one before
    /// it, at the earliest start at which all have a place, or none. Ready time and deadline are the
    /// first one's. Each gets PEs of its own. Returns where the first one lies; after an error `ids`
    /// is of no meaning.
    ///
    /// Cost: an earliest fit for each, again and again as long as one of them moves the start; each
    /// time by a slot at least.
    ///
    /// # Errors
    ///
    /// Those of [`Timeline::reserve`]; [`Misuse::WrongSeries`] for none, or a period shorter than a
    /// reservation.
    pub fn reserve_series(
        &mut self,
        request: &Request,
        period: Duration,
        choice: &dyn Choice,
        ids: &mut [Option<ReservationId>],
    ) -> Result<Interval, Error> {
        self.edit().reserve_series(request, period, choice, ids)
    }

    /// Reserves PEs for an interval, both chosen by the caller.
    ///
    /// Cost: the leaves at both ends, a summary of each leaf between.
    ///
    /// # Errors
    ///
    /// [`Refusal::Busy`] with the first instant at which one of the PEs is not free;
    /// [`Misuse::NoPes`], [`Misuse::WrongSet`], [`Misuse::Past`], [`Misuse::NoTime`],
    /// [`Misuse::Overflow`], [`Refusal::Full`].
    pub fn add<T: AsRef<[Word]>>(
        &mut self,
        at: Interval,
        pes: &BitSet<T>,
    ) -> Result<ReservationId, Error> {
        self.check_set(pes)?;
        self.edit().add(at, Pes::of_set(pes.words()))
    }

    /// Gives a reservation another interval and other PEs; its own count as free within the
    /// interval that it had, also those that have failed since.
    ///
    /// Cost: as [`Timeline::cancel`] and [`Timeline::add`].
    ///
    /// # Errors
    ///
    /// As [`Timeline::add`], except that there is always room, and that it may keep a start in the
    /// past; [`Misuse::Handle`].
    pub fn replace<T: AsRef<[Word]>>(
        &mut self,
        id: ReservationId,
        at: Interval,
        pes: &BitSet<T>,
    ) -> Result<(), Error> {
        self.check_set(pes)?;
        self.edit().replace(id, at, Pes::of_set(pes.words()))
    }

    /// As [`Timeline::find`], as if the reservation `id` did not exist: where it could go after a
    /// PE failed, or if it grew. [`Timeline::replace`] then moves it there. No change that any
    /// call can see.
    ///
    /// ```
    /// use locox::bits::BitSet;
    /// use locox::handle::PoolId;
    /// use locox::reserve::{Fit, Limits, Lowest, Request, Timeline};
    /// use locox::time::{Duration, Instant};
    ///
    /// const LIMITS: Limits = Limits { pes: 8, reservations: 4 };
    /// let mut timeline = Timeline::new(PoolId(0), LIMITS, [0; Timeline::words(LIMITS)])?;
    /// let request = Request::new(Instant::ZERO, Duration::from_ticks(10), 5);
    /// let (id, _) = timeline.reserve(&request, &Fit::First, &Lowest)?;
    ///
    /// timeline.withdraw(2)?;
    /// assert!(timeline.holders(2).eq([id]));
    /// let mut pes = BitSet::empty([0], 8)?;
    /// let at = timeline.find_instead(id, &request, &Fit::First, &Lowest, &mut pes)?;
    /// timeline.replace(id, at, &pes)?;
    /// assert!(timeline.pes_of(id)?.iter().eq([0, 1, 3, 4, 5]));
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Those of [`Timeline::find`], and [`Misuse::Handle`].
    pub fn find_instead<T: AsRef<[Word]> + AsMut<[Word]>>(
        &mut self,
        id: ReservationId,
        request: &Request,
        policy: &(impl Policy + ?Sized),
        choice: &dyn Choice,
        pes: &mut BitSet<T>,
    ) -> Result<Interval, Error> {
        self.check_set(pes)?;
        self.edit().find_instead(id, request, choice, best_of(&policy), pes.words_mut())
    }

    /// The PEs of a reservation.
    ///
    /// # Errors
    ///
    /// [`Misuse::Handle`] of an id that is stale (cancelled or ended already) or foreign.
    pub fn pes_of(&self, id: ReservationId) -> Result<BitSet<&[Word]>, Misuse> {
        let set = self.ledger().set(self.ledger().find(id)?);
        // An entry holds a set of this range and no other.
        BitSet::from_words(set, self.limits().pes).map_err(|_| Misuse::WrongSet)
    }

    /// Makes `pes` the PEs free all through an interval, and returns how many they are.
    ///
    /// Cost: two leaves of rows, a summary of each leaf between.
    ///
    /// # Errors
    ///
    /// [`Misuse::Past`], [`Misuse::NoTime`], [`Misuse::Overflow`], [`Misuse::WrongSet`].
    pub fn free_pes<T: AsRef<[Word]> + AsMut<[Word]>>(
        &self,
        at: Interval,
        pes: &mut BitSet<T>,
    ) -> Result<u32, Misuse> {
        self.check_set(pes)?;
        let slots = self.view();
        slots.check_interval(at, None)?;
        let head = slots.locate(at.start.ticks());
        Ok(slots.free_until(head, at.end.ticks(), Mask::ANY, pes.words_mut()))
    }

    /// Makes `pes` those busy at an instant: reserved, or out of service.
    ///
    /// # Errors
    ///
    /// [`Misuse::Past`], [`Misuse::WrongSet`].
    pub fn busy_pes<T: AsRef<[Word]> + AsMut<[Word]>>(
        &self,
        time: Instant,
        pes: &mut BitSet<T>,
    ) -> Result<(), Misuse> {
        self.check_set(pes)?;
        let [own, lazy] = self.view().sets(self.view().slot_of(time)?);
        algebra::copy(pes.words_mut(), own);
        algebra::unite(pes.words_mut(), lazy);
        Ok(())
    }

    // Outages.

    /// Takes a PE out of service: nothing more is placed on it. Reservations that hold it keep
    /// it; see [`Timeline::holders`]. Nothing happens if it is out already.
    ///
    /// Cost: all leaves and all reservations.
    ///
    /// # Errors
    ///
    /// [`Misuse::NoSuchPe`] if there is no such PE.
    pub fn withdraw(&mut self, pe: u32) -> Result<(), Misuse> {
        self.edit().set_out(pe, true)
    }

    /// Takes a PE back into service. Nothing happens if it was not out.
    ///
    /// Cost: all leaves and all reservations.
    ///
    /// # Errors
    ///
    /// [`Misuse::NoSuchPe`] if there is no such PE.
    pub fn repair(&mut self, pe: u32) -> Result<(), Misuse> {
        self.edit().set_out(pe, false)
    }

    /// The reservations, running or yet to come, that hold a PE. Cost: all entries.
    pub fn holders(&self, pe: u32) -> impl Iterator<Item = ReservationId> + '_ {
        self.ledger().holders(pe)
    }

    fn check_set<T: AsRef<[Word]>>(&self, pes: &BitSet<T>) -> Result<(), Misuse> {
        if pes.len() == self.limits().pes { Ok(()) } else { Err(Misuse::WrongSet) }
    }
}

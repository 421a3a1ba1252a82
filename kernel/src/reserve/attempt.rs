//! Changes that are tried, and kept or undone together, without a copy of the whole.

use super::choice::Choice;
use super::edit::Edit;
use super::ledger::ReservationId;
use super::policy::Policy;
use super::refusal::{Error, Misuse, Refusal};
use super::request::{Interval, Request};
use super::search::best::best_of;
use crate::handle;
use crate::time::Instant;

/// Room to note one step of an [`Attempt`].
#[derive(Clone, Copy, Debug)]
pub struct Step(Option<Change>);

impl Step {
    /// What the storage of an attempt is filled with; its content does not matter.
    pub const EMPTY: Self = Self(None);
}

/// What is to be undone.
#[derive(Clone, Copy, Debug)]
enum Change {
    Reserved(ReservationId),
    /// Its PEs are given back, its entry is not.
    Cancelled(ReservationId),
    Moved(ReservationId, Interval),
}

/// Changes of a timeline, or of a profile, which has no `IDENTITY`, that are tried: [kept](Attempt::keep) together, or undone when
/// this is dropped. So several requests are placed together or not at all, and what would be if
/// something were cancelled is found out by doing it.
///
/// Each change is one step in the caller's storage. Undoing costs as much as doing. The entry of what
/// is cancelled can be used by others once the attempt is kept. One that is forgotten
/// (`mem::forget`) is neither kept nor undone, and must not be.
///
/// ```
/// use locox::handle::PoolId;
/// use locox::reserve::{Fit, Limits, Lowest, Profile, Request, Step};
/// use locox::time::{Duration, Instant};
///
/// const LIMITS: Limits = Limits { pes: 8, reservations: 4 };
/// let mut profile = Profile::new(PoolId(0), LIMITS, [0; Profile::words(LIMITS)])?;
/// let now = |pes| Request::new(Instant::ZERO, Duration::from_ticks(10), pes).by(Instant::from_ticks(10));
///
/// // 5 and 4 PEs at once, or nothing: they do not fit, so neither is reserved.
/// let mut steps = [Step::EMPTY; 2];
/// let mut both = profile.attempt(&mut steps);
/// both.reserve(&now(5), &Fit::First, &Lowest)?;
/// assert!(both.reserve(&now(4), &Fit::First, &Lowest).is_err());
/// drop(both);
/// assert_eq!(profile.free_at(Instant::ZERO), Ok(8));
///
/// let mut both = profile.attempt(&mut steps);
/// both.reserve(&now(5), &Fit::First, &Lowest)?;
/// both.reserve(&now(3), &Fit::First, &Lowest)?;
/// both.keep();
/// assert_eq!(profile.free_at(Instant::ZERO), Ok(0));
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
pub struct Attempt<'a, const IDENTITY: bool = true> {
    edit: Edit<'a, IDENTITY>,
    steps: &'a mut [Step],
    used: usize,
}

impl<'a, const IDENTITY: bool> Attempt<'a, IDENTITY> {
    pub(super) const fn new(edit: Edit<'a, IDENTITY>, steps: &'a mut [Step]) -> Self {
        Self { edit, steps, used: 0 }
    }

    /// Finds a place for a request and reserves it. A profile has nothing to choose.
    ///
    /// # Errors
    ///
    /// Those of [`Timeline::reserve`](super::Timeline::reserve), and [`Refusal::NoStep`]. What was
    /// done before remains.
    pub fn reserve(
        &mut self,
        request: &Request,
        policy: &(impl Policy + ?Sized),
        choice: &dyn Choice,
    ) -> Result<(ReservationId, Interval), Error> {
        let request = self.edit.check_request(request, choice)?;
        self.has_room()?;
        let (id, at) = self.edit.take_place(request, best_of(&policy))?;
        self.note(Change::Reserved(id));
        Ok((id, at))
    }

    /// Ends a reservation now.
    ///
    /// Cost: that of [`Timeline::cancel`](super::Timeline::cancel), and all steps.
    ///
    /// # Errors
    ///
    /// [`Misuse::Handle`], [`Refusal::NoStep`]. What was done before remains.
    pub fn cancel(&mut self, id: ReservationId) -> Result<Interval, Error> {
        self.is_there(id)?;
        self.has_room()?;
        let given_back = self.edit.suspend(id)?;
        self.note(Change::Cancelled(id));
        Ok(given_back)
    }

    /// Moves a reservation to another start, with the same PEs and the same duration.
    ///
    /// Cost: that of [`Timeline::move_to`](super::Timeline::move_to), and all steps.
    ///
    /// # Errors
    ///
    /// Those of [`Timeline::move_to`](super::Timeline::move_to), and [`Refusal::NoStep`]. What was
    /// done before remains.
    pub fn move_to(&mut self, id: ReservationId, start: Instant) -> Result<(), Error> {
        self.is_there(id)?;
        let (from, to) = self.edit.moved(id, start)?;
        self.has_room()?;
        self.edit.reschedule(id, to)?;
        self.note(Change::Moved(id, from));
        Ok(())
    }

    /// All that was done is to last.
    pub fn keep(mut self) {
        for step in self.steps.iter().take(self.used) {
            if let Some(Change::Cancelled(id)) = step.0 {
                self.edit.forget(id);
            }
        }
        self.used = 0;
    }

    fn has_room(&self) -> Result<(), Refusal> {
        let steps = self.steps.len();
        if self.used < steps { Ok(()) } else { Err(Refusal::NoStep { steps: steps as u32 }) }
    }

    /// That there is a reservation, and that it was not cancelled in this attempt. Its entry still answers
    /// to any name of it, and no ledger looks at the epoch of one.
    fn is_there(&self, id: ReservationId) -> Result<(), Misuse> {
        self.edit.find(id)?;
        let entry = |id: ReservationId| (id.handle().pool(), id.index());
        let same = |gone| entry(gone) == entry(id);
        let gone = |step: &Step| matches!(step.0, Some(Change::Cancelled(gone)) if same(gone));
        let cancelled = self.steps.iter().take(self.used).any(gone);
        if cancelled { Err(handle::Misuse::Stale.into()) } else { Ok(()) }
    }

    fn note(&mut self, done: Change) {
        if let Some(step) = self.steps.get_mut(self.used) {
            *step = Step(Some(done));
            self.used = self.used.saturating_add(1);
        }
    }
}

impl<const IDENTITY: bool> Drop for Attempt<'_, IDENTITY> {
    /// Undoes all that was done, the last first.
    fn drop(&mut self) {
        for step in self.steps.iter().take(self.used).rev() {
            match step.0 {
                Some(Change::Reserved(id)) => _ = self.edit.cancel(id),
                Some(Change::Cancelled(id)) => self.edit.resume(id),
                Some(Change::Moved(id, from)) => self.edit.put_back(id, from),
                None => {}
            }
        }
    }
}

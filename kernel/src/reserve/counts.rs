//! What a profile does differently: PEs are a number.

use super::candidates::Candidates;
use super::choice::Lowest;
use super::claim::Wish;
use super::find::Rules;
use super::ledger::ReservationId;
use super::policy::Policy;
use super::request::{Placement, Refusal, Request};
use super::timeline::{Counts, Timeline};
use crate::bits::Word;
use crate::handle::Misuse;

impl<S: AsRef<[Word]> + AsMut<[Word]>> Timeline<S, Counts> {
    /// Finds a place for a request, which `policy` prefers. Nothing is reserved.
    ///
    /// Cost: for [`Fit::First`](super::Fit::First) a few leaps over slots with too few free PEs,
    /// for other policies a look at the summary of each leaf of the window, for each candidate.
    ///
    /// # Errors
    ///
    /// [`Refusal::NoPes`], [`Refusal::NoTime`], [`Refusal::TooLarge`], [`Refusal::Overflow`],
    /// [`Refusal::DeadlineTooEarly`] for requests that make no sense; [`Refusal::Late`],
    /// [`Refusal::Faulty`] for those that have no place.
    pub fn find(&self, request: &Request, policy: &dyn Policy) -> Result<Placement, Refusal> {
        let view = self.view();
        view.find(&view.ask(request)?, rules(policy), &mut [])
    }

    /// The feasible candidates of a request, earliest first.
    ///
    /// # Errors
    ///
    /// Those of [`Timeline::find`] for requests that make no sense.
    pub fn candidates(&self, request: &Request) -> Result<Candidates<'_>, Refusal> {
        let view = self.view();
        Ok(Candidates::new(view, view.ask(request)?, &mut []))
    }

    /// Finds a place for a request and reserves it.
    ///
    /// # Errors
    ///
    /// Those of [`Timeline::find`], and [`Refusal::Full`].
    pub fn reserve(
        &mut self,
        request: &Request,
        policy: &dyn Policy,
    ) -> Result<(ReservationId, Placement), Refusal> {
        self.book.reserve(self.words.as_mut(), request, rules(policy))
    }

    /// Reserves `pes` PEs for an interval chosen by the caller.
    ///
    /// Cost: the leaves at both ends, a summary of each leaf between.
    ///
    /// # Errors
    ///
    /// [`Refusal::Busy`] with the first instant at which too few are free; [`Refusal::NoPes`],
    /// [`Refusal::TooLarge`], [`Refusal::Past`], [`Refusal::NoTime`], [`Refusal::Overflow`],
    /// [`Refusal::Full`].
    pub fn add(&mut self, at: Placement, pes: u32) -> Result<ReservationId, Refusal> {
        self.book.add(self.words.as_mut(), at, Wish::Count(pes))
    }

    /// Gives a reservation another interval and another number of PEs; its own count as free.
    ///
    /// # Errors
    ///
    /// As [`Timeline::add`], except that there is always room; [`Refusal::Misuse`].
    pub fn replace(&mut self, id: ReservationId, at: Placement, pes: u32) -> Result<(), Refusal> {
        self.book.replace(self.words.as_mut(), id, at, Wish::Count(pes))
    }

    /// Moves a reservation to the earliest start from now on, if that is earlier than the one it
    /// has; its own PEs count as free. Returns where it is then. Never moves it back.
    ///
    /// Cost: a search by [`Fit::First`](super::Fit::First) that ends at its start; if it moves, as
    /// [`Timeline::cancel`] and adding anew.
    ///
    /// # Errors
    ///
    /// [`Misuse`] of an id that is stale (cancelled or ended already) or foreign.
    pub fn bring_forward(&mut self, id: ReservationId) -> Result<Placement, Misuse> {
        self.book.bring_forward(self.words.as_mut(), id)
    }

    /// As [`Timeline::find`], as if the reservation `id` did not exist. No change that any call
    /// can see.
    ///
    /// # Errors
    ///
    /// Those of [`Timeline::find`], and [`Refusal::Misuse`].
    pub fn find_instead(
        &mut self,
        id: ReservationId,
        request: &Request,
        policy: &dyn Policy,
    ) -> Result<Placement, Refusal> {
        self.book.find_instead(self.words.as_mut(), id, request, rules(policy), &mut [])
    }

    /// Makes `pes` the number of PEs out of service. More may then be promised than there are:
    /// slots show more busy PEs than the machine has.
    ///
    /// Cost: a summary of each leaf.
    ///
    /// # Errors
    ///
    /// [`Refusal::TooLarge`] if the machine does not have so many.
    pub fn set_out_of_service(&mut self, pes: u32) -> Result<(), Refusal> {
        self.book.set_out_of_service(self.words.as_mut(), pes)
    }
}

/// Without identity nothing is left to choose.
fn rules(policy: &dyn Policy) -> Rules<'_> {
    Rules { policy, choice: &Lowest }
}

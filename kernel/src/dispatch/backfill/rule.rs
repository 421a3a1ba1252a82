//! What the two kinds of backfilling do differently.

use super::planner::{Entry, Lines, Planner, Start};
use crate::bits::Word;
use crate::dispatch::{Job, Refusal, SizeClass};
use crate::invariant::InvariantViolation;
use crate::reserve::{Placement, Profile, ReservationId};
use crate::time::Instant;

/// What a job is promised when it comes, if anything, or why it never runs.
pub(super) type Promise = Result<Option<Placement>, Refusal>;

/// The steps of a rule.
pub(super) trait Steps {
    const NAME: &'static str;

    /// Whether the profile is told of each job that starts, also while none waits for an interval of
    /// its own.
    const BOOKS: bool;

    /// The line in which jobs of a size wait; if not told, one for all.
    fn line(_class: SizeClass) -> u8 {
        SizeClass::SMALLEST.get()
    }

    /// The interval that a job is promised when it comes, if any. Nothing is changed yet.
    fn promise(&self, planner: &mut Planner<'_>, job: &Job) -> Promise;

    /// A job has been put in line.
    fn arrived(&mut self, _: &mut Planner<'_>, _row: u32) {}

    /// Offers jobs in line until one starts; what is kept is not theirs.
    fn next(&mut self, planner: &mut Planner<'_>, start: Start<'_>) -> Option<u32>;

    /// A job has been taken and runs from now on.
    fn started(&mut self, planner: &mut Planner<'_>, row: u32) {
        planner.book(row);
    }

    /// A job that ran has ended.
    fn ended(&mut self, _: &mut Planner<'_>, _row: u32) {}

    /// What others than the jobs in line hold has changed, or one of these was cancelled; in the
    /// interval `freed`, if any, the profile has room that it did not have.
    fn changed(&mut self, planner: &mut Planner<'_>, freed: Option<Placement>);

    /// Tells the profile what it does not know. What is promised to a job in line it is told for
    /// the time of a call; that is returned, to be taken back.
    fn tell_profile(&mut self, _: &mut Planner<'_>) -> Option<ReservationId> {
        None
    }

    /// What is promised to a job in line.
    fn promised(&self, entry: &Entry) -> Option<Placement>;

    /// The next planned start in line after `now`, as far as no event will tell of it; `now` if there is
    /// something left to do.
    fn wake_at(&self, _: &Lines, _: &[Entry], _now: Instant) -> Option<Instant> {
        None
    }

    /// Recomputes what the rule derives.
    fn check<W: AsRef<[Word]> + AsMut<[Word]>>(
        &self,
        _: &Lines,
        _: &[Entry],
        _: &Profile<W>,
    ) -> Result<(), InvariantViolation> {
        Ok(())
    }
}

/// How a [`Backfill`](super::Backfill) plans: as [`Easy`](super::Easy) or as
/// [`Conservative`](super::Conservative).
#[expect(private_bounds, reason = "rules are the kernel's own")]
pub trait Rule: Steps {}

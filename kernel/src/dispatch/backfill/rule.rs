//! What the two kinds of backfilling do differently.

/// How a [`Backfill`](super::Backfill) plans: as [`Easy`](super::Easy) or as
/// [`Conservative`](super::Conservative).
pub trait Rule: sealed::Steps {}

pub(super) mod sealed {
    use super::super::jobs::Entry;
    use super::super::planner::{Planner, Start};
    use crate::dispatch::{Job, Refusal};
    use crate::reserve::{Placement, ReservationId};
    use crate::time::Instant;

    pub trait Steps {
        fn name(&self) -> &'static str;

        /// The interval that a job is promised when it comes, if any. Nothing changes yet.
        fn promise(&self, planner: &Planner<'_>, job: &Job) -> Result<Option<Placement>, Refusal>;

        /// A job has been put in line.
        fn arrived(&mut self, planner: &Planner<'_>, row: u32);

        /// Offers jobs until one starts.
        fn next(&mut self, planner: &mut Planner<'_>, start: Start<'_>) -> Option<u32>;

        /// A job has ended or was cancelled; `early` if the profile has room that it did not have.
        fn released(&mut self, planner: &mut Planner<'_>, early: bool);

        /// Enters in the profile what is promised but not in it.
        fn book_promise(&self, planner: &mut Planner<'_>) -> Option<ReservationId>;

        /// What is promised to a job in line.
        fn promised(&self, first_in_line: bool, entry: &Entry) -> Option<Placement>;

        /// The next planned start in `line` after `now`, as far as no event will tell of it.
        fn wake_at(&self, line: &mut dyn Iterator<Item = &Entry>, now: Instant) -> Option<Instant>;
    }
}

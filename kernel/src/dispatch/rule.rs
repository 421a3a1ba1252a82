//! What the two kinds of backfilling do differently.

/// How a [`Backfill`](super::Backfill) plans: as [`Easy`](super::Easy) or as
/// [`Conservative`](super::Conservative).
pub trait Rule: sealed::Steps {}

pub(super) mod sealed {
    use crate::dispatch::desk::{Desk, Moment};
    use crate::dispatch::entries::Entry;
    use crate::reserve::{Denied, Placement, ReservationId};
    use crate::time::Instant;

    pub trait Steps {
        fn name(&self) -> &'static str;

        /// A job has been put in line. On an error it is taken out again.
        fn arrived(&mut self, desk: &mut Desk<'_>, index: u32) -> Result<(), Denied>;

        /// Offers jobs until one starts.
        fn next(&mut self, desk: &mut Desk<'_>, moment: &mut Moment<'_>) -> Option<u32>;

        /// A job has ended or was cancelled; `early` if the profile has room that it did not have.
        fn released(&mut self, desk: &mut Desk<'_>, early: bool);

        /// Enters in the profile what is promised but not in it.
        fn keep_promise(&self, desk: &mut Desk<'_>) -> Option<ReservationId>;

        /// What is promised to a job in line.
        fn promised(&self, first_in_line: bool, entry: &Entry) -> Option<Placement>;

        /// The next planned start in `line` after `now`, as far as no event will tell of it.
        fn wake(&self, line: &mut dyn Iterator<Item = &Entry>, now: Instant) -> Option<Instant>;
    }
}

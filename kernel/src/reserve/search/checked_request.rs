//! A request as the search reads it: in ticks, and sensible for the machine.

use crate::reserve::choice::Choice;
use crate::reserve::refusal::{Error, Misuse, Refusal};
use crate::reserve::request::{Interval, Request};
use crate::reserve::slots::view::Slots;
use crate::time::{Duration, Instant};

/// The latest end that a reservation may have: after it, nothing but PEs out of service.
pub(crate) const LATEST_END: u64 = u64::MAX - 1;

/// A request that has passed the first checks.
#[derive(Clone, Copy)]
pub(crate) struct CheckedRequest<'c> {
    /// At least the present.
    pub(crate) ready: u64,
    pub(crate) duration: u64,
    /// The latest start; `latest + duration` is an instant.
    pub(crate) latest: u64,
    /// Whether the latest start follows from a deadline, and so is a candidate.
    pub(crate) has_deadline: bool,
    /// At most the PEs of the machine.
    pub(crate) pes: u32,
    /// Who says which PEs, and among which.
    pub(crate) choice: &'c dyn Choice,
}

impl<'c> CheckedRequest<'c> {
    /// A request for PEs that `choice` may take, if it makes sense and is not beyond this machine or its
    /// time. Whether its mask makes sense comes before whether there is room.
    pub(crate) fn new<const IDENTITY: bool>(
        slots: &Slots<'_, IDENTITY>,
        request: &Request,
        choice: &'c dyn Choice,
    ) -> Result<Self, Error> {
        let Request { ready, duration, deadline, pes } = *request;
        check(request)?;
        let mask = choice.mask();
        mask.check(slots.pes(), pes)?;
        if pes > slots.pes() {
            return Err(Refusal::TooLarge { pes: slots.pes() }.into());
        }
        let duration = duration.ticks();
        let latest_end = deadline.map_or(LATEST_END, |end| end.ticks().min(LATEST_END));
        let ready = ready.ticks().max(slots.now());
        if ready > LATEST_END.saturating_sub(duration) {
            return Err(Refusal::Overflow.into());
        }
        mask.check_count(pes)?;
        // Below the duration if the deadline has passed already: then no start is early enough.
        let latest = latest_end.saturating_sub(duration);
        let has_deadline = deadline.is_some();
        Ok(Self { ready, duration, latest, has_deadline, pes, choice })
    }

    /// The same without a deadline.
    pub(crate) fn forever(&self) -> Self {
        Self { latest: LATEST_END.saturating_sub(self.duration), ..*self }
    }

    pub(crate) fn placed(&self, start: u64) -> Interval {
        Interval {
            start: Instant::from_ticks(start),
            end: Instant::from_ticks(start.saturating_add(self.duration)),
        }
    }
}

/// Whether a request makes sense by itself.
fn check(request: &Request) -> Result<(), Misuse> {
    let Request { ready, duration, deadline, pes } = *request;
    if pes == 0 {
        return Err(Misuse::NoPes);
    }
    if duration == Duration::ZERO {
        return Err(Misuse::NoTime);
    }
    let end = ready.checked_add(duration).ok_or(Misuse::Overflow)?;
    if deadline.is_some_and(|deadline| deadline < end) {
        return Err(Misuse::DeadlineTooEarly);
    }
    if end == Instant::MAX { Err(Misuse::Overflow) } else { Ok(()) }
}

//! A request as the search reads it: in ticks, and sensible for the machine.

use super::super::choice::Choice;
use super::super::refusal::{Error, Misuse, Refusal};
use super::super::request::{Placement, Request};
use super::super::slots::Slots;
use crate::time::{Duration, Instant};

/// The latest end that a reservation may have: after it, nothing but PEs out of service.
pub(crate) const LATEST_END: u64 = u64::MAX - 1;

/// A request that has passed the first checks.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ask {
    /// At least the present.
    pub(crate) ready: u64,
    pub(crate) duration: u64,
    /// The latest start; `latest + duration` is an instant.
    pub(crate) latest: u64,
    /// The latest start if it follows from a deadline, and so is a candidate; else the end of time.
    pub(crate) due: u64,
    /// At most the PEs of the machine.
    pub(crate) pes: u32,
    /// From here on the PEs need not be free: by counts alone, they are the asker's already.
    pub(crate) until: u64,
}

impl Ask {
    /// The same without a deadline.
    pub(crate) fn forever(&self) -> Self {
        Self { latest: LATEST_END.saturating_sub(self.duration), ..*self }
    }

    pub(crate) fn placed(&self, start: u64) -> Placement {
        Placement {
            start: Instant::from_ticks(start),
            end: Instant::from_ticks(start.saturating_add(self.duration)),
        }
    }
}

impl<const IDENTITY: bool> Slots<'_, IDENTITY> {
    /// A request that makes sense, and is not beyond this machine or its time, in ticks.
    pub(crate) fn ask(&self, request: &Request) -> Result<Ask, Error> {
        check(request)?;
        Ok(self.in_ticks(request)?)
    }

    /// The same of one for PEs that `choice` may take. Whether its mask makes sense comes before
    /// whether there is room.
    pub(crate) fn ask_among(&self, request: &Request, choice: &dyn Choice) -> Result<Ask, Error> {
        check(request)?;
        let mask = choice.mask();
        mask.check(self.layout.limits.pes, request.pes)?;
        let ask = self.in_ticks(request)?;
        mask.check_count(request.pes)?;
        Ok(ask)
    }

    fn in_ticks(&self, request: &Request) -> Result<Ask, Refusal> {
        let Request { ready, duration, deadline, pes } = *request;
        if pes > self.layout.limits.pes {
            return Err(Refusal::TooLarge);
        }
        let duration = duration.ticks();
        let latest_end = deadline.map_or(LATEST_END, |end| end.ticks().min(LATEST_END));
        let ready = ready.ticks().max(self.now());
        if ready > LATEST_END.saturating_sub(duration) {
            return Err(Refusal::Overflow);
        }
        // Below the duration if the deadline has passed already: then no start is early enough.
        let latest = latest_end.saturating_sub(duration);
        let due = deadline.map_or(u64::MAX, |_| latest);
        Ok(Ask { ready, duration, latest, due, pes, until: u64::MAX })
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

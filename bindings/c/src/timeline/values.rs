//! What timelines take and give, and what that is in the kernel.

use crate::interface::{faults, opaque, structures};
use crate::memory::*;
use crate::status::locox_status::*;
use crate::time::{LOCOX_NEVER, at, ticks};
use locox::bits::{OutOfRange, Word};
use locox::reserve::{
    Candidate, Fit, Misuse, Placement, Refusal, Request, Reservation, ReservationId, SetupError,
    Slot, Step, Timeline,
};
use locox::time::{Duration, Instant};

/// Which of the feasible starts: the earliest.
pub const LOCOX_FIT_FIRST: u32 = 0;
/// See `LOCOX_FIT_FIRST`: the fewest free PEs (PE_B).
pub const LOCOX_FIT_PE_BEST: u32 = 1;
/// See `LOCOX_FIT_FIRST`: the most free PEs (PE_W).
pub const LOCOX_FIT_PE_WORST: u32 = 2;
/// See `LOCOX_FIT_FIRST`: the shortest rectangle (Du_B).
pub const LOCOX_FIT_DURATION_BEST: u32 = 3;
/// See `LOCOX_FIT_FIRST`: the longest rectangle (Du_W).
pub const LOCOX_FIT_DURATION_WORST: u32 = 4;
/// See `LOCOX_FIT_FIRST`: the smallest product of PEs and duration (PEDu_B).
pub const LOCOX_FIT_PE_DURATION_BEST: u32 = 5;
/// See `LOCOX_FIT_FIRST`: the largest product of PEs and duration (PEDu_W).
pub const LOCOX_FIT_PE_DURATION_WORST: u32 = 6;

/// Which of the free PEs: the lowest.
pub const LOCOX_PICK_LOWEST: u32 = 0;
/// See `LOCOX_PICK_LOWEST`: the first run without gaps.
pub const LOCOX_PICK_CONTIGUOUS: u32 = 1;
/// See `LOCOX_PICK_LOWEST`: the first aligned block of a power of two.
pub const LOCOX_PICK_ALIGNED_SUBCUBE: u32 = 2;

/// What a change of `locox_timeline_attempt` or `locox_profile_attempt` does: reserve.
pub const LOCOX_CHANGE_RESERVE: u32 = 0;
/// See `LOCOX_CHANGE_RESERVE`: cancel.
pub const LOCOX_CHANGE_CANCEL: u32 = 1;
/// See `LOCOX_CHANGE_RESERVE`: move to another start.
pub const LOCOX_CHANGE_MOVE: u32 = 2;

/// The most reservations of one series, and alternatives of one request.
pub const LOCOX_SERIES_MOST: usize = 32;

opaque! {
    /// Which PEs are busy from when to when. Opaque, small, and may be moved; its storage may not.
    locox_timeline: [u64; LOCOX_TIMELINE_LENGTH], locox_size_of_timeline, as Body, b"TIME";

    /// Room to note one change that may be undone. Its content does not matter.
    locox_step: [u64; LOCOX_STEP_LENGTH], locox_size_of_step, for Step;
}

pub(crate) type Body = Timeline<&'static mut [Word]>;

structures! {
    /// What is asked for. Times are ticks of the caller's.
    pub struct locox_request {
        /// The earliest start. An instant in the past means the present.
        pub ready: u64,
        /// How long the PEs are needed; not zero.
        pub duration: u64,
        /// The latest finish, not before `ready` and `duration` together; `LOCOX_NEVER` for none.
        pub deadline: u64,
        /// How many PEs, at least one.
        pub pes: u32,
        /// Of no meaning.
        pub padding: u32,
    }

    /// How to choose among what is feasible. A null pointer to one means zeros: the earliest start, the
    /// lowest PEs, any of them.
    pub struct locox_choice {
        /// `LOCOX_FIT_...`.
        pub fit: u32,
        /// `LOCOX_PICK_...`.
        pub pick: u32,
        /// A set of PEs: no others; null for any.
        pub allowed: *const usize,
        /// A set of PEs: these in any case; null for none.
        pub required: *const usize,
        /// Words of each set: `LOCOX_SET_WORDS` of the machine's PEs.
        pub words: usize,
    }

    /// From when to when.
    pub struct locox_placement {
        /// The first instant.
        pub start: u64,
        /// The first instant after it.
        pub end: u64,
    }

    /// A reservation: its name, and what is known of it.
    pub struct locox_reservation {
        /// Its name.
        pub id: locox_handle,
        /// How many PEs.
        pub pes: u32,
        /// From when to when.
        pub at: locox_placement,
    }

    /// From one instant at which a set of busy PEs changes to the next.
    pub struct locox_slot {
        /// The first instant.
        pub start: u64,
        /// How many PEs are reserved or out of service.
        pub busy: u32,
        /// Of no meaning.
        pub padding: u32,
    }

    /// A start at which a request fits, and how much room there is around it.
    pub struct locox_candidate {
        /// The start.
        pub start: u64,
        /// From when to when all PEs that are free from the start on for the duration are free;
        /// the end is `LOCOX_NEVER` if for good.
        pub room: locox_placement,
        /// How many these are.
        pub pes: u32,
        /// Of no meaning.
        pub padding: u32,
    }

    /// One of several changes that are made together.
    pub struct locox_change {
        /// `LOCOX_CHANGE_...`.
        pub kind: u32,
        /// What to cancel or move.
        pub id: locox_handle,
        /// Where to move it.
        pub start: u64,
        /// What to reserve.
        pub request: locox_request,
    }
}

/// Called for each reservation that a call has to name.
pub type locox_reservation_fn = Option<
    unsafe extern "C" fn(reservation: *const locox_reservation, user: *mut core::ffi::c_void),
>;

/// Called for each slot.
pub type locox_slot_fn =
    Option<unsafe extern "C" fn(slot: *const locox_slot, user: *mut core::ffi::c_void)>;

/// Called for each start at which a request fits, the earliest first.
pub type locox_candidate_fn =
    Option<unsafe extern "C" fn(candidate: *const locox_candidate, user: *mut core::ffi::c_void)>;

/// A reservation of nobody.
pub(crate) const NOTHING: locox_reservation = locox_reservation {
    id: locox_handle::NOBODY,
    pes: 0,
    at: locox_placement { start: 0, end: 0 },
};

pub(crate) fn fit_of(fit: u32) -> Answer<Fit> {
    Fit::ALL.get(fit as usize).copied().ok_or(LOCOX_BAD_ARGUMENT.into())
}

pub(crate) fn request_of(it: &locox_request) -> Request {
    let request = Request::new(at(it.ready), ticks(it.duration), it.pes);
    if it.deadline == LOCOX_NEVER { request } else { request.by(at(it.deadline)) }
}

/// Requests of the caller's.
pub(crate) struct Requests {
    room: [Request; LOCOX_SERIES_MOST],
    len: usize,
}

impl Requests {
    pub(crate) fn given(&self) -> &[Request] {
        self.room.get(..self.len).unwrap_or_default()
    }
}

pub(crate) fn requests_in(given: &[locox_request]) -> Answer<Requests> {
    let none = Request::new(Instant::ZERO, Duration::ZERO, 0);
    let mut all = Requests { room: [none; LOCOX_SERIES_MOST], len: given.len() };
    let requests = all.room.get_mut(..given.len()).ok_or(LOCOX_BAD_ARGUMENT)?;
    requests.iter_mut().zip(given).for_each(|(to, from)| *to = request_of(from));
    Ok(all)
}

pub(crate) fn placement_of(it: locox_placement) -> Placement {
    Placement { start: at(it.start), end: at(it.end) }
}

pub(crate) fn reservation_of(id: ReservationId, pes: u32, at: Placement) -> locox_reservation {
    locox_reservation { id: id.into(), pes, at: at.into() }
}

impl From<Candidate> for locox_candidate {
    fn from(Candidate { start, rectangle }: Candidate) -> Self {
        let room = Placement { start: rectangle.begin, end: rectangle.end }.into();
        Self { start: start.ticks(), room, pes: rectangle.pes, padding: 0 }
    }
}

impl From<Placement> for locox_placement {
    fn from(at: Placement) -> Self {
        Self { start: at.start.ticks(), end: at.end.ticks() }
    }
}

impl From<Reservation> for locox_reservation {
    fn from(it: Reservation) -> Self {
        reservation_of(it.id, it.pes, it.at)
    }
}

impl From<Slot> for locox_slot {
    fn from(it: Slot) -> Self {
        Self { start: it.time.ticks(), busy: it.busy, padding: 0 }
    }
}

impl From<OutOfRange> for Fault {
    fn from(_: OutOfRange) -> Self {
        LOCOX_WRONG_SET.into()
    }
}

faults! {
    SetupError {
        SetupError::Limits => LOCOX_BAD_ARGUMENT,
        SetupError::Storage { words } => LOCOX_TOO_SHORT.with_len(words),
    }

    Refusal {
        Refusal::TooLarge { pes } => LOCOX_TOO_LARGE.with(pes),
        Refusal::Faulty { serving } => LOCOX_FAULTY.with(serving),
        Refusal::Late { finish } => LOCOX_LATE.with(finish.ticks()),
        Refusal::Overflow => LOCOX_END_OF_TIME,
        Refusal::Busy { from } => LOCOX_BUSY.with(from.ticks()),
        Refusal::Full { reservations } => LOCOX_FULL.with(reservations),
        Refusal::Masked { allowed } => LOCOX_MASKED.with(allowed),
        Refusal::NoStep { steps } => LOCOX_NO_STEP.with(steps),
    }

    Misuse {
        Misuse::NoPes => LOCOX_NO_PES,
        Misuse::NoTime => LOCOX_NO_TIME,
        Misuse::Overflow => LOCOX_BEYOND_TIME,
        Misuse::DeadlineTooEarly => LOCOX_DEADLINE_TOO_EARLY,
        Misuse::Past => LOCOX_PAST,
        Misuse::NoSuchPe => LOCOX_NO_SUCH_PE,
        Misuse::WrongSet => LOCOX_WRONG_SET,
        Misuse::WrongMask => LOCOX_WRONG_MASK,
        Misuse::NoRequest => LOCOX_NO_REQUEST,
        Misuse::WrongSeries => LOCOX_WRONG_SERIES,
        Misuse::WrongSpeeds => LOCOX_WRONG_SPEEDS,
        Misuse::Handle(misuse) => misuse,
    }
}

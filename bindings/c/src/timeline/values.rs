//! What timelines take and give, and what that is in the kernel.

use crate::prelude::*;
use locox::bits::OutOfRange;
use locox::reserve::*;

numbered! {
    Fit {
        /// Which of the feasible starts: the earliest.
        LOCOX_FIT_FIRST = First = 0,
        /// See `LOCOX_FIT_FIRST`: the fewest free PEs (PE_B).
        LOCOX_FIT_PE_BEST = PeBest = 1,
        /// See `LOCOX_FIT_FIRST`: the most free PEs (PE_W).
        LOCOX_FIT_PE_WORST = PeWorst = 2,
        /// See `LOCOX_FIT_FIRST`: the shortest rectangle (Du_B).
        LOCOX_FIT_DURATION_BEST = DurationBest = 3,
        /// See `LOCOX_FIT_FIRST`: the longest rectangle (Du_W).
        LOCOX_FIT_DURATION_WORST = DurationWorst = 4,
        /// See `LOCOX_FIT_FIRST`: the smallest product of PEs and duration (PEDu_B).
        LOCOX_FIT_PE_DURATION_BEST = PeDurationBest = 5,
        /// See `LOCOX_FIT_FIRST`: the largest product of PEs and duration (PEDu_W).
        LOCOX_FIT_PE_DURATION_WORST = PeDurationWorst = 6,
    }

    Pick {
        /// Which of the free PEs: the lowest.
        LOCOX_PICK_LOWEST = Lowest = 0,
        /// See `LOCOX_PICK_LOWEST`: the first run without gaps.
        LOCOX_PICK_CONTIGUOUS = Contiguous = 1,
        /// See `LOCOX_PICK_LOWEST`: the first aligned block of a power of two.
        LOCOX_PICK_ALIGNED_SUBCUBE = AlignedSubcube = 2,
    }
}

/// Which of the free PEs are taken.
#[derive(Clone, Copy)]
pub(super) enum Pick {
    Lowest,
    Contiguous,
    AlignedSubcube,
}

numbers! {
    /// What a change of `locox_timeline_attempt` or `locox_profile_attempt` does: reserve.
    LOCOX_CHANGE_RESERVE = 0;
    /// See `LOCOX_CHANGE_RESERVE`: cancel.
    LOCOX_CHANGE_CANCEL = 1;
    /// See `LOCOX_CHANGE_RESERVE`: move to another start.
    LOCOX_CHANGE_MOVE = 2;
}

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
    pub struct locox_interval {
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
        pub at: locox_interval,
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
        pub room: locox_interval,
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

callbacks! {
    /// Called for each reservation that a call has to name.
    pub type locox_reservation_fn(reservation: *const locox_reservation);
    /// Called for each slot.
    pub type locox_slot_fn(slot: *const locox_slot);
    /// Called for each start at which a request fits, the earliest first.
    pub type locox_candidate_fn(candidate: *const locox_candidate);
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

    /// Which of them was chosen, and what was reserved for it.
    pub(crate) fn chosen(
        &self,
        it: (usize, ReservationId, Interval),
    ) -> (usize, locox_reservation) {
        let (which, id, at) = it;
        let pes = self.given().get(which).map_or(0, |request| request.pes);
        (which, reservation_of(id, pes, at))
    }
}

pub(crate) fn requests_in(given: &[locox_request]) -> Answer<Requests> {
    let none = Request::new(Instant::ZERO, Duration::ZERO, 0);
    let mut all = Requests { room: [none; LOCOX_SERIES_MOST], len: given.len() };
    let requests = all.room.get_mut(..given.len()).ok_or(LOCOX_BAD_ARGUMENT)?;
    requests.iter_mut().zip(given).for_each(|(to, from)| *to = request_of(from));
    Ok(all)
}

pub(crate) fn reservation_of(id: ReservationId, pes: u32, at: Interval) -> locox_reservation {
    locox_reservation { id: id.into_c(), pes, at: at.into_c() }
}

mirrors! {
    locox_interval = Interval { start, end }
    locox_reservation <- Reservation { id, pes, at }
}
values! {
    Slot as locox_slot: |it| locox_slot { start: it.time.into_c(), busy: it.busy, padding: 0 };
    Candidate as locox_candidate: |it| {
        let room = locox_interval { start: it.rectangle.begin.into_c(), end: it.rectangle.end.into_c() };
        locox_candidate { start: it.start.into_c(), room, pes: it.rectangle.pes, padding: 0 }
    };
}

faults! {
    OutOfRange = OutOfRange { .. } => LOCOX_WRONG_SET;
}

faults! {
    SetupError { Limits => LOCOX_BAD_ARGUMENT, StorageTooSmall { needed } => LOCOX_TOO_SHORT.with_len(needed) }
    Refusal {
        TooLarge { pes } => LOCOX_TOO_LARGE.with(pes), Faulty { serving } => LOCOX_FAULTY.with(serving),
        Late { finish } => LOCOX_LATE.with(finish.ticks()), Overflow => LOCOX_END_OF_TIME,
        Busy { from } => LOCOX_BUSY.with(from.ticks()), Full { reservations } => LOCOX_FULL.with(reservations),
        Masked { allowed } => LOCOX_MASKED.with(allowed), NoStep { steps } => LOCOX_NO_STEP.with(steps),
    }
    Misuse {
        NoPes => LOCOX_NO_PES, NoTime => LOCOX_NO_TIME, Overflow => LOCOX_BEYOND_TIME,
        DeadlineTooEarly => LOCOX_DEADLINE_TOO_EARLY, Past => LOCOX_PAST, NoSuchPe => LOCOX_NO_SUCH_PE,
        WrongSet => LOCOX_WRONG_SET, WrongMask => LOCOX_WRONG_MASK, NoRequest => LOCOX_NO_REQUEST,
        WrongSeries => LOCOX_WRONG_SERIES, WrongSpeeds => LOCOX_WRONG_SPEEDS, Handle(misuse) => misuse,
    }
}

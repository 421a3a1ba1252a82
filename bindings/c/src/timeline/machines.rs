//! PEs of unlike speed, and one of several machines.

use super::sets::{choosing, set_in};
use super::values::*;
use crate::prelude::*;
use core::cell::Cell;
use locox::bits::BitSet;
use locox::reserve::*;

/// The most speeds of one machine.
pub const LOCOX_SPEEDS_MOST: usize = 8;

/// The most machines of one call.
pub const LOCOX_MACHINES_MOST: usize = 32;

structures! {
    /// A speed, and the PEs of a machine that have at least that.
    pub struct locox_speed {
        /// The speed, in a unit of the caller's.
        pub speed: u32,
        /// Of no meaning.
        pub padding: u32,
        /// A set of PEs.
        pub pes: *const usize,
    }

    /// How fast the PEs of a machine are. A null pointer to one means that all are standard PEs.
    pub struct locox_speeds {
        /// The speed of a standard PE, which takes for a request just its duration.
        pub standard: u32,
        /// How many speeds there are, 1 to `LOCOX_SPEEDS_MOST`.
        pub count: u32,
        /// The speeds, the highest first. Each has all PEs of the one before it. PEs that none has are not
        /// reserved.
        pub speeds: *const locox_speed,
        /// Words of each set: `LOCOX_SET_WORDS` of the machine's PEs.
        pub words: usize,
    }

    /// One of several machines, and how it is to be asked.
    pub struct locox_machine {
        /// Its timeline.
        pub timeline: *mut locox_timeline,
        /// How to choose on this machine, or null.
        pub choice: *const locox_choice,
        /// How fast its PEs are, or null.
        pub speeds: *const locox_speeds,
    }
}

/// How a request is to be placed.
type Terms<'a> = (Option<Speeds<'a>>, Fit, &'a dyn Choice);

/// Acts on a machine by what the caller says of its speeds and of how to choose.
///
/// # Safety
///
/// The contract of `memory`.
unsafe fn asking<T>(
    machine: &locox_machine,
    act: impl FnOnce(&mut Body, Terms<'_>) -> Answer<T>,
) -> Answer<T> {
    let choice = machine.choice;
    // SAFETY: the caller keeps the contract.
    unsafe {
        on(machine.timeline, |it| {
            if machine.speeds.is_null() {
                return choosing(it, choice, |it, fit, choice| act(it, (None, fit, choice)));
            }
            let given = input(machine.speeds)?;
            let speeds = inputs(given.speeds, given.count as usize)?;
            let nothing = BitSet::from_words(&[][..], 0)?;
            let mut sets: [BitSet<&[Word]>; LOCOX_SPEEDS_MOST] = [nothing; LOCOX_SPEEDS_MOST];
            let room = sets.get_mut(..speeds.len()).ok_or(LOCOX_BAD_ARGUMENT)?;
            for (set, speed) in room.iter_mut().zip(speeds) {
                *set = set_in(it.limits().pes, speed.pes, given.words)?;
            }
            let mut classes = [SpeedClass::new(0, &nothing); LOCOX_SPEEDS_MOST];
            for ((class, speed), set) in classes.iter_mut().zip(speeds).zip(&sets) {
                *class = SpeedClass::new(speed.speed, set);
            }
            let classes = classes.get(..speeds.len()).unwrap_or_default();
            let speeds = Some(Speeds::new(given.standard, classes)?);
            choosing(it, choice, |it, fit, choice| act(it, (speeds, fit, choice)))
        })
    }
}

fn would_reserve(
    it: &mut Body,
    request: &Request,
    (speeds, fit, choice): Terms<'_>,
) -> Result<Interval, Error> {
    match speeds {
        None => it.would_reserve(request, &fit, choice),
        Some(speeds) => it.would_reserve_at_speeds(request, speeds, &fit, choice),
    }
}

fn reserve(
    it: &mut Body,
    request: &Request,
    (speeds, fit, choice): Terms<'_>,
) -> Result<(ReservationId, Interval), Error> {
    match speeds {
        None => it.reserve(request, &fit, choice),
        Some(speeds) => it.reserve_at_speeds(request, speeds, &fit, choice),
    }
}

/// What a machine says; a fault of the caller's is kept apart, and ends the call as a misuse does.
fn heard<T>(fault: &Cell<Option<Fault>>, answer: Answer<Result<T, Error>>) -> Result<T, Error> {
    answer.unwrap_or_else(|found| {
        fault.set(Some(found));
        Err(Misuse::NoRequest.into())
    })
}

interface! {
    /// Where `locox_timeline_reserve`, or with `speeds` `locox_timeline_reserve_at_speeds`, would put a
    /// request, with the same answer if it is refused. Nothing changes.
    fn locox_timeline_would_reserve(
        timeline: *mut locox_timeline, request: *const locox_request, speeds: *const locox_speeds,
        choice: *const locox_choice, interval: *mut locox_interval; detail
    ) {
        let (result, request) = (out(interval)?, request_of(&input(request)?));
        let machine = locox_machine { timeline, choice, speeds };
        result.put(asking(&machine, |it, terms| Ok(would_reserve(it, &request, terms)?))?)
    }

    /// Reserves PEs of unlike speed. The duration of the request is that on standard PEs; the reservation
    /// lasts as long as the slowest of its PEs takes, rounded up. For each speed the fit chooses a start
    /// among the PEs that have at least that; the place is taken that ends first, of equal ones that of
    /// the higher speed. Refused as by `locox_timeline_reserve`; a deadline too early for all speeds as
    /// `LOCOX_LATE`. A choice with a set of allowed PEs is `LOCOX_WRONG_MASK`: leave the others out of the
    /// speeds.
    fn locox_timeline_reserve_at_speeds(
        timeline: *mut locox_timeline, request: *const locox_request, speeds: *const locox_speeds,
        choice: *const locox_choice, reservation: *mut locox_reservation; detail
    ) {
        let (result, request) = (out(reservation)?, request_of(&input(request)?));
        let machine = locox_machine { timeline, choice, speeds };
        let (id, at) = asking(&machine, |it, terms| Ok(reserve(it, &request, terms)?))?;
        result.put(reservation_of(id, request.pes, at))
    }

    /// Reserves PEs on one of several machines (`LOCOX_MACHINES_MOST` at most), the one on which the
    /// request would finish first, of equal ones the first, and writes which one to `chosen`. Nothing
    /// changes on the others. A wrong call of one machine ends all. If none has a place, the refusal is the one
    /// that is nearest to a place: `LOCOX_LATE` with the earliest finish, else `LOCOX_FULL`, `LOCOX_FAULTY`,
    /// `LOCOX_END_OF_TIME`, `LOCOX_MASKED`, `LOCOX_TOO_LARGE`.
    fn locox_reserve_on_one_of(
        machines: *const locox_machine, count: usize, request: *const locox_request, chosen: *mut usize,
        reservation: *mut locox_reservation; detail
    ) {
        let (chosen, result) = (out(chosen)?, out(reservation)?);
        let (given, request) = (inputs(machines, count)?, request_of(&input(request)?));
        let mut room = [locox_machine::EMPTY; LOCOX_MACHINES_MOST];
        let machines = room.get_mut(..count).ok_or(LOCOX_BAD_ARGUMENT)?;
        machines.copy_from_slice(given);
        let fault = Cell::new(None);
        let placed = reserve_on_one_of(
            machines,
            |it| heard(&fault, asking(it, |it, terms| Ok(would_reserve(it, &request, terms)))),
            |it| heard(&fault, asking(it, |it, terms| Ok(reserve(it, &request, terms)))),
        );
        fault.get().map_or(Ok(()), Err)?;
        let (which, id, at) = placed?;
        result.put(reservation_of(id, request.pes, at))?;
        chosen.put(which)
    }
}

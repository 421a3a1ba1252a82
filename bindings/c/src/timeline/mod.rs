//! Timelines: which PEs are busy from when to when, and where a request fits.

mod attempt;
mod machines;
mod reserved;
mod sets;
mod values;

pub(crate) use attempt::{attempt, results_in, steps_in};
pub use machines::*;
pub(crate) use reserved::reserved;
pub use values::*;

use crate::interface::interface;
use crate::memory::*;
use crate::status::locox_status::*;
use crate::time::{at, ticks};
use core::ffi::c_void;
use locox::handle::PoolId;
use locox::reserve::{Limits, Timeline};
use sets::{choosing, room_for_set, set_in};

/// Words of storage for a timeline of so many PEs and reservations; zero for limits out of range (1 to
/// 2^30 - 1). `LOCOX_TIMELINE_WORDS` is the same as a constant.
#[unsafe(no_mangle)]
pub extern "C" fn locox_timeline_words(pes: u32, reservations: u32) -> usize {
    words_of(pes, reservations)
}

pub(crate) const fn words_of(pes: u32, reservations: u32) -> usize {
    match Timeline::words(Limits { pes, reservations }) {
        usize::MAX => 0,
        words => words,
    }
}

interface! {
    /// Starts an empty timeline at time zero, over `len` words of storage with any content. Its
    /// reservations carry `id`: to other timelines they are foreign.
    fn locox_timeline_start(
        timeline: *mut locox_timeline, id: u16, pes: u32, reservations: u32, storage: *mut usize,
        len: usize; detail
    ) {
        let place = place(timeline)?;
        let needed = words_of(pes, reservations);
        if needed == 0 {
            return Err(LOCOX_BAD_ARGUMENT.into());
        }
        let words = crate::memory::words(storage, len, needed)?.cleared(0);
        place.start(Timeline::new(PoolId(id), Limits { pes, reservations }, words)?)
    }

    /// Reserves PEs for a request. Refused as `LOCOX_TOO_LARGE`, `LOCOX_FAULTY`, `LOCOX_LATE`,
    /// `LOCOX_END_OF_TIME`, `LOCOX_FULL` or `LOCOX_MASKED`.
    fn locox_timeline_reserve(
        timeline: *mut locox_timeline, request: *const locox_request, choice: *const locox_choice,
        reservation: *mut locox_reservation; detail
    ) {
        let (result, request) = (out(reservation)?, request_of(&input(request)?));
        let done = on(timeline, |it| {
            choosing(it, choice, |it, fit, choice| Ok(it.reserve(&request, &fit, choice)?))
        })?;
        result.put(reservation_of(done.0, request.pes, done.1))
    }

    /// Where `locox_timeline_reserve` would put a request, and on which PEs: they are written to `pes`,
    /// a set of `words` words, which is of no meaning after an error.
    fn locox_timeline_find(
        timeline: *const locox_timeline, request: *const locox_request, choice: *const locox_choice,
        placement: *mut locox_placement, pes: *mut usize, words: usize; detail
    ) {
        let (result, request) = (out(placement)?, request_of(&input(request)?));
        let found = of(timeline, |it| {
            let mut set = room_for_set(it, pes, words)?;
            choosing(it, choice, |it, fit, choice| {
                Ok(it.find(&request, &fit, choice, &mut set)?)
            })
        })?;
        result.put(found)
    }

    /// Calls `visit` for each start at which a request fits, the earliest first: the first is where
    /// `locox_timeline_find` would put it, the others are the alternatives to that. A mask is not looked
    /// at. `pes` is room for a set of `words` words: within a call of `visit` it has the PEs that are
    /// free from that start on for the duration, afterwards it is of no meaning.
    /// While `visit` runs, every call on this timeline, `const` ones too, answers `LOCOX_REENTERED`.
    fn locox_timeline_candidates(
        timeline: *const locox_timeline, request: *const locox_request, pes: *mut usize,
        words: usize, visit: locox_candidate_fn, user: *mut c_void; detail
    ) {
        let request = request_of(&input(request)?);
        of(timeline, |it| {
            let mut set = room_for_set(it, pes, words)?;
            let candidates = it.candidates(&request, &mut set)?;
            candidates.for_each(|candidate| tell(visit, candidate, user));
            Ok(())
        })
    }

    /// Reserves PEs for the one of several requests (`LOCOX_SERIES_MOST` at most) that finishes first,
    /// and writes which one to `chosen`. Of `choice` the fit is not looked at.
    fn locox_timeline_reserve_one_of(
        timeline: *mut locox_timeline, alternatives: *const locox_request, count: usize,
        choice: *const locox_choice, chosen: *mut usize, reservation: *mut locox_reservation; detail
    ) {
        let (chosen, result) = (out(chosen)?, out(reservation)?);
        let requests = requests_in(inputs(alternatives, count)?)?;
        let requests = requests.given();
        let (which, id, at) = on(timeline, |it| {
            choosing(it, choice, |it, _, choice| Ok(it.reserve_one_of(requests, choice)?))
        })?;
        let pes = requests.get(which).map_or(0, |request| request.pes);
        result.put(reservation_of(id, pes, at))?;
        chosen.put(which)
    }

    /// Reserves PEs `count` times (`LOCOX_SERIES_MOST` at most), each `period` after the one before it,
    /// at the earliest start at which all have a place, or not at all. Of `choice` the fit is not looked
    /// at.
    fn locox_timeline_reserve_series(
        timeline: *mut locox_timeline, request: *const locox_request, period: u64,
        choice: *const locox_choice, series: *mut locox_handle, count: usize,
        first: *mut locox_placement; detail
    ) {
        let (first, results) = (out(first)?, outputs(series, count)?);
        let request = request_of(&input(request)?);
        let mut room = [None; LOCOX_SERIES_MOST];
        let ids = room.get_mut(..count).ok_or(LOCOX_BAD_ARGUMENT)?;
        let placed = on(timeline, |it| {
            choosing(it, choice, |it, _, choice| {
                Ok(it.reserve_series(&request, ticks(period), choice, ids)?)
            })
        })?;
        for (result, id) in results.iter_mut().zip(ids.iter().flatten()) {
            result.write((*id).into());
        }
        first.put(placed)
    }

    /// Makes `count` changes in their order, all of them or none; with `keep` zero none even if all are
    /// possible. `results` has a reservation for each: what was reserved, what was cancelled with the
    /// interval that was given back, what was moved. `steps` is room for as many. Both are of no meaning
    /// after an error, which is that of the first change that cannot be made. Undoing costs as much as
    /// doing.
    fn locox_timeline_attempt(
        timeline: *mut locox_timeline, changes: *const locox_change, count: usize,
        choice: *const locox_choice, keep: u32, steps: *mut locox_step,
        results: *mut locox_reservation; detail
    ) {
        let changes = inputs(changes, count)?;
        let (results, steps) = (outputs(results, count)?, outputs(steps, count)?);
        on(timeline, |it| {
            let results = results_in(results, changes, |id| it.reservation(id).ok());
            choosing(it, choice, |it, fit, choice| {
                let all = it.attempt(steps_in(steps));
                attempt(all, changes, (&fit, choice), keep != 0, results)
            })
        })
    }

    /// Reserves PEs for an interval, both chosen by the caller. Refused as `LOCOX_BUSY` or `LOCOX_FULL`.
    fn locox_timeline_add(
        timeline: *mut locox_timeline, placement: *const locox_placement, pes: *const usize,
        words: usize, reservation: *mut locox_handle; detail
    ) {
        let (result, at) = (out(reservation)?, placement_of(input(placement)?));
        let id = on(timeline, |it| {
            let set = set_in(it.limits().pes, pes, words)?;
            Ok(it.add(at, &set)?)
        })?;
        result.put(id)
    }

    /// Gives a reservation another interval and other PEs. Refused as `LOCOX_BUSY`.
    fn locox_timeline_replace(
        timeline: *mut locox_timeline, reservation: *const locox_handle,
        placement: *const locox_placement, pes: *const usize, words: usize; detail
    ) {
        let (id, at) = (input(reservation)?.into(), placement_of(input(placement)?));
        on(timeline, |it| {
            let set = set_in(it.limits().pes, pes, words)?;
            Ok(it.replace(id, at, &set)?)
        })
    }

    /// Where a request would be put if this reservation were not there: as `locox_timeline_find`.
    fn locox_timeline_find_instead(
        timeline: *mut locox_timeline, reservation: *const locox_handle,
        request: *const locox_request, choice: *const locox_choice, placement: *mut locox_placement,
        pes: *mut usize, words: usize; detail
    ) {
        let (result, request) = (out(placement)?, request_of(&input(request)?));
        let id = input(reservation)?.into();
        let found = on(timeline, |it| {
            let mut set = room_for_set(it, pes, words)?;
            choosing(it, choice, |it, fit, choice| {
                Ok(it.find_instead(id, &request, &fit, choice, &mut set)?)
            })
        })?;
        result.put(found)
    }

    /// Writes which PEs a reservation has to `pes`, a set of `words` words.
    fn locox_timeline_pes_of(
        timeline: *const locox_timeline, reservation: *const locox_handle, pes: *mut usize,
        words: usize; detail
    ) {
        let (id, room) = (input(reservation)?.into(), outputs(pes, words)?);
        of(timeline, |it| {
            let set = it.pes_of(id)?;
            let needed = set.words();
            let room = room.get_mut(..needed.len());
            let room = room.ok_or(LOCOX_TOO_SHORT.with_len(needed.len()))?;
            for (to, &word) in room.iter_mut().zip(needed) {
                to.write(word);
            }
            Ok(())
        })
    }

    /// Writes which PEs are free all through an interval to `pes`, a set of `words` words, and how many
    /// to `count`.
    fn locox_timeline_free_pes(
        timeline: *const locox_timeline, placement: *const locox_placement, pes: *mut usize,
        words: usize, count: *mut u32; detail
    ) {
        let (count, at) = (out(count)?, placement_of(input(placement)?));
        count.put(of(timeline, |it| {
            let mut set = room_for_set(it, pes, words)?;
            Ok(it.free_pes(at, &mut set)?)
        })?)
    }

    /// Writes which PEs are busy at a time to `pes`, a set of `words` words.
    fn locox_timeline_busy_pes(
        timeline: *const locox_timeline, time: u64, pes: *mut usize, words: usize; detail
    ) {
        of(timeline, |it| {
            let mut set = room_for_set(it, pes, words)?;
            Ok(it.busy_pes(at(time), &mut set)?)
        })
    }

    /// Takes a PE out of service. Reservations that have it keep it: see `locox_timeline_holders`.
    fn locox_timeline_fail(timeline: *mut locox_timeline, pe: u32) {
        on(timeline, |it| Ok(it.fail(pe)?))
    }

    /// Puts a PE back into service.
    fn locox_timeline_repair(timeline: *mut locox_timeline, pe: u32) {
        on(timeline, |it| Ok(it.repair(pe)?))
    }

    /// Calls `hit` for each reservation that has a PE.
    /// While `hit` runs, every call on this timeline, `const` ones too, answers `LOCOX_REENTERED`.
    fn locox_timeline_holders(
        timeline: *const locox_timeline, pe: u32, hit: locox_reservation_fn, user: *mut c_void
    ) {
        of(timeline, |it| {
            let known = it.holders(pe).filter_map(|id| it.reservation(id).ok());
            known.for_each(|known| tell(hit, known, user));
            Ok(())
        })
    }
}

crate::image::restarts! {
    locox_timeline: locox_timeline_begin, locox_timeline_export, locox_timeline_restore, locox_timeline_check;
    |it| it
}

crate::image::loads! { locox_timeline: locox_timeline_load; |it| it }

crate::timeline::reserved! {
    locox_timeline: locox_timeline_advance, locox_timeline_now, locox_timeline_cancel,
    locox_timeline_set_end, locox_timeline_move_to, locox_timeline_reservation,
    locox_timeline_reservations, locox_timeline_slots, locox_timeline_free_at,
    locox_timeline_fewest_free
}

//! Timelines: which PEs are busy from when to when, and where a request fits.

mod attempt;
mod machines;
mod reserved;
mod sets;
mod values;

pub(crate) use attempt::{attempt, results_in, series_in, steps_in};
pub use machines::*;
pub(crate) use reserved::reserved;
pub use values::*;

use crate::prelude::*;
use locox::reserve::{Limits, Timeline};
use sets::{choosing, room_for_set, set_in};

plain! { const:
    /// Words of storage for a timeline of so many PEs and reservations; zero for limits out of range (1 to
    /// 2^30 - 1). `LOCOX_TIMELINE_WORDS` is the same as a constant.
    fn locox_timeline_words(pes: u32, reservations: u32) -> usize { if_any(Timeline::words(Limits { pes, reservations })) }
}

methods! { timeline: locox_timeline |it| it =>
    /// Starts an empty timeline at time zero, over `len` words of storage with any content. Its
    /// reservations carry `id`: to other timelines they are foreign.
    start fn locox_timeline_start(
        id: u16, pes: u32, reservations: u32, storage: *mut usize, len: usize
    ) -> (; detail) {
        let words = known_words(storage, len, locox_timeline_words(pes, reservations))?.cleared(0);
        Timeline::new(PoolId(id), Limits { pes, reservations }, words)?
    }

    /// Reserves PEs for a request. Refused as `LOCOX_TOO_LARGE`, `LOCOX_FAULTY`, `LOCOX_LATE`,
    /// `LOCOX_END_OF_TIME`, `LOCOX_FULL` or `LOCOX_MASKED`.
    raw_act fn locox_timeline_reserve(
        request: *const locox_request, choice: *const locox_choice, reservation: *mut locox_reservation
    ) -> (; detail) {
        let (result, request) = (out(reservation)?, request_of(&input(request)?));
        let (id, at) = on(timeline, |it| {
            choosing(it, choice, |it, fit, choice| Ok(it.reserve(&request, &fit, choice)?))
        })?;
        result.put(reservation_of(id, request.pes, at))
    }

    /// Where `locox_timeline_reserve` would put a request, and on which PEs: they are written to `pes`,
    /// a set of `words` words, which is of no meaning after an error.
    raw_look fn locox_timeline_find(
        request: *const locox_request, choice: *const locox_choice, interval: *mut locox_interval, pes: *mut usize,
        words: usize
    ) -> (; detail) {
        let (result, request) = (out(interval)?, request_of(&input(request)?));
        result.put(of(timeline, |it| {
            let mut set = room_for_set(it, pes, words)?;
            choosing(it, choice, |it, fit, choice| Ok(it.find(&request, &fit, choice, &mut set)?))
        })?)
    }

    /// Calls `visit` for each start at which a request fits, the earliest first: the first is where
    /// `locox_timeline_find` would put it, the others are the alternatives to that. A mask is not looked
    /// at. `pes` is room for a set of `words` words: within a call of `visit` it has the PEs that are
    /// free from that start on for the duration, afterwards it is of no meaning.
    /// While `visit` runs, every call on this timeline, `const` ones too, answers `LOCOX_REENTERED`.
    look fn locox_timeline_candidates(
        request: *const locox_request, pes: *mut usize, words: usize, visit: locox_candidate_fn, user: *mut c_void
    ) -> (; detail) {
        let mut set = room_for_set(it, pes, words)?;
        it.candidates(&request_of(&request), &mut set)?.for_each(|candidate| tell(visit, candidate, user))
    }

    /// Reserves PEs for the one of several requests (`LOCOX_SERIES_MOST` at most) that finishes first,
    /// and writes which one to `chosen`. Of `choice` the fit is not looked at.
    raw_act fn locox_timeline_reserve_one_of(
        alternatives: *const locox_request, count: usize, choice: *const locox_choice, chosen: *mut usize,
        reservation: *mut locox_reservation
    ) -> (; detail) {
        let requests = requests_in(inputs(alternatives, count)?)?;
        let results = (out(chosen)?, out(reservation)?);
        results.put(requests.chosen(on(timeline, |it| {
            choosing(it, choice, |it, _, choice| Ok(it.reserve_one_of(requests.given(), choice)?))
        })?))
    }

    /// Reserves PEs `count` times (`LOCOX_SERIES_MOST` at most), each `period` after the one before it,
    /// at the earliest start at which all have a place, or not at all. Of `choice` the fit is not looked
    /// at.
    raw_act fn locox_timeline_reserve_series(
        request: *const locox_request, period: u64, choice: *const locox_choice, series: *mut locox_handle,
        count: usize, first: *mut locox_interval
    ) -> (; detail) {
        let (first, request) = (out(first)?, request_of(&input(request)?));
        first.put(series_in(series, count, |ids| on(timeline, |it| {
            choosing(it, choice, |it, _, choice| Ok(it.reserve_series(&request, ticks(period), choice, ids)?))
        }))?)
    }

    /// Makes `count` changes in their order, all of them or none; with `keep` zero none even if all are
    /// possible. `results` has a reservation for each: what was reserved, what was cancelled with the
    /// interval that was given back, what was moved. `steps` is room for as many. Both are of no meaning
    /// after an error, which is that of the first change that cannot be made. Undoing costs as much as
    /// doing.
    raw_act fn locox_timeline_attempt(
        changes: *const locox_change, count: usize, choice: *const locox_choice, keep: u32, steps: *mut locox_step,
        results: *mut locox_reservation
    ) -> (; detail) {
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
    act fn locox_timeline_add(interval: *const locox_interval, pes: *const usize, words: usize) -> (
        reservation: locox_handle; detail
    ) { it.add(FromC::from_c(interval)?, &set_in(it.limits().pes, pes, words)?)? }

    /// Gives a reservation another interval and other PEs. Refused as `LOCOX_BUSY`.
    act fn locox_timeline_replace(
        reservation: *const locox_handle, interval: *const locox_interval, pes: *const usize, words: usize
    ) -> (; detail) {
        let set = set_in(it.limits().pes, pes, words)?;
        it.replace(reservation.into(), FromC::from_c(interval)?, &set)?
    }

    /// Where a request would be put if this reservation were not there: as `locox_timeline_find`.
    raw_act fn locox_timeline_find_instead(
        reservation: *const locox_handle, request: *const locox_request, choice: *const locox_choice,
        interval: *mut locox_interval, pes: *mut usize, words: usize
    ) -> (; detail) {
        let (result, request) = (out(interval)?, request_of(&input(request)?));
        let id = input(reservation)?.into();
        result.put(on(timeline, |it| {
            let mut set = room_for_set(it, pes, words)?;
            choosing(it, choice, |it, fit, choice| Ok(it.find_instead(id, &request, &fit, choice, &mut set)?))
        })?)
    }

    /// Writes which PEs a reservation has to `pes`, a set of `words` words.
    look fn locox_timeline_pes_of(reservation: *const locox_handle, pes: *mut usize, words: usize) -> (; detail) {
        let set = it.pes_of(reservation.into())?;
        let needed = set.words();
        let room = outputs(pes, words)?.get_mut(..needed.len());
        let room = room.ok_or(LOCOX_TOO_SHORT.with_len(needed.len()))?;
        room.iter_mut().zip(needed).for_each(|(to, &word)| _ = to.write(word))
    }

    /// Writes which PEs are free all through an interval to `pes`, a set of `words` words, and how many
    /// to `count`.
    look fn locox_timeline_free_pes(interval: *const locox_interval, pes: *mut usize, words: usize) -> (
        count: u32; detail
    ) { it.free_pes(FromC::from_c(interval)?, &mut room_for_set(it, pes, words)?)? }

    /// Writes which PEs are busy at a time to `pes`, a set of `words` words.
    look fn locox_timeline_busy_pes(time: u64, pes: *mut usize, words: usize) -> (; detail) {
        it.busy_pes(at(time), &mut room_for_set(it, pes, words)?)?
    }

    /// Takes a PE out of service. Reservations that have it keep it: see `locox_timeline_holders`.
    act fn locox_timeline_withdraw(pe: u32) { it.withdraw(pe)? }

    /// Puts a PE back into service.
    act fn locox_timeline_repair(pe: u32) { it.repair(pe)? }

    /// Calls `hit` for each reservation that has a PE.
    /// While `hit` runs, every call on this timeline, `const` ones too, answers `LOCOX_REENTERED`.
    look fn locox_timeline_holders(pe: u32, hit: locox_reservation_fn, user: *mut c_void) {
        let known = it.holders(pe).filter_map(|id| it.reservation(id).ok());
        known.for_each(|known| tell(hit, known, user))
    }
}

crate::image::restarts! {
    locox_timeline: locox_timeline_begin, locox_timeline_export, locox_timeline_restore, locox_timeline_check, locox_timeline_load;
    |it| it
}

crate::timeline::reserved! {
    locox_timeline: locox_timeline_advance, locox_timeline_now, locox_timeline_cancel, locox_timeline_set_end,
    locox_timeline_move_to, locox_timeline_reservation, locox_timeline_reservations, locox_timeline_slots,
    locox_timeline_free_at, locox_timeline_fewest_free
}

//! Timelines: which PEs are busy from when to when, and where a request fits.

mod values;

pub use values::*;

use crate::memory::*;
use crate::status::locox_status::{self, *};
use crate::time::{at, ticks};
use core::mem::MaybeUninit;
use locox::bits::{BitSet, Word, words_for};
use locox::handle::PoolId;
use locox::reserve::{
    AlignedSubcube, Attempt, Choice, Contiguous, Fit, FreePes, Limits, Lowest, Mask, Masked,
    Placement, Policy, Reservation, Step, Timeline,
};

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

/// Starts an empty timeline at time zero, over `len` words of storage with any content. Its
/// reservations carry `id`: to other timelines they are foreign.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn locox_timeline_start(
    timeline: *mut locox_timeline,
    id: u16,
    pes: u32,
    reservations: u32,
    storage: *mut usize,
    len: usize,
    detail: *mut u64,
) -> locox_status {
    // SAFETY: the caller keeps the contract of `memory`.
    unsafe {
        answer(detail, || {
            let place = place(timeline)?;
            let needed = words_of(pes, reservations);
            if needed == 0 {
                return Err(LOCOX_BAD_ARGUMENT.into());
            }
            let words = crate::memory::words(storage, len, needed)?.cleared(0);
            place.start(Timeline::new(PoolId(id), Limits { pes, reservations }, words)?);
            Ok(())
        })
    }
}

/// Moves the present forward to `now`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn locox_timeline_advance(
    timeline: *mut locox_timeline,
    now: u64,
) -> locox_status {
    // SAFETY: the caller keeps the contract of `memory`.
    unsafe { answer(core::ptr::null_mut(), || on(timeline, |it| Ok(it.advance(at(now))?))) }
}

/// The present.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn locox_timeline_now(
    timeline: *const locox_timeline,
    now: *mut u64,
) -> locox_status {
    // SAFETY: the caller keeps the contract of `memory`.
    unsafe { get(timeline, now, |it| Ok(it.now().ticks())) }
}

/// Reserves PEs for a request. Refused as `LOCOX_TOO_LARGE`, `LOCOX_FAULTY`, `LOCOX_LATE`,
/// `LOCOX_END_OF_TIME`, `LOCOX_FULL` or `LOCOX_MASKED`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn locox_timeline_reserve(
    timeline: *mut locox_timeline,
    request: *const locox_request,
    choice: *const locox_choice,
    reservation: *mut locox_reservation,
    detail: *mut u64,
) -> locox_status {
    // SAFETY: the caller keeps the contract of `memory`.
    unsafe {
        answer(detail, || {
            let (result, request) = (out(reservation)?, request_of(&input(request)?));
            let done = on(timeline, |it| {
                choosing(it, choice, |it, fit, choice| Ok(it.reserve(&request, &fit, choice)?))
            })?;
            result.put(reservation_of(done.0, request.pes, done.1));
            Ok(())
        })
    }
}

/// Where `locox_timeline_reserve` would put a request, and on which PEs: they are written to `pes`, a
/// set of `words` words, which is of no meaning after an error.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn locox_timeline_find(
    timeline: *const locox_timeline,
    request: *const locox_request,
    choice: *const locox_choice,
    placement: *mut locox_placement,
    pes: *mut usize,
    words: usize,
    detail: *mut u64,
) -> locox_status {
    // SAFETY: the caller keeps the contract of `memory`.
    unsafe {
        answer(detail, || {
            let (result, request) = (out(placement)?, request_of(&input(request)?));
            let found = of(timeline, |it| {
                let mut set = room_for_set(it, pes, words)?;
                choosing(it, choice, |it, fit, choice| {
                    Ok(it.find(&request, &fit, choice, &mut set)?)
                })
            })?;
            result.put(found.into());
            Ok(())
        })
    }
}

/// Calls `visit` for each start at which a request fits, the earliest first: the first is where
/// `locox_timeline_find` would put it, the others are the alternatives to that. A mask is not looked at.
/// `pes` is room for a set of `words` words: within a call of `visit` it has the PEs that are free from
/// that start on for the duration, afterwards it is of no meaning.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn locox_timeline_candidates(
    timeline: *const locox_timeline,
    request: *const locox_request,
    pes: *mut usize,
    words: usize,
    visit: locox_candidate_fn,
    user: *mut core::ffi::c_void,
    detail: *mut u64,
) -> locox_status {
    // SAFETY: the caller keeps the contract of `memory`.
    unsafe {
        answer(detail, || {
            let request = request_of(&input(request)?);
            of(timeline, |it| {
                let mut set = room_for_set(it, pes, words)?;
                let candidates = it.candidates(&request, &mut set)?;
                candidates.for_each(|candidate| tell_candidate(visit, candidate, user));
                Ok(())
            })
        })
    }
}

/// Reserves PEs for the one of several requests (`LOCOX_SERIES_MOST` at most) that finishes first, and
/// writes which one to `chosen`. Of `choice` the fit is not looked at.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn locox_timeline_reserve_one_of(
    timeline: *mut locox_timeline,
    alternatives: *const locox_request,
    count: usize,
    choice: *const locox_choice,
    chosen: *mut usize,
    reservation: *mut locox_reservation,
    detail: *mut u64,
) -> locox_status {
    // SAFETY: the caller keeps the contract of `memory`.
    unsafe {
        answer(detail, || {
            let (chosen, result) = (out(chosen)?, out(reservation)?);
            let requests = requests_in(inputs(alternatives, count)?)?;
            let requests = requests.given();
            let (which, id, at) = on(timeline, |it| {
                choosing(it, choice, |it, _, choice| Ok(it.reserve_one_of(requests, choice)?))
            })?;
            let pes = requests.get(which).map_or(0, |request| request.pes);
            result.put(reservation_of(id, pes, at));
            chosen.put(which);
            Ok(())
        })
    }
}

/// Reserves PEs `count` times (`LOCOX_SERIES_MOST` at most), each `period` after the one before it, at
/// the earliest start at which all have a place, or not at all. Of `choice` the fit is not looked at.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn locox_timeline_reserve_series(
    timeline: *mut locox_timeline,
    request: *const locox_request,
    period: u64,
    choice: *const locox_choice,
    series: *mut locox_handle,
    count: usize,
    first: *mut locox_placement,
    detail: *mut u64,
) -> locox_status {
    // SAFETY: the caller keeps the contract of `memory`.
    unsafe {
        answer(detail, || {
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
                result.write(id.handle().into());
            }
            first.put(placed.into());
            Ok(())
        })
    }
}

/// Makes several changes (`LOCOX_SERIES_MOST` at most), in their order, all of them or none; with
/// `keep` zero none even if all are possible. `results` has a reservation for each: what was
/// reserved, what was cancelled with the interval that was given back, what was moved. `steps` is room
/// for as many. Both are of no meaning after an error.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn locox_timeline_attempt(
    timeline: *mut locox_timeline,
    changes: *const locox_change,
    count: usize,
    choice: *const locox_choice,
    keep: u32,
    steps: *mut locox_step,
    results: *mut locox_reservation,
    detail: *mut u64,
) -> locox_status {
    // SAFETY: the caller keeps the contract of `memory`.
    unsafe {
        answer(detail, || {
            let changes = inputs(changes, count)?;
            let (results, room) = (outputs(results, count)?, outputs(steps, count)?);
            on(timeline, |it| {
                let steps = steps_in(room);
                choosing(it, choice, |it, fit, choice| {
                    attempt(it, changes, &fit, choice, keep != 0, steps, results)
                })
            })
        })
    }
}

fn attempt(
    it: &mut Body,
    changes: &[locox_change],
    fit: &dyn Policy,
    choice: &dyn Choice,
    keep: bool,
    steps: &mut [Step],
    results: &mut [MaybeUninit<locox_reservation>],
) -> Answer {
    let mut known = [None; LOCOX_SERIES_MOST];
    let known = known.get_mut(..changes.len()).ok_or(LOCOX_BAD_ARGUMENT)?;
    for (change, known) in changes.iter().zip(known.iter_mut()) {
        *known = it.reservation(id_of(change.id)).ok();
    }
    let mut all = it.attempt(steps);
    for ((change, known), result) in changes.iter().zip(known.iter()).zip(results) {
        result.write(change_in(&mut all, change, *known, fit, choice)?);
    }
    if keep {
        all.keep();
    }
    Ok(())
}

fn change_in(
    all: &mut Attempt<'_>,
    change: &locox_change,
    known: Option<Reservation>,
    fit: &dyn Policy,
    choice: &dyn Choice,
) -> Answer<locox_reservation> {
    let id = id_of(change.id);
    let pes = known.map_or(0, |known| known.pes);
    match change.kind {
        LOCOX_CHANGE_RESERVE => {
            let request = request_of(&change.request);
            let (id, placed) = all.reserve(&request, fit, choice)?;
            Ok(reservation_of(id, request.pes, placed))
        }
        LOCOX_CHANGE_CANCEL => Ok(reservation_of(id, pes, all.cancel(id)?)),
        LOCOX_CHANGE_MOVE => {
            all.move_to(id, at(change.start))?;
            let long = known.and_then(|it| it.at.end.since(it.at.start)).unwrap_or_default();
            let start = at(change.start);
            let placed = Placement { start, end: start.saturating_add(long) };
            Ok(reservation_of(id, pes, placed))
        }
        _ => Err(LOCOX_BAD_ARGUMENT.into()),
    }
}

/// Steps in the caller's room.
fn steps_in(room: &mut [MaybeUninit<locox_step>]) -> &mut [Step] {
    const {
        assert!(size_of::<Step>() == size_of::<locox_step>());
        assert!(align_of::<Step>() <= align_of::<locox_step>());
    }
    let len = room.len();
    let first = room.as_mut_ptr().cast::<Step>();
    for at in 0..len {
        // SAFETY: a step is as large as a `locox_step` and no more aligned, and there are so many.
        unsafe { first.add(at).write(Step::EMPTY) };
    }
    // SAFETY: all of them are steps now, and the borrow of `room` goes on.
    unsafe { core::slice::from_raw_parts_mut(first, len) }
}

/// Reserves PEs for an interval, both chosen by the caller. Refused as `LOCOX_BUSY` or `LOCOX_FULL`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn locox_timeline_add(
    timeline: *mut locox_timeline,
    placement: *const locox_placement,
    pes: *const usize,
    words: usize,
    reservation: *mut locox_handle,
    detail: *mut u64,
) -> locox_status {
    // SAFETY: the caller keeps the contract of `memory`.
    unsafe {
        answer(detail, || {
            let (result, at) = (out(reservation)?, placement_of(input(placement)?));
            let id = on(timeline, |it| {
                let set = set_in(it.limits().pes, pes, words)?;
                Ok(it.add(at, &set)?)
            })?;
            result.put(id.handle().into());
            Ok(())
        })
    }
}

/// Gives a reservation another interval and other PEs. Refused as `LOCOX_BUSY`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn locox_timeline_replace(
    timeline: *mut locox_timeline,
    reservation: *const locox_handle,
    placement: *const locox_placement,
    pes: *const usize,
    words: usize,
    detail: *mut u64,
) -> locox_status {
    // SAFETY: the caller keeps the contract of `memory`.
    unsafe {
        answer(detail, || {
            let (id, at) = (id_of(input(reservation)?), placement_of(input(placement)?));
            on(timeline, |it| {
                let set = set_in(it.limits().pes, pes, words)?;
                Ok(it.replace(id, at, &set)?)
            })
        })
    }
}

/// Where a request would be put if this reservation were not there: as `locox_timeline_find`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn locox_timeline_find_instead(
    timeline: *mut locox_timeline,
    reservation: *const locox_handle,
    request: *const locox_request,
    choice: *const locox_choice,
    placement: *mut locox_placement,
    pes: *mut usize,
    words: usize,
    detail: *mut u64,
) -> locox_status {
    // SAFETY: the caller keeps the contract of `memory`.
    unsafe {
        answer(detail, || {
            let (result, request) = (out(placement)?, request_of(&input(request)?));
            let id = id_of(input(reservation)?);
            let found = on(timeline, |it| {
                let mut set = room_for_set(it, pes, words)?;
                choosing(it, choice, |it, fit, choice| {
                    Ok(it.find_instead(id, &request, &fit, choice, &mut set)?)
                })
            })?;
            result.put(found.into());
            Ok(())
        })
    }
}

/// Ends a reservation now. `given_back`, which may be null, is the interval that is free again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn locox_timeline_cancel(
    timeline: *mut locox_timeline,
    reservation: *const locox_handle,
    given_back: *mut locox_placement,
) -> locox_status {
    // SAFETY: the caller keeps the contract of `memory`.
    unsafe {
        answer(core::ptr::null_mut(), || {
            let (result, id) = (optional_out(given_back)?, id_of(input(reservation)?));
            let given_back = on(timeline, |it| Ok(it.cancel(id)?))?;
            if let Some(result) = result {
                result.put(given_back.into());
            }
            Ok(())
        })
    }
}

/// Gives a reservation another end. Refused as `LOCOX_BUSY`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn locox_timeline_set_end(
    timeline: *mut locox_timeline,
    reservation: *const locox_handle,
    end: u64,
    detail: *mut u64,
) -> locox_status {
    // SAFETY: the caller keeps the contract of `memory`.
    unsafe {
        answer(detail, || {
            let id = id_of(input(reservation)?);
            on(timeline, |it| Ok(it.set_end(id, at(end))?))
        })
    }
}

/// Moves a reservation to another start, with the same PEs and the same duration. Refused as
/// `LOCOX_BUSY`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn locox_timeline_move_to(
    timeline: *mut locox_timeline,
    reservation: *const locox_handle,
    start: u64,
    detail: *mut u64,
) -> locox_status {
    // SAFETY: the caller keeps the contract of `memory`.
    unsafe {
        answer(detail, || {
            let id = id_of(input(reservation)?);
            on(timeline, |it| Ok(it.move_to(id, at(start))?))
        })
    }
}

/// What is known of a reservation.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn locox_timeline_reservation(
    timeline: *const locox_timeline,
    reservation: *const locox_handle,
    known: *mut locox_reservation,
) -> locox_status {
    // SAFETY: the caller keeps the contract of `memory`.
    unsafe {
        answer(core::ptr::null_mut(), || {
            let (result, id) = (out(known)?, id_of(input(reservation)?));
            result.put(of(timeline, |it| Ok(it.reservation(id)?))?.into());
            Ok(())
        })
    }
}

/// Calls `visit` for each reservation, by rising index.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn locox_timeline_reservations(
    timeline: *const locox_timeline,
    visit: locox_reservation_fn,
    user: *mut core::ffi::c_void,
) -> locox_status {
    // SAFETY: the caller keeps the contract of `memory`.
    unsafe {
        answer(core::ptr::null_mut(), || {
            of(timeline, |it| {
                it.reservations().for_each(|known| tell(visit, known, user));
                Ok(())
            })
        })
    }
}

/// Calls `visit` for each slot from the present on. The last one has no end.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn locox_timeline_slots(
    timeline: *const locox_timeline,
    visit: locox_slot_fn,
    user: *mut core::ffi::c_void,
) -> locox_status {
    // SAFETY: the caller keeps the contract of `memory`.
    unsafe {
        answer(core::ptr::null_mut(), || {
            of(timeline, |it| {
                it.slots().for_each(|slot| tell_slot(visit, slot, user));
                Ok(())
            })
        })
    }
}

/// How many PEs are free at a time.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn locox_timeline_free_at(
    timeline: *const locox_timeline,
    time: u64,
    free: *mut u32,
) -> locox_status {
    // SAFETY: the caller keeps the contract of `memory`.
    unsafe { get(timeline, free, |it| Ok(it.free_at(at(time))?)) }
}

/// How many PEs are free at the least, at any time of an interval.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn locox_timeline_fewest_free(
    timeline: *const locox_timeline,
    placement: *const locox_placement,
    free: *mut u32,
) -> locox_status {
    // SAFETY: the caller keeps the contract of `memory`.
    unsafe {
        answer(core::ptr::null_mut(), || {
            let (free, at) = (out(free)?, placement_of(input(placement)?));
            free.put(of(timeline, |it| Ok(it.fewest_free(at)?))?);
            Ok(())
        })
    }
}

/// Writes which PEs a reservation has to `pes`, a set of `words` words.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn locox_timeline_pes_of(
    timeline: *const locox_timeline,
    reservation: *const locox_handle,
    pes: *mut usize,
    words: usize,
    detail: *mut u64,
) -> locox_status {
    // SAFETY: the caller keeps the contract of `memory`.
    unsafe {
        answer(detail, || {
            let (id, room) = (id_of(input(reservation)?), outputs(pes, words)?);
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
        })
    }
}

/// Writes which PEs are free all through an interval to `pes`, a set of `words` words, and how many
/// to `count`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn locox_timeline_free_pes(
    timeline: *const locox_timeline,
    placement: *const locox_placement,
    pes: *mut usize,
    words: usize,
    count: *mut u32,
    detail: *mut u64,
) -> locox_status {
    // SAFETY: the caller keeps the contract of `memory`.
    unsafe {
        answer(detail, || {
            let (count, at) = (out(count)?, placement_of(input(placement)?));
            count.put(of(timeline, |it| {
                let mut set = room_for_set(it, pes, words)?;
                Ok(it.free_pes(at, &mut set)?)
            })?);
            Ok(())
        })
    }
}

/// Writes which PEs are busy at a time to `pes`, a set of `words` words.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn locox_timeline_busy_pes(
    timeline: *const locox_timeline,
    time: u64,
    pes: *mut usize,
    words: usize,
    detail: *mut u64,
) -> locox_status {
    // SAFETY: the caller keeps the contract of `memory`.
    unsafe {
        answer(detail, || {
            of(timeline, |it| {
                let mut set = room_for_set(it, pes, words)?;
                Ok(it.busy_pes(at(time), &mut set)?)
            })
        })
    }
}

/// Takes a PE out of service. Reservations that have it keep it: see `locox_timeline_holders`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn locox_timeline_fail(
    timeline: *mut locox_timeline,
    pe: u32,
) -> locox_status {
    // SAFETY: the caller keeps the contract of `memory`.
    unsafe { answer(core::ptr::null_mut(), || on(timeline, |it| Ok(it.fail(pe)?))) }
}

/// Puts a PE back into service.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn locox_timeline_repair(
    timeline: *mut locox_timeline,
    pe: u32,
) -> locox_status {
    // SAFETY: the caller keeps the contract of `memory`.
    unsafe { answer(core::ptr::null_mut(), || on(timeline, |it| Ok(it.repair(pe)?))) }
}

/// Calls `hit` for each reservation that has a PE.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn locox_timeline_holders(
    timeline: *const locox_timeline,
    pe: u32,
    hit: locox_reservation_fn,
    user: *mut core::ffi::c_void,
) -> locox_status {
    // SAFETY: the caller keeps the contract of `memory`.
    unsafe {
        answer(core::ptr::null_mut(), || {
            of(timeline, |it| {
                let known = it.holders(pe).filter_map(|id| it.reservation(id).ok());
                known.for_each(|known| tell(hit, known, user));
                Ok(())
            })
        })
    }
}

/// Recomputes all that is derived and compares, for tests: `LOCOX_BROKEN` should never be seen.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn locox_timeline_check(timeline: *const locox_timeline) -> locox_status {
    // SAFETY: the caller keeps the contract of `memory`.
    unsafe { answer(core::ptr::null_mut(), || of(timeline, |it| Ok(it.check_invariants()?))) }
}

/// One of the choices of PEs, by number.
#[derive(Clone, Copy)]
enum Pick {
    Lowest,
    Contiguous,
    AlignedSubcube,
}

impl Choice for Pick {
    fn choose(&self, free: &mut FreePes<'_>, count: u32) -> bool {
        match self {
            Self::Lowest => Lowest.choose(free, count),
            Self::Contiguous => Contiguous.choose(free, count),
            Self::AlignedSubcube => AlignedSubcube.choose(free, count),
        }
    }
}

/// Acts by what the caller says of how to choose.
///
/// # Safety
///
/// The contract of `memory`.
unsafe fn choosing<T>(
    it: &mut Body,
    choice: *const locox_choice,
    act: impl FnOnce(&mut Body, Fit, &dyn Choice) -> Answer<T>,
) -> Answer<T> {
    if choice.is_null() {
        return act(it, Fit::First, &Lowest);
    }
    // SAFETY: the caller keeps the contract.
    let given = unsafe { input(choice) }?;
    let fit = Fit::ALL.get(given.fit as usize).copied().ok_or(LOCOX_BAD_ARGUMENT)?;
    let pick = match given.pick {
        LOCOX_PICK_LOWEST => Pick::Lowest,
        LOCOX_PICK_CONTIGUOUS => Pick::Contiguous,
        LOCOX_PICK_ALIGNED_SUBCUBE => Pick::AlignedSubcube,
        _ => return Err(LOCOX_BAD_ARGUMENT.into()),
    };
    let pes = it.limits().pes;
    // SAFETY: the caller keeps the contract.
    let set = |words: *const usize| unsafe {
        if words.is_null() { Ok(None) } else { set_in(pes, words, given.words).map(Some) }
    };
    let (allowed, required) = (set(given.allowed)?, set(given.required)?);
    let mask = allowed.as_ref().map_or(Mask::ANY, Mask::only);
    let mask = required.as_ref().map_or(mask, |required| mask.with(required));
    act(it, fit, &Masked { mask, choice: pick })
}

/// A set of PEs of the caller's.
///
/// # Safety
///
/// The contract of `memory`.
unsafe fn set_in<'a>(pes: u32, words: *const usize, len: usize) -> Answer<BitSet<&'a [Word]>> {
    // SAFETY: the caller keeps the contract.
    let words = unsafe { inputs(words, len) }?;
    let needed = words_for(pes as usize);
    let words = words.get(..needed).ok_or(LOCOX_TOO_SHORT.with_len(needed))?;
    Ok(BitSet::from_words(words, pes)?)
}

/// Room for a set of PEs.
///
/// # Safety
///
/// The contract of `memory`.
unsafe fn room_for_set<'a>(
    it: &Body,
    words: *mut usize,
    len: usize,
) -> Answer<BitSet<&'a mut [Word]>> {
    let pes = it.limits().pes;
    let needed = words_for(pes as usize);
    // SAFETY: the caller keeps the contract.
    let room = unsafe { outputs(words, len) }?;
    let room = room.get_mut(..needed).ok_or(LOCOX_TOO_SHORT.with_len(needed))?;
    for word in room.iter_mut() {
        word.write(0);
    }
    // SAFETY: all of them were just written.
    Ok(BitSet::empty(unsafe { room.assume_init_mut() }, pes)?)
}

//! Profiles: how many PEs are busy from when to when, whichever they are.

use crate::interface::{interface, opaque};
use crate::memory::*;
use crate::status::locox_status::*;
use crate::time::ticks;
use crate::timeline::{
    LOCOX_SERIES_MOST, attempt, fit_of, locox_candidate_fn, locox_change, locox_placement,
    locox_request, locox_reservation, locox_step, placement_of, request_of, requests_in,
    reservation_of, results_in, steps_in,
};
use core::ffi::c_void;
use locox::bits::Word;
use locox::handle::PoolId;
use locox::reserve::{Limits, Lowest, Profile};

opaque! {
    /// How many PEs are busy from when to when. Opaque, small, and may be moved; its storage may not.
    locox_profile: [u64; LOCOX_PROFILE_LENGTH], locox_size_of_profile, as Body, b"PROF";
}

type Body = Profile<&'static mut [Word]>;

/// Words of storage for a profile of so many PEs and reservations; zero for limits out of range (1 to
/// 2^30 - 1). `LOCOX_PROFILE_WORDS` is the same as a constant.
#[unsafe(no_mangle)]
pub extern "C" fn locox_profile_words(pes: u32, reservations: u32) -> usize {
    words_of(pes, reservations)
}

pub(crate) const fn words_of(pes: u32, reservations: u32) -> usize {
    match Profile::words(Limits { pes, reservations }) {
        usize::MAX => 0,
        words => words,
    }
}

interface! {
    /// Starts an empty profile at time zero, over `len` words of storage with any content. Its
    /// reservations carry `id`: to other profiles they are foreign.
    fn locox_profile_start(
        profile: *mut locox_profile, id: u16, pes: u32, reservations: u32, storage: *mut usize,
        len: usize; detail
    ) {
        let place = place(profile)?;
        let needed = words_of(pes, reservations);
        if needed == 0 {
            return Err(LOCOX_BAD_ARGUMENT.into());
        }
        let words = crate::memory::words(storage, len, needed)?.cleared(0);
        place.start(Profile::new(PoolId(id), Limits { pes, reservations }, words)?)
    }

    /// Reserves PEs for a request, where `fit` (`LOCOX_FIT_...`) prefers it. Refused as
    /// `LOCOX_TOO_LARGE`, `LOCOX_FAULTY`, `LOCOX_LATE`, `LOCOX_END_OF_TIME` or `LOCOX_FULL`.
    fn locox_profile_reserve(
        profile: *mut locox_profile, request: *const locox_request, fit: u32,
        reservation: *mut locox_reservation; detail
    ) {
        let (result, request) = (out(reservation)?, request_of(&input(request)?));
        let fit = fit_of(fit)?;
        let (id, placed) = on(profile, |it| Ok(it.reserve(&request, &fit)?))?;
        result.put(reservation_of(id, request.pes, placed))
    }

    /// Where `locox_profile_reserve` would put a request.
    fn locox_profile_find(
        profile: *const locox_profile, request: *const locox_request, fit: u32,
        placement: *mut locox_placement; detail
    ) {
        let (result, request) = (out(placement)?, request_of(&input(request)?));
        let fit = fit_of(fit)?;
        result.put(of(profile, |it| Ok(it.find(&request, &fit)?))?)
    }

    /// Where `locox_profile_reserve` would put a request, with the same answer if it is refused. Nothing
    /// changes.
    fn locox_profile_would_reserve(
        profile: *mut locox_profile, request: *const locox_request, fit: u32,
        placement: *mut locox_placement; detail
    ) {
        let (result, request) = (out(placement)?, request_of(&input(request)?));
        let fit = fit_of(fit)?;
        result.put(on(profile, |it| Ok(it.would_reserve(&request, &fit)?))?)
    }

    /// Where a request would be put if this reservation were not there: as `locox_profile_find`.
    fn locox_profile_find_instead(
        profile: *mut locox_profile, reservation: *const locox_handle,
        request: *const locox_request, fit: u32, placement: *mut locox_placement; detail
    ) {
        let (result, request) = (out(placement)?, request_of(&input(request)?));
        let (id, fit) = (input(reservation)?.into(), fit_of(fit)?);
        result.put(on(profile, |it| Ok(it.find_instead(id, &request, &fit)?))?)
    }

    /// Reserves PEs for the one of several requests (`LOCOX_SERIES_MOST` at most) that finishes first,
    /// and writes which one to `chosen`.
    fn locox_profile_reserve_one_of(
        profile: *mut locox_profile, alternatives: *const locox_request, count: usize,
        chosen: *mut usize, reservation: *mut locox_reservation; detail
    ) {
        let (chosen, result) = (out(chosen)?, out(reservation)?);
        let requests = requests_in(inputs(alternatives, count)?)?;
        let requests = requests.given();
        let (which, id, at) = on(profile, |it| Ok(it.reserve_one_of(requests)?))?;
        let pes = requests.get(which).map_or(0, |request| request.pes);
        result.put(reservation_of(id, pes, at))?;
        chosen.put(which)
    }

    /// Reserves PEs `count` times (`LOCOX_SERIES_MOST` at most), each `period` after the one before it,
    /// at the earliest start at which all have a place, or not at all.
    fn locox_profile_reserve_series(
        profile: *mut locox_profile, request: *const locox_request, period: u64,
        series: *mut locox_handle, count: usize, first: *mut locox_placement; detail
    ) {
        let (first, results) = (out(first)?, outputs(series, count)?);
        let request = request_of(&input(request)?);
        let mut room = [None; LOCOX_SERIES_MOST];
        let ids = room.get_mut(..count).ok_or(LOCOX_BAD_ARGUMENT)?;
        let placed = on(profile, |it| Ok(it.reserve_series(&request, ticks(period), ids)?))?;
        for (result, id) in results.iter_mut().zip(ids.iter().flatten()) {
            result.write((*id).into());
        }
        first.put(placed)
    }

    /// Makes `count` changes in their order, all of them or none; with `keep` zero none even if all are
    /// possible. `fit` is for those that reserve. `results` has a reservation for each: what was
    /// reserved, what was cancelled with the interval that was given back, what was moved. `steps` is
    /// room for as many. Both are of no meaning after an error, which is that of the first change that
    /// cannot be made. Undoing costs as much as doing.
    fn locox_profile_attempt(
        profile: *mut locox_profile, changes: *const locox_change, count: usize, fit: u32,
        keep: u32, steps: *mut locox_step, results: *mut locox_reservation; detail
    ) {
        let (changes, fit) = (inputs(changes, count)?, fit_of(fit)?);
        let (results, steps) = (outputs(results, count)?, outputs(steps, count)?);
        on(profile, |it| {
            let results = results_in(results, changes, |id| it.reservation(id).ok());
            let all = it.attempt(steps_in(steps));
            attempt(all, changes, (&fit, &Lowest), keep != 0, results)
        })
    }

    /// Reserves `pes` PEs for an interval chosen by the caller. Refused as `LOCOX_BUSY`,
    /// `LOCOX_TOO_LARGE` or `LOCOX_FULL`.
    fn locox_profile_add(
        profile: *mut locox_profile, placement: *const locox_placement, pes: u32,
        reservation: *mut locox_handle; detail
    ) {
        let (result, at) = (out(reservation)?, placement_of(input(placement)?));
        result.put(on(profile, |it| Ok(it.add(at, pes)?))?)
    }

    /// Gives a reservation another interval and another number of PEs. Refused as `LOCOX_BUSY` or
    /// `LOCOX_TOO_LARGE`.
    fn locox_profile_replace(
        profile: *mut locox_profile, reservation: *const locox_handle,
        placement: *const locox_placement, pes: u32; detail
    ) {
        let (id, at) = (input(reservation)?.into(), placement_of(input(placement)?));
        on(profile, |it| Ok(it.replace(id, at, pes)?))
    }

    /// Calls `visit` for each start at which a request fits, the earliest first, with how many PEs are
    /// free around it and for how long.
    /// While `visit` runs, every call on this profile, `const` ones too, answers `LOCOX_REENTERED`.
    fn locox_profile_candidates(
        profile: *const locox_profile, request: *const locox_request, visit: locox_candidate_fn,
        user: *mut c_void; detail
    ) {
        let request = request_of(&input(request)?);
        of(profile, |it| {
            let candidates = it.candidates(&request)?;
            candidates.for_each(|candidate| tell(visit, candidate, user));
            Ok(())
        })
    }

    /// Moves a reservation to the earliest start from now on, if that is earlier than the one it has;
    /// never back. `placement`, which may be null, is where it is then.
    fn locox_profile_bring_forward(
        profile: *mut locox_profile, reservation: *const locox_handle,
        placement: *mut locox_placement
    ) {
        let (result, id) = (optional_out(placement)?, input(reservation)?.into());
        let placed = on(profile, |it| Ok(it.bring_forward(id)?))?;
        result.put(placed)
    }

    /// Makes `pes` the number of PEs out of service. Reservations stay, even if more is promised then
    /// than there is.
    fn locox_profile_set_out_of_service(profile: *mut locox_profile, pes: u32) {
        on(profile, |it| Ok(it.set_out_of_service(pes)?))
    }
}

crate::image::restarts! {
    locox_profile: locox_profile_begin, locox_profile_export, locox_profile_restore, locox_profile_check;
    |it| it
}

crate::image::loads! { locox_profile: locox_profile_load; |it| it }

crate::timeline::reserved! {
    locox_profile: locox_profile_advance, locox_profile_now, locox_profile_cancel,
    locox_profile_set_end, locox_profile_move_to, locox_profile_reservation,
    locox_profile_reservations, locox_profile_slots, locox_profile_free_at,
    locox_profile_fewest_free
}

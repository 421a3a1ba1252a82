//! Profiles: how many PEs are busy from when to when, whichever they are.

use crate::prelude::*;
use crate::timeline::{
    attempt, locox_candidate_fn, locox_change, locox_interval, locox_request, locox_reservation,
    locox_step, request_of, requests_in, reservation_of, results_in, series_in, steps_in,
};
use locox::reserve::{Fit, Limits, Lowest, Profile};

opaque! {
    /// How many PEs are busy from when to when. Opaque, small, and may be moved; its storage may not.
    locox_profile: [u64; LOCOX_PROFILE_LENGTH], locox_size_of_profile, as Body, b"PROF";
}

type Body = Profile<&'static mut [Word]>;

plain! { const:
    /// Words of storage for a profile of so many PEs and reservations; zero for limits out of range (1 to
    /// 2^30 - 1). `LOCOX_PROFILE_WORDS` is the same as a constant.
    fn locox_profile_words(pes: u32, reservations: u32) -> usize { if_any(Profile::words(Limits { pes, reservations })) }
}

methods! { profile: locox_profile |it| it =>
    /// Starts an empty profile at time zero, over `len` words of storage with any content. Its
    /// reservations carry `id`: to other profiles they are foreign.
    start fn locox_profile_start(
        id: u16, pes: u32, reservations: u32, storage: *mut usize, len: usize
    ) -> (; detail) {
        let words = known_words(storage, len, locox_profile_words(pes, reservations))?.cleared(0);
        Profile::new(PoolId(id), Limits { pes, reservations }, words)?
    }

    /// Reserves PEs for a request, where `fit` (`LOCOX_FIT_...`) prefers it. Refused as
    /// `LOCOX_TOO_LARGE`, `LOCOX_FAULTY`, `LOCOX_LATE`, `LOCOX_END_OF_TIME` or `LOCOX_FULL`.
    act fn locox_profile_reserve(request: *const locox_request, fit: u32) -> (
        reservation: locox_reservation; detail
    ) {
        let (request, fit) = (request_of(&request), Fit::from_c(fit)?);
        let (id, placed) = it.reserve(&request, &fit)?;
        reservation_of(id, request.pes, placed)
    }

    /// Where `locox_profile_reserve` would put a request.
    look fn locox_profile_find(request: *const locox_request, fit: u32) -> (interval: locox_interval; detail) {
        it.find(&request_of(&request), &Fit::from_c(fit)?)?
    }

    /// Where `locox_profile_reserve` would put a request, with the same answer if it is refused. Nothing
    /// changes.
    act fn locox_profile_would_reserve(request: *const locox_request, fit: u32) -> (
        interval: locox_interval; detail
    ) { it.would_reserve(&request_of(&request), &Fit::from_c(fit)?)? }

    /// Where a request would be put if this reservation were not there: as `locox_profile_find`.
    act fn locox_profile_find_instead(reservation: *const locox_handle, request: *const locox_request, fit: u32) -> (
        interval: locox_interval; detail
    ) { it.find_instead(reservation.into(), &request_of(&request), &Fit::from_c(fit)?)? }

    /// Reserves PEs for the one of several requests (`LOCOX_SERIES_MOST` at most) that finishes first,
    /// and writes which one to `chosen`.
    raw_act fn locox_profile_reserve_one_of(
        alternatives: *const locox_request, count: usize, chosen: *mut usize, reservation: *mut locox_reservation
    ) -> (; detail) {
        let requests = requests_in(inputs(alternatives, count)?)?;
        let results = (out(chosen)?, out(reservation)?);
        results.put(requests.chosen(on(profile, |it| Ok(it.reserve_one_of(requests.given())?))?))
    }

    /// Reserves PEs `count` times (`LOCOX_SERIES_MOST` at most), each `period` after the one before it,
    /// at the earliest start at which all have a place, or not at all.
    raw_act fn locox_profile_reserve_series(
        request: *const locox_request, period: u64, series: *mut locox_handle, count: usize,
        first: *mut locox_interval
    ) -> (; detail) {
        let (first, request) = (out(first)?, request_of(&input(request)?));
        first.put(series_in(series, count, |ids| {
            on(profile, |it| Ok(it.reserve_series(&request, ticks(period), ids)?))
        })?)
    }

    /// Makes `count` changes in their order, all of them or none; with `keep` zero none even if all are
    /// possible. `fit` is for those that reserve. `results` has a reservation for each: what was
    /// reserved, what was cancelled with the interval that was given back, what was moved. `steps` is
    /// room for as many. Both are of no meaning after an error, which is that of the first change that
    /// cannot be made. Undoing costs as much as doing.
    raw_act fn locox_profile_attempt(
        changes: *const locox_change, count: usize, fit: u32, keep: u32, steps: *mut locox_step,
        results: *mut locox_reservation
    ) -> (; detail) {
        let (changes, fit) = (inputs(changes, count)?, Fit::from_c(fit)?);
        let (results, steps) = (outputs(results, count)?, outputs(steps, count)?);
        on(profile, |it| {
            let results = results_in(results, changes, |id| it.reservation(id).ok());
            let all = it.attempt(steps_in(steps));
            attempt(all, changes, (&fit, &Lowest), keep != 0, results)
        })
    }

    /// Reserves `pes` PEs for an interval chosen by the caller. Refused as `LOCOX_BUSY`,
    /// `LOCOX_TOO_LARGE` or `LOCOX_FULL`.
    act fn locox_profile_add(interval: *const locox_interval, pes: u32) -> (reservation: locox_handle; detail) {
        it.add(FromC::from_c(interval)?, pes)?
    }

    /// Gives a reservation another interval and another number of PEs. Refused as `LOCOX_BUSY` or
    /// `LOCOX_TOO_LARGE`.
    act fn locox_profile_replace(
        reservation: *const locox_handle, interval: *const locox_interval, pes: u32
    ) -> (; detail) { it.replace(reservation.into(), FromC::from_c(interval)?, pes)? }

    /// Calls `visit` for each start at which a request fits, the earliest first, with how many PEs are
    /// free around it and for how long.
    /// While `visit` runs, every call on this profile, `const` ones too, answers `LOCOX_REENTERED`.
    look fn locox_profile_candidates(
        request: *const locox_request, visit: locox_candidate_fn, user: *mut c_void
    ) -> (; detail) { it.candidates(&request_of(&request))?.for_each(|candidate| tell(visit, candidate, user)) }

    /// Moves a reservation to the earliest start from now on, if that is earlier than the one it has;
    /// never back. `interval`, which may be null, is where it is then.
    act fn locox_profile_bring_forward(reservation: *const locox_handle) -> (| interval: locox_interval) {
        it.bring_forward(reservation.into())?
    }

    /// Makes `pes` the number of PEs out of service. Reservations stay, even if more is promised then
    /// than there is.
    act fn locox_profile_set_out_of_service(pes: u32) { it.set_out_of_service(pes)? }
}

crate::image::restarts! {
    locox_profile: locox_profile_begin, locox_profile_export, locox_profile_restore, locox_profile_check, locox_profile_load;
    |it| it
}

crate::timeline::reserved! {
    locox_profile: locox_profile_advance, locox_profile_now, locox_profile_cancel, locox_profile_set_end,
    locox_profile_move_to, locox_profile_reservation, locox_profile_reservations, locox_profile_slots,
    locox_profile_free_at, locox_profile_fewest_free
}

//! Profiles.

use crate::attempt::{Changes, STEPS};
use crate::dice::{DONE, Dice, NOBODY, Spoiler, calls, handle_of, is_wrong, name_of};
use crate::history::restarted;
use crate::timeline::{error, misused};
use locox::handle::{Epoch, PoolId};
use locox::reserve::{
    Candidate, Candidates, Fit, Interval, Limits, Profile, Request, ReservationId,
};
use locox::time::{Duration, Instant};
use locox_c::locox_status::{self, *};
use locox_c::*;
use std::mem::zeroed;
use std::ptr::null_mut;

const LIMITS: Limits = Limits { pes: 70, reservations: 9 };
const BLANK: locox_interval = locox_interval { start: 77, end: 77 };

struct Ours {
    profile: Box<locox_profile>,
    storage: Vec<usize>,
}

type Twin = Profile<Vec<usize>>;

fn placed(at: Interval) -> locox_interval {
    locox_interval { start: at.start.ticks(), end: at.end.ticks() }
}

fn step(dice: &mut Dice, ours: &mut Ours, twin: &mut Twin, all: &mut Vec<locox_handle>) {
    let before = ours.storage.clone();
    let now = twin.now().ticks();
    let ready = now + dice.below(20);
    let duration = dice.below(30);
    let late = ready + duration + dice.below(40) - dice.below(2);
    let deadline = if dice.one_in(3) { LOCOX_NEVER } else { late };
    let pes = dice.number(u64::from(LIMITS.pes) + 3);
    let mut request = locox_request { ready, duration, deadline, pes, padding: 0 };
    let start = (now + dice.below(30)).saturating_sub(1);
    let mut at = locox_interval { start, end: start + dice.below(30) };
    let fits = if dice.one_in(20) { 9 } else { 7 };
    let fit = dice.number(fits);
    let mut name = dice.name(all);
    let tick = now + dice.below(4) - dice.below(2).min(now);
    let kind = dice.below(13);
    let (mut id, mut result, mut count, mut detail) = (NOBODY, BLANK, 77u32, u64::MAX);
    let mut known = locox_reservation { id, pes: 77, at: result };

    let mut spoiler = Spoiler::new(dice);
    let profile = spoiler.pointer(&raw mut *ours.profile);
    let ask = if matches!(kind, 1..=3 | 12) {
        spoiler.pointer(&raw mut request)
    } else {
        &raw mut request
    };
    let from =
        if matches!(kind, 3 | 5..=9) { spoiler.pointer(&raw mut name) } else { &raw mut name };
    let place = if matches!(kind, 4 | 5 | 10) { spoiler.pointer(&raw mut at) } else { &raw mut at };
    let to =
        if matches!(kind, 2 | 3 | 12) { spoiler.pointer(&raw mut result) } else { &raw mut result };
    let detail_of =
        if matches!(kind, 1..=7 | 12) { spoiler.optional(&raw mut detail) } else { null_mut() };
    let spoiled = spoiler.spoiled;

    // SAFETY: every pointer that is not spoiled points to what the call says.
    let status = unsafe {
        match kind {
            0 => locox_profile_advance(profile, tick),
            1 => locox_profile_reserve(profile, ask, fit, &raw mut known, detail_of),
            2 => locox_profile_find(profile, ask, fit, to, detail_of),
            3 => locox_profile_find_instead(profile, from, ask, fit, to, detail_of),
            4 => locox_profile_add(profile, place, pes, &raw mut id, detail_of),
            5 => locox_profile_replace(profile, from, place, pes, detail_of),
            6 => locox_profile_set_end(profile, from, at.end, detail_of),
            7 => locox_profile_move_to(profile, from, at.start, detail_of),
            8 => locox_profile_cancel(profile, from, to),
            9 => locox_profile_bring_forward(profile, from, to),
            10 => locox_profile_fewest_free(profile, place, &raw mut count),
            11 => locox_profile_set_out_of_service(profile, pes),
            _ => locox_profile_would_reserve(profile, ask, fit, to, detail_of),
        }
    };
    if is_wrong(status) {
        assert!(before == ours.storage, "{status:?} changed the storage");
    }
    if status != LOCOX_OK {
        assert_eq!((id, result, count, known.pes), (NOBODY, BLANK, 77, 77));
    }
    if spoiled {
        assert!(is_wrong(status), "{status:?} in call {kind}");
        return;
    }
    let instant = Instant::from_ticks;
    let asked = Request::new(instant(ready), Duration::from_ticks(duration), pes);
    let asked = if deadline == LOCOX_NEVER { asked } else { asked.by(instant(deadline)) };
    let interval = Interval { start: instant(at.start), end: instant(at.end) };
    let named = ReservationId::from_handle(handle_of(name));
    let fit = Fit::ALL.get(fit as usize);
    let same = |at: Interval| {
        assert_eq!(placed(at), result);
        DONE
    };
    let expected = match (kind, fit) {
        (1..=3 | 12, None) => (LOCOX_BAD_ARGUMENT, 0),
        (1, Some(fit)) => twin.reserve(&asked, fit).map_or_else(error, |(it, at)| {
            assert_eq!(known, locox_reservation { id: name_of(it.handle()), pes, at: placed(at) });
            all.push(known.id);
            DONE
        }),
        (12, Some(fit)) => twin.would_reserve(&asked, fit).map_or_else(error, same),
        (2, Some(fit)) => twin.find(&asked, fit).map_or_else(error, same),
        (3, Some(fit)) => twin.find_instead(named, &asked, fit).map_or_else(error, same),
        (0, _) => twin.advance(instant(tick)).map_or_else(misused, |()| DONE),
        (4, _) => twin.add(interval, pes).map_or_else(error, |it| {
            assert_eq!(name_of(it.handle()), id);
            all.push(id);
            DONE
        }),
        (5, _) => twin.replace(named, interval, pes).map_or_else(error, |()| DONE),
        (6, _) => twin.set_end(named, interval.end).map_or_else(error, |()| DONE),
        (7, _) => twin.move_to(named, interval.start).map_or_else(error, |()| DONE),
        (8, _) => twin.cancel(named).map_or_else(misused, same),
        (9, _) => twin.bring_forward(named).map_or_else(misused, same),
        (10, _) => twin.fewest_free(interval).map_or_else(misused, |free| {
            assert_eq!(free, count);
            DONE
        }),
        _ => twin.set_out_of_service(pes).map_or_else(misused, |()| DONE),
    };
    assert_eq!(status, expected.0, "call {kind}");
    if status != LOCOX_OK && !detail_of.is_null() {
        assert_eq!(detail, expected.1, "detail of {status:?}");
    }
}

/// Of each candidate start, room and PEs.
pub(crate) type Seen = Vec<(u64, locox_interval, u32)>;

pub(crate) unsafe extern "C" fn note(it: *const locox_candidate, user: *mut std::ffi::c_void) {
    // SAFETY: the test passes a list.
    unsafe { (*user.cast::<Seen>()).push(((*it).start, (*it).room, (*it).pes)) };
}

pub(crate) fn seen_of<const IDENTITY: bool>(candidates: Candidates<'_, IDENTITY>) -> Seen {
    let seen = candidates.map(|Candidate { start, rectangle }| {
        let room = Interval { start: rectangle.begin, end: rectangle.end };
        (start.ticks(), placed(room), rectangle.pes)
    });
    seen.collect()
}

/// All candidates of a request, as through the kernel.
fn compare_candidates(dice: &mut Dice, ours: &Ours, twin: &Twin) {
    let ready = twin.now().ticks() + dice.below(9);
    let (duration, pes) = (dice.below(20), dice.number(u64::from(LIMITS.pes) + 2));
    let request = locox_request { ready, duration, deadline: LOCOX_NEVER, pes, padding: 0 };
    let (mut seen, mut detail) = (Seen::new(), u64::MAX);
    let (user, place) = ((&raw mut seen).cast(), &raw const *ours.profile);
    let ask = &raw const request;
    // SAFETY: as the call says.
    let status = unsafe { locox_profile_candidates(place, ask, Some(note), user, &raw mut detail) };
    let ready = Instant::from_ticks(ready);
    match twin.candidates(&Request::new(ready, Duration::from_ticks(duration), pes)) {
        Ok(candidates) => {
            assert_eq!(status, LOCOX_OK);
            assert_eq!(seen, seen_of(candidates));
        }
        Err(why) => assert_eq!((status, detail), error(why)),
    }
}

unsafe extern "C" fn count_one(_: *const locox_reservation, user: *mut std::ffi::c_void) {
    // SAFETY: the test passes a number.
    unsafe { *user.cast::<usize>() += 1 };
}

/// Several changes together, as through the kernel.
fn try_changes(dice: &mut Dice, ours: &mut Ours, twin: &mut Twin, all: &mut Vec<locox_handle>) {
    let changes = Changes::of(dice, twin.now().ticks(), LIMITS.pes, all);
    let place = &raw mut *ours.profile;
    // SAFETY: as the call says.
    let outcome = changes.call(dice, |it| unsafe {
        locox_profile_attempt(
            place, it.changes, it.count, it.fit, it.keep, it.steps, it.results, it.detail,
        )
    });
    let Some(outcome) = outcome else { return };
    let known = changes.known(|id| twin.reservation(id).ok());
    changes.compare(twin.attempt(&mut STEPS.clone()), &known, &outcome, all);
}

#[test]
fn a_profile_answers_as_the_kernel_does_whatever_it_is_told() {
    let needed = Profile::words(LIMITS);
    // SAFETY: zeroed is not started.
    let profile = Box::new(unsafe { zeroed() });
    let mut ours = Ours { profile, storage: vec![usize::MAX / 3; needed] };
    let (words, place) = (ours.storage.as_mut_ptr(), &raw mut *ours.profile);
    // SAFETY: as the calls say.
    unsafe {
        let mut detail = 0;
        let mut start = |pes, len| {
            let status: locox_status = locox_profile_start(
                place,
                1,
                pes,
                LIMITS.reservations,
                words,
                len,
                &raw mut detail,
            );
            (status, detail)
        };
        assert_eq!(start(LIMITS.pes, needed - 1), (LOCOX_TOO_SHORT, needed as u64));
        assert_eq!(start(0, needed).0, LOCOX_BAD_ARGUMENT);
        assert_eq!(locox_profile_advance(place, 1), LOCOX_NOT_STARTED);
        assert_eq!(start(LIMITS.pes, needed).0, LOCOX_OK);
    }
    let mut twin = Twin::new(PoolId(1), LIMITS, vec![0; needed]).unwrap();
    let (mut dice, mut all) = (Dice(14), Vec::new());
    for call in 0..calls() {
        step(&mut dice, &mut ours, &mut twin, &mut all);
        all.drain(..all.len().saturating_sub(12));
        compare_candidates(&mut dice, &ours, &twin);
        if dice.one_in(4) {
            try_changes(&mut dice, &mut ours, &mut twin, &mut all);
        }
        if call % 128 == 0 {
            let functions =
                (locox_profile_export as _, locox_profile_load as _, locox_profile_restore as _);
            let (place, epoch) = (&raw mut *ours.profile, 1 + (call / 128) as u16);
            let image = restarted(place, functions, |put| twin.export(put), (epoch, true));
            twin.restore(image, Epoch(epoch)).unwrap();
        }
        if call % 64 == 0 {
            let (place, mut seen) = (&raw const *ours.profile, 0usize);
            // SAFETY: as the calls say.
            unsafe {
                let user = (&raw mut seen).cast();
                assert_eq!(locox_profile_check(place), LOCOX_OK);
                assert_eq!(locox_profile_reservations(place, Some(count_one), user), LOCOX_OK);
            }
            assert_eq!(seen, twin.reservations().count());
        }
    }
}

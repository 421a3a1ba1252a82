//! Timelines.

use crate::attempt::{Changes, STEPS};
use crate::dice::{DONE, Dice, NOBODY, Spoiler, calls, handle_of, is_spoiled, is_wrong, misnamed};
use crate::history::restarted;
use crate::profile::{Seen, note, seen_of};
use locox::bits::{BitSet, words_for};
use locox::error::Error;
use locox::handle::{Epoch, PoolId};
use locox::reserve::{
    AlignedSubcube, Choice, Contiguous, Fit, FreePes, Interval, Limits, Lowest, Mask, Masked,
    Misuse, Refusal, Request, ReservationId, Timeline,
};
use locox::time::{Duration, Instant};
use locox_c::locox_status::{self, *};
use locox_c::*;
use std::ptr::{null, null_mut};

const LIMITS: Limits = Limits { pes: 70, reservations: 9 };

struct Ours {
    timeline: Box<locox_timeline>,
    storage: Vec<usize>,
}

type Twin = Timeline<Vec<usize>>;

fn refused(refusal: Refusal) -> (locox_status, u64) {
    match refusal {
        Refusal::TooLarge { pes } => (LOCOX_TOO_LARGE, pes.into()),
        Refusal::Faulty { serving } => (LOCOX_FAULTY, serving.into()),
        Refusal::Late { finish } => (LOCOX_LATE, finish.ticks()),
        Refusal::Overflow => (LOCOX_END_OF_TIME, 0),
        Refusal::Busy { from } => (LOCOX_BUSY, from.ticks()),
        Refusal::Full { reservations } => (LOCOX_FULL, reservations.into()),
        Refusal::Masked { allowed } => (LOCOX_MASKED, allowed.into()),
        Refusal::NoStep { steps } => (LOCOX_NO_STEP, steps.into()),
        other => panic!("{other:?} has no status"),
    }
}

pub(crate) fn misused(misuse: Misuse) -> (locox_status, u64) {
    let status = match misuse {
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
        Misuse::Handle(misuse) => misnamed(misuse),
        other => panic!("{other:?} has no status"),
    };
    (status, 0)
}

pub(crate) fn error(error: Error<Refusal, Misuse>) -> (locox_status, u64) {
    match error {
        Error::Refused(refusal) => refused(refusal),
        Error::Misused(misuse) => misused(misuse),
    }
}

fn id_of(name: locox_handle) -> ReservationId {
    ReservationId::from_handle(handle_of(name))
}

fn name_of(id: ReservationId) -> locox_handle {
    crate::dice::name_of(id.handle())
}

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

const BLANK: locox_reservation =
    locox_reservation { id: NOBODY, pes: 77, at: locox_interval { start: 77, end: 77 } };

fn a_set(dice: &mut Dice) -> Vec<usize> {
    let mut words = vec![0; words_for(LIMITS.pes as usize)];
    let bound = u64::from(LIMITS.pes) + u64::from(dice.one_in(30));
    for _ in 0..dice.below(90) {
        let pe = dice.below(bound) as usize;
        words[pe / usize::BITS as usize] |= 1 << (pe % usize::BITS as usize);
    }
    words
}

/// What one call is made of.
struct Said {
    request: locox_request,
    choice: locox_choice,
    set: Vec<usize>,
    allowed: Option<Vec<usize>>,
    at: locox_interval,
    name: locox_handle,
    pe: u32,
}

fn said(dice: &mut Dice, twin: &Twin, all: &[locox_handle]) -> Said {
    let now = twin.now().ticks();
    let ready = now + dice.below(20);
    let duration = dice.below(30);
    let deadline = if dice.one_in(3) {
        LOCOX_NEVER
    } else {
        ready + duration + dice.below(40) - dice.below(2)
    };
    let pes = dice.number(u64::from(LIMITS.pes) + 3);
    let start = (now + dice.below(30)).saturating_sub(1);
    let allowed = dice.one_in(3).then(|| a_set(dice));
    let (fits, picks) = if dice.one_in(20) { (9, 5) } else { (7, 3) };
    let choice = locox_choice {
        fit: dice.number(fits),
        pick: dice.number(picks),
        allowed: allowed.as_ref().map_or(null(), Vec::as_ptr),
        required: null(),
        words: words_for(LIMITS.pes as usize),
    };
    Said {
        request: locox_request { ready, duration, deadline, pes, padding: 0 },
        choice,
        set: a_set(dice),
        allowed,
        at: locox_interval { start, end: start + dice.below(30) },
        name: dice.name(all),
        pe: dice.number(u64::from(LIMITS.pes) + 2),
    }
}

fn step(dice: &mut Dice, ours: &mut Ours, twin: &mut Twin, all: &mut Vec<locox_handle>) {
    let before = ours.storage.clone();
    let mut said = said(dice, twin, all);
    let (mut detail, mut result) = (u64::MAX, BLANK);
    let kind = dice.below(10);
    let now = twin.now().ticks() + dice.below(4) - dice.below(2).min(twin.now().ticks());
    let has_detail = matches!(kind, 1..=5 | 9);
    let mut room = vec![usize::MAX; said.set.len()];
    let mut spoiler = Spoiler::new(dice);
    let timeline = spoiler.pointer(&raw mut *ours.timeline);
    let to_detail = if has_detail { spoiler.optional(&raw mut detail) } else { null_mut() };
    let to = if matches!(kind, 1..=3 | 7) { spoiler.pointer(&raw mut result) } else { null_mut() };
    let from = if matches!(kind, 4..=7) { spoiler.pointer(&raw mut said.name) } else { null_mut() };
    let (words, short) = spoiler.length(room.len());
    let spoiled = spoiler.spoiled;
    let short = short && matches!(kind, 3 | 9);
    // SAFETY: the fields of what is spoiled are not looked at, only their places are computed.
    let (to_id, to_at) = (to.cast::<locox_handle>(), to.wrapping_byte_add(16).cast());
    let (request, choice, at) =
        (&raw const said.request, &raw const said.choice, &raw const said.at);

    // SAFETY: every pointer that is not spoiled points to what the call says.
    let status = unsafe {
        match kind {
            0 => locox_timeline_advance(timeline, now),
            1 => locox_timeline_reserve(timeline, request, choice, to, to_detail),
            2 => locox_timeline_reserve(timeline, request, null(), to, to_detail),
            3 => locox_timeline_add(timeline, at, said.set.as_ptr(), words, to_id, to_detail),
            4 => locox_timeline_set_end(timeline, from, said.at.end, to_detail),
            5 => locox_timeline_move_to(timeline, from, said.at.start, to_detail),
            6 => locox_timeline_cancel(timeline, from, null_mut()),
            7 => locox_timeline_reservation(timeline, from, to),
            8 if said.at.end.is_multiple_of(2) => locox_timeline_withdraw(timeline, said.pe),
            8 => locox_timeline_repair(timeline, said.pe),
            _ => {
                let to_at: *mut locox_interval =
                    if to.is_null() { &raw mut result.at } else { to_at };
                locox_timeline_find(
                    timeline,
                    request,
                    choice,
                    to_at,
                    room.as_mut_ptr(),
                    words,
                    to_detail,
                )
            }
        }
    };
    if is_wrong(status) {
        assert!(before == ours.storage, "{status:?} changed the storage");
    }
    if status != LOCOX_OK {
        assert_eq!(result, BLANK);
    }
    if spoiled || short {
        assert!(is_wrong(status), "{status:?} in call {kind}");
        return;
    }
    assert!(!is_spoiled(status));
    let expected = expected(twin, kind, now, &said, &result, &room);
    assert_eq!(status, expected.0, "call {kind}");
    if status != LOCOX_OK && !to_detail.is_null() {
        assert_eq!(detail, expected.1, "detail of {status:?}");
    }
    if status == LOCOX_OK && matches!(kind, 1..=3) {
        all.push(result.id);
    }
}

fn expected(
    twin: &mut Twin,
    kind: u64,
    now: u64,
    said: &Said,
    result: &locox_reservation,
    room: &[usize],
) -> (locox_status, u64) {
    let tick = Instant::from_ticks;
    let ask = &said.request;
    let request = Request::new(tick(ask.ready), Duration::from_ticks(ask.duration), ask.pes);
    let request =
        if ask.deadline == LOCOX_NEVER { request } else { request.by(tick(ask.deadline)) };
    let at = Interval { start: tick(said.at.start), end: tick(said.at.end) };
    let id = id_of(said.name);
    let fit = Fit::ALL.get(said.choice.fit as usize);
    let pick = [Pick::Lowest, Pick::Contiguous, Pick::AlignedSubcube];
    let pick = pick.get(said.choice.pick as usize);
    let same_place = |placed: Interval| {
        assert_eq!((placed.start.ticks(), placed.end.ticks()), (result.at.start, result.at.end));
    };
    match kind {
        0 => twin.advance(tick(now)).map_or_else(misused, |()| DONE),
        1 | 9 => {
            let (Some(fit), Some(&choice)) = (fit, pick) else { return (LOCOX_BAD_ARGUMENT, 0) };
            let allowed = said.allowed.as_ref().map(|set| BitSet::from_words(&set[..], LIMITS.pes));
            let allowed = match allowed {
                Some(Err(_)) => return (LOCOX_WRONG_SET, 0),
                Some(Ok(set)) => Some(set),
                None => None,
            };
            let mask = allowed.as_ref().map_or(Mask::ANY, Mask::only);
            let choice = Masked { mask, choice };
            if kind == 1 {
                return twin.reserve(&request, fit, &choice).map_or_else(error, |(id, placed)| {
                    same_place(placed);
                    assert_eq!((name_of(id), request.pes), (result.id, result.pes));
                    DONE
                });
            }
            let mut set = BitSet::empty(vec![0; room.len()], LIMITS.pes).unwrap();
            twin.find(&request, fit, &choice, &mut set).map_or_else(error, |placed| {
                same_place(placed);
                assert_eq!(set.words(), room);
                DONE
            })
        }
        2 => twin.reserve(&request, &Fit::First, &Lowest).map_or_else(error, |(id, placed)| {
            same_place(placed);
            assert_eq!(name_of(id), result.id);
            DONE
        }),
        3 => match BitSet::from_words(&said.set[..], LIMITS.pes) {
            Err(_) => (LOCOX_WRONG_SET, 0),
            Ok(set) => twin.add(at, &set).map_or_else(error, |id| {
                assert_eq!(name_of(id), result.id);
                DONE
            }),
        },
        4 => twin.set_end(id, at.end).map_or_else(error, |()| DONE),
        5 => twin.move_to(id, at.start).map_or_else(error, |()| DONE),
        6 => twin.cancel(id).map_or_else(misused, |_| DONE),
        7 => twin.reservation(id).map_or_else(misused, |known| {
            same_place(known.at);
            assert_eq!((name_of(known.id), known.pes), (result.id, result.pes));
            DONE
        }),
        8 if said.at.end.is_multiple_of(2) => {
            twin.withdraw(said.pe).map_or_else(misused, |()| DONE)
        }
        _ => twin.repair(said.pe).map_or_else(misused, |()| DONE),
    }
}

fn started() -> (Ours, Twin) {
    let needed = Timeline::words(LIMITS);
    let mut ours = Ours {
        // SAFETY: zeroed is not started.
        timeline: Box::new(unsafe { std::mem::zeroed() }),
        storage: vec![usize::MAX / 3; needed],
    };
    let (words, place) = (ours.storage.as_mut_ptr(), &raw mut *ours.timeline);
    // SAFETY: as the call says.
    unsafe {
        let start = locox_timeline_start;
        let mut detail = 0;
        let short =
            start(place, 1, LIMITS.pes, LIMITS.reservations, words, needed - 1, &raw mut detail);
        assert_eq!((short, detail), (LOCOX_TOO_SHORT, needed as u64));
        assert_eq!(locox_timeline_advance(place, 1), LOCOX_NOT_STARTED);
        let started = start(place, 1, LIMITS.pes, LIMITS.reservations, words, needed, null_mut());
        assert_eq!(started, LOCOX_OK);
    }
    (ours, Twin::new(PoolId(1), LIMITS, vec![0; needed]).unwrap())
}

/// All candidates of a request, as through the kernel; with too little room for a set none.
fn compare_candidates(dice: &mut Dice, ours: &Ours, twin: &Twin) {
    let ready = twin.now().ticks() + dice.below(9);
    let (duration, pes) = (dice.below(20), dice.number(u64::from(LIMITS.pes) + 2));
    let request = locox_request { ready, duration, deadline: LOCOX_NEVER, pes, padding: 0 };
    let (mut seen, mut detail, mut room) = (Vec::new(), u64::MAX, vec![7usize; words_for(70)]);
    let words = room.len() - usize::from(dice.one_in(9));
    let list: *mut Seen = &raw mut seen;
    let (user, place) = (list.cast(), &raw const *ours.timeline);
    let (ask, set, visit) = (&raw const request, room.as_mut_ptr(), Some(note as _));
    // SAFETY: as the call says.
    let status =
        unsafe { locox_timeline_candidates(place, ask, set, words, visit, user, &raw mut detail) };
    if words < room.len() {
        assert_eq!((status, detail), (LOCOX_TOO_SHORT, room.len() as u64));
        return;
    }
    let ready = Instant::from_ticks(ready);
    let asked = Request::new(ready, Duration::from_ticks(duration), pes);
    let mut free = BitSet::empty(vec![0; room.len()], LIMITS.pes).unwrap();
    match twin.candidates(&asked, &mut free) {
        Ok(candidates) => {
            assert_eq!(status, LOCOX_OK);
            assert_eq!(seen, seen_of(candidates));
        }
        Err(why) => assert_eq!((status, detail), error(why)),
    }
}

/// Several changes together, as through the kernel.
fn try_changes(dice: &mut Dice, ours: &mut Ours, twin: &mut Twin, all: &mut Vec<locox_handle>) {
    let changes = Changes::of(dice, twin.now().ticks(), LIMITS.pes, all);
    let place = &raw mut *ours.timeline;
    // SAFETY: as the call says.
    let outcome = changes.call(dice, |it| unsafe {
        {
            let choice =
                locox_choice { fit: it.fit, pick: 0, allowed: null(), required: null(), words: 0 };
            locox_timeline_attempt(
                place,
                it.changes,
                it.count,
                &raw const choice,
                it.keep,
                it.steps,
                it.results,
                it.detail,
            )
        }
    });
    let Some(outcome) = outcome else { return };
    let known = changes.known(|id| twin.reservation(id).ok());
    changes.compare(twin.attempt(&mut STEPS.clone()), &known, &outcome, all);
}

#[test]
fn a_timeline_answers_as_the_kernel_does_whatever_it_is_told() {
    let (mut ours, mut twin) = started();
    let (mut dice, mut all) = (Dice(4), Vec::new());
    for call in 0..calls() {
        step(&mut dice, &mut ours, &mut twin, &mut all);
        all.drain(..all.len().saturating_sub(12));
        compare_candidates(&mut dice, &ours, &twin);
        if dice.one_in(4) {
            try_changes(&mut dice, &mut ours, &mut twin, &mut all);
        }
        if call % 128 == 0 {
            let functions =
                (locox_timeline_export as _, locox_timeline_load as _, locox_timeline_restore as _);
            let (place, epoch) = (&raw mut *ours.timeline, 1 + (call / 128) as u16);
            let image = restarted(place, functions, |put| twin.export(put), (epoch, true));
            twin.restore(image, Epoch(epoch)).unwrap();
        }
        if call % 64 == 0 {
            // SAFETY: as the call says.
            assert_eq!(unsafe { locox_timeline_check(&raw const *ours.timeline) }, LOCOX_OK);
        }
    }
}

#[test]
fn changes_are_made_together_or_not_at_all() {
    let (mut ours, _) = started();
    let timeline = &raw mut *ours.timeline;
    let nobody = locox_handle { index: 0, generation: 0, pool: 0, epoch: 0 };
    let ask = |pes| locox_change {
        kind: LOCOX_CHANGE_RESERVE,
        id: nobody,
        start: 0,
        request: locox_request { ready: 0, duration: 10, deadline: 10, pes, padding: 0 },
    };
    let changes = [ask(40), ask(30)];
    let too_many = [ask(40), ask(31)];
    let (mut results, mut detail, mut free) = ([BLANK; 2], 0, 0);
    // SAFETY: as the calls say.
    unsafe {
        let mut steps: [locox_step; 2] = std::mem::zeroed();
        let mut attempt = |changes: &[locox_change; 2], keep, free: &mut u32| {
            let (steps, results) = (steps.as_mut_ptr(), results.as_mut_ptr());
            let status = locox_timeline_attempt(
                timeline,
                changes.as_ptr(),
                2,
                null(),
                keep,
                steps,
                results,
                &raw mut detail,
            );
            assert_eq!(locox_timeline_free_at(timeline, 0, free), LOCOX_OK);
            status
        };
        assert_eq!((attempt(&too_many, 1, &mut free), free), (LOCOX_LATE, 70));
        assert_eq!((attempt(&changes, 0, &mut free), free), (LOCOX_OK, 70));
        assert_eq!((attempt(&changes, 1, &mut free), free), (LOCOX_OK, 0));
        let move_one =
            locox_change { kind: LOCOX_CHANGE_MOVE, id: results[0].id, start: 10, ..ask(1) };
        let cancel = locox_change { kind: LOCOX_CHANGE_CANCEL, id: results[1].id, ..ask(1) };
        let mut attempt = |changes: &[locox_change; 2], results: &mut [locox_reservation; 2]| {
            locox_timeline_attempt(
                timeline,
                changes.as_ptr(),
                2,
                null(),
                1,
                steps.as_mut_ptr(),
                results.as_mut_ptr(),
                null_mut(),
            )
        };
        assert_eq!(attempt(&[move_one, cancel], &mut results), LOCOX_OK);
        assert_eq!(results[0].at, locox_interval { start: 10, end: 20 });
        assert_eq!(results[1].at, locox_interval { start: 0, end: 10 });
        let again = attempt(&[move_one, cancel], &mut [BLANK; 2]);
        assert_eq!(again, LOCOX_STALE);
        let mut ids = [nobody; 3];
        let (mut first, mut chosen) = (results[0].at, 9usize);
        let series = locox_timeline_reserve_series;
        let weekly =
            locox_request { ready: 0, duration: 5, deadline: LOCOX_NEVER, pes: 40, padding: 0 };
        let (weekly, list) = (&raw const weekly, ids.as_mut_ptr());
        let most = LOCOX_SERIES_MOST + 1;
        assert_eq!(
            series(timeline, weekly, 10, null(), list, most, &raw mut first, null_mut()),
            LOCOX_BAD_ARGUMENT
        );
        assert_eq!(
            series(timeline, weekly, 10, null(), list, 3, &raw mut first, null_mut()),
            LOCOX_OK
        );
        assert_eq!((first.start, ids[2].pool), (20, 1));
        let either = [*weekly, locox_request { pes: 30, ..*weekly }];
        let status = locox_timeline_reserve_one_of(
            timeline,
            either.as_ptr(),
            2,
            null(),
            &raw mut chosen,
            results.as_mut_ptr(),
            null_mut(),
        );
        assert_eq!((status, chosen, results[0].at.start), (LOCOX_OK, 0, 0));
    }
}

/// Who knows how names are counted can tell the next one.
#[test]
fn a_change_may_name_what_the_same_attempt_reserves() {
    let (mut ours, _) = started();
    let timeline = &raw mut *ours.timeline;
    let request = locox_request { ready: 0, duration: 10, deadline: 10, pes: 40, padding: 0 };
    let reserve = locox_change { kind: LOCOX_CHANGE_RESERVE, id: NOBODY, start: 0, request };
    let attempt = |changes: &[locox_change], keep| {
        let mut results = [BLANK; 3];
        // SAFETY: a step may be anything; all pointers are to as many as there are changes.
        let status = unsafe {
            let mut steps: [locox_step; 3] = std::mem::zeroed();
            let (first, count) = (changes.as_ptr(), changes.len());
            let (steps, to) = (steps.as_mut_ptr(), results.as_mut_ptr());
            locox_timeline_attempt(timeline, first, count, null(), keep, steps, to, null_mut())
        };
        assert_eq!(status, LOCOX_OK);
        results
    };
    let [tried, ..] = attempt(&[reserve], 0);
    let id = locox_handle { generation: tried.id.generation + 2, ..tried.id };
    let reserved = locox_reservation { id, ..tried };
    let move_it = locox_change { kind: LOCOX_CHANGE_MOVE, id, start: 5, ..reserve };
    let cancel = locox_change { kind: LOCOX_CHANGE_CANCEL, ..move_it };
    let moved = locox_reservation { id, pes: 40, at: locox_interval { start: 5, end: 15 } };
    assert_eq!(attempt(&[reserve, move_it, cancel], 1), [reserved, moved, moved]);
}

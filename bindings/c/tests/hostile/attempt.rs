//! Changes that are made together or not at all, of timelines and of profiles.

use crate::dice::{Dice, NOBODY, Spoiler, handle_of, is_spoiled, name_of};
use crate::timeline::error;
use locox::reserve::{Attempt, Fit, Interval, Lowest, Request, Reservation, ReservationId, Step};
use locox::time::{Duration, Instant};
use locox_c::locox_status::{self, *};
use locox_c::*;

/// More than there are changes at once.
pub(crate) const STEPS: [Step; 5] = [Step::EMPTY; 5];

const BLANK: locox_reservation =
    locox_reservation { id: NOBODY, pes: 77, at: locox_interval { start: 77, end: 77 } };

/// What an attempt is made of.
pub(crate) struct Changes {
    all: Vec<locox_change>,
    fit: u32,
    keep: u32,
}

/// What is passed to C.
pub(crate) struct Passed {
    pub(crate) changes: *const locox_change,
    pub(crate) count: usize,
    pub(crate) fit: u32,
    pub(crate) keep: u32,
    pub(crate) steps: *mut locox_step,
    pub(crate) results: *mut locox_reservation,
    pub(crate) detail: *mut u64,
}

/// What came of it.
pub(crate) struct Outcome {
    status: locox_status,
    detail: u64,
    results: Vec<locox_reservation>,
}

impl Changes {
    pub(crate) fn of(dice: &mut Dice, now: u64, pes: u32, names: &[locox_handle]) -> Self {
        let count = dice.below(5);
        let mut one = || {
            let (ready, duration) = (now + dice.below(20), dice.below(30));
            let late = ready + duration + dice.below(40);
            locox_change {
                kind: if dice.one_in(30) { 3 } else { dice.number(3) },
                id: dice.name(names),
                start: (now + dice.below(30)).saturating_sub(1),
                request: locox_request {
                    ready,
                    duration,
                    deadline: if dice.one_in(2) { LOCOX_NEVER } else { late },
                    pes: dice.number(u64::from(pes) + 2),
                    padding: 0,
                },
            }
        };
        let all = (0..count).map(|_| one()).collect();
        Self { all, fit: dice.beyond(7), keep: dice.number(2) }
    }

    pub(crate) fn known(
        &self,
        known: impl Fn(ReservationId) -> Option<Reservation>,
    ) -> Vec<Option<Reservation>> {
        self.all.iter().map(|change| known(id_of(change.id))).collect()
    }

    /// Calls C; `None` if a pointer was spoiled, which it must have seen.
    pub(crate) fn call(
        &self,
        dice: &mut Dice,
        call: impl FnOnce(Passed) -> locox_status,
    ) -> Option<Outcome> {
        let (mut detail, mut results) = (u64::MAX, vec![BLANK; self.all.len()]);
        // SAFETY: a step may be anything.
        let mut steps: [locox_step; 5] = unsafe { std::mem::zeroed() };
        let (changes, count) = (self.all.as_ptr().cast_mut(), self.all.len());
        let mut spoiler = Spoiler::new(dice);
        // Where there is no change no pointer is looked at.
        let (changes, room, to) = match count {
            0 => (changes, steps.as_mut_ptr(), results.as_mut_ptr()),
            _ => (
                spoiler.pointer(changes),
                spoiler.pointer(steps.as_mut_ptr()),
                spoiler.pointer(results.as_mut_ptr()),
            ),
        };
        let (fit, keep, detail_of) = (self.fit, self.keep, &raw mut detail);
        let passed =
            Passed { changes, count, fit, keep, steps: room, results: to, detail: detail_of };
        let status = call(passed);
        if spoiler.spoiled {
            assert!(is_spoiled(status) || status == LOCOX_BAD_ARGUMENT, "{status:?}");
            return None;
        }
        Some(Outcome { status, detail, results })
    }

    /// The same through the kernel, which must come to the same. Names what is new.
    pub(crate) fn compare<const IDENTITY: bool>(
        &self,
        mut attempt: Attempt<'_, IDENTITY>,
        known: &[Option<Reservation>],
        outcome: &Outcome,
        names: &mut Vec<locox_handle>,
    ) {
        let Some(fit) = Fit::ALL.get(self.fit as usize) else {
            assert_eq!(outcome.status, LOCOX_BAD_ARGUMENT);
            return;
        };
        // A name that meant nothing before may be given to what is reserved on the way.
        let mut made: Vec<locox_reservation> = vec![];
        for ((change, known), &result) in self.all.iter().zip(known).zip(&outcome.results) {
            let made_here = made.iter().rev().find(|made| made.id == change.id);
            let known = made_here.copied().or(known.as_ref().map(told));
            let expected = match change_in(&mut attempt, change, known, fit) {
                Ok(expected) => expected,
                Err(error) => {
                    assert_eq!((outcome.status, outcome.detail), error);
                    return;
                }
            };
            made.push(expected);
            if outcome.status == LOCOX_OK {
                assert_eq!(expected, result);
            }
        }
        assert_eq!(outcome.status, LOCOX_OK);
        if self.keep != 0 {
            attempt.keep();
            names.extend(outcome.results.iter().map(|result| result.id));
        }
    }
}

fn told(of: &Reservation) -> locox_reservation {
    let at = locox_interval { start: of.at.start.ticks(), end: of.at.end.ticks() };
    locox_reservation { id: name_of(of.id.handle()), pes: of.pes, at }
}

fn id_of(name: locox_handle) -> ReservationId {
    ReservationId::from_handle(handle_of(name))
}

fn change_in<const IDENTITY: bool>(
    attempt: &mut Attempt<'_, IDENTITY>,
    change: &locox_change,
    known: Option<locox_reservation>,
    fit: &Fit,
) -> Result<locox_reservation, (locox_status, u64)> {
    let (tick, long) = (Instant::from_ticks, Duration::from_ticks);
    let id = id_of(change.id);
    let pes = known.map_or(0, |known| known.pes);
    let (id, pes, Interval { start, end }) = match change.kind {
        LOCOX_CHANGE_RESERVE => {
            let locox_request { ready, duration, deadline, pes, .. } = change.request;
            let asked = Request::new(tick(ready), long(duration), pes);
            let asked = if deadline == LOCOX_NEVER { asked } else { asked.by(tick(deadline)) };
            let (id, at) = attempt.reserve(&asked, fit, &Lowest).map_err(error)?;
            (id, pes, at)
        }
        LOCOX_CHANGE_CANCEL => (id, pes, attempt.cancel(id).map_err(error)?),
        LOCOX_CHANGE_MOVE => {
            attempt.move_to(id, tick(change.start)).map_err(error)?;
            let at = known.expect("it was moved").at;
            let start = tick(change.start);
            let end = start.checked_add(long(at.end - at.start)).unwrap();
            (id, pes, Interval { start, end })
        }
        _ => return Err((LOCOX_BAD_ARGUMENT, 0)),
    };
    let at = locox_interval { start: start.ticks(), end: end.ticks() };
    Ok(locox_reservation { id: name_of(id.handle()), pes, at })
}

//! Queues: conservative and EASY backfilling, which plan, and a window, which does not.

use crate::dice::{DONE, Dice, NOBODY, Spoiler, calls, handle_of, is_wrong, misnamed};
use crate::history::restarted;
use locox::dispatch::{
    Backfill, Conservative, Easy, Entry, Job, Misuse, Ordered, Patience, Queue, Refusal, Slot,
    Standing, Ticket, UserLimit, UserRow, Window,
};
use locox::error::Error;
use locox::handle::{Epoch, PoolId};
use locox::reserve::{Interval, Limits, Profile, Request};
use locox::time::{Duration, Instant};
use locox_c::locox_status::{self, *};
use locox_c::*;
use std::ffi::c_void;
use std::num::NonZeroU32;
use std::ptr::null_mut;

const PES: u32 = 16;
const JOBS: usize = 10;
const BLANK: locox_job = locox_job { id: 77, pes: 77, requested: 77, key: 77 };

fn misused(misuse: Misuse) -> (locox_status, u64) {
    let status = match misuse {
        Misuse::Handle(misuse) => misnamed(misuse),
        Misuse::Waits => LOCOX_WAITS,
        Misuse::Runs => LOCOX_RUNS,
        Misuse::Reserved => LOCOX_RESERVED,
        Misuse::NoPes => LOCOX_NO_PES,
        Misuse::NoTime => LOCOX_NO_TIME,
        Misuse::Overflow => LOCOX_BEYOND_TIME,
        Misuse::DeadlineTooEarly => LOCOX_DEADLINE_TOO_EARLY,
        Misuse::Outage => LOCOX_NO_SUCH_PE,
        Misuse::WrongProfile => LOCOX_TOO_SHORT,
        Misuse::Future => LOCOX_BAD_ARGUMENT,
        other => panic!("{other:?} has no status"),
    };
    (status, 0)
}

fn error(error: Error<Refusal, Misuse>) -> (locox_status, u64) {
    match error {
        Error::Refused(Refusal::TooLarge { pes }) => (LOCOX_TOO_LARGE, pes.into()),
        Error::Refused(Refusal::Faulty { serving }) => (LOCOX_FAULTY, serving.into()),
        Error::Refused(Refusal::TooFewFree { free, .. }) => (LOCOX_TOO_FEW_FREE, free.into()),
        Error::Refused(Refusal::Late { finish }) => (LOCOX_LATE, finish.ticks()),
        Error::Refused(Refusal::Overflow) => (LOCOX_END_OF_TIME, 0),
        Error::Refused(Refusal::Full { entries }) => (LOCOX_FULL, entries.into()),
        Error::Misused(misuse) => misused(misuse),
        other => panic!("{other:?} has no status"),
    }
}

fn ticket_of(name: locox_handle) -> Ticket {
    Ticket::from_handle(handle_of(name))
}

fn name_of(ticket: Ticket) -> locox_handle {
    crate::dice::name_of(ticket.handle())
}

/// Starts jobs of even numbers.
unsafe extern "C" fn even(job: *const locox_job, user: *mut c_void) -> u32 {
    // SAFETY: the tests pass a vector, the library a job.
    unsafe {
        (*user.cast::<Vec<u32>>()).push((*job).id);
        u32::from((*job).id.is_multiple_of(2))
    }
}

/// Notes a job.
unsafe extern "C" fn note(job: *const locox_queued, user: *mut c_void) {
    // SAFETY: the tests pass a vector, the library a job.
    unsafe { (*user.cast::<Vec<locox_queued>>()).push(*job) }
}

struct Now(u64);

const LIMITS: Limits = Limits { pes: PES, reservations: JOBS as u32 };
const UNPLANNED: (locox_status, u64) = (LOCOX_UNPLANNED, 0);

/// A queue of the kernel. Only conservative backfilling gives intervals, those that plan know how
/// many PEs there are, and those under a limit take another one.
trait Twin: Queue {
    fn export(&self, put: &mut dyn FnMut(u32));
    fn begin(&mut self, epoch: Epoch);
    fn restore(&mut self, image: &[u32], epoch: Epoch);

    fn reserve(
        &mut self,
        _: Instant,
        _id: u32,
        _: &Request,
    ) -> Result<(Ticket, Interval), (locox_status, u64)> {
        Err(UNPLANNED)
    }

    fn set_out(&mut self, _: Instant, _pes: u32, _withdraw: bool) -> (locox_status, u64) {
        UNPLANNED
    }

    fn estimate(&self, ticket: Ticket) -> Result<Option<Interval>, Misuse> {
        self.planned(ticket)
    }

    /// Whether it has a limit of jobs a user, this one from now on.
    fn limit(&mut self, _: Instant, _most: NonZeroU32) -> bool {
        false
    }
}

/// What queues of a type do alike.
macro_rules! twins {
    ($($Type:ty { $($own:item)* })*) => {$(
        impl Twin for $Type {
            fn export(&self, put: &mut dyn FnMut(u32)) {
                <$Type>::export(self, put);
            }

            fn begin(&mut self, epoch: Epoch) {
                <$Type>::begin(self, epoch);
            }

            fn restore(&mut self, image: &[u32], epoch: Epoch) {
                <$Type>::restore(self, image.iter().copied(), epoch).unwrap();
            }

            $($own)*
        }
    )*};
}

fn set(done: Result<(), Misuse>) -> (locox_status, u64) {
    done.map_or_else(misused, |()| DONE)
}

twins! {
    Ordered<Window, Vec<Slot>> {}

    Backfill<Easy, Vec<Entry>> {
        fn set_out(&mut self, now: Instant, pes: u32, withdraw: bool) -> (locox_status, u64) {
            set(if withdraw { self.withdraw(now, pes) } else { self.repair(now, pes) })
        }

        fn estimate(&self, ticket: Ticket) -> Result<Option<Interval>, Misuse> {
            let words = vec![0; Profile::words(LIMITS)];
            self.estimate(ticket, &mut Profile::new(PoolId(9), LIMITS, words).unwrap())
        }
    }

    Backfill<Conservative<Vec<usize>>, Vec<Entry>> {
        fn reserve(
            &mut self,
            now: Instant,
            id: u32,
            request: &Request,
        ) -> Result<(Ticket, Interval), (locox_status, u64)> {
            self.reserve(now, id, request).map_err(error)
        }

        fn set_out(&mut self, now: Instant, pes: u32, withdraw: bool) -> (locox_status, u64) {
            set(if withdraw { self.withdraw(now, pes) } else { self.repair(now, pes) })
        }
    }
}

type Limited<Q> = UserLimit<Q, fn(u32) -> u32, Vec<UserRow>>;

impl<Q: Twin + Clone> Twin for Limited<Q> {
    fn export(&self, put: &mut dyn FnMut(u32)) {
        self.queue().export(put);
    }

    fn begin(&mut self, epoch: Epoch) {
        self.queue_mut().begin(epoch);
    }

    fn restore(&mut self, image: &[u32], epoch: Epoch) {
        self.queue_mut().restore(image, epoch);
        self.recount(Instant::ZERO);
    }

    fn reserve(
        &mut self,
        now: Instant,
        id: u32,
        request: &Request,
    ) -> Result<(Ticket, Interval), (locox_status, u64)> {
        self.queue_mut().reserve(now, id, request)
    }

    fn set_out(&mut self, now: Instant, pes: u32, withdraw: bool) -> (locox_status, u64) {
        self.queue_mut().set_out(now, pes, withdraw)
    }

    fn estimate(&self, ticket: Ticket) -> Result<Option<Interval>, Misuse> {
        self.queue().estimate(ticket)
    }

    fn limit(&mut self, now: Instant, most: NonZeroU32) -> bool {
        *self = limited(now, most, self.queue().clone());
        true
    }
}

fn user_of(id: u32) -> u32 {
    id % 3
}

fn limited<Q: Queue>(now: Instant, most: NonZeroU32, queue: Q) -> Limited<Q> {
    UserLimit::new(queue, vec![UserRow::EMPTY; JOBS], most, user_of, now)
}

/// The user of a job, by a function that it is passed.
unsafe extern "C" fn whose(id: u32, user: *mut c_void) -> u32 {
    // SAFETY: the tests pass such a function.
    unsafe { (*user.cast::<fn(u32) -> u32>())(id) }
}

fn step(
    dice: &mut Dice,
    queue: &mut locox_queue,
    twin: &mut dyn Twin,
    now: &mut Now,
    all: &mut Vec<locox_handle>,
    profile: &mut locox_profile,
) {
    now.0 += dice.below(4);
    let time = now.0.saturating_sub(u64::from(dice.one_in(20)));
    let at = Instant::from_ticks(time);
    let kind = dice.below(16);
    let started = (time + 1).saturating_sub(dice.below(20));
    let mut job = locox_job {
        id: dice.number(1000),
        pes: dice.number(u64::from(PES) + 3),
        requested: dice.below(30),
        key: dice.below(3),
    };
    let ready = time + dice.below(20);
    let deadline = if dice.one_in(2) { LOCOX_NEVER } else { ready + dice.below(60) };
    let mut request =
        locox_request { ready, duration: job.requested, deadline, pes: job.pes, padding: 0 };
    let (mut name, key, few) = (dice.name(all), dice.below(5), dice.number(4));
    let (mut to_name, mut to_job, mut wake) = (NOBODY, BLANK, 77u64);
    let mut placed = locox_interval { start: 77, end: 77 };
    let (mut detail, mut offered) = (u64::MAX, Vec::<u32>::new());
    let mut spoiler = Spoiler::new(dice);
    let place = spoiler.pointer(queue);
    let mut used =
        |wanted: bool, good: *mut c_void| if wanted { spoiler.pointer(good) } else { good };
    let ask = used(kind == 8, (&raw mut request).cast()).cast();
    let given = used(matches!(kind, 0 | 1 | 15), (&raw mut job).cast()).cast();
    let from = used(matches!(kind, 3..=6 | 9 | 12..=14), (&raw mut name).cast()).cast();
    let ticket = used(matches!(kind, 0..=2 | 8 | 15), (&raw mut to_name).cast()).cast();
    let taken: *mut locox_job = used(kind == 2, (&raw mut to_job).cast()).cast();
    let planned = used(matches!(kind, 6 | 8 | 12), (&raw mut placed).cast()).cast();
    let scratch = used(kind == 12, (&raw mut *profile).cast()).cast();
    let until = used(kind == 7, (&raw mut wake).cast()).cast();
    let to_detail = if kind == 8 { spoiler.optional(&raw mut detail) } else { null_mut() };
    let to = if matches!(kind, 3 | 4) { spoiler.optional(taken) } else { taken };
    let spoiled = spoiler.spoiled;
    let user = (&raw mut offered).cast::<c_void>();

    // SAFETY: every pointer that is not spoiled points to what the call says.
    let status = unsafe {
        match kind {
            0 | 1 => locox_queue_push(place, time, given, ticket),
            2 => locox_queue_next(place, time, Some(even), user, ticket, taken),
            3 => locox_queue_finished(place, time, from, to),
            4 => locox_queue_cancel(place, time, from, to),
            5 => locox_queue_rekey(place, time, from, key),
            6 => locox_queue_planned(place, from, planned),
            7 => locox_queue_wake_at(place, until),
            8 => locox_queue_reserve(place, time, job.id, ask, ticket, planned, to_detail),
            9 => locox_queue_requeue(place, time, from),
            10 => locox_queue_withdraw(place, time, few),
            11 => locox_queue_repair(place, time, few),
            12 => locox_queue_estimate(place, from, scratch, planned),
            13 => locox_queue_hold(place, time, from),
            14 => locox_queue_release(place, time, from),
            _ => locox_queue_adopt(place, time, given, started, ticket),
        }
    };
    if spoiled {
        assert!(is_wrong(status), "{status:?} in call {kind}");
        return;
    }
    let of = Job {
        id: job.id,
        pes: job.pes,
        requested: Duration::from_ticks(job.requested),
        key: job.key,
    };
    let plain = |it: Job| locox_job {
        id: it.id,
        pes: it.pes,
        requested: it.requested.ticks(),
        key: it.key,
    };
    let named = |ticket: Ticket| assert_eq!(name_of(ticket), to_name);
    let told = |it: Job| {
        if !to.is_null() {
            assert_eq!(plain(it), to_job);
        }
        DONE
    };
    let at_place = |it: locox::reserve::Interval| {
        assert_eq!((it.start.ticks(), it.end.ticks()), (placed.start, placed.end));
    };
    let when = |planned: Result<Option<Interval>, Misuse>| match planned {
        Ok(Some(it)) => {
            at_place(it);
            DONE
        }
        Ok(None) => (LOCOX_NONE, 0),
        Err(misuse) => misused(misuse),
    };
    let expected = match kind {
        0 | 1 => twin.push(at, of).map_or_else(error, |ticket| {
            named(ticket);
            DONE
        }),
        2 => {
            let mut asked = Vec::new();
            let next = twin.next(at, &mut |job| {
                asked.push(job.id);
                job.id.is_multiple_of(2)
            });
            assert_eq!(asked, offered);
            next.map_or((LOCOX_NONE, 0), |(ticket, job)| {
                named(ticket);
                told(job)
            })
        }
        3 => twin.finished(at, ticket_of(name)).map_or_else(misused, told),
        4 => twin.cancel(at, ticket_of(name)).map_or_else(misused, told),
        5 => twin.rekey(at, ticket_of(name), key).map_or_else(misused, |()| DONE),
        6 => when(twin.planned(ticket_of(name))),
        7 => twin.wake_at().map_or((LOCOX_NONE, 0), |it| {
            assert_eq!(it.ticks(), wake);
            DONE
        }),
        9 => twin.requeue(at, ticket_of(name)).map_or_else(misused, |()| DONE),
        10 | 11 => twin.set_out(at, few, kind == 10),
        12 => when(twin.estimate(ticket_of(name))),
        13 => twin.hold(at, ticket_of(name)).map_or_else(misused, |()| DONE),
        15 => twin.adopt(at, of, Instant::from_ticks(started)).map_or_else(error, |ticket| {
            named(ticket);
            DONE
        }),
        14 => twin.release(at, ticket_of(name)).map_or_else(misused, |()| DONE),
        _ => {
            let ask = Request::new(
                Instant::from_ticks(ready),
                Duration::from_ticks(request.duration),
                request.pes,
            );
            let ask =
                if deadline == LOCOX_NEVER { ask } else { ask.by(Instant::from_ticks(deadline)) };
            twin.reserve(at, job.id, &ask).map_or_else(
                |fault| fault,
                |(ticket, it)| {
                    named(ticket);
                    at_place(it);
                    DONE
                },
            )
        }
    };
    assert_eq!(status, expected.0, "call {kind}");
    if status != LOCOX_OK && !to_detail.is_null() {
        assert_eq!(detail, expected.1);
    }
    if status == LOCOX_OK && matches!(kind, 0..=2 | 8) {
        all.push(to_name);
        all.drain(..all.len().saturating_sub(14));
    }
}

/// Another limit, unless there is none, with wrong arguments now and then.
fn relimit(
    dice: &mut Dice,
    queue: &mut locox_queue,
    twin: &mut dyn Twin,
    now: u64,
    (users, rows): (&mut fn(u32) -> u32, &mut [locox_user_row]),
) {
    let most = dice.number(4);
    let (len, short) = Spoiler::new(dice).length(JOBS);
    let mut detail = u64::MAX;
    let (users, rows) = ((&raw mut *users).cast(), rows.as_mut_ptr());
    let mut limit = |user_of| {
        // SAFETY: as the call says; what is passed lasts as long as the queue.
        unsafe { locox_queue_limit(queue, now, most, user_of, users, rows, len, &raw mut detail) }
    };
    assert_eq!(limit(None), LOCOX_NULL);
    let status = limit(Some(whose));
    let Some(most) = NonZeroU32::new(most) else { return assert_eq!(status, LOCOX_ZERO) };
    if short {
        return assert_eq!((status, detail), (LOCOX_TOO_SHORT, JOBS as u64));
    }
    assert_eq!(status, LOCOX_OK);
    assert!(twin.limit(Instant::from_ticks(now), most));
}

fn in_step(queue: &mut locox_queue, twin: &mut dyn Twin, seed: u64) {
    let (mut dice, mut now, mut all, mut epoch) = (Dice(seed), Now(1), Vec::new(), 0);
    // SAFETY: zeroed is not started, and as the call says.
    let (mut profile, _words) = unsafe {
        let mut profile: locox_profile = std::mem::zeroed();
        let mut words = vec![0; locox_profile_words(PES, JOBS as u32)];
        let (place, len) = (words.as_mut_ptr(), words.len());
        let started =
            locox_profile_start(&raw mut profile, 9, PES, JOBS as u32, place, len, null_mut());
        assert_eq!(started, LOCOX_OK);
        (profile, words)
    };
    let has_limit = twin.limit(Instant::ZERO, NonZeroU32::MIN);
    // SAFETY: rows may hold anything.
    let mut users: (fn(u32) -> u32, [locox_user_row; JOBS]) =
        (user_of, unsafe { std::mem::zeroed() });
    if has_limit {
        // SAFETY: as the call says.
        let status = unsafe {
            let rows = users.1.as_mut_ptr();
            let user = (&raw mut users.0).cast();
            locox_queue_limit(queue, 0, 1, Some(whose), user, rows, JOBS, null_mut())
        };
        assert_eq!(status, LOCOX_OK);
    }
    for call in 0..calls() {
        if has_limit && call % 32 == 0 {
            relimit(&mut dice, queue, twin, now.0, (&mut users.0, &mut users.1));
        }
        step(&mut dice, queue, twin, &mut now, &mut all, &mut profile);
        if call % 256 == 0 {
            epoch += 1;
            let functions =
                (locox_queue_export as _, locox_queue_load as _, locox_queue_restore as _);
            let image = restarted(queue, functions, |put| twin.export(put), (epoch, !has_limit));
            twin.restore(&image, Epoch(epoch));
            if epoch.is_multiple_of(4) {
                epoch += 1;
                // SAFETY: as the call says.
                assert_eq!(unsafe { locox_queue_begin(queue, epoch) }, LOCOX_OK);
                twin.begin(Epoch(epoch));
            }
        }
        if call % 64 == 0 {
            let mut waiting = 0;
            // SAFETY: as the calls say.
            unsafe {
                assert_eq!(locox_queue_check(queue), LOCOX_OK);
                assert_eq!(locox_queue_waiting(queue, &raw mut waiting), LOCOX_OK);
            }
            assert_eq!(waiting, twin.len());
            let (mut seen, mut expected) = (Vec::<locox_queued>::new(), vec![]);
            // SAFETY: the callback is passed what it wants.
            let status = unsafe { locox_queue_jobs(queue, Some(note), (&raw mut seen).cast()) };
            assert_eq!(status, LOCOX_OK);
            twin.visit(&mut |ticket, job, standing, arrival| {
                expected.push((name_of(ticket), job.id, arrival, standing));
            });
            let standing = |number| match number {
                LOCOX_STANDING_WAITS => Standing::Waits,
                LOCOX_STANDING_HELD => Standing::Held,
                LOCOX_STANDING_RESERVED => Standing::Reserved,
                _ => Standing::Runs,
            };
            let seen =
                seen.iter().map(|it| (it.ticket, it.job.id, it.arrival, standing(it.standing)));
            assert!(seen.eq(expected));
        }
    }
}

#[test]
fn a_queue_answers_as_the_kernel_does_whatever_it_is_told() {
    // SAFETY: zeroed is not started, and as the calls say.
    unsafe {
        let mut queue: locox_queue = std::mem::zeroed();
        let mut rows: [locox_backfill_row; JOBS] = std::mem::zeroed();
        let needed = Backfill::words(PES, JOBS);
        let (mut words, mut detail) = (vec![usize::MAX / 3; needed], 0);
        let mut start = |queue: &mut locox_queue, len| {
            let rows = rows.as_mut_ptr();
            locox_queue_start_conservative(
                queue,
                1,
                PES,
                0,
                words.as_mut_ptr(),
                len,
                rows,
                JOBS,
                &raw mut detail,
            )
        };
        assert_eq!(start(&mut queue, needed - 1), LOCOX_TOO_SHORT);
        assert_eq!(start(&mut queue, needed), LOCOX_OK);
        let entries = vec![Entry::EMPTY; JOBS];
        let mut twin = Backfill::conservative(PoolId(1), PES, vec![0; needed], entries).unwrap();
        let mut with_limit = limited(Instant::ZERO, NonZeroU32::MIN, twin.clone());
        in_step(&mut queue, &mut twin, 5);
        assert_eq!(start(&mut queue, needed), LOCOX_OK);
        in_step(&mut queue, &mut with_limit, 8);

        let status = locox_queue_start_easy(&mut queue, 1, PES, 0, rows.as_mut_ptr(), JOBS);
        assert_eq!(status, LOCOX_OK);
        let mut twin = Backfill::easy(PoolId(1), PES, vec![Entry::EMPTY; JOBS]);
        let mut with_limit = limited(Instant::ZERO, NonZeroU32::MIN, twin.clone());
        in_step(&mut queue, &mut twin, 7);
        let status = locox_queue_start_easy(&mut queue, 1, PES, 0, rows.as_mut_ptr(), JOBS);
        assert_eq!(status, LOCOX_OK);
        in_step(&mut queue, &mut with_limit, 9);

        let mut rows: [locox_queue_row; JOBS] = std::mem::zeroed();
        let status = locox_queue_start_window(&mut queue, 1, 3, 4, rows.as_mut_ptr(), JOBS);
        assert_eq!(status, LOCOX_OK);
        let slots = vec![Slot::EMPTY; JOBS];
        let mut twin = Ordered::new(PoolId(1), slots, Window::of(3), Patience::of(4));
        let mut with_limit = limited(Instant::ZERO, NonZeroU32::MIN, twin.clone());
        in_step(&mut queue, &mut twin, 6);
        let status = locox_queue_start_window(&mut queue, 1, 3, 4, rows.as_mut_ptr(), JOBS);
        assert_eq!(status, LOCOX_OK);
        in_step(&mut queue, &mut with_limit, 10);
    }
}

#[test]
fn calls_made_again_behind_an_image_give_the_names_that_they_gave() {
    // SAFETY: zeroed is not started, and as the calls say.
    unsafe {
        let mut rows: [locox_backfill_row; JOBS] = std::mem::zeroed();
        let mut queue: locox_queue = std::mem::zeroed();
        let place = &raw mut queue;
        let started = locox_queue_start_easy(place, 4, PES, 0, rows.as_mut_ptr(), JOBS);
        assert_eq!(started, LOCOX_OK);
        let push = |now, id| {
            let mut ticket = NOBODY;
            let job = locox_job { id, pes: 9, requested: 10, key: 0 };
            assert_eq!(locox_queue_push(place, now, &raw const job, &raw mut ticket), LOCOX_OK);
            ticket
        };
        let first = push(0, 1);
        let beginning = crate::history::image_of(place, locox_queue_export);
        // A journal of the caller's: the first job is cancelled, another one comes in its row, and starts.
        let calls = || {
            let (mut ticket, mut job) = (NOBODY, BLANK);
            assert_eq!(locox_queue_cancel(place, 3, &raw const first, null_mut()), LOCOX_OK);
            let second = push(4, 2);
            let (to, of) = (&raw mut ticket, &raw mut job);
            assert_eq!(locox_queue_next(place, 5, None, null_mut(), to, of), LOCOX_OK);
            assert_eq!((ticket, job.id), (second, 2));
            (second, crate::history::image_of(place, locox_queue_export))
        };
        let given = calls();
        assert_ne!(given.0, first);
        let loaded = locox_queue_load(place, beginning.as_ptr(), beginning.len());
        assert_eq!(loaded, LOCOX_OK);
        assert_eq!(calls(), given);
        assert_eq!(locox_queue_finished(place, 9, &raw const given.0, null_mut()), LOCOX_OK);
    }
}

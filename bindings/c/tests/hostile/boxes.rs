//! Queues over the boxes of a torus, with none, some and all promises.

use crate::dice::{DONE, Dice, NOBODY, Spoiler, calls, handle_of, is_wrong, misnamed};
use crate::history::restarted;
use locox::cube::Node;
use locox::dispatch::{
    Backfill, Cause, Entry, Job, Misuse, Promises, Queue, Refusal, Standing, Ticket,
};
use locox::error::Error;
use locox::grid::{Anchors, BoxRequest, Boxes, Cuboid, Grid, Placement, Sides};
use locox::handle::{Epoch, PoolId};
use locox::machine::{Held, Timetable};
use locox::reserve::{Interval, Request};
use locox::time::{Duration, Instant};
use locox_c::locox_status::{self, *};
use locox_c::*;
use std::ffi::c_void;
use std::ptr::{null, null_mut};

static TORUS: locox_grid = locox_grid { sides: [4, 3, 2, 1], rings: 0b111 };
const NODES: u32 = 24;
const NONE: Answer = (LOCOX_NONE, 0);
const JOBS: usize = 10;
const OUTAGES: usize = 2;
const BLANK: locox_job = locox_job { id: 77, pes: 77, requested: 77, key: 77 };
const NOWHERE: locox_box = locox_box { origin: 77, sides: locox_sides { sides: [77; 4] } };

type Twin = Backfill<
    Promises<Boxes, fn(&Job) -> BoxRequest<'static>, Vec<Held<Cuboid>>, Vec<u64>>,
    Vec<Entry>,
>;
type Answer = (locox_status, u64);

/// The sides that a job asks for: any, some, or none that there are.
fn sides_of(id: u32) -> [u8; 4] {
    match id % 8 {
        0 => [2, 2, 1, 1],
        1 => [1, 1, 3, 1],
        2 => [4, 3, 2, 1],
        3 if id.is_multiple_of(5) => [0, 2, 1, 1],
        3 => [1, 65, 1, 1],
        _ => [0; 4],
    }
}

fn request(job: &Job) -> BoxRequest<'static> {
    match sides_of(job.id) {
        [0, 0, 0, 0] => BoxRequest::Nodes(job.pes),
        sides => Sides::new(&sides).map_or(BoxRequest::AnyOf(&[]), BoxRequest::Turned),
    }
}

/// The same, through C: the queue may not be looked at meanwhile.
unsafe extern "C" fn ask(id: u32, sides: *mut locox_sides, user: *mut c_void) {
    let mut waiting = 77;
    // SAFETY: the tests pass a queue, the library sides.
    unsafe {
        assert_eq!(locox_box_queue_waiting(user.cast(), &raw mut waiting), LOCOX_REENTERED);
        assert_eq!(*sides, locox_sides { sides: [0; 4] });
        *sides = locox_sides { sides: sides_of(id) };
    }
    assert_eq!(waiting, 77);
}

fn misused(misuse: Misuse) -> Answer {
    let status = match misuse {
        Misuse::Handle(misuse) => misnamed(misuse),
        Misuse::Waits => LOCOX_WAITS,
        Misuse::Runs => LOCOX_RUNS,
        Misuse::Reserved => LOCOX_RESERVED,
        Misuse::NoPes => LOCOX_NO_PES,
        Misuse::NoTime => LOCOX_NO_TIME,
        Misuse::Overflow => LOCOX_BEYOND_TIME,
        Misuse::DeadlineTooEarly => LOCOX_DEADLINE_TOO_EARLY,
        Misuse::Outage => LOCOX_NONE,
        Misuse::Future => LOCOX_BAD_ARGUMENT,
        other => panic!("{other:?} has no status"),
    };
    (status, 0)
}

fn refused(refusal: Refusal) -> Answer {
    match refusal {
        Refusal::TooLarge { pes } => (LOCOX_TOO_LARGE, pes.into()),
        Refusal::TooFewFree { free, .. } => (LOCOX_TOO_FEW_FREE, free.into()),
        Refusal::Late { finish } => (LOCOX_LATE, finish.ticks()),
        Refusal::Overflow => (LOCOX_END_OF_TIME, 0),
        Refusal::Full { entries } => (LOCOX_FULL, entries.into()),
        Refusal::NoPlace => (LOCOX_NO_PLACE, 0),
        Refusal::Occupied => (LOCOX_NOT_FREE, 0),
        Refusal::NoRow => (LOCOX_FULL, 0),
        other => panic!("{other:?} has no status"),
    }
}

fn error(error: Error<Refusal, Misuse>) -> Answer {
    match error {
        Error::Refused(refusal) => refused(refusal),
        Error::Misused(misuse) => misused(misuse),
    }
}

fn ticket_of(name: locox_handle) -> Ticket {
    Ticket::from_handle(handle_of(name))
}

fn name_of(ticket: Ticket) -> locox_handle {
    crate::dice::name_of(ticket.handle())
}

fn plain(job: Job) -> locox_job {
    locox_job { id: job.id, pes: job.pes, requested: job.requested.ticks(), key: job.key }
}

fn job_of(job: &locox_job) -> Job {
    Job::new(job.id, job.pes).within(Duration::from_ticks(job.requested)).keyed(job.key)
}

fn boxed(place: Cuboid) -> locox_box {
    locox_box { origin: place.origin().0, sides: locox_sides { sides: place.sides().into() } }
}

/// A box as the kernel has it, or why it is none.
fn cuboid(grid: Grid, place: &locox_box) -> Result<Cuboid, Answer> {
    let sides = Sides::new(&place.sides.sides).ok_or((LOCOX_BAD_ARGUMENT, 0))?;
    let outside = (LOCOX_NO_SUCH_NODE, place.origin.into());
    Cuboid::new(grid, Node(place.origin), sides).ok_or(outside)
}

fn taken(id: u32) -> bool {
    !id.is_multiple_of(3)
}

/// Starts some of the jobs that it is offered.
unsafe extern "C" fn start(it: *const locox_placed_job, user: *mut c_void) -> u32 {
    // SAFETY: the tests pass a vector, the library a job.
    unsafe {
        (*user.cast::<Vec<locox_placed_job>>()).push(*it);
        u32::from(taken((*it).job.id)) * 4
    }
}

/// Notes a job.
unsafe extern "C" fn note(job: *const locox_queued, user: *mut c_void) {
    // SAFETY: the tests pass a vector, the library a job.
    unsafe { (*user.cast::<Vec<locox_queued>>()).push(*job) }
}

/// A queue of C, that of the kernel, and what both were told.
struct Both {
    queue: Box<locox_box_queue>,
    words: Vec<u64>,
    twin: Twin,
    now: u64,
    known: Vec<locox_handle>,
    outages: Vec<locox_box>,
}

fn random_box(dice: &mut Dice) -> locox_box {
    let mut side = |most: u64| 1 + dice.beyond(most) as u8;
    let mut sides = [side(3), side(2), side(2), 1];
    if dice.one_in(30) {
        sides[dice.below(4) as usize] = if dice.one_in(2) { 0 } else { 65 };
    }
    locox_box { origin: dice.beyond(NODES.into()), sides: locox_sides { sides } }
}

/// One call of both, and whether they agree.
fn step(dice: &mut Dice, both: &mut Both) {
    both.now += dice.below(4);
    let time = both.now.saturating_sub(u64::from(dice.one_in(20)));
    let at = Instant::from_ticks(time);
    let kind = dice.below(20);
    let before = both.words.clone();
    let most = if dice.one_in(8) { 30 } else { 9 };
    let mut job = locox_job {
        id: dice.number(1000),
        pes: dice.number(most),
        requested: dice.below(30),
        key: dice.below(3),
    };
    let started = (time + 1).saturating_sub(dice.below(20));
    let ready = time + dice.below(20);
    let deadline = if dice.one_in(2) { LOCOX_NEVER } else { ready + dice.below(60) };
    let mut asked =
        locox_request { ready, duration: job.requested, deadline, pes: job.pes, padding: 0 };
    let begin = (time + dice.below(20)).saturating_sub(5);
    let end = if dice.one_in(4) { LOCOX_NEVER } else { (begin + dice.below(20)).saturating_sub(1) };
    let mut during = locox_interval { start: begin, end };
    let known = both.outages.get(dice.below(6) as usize).copied().filter(|_| kind == 12);
    let mut place = known.unwrap_or_else(|| random_box(dice));
    let (mut name, key, cause) = (dice.name(&both.known), dice.below(5), dice.beyond(4));
    let (mut to_name, mut to_job, mut number) = (NOBODY, BLANK, 77u64);
    let mut to_placed = locox_placed_job { job: BLANK, place: NOWHERE };
    let mut planned = locox_interval { start: 77, end: 77 };
    let (mut to_box, mut later, mut detail) = (NOWHERE, 77u32, u64::MAX);
    let mut offered = Vec::<locox_placed_job>::new();

    let mut spoiler = Spoiler::new(dice);
    let queue = spoiler.pointer(&raw mut *both.queue);
    let mut used =
        |wanted: bool, good: *mut c_void| if wanted { spoiler.pointer(good) } else { good };
    let given = used(matches!(kind, 0 | 1 | 15 | 17), (&raw mut job).cast()).cast();
    let ask = used(kind == 9, (&raw mut asked).cast()).cast();
    let from = used(matches!(kind, 4..=7 | 10 | 13 | 14 | 16 | 19), (&raw mut name).cast()).cast();
    let lies = used(matches!(kind, 11 | 12), (&raw mut place).cast()).cast();
    let lasts = used(kind == 11, (&raw mut during).cast()).cast();
    let ticket = used(matches!(kind, 0..=3 | 9 | 15), (&raw mut to_name).cast()).cast();
    let placed = used(matches!(kind, 2 | 3), (&raw mut to_placed).cast()).cast();
    let interval = used(matches!(kind, 7 | 9 | 17), (&raw mut planned).cast()).cast();
    let to_place = used(matches!(kind, 16 | 17), (&raw mut to_box).cast()).cast();
    let until = used(kind == 8, (&raw mut number).cast()).cast();
    let count = used(kind == 18, (&raw mut later).cast()).cast();
    let lies: *mut locox_box = if kind == 15 { spoiler.optional(lies) } else { lies };
    let has_detail = matches!(kind, 0 | 1 | 9 | 11 | 12 | 15);
    let to_detail = if has_detail { spoiler.optional(&raw mut detail) } else { null_mut() };
    let is_end = matches!(kind, 4 | 5 | 19);
    let to = if is_end { spoiler.optional(&raw mut to_job) } else { null_mut() };
    let spoiled = spoiler.spoiled;
    let user = (&raw mut offered).cast::<c_void>();

    // SAFETY: every pointer that is not spoiled points to what the call says.
    let status = unsafe {
        match kind {
            0 | 1 => locox_box_queue_push(queue, time, given, ticket, to_detail),
            2 | 3 => locox_box_queue_next(queue, time, Some(start), user, ticket, placed),
            4 | 19 => locox_box_queue_finished(queue, time, from, to),
            5 => locox_box_queue_cancel(queue, time, from, to),
            6 => locox_box_queue_rekey(queue, time, from, key),
            7 => locox_box_queue_planned(queue, from, interval),
            8 => locox_box_queue_wake_at(queue, until),
            9 => locox_box_queue_reserve(queue, time, job.id, ask, ticket, interval, to_detail),
            10 => locox_box_queue_requeue(queue, time, from),
            11 => locox_box_queue_withdraw(queue, time, lies, lasts, to_detail),
            12 => locox_box_queue_repair(queue, time, lies, to_detail),
            13 => locox_box_queue_hold(queue, time, from),
            14 => locox_box_queue_release(queue, time, from),
            15 => locox_box_queue_adopt(queue, time, given, started, lies, ticket, to_detail),
            16 => locox_box_queue_place(queue, from, to_place),
            17 => locox_box_queue_earliest(queue, time, given, interval, to_place),
            _ => locox_box_queue_moved_later(queue, cause, count),
        }
    };
    if is_wrong(status) {
        assert!(before == both.words, "{status:?} in call {kind} changed the storage");
    }
    if status != LOCOX_OK {
        assert_eq!((to_name, to_box, to_job, number, later), (NOBODY, NOWHERE, BLANK, 77, 77));
    }
    if spoiled {
        assert!(is_wrong(status), "{status:?} in call {kind}");
        return;
    }

    let twin = &mut both.twin;
    let grid = twin.machine().grid();
    let ticket = ticket_of(name);
    let done = |done: Result<(), Misuse>| done.map_or_else(misused, |()| DONE);
    let named = |ticket: Ticket| {
        assert_eq!(name_of(ticket), to_name);
        DONE
    };
    let told = |job: Job| {
        assert!(to.is_null() || plain(job) == to_job);
        DONE
    };
    let when = |it: Interval| {
        assert_eq!((it.start.ticks(), it.end.ticks()), (planned.start, planned.end));
        DONE
    };
    let lies_at = |it: Cuboid| {
        assert_eq!(boxed(it), to_box);
        DONE
    };
    let expected = match kind {
        0 | 1 => twin.push(at, job_of(&job)).map_or_else(error, named),
        2 | 3 => {
            let mut seen = Vec::new();
            let next = twin.next_at(at, &mut |job, place| {
                seen.push(locox_placed_job { job: plain(job), place: boxed(*place) });
                taken(job.id)
            });
            assert_eq!(seen, offered);
            next.map_or(NONE, |(ticket, _)| {
                assert_eq!(seen.last(), Some(&to_placed));
                named(ticket)
            })
        }
        4 | 19 => twin.finished(at, ticket).map_or_else(misused, told),
        5 => twin.cancel(at, ticket).map_or_else(misused, told),
        6 => done(twin.rekey(at, ticket, key)),
        7 => twin.planned(ticket).map_or_else(misused, |it| it.map_or(NONE, when)),
        8 => twin.wake_at().map_or(NONE, |it| {
            assert_eq!(it.ticks(), number);
            DONE
        }),
        9 => {
            let length = Duration::from_ticks(asked.duration);
            let ask = Request::new(Instant::from_ticks(ready), length, asked.pes);
            let by = Instant::from_ticks(deadline);
            let ask = if deadline == LOCOX_NEVER { ask } else { ask.by(by) };
            twin.reserve_at(at, job.id, &ask).map_or_else(error, |(ticket, it)| {
                named(ticket);
                when(it)
            })
        }
        10 => done(twin.requeue(at, ticket)),
        11 => match cuboid(grid, &place) {
            Err(answer) => answer,
            Ok(it) => {
                let [start, end] = [begin, end].map(Instant::from_ticks);
                twin.withdraw_at(at, it, Interval { start, end }).map_or_else(error, |()| DONE)
            }
        },
        12 => cuboid(grid, &place).map_or_else(|answer| answer, |it| done(twin.repair_at(at, &it))),
        13 => done(twin.hold(at, ticket)),
        14 => done(twin.release(at, ticket)),
        15 => {
            let (job, started) = (job_of(&job), Instant::from_ticks(started));
            match cuboid(grid, &place) {
                _ if lies.is_null() => twin.adopt(at, job, started).map_or_else(error, named),
                Err(answer) => answer,
                Ok(it) => twin.adopt_at(at, job, started, it).map_or_else(error, named),
            }
        }
        16 => twin.place(ticket).map_or_else(misused, |it| it.map_or(NONE, lies_at)),
        17 => twin.earliest_place(at, &job_of(&job)).map_or(NONE, |(it, place)| {
            lies_at(place);
            when(it)
        }),
        _ => Cause::ALL.get(cause as usize).map_or((LOCOX_BAD_ARGUMENT, 0), |&cause| {
            assert_eq!(twin.moved_later(cause), later);
            DONE
        }),
    };
    assert_eq!(status, expected.0, "call {kind}");
    if status != LOCOX_OK && !to_detail.is_null() {
        assert_eq!(detail, expected.1, "detail of {status:?} in call {kind}");
    }
    if status != LOCOX_OK {
        return;
    }
    match kind {
        0 | 1 | 9 | 15 => both.known.push(to_name),
        11 => both.outages.insert(0, place),
        _ => {}
    }
    both.outages.truncate(6);
}

/// All jobs are the same, and those that there are, with some that are gone, are known from now on.
fn compare(both: &mut Both) {
    let (mut waiting, mut seen) = (0, Vec::<locox_queued>::new());
    let queue = &raw mut *both.queue;
    // SAFETY: as the calls say; the callback is passed what it wants.
    unsafe {
        assert_eq!(locox_box_queue_check(queue), LOCOX_OK);
        assert_eq!(locox_box_queue_waiting(queue, &raw mut waiting), LOCOX_OK);
        assert_eq!(locox_box_queue_jobs(queue, None, null_mut()), LOCOX_NULL);
        assert_eq!(locox_box_queue_jobs(queue, Some(note), (&raw mut seen).cast()), LOCOX_OK);
    }
    assert_eq!(waiting, both.twin.len());
    let standing = |number| match number {
        LOCOX_STANDING_WAITS => Standing::Waits,
        LOCOX_STANDING_HELD => Standing::Held,
        LOCOX_STANDING_RESERVED => Standing::Reserved,
        _ => Standing::Runs,
    };
    let (mut expected, mut live) = (vec![], vec![]);
    both.twin.visit(&mut |ticket, job, standing, arrival| {
        expected.push((name_of(ticket), plain(job), arrival, standing));
        live.push(name_of(ticket));
    });
    let seen = seen.iter().map(|it| (it.ticket, it.job, it.arrival, standing(it.standing)));
    assert!(seen.eq(expected));
    both.known.retain(|name| !live.contains(name));
    let gone = both.known.len().saturating_sub(2);
    both.known.drain(..gone);
    both.known.extend(live);
}

fn twin(promises: u32, isolated: bool) -> Twin {
    let grid = Grid::torus(&[4, 3, 2]).unwrap();
    let boxes = Boxes::new(grid, Placement::Corner, Anchors::Any).unwrap();
    let boxes = if isolated { boxes.isolating() } else { boxes };
    let node = Cuboid::new(grid, Node(0), Sides::new(&[1]).unwrap()).unwrap();
    let nothing = Held::new(node, Interval { start: Instant::ZERO, end: Instant::ZERO });
    let rows = vec![nothing; Backfill::rows(JOBS, OUTAGES)];
    let words = vec![0; Timetable::words(&boxes)];
    let line = Promises::new(boxes, request as fn(&Job) -> _, promises, rows, words).unwrap();
    Backfill::promises(PoolId(1), NODES, line, vec![Entry::EMPTY; JOBS]).unwrap()
}

fn in_step(promises: u32, isolated: bool, seed: u64) {
    let mut dice = Dice(seed);
    // SAFETY: it points to a machine.
    let needed = unsafe { locox_box_queue_words(&raw const TORUS) };
    let needed_rows = locox_box_queue_rows(JOBS, OUTAGES);
    // SAFETY: zeroed is not started, and rows may hold anything.
    let (queue, mut rows, mut jobs) = unsafe {
        let rows: Vec<locox_box_row> = (0..needed_rows).map(|_| std::mem::zeroed()).collect();
        let jobs: [locox_backfill_row; JOBS] = std::mem::zeroed();
        (Box::new(std::mem::zeroed()), rows, jobs)
    };
    let (known, outages) = (vec![], vec![]);
    let words = vec![u64::MAX / 3; needed];
    let mut both = Both { queue, words, twin: twin(promises, isolated), now: 1, known, outages };
    let mut start = |len, places| {
        let (queue, words) = (&raw mut *both.queue, both.words.as_mut_ptr());
        let (rows, jobs) = (rows.as_mut_ptr(), jobs.as_mut_ptr());
        let mut detail = 0;
        // SAFETY: as the call says.
        let status = unsafe {
            locox_box_queue_start(
                queue,
                1,
                &raw const TORUS,
                LOCOX_BOX_CORNER,
                null(),
                isolated.into(),
                promises,
                Some(ask),
                queue.cast(),
                words,
                len,
                rows,
                places,
                jobs,
                JOBS,
                &raw mut detail,
            )
        };
        (status, detail)
    };
    let least = locox_box_queue_rows(JOBS, 0);
    assert_eq!(start(needed - 1, needed_rows), (LOCOX_TOO_SHORT, needed as u64));
    assert_eq!(start(needed, least - 1), (LOCOX_TOO_SHORT, least as u64));
    assert_eq!(start(needed, needed_rows), (LOCOX_OK, 0));
    let mut epoch = 0;
    for call in 0..calls() {
        step(&mut dice, &mut both);
        if call % 64 == 0 {
            compare(&mut both);
        }
        if call % 256 == 0 {
            epoch += 1;
            restart(&mut both, epoch);
        }
    }
}

fn restart(both: &mut Both, epoch: u16) {
    let functions =
        (locox_box_queue_export as _, locox_box_queue_load as _, locox_box_queue_restore as _);
    let queue = &raw mut *both.queue;
    let image = restarted(queue, functions, |put| both.twin.export(put), (2 * epoch, true));
    both.twin.restore(image, Epoch(2 * epoch)).unwrap();
    if epoch.is_multiple_of(4) {
        // SAFETY: as the call says.
        assert_eq!(unsafe { locox_box_queue_begin(queue, 2 * epoch + 1) }, LOCOX_OK);
        both.twin.begin(Epoch(2 * epoch + 1));
    }
}

#[test]
fn a_queue_over_boxes_answers_as_the_kernel_does_whatever_it_is_told() {
    in_step(0, false, 1);
    in_step(1, false, 2);
    in_step(3, true, 3);
    in_step(LOCOX_PROMISES_ALL, false, 4);
}

/// What a start says of this machine, and the storage that it needs.
fn started(grid: &locox_grid, placement: u32, anchors: Option<&locox_anchors>) -> Answer {
    let anchors = anchors.map_or(null(), |it| it as *const _);
    let mut words = vec![0; 4096];
    // SAFETY: zeroed is not started, rows may hold anything, and as the call says.
    unsafe {
        let mut queue: locox_box_queue = std::mem::zeroed();
        let mut rows: [locox_box_row; 3] = std::mem::zeroed();
        let mut jobs: [locox_backfill_row; 1] = std::mem::zeroed();
        let mut detail = 0;
        let status = locox_box_queue_start(
            &raw mut queue,
            1,
            grid,
            placement,
            anchors,
            0,
            1,
            None,
            null_mut(),
            words.as_mut_ptr(),
            words.len(),
            rows.as_mut_ptr(),
            rows.len(),
            jobs.as_mut_ptr(),
            jobs.len(),
            &raw mut detail,
        );
        (status, detail)
    }
}

#[test]
fn a_queue_is_not_started_over_what_is_no_machine() {
    let wrong = (LOCOX_BAD_ARGUMENT, 0);
    for (sides, rings) in
        [([0, 1, 1, 1], 0), ([65, 1, 1, 1], 0), ([64, 64, 64, 1], 7), ([4; 4], 16)]
    {
        let grid = locox_grid { sides, rings };
        // SAFETY: it points to sides.
        assert_eq!(unsafe { locox_box_queue_words(&raw const grid) }, 0);
        assert_eq!(started(&grid, LOCOX_BOX_FIRST, None), wrong);
    }
    // SAFETY: null is no machine.
    assert_eq!(unsafe { locox_box_queue_words(null()) }, 0);
    assert_eq!(started(&TORUS, 3, None), wrong);
    // Along a line a box of 7 of 8 nodes fits only as long as another one holds a node of its block.
    let line = locox_grid { sides: [8, 1, 1, 1], rings: 0 };
    let mut anchors =
        locox_anchors { step: [0, 1, 1, 1], offset: [2, 0, 0, 0], leftover: LOCOX_LEFTOVER_REUSED };
    assert_eq!(started(&line, LOCOX_BOX_FIRST, Some(&anchors)), wrong);
    anchors.leftover = LOCOX_LEFTOVER_KEPT;
    assert_eq!(started(&line, LOCOX_BOX_FIRST, Some(&anchors)), DONE);
}

#[test]
fn a_null_start_takes_the_first_job_and_a_queue_without_sides_any_box() {
    // SAFETY: zeroed is not started, rows may hold anything, and as the calls say.
    unsafe {
        let mut queue: locox_box_queue = std::mem::zeroed();
        let mut rows: [locox_box_row; 5] = std::mem::zeroed();
        let mut jobs: [locox_backfill_row; 2] = std::mem::zeroed();
        let mut words = vec![0; locox_box_queue_words(&raw const TORUS)];
        let queue = &raw mut queue;
        let job = locox_job { id: 2, pes: 6, requested: 10, key: 0 };
        let (mut ticket, mut detail) = (NOBODY, 77);
        let status = locox_box_queue_push(queue, 0, &raw const job, &raw mut ticket, null_mut());
        assert_eq!(status, LOCOX_NOT_STARTED);
        let status = locox_box_queue_start(
            queue,
            1,
            &raw const TORUS,
            LOCOX_BOX_FIRST,
            null(),
            0,
            LOCOX_PROMISES_ALL,
            None,
            null_mut(),
            words.as_mut_ptr(),
            words.len(),
            rows.as_mut_ptr(),
            rows.len(),
            jobs.as_mut_ptr(),
            jobs.len(),
            &raw mut detail,
        );
        assert_eq!(status, LOCOX_OK);
        let status = locox_box_queue_push(queue, 0, &raw const job, &raw mut ticket, null_mut());
        assert_eq!(status, LOCOX_OK);
        let mut found = NOBODY;
        let mut placed = locox_placed_job { job: BLANK, place: NOWHERE };
        let (to, of) = (&raw mut found, &raw mut placed);
        assert_eq!(locox_box_queue_next(queue, 0, None, null_mut(), to, of), LOCOX_OK);
        let nodes: u32 = placed.place.sides.sides.iter().map(|&side| u32::from(side)).product();
        assert_eq!((found, placed.job, nodes), (ticket, job, 6));
        assert_eq!(locox_box_queue_next(queue, 0, None, null_mut(), to, of), LOCOX_NONE);
    }
}

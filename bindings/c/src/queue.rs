//! Queues: which waiting job starts next.

use crate::interface::{faults, interface, opaque};
use crate::memory::*;
use crate::pool::Words;
use crate::status::locox_status::*;
use crate::time::{at, ticks};
use crate::timeline::{locox_placement, locox_request, request_of};
use core::ffi::c_void;
use locox::dispatch::{
    Backfill, Conservative, Discipline, Easy, Entry, Fcfs, Job, Lazy, Misuse, Ordered, Patience,
    Queue, Refusal, Scan, Slot, Ticket, Window,
};
use locox::handle::PoolId;
use locox::reserve::{Placement, Request};
use locox::time::Instant;

/// However often: no bound on being overtaken.
pub const LOCOX_PATIENCE_ENDLESS: u64 = u64::MAX;

opaque! {
    /// Jobs that wait or run. Opaque, small, and may be moved; its storage may not.
    locox_queue: [u64; LOCOX_QUEUE_LENGTH], locox_size_of_queue, as Body, b"LINE";

    /// Room for one job of a queue that knows an order only. Its content does not matter.
    locox_queue_row: [u64; LOCOX_QUEUE_ROW_LENGTH], locox_size_of_queue_row, for Slot;

    /// Room for one job of a queue that plans. Its content does not matter.
    locox_backfill_row: [u64; LOCOX_BACKFILL_ROW_LENGTH], locox_size_of_backfill_row, for Entry;
}

/// A job in front of a machine.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct locox_job {
    /// The caller's number for it; no queue looks at it.
    pub id: u32,
    /// How many PEs, at least one.
    pub pes: u32,
    /// How long it may run; queues that know no times do not look at it.
    pub requested: u64,
    /// Where it stands in line: jobs of smaller keys before it, those of the same key as they came.
    pub key: u64,
}

/// Called with a job whose turn it is: zero to leave it, anything else if it was started.
pub type locox_start_fn =
    Option<unsafe extern "C" fn(job: *const locox_job, user: *mut c_void) -> u32>;

type Rows = &'static mut [Slot];
type Entries = &'static mut [Entry];

// The caller's opaque structure has room for the largest; there is no heap for a box.
#[expect(clippy::large_enum_variant)]
pub(crate) enum AnyQueue {
    Fcfs(Ordered<Fcfs, Rows>),
    Window(Ordered<Window, Rows>),
    Scan(Ordered<Scan, Rows>),
    Lazy(Ordered<Lazy, Rows>),
    Easy(Backfill<Easy, Entries>),
    Conservative(Backfill<Conservative<Words>, Entries>),
}

pub(crate) type Body = ErasedBody<AnyQueue, dyn AnyLine>;

/// What is asked of any queue.
pub(crate) trait AnyLine: Queue {
    /// Only conservative backfilling gives intervals.
    fn reserve(&mut self, _: Instant, _id: u32, _: &Request) -> Answer<(Ticket, Placement)> {
        Err(LOCOX_UNPLANNED.into())
    }
}

impl<D: Discipline> AnyLine for Ordered<D, Rows> {}

impl AnyLine for Backfill<Easy, Entries> {}

impl AnyLine for Backfill<Conservative<Words>, Entries> {
    fn reserve(&mut self, now: Instant, id: u32, asked: &Request) -> Answer<(Ticket, Placement)> {
        Ok(Backfill::reserve(self, now, id, asked)?)
    }
}

/// # Safety
///
/// The contract of `memory`.
unsafe fn start_ordered<D: Discipline>(
    queue: *mut locox_queue,
    id: u16,
    discipline: D,
    patience: u64,
    rows: *mut locox_queue_row,
    len: usize,
    body: impl FnOnce(Ordered<D, Rows>) -> Body,
) -> Answer {
    // SAFETY: the caller keeps the contract.
    unsafe {
        let place = place(queue)?;
        let rows = storage(rows, len, 0)?.cleared(Slot::EMPTY);
        let patience = u32::try_from(patience).map_or(Patience::ENDLESS, Patience::of);
        place.start(body(Ordered::new(PoolId(id), discipline, patience, rows)))
    }
}

const fn all_if_zero(depth: u32) -> u32 {
    if depth == 0 { u32::MAX } else { depth }
}

/// Words of storage for conservative backfilling, on a machine of so many PEs with room for so many
/// jobs; zero for numbers out of range (1 to 2^30 - 1). `LOCOX_BACKFILL_WORDS` is the same as a
/// constant.
#[unsafe(no_mangle)]
pub extern "C" fn locox_backfill_words(pes: u32, jobs: usize) -> usize {
    words_of(pes, jobs)
}

pub(crate) const fn words_of(pes: u32, jobs: usize) -> usize {
    match Backfill::words(pes, jobs) {
        usize::MAX => 0,
        words => words,
    }
}

interface! {
    /// Starts an empty queue: first come, first served. As many jobs may wait and run together as there
    /// are rows. Its tickets carry `id`: to other queues they are foreign.
    fn locox_queue_start_fcfs(
        queue: *mut locox_queue, id: u16, rows: *mut locox_queue_row, len: usize
    ) {
        let erased = erased!(AnyQueue::Fcfs as AnyLine);
        start_ordered(queue, id, Fcfs, LOCOX_PATIENCE_ENDLESS, rows, len, erased)
    }

    /// As `locox_queue_start_fcfs`, but what starts is the first of the `width` oldest jobs that can
    /// start. `patience` is how often a job may be overtaken.
    fn locox_queue_start_window(
        queue: *mut locox_queue, id: u16, width: u32, patience: u64, rows: *mut locox_queue_row,
        len: usize
    ) {
        let window = Window::of(width);
        start_ordered(queue, id, window, patience, rows, len, erased!(AnyQueue::Window as AnyLine))
    }

    /// As `locox_queue_start_window`, but what starts are all jobs of a size, then those of the next
    /// larger one, or, with `upwards` zero, of the next smaller one.
    fn locox_queue_start_scan(
        queue: *mut locox_queue, id: u16, upwards: u32, patience: u64, rows: *mut locox_queue_row,
        len: usize
    ) {
        let scan = if upwards != 0 { Scan::up() } else { Scan::down() };
        start_ordered(queue, id, scan, patience, rows, len, erased!(AnyQueue::Scan as AnyLine))
    }

    /// As `locox_queue_start_window`, but first come sizes of which few jobs run, until more than
    /// `backlog` wait.
    fn locox_queue_start_lazy(
        queue: *mut locox_queue, id: u16, backlog: u32, patience: u64, rows: *mut locox_queue_row,
        len: usize
    ) {
        let lazy = Lazy::beyond(backlog);
        start_ordered(queue, id, lazy, patience, rows, len, erased!(AnyQueue::Lazy as AnyLine))
    }

    /// Starts an idle machine of `pes` PEs with an empty line, under EASY backfilling: of the jobs
    /// behind the first one the `depth` first are looked at (zero: all), and none delays it. As many
    /// jobs may wait and run together as there are rows.
    fn locox_queue_start_easy(
        queue: *mut locox_queue, id: u16, pes: u32, depth: u32, rows: *mut locox_backfill_row,
        rows_len: usize
    ) {
        let place = place(queue)?;
        let rows = storage(rows, rows_len, 0)?.cleared(Entry::EMPTY);
        let easy = Backfill::easy(PoolId(id), pes, rows).with_depth(all_if_zero(depth));
        place.start(erased!(AnyQueue::Easy as AnyLine)(easy))
    }

    /// As `locox_queue_start_easy`, under conservative backfilling: no job delays an earlier one. After
    /// an early end the `depth` first jobs are moved forward (zero: all). It takes
    /// `locox_backfill_words`.
    fn locox_queue_start_conservative(
        queue: *mut locox_queue, id: u16, pes: u32, depth: u32, words: *mut usize, words_len: usize,
        rows: *mut locox_backfill_row, rows_len: usize; detail
    ) {
        let place = place(queue)?;
        let needed = words_of(pes, rows_len);
        if needed == 0 {
            return Err(LOCOX_BAD_ARGUMENT.into());
        }
        let rows = storage(rows, rows_len, 0)?;
        let words = crate::memory::words(words, words_len, needed)?.cleared(0);
        let rows = rows.cleared(Entry::EMPTY);
        let planned = Backfill::conservative(PoolId(id), pes, words, rows)?;
        let planned = planned.with_depth(all_if_zero(depth));
        place.start(erased!(AnyQueue::Conservative as AnyLine)(planned))
    }

    /// How many jobs wait.
    fn locox_queue_waiting(queue: *const locox_queue, count: *mut usize) {
        get(queue, count, |it| Ok(it.get().len()))
    }

    /// Adds a job to the line. Refused as `LOCOX_FULL`, of queues that plan also as `LOCOX_TOO_LARGE` or
    /// `LOCOX_END_OF_TIME`.
    fn locox_queue_push(
        queue: *mut locox_queue, now: u64, job: *const locox_job, ticket: *mut locox_handle
    ) {
        let (result, job) = (out(ticket)?, Job::from(input(job)?));
        let ticket = on(queue, |it| Ok(it.get().push(at(now), job)?))?;
        result.put(ticket)
    }

    /// Gives a job the earliest interval that delays none with a promise, and keeps it. Refused as
    /// `LOCOX_LATE`, as `LOCOX_UNPLANNED` unless backfilling is conservative, and as `locox_queue_push`.
    fn locox_queue_reserve(
        queue: *mut locox_queue, now: u64, id: u32, request: *const locox_request,
        ticket: *mut locox_handle, placement: *mut locox_placement; detail
    ) {
        let (ticket, placement) = (out(ticket)?, out(placement)?);
        let request = request_of(&input(request)?);
        let (given, placed) = on(queue, |it| it.get().reserve(at(now), id, &request))?;
        ticket.put(given)?;
        placement.put(placed)
    }

    /// Offers jobs whose turn it is to `start` until it takes one. That one runs from now on; its ticket
    /// and the job itself are written. `LOCOX_NONE` if none was taken. To be called until then.
    ///
    /// A null `start` takes the first job that is offered.
    /// While `start` runs, every call on this queue, `const` ones too, answers `LOCOX_REENTERED`.
    fn locox_queue_next(
        queue: *mut locox_queue, now: u64, start: locox_start_fn, user: *mut c_void,
        ticket: *mut locox_handle, job: *mut locox_job
    ) {
        let (ticket, job) = (out(ticket)?, out(job)?);
        let taken = on(queue, |it| {
            let mut offer = |job: Job| start.is_none_or(|start| start(&job.into(), user) != 0);
            it.get().next(at(now), &mut offer).ok_or(LOCOX_NONE.into())
        })?;
        ticket.put(taken.0)?;
        job.put(taken.1)
    }

    /// A running job has ended and its PEs are free. `job`, which may be null, is which one it was.
    fn locox_queue_finished(
        queue: *mut locox_queue, now: u64, ticket: *const locox_handle, job: *mut locox_job
    ) {
        let (result, ticket) = (optional_out(job)?, input(ticket)?.into());
        let job = on(queue, |it| Ok(it.get().finished(at(now), ticket)?))?;
        result.put(job)
    }

    /// Removes a waiting job. `job`, which may be null, is which one it was.
    fn locox_queue_cancel(
        queue: *mut locox_queue, now: u64, ticket: *const locox_handle, job: *mut locox_job
    ) {
        let (result, ticket) = (optional_out(job)?, input(ticket)?.into());
        let job = on(queue, |it| Ok(it.get().cancel(at(now), ticket)?))?;
        result.put(job)
    }

    /// Gives a job in line another key, so that it stands elsewhere.
    fn locox_queue_rekey(queue: *mut locox_queue, now: u64, ticket: *const locox_handle, key: u64) {
        let ticket = input(ticket)?.into();
        on(queue, |it| Ok(it.get().rekey(at(now), ticket, key)?))
    }

    /// From when to when a job is to run; `LOCOX_NONE` of one that has no promise.
    fn locox_queue_planned(
        queue: *const locox_queue, ticket: *const locox_handle, placement: *mut locox_placement
    ) {
        let (result, ticket) = (out(placement)?, input(ticket)?.into());
        let planned = of(queue, |it| Ok(it.get().planned(ticket)?))?;
        result.put(planned.ok_or(LOCOX_NONE)?)
    }

    /// When to call `locox_queue_next` if nothing happens before; `LOCOX_NONE` if there is nothing to
    /// wait for.
    fn locox_queue_wake_at(queue: *const locox_queue, time: *mut u64) {
        let time = out(time)?;
        let wake = of(queue, |it| it.get().wake_at().ok_or(LOCOX_NONE.into()))?;
        time.put(Instant::ticks(wake))
    }

    /// Recomputes all that is derived and compares, for tests: `LOCOX_INVARIANT_VIOLATION` should never
    /// be seen.
    fn locox_queue_check(queue: *const locox_queue) {
        of(queue, |it| Ok(it.get().check_invariants()?))
    }
}

impl From<locox_job> for Job {
    fn from(it: locox_job) -> Self {
        Self { id: it.id, pes: it.pes, requested: ticks(it.requested), key: it.key }
    }
}

impl From<Job> for locox_job {
    fn from(job: Job) -> Self {
        let Job { id, pes, requested, key } = job;
        Self { id, pes, requested: requested.ticks(), key }
    }
}

faults! {
    Refusal {
        Refusal::TooLarge => LOCOX_TOO_LARGE,
        Refusal::Late { finish } => LOCOX_LATE.with(finish.ticks()),
        Refusal::Overflow => LOCOX_END_OF_TIME,
        Refusal::Full => LOCOX_FULL,
    }

    Misuse {
        Misuse::Handle(misuse) => misuse,
        Misuse::Waits => LOCOX_WAITS,
        Misuse::Runs => LOCOX_RUNS,
        Misuse::Reserved => LOCOX_RESERVED,
        Misuse::NoPes => LOCOX_NO_PES,
        Misuse::NoTime => LOCOX_NO_TIME,
        Misuse::Overflow => LOCOX_BEYOND_TIME,
        Misuse::DeadlineTooEarly => LOCOX_DEADLINE_TOO_EARLY,
        Misuse::Past => LOCOX_PAST,
    }
}

//! Queues: which waiting job starts next.

use crate::memory::*;
use crate::pool::Words;
use crate::status::locox_status::{self, *};
use crate::time::{at, ticks};
use crate::timeline::{locox_placement, locox_request, request_of};
use locox::dispatch::{
    Backfill, Conservative, Discipline, Easy, Entry, Fcfs, Job, Lazy, Misuse, Ordered, Patience,
    Queue, Refusal, Rule, Scan, Slot, Ticket, Window,
};
use locox::handle::{Handle, PoolId};
use locox::time::Instant;

/// However often: no bound on being overtaken.
pub const LOCOX_PATIENCE_ENDLESS: u64 = u64::MAX;

/// How many words of 64 bits a `locox_queue` has.
pub const LOCOX_QUEUE_LENGTH: usize = length_of::<Body>();
/// How many words of 64 bits a `locox_queue_row` has.
pub const LOCOX_QUEUE_ROW_LENGTH: usize = size_of::<Slot>().div_ceil(8);
/// How many words of 64 bits a `locox_backfill_row` has.
pub const LOCOX_BACKFILL_ROW_LENGTH: usize = size_of::<Entry>().div_ceil(8);

/// Jobs that wait or run. Opaque, small, and may be moved; its storage may not.
#[repr(C)]
pub struct locox_queue {
    opaque: [u64; LOCOX_QUEUE_LENGTH],
}

opaque! { locox_queue: Body, b"LINE"; }

/// Room for one job of a queue that knows an order only. Its content does not matter.
#[repr(C)]
pub struct locox_queue_row {
    opaque: [u64; LOCOX_QUEUE_ROW_LENGTH],
}

/// Room for one job of a queue that plans. Its content does not matter.
#[repr(C)]
pub struct locox_backfill_row {
    opaque: [u64; LOCOX_BACKFILL_ROW_LENGTH],
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
    Option<unsafe extern "C" fn(job: *const locox_job, user: *mut core::ffi::c_void) -> u32>;

type Rows = &'static mut [Slot];
type Entries = &'static mut [Entry];

pub(crate) enum AnyQueue {
    Fcfs(Ordered<Fcfs, Rows>),
    Window(Ordered<Window, Rows>),
    Scan(Ordered<Scan, Rows>),
    Lazy(Ordered<Lazy, Rows>),
    Easy(Backfill<Easy, Words, Entries>),
    Conservative(Backfill<Conservative, Words, Entries>),
}

pub(crate) type Body = Seen<AnyQueue, dyn Queue>;

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
) -> locox_status {
    // SAFETY: the caller keeps the contract.
    unsafe {
        answer(core::ptr::null_mut(), || {
            let place = place(queue)?;
            let rows = storage(rows, len, 0)?.cleared(Slot::EMPTY);
            let patience = u32::try_from(patience).map_or(Patience::ENDLESS, Patience::of);
            place.start(body(Ordered::new(PoolId(id), discipline, patience, rows)));
            Ok(())
        })
    }
}

/// # Safety
///
/// The contract of `memory`.
unsafe fn start_planned<R: Rule>(
    (queue, id, rule, pes): (*mut locox_queue, u16, R, u32),
    (words, words_len): (*mut usize, usize),
    (rows, rows_len): (*mut locox_backfill_row, usize),
    detail: *mut u64,
    body: impl FnOnce(Backfill<R, Words, Entries>) -> Body,
) -> locox_status {
    // SAFETY: the caller keeps the contract.
    unsafe {
        answer(detail, || {
            let place = place(queue)?;
            let needed = words_of(pes, rows_len);
            if needed == 0 {
                return Err(LOCOX_BAD_ARGUMENT.into());
            }
            let rows = storage(rows, rows_len, 0)?;
            let words = crate::memory::words(words, words_len, needed)?.cleared(0);
            let rows = rows.cleared(Entry::EMPTY);
            place.start(body(Backfill::new(PoolId(id), rule, pes, words, rows)?));
            Ok(())
        })
    }
}

/// Words of storage for a queue that plans, on a machine of so many PEs with room for so many jobs;
/// zero for numbers out of range (1 to 2^30 - 1). `LOCOX_BACKFILL_WORDS` is the same as a constant.
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

/// Starts an empty queue: first come, first served. As many jobs may wait and run together as there
/// are rows. Its tickets carry `id`: to other queues they are foreign.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn locox_queue_start_fcfs(
    queue: *mut locox_queue,
    id: u16,
    rows: *mut locox_queue_row,
    len: usize,
) -> locox_status {
    // SAFETY: the caller keeps the contract of `memory`.
    unsafe {
        start_ordered(
            queue,
            id,
            Fcfs,
            LOCOX_PATIENCE_ENDLESS,
            rows,
            len,
            seen_as!(AnyQueue::Fcfs as Queue),
        )
    }
}

/// As `locox_queue_start_fcfs`, but what starts is the first of the `width` oldest jobs that can start. `patience` is how often a job may be
/// overtaken.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn locox_queue_start_window(
    queue: *mut locox_queue,
    id: u16,
    width: u32,
    patience: u64,
    rows: *mut locox_queue_row,
    len: usize,
) -> locox_status {
    let window = Window::of(width);
    // SAFETY: the caller keeps the contract of `memory`.
    unsafe {
        start_ordered(queue, id, window, patience, rows, len, seen_as!(AnyQueue::Window as Queue))
    }
}

/// As `locox_queue_start_window`, but what starts are all jobs of a size, then those of the next larger one, or, with `upwards` zero, of the
/// next smaller one.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn locox_queue_start_scan(
    queue: *mut locox_queue,
    id: u16,
    upwards: u32,
    patience: u64,
    rows: *mut locox_queue_row,
    len: usize,
) -> locox_status {
    let scan = if upwards != 0 { Scan::up() } else { Scan::down() };
    // SAFETY: the caller keeps the contract of `memory`.
    unsafe {
        start_ordered(queue, id, scan, patience, rows, len, seen_as!(AnyQueue::Scan as Queue))
    }
}

/// As `locox_queue_start_window`, but first come sizes of which few jobs run, until more than `backlog` wait.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn locox_queue_start_lazy(
    queue: *mut locox_queue,
    id: u16,
    backlog: u32,
    patience: u64,
    rows: *mut locox_queue_row,
    len: usize,
) -> locox_status {
    let lazy = Lazy::beyond(backlog);
    // SAFETY: the caller keeps the contract of `memory`.
    unsafe {
        start_ordered(queue, id, lazy, patience, rows, len, seen_as!(AnyQueue::Lazy as Queue))
    }
}

/// Starts an idle machine of `pes` PEs with an empty line, under EASY backfilling: of the jobs behind
/// the first one the `depth` first are looked at (zero: all), and none delays it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn locox_queue_start_easy(
    queue: *mut locox_queue,
    id: u16,
    pes: u32,
    depth: u32,
    words: *mut usize,
    words_len: usize,
    rows: *mut locox_backfill_row,
    rows_len: usize,
    detail: *mut u64,
) -> locox_status {
    let rule = if depth == 0 { Easy::new() } else { Easy::of(depth) };
    let (machine, words, rows) = ((queue, id, rule, pes), (words, words_len), (rows, rows_len));
    // SAFETY: the caller keeps the contract of `memory`.
    unsafe { start_planned(machine, words, rows, detail, seen_as!(AnyQueue::Easy as Queue)) }
}

/// As `locox_queue_start_easy`, under conservative backfilling: no job delays an earlier one. After an early end the
/// `depth` first jobs are moved forward (zero: all).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn locox_queue_start_conservative(
    queue: *mut locox_queue,
    id: u16,
    pes: u32,
    depth: u32,
    words: *mut usize,
    words_len: usize,
    rows: *mut locox_backfill_row,
    rows_len: usize,
    detail: *mut u64,
) -> locox_status {
    let rule = if depth == 0 { Conservative::new() } else { Conservative::of(depth) };
    let (machine, words, rows) = ((queue, id, rule, pes), (words, words_len), (rows, rows_len));
    // SAFETY: the caller keeps the contract of `memory`.
    unsafe {
        start_planned(machine, words, rows, detail, seen_as!(AnyQueue::Conservative as Queue))
    }
}

/// How many jobs wait.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn locox_queue_waiting(
    queue: *const locox_queue,
    count: *mut usize,
) -> locox_status {
    // SAFETY: the caller keeps the contract of `memory`.
    unsafe { get(queue, count, |it| Ok(it.get().len())) }
}

/// Adds a job to the line. Refused as `LOCOX_FULL`, of queues that plan also as `LOCOX_TOO_LARGE` or
/// `LOCOX_END_OF_TIME`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn locox_queue_push(
    queue: *mut locox_queue,
    now: u64,
    job: *const locox_job,
    ticket: *mut locox_handle,
) -> locox_status {
    // SAFETY: the caller keeps the contract of `memory`.
    unsafe {
        answer(core::ptr::null_mut(), || {
            let (result, job) = (out(ticket)?, Job::from(input(job)?));
            let ticket = on(queue, |it| Ok(it.get().push(at(now), job)?))?;
            result.put(ticket.handle().into());
            Ok(())
        })
    }
}

/// Gives a job the earliest interval that delays none with a promise, and keeps it. Refused as
/// `LOCOX_LATE`, as `LOCOX_UNPLANNED` by queues that know no times, and as `locox_queue_push`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn locox_queue_reserve(
    queue: *mut locox_queue,
    now: u64,
    id: u32,
    request: *const locox_request,
    ticket: *mut locox_handle,
    placement: *mut locox_placement,
    detail: *mut u64,
) -> locox_status {
    // SAFETY: the caller keeps the contract of `memory`.
    unsafe {
        answer(detail, || {
            let (ticket, placement) = (out(ticket)?, out(placement)?);
            let request = request_of(&input(request)?);
            let (given, placed) = on(queue, |it| Ok(it.get().reserve(at(now), id, &request)?))?;
            ticket.put(given.handle().into());
            placement.put(placed.into());
            Ok(())
        })
    }
}

/// Offers jobs whose turn it is to `start` until it takes one. That one runs from now on; its ticket
/// and the job itself are written. `LOCOX_NONE` if none was taken. To be called until then.
///
/// A null `start` takes the first job that is offered.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn locox_queue_next(
    queue: *mut locox_queue,
    now: u64,
    start: locox_start_fn,
    user: *mut core::ffi::c_void,
    ticket: *mut locox_handle,
    job: *mut locox_job,
) -> locox_status {
    // SAFETY: the caller keeps the contract of `memory`.
    unsafe {
        answer(core::ptr::null_mut(), || {
            let (ticket, job) = (out(ticket)?, out(job)?);
            let taken = on(queue, |it| {
                let mut offer = |job: Job| start.is_none_or(|start| start(&job.into(), user) != 0);
                it.get().next(at(now), &mut offer).ok_or(LOCOX_NONE.into())
            })?;
            ticket.put(taken.0.handle().into());
            job.put(taken.1.into());
            Ok(())
        })
    }
}

/// A running job has ended and its PEs are free. `job`, which may be null, is which one it was.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn locox_queue_finished(
    queue: *mut locox_queue,
    now: u64,
    ticket: *const locox_handle,
    job: *mut locox_job,
) -> locox_status {
    // SAFETY: the caller keeps the contract of `memory`.
    unsafe {
        answer(core::ptr::null_mut(), || {
            let (result, ticket) = (optional_out(job)?, ticket_of(input(ticket)?));
            let job = on(queue, |it| Ok(it.get().finished(at(now), ticket)?))?;
            if let Some(result) = result {
                result.put(job.into());
            }
            Ok(())
        })
    }
}

/// Removes a waiting job. `job`, which may be null, is which one it was.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn locox_queue_cancel(
    queue: *mut locox_queue,
    now: u64,
    ticket: *const locox_handle,
    job: *mut locox_job,
) -> locox_status {
    // SAFETY: the caller keeps the contract of `memory`.
    unsafe {
        answer(core::ptr::null_mut(), || {
            let (result, ticket) = (optional_out(job)?, ticket_of(input(ticket)?));
            let job = on(queue, |it| Ok(it.get().cancel(at(now), ticket)?))?;
            if let Some(result) = result {
                result.put(job.into());
            }
            Ok(())
        })
    }
}

/// Gives a job in line another key, so that it stands elsewhere.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn locox_queue_rekey(
    queue: *mut locox_queue,
    now: u64,
    ticket: *const locox_handle,
    key: u64,
) -> locox_status {
    // SAFETY: the caller keeps the contract of `memory`.
    unsafe {
        answer(core::ptr::null_mut(), || {
            let ticket = ticket_of(input(ticket)?);
            on(queue, |it| Ok(it.get().rekey(at(now), ticket, key)?))
        })
    }
}

/// From when to when a job is to run; `LOCOX_NONE` of one that has no promise.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn locox_queue_planned(
    queue: *const locox_queue,
    ticket: *const locox_handle,
    placement: *mut locox_placement,
) -> locox_status {
    // SAFETY: the caller keeps the contract of `memory`.
    unsafe {
        answer(core::ptr::null_mut(), || {
            let (result, ticket) = (out(placement)?, ticket_of(input(ticket)?));
            let planned = of(queue, |it| Ok(it.get().planned(ticket)?))?;
            result.put(planned.ok_or(LOCOX_NONE)?.into());
            Ok(())
        })
    }
}

/// When to call `locox_queue_next` if nothing happens before; `LOCOX_NONE` if there is nothing to wait
/// for.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn locox_queue_wake_at(
    queue: *const locox_queue,
    time: *mut u64,
) -> locox_status {
    // SAFETY: the caller keeps the contract of `memory`.
    unsafe {
        answer(core::ptr::null_mut(), || {
            let time = out(time)?;
            let wake = of(queue, |it| it.get().wake_at().ok_or(LOCOX_NONE.into()))?;
            time.put(Instant::ticks(wake));
            Ok(())
        })
    }
}

/// Recomputes all that is derived and compares, for tests: `LOCOX_BROKEN` should never be seen.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn locox_queue_check(queue: *const locox_queue) -> locox_status {
    // SAFETY: the caller keeps the contract of `memory`.
    unsafe { answer(core::ptr::null_mut(), || of(queue, |it| Ok(it.get().check_invariants()?))) }
}

fn ticket_of(handle: locox_handle) -> Ticket {
    Ticket::from_handle(Handle::from(handle))
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

impl From<Refusal> for Fault {
    fn from(refusal: Refusal) -> Self {
        match refusal {
            Refusal::TooLarge => LOCOX_TOO_LARGE.into(),
            Refusal::Late { finish } => LOCOX_LATE.with(finish.ticks()),
            Refusal::Overflow => LOCOX_END_OF_TIME.into(),
            Refusal::Full => LOCOX_FULL.into(),
            Refusal::Unplanned => LOCOX_UNPLANNED.into(),
        }
    }
}

impl From<Misuse> for Fault {
    fn from(misuse: Misuse) -> Self {
        let status = match misuse {
            Misuse::Handle(misuse) => misuse.into(),
            Misuse::Waits => LOCOX_WAITS,
            Misuse::Runs => LOCOX_RUNS,
            Misuse::Reserved => LOCOX_RESERVED,
            Misuse::NoPes => LOCOX_NO_PES,
            Misuse::NoTime => LOCOX_NO_TIME,
            Misuse::Overflow => LOCOX_BEYOND_TIME,
            Misuse::DeadlineTooEarly => LOCOX_DEADLINE_TOO_EARLY,
            Misuse::Past => LOCOX_PAST,
        };
        status.into()
    }
}

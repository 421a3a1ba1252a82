//! Queues: which waiting job starts next.

mod limit;
mod line;

pub use limit::locox_user_fn;

use crate::interface::{Numbered, faults, interface, numbered, opaque};
use crate::memory::*;
use crate::profile::locox_profile;
use crate::status::locox_status::*;
use crate::time::{at, ticks};
use crate::timeline::{locox_placement, locox_request, request_of};
use core::ffi::c_void;
use core::num::NonZeroU32;
use limit::{Body, Users, limit, open};
use line::{AnyLine, AnyQueue, Line, Rows};
use locox::dispatch::{
    Backfill, Discipline, Entry, Fcfs, Job, Lazy, Misuse, Ordered, Patience, Refusal, Scan, Slot,
    Standing, UserRow, Window,
};
use locox::handle::PoolId;
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

    /// What a limit of jobs a user knows of one job. Its content does not matter.
    locox_user_row: [u32; LOCOX_USER_ROW_LENGTH], locox_size_of_user_row, for UserRow;
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

numbered! {
    Standing {
        /// The job waits in line.
        LOCOX_STANDING_WAITS = Waits = 0,
        /// The job waits in line, and is held.
        LOCOX_STANDING_HELD = Held = 1,
        /// The job waits for an interval of its own.
        LOCOX_STANDING_RESERVED = Reserved = 2,
        /// The job runs.
        LOCOX_STANDING_RUNS = Runs = 3,
    }
}

/// A job of a queue.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct locox_queued {
    /// What the queue knows it by.
    pub ticket: locox_handle,
    /// What was pushed.
    pub job: locox_job,
    /// Its number of arrival: among jobs of the same key in line the smaller one comes first.
    pub arrival: u64,
    /// What it does: `LOCOX_STANDING_...`.
    pub standing: u32,
    /// Zero.
    pub padding: u32,
}

/// Called with a job of a queue.
pub type locox_queued_fn =
    Option<unsafe extern "C" fn(job: *const locox_queued, user: *mut c_void)>;

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
    erased: impl FnOnce(Ordered<D, Rows>) -> ErasedBody<AnyQueue, dyn AnyLine>,
) -> Answer {
    // SAFETY: the caller keeps the contract.
    unsafe {
        let place = place(queue)?;
        let rows = storage(rows, len, 0)?.cleared(Slot::EMPTY);
        let patience = u32::try_from(patience).map_or(Patience::ENDLESS, Patience::of);
        let queue = Ordered::new(PoolId(id), discipline, patience, rows);
        place.start(open(Line::new(erased(queue), len)))
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
        place.start(open(Line::new(erased!(AnyQueue::Easy as AnyLine)(easy), rows_len)))
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
        let planned = erased!(AnyQueue::Conservative as AnyLine)(planned);
        place.start(open(Line::new(planned, rows_len)))
    }

    /// From now on no job starts while `most` others of its user run: it is held until one of those
    /// ends, in nobody's way. `user_of` says whose a job is, with `user`, both of which are used as long as the
    /// limit lasts. It takes as many rows as the queue has, or `LOCOX_TOO_SHORT` says how many. `LOCOX_ZERO` if
    /// `most` is. The queue may have jobs in it; what is held already is released when fewer of its user
    /// run, as it is after `locox_queue_restore` and `locox_queue_load`. A second limit takes the place of the first one. Jobs of
    /// `locox_queue_reserve` neither count nor wait for it.
    /// While `user_of` runs, in this call, a push, a restore or a load, every call on this queue, `const` ones
    /// too, answers `LOCOX_REENTERED`.
    fn locox_queue_limit(
        queue: *mut locox_queue, now: u64, most: u32, user_of: locox_user_fn, user: *mut c_void,
        rows: *mut locox_user_row, len: usize; detail
    ) {
        let users = Users { user_of: user_of.ok_or(LOCOX_NULL)?, user };
        let most = NonZeroU32::new(most).ok_or(LOCOX_ZERO)?;
        on(queue, |it| {
            let needed = limit::rows(it);
            let rows = storage(rows, len, needed)?.first(needed);
            limit(it, at(now), most, users, rows);
            Ok(())
        })
    }

    /// How many jobs wait.
    fn locox_queue_waiting(queue: *const locox_queue, count: *mut usize) {
        get(queue, count, |it| Ok(it.get().len()))
    }

    /// Adds a job to the line. It may ask for more PEs than are in service. Refused as `LOCOX_FULL`, of queues that plan
    /// also as `LOCOX_TOO_LARGE` or `LOCOX_END_OF_TIME`. In every call of a queue a time before the last one told means
    /// that one.
    fn locox_queue_push(
        queue: *mut locox_queue, now: u64, job: *const locox_job, ticket: *mut locox_handle
    ) {
        let (result, job) = (out(ticket)?, Job::from(input(job)?));
        let ticket = on(queue, |it| Ok(it.get().push(at(now), job)?))?;
        result.put(ticket)
    }

    /// A job runs already, since `started`, that this queue did not start: it has a ticket and its PEs until it has
    /// finished. Refused as `LOCOX_FULL`, of queues that plan also as `LOCOX_TOO_LARGE` or `LOCOX_TOO_FEW_FREE`.
    fn locox_queue_adopt(
        queue: *mut locox_queue, now: u64, job: *const locox_job, started: u64, ticket: *mut locox_handle
    ) {
        let (result, job) = (out(ticket)?, Job::from(input(job)?));
        let ticket = on(queue, |it| Ok(it.get().adopt(at(now), job, at(started))?))?;
        result.put(ticket)
    }

    /// Gives a job the earliest interval that delays none with a promise, and keeps it. Refused as `LOCOX_LATE`, as
    /// `LOCOX_FAULTY` while too few PEs are in service, as `LOCOX_UNPLANNED` unless backfilling is conservative, and as
    /// `locox_queue_push`.
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

    /// A running job has failed, and its PEs are free: it waits again, under the same ticket, where its key
    /// and its first arrival say.
    fn locox_queue_requeue(queue: *mut locox_queue, now: u64, ticket: *const locox_handle) {
        let ticket = input(ticket)?.into();
        on(queue, |it| Ok(it.get().requeue(at(now), ticket)?))
    }

    /// Passes over a waiting job until it is released: it keeps its place in line, and stands in nobody's
    /// way. What it was promised is others'.
    fn locox_queue_hold(queue: *mut locox_queue, now: u64, ticket: *const locox_handle) {
        let ticket = input(ticket)?.into();
        on(queue, |it| Ok(it.get().hold(at(now), ticket)?))
    }

    /// A job that was held is offered again, from its place in line.
    fn locox_queue_release(queue: *mut locox_queue, now: u64, ticket: *const locox_handle) {
        let ticket = input(ticket)?.into();
        on(queue, |it| Ok(it.get().release(at(now), ticket)?))
    }

    /// Calls `visit` for each job that waits or runs, in no order of note.
    /// While `visit` runs, every call on this queue, `const` ones too, answers `LOCOX_REENTERED`.
    fn locox_queue_jobs(queue: *const locox_queue, visit: locox_queued_fn, user: *mut c_void) {
        of(queue, |it| {
            let visit = visit.ok_or(LOCOX_NULL)?;
            it.get().visit(&mut |ticket, job, standing, arrival| {
                let (ticket, job) = (ticket.into(), job.into());
                let standing = standing.number();
                visit(&locox_queued { ticket, job, arrival, standing, padding: 0 }, user);
            });
            Ok(())
        })
    }

    /// So many more PEs are out of service. Jobs that run on them run until it is told that they have
    /// finished or wait again. The queue does not know on which PEs they run: to drain a busy one,
    /// withdraw it when its job ends, right before that is told. Jobs that ask for more PEs
    /// than are in service wait until enough are repaired, and stand in nobody's way. `LOCOX_UNPLANNED` unless backfilling, `LOCOX_NO_SUCH_PE` if
    /// fewer are in service.
    fn locox_queue_withdraw(queue: *mut locox_queue, now: u64, pes: u32) {
        on(queue, |it| it.get().withdraw(at(now), pes))
    }

    /// So many PEs are back in service. `LOCOX_UNPLANNED` unless backfilling, `LOCOX_NO_SUCH_PE` if
    /// fewer are out of it.
    fn locox_queue_repair(queue: *mut locox_queue, now: u64, pes: u32) {
        on(queue, |it| it.get().repair(at(now), pes))
    }

    /// When a job will start if each takes as long as it requested and, under EASY backfilling, nobody
    /// overtakes: `LOCOX_NONE` if too few PEs are in service, if it is held, or of queues that do not plan.
    /// `scratch` is a profile of as many PEs, for no fewer reservations than there are rows, of which
    /// nothing is left afterwards; `LOCOX_TOO_SHORT` if it is another one.
    fn locox_queue_estimate(
        queue: *const locox_queue, ticket: *const locox_handle, scratch: *mut locox_profile,
        placement: *mut locox_placement
    ) {
        let (result, ticket) = (out(placement)?, input(ticket)?.into());
        let planned = of(queue, |it| on(scratch, |scratch| it.get().estimate(ticket, scratch)))?;
        result.put(planned.ok_or(LOCOX_NONE)?)
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
}

crate::image::restarts! {
    locox_queue: locox_queue_begin, locox_queue_export, locox_queue_restore, locox_queue_check;
    |it| it.get()
}

crate::image::loads! { locox_queue: locox_queue_load; |it| it.get() }

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
        Refusal::TooLarge { pes } => LOCOX_TOO_LARGE.with(pes),
        Refusal::Faulty { serving } => LOCOX_FAULTY.with(serving),
        Refusal::TooFewFree { free, .. } => LOCOX_TOO_FEW_FREE.with(free),
        Refusal::Late { finish } => LOCOX_LATE.with(finish.ticks()),
        Refusal::Overflow => LOCOX_END_OF_TIME,
        Refusal::Full { entries } => LOCOX_FULL.with(entries),
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
        Misuse::Outage => LOCOX_NO_SUCH_PE,
        Misuse::WrongProfile => LOCOX_TOO_SHORT,
        Misuse::Future => LOCOX_BAD_ARGUMENT,
    }
}

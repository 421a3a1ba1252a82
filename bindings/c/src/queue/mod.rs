//! Queues: which waiting job starts next.

mod alike;
mod boxes;
mod limit;
mod line;
mod values;

pub use boxes::*;
pub use limit::locox_user_fn;
pub use values::*;

use crate::prelude::*;
use crate::profile::locox_profile;
use crate::timeline::{locox_interval, locox_request, request_of};
use alike::tickets;
use core::num::NonZeroU32;
use limit::{Body, Users, limit, open};
use line::{AnyLine, AnyQueue, Line, Rows};
use locox::dispatch::*;

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

/// # Safety
///
/// The contract of `memory`.
unsafe fn ordered<D: Discipline>(
    id: u16,
    discipline: D,
    patience: u64,
    (rows, len): (*mut locox_queue_row, usize),
    erased: impl FnOnce(Ordered<D, Rows>) -> ErasedBody<AnyQueue, dyn AnyLine>,
) -> Answer<Body> {
    // SAFETY: the caller keeps the contract.
    let rows = unsafe { storage(rows, len, 0) }?.cleared(Slot::EMPTY);
    let patience = u32::try_from(patience).map_or(Patience::ENDLESS, Patience::of);
    let queue = Ordered::new(PoolId(id), rows, discipline, patience);
    Ok(open(Line::new(erased(queue), len)))
}

const fn all_if_zero(depth: u32) -> u32 {
    if depth == 0 { u32::MAX } else { depth }
}

plain! { const:
    /// Words of storage for conservative backfilling, on a machine of so many PEs with room for so many
    /// jobs; zero for numbers out of range (1 to 2^30 - 1). `LOCOX_BACKFILL_WORDS` is the same as a
    /// constant.
    fn locox_backfill_words(pes: u32, jobs: usize) -> usize { if_any(Backfill::words(pes, jobs)) }
}

methods! { queue: locox_queue |it| it.get() =>
    /// Starts an empty queue: first come, first served. As many jobs may wait and run together as there
    /// are rows. Its tickets carry `id`: to other queues they are foreign.
    start fn locox_queue_start_fcfs(id: u16, rows: *mut locox_queue_row, len: usize) {
        ordered(id, Fcfs, LOCOX_PATIENCE_ENDLESS, (rows, len), erased!(AnyQueue::Fcfs as AnyLine))?
    }

    /// As `locox_queue_start_fcfs`, but what starts is the first of the `width` oldest jobs that can
    /// start. `patience` is how often a job may be overtaken.
    start fn locox_queue_start_window(id: u16, width: u32, patience: u64, rows: *mut locox_queue_row, len: usize) {
        ordered(id, Window::of(width), patience, (rows, len), erased!(AnyQueue::Window as AnyLine))?
    }

    /// As `locox_queue_start_window`, but what starts are all jobs of a size, then those of the next
    /// larger one, or, with `upwards` zero, of the next smaller one.
    start fn locox_queue_start_scan(id: u16, upwards: u32, patience: u64, rows: *mut locox_queue_row, len: usize) {
        let scan = if upwards != 0 { Scan::up() } else { Scan::down() };
        ordered(id, scan, patience, (rows, len), erased!(AnyQueue::Scan as AnyLine))?
    }

    /// As `locox_queue_start_window`, but first come sizes of which few jobs run, until more than
    /// `backlog` wait.
    start fn locox_queue_start_lazy(id: u16, backlog: u32, patience: u64, rows: *mut locox_queue_row, len: usize) {
        ordered(id, Lazy::beyond(backlog), patience, (rows, len), erased!(AnyQueue::Lazy as AnyLine))?
    }

    /// Starts an idle machine of `pes` PEs with an empty line, under EASY backfilling: of the jobs
    /// behind the first one the `depth` first are looked at (zero: all), and none delays it. As many
    /// jobs may wait and run together as there are rows.
    start fn locox_queue_start_easy(id: u16, pes: u32, depth: u32, rows: *mut locox_backfill_row, rows_len: usize) {
        let rows = storage(rows, rows_len, 0)?.cleared(Entry::EMPTY);
        let easy = Backfill::easy(PoolId(id), pes, rows).with_depth(all_if_zero(depth));
        open(Line::new(erased!(AnyQueue::Easy as AnyLine)(easy), rows_len))
    }

    /// As `locox_queue_start_easy`, under conservative backfilling: no job delays an earlier one. After
    /// an early end the `depth` first jobs are moved forward (zero: all). It takes
    /// `locox_backfill_words`.
    start fn locox_queue_start_conservative(
        id: u16, pes: u32, depth: u32, words: *mut usize, words_len: usize, rows: *mut locox_backfill_row,
        rows_len: usize
    ) -> (; detail) {
        let words = known_words(words, words_len, locox_backfill_words(pes, rows_len))?;
        let rows = storage(rows, rows_len, 0)?.cleared(Entry::EMPTY);
        let planned = Backfill::conservative(PoolId(id), pes, words.cleared(0), rows)?.with_depth(all_if_zero(depth));
        open(Line::new(erased!(AnyQueue::Conservative as AnyLine)(planned), rows_len))
    }

    /// From now on no job starts while `most` others of its user run: it is held until one of those
    /// ends, in nobody's way. `user_of` says whose a job is, with `user`, both of which are used as long as the
    /// limit lasts. It takes as many rows as the queue has, or `LOCOX_TOO_SHORT` says how many. `LOCOX_ZERO` if
    /// `most` is. The queue may have jobs in it; what is held already is released when fewer of its user
    /// run, as it is after `locox_queue_restore` and `locox_queue_load`. A second limit takes the place of the first one. Jobs of
    /// `locox_queue_reserve` neither count nor wait for it.
    /// While `user_of` runs, in this call, a push, a restore or a load, every call on this queue, `const` ones
    /// too, answers `LOCOX_REENTERED`.
    raw_act fn locox_queue_limit(
        now: u64, most: u32, user_of: locox_user_fn, user: *mut c_void, rows: *mut locox_user_row, len: usize
    ) -> (; detail) {
        let users = Users { user_of: user_of.ok_or(LOCOX_NULL)?, user };
        let most = NonZeroU32::new(most).ok_or(LOCOX_ZERO)?;
        on(queue, |it| {
            let needed = limit::rows(it);
            let rows = storage(rows, len, needed)?.first(needed);
            limit(it, at(now), most, users, rows);
            Ok(())
        })
    }

    /// Adds a job to the line. It may ask for more PEs than are in service. Refused as `LOCOX_FULL`, of queues that plan
    /// also as `LOCOX_TOO_LARGE` or `LOCOX_END_OF_TIME`. In every call of a queue a time before the last one told means
    /// that one.
    act fn locox_queue_push(now: u64, job: *const locox_job) -> (ticket: locox_handle) {
        it.push(at(now), FromC::from_c(job)?)?
    }

    /// A job runs already, since `started`, that this queue did not start: it has a ticket and its PEs until it has
    /// finished. Refused as `LOCOX_FULL`, of queues that plan also as `LOCOX_TOO_LARGE` or `LOCOX_TOO_FEW_FREE`.
    act fn locox_queue_adopt(now: u64, job: *const locox_job, started: u64) -> (ticket: locox_handle) {
        it.adopt(at(now), FromC::from_c(job)?, at(started))?
    }

    /// Gives a job the earliest interval that delays none with a promise, and keeps it. Refused as `LOCOX_LATE`, as
    /// `LOCOX_FAULTY` while too few PEs are in service, as `LOCOX_UNPLANNED` unless backfilling is conservative, and as
    /// `locox_queue_push`.
    act fn locox_queue_reserve(now: u64, id: u32, request: *const locox_request) -> (
        ticket: locox_handle, interval: locox_interval; detail
    ) { it.reserve(at(now), id, &request_of(&request))? }

    /// Offers jobs whose turn it is to `start` until it takes one. That one runs from now on; its ticket
    /// and the job itself are written. `LOCOX_NONE` if none was taken. To be called until then.
    ///
    /// A null `start` takes the first job that is offered.
    /// While `start` runs, every call on this queue, `const` ones too, answers `LOCOX_REENTERED`.
    act fn locox_queue_next(now: u64, start: locox_start_fn, user: *mut c_void) -> (
        ticket: locox_handle, job: locox_job
    ) {
        let mut offer = |job: Job| start.is_none_or(|start| start(&job.into_c(), user) != 0);
        it.next(at(now), &mut offer).ok_or(LOCOX_NONE)?
    }

    /// So many more PEs are out of service. Jobs that run on them run until it is told that they have
    /// finished or wait again. The queue does not know on which PEs they run: to drain a busy one,
    /// withdraw it when its job ends, right before that is told. Jobs that ask for more PEs
    /// than are in service wait until enough are repaired, and stand in nobody's way. `LOCOX_UNPLANNED` unless backfilling, `LOCOX_NO_SUCH_PE` if
    /// fewer are in service.
    act fn locox_queue_withdraw(now: u64, pes: u32) { it.withdraw(at(now), pes)? }

    /// So many PEs are back in service. `LOCOX_UNPLANNED` unless backfilling, `LOCOX_NO_SUCH_PE` if
    /// fewer are out of it.
    act fn locox_queue_repair(now: u64, pes: u32) { it.repair(at(now), pes)? }

    /// When a job will start if each takes as long as it requested and, under EASY backfilling, nobody
    /// overtakes: `LOCOX_NONE` if too few PEs are in service, if it is held, or of queues that do not plan.
    /// `scratch` is a profile of as many PEs, for no fewer reservations than there are rows, of which
    /// nothing is left afterwards; `LOCOX_TOO_SHORT` if it is another one.
    look fn locox_queue_estimate(ticket: *const locox_handle, scratch: *mut locox_profile) -> (
        interval: locox_interval
    ) { on(scratch, |scratch| it.estimate(ticket.into(), scratch))?.ok_or(LOCOX_NONE)? }
}

tickets! {
    locox_queue: locox_queue_waiting, locox_queue_finished, locox_queue_cancel, locox_queue_requeue, locox_queue_hold,
    locox_queue_release, locox_queue_jobs, locox_queue_rekey, locox_queue_planned, locox_queue_wake_at; |it| it.get()
}

crate::image::restarts! {
    locox_queue: locox_queue_begin, locox_queue_export, locox_queue_restore, locox_queue_check, locox_queue_load;
    |it| it.get()
}

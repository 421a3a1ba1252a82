//! A queue over the boxes of a mesh or torus: the first jobs are each promised a time and a box.

use super::alike::tickets;
use super::locox_backfill_row;
use super::values::locox_job;
use crate::grid::*;
use crate::prelude::*;
use crate::timeline::{locox_interval, locox_request, request_of};
use locox::dispatch::*;
use locox::grid::{BoxRequest, Boxes, Cuboid, Sides};
use locox::machine::{BadTimetable, Held, Machine, Timetable, Words};
use locox::reserve::Interval;

/// Each job in line is promised a time and a box.
pub const LOCOX_PROMISES_ALL: u32 = u32::MAX;

opaque! {
    /// Jobs that wait for a box or run in one. Opaque, small, and may be moved; its storage may not.
    locox_box_queue: [u64; LOCOX_BOX_QUEUE_LENGTH], locox_size_of_box_queue, as Body, b"BOXQ";

    /// Room for a box that is held, promised or out of service. Its content does not matter.
    locox_box_row: [u64; LOCOX_BOX_ROW_LENGTH], locox_size_of_box_row, for Held<Cuboid>;
}

structures! {
    /// A box of a machine.
    pub struct locox_box {
        /// Its first node. Along a ring that it fills a box begins at 0.
        pub origin: u32,
        /// Its sides.
        pub sides: locox_sides,
    }

    /// A job, and its box.
    pub struct locox_placed_job {
        /// The job.
        pub job: locox_job,
        /// Where it starts.
        pub place: locox_box,
    }
}

callbacks! {
    /// Called with a job whose turn it is, and its box: zero to leave it, anything else if it was started.
    pub type locox_placed_job_fn(job: *const locox_placed_job) -> u32;
}

/// Called with the number of a job: writes the sides of its box, which may be turned, always the same for a job. `sides` are
/// zero before; if they stay so the job gets any box of as many nodes as its `pes`. Others that are not 1 to 64 fit nowhere.
pub type locox_sides_fn =
    Option<unsafe extern "C" fn(id: u32, sides: *mut locox_sides, user: *mut c_void)>;

numbered! {
    Cause {
        /// Why a promise became later: nodes went out of service, or are to.
        LOCOX_LATER_OUTAGE = Outage = 0,
        /// See `LOCOX_LATER_OUTAGE`: a job ran longer than it had asked for.
        LOCOX_LATER_OVERRUN = Overrun = 1,
        /// See `LOCOX_LATER_OUTAGE`: a job that was running already was added on nodes that were promised.
        LOCOX_LATER_ADOPTION = Adoption = 2,
        /// See `LOCOX_LATER_OUTAGE`: the job itself did not start when its time came.
        LOCOX_LATER_NOT_STARTED = NotStarted = 3,
        /// See `LOCOX_LATER_OUTAGE`: others got in front of the job, whose promise was taken back.
        LOCOX_LATER_PASSED = Passed = 4,
    }
}

/// The part of a job that its sides depend on.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Asked {
    id: u32,
    pes: u32,
}

fn asked(job: &Job) -> Asked {
    Asked { id: job.id, pes: job.pes }
}

/// Boxes with sides of the caller's. The callback is called by the machine: a closure that called it would have a type
/// without a name, and so would the body.
pub(crate) struct Shaped {
    boxes: Boxes,
    sides_of: locox_sides_fn,
    user: *mut c_void,
}

impl Shaped {
    fn shapes(&self, of: &Asked) -> BoxRequest<'static> {
        let mut found = locox_sides { sides: [0; 4] };
        if let Some(sides_of) = self.sides_of {
            // SAFETY: the callback keeps the contract of `memory` as long as the queue lasts.
            unsafe { sides_of(of.id, &raw mut found, self.user) };
        }
        match found.sides {
            [0, 0, 0, 0] => BoxRequest::Nodes(of.pes),
            sides => Sides::new(&sides).map_or(BoxRequest::AnyOf(&[]), BoxRequest::Turned),
        }
    }
}

impl Machine for Shaped {
    type Request = Asked;
    type Place = Cuboid;
    type Word = u64;

    forward! { look |it| it.boxes =>
        fn words() -> Words;
        fn open(map: &mut [u64]);
        fn take(map: &mut [u64], at: &Cuboid);
        fn has(map: &[u64], at: &Cuboid) -> bool;
    }

    fn find(&self, map: &[u64], of: &Asked, room: &mut [u64]) -> Option<Cuboid> {
        self.boxes.find(map, &self.shapes(of), room)
    }

    fn size(&self, of: &Asked) -> u32 {
        self.boxes.size(&self.shapes(of))
    }

    fn covers(&self, one: &Asked, other: &Asked) -> bool {
        one == other || self.boxes.covers(&self.shapes(one), &self.shapes(other))
    }
}

type Line = Promises<Shaped, fn(&Job) -> Asked, &'static mut [Held<Cuboid>], &'static mut [u64]>;
type Body = Backfill<Line, &'static mut [Entry]>;

plain! { const:
    /// Rows for boxes that a queue of so many jobs needs, with so many outages known at a time. `LOCOX_BOX_QUEUE_ROWS` is
    /// the same as a constant.
    fn locox_box_queue_rows(jobs: usize, outages: usize) -> usize { Backfill::rows(jobs, outages) }
}

/// Words of 64 bits of storage for a queue over this machine; zero if `grid` is null or no machine.
/// `LOCOX_BOX_QUEUE_WORDS` is the same as a constant.
///
/// # Safety
///
/// The contract of the library.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn locox_box_queue_words(grid: *const locox_grid) -> usize {
    // SAFETY: the caller keeps the contract of `memory`.
    let rule = unsafe { rule_of(grid, LOCOX_BOX_FIRST, core::ptr::null()) };
    let boxes =
        rule.ok().and_then(|(grid, placement, anchors)| Boxes::new(grid, placement, anchors));
    boxes.map_or(0, |boxes| Timetable::words(&boxes))
}

fn place_of(queue: &Body, place: locox_box) -> Answer<Cuboid> {
    cuboid_of(queue.machine().boxes.grid(), place.origin, place.sides)
}

methods! { queue: locox_box_queue |it| it =>
    /// Starts an idle machine with an empty line. The first `promises` jobs in line for which there is a box at any time are
    /// each promised a time and a box. With 1 this is EASY backfilling for boxes, with `LOCOX_PROMISES_ALL` conservative
    /// backfilling. `grid`, `placement`, `anchors` and `isolated` are those of `locox_grid_start`.
    ///
    /// `sides_of` says which sides a job asks for, with `user`, both of which are used as long as the queue is. If it is null
    /// each job gets any box of as many nodes as its `pes`.
    ///
    /// It takes `locox_box_queue_words`, `locox_box_queue_rows` for boxes, and a row for each job that waits or runs.
    /// `LOCOX_BAD_ARGUMENT` also if a box might fit only as long as other nodes are held: leftover is
    /// `LOCOX_LEFTOVER_REUSED`, and along a line the step is 0 and the offset is not.
    ///
    /// While `sides_of` runs, in whatever call on this queue, every call on it, `const` ones too, answers `LOCOX_REENTERED`.
    start fn locox_box_queue_start(
        id: u16, grid: *const locox_grid, placement: u32, anchors: *const locox_anchors, isolated: u32, promises: u32,
        sides_of: locox_sides_fn, user: *mut c_void, words: *mut u64, words_len: usize, rows: *mut locox_box_row,
        rows_len: usize, jobs: *mut locox_backfill_row, jobs_len: usize
    ) -> (; detail) {
        let (grid, placement, anchors) = rule_of(grid, placement, anchors)?;
        let boxes = Boxes::new(grid, placement, anchors).ok_or(LOCOX_BAD_ARGUMENT)?;
        let boxes = if isolated == 0 { boxes } else { boxes.isolating() };
        let needed = Timetable::words(&boxes);
        let words = storage::<u64, u64>(words, words_len, needed)?.first(needed);
        let rows = storage(rows, rows_len, locox_box_queue_rows(jobs_len, 0))?;
        let jobs = storage(jobs, jobs_len, 0)?;
        let node = cuboid_of(grid, 0, locox_sides { sides: [1; 4] })?;
        let nothing = Held::new(node, Interval { start: Instant::ZERO, end: Instant::ZERO });
        let machine = Shaped { boxes, sides_of, user };
        let line = Line::new(machine, asked, promises, rows.cleared(nothing), words.cleared(0))?;
        Backfill::promises(PoolId(id), grid.nodes(), line, jobs.cleared(Entry::EMPTY))?
    }

    /// Adds a job to the line. Refused as `LOCOX_FULL`, as `LOCOX_TOO_LARGE`, and as `LOCOX_NO_PLACE` if the machine has no
    /// box for it even when all is free, or only boxes of fewer nodes than its `pes`. In every call of a
    /// queue a time before the last one told means that one.
    act fn locox_box_queue_push(now: u64, job: *const locox_job) -> (ticket: locox_handle; detail) {
        it.push(at(now), FromC::from_c(job)?)?
    }

    /// A job that this queue did not start runs already, since `started`: it has a ticket and its box until it has
    /// finished. The box should have no fewer nodes than its `pes`; if `place` is null it gets some box on which no job
    /// runs. Promises that need these nodes get another box or a later time. Refused as `LOCOX_NOT_FREE` if a job runs on one of them, or if there is no such box, as `LOCOX_TOO_FEW_FREE`,
    /// `LOCOX_TOO_LARGE` or `LOCOX_FULL`. `LOCOX_NO_SUCH_NODE` if the box does not lie in the machine.
    raw_act fn locox_box_queue_adopt(
        now: u64, job: *const locox_job, started: u64, place: *const locox_box, ticket: *mut locox_handle
    ) -> (; detail) {
        let (ticket, job, now, started) = (out(ticket)?, FromC::from_c(input(job)?)?, at(now), at(started));
        ticket.put(on(queue, |it| {
            if place.is_null() {
                return Ok(it.adopt(now, job, started)?);
            }
            let place = place_of(it, input(place)?)?;
            Ok(it.adopt_at(now, job, started, place)?)
        })?)
    }

    /// Gives a job the earliest interval that moves no promise and no other such job, and keeps it. Refused as `LOCOX_LATE`, as
    /// `LOCOX_END_OF_TIME`, and as `locox_box_queue_push`.
    act fn locox_box_queue_reserve(now: u64, id: u32, request: *const locox_request) -> (
        ticket: locox_handle, interval: locox_interval; detail
    ) { it.reserve_at(at(now), id, &request_of(&request))? }

    /// Offers jobs whose turn it is, with their boxes, to `start` until it takes one. That one runs from now on; its
    /// ticket, the job and its box are written. `LOCOX_NONE` if none was taken. To be called until then.
    ///
    /// A null `start` takes the first job that is offered.
    /// While `start` runs, every call on this queue, `const` ones too, answers `LOCOX_REENTERED`.
    act fn locox_box_queue_next(now: u64, start: locox_placed_job_fn, user: *mut c_void) -> (
        ticket: locox_handle, started: locox_placed_job
    ) {
        let mut offered = locox_placed_job::EMPTY;
        let mut offer = |job: Job, place: &Cuboid| {
            offered = locox_placed_job { job: job.into_c(), place: (*place).into_c() };
            start.is_none_or(|start| start(&raw const offered, user) != 0)
        };
        let (ticket, _) = it.next_at(at(now), &mut offer).ok_or(LOCOX_NONE)?;
        (ticket, offered)
    }

    /// Where a job runs, or is to; `LOCOX_NONE` of one that waits without a promise. The place of one that waits may be
    /// replaced by another one.
    look fn locox_box_queue_place(ticket: *const locox_handle) -> (place: locox_box) {
        it.place(ticket.into())?.ok_or(LOCOX_NONE)?
    }

    /// When and where a job that is not in this queue could start if it were promised something now; `LOCOX_NONE` if there
    /// is no such time.
    act fn locox_box_queue_earliest(now: u64, job: *const locox_job) -> (
        interval: locox_interval, place: locox_box
    ) { it.earliest_place(at(now), &FromC::from_c(job)?).ok_or(LOCOX_NONE)? }

    /// Takes the nodes of a box out of service for an interval, now or later; until `locox_box_queue_repair` if its end is
    /// `LOCOX_NEVER`. Jobs on these nodes run on until they finish or are requeued. Promises that need these nodes get another
    /// box or a later time. Refused as `LOCOX_FULL` if no row is left: an outage that has ended needs none.
    /// `LOCOX_NO_SUCH_NODE` if the box does not lie in the machine, `LOCOX_NO_TIME` if the interval is empty.
    act fn locox_box_queue_withdraw(now: u64, place: *const locox_box, during: *const locox_interval) -> (; detail) {
        it.withdraw_at(at(now), place_of(it, place)?, Interval::from_c(during)?)?
    }

    /// An outage of exactly this box ends now, or does not take place; of several the one that would end first.
    /// `LOCOX_NONE` if none is known: one that has ended is forgotten. `LOCOX_NO_SUCH_NODE` if the box does not lie in the
    /// machine.
    act fn locox_box_queue_repair(now: u64, place: *const locox_box) -> (; detail) {
        let place = place_of(it, place)?;
        it.repair_at(at(now), &place).map_err(|_| LOCOX_NONE)?
    }

    /// How often a promise, or an interval of `locox_box_queue_reserve`, became later for this cause: `LOCOX_LATER_...`.
    look fn locox_box_queue_moved_later(cause: u32) -> (count: u32) { it.moved_later(FromC::from_c(cause)?) }
}

tickets! {
    locox_box_queue: locox_box_queue_waiting, locox_box_queue_finished, locox_box_queue_cancel, locox_box_queue_requeue,
    locox_box_queue_hold, locox_box_queue_release, locox_box_queue_jobs, locox_box_queue_rekey, locox_box_queue_planned,
    locox_box_queue_wake_at; |it| it
}

crate::image::restarts! {
    locox_box_queue: locox_box_queue_begin, locox_box_queue_export, locox_box_queue_restore, locox_box_queue_check,
    locox_box_queue_load; |it| it
}

values! {
    Cuboid as locox_box: |it| locox_box { origin: it.origin().0, sides: it.sides().into_c() };
}

faults! {
    BadTimetable {
        StorageTooSmall { needed } => LOCOX_TOO_SHORT.with_len(needed), Unsorted => LOCOX_BAD_ARGUMENT,
    }
}

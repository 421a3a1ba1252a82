//! Jobs that have a time, and nodes that are kept for them.
//!
//! To all others these nodes are out of service then. A job that has some does not stand in line. Before each decision it is
//! looked at whether it can have them still, in the order of their times: if a node is out of service, or taken for longer, or an
//! outage is planned, or one before it needs the node now, it gets the earliest other place from its time on, in whose way those
//! behind it are not. So they never put each other off in a circle.

use super::error::Outcome;
use super::layout::Asked;
use super::nodes::ranges;
use super::places::Plan;
use super::storage::{Flag, JobRow, OutageRow, State};
use super::tables::{Tables, agreed};
use super::{Key, Misuse, NodeRange, Refusal, yields};
use locox::ground::Ref;
use locox::reserve::Interval;
use locox::time::{Duration, Instant};

/// Cost: all rows of jobs and nodes, and the earliest place of a job.
pub(super) fn reserve(
    it: &mut Tables<'_>,
    now: Instant,
    key: Key,
    [from, by]: [Instant; 2],
) -> Outcome {
    let row = it.find(key)?;
    if it.row(row).has_nodes() || it.row(row).state == State::Comes {
        return Err(Misuse::Runs.into());
    }
    if it.outages.rows.is_empty() {
        return Err(Refusal::OutagesFull.into());
    }
    let all = |_: &[JobRow], kept: &OutageRow| kept.of != Ref::to(row);
    let at = take_from(it, now, row, from.max(now), all).ok_or(Refusal::NoPlace)?;
    if at.end > by {
        return Err(Refusal::Late { finish: at.end }.into());
    }
    if !has_rows_for(it, row) {
        return Err(Refusal::OutagesFull.into());
    }
    it.pass(now);
    it.step_out(row);
    keep(it, row, at);
    it.stand(row);
    Ok(())
}

pub(super) fn withdraw(it: &mut Tables<'_>, now: Instant, key: Key) -> Outcome {
    let row = it.find(key)?;
    if it.row(row).reserved == Flag::No {
        return Err(Misuse::NoReservation.into());
    }
    it.pass(now);
    give_up(it, row);
    Ok(())
}

/// What a job with a reservation has it for.
pub(super) fn purpose(it: &Tables<'_>, row: u32) -> Option<(Asked, Duration)> {
    let job = Some(it.row(row)).filter(|job| job.reserved == Flag::Yes)?;
    Some((it.places.as_ref()?.layout.asked(job)?, job.limit))
}

/// Nothing is kept for a job any more.
pub(super) fn clear(it: &mut Tables<'_>, row: u32) {
    it.outages.remove_all(|kept| kept.of == Ref::to(row));
    it.edit(row, |job| job.reserved = Flag::No);
}

/// Those whose time has come start, in the order of their times. Cost: a look at what is kept, for each that has a
/// reservation; as [`reserve`] for those that get another one.
pub(super) fn serve(it: &mut Tables<'_>, now: Instant) {
    let mut last = None;
    while let Some((order, row)) = next(it, last) {
        last = Some(order);
        serve_one(it, now, (order, row));
    }
}

/// By their times, then by arrival.
type Order = (Instant, u64);

/// The order of a job for which nodes are kept; none of an outage.
fn order(jobs: &[JobRow], kept: &OutageRow) -> Option<Order> {
    Some((kept.from, jobs.get(kept.of.get()? as usize)?.arrival))
}

fn next(it: &Tables<'_>, last: Option<Order>) -> Option<(Order, u32)> {
    let kept = it.outages.planned().iter();
    let jobs = kept.filter_map(|kept| Some((order(it.jobs, kept)?, kept.of.get()?)));
    jobs.filter(|(order, _)| Some(*order) > last).min()
}

fn serve_one(it: &mut Tables<'_>, now: Instant, (own, row): (Order, u32)) {
    let start = own.0.max(now);
    let mut at = Interval { start, end: start.saturating_add(it.terms(it.row(row)).requested) };
    let is_before = |jobs: &[JobRow], kept: &OutageRow| order(jobs, kept) < Some(own);
    if !is_kept(it, now, row, at, is_before) {
        let all = |_: &[JobRow], kept: &OutageRow| kept.of != Ref::to(row);
        let beside_all = take_from(it, now, row, start, all).filter(|at| at.start == start);
        let other = beside_all.or_else(|| take_from(it, now, row, start, is_before));
        let Some(other) = other.filter(|_| has_rows_for(it, row)) else { return give_up(it, row) };
        keep(it, row, other);
        at = other;
    }
    let held = it.row(row).held == Flag::Yes;
    match at.start > now {
        true => {}
        false if held => give_up(it, row),
        false => start_kept(it, now, row),
    }
}

/// It stands in line.
fn give_up(it: &mut Tables<'_>, row: u32) {
    clear(it, row);
    it.stand(row);
}

/// Whether what is kept for a job will be free, beside those that run and some outages.
fn is_kept(
    it: &Tables<'_>,
    now: Instant,
    row: u32,
    at: Interval,
    which: impl Fn(&[JobRow], &OutageRow) -> bool,
) -> bool {
    let soon = now.saturating_add(Duration::from_ticks(1));
    let end = |job: u32| yields::end(it.jobs, it.config.notice(), it.row(job)).max(soon);
    let is_free = |node: u32| {
        let mut job = it.nodes.job_of(node).into_iter().chain(it.nodes.next_of(node));
        it.nodes.serves(node) && job.all(|job| end(job) <= at.start)
    };
    let is_clear = |own: &OutageRow| {
        let (one, planned) = (own.numbers(), it.outages.planned().iter());
        let mut others = planned.filter(|kept| which(it.jobs, kept));
        let overlaps = |kept: &OutageRow| {
            let other = kept.numbers();
            one.start < other.end && other.start < one.end
        };
        !others.any(|kept| kept.from < at.end && at.start < kept.to && overlaps(kept))
    };
    it.outages.kept_for(row).all(|own| is_clear(own) && own.numbers().all(is_free))
}

/// The earliest place of a job from a time on, beside those that run and some outages.
fn take_from(
    it: &mut Tables<'_>,
    now: Instant,
    row: u32,
    from: Instant,
    which: impl Fn(&[JobRow], &OutageRow) -> bool,
) -> Option<Interval> {
    let job = *it.row(row);
    let limit = it.terms(&job).requested;
    let mut plan = Plan { now, ..it.whole_plan()? };
    let asked = plan.places.layout.asked(&job)?;
    plan.take_from(&asked, (from, limit), which)
}

/// Whether there are rows for what was taken, in place of what is kept for a job.
fn has_rows_for(it: &Tables<'_>, row: u32) -> bool {
    let taken = it.places.iter().flat_map(|places| ranges(places.taken())).count();
    let others = it.outages.used.saturating_sub(it.outages.kept_for(row).count());
    others.saturating_add(taken) <= it.outages.rows.len()
}

/// What was taken is kept for a job.
fn keep(it: &mut Tables<'_>, row: u32, at: Interval) {
    clear(it, row);
    let Tables { places, outages, .. } = &mut *it;
    for NodeRange { first, nodes } in places.iter().flat_map(|places| ranges(places.taken())) {
        let (from, to, of) = (at.start, at.end, Ref::to(row));
        outages.add(OutageRow { first: first.0, nodes, from, to, of, ..OutageRow::EMPTY });
    }
    it.edit(row, |job| job.reserved = Flag::Yes);
}

/// A job starts on what is kept for it.
fn start_kept(it: &mut Tables<'_>, now: Instant, row: u32) {
    let Tables { places, outages, .. } = &mut *it;
    if let Some(places) = places {
        places.take(outages.kept_for(row).flat_map(OutageRow::numbers));
    }
    it.start(now, row, None);
    clear(it, row);
    let (ticket, terms) = (it.row(row).ticket, it.terms(it.row(row)));
    agreed(it.queue.claim(now, ticket, terms, now));
}

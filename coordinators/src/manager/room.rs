//! Room that is made for jobs: what is kept for them until those who stop for them have stopped.
//!
//! A job for which room is made *comes*. To all others it runs on its nodes already, those of its victims among them, so nobody is
//! promised these, and no victim gets them back. Once none of them has a job it starts there. If one goes out of service, it would
//! run into an outage there by now, or somebody else has started a job there, it stands in line again, and who was to stop runs on.

use super::storage::{ENDLESS, Flag, JobRow, OutageRow, State};
use super::tables::{Tables, agreed};
use super::{Ranking, StopReason, UserId};
use locox::ground::Ref;
use locox::time::{Duration, Instant};

/// Jobs that come start, if nobody has their nodes any more; or others stop for them, if the time of the notice is over; or
/// there is none for them any more. Cost: all rows of jobs, and for each that comes all nodes, if there is one.
pub(super) fn settle(it: &mut Tables<'_>, now: Instant) {
    if it.rooms.coming == 0 {
        return;
    }
    for row in 0..it.jobs.len() as u32 {
        if it.row(row).state == State::Comes {
            settle_one(it, now, row);
        }
    }
}

fn settle_one(it: &mut Tables<'_>, now: Instant, row: u32) {
    let yields = |job: u32| it.row(job).yields_to == Ref::to(row);
    // Others may have taken longer to stop than was planned with.
    let end = now.saturating_add(it.row(row).limit.min(ENDLESS));
    let is_planned = |node: u32| {
        let meets = |it: &OutageRow| it.from < end && it.to > now && it.numbers().contains(&node);
        it.outages.planned().iter().any(meets)
    };
    let is_right = |node: u32| {
        it.nodes.serves(node) && it.nodes.job_of(node).is_none_or(yields) && !is_planned(node)
    };
    if !it.nodes.kept_for(row).all(is_right) {
        return give_up(it, row);
    }
    if it.nodes.kept_for(row).all(|node| it.nodes.job_of(node).is_none()) {
        return start(it, now, row);
    }
    if now < stop_at(it, row) {
        return;
    }
    for node in 0..it.nodes.len() {
        let victim = it.nodes.job_of(node).filter(|_| it.nodes.next_of(node) == Some(row));
        if let Some(victim) = victim.filter(|&victim| it.row(victim).state == State::Runs) {
            stop(it, victim);
        }
    }
}

/// Nodes that were taken are kept for a job that waits in line, and those with these stakes are to stop for it.
pub(super) fn keep(it: &mut Tables<'_>, now: Instant, row: u32, notice: Duration) {
    let user = it.row(row).user;
    it.users.leave(it.jobs, user, row);
    it.users.edit(user, |user| user.comes = Flag::Yes);
    it.edit(row, |job| (job.state, job.since) = (State::Comes, now));
    it.set_due(row, false);
    it.rooms.coming = it.rooms.coming.saturating_add(1);
    let Tables { places, nodes, .. } = &mut *it;
    let Some(places) = places else { return };
    places.taken().for_each(|node| nodes.keep(node, Ref::to(row)));
    for at in 0..places.stakes.rows().len() {
        let victim = it.places.as_ref().and_then(|places| places.stakes.victim(at));
        let Some(victim) = victim else { continue };
        it.edit(victim, |job| job.yields_to = Ref::to(row));
        it.rooms.yielding = it.rooms.yielding.saturating_add(1);
        it.set_due(victim, true);
        if notice == Duration::ZERO {
            it.edit(victim, |job| job.state = State::Stops);
        }
        it.tell_queue(victim);
    }
    let (ticket, terms) = (it.row(row).ticket, it.terms(it.row(row)));
    agreed(it.queue.claim(now, ticket, terms, now));
    if it.config.ranking == Ranking::Users {
        it.users.tell(now);
        it.rank(user);
    }
}

fn stop(it: &mut Tables<'_>, victim: u32) {
    it.edit(victim, |job| job.state = State::Stops);
    it.tell_queue(victim);
    it.set_due(victim, true);
}

/// A job that comes starts.
fn start(it: &mut Tables<'_>, now: Instant, row: u32) {
    it.rooms.coming = it.rooms.coming.saturating_sub(1);
    let Tables { places, nodes, .. } = &mut *it;
    if let Some(places) = places {
        places.take(nodes.kept_for(row));
    }
    clear(it, row);
    it.start(now, row, None);
    let (ticket, terms) = (it.row(row).ticket, it.terms(it.row(row)));
    agreed(it.queue.claim(now, ticket, terms, now));
    // Those who were moved off its nodes, and run elsewhere for as long as they may.
    spare(it, row);
}

/// No node is kept for a job any more.
fn clear(it: &mut Tables<'_>, row: u32) {
    let user = it.row(row).user;
    it.users.edit(user, |user| user.comes = Flag::No);
    for node in 0..it.nodes.len() {
        if it.nodes.next_of(node) == Some(row) {
            it.nodes.keep(node, Ref::NONE);
        }
    }
}

/// A job that comes waits in line again.
pub(super) fn give_up(it: &mut Tables<'_>, row: u32) {
    if it.row(row).state != State::Comes {
        return;
    }
    it.rooms.coming = it.rooms.coming.saturating_sub(1);
    let Tables { places, nodes, .. } = &mut *it;
    if let Some(places) = places {
        places.take(nodes.kept_for(row));
    }
    clear(it, row);
    it.wait_again(row);
    spare(it, row);
    it.rooms.forget(it.jobs, row, false);
    // Some of these nodes were as good as not theirs.
    for node in 0..it.nodes.len() {
        let was_kept = it.places.as_ref().is_some_and(|places| places.has_taken(node));
        if let Some(job) = it.nodes.job_of(node).filter(|_| was_kept) {
            it.tell_queue(job);
        }
    }
}

/// Who was to stop for a job, and has not, runs on.
fn spare(it: &mut Tables<'_>, row: u32) {
    for victim in 0..it.jobs.len() as u32 {
        let JobRow { yields_to, state, .. } = *it.row(victim);
        if yields_to != Ref::to(row) || !matches!(state, State::Runs | State::Stops) {
            continue;
        }
        it.edit(victim, |job| job.state = State::Runs);
        it.set_due(victim, false);
        it.tell_queue(victim);
    }
}

/// A job that comes has other terms, or is held.
pub(super) fn ask_anew(it: &mut Tables<'_>, row: u32, change: impl FnOnce(&mut JobRow)) {
    let layout = |it: &Tables<'_>| {
        let job = it.row(row);
        (it.places.as_ref().and_then(|places| places.layout.asked(job)), job.limit, job.held)
    };
    let before = layout(it);
    it.edit(row, change);
    match layout(it) == before {
        true => it.tell_queue(row),
        false => give_up(it, row),
    }
}

/// Whether a job that runs was told that it will be stopped.
pub(super) fn is_noticed(it: &Tables<'_>, row: u32) -> bool {
    let JobRow { state, yields_to, .. } = *it.row(row);
    let comes = yields_to.get().is_some_and(|of| it.row(of).state == State::Comes);
    state == State::Runs && comes
}

/// When those are stopped for whom a job waits that comes.
fn stop_at(it: &Tables<'_>, row: u32) -> Instant {
    it.row(row).since.saturating_add(it.config.notice())
}

/// When a job is stopped that was told so.
pub(super) fn notice_of(it: &Tables<'_>, victim: u32) -> Instant {
    stop_at(it, it.row(victim).yields_to.get().unwrap_or(u32::MAX))
}

/// Why a job is stopped.
pub(super) fn why(it: &Tables<'_>, victim: u32) -> StopReason {
    let of = it.row(it.row(victim).yields_to.get().unwrap_or(u32::MAX));
    let (job, of) = (of.key, UserId(it.users.row(of.user).id));
    match it.config.ranking {
        Ranking::Users => StopReason::Turn { of, job },
        Ranking::Priority => StopReason::Priority { of, job },
    }
}

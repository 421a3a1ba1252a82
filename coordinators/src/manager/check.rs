//! The coordinator's invariants, recomputed.

use super::Ranking;
use super::nodes::is_free;
use super::storage::{Flag, JobRow, OutageRow, State};
use super::tables::Tables;
use super::users::name_of;
use locox::dispatch::{Job, Queue, Standing};
use locox::ground::{Ref, ensure, heap};
use locox::invariant::InvariantViolation;

/// Checks every invariant named at the struct.
pub(super) fn check(it: &Tables<'_>) -> Result<(), InvariantViolation> {
    it.queue.check_invariants()?;
    it.users.lists.slab.check(&*it.users.rows)?;
    it.users.fair.check_invariants()?;
    check_queue(it)?;
    check_nodes(it)?;
    check_users(it)?;
    let due = it.core.due.audit(&*it.jobs, |_, job| job.is_due());
    let marked = it.used_jobs().filter(|(_, job)| job.is_due()).count();
    let deadlines = it.used_jobs().filter(|(_, job)| job.has_deadline()).count();
    ensure(deadlines == it.core.deadlines as usize, "the jobs that have a deadline")?;
    check_reservations(it)?;
    check_rooms(it)?;
    ensure(due.map(|due| due as usize) == Some(marked), "the jobs of which something is to be told")
}

/// A job has a reservation if nodes are kept for it, as many as it needs, for as long as it may run.
fn check_reservations(it: &Tables<'_>) -> Result<(), InvariantViolation> {
    let is_there = |row: &OutageRow| row.nodes > 0 && row.numbers().end <= it.nodes.len();
    ensure(it.outages.planned().iter().all(is_there), "the nodes of outages")?;
    let whose = it.outages.planned().iter().filter_map(|row| row.of.get());
    let is_known = |job: u32| it.row(job).reserved == Flag::Yes;
    ensure({ whose }.all(is_known), "whose reservations are kept")?;
    for (row, job) in it.used_jobs().filter(|(_, job)| job.reserved == Flag::Yes) {
        let kept = || it.outages.kept_for(row);
        let nodes = kept().map(|kept| kept.nodes).fold(0, u32::saturating_add);
        let limit = it.terms(job).requested;
        let lasts = |kept: &OutageRow| kept.to == kept.from.saturating_add(limit);
        let first = it.outages.reservation(row);
        let sound = kept().all(|kept| Some(kept.at()) == first && lasts(kept));
        let waits = job.state == State::Waits && nodes == it.asked(job);
        ensure(sound && waits, "what is kept for a job")?;
    }
    Ok(())
}

/// Nodes are kept for jobs that come, as many as each needs, and who stops does so for one of them, or for one that starts.
fn check_rooms(it: &Tables<'_>) -> Result<(), InvariantViolation> {
    let comes = |job: u32| it.row(job).state == State::Comes;
    let mut whose = it.nodes.rows.iter().filter_map(|node| node.next.get());
    ensure(whose.all(comes), "for whom nodes are kept")?;
    for (row, job) in it.used_jobs() {
        if job.state == State::Comes {
            let is_sound = it.nodes.kept_for(row).count() == it.asked(job) as usize && job.has == 0;
            ensure(is_sound, "the nodes that are kept for a job")?;
        }
        let is_awaited = |of: u32| matches!(it.row(of).state, State::Comes | State::Starts);
        let is_known = job.yields_to.get().map_or(job.state != State::Stops, is_awaited);
        ensure(is_known, "for whom a job stops")?;
    }
    let of_user =
        |user: u32| it.used_jobs().any(|(_, job)| job.user == user && job.state == State::Comes);
    let mut users = it.users.lists.slab.open_rows(&*it.users.rows);
    let by_users = it.config.ranking == Ranking::Users;
    let agrees =
        users.all(|user| !by_users || (it.users.row(user).comes == Flag::Yes) == of_user(user));
    ensure(agrees, "the users whose jobs come")
}

/// The queue knows of each job what its row says.
fn check_queue(it: &Tables<'_>) -> Result<(), InvariantViolation> {
    let (mut jobs, mut agrees) = (0u32, true);
    it.queue.visit(&mut |ticket, job, standing, _| {
        jobs = jobs.saturating_add(1);
        let row = it.row(ticket.handle().index());
        agrees &= row.ticket == ticket && knows(it, row, job, standing);
    });
    ensure(agrees, "the queue knows of each job what its row says")?;
    ensure(jobs == it.core.jobs, "the queue has the jobs of the rows")?;
    ensure(it.used_jobs().count() == jobs as usize, "the count of the jobs")?;
    let name = |row: u32| it.jobs.get(row as usize).map(|job| job.key);
    let found = |(row, job): (u32, &JobRow)| it.index.find(job.key, name) == Some(row);
    ensure(it.used_jobs().all(found), "each job is found by its name")
}

fn knows(it: &Tables<'_>, row: &JobRow, job: Job, standing: Standing) -> bool {
    let stands = match standing {
        Standing::Runs => row.has_nodes() || row.state == State::Comes,
        Standing::Waits => it.is_in_line(row),
        Standing::Held => row.state == State::Waits && !it.is_in_line(row),
        Standing::Reserved => false,
    };
    let terms = it.terms(row);
    // What is to be stopped was taken to end when that was decided.
    let same = terms.requested == job.requested || row.state == State::Stops;
    stands && same && terms.pes == job.pes && (standing == Standing::Runs || has_key(it, row, job))
}

/// Whether a job has the key of a first job, or that of its priority.
fn has_key(it: &Tables<'_>, row: &JobRow, job: Job) -> bool {
    let first = it.users.row(row.user).first.get();
    let is_first = first.and_then(|first| it.jobs.get(first as usize)).is_some_and(|it| it == row);
    if is_first { job.key >> 63 == 0 } else { job.key == it.terms(row).key }
}

/// Each node is in the list of its job, and the queue knows how many are out.
fn check_nodes(it: &Tables<'_>) -> Result<(), InvariantViolation> {
    let mut listed = 0u32;
    for (row, job) in it.used_jobs() {
        let own = job.nodes.audit(&*it.nodes.rows, |_, node| node.job == Ref::to(row));
        let sound = own == Some(job.has) && job.has_nodes() == (job.has > 0);
        ensure(sound, "the nodes of a job are in its list")?;
        listed = listed.saturating_add(job.has);
    }
    let nodes = || (0..).zip(&*it.nodes.rows);
    let given = nodes().filter(|(_, node)| node.job != Ref::NONE).count();
    ensure(given == listed as usize, "a node that has a job is in the list of that")?;
    let mut all = nodes();
    let sound = all.all(|(at, node)| locox::ground::bit(it.nodes.free, 0, at) == is_free(node));
    ensure(sound, "which nodes are free")?;
    let out = nodes().filter(|(_, node)| node.out == Flag::Yes).count() as u32;
    let known = it.nodes.len().saturating_sub(it.queue.in_service());
    ensure(out == known, "the nodes that are out")
}

/// The rows of users count, and have in line, what the rows of jobs say.
fn check_users(it: &Tables<'_>) -> Result<(), InvariantViolation> {
    let users = &it.users;
    let [mut jobs, mut waiting, mut nodes] = [0u32; 3];
    for row in users.lists.slab.open_rows(&*users.rows) {
        let user = users.row(row);
        let name = |row: u32| Some(name_of(users.rows.get(row as usize)?.id));
        ensure(users.index.find(name_of(user.id), name) == Some(row), "each user is found")?;
        let in_line = |at: Ref| {
            let job = at.get().and_then(|at| it.jobs.get(at as usize));
            at == Ref::NONE || job.is_some_and(|job| job.user == row && it.is_in_line(job))
        };
        ensure(in_line(user.line) && in_line(user.first), "the first jobs are the user's")?;
        jobs = jobs.saturating_add(user.jobs);
        waiting = waiting.saturating_add(user.waiting);
        nodes = nodes.saturating_add(user.nodes);
    }
    let due = users.lists.due.audit(&*users.rows, |_, user| user.due == Flag::Yes);
    ensure(due.is_some(), "the users of whom the ranking is to be told")?;
    let [mut lined, mut has] = [0u32; 2];
    for (row, job) in it.used_jobs() {
        has = has.saturating_add(job.has);
        let user = users.row(job.user);
        ensure(user.generation.is_live() && user.jobs > 0, "the user of a job is there")?;
        if it.is_in_line(job) {
            lined = lined.saturating_add(1);
            let belongs = |other: &JobRow| other.user == job.user && it.is_in_line(other);
            let is_top = user.line == Ref::to(row);
            let sound = heap::is_sound(&*it.jobs, (), row, is_top, belongs);
            ensure(sound, "a user's jobs in line are a heap")?;
        }
    }
    let same = (jobs, waiting, nodes) == (it.core.jobs, lined, has);
    ensure(same, "the jobs and nodes of the users")
}

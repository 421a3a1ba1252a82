//! At whose expense: for which job room is made, and who stops for it.
//!
//! Room is made for a job if it can start wholly on the place that becomes free, if it would wait for longer than the patience
//! otherwise, and if the ranking, looked at with whole jobs, has its user before each of those who stop. Of all sets
//! of jobs that may stop it is the one that loses the least work, and by users that is no more than what the job gains: its nodes
//! for as long as it would wait, or for its limit if that is shorter. Nodes that never come free otherwise are worth any loss.

use super::layout::Asked;
use super::places::{Places, remember};
use super::storage::{ENDLESS, FORESEEN, Flag, JobRow, Lies, StakeRow, State};
use super::tables::Tables;
use super::{Preemption, Ranking, room, yields};
use locox::fair::{Demand, StationId};
use locox::ground::{Ref, sort_backwards};
use locox::machine::Stake;
use locox::reserve::Interval;
use locox::time::{Duration, Instant};

/// So many users are looked at in a decision.
const MOST: usize = 16;

/// Jobs for which room could be made, in line.
type Candidates = heapless::Vec<u32, MOST>;

/// The sum of all costs is below this.
const MOST_COST: u128 = 1 << 45;

/// Whether what is asked for starts within the patience, if it runs for so long.
type Known = heapless::Vec<(Asked, Duration, bool), 8>;

/// What is the same for all candidates: the first job in line, and what it is promised; and what is known of those before.
struct Look {
    now: Instant,
    config: Preemption,
    first: u32,
    at: Interval,
    known: Known,
}

/// Makes room for a job, if there is one for which others stop; whether there was one.
///
/// Cost: a look at each user; for each candidate a search, and one for each promise and outage that begins before it would end, but
/// none if another one's answer says it; for each that does not start soon a look at all nodes, and if enough could come free a search
/// or more, and what the least cost takes.
pub(super) fn make(it: &mut Tables<'_>, now: Instant) -> bool {
    let Some(config) = it.config.preempt else { return false };
    let Some((ticket, at)) = it.queue.promised() else { return false };
    let first = ticket.handle().index();
    it.users.tell(now);
    let (all, is_drawn) = (candidates(it, first), it.plan().is_some());
    let Some((asked, mut plan)) = asked(it, first).zip(it.whole_plan()) else { return false };
    if !is_drawn && !all.is_empty() {
        plan.keep_first(ticket, asked, at);
    }
    let mut look = Look { now, config, first, at, known: Known::new() };
    all.iter().any(|&row| make_for(it, row, &mut look))
}

/// The first jobs of users who have nothing, in line; by priority the first job in line.
fn candidates(it: &Tables<'_>, first: u32) -> Candidates {
    let mut all = Candidates::new();
    if it.config.ranking == Ranking::Priority {
        _ = all.push(first);
        return all;
    }
    let lacks = |user: u32| {
        let user = it.users.row(user);
        user.waiting > 0 && user.nodes == 0 && user.comes == Flag::No
    };
    let mut left = (0..it.users.lists.slab.used()).filter(|&user| lacks(user)).count();
    let mut line = it.queue.line().map(|(ticket, _)| ticket.handle().index());
    while left > 0
        && let Some(row) = line.next()
    {
        let user = it.row(row).user;
        if it.users.row(user).line == Ref::to(row) && lacks(user) {
            left = left.saturating_sub(1);
            if all.push(row).is_err() {
                break;
            }
        }
    }
    all
}

fn asked(it: &Tables<'_>, row: u32) -> Option<Asked> {
    it.places.as_ref()?.layout.asked(it.row(row))
}

fn make_for(it: &mut Tables<'_>, row: u32, look: &mut Look) -> bool {
    let Look { now, config, first, at, .. } = *look;
    let (size, by_users) = (it.asked(it.row(row)), it.config.ranking == Ranking::Users);
    let limit = it.terms(it.row(row)).requested;
    if starts_soon(it, row, look)
        || draw_stakes(it, now, row, &config) < size.saturating_sub(it.nodes.count_free()).max(1)
    {
        return false;
    }
    let end = yields::end_of_room(now, config.notice, limit);
    let beside = row != first && end > at.start;
    let Some((asked, mut plan)) = asked(it, row).zip(it.whole_plan()) else { return false };
    if !plan.make_room(&asked, end, beside) {
        return false;
    }
    let lost = lost_in_all(plan.jobs, plan.places, now);
    // When it starts otherwise need not be known if it is worth that from the patience on.
    if by_users && lost > node_time(size, config.patience.min(limit)) {
        let own = Some(at.start).filter(|_| row == first);
        let start = own.or_else(|| plan.start_beside(&asked, limit, None));
        let foreseen = start.filter(|start| *start < now.saturating_add(FORESEEN));
        let gained = foreseen.map(|start| start.since(now).unwrap_or(Duration::ZERO).min(limit));
        if gained.is_some_and(|gained| lost > node_time(size, gained)) {
            return false;
        }
    }
    room::keep(it, now, row, config.notice);
    true
}

/// Whether a job starts within the patience if nobody stops for it.
fn starts_soon(it: &mut Tables<'_>, row: u32, look: &mut Look) -> bool {
    let latest = look.now.saturating_add(look.config.patience);
    if row == look.first {
        return look.at.start <= latest;
    }
    let limit = it.terms(it.row(row)).requested;
    let Some((asked, mut plan)) = asked(it, row).zip(it.whole_plan()) else { return false };
    let layout = &plan.places.layout;
    let says = |(other, time, starts): &&(Asked, Duration, bool)| match starts {
        true => layout.covers(other, &asked) && limit <= *time,
        false => layout.covers(&asked, other) && limit >= *time,
    };
    if let Some((.., starts)) = look.known.iter().find(says) {
        return *starts;
    }
    let starts = plan.start_beside(&asked, limit, Some(latest)).is_some();
    remember(&mut look.known, (asked, limit, starts));
    starts
}

/// What those lose who stop.
fn lost_in_all(jobs: &[JobRow], places: &mut Places<'_>, now: Instant) -> u128 {
    let stakes = places.stakes.rows().iter().filter(|stake| stake.yields);
    let stopped = stakes.filter_map(|stake| jobs.get(stake.of as usize));
    stopped.map(|job| lost(now, job)).fold(0, u128::saturating_add)
}

/// What a job has done that is not saved, in ticks of nodes.
pub(super) fn lost(now: Instant, job: &JobRow) -> u128 {
    node_time(job.has, now.since(job.since.max(job.saved)).unwrap_or(Duration::ZERO))
}

fn node_time(nodes: u32, time: Duration) -> u128 {
    u128::from(time.ticks()).saturating_mul(nodes.into())
}

/// Draws who could stop for a job, by their rows; how many nodes they have.
fn draw_stakes(it: &mut Tables<'_>, now: Instant, row: u32, config: &Preemption) -> u32 {
    let Tables { jobs, nodes, places, users, config: all, .. } = &mut *it;
    let Some(places) = places else { return 0 };
    let own = jobs.get(row as usize).copied().unwrap_or(JobRow::EMPTY);
    places.stakes.clear();
    let by_priority = all.ranking == Ranking::Priority;
    let may_stop = |job: &JobRow| {
        let run = now.since(job.since).unwrap_or(Duration::ZERO);
        let is_protected =
            job.protected == Flag::Yes && job.limit < ENDLESS && run < config.protection;
        let is_free = job.firm == Flag::No && job.yields_to == Ref::NONE && !is_protected;
        let lasts =
            job.since.saturating_add(job.limit.min(ENDLESS)) > now.saturating_add(config.patience);
        let is_behind = !by_priority || job.priority < own.priority;
        job.state == State::Runs && is_free && run >= config.least_run && lasts && is_behind
    };
    let may_stop = |row: &u32| jobs.get(*row as usize).is_some_and(may_stop);
    for row in nodes.holders(jobs).filter(may_stop) {
        places.stakes.add(Stake::new(Lies::Apart, row, 0));
    }
    let job_of = |stake: &StakeRow| jobs.get(stake.of as usize).unwrap_or(&JobRow::EMPTY);
    if !by_priority {
        // With whole jobs: the user of this one has its nodes, and each other none of those that he may lose.
        let most = |nodes: u32| u16::try_from(nodes).unwrap_or(u16::MAX);
        let holds =
            most(places.layout.asked(&own).map_or(own.wants, |asked| places.layout.size(&asked)));
        let ours = users.fair.index_ahead_with(StationId(own.user), Demand { wants: 0, holds });
        let user_of = |stake: &StakeRow| job_of(stake).user;
        sort_backwards(places.stakes.rows(), |one, other| user_of(one) > user_of(other));
        // By hand: `chunk_by_mut` has a panic path.
        let mut rest = places.stakes.rows();
        while let Some(user) = rest.first().map(user_of) {
            let count = rest.iter().take_while(|stake| user_of(stake) == user).count();
            let (its, others) = rest.split_at_mut_checked(count).unwrap_or_default();
            rest = others;
            let loses = its.iter().map(|stake| job_of(stake).has).fold(0, u32::saturating_add);
            let holds = most(users.row(user).nodes.saturating_sub(loses));
            let theirs = users.fair.index_ahead_with(StationId(user), Demand { wants: 1, holds });
            its.iter_mut().for_each(|stake| stake.yields = theirs > ours);
        }
        places.stakes.retain_yielding();
    }
    let rows = places.stakes.rows();
    sort_backwards(rows, |one, other| one.of > other.of);
    let all = rows.iter().map(|stake| job_of(stake).has).fold(0, u32::saturating_add);
    price(rows, jobs, now);
    all
}

/// Says of each who could stop what he loses, scaled so that the sum is small enough.
pub(super) fn price(rows: &mut [StakeRow], jobs: &[JobRow], now: Instant) {
    let cost = |stake: &StakeRow| jobs.get(stake.of as usize).map_or(0, |job| lost(now, job));
    let all = rows.iter().map(cost).fold(0, u128::saturating_add);
    let shift = (0..).find(|&shift| all >> shift < MOST_COST).unwrap_or(0);
    rows.iter_mut().for_each(|stake| stake.cost = ((cost(stake) >> shift) as u64).max(1));
}

//! What is to be done where the manager has the last word: the jobs at the head of the line get ranks above all
//! others, in the order of the line.

use crate::acts::leave;
use crate::backend::{Act, BASE, JobSeen, State, TOP};
use crate::planned::Planned;
use crate::seen::Seen;
use locox_coordinators::manager::{Coordinator, Status};
use std::collections::HashSet;

/// From one rank to the next, so that others fit in between.
const GAP: u32 = 1_000_000;

/// What is to be done: other ranks at the head of the line; and jobs that are behind it, or have a gate, are given
/// back. Ranks that are in order stay. Jobs that are left to the manager stand behind all that came before them, so that
/// they do not wait for ever.
///
/// Cost: all jobs.
pub(crate) fn advisory(manager: &Coordinator<'_>, seen: &Seen<'_>, advised: u32) -> Vec<Planned> {
    let head = head(manager, seen, advised as usize);
    let mut planned = vec![];
    for job in seen.jobs.iter().filter(|job| job.is_gated() || job.waits() && job.job.changed) {
        let why = if job.is_gated() {
            "nothing is gated in advisory mode"
        } else {
            "it gets back what was changed of its request"
        };
        planned.push(release(job.job, why));
    }
    let left = seen.left.iter().filter(|left| {
        matches!(left.job.state, State::Waits { gated: true, .. })
            || left.job.waits() && left.job.changed
    });
    planned.extend(left.map(leave));
    let now: Vec<u32> = head.iter().map(|job| job.rank).collect();
    for ((place, job), (rank, was)) in (1..).zip(&head).zip(ranks(&now).into_iter().zip(now)) {
        if rank != was {
            let act = Act::Prioritise { job: job.name.clone(), rank };
            planned.push(Planned { act, key: job.key(), why: format!("place {place} in line") });
        }
    }
    let is_head: HashSet<u64> = head.iter().map(|job| job.id).collect();
    let all = seen.jobs.iter().map(|job| job.job).chain(seen.left.iter().map(|left| left.job));
    let behind = all.filter(|job| {
        let is_open = matches!(job.state, State::Waits { gated: false, .. }) && !job.changed;
        is_open && job.rank >= BASE && !is_head.contains(&job.id)
    });
    planned.extend(behind.map(|job| release(job, "others are before it")));
    planned.truncate(crate::acts::MOST);
    planned
}

fn release(job: &JobSeen, why: &str) -> Planned {
    Planned { act: Act::Release { job: job.name.clone() }, key: job.key(), why: why.into() }
}

/// The first jobs that wait: those that were decided, in the order of the decisions, then the line, with those that are
/// left to the manager in between.
fn head<'a>(manager: &Coordinator<'_>, seen: &Seen<'a>, most: usize) -> Vec<&'a JobSeen> {
    let known = seen.jobs.iter().filter_map(|job| Some((manager.job(job.key)?, job)));
    let mut decided: Vec<_> = known.filter(|(known, _)| known.status == Status::Starting).collect();
    decided.sort_by_key(|(known, _)| (known.since, known.key.born, known.key.id));
    let decided = decided.into_iter().map(|(_, job)| job);
    let line = manager.line().filter_map(|key| seen.find(key));
    let line = decided.chain(line).map(|job| job.job).filter(|job| waits_open(job));
    let mut left: Vec<&JobSeen> =
        seen.left.iter().map(|left| left.job).filter(|job| waits_open(job)).collect();
    if left.is_empty() {
        return line.take(most).collect();
    }
    left.sort_by_key(|job| (job.born, job.id));
    joined(line.collect(), left, most)
}

/// Whether a job waits and is not held.
const fn waits_open(job: &JobSeen) -> bool {
    matches!(job.state, State::Waits { held: false, .. })
}

/// The first `most` of a line in which each of `left`, which are ordered by age, stands behind the last of `line` that is
/// not younger.
fn joined<'a>(line: Vec<&'a JobSeen>, left: Vec<&'a JobSeen>, most: usize) -> Vec<&'a JobSeen> {
    let mut oldest: Vec<u32> = line.iter().map(|job| job.born).collect();
    for at in (1..oldest.len()).rev() {
        oldest[at - 1] = oldest[at - 1].min(oldest[at]);
    }
    let mut left = left.into_iter().peekable();
    let mut all = Vec::with_capacity(line.len());
    for (job, oldest) in line.into_iter().zip(oldest) {
        while let Some(before) = left.next_if(|left| left.born < oldest) {
            all.push(before);
        }
        all.push(job);
    }
    all.extend(left);
    all.truncate(most);
    all
}

/// Ranks that fall, as many as possible of them as they are.
fn ranks(now: &[u32]) -> Vec<u32> {
    let mut ranks = Vec::with_capacity(now.len());
    let mut above = TOP;
    for (at, rank) in now.iter().enumerate() {
        let new = if (BASE..above).contains(rank) {
            *rank
        } else {
            between(above, now.iter().skip(at + 1).find(|next| (BASE..above).contains(*next)))
        };
        if new < BASE || new >= above {
            return (1..=now.len() as u32).map(|place| TOP - place * GAP).collect();
        }
        ranks.push(new);
        above = new;
    }
    ranks
}

/// A rank below `above`, and above the next one that could stay.
fn between(above: u32, next: Option<&u32>) -> u32 {
    let step = next.map_or(GAP, |next| GAP.min((above - next) / 2));
    above.saturating_sub(step)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn changed(now: &[u32]) -> usize {
        let ranks = ranks(now);
        assert!(ranks.is_sorted_by(|one, next| one > next), "{ranks:?}");
        assert!(ranks.iter().all(|rank| (BASE..TOP).contains(rank)));
        ranks.iter().zip(now).filter(|(new, was)| new != was).count()
    }

    #[test]
    fn ranks_fall_and_few_change() {
        let first = ranks(&[0; 100]);
        assert_eq!(changed(&first), 0);
        assert_eq!(changed(&first[1..]), 0, "the head has started");
        let mut joined = first.clone();
        joined.push(5);
        assert_eq!(changed(&joined), 1, "one more at the end");
        for at in 0..100 {
            let mut between = first.clone();
            between.insert(at, 7);
            assert_eq!(changed(&between), 1, "one more at {at}");
            let mut moved = first.clone();
            let one = moved.remove(at);
            moved.push(one);
            assert!(changed(&moved) <= 2, "the one at {at} is last now: {}", changed(&moved));
        }
    }

    #[test]
    fn whatever_the_ranks_are_new_ones_fall() {
        for now in
            [&[BASE, BASE, BASE][..], &[BASE + 1, BASE, 0], &[u32::MAX, TOP, 0], &[BASE; 1000]]
        {
            changed(now);
        }
    }

    #[test]
    fn who_is_left_to_the_manager_stands_behind_all_that_came_before() {
        let job = |id: u64, born: u32| JobSeen {
            id,
            born,
            name: id.to_string(),
            user: 0,
            owner: String::new(),
            nodes: 1,
            sides: [0; 3],
            limit: 1,
            deadline: None,
            priority: 0,
            rank: 0,
            governed: true,
            left: None,
            refused: None,
            kind: String::new(),
            changed: false,
            firm: false,
            state: State::Waits { gated: false, held: false },
            reason: String::new(),
        };
        let line = [job(1, 10), job(2, 50), job(3, 20), job(4, 60)];
        let left = [job(11, 5), job(12, 20), job(13, 55), job(14, 70)];
        let order = |most| {
            let all = joined(line.iter().collect(), left.iter().collect(), most);
            all.iter().map(|job| job.id).collect::<Vec<_>>()
        };
        assert_eq!(order(9), [11, 1, 2, 3, 12, 13, 4, 14]);
        assert_eq!(order(2), [11, 1]);
    }
}

//! Queues whose jobs are moved to other storage.

use locox::dispatch::{Backfill, Entry, Fcfs, Job, Ordered, Patience, Queue, Slot};
use locox::handle::PoolId;
use locox::reserve::SetupError;
use locox::time::{Duration, Instant};

fn job(id: u32) -> Job {
    Job::new(id, 1 + id % 7).within(Duration::from_ticks((10 + u64::from(id) * 13 % 40).max(1)))
}

/// What starts when, in a queue where at most `entries` jobs wait or run that is told before each arrival
/// how many there are.
fn starts<Q: Queue>(
    queue: &mut Q,
    mut before_arrival: impl FnMut(&mut Q, usize),
) -> Vec<(u64, u32)> {
    let (mut starts, mut running, mut free) = (vec![], vec![], 8);
    for now in 0..600 {
        let time = Instant::from_ticks(now);
        running.retain(|&(end, pes, ticket)| {
            if end == now {
                queue.finished(time, ticket).unwrap();
                free += pes;
            }
            end != now
        });
        if now % 5 == 0 {
            before_arrival(queue, queue.len() + running.len());
            queue.push(time, job(now as u32 / 5)).unwrap();
        }
        let mut start = |job: Job| {
            let fits = job.pes <= free;
            free -= if fits { job.pes } else { 0 };
            fits
        };
        while let Some((ticket, job)) = queue.next(time, &mut start) {
            running.push((now + job.requested.ticks(), job.pes, ticket));
            starts.push((now, job.id));
        }
        queue.check_invariants().unwrap();
    }
    starts
}

#[test]
fn a_queue_that_is_moved_whenever_it_is_full_decides_as_one_with_room() {
    let easy = |entries| Backfill::easy(PoolId(0), 8, vec![Entry::EMPTY; entries]);
    let mut entries = 1;
    let growing = starts(&mut easy(entries), |queue, jobs| {
        if jobs == entries {
            entries += 3;
            assert!(queue.move_into(vec![Entry::EMPTY; entries]).is_ok());
        }
    });
    assert_eq!(growing, starts(&mut easy(200), |_, _| ()));
    assert!(entries > 10, "the line grew");

    let fcfs = |slots| Ordered::new(PoolId(0), vec![Slot::EMPTY; slots], Fcfs, Patience::ENDLESS);
    let mut slots = 1;
    let growing = starts(&mut fcfs(slots), |queue, jobs| {
        if jobs == slots {
            slots += 3;
            assert!(queue.move_into(vec![Slot::EMPTY; slots]).is_ok());
        }
    });
    assert_eq!(growing, starts(&mut fcfs(200), |_, _| ()));
}

#[test]
fn a_conservative_queue_has_no_more_entries_than_its_words_are_for() {
    let words = || vec![0; Backfill::words(8, 200)];
    let queue = |entries: usize| {
        let entries = vec![Entry::EMPTY; entries];
        Backfill::conservative_up_to(PoolId(0), 8, words(), entries, 200).unwrap()
    };
    let mut entries = 1;
    let growing = starts(&mut queue(entries), |queue, jobs| {
        if jobs == entries {
            entries = (entries * 2).min(200);
            assert!(queue.move_into(vec![Entry::EMPTY; entries]).is_ok());
        }
    });
    assert_eq!(growing, starts(&mut queue(200), |_, _| ()));
    let too_many = vec![Entry::EMPTY; 201];
    let refused = Backfill::conservative_up_to(PoolId(0), 8, words(), too_many, 200);
    assert_eq!(refused.err(), Some(SetupError::Limits));
    assert_eq!(queue(5).move_into(vec![Entry::EMPTY; 201]).map_err(|it| it.len()).err(), Some(201));
}

#[test]
fn entries_that_have_been_in_use_are_not_left_behind() {
    let mut easy = Backfill::easy(PoolId(0), 8, vec![Entry::EMPTY; 3]);
    let tickets = [1, 2].map(|id| easy.push(Instant::ZERO, job(id)).unwrap());
    assert!(easy.move_into(vec![Entry::EMPTY; 1]).is_err());
    assert_eq!(easy.cancel(Instant::ZERO, tickets[1]), Ok(job(2)));
    let old = easy.move_into(vec![Entry::EMPTY; 2]);
    assert_eq!(old.map(|old| old.len()).ok(), Some(3));
    easy.cancel(Instant::ZERO, tickets[1]).unwrap_err();
    assert_eq!(easy.cancel(Instant::ZERO, tickets[0]), Ok(job(1)));
    easy.check_invariants().unwrap();
}

//! A limit for each user: what is asked of it is what the queue behind it says.

use locox::bits::Word;
use locox::dispatch::{
    Backfill, Conservative, Entry, Fcfs, Job, Misuse, Ordered, Patience, Queue, Slot, Standing,
    UserLimit, UserRow,
};
use locox::handle::PoolId;
use locox::reserve::Interval;
use locox::time::{Duration, Instant};
use std::num::NonZeroU32;

const JOBS: usize = 4;

fn at(ticks: u64) -> Instant {
    Instant::from_ticks(ticks)
}

fn job(id: u32) -> Job {
    Job::new(id, 8).within(Duration::from_ticks(10))
}

fn conservative() -> Backfill<Conservative<Vec<Word>>, Vec<Entry>> {
    let words = vec![0; Backfill::words(8, JOBS)];
    Backfill::conservative(PoolId(0), 8, words, vec![Entry::EMPTY; JOBS]).unwrap()
}

fn limited<Q: Queue>(queue: Q) -> UserLimit<Q, fn(u32) -> u32, Vec<UserRow>> {
    // The last digit of a job's number is its user.
    UserLimit::new(queue, vec![UserRow::EMPTY; JOBS], NonZeroU32::MIN, |id| id % 10, at(0))
}

#[test]
fn a_limit_has_the_name_of_its_queue() {
    assert_eq!(limited(conservative()).name(), "conservative");
    let fcfs = Ordered::new(PoolId(0), vec![Slot::EMPTY; JOBS], Fcfs, Patience::ENDLESS);
    assert_eq!(limited(fcfs).name(), "fcfs");
}

#[test]
fn a_limit_says_when_jobs_are_planned_and_when_to_ask_again() {
    let mut queue = limited(conservative());
    assert_eq!((queue.len(), queue.is_empty(), queue.wake_at()), (0, true, None));
    let tickets = [1, 2, 3].map(|id| queue.push(at(0), job(id)).unwrap());
    assert_eq!((queue.len(), queue.is_empty()), (3, false));
    queue.next(at(0), &mut |_| true).unwrap();
    assert_eq!(queue.len(), 2);
    assert_eq!(queue.wake_at(), Some(at(10)));
    let planned = tickets.map(|it| queue.planned(it).unwrap().map(|it| it.start));
    assert_eq!(planned, [0, 10, 20].map(|start| Some(at(start))));
    // A second job of user 2 has no interval while the first one runs.
    queue.finished(at(10), tickets[0]).unwrap();
    queue.next(at(10), &mut |_| true).unwrap();
    let second = queue.push(at(10), job(12)).unwrap();
    assert_eq!(queue.planned(second), Ok(None::<Interval>));
    let mut standing = vec![];
    queue.visit(&mut |_, job, stands, number| standing.push((job.id, stands, number)));
    standing.sort_by_key(|&(.., number)| number);
    let (runs, waits, held) = (Standing::Runs, Standing::Waits, Standing::Held);
    assert_eq!(standing, [(2, runs, 1), (3, waits, 2), (12, held, 3)]);
}

#[test]
fn a_job_behind_a_limit_gets_another_key() {
    let fcfs = Ordered::new(PoolId(0), vec![Slot::EMPTY; JOBS], Fcfs, Patience::ENDLESS);
    let mut queue = limited(fcfs);
    let first = queue.push(at(0), job(1)).unwrap();
    queue.push(at(0), job(2)).unwrap();
    assert_eq!(queue.rekey(at(0), first, 7), Ok(()));
    assert_eq!(queue.next(at(0), &mut |_| true).map(|(_, job)| job.id), Some(2));
    assert_eq!(queue.next(at(0), &mut |_| true).map(|(_, job)| job.id), Some(1));
    assert_eq!(queue.rekey(at(0), first, 0), Err(Misuse::Runs));
}

//! No more jobs of a user run than may, whatever he and others do, and nobody else is held.

use locox::dispatch::{
    Backfill, Entry, Fcfs, Job, Misuse, Ordered, Patience, Queue, Refusal, Slot, Standing, Ticket,
    UserLimit, UserRow,
};
use locox::handle::{Epoch, PoolId};
use locox::time::{Duration, Instant};
use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};
use std::num::NonZeroU32;

const NOW: Instant = Instant::ZERO;
const JOBS: usize = 12;
const MOST: NonZeroU32 = NonZeroU32::new(2).unwrap();

fn user_of(id: u32) -> u32 {
    id % 3
}

/// A job as the rule sees it.
#[derive(Clone, Copy, PartialEq)]
enum State {
    Waits,
    Held,
    Runs,
    Gone,
}

/// Jobs by the order in which they came, each in a state: first come, first served.
#[derive(Default)]
struct Naive(Vec<State>);

impl Naive {
    fn running(&self, user: u32) -> usize {
        let runs = |(id, &state): (u32, &State)| state == State::Runs && user_of(id) == user;
        (0..).zip(&self.0).filter(|&it| runs(it)).count()
    }

    fn next(&self) -> Option<usize> {
        let may = |&id: &usize| {
            self.0[id] == State::Waits && self.running(user_of(id as u32)) < MOST.get() as usize
        };
        (0..self.0.len()).find(may)
    }

    fn present(&self) -> usize {
        self.0.iter().filter(|&&state| state != State::Gone).count()
    }
}

fn random_walk(queue: impl Queue, seed: u64) {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut queue = UserLimit::new(queue, [UserRow::EMPTY; JOBS], MOST, user_of, NOW);
    let (mut naive, mut tickets) = (Naive::default(), Vec::<Ticket>::new());
    for _ in 0..400 {
        let pick = random.random_range(0..=tickets.len().saturating_sub(1));
        let state = naive.0.get(pick).copied();
        match (random.random_range(0..8), state) {
            (0 | 1, _) => {
                let job = Job::new(tickets.len() as u32, 1).within(Duration::from_ticks(5));
                let pushed = queue.push(NOW, job);
                if naive.present() == JOBS {
                    let entries = JOBS as u32;
                    assert_eq!(pushed, Err(Refusal::Full { entries }.into()));
                } else {
                    tickets.push(pushed.unwrap());
                    naive.0.push(State::Waits);
                }
            }
            // Above the limit, too: it runs already.
            (7, _) if naive.present() < JOBS && random.random_range(0..3) == 0 => {
                let job = Job::new(tickets.len() as u32, 1).within(Duration::from_ticks(5));
                tickets.push(queue.adopt(NOW, job, NOW).unwrap());
                naive.0.push(State::Runs);
            }
            (2, _) => {
                let started = queue.next(NOW, &mut |_| true).map(|(_, job)| job.id as usize);
                assert_eq!(started, naive.next(), "seed {seed}");
                started.into_iter().for_each(|id| naive.0[id] = State::Runs);
            }
            (3, Some(State::Runs)) => {
                queue.finished(NOW, tickets[pick]).unwrap();
                naive.0[pick] = State::Gone;
            }
            (3, Some(State::Waits | State::Held)) => {
                queue.cancel(NOW, tickets[pick]).unwrap();
                naive.0[pick] = State::Gone;
            }
            (4, Some(State::Runs)) => {
                assert_eq!(queue.hold(NOW, tickets[pick]), Err(Misuse::Runs));
                queue.requeue(NOW, tickets[pick]).unwrap();
                naive.0[pick] = State::Waits;
            }
            (5, Some(State::Waits | State::Held)) => {
                queue.hold(NOW, tickets[pick]).unwrap();
                naive.0[pick] = State::Held;
            }
            (6, Some(State::Waits | State::Held)) => {
                queue.release(NOW, tickets[pick]).unwrap();
                naive.0[pick] = State::Waits;
            }
            _ => {}
        }
        queue.check_invariants().unwrap();
    }
}

#[test]
fn the_next_to_start_is_the_first_whose_user_may_run_one_more() {
    for seed in 0..40 {
        let slots = [Slot::EMPTY; JOBS];
        random_walk(Ordered::new(PoolId(0), slots, Fcfs, Patience::ENDLESS), seed);
        random_walk(Backfill::easy(PoolId(0), 100, [Entry::EMPTY; JOBS]), seed);
    }
}

#[test]
fn a_limit_in_front_of_a_queue_that_is_not_empty_counts_what_runs() {
    let mut queue = Backfill::easy(PoolId(0), 10, [Entry::EMPTY; JOBS]);
    for id in [0, 3, 6, 9, 1] {
        queue.push(NOW, Job::new(id, 1).within(Duration::from_ticks(5))).unwrap();
    }
    let first = [queue.next(NOW, &mut |_| true), queue.next(NOW, &mut |_| true)];
    let [first, _] = first.map(|it| it.unwrap().0);
    let mut queue = UserLimit::new(queue, [UserRow::EMPTY; JOBS], MOST, user_of, NOW);
    assert_eq!(queue.next(NOW, &mut |_| true).map(|(_, job)| job.id), Some(1));
    assert_eq!(queue.next(NOW, &mut |_| true), None);
    let mut held = vec![];
    queue.visit(&mut |_, job, standing, number| {
        if standing == Standing::Held {
            held.push((job.id, number));
        }
    });
    assert_eq!(held, [(6, 2), (9, 3)]);
    queue.finished(NOW, first).unwrap();
    assert_eq!(queue.next(NOW, &mut |_| true).map(|(_, job)| job.id), Some(6));
    assert_eq!(queue.queue_mut().withdraw(NOW, 2), Ok(()));
    assert_eq!(queue.queue().in_service(), 8);
}

#[test]
fn a_limit_counts_anew_after_the_queue_behind_it_was_restored() {
    let easy = || Backfill::easy(PoolId(0), 10, [Entry::EMPTY; JOBS]);
    let limited = |queue| UserLimit::new(queue, [UserRow::EMPTY; JOBS], MOST, user_of, NOW);
    let mut before = limited(easy());
    for id in [0, 3, 6, 1] {
        before.push(NOW, Job::new(id, 1).within(Duration::from_ticks(5))).unwrap();
    }
    let first = before.next(NOW, &mut |_| true).unwrap();
    before.next(NOW, &mut |_| true).unwrap();
    let mut image = vec![];
    before.queue().export(&mut |word| image.push(word));

    let mut after = limited(easy());
    after.push(NOW, Job::new(2, 1).within(Duration::from_ticks(5))).unwrap();
    after.queue_mut().restore(image, Epoch(1)).unwrap();
    after.recount(NOW);
    after.check_invariants().unwrap();
    assert_eq!(after.next(NOW, &mut |_| true).map(|(_, job)| job.id), Some(1));
    assert_eq!(after.next(NOW, &mut |_| true), None, "job 6 is the third of its user");
    after.finished(NOW, first.0).unwrap();
    assert_eq!(after.next(NOW, &mut |_| true).map(|(_, job)| job.id), Some(6));
}

#[test]
fn a_queue_whose_limit_is_taken_away_keeps_its_jobs() {
    let queue = Backfill::easy(PoolId(0), 10, [Entry::EMPTY; JOBS]);
    let mut limited = UserLimit::new(queue, [UserRow::EMPTY; JOBS], MOST, user_of, NOW);
    let push = |id| Job::new(id, 1).within(Duration::from_ticks(5));
    let tickets = [0, 3, 6].map(|id| limited.push(NOW, push(id)).unwrap());
    limited.next(NOW, &mut |_| true).unwrap();
    limited.next(NOW, &mut |_| true).unwrap();
    let mut queue = limited.into_queue();
    assert_eq!(queue.next(NOW, &mut |_| true), None, "what was held remains held");
    queue.release(NOW, tickets[2]).unwrap();
    assert_eq!(queue.next(NOW, &mut |_| true).map(|(_, job)| job.id), Some(6));
}

#[test]
fn a_job_that_is_adopted_without_a_row_for_it_has_not_come() {
    let queue = Backfill::easy(PoolId(0), 10, [Entry::EMPTY; JOBS]);
    let mut limited = UserLimit::new(queue, [UserRow::EMPTY; 1], MOST, user_of, NOW);
    let job = |id| Job::new(id, 6).within(Duration::from_ticks(5));
    let first = limited.adopt(NOW, job(0), NOW).unwrap();
    let small = Job::new(1, 1).within(Duration::from_ticks(5));
    assert_eq!(limited.adopt(NOW, small, NOW), Err(Refusal::Full { entries: 1 }.into()));
    limited.finished(NOW, first).unwrap();
    limited.adopt(NOW, job(2), NOW).unwrap();
    limited.check_invariants().unwrap();
}

#[test]
fn a_row_that_is_missing_is_a_full_queue() {
    let queue = Backfill::easy(PoolId(0), 10, [Entry::EMPTY; 3]);
    let mut queue = UserLimit::new(queue, [UserRow::EMPTY; 1], MOST, user_of, NOW);
    let job = Job::new(0, 1).within(Duration::from_ticks(5));
    assert!(queue.push(NOW, job).is_ok());
    assert_eq!(queue.push(NOW, job), Err(Refusal::Full { entries: 1 }.into()));
    assert_eq!(queue.len(), 1);
}

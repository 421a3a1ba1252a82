//! The rules of each queue discipline, and that nobody starves.

use locox::dispatch::{
    Discipline, Fcfs, Job, Lazy, Misuse, Ordered, Patience, Queue, Refusal, Scan, Slot, Ticket,
    Window,
};
use locox::handle::{self, PoolId};
use locox::time::Instant;
use std::collections::VecDeque;

/// None of these queues looks at the time.
const NOW: Instant = Instant::ZERO;

/// A job of the largest size of a class.
fn job(id: u32, class: u8) -> Job {
    Job::new(id, 1 << class)
}

/// A queue in which jobs of these sizes came one after the other, numbered from 0.
fn queued<D: Discipline>(discipline: D, classes: &[u8]) -> Ordered<D, [Slot; 16]> {
    let mut queue = Ordered::new(PoolId(0), [Slot::EMPTY; 16], discipline, Patience::ENDLESS);
    for (id, &dim) in (0..).zip(classes) {
        queue.push(NOW, job(id, dim)).unwrap();
    }
    queue
}

/// The jobs offered, none of which is taken.
fn offered(queue: &mut dyn Queue) -> Vec<u32> {
    let mut ids = vec![];
    let mut refuse = |job: Job| {
        ids.push(job.id);
        false
    };
    assert_eq!(queue.next(NOW, &mut refuse), None);
    ids
}

fn take(queue: &mut dyn Queue) -> (Ticket, u32) {
    let (ticket, job) = queue.next(NOW, &mut |_| true).unwrap();
    (ticket, job.id)
}

/// The order in which jobs leave if each starts at once and none ends.
fn order(queue: &mut dyn Queue) -> Vec<u32> {
    std::iter::from_fn(|| queue.next(NOW, &mut |_| true)).map(|(_, job)| job.id).collect()
}

#[test]
fn first_come_first_served_offers_the_oldest_job_only() {
    let mut queue = queued(Fcfs, &[5, 0, 3]);
    assert_eq!(queue.name(), "fcfs");
    assert_eq!(offered(&mut queue), [0]);
    assert_eq!(order(&mut queue), [0, 1, 2]);
    assert!(queue.is_empty());
}

#[test]
fn a_window_offers_the_oldest_few_in_order() {
    let mut queue = queued(Window::of(3), &[5, 4, 3, 2, 1]);
    assert_eq!(queue.name(), "window");
    assert_eq!(offered(&mut queue), [0, 1, 2]);
    assert_eq!(queue.next(NOW, &mut |job| job.id == 1).map(|(_, job)| job.id), Some(1));
    assert_eq!(offered(&mut queue), [0, 2, 3]);
    assert_eq!(offered(&mut queued(Window::of(0), &[5, 4])), [0]);
}

#[test]
fn scan_up_empties_one_size_after_the_other_in_rising_order() {
    let mut queue = queued(Scan::up(), &[3, 1, 2, 1]);
    assert_eq!(queue.name(), "scan-up");
    assert_eq!(order(&mut queue), [1, 3, 2, 0]);
}

#[test]
fn scan_down_empties_one_size_after_the_other_in_falling_order() {
    let mut queue = queued(Scan::down(), &[1, 3, 2, 3]);
    assert_eq!(queue.name(), "scan-down");
    assert_eq!(order(&mut queue), [1, 3, 2, 0]);
}

#[test]
fn scan_waits_for_room_and_serves_newcomers_of_the_size_at_hand() {
    let mut queue = queued(Scan::up(), &[2, 4]);
    assert_eq!(offered(&mut queue), [0], "the other size is not offered");
    queue.push(NOW, job(7, 2)).unwrap();
    queue.push(NOW, job(8, 1)).unwrap();
    assert_eq!(order(&mut queue), [0, 7, 1, 8], "round and round");
}

#[test]
fn lazy_holds_a_job_back_while_another_of_its_size_runs() {
    let mut queue = queued(Lazy::beyond(u32::MAX), &[2, 2, 3, 2, 3]);
    assert_eq!(queue.name(), "lazy");
    assert_eq!(offered(&mut queue), [0, 2], "the first of each size, the oldest first");
    let ((two, first), (three, second)) = (take(&mut queue), take(&mut queue));
    assert_eq!((first, second), (0, 2));
    assert!(offered(&mut queue).is_empty());
    assert_eq!(queue.finished(NOW, three), Ok(job(2, 3)));
    assert_eq!(offered(&mut queue), [4]);
    assert_eq!(queue.finished(NOW, two), Ok(job(0, 2)));
    assert_eq!(offered(&mut queue), [1, 4]);
}

#[test]
fn lazy_does_not_hold_back_a_line_beyond_its_backlog() {
    let mut queue = queued(Lazy::beyond(1), &[2, 2, 2]);
    assert_eq!(order(&mut queue), [0, 1], "the last one alone in its line is held back");
}

#[test]
fn lazy_keeps_count_whatever_ends_that_does_not_run() {
    let mut queue = queued(Lazy::beyond(u32::MAX), &[2]);
    let other = queue.push(NOW, job(9, 2)).unwrap();
    assert_eq!(queue.finished(NOW, other), Err(Misuse::Waits));
    let (first, _) = take(&mut queue);
    assert!(offered(&mut queue).is_empty());
    assert_eq!(queue.finished(NOW, other), Err(Misuse::Waits));
    assert!(offered(&mut queue).is_empty());
    queue.finished(NOW, first).unwrap();
    assert_eq!(queue.finished(NOW, first), Err(Misuse::Handle(handle::Misuse::Stale)));
    assert_eq!(offered(&mut queue), [9]);
}

/// A machine of eight nodes under a discipline, with a job of eight nodes that waits while jobs
/// of these sizes come, so many each round. Rounds until the large job starts, and how many jobs
/// that came later started before it.
fn rounds_until_the_large_job_starts<D: Discipline>(
    discipline: D,
    patience: Patience,
    sizes: &[u8],
) -> Option<(u32, u32)> {
    let mut queue = Ordered::new(PoolId(0), vec![Slot::EMPTY; 2048], discipline, patience);
    let mut running: VecDeque<(Ticket, Job)> = VecDeque::new();
    let mut last = None;
    let (mut free, mut started) = (8, 0);
    let fits = |free: &mut u32, job: Job| {
        let starts = job.pes <= *free;
        *free -= if starts { job.pes } else { 0 };
        starts
    };
    for round in 0..1000 {
        for &size in sizes {
            let ticket = queue.push(NOW, job(round + 1, size)).unwrap();
            last = Some(ticket);
        }
        if round == 3 {
            queue.cancel(NOW, last.unwrap()).unwrap();
            queue.push(NOW, job(0, 3)).unwrap();
            started = 0;
        }
        while let Some((ticket, job)) = queue.next(NOW, &mut |job| fits(&mut free, job)) {
            if job.id == 0 {
                return Some((round, started));
            }
            started += 1;
            running.push_back((ticket, job));
        }
        // The oldest ends; the others overlap it.
        let (ended, job) = running.pop_front().unwrap();
        free += job.pes;
        queue.finished(NOW, ended).unwrap();
    }
    None
}

#[test]
fn a_large_job_starves_without_a_bound_of_patience_and_starts_with_one() {
    fn check<D: Discipline + Copy>(discipline: D, sizes: &[u8]) {
        let name = discipline.name();
        let endless = rounds_until_the_large_job_starts(discipline, Patience::ENDLESS, sizes);
        assert_eq!(endless, None, "{name}");
        for most in [0, 1, 10, 100] {
            let patience = Patience::of(most);
            let bounded = rounds_until_the_large_job_starts(discipline, patience, sizes);
            let (_, overtaken) = bounded.unwrap();
            // Jobs that came before the large one start before it as well.
            assert!(overtaken <= most + 8, "{name}: {overtaken} with patience {most}");
        }
    }
    check(Window::of(4), &[2, 2]);
    check(Scan::up(), &[2, 2]);
    check(Scan::down(), &[2, 2]);
    check(Lazy::beyond(0), &[2, 2]);
    check(Lazy::beyond(u32::MAX), &[1, 2]);
}

#[test]
fn first_come_first_served_starves_nobody() {
    let (round, overtaken) =
        rounds_until_the_large_job_starts(Fcfs, Patience::ENDLESS, &[2, 2]).unwrap();
    assert!(round < 20 && overtaken < 20);
}

#[test]
fn a_full_queue_refuses_and_keeps_what_it_has() {
    let mut queue = Ordered::new(PoolId(0), [Slot::EMPTY; 2], Fcfs, Patience::ENDLESS);
    assert!(queue.push(NOW, job(1, 0)).is_ok() && queue.push(NOW, job(2, 0)).is_ok());
    assert_eq!(queue.push(NOW, job(3, 0)), Err(Refusal::Full { entries: 2 }.into()));
    let (first, id) = take(&mut queue);
    assert_eq!((id, order(&mut queue)), (1, vec![2]));
    // A job has its slot until it ends.
    assert_eq!(queue.push(NOW, job(3, 0)), Err(Refusal::Full { entries: 2 }.into()));
    queue.finished(NOW, first).unwrap();
    assert!(queue.push(NOW, job(3, 0)).is_ok());
    assert_eq!(queue.push(NOW, Job::new(4, 0)), Err(Misuse::NoPes.into()));
    let mut none = Ordered::new(PoolId(0), [Slot::EMPTY; 0], Fcfs, Patience::ENDLESS);
    assert_eq!(none.push(NOW, job(1, 0)), Err(Refusal::Full { entries: 0 }.into()));
    assert_eq!(none.next(NOW, &mut |_| true), None);
}

#[test]
fn an_adopted_job_runs_like_any_other() {
    let mut queue = queued(Lazy::beyond(1), &[3]);
    let ticket = queue.adopt(NOW, job(7, 3), NOW).unwrap();
    assert_eq!(offered(&mut queue), [0; 0], "one of its size runs");
    assert_eq!(queue.cancel(NOW, ticket), Err(Misuse::Runs));
    assert_eq!(queue.finished(NOW, ticket).map(|job| job.id), Ok(7));
    assert_eq!(order(&mut queue), [0]);
    assert_eq!(queue.adopt(NOW, Job::new(8, 0), NOW), Err(Misuse::NoPes.into()));
}

#[test]
fn an_adopted_job_can_wait_again_behind_those_that_were_there() {
    let mut queue = queued(Fcfs, &[3]);
    let ticket = queue.adopt(NOW, job(7, 3), NOW).unwrap();
    queue.requeue(NOW, ticket).unwrap();
    assert_eq!(order(&mut queue), [0, 7]);
}

#[test]
fn a_waiting_job_can_be_cancelled_once() {
    let mut queue = queued(Scan::up(), &[1, 2, 1]);
    let waiting = queue.push(NOW, job(3, 2)).unwrap();
    assert_eq!(queue.planned(waiting), Ok(None));
    assert_eq!(queue.cancel(NOW, waiting), Ok(job(3, 2)));
    let stale = Misuse::Handle(handle::Misuse::Stale);
    assert_eq!(queue.cancel(NOW, waiting), Err(stale));
    assert_eq!(queue.planned(waiting), Err(stale));
    let (started, _) = take(&mut queue);
    assert_eq!(queue.cancel(NOW, started), Err(Misuse::Runs));
    assert_eq!(queue.len(), 2);
    queue.check_invariants().unwrap();
}

#[test]
fn a_ticket_of_another_queue_is_foreign() {
    let ticket = queued(Fcfs, &[]).push(NOW, job(1, 0)).unwrap();
    let mut queue = Ordered::new(PoolId(1), [Slot::EMPTY; 2], Fcfs, Patience::ENDLESS);
    queue.push(NOW, job(1, 0)).unwrap();
    let foreign = Misuse::Handle(handle::Misuse::Foreign);
    assert_eq!(queue.cancel(NOW, ticket), Err(foreign));
}

#[test]
fn a_queue_can_stand_in_a_static() {
    use std::sync::Mutex;
    static QUEUE: Mutex<Ordered<Window, [Slot; 4]>> =
        Mutex::new(Ordered::new_static(PoolId(0), Window::of(2), Patience::of(8)));
    let mut queue = QUEUE.lock().unwrap();
    queue.push(NOW, job(1, 3)).unwrap();
    assert_eq!(take(&mut *queue).1, 1);
}

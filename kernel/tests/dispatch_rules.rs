//! The rules of each queue discipline, and that nobody starves.

use locox::cube::Dim;
use locox::dispatch::{
    Discipline, Dispatcher, Fcfs, Job, Lazy, NotWaiting, Patience, Queue, QueueFull, Scan, Slot,
    Window,
};
use std::collections::VecDeque;

fn class(dim: u8) -> Dim {
    Dim::new(dim).unwrap()
}

/// A queue in which jobs of these sizes came one after the other, numbered from 0.
fn queued<D: Discipline>(discipline: D, classes: &[u8]) -> Queue<D, [Slot; 16]> {
    let mut queue = Queue::new(discipline, Patience::ENDLESS, [Slot::EMPTY; 16]);
    for (id, &dim) in (0..).zip(classes) {
        queue.push(Job { id, class: class(dim) }).unwrap();
    }
    queue
}

/// The jobs offered, none of which is taken.
fn offered(queue: &mut dyn Dispatcher) -> Vec<u32> {
    let mut ids = vec![];
    let mut refuse = |job: Job| {
        ids.push(job.id);
        false
    };
    assert_eq!(queue.next(&mut refuse), None);
    ids
}

fn take(queue: &mut dyn Dispatcher) -> Job {
    queue.next(&mut |_| true).unwrap()
}

/// The order in which jobs leave if each starts at once and none ends.
fn order(queue: &mut dyn Dispatcher) -> Vec<u32> {
    std::iter::from_fn(|| queue.next(&mut |_| true)).map(|job| job.id).collect()
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
    assert_eq!(queue.next(&mut |job| job.id == 1).map(|job| job.id), Some(1));
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
    queue.push(Job { id: 7, class: class(2) }).unwrap();
    queue.push(Job { id: 8, class: class(1) }).unwrap();
    assert_eq!(order(&mut queue), [0, 7, 1, 8], "round and round");
}

#[test]
fn lazy_holds_a_job_back_while_another_of_its_size_runs() {
    let mut queue = queued(Lazy::beyond(u32::MAX), &[2, 2, 3, 2, 3]);
    assert_eq!(queue.name(), "lazy");
    assert_eq!(offered(&mut queue), [0, 2], "the first of each size, the oldest first");
    let (two, three) = (take(&mut queue), take(&mut queue));
    assert_eq!((two.id, three.id), (0, 2));
    assert!(offered(&mut queue).is_empty());
    queue.finished(three);
    assert_eq!(offered(&mut queue), [4]);
    queue.finished(two);
    assert_eq!(offered(&mut queue), [1, 4]);
}

#[test]
fn lazy_does_not_hold_back_a_line_beyond_its_backlog() {
    let mut queue = queued(Lazy::beyond(1), &[2, 2, 2]);
    assert_eq!(order(&mut queue), [0, 1], "the last one alone in its line is held back");
}

#[test]
fn lazy_keeps_count_even_if_a_job_ends_that_it_never_started() {
    let mut queue = queued(Lazy::beyond(u32::MAX), &[2, 2]);
    queue.finished(Job { id: 9, class: class(2) });
    take(&mut queue);
    assert!(offered(&mut queue).is_empty());
}

/// A machine of eight nodes under a discipline, with a job of eight nodes that waits while jobs
/// of these sizes come, so many each round. Rounds until the large job starts, and how many jobs
/// that came later started before it.
fn rounds_until_the_large_job_starts<D: Discipline>(
    discipline: D,
    patience: Patience,
    sizes: &[u8],
) -> Option<(u32, u32)> {
    let mut queue = Queue::new(discipline, patience, vec![Slot::EMPTY; 2048]);
    let mut running: VecDeque<Job> = VecDeque::new();
    let (mut free, mut started) = (8, 0);
    let fits = |free: &mut u32, job: Job| {
        let starts = job.class.nodes() <= *free;
        *free -= if starts { job.class.nodes() } else { 0 };
        starts
    };
    for round in 0..1000 {
        for &size in sizes {
            queue.push(Job { id: round + 1, class: class(size) }).unwrap();
        }
        if round == 3 {
            queue.cancel(4).unwrap();
            queue.push(Job { id: 0, class: class(3) }).unwrap();
            started = 0;
        }
        while let Some(job) = queue.next(&mut |job| fits(&mut free, job)) {
            if job.id == 0 {
                return Some((round, started));
            }
            started += 1;
            running.push_back(job);
        }
        // The oldest ends; the others overlap it.
        let ended = running.pop_front().unwrap();
        free += ended.class.nodes();
        queue.finished(ended);
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
    let mut queue = Queue::new(Fcfs, Patience::ENDLESS, [Slot::EMPTY; 2]);
    let job = |id| Job { id, class: class(0) };
    assert_eq!((queue.push(job(1)), queue.push(job(2))), (Ok(()), Ok(())));
    assert_eq!(queue.push(job(3)), Err(QueueFull));
    assert_eq!(order(&mut queue), [1, 2]);
    assert_eq!(queue.push(job(3)), Ok(()));
    let mut none = Queue::new(Fcfs, Patience::ENDLESS, [Slot::EMPTY; 0]);
    assert_eq!(none.push(job(1)), Err(QueueFull));
    assert_eq!(none.next(&mut |_| true), None);
}

#[test]
fn a_waiting_job_can_be_cancelled_once() {
    let mut queue = queued(Scan::up(), &[1, 2, 1, 2]);
    assert_eq!(queue.cancel(2), Ok(Job { id: 2, class: class(1) }));
    assert_eq!(queue.cancel(2), Err(NotWaiting(2)));
    let started = take(&mut queue);
    assert_eq!(queue.cancel(started.id), Err(NotWaiting(started.id)));
    assert_eq!(queue.len(), 2);
    queue.check_invariants().unwrap();
}

#[test]
fn a_queue_can_stand_in_a_static() {
    use std::sync::Mutex;
    static QUEUE: Mutex<Queue<Window, [Slot; 4]>> =
        Mutex::new(Queue::new(Window::of(2), Patience::of(8), [Slot::EMPTY; 4]));
    let mut queue = QUEUE.lock().unwrap();
    queue.push(Job { id: 1, class: class(3) }).unwrap();
    assert_eq!(take(&mut *queue).id, 1);
}

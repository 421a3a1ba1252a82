//! Processors out of service, jobs that fail and wait again, and when a job will start.

use locox::bits::Word;
use locox::dispatch::{
    Backfill, Conservative, Easy, Entry, Fcfs, Job, Misuse, Ordered, Patience, Queue, Refusal,
    Scan, Slot, Ticket, UserLimit, UserRow,
};
use locox::handle::{self, PoolId};
use locox::reserve::{Interval, Limits, Profile, Request};
use locox::time::{Duration, Instant};
use std::num::NonZeroU32;

const STALE: Misuse = Misuse::Handle(handle::Misuse::Stale);

const LIMITS: Limits = Limits { pes: 8, reservations: 8 };

const fn at(ticks: u64) -> Instant {
    Instant::from_ticks(ticks)
}

fn interval(start: u64, end: u64) -> Interval {
    Interval { start: at(start), end: at(end) }
}

const fn job(id: u32, pes: u32, requested: u64) -> Job {
    Job::new(id, pes).within(Duration::from_ticks(requested))
}

fn easy() -> Backfill<Easy, Vec<Entry>> {
    Backfill::easy(PoolId(0), 8, vec![Entry::EMPTY; 8])
}

fn conservative() -> Backfill<Conservative<Vec<Word>>, Vec<Entry>> {
    let words = vec![0; Backfill::words(8, 8)];
    Backfill::conservative(PoolId(0), 8, words, vec![Entry::EMPTY; 8]).unwrap()
}

/// The jobs that start now, each taken as it is offered.
fn start(queue: &mut dyn Queue, now: u64) -> Vec<u32> {
    let next = || queue.next(at(now), &mut |_| true);
    let started = std::iter::from_fn(next).map(|(_, job)| job.id).collect();
    queue.check_invariants().unwrap();
    started
}

fn push(queue: &mut dyn Queue, now: u64, jobs: &[Job]) -> Vec<Ticket> {
    jobs.iter().map(|&job| queue.push(at(now), job).unwrap()).collect()
}

/// The jobs that start after the drain of a busy PE, after its job has ended, and at last.
fn drain<Q: Queue>(mut queue: Q, withdraw: fn(&mut Q, u64), early: bool) -> [Vec<u32>; 3] {
    let first = push(&mut queue, 0, &[job(1, 1, 100)])[0];
    assert_eq!(start(&mut queue, 0), [1]);
    if early {
        withdraw(&mut queue, 1);
    }
    let tickets = push(&mut queue, 1, &[job(2, 7, 60)]);
    let drained = start(&mut queue, 1);
    if !early {
        withdraw(&mut queue, 50);
    }
    queue.finished(at(50), first).unwrap();
    push(&mut queue, 50, &[job(3, 1, 10)]);
    let ended = start(&mut queue, 50);
    queue.finished(at(61), tickets[0]).unwrap();
    [drained, ended, start(&mut queue, 61)]
}

#[test]
fn a_busy_pe_is_drained_without_loss_when_its_job_ends() {
    let late = [vec![2], vec![], vec![3]];
    assert_eq!(drain(easy(), |it, now| it.withdraw(at(now), 1).unwrap(), false), late);
    assert_eq!(drain(conservative(), |it, now| it.withdraw(at(now), 1).unwrap(), false), late);
}

/// The queue does not know on which PE a job runs.
#[test]
fn a_busy_pe_that_is_withdrawn_at_once_sets_an_idle_one_aside_as_well() {
    let early = [vec![], vec![2], vec![3]];
    assert_eq!(drain(easy(), |it, now| it.withdraw(at(now), 1).unwrap(), true), early);
    assert_eq!(drain(conservative(), |it, now| it.withdraw(at(now), 1).unwrap(), true), early);
}

#[test]
fn a_job_of_the_whole_machine_at_the_head_stops_nobody_while_a_node_is_out() {
    let mut queue = easy();
    let tickets = push(&mut queue, 0, &[job(1, 8, 10), job(2, 7, 5), job(3, 1, 50)]);
    queue.withdraw(at(0), 1).unwrap();
    assert_eq!(queue.in_service(), 7);
    assert_eq!(start(&mut queue, 0), [2]);
    queue.finished(at(5), tickets[1]).unwrap();
    assert_eq!(start(&mut queue, 5), [3]);
    queue.repair(at(6), 1).unwrap();
    assert_eq!(start(&mut queue, 6), [] as [u32; 0]);
    assert_eq!(queue.planned(tickets[0]), Ok(Some(interval(55, 65))), "its place was kept");
}

#[test]
fn a_promise_of_the_whole_machine_is_withdrawn_and_given_again() {
    let mut queue = conservative();
    let tickets = push(&mut queue, 0, &[job(1, 4, 20), job(2, 8, 10), job(3, 4, 30)]);
    assert_eq!(start(&mut queue, 0), [1]);
    assert_eq!(queue.planned(tickets[1]), Ok(Some(interval(20, 30))));
    assert_eq!(queue.planned(tickets[2]), Ok(Some(interval(30, 60))));
    queue.withdraw(at(1), 2).unwrap();
    assert_eq!(queue.planned(tickets[1]), Ok(None));
    assert_eq!(queue.planned(tickets[2]), Ok(Some(interval(20, 50))), "only 2 PEs are free before");
    assert_eq!(queue.wake_at(), Some(at(20)));
    queue.repair(at(2), 1).unwrap();
    assert_eq!(queue.planned(tickets[1]), Ok(None), "7 serve");
    queue.repair(at(3), 1).unwrap();
    // The line is planned anew, in its order.
    assert_eq!(queue.planned(tickets[1]), Ok(Some(interval(20, 30))));
    assert_eq!(queue.planned(tickets[2]), Ok(Some(interval(30, 60))));
    queue.check_invariants().unwrap();
}

#[test]
fn a_job_with_a_deadline_for_which_too_few_serve_waits_and_stops_nobody() {
    let mut queue = conservative();
    let request = Request::new(at(10), Duration::from_ticks(10), 8).by(at(20));
    let (dated, placed) = queue.reserve(at(0), 1, &request).unwrap();
    assert_eq!(placed, interval(10, 20));
    queue.withdraw(at(5), 1).unwrap();
    assert_eq!(queue.planned(dated), Ok(None), "8 PEs do not serve");
    queue.repair(at(6), 1).unwrap();
    assert_eq!(queue.planned(dated), Ok(Some(placed)), "nothing has come between");
    queue.withdraw(at(7), 1).unwrap();
    push(&mut queue, 21, &[job(2, 7, 5)]);
    assert_eq!(start(&mut queue, 21), [2]);
    queue.repair(at(22), 1).unwrap();
    assert_eq!(start(&mut queue, 22), [] as [u32; 0]);
}

/// Five of 8 PEs are in service when job 1 comes, which asks for 6, and are all again at 10, when `repair` is called.
fn waits_for_repairs<Q: Queue>(mut queue: Q, repair: fn(&mut Q)) {
    let queue = &mut queue;
    let name = queue.name();
    assert_eq!(queue.push(at(0), job(7, 9, 5)), Err(Refusal::TooLarge { pes: 8 }.into()));
    let first = push(queue, 0, &[job(1, 6, 5)])[0];
    assert_eq!((queue.planned(first), queue.wake_at(), queue.len()), (Ok(None), None, 1));
    let others = push(queue, 0, &[job(2, 5, 5), job(3, 6, 5)]);
    assert_eq!(start(queue, 0), [2], "{name}: it stands in nobody's way");
    queue.hold(at(1), first).unwrap();
    queue.rekey(at(2), others[1], 1).unwrap();
    queue.finished(at(5), others[0]).unwrap();
    queue.release(at(6), first).unwrap();
    push(queue, 7, &[job(4, 6, 5)]);
    assert_eq!(start(queue, 9), [] as [u32; 0]);
    repair(queue);
    assert_eq!(start(queue, 10), [1], "{name}: it kept its place");
    queue.finished(at(15), first).unwrap();
    assert_eq!(start(queue, 15), [4], "{name}: job 3 has a later key");
}

#[test]
fn a_job_larger_than_what_is_in_service_waits_in_its_place_for_repairs() {
    let out = |mut queue: Backfill<Easy, Vec<Entry>>| {
        queue.withdraw(at(0), 3).unwrap();
        queue
    };
    waits_for_repairs(out(easy()), |it| it.repair(at(10), 3).unwrap());
    waits_for_repairs(out(easy().with_depth(2)), |it| it.repair(at(10), 3).unwrap());
    let rows = [UserRow::EMPTY; 8];
    let limit = UserLimit::new(out(easy()), rows, NonZeroU32::MIN, |id| id, at(0));
    waits_for_repairs(limit, |it| it.queue_mut().repair(at(10), 3).unwrap());
    let out = |mut queue: Backfill<Conservative<Vec<Word>>, Vec<Entry>>| {
        queue.withdraw(at(0), 3).unwrap();
        queue
    };
    waits_for_repairs(out(conservative()), |it| it.repair(at(10), 3).unwrap());
    waits_for_repairs(out(conservative().with_depth(1)), |it| it.repair(at(10), 3).unwrap());
    let in_steps = conservative().in_steps_of(NonZeroU32::MIN);
    waits_for_repairs(out(in_steps), |it| it.repair(at(10), 3).unwrap());
    let limit = UserLimit::new(out(conservative()), rows, NonZeroU32::MIN, |id| id, at(0));
    waits_for_repairs(limit, |it| it.queue_mut().repair(at(10), 3).unwrap());
}

#[test]
fn a_deadline_is_not_promised_to_a_job_larger_than_what_is_in_service() {
    let mut queue = conservative();
    queue.withdraw(at(0), 3).unwrap();
    let mut reserve = |pes| {
        let request = Request::new(at(9), Duration::from_ticks(1), pes);
        queue.reserve(at(0), 2, &request).map(|(_, at)| at)
    };
    assert_eq!(reserve(6), Err(Refusal::Faulty { serving: 5 }.into()));
    assert_eq!(reserve(9), Err(Refusal::TooLarge { pes: 8 }.into()));
    assert_eq!(reserve(5), Ok(interval(9, 10)));
}

/// Under EASY backfilling the caller may say which PEs a job leaves behind.
#[test]
fn a_job_leaves_only_the_pes_that_it_is_left() {
    let mut queue = easy();
    let tickets = push(&mut queue, 0, &[job(1, 3, 10), job(2, 5, 20), job(3, 6, 5)]);
    assert_eq!(start(&mut queue, 0), [1, 2]);
    queue.withdraw(at(1), 3).unwrap();
    queue.change(at(1), tickets[0], job(1, 0, 10)).unwrap();
    assert_eq!(start(&mut queue, 1), [] as [u32; 0]);
    assert_eq!(queue.planned(tickets[2]), Ok(None), "5 serve");
    let mut scratch = vec![0; Profile::words(LIMITS)];
    let mut scratch = Profile::new(PoolId(7), LIMITS, &mut scratch[..]).unwrap();
    assert_eq!(queue.estimate(tickets[2], &mut scratch), Ok(None));
    queue.repair(at(2), 1).unwrap();
    queue.change(at(2), tickets[0], job(1, 1, 10)).unwrap();
    assert_eq!(start(&mut queue, 2), [] as [u32; 0]);
    assert_eq!(queue.planned(tickets[2]), Ok(Some(interval(20, 25))));
    assert_eq!(queue.estimate(tickets[2], &mut scratch), Ok(Some(interval(20, 25))));
    // An image knows of a job without PEs; one that waits asks for one at least.
    queue.change(at(3), tickets[0], job(1, 0, 10)).unwrap();
    let mut image = vec![];
    queue.export(|word| image.push(word));
    let mut other = easy();
    other.load(image.iter().copied()).unwrap();
    other.check_invariants().unwrap();
    assert_eq!(queue.change(at(3), tickets[2], job(3, 0, 5)), Err(Misuse::NoPes.into()));
    queue.requeue(at(4), tickets[0]).unwrap();
    assert_eq!(queue.line().map(|(_, job)| (job.id, job.pes)).next(), Some((1, 1)));
    assert_eq!(start(&mut queue, 4), [1]);
    queue.claim(at(5), tickets[2], job(3, 0, 5), at(5)).unwrap();
    queue.check_invariants().unwrap();
}

#[test]
fn no_more_go_out_than_serve_and_no_more_come_back_than_are_out() {
    let mut queue = easy();
    assert_eq!(queue.repair(at(0), 1), Err(Misuse::Outage));
    assert_eq!(queue.withdraw(at(0), 9), Err(Misuse::Outage));
    queue.withdraw(at(0), 8).unwrap();
    for pes in [1, u32::MAX] {
        assert_eq!(queue.withdraw(at(0), pes), Err(Misuse::Outage));
    }
    assert_eq!(queue.in_service(), 0);
    assert_eq!(queue.repair(at(0), 9), Err(Misuse::Outage));
    queue.repair(at(0), 8).unwrap();
    assert_eq!(queue.in_service(), 8);
}

/// The PEs that went out were in use: the queue does not know by whom.
#[test]
fn a_job_that_failed_waits_again_where_its_key_and_first_arrival_say() {
    let queues: [&mut dyn Queue; 2] =
        [&mut easy(), &mut Ordered::new(PoolId(0), [Slot::EMPTY; 8], Fcfs, Patience::ENDLESS)];
    for queue in queues {
        let tickets = push(queue, 0, &[job(1, 8, 10), job(2, 8, 10), job(3, 8, 10)]);
        let mut free = 8;
        let mut take = |job: Job| {
            let fits = job.pes <= free;
            free -= if fits { job.pes } else { 0 };
            fits
        };
        assert_eq!(queue.next(at(0), &mut take).map(|(_, job)| job.id), Some(1));
        assert_eq!(queue.next(at(0), &mut take), None);
        assert_eq!(queue.requeue(at(4), tickets[1]), Err(Misuse::Waits));
        assert_eq!(queue.requeue(at(4), tickets[0]), Ok(()));
        queue.check_invariants().unwrap();
        assert_eq!(queue.len(), 3);
        let (again, first) = queue.next(at(4), &mut |_| true).unwrap();
        assert_eq!((again, first.id), (tickets[0], 1), "{}: under its old ticket", queue.name());
        queue.finished(at(6), again).unwrap();
        assert_eq!(queue.requeue(at(6), again), Err(STALE));
        assert_eq!(queue.next(at(6), &mut |_| true).map(|(_, job)| job.id), Some(2));
        assert_eq!(queue.requeue(at(7), tickets[1]), Ok(()));
        assert_eq!(queue.rekey(at(7), tickets[1], 5), Ok(()), "it is in line like others");
        assert_eq!(queue.next(at(7), &mut |_| true).map(|(_, job)| job.id), Some(3));
    }
}

#[test]
fn under_conservative_backfilling_a_job_that_failed_delays_nobody_with_a_promise() {
    let mut queue = conservative();
    let tickets = push(&mut queue, 0, &[job(1, 8, 10), job(2, 8, 10), job(3, 6, 5)]);
    assert_eq!(start(&mut queue, 0), [1]);
    queue.requeue(at(4), tickets[0]).unwrap();
    // Its own 10 ticks do not fit before the second job, which moves forward, as the third does.
    assert_eq!(queue.planned(tickets[1]), Ok(Some(interval(4, 14))));
    assert_eq!(queue.planned(tickets[0]), Ok(Some(interval(19, 29))));
    assert_eq!(start(&mut queue, 4), [2]);
    // Now the third one moves forward, and then the first one.
    queue.finished(at(5), tickets[1]).unwrap();
    assert_eq!(queue.planned(tickets[0]), Ok(Some(interval(10, 20))));
    assert_eq!(start(&mut queue, 5), [3]);
    // What it leaves is offered to the first in line.
    queue.requeue(at(6), tickets[2]).unwrap();
    assert_eq!(queue.planned(tickets[2]), Ok(Some(interval(16, 21))));
    assert_eq!(start(&mut queue, 6), [1]);
    queue.finished(at(7), tickets[0]).unwrap();
    assert_eq!(start(&mut queue, 7), [3]);
    // Where it is in nobody's way, it starts again at once.
    queue.requeue(at(8), tickets[2]).unwrap();
    assert_eq!(queue.planned(tickets[2]), Ok(Some(interval(8, 13))));
    assert_eq!(start(&mut queue, 8), [3]);
    queue.check_invariants().unwrap();
}

#[test]
fn a_job_that_waits_again_is_as_old_as_it_was() {
    let mut queue = Ordered::new(PoolId(0), [Slot::EMPTY; 8], Scan::up(), Patience::of(2));
    let jobs = [job(1, 4, 1), job(2, 1, 1), job(3, 1, 1), job(4, 1, 1)];
    let tickets = push(&mut queue, 0, &jobs);
    let mut next = || queue.next(at(0), &mut |_| true).map(|(_, job)| job.id);
    assert_eq!([next(), next()], [Some(2), Some(3)]);
    queue.requeue(at(0), tickets[2]).unwrap();
    // Of those that came after the oldest one, one has left now.
    let mut next = || queue.next(at(0), &mut |_| true).map(|(_, job)| job.id);
    assert_eq!([next(), next(), next()], [Some(3), Some(1), Some(4)]);
}

#[test]
fn an_estimate_is_told_for_each_job_in_line_and_changes_nothing() {
    let mut queue = easy();
    let jobs = [job(1, 5, 10), job(2, 4, 10), job(3, 4, 10), job(4, 8, 1), job(5, 3, 5)];
    let tickets = push(&mut queue, 0, &jobs);
    assert_eq!(start(&mut queue, 0), [1, 5]);
    let mut scratch = Profile::new(PoolId(7), LIMITS, [0; Profile::words(LIMITS)]).unwrap();
    let mut ask = |ticket| queue.estimate(ticket, &mut scratch);
    assert_eq!(ask(tickets[0]), Ok(Some(interval(0, 10))), "it runs");
    assert_eq!(ask(tickets[1]), Ok(Some(interval(10, 20))));
    assert_eq!(ask(tickets[2]), Ok(Some(interval(10, 20))));
    assert_eq!(ask(tickets[3]), Ok(Some(interval(20, 21))));
    let before = queue.clone();
    queue.withdraw(at(0), 1).unwrap();
    let mut ask = |ticket| queue.estimate(ticket, &mut scratch);
    assert_eq!(ask(tickets[2]), Ok(Some(interval(20, 30))), "of 7 that serve");
    assert_eq!(ask(tickets[3]), Ok(None), "too few serve");
    // A job that runs longer than it requested may end any moment.
    let mut late = before;
    late.push(at(30), job(6, 1, 1)).unwrap();
    assert_eq!(late.estimate(tickets[1], &mut scratch), Ok(Some(interval(31, 41))));
    // A profile of another machine, or for too few.
    let small = Limits { pes: 8, reservations: 7 };
    let mut scratch = Profile::new(PoolId(7), small, vec![0; Profile::words(small)]).unwrap();
    assert_eq!(late.estimate(tickets[1], &mut scratch), Err(Misuse::WrongProfile));
    late.cancel(at(30), tickets[1]).unwrap();
    assert_eq!(late.estimate(tickets[1], &mut scratch), Err(STALE));
}

#[test]
fn a_held_job_keeps_its_place_and_stands_in_nobodys_way() {
    let queues: [&mut dyn Queue; 3] = [
        &mut easy(),
        &mut conservative(),
        &mut Ordered::new(PoolId(0), [Slot::EMPTY; 8], Fcfs, Patience::of(0)),
    ];
    for queue in queues {
        let tickets = push(queue, 0, &[job(1, 8, 10), job(2, 4, 10), job(3, 4, 10)]);
        queue.hold(at(0), tickets[0]).unwrap();
        queue.hold(at(0), tickets[0]).unwrap();
        queue.check_invariants().unwrap();
        assert_eq!(queue.planned(tickets[0]), Ok(None));
        assert_eq!(start(queue, 0), [2, 3], "{}", queue.name());
        assert_eq!(queue.len(), 1, "it waits");
        assert_eq!(queue.hold(at(0), tickets[1]), Err(Misuse::Runs));
        tickets[1..].iter().for_each(|&it| _ = queue.finished(at(5), it).unwrap());
        let later = queue.push(at(5), job(4, 8, 10)).unwrap();
        queue.release(at(6), tickets[0]).unwrap();
        assert_eq!(queue.release(at(6), tickets[1]), Err(STALE));
        let (_, first) = queue.next(at(6), &mut |_| true).unwrap();
        let promised = queue.name() == "conservative";
        assert_eq!(first.id, if promised { 4 } else { 1 }, "its place was kept, no promise was");
        queue.hold(at(6), if promised { tickets[0] } else { later }).unwrap();
        assert!(queue.cancel(at(6), if promised { tickets[0] } else { later }).is_ok());
        queue.check_invariants().unwrap();
    }
}

#[test]
fn a_job_that_somebody_else_started_runs_and_waits_again_where_it_stood() {
    let mut queue = easy();
    let tickets =
        push(&mut queue, 0, &[job(1, 8, 10), job(2, 8, 10), job(3, 4, 10), job(4, 4, 10)]);
    let ids = |queue: &Backfill<Easy, Vec<Entry>>| {
        queue.line().map(|(_, job)| job.id).collect::<Vec<_>>()
    };
    // Job 2, held, runs on other PEs and for another time than it asked for, since before the present.
    queue.hold(at(5), tickets[1]).unwrap();
    queue.claim(at(5), tickets[1], job(2, 5, 20), at(2)).unwrap();
    assert_eq!(queue.planned(tickets[1]), Ok(Some(interval(2, 22))));
    assert_eq!(ids(&queue), [1, 3, 4]);
    assert!(start(&mut queue, 5).is_empty());
    assert_eq!(queue.promised(), Some((tickets[0], interval(22, 32))));
    let too_many = Refusal::TooFewFree { needed: 4, free: 3 };
    assert_eq!(queue.claim(at(5), tickets[2], job(3, 4, 10), at(5)), Err(too_many.into()));
    assert_eq!(queue.claim(at(5), tickets[2], job(3, 3, 10), at(6)), Err(Misuse::Future.into()));
    queue.requeue(at(6), tickets[1]).unwrap();
    assert_eq!(ids(&queue), [1, 2, 3, 4]);
    queue.check_invariants().unwrap();
}

#[test]
fn a_job_with_other_terms_keeps_its_place_or_its_start() {
    let mut queue = easy();
    let tickets = push(&mut queue, 0, &[job(1, 4, 10), job(2, 8, 10), job(3, 8, 10)]);
    assert_eq!(start(&mut queue, 0), [1]);
    queue.change(at(3), tickets[0], job(1, 4, 50)).unwrap();
    assert_eq!(queue.planned(tickets[0]), Ok(Some(interval(0, 50))));
    assert_eq!(
        queue.change(at(3), tickets[0], job(1, 9, 50)),
        Err(Refusal::TooLarge { pes: 8 }.into())
    );
    assert!(start(&mut queue, 3).is_empty());
    assert_eq!(queue.promised(), Some((tickets[1], interval(50, 60))));
    // Job 3 becomes small enough to start beside job 1, and short enough.
    queue.change(at(4), tickets[2], job(3, 4, 46)).unwrap();
    assert_eq!(queue.promised(), None, "until it is asked again");
    assert_eq!(start(&mut queue, 4), [3]);
    // A waiting job may ask for more than serves.
    queue.withdraw(at(5), 1).unwrap();
    queue.change(at(5), tickets[1], job(2, 8, 20)).unwrap();
    queue.finished(at(6), tickets[2]).unwrap();
    assert_eq!(queue.change(at(6), tickets[2], job(3, 1, 1)), Err(STALE.into()));
    assert!(start(&mut queue, 6).is_empty());
    queue.check_invariants().unwrap();
}

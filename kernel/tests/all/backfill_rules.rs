//! The rules of backfilling in the words of their sources, deadlines beside them, and misuse.

use locox::bits::Word;
use locox::dispatch::{
    Backfill, Conservative, Easy, Entry, Error, Job, Misuse, Queue, Refusal, Ticket,
};
use locox::handle::{self, PoolId};
use locox::reserve::{Interval, Request, SetupError};
use locox::time::{Duration, Instant};
use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};
use std::num::NonZeroU32;

const fn at(ticks: u64) -> Instant {
    Instant::from_ticks(ticks)
}

fn interval(start: u64, end: u64) -> Interval {
    Interval { start: at(start), end: at(end) }
}

const fn job(id: u32, pes: u32, requested: u64) -> Job {
    Job::new(id, pes).within(Duration::from_ticks(requested))
}

/// Asks at `now` for an interval for a job, from `ready` on and done by `deadline`.
fn reserve(
    planner: &mut Planned,
    now: u64,
    job: Job,
    ready: u64,
    deadline: u64,
) -> Result<(Ticket, Interval), Error> {
    let request = Request::new(at(ready), job.requested, job.pes).by(at(deadline));
    planner.reserve(at(now), job.id, &request)
}

type Overtaking = Backfill<Easy, Vec<Entry>>;
type Planned = Backfill<Conservative<Vec<Word>>, Vec<Entry>>;

fn easy_of(entries: usize) -> Overtaking {
    Backfill::easy(PoolId(0), 10, vec![Entry::EMPTY; entries])
}

fn conservative_of(entries: usize) -> Planned {
    planned_of(10, entries)
}

fn planned_of(pes: u32, entries: usize) -> Planned {
    let (words, slots) = (vec![0; Backfill::words(pes, entries)], vec![Entry::EMPTY; entries]);
    Backfill::conservative(PoolId(0), pes, words, slots).unwrap()
}

fn easy() -> Overtaking {
    easy_of(16)
}

fn conservative() -> Planned {
    conservative_of(16)
}

/// The jobs that start now, each taken as it is offered.
fn start(planner: &mut dyn Queue, now: u64) -> Vec<u32> {
    let next = || planner.next(at(now), &mut |_| true);
    let started = std::iter::from_fn(next).map(|(_, job)| job.id).collect();
    planner.check_invariants().unwrap();
    started
}

/// Adds jobs (PEs, requested time), numbered from 1, at time 0; their tickets.
fn push(planner: &mut dyn Queue, jobs: &[(u32, u64)]) -> Vec<Ticket> {
    let numbered = (1..).zip(jobs);
    numbered.map(|(id, &(pes, time))| planner.push(at(0), job(id, pes, time)).unwrap()).collect()
}

// EASY.

#[test]
fn the_head_starts_as_long_as_it_can_and_is_promised_the_shadow_time() {
    let mut easy = easy();
    assert_eq!(easy.name(), "easy");
    let tickets = push(&mut easy, &[(4, 20), (4, 30), (8, 10)]);
    assert_eq!(easy.planned(tickets[0]), Ok(None), "nothing is promised before it is tried");
    assert_eq!(start(&mut easy, 0), [1, 2]);
    assert_eq!(easy.planned(tickets[2]), Ok(Some(interval(30, 40))));
    assert_eq!(easy.wake_at(), None, "the end of a job is an event");
}

#[test]
fn a_job_overtakes_the_head_if_it_ends_by_the_shadow_time() {
    let mut easy = easy();
    push(&mut easy, &[(6, 20), (10, 10), (4, 21), (4, 20)]);
    assert_eq!(start(&mut easy, 0), [1, 4]);
}

#[test]
fn a_job_overtakes_the_head_if_it_uses_only_extra_pes() {
    let mut easy = easy();
    // At 20, six and two are free; the head takes seven and leaves over one.
    push(&mut easy, &[(6, 20), (2, 50), (7, 10), (2, 30), (1, 30), (1, 30)]);
    assert_eq!(start(&mut easy, 0), [1, 2, 5], "the second job of one PE is one too many");
}

/// The jobs that are offered to a machine that takes all or none.
fn offered(planner: &mut dyn Queue, now: u64, takes: bool) -> Vec<u32> {
    let mut offered = vec![];
    planner.next(at(now), &mut |job| {
        offered.push(job.id);
        takes
    });
    planner.check_invariants().unwrap();
    offered
}

#[test]
fn a_job_that_was_refused_is_offered_again_each_time() {
    let mut easy = Backfill::easy(PoolId(0), 4, vec![Entry::EMPTY; 8]);
    easy.adopt(at(0), job(1, 2, 100), at(0)).unwrap();
    push(&mut easy, &[(4, 5), (1, 5)]);
    assert_eq!(offered(&mut easy, 0, false), [2]);
    assert_eq!(offered(&mut easy, 0, false), [2]);
    easy.push(at(0), job(3, 1, 5)).unwrap();
    assert_eq!(offered(&mut easy, 1, false), [2, 3]);
    assert_eq!(offered(&mut easy, 1, true), [2]);
    assert_eq!(offered(&mut easy, 1, true), [3]);
    assert_eq!(offered(&mut easy, 1, true), [] as [u32; 0]);
}

#[test]
fn a_job_that_was_refused_is_offered_again_when_another_one_has_started() {
    let mut easy = Backfill::easy(PoolId(0), 4, vec![Entry::EMPTY; 8]);
    easy.adopt(at(0), job(1, 1, 100), at(0)).unwrap();
    push(&mut easy, &[(4, 5), (1, 5), (1, 5)]);
    let third = easy.next(at(0), &mut |job| job.id == 3);
    assert_eq!(third.map(|(_, job)| job.id), Some(3));
    assert_eq!(offered(&mut easy, 0, true), [2]);
}

#[test]
fn pes_are_kept_for_a_head_that_was_refused_while_a_job_is_overdue() {
    let mut easy = Backfill::easy(PoolId(0), 8, vec![Entry::EMPTY; 8]);
    easy.adopt(at(0), job(7, 3, 1), at(0)).unwrap();
    push(&mut easy, &[(5, 1), (1, 9)]);
    assert_eq!(offered(&mut easy, 2, false), [1], "job 2 would take PEs of job 1");
    assert_eq!(offered(&mut easy, 2, true), [1]);
}

#[test]
fn the_head_starts_earlier_if_a_job_ends_early() {
    let mut easy = easy();
    let tickets = push(&mut easy, &[(6, 20), (10, 10), (2, 10)]);
    assert_eq!(start(&mut easy, 0), [1, 3]);
    easy.finished(at(4), tickets[0]).unwrap();
    assert_eq!(start(&mut easy, 4), [] as [u32; 0]);
    assert_eq!(easy.planned(tickets[1]), Ok(Some(interval(10, 20))));
    easy.finished(at(9), tickets[2]).unwrap();
    assert_eq!(start(&mut easy, 9), [2]);
}

#[test]
fn jobs_too_large_for_what_is_in_service_use_up_no_depth() {
    for (larger, depth) in [(4, 2), (1, 1), (2, 1)] {
        for before in [false, true] {
            let mut easy = Backfill::easy(PoolId(0), 8, vec![Entry::EMPTY; 16]).with_depth(depth);
            easy.adopt(at(0), job(1, 4, 100), at(0)).unwrap();
            easy.withdraw(at(0), 1).unwrap();
            let key = if before { 0 } else { 1 };
            easy.push(at(0), job(2, 4, 10).keyed(1)).unwrap();
            for _ in 0..larger {
                easy.push(at(0), job(3, 8, 10).keyed(key)).unwrap();
            }
            easy.push(at(0), job(6, 1, 5).keyed(1)).unwrap();
            assert_eq!(start(&mut easy, 0), [6]);
        }
    }
}

#[test]
fn a_job_behind_the_head_may_be_delayed_by_others() {
    let mut easy = easy();
    // Job 3 would start at 12 if job 4 had not overtaken it.
    let tickets = push(&mut easy, &[(6, 10), (10, 2), (6, 5), (4, 10)]);
    assert_eq!(start(&mut easy, 0), [1, 4]);
    easy.finished(at(10), tickets[0]).unwrap();
    easy.finished(at(10), tickets[3]).unwrap();
    assert_eq!(start(&mut easy, 10), [2]);
}

#[test]
fn a_job_that_runs_too_long_keeps_its_pes_and_the_head_waits_for_it() {
    let mut easy = easy();
    let tickets = push(&mut easy, &[(6, 20), (10, 10), (4, 5), (4, 1)]);
    assert_eq!(start(&mut easy, 0), [1, 3]);
    easy.finished(at(5), tickets[2]).unwrap();
    assert_eq!(start(&mut easy, 5), [4]);
    easy.finished(at(6), tickets[3]).unwrap();
    let long = easy.push(at(25), job(5, 4, 2)).unwrap();
    assert_eq!(start(&mut easy, 25), [] as [u32; 0], "the head may start any moment");
    assert_eq!(easy.planned(tickets[1]), Ok(Some(interval(26, 36))));
    easy.finished(at(27), tickets[0]).unwrap();
    assert_eq!(start(&mut easy, 27), [2]);
    easy.cancel(at(28), long).unwrap();
}

#[test]
fn pes_are_kept_for_a_head_that_the_machine_refuses() {
    let mut easy = easy();
    push(&mut easy, &[(6, 20), (3, 20), (4, 20), (1, 20)]);
    let mut offered = vec![];
    let fragmented = &mut |job: Job| {
        offered.push(job.id);
        job.id != 1
    };
    let started: Vec<_> =
        std::iter::from_fn(|| easy.next(at(0), fragmented)).map(|(_, job)| job.id).collect();
    assert_eq!(started, [2, 4], "job 3 would take what job 1 needs");
    assert!(!offered.contains(&3));
}

// Conservative.

#[test]
fn each_job_is_promised_the_earliest_interval_between_all_others() {
    let mut planner = conservative();
    assert_eq!(planner.name(), "conservative");
    let tickets = push(&mut planner, &[(6, 20), (10, 10), (4, 21), (4, 20), (6, 5)]);
    let planned = |planner: &Planned, n: usize| planner.planned(tickets[n]).unwrap();
    assert_eq!(planned(&planner, 1), Some(interval(20, 30)));
    assert_eq!(planned(&planner, 2), Some(interval(30, 51)));
    assert_eq!(planned(&planner, 3), Some(interval(0, 20)));
    assert_eq!(planned(&planner, 4), Some(interval(30, 35)));
    assert_eq!(planner.wake_at(), Some(at(20)));
    assert_eq!(start(&mut planner, 0), [1, 4]);
    assert_eq!(planner.wake_at(), Some(at(20)));
}

#[test]
fn an_early_end_brings_jobs_forward_in_the_order_of_arrival() {
    let mut planner = conservative();
    let tickets = push(&mut planner, &[(10, 20), (6, 10), (6, 10), (4, 30)]);
    assert_eq!(start(&mut planner, 0), [1]);
    let planned = |planner: &Planned| {
        [1, 2, 3].map(|n| planner.planned(tickets[n]).unwrap().unwrap().start.ticks())
    };
    assert_eq!(planned(&planner), [20, 30, 20]);
    planner.finished(at(7), tickets[0]).unwrap();
    assert_eq!(planned(&planner), [7, 17, 7]);
    assert_eq!(start(&mut planner, 7), [2, 4]);
    // Nothing moves if a job ends when it was to end, or is cancelled where nobody can use it.
    planner.finished(at(17), tickets[1]).unwrap();
    assert_eq!(start(&mut planner, 17), [3]);
}

#[test]
fn in_steps_a_call_moves_so_many_and_the_next_ones_go_on() {
    let mut planner = conservative().in_steps_of(NonZeroU32::MIN);
    let tickets = push(&mut planner, &[(10, 20), (6, 10), (6, 10), (4, 30)]);
    assert_eq!(start(&mut planner, 0), [1]);
    assert_eq!(planner.wake_at(), Some(at(20)));
    let planned = |planner: &Planned| {
        [1, 2, 3].map(|n| planner.planned(tickets[n]).unwrap().unwrap().start.ticks())
    };
    planner.finished(at(7), tickets[0]).unwrap();
    assert_eq!((planned(&planner), planner.wake_at()), ([7, 30, 20], Some(at(7))));
    let next = |planner: &mut Planned| planner.next(at(7), &mut |_| true).map(|(_, job)| job.id);
    assert_eq!((next(&mut planner), planned(&planner)), (Some(2), [7, 17, 20]));
    assert_eq!((next(&mut planner), planned(&planner)), (Some(4), [7, 17, 7]));
    assert_eq!((next(&mut planner), planner.wake_at()), (None, Some(at(17))));
}

#[test]
fn a_cancelled_job_leaves_its_interval_to_the_others() {
    let mut planner = conservative();
    let tickets = push(&mut planner, &[(10, 20), (10, 10), (10, 10)]);
    assert_eq!(start(&mut planner, 0), [1]);
    planner.cancel(at(3), tickets[1]).unwrap();
    assert_eq!(planner.planned(tickets[2]), Ok(Some(interval(20, 30))));
    assert_eq!(planner.len(), 1);
}

#[test]
fn jobs_whose_time_has_come_start_in_the_order_of_arrival_after_one_that_ran_too_long() {
    let mut planner = conservative();
    let tickets = push(&mut planner, &[(10, 20), (6, 10), (4, 5), (4, 5)]);
    assert_eq!(start(&mut planner, 0), [1]);
    assert_eq!(start(&mut planner, 28), [] as [u32; 0]);
    planner.finished(at(29), tickets[0]).unwrap();
    assert_eq!(start(&mut planner, 29), [2, 3]);
    planner.finished(at(34), tickets[2]).unwrap();
    assert_eq!(start(&mut planner, 34), [4]);
}

#[test]
fn the_next_start_is_known_while_a_job_is_held_up_and_after_time_has_passed_unasked() {
    let mut planner = conservative();
    let tickets = push(&mut planner, &[(10, 20), (10, 10), (10, 10)]);
    assert_eq!(start(&mut planner, 0), [1]);
    assert_eq!(planner.wake_at(), Some(at(20)));
    assert_eq!(start(&mut planner, 25), [] as [u32; 0], "the first runs too long");
    // Job 1 is taken to run for as long again as it has run.
    assert_eq!(planner.planned(tickets[1]), Ok(Some(interval(50, 60))));
    assert_eq!(planner.wake_at(), Some(at(50)), "those behind it are planned anew");
    planner.push(at(31), job(4, 10, 5)).unwrap();
    planner.cancel(at(31), tickets[1]).unwrap();
    assert_eq!(planner.planned(tickets[2]), Ok(Some(interval(50, 60))));
    assert_eq!(planner.wake_at(), Some(at(50)));
    planner.finished(at(33), tickets[0]).unwrap();
    assert_eq!(planner.wake_at(), Some(at(43)));
    assert_eq!(start(&mut planner, 33), [3]);
}

// Promises hold if requested times are exact.

/// Runs random jobs that take as long as requested; calls `check` with each job's arrival number,
/// first promise and start.
fn with_exact_times(
    planner: &mut dyn Queue,
    seed: u64,
    check: impl Fn(u32, Option<Interval>, u64),
) {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut jobs: Vec<(Ticket, Option<Interval>, Option<u64>, u64)> = vec![];
    for now in 0..2000u64 {
        for (ticket, _, started, time) in &jobs {
            if started.is_some_and(|started| started + time == now) {
                planner.finished(at(now), *ticket).unwrap();
            }
        }
        if now < 1000 && random.random_ratio(2, 5) {
            let (pes, time) = (random.random_range(1..=10), random.random_range(1..=8));
            let timed = job(jobs.len() as u32, pes, time);
            jobs.push((planner.push(at(now), timed).unwrap(), None, None, time));
        }
        while let Some((_, job)) = planner.next(at(now), &mut |_| true) {
            let (_, promise, started, _) = &mut jobs[job.id as usize];
            *started = Some(now);
            check(job.id, *promise, now);
        }
        for (ticket, promise, started, _) in &mut jobs {
            if promise.is_none() && started.is_none() {
                *promise = planner.planned(*ticket).unwrap();
            }
        }
        planner.check_invariants().unwrap();
    }
    assert!(jobs.len() > 300 && jobs.iter().all(|(_, _, started, _)| started.is_some()));
}

#[test]
fn the_head_is_never_delayed_by_a_job_that_overtakes_it() {
    for seed in 0..8 {
        with_exact_times(&mut easy_of(400), seed, |id, promise, start| {
            if let Some(promise) = promise {
                assert_eq!(start, promise.start.ticks(), "seed {seed}, job {id}");
            }
        });
    }
}

#[test]
fn conservative_backfilling_keeps_the_first_promise_to_each_job() {
    for seed in 0..8 {
        with_exact_times(&mut conservative_of(400), seed, |id, promise, start| {
            // A job that starts when it comes has no promise that could be read before.
            if let Some(promise) = promise {
                assert_eq!(start, promise.start.ticks(), "seed {seed}, job {id}");
            }
        });
    }
}

// Deadlines.

#[test]
fn jobs_with_deadlines_keep_their_interval() {
    let planner = &mut conservative();
    let tickets = push(planner, &[(6, 20), (10, 10)]);
    assert_eq!(start(planner, 0), [1]);
    // The second job is promised 20 to 30, and not delayed by the third, which is no sooner.
    let late = reserve(planner, 0, job(3, 5, 5), 15, 34);
    assert_eq!(late, Err(Refusal::Late { finish: at(35) }.into()));
    let (third, placed) = reserve(planner, 0, job(3, 5, 5), 15, 35).unwrap();
    assert_eq!(placed, interval(30, 35));
    assert_eq!(planner.planned(third), Ok(Some(placed)));
    // These would overlap with it, by their requested times.
    let long = planner.push(at(1), job(4, 6, 30)).unwrap();
    let short = planner.push(at(1), job(5, 4, 30)).unwrap();
    assert_eq!(start(planner, 1), [] as [u32; 0]);
    planner.finished(at(2), tickets[0]).unwrap();
    assert_eq!(start(planner, 2), [2], "the deadline is not in the way of those before");
    planner.finished(at(3), tickets[1]).unwrap();
    // Now the short one may run beside it, the long one may not.
    assert_eq!(start(planner, 3), [5]);
    assert_eq!(planner.planned(third), Ok(Some(placed)), "it is never moved");
    assert_eq!(planner.wake_at(), Some(at(30)));
    assert_eq!(start(planner, 30), [3]);
    planner.finished(at(35), third).unwrap();
    assert_eq!(start(planner, 35), [4]);
    planner.finished(at(36), long).unwrap();
    planner.finished(at(36), short).unwrap();
    assert!(planner.is_empty());
}

#[test]
fn a_job_with_a_deadline_that_is_held_up_goes_first_when_it_can() {
    let planner = &mut conservative();
    let tickets = push(planner, &[(8, 10)]);
    assert_eq!(start(planner, 0), [1]);
    let (dated, _) = reserve(planner, 0, job(2, 6, 10), 10, 20).unwrap();
    planner.push(at(11), job(3, 1, 50)).unwrap();
    let other = planner.push(at(11), job(4, 2, 5)).unwrap();
    assert_eq!(start(planner, 11), [] as [u32; 0], "what is free is kept for the second");
    planner.finished(at(13), tickets[0]).unwrap();
    assert_eq!(start(planner, 13), [2, 3, 4]);
    assert_eq!(planner.planned(dated), Ok(Some(interval(13, 23))));
    planner.finished(at(14), other).unwrap();
}

// Refusals and misuse.

const WRONG_AT_5: [(Job, u64, Error); 5] = [
    (job(2, 0, 5), 5, Error::Misused(Misuse::NoPes)),
    (job(2, 5, 0), 5, Error::Misused(Misuse::NoTime)),
    (job(2, 11, 5), 5, Error::Refused(Refusal::TooLarge { pes: 10 })),
    (job(2, 5, u64::MAX - 5), 5, Error::Misused(Misuse::Overflow)),
    (job(2, 5, u64::MAX), 5, Error::Misused(Misuse::Overflow)),
];

fn refusals(planner: &mut dyn Queue) {
    let first = planner.push(at(5), job(1, 10, 10)).unwrap();
    assert_eq!(start(planner, 5), [1]);
    for (job, now, error) in WRONG_AT_5 {
        assert_eq!(planner.push(at(now), job), Err(error));
    }
    assert_eq!((planner.len(), planner.wake_at()), (0, None));

    let second = planner.push(at(5), job(2, 5, 5)).unwrap();
    assert_eq!(planner.finished(at(6), second), Err(Misuse::Waits));
    assert_eq!(planner.cancel(at(6), first), Err(Misuse::Runs));
    assert_eq!(planner.cancel(at(6), second), Ok(job(2, 5, 5)));
    let stale = Misuse::Handle(handle::Misuse::Stale);
    assert_eq!(planner.cancel(at(6), second), Err(stale));
    assert_eq!(planner.finished(at(6), second), Err(stale));
    assert_eq!(planner.planned(second), Err(stale));
    // The entry is in use again, by another.
    let third = planner.push(at(6), job(3, 5, 5)).unwrap();
    assert_eq!(planner.cancel(at(6), second), Err(stale));
    assert_eq!(planner.push(at(6), job(4, 1, 1)), Err(Refusal::Full { entries: 2 }.into()));
    assert_eq!(planner.finished(at(7), first), Ok(job(1, 10, 10)));
    assert_eq!(start(planner, 7), [3]);
    assert_eq!(planner.finished(at(8), third), Ok(job(3, 5, 5)));
    planner.check_invariants().unwrap();
}

#[test]
fn refusals_have_a_reason_and_misuse_changes_nothing() {
    refusals(&mut easy_of(2));
    refusals(&mut conservative_of(2));
}

#[test]
fn a_refused_deadline_has_a_reason_and_changes_nothing() {
    let planner = &mut conservative_of(2);
    planner.push(at(5), job(1, 10, 10)).unwrap();
    assert_eq!(start(planner, 5), [1]);
    for (job, now, error) in WRONG_AT_5 {
        assert_eq!(reserve(planner, now, job, 5, u64::MAX).map(|_| ()), Err(error));
    }
    let early = reserve(planner, 5, job(2, 5, 5), 20, 24);
    assert_eq!(early, Err(Misuse::DeadlineTooEarly.into()));
    let late = reserve(planner, 5, job(2, 5, 5), 5, 19);
    assert_eq!(late, Err(Refusal::Late { finish: at(20) }.into()));
    assert_eq!((planner.len(), planner.wake_at()), (0, None));
    planner.push(at(6), job(3, 5, 5)).unwrap();
    let full = reserve(planner, 6, job(4, 1, 1), 6, 9);
    assert_eq!(full, Err(Refusal::Full { entries: 2 }.into()));
    planner.check_invariants().unwrap();
}

#[test]
fn misuse_is_told_before_a_refusal() {
    let mut planner = conservative_of(1);
    planner.push(at(5), job(1, 10, 10)).unwrap();
    let wrong = [
        (job(2, 11, 0), 5, Misuse::NoTime),
        (job(2, 11, u64::MAX - 5), 4, Misuse::Overflow),
        (job(2, 11, u64::MAX), 5, Misuse::Overflow),
    ];
    for (job, now, misuse) in wrong {
        assert_eq!(planner.push(at(now), job), Err(misuse.into()));
        assert_eq!(reserve(&mut planner, now, job, 5, u64::MAX), Err(misuse.into()));
    }
    let early = reserve(&mut planner, 5, job(2, 11, 5), 20, 24);
    assert_eq!(early, Err(Misuse::DeadlineTooEarly.into()), "there is no room either");
    assert_eq!(planner.push(at(5), job(2, 11, 5)), Err(Refusal::TooLarge { pes: 10 }.into()));
}

/// What is wrong with a job that is said to run since `started`, told at 5 where a job has 6 of 10 PEs.
fn adoptions_that_are_refused(planner: &mut dyn Queue) {
    planner.push(at(5), job(1, 6, 10)).unwrap();
    assert_eq!(start(planner, 5), [1]);
    let wrong: [(Job, u64, Error); 6] = [
        (job(2, 0, 5), 5, Misuse::NoPes.into()),
        (job(2, 4, 0), 5, Misuse::NoTime.into()),
        (job(2, 4, 5), 6, Misuse::Future.into()),
        (job(2, 4, u64::MAX - 3), 3, Misuse::Overflow.into()),
        (job(2, 11, 5), 5, Refusal::TooLarge { pes: 10 }.into()),
        (job(2, 5, 5), 5, Refusal::TooFewFree { needed: 5, free: 4 }.into()),
    ];
    for (job, started, error) in wrong {
        assert_eq!(planner.adopt(at(5), job, at(started)), Err(error));
        planner.check_invariants().unwrap();
    }
    planner.adopt(at(5), job(2, 1, 5), at(0)).unwrap();
    let full = planner.adopt(at(5), job(3, 1, 5), at(5));
    assert_eq!(full, Err(Refusal::Full { entries: 2 }.into()));
}

#[test]
fn a_job_that_cannot_be_running_is_not_adopted() {
    adoptions_that_are_refused(&mut easy_of(2));
    adoptions_that_are_refused(&mut conservative_of(2));
}

#[test]
fn the_plan_counts_with_an_adopted_job_until_its_own_end() {
    for planner in [&mut easy() as &mut dyn Queue, &mut conservative()] {
        let adopted = planner.adopt(at(30), job(1, 6, 20), at(20)).unwrap();
        assert_eq!(planner.planned(adopted), Ok(Some(interval(20, 40))));
        let next = planner.push(at(30), job(2, 5, 10)).unwrap();
        assert_eq!(start(planner, 30), [0; 0]);
        assert_eq!(planner.planned(next), Ok(Some(interval(40, 50))));
        planner.finished(at(35), adopted).unwrap();
        assert_eq!(start(planner, 35), [2]);
    }
}

#[test]
fn who_was_promised_the_pes_of_an_adopted_job_is_promised_later_ones() {
    let mut planner = conservative();
    let jobs = push(&mut planner, &[(4, 10), (8, 10)]);
    assert_eq!(start(&mut planner, 0), [1]);
    assert_eq!(planner.planned(jobs[1]), Ok(Some(interval(10, 20))));
    planner.adopt(at(1), job(7, 5, 20), at(1)).unwrap();
    assert_eq!(planner.planned(jobs[1]), Ok(Some(interval(21, 31))));
    planner.check_invariants().unwrap();
}

#[test]
fn nobody_is_planned_anew_for_an_adopted_job_whose_pes_nobody_was_promised() {
    let mut planner = planned_of(16, 8);
    planner.withdraw(at(0), 2).unwrap();
    for (id, requested) in [(1, 7), (2, 3)] {
        planner.adopt(at(0), job(id, 5, requested), at(0)).unwrap();
    }
    let large = planner.push(at(0), job(3, 13, 8).keyed(1)).unwrap();
    let small = planner.push(at(0), job(4, 9, 6)).unwrap();
    let planned = |it: &dyn Queue| [large, small].map(|job| it.planned(job).unwrap());
    let before = [Some(interval(7, 15)), Some(interval(15, 21))];
    assert_eq!(planned(&planner), before);
    // It runs on a PE that is out of service, and ends before anybody is to start.
    planner.adopt(at(0), job(5, 5, 1), at(0)).unwrap();
    assert_eq!(planned(&planner), before);
    planner.check_invariants().unwrap();
}

#[test]
fn who_is_due_is_planned_anew_when_a_job_is_adopted() {
    let mut planner = conservative();
    let jobs = push(&mut planner, &[(10, 10), (6, 10), (4, 10)]);
    assert_eq!(start(&mut planner, 0), [1]);
    planner.finished(at(1), jobs[0]).unwrap();
    let adopted = planner.adopt(at(1), job(7, 5, 10), at(1)).unwrap();
    assert_eq!(planner.planned(jobs[1]), Ok(Some(interval(11, 21))));
    assert_eq!(start(&mut planner, 1), [3], "it is in nobody's way");
    planner.finished(at(4), adopted).unwrap();
    assert_eq!(start(&mut planner, 4), [2]);
}

#[test]
fn an_interval_with_a_deadline_is_moved_if_an_adopted_job_has_its_pes_and_comes_back_when_it_can() {
    let mut planner = conservative();
    let (ticket, at_20) = reserve(&mut planner, 0, job(1, 8, 10), 20, 30).unwrap();
    assert_eq!(at_20, interval(20, 30));
    let mut adopted = planner.adopt(at(10), job(2, 5, 40), at(0)).unwrap();
    assert_eq!(planner.planned(ticket), Ok(Some(interval(40, 50))));
    planner.finished(at(12), adopted).unwrap();
    assert_eq!(planner.planned(ticket), Ok(Some(interval(20, 30))), "nothing is in its way");
    adopted = planner.adopt(at(12), job(2, 5, 28), at(12)).unwrap();
    assert_eq!(start(&mut planner, 20), [0; 0], "it waits until the PEs are free");
    planner.finished(at(22), adopted).unwrap();
    assert_eq!(start(&mut planner, 22), [1]);
}

/// What makes an early end.
#[derive(Clone, Copy)]
enum Left {
    Cancelled,
    Held,
    Finished,
    Requeued,
}

/// Whether promises of a queue stay where they are at an early end after a job with a deadline started late.
fn promises_stay(mut planner: Planned, left: Left) {
    let late = reserve(&mut planner, 0, job(1, 2, 3), 4, u64::MAX).unwrap();
    assert_eq!(late.1, interval(4, 7));
    assert_eq!(start(&mut planner, 5), [1]);
    let b = planner.push(at(5), job(2, 1, 5).keyed(1)).unwrap();
    let c = planner.push(at(5), job(3, 2, 5).keyed(0)).unwrap();
    let d = planner.push(at(5), job(4, 1, 1).keyed(2)).unwrap();
    assert_eq!(start(&mut planner, 5), [] as [u32; 0]);
    match left {
        Left::Cancelled => _ = planner.cancel(at(5), d).unwrap(),
        Left::Held => planner.hold(at(5), d).unwrap(),
        Left::Finished => _ = planner.finished(at(6), late.0).unwrap(),
        Left::Requeued => planner.requeue(at(6), late.0).unwrap(),
    }
    planner.check_invariants().unwrap();
    for (job, promised) in [(b, at(8)), (c, at(13))] {
        let planned = planner.planned(job).unwrap().unwrap();
        assert!(planned.start <= promised, "{planned:?} instead of {promised:?}");
    }
}

#[test]
fn promises_stay_after_a_job_with_a_deadline_has_started_late() {
    for left in [Left::Cancelled, Left::Held, Left::Finished, Left::Requeued] {
        promises_stay(planned_of(2, 8), left);
        promises_stay(planned_of(2, 8).with_depth(1), left);
        promises_stay(planned_of(2, 8).in_steps_of(NonZeroU32::MIN), left);
    }
}

#[test]
fn an_interval_with_a_deadline_comes_back_only_where_nobody_is_promised_it() {
    let mut planner = planned_of(2, 8);
    let (dated, _) = reserve(&mut planner, 0, job(1, 2, 5), 10, u64::MAX).unwrap();
    let adopted = planner.adopt(at(0), job(2, 1, 12), at(0)).unwrap();
    assert_eq!(planner.planned(dated), Ok(Some(interval(12, 17))));
    let small = planner.push(at(0), job(3, 1, 12)).unwrap();
    assert_eq!(planner.planned(small), Ok(Some(interval(0, 12))));
    assert_eq!(start(&mut planner, 0), [3]);
    let last = planner.push(at(0), job(4, 1, 1)).unwrap();
    assert_eq!(planner.planned(last), Ok(Some(interval(17, 18))));
    planner.finished(at(1), adopted).unwrap();
    assert_eq!(planner.planned(dated), Ok(Some(interval(12, 17))), "job 3 runs until 12");
    planner.finished(at(5), small).unwrap();
    assert_eq!(planner.planned(dated), Ok(Some(interval(10, 15))));
}

/// What is open in a queue on which jobs end in time, and everybody is asked for at each tick.
struct Punctual {
    planner: Planned,
    waiting: Vec<Ticket>,
    /// With their ends.
    running: Vec<(Ticket, u64)>,
}

impl Punctual {
    fn promises(&self) -> Vec<(Ticket, Option<Interval>)> {
        self.waiting.iter().map(|&job| (job, self.planner.planned(job).unwrap())).collect()
    }

    /// One change that moves no promise back; which, and of whom, is drawn.
    fn change(&mut self, now: u64, rng: &mut ChaCha8Rng) {
        let (pes, requested) = (rng.random_range(1..5), rng.random_range(1..9));
        let asked = job(0, pes, requested).keyed(rng.random_range(0..4));
        match rng.random_range(0..7) {
            0..3 => self.waiting.extend(self.planner.push(at(now), asked)),
            3 => {
                let ready = now + rng.random_range(0..9);
                let reserved = reserve(&mut self.planner, now, asked, ready, u64::MAX);
                self.waiting.extend(reserved.map(|(job, _)| job));
            }
            4 if !self.running.is_empty() => {
                let (job, _) = self.running.swap_remove(rng.random_range(0..self.running.len()));
                self.planner.finished(at(now), job).unwrap();
            }
            5 if !self.running.is_empty() => {
                let (job, _) = self.running.swap_remove(rng.random_range(0..self.running.len()));
                self.planner.requeue(at(now), job).unwrap();
                self.waiting.push(job);
            }
            6 if !self.waiting.is_empty() => {
                let job = self.waiting.swap_remove(rng.random_range(0..self.waiting.len()));
                if rng.random() || self.planner.hold(at(now), job).is_err() {
                    self.planner.cancel(at(now), job).unwrap();
                }
            }
            _ => {}
        }
    }

    /// Whoever has to end does, then starts whoever can.
    fn tick(&mut self, now: u64) {
        let (over, running) = self.running.iter().partition(|&&(_, end)| end <= now);
        self.running = running;
        let over: Vec<(Ticket, u64)> = over;
        for (job, _) in over {
            self.planner.finished(at(now), job).unwrap();
        }
        while let Some((ticket, job)) = self.planner.next(at(now), &mut |_| true) {
            self.waiting.retain(|&it| it != ticket);
            self.running.push((ticket, now + job.requested.ticks()));
        }
    }

    /// No promise is later than before.
    fn check(&self, before: &[(Ticket, Option<Interval>)]) {
        self.planner.check_invariants().unwrap();
        for (job, promised) in before.iter().filter(|(job, _)| self.waiting.contains(job)) {
            let planned = self.planner.planned(*job).unwrap();
            let start = |at: Option<Interval>| at.map_or(Instant::MAX, |at| at.start);
            assert!(start(planned) <= start(*promised), "{planned:?} instead of {promised:?}");
        }
    }
}

/// Two jobs with deadlines are moved by an adopted one. After that there is no cause to move a promise back.
fn no_promise_moves_back(planner: Planned, rng: &mut ChaCha8Rng) {
    let mut run = Punctual { planner, waiting: vec![], running: vec![] };
    for ready in [3, 9] {
        let pes = rng.random_range(2..5);
        let dated = reserve(&mut run.planner, 0, job(0, pes, 6), ready, u64::MAX).unwrap();
        run.waiting.push(dated.0);
    }
    let adopted = run.planner.adopt(at(0), job(0, 3, 12), at(0)).unwrap();
    run.running.push((adopted, 12));
    for now in 0..40 {
        let before = run.promises();
        run.tick(now);
        run.check(&before);
        for _ in 0..2 {
            let before = run.promises();
            run.change(now, rng);
            run.check(&before);
        }
        let before = run.promises();
        run.tick(now);
        run.check(&before);
    }
}

#[test]
fn no_promise_moves_back_while_jobs_with_deadlines_are_out_of_place() {
    let rng = &mut ChaCha8Rng::seed_from_u64(52);
    for _ in 0..100 {
        no_promise_moves_back(planned_of(4, 16), rng);
        no_promise_moves_back(planned_of(4, 16).with_depth(1), rng);
        no_promise_moves_back(planned_of(4, 16).in_steps_of(NonZeroU32::MIN), rng);
    }
}

#[test]
fn a_job_that_the_machine_refused_is_planned_behind_an_adopted_one() {
    let mut planner = planned_of(4, 8);
    let second = planner.push(at(0), job(2, 4, 6)).unwrap();
    assert_eq!(planner.next(at(0), &mut |_| false), None);
    planner.adopt(at(0), job(9, 2, 1000), at(0)).unwrap();
    assert_eq!(planner.planned(second), Ok(Some(interval(1000, 1006))));
    let late = reserve(&mut planner, 0, job(7, 4, 5), 0, 500);
    assert_eq!(late, Err(Refusal::Late { finish: at(1011) }.into()));
    planner.check_invariants().unwrap();
}

/// Six of eight PEs are in use until 10; one goes out of service and a job of two PEs until 20 is adopted, in
/// either order. The plan of six PEs.
fn planned_after(outage_first: bool) -> Option<Interval> {
    let mut planner = planned_of(8, 8);
    push(&mut planner, &[(6, 10)]);
    assert_eq!(start(&mut planner, 0), [1]);
    if outage_first {
        planner.withdraw(at(0), 1).unwrap();
    }
    planner.adopt(at(0), job(2, 2, 20), at(0)).unwrap();
    if !outage_first {
        planner.withdraw(at(0), 1).unwrap();
    }
    let third = planner.push(at(0), job(3, 6, 5)).unwrap();
    planner.check_invariants().unwrap();
    planner.planned(third).unwrap()
}

#[test]
fn more_may_run_than_is_in_service_and_the_plan_counts_all_of_it() {
    assert_eq!([true, false].map(planned_after), [Some(interval(20, 25)); 2]);
}

#[test]
fn adopted_and_claimed_jobs_may_run_on_what_is_out_of_service() {
    let mut planner = planned_of(8, 8);
    planner.withdraw(at(0), 8).unwrap();
    planner.adopt(at(0), job(1, 5, 10), at(0)).unwrap();
    // Free are all that have no job, in service or not.
    let refused = planner.adopt(at(0), job(2, 4, 10), at(0));
    assert_eq!(refused, Err(Refusal::TooFewFree { needed: 4, free: 3 }.into()));
    planner.repair(at(1), 6).unwrap();
    let third = planner.push(at(1), job(3, 2, 5)).unwrap();
    assert_eq!(planner.planned(third), Ok(Some(interval(10, 15))), "one PE is free until then");
    let mut easy = easy();
    let waits = easy.push(at(0), job(1, 6, 10)).unwrap();
    easy.withdraw(at(0), 9).unwrap();
    easy.claim(at(0), waits, job(1, 7, 10), at(0)).unwrap();
    let refused = easy.adopt(at(0), job(2, 4, 10), at(0));
    assert_eq!(refused, Err(Refusal::TooFewFree { needed: 4, free: 3 }.into()));
    let refused = easy.claim(at(0), waits, job(1, 11, 10), at(0));
    assert_eq!(refused, Err(Refusal::TooLarge { pes: 10 }.into()));
    easy.check_invariants().unwrap();
}

#[test]
fn a_job_that_is_due_and_cannot_start_is_planned_anew_and_nobody_passes_it() {
    let mut planner = planned_of(4, 8);
    let jobs = push(&mut planner, &[(2, 100), (2, 10), (2, 5)]);
    assert_eq!(start(&mut planner, 0), [1, 2]);
    assert_eq!(planner.planned(jobs[2]), Ok(Some(interval(10, 15))));
    planner.finished(at(10), jobs[1]).unwrap();
    planner.withdraw(at(10), 1).unwrap();
    assert_eq!(start(&mut planner, 10), [0; 0]);
    assert_eq!(planner.planned(jobs[2]), Ok(Some(interval(100, 105))));
    let late = reserve(&mut planner, 10, job(4, 2, 5), 10, 105);
    assert_eq!(late, Err(Refusal::Late { finish: at(110) }.into()));
}

#[test]
fn a_job_that_waits_for_one_that_runs_too_long_is_planned_anew_when_it_would_be_in_the_way() {
    let mut planner = planned_of(4, 8);
    let jobs = push(&mut planner, &[(2, 10), (4, 10)]);
    assert_eq!(start(&mut planner, 0), [1]);
    // Job 2 may start any moment, and then runs for 10.
    let (dated, placed) = reserve(&mut planner, 15, job(3, 2, 5), 20, 40).unwrap();
    assert_eq!((placed, planner.planned(jobs[1])), (interval(25, 30), Ok(Some(interval(15, 25)))));
    assert_eq!(start(&mut planner, 17), [0; 0]);
    // It would be in the way of job 3 now. Job 1 is taken to run until 34.
    assert_eq!(planner.planned(jobs[1]), Ok(Some(interval(34, 44))));
    assert_eq!(planner.planned(dated), Ok(Some(placed)), "the deadline is kept");
    planner.finished(at(18), jobs[0]).unwrap();
    assert_eq!(planner.planned(jobs[1]), Ok(Some(interval(30, 40))));
    assert_eq!(start(&mut planner, 25), [3]);
    planner.finished(at(30), dated).unwrap();
    assert_eq!(start(&mut planner, 30), [2]);
}

#[test]
fn the_first_in_line_is_tried_again_after_others_have_moved() {
    let mut planner = planned_of(4, 8);
    let jobs = push(&mut planner, &[(2, 50), (2, 20), (3, 30), (1, 40), (1, 15)]);
    assert_eq!(start(&mut planner, 0), [1, 2]);
    planner.finished(at(10), jobs[0]).unwrap();
    // Jobs 4 and 5 leave 20 to 35 to it.
    assert_eq!(planner.planned(jobs[2]), Ok(Some(interval(25, 55))));
    assert_eq!(start(&mut planner, 10), [4, 5]);
}

/// Job 1 is promised 100 and told nothing of a later time; `refused` is a call that is refused.
fn a_refusal_is_no_news_of_the_time(refused: fn(&mut Planned)) {
    let planner = &mut conservative();
    let (_, placed) = reserve(planner, 0, job(1, 6, 10), 100, 110).unwrap();
    assert_eq!(placed, interval(100, 110));
    refused(planner);
    planner.check_invariants().unwrap();
    assert_eq!(planner.wake_at(), Some(at(100)));
    assert_eq!(start(planner, 4), [] as [u32; 0], "it is not due");
    assert_eq!(start(planner, 100), [1]);
}

#[test]
fn a_refused_call_leaves_the_clock_as_it_was() {
    let refused: [fn(&mut Planned); 6] = [
        |planner| {
            let late = reserve(planner, 100, job(2, 8, 6), 100, 106);
            assert_eq!(late, Err(Refusal::Late { finish: at(116) }.into()));
        },
        |planner| {
            let late = reserve(planner, 150, job(2, 8, 6), 140, 145);
            assert_eq!(late, Err(Misuse::DeadlineTooEarly.into()));
        },
        |planner| {
            assert_eq!(
                planner.push(at(150), job(2, 11, 6)),
                Err(Refusal::TooLarge { pes: 10 }.into())
            )
        },
        |planner| {
            // Its interval would begin when the first one ends, and end beyond the end of time.
            let long = job(2, 8, u64::MAX - 105);
            assert_eq!(
                reserve(planner, 100, long, 100, u64::MAX).map(|_| ()),
                Err(Refusal::Overflow.into())
            );
        },
        |planner| {
            let stale = planner.push(at(0), job(2, 1, 1)).unwrap();
            planner.cancel(at(0), stale).unwrap();
            assert!(planner.cancel(at(150), stale).is_err());
            assert!(planner.finished(at(150), stale).is_err());
        },
        |planner| {
            let long = job(2, 8, u64::MAX - 105);
            assert_eq!(planner.push(at(100), long), Err(Refusal::Overflow.into()));
        },
    ];
    refused.into_iter().for_each(a_refusal_is_no_news_of_the_time);
}

#[test]
fn a_refused_call_leaves_the_clock_as_it_was_under_easy() {
    let mut easy = easy_of(1);
    assert_eq!(easy.push(at(150), job(1, 11, 6)), Err(Refusal::TooLarge { pes: 10 }.into()));
    let first = easy.push(at(3), job(1, 10, 6)).unwrap();
    assert_eq!(easy.push(at(150), job(2, 1, 1)), Err(Refusal::Full { entries: 1 }.into()));
    assert!(easy.finished(at(150), first).is_err());
    assert_eq!(start(&mut easy, 4), [1]);
    assert_eq!(easy.planned(first), Ok(Some(interval(4, 10))));
}

#[test]
fn a_ticket_of_another_planner_is_foreign() {
    let other = easy_of(2).push(at(0), job(1, 1, 1)).unwrap();
    let mut planner = Backfill::easy(PoolId(1), 10, [Entry::EMPTY; 2]);
    planner.push(at(0), job(1, 1, 1)).unwrap();
    let foreign = Misuse::Handle(handle::Misuse::Foreign);
    assert_eq!(planner.cancel(at(0), other), Err(foreign));
    assert_eq!(planner.finished(at(0), other), Err(foreign));
}

#[test]
fn storage_that_cannot_be_used_is_refused() {
    let needed = Backfill::words(10, 4);
    let new = |pes, words, entries| {
        let (words, slots) = (vec![0; words], vec![Entry::EMPTY; entries]);
        Backfill::conservative(PoolId(0), pes, words, slots).map(|_| ())
    };
    assert_eq!(new(10, needed, 4), Ok(()));
    assert_eq!(new(10, needed - 1, 4), Err(SetupError::StorageTooSmall { needed }));
    assert_eq!(new(10, needed, 0), Err(SetupError::Limits));
    assert_eq!(new(0, needed, 4), Err(SetupError::Limits));
}

#[test]
fn a_planner_can_stand_in_a_static() {
    use std::sync::Mutex;
    const WORDS: usize = Backfill::words(64, 8);
    static PLANNED: Mutex<Backfill<Conservative<[Word; WORDS]>, [Entry; 8]>> =
        Mutex::new(Backfill::new_static::<64>(PoolId(0)));
    static SHALLOW: Mutex<Backfill<Conservative<[Word; WORDS]>, [Entry; 8]>> =
        Mutex::new(Backfill::new_static::<64>(PoolId(0)).with_depth(4));
    static STEPWISE: Mutex<Backfill<Conservative<[Word; WORDS]>, [Entry; 8]>> =
        Mutex::new(Backfill::new_static::<64>(PoolId(0)).in_steps_of(NonZeroU32::MIN));
    static EASY: Mutex<Backfill<Easy, [Entry; 8]>> =
        Mutex::new(Backfill::easy(PoolId(0), 64, [Entry::EMPTY; 8]));
    let (mut planned, mut shallow) = (PLANNED.lock().unwrap(), SHALLOW.lock().unwrap());
    let (mut stepwise, mut easy) = (STEPWISE.lock().unwrap(), EASY.lock().unwrap());
    let planners: [&mut dyn Queue; 4] = [&mut *planned, &mut *shallow, &mut *stepwise, &mut *easy];
    for planner in planners {
        planner.push(at(0), job(1, 64, 10)).unwrap();
        assert_eq!(start(planner, 0), [1]);
    }
}

#[test]
fn at_the_end_of_time_nobody_starts_for_whom_too_few_pes_are_free() {
    let mut easy = easy();
    let last = u64::MAX - 10;
    easy.push(at(last), job(1, 6, 5)).unwrap();
    easy.push(at(last), job(2, 6, 5)).unwrap();
    assert_eq!(start(&mut easy, last), [1]);
    assert_eq!(start(&mut easy, u64::MAX), [] as [u32; 0]);
}

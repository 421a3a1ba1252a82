//! The rules of backfilling in the words of their sources, deadlines beside them, and misuse.

use locox::bits::Word;
use locox::dispatch::{
    Backfill, Conservative, Easy, Entry, Planner, Rule, Ticket, TimedJob, WrongTicket,
    backfill_words,
};
use locox::handle::{self, PoolId};
use locox::reserve::{Denied, Misuse, Placement, Refusal, Unusable};
use locox::time::{Duration, Instant};
use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};

fn at(ticks: u64) -> Instant {
    Instant::from_ticks(ticks)
}

fn interval(start: u64, end: u64) -> Placement {
    Placement { start: at(start), end: at(end) }
}

fn job(id: u32, pes: u32, requested: u64) -> TimedJob {
    TimedJob { id, pes, requested: Duration::from_ticks(requested) }
}

type Owned<R> = Backfill<R, Vec<Word>, Vec<Entry>>;

fn planner<R: Rule>(rule: R, pes: u32, entries: usize) -> Owned<R> {
    let (words, slots) = (vec![0; backfill_words(pes, entries)], vec![Entry::EMPTY; entries]);
    Backfill::new(rule, PoolId(0), pes, words, slots).unwrap()
}

fn easy() -> Owned<Easy> {
    planner(Easy::new(), 10, 16)
}

fn conservative() -> Owned<Conservative> {
    planner(Conservative::new(), 10, 16)
}

/// The jobs that start now, each taken as it is offered.
fn start(planner: &mut dyn Planner, now: u64) -> Vec<u32> {
    let next = || planner.next(at(now), &mut |_| true);
    let started = std::iter::from_fn(next).map(|(_, job)| job.id).collect();
    planner.check_invariants().unwrap();
    started
}

/// Adds jobs (PEs, requested time), numbered from 1, at time 0; their tickets.
fn push(planner: &mut dyn Planner, jobs: &[(u32, u64)]) -> Vec<Ticket> {
    let numbered = (1..).zip(jobs);
    numbered.map(|(id, &(pes, time))| planner.push(job(id, pes, time), at(0)).unwrap()).collect()
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
    assert_eq!(easy.wake(), None, "the end of a job is an event");
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

#[test]
fn the_head_starts_earlier_if_a_job_ends_early() {
    let mut easy = easy();
    let tickets = push(&mut easy, &[(6, 20), (10, 10), (2, 10)]);
    assert_eq!(start(&mut easy, 0), [1, 3]);
    easy.finished(tickets[0], at(4)).unwrap();
    assert_eq!(start(&mut easy, 4), [] as [u32; 0]);
    assert_eq!(easy.planned(tickets[1]), Ok(Some(interval(10, 20))));
    easy.finished(tickets[2], at(9)).unwrap();
    assert_eq!(start(&mut easy, 9), [2]);
}

#[test]
fn a_job_behind_the_head_may_be_delayed_by_others() {
    let mut easy = easy();
    // Job 3 would start at 12 if job 4 had not overtaken it.
    let tickets = push(&mut easy, &[(6, 10), (10, 2), (6, 5), (4, 10)]);
    assert_eq!(start(&mut easy, 0), [1, 4]);
    easy.finished(tickets[0], at(10)).unwrap();
    easy.finished(tickets[3], at(10)).unwrap();
    assert_eq!(start(&mut easy, 10), [2]);
}

#[test]
fn a_job_that_runs_too_long_keeps_its_pes_and_the_head_waits_for_it() {
    let mut easy = easy();
    let tickets = push(&mut easy, &[(6, 20), (10, 10), (4, 5), (4, 1)]);
    assert_eq!(start(&mut easy, 0), [1, 3]);
    easy.finished(tickets[2], at(5)).unwrap();
    assert_eq!(start(&mut easy, 5), [4]);
    easy.finished(tickets[3], at(6)).unwrap();
    let long = easy.push(job(5, 4, 2), at(25)).unwrap();
    assert_eq!(start(&mut easy, 25), [] as [u32; 0], "the head may start any moment");
    assert_eq!(easy.planned(tickets[1]), Ok(Some(interval(26, 36))));
    easy.finished(tickets[0], at(27)).unwrap();
    assert_eq!(start(&mut easy, 27), [2]);
    easy.cancel(long, at(28)).unwrap();
}

#[test]
fn pes_are_kept_for_a_head_that_the_machine_refuses() {
    let mut easy = easy();
    push(&mut easy, &[(6, 20), (3, 20), (4, 20), (1, 20)]);
    let mut offered = vec![];
    let fragmented = &mut |job: TimedJob| {
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
    let planned = |planner: &Owned<Conservative>, n: usize| planner.planned(tickets[n]).unwrap();
    assert_eq!(planned(&planner, 1), Some(interval(20, 30)));
    assert_eq!(planned(&planner, 2), Some(interval(30, 51)));
    assert_eq!(planned(&planner, 3), Some(interval(0, 20)));
    assert_eq!(planned(&planner, 4), Some(interval(30, 35)));
    assert_eq!(planner.wake(), Some(at(20)));
    assert_eq!(start(&mut planner, 0), [1, 4]);
    assert_eq!(planner.wake(), Some(at(20)));
}

#[test]
fn an_early_end_brings_jobs_forward_in_the_order_of_arrival() {
    let mut planner = conservative();
    let tickets = push(&mut planner, &[(10, 20), (6, 10), (6, 10), (4, 30)]);
    assert_eq!(start(&mut planner, 0), [1]);
    let planned = |planner: &Owned<Conservative>| {
        [1, 2, 3].map(|n| planner.planned(tickets[n]).unwrap().unwrap().start.ticks())
    };
    assert_eq!(planned(&planner), [20, 30, 20]);
    planner.finished(tickets[0], at(7)).unwrap();
    assert_eq!(planned(&planner), [7, 17, 7]);
    assert_eq!(start(&mut planner, 7), [2, 4]);
    // Nothing moves if a job ends when it was to end, or is cancelled where nobody can use it.
    planner.finished(tickets[1], at(17)).unwrap();
    assert_eq!(start(&mut planner, 17), [3]);
}

#[test]
fn a_cancelled_job_leaves_its_interval_to_the_others() {
    let mut planner = conservative();
    let tickets = push(&mut planner, &[(10, 20), (10, 10), (10, 10)]);
    assert_eq!(start(&mut planner, 0), [1]);
    planner.cancel(tickets[1], at(3)).unwrap();
    assert_eq!(planner.planned(tickets[2]), Ok(Some(interval(20, 30))));
    assert_eq!(planner.len(), 1);
}

#[test]
fn jobs_whose_time_has_come_start_in_the_order_of_arrival_after_one_that_ran_too_long() {
    let mut planner = conservative();
    let tickets = push(&mut planner, &[(10, 20), (6, 10), (4, 5), (4, 5)]);
    assert_eq!(start(&mut planner, 0), [1]);
    assert_eq!(start(&mut planner, 28), [] as [u32; 0]);
    planner.finished(tickets[0], at(29)).unwrap();
    assert_eq!(start(&mut planner, 29), [2, 3]);
    planner.finished(tickets[2], at(34)).unwrap();
    assert_eq!(start(&mut planner, 34), [4]);
}

// Promises hold if requested times are exact.

/// Runs random jobs that take as long as requested; calls `check` with each job's arrival number,
/// first promise and start.
fn with_exact_times<R: Rule>(rule: R, seed: u64, check: impl Fn(u32, Option<Placement>, u64)) {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut planner = planner(rule, 10, 400);
    let mut jobs: Vec<(Ticket, Option<Placement>, Option<u64>, u64)> = vec![];
    for now in 0..2000u64 {
        for (ticket, _, started, time) in &jobs {
            if started.is_some_and(|started| started + time == now) {
                planner.finished(*ticket, at(now)).unwrap();
            }
        }
        if now < 1000 && random.random_ratio(2, 5) {
            let (pes, time) = (random.random_range(1..=10), random.random_range(1..=8));
            let timed = job(jobs.len() as u32, pes, time);
            jobs.push((planner.push(timed, at(now)).unwrap(), None, None, time));
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
        with_exact_times(Easy::new(), seed, |id, promise, start| {
            if let Some(promise) = promise {
                assert_eq!(start, promise.start.ticks(), "seed {seed}, job {id}");
            }
        });
    }
}

#[test]
fn conservative_backfilling_keeps_the_first_promise_to_each_job() {
    for seed in 0..8 {
        with_exact_times(Conservative::new(), seed, |id, promise, start| {
            // A job that starts when it comes has no promise that could be read before.
            if let Some(promise) = promise {
                assert_eq!(start, promise.start.ticks(), "seed {seed}, job {id}");
            }
        });
    }
}

// Deadlines.

fn deadlines_are_kept(planner: &mut dyn Planner) {
    let tickets = push(planner, &[(6, 20), (10, 10)]);
    assert_eq!(start(planner, 0), [1]);
    // The second job is promised 20 to 30, and not delayed by the third, which is no sooner.
    let late = planner.reserve(job(3, 5, 5), at(15), at(34), at(0));
    assert_eq!(late, Err(Refusal::Late { finish: at(35) }.into()));
    let (third, placed) = planner.reserve(job(3, 5, 5), at(15), at(35), at(0)).unwrap();
    assert_eq!(placed, interval(30, 35));
    assert_eq!(planner.planned(third), Ok(Some(placed)));
    // These would overlap with it, by their requested times.
    let long = planner.push(job(4, 6, 30), at(1)).unwrap();
    let short = planner.push(job(5, 4, 30), at(1)).unwrap();
    assert_eq!(start(planner, 1), [] as [u32; 0]);
    planner.finished(tickets[0], at(2)).unwrap();
    assert_eq!(start(planner, 2), [2], "the deadline is not in the way of those before");
    planner.finished(tickets[1], at(3)).unwrap();
    // Now the short one may run beside it, the long one may not.
    assert_eq!(start(planner, 3), [5]);
    assert_eq!(planner.planned(third), Ok(Some(placed)), "it is never moved");
    assert_eq!(planner.wake(), Some(at(30)));
    assert_eq!(start(planner, 30), [3]);
    planner.finished(third, at(35)).unwrap();
    assert_eq!(start(planner, 35), [4]);
    planner.finished(long, at(36)).unwrap();
    planner.finished(short, at(36)).unwrap();
    assert!(planner.is_empty());
}

#[test]
fn jobs_with_deadlines_keep_their_interval_under_easy() {
    deadlines_are_kept(&mut easy());
}

#[test]
fn jobs_with_deadlines_keep_their_interval_under_conservative() {
    deadlines_are_kept(&mut conservative());
}

fn late_start_of_a_deadline(planner: &mut dyn Planner) {
    let tickets = push(planner, &[(8, 10)]);
    assert_eq!(start(planner, 0), [1]);
    let (dated, _) = planner.reserve(job(2, 6, 10), at(10), at(20), at(0)).unwrap();
    planner.push(job(3, 1, 50), at(11)).unwrap();
    let other = planner.push(job(4, 2, 5), at(11)).unwrap();
    assert_eq!(start(planner, 11), [] as [u32; 0], "what is free is kept for the second");
    planner.finished(tickets[0], at(13)).unwrap();
    assert_eq!(start(planner, 13), [2, 3, 4]);
    assert_eq!(planner.planned(dated), Ok(Some(interval(13, 23))));
    planner.finished(other, at(14)).unwrap();
}

#[test]
fn a_job_with_a_deadline_that_is_held_up_goes_first_when_it_can() {
    late_start_of_a_deadline(&mut easy());
    late_start_of_a_deadline(&mut conservative());
}

// Refusals and misuse.

fn refusals(planner: &mut dyn Planner) {
    let first = planner.push(job(1, 10, 10), at(5)).unwrap();
    assert_eq!(start(planner, 5), [1]);
    for (job, now, refusal) in [
        (job(2, 0, 5), 5, Denied::from(Misuse::NoPes)),
        (job(2, 5, 0), 5, Denied::from(Misuse::NoTime)),
        (job(2, 11, 5), 5, Denied::from(Refusal::TooLarge)),
        (job(2, 5, 5), 4, Denied::from(Misuse::Past)),
        (job(2, 5, u64::MAX - 5), 5, Denied::from(Misuse::Overflow)),
        (job(2, 5, u64::MAX), 5, Denied::from(Misuse::Overflow)),
    ] {
        assert_eq!(planner.push(job, at(now)), Err(refusal));
        assert_eq!(planner.reserve(job, at(5), Instant::MAX, at(now)).map(|_| ()), Err(refusal));
    }
    let early = planner.reserve(job(2, 5, 5), at(20), at(24), at(5));
    assert_eq!(early, Err(Misuse::DeadlineTooEarly.into()));
    let late = planner.reserve(job(2, 5, 5), at(5), at(19), at(5));
    assert_eq!(late, Err(Refusal::Late { finish: at(20) }.into()));
    assert_eq!((planner.len(), planner.wake()), (0, None));

    let second = planner.push(job(2, 5, 5), at(5)).unwrap();
    assert_eq!(planner.finished(second, at(6)), Err(WrongTicket::Waits));
    assert_eq!(planner.cancel(first, at(6)), Err(WrongTicket::Runs));
    assert_eq!(planner.cancel(second, at(6)), Ok(job(2, 5, 5)));
    let stale = WrongTicket::Misuse(handle::Misuse::Stale);
    assert_eq!(planner.cancel(second, at(6)), Err(stale));
    assert_eq!(planner.finished(second, at(6)), Err(stale));
    assert_eq!(planner.planned(second), Err(handle::Misuse::Stale));
    // The entry is in use again, by another.
    let third = planner.push(job(3, 5, 5), at(6)).unwrap();
    assert_eq!(planner.cancel(second, at(6)), Err(stale));
    assert_eq!(planner.push(job(4, 1, 1), at(6)), Err(Refusal::Full.into()));
    let full = planner.reserve(job(4, 1, 1), at(6), at(9), at(6));
    assert_eq!(full, Err(Refusal::Full.into()));
    assert_eq!(planner.finished(first, at(7)), Ok(job(1, 10, 10)));
    assert_eq!(start(planner, 7), [3]);
    assert_eq!(planner.finished(third, at(8)), Ok(job(3, 5, 5)));
    planner.check_invariants().unwrap();
}

#[test]
fn refusals_have_a_reason_and_misuse_changes_nothing() {
    refusals(&mut planner(Easy::new(), 10, 2));
    refusals(&mut planner(Conservative::new(), 10, 2));
}

#[test]
fn a_ticket_of_another_planner_is_foreign() {
    let other = planner(Easy::new(), 10, 2).push(job(1, 1, 1), at(0)).unwrap();
    let words = vec![0; backfill_words(10, 2)];
    let slots = [Entry::EMPTY; 2];
    let mut planner = Backfill::new(Easy::new(), PoolId(1), 10, words, slots).unwrap();
    planner.push(job(1, 1, 1), at(0)).unwrap();
    let foreign = WrongTicket::Misuse(handle::Misuse::Foreign);
    assert_eq!(planner.cancel(other, at(0)), Err(foreign));
    assert_eq!(planner.finished(other, at(0)), Err(foreign));
}

#[test]
fn storage_that_cannot_be_used_is_refused() {
    let needed = backfill_words(10, 4);
    let new = |pes, words, entries| {
        let (words, slots) = (vec![0; words], vec![Entry::EMPTY; entries]);
        Backfill::new(Easy::new(), PoolId(0), pes, words, slots).map(|_| ())
    };
    assert_eq!(new(10, needed, 4), Ok(()));
    assert_eq!(new(10, needed - 1, 4), Err(Unusable::Storage { words: needed }));
    assert_eq!(new(10, needed, 0), Err(Unusable::Limits));
    assert_eq!(new(0, needed, 4), Err(Unusable::Limits));
}

#[test]
fn a_planner_can_stand_in_a_static() {
    use std::sync::Mutex;
    const WORDS: usize = backfill_words(64, 8);
    static PLANNER: Mutex<Backfill<Easy, [Word; WORDS], [Entry; 8]>> =
        Mutex::new(match Backfill::new_static(Easy::new(), PoolId(0), 64) {
            Ok(planner) => planner,
            Err(_) => panic!("the array has the words that the limits need"),
        });
    let mut planner = PLANNER.lock().unwrap();
    planner.push(job(1, 64, 10), at(0)).unwrap();
    assert_eq!(start(&mut *planner, 0), [1]);
}

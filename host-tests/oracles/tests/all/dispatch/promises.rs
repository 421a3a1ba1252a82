//! What planners promise at the edges of time, and what they need for long lines.

use locox::bits::Word;
use locox::dispatch::{Backfill, Conservative, Easy, Entry, Job, Queue};
use locox::handle::PoolId;
use locox::reserve::{Interval, Limits, SetupError};
use locox::time::{Duration, Instant};
use std::num::NonZeroU32;
use std::thread;

const END: u64 = u64::MAX;

fn at(ticks: u64) -> Instant {
    Instant::from_ticks(ticks)
}

fn job(id: u32, pes: u32, requested: u64) -> Job {
    Job::new(id, pes).within(Duration::from_ticks(requested))
}

fn easy(pes: u32) -> Backfill<Easy, Vec<Entry>> {
    Backfill::easy(PoolId(0), pes, vec![Entry::EMPTY; 8])
}

fn conservative(pes: u32, entries: usize) -> Backfill<Conservative<Vec<Word>>, Vec<Entry>> {
    let words = vec![0; Backfill::words(pes, entries)];
    Backfill::conservative(PoolId(0), pes, words, vec![Entry::EMPTY; entries]).unwrap()
}

fn starts(queue: &mut impl Queue, now: u64) -> Option<u32> {
    queue.next(at(now), &mut |_| true).map(|(_, job)| job.id)
}

#[test]
fn the_first_in_line_is_promised_nothing_if_it_would_end_with_time() {
    for (requested, promised) in [(END - 11, true), (END - 10, false), (END - 9, false)] {
        let mut queue = easy(2);
        queue.push(at(0), job(1, 2, 10)).unwrap();
        let first = queue.push(at(0), job(2, 2, requested)).unwrap();
        assert_eq!((starts(&mut queue, 0), starts(&mut queue, 0)), (Some(1), None));
        let at_ten = Interval { start: at(10), end: at(END - 1) };
        assert_eq!(queue.planned(first), Ok(promised.then_some(at_ten)), "{requested}");
    }
}

#[test]
fn a_job_that_may_run_to_the_end_of_time_is_taken_to_end_any_moment() {
    let mut queue = easy(3);
    queue.push(at(0), job(1, 2, 10)).unwrap();
    let second = queue.push(at(0), job(2, 2, 10)).unwrap();
    let endless = queue.push(at(0), job(3, 1, END - 5)).unwrap();
    queue.hold(at(0), endless).unwrap();
    assert_eq!(starts(&mut queue, 0), Some(1));
    queue.release(at(5), endless).unwrap();
    assert_eq!(starts(&mut queue, 5), Some(3), "it is in nobody's way");
    assert_eq!(queue.planned(endless), Ok(Some(Interval { start: at(5), end: at(END) })));
    queue.cancel(at(5), second).unwrap();
    let whole = queue.push(at(5), job(4, 3, 10)).unwrap();
    assert_eq!(starts(&mut queue, 5), None);
    assert_eq!(queue.planned(whole), Ok(Some(Interval { start: at(10), end: at(20) })));
}

#[test]
fn the_promise_of_the_first_stays_when_another_one_comes_behind_it() {
    let mut queue = easy(2);
    queue.push(at(0), job(1, 2, 10)).unwrap();
    let first = queue.push(at(0), job(2, 2, 5)).unwrap();
    assert_eq!((starts(&mut queue, 0), starts(&mut queue, 0)), (Some(1), None));
    let promise = Some(Interval { start: at(10), end: at(15) });
    queue.push(at(1), job(3, 2, 5)).unwrap();
    assert_eq!(queue.planned(first), Ok(promise));
    queue.push(at(1), Job { key: 0, ..job(4, 2, 5) }).unwrap();
    assert_eq!(queue.promised().map(|(ticket, at)| (ticket, Some(at))), Some((first, promise)));
    queue.rekey(at(1), first, 1).unwrap();
    assert_eq!(queue.planned(first), Ok(None), "who is first is found anew");
}

#[test]
fn a_job_that_ends_when_it_must_gives_nothing_up() {
    let mut queue = conservative(2, 8).in_steps_of(NonZeroU32::MIN);
    let first = queue.push(at(0), job(1, 2, 10)).unwrap();
    for id in 2..6 {
        queue.push(at(0), job(id, 2, 10)).unwrap();
    }
    assert_eq!(starts(&mut queue, 0), Some(1));
    queue.finished(at(10), first).unwrap();
    assert_eq!(queue.wake_at(), Some(at(20)), "nobody is to be looked at");
    let second = queue.next(at(10), &mut |_| true).unwrap().0;
    queue.finished(at(19), second).unwrap();
    assert_eq!(queue.wake_at(), Some(at(19)), "the others can move by one");
}

#[test]
fn planners_have_as_many_entries_as_profiles_have_reservations() {
    let most = Limits::MOST as usize;
    let made = |entries| {
        let made = Backfill::conservative_up_to(PoolId(0), 1, vec![0; 1], vec![], entries);
        made.map(|_: Backfill<Conservative<Vec<Word>>, Vec<Entry>>| ())
    };
    assert_eq!(made(most), Err(SetupError::StorageTooSmall { needed: Backfill::words(1, most) }));
    assert!(Backfill::words(1, most) > Backfill::words(1, most - 1));
    assert_eq!(made(most + 1), Err(SetupError::Limits));
    assert_eq!(made(usize::MAX), Err(SetupError::Limits));
}

/// Asks a planner for its next start where that takes a way through the whole depth of the line: the job that is due
/// stands in line behind all others, or before them.
fn asks_in_a_long_line(upwards: bool) {
    const LINE: u64 = 2_000;
    let mut queue = conservative(2, LINE as usize + 2);
    queue.push(at(0), job(0, 1, LINE)).unwrap();
    assert_eq!(starts(&mut queue, 0), Some(0));
    for place in 0..LINE {
        let pes = if place + 1 < LINE { 2 } else { 1 };
        let key = if upwards { place } else { LINE - place };
        queue.push(at(0), job(1, pes, 1).keyed(key)).unwrap();
    }
    assert_eq!(queue.wake_at(), Some(at(LINE)));
    assert_eq!(starts(&mut queue, 0), Some(1));
}

#[test]
fn a_question_in_a_long_line_needs_the_stack_of_a_short_one() {
    for upwards in [true, false] {
        let asked =
            thread::Builder::new().stack_size(64 << 10).spawn(move || asks_in_a_long_line(upwards));
        asked.unwrap().join().unwrap();
    }
}

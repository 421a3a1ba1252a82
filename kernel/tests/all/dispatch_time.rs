//! Time does not go back: in every call of every queue a time before the last one told means that one.

use locox::bits::Word;
use locox::dispatch::{
    Backfill, Conservative, Easy, Entry, Fcfs, Job, Lazy, Ordered, Patience, Queue, Scan, Slot,
    Ticket, UserLimit, UserRow, Window,
};
use locox::handle::PoolId;
use locox::reserve::Request;
use locox::time::{Duration, Instant};
use std::fmt::Debug;
use std::num::NonZeroU32;

const JOBS: usize = 8;
const HEARD: u64 = 100;

const fn at(ticks: u64) -> Instant {
    Instant::from_ticks(ticks)
}

const fn job(id: u32, pes: u32, requested: u64) -> Job {
    Job::new(id, pes).within(Duration::from_ticks(requested))
}

fn easy() -> Backfill<Easy, Vec<Entry>> {
    Backfill::easy(PoolId(0), 8, vec![Entry::EMPTY; JOBS])
}

fn conservative() -> Backfill<Conservative<Vec<Word>>, Vec<Entry>> {
    let words = vec![0; Backfill::words(8, JOBS)];
    Backfill::conservative(PoolId(0), 8, words, vec![Entry::EMPTY; JOBS]).unwrap()
}

fn ordered<D>(discipline: D) -> Ordered<D, Vec<Slot>> {
    Ordered::new(PoolId(0), vec![Slot::EMPTY; JOBS], discipline, Patience::of(1))
}

type Limited<Q> = UserLimit<Q, fn(u32) -> u32, Vec<UserRow>>;

fn limited<Q: Queue>(queue: Q) -> Limited<Q> {
    UserLimit::new(queue, vec![UserRow::EMPTY; JOBS], NonZeroU32::MIN, |id| id % 10, at(0))
}

/// What a call answers, in words.
type Call<Q> = fn(&mut Q, &[Ticket; 5], Instant) -> String;

fn said(answer: impl Debug) -> String {
    format!("{answer:?}")
}

/// Each call of all queues that is told a time. Of the jobs the first runs, two wait, and one is held; the last was adopted.
fn calls<Q: Queue>() -> Vec<Call<Q>> {
    vec![
        |it, _, now| said(it.push(now, job(21, 2, 9))),
        |it, _, now| said(it.push(now, job(22, 8, 9).keyed(3))),
        |it, _, now| said(it.push(now, job(23, 0, 9))),
        |it, _, now| said(it.adopt(now, job(24, 1, 200), at(7))),
        |it, _, now| said(it.adopt(now, job(25, 1, 200), at(HEARD))),
        |it, _, now| said(it.next(now, &mut |_| true)),
        |it, _, now| said(it.next(now, &mut |_| false)),
        |it, tickets, now| said(it.finished(now, tickets[0])),
        |it, tickets, now| said(it.finished(now, tickets[1])),
        |it, tickets, now| said(it.cancel(now, tickets[1])),
        |it, tickets, now| said(it.cancel(now, tickets[3])),
        |it, tickets, now| said(it.requeue(now, tickets[0])),
        |it, tickets, now| said(it.requeue(now, tickets[4])),
        |it, tickets, now| said(it.hold(now, tickets[1])),
        |it, tickets, now| said(it.hold(now, tickets[3])),
        |it, tickets, now| said(it.release(now, tickets[1])),
        |it, tickets, now| said(it.release(now, tickets[3])),
        |it, tickets, now| said(it.rekey(now, tickets[2], 5)),
    ]
}

fn outages<P, S>() -> Vec<Call<Backfill<P, S>>>
where
    Backfill<P, S>: Outages,
{
    vec![
        |it, _, now| it.set_out(now, 2, true),
        |it, _, now| it.set_out(now, 0, true),
        |it, _, now| it.set_out(now, 9, true),
        |it, _, now| it.set_out(now, 1, false),
    ]
}

trait Outages {
    fn set_out(&mut self, now: Instant, pes: u32, out: bool) -> String;
}

macro_rules! outages {
    ($($Policy:ty)*) => {$(
        impl Outages for Backfill<$Policy, Vec<Entry>> {
            fn set_out(&mut self, now: Instant, pes: u32, out: bool) -> String {
                said(if out { self.withdraw(now, pes) } else { self.repair(now, pes) })
            }
        }
    )*};
}

outages! { Easy Conservative<Vec<Word>> }

/// A queue in use that has heard of [`HEARD`], and its jobs.
fn filled<Q: Queue>(mut queue: Q) -> (Q, [Ticket; 5]) {
    let first = queue.push(at(0), job(1, 4, 150)).unwrap();
    let adopted = queue.adopt(at(0), job(5, 1, 300), at(0)).unwrap();
    queue.next(at(0), &mut |_| true).unwrap();
    let [second, third, held] =
        [job(2, 8, 40), job(3, 3, 500), job(4, 2, 10)].map(|job| queue.push(at(2), job).unwrap());
    queue.hold(at(50), held).unwrap();
    assert_eq!(queue.next(at(HEARD), &mut |_| false), None);
    (queue, [first, second, third, held, adopted])
}

/// All that later answers hang on.
fn state<Q: Queue>(queue: &Q, tickets: &[Ticket; 5], image: fn(&Q) -> Vec<u32>) -> String {
    queue.check_invariants().unwrap();
    let planned = tickets.map(|it| queue.planned(it));
    format!("{planned:?} {:?} {:?}", queue.wake_at(), image(queue))
}

fn never_goes_back<Q: Queue>(fresh: fn() -> Q, image: fn(&Q) -> Vec<u32>, own: Vec<Call<Q>>) {
    let calls: Vec<_> = calls::<Q>().into_iter().chain(own).collect();
    for (number, call) in calls.iter().enumerate() {
        // What a call before the last time told does is what one of that time does.
        let after = |now| {
            let (mut queue, tickets) = filled(fresh());
            let answer = call(&mut queue, &tickets, at(now));
            let state = state(&queue, &tickets, image);
            let next = queue.next(at(HEARD), &mut |_| true);
            (queue.name(), answer, state, next)
        };
        for now in [0, 7, HEARD - 1] {
            assert_eq!(after(now), after(HEARD), "call {number} at {now}");
        }
        // One that succeeds tells the time, and one that does not tells nothing.
        let told = |later| {
            let (mut queue, tickets) = filled(fresh());
            let answer = call(&mut queue, &tickets, at(HEARD + 20));
            _ = queue.push(at(later), job(31, 1, 60));
            (answer, state(&queue, &tickets, image))
        };
        let fails = told(0).0.starts_with("Err");
        assert_eq!(told(0), told(if fails { HEARD } else { HEARD + 20 }), "call {number} is told");
    }
}

fn exported(export: impl FnOnce(&mut dyn FnMut(u32))) -> Vec<u32> {
    let mut image = vec![];
    export(&mut |word| image.push(word));
    image
}

macro_rules! image {
    () => {
        |it| exported(|put| it.export(put))
    };
    (behind) => {
        |it| exported(|put| it.queue().export(put))
    };
}

#[test]
fn in_no_call_of_a_queue_that_knows_an_order() {
    never_goes_back(|| ordered(Fcfs), image!(), vec![]);
    never_goes_back(|| ordered(Window::of(2)), image!(), vec![]);
    never_goes_back(|| ordered(Scan::up()), image!(), vec![]);
    never_goes_back(|| ordered(Lazy::beyond(1)), image!(), vec![]);
}

#[test]
fn in_no_call_of_easy_backfilling() {
    let mut own: Vec<Call<Backfill<Easy, Vec<Entry>>>> = vec![
        |it, tickets, now| said(it.change(now, tickets[1], job(2, 2, 30))),
        |it, tickets, now| said(it.change(now, tickets[0], job(1, 3, 250))),
        |it, tickets, now| said(it.claim(now, tickets[2], job(3, 3, 90), at(60))),
        |it, tickets, now| said(it.claim(now, tickets[0], job(1, 2, 90), at(HEARD))),
        |it, tickets, now| said(it.claim(now, tickets[0], job(1, 9, 90), at(0))),
    ];
    own.extend(outages());
    never_goes_back(easy, image!(), own.clone());
    never_goes_back(|| easy().with_depth(1), image!(), own);
}

type Planned = Backfill<Conservative<Vec<Word>>, Vec<Entry>>;

#[test]
fn in_no_call_of_conservative_backfilling() {
    let mut own: Vec<Call<Planned>> = vec![
        |it, _, now| said(it.reserve(now, 26, &request(0, 2, 900))),
        |it, _, now| said(it.reserve(now, 27, &request(260, 6, 900))),
        |it, _, now| said(it.reserve(now, 28, &request(0, 2, 90))),
    ];
    own.extend(outages());
    never_goes_back(conservative, image!(), own.clone());
    never_goes_back(|| conservative().with_depth(1), image!(), own.clone());
    never_goes_back(|| conservative().in_steps_of(NonZeroU32::MIN), image!(), own);
}

fn request(ready: u64, pes: u32, deadline: u64) -> Request {
    Request::new(at(ready), Duration::from_ticks(20), pes).by(at(deadline))
}

#[test]
fn in_no_call_behind_a_limit_of_users() {
    never_goes_back(|| limited(easy()), image!(behind), vec![]);
    never_goes_back(|| limited(conservative()), image!(behind), vec![]);
    never_goes_back(|| limited(ordered(Fcfs)), image!(behind), vec![]);
}

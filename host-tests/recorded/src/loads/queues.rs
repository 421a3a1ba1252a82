//! 64 jobs at once in front of a machine of 64 PEs, under one queue or another.

use super::Watch;
use super::random::{draw, random};
use alloc::vec;
use alloc::vec::Vec;
use core::num::NonZeroU32;
use locox::bits::Word;
use locox::dispatch::{
    Backfill, Conservative, Entry, Fcfs, Job, Ordered, Patience, Queue, Scan, Slot, Ticket,
};
use locox::handle::PoolId;
use locox::time::{Duration, Instant};

const PES: u32 = 64;
const JOBS: usize = 64;
const EVENTS: u64 = 500;

pub(super) fn fcfs(watch: &mut impl Watch) -> Option<()> {
    let slots = vec![Slot::EMPTY; JOBS];
    run(&mut Ordered::new(PoolId(1), slots, Fcfs, Patience::of(8)), watch)
}

pub(super) fn scan(watch: &mut impl Watch) -> Option<()> {
    let slots = vec![Slot::EMPTY; JOBS];
    run(&mut Ordered::new(PoolId(1), slots, Scan::up(), Patience::of(8)), watch)
}

pub(super) fn easy(watch: &mut impl Watch) -> Option<()> {
    run(&mut Backfill::easy(PoolId(1), PES, vec![Entry::EMPTY; JOBS]), watch)
}

pub(super) fn conservative(watch: &mut impl Watch) -> Option<()> {
    run(&mut planned()?, watch)
}

pub(super) fn conservative_in_steps(most: NonZeroU32, watch: &mut impl Watch) -> Option<()> {
    run(&mut planned()?.in_steps_of(most), watch)
}

fn planned() -> Option<Backfill<Conservative<Vec<Word>>, Vec<Entry>>> {
    let words = vec![0; Backfill::words(PES, JOBS)];
    Backfill::conservative(PoolId(1), PES, words, vec![Entry::EMPTY; JOBS]).ok()
}

/// Two jobs arrive where one ends, until the queue is full.
fn run(queue: &mut impl Queue, watch: &mut impl Watch) -> Option<()> {
    let mut random = random();
    let (mut running, mut free) = ([None::<(Ticket, Job)>; JOBS], PES);
    for tick in 0..EVENTS {
        let now = Instant::from_ticks(tick);
        let number = tick as u32;
        if draw(&mut random, 3) != 0 {
            let requested = Duration::from_ticks(1 + u64::from(draw(&mut random, 100)));
            let job = Job::new(number, 1 + draw(&mut random, 48)).within(requested);
            let pushed = watch.call("push", || queue.push(now, job));
            if let Ok(ticket) = pushed
                && draw(&mut random, 16) == 0
            {
                watch.call("cancel", || queue.cancel(now, ticket)).ok()?;
            }
        } else {
            let at = draw(&mut random, JOBS as u32) as usize;
            let ends = running.get_mut(at).and_then(Option::take);
            if let Some((ticket, job)) = ends {
                watch.call("finished", || queue.finished(now, ticket)).ok()?;
                free += job.pes;
            }
        }
        loop {
            let mut fits = |job: Job| job.pes <= free;
            let Some((ticket, job)) = watch.see("next", || queue.next(now, &mut fits)) else {
                break;
            };
            free -= job.pes;
            *running.iter_mut().find(|it| it.is_none())? = Some((ticket, job));
        }
    }
    Some(())
}

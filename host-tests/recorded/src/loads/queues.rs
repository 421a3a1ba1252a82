//! 64 jobs at once in front of a machine of 64 PEs, under one queue or another.

use super::Watch;
use super::random::{draw, random};
use alloc::vec;
use alloc::vec::Vec;
use core::num::NonZeroU32;
use locox::bits::Word;
use locox::cube::{Dim, Node, Subcube};
use locox::dispatch::{
    Backfill, Conservative, Entry, Fcfs, Job, Ordered, Patience, Promises, Queue, Scan, Slot,
    Ticket,
};
use locox::grid::{Anchors, BoxRequest, Boxes, Cuboid, Grid, Placement, Sides};
use locox::handle::PoolId;
use locox::image::Stored;
use locox::machine::{Held, Machine, Timetable};
use locox::reserve::Interval;
use locox::subcube::{Buddy, Subcubes};
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

pub(super) fn in_cube(watch: &mut impl Watch) -> Option<()> {
    let dims = Dim::holding(PES)?;
    let request = |job: &Job| Dim::holding(job.pes).unwrap_or(dims);
    let rest = Subcube::whole(dims);
    run(&mut promising(Subcubes::<Buddy>::new(dims)?, request, rest)?, watch)
}

pub(super) fn in_torus(watch: &mut impl Watch) -> Option<()> {
    run(&mut boxes()?, watch)
}

/// A torus of 4x4x4 nodes.
pub(super) fn boxes() -> Option<impl Queue> {
    let grid = Grid::torus(&[4, 4, 4])?;
    let boxes = Boxes::new(grid, Placement::Corner, Anchors::Any)?;
    let rest = Cuboid::new(grid, Node(0), Sides::new(&[1])?)?;
    let request = |job: &Job| BoxRequest::Nodes(job.pes.next_power_of_two());
    promising(boxes, request, rest)
}

/// Four jobs are promised something. Rows that are not in use have some place.
fn promising<M: Machine<Place: Stored>>(
    machine: M,
    request: impl Fn(&Job) -> M::Request,
    place: M::Place,
) -> Option<impl Queue> {
    let at = Interval { start: Instant::ZERO, end: Instant::ZERO };
    let held = vec![Held::new(place, at); Backfill::rows(JOBS, 0)];
    let words = vec![M::Word::default(); Timetable::words(&machine)];
    let policy = Promises::new(machine, request, 4, held, words).ok()?;
    Backfill::promises(PoolId(1), PES, policy, vec![Entry::EMPTY; JOBS]).ok()
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

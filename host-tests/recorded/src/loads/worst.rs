//! States that cost most of those known: stairs and slopes of reservations, a queue full of jobs that do not
//! fit, stations that all want and nodes that all come at once.

use super::Watch;
use crate::station::table;
use alloc::vec;
use alloc::vec::Vec;
use core::num::NonZeroU32;
use locox::bits::{BitSet, Word, words_for};
use locox::dispatch::{Backfill, Conservative, Entry, Job, Queue};
use locox::fair::{DecayParams, StationId, TimedRow, TimedUpDown};
use locox::handle::PoolId;
use locox::reserve::{Fit, Limits, Lowest, Request, Timeline};
use locox::time::{Duration, Instant};
use locox_coordinators::station::{Command, Config, Coordinator, NodeId};

const PES: u32 = 64;

const fn at(ticks: u64) -> Instant {
    Instant::from_ticks(ticks)
}

/// Each reservation begins and ends somewhere else, so that there are as many slots as can be.
pub(super) fn stairs(reservations: u32, watch: &mut impl Watch) -> Option<()> {
    let limits = Limits { pes: PES, reservations };
    let mut storage = vec![0; Timeline::words(limits)];
    let mut timeline = Timeline::new(PoolId(1), limits, &mut storage[..]).ok()?;
    let mut words = vec![0; words_for(PES as usize)];
    let mut pes = BitSet::empty(&mut words[..], PES).ok()?;
    let most = u64::from(reservations);
    let step = |number: u64| {
        let (ready, duration) = (10 * number, 10 * most.min(60) + 5);
        Request::new(at(ready), Duration::from_ticks(duration), 1).by(at(ready + duration))
    };
    let end = 20 * most + 100;
    let within = |pes| Request::new(at(0), Duration::from_ticks(7), pes).by(at(end));
    let long = Request::new(at(0), Duration::from_ticks(10 * most), PES).by(at(end));
    for number in 0..most - 1 {
        let asked = step(number);
        let _ = watch
            .call("find by PE_W", || timeline.find(&within(2), &Fit::PeWorst, &Lowest, &mut pes));
        watch.call("reserve by FF", || timeline.reserve(&asked, &Fit::First, &Lowest)).ok()?;
    }
    for policy in Fit::ALL {
        let _ = watch.call("find by any", || timeline.find(&within(2), &policy, &Lowest, &mut pes));
    }
    let _ = watch.call("refuse all PEs", || timeline.find(&long, &Fit::First, &Lowest, &mut pes));
    let _ = watch
        .call("refuse all PEs by PE_W", || timeline.find(&long, &Fit::PeWorst, &Lowest, &mut pes));
    let _ = watch
        .call("reserve the last", || timeline.reserve(&step(most - 1), &Fit::PeWorst, &Lowest));
    let _ =
        watch.call("reserve when full", || timeline.reserve(&step(most), &Fit::PeWorst, &Lowest));
    let mut middle = timeline.reservations();
    let id = middle.nth(reservations as usize / 2)?.id;
    drop(middle);
    let _ = watch.call("cancel one in the middle", || timeline.cancel(id));
    let _ = watch.call("advance over all", || timeline.advance(at(end)));
    Some(())
}

/// Reservations begin one after the other, last long, and end so: from the first end on each start has
/// more PEs than the one before, so that each is the best so far.
pub(super) fn slope(watch: &mut impl Watch) -> Option<()> {
    let limits = Limits { pes: PES, reservations: 15 };
    let mut storage = vec![0; Timeline::words(limits)];
    let mut timeline = Timeline::new(PoolId(1), limits, &mut storage[..]).ok()?;
    let mut words = vec![0; words_for(PES as usize)];
    let mut pes = BitSet::empty(&mut words[..], PES).ok()?;
    for ready in (10..160).step_by(10) {
        let asked = Request::new(at(ready), Duration::from_ticks(1000), 4).by(at(ready + 1000));
        watch.call("reserve by FF", || timeline.reserve(&asked, &Fit::First, &Lowest)).ok()?;
    }
    let asked = |ticks, pes| Request::new(at(0), Duration::from_ticks(ticks), pes).by(at(3000));
    for ticks in [1, 20, 75, 150, 500, 1000, 1100] {
        for policy in Fit::ALL {
            let call = if policy == Fit::PeWorst { "find by PE_W" } else { "find by any" };
            let _ =
                watch.call(call, || timeline.find(&asked(ticks, 4), &policy, &Lowest, &mut pes));
        }
    }
    let all = asked(2500, PES);
    let _ = watch
        .call("refuse all PEs by PE_W", || timeline.find(&all, &Fit::PeWorst, &Lowest, &mut pes));
    Some(())
}

pub(super) fn easy(watch: &mut impl Watch) -> Option<()> {
    queue(&mut Backfill::easy(PoolId(1), PES, vec![Entry::EMPTY; JOBS]), watch)
}

pub(super) fn promises(watch: &mut impl Watch) -> Option<()> {
    queue(&mut super::queues::boxes()?, watch)
}

pub(super) fn conservative(watch: &mut impl Watch) -> Option<()> {
    queue(&mut planned()?, watch)
}

const JOBS: usize = 64;

type Planned = Backfill<Conservative<Vec<Word>>, Vec<Entry>>;

fn planned() -> Option<Planned> {
    let words = vec![0; Backfill::words(PES, JOBS)];
    Backfill::conservative(PoolId(1), PES, words, vec![Entry::EMPTY; JOBS]).ok()
}

/// 32 jobs run, and as many wait that are too large for what is left.
fn queue(queue: &mut impl Queue, watch: &mut impl Watch) -> Option<()> {
    let mut first = None;
    for number in 0..32 {
        let job = Job::new(number, 1).within(Duration::from_ticks(100 + u64::from(number)));
        watch.call("push to an idle machine", || queue.push(at(0), job)).ok()?;
        let started = watch.see("start", || queue.next(at(0), &mut |_| true))?;
        first = first.or(Some(started.0));
    }
    for number in 32..64 {
        let length = 10 + u64::from((number * 37) % 64);
        let job = Job::new(number, 33 + number % 31).within(Duration::from_ticks(length));
        watch.call("push to a full machine", || queue.push(at(1), job)).ok()?;
        let _ = watch.see("none starts", || queue.next(at(1), &mut |_| true));
    }
    let one = Job::new(64, 1).within(Duration::from_ticks(1));
    let _ = watch.call("push to a full queue", || queue.push(at(1), one));
    let first = first?;
    watch.call("the first ends", || queue.finished(at(2), first)).ok()?;
    let _ = watch.see("after it ended", || queue.next(at(2), &mut |_| true));
    Some(())
}

pub(super) fn chain(watch: &mut impl Watch) -> Option<()> {
    moved(planned()?, watch).map(|_| ())
}

/// The chain where a call moves so many jobs at the most: others are moved as jobs start.
pub(super) fn chain_in_steps(most: NonZeroU32, watch: &mut impl Watch) -> Option<()> {
    let mut queue = moved(planned()?.in_steps_of(most), watch)?;
    while queue.wake_at() == Some(at(1)) {
        let _ = watch.see("next", || queue.next(at(1), &mut |_| true));
    }
    Some(())
}

/// One job holds all PEs, 63 wait, and all of them are moved when it ends at once.
fn moved(mut queue: Planned, watch: &mut impl Watch) -> Option<Planned> {
    let job = |number, pes, ticks| Job::new(number, pes).within(Duration::from_ticks(ticks));
    let all =
        watch.call("push to an idle machine", || queue.push(at(0), job(0, PES, 1000))).ok()?;
    watch.see("start", || queue.next(at(0), &mut |_| true))?;
    for number in 1..JOBS as u32 {
        let job = job(number, 3 + number % 31, 10 + u64::from((number * 37) % 64));
        watch.call("push to a full machine", || queue.push(at(0), job)).ok()?;
    }
    let _ = watch.call("push to a full queue", || queue.push(at(0), job(64, 1, 1)));
    watch.call("all are moved", || queue.finished(at(1), all)).ok()?;
    Some(queue)
}

/// All 64 stations want two processors; then all nodes are idle, an interval ends, and all owners
/// come back. A command makes so many decisions at the most.
pub(super) fn crowd(decisions: Option<NonZeroU32>, watch: &mut impl Watch) -> Option<()> {
    const STATIONS: u32 = 64;
    const MINUTE: Duration = Duration::from_ticks(60);
    let nodes = STATIONS + 8;
    let rows = vec![TimedRow::EMPTY; STATIONS as usize];
    let ranking = TimedUpDown::new(rows, DecayParams::standard(MINUTE)).ok()?;
    let config = Config { pool: PoolId(1), decisions, ..Config::standard(MINUTE) };
    let rows = table(STATIONS as usize, nodes as usize, 128);
    let mut network = Coordinator::new(config, rows, ranking, Instant::ZERO).ok()?;
    let mut tell = |now: u64, what: &'static str, command| {
        watch.call(what, || network.apply(at(now), command)).is_ok()
    };
    for serial in 1..=2 {
        for home in (0..STATIONS).map(StationId) {
            tell(1, "submit", Command::Submit { home, serial });
        }
    }
    for node in (0..nodes).map(NodeId) {
        tell(2, "node idle", Command::NodeIdle { node });
    }
    for interval in 1..6 {
        tell(600 * interval, "tick", Command::Tick);
    }
    for station in (0..STATIONS).map(StationId) {
        tell(4000, "owner back", Command::OwnerBack { station });
    }
    tell(4200, "tick", Command::Tick);
    Some(())
}

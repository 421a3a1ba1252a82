//! The end of a quantum: jobs get places.

use super::storage::{JobRow, State};
use super::tables::Tables;
use super::{Config, Policy};
use crate::site::Remap;
use core::slice;
use locox::ground::{Ref, copy, edit, put, sort_backwards};
use locox::mapping::{Plan, Preemption, Problem, RunningJob, Site, Times, UnplacedJob, Workspace};
use locox::time::{Duration, Instant};

/// Jobs of a problem, which are numbered in the order of their arrival.
#[derive(Clone, Copy, Default)]
struct Counts {
    jobs: usize,
    /// How many of them have machines, or keep their places.
    running: usize,
}

/// Maps jobs that wait around those that run, and says who is to leave.
///
/// A run that no single machine could take over is never preempted: its machines are busy until
/// its end. Those of a job that leaves are free from now on.
pub(super) fn map(tables: &mut Tables<'_>) {
    let counts = gather(tables);
    if counts.jobs == counts.running {
        return;
    }
    if tables.config.remap == Remap::New {
        line_up(tables, counts.running);
    }
    if map_gathered(tables, counts).is_some() {
        take_over(tables, counts);
    }
}

/// Writes down which jobs are to be mapped, which of them have places, and when machines are
/// free of others.
fn gather(tables: &mut Tables<'_>) -> Counts {
    let now = tables.core.now;
    for at in 0..tables.model.site.machines() {
        let from = if tables.is_here(at as u32) { now } else { Instant::MAX };
        put(tables.columns.instants, at, from);
    }
    // A run that is late ends at any moment, but not before.
    let soon = now.saturating_add(Duration::from_ticks(1));
    let mut counts = Counts::default();
    let mut at = tables.core.all.first();
    while let Some(row) = at {
        let job = tables.job(row);
        at = job.links.next.get();
        let runs = job.state == State::Runs;
        let until = if runs { job.at.max(soon) } else { job.at };
        if job.state == State::Leaves {
            continue;
        }
        if !can_start(tables, job.class) {
            if runs {
                keep_busy(tables, row, until);
            }
            continue;
        }
        let number = counts.jobs;
        counts.jobs = number.wrapping_add(1);
        note(tables, number, row, &job);
        let keeps = runs || tables.config.remap == Remap::New;
        let Some(place) = job.place.get().filter(|_| keeps) else { continue };
        let running = RunningJob::new(number, place as usize, until, job.preemptions.into());
        if let Some(entry) = tables.columns.running.get_mut(counts.running) {
            *entry = running;
            counts.running = counts.running.wrapping_add(1);
        }
    }
    counts
}

/// Whether a machine that is here can run jobs of a class.
fn can_start(tables: &Tables<'_>, class: u32) -> bool {
    let runs = |at: usize| tables.model.times.on(class as usize, at).is_some();
    (0..tables.model.site.machines()).any(|at| tables.is_here(at as u32) && runs(at))
}

/// The machines of a run are busy until its end.
fn keep_busy(tables: &mut Tables<'_>, row: u32, until: Instant) {
    for at in 0..tables.model.site.machines() {
        let machine = tables.columns.machines.get(at);
        if machine.is_some_and(|machine| machine.job == Ref::to(row)) {
            put(tables.columns.instants, at, until);
        }
    }
}

fn note(tables: &mut Tables<'_>, number: usize, row: u32, job: &JobRow) {
    let level = rank(tables, job.queue);
    let columns = &mut tables.columns;
    // Rows first, then classes.
    let of_class = number.saturating_add(columns.jobs.len());
    for (at, entry) in [(number, row), (of_class, job.class)] {
        put(columns.numbers, at, entry);
    }
    put(columns.levels, number, level);
}

/// How many queues are mapped before this one.
fn rank(tables: &Tables<'_>, queue: u32) -> u8 {
    let queues = &*tables.columns.queues;
    let Some(own) = queues.get(queue as usize) else { return 0 };
    let is_before = |(at, policy): &(u32, &Policy)| (policy.level, *at) < (own.level, queue);
    // There are no more than levels.
    (0..).zip(queues).filter(is_before).count() as u8
}

/// Jobs that keep their places are expected to start one behind the other, in the order in which
/// they were to.
fn line_up(tables: &mut Tables<'_>, count: usize) {
    let machines = tables.model.site.machines();
    let Tables { columns, model, core, .. } = tables;
    let (rows, _) = columns.numbers.split_at(columns.jobs.len().min(columns.numbers.len()));
    let jobs = &mut *columns.jobs;
    let entries = columns.running.get_mut(..count).unwrap_or_default();
    let row_of = |one: &RunningJob| rows.get(one.job).copied().unwrap_or(0) as usize;
    let key = |one: &RunningJob| {
        let job = jobs.get(row_of(one));
        let waits = job.is_some_and(|job| job.state == State::Waits);
        (waits, if waits { one.until } else { Instant::ZERO }, one.job)
    };
    sort_backwards(entries, |one, other| key(one) > key(other));
    let Some((from, free)) = columns.instants.split_at_mut_checked(machines) else { return };
    let free = free.get_mut(..machines).unwrap_or_default();
    copy(free, from);
    let times = Times::new(columns.expected, model.site.resources()).unwrap_or(model.times);
    for one in entries {
        let Some(job) = jobs.get_mut(row_of(one)) else { continue };
        if job.state == State::Waits {
            let start = starts(&model.site, free, one.resource, core.now);
            let takes = times.on(job.class as usize, one.resource).unwrap_or_default();
            job.at = start;
            one.until = start.saturating_add(takes);
        }
        occupy(&model.site, free, one.resource, one.until);
    }
}

/// `None`, and nothing happens, if the times are beyond any clock.
fn map_gathered(tables: &mut Tables<'_>, counts: Counts) -> Option<()> {
    let preemption = preemption(tables);
    let (jobs, machines) = (tables.columns.jobs.len(), tables.model.site.machines());
    let Tables { config, model, core, columns } = tables;
    let (rows, classes) = columns.numbers.split_at_checked(jobs)?;
    let (free_from, instants) = columns.instants.split_at_mut_checked(machines)?;
    let (free, instants) = instants.split_at_mut_checked(machines)?;
    let (placements, more) = columns.placements.split_at_mut_checked(jobs)?;
    let down = columns.down.get(..core.down as usize)?;
    let classes = classes.get(..counts.jobs)?;
    let times = Times::by_class(columns.expected, model.site.resources(), classes)?;
    let problem = Problem { now: core.now, site: model.site, times, free_from, down };
    let mapper = ByQueue { jobs: columns.jobs, rows, queues: columns.queues, config: *config };
    let mut plan = Plan::new(placements, free);
    let mut room = Workspace::new(columns.open, more.get_mut(..jobs.saturating_mul(2))?, instants);
    let levels = columns.levels.get(..counts.jobs)?;
    let running = columns.running.get_mut(..counts.running)?;
    preemption.map(&mapper, &problem, levels, running, &mut plan, &mut room).ok().map(|_| ())
}

/// A bound on what a row counts, which is no more than so much.
fn counted(most: u32) -> u16 {
    u16::try_from(most).unwrap_or(u16::MAX)
}

/// Who takes places from whom, by ranks of queues.
fn preemption(tables: &Tables<'_>) -> Preemption {
    use super::Claim::{Loses, Takes};
    let ranks = |claim| {
        let queues = (0..).zip(&*tables.columns.queues);
        let these = queues.filter(move |(_, policy)| policy.claim == claim);
        these.map(|(at, _)| rank(tables, at))
    };
    let (last, first) = (ranks(Takes).max(), ranks(Loses).min());
    // There are fewer queues than levels, so that nobody is of the last one.
    let (takers, losers) = last.zip(first).unwrap_or((0, u8::MAX));
    let most = tables.config.preemptions.map(|most| counted(most).into());
    Preemption { takers, losers, most, gain: tables.config.gain }
}

/// Does as planned.
fn take_over(tables: &mut Tables<'_>, counts: Counts) {
    for at in 0..counts.running {
        let Some(one) = tables.columns.running.get(at).copied() else { continue };
        let Some(row) = tables.columns.numbers.get(one.job).copied() else { continue };
        if !one.loses() {
            put(tables.columns.numbers, one.job, STRUCK);
        } else if tables.job(row).state == State::Runs {
            put(tables.columns.numbers, one.job, STRUCK);
            tables.edit_job(row, |job| job.preemptions = job.preemptions.saturating_add(1));
            tables.leave(row);
        }
    }
    for number in 0..counts.jobs {
        let row = tables.columns.numbers.get(number).copied().unwrap_or(STRUCK);
        let placement = tables.columns.placements.get(number).copied().unwrap_or_default();
        let Some(place) = placement.resource() else { continue };
        // Resources are numbered in 32 bits.
        let (place, at) = (Ref::to(place as u32), placement.start());
        tables.edit_job(row, |job| {
            (job.place, job.at, job.mapped) = (place, at, job.mapped.saturating_add(1));
        });
    }
}

/// A job of the problem stays as it is.
/// There is no such row.
const STRUCK: u32 = u32::MAX;

/// When a resource can start another job behind those that occupy it.
fn starts(site: &Site, free: &[Instant], resource: usize, now: Instant) -> Instant {
    let from = |at: u32| free.get(at as usize).copied().filter(|&from| from != Instant::MAX);
    site.members(resource).filter_map(from).fold(now, Instant::max)
}

fn occupy(site: &Site, free: &mut [Instant], resource: usize, until: Instant) {
    for at in site.members(resource) {
        edit(free, at, |free| *free = until.max(*free));
    }
}

/// Each queue by its own algorithm, behind those of its jobs that have waited for too many mappings.
/// The jobs that are mapped together are always of one queue.
struct ByQueue<'q> {
    jobs: &'q [JobRow],
    rows: &'q [u32],
    queues: &'q [Policy],
    config: Config,
}

impl ByQueue<'_> {
    fn job(&self, open: &UnplacedJob) -> Option<&JobRow> {
        self.jobs.get(*self.rows.get(open.job())? as usize)
    }

    /// Puts the jobs to the front that have waited for too many mappings, in the order of arrival, and
    /// counts them.
    fn put_patient_first(&self, open: &mut [UnplacedJob]) -> usize {
        let Some(patience) = self.config.patience.map(counted) else { return 0 };
        let is_patient =
            |open: &UnplacedJob| self.job(open).is_some_and(|it| it.mapped >= patience);
        let count = open.iter().filter(|open| is_patient(open)).count();
        if count > 0 {
            let place = |open: &UnplacedJob| (!is_patient(open), open.job());
            sort_backwards(open, |one, other| place(one) > place(other));
        }
        count
    }
}

locox::ground::mapper! { ByQueue<'_>:
    name(self) => "by-queue";
    extend(self, problem, plan, open, room) => {
        let Some(first) = open.first() else { return Ok(()) };
        let policy = self.job(first).and_then(|job| self.queues.get(job.queue as usize)).copied();
        let algorithm = policy.unwrap_or(Policy::EMPTY).algorithm;
        let count = self.put_patient_first(open);
        let (patient, others) = open.split_at_mut_checked(count).unwrap_or_default();
        algorithm.with(self.config.best, |mapper| {
            for one in patient {
                mapper.extend(problem, plan, slice::from_mut(one), room)?;
            }
            if others.is_empty() { Ok(()) } else { mapper.extend(problem, plan, others, room) }
        })
    }
}

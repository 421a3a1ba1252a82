//! What commands and decisions do to the coordinator's rows. Compiled once, for any storage.
//!
//! Two pairs of references carry everything: a job is *on* the processor that it occupies, and it
//! is *at* the processor that it holds. It runs when the two are the same. It is placed but waits
//! when it holds one that another still occupies; it is leaving when it occupies one that it does
//! not hold. Each change below keeps both sides of each pair and the lists in step.

use super::error::Outcome;
use super::storage::{
    HoldReason, HomeRow, JobRow, LastCheckpoint, NodeRow, Pending, Presence, Slices,
};
use super::{Checkpoint, Command, Config, JobId, Misuse, NodeId, Refusal, Run};
use locox::fair::{Demand, StationId};
use locox::ground::{Links, List, Ref, Slab, edit};
use locox::handle::{Generation, Handle};
use locox::time::{Duration, Instant};

/// What the coordinator keeps beside its columns.
#[derive(Clone, Debug)]
pub(super) struct Core {
    /// The latest time given.
    pub(super) now: Instant,
    pub(super) next_interval: Instant,
    pub(super) next_poll: Instant,
    pub(super) next_checkpoint: Instant,
    pub(super) due: Due,
    /// Processors that anybody may have: the bank's first, then the station's that is idle the
    /// longest, as that one is the most likely to stay so.
    pub(super) free: List,
    pub(super) free_count: u32,
    /// Processors whose host is to be told something, in the order in which that came up.
    pub(super) pending: List,
    /// Which rows for jobs are in use.
    pub(super) jobs: Slab,
}

/// What is not to wait for a time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Due {
    /// The stations are to be asked for reports.
    pub(super) poll: bool,
    /// The next command goes on with the rounds, as the last one made all decisions that it might.
    pub(super) rounds: bool,
}

impl Core {
    pub(super) const fn new(config: &Config, now: Instant) -> Self {
        Self {
            now,
            next_interval: after(now, Some(config.interval)),
            next_poll: after(now, config.poll),
            next_checkpoint: after(now, config.checkpoint),
            due: Due { poll: false, rounds: false },
            free: List::EMPTY,
            free_count: 0,
            pending: List::EMPTY,
            jobs: Slab::new(config.pool),
        }
    }
}

/// When a period that begins now ends; never without a period. One of zero is taken for a tick.
pub(super) const fn after(now: Instant, period: Option<Duration>) -> Instant {
    match period {
        Some(Duration::ZERO) => now.saturating_add(Duration::from_ticks(1)),
        Some(period) => now.saturating_add(period),
        None => Instant::MAX,
    }
}

/// What a command brought about that may make the coordinator schedule.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Changes {
    /// A processor became free.
    pub(super) capacity: bool,
    /// A job began to wait.
    pub(super) demand: bool,
    /// Whose demand changed.
    pub(super) touched: Touched,
}

/// The stations whose demand changed since it was last looked at: a few, or, where those were
/// more, all.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Touched {
    some: [Ref; 6],
    all: bool,
}

impl Touched {
    pub(super) const ALL: Self = Self { some: [Ref::NONE; 6], all: true };

    fn add(&mut self, station: u32) {
        let room = self.some.iter_mut().find(|it| **it == Ref::NONE || **it == Ref::to(station));
        match room {
            Some(room) => *room = Ref::to(station),
            None => self.all = true,
        }
    }

    /// Those stations, with what they want and hold.
    pub(super) fn of(self, demand: &[Demand]) -> impl Iterator<Item = (u32, &Demand)> {
        let (some, all) = if self.all { (&[][..], demand) } else { (demand, &[][..]) };
        let row = move |station: u32| Some((station, some.get(station as usize)?));
        (0..).zip(all).chain(self.some.into_iter().map_while(Ref::get).filter_map(row))
    }
}

pub(super) struct Tables<'a> {
    pub(super) rows: Slices<'a>,
    pub(super) core: &'a mut Core,
    pub(super) config: Config,
    /// The time of the command, which the core does not have before it is taken.
    pub(super) now: Instant,
    pub(super) changes: Changes,
}

impl Tables<'_> {
    pub(super) fn node(&self, node: u32) -> NodeRow {
        debug_assert!((node as usize) < self.rows.nodes.len(), "a processor has a row");
        *self.rows.nodes.get(node as usize).unwrap_or(&NodeRow::EMPTY)
    }

    pub(super) fn job(&self, job: u32) -> JobRow {
        debug_assert!(job < self.core.jobs.used(), "a job has a row");
        *self.rows.jobs.get(job as usize).unwrap_or(&JobRow::EMPTY)
    }

    fn home(&self, station: u32) -> HomeRow {
        debug_assert!(self.is_station(station), "a station has a row");
        *self.rows.homes.get(station as usize).unwrap_or(&HomeRow::EMPTY)
    }

    pub(super) fn edit_node(&mut self, node: u32, change: impl FnOnce(&mut NodeRow)) {
        edit(self.rows.nodes, node, change);
    }

    pub(super) fn edit_job(&mut self, job: u32, change: impl FnOnce(&mut JobRow)) {
        edit(self.rows.jobs, job, change);
    }

    /// The rows of jobs are for the lists that begin in the row of the station.
    fn edit_home(&mut self, station: u32, change: impl FnOnce(&mut HomeRow, &mut [JobRow])) {
        edit(self.rows.homes, station, |row| change(row, self.rows.jobs));
    }

    fn is_station(&self, node: u32) -> bool {
        (node as usize) < self.rows.homes.len()
    }

    // Names from outside.

    pub(super) fn station(&self, station: StationId) -> Result<u32, Misuse> {
        self.is_station(station.0).then_some(station.0).ok_or(Misuse::NoSuchStation(station))
    }

    pub(super) fn known_node(&self, node: NodeId) -> Result<u32, Misuse> {
        let known = (node.0 as usize) < self.rows.nodes.len();
        if known { Ok(node.0) } else { Err(Misuse::NoSuchNode(node)) }
    }

    /// The job of a live run, and the processor that it is on.
    fn live(&self, run: Run) -> Result<(u32, u32), Misuse> {
        let Run { job: JobId(handle), attempt } = run;
        let job = self.core.jobs.find(&*self.rows.jobs, handle)?;
        let row = self.job(job);
        match row.on.get() {
            Some(node) if row.attempt == attempt => Ok((job, node)),
            _ => Err(Misuse::RunOver),
        }
    }

    // Commands.

    /// Takes note of a command; the answer to a submission is the job's name.
    pub(super) fn apply_command(&mut self, command: Command) -> Outcome<Option<JobId>> {
        match command {
            Command::Submit { home, serial } => {
                return self.submit(self.station(home)?, serial).map(Some);
            }
            Command::NodeIdle { node } => self.node_idle(self.known_node(node)?),
            Command::OwnerBack { station } => self.owner_back(self.station(station)?),
            Command::Continued { run } => self.continued(self.live(run)?),
            Command::Checkpointed { run, checkpoint } => {
                self.checkpointed(self.live(run)?, checkpoint);
            }
            Command::Vacated { run } => self.vacated(self.live(run)?),
            Command::Finished { run } => self.finished(self.live(run)?),
            Command::NodeLost { node } => self.node_lost(self.known_node(node)?),
            // Weights are the ranking's.
            Command::Tick | Command::SetWeight { .. } => {}
            Command::Heard { run } => self.heard(self.live(run)?),
            Command::Cancel { job } => self.stop(self.wanted(job)?, HoldReason::Cancelled),
            Command::Hold { job } => self.stop(self.wanted(job)?, HoldReason::Held),
            Command::Release { job } => self.release(self.wanted(job)?)?,
            Command::Limit { job, limit } => {
                self.edit_job(self.wanted(job)?, |row| row.limit = limit);
            }
            Command::Drain { nodes } => self.each_of(nodes, Self::drain)?,
            Command::Restore { nodes } => self.each_of(nodes, Self::restore)?,
        }
        Ok(None)
    }

    /// Opens a job, or names the one that the same submission opened before.
    fn submit(&mut self, home: u32, serial: u32) -> Outcome<JobId> {
        let row = self.home(home);
        if serial == row.serial && row.last_generation != Generation::default() {
            let pool = self.core.jobs.pool();
            return Ok(JobId(Handle::new(pool, row.last_row, row.last_generation)));
        }
        let next = row.serial.wrapping_add(1);
        if serial != next {
            return Err(Misuse::Serial { next }.into());
        }
        let jobs = row.jobs.checked_add(1).ok_or(Refusal::StationFull(StationId(home)))?;
        let job = self.core.jobs.open(&mut *self.rows.jobs).ok_or(Refusal::JobsFull)?;
        let handle = self.core.jobs.handle(&*self.rows.jobs, job);
        let generation = handle.generation();
        self.edit_job(job, |row| *row = JobRow { generation, home, ..JobRow::EMPTY });
        self.edit_home(home, |row, _| {
            *row = HomeRow { jobs, serial, last_row: job, last_generation: generation, ..*row };
        });
        if self.node(home).presence == Presence::Absent {
            self.edit_node(home, |row| row.presence = Presence::Owner);
        }
        self.wait(job);
        self.serve_own(home);
        Ok(JobId(handle))
    }

    fn node_idle(&mut self, node: u32) {
        if self.node(node).presence == Presence::Open {
            return;
        }
        self.edit_node(node, |row| row.presence = Presence::Open);
        self.publish(node);
        self.offer(node);
    }

    fn owner_back(&mut self, station: u32) {
        let before = self.node(station);
        self.unlist_free(station);
        self.edit_node(station, |row| row.presence = Presence::Owner);
        self.publish(station);
        if before.presence == Presence::Open
            && let Some(job) = before.holder.get()
        {
            self.withdraw(job);
            // The local scheduler sees to it, but for a run of which it may not know.
            if self.node(station).pending == Pending::StartAgain {
                self.tell(station, Pending::Preempt);
            }
            self.serve_own(self.job(job).home);
        }
    }

    fn continued(&mut self, (job, node): (u32, u32)) {
        self.edit_node(node, |row| row.presence = Presence::Open);
        self.did_well(job, node);
        let (row, place) = (self.job(job), self.node(node));
        if row.at != Ref::NONE || place.holder != Ref::NONE {
            return;
        }
        if row.hold_reason == HoldReason::None && place.may_be_held() {
            self.assign(job, node);
        } else {
            self.tell(node, Pending::Preempt);
        }
    }

    fn checkpointed(&mut self, (job, node): (u32, u32), checkpoint: Checkpoint) {
        self.edit_job(job, |row| row.checkpoint = LastCheckpoint::of(checkpoint));
        self.did_well(job, node);
    }

    fn vacated(&mut self, (job, node): (u32, u32)) {
        let failed = self.has_failed(job, node);
        if failed {
            self.note_failure(job);
        }
        if self.job(job).at == Ref::to(node) {
            self.unassign(job);
        }
        self.clear(job, node);
        if failed {
            self.back_off(job);
            self.blame(node, job);
        }
        let JobRow { at, home, .. } = self.job(job);
        self.close_cancelled(job);
        self.start(node);
        self.offer(node);
        if let Some(next) = at.get() {
            self.start(next);
        }
        self.serve_own(home);
    }

    fn finished(&mut self, (job, node): (u32, u32)) {
        self.did_well(job, node);
        let kept = self.job(job).at.get();
        self.unassign(job);
        self.clear(job, node);
        self.close(job);
        self.start(node);
        self.offer(node);
        if let Some(kept) = kept {
            self.offer(kept);
        }
    }

    pub(super) fn node_lost(&mut self, node: u32) {
        let before = self.node(node);
        self.unlist_free(node);
        self.edit_node(node, |row| {
            row.presence = Presence::Absent;
            row.end_boot();
        });
        self.publish(node);
        if let Some(job) = before.holder.get() {
            self.unassign(job);
        }
        let lost = [before.holder.get(), before.occupant.get()];
        let homes = lost.map(|job| job.map(|job| self.job(job).home));
        if let Some(job) = before.occupant.get() {
            self.clear(job, node);
            if let Some(next) = self.job(job).at.get() {
                self.start(next);
            }
            self.close_cancelled(job);
        }
        homes.into_iter().flatten().for_each(|home| self.serve_own(home));
    }

    // Decisions.

    /// The next free processor goes to the first job that waits at `to`.
    pub(super) fn grant(&mut self, to: StationId) {
        let (job, node) = (self.first_waiting(to.0), self.core.free.first());
        debug_assert!(job.is_some() && node.is_some(), "who is granted wants, and what is free");
        if let (Some(job), Some(node)) = (job, node) {
            self.assign(job, node);
        }
    }

    /// The processor that `from` has had the longest goes to the first job that waits at `to`.
    pub(super) fn take(&mut self, from: StationId, to: StationId) {
        let (old, new) = (self.home(from.0).placed.first(), self.first_waiting(to.0));
        debug_assert!(old.is_some() && new.is_some(), "who yields holds, and who gets wants");
        let (Some(old), Some(new)) = (old, new) else { return };
        let Some(node) = self.job(old).at.get() else { return };
        self.withdraw(old);
        if self.node(node).occupant == Ref::to(old) {
            self.tell(node, Pending::Preempt);
        }
        self.assign(new, node);
    }

    /// Asks for a checkpoint of everything that runs.
    pub(super) fn checkpoint_all(&mut self) {
        for node in 0..self.rows.nodes.len() as u32 {
            let row = self.node(node);
            let runs = row.occupant != Ref::NONE && row.occupant == row.holder;
            if runs && row.pending == Pending::Nothing {
                self.tell(node, Pending::Checkpoint);
            }
        }
    }

    // Holding: the pair of `at` and `holder`.

    /// A waiting job gets a processor that nobody holds.
    fn assign(&mut self, job: u32, node: u32) {
        let JobRow { home, on, .. } = self.job(job);
        self.unlist_free(node);
        self.unlist_waiting(job);
        self.edit_job(job, |row| row.at = Ref::to(node));
        self.edit_node(node, |row| row.holder = Ref::to(job));
        if node != home {
            self.edit_home(home, |row, jobs| row.placed.push_back(jobs, job));
            self.edit_demand(home, |demand| demand.holds = demand.holds.saturating_add(1));
        }
        match on.get() {
            // It had to leave and may stay. If its host was told already, it will vacate.
            Some(still) if still == node => self.tell_nothing(node),
            Some(still) => self.tell(still, Pending::Preempt),
            None => self.start(node),
        }
    }

    /// A job waits again; the processor that it held, if any, is nobody's.
    fn unassign(&mut self, job: u32) {
        let JobRow { home, at, .. } = self.job(job);
        let Some(node) = at.get() else { return };
        self.edit_node(node, |row| row.holder = Ref::NONE);
        self.edit_job(job, |row| row.at = Ref::NONE);
        if node != home {
            self.edit_home(home, |row, jobs| row.placed.remove(jobs, job));
            self.edit_demand(home, |demand| demand.holds = demand.holds.saturating_sub(1));
        }
        self.wait(job);
    }

    /// A job loses the processor that it holds. If its host has not heard of the run yet, it
    /// never was there.
    pub(super) fn withdraw(&mut self, job: u32) {
        let JobRow { at, on, .. } = self.job(job);
        let Some(node) = at.get() else { return };
        self.unassign(job);
        if on == at && self.node(node).pending == Pending::Start {
            self.clear(job, node);
        }
    }

    // Occupying: the pair of `on` and `occupant`.

    /// Lets the job that holds a processor have it, if nothing is in its way any more.
    fn start(&mut self, node: u32) {
        let row = self.node(node);
        let Some(job) = row.holder.get() else { return };
        if row.occupant != Ref::NONE || self.job(job).on != Ref::NONE {
            return;
        }
        self.edit_node(node, |row| row.occupant = Ref::to(job));
        let now = self.now;
        self.edit_job(job, |row| {
            row.on = Ref::to(node);
            row.attempt = row.attempt.wrapping_add(1);
            row.since = now;
        });
        self.tell(node, Pending::Start);
    }

    /// A job is no longer on a processor. One that waits goes to the front: it has been served
    /// before, and nothing keeps it any more.
    fn clear(&mut self, job: u32, node: u32) {
        self.tell_nothing(node);
        self.edit_node(node, |row| {
            row.occupant = Ref::NONE;
            row.told = Pending::Nothing;
        });
        let now = self.now;
        self.edit_job(job, |row| {
            row.spent = row.time_taken(now);
            row.on = Ref::NONE;
        });
        let JobRow { at, home, hold_reason, .. } = self.job(job);
        if at == Ref::NONE && hold_reason == HoldReason::None {
            self.edit_home(home, |row, jobs| {
                row.waiting.remove(jobs, job);
                row.waiting.push_front(jobs, job);
            });
        }
    }

    // What hosts are to be told.

    pub(super) fn tell(&mut self, node: u32, what: Pending) {
        let is_told = |row: &NodeRow| row.pending != Pending::Nothing;
        self.core.pending.change(self.rows.nodes, node, is_told, |row| row.pending = what);
    }

    /// The host was told what it was to be told. To start a run once more does not take back that it
    /// was told to leave: it may have done so already.
    pub(super) fn told(&mut self, node: u32) {
        let NodeRow { pending, told, .. } = self.node(node);
        let told = match pending {
            Pending::StartAgain if told == Pending::Preempt => told,
            Pending::Start | Pending::StartAgain => Pending::Start,
            Pending::Preempt => Pending::Preempt,
            _ => told,
        };
        self.edit_node(node, |row| row.told = told);
        self.tell_nothing(node);
    }

    /// Nothing, after all.
    pub(super) fn tell_nothing(&mut self, node: u32) {
        self.tell(node, Pending::Nothing);
    }

    /// Tells every host again what it should be doing. What it was told last may not have
    /// reached it, or may have.
    pub(super) fn resync(&mut self) {
        for node in 0..self.rows.nodes.len() as u32 {
            let row = self.node(node);
            if row.occupant == Ref::NONE {
                continue;
            }
            let leaves = [row.told, row.pending].contains(&Pending::Preempt);
            let what = match row.occupant == row.holder {
                true => Pending::StartAgain,
                false if leaves => Pending::Preempt,
                // Its local scheduler sees to it: it may only be suspended.
                false => Pending::Ask,
            };
            self.tell(node, what);
        }
    }

    // Lists and counts.

    /// A processor that nobody has goes to a job of its own station, or else to the free ones.
    pub(super) fn offer(&mut self, node: u32) {
        if !self.node(node).is_free() || self.is_listed_free(node) {
            return;
        }
        if self.is_station(node) {
            self.core.free.push_back(self.rows.nodes, node);
        } else {
            self.core.free.push_front(self.rows.nodes, node);
        }
        self.core.free_count = self.core.free_count.saturating_add(1);
        self.serve_own(node);
        self.changes.capacity |= self.node(node).is_free();
    }

    /// A station's own processor, if free, goes to its own first job that waits.
    pub(super) fn serve_own(&mut self, station: u32) {
        if !self.is_station(station) || !self.is_listed_free(station) {
            return;
        }
        if let Some(job) = self.first_waiting(station) {
            self.assign(job, station);
        } else if self.config.recall {
            self.call_home(station);
        }
    }

    /// A station's own processor goes to its job that has had another's the longest. One that is
    /// not there yet is left alone: its processor might have to be offered in turn, and so on.
    fn call_home(&mut self, station: u32) {
        let Some(job) = self.home(station).placed.first() else { return };
        let JobRow { on, at, .. } = self.job(job);
        let is_told = at.get().is_some_and(|node| self.node(node).pending != Pending::Start);
        if on == at && is_told {
            self.withdraw(job);
            self.assign(job, station);
        }
    }

    /// Whether a processor is in the list of the free ones. In the middle of a change one can be
    /// free and not, or not yet, in the list.
    fn is_listed_free(&self, node: u32) -> bool {
        let row = self.node(node);
        let linked = row.links != Links::NONE || self.core.free.head == Ref::to(node);
        row.is_free() && linked
    }

    pub(super) fn unlist_free(&mut self, node: u32) {
        if self.is_listed_free(node) {
            self.core.free.remove(self.rows.nodes, node);
            self.core.free_count = self.core.free_count.saturating_sub(1);
        }
    }

    fn first_waiting(&self, home: u32) -> Option<u32> {
        self.home(home).waiting.first()
    }

    /// A job joins those that wait, if it may: in front if it could start at once and has been
    /// served before, else at the end.
    pub(super) fn wait(&mut self, job: u32) {
        let JobRow { home, on, attempt, hold_reason, failures, .. } = self.job(job);
        if hold_reason != HoldReason::None {
            return;
        }
        self.edit_home(home, |row, jobs| {
            if on == Ref::NONE && attempt > 0 && failures == 0 {
                row.waiting.push_front(jobs, job);
            } else {
                row.waiting.push_back(jobs, job);
            }
            row.wants = row.wants.saturating_add(1);
        });
        self.publish(home);
        self.changes.demand = true;
    }

    pub(super) fn unlist_waiting(&mut self, job: u32) {
        let home = self.job(job).home;
        self.edit_home(home, |row, jobs| {
            row.waiting.remove(jobs, job);
            row.wants = row.wants.saturating_sub(1);
        });
        self.publish(home);
    }

    /// What a station wants counts while it is there.
    fn publish(&mut self, station: u32) {
        if self.is_station(station) {
            let there = self.node(station).presence != Presence::Absent;
            let wants = if there { self.home(station).wants } else { 0 };
            self.edit_demand(station, |demand| demand.wants = wants);
        }
    }

    fn edit_demand(&mut self, station: u32, change: impl FnOnce(&mut Demand)) {
        if let Some(demand) = self.rows.demand.get_mut(station as usize) {
            change(demand);
            self.changes.touched.add(station);
        }
    }

    /// Closes the row of a job that is at no processor and on none.
    pub(super) fn close(&mut self, job: u32) {
        if self.job(job).hold_reason == HoldReason::None {
            self.unlist_waiting(job);
        }
        let JobRow { generation, home, .. } = self.job(job);
        self.edit_home(home, |row, _| row.jobs = row.jobs.saturating_sub(1));
        self.edit_job(job, |row| *row = JobRow { generation, ..JobRow::EMPTY });
        self.core.jobs.close(&mut *self.rows.jobs, job);
    }
}

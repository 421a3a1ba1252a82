//! The world of a pool: owners, homes and hosts around the kernel's coordinator.
//!
//! Reports reach the coordinator, and its effects the hosts, at once; with a poll period, stations
//! say only when polled that they are idle or have jobs. A user's next permanent job arrives just
//! before its last one is reported done, so that a wish that is permanent has no gap.

use super::calls::{Progress, Rhythm, SECOND, ticks};
use super::owner::Changes;
use super::tally::{Tally, seconds};
use super::{Outcome, Pool};
use crate::events::EventQueue;
use crate::moment::Moment;
use crate::streams::{Stream, stream};
use locox::draw::Draw;
use locox::error::Error;
use locox::fair::{Fairness, StationId};
use locox::node::{Action, Input, LocalScheduler, Owner, Phase, Writing};
use locox::time::{Duration, Instant};
use locox_coordinators::station::{
    Checkpoint, Command, Coordinator, Effect, JobId, Message, Misuse, NodeId, PreemptReason,
    Refusal, Run,
};
use locox_recorded::station::{Table, table};
use locox_storage::Log;
use rand::Rng;
use std::collections::VecDeque;

/// - A job is in `jobs`, at the number of its row, from its submission until it is reported done.
/// - `reports` is empty between two events.
pub(super) struct World<'p, F> {
    pool: &'p Pool,
    coordinator: Coordinator<F, Table>,
    events: EventQueue<Event>,
    now: Instant,
    hosts: Vec<Host>,
    homes: Vec<Home<'p>>,
    jobs: Vec<Option<Job>>,
    /// What the coordinator is to be told now, in order.
    reports: VecDeque<Report>,
    /// What it is to be told when it polls.
    unpolled: Vec<Report>,
    /// Submissions for which it had no row.
    held_back: VecDeque<Report>,
    /// What it was told, if that is recorded, and the most commands of it.
    log: Option<(Log, u64)>,
    draws: Stream,
    tally: Tally,
}

#[derive(Clone, Copy)]
enum Event {
    /// An owner comes or goes.
    Owner { station: usize, owner: Owner },
    /// Jobs arrive at a station.
    Arrival { station: usize },
    /// A guest has done its work.
    Done { node: usize },
    /// A checkpoint is safe at home.
    Saved { node: usize },
    /// A guest's call is answered.
    Answered { node: usize },
    /// The local scheduler wants to be called.
    Wake { node: usize },
}

#[derive(Clone, Copy)]
enum Report {
    Command(Command),
    Submit(Job),
}

/// A processor.
struct Host {
    local: LocalScheduler,
    guest: Option<Guest>,
}

/// A run on a processor.
#[derive(Clone, Copy)]
struct Guest {
    run: Run,
    /// The work that was done when it last started to run, in millionths of a second.
    progress: u64,
    /// Since when it runs; in the future while it is on its way, `None` while it is stopped.
    runs_since: Option<Instant>,
    /// The work in the checkpoint that is being written, and when that is safe.
    saving: Option<(Instant, u64, Writing)>,
    /// When the call is answered of which its host was told.
    answered: Option<Instant>,
}

/// A station as the home of jobs.
struct Home<'p> {
    changes: Changes<'p>,
    arrivals: Stream,
    service: Stream,
    serial: u32,
}

#[derive(Clone, Copy)]
struct Job {
    home: usize,
    arrived: Instant,
    demand: u64,
    /// Another one arrives when it is done.
    permanent: bool,
    /// The work in the last checkpoint, in millionths of a second.
    saved: u64,
    checkpoints: u32,
}

fn has_room((log, most): &(Log, u64)) -> bool {
    log.commands() < *most
}

impl<'p, F: Fairness> World<'p, F> {
    pub(super) fn new(
        pool: &'p Pool,
        fair: F,
        seed: u64,
        replication: u64,
    ) -> Result<Self, Misuse> {
        let stations = pool.stations.len();
        let nodes = stations + pool.bank as usize;
        let jobs = pool.job_rows();
        let named = |name: &str, station| stream(seed, &format!("{name} {station}"), replication);
        let home = |(station, spec): (usize, &'p super::Station)| Home {
            changes: spec.habit.changes(named("owner", station)),
            arrivals: named("arrivals", station),
            service: named("service", station),
            serial: 0,
        };
        let host = |_| Host { local: LocalScheduler::new(pool.local), guest: None };
        Ok(Self {
            pool,
            coordinator: Coordinator::new(
                pool.config,
                table(stations, nodes, jobs),
                fair,
                Instant::ZERO,
            )?,
            events: EventQueue::new(),
            now: Instant::ZERO,
            hosts: (0..nodes).map(host).collect(),
            homes: pool.stations.iter().enumerate().map(home).collect(),
            jobs: (0..jobs).map(|_| None).collect(),
            reports: VecDeque::new(),
            unpolled: Vec::new(),
            held_back: VecDeque::new(),
            log: None,
            draws: stream(seed, "draws", replication),
            tally: Tally::new(pool),
        })
    }

    pub(super) fn run(
        mut self,
        mut watch: impl FnMut(Instant, &F),
        mut show: impl FnMut(&dyn Fn() -> Moment),
    ) -> Outcome {
        let end = Instant::ZERO.saturating_add(self.pool.span);
        self.begin();
        let mut interval_ends = Instant::ZERO.saturating_add(self.pool.config.interval);
        while let Some(woke) = self.go_on_until(end) {
            let now = self.now;
            self.tally.note(now, self.coordinator.demand(), self.coordinator.free());
            if woke && now >= interval_ends {
                interval_ends = now.saturating_add(self.pool.config.interval);
                watch(now, self.coordinator.fairness());
                show(&|| self.moment());
            }
        }
        self.close(end)
    }

    fn moment(&self) -> Moment {
        let running = self.hosts.iter().filter(|host| host.guest.is_some()).count();
        let demand = self.coordinator.demand();
        Moment {
            now: self.now,
            waiting: demand.iter().map(|demand| usize::from(demand.wants)).sum(),
            running,
            done: self.tally.users.iter().map(|user| user.finished).sum(),
            used: running as u32,
            processors: self.hosts.len() as u32,
        }
    }

    /// The history of the coordinator, up to so many commands.
    pub(super) fn record(mut self, most: u64) -> Vec<u8> {
        let end = Instant::ZERO.saturating_add(self.pool.span);
        self.log = Some((Log::begin(&self.coordinator), most));
        self.begin();
        while self.log.as_ref().is_some_and(has_room) && self.go_on_until(end).is_some() {}
        self.log.map_or_else(Vec::new, |(log, _)| log.into_bytes())
    }

    /// The next thing happens, if that is before `end`: whether it was that the coordinator wanted
    /// to be called.
    fn go_on_until(&mut self, end: Instant) -> Option<bool> {
        let wake = self.coordinator.wake_at().unwrap_or(end);
        let next = self.events.next_at().map_or(wake, |event| event.min(wake));
        if next >= end {
            return None;
        }
        self.now = next;
        if wake == next {
            self.reports.push_back(Report::Command(Command::Tick));
        } else if let Some((_, event)) = self.events.take() {
            self.happen(event);
        }
        self.report_all();
        Some(wake == next)
    }

    fn begin(&mut self) {
        for node in self.homes.len()..self.hosts.len() {
            self.owner_changes(node, Owner::Away);
        }
        for station in 0..self.homes.len() {
            self.report(Command::OwnerBack { station: StationId(station as u32) });
            self.next_owner(station);
            for _ in 0..self.pool.stations[station].user.permanent {
                self.arrive(station, true);
            }
            self.next_arrival(station);
        }
        // The bank is there before the first event.
        self.report_all();
    }

    fn happen(&mut self, event: Event) {
        match event {
            Event::Owner { station, owner } => {
                self.owner_changes(station, owner);
                self.next_owner(station);
            }
            Event::Arrival { station } => {
                let arrivals = self.pool.stations[station].user.arrivals.as_ref();
                for _ in 0..arrivals.map_or(0, |arrivals| arrivals.batch) {
                    self.arrive(station, false);
                }
                self.next_arrival(station);
            }
            Event::Done { node } => self.done(node),
            Event::Saved { node } => self.saved(node),
            Event::Answered { node } => self.answered(node),
            Event::Wake { node } => self.step(node, Input::Time),
        }
    }

    // Homes.

    fn next_owner(&mut self, station: usize) {
        if let Some((at, owner)) = self.homes[station].changes.next() {
            self.events.schedule(at, Event::Owner { station, owner });
        }
    }

    fn next_arrival(&mut self, station: usize) {
        let Some(arrivals) = &self.pool.stations[station].user.arrivals else { return };
        let after = arrivals.every.sample(&mut self.homes[station].arrivals).round().max(1.0);
        let at = self.now.saturating_add(Duration::from_ticks(after as u64));
        self.events.schedule(at, Event::Arrival { station });
    }

    fn arrive(&mut self, home: usize, permanent: bool) {
        let service = &self.pool.stations[home].user.service;
        let demand = service.sample(&mut self.homes[home].service).round().max(1.0) as u64;
        self.tally.users[home].submitted += 1;
        let job = Job { home, arrived: self.now, demand, permanent, saved: 0, checkpoints: 0 };
        self.report_when_polled(Report::Submit(job));
    }

    fn submit(&mut self, job: Job) {
        let serial = self.homes[job.home].serial.wrapping_add(1);
        let command = Command::Submit { home: StationId(job.home as u32), serial };
        match self.apply(command) {
            Ok(Some(name)) => {
                self.homes[job.home].serial = serial;
                let row = &mut self.jobs[name.handle().index() as usize];
                assert!(row.replace(job).is_none(), "two jobs in one row");
            }
            Err(Error::Refused(_)) => self.held_back.push_back(Report::Submit(job)),
            other => panic!("a submission was answered with {other:?}"),
        }
    }

    // Owners.

    /// An owner comes or goes; a processor of the bank is available from the start.
    fn owner_changes(&mut self, node: usize, owner: Owner) {
        match owner {
            Owner::Present if self.hosts[node].local.owner() == Owner::Away => {
                self.tally.available(self.now, -1.0);
                self.unpolled.retain(|report| !report.is_idle(node));
                let station = StationId(node as u32);
                self.report(Command::OwnerBack { station });
                self.tally.evictions += u64::from(self.hosts[node].guest.is_some());
                self.step(node, Input::OwnerReturned);
            }
            Owner::Present => {}
            Owner::Away => {
                self.tally.available(self.now, 1.0);
                self.step(node, Input::OwnerLeft);
                let runs = self.hosts[node].guest.is_some_and(|guest| guest.runs_since.is_some());
                if !runs {
                    let node = NodeId(node as u32);
                    self.report_when_polled(Report::Command(Command::NodeIdle { node }));
                }
            }
        }
    }

    // The coordinator.

    fn report(&mut self, command: Command) {
        self.reports.push_back(Report::Command(command));
    }

    fn report_when_polled(&mut self, report: Report) {
        if self.pool.config.poll.is_some() {
            self.unpolled.push(report);
        } else {
            self.reports.push_back(report);
        }
    }

    fn apply(&mut self, command: Command) -> Result<Option<JobId>, Error<Refusal, Misuse>> {
        let draw = F::Draw::from_source(|| self.draws.next_u32());
        let answer = self.coordinator.apply_drawn(self.now, command, draw);
        if let (Ok(_), Some((log, _))) = (&answer, self.log.as_mut().filter(|log| has_room(log))) {
            log.command(self.now, Message::from(command), draw);
        }
        answer
    }

    fn report_all(&mut self) {
        while let Some(report) = self.reports.pop_front() {
            self.tally.commands += 1;
            match report {
                Report::Submit(job) => self.submit(job),
                Report::Command(command) => {
                    let answer = self.apply(command);
                    answer.unwrap_or_else(|error| panic!("{command:?}: {error}"));
                }
            }
            while let Some(effect) = self.coordinator.take_effect() {
                if let Some((log, _)) = &mut self.log {
                    log.effect();
                }
                self.obey(effect);
            }
        }
    }

    /// An order for a run that has just ended is void: its end is about to be reported.
    fn order(&mut self, node: NodeId, run: Run, input: Input) {
        let node = node.0 as usize;
        if self.hosts[node].guest.is_some_and(|guest| guest.run == run) {
            self.step(node, input);
        }
    }

    fn obey(&mut self, effect: Effect) {
        match effect {
            Effect::Poll => self.reports.extend(self.unpolled.drain(..)),
            Effect::Place { node, run, begins, .. } => self.place(node, run, None, begins),
            Effect::Resume { node, run, checkpoint, begins, .. } => {
                self.place(node, run, Some(checkpoint), begins);
            }
            Effect::Preempt { node, run, why } => {
                self.tally.preemptions += u64::from(matches!(why, PreemptReason::Fairness { .. }));
                self.order(node, run, Input::Preempt);
            }
            Effect::Checkpoint { node, run } => self.order(node, run, Input::Checkpoint),
            // Hosts do not number their messages, and no run fails.
            Effect::Ask { .. } | Effect::SetAside { .. } => {}
        }
    }

    // Hosts.

    fn place(&mut self, node: NodeId, run: Run, from: Option<Checkpoint>, begins: Instant) {
        let node = node.0 as usize;
        let started = self.hosts[node].local.step(self.now, Input::Place);
        assert_eq!(started, Ok(Some(Action::Start)), "a report was late");
        let Job { home, saved, checkpoints, .. } = *self.job(run);
        assert_eq!(from, checkpoints.checked_sub(1).map(Checkpoint), "not the last checkpoint");
        let runs_since = Some(begins);
        let guest = Guest { run, progress: saved, runs_since, saving: None, answered: None };
        self.hosts[node].guest = Some(guest);
        self.events.schedule(self.end_of(node, &guest), Event::Done { node });
        self.tally.used(self.now, 1.0);
        self.tally.users[home].placements += u64::from(node != home);
        self.pay_handling(node, run);
    }

    fn step(&mut self, node: usize, input: Input) {
        self.tell_of_call(node);
        self.obey_local(node, input);
    }

    fn obey_local(&mut self, node: usize, input: Input) {
        let action = self.hosts[node].local.step(self.now, input);
        match action.unwrap_or_else(|refusal| panic!("{input:?}: {refusal}")) {
            None => {}
            Some(Action::Start) => unreachable!("jobs are placed elsewhere"),
            Some(Action::Suspend) => {
                self.stop(node);
                self.wake_later(node);
            }
            Some(Action::Continue) => self.go_on(node),
            Some(Action::Checkpoint(writing)) => self.checkpoint(node, writing),
            Some(Action::Vacate) => self.drop_guest(node),
            Some(Action::Kill) => self.kill(node),
        }
    }

    /// The guest runs no longer; what it did counts.
    fn stop(&mut self, node: usize) {
        let Some(mut guest) = self.hosts[node].guest else { return };
        let Progress { executed, calls, .. } = self.since_it_runs(node, &guest);
        if guest.runs_since.take().is_none() {
            return;
        }
        guest.progress += executed;
        self.hosts[node].guest = Some(guest);
        let home = self.job(guest.run).home;
        let (done, costs) = (seconds_of(executed), self.pool.costs);
        let user = &mut self.tally.users[home];
        if node == home {
            user.local += done;
        } else {
            user.remote += done;
            user.calls += calls;
            user.support += done * costs.shadow;
            user.support += calls as f64 * costs.calls.map_or(0.0, |calls| calls.cost);
        }
    }

    // Calls.

    /// Calls cost at home what they cost any process there: only those from elsewhere count.
    fn rhythm(&self, node: usize, run: Run) -> Rhythm {
        let calls = self.pool.costs.calls.filter(|_| node != self.job(run).home);
        calls.map_or(Rhythm::NONE, |calls| calls.rhythm())
    }

    /// What a guest has done since it runs; nothing if it does not, or is on its way.
    fn since_it_runs(&self, node: usize, guest: &Guest) -> Progress {
        let time = guest.runs_since.and_then(|since| self.now.since(since));
        let time = time.map_or(0, |time| time.ticks().saturating_mul(SECOND));
        self.rhythm(node, guest.run).after(guest.progress, self.left(guest), time)
    }

    /// The host sees a call before whatever else happens, so that no checkpoint is taken then.
    fn tell_of_call(&mut self, node: usize) {
        let Some(guest) = self.hosts[node].guest else { return };
        let waits = self.since_it_runs(node, &guest).waits;
        if waits == 0 || guest.answered.is_some() {
            return;
        }
        let answered = self.now.saturating_add(ticks(waits));
        self.hosts[node].guest = Some(Guest { answered: Some(answered), ..guest });
        let told = self.hosts[node].local.step(self.now, Input::MessageSent);
        assert_eq!(told, Ok(None), "no checkpoint was begun");
        self.events.schedule(answered, Event::Answered { node });
    }

    fn answered(&mut self, node: usize) {
        let Some(guest) = self.hosts[node].guest.as_mut() else { return };
        if guest.answered.take_if(|answered| *answered == self.now).is_some() {
            // A call after that one, within the same second, is not seen.
            self.obey_local(node, Input::MessageAnswered);
        }
    }

    fn go_on(&mut self, node: usize) {
        let Some(guest) = self.hosts[node].guest.as_mut() else { return };
        guest.runs_since = Some(guest.answered.unwrap_or(self.now));
        let guest = *guest;
        self.events.schedule(self.end_of(node, &guest), Event::Done { node });
        self.report(Command::Continued { run: guest.run });
    }

    /// Begins a checkpoint; a guest that leaves is stopped first.
    fn checkpoint(&mut self, node: usize, writing: Writing) {
        if self.hosts[node].local.phase() != Phase::Running {
            self.stop(node);
        }
        let Some(guest) = self.hosts[node].guest else { return };
        let progress = guest.progress + self.since_it_runs(node, &guest).executed;
        let takes = self.pool.costs.checkpoint * self.memory(guest.run);
        let safe = self.now.saturating_add(Duration::from_ticks(takes.round() as u64));
        self.hosts[node].guest = Some(Guest { saving: Some((safe, progress, writing)), ..guest });
        if safe == self.now {
            return self.saved(node);
        }
        self.events.schedule(safe, Event::Saved { node });
        self.wake_later(node);
    }

    /// A checkpoint is safe, unless another was begun since or the guest is gone.
    fn saved(&mut self, node: usize) {
        let Some(guest) = self.hosts[node].guest.as_mut() else { return };
        let saved = guest.saving.take_if(|(safe, ..)| *safe == self.now);
        let Some((_, progress, writing)) = saved else {
            return;
        };
        let run = guest.run;
        let job = self.jobs[row_of(run)].as_mut().expect(LIVE);
        job.saved = progress;
        let checkpoint = Checkpoint(job.checkpoints);
        job.checkpoints += 1;
        self.pay_handling(node, run);
        self.report(Command::Checkpointed { run, checkpoint });
        self.step(node, Input::CheckpointDone(writing));
    }

    fn drop_guest(&mut self, node: usize) {
        let Some(guest) = self.hosts[node].guest.take() else { return };
        self.tally.used(self.now, -1.0);
        self.report(Command::Vacated { run: guest.run });
    }

    fn kill(&mut self, node: usize) {
        let Some(guest) = self.hosts[node].guest else { return };
        let Job { home, saved, .. } = *self.job(guest.run);
        self.tally.users[home].lost += seconds_of(guest.progress - saved);
        self.tally.kills += 1;
        self.step(node, Input::Gone);
        self.drop_guest(node);
    }

    /// A guest's work is done, unless it was stopped in between.
    fn done(&mut self, node: usize) {
        let host = &mut self.hosts[node];
        let Some(guest) = host.guest.filter(|guest| guest.runs_since.is_some()) else { return };
        if self.end_of(node, &guest) != self.now {
            return;
        }
        self.stop(node);
        self.step(node, Input::Finished);
        self.hosts[node].guest = None;
        self.tally.used(self.now, -1.0);
        let job = self.jobs[row_of(guest.run)].take().expect(LIVE);
        self.count_done(node, &job);
        if job.permanent {
            self.arrive(job.home, true);
        }
        self.report(Command::Finished { run: guest.run });
        self.reports.extend(self.held_back.pop_front());
    }

    fn count_done(&mut self, node: usize, job: &Job) {
        let user = &mut self.tally.users[job.home];
        let (turnaround, demand) = (seconds(job.arrived, self.now), job.demand as f64);
        user.finished += 1;
        user.demand += demand;
        user.turnaround += turnaround;
        user.wait_ratios += (turnaround - demand) / demand;
        if node != job.home {
            user.finished_remotely += 1;
            user.remote_demand += demand;
            user.remote_turnaround += turnaround;
        }
    }

    fn wake_later(&mut self, node: usize) {
        if let Some(at) = self.hosts[node].local.wake_at() {
            self.events.schedule(at, Event::Wake { node });
        }
    }

    /// The home's part in moving a job or its checkpoint.
    fn pay_handling(&mut self, node: usize, run: Run) {
        let home = self.job(run).home;
        if node != home {
            self.tally.users[home].support += self.pool.costs.handling * self.memory(run);
        }
    }

    fn memory(&self, run: Run) -> f64 {
        self.pool.stations[self.job(run).home].user.memory
    }

    fn end_of(&self, node: usize, guest: &Guest) -> Instant {
        let takes = self.rhythm(node, guest.run).takes(guest.progress, self.left(guest));
        guest.runs_since.map_or(Instant::MAX, |since| since.saturating_add(ticks(takes)))
    }

    /// What it had to do when it last started to run, in millionths of a second.
    fn left(&self, guest: &Guest) -> u64 {
        self.job(guest.run).demand.saturating_mul(SECOND) - guest.progress
    }

    fn job(&self, run: Run) -> &Job {
        self.jobs[row_of(run)].as_ref().expect(LIVE)
    }

    /// What still runs counts up to the end.
    fn close(mut self, end: Instant) -> Outcome {
        self.now = end;
        (0..self.hosts.len()).for_each(|node| self.stop(node));
        for host in &self.hosts {
            if let Some(Guest { run, progress, .. }) = host.guest {
                self.jobs[row_of(run)].as_mut().expect(LIVE).saved = progress;
            }
        }
        for job in self.jobs.iter().flatten() {
            self.tally.users[job.home].unfinished += seconds_of(job.saved);
        }
        self.tally.outcome(end)
    }
}

fn seconds_of(millionths: u64) -> f64 {
    millionths as f64 / SECOND as f64
}

const LIVE: &str = "the job of a live run";

fn row_of(run: Run) -> usize {
    run.job.handle().index() as usize
}

impl Report {
    fn is_idle(&self, node: usize) -> bool {
        matches!(self, Self::Command(Command::NodeIdle { node: idle }) if idle.0 as usize == node)
    }
}

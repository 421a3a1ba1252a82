//! Who starts, who stops, and what is promised.

use super::layout::Asked;
use super::places::{Plan, remember};
use super::storage::{ENDLESS, FORESEEN, Flag, JobRow, Late, State};
use super::tables::{Line, Tables, agreed};
use super::{Effect, Key, Promise, Ranking};
use super::{expense, map, reservations, room};
use locox::cube::Node;
use locox::dispatch::{Job, Queue, Ticket};
use locox::reserve::Interval;
use locox::time::{Duration, Instant};

/// When what is asked for could start.
type Soonest = heapless::Vec<(Asked, Duration, Option<Instant>), 32>;

impl<'a> Tables<'a> {
    /// Cost: a logarithm of the jobs for each user with jobs in line, and for each job that starts. With deadlines also
    /// one for each job that has one, and a look at all rows. Where jobs need nodes together, or outages are planned, also a look at all
    /// nodes and rows; a search or two for each job that starts; up to three for each size that waits and number of outages that it would
    /// meet; and for the first that does not start one for each doubling of the jobs that run.
    pub(super) fn decide(&mut self, now: Instant) {
        self.pass(now);
        self.undecide();
        self.outages.forget(now);
        reservations::serve(self, now);
        room::settle(self, now);
        self.users.tell(now);
        if self.config.ranking == Ranking::Users {
            for user in 0..self.users.lists.slab.used() {
                self.rank(user);
            }
        }
        self.serve(now);
        if expense::make(self, now) {
            self.serve(now);
        }
        if let Some(mut plan) = self.plan() {
            plan.look_again();
            [self.core.possible, self.core.largest] = plan.places.largest();
        }
        self.promise(now);
        self.warn(now);
    }

    /// The first job of a user has the key of one, and no other job of his has.
    pub(super) fn rank(&mut self, user: u32) {
        let it = *self.users.row(user);
        if let Some(first) = it.first.get().filter(|_| it.first != it.line) {
            self.tell_queue(first);
        }
        if let Some(first) = it.line.get() {
            let (ticket, key) = (self.row(first).ticket, self.users.key_of_first(user));
            agreed(self.queue.rekey(self.core.now, ticket, key));
        }
        self.users.set_first(user);
    }

    /// What the queue is told of the machine, where jobs need nodes together.
    pub(super) fn plan(&mut self) -> Option<Plan<'_, 'a>> {
        Some(self.parts()?.0)
    }

    fn parts(&mut self) -> Option<(Plan<'_, 'a>, &mut Line<'a>)> {
        let Self { jobs, nodes, places, outages, core, queue, config, .. } = self;
        let (outages, notice) = (outages.planned(), config.notice());
        let places = places.as_mut().filter(|it| !it.layout.is_any() || !outages.is_empty())?;
        Some((Plan { places, nodes, jobs, outages, now: core.now, notice }, queue))
    }

    /// The same also where any nodes will do.
    pub(super) fn whole_plan(&mut self) -> Option<Plan<'_, 'a>> {
        let Self { jobs, nodes, places, outages, core, config, .. } = self;
        let (places, outages) = (places.as_mut()?, outages.planned());
        Some(Plan { places, nodes, jobs, outages, now: core.now, notice: config.notice() })
    }

    /// Starts what can start.
    fn serve(&mut self, now: Instant) {
        if let Some(mut plan) = self.plan() {
            plan.draw();
        }
        while let Some((ticket, job)) = self.next(now) {
            let row = ticket.handle().index();
            let user = self.row(row).user;
            self.users.leave(self.jobs, user, row);
            let pes = Some(job.pes).filter(|_| self.plan().is_none());
            self.start(now, row, pes);
            // The queue took it to need all of its place.
            if self.row(row).has < job.pes {
                self.tell_queue(row);
            }
            if let Some(mut plan) = self.plan() {
                plan.started(row);
            }
            if self.config.ranking == Ranking::Users {
                self.users.tell(now);
                self.rank(user);
            }
        }
    }

    /// The next job to start.
    fn next(&mut self, now: Instant) -> Option<(Ticket, Job)> {
        let Some((mut plan, queue)) = self.parts() else {
            return self.queue.next(now, &mut |_| true);
        };
        // Who is the first in line may be another one since the last start.
        queue.forget_promise();
        queue.next_on(now, &mut plan)
    }

    /// A job is to start, on so many of the nodes that are free, or on what was taken for it.
    pub(super) fn start(&mut self, now: Instant, row: u32, pes: Option<u32>) {
        self.give(row, pes);
        self.edit(row, |it| {
            (it.state, it.since) = (State::Starts, now);
            it.attempt = it.attempt.wrapping_add(1);
        });
        let JobRow { user, has, .. } = *self.row(row);
        self.users.edit(user, |it| it.nodes = it.nodes.saturating_add(has));
        self.set_due(row, true);
    }

    fn give(&mut self, row: u32, pes: Option<u32>) {
        let mut it = *self.row(row);
        match (pes, &self.places) {
            (Some(pes), _) => {
                self.nodes.give_free(pes, row, &mut it.nodes);
                (it.has, it.mesh) = (pes, [0; 5]);
            }
            (None, None) => {}
            (None, Some(places)) => {
                let mesh = places.layout.mesh(&it, places.taken());
                let own = |node: &u32| mesh.is_none_or(|mesh| mesh.contains(Node(*node)));
                it.has = 0;
                for node in places.taken().filter(own) {
                    self.nodes.give(node, row, &mut it.nodes);
                    it.has = it.has.saturating_add(1);
                }
                it.mesh = mesh.as_ref().map_or([0; 5], map::stored);
            }
        }
        self.edit(row, |row| *row = it);
    }

    /// Finds out which jobs end after their deadlines.
    fn warn(&mut self, now: Instant) {
        if self.core.deadlines == 0 {
            return;
        }
        // Where jobs need nodes together, all that ask for the same could start at the same time.
        let mut soonest = heapless::Vec::new();
        // A job that runs longer than it may is taken to end at the next tick.
        let next = now.saturating_add(Duration::from_ticks(1));
        for row in 0..self.jobs.len() as u32 {
            let it = *self.row(row);
            if !it.has_deadline() {
                continue;
            }
            let start = match self.core.promise.filter(|promise| promise.key == it.key) {
                _ if matches!(it.state, State::Starts | State::Runs) => Some(it.since),
                Some(promise) => Some(promise.from),
                None if it.reserved == Flag::Yes => {
                    self.outages.reservation(row).map(|at| at.start)
                }
                None if it.state == State::Waits => self.soonest(now, row, &mut soonest),
                None => Some(now),
            };
            let finish = start.map(|start| start.saturating_add(it.limit.min(ENDLESS)).max(next));
            let late = match (finish, it.late) {
                (None, Late::Told) => Late::Told,
                (Some(finish), Late::No) if finish > it.by => Late::Due,
                (Some(finish), known) if finish > it.by => known,
                _ => Late::No,
            };
            self.edit(row, |it| it.finish = finish.unwrap_or_default());
            self.set_late(row, late);
        }
    }

    /// When a job that waits could start if it were the first in line; `None` if the nodes in service have no room for it.
    fn soonest(&mut self, now: Instant, row: u32, known: &mut Soonest) -> Option<Instant> {
        let it = *self.row(row);
        if self.is_too_large(&it) {
            return None;
        }
        let job = self.terms(&it);
        let Some(mut plan) = self.plan() else { return self.queue.earliest(now, &job) };
        let asked = plan.places.layout.asked(&it)?;
        // How long it runs means something only where outages are planned.
        let limit = if plan.outages.is_empty() { Duration::ZERO } else { job.requested };
        if let Some((.., start)) = known.iter().find(|it| (it.0, it.1) == (asked, limit)) {
            return *start;
        }
        let start = plan.earliest(&asked, job.requested).map(|at| at.start);
        remember(known, (asked, limit, start));
        start
    }

    /// The first job in line, if a decision was the last thing that was told.
    pub(super) fn first(&self) -> Option<(Key, Interval)> {
        let (ticket, at) = self.queue.promised()?;
        Some((self.row(ticket.handle().index()).key, at))
    }

    /// A fact is told: what the last decision said of those that wait holds no more.
    pub(super) const fn undecide(&mut self) {
        self.queue.forget_promise();
        (self.core.possible, self.core.largest) = (u32::MAX, u32::MAX);
    }

    /// What waits for a job that may run for ever is promised nothing.
    fn promise(&mut self, now: Instant) {
        let known = now.saturating_add(FORESEEN);
        let first = self.first().filter(|(_, at)| at.start < known);
        let promise = first.map(|(key, at)| Promise { key, from: at.start, to: at.end });
        if self.core.promise != promise {
            (self.core.promise, self.core.promise_due) = (promise, promise.is_some());
        }
    }

    /// What is to be told of a job.
    pub(super) fn effect_of(&self, row: u32) -> Effect {
        let &JobRow { key, has, state, due, finish, .. } = self.row(row);
        match state {
            _ if due == Flag::No => Effect::Late { key, finish },
            State::Stops => Effect::Stop { key, why: room::why(self, row) },
            State::Runs => {
                Effect::Notice { key, at: room::notice_of(self, row), why: room::why(self, row) }
            }
            State::Starts => Effect::Start { key, nodes: has },
            State::None | State::Waits | State::Comes => {
                Effect::Never { key, nodes: self.nodes.len() }
            }
        }
    }

    /// All that is not confirmed is told again.
    pub(super) fn resync(&mut self) {
        for row in 0..self.jobs.len() as u32 {
            let it = self.row(row);
            let is_open =
                matches!(it.state, State::Starts | State::Stops) || room::is_noticed(self, row);
            let is_never = it.state == State::Waits && self.is_too_large(it);
            if is_open || is_never {
                self.set_due(row, true);
            }
        }
        self.core.promise_due = self.core.promise.is_some();
    }
}

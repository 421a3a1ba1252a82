//! Who starts, who stops, and what is promised.

use super::storage::{JobRow, State};
use super::tables::{Tables, agreed};
use super::{Effect, Promise, Ranking, StopReason, UserId};
use crate::dispatch::Queue;
use crate::fair::{Exchange, Fairness};
use crate::time::{Duration, Instant};

/// What is to start later than this waits for a job without an end.
const FORESEEN: Duration = Duration::from_ticks(1 << 60);

impl Tables<'_> {
    /// Cost: a logarithm of the jobs for each user with jobs in line, and for each job that starts.
    pub(super) fn decide(&mut self, now: Instant) {
        self.pass(now);
        self.users.tell(now);
        if self.config.ranking == Ranking::Users {
            for user in 0..self.users.lists.slab.used() {
                self.rank(user);
            }
        }
        self.serve(now);
        if self.preempt() {
            self.serve(now);
        }
        self.promise(now);
    }

    /// The first job of a user has the key of one, and no other job of his has.
    fn rank(&mut self, user: u32) {
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

    /// Starts what can start.
    fn serve(&mut self, now: Instant) {
        while let Some((ticket, job)) = self.queue.next(now, &mut |_| true) {
            let row = ticket.handle().index();
            let JobRow { user, mut nodes, .. } = *self.row(row);
            self.users.leave(self.jobs, user, row);
            self.nodes.give_free(job.pes, row, &mut nodes);
            self.edit(row, |it| {
                (it.state, it.since, it.nodes, it.has) = (State::Starts, now, nodes, job.pes);
                it.attempt = it.attempt.wrapping_add(1);
            });
            self.users.edit(user, |it| it.nodes = it.nodes.saturating_add(job.pes));
            self.set_due(row, true);
            if self.config.ranking == Ranking::Users {
                self.users.tell(now);
                self.rank(user);
            }
        }
    }

    /// Stops a job for a user who has nothing, if the ranking has him take a node from its user: of those that are
    /// large enough for his first job, and have not run before, the one that was started last. A job that was stopped
    /// has lost its work: were it stopped again, two users could stop each other's jobs for ever. Not before what was
    /// stopped earlier is gone, if that is enough. Cost: all rows of jobs. Whether one is stopped.
    fn preempt(&mut self) -> bool {
        if !self.config.preempt || self.config.ranking == Ranking::Priority {
            return false;
        }
        let Some(Exchange { from, to, .. }) = self.users.fair.exchange() else { return false };
        let to = *self.users.row(to.0);
        let Some(first) = to.line.get() else { return false };
        let (wants, serving) = (self.row(first).wants, self.queue.in_service());
        let coming = self.nodes.count_free().saturating_add(self.core.stopping);
        if wants <= coming || wants > serving {
            return false;
        }
        let is_enough = |it: &JobRow| wants <= coming.saturating_add(it.has);
        let stoppable = |it: &JobRow| {
            it.state == State::Runs && it.user == from.0 && it.attempt <= 1 && is_enough(it)
        };
        let of_user = self.used_jobs().filter(|(_, it)| stoppable(it));
        let last = of_user.max_by_key(|(_, it)| (it.since, it.arrival));
        let Some((row, &JobRow { has, .. })) = last else { return false };
        self.edit(row, |it| (it.state, it.yields_to) = (State::Stops, to.id));
        self.core.stopping = self.core.stopping.saturating_add(has);
        self.tell_queue(row);
        self.set_due(row, true);
        true
    }

    /// What waits for a job that may run for ever is promised nothing.
    fn promise(&mut self, now: Instant) {
        let known = now.saturating_add(FORESEEN);
        let first = self.queue.promised().filter(|(_, at)| at.start < known);
        let promise = first.map(|(ticket, at)| {
            let key = self.row(ticket.handle().index()).key;
            Promise { key, from: at.start, to: at.end }
        });
        if self.core.promise != promise {
            (self.core.promise, self.core.promise_due) = (promise, promise.is_some());
        }
    }

    /// What is to be told of a job.
    pub(super) fn effect_of(&self, row: u32) -> Effect {
        let &JobRow { key, has, yields_to, state, .. } = self.row(row);
        match state {
            State::Stops => Effect::Stop { key, why: StopReason::Turn { of: UserId(yields_to) } },
            State::Starts | State::Runs => Effect::Start { key, nodes: has },
            State::None | State::Waits => Effect::Never { key, nodes: self.nodes.len() },
        }
    }

    /// All that is not confirmed is told again.
    pub(super) fn resync(&mut self) {
        for row in 0..self.jobs.len() as u32 {
            let it = self.row(row);
            let is_open = matches!(it.state, State::Starts | State::Stops);
            let is_never = it.state == State::Waits && it.wants > self.nodes.len();
            if is_open || is_never {
                self.set_due(row, true);
            }
        }
        self.core.promise_due = self.core.promise.is_some();
    }
}

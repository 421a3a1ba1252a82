//! What the resource manager says is so.

use super::error::{Error, Outcome};
use super::storage::{JobRow, Late, State};
use super::tables::{Tables, agreed};
use super::{Key, Misuse, NodeId, NodeRange, Outage, Refusal, UserId, reservations, room};
use locox::dispatch::Queue;
use locox::fair::{self, StationId};
use locox::time::{Duration, Instant};

/// What a job asks for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Terms {
    pub(super) nodes: u32,
    pub(super) limit: Duration,
    pub(super) priority: u32,
}

impl Terms {
    fn check(&self) -> Result<(), Misuse> {
        match (self.nodes, self.limit) {
            (0, _) => Err(Misuse::NoNodes),
            (_, Duration::ZERO) => Err(Misuse::NoTime),
            _ => Ok(()),
        }
    }
}

impl Tables<'_> {
    pub(super) fn seen(&mut self, now: Instant, key: Key, user: UserId, terms: Terms) -> Outcome {
        terms.check()?;
        if self.find(key).is_ok() {
            return Err(Misuse::Known.into());
        }
        self.users.has_room(user)?;
        if self.core.jobs as usize >= self.jobs.len() {
            return Err(Refusal::JobsFull.into());
        }
        self.pass(now);
        let Terms { nodes: wants, limit, priority } = terms;
        let (state, arrival) = (State::Waits, self.core.arrivals);
        let new = JobRow {
            key,
            wants,
            limit,
            priority,
            arrival,
            by: Instant::MAX,
            state,
            ..JobRow::EMPTY
        };
        let pushed = self.queue.push(now, self.terms(&new));
        debug_assert!(pushed.is_ok(), "the queue has an entry for each row");
        let Ok(ticket) = pushed else { return Ok(()) };
        self.core.arrivals = arrival.wrapping_add(1);
        self.core.jobs = self.core.jobs.saturating_add(1);
        let (row, user) = (ticket.handle().index(), self.users.find_or_open(now, user));
        self.edit(row, |it| *it = JobRow { ticket, user, ..new });
        let Self { index, jobs, .. } = self;
        index.insert(key, row, |row| jobs.get(row as usize).map(|it| it.key));
        self.users.edit(user, |user| user.jobs = user.jobs.saturating_add(1));
        self.stand(row);
        Ok(())
    }

    pub(super) fn changed(&mut self, now: Instant, key: Key, terms: Terms) -> Outcome {
        terms.check()?;
        let Terms { nodes, limit, priority } = terms;
        self.ask_anew(now, key, |it| (it.wants, it.limit, it.priority) = (nodes, limit, priority))
            .map(|_| ())
    }

    /// Changes what a job asks for, or whether it is held, and where it stands in the queue. Its row.
    fn ask_anew(
        &mut self,
        now: Instant,
        key: Key,
        change: impl FnOnce(&mut JobRow),
    ) -> Result<u32, Error> {
        let row = self.find(key)?;
        self.pass(now);
        if self.row(row).state == State::Comes {
            room::ask_anew(self, row, change);
            return Ok(row);
        }
        let waits = !self.row(row).has_nodes();
        if waits {
            self.step_out(row);
        }
        let before = reservations::purpose(self, row);
        self.edit(row, change);
        // What is kept for it is for what it asked for.
        if before.is_some() && reservations::purpose(self, row) != before {
            reservations::clear(self, row);
        }
        self.tell_queue(row);
        if waits {
            self.stand(row);
        }
        Ok(row)
    }

    pub(super) fn deadline(&mut self, now: Instant, key: Key, by: Instant) -> Outcome {
        let row = self.find(key)?;
        self.pass(now);
        if self.row(row).by == by {
            return Ok(());
        }
        let had = self.row(row).has_deadline();
        self.edit(row, |it| it.by = by);
        self.set_late(row, Late::No);
        let has = self.row(row).has_deadline();
        let others = self.core.deadlines.saturating_sub(had.into());
        self.core.deadlines = others.saturating_add(has.into());
        Ok(())
    }

    pub(super) fn stoppable(&mut self, now: Instant, key: Key, stoppable: bool) -> Outcome {
        let row = self.find(key)?;
        self.pass(now);
        self.edit(row, |it| it.firm = (!stoppable).into());
        let it = self.row(row);
        if let Some(of) = it.yields_to.get().filter(|_| !stoppable && it.has > 0) {
            room::give_up(self, of);
        }
        Ok(())
    }

    pub(super) fn saved(&mut self, now: Instant, key: Key, at: Instant) -> Outcome {
        let row = self.find(key)?;
        self.pass(now);
        self.edit(row, |it| it.saved = it.saved.max(at.min(now)));
        Ok(())
    }

    pub(super) fn shape(&mut self, now: Instant, key: Key, sides: [u32; 3]) -> Outcome {
        self.ask_anew(now, key, |it| it.sides = sides).map(|_| ())
    }

    pub(super) fn held(&mut self, now: Instant, key: Key, held: bool) -> Outcome {
        let row = self.ask_anew(now, key, |it| it.held = held.into())?;
        if held && self.row(row).state == State::Starts {
            self.wait_again(row);
        }
        Ok(())
    }

    pub(super) fn runs(
        &mut self,
        now: Instant,
        key: Key,
        since: Instant,
        at: NodeRange,
    ) -> Outcome {
        let row = self.find(key)?;
        self.check_nodes(row, at)?;
        self.pass(now);
        self.clear_nodes(row, at);
        room::give_up(self, row);
        if self.row(row).has_nodes() {
            self.release(row);
        } else {
            self.step_out(row);
            reservations::clear(self, row);
            self.edit(row, |it| it.attempt = it.attempt.wrapping_add(1));
        }
        self.edit(row, |it| {
            if it.state != State::Starts {
                it.mesh = [0; 5];
            }
            if !matches!(it.state, State::Runs | State::Stops) {
                it.saved = Instant::ZERO;
            }
            it.since = since.min(now);
            it.state = if it.state == State::Stops { State::Stops } else { State::Runs };
        });
        self.take_nodes(row, at);
        let it = self.row(row);
        let (ticket, since, terms) = (it.ticket, it.since, self.terms(it));
        agreed(self.queue.claim(now, ticket, terms, since));
        self.rooms.forget(self.jobs, row, true);
        Ok(())
    }

    pub(super) fn runs_also(&mut self, now: Instant, key: Key, at: NodeRange) -> Outcome {
        let row = self.find(key)?;
        if !matches!(self.row(row).state, State::Runs | State::Stops) {
            return Err(Misuse::Waits.into());
        }
        self.check_nodes(row, at)?;
        if let Some((node, _)) = self.nodes.jobs_of(at).find(|(_, job)| *job == Some(row)) {
            return Err(Misuse::Twice(NodeId(node)).into());
        }
        self.pass(now);
        self.clear_nodes(row, at);
        self.take_nodes(row, at);
        self.tell_queue(row);
        Ok(())
    }

    /// Whether a job can have nodes: there are such ones, and no other job runs there.
    fn check_nodes(&self, row: u32, at: NodeRange) -> Outcome {
        self.nodes.check(at)?;
        let others = self.nodes.jobs_of(at).filter_map(|(node, job)| Some((node, job?)));
        let runs = |job: u32| job != row && self.row(job).state != State::Starts;
        match { others }.find(|&(_, job)| runs(job)) {
            Some((node, job)) => {
                let (node, by) = (NodeId(node), self.row(job).key);
                Err(Refusal::Taken { node, by }.into())
            }
            None => Ok(()),
        }
    }

    /// Other jobs that were to start on these nodes wait again.
    fn clear_nodes(&mut self, row: u32, at: NodeRange) {
        for node in at.numbers() {
            if let Some(job) = self.nodes.job_of(node).filter(|&job| job != row) {
                self.wait_again(job);
            }
        }
    }

    /// A job has these nodes, too, which no job has.
    fn take_nodes(&mut self, row: u32, at: NodeRange) {
        let it = *self.row(row);
        let mut list = it.nodes;
        at.numbers().for_each(|node| self.nodes.give(node, row, &mut list));
        self.edit(row, |it| (it.nodes, it.has) = (list, it.has.saturating_add(at.nodes)));
        self.users.edit(it.user, |user| user.nodes = user.nodes.saturating_add(at.nodes));
    }

    pub(super) fn waits(&mut self, now: Instant, key: Key) -> Outcome {
        let row = self.find(key)?;
        self.pass(now);
        if self.row(row).has_nodes() {
            self.wait_again(row);
        }
        Ok(())
    }

    pub(super) fn left(&mut self, now: Instant, key: Key) -> Outcome {
        let row = self.find(key)?;
        self.pass(now);
        room::give_up(self, row);
        self.rooms.forget(self.jobs, row, false);
        let it = *self.row(row);
        self.set_late(row, Late::No);
        self.core.deadlines = self.core.deadlines.saturating_sub(it.has_deadline().into());
        if it.has_nodes() {
            agreed(self.queue.finished(now, it.ticket));
            self.release(row);
        } else {
            self.step_out(row);
            reservations::clear(self, row);
            agreed(self.queue.cancel(now, it.ticket));
        }
        let Self { index, jobs, .. } = self;
        index.remove(key, |row| jobs.get(row as usize).map(|it| it.key));
        self.rooms.leave(self.jobs, row);
        self.edit(row, |it| *it = JobRow::EMPTY);
        self.users.edit(it.user, |user| user.jobs = user.jobs.saturating_sub(1));
        self.core.jobs = self.core.jobs.saturating_sub(1);
        if self.core.promise.is_some_and(|promise| promise.key == key) {
            (self.core.promise, self.core.promise_due) = (None, false);
        }
        Ok(())
    }

    /// Nodes go out of service, or come back.
    pub(super) fn set_out(&mut self, now: Instant, at: NodeRange, out: bool) -> Outcome {
        self.nodes.check(at)?;
        self.pass(now);
        let mut changed = 0u32;
        for node in at.numbers() {
            changed = changed.saturating_add(self.nodes.set_out(node, out).into());
        }
        agreed(match out {
            true => self.queue.withdraw(now, changed),
            false => self.queue.repair(now, changed),
        });
        let mut told = None;
        for node in at.numbers() {
            let of = self.nodes.next_of(node).or_else(|| self.nodes.job_of(node));
            let Some(job) = of.filter(|&job| told != Some(job)) else { continue };
            told = Some(job);
            match self.row(job).state {
                State::Starts if out => self.wait_again(job),
                _ => self.tell_queue(job),
            }
        }
        Ok(())
    }

    /// An outage is planned, or is not.
    pub(super) fn plan_outage(&mut self, now: Instant, it: Outage, planned: bool) -> Outcome {
        self.nodes.check(it.nodes)?;
        if it.to <= it.from {
            return Err(Misuse::NoTime.into());
        }
        let known = self.outages.find(&it.into());
        let is_new = planned && known.is_none() && it.to > now;
        match known {
            None if !planned => return Err(Misuse::NoSuchOutage.into()),
            None if is_new && self.outages.are_full() => return Err(Refusal::OutagesFull.into()),
            _ => self.pass(now),
        }
        match known {
            None if is_new => self.outages.add(it.into()),
            Some(at) if !planned => self.outages.remove(at),
            _ => {}
        }
        Ok(())
    }

    pub(super) fn weight(&mut self, now: Instant, user: UserId, weight: u16) -> Outcome {
        if weight == 0 {
            return Err(Misuse::Ranking(fair::Misuse::Zero { parameter: "weight" }).into());
        }
        self.users.has_room(user)?;
        self.pass(now);
        let row = self.users.find_or_open(now, user);
        self.users.tell(now);
        agreed(self.users.fair.set_weight(StationId(row), weight));
        Ok(())
    }

    pub(super) fn user_gone(&mut self, now: Instant, user: UserId) -> Outcome {
        let row = self.users.find(user).ok_or(Misuse::NoSuchUser)?;
        let jobs = self.users.row(row).jobs;
        if jobs > 0 {
            return Err(Refusal::HasJobs { user, jobs }.into());
        }
        self.pass(now);
        self.users.close(now, row);
        Ok(())
    }
}

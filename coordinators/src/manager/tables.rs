//! The tables, and how a job goes in and out of line.

use super::index::Index;
use super::nodes::Nodes;
use super::outages::Outages;
use super::places::Places;
use super::storage::{ENDLESS, Flag, JobRow, Late, State};
use super::users::Users;
use super::yields::{self, Rooms};
use super::{Config, Job, Key, Misuse, Promise, Status, UserId};
use locox::dispatch::{self, Backfill, Easy, Entry, Queue};
use locox::ground::{List, Ref, edit};
use locox::time::{Duration, Instant};

/// What the coordinator keeps beside its columns.
#[derive(Clone, Copy, Debug)]
pub(super) struct Core {
    /// The latest time given.
    pub(super) now: Instant,
    /// Counts arrivals.
    pub(super) arrivals: u64,
    /// Rows for jobs that are in use.
    pub(super) jobs: u32,
    /// Jobs of which something is to be told.
    pub(super) due: List,
    /// Jobs that have a deadline.
    pub(super) deadlines: u32,
    /// Where jobs need a subcube: the most nodes of a job that there was room for at the last decision, if nothing ran,
    /// and then; all numbers if a fact was told since.
    pub(super) possible: u32,
    pub(super) largest: u32,
    /// What was promised last, if it still holds.
    pub(super) promise: Option<Promise>,
    /// Whether that is to be told.
    pub(super) promise_due: bool,
}

locox::stored!(Core {
    now,
    arrivals,
    jobs,
    due,
    deadlines,
    possible,
    largest,
    promise,
    promise_due
});

impl Core {
    pub(super) const fn new(now: Instant) -> Self {
        Self {
            now,
            arrivals: 0,
            jobs: 0,
            due: List::EMPTY,
            deadlines: 0,
            possible: u32::MAX,
            largest: u32::MAX,
            promise: None,
            promise_due: false,
        }
    }
}

/// The line.
pub(super) type Line<'a> = Backfill<Easy, &'a mut [Entry]>;

/// Everything. The row of a job is that of its entry in the queue.
pub(super) struct Tables<'a> {
    pub(super) config: Config,
    pub(super) core: Core,
    pub(super) queue: Line<'a>,
    pub(super) jobs: &'a mut [JobRow],
    pub(super) index: Index<'a>,
    pub(super) users: Users<'a>,
    pub(super) nodes: Nodes<'a>,
    /// Where jobs need nodes together, or outages can be planned.
    pub(super) places: Option<Places<'a>>,
    pub(super) outages: Outages<'a>,
    pub(super) rooms: Rooms,
}

/// What the queue says of what it was told before.
pub(super) fn agreed<T, E>(answer: Result<T, E>) {
    debug_assert!(answer.is_ok(), "the queue knows of each job what the rows say");
}

impl Tables<'_> {
    pub(super) fn row(&self, row: u32) -> &JobRow {
        self.jobs.get(row as usize).unwrap_or(&JobRow::EMPTY)
    }

    pub(super) fn edit(&mut self, row: u32, change: impl FnOnce(&mut JobRow)) {
        edit(self.jobs, row, change);
    }

    /// The row of a job.
    pub(super) fn find(&self, key: Key) -> Result<u32, Misuse> {
        let name = |row: u32| self.jobs.get(row as usize).map(|it| it.key);
        self.index.find(key, name).ok_or(Misuse::NoSuchJob)
    }

    /// Time passes.
    pub(super) fn pass(&mut self, now: Instant) {
        if now > self.core.now {
            self.users.tell(self.core.now);
            self.core.now = now;
        }
    }

    /// Whether a job waits and can start.
    pub(super) fn is_in_line(&self, it: &JobRow) -> bool {
        let is_kept = it.held == Flag::Yes || it.reserved == Flag::Yes;
        it.state == State::Waits && !is_kept && !self.is_too_large(it)
    }

    /// The nodes that are to be free for a job, all of its place if it needs one.
    pub(super) fn asked(&self, it: &JobRow) -> u32 {
        let Some(Places { layout, .. }) = &self.places else { return it.wants };
        layout.asked(it).map_or(it.wants, |asked| layout.size(&asked))
    }

    /// Whether a job asks for more than there is.
    pub(super) fn is_too_large(&self, it: &JobRow) -> bool {
        self.asked(it) > self.nodes.len()
    }

    /// A job as the queue is to know it. What is to be stopped is taken to end at once. One that has nodes has those in
    /// service as PEs, as no others come free when it ends.
    pub(super) fn terms(&self, it: &JobRow) -> dispatch::Job {
        let pes = match it.state {
            State::Starts | State::Runs | State::Stops => self.nodes.come_free(it.nodes),
            State::Comes => self.nodes.count_kept(it.ticket.handle().index()),
            State::None | State::Waits => self.asked(it).min(self.nodes.len()),
        };
        let end = match it.state {
            State::Stops => self.core.now,
            _ => yields::end(self.jobs, self.config.notice(), it),
        };
        let requested = end.since(it.since).unwrap_or(Duration::ZERO);
        let requested = requested.clamp(Duration::from_ticks(1), ENDLESS);
        let key = 1 << 63 | u64::from(!it.priority) << 31;
        dispatch::Job::new(0, pes).within(requested).keyed(key)
    }

    /// A job that waits stands in line from now on, if it can start.
    pub(super) fn stand(&mut self, row: u32) {
        let it = *self.row(row);
        if self.is_in_line(&it) {
            agreed(self.queue.release(self.core.now, it.ticket));
            self.users.join(self.jobs, it.user, row);
            return;
        }
        agreed(self.queue.hold(self.core.now, it.ticket));
        if self.is_too_large(&it) {
            self.set_due(row, true);
        }
    }

    /// A job that waits stands in line no more, if it did.
    pub(super) fn step_out(&mut self, row: u32) {
        let it = *self.row(row);
        if self.is_in_line(&it) {
            let was_first = self.users.row(it.user).first == Ref::to(row);
            self.users.leave(self.jobs, it.user, row);
            if was_first {
                self.tell_queue(row);
            }
        }
        self.set_due(row, false);
    }

    /// A job has its nodes no more.
    pub(super) fn release(&mut self, row: u32) {
        let it = *self.row(row);
        let mut list = it.nodes;
        self.nodes.release(&mut list);
        self.users.edit(it.user, |user| user.nodes = user.nodes.saturating_sub(it.has));
        self.edit(row, |it| (it.nodes, it.has) = (list, 0));
        self.set_due(row, false);
    }

    /// A job that has nodes, or was to get them, waits again.
    pub(super) fn wait_again(&mut self, row: u32) {
        let ticket = self.row(row).ticket;
        agreed(self.queue.requeue(self.core.now, ticket));
        self.release(row);
        if self.row(row).state == State::Starts {
            self.rooms.forget(self.jobs, row, false);
        }
        self.edit(row, |it| it.state = State::Waits);
        self.tell_queue(row);
        self.stand(row);
    }

    /// The queue is told the terms of a job.
    pub(super) fn tell_queue(&mut self, row: u32) {
        let (ticket, terms) = (self.row(row).ticket, self.terms(self.row(row)));
        agreed(self.queue.change(self.core.now, ticket, terms));
    }

    /// It is to be told what a job does, or not any more.
    pub(super) fn set_due(&mut self, row: u32, due: bool) {
        self.core.due.change(self.jobs, row, JobRow::is_due, |it| it.due = due.into());
    }

    /// It is to be told that a job is late, or was told, or is not so.
    pub(super) fn set_late(&mut self, row: u32, late: Late) {
        self.core.due.change(self.jobs, row, JobRow::is_due, |it| it.late = late);
    }

    pub(super) fn status(&self, it: &JobRow) -> Status {
        match it.state {
            State::Starts => Status::Starting,
            State::Runs => Status::Running,
            State::Stops => Status::Stopping,
            State::None | State::Waits if it.held == Flag::Yes => Status::Held,
            State::None | State::Waits if self.is_too_large(it) => Status::Never,
            State::None | State::Waits | State::Comes => Status::Waiting,
        }
    }

    /// A job, as others see it.
    pub(super) fn view(&self, it: &JobRow) -> Job {
        Job {
            key: it.key,
            user: UserId(self.users.row(it.user).id),
            nodes: it.wants,
            sides: it.sides,
            needs: self.asked(it),
            limit: it.limit,
            priority: it.priority,
            held: it.held == Flag::Yes,
            stoppable: it.firm == Flag::No,
            status: self.status(it),
            attempt: it.attempt,
            since: Some(it.since).filter(|_| it.has_nodes()),
            deadline: Some(it.by).filter(|_| it.has_deadline()),
            late: Some(it.finish).filter(|finish| it.late != Late::No && *finish > it.by),
        }
    }

    /// The rows in use.
    pub(super) fn used_jobs(&self) -> impl Iterator<Item = (u32, &JobRow)> {
        (0..).zip(&*self.jobs).filter(|(_, it)| it.state != State::None)
    }
}

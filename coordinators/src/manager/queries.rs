//! What can be asked, without a change of anything.

use super::coordinator::Coordinator;
use super::storage::{Fit, Flag, State, UserRow};
use super::tables::Core;
use super::{
    Job, Key, Misuse, Node, NodeId, NodeRange, Options, Outage, Promise, Reason, Status,
    StopReason, User, UserId, Yields,
};
use super::{options, room};
use locox::bits::Word;
use locox::fair::StationId;
use locox::ground::{List, Ref};
use locox::reserve::{Interval, Profile};
use locox::time::Instant;

impl Coordinator<'_> {
    /// A job.
    pub fn job(&self, key: Key) -> Option<Job> {
        self.tables.find(key).ok().map(|row| self.tables.view(self.tables.row(row)))
    }

    /// All jobs, in no order of note. Cost: all rows.
    pub fn jobs(&self) -> impl Iterator<Item = Job> {
        self.tables.used_jobs().map(|(_, it)| self.tables.view(it))
    }

    /// The nodes of a job, in the order in which they were given or told; none of a job that waits. Cost: those nodes.
    pub fn nodes(&self, key: Key) -> impl Iterator<Item = NodeRange> {
        let list = self.tables.find(key).map_or(List::EMPTY, |row| self.tables.row(row).nodes);
        self.tables.nodes.ranges(list)
    }

    /// A node; `None` if there is no such one.
    pub fn node(&self, node: NodeId) -> Option<Node> {
        let row = self.tables.nodes.rows.get(node.0 as usize)?;
        let job = row.job.get().map(|job| self.tables.row(job).key);
        Some(Node { job, out: row.out == Flag::Yes })
    }

    /// The outages that are planned, in no order of note.
    pub fn outages(&self) -> impl Iterator<Item = Outage> {
        let planned = self.tables.outages.planned().iter();
        planned.filter(|it| it.of == Ref::NONE).map(Outage::from)
    }

    /// The nodes that are kept for a job, and from when until when, in no order of note; none of one without a reservation.
    pub fn reservation(&self, key: Key) -> impl Iterator<Item = Outage> {
        let row = self.tables.find(key).ok();
        row.into_iter().flat_map(|row| self.tables.outages.kept_for(row)).map(Outage::from)
    }

    /// The users, by the numbers of their rows. Each index is as of the last decision, or as of the last command with
    /// an earlier time than the latest one, whichever is later.
    pub fn users(&self) -> impl Iterator<Item = User> {
        let users = &self.tables.users;
        let rows = users.lists.slab.open_rows(&*users.rows);
        rows.map(|row| {
            let &UserRow { id, jobs, waiting, nodes, .. } = users.row(row);
            let station = StationId(row);
            let weight = users.fair.weight_of(station);
            let index = users.fair.index_of(station).unwrap_or(0);
            User { id: UserId(id), jobs, waiting, nodes, weight, index }
        })
    }

    /// The jobs in line in order: those that wait, that nobody holds, and that are not too large. Which of them are the
    /// first jobs of their users, and in which order these stand, is as of the last decision; a job that came in line
    /// since stands behind them, by priority and arrival.
    pub fn line(&self) -> impl Iterator<Item = Key> {
        let rows = self.tables.queue.line().map(|(ticket, _)| ticket.handle().index());
        rows.map(|row| self.tables.row(row).key)
    }

    /// How many jobs stand in line before this one; `None` of one that does not. Cost: those jobs.
    ///
    /// # Errors
    ///
    /// [`Misuse::NoSuchJob`].
    pub fn ahead(&self, key: Key) -> Result<Option<u32>, Misuse> {
        let it = self.tables.row(self.tables.find(key)?);
        let in_line = self.tables.is_in_line(it);
        Ok(in_line.then(|| self.line().take_while(|other| *other != key).count() as u32))
    }

    /// Why a job waits; `None` of one that does not.
    ///
    /// # Errors
    ///
    /// [`Misuse::NoSuchJob`].
    pub fn reason(&self, key: Key) -> Result<Option<Reason>, Misuse> {
        let row = self.tables.find(key)?;
        let it = self.tables.row(row);
        if let Some(at) = self.tables.outages.reservation(row).filter(|_| it.held == Flag::No) {
            return Ok(Some(Reason::Reserved { from: at.start }));
        }
        if it.state == State::Comes {
            return Ok(Some(Reason::Room));
        }
        let (nodes, serving, free) = (self.size(), self.tables.queue.in_service(), self.free());
        let Core { possible, largest, .. } = self.tables.core;
        let first = self.tables.first().map(|(first, _)| first);
        let (asked, decided) = (self.tables.asked(it), largest < u32::MAX);
        Ok(match (self.tables.status(it), first) {
            (Status::Starting | Status::Running | Status::Stopping, _) => None,
            (Status::Held, _) => Some(Reason::Held),
            (Status::Never, _) => Some(Reason::TooLarge { nodes }),
            _ if asked > serving => Some(Reason::Outage { serving }),
            _ if asked > possible => Some(Reason::Divided { largest: possible }),
            _ if asked > free => Some(Reason::TooFewFree { free }),
            _ if asked > largest => Some(Reason::Fragmented { largest }),
            _ if decided && it.fit == Fit::Divided => Some(Reason::NoPlace),
            _ if decided && it.fit == Fit::Fragmented => Some(Reason::NoFreePlace),
            _ if decided && it.fit == Fit::Planned => Some(Reason::Planned),
            (_, Some(first)) if first != key => Some(Reason::WouldDelay { first }),
            _ => Some(Reason::Undecided),
        })
    }

    /// From when on a job that runs is to be stopped, and why; `None` of one that may run on.
    pub fn stop(&self, key: Key) -> Option<(Instant, StopReason)> {
        let it = &self.tables;
        let row = it.find(key).ok()?;
        let stops = it.row(row).state == State::Stops || room::is_noticed(it, row);
        stops.then(|| (room::notice_of(it, row), room::why(it, row)))
    }

    /// When the first job in line that has to wait will start, as of the last decision. `None` also if it waits for a job
    /// that may run for 2^60 ticks or more.
    pub const fn promise(&self) -> Option<Promise> {
        self.tables.core.promise
    }

    /// When a job will start and end if every job takes as long as its limit, and each in line starts when it delays
    /// none before it; of a job that has nodes, when it has started, and was to end. To those that wait one that runs
    /// longer than its limit ends at the next tick. `None` if too few nodes are in service, if somebody holds it, or if
    /// it would end beyond the end of time. Nothing changes but `scratch`, a profile of as many PEs as there are nodes,
    /// and of no fewer reservations than there are rows for jobs.
    ///
    /// It plans with numbers of nodes: where jobs need nodes together, or outages are planned, they may start later. A copy that is told of each job
    /// when it ends gives the exact answer there.
    ///
    /// To know when a job would start that nobody has submitted, take a copy, by [`Coordinator::export`] and
    /// [`Coordinator::load`], tell it of the job, and ask it.
    ///
    /// Cost: an earliest fit and a reservation for each job that runs or stands before it.
    ///
    /// # Errors
    ///
    /// [`Misuse::NoSuchJob`], [`Misuse::WrongProfile`].
    pub fn estimate<W: AsRef<[Word]> + AsMut<[Word]>>(
        &self,
        key: Key,
        scratch: &mut Profile<W>,
    ) -> Result<Option<Interval>, Misuse> {
        let ticket = self.tables.row(self.tables.find(key)?).ticket;
        self.tables
            .queue
            .estimate_at(self.tables.core.now, ticket, scratch)
            .map_err(|_| Misuse::WrongProfile)
    }

    /// What could be done for a job that waits, and who would yield if it were to start at once, the largest first. Neither ranking nor
    /// times of [`Preemption`](super::Preemption) count here, nor what is promised to the first in line: jobs yield that run,
    /// are [stoppable](super::Command::Stoppable), and not to be stopped already. Nothing is decided by this, and
    /// nothing changes. Of one that does not wait, or for which nodes are kept, both answers are `None`.
    ///
    /// A caller that can only stop and start jobs loses what a job that moves has done, too, but that job need not wait. Places are found for the
    /// largest jobs first; in another order there might be more of them.
    ///
    /// For a job that nobody has submitted take a copy, by [`Coordinator::export`] and [`Coordinator::load`], tell it of the job, and ask it.
    ///
    /// Cost: an earliest place, one at the least cost, and a search for each job that yields.
    ///
    /// # Errors
    ///
    /// [`Misuse::NoSuchJob`]; [`Misuse::StorageTooSmall`] if there are not as many stakes as jobs, or as many sums as
    /// [`sum_words`](super::sum_words) says, which need not be there otherwise without stops.
    pub fn options(&mut self, key: Key, each: impl FnMut(Yields)) -> Result<Options, Misuse> {
        options::of(&mut self.tables, key, each)
    }

    /// All nodes.
    pub const fn size(&self) -> u32 {
        self.tables.nodes.len()
    }

    /// Nodes that no job has and that are in service. Cost: 64 nodes a step.
    pub fn free(&self) -> u32 {
        self.tables.nodes.count_free()
    }

    /// All jobs that are known.
    pub const fn len(&self) -> u32 {
        self.tables.core.jobs
    }

    /// Whether no job is known.
    pub const fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

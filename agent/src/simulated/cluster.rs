//! The cluster of the simulated manager as it really is: nodes, jobs, and what happens at which time.

use super::job::{Doing, Job};
use serde::{Deserialize, Serialize};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Bound;

/// A cluster.
///
/// - A node is in `free` if it is up, nobody has it and no ghost runs there.
/// - A job is in `placed` or in `ready` if it waits and may be started: there if nodes were chosen for it.
/// - `due` has each end of a job, of an ending and of an outage; an entry to which nothing belongs any more is
///   passed over.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Cluster {
    pub(crate) now: u64,
    /// Until when each node is out of service, or has processes of which the manager does not know; 0: it serves.
    pub(crate) out: Vec<u64>,
    #[serde(with = "as_list")]
    pub(crate) jobs: BTreeMap<u64, Job>,
    /// The number given last.
    pub(crate) last_id: u64,
    /// What an agent left.
    pub(crate) mark: String,
    pub(super) owner: Vec<Option<u64>>,
    pub(super) free: BTreeSet<u32>,
    pub(super) due: BTreeSet<(u64, Due)>,
    placed: BTreeSet<Place>,
    ready: BTreeSet<Place>,
    /// As many jobs of a user may run at once; 0: any number.
    #[serde(default)]
    pub(crate) limit: u32,
    /// A planned outage: from when to when, and of the nodes below which.
    #[serde(default)]
    pub(crate) window: (u64, u64, u32),
    /// Submissions that were started, each time anew.
    pub(crate) started: Vec<u64>,
    /// Submissions that have ended.
    pub(crate) ended: Vec<u64>,
}

/// A job's rank and its number.
type Place = (Reverse<u32>, u64);

/// What is due.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) enum Due {
    /// A job ends, or has ended.
    Job(u64),
    /// A node serves again.
    Node(u32),
    /// The planned outage begins.
    Window,
}

impl Cluster {
    /// So many nodes, and no job.
    pub(crate) fn new(nodes: u32, now: u64) -> Self {
        let count = nodes as usize;
        Self {
            now,
            out: vec![0; count],
            owner: vec![None; count],
            free: (0..nodes).collect(),
            ..Self::default()
        }
    }

    /// From now on so many jobs of a user run at once, and there is this planned outage.
    pub(crate) fn rules(&mut self, limit: u32, window: (u64, u64, u32)) {
        (self.limit, self.window) = (limit, window);
        self.expect_window();
    }

    fn expect_window(&mut self) {
        let (from, _, nodes) = self.window;
        if nodes > 0 && from > self.now {
            self.due.insert((from, Due::Window));
        }
    }

    fn begin_window(&mut self) {
        let (_, to, nodes) = self.window;
        (0..nodes).for_each(|node| self.keep_out(node, to));
    }

    /// Nodes that could be given to a job.
    pub(crate) fn free(&self) -> usize {
        self.free.len()
    }

    /// Lets time pass up to `to`; nothing is done later than it is due.
    pub(crate) fn advance(&mut self, to: u64) {
        self.schedule();
        while let Some((at, due)) = self.due.first().copied().filter(|(at, _)| *at <= to) {
            self.due.pop_first();
            self.now = self.now.max(at);
            match due {
                Due::Job(id) => self.job_due(id),
                Due::Node(node) => self.settle(node),
                Due::Window => self.begin_window(),
            }
            if self.due.first().is_none_or(|(next, _)| *next > at) {
                self.schedule();
            }
        }
        self.now = self.now.max(to);
    }

    /// A job arrives.
    pub(crate) fn submit(&mut self, id: u64, job: Job) {
        self.last_id = id;
        self.jobs.insert(id, job);
        self.sort_in(id);
    }

    /// Changes a job; false if there is none.
    pub(crate) fn change(&mut self, id: u64, change: impl FnOnce(&mut Job)) -> bool {
        self.sort_out(id);
        let Some(job) = self.jobs.get_mut(&id) else { return false };
        change(job);
        self.sort_in(id);
        true
    }

    /// A job that waits is gone.
    pub(crate) fn forget(&mut self, id: u64) {
        self.sort_out(id);
        self.jobs.remove(&id);
    }

    /// A job that runs begins to end; `again`: it waits afterwards.
    pub(crate) fn end(&mut self, id: u64, again: bool, takes: u64) {
        let until = self.now + takes;
        let Some(job) = self.jobs.get_mut(&id) else { return };
        let Doing::Runs { nodes, .. } = &mut job.doing else { return };
        job.doing = Doing::Ends { until, nodes: std::mem::take(nodes), again };
        self.due.insert((until, Due::Job(id)));
    }

    /// A node is out of service until then, and so is what runs there.
    pub(crate) fn lose(&mut self, node: u32, until: u64) {
        self.keep_out(node, until);
        if let Some(id) = self.owner.get(node as usize).copied().flatten() {
            self.end(id, true, 0);
        }
    }

    /// Nobody is given this node until then.
    pub(crate) fn keep_out(&mut self, node: u32, until: u64) {
        if let Some(out) = self.out.get_mut(node as usize) {
            *out = until;
        }
        self.free.remove(&node);
        self.due.insert((until, Due::Node(node)));
    }

    /// Recomputes all but `now`, `out`, `jobs`, `last_id`, `mark`, `started` and `ended`.
    pub(crate) fn rebuild(&mut self) {
        self.owner.fill(None);
        self.due = (0..).zip(&self.out).map(|(node, until)| (*until, Due::Node(node))).collect();
        self.expect_window();
        (self.placed, self.ready) = Default::default();
        for id in self.jobs.keys().copied().collect::<Vec<_>>() {
            self.take_nodes(id);
            self.sort_in(id);
        }
        self.free = (0..self.out.len() as u32).filter(|node| self.is_free(*node)).collect();
    }

    fn is_free(&self, node: u32) -> bool {
        let node = node as usize;
        self.owner.get(node) == Some(&None) && self.out.get(node).is_some_and(|it| *it <= self.now)
    }

    /// Puts a node where it belongs.
    fn settle(&mut self, node: u32) {
        if self.is_free(node) {
            self.free.insert(node);
        }
    }

    fn job_due(&mut self, id: u64) {
        let now = self.now;
        let Some(job) = self.jobs.get_mut(&id) else { return };
        match &mut job.doing {
            Doing::Runs { until, .. } if *until <= now => self.end(id, false, now % 3),
            Doing::Ends { until, nodes, again } if *until <= now => {
                let (nodes, again, serial) = (std::mem::take(nodes), *again, job.serial);
                job.doing = Doing::Waits;
                for node in nodes {
                    self.owner[node as usize] = None;
                    self.settle(node);
                }
                if again {
                    self.sort_in(id);
                } else {
                    self.jobs.remove(&id);
                    self.ended.push(serial);
                }
            }
            _ => {}
        }
    }

    /// Whether a limit keeps a job that waits.
    pub(crate) fn is_limited(&self, job: &Job) -> bool {
        let runs = |other: &&Job| other.user == job.user && other.doing != Doing::Waits;
        self.limit > 0 && self.jobs.values().filter(runs).count() as u32 >= self.limit
    }

    /// Whether a job that began now might run into the planned outage.
    const fn crosses(&self, job: &Job) -> bool {
        let (from, to, _) = self.window;
        self.now < to && self.now + job.limit > from
    }

    /// Whether a job may be started on a node now.
    fn may_use(&self, job: &Job, node: u32) -> bool {
        self.free.contains(&node)
            && job.may_have(node)
            && !(node < self.window.2 && self.crosses(job))
    }

    /// The manager's own schedule: whoever has nodes chosen for it, then the others in the order of their ranks
    /// until one does not fit that may have any nodes. Limits and planned outages are kept.
    fn schedule(&mut self) {
        let placed: Vec<u64> = self.placed.iter().map(|(_, id)| *id).collect();
        for id in placed {
            let Some(job) = self.jobs.get(&id) else { continue };
            let can_start = job.chosen.iter().all(|node| self.may_use(job, *node));
            if can_start && !self.is_limited(job) {
                let nodes = job.chosen.clone();
                self.start(id, nodes);
            }
        }
        let mut after = None;
        while let Some((place, nodes)) = self.next_ready(after) {
            after = Some(place);
            match nodes {
                Some(nodes) => self.start(place.1, nodes),
                None => return,
            }
        }
    }

    /// The next job behind a place that is not passed over, and its nodes; none if all others wait for it.
    fn next_ready(&self, after: Option<Place>) -> Option<(Place, Option<Vec<u32>>)> {
        let from = after.map_or(Bound::Unbounded, Bound::Excluded);
        for place in self.ready.range((from, Bound::Unbounded)) {
            let Some(job) = self.jobs.get(&place.1) else { continue };
            if self.is_limited(job) {
                continue;
            }
            let wanted = job.nodes as usize;
            let free = self.free.iter().copied().filter(|node| self.may_use(job, *node));
            let nodes: Vec<u32> = free.take(wanted).collect();
            if nodes.len() == wanted {
                return Some((*place, Some(nodes)));
            }
            if job.allowed.is_empty() && !self.crosses(job) {
                return Some((*place, None));
            }
        }
        None
    }

    fn start(&mut self, id: u64, nodes: Vec<u32>) {
        self.sort_out(id);
        let now = self.now;
        let Some(job) = self.jobs.get_mut(&id) else { return };
        let until = now + job.runtime.min(job.limit).max(1);
        job.doing = Doing::Runs { since: now, until, nodes };
        self.started.push(job.serial);
        self.take_nodes(id);
    }

    /// What a job has is nobody else's, and its end is due.
    fn take_nodes(&mut self, id: u64) {
        let Some(job) = self.jobs.get(&id) else { return };
        for node in job.has() {
            self.owner[*node as usize] = Some(id);
            self.free.remove(node);
        }
        if let Doing::Runs { until, .. } | Doing::Ends { until, .. } = job.doing {
            self.due.insert((until, Due::Job(id)));
        }
    }

    fn sort_in(&mut self, id: u64) {
        let Some(job) = self.jobs.get(&id).filter(|job| job.is_ready()) else { return };
        if job.nodes as usize > self.out.len() {
            return;
        }
        let line = if job.chosen.is_empty() { &mut self.ready } else { &mut self.placed };
        line.insert((Reverse(job.rank), id));
    }

    fn sort_out(&mut self, id: u64) {
        let Some(job) = self.jobs.get(&id) else { return };
        let place = (Reverse(job.rank), id);
        self.ready.remove(&place);
        self.placed.remove(&place);
    }
}

/// Keys of JSON are texts: a map by numbers is stored as a list.
mod as_list {
    use super::Job;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};
    use std::collections::BTreeMap;

    pub(super) fn serialize<S: Serializer>(
        jobs: &BTreeMap<u64, Job>,
        to: S,
    ) -> Result<S::Ok, S::Error> {
        jobs.iter().collect::<Vec<_>>().serialize(to)
    }

    pub(super) fn deserialize<'a, D: Deserializer<'a>>(
        from: D,
    ) -> Result<BTreeMap<u64, Job>, D::Error> {
        Ok(Vec::<(u64, Job)>::deserialize(from)?.into_iter().collect())
    }
}

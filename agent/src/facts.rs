//! Facts: what a snapshot says and the kernel does not know.

use crate::backend::State;
use crate::names::ranges;
use crate::seen::{Seen, SeenJob};
use locox::time::{Duration, Instant};
use locox_coordinators::manager::{
    Command, Coordinator, Job, Key, NodeId, NodeRange, Status, UserId,
};
use std::collections::HashSet;

/// The longest limit, in seconds: ten years. A job that may run for longer is one without a limit.
pub(crate) const LONGEST: u64 = 10 * 366 * 24 * 3600;
/// The limit of a job without one, as the kernel is told it: nobody who waits for such a job is promised anything.
const ENDLESS: Duration = Duration::from_ticks(1 << 61);

/// Whether a length of time, in seconds, is none: that of a job without a limit, or how long others wait for one.
pub(crate) const fn is_endless(seconds: u64) -> bool {
    seconds >= 1 << 60
}

/// What is to be told, in this order: who is gone, who waits again or has moved, nodes, who is new, other terms; then of
/// each job its shape, its deadline, whether it may be stopped, whether it is held, and where it runs.
#[derive(Debug, Default)]
pub(crate) struct Facts {
    /// What is to be told.
    pub(crate) commands: Vec<Command>,
    /// Jobs for which there is no room.
    pub(crate) left_out: u32,
}

/// What the kernel has room for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Room {
    /// The most jobs.
    pub(crate) jobs: usize,
    /// The most users.
    pub(crate) users: usize,
}

impl Room {
    /// What there is no room for, and what to do, if there is none for a job.
    pub(crate) fn lacks(self, manager: &Coordinator<'_>) -> &'static str {
        match (manager.len() as usize >= self.jobs, kept(manager).count() >= self.users) {
            (false, true) => {
                "all rows for users are in use; write a larger number for users and restart, or wait: a user without jobs leaves his row when what he has had is forgotten"
            }
            (true, false) => {
                "all rows for jobs are in use; write a larger number for jobs and restart"
            }
            _ => "there is no room; write larger numbers for jobs and users and restart",
        }
    }
}

/// Users whose rows no other user gets.
fn kept(manager: &Coordinator<'_>) -> impl Iterator<Item = u32> {
    manager.users().filter(|user| !user.is_as_new()).map(|user| user.id.0)
}

/// What a snapshot says and the kernel does not know. `aside` has jobs that are held for a while although nobody holds
/// them. So is each that the manager refuses.
///
/// Cost: all jobs and nodes.
pub(crate) fn facts(
    manager: &Coordinator<'_>,
    seen: &Seen<'_>,
    aside: impl Fn(Key) -> bool,
    room: Room,
) -> Facts {
    let mut facts = Facts::default();
    let left = facts.gone(manager, seen);
    let free = (room.jobs + left).saturating_sub(manager.len() as usize);
    let (mut new, mut terms, mut others) = (vec![], Facts::default(), Facts::default());
    for job in &seen.jobs {
        match known(manager, job) {
            None => new.push(job),
            Some(known) => {
                terms.changed(&known, job);
                others.others(manager, Some(&known), job, aside(job.key));
            }
        }
    }
    let (new, left_out) = with_room(new, manager, Room { jobs: free, ..room });
    facts.left_out = left_out.len() as u32;
    facts.nodes(manager, seen, &left_out);
    facts.commands.extend(new.iter().map(|job| seen_first(job)));
    for job in new {
        others.others(manager, None, job, aside(job.key));
    }
    facts.commands.append(&mut terms.commands);
    facts.commands.append(&mut others.commands);
    facts
}

/// What the kernel knows of a job; nothing if it has another owner now.
fn known(manager: &Coordinator<'_>, job: &SeenJob<'_>) -> Option<Job> {
    manager.job(job.key).filter(|known| known.user == UserId(job.job.user))
}

impl Facts {
    /// Who is gone, and who has no more the nodes that he had. How many are gone.
    fn gone(&mut self, manager: &Coordinator<'_>, seen: &Seen<'_>) -> usize {
        let mut left = vec![];
        for known in manager.jobs() {
            let key = known.key;
            match seen.find(key).filter(|job| known.user == UserId(job.job.user)) {
                None => left.push(Command::Left { key }),
                Some(job) if waits_again(manager, &known, job) => {
                    self.commands.push(Command::Waits { key });
                }
                Some(_) => {}
            }
        }
        let count = left.len();
        left.append(&mut self.commands);
        self.commands = left;
        count
    }

    /// Nodes that are out now, or back.
    fn nodes(&mut self, manager: &Coordinator<'_>, seen: &Seen<'_>, left_out: &[&SeenJob<'_>]) {
        let mut out = seen.out.clone();
        for range in left_out.iter().flat_map(|job| &job.nodes) {
            let first = range.first.0 as usize;
            let nodes = out.get_mut(first..first + range.nodes as usize);
            nodes.into_iter().for_each(|nodes| nodes.fill(true));
        }
        let (mut gone, mut back) = (vec![], vec![]);
        for (node, is_out) in (0..).map(NodeId).zip(out) {
            match (manager.node(node).is_some_and(|node| node.out), is_out) {
                (false, true) => gone.push(node),
                (true, false) => back.push(node),
                _ => {}
            }
        }
        let gone = ranges(gone).into_iter();
        self.commands
            .extend(gone.map(|NodeRange { first, nodes }| Command::NodeOut { first, nodes }));
        let back = ranges(back).into_iter();
        self.commands
            .extend(back.map(|NodeRange { first, nodes }| Command::NodeBack { first, nodes }));
    }

    fn changed(&mut self, known: &Job, job: &SeenJob<'_>) {
        let (key, nodes, limit, priority) = (job.key, wanted(job), limit(job), job.job.priority);
        if (known.nodes, known.limit, known.priority) != (nodes, limit, priority) {
            self.commands.push(Command::Changed { key, nodes, limit, priority });
        }
    }

    /// Its shape, its deadline, whether it may be stopped, whether somebody holds it, and where it runs.
    fn others(
        &mut self,
        manager: &Coordinator<'_>,
        known: Option<&Job>,
        job: &SeenJob<'_>,
        aside: bool,
    ) {
        self.shape(known, job);
        self.deadline(known, job);
        self.firm(known, job);
        self.held(known, job, aside);
        if has_moved(manager, known, job) {
            self.runs(job);
        }
    }

    fn shape(&mut self, known: Option<&Job>, job: &SeenJob<'_>) {
        let (key, sides) = (job.key, job.job.sides);
        if known.map_or([0; 3], |known| known.sides) != sides {
            self.commands.push(Command::Shape { key, sides });
        }
    }

    fn deadline(&mut self, known: Option<&Job>, job: &SeenJob<'_>) {
        let by = job.job.deadline.map(Instant::from_ticks).filter(|by| *by < Instant::MAX);
        if known.and_then(|known| known.deadline) != by {
            self.commands.push(Command::Deadline { key: job.key, by: by.unwrap_or(Instant::MAX) });
        }
    }

    fn firm(&mut self, known: Option<&Job>, job: &SeenJob<'_>) {
        let (key, stoppable) = (job.key, !job.job.firm);
        if known.is_none_or(|known| known.stoppable) != stoppable {
            self.commands.push(Command::Stoppable { key, stoppable });
        }
    }

    /// Whoever runs is not held.
    fn held(&mut self, known: Option<&Job>, job: &SeenJob<'_>, aside: bool) {
        let held = job.waits() && (job.is_held() || aside || job.refused().is_some());
        if known.is_some_and(|known| known.held) != held {
            self.commands.push(Command::Held { key: job.key, held });
        }
    }

    fn runs(&mut self, job: &SeenJob<'_>) {
        let key = job.key;
        let Some((NodeRange { first, nodes }, more)) = job.nodes.split_first() else { return };
        let since = match job.job.state {
            State::Runs { since, .. } => Instant::from_ticks(since),
            _ => Instant::from_ticks(u64::MAX),
        };
        self.commands.push(Command::Runs { key, since, first: *first, nodes: *nodes });
        let more = more.iter();
        self.commands.extend(more.map(|NodeRange { first, nodes }| Command::RunsAlso {
            key,
            first: *first,
            nodes: *nodes,
        }));
    }
}

const fn has_run(status: Status) -> bool {
    matches!(status, Status::Running | Status::Stopping)
}

/// Whether a job has no more the nodes that the kernel knows: it waits, is elsewhere, or is to have another number.
fn waits_again(manager: &Coordinator<'_>, known: &Job, job: &SeenJob<'_>) -> bool {
    match known.status {
        Status::Running | Status::Stopping => job.waits() || has_moved(manager, Some(known), job),
        Status::Starting => {
            let nodes = manager.nodes(job.key).map(|range| range.nodes).sum();
            job.waits() && ![known.nodes, nodes].contains(&wanted(job))
        }
        Status::Waiting | Status::Held | Status::Never => false,
    }
}

/// Whether a job has nodes that the kernel does not know as its own.
fn has_moved(manager: &Coordinator<'_>, known: Option<&Job>, job: &SeenJob<'_>) -> bool {
    if job.waits() {
        return false;
    }
    known.is_none_or(|known| !has_run(known.status)) || nodes_known(manager, job.key) != job.nodes
}

/// The nodes that the kernel has a job on, from the lowest on.
fn nodes_known(manager: &Coordinator<'_>, key: Key) -> Vec<NodeRange> {
    let mut known: Vec<NodeRange> = manager.nodes(key).collect();
    known.sort_unstable_by_key(|range| range.first.0);
    let mut joined: Vec<NodeRange> = vec![];
    for range in known {
        match joined.last_mut() {
            Some(last) if last.first.0 + last.nodes == range.first.0 => last.nodes += range.nodes,
            _ => joined.push(range),
        }
    }
    joined
}

/// Those of the new jobs for which there is room, first those that run, then in the order in which they were submitted;
/// and those for which there is none.
fn with_room<'s, 'a>(
    mut new: Vec<&'s SeenJob<'a>>,
    manager: &Coordinator<'_>,
    room: Room,
) -> (Vec<&'s SeenJob<'a>>, Vec<&'s SeenJob<'a>>) {
    new.sort_by_key(|job| (job.waits(), job.key.born, job.key.id));
    let mut users: HashSet<u32> = kept(manager).collect();
    let mut jobs = 0;
    new.into_iter().partition(|job| {
        let is_user = users.contains(&job.job.user);
        let fits = jobs < room.jobs && (is_user || users.len() < room.users);
        if fits {
            jobs += 1;
            users.insert(job.job.user);
        }
        fits
    })
}

fn seen_first(job: &SeenJob<'_>) -> Command {
    let (key, user, priority) = (job.key, UserId(job.job.user), job.job.priority);
    Command::Seen { key, user, nodes: wanted(job), limit: limit(job), priority }
}

fn wanted(job: &SeenJob<'_>) -> u32 {
    job.job.nodes.max(1)
}

/// For how long a job may run, as the kernel is told it.
pub(crate) fn limit(job: &SeenJob<'_>) -> Duration {
    match job.job.limit {
        limit if limit > LONGEST => ENDLESS,
        limit => Duration::from_ticks(limit.max(1)),
    }
}

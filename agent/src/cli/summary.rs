//! How many nodes and jobs there are, who runs and who is next.

use super::answer::Failure;
use super::times;
use super::view::View;
use crate::config::Mode;
use crate::stops::index_of;
use locox_coordinators::manager::{Job, Node, Status as Doing};
use serde::Serialize;
use std::collections::HashSet;

/// So many jobs in line are named.
const NAMED: usize = 20;

/// What is told.
#[derive(Debug, Serialize)]
pub(super) struct Status {
    /// The manager's clock, in seconds since 1970.
    pub(super) now: u64,
    pub(super) mode: Mode,
    /// What the manager's mark says: who governs.
    pub(super) agent: String,
    pub(super) nodes: Nodes,
    pub(super) jobs: Jobs,
    pub(super) next: Option<Next>,
    /// Jobs that will miss their deadlines.
    pub(super) late: Vec<Late>,
    /// The first jobs in line.
    pub(super) line: Vec<Waits>,
    /// How many stand behind these.
    pub(super) line_more: usize,
    /// Jobs that are left to the manager.
    pub(super) left: Vec<Kept>,
    /// Jobs that are not asked to start for a while.
    pub(super) kept: Vec<Kept>,
    /// Jobs that run and are to be stopped.
    pub(super) stops: Vec<Kept>,
    pub(super) promises: Promises,
    pub(super) users: Vec<User>,
    /// Jobs and nodes that are not governed, and why.
    pub(super) notes: Vec<String>,
}

#[derive(Debug, Serialize)]
pub(super) struct Nodes {
    /// Those of the manager that have numbers.
    pub(super) known: usize,
    pub(super) free: u32,
    /// Out of service, or somebody else's.
    pub(super) out: usize,
}

#[derive(Debug, Default, Serialize)]
pub(super) struct Jobs {
    pub(super) waiting: u32,
    pub(super) held: u32,
    pub(super) never: u32,
    pub(super) starting: u32,
    pub(super) running: u32,
    pub(super) stopping: u32,
}

/// The first in line, and what it is promised.
#[derive(Debug, Serialize)]
pub(super) struct Next {
    pub(super) job: String,
    pub(super) starts_by: u64,
    pub(super) ends_by: u64,
}

/// A job that ends after its deadline, if all take as long as they may.
#[derive(Debug, Serialize)]
pub(super) struct Late {
    pub(super) job: String,
    pub(super) deadline: u64,
    /// At the earliest while it waits, at the latest while it runs; nothing if a job without a limit runs until then.
    pub(super) ends: Option<u64>,
}

/// A job, and why it is not in line or does not run on.
#[derive(Debug, Serialize)]
pub(super) struct Kept {
    pub(super) job: String,
    pub(super) why: String,
}

/// What became of the promises to the first in line.
#[derive(Debug, Serialize)]
pub(super) struct Promises {
    pub(super) given: u64,
    pub(super) kept: u64,
    /// Put off or taken back; the log has each with its cause.
    pub(super) moved: u64,
}

#[derive(Debug, Serialize)]
pub(super) struct Waits {
    pub(super) job: String,
    pub(super) user: u32,
    pub(super) nodes: u32,
    /// In seconds; of a job without a limit nothing.
    pub(super) limit: Option<u64>,
    pub(super) priority: u32,
    pub(super) why: String,
}

#[derive(Debug, Serialize)]
pub(super) struct User {
    pub(super) user: u32,
    pub(super) weight: u16,
    pub(super) jobs: u32,
    pub(super) waiting: u32,
    pub(super) nodes: u32,
    /// In nodes times half-lives; a lower one is served earlier.
    pub(super) index: f64,
}

impl Status {
    /// What a view shows.
    pub(super) fn of(view: &View<'_>) -> Result<Self, Failure> {
        let manager = view.manager();
        let told = view.snapshot.nodes.iter();
        let nodes = told.filter_map(|node| view.agent.names().number(&node.name));
        let nodes: Vec<Node> = nodes.filter_map(|node| manager.node(node)).collect();
        let mut jobs = Jobs::default();
        let kept = view.cycle.aside.iter().map(|(job, _)| job).chain(&view.cycle.limited);
        let kept: HashSet<&String> = kept.collect();
        for job in manager.jobs() {
            let waits = job.status == Doing::Held && kept.contains(&view.name(job.key));
            *jobs.of(if waits { Doing::Waiting } else { view.status(&job) }) += 1;
        }
        let late = manager.jobs().filter_map(|job| {
            let (deadline, ends) = (job.deadline?.ticks(), job.late?.ticks());
            let ends = times::known(ends.saturating_sub(view.now())).map(|_| ends);
            Some(Late { job: view.name(job.key), deadline, ends })
        });
        let mut late: Vec<Late> = late.collect();
        late.sort_by(|one, other| (one.deadline, &one.job).cmp(&(other.deadline, &other.job)));
        let promises = view.agent.promises();
        let next = manager.promise().and_then(|promise| {
            let starts_by = promises.by(promise.key)?;
            Some(Next { job: view.name(promise.key), starts_by, ends_by: promise.to.ticks() })
        });
        let left = view.cycle.left.iter();
        let left = left.map(|(job, why)| Kept { job: job.clone(), why: why.clone() });
        let kept = view.cycle.aside.iter().map(|(job, _)| job).chain(&view.cycle.limited);
        let kept = kept.filter_map(|job| Some(Kept { job: job.clone(), why: view.kept(job)? }));
        let stops = view.cycle.stops.iter();
        let stops = stops.map(|stop| Kept { job: stop.job.clone(), why: view.told(stop) });
        let line = manager.line().take(NAMED).filter_map(|key| manager.job(key));
        let users = manager.users().map(|user| User {
            user: user.id.0,
            weight: user.weight,
            jobs: user.jobs,
            waiting: user.waiting,
            nodes: user.nodes,
            index: index_of(&user),
        });
        Ok(Self {
            now: view.now(),
            mode: view.agent.config().mode,
            agent: view.snapshot.mark.clone(),
            nodes: Nodes {
                known: nodes.len(),
                free: manager.free(),
                out: nodes.iter().filter(|node| node.out).count(),
            },
            jobs,
            next,
            late,
            line_more: manager.line().count().saturating_sub(NAMED),
            line: line.map(|job| Waits::of(view, &job)).collect::<Result<_, _>>()?,
            left: left.collect(),
            kept: kept.collect(),
            stops: stops.collect(),
            promises: Promises {
                given: promises.given_in_all,
                kept: promises.kept,
                moved: promises.moved,
            },
            users: users.collect(),
            notes: view.cycle.not_governed().map(str::to_string).collect(),
        })
    }

    /// As text.
    pub(super) fn lines(&self) -> Vec<String> {
        let Self { nodes, jobs, .. } = self;
        let agent = if self.agent.is_empty() { "no agent has left a mark" } else { &self.agent };
        let mut lines = vec![
            format!("{}, {agent}", self.mode),
            format!(
                "nodes: {} known, {} free, {} out of service or somebody else's",
                nodes.known, nodes.free, nodes.out
            ),
            format!(
                "jobs: {} wait, {} are held, {} never fit, {} start, {} run, {} are to stop",
                jobs.waiting, jobs.held, jobs.never, jobs.starting, jobs.running, jobs.stopping
            ),
        ];
        if let Some(next) = &self.next {
            let by = times::at(next.starts_by, self.now);
            lines.push(format!("next: {}, promised for {by}", next.job));
        }
        let Promises { given, kept, moved } = self.promises;
        if given > 0 {
            lines.push(format!(
                "promises: {given} given, {kept} kept, {moved} times put off or taken back"
            ));
        }
        let named = |what: &str, all: &[Kept]| {
            let first = all.iter().take(NAMED);
            let named = first.map(|Kept { job, why }| format!("{what}: {job}: {why}"));
            let more = all.len().saturating_sub(NAMED);
            let more = (more > 0).then(|| format!("{what}: and {more} more"));
            named.chain(more).collect::<Vec<_>>()
        };
        lines.extend(named("left to the manager", &self.left));
        lines.extend(named("not asked for", &self.kept));
        lines.extend(named("stops", &self.stops));
        for Late { job, deadline, ends } in &self.late {
            let (deadline, ends) = (times::at(*deadline, self.now), times::end(*ends, self.now));
            lines.push(format!("late: {job} ends {ends}, and is to end by {deadline}"));
        }
        lines.extend(self.notes.iter().map(|note| format!("note: {note}")));
        for (place, job) in (1..).zip(&self.line) {
            let Waits { job, user, nodes, limit, why, .. } = job;
            let limit = times::limit(*limit);
            lines.push(format!("{place:4} {job} of {user}, nodes: {nodes}, {limit}: {why}"));
        }
        if self.line_more > 0 {
            lines.push(format!("     and {} more in line", self.line_more));
        }
        lines
    }
}

impl Jobs {
    fn of(&mut self, status: Doing) -> &mut u32 {
        match status {
            Doing::Waiting => &mut self.waiting,
            Doing::Held => &mut self.held,
            Doing::Never => &mut self.never,
            Doing::Starting => &mut self.starting,
            Doing::Running => &mut self.running,
            Doing::Stopping => &mut self.stopping,
        }
    }
}

impl Waits {
    fn of(view: &View<'_>, job: &Job) -> Result<Self, Failure> {
        let reason = view.manager().reason(job.key)?;
        Ok(Self {
            job: view.name(job.key),
            user: job.user.0,
            nodes: job.nodes,
            limit: times::known(job.limit.ticks()),
            priority: job.priority,
            why: reason.map_or_else(String::new, |reason| view.reason(job, reason)),
        })
    }
}

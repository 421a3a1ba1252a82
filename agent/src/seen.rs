//! A snapshot in the kernel's words: numbers of nodes, and whose job is whose.

use crate::backend::{JobSeen, NodeSeen, Refused, Snapshot, State};
use crate::names::{Names, ranges};
use locox_coordinators::manager::{Key, NodeId, NodeRange};
use std::collections::HashSet;

/// A snapshot in the kernel's words.
///
/// - `jobs` are governed, by number, each number once; no node is that of two of them.
/// - `left` are in a partition that is governed and are not among them.
#[derive(Debug)]
pub struct Seen<'a> {
    /// The jobs that are governed.
    pub jobs: Vec<SeenJob<'a>>,
    /// Of each number whether that node gets no job of ours: out of service, not there, or somebody else's.
    pub out: Vec<bool>,
    /// Those that are left to the manager, by number.
    pub left: Vec<LeftJob<'a>>,
    /// Nodes in service that jobs have which are not governed.
    pub foreign: u32,
    /// What is odd.
    pub notes: Vec<String>,
}

/// A job that is left to the manager.
#[derive(Debug)]
pub struct LeftJob<'a> {
    /// As the manager tells it.
    pub job: &'a JobSeen,
    /// Why.
    pub why: String,
}

/// A job that is governed.
#[derive(Debug)]
pub struct SeenJob<'a> {
    /// As the manager tells it.
    pub job: &'a JobSeen,
    /// Its name in the kernel.
    pub key: Key,
    /// Its nodes, from the lowest on; empty if it waits.
    pub nodes: Vec<NodeRange>,
}

impl SeenJob<'_> {
    /// Whether it waits.
    pub const fn waits(&self) -> bool {
        matches!(self.job.state, State::Waits { .. })
    }

    /// Whether somebody holds it, while it waits.
    pub const fn is_held(&self) -> bool {
        matches!(self.job.state, State::Waits { held: true, .. })
    }

    /// Why the manager does not start it, while it waits.
    pub const fn refused(&self) -> Option<&Refused> {
        match self.job.state {
            State::Waits { gated: false, held: false } => self.job.refused.as_ref(),
            _ => None,
        }
    }

    /// Whether its gate is closed, while it waits.
    pub const fn is_gated(&self) -> bool {
        matches!(self.job.state, State::Waits { gated: true, .. })
    }
}

/// A snapshot that contradicts itself: the manager is asked again.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum Contradiction {
    /// Two jobs have a number, or they are not in order.
    #[error("the snapshot has job {0} twice, or out of order")]
    Job(String),
    /// A node is there twice.
    #[error("the snapshot has node {0} twice; each node needs a name of its own")]
    Node(String),
    /// There is no node: the manager has just begun.
    #[error("the snapshot has no node")]
    Empty,
}

/// Whether a snapshot can be taken for true.
///
/// # Errors
///
/// What contradicts itself.
pub fn check(snapshot: &Snapshot) -> Result<(), Contradiction> {
    if snapshot.nodes.is_empty() {
        return Err(Contradiction::Empty);
    }
    let mut pairs = snapshot.jobs.iter().zip(snapshot.jobs.iter().skip(1));
    if let Some((_, job)) = pairs.find(|(one, next)| one.id >= next.id) {
        return Err(Contradiction::Job(job.name.clone()));
    }
    let mut names = HashSet::with_capacity(snapshot.nodes.len());
    match snapshot.nodes.iter().find(|node| !names.insert(node.name.as_str())) {
        Some(node) => Err(Contradiction::Node(node.name.clone())),
        None => Ok(()),
    }
}

impl<'a> Seen<'a> {
    /// What a snapshot that was [checked](check) says, with numbers below `nodes`. `left` says why a job is left to the
    /// manager, if it is, and `planned` whether a node is in an outage of which the kernel knows.
    pub fn new(
        snapshot: &'a Snapshot,
        names: &Names,
        nodes: u32,
        left: impl Fn(&JobSeen) -> Option<String>,
        planned: impl Fn(&str) -> bool,
    ) -> Self {
        let jobs = Vec::with_capacity(snapshot.jobs.len());
        let out = vec![true; nodes as usize];
        let mut seen = Self { jobs, out, left: vec![], foreign: 0, notes: vec![] };
        let serves = |node: &&NodeSeen| node.serves || planned(&node.name);
        for node in snapshot.nodes.iter().filter(serves) {
            let number = names.number(&node.name).and_then(|it| seen.out.get_mut(it.0 as usize));
            number.into_iter().for_each(|out| *out = false);
        }
        let mut taken = vec![false; nodes as usize];
        let mut ours = Vec::with_capacity(snapshot.jobs.len());
        for job in &snapshot.jobs {
            let why = if job.governed { left(job) } else { None };
            if job.governed && why.is_none() {
                ours.push(job);
                continue;
            }
            let numbers = nodes_of(job).iter().filter_map(|name| names.number(name));
            seen.is_foreign(&mut taken, numbers);
            seen.left.extend(why.map(|why| LeftJob { job, why }));
        }
        for job in ours {
            seen.add(job, names, &mut taken);
        }
        seen
    }

    /// The job of this number.
    pub fn find(&self, key: Key) -> Option<&SeenJob<'a>> {
        let at = self.jobs.binary_search_by_key(&key.id, |job| job.key.id).ok()?;
        self.jobs.get(at).filter(|job| job.key == key)
    }

    fn add(&mut self, job: &'a JobSeen, names: &Names, taken: &mut [bool]) {
        let key = Key { id: job.id, born: job.born };
        let has = nodes_of(job);
        let numbers: Vec<NodeId> = has.iter().filter_map(|name| names.number(name)).collect();
        let is_free = |node: &NodeId| taken.get(node.0 as usize) == Some(&false);
        let waits = matches!(job.state, State::Waits { .. });
        let is_whole = numbers.len() == has.len() && (waits || !has.is_empty());
        if !is_whole || !numbers.iter().all(is_free) {
            let name = &job.name;
            let note = format!(
                "job {name} has nodes that are unknown or somebody else's too: not governed"
            );
            self.notes.push(note);
            return self.is_foreign(taken, numbers);
        }
        for node in &numbers {
            taken[node.0 as usize] = true;
        }
        self.jobs.push(SeenJob { job, key, nodes: ranges(numbers) });
    }

    fn is_foreign(&mut self, taken: &mut [bool], nodes: impl IntoIterator<Item = NodeId>) {
        for node in nodes {
            let node = node.0 as usize;
            taken.get_mut(node).into_iter().for_each(|taken| *taken = true);
            if let Some(out) = self.out.get_mut(node) {
                self.foreign += u32::from(!std::mem::replace(out, true));
            }
        }
    }
}

/// The nodes that a job has.
fn nodes_of(job: &JobSeen) -> &[String] {
    match &job.state {
        State::Waits { .. } => &[],
        State::Runs { nodes, .. } | State::Ends { nodes } => nodes,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn job(id: u64, governed: bool, nodes: &[&str]) -> JobSeen {
        let nodes: Vec<String> = nodes.iter().map(|name| (*name).into()).collect();
        let state = match nodes.is_empty() {
            true => State::Waits { gated: false, held: false },
            false => State::Runs { since: 5, nodes },
        };
        let (name, owner, reason) = (id.to_string(), "a".into(), String::new());
        let (born, user, nodes, limit, priority, rank) = (1, 7, 1, 60, 0, 0);
        let sides = [0; 3];
        JobSeen {
            id,
            born,
            name,
            user,
            owner,
            nodes,
            sides,
            limit,
            deadline: None,
            priority,
            rank,
            governed,
            left: None,
            refused: None,
            kind: String::new(),
            changed: false,
            firm: false,
            state,
            reason,
        }
    }

    fn snapshot(jobs: Vec<JobSeen>) -> Snapshot {
        let node = |name: &str| NodeSeen { name: name.into(), serves: name != "d" };
        let nodes = ["a", "b", "c", "d"].map(node).to_vec();
        Snapshot { now: 9, nodes, jobs, ..Snapshot::default() }
    }

    #[test]
    fn a_node_is_that_of_one_job_of_ours_or_it_is_out() {
        let jobs = vec![
            job(1, true, &["a"]),
            job(2, true, &["b", "a"]), // the node has job 1 already
            job(3, false, &["c"]),
            job(4, true, &["c"]), // somebody else's is there
            job(5, true, &["elsewhere"]),
            job(6, true, &[]),
            job(7, false, &[]),
        ];
        let snapshot = snapshot(jobs);
        check(&snapshot).unwrap();
        let names = Names::default().with(["a", "b", "c", "d"], 9).unwrap();
        let seen = Seen::new(&snapshot, &names, 6, |_| None, |_| false);
        let ids: Vec<u64> = seen.jobs.iter().map(|job| job.key.id).collect();
        assert_eq!((ids, seen.notes.len()), (vec![1, 6], 3));
        // Job 1's node is shared; b is another's; c is another's; d is down; the others are not there.
        assert_eq!(seen.out, [true; 6]);
        assert!(seen.find(Key { id: 1, born: 1 }).is_some());
        assert!(seen.find(Key { id: 1, born: 2 }).is_none());
    }

    #[test]
    fn a_snapshot_that_contradicts_itself_is_not_taken() {
        assert_eq!(check(&Snapshot::default()), Err(Contradiction::Empty));
        let twice = snapshot(vec![job(1, true, &[]), job(1, true, &[])]);
        assert_eq!(check(&twice), Err(Contradiction::Job("1".into())));
        let mut nodes = snapshot(vec![]);
        nodes.nodes.push(nodes.nodes[0].clone());
        assert_eq!(check(&nodes), Err(Contradiction::Node("a".into())));
    }
}

//! Which nodes are free, which are out of service, and who has the others.

use super::storage::{Flag, JobRow, NodeRow};
use super::{Misuse, NodeId, NodeRange};
use locox::bits::Word;
use locox::ground::{List, Ref, count, edit, first_from, ones, set_bit};

/// The nodes of a set.
pub(super) fn members(set: &[Word]) -> impl Iterator<Item = u32> {
    let bases = (0u32..).step_by(Word::BITS as usize);
    bases.zip(set).flat_map(|(base, &word)| ones(word).map(move |at| base | at))
}

/// Nodes, those that follow each other together.
pub(super) fn ranges(mut nodes: impl Iterator<Item = u32>) -> impl Iterator<Item = NodeRange> {
    let mut next = nodes.next();
    core::iter::from_fn(move || {
        let first = next?;
        let mut range = NodeRange { first: NodeId(first), nodes: 1 };
        loop {
            next = nodes.next();
            if next.and_then(|node| node.checked_sub(first)) != Some(range.nodes) {
                return Some(range);
            }
            range.nodes = range.nodes.saturating_add(1);
        }
    })
}

pub(super) const fn is_free(row: &NodeRow) -> bool {
    matches!(row, NodeRow { job: Ref::NONE, next: Ref::NONE, out: Flag::No, .. })
}

/// The nodes.
///
/// - A node that has a job is in the list of that job, and no other node is in one.
/// - The free ones are those that have no job, are kept for none, and are in service.
pub(super) struct Nodes<'a> {
    pub(super) rows: &'a mut [NodeRow],
    /// A bit for each node: whether it is free.
    pub(super) free: &'a mut [Word],
}

impl Nodes<'_> {
    /// All are free.
    pub(super) fn clear(&mut self) {
        self.rows.fill(NodeRow::EMPTY);
        self.set_free();
    }

    /// Finds out which are free.
    pub(super) fn set_free(&mut self) {
        self.free.fill(0);
        for (node, row) in (0..).zip(&*self.rows) {
            set_bit(self.free, 0, node, is_free(row));
        }
    }

    pub(super) const fn len(&self) -> u32 {
        self.rows.len() as u32
    }

    /// Nodes that there are, at least one.
    pub(super) fn check(&self, NodeRange { first, nodes }: NodeRange) -> Result<(), Misuse> {
        let Some(more) = nodes.checked_sub(1) else { return Err(Misuse::NoNodes) };
        let last = first.0.saturating_add(more);
        if last < self.len() { Ok(()) } else { Err(Misuse::NoSuchNode(NodeId(last))) }
    }

    pub(super) fn serves(&self, node: u32) -> bool {
        self.rows.get(node as usize).is_some_and(|row| row.out == Flag::No)
    }

    /// The nodes in service.
    pub(super) fn serving(&self) -> impl Iterator<Item = u32> {
        (0..).zip(&*self.rows).filter(|(_, row)| row.out == Flag::No).map(|(node, _)| node)
    }

    pub(super) fn count_free(&self) -> u32 {
        count(self.free)
    }

    /// The job that has a node.
    pub(super) fn job_of(&self, node: u32) -> Option<u32> {
        self.rows.get(node as usize)?.job.get()
    }

    /// The nodes of a range, each with the job that it has.
    pub(super) fn jobs_of(
        &self,
        NodeRange { first, nodes }: NodeRange,
    ) -> impl Iterator<Item = (u32, Option<u32>)> {
        let rows = self.rows.iter().skip(first.0 as usize).take(nodes as usize);
        (first.0..).zip(rows.map(|row| row.job.get()))
    }

    /// A node that no job has is that of a job.
    pub(super) fn give(&mut self, node: u32, job: u32, list: &mut List) {
        list.push_back(self.rows, node);
        set_bit(self.free, 0, node, false);
        edit(self.rows, node, |row| row.job = Ref::to(job));
    }

    /// How many of a job's nodes are in service and kept for nobody: so many are free when it ends.
    pub(super) fn come_free(&self, list: List) -> u32 {
        let rows = list.iter(&*self.rows);
        rows.filter(|(_, row)| row.out == Flag::No && row.next == Ref::NONE).count() as u32
    }

    /// The job for which a node is kept.
    pub(super) fn next_of(&self, node: u32) -> Option<u32> {
        self.rows.get(node as usize)?.next.get()
    }

    /// The nodes that are kept for a job. Cost: all nodes.
    pub(super) fn kept_for(&self, job: u32) -> impl Iterator<Item = u32> {
        let rows = (0..).zip(&*self.rows).filter(move |(_, row)| row.next == Ref::to(job));
        rows.map(|(node, _)| node)
    }

    /// How many of these are in service.
    pub(super) fn count_kept(&self, job: u32) -> u32 {
        self.kept_for(job).filter(|&node| self.serves(node)).count() as u32
    }

    /// A node is kept for a job, or for none any more.
    pub(super) fn keep(&mut self, node: u32, job: Ref) {
        edit(self.rows, node, |row| row.next = job);
        self.tell_free(node);
    }

    /// The jobs that have nodes, each once. Cost: all nodes.
    pub(super) fn holders(&self, jobs: &[JobRow]) -> impl Iterator<Item = u32> {
        let is_first = |node: u32, job: u32| {
            jobs.get(job as usize).is_some_and(|it| it.nodes.first() == Some(node))
        };
        let given = (0..).zip(&*self.rows).filter_map(|(node, row)| Some((node, row.job.get()?)));
        given.filter(move |(node, job)| is_first(*node, *job)).map(|(_, job)| job)
    }

    fn tell_free(&mut self, node: u32) {
        let free = self.rows.get(node as usize).is_some_and(is_free);
        set_bit(self.free, 0, node, free);
    }

    /// So many free nodes of the lowest numbers are those of a job, if there are as many.
    pub(super) fn give_free(&mut self, nodes: u32, job: u32, list: &mut List) {
        let mut next = 0;
        for _ in 0..nodes {
            let Some(node) = first_from(self.free, next, 0) else { break };
            self.give(node, job, list);
            next = node;
        }
    }

    /// The nodes of a job are its own no more.
    pub(super) fn release(&mut self, list: &mut List) {
        while let Some(node) = list.first() {
            list.remove(self.rows, node);
            let Some(row) = self.rows.get_mut(node as usize) else { break };
            row.job = Ref::NONE;
            self.tell_free(node);
        }
    }

    /// A node goes out of service or comes back; whether it was not so before.
    pub(super) fn set_out(&mut self, node: u32, out: bool) -> bool {
        let Some(row) = self.rows.get_mut(node as usize) else { return false };
        let changes = row.out != Flag::from(out);
        row.out = out.into();
        self.tell_free(node);
        changes
    }

    /// The nodes of a list, those that follow each other together.
    pub(super) fn ranges(&self, list: List) -> impl Iterator<Item = NodeRange> {
        ranges(list.iter(&*self.rows).map(|(node, _)| node))
    }
}

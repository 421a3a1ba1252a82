//! How much of what is free on nodes is of no use to a kind of jobs.

use super::Cluster;
use crate::workload::{Demand, Job};
use locox::nodes::Amounts;
use std::collections::HashMap;

/// The ways in which jobs of a kind can be placed.
type Kind = Vec<Demand>;

/// What is free on a node.
pub(super) struct Free {
    pub(super) node: u32,
    /// Of each quantity.
    pub(super) amounts: Amounts,
    /// Of each GPU of which others have parts.
    pub(super) open: Vec<u32>,
    /// Whether nobody has anything.
    pub(super) is_empty: bool,
}

/// The kinds of jobs that were met, and what they count on nodes: GPUs, or cores where there are none.
///
/// - `numbers` has the place in `kinds` of each of them.
pub(super) struct Stranded {
    cluster: Cluster,
    exclusive: bool,
    kinds: Vec<Kind>,
    numbers: HashMap<Kind, u32>,
}

impl Stranded {
    pub(super) fn new(cluster: Cluster, exclusive: bool) -> Self {
        Self { cluster, exclusive, kinds: vec![], numbers: HashMap::new() }
    }

    /// The number of a job's kind; `None` if it asks for nothing of what counts, or an idle cluster does not hold it.
    pub(super) fn kind(&mut self, job: &Job) -> Option<u32> {
        let kind = self.cluster.ways(job)?;
        let counted = self.cluster.counted();
        kind.iter().find(|it| it.each.get(counted) > 0 || it.part > 0)?;
        let next = self.kinds.len() as u32;
        let number = *self.numbers.entry(kind.clone()).or_insert(next);
        if number == next {
            self.kinds.push(kind);
        }
        Some(number)
    }

    /// How much of what counts is free: cores, or thousandths of GPUs.
    pub(super) fn free(&self, nodes: &[Free]) -> u32 {
        nodes.iter().map(|free| self.whole(free) + free.open.iter().sum::<u32>()).sum()
    }

    /// How much of it lies in no free place of a kind.
    pub(super) fn stranded(&self, nodes: &[Free], common: &Amounts, kind: u32) -> u32 {
        let mut reached = vec![0; nodes.len()];
        for way in &self.kinds[kind as usize] {
            let all =
                nodes.iter().map(|free| self.reaches(free, way)).collect::<Vec<Option<u32>>>();
            let fitting = all.iter().flatten().count();
            if fitting < way.nodes as usize || !way.common.fits(common) {
                continue;
            }
            reached.iter_mut().zip(all).for_each(|(most, it)| *most = it.unwrap_or(0).max(*most));
        }
        self.free(nodes) - reached.iter().sum::<u32>()
    }

    /// How much of a node lies in its free places for a job that is placed so; `None` if it has none.
    fn reaches(&self, free: &Free, way: &Demand) -> Option<u32> {
        let class = self.cluster.class_of(free.node);
        let counted = self.cluster.counted();
        let alone = !self.exclusive || free.is_empty;
        if way.classes >> class & 1 == 0 || !way.each.fits(&free.amounts) || !alone {
            return None;
        }
        let open = free.open.iter().filter(|&&it| way.part > 0 && it >= way.part);
        let of_open: u32 = open.sum();
        let another = free.amounts.get(counted) > way.each.get(counted);
        (way.part == 0 || of_open > 0 || another).then(|| self.whole(free) + of_open)
    }

    /// What counts as a whole: cores, or thousandths of GPUs of which nobody has a part.
    fn whole(&self, free: &Free) -> u32 {
        let parts = if self.cluster.shared().is_some() { Cluster::PARTS } else { 1 };
        free.amounts.get(self.cluster.counted()) * parts
    }
}

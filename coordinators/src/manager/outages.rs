//! Outages that are planned, and nodes that are kept for jobs, which are as good as out for all others.

use super::storage::OutageRow;
use super::{NodeId, NodeRange, Outage};
use locox::ground::{Ref, put};
use locox::reserve::Interval;
use locox::time::Instant;

impl From<&OutageRow> for Outage {
    fn from(&OutageRow { first, nodes, from, to, .. }: &OutageRow) -> Self {
        Self { nodes: NodeRange { first: NodeId(first), nodes }, from, to }
    }
}

impl From<Outage> for OutageRow {
    fn from(Outage { nodes: NodeRange { first: NodeId(first), nodes }, from, to }: Outage) -> Self {
        Self { first, nodes, from, to, ..Self::EMPTY }
    }
}

/// Outages that are planned, each once, and nodes that are kept for jobs.
pub(super) struct Outages<'a> {
    /// The first ones are in use.
    pub(super) rows: &'a mut [OutageRow],
    pub(super) used: usize,
}

impl Outages<'_> {
    pub(super) fn planned(&self) -> &[OutageRow] {
        self.rows.get(..self.used).unwrap_or_default()
    }

    pub(super) fn find(&self, row: &OutageRow) -> Option<usize> {
        self.planned().iter().position(|it| it == row)
    }

    pub(super) const fn are_full(&self) -> bool {
        self.used >= self.rows.len()
    }

    /// One more, for which there is a row.
    pub(super) fn add(&mut self, row: OutageRow) {
        put(self.rows, self.used, row);
        self.used = self.used.saturating_add(1);
    }

    /// The last one takes its row.
    pub(super) fn remove(&mut self, at: usize) {
        self.used = self.used.saturating_sub(1);
        if let Some(&last) = self.rows.get(self.used) {
            put(self.rows, at, last);
        }
    }

    /// Outages that are over are forgotten.
    pub(super) fn forget(&mut self, now: Instant) {
        self.remove_all(|it| it.to <= now && it.of == Ref::NONE);
    }

    pub(super) fn remove_all(&mut self, which: impl Fn(&OutageRow) -> bool) {
        while let Some(at) = self.planned().iter().position(&which) {
            self.remove(at);
        }
    }

    /// When an outage ends, or a job is to have what is kept for it.
    pub(super) fn next_change(&self) -> Option<Instant> {
        let change = |it: &OutageRow| if it.of == Ref::NONE { it.to } else { it.from };
        self.planned().iter().map(change).min()
    }

    /// What is kept for a job.
    pub(super) fn kept_for(&self, job: u32) -> impl Iterator<Item = &OutageRow> {
        self.planned().iter().filter(move |it| it.of == Ref::to(job))
    }

    /// From when until when a job has nodes of its own.
    pub(super) fn reservation(&self, job: u32) -> Option<Interval> {
        self.kept_for(job).next().map(OutageRow::at)
    }
}

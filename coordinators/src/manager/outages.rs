//! Outages that are planned.

use super::error::Outcome;
use super::storage::OutageRow;
use super::tables::Tables;
use super::{Misuse, NodeId, NodeRange, Outage, Refusal};
use locox::ground::put;
use locox::time::Instant;

impl Outage {
    pub(super) const fn of(row: &OutageRow) -> Self {
        let &OutageRow { first, nodes, from, to } = row;
        Self { nodes: NodeRange { first: NodeId(first), nodes }, from, to }
    }

    const fn row(&self) -> OutageRow {
        let &Self { nodes: NodeRange { first: NodeId(first), nodes }, from, to } = self;
        OutageRow { first, nodes, from, to }
    }
}

impl Tables<'_> {
    pub(super) fn outages(&self) -> &[OutageRow] {
        self.outages.get(..self.core.outages as usize).unwrap_or_default()
    }

    /// Where an outage stands that is planned.
    fn planned(&self, row: &OutageRow) -> Option<usize> {
        self.outages().iter().position(|it| it == row)
    }

    fn check(&self, it: &Outage) -> Outcome {
        self.nodes.check(it.nodes)?;
        if it.to <= it.from { Err(Misuse::NoTime.into()) } else { Ok(()) }
    }

    pub(super) fn outage(&mut self, now: Instant, it: &Outage) -> Outcome {
        self.check(it)?;
        let row = it.row();
        let is_new = it.to > now && self.planned(&row).is_none();
        let used = self.core.outages as usize;
        if is_new && used >= self.outages.len() {
            return Err(Refusal::OutagesFull.into());
        }
        self.pass(now);
        if is_new {
            put(self.outages, used, row);
            self.core.outages = self.core.outages.saturating_add(1);
        }
        Ok(())
    }

    pub(super) fn no_outage(&mut self, now: Instant, it: &Outage) -> Outcome {
        self.check(it)?;
        let at = self.planned(&it.row()).ok_or(Misuse::NoSuchOutage)?;
        self.pass(now);
        self.take_out(at);
        Ok(())
    }

    /// The last one takes its row.
    fn take_out(&mut self, at: usize) {
        self.core.outages = self.core.outages.saturating_sub(1);
        if let Some(&last) = self.outages.get(self.core.outages as usize) {
            put(self.outages, at, last);
        }
    }

    /// Those that are over are forgotten.
    pub(super) fn forget_outages(&mut self, now: Instant) {
        while let Some(at) = self.outages().iter().position(|it| it.to <= now) {
            self.take_out(at);
        }
    }
}

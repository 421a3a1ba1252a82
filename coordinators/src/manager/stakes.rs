//! Who could stop for a job, and at what cost.

use super::storage::StakeRow;
use locox::ground::put;

/// Those who could stop, and room to add up what that costs.
pub(super) struct Stakes<'a> {
    /// The first `used` ones.
    rows: &'a mut [StakeRow],
    used: usize,
    sums: &'a mut [u64],
}

impl<'a> Stakes<'a> {
    pub(super) const fn new(rows: &'a mut [StakeRow], sums: &'a mut [u64]) -> Self {
        Self { rows, used: 0, sums }
    }

    /// How many stakes and sums there is room for.
    pub(super) const fn sizes(&self) -> [usize; 2] {
        [self.rows.len(), self.sums.len()]
    }

    pub(super) const fn clear(&mut self) {
        self.used = 0;
    }

    pub(super) fn add(&mut self, stake: StakeRow) {
        put(self.rows, self.used, stake);
        self.used = self.used.saturating_add(1);
    }

    pub(super) fn rows(&mut self) -> &mut [StakeRow] {
        self.rows.get_mut(..self.used).unwrap_or_default()
    }

    /// They, and behind them others who are in the way and must not be touched; and the room.
    pub(super) fn with(
        &mut self,
        others: impl Iterator<Item = StakeRow>,
    ) -> (&mut [StakeRow], &mut [u64]) {
        let mut all = self.used;
        for stake in others {
            if !self.has(stake.of) {
                put(self.rows, all, stake);
                all = all.saturating_add(1);
            }
        }
        (self.rows.get_mut(..all).unwrap_or_default(), self.sums)
    }

    /// Whether a job is one of them, while they are sorted by their rows.
    pub(super) fn has(&self, job: u32) -> bool {
        let rows = self.rows.get(..self.used).unwrap_or_default();
        rows.binary_search_by_key(&job, |it| it.of).is_ok()
    }

    /// Leaves those who [yield](StakeRow::yields).
    pub(super) fn retain_yielding(&mut self) {
        for at in 0..core::mem::take(&mut self.used) {
            if let Some(stake) = self.rows.get(at).copied().filter(|stake| stake.yields) {
                self.add(stake);
            }
        }
    }

    /// The job at a place, if it yields.
    pub(super) fn victim(&self, at: usize) -> Option<u32> {
        let stake = self.rows.get(..self.used)?.get(at)?;
        Some(stake.of).filter(|_| stake.yields)
    }
}

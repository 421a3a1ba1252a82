//! What holds of lots, however they fall.

use super::Rule;
use crate::mismatch::equal;
use locox::fair::{Decision, Demand, Random, Reason};
use std::collections::BTreeSet;

/// Different wanting stations are served, as many as processors are free.
#[derive(Clone, Copy, Debug)]
pub struct Lots;

impl Rule<Random> for Lots {
    fn update(&mut self, _: &[Demand]) {}

    fn round(&mut self, demand: &[Demand], free: u32, list: &[Decision]) -> Result<(), String> {
        let wanting = demand.iter().filter(|one| one.wants > 0).count();
        equal("decisions in number", list.len(), wanting.min(free as usize))?;
        let served: BTreeSet<u32> = list.iter().filter_map(|it| lot(it, demand)).collect();
        equal("wanting stations served by lot", served.len(), list.len())
    }

    fn compare(&self, _: &Random) -> Result<(), String> {
        Ok(())
    }
}

/// The station that gets a processor by lot, if it wants one.
fn lot(decision: &Decision, demand: &[Demand]) -> Option<u32> {
    let Decision::Grant { to, reason: Reason::Lot } = decision else { return None };
    demand.get(to.0 as usize).filter(|one| one.wants > 0).map(|_| to.0)
}

//! Slices of an accelerator: all sets of leases, each with all sets of slices that can be out.

use super::Counts;
use super::walk::{State, walk};
use crate::Mismatch;
use crate::accelerator::{Command, Lockstep};
use locox::accelerator::{ProfileId, SliceSet, Table};
use locox::subcube::Outage;

/// The states without outages.
#[derive(Clone)]
struct Leased<'t> {
    table: Table<'t>,
    run: Lockstep<'t>,
}

impl State for Leased<'_> {
    type Operation = Vec<Command>;

    fn key(&self) -> impl std::hash::Hash + std::fmt::Debug {
        self.run.model().key()
    }

    /// What begins with an outage ends with the leases that were there, so that no other state has outages. Beside no lease
    /// profiles are asked for: what a choice depends on, all sets of free slices, comes of outages alone.
    fn operations(&self) -> Vec<Vec<Command>> {
        let profiles = || (0..).map(ProfileId).zip(self.table.profiles());
        let beyond = ProfileId(self.table.profiles().len() as u32);
        let mut single = vec![Command::Restart, Command::Allocate(beyond)];
        for (id, profile) in profiles() {
            single.push(Command::Allocate(id));
            single.extend(profile.placements.iter().map(|&it| Command::Claim(id, it)));
        }
        let live = self.run.model().live().len();
        single.extend((0..live).map(Command::Release));
        single.extend((0..3).map(Command::ReleaseGone));
        single.extend((0..3 * live).map(Command::ReleaseForged));
        single.push(Command::Withdraw(SliceSet(1 << self.table.slices()), Outage::Failed));
        let asks: Vec<_> = match live {
            0 => {
                profiles().map(|(id, _)| vec![Command::Allocate(id), Command::Release(0)]).collect()
            }
            _ => vec![vec![]],
        };
        let out = |out: u32| {
            let begin = [Command::Withdraw(SliceSet(out), Outage::Failed)];
            asks.iter().map(move |ask| [&begin, &ask[..]].concat())
        };
        let outages = (1..1u32 << self.table.slices()).flat_map(out);
        single.into_iter().map(|it| vec![it]).chain(outages).collect()
    }

    fn after(&self, commands: &Vec<Command>) -> Result<Self, Mismatch> {
        let mut next = self.clone();
        commands.iter().try_for_each(|it| next.run.step(it))?;
        Ok(next)
    }
}

/// The states of an accelerator, beside a model with another table, which should be the same.
pub fn slices(table: Table<'_>, beside: Table<'_>) -> Counts {
    walk(Leased { table, run: Lockstep::beside(table, &beside) })
}

//! Version 2 of the source, but that no job shares hosts of several owners.

use locox::time::Duration;
use locox::timeshare::{
    Choice, HostId, JobNumber, Level, Misuse, Placement, PlacementView, Refusal, Request,
    Threshold, Why,
};
use locox_models::streams::stream;
use rand::RngExt;
use std::collections::BTreeSet;

/// A host, and the job at the top of it.
type Free = (HostId, Option<JobNumber>);

/// Takes the first level at which enough calm hosts are free that are idle or have one owner in
/// common, and draws lots among these.
pub(super) struct OneOwner {
    pub(super) degree: u8,
    pub(super) threshold: Threshold,
    pub(super) believed: Duration,
}

impl OneOwner {
    /// Calm hosts that are free at this level, each with its owner.
    fn free(&self, view: &PlacementView<'_>, level: Level) -> Vec<Free> {
        let is_calm = |host| {
            let reading = view.reading(host);
            reading.is_some_and(|(load, age)| load <= self.threshold.load() && age <= self.believed)
        };
        let hosts = (0..view.hosts()).map(HostId);
        let free = hosts.filter(|&host| view.is_free(host, level) && is_calm(host));
        free.map(|host| (host, view.owner(host))).collect()
    }
}

/// The free hosts that are idle or have this owner.
fn beside(free: &[Free], owner: Option<JobNumber>) -> Vec<HostId> {
    let fits = free.iter().filter(|(_, its)| its.is_none() || *its == owner);
    fits.map(|&(host, _)| host).collect()
}

/// Each owner once.
fn owners(free: &[Free]) -> impl Iterator<Item = Option<JobNumber>> {
    let numbers: BTreeSet<Option<u32>> =
        free.iter().map(|(_, owner)| owner.map(|job| job.0)).collect();
    numbers.into_iter().map(|number| number.map(JobNumber))
}

impl Placement for OneOwner {
    type Draw = u32;

    fn name(&self) -> &'static str {
        "first-calm-level, one owner"
    }

    fn check(&self, levels: u8) -> Result<(), Misuse> {
        match (1..=levels).contains(&self.degree) {
            true => Ok(()),
            false => Err(Misuse::Levels { levels: self.degree }),
        }
    }

    fn choose(
        &self,
        view: &mut PlacementView<'_>,
        request: &Request,
        draw: u32,
    ) -> Result<Choice, Refusal> {
        let mut random = stream(draw.into(), "hosts", 0);
        let mut most = 0;
        for level in (0..self.degree).map_while(Level::new) {
            let free = self.free(view, level);
            // Nobody is above a job at the first level.
            let choices: Vec<Vec<HostId>> = match level.number() {
                0 => vec![free.iter().map(|&(host, _)| host).collect()],
                _ => owners(&free).map(|owner| beside(&free, owner)).collect(),
            };
            most = most.max(choices.iter().map(Vec::len).max().unwrap_or(0));
            let enough = |hosts: &Vec<HostId>| hosts.len() >= request.hosts as usize;
            let mut choices: Vec<Vec<HostId>> = choices.into_iter().filter(enough).collect();
            if choices.is_empty() {
                continue;
            }
            let mut hosts = choices.swap_remove(random.random_range(0..choices.len()));
            for _ in 0..request.hosts {
                let host = hosts.swap_remove(random.random_range(0..hosts.len()));
                view.pick(host);
            }
            return Ok(Choice { level: Some(level), why: Why::Level(level) });
        }
        Err(Refusal::TooFew { free: most as u32 })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use locox::time::Instant;
    use locox::timeshare::{Columns, Entry, HostRow, JobRow, Load, Speed, Table, UserId, words};

    #[test]
    fn a_job_waits_rather_than_shares_with_two_owners() {
        const HOSTS: usize = 4;
        let columns = Columns {
            entries: vec![Entry::EMPTY; 2 * HOSTS],
            hosts: vec![HostRow::EMPTY; HOSTS],
            jobs: vec![JobRow::EMPTY; 8],
            words: vec![0; words(HOSTS, 2)],
        };
        let mut table = Table::new(2, columns).unwrap();
        for host in (0..HOSTS as u32).map(HostId) {
            table.report(Instant::ZERO, host, Load::IDLE, Speed::NOMINAL).unwrap();
        }
        let threshold = Threshold::from_thousandths(700).unwrap();
        let placement = OneOwner { degree: 2, threshold, believed: Duration::MAX };
        let mut place = |job, hosts| {
            let request = Request::new(UserId(0), hosts);
            table.place(Instant::ZERO, &placement, JobNumber(job), request, 7).is_ok()
        };
        assert!(place(0, 2) && place(1, 2));
        assert!(!place(2, 3), "three hosts have two owners");
        assert!(place(3, 2) && place(4, 2));
        assert!(!place(5, 1), "both levels are taken");
    }
}

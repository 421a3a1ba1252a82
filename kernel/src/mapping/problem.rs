//! Which jobs are to be mapped, and what is free when.

use super::{Cluster, Misuse, Site, Times};
use crate::time::Instant;

/// Jobs to map at an instant: where they can run for how long, and when each machine is free.
#[derive(Clone, Copy, Debug)]
pub struct Problem<'p> {
    /// Nothing starts before.
    pub now: Instant,
    /// The resources.
    pub site: Site<'p>,
    /// Expected times of the jobs on them.
    pub times: Times<'p>,
    /// When each machine is free; [`Instant::MAX`]: it is away.
    pub free_from: &'p [Instant],
    /// Interconnects that are down, by number: the clusters that they serve take no job.
    pub down: &'p [u32],
}

impl Problem<'_> {
    /// Whether the parts fit each other.
    pub(super) fn check(&self) -> Result<(), Misuse> {
        // Both are numbered in 32 bits, and resources from 1.
        let most = self.times.jobs().max(self.times.resources()).saturating_add(1);
        match () {
            () if u32::try_from(most).is_err() => Err(Misuse::Storage),
            () if self.times.resources() != self.site.resources() => Err(Misuse::Columns),
            () if self.free_from.len() != self.site.machines() => Err(Misuse::Machines),
            () => Ok(()),
        }
    }

    /// Whether both resources occupy a machine. Of those that are away nobody has one alone.
    pub(super) fn share_a_machine(&self, one: usize, other: usize) -> bool {
        let is_present = |at: usize| self.free_from.get(at) != Some(&Instant::MAX);
        match (self.site.cluster(one), self.site.cluster(other)) {
            (Some(one), Some(other)) => {
                let mut shared = one.members.iter().filter(|at| other.members.contains(at));
                shared.any(|&at| is_present(at as usize))
            }
            (Some(one), None) => one.members.iter().any(|&at| at as usize == other),
            (None, Some(other)) => other.members.iter().any(|&at| at as usize == one),
            (None, None) => one == other,
        }
    }

    /// How many members of a cluster are present, and when all of them are free; if it can take no
    /// job, never: too few are present, or its interconnect is down.
    pub(super) fn gathers(&self, cluster: &Cluster, free: &[Instant]) -> (usize, Instant) {
        let all = cluster.members.iter().filter_map(|&at| free.get(at as usize));
        let present = all.filter(|&&from| from != Instant::MAX);
        let (count, last) = present
            .fold((0_usize, self.now), |(n, last), &from| (n.saturating_add(1), last.max(from)));
        let is_down = cluster.interconnect.is_some_and(|link| self.down.contains(&link));
        if is_down || count < cluster.least { (count, Instant::MAX) } else { (count, last) }
    }
}

//! Ranks, and the priorities that Slurm has for them.
//!
//! The plugin `priority/basic` counts down from 4,294,901,760: what lies above is the agent's. So many ranks share a
//! priority; which one a job was given is remembered.

use std::collections::HashMap;

use crate::backend::{BASE, TOP};

/// The largest priority that Slurm gives by itself.
const OWN: u32 = 0xffff_0000;
/// Ranks that share a priority.
const SHARE: u32 = (TOP - BASE) / 0xff00;

/// The priority for a rank.
pub(super) fn priority(rank: u32) -> u32 {
    OWN + 1 + (rank.clamp(BASE, TOP) - BASE) / SHARE
}

/// Whether the agent gave it.
pub(super) fn is_agents(priority: u32) -> bool {
    priority > OWN
}

/// A rank for a priority.
fn rank(priority: u32) -> u32 {
    // A fifth of the largest lies below the first rank of the agent.
    if is_agents(priority) {
        (BASE + (priority - OWN - 1).saturating_mul(SHARE)).min(TOP)
    } else {
        priority / 5
    }
}

/// What jobs were given, by name.
#[derive(Clone, Debug, Default)]
pub(super) struct Given(HashMap<String, (u32, u32)>);

impl Given {
    pub(super) fn note(&mut self, job: &str, rank: u32) {
        self.0.insert(job.to_owned(), (rank, priority(rank)));
    }

    /// The rank of a job with this priority.
    pub(super) fn rank(&self, job: &str, now: u32) -> u32 {
        match self.0.get(job) {
            Some((rank, given)) if *given == now => *rank,
            _ => rank(now),
        }
    }

    pub(super) fn retain(&mut self, is_there: impl Fn(&str) -> bool) {
        self.0.retain(|job, _| is_there(job));
    }
}

#[cfg(test)]
mod tests {
    use super::{BASE, Given, OWN, TOP, is_agents, priority, rank};

    #[test]
    fn the_agents_ranks_are_above_what_slurm_gives() {
        assert!([0, 1, 1000, OWN].iter().all(|own| rank(*own) < BASE && !is_agents(*own)));
        assert!(rank(OWN) > rank(OWN - 1000), "Slurm's own order stays");
        for agents in [BASE, BASE + 1_000_000, TOP - 1_000_000, TOP] {
            let priority = priority(agents);
            // The two largest numbers have meanings of their own.
            assert!(is_agents(priority) && priority < u32::MAX - 2);
            assert!(rank(priority).abs_diff(agents) < 50_000, "{agents}");
        }
        assert!(priority(BASE + 1_000_000) > priority(BASE));
        assert!(rank(u32::MAX) <= TOP);
    }

    #[test]
    fn a_rank_comes_back_as_it_was_given_until_somebody_changes_the_priority() {
        let mut given = Given::default();
        given.note("7", BASE + 3);
        assert_eq!(given.rank("7", priority(BASE + 3)), BASE + 3);
        assert_eq!(given.rank("7", priority(BASE)), BASE + 3, "both have the same priority");
        assert_eq!(given.rank("7", 55), 11);
        given.retain(|_| false);
        assert_eq!(given.rank("7", priority(BASE + 3)), BASE);
    }
}

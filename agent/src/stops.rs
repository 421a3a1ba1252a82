//! Jobs that are to be stopped, for whom and why, in words.

use crate::planned::count;
use crate::seen::{Seen, SeenJob};
use locox_coordinators::manager::{Coordinator, Key, StopReason, User};

/// What a user has had, in nodes times half-lives; who has a lower one is served earlier.
pub fn index_of(user: &User) -> f64 {
    user.index as f64 / (1u64 << 40) as f64
}

/// A job that runs and is to be stopped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stop {
    /// Which.
    pub key: Key,
    /// As the manager prints it.
    pub job: String,
    /// From when on, in seconds since 1970.
    pub at: u64,
    /// The job that gets its nodes.
    pub of: Key,
    /// For whom and why, such as `for 41 of anna, who has no nodes and has waited 600 s (index -0.12; bob 5.20 with 12 nodes)`.
    pub why: String,
}

impl Stop {
    /// Whether this job is to be stopped.
    pub(crate) fn of(
        manager: &Coordinator<'_>,
        seen: &Seen<'_>,
        job: &SeenJob<'_>,
        now: u64,
    ) -> Option<Self> {
        let (at, why) = manager.stop(job.key)?;
        let (StopReason::Turn { of: user, job: of } | StopReason::Priority { of: user, job: of }) =
            why;
        let (name, owner) = match seen.find(of) {
            Some(of) => (of.job.name.clone(), of.job.owner.clone()),
            None => (of.id.to_string(), format!("user {user}")),
        };
        let waited = now.saturating_sub(of.born.into());
        let why = match why {
            StopReason::Turn { .. } => {
                let own = manager.job(job.key).map_or(user, |it| it.user);
                let of_user = |user| manager.users().find(|it| it.id == user);
                let index = |user| of_user(user).map_or(0.0, |it| index_of(&it));
                let nodes = of_user(own).map_or(0, |it| it.nodes);
                format!(
                    "for {name} of {owner}, who has no nodes and has waited {waited} s (index {:.2}; {} {:.2} with {})",
                    index(user),
                    job.job.owner,
                    index(own),
                    count(nodes)
                )
            }
            StopReason::Priority { .. } => {
                format!("for {name} of {owner}, which has a higher priority")
            }
        };
        Some(Self { key: job.key, job: job.job.name.clone(), at: at.ticks(), of, why })
    }
}

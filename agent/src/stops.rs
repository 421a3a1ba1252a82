//! Jobs that are to be stopped, for whom and why, in words.

use crate::seen::{Seen, SeenJob};
use locox_coordinators::manager::{Coordinator, Key, StopReason};

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
    /// For whom and why, such as `for 41 of anna, who has no nodes and has waited 600 s`.
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
                format!("for {name} of {owner}, who has no nodes and has waited {waited} s")
            }
            StopReason::Priority { .. } => {
                format!("for {name} of {owner}, which has a higher priority")
            }
        };
        Some(Self { key: job.key, job: job.job.name.clone(), at: at.ticks(), of, why })
    }
}

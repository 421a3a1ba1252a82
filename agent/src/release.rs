//! What gives everything back to the manager.

use crate::advice::BASE;
use crate::backend::{Act, Snapshot, State};

/// A release for each job that waits and has a gate or a rank of the agent's; and no mark. Empty when all is done.
pub fn given_back(snapshot: &Snapshot) -> Vec<Act> {
    let governed = snapshot.jobs.iter().filter(|job| job.governed);
    let is_ours = governed.filter(|job| match job.state {
        State::Waits { gated, .. } => gated || job.rank >= BASE,
        State::Runs { .. } | State::Ends { .. } => false,
    });
    let mut acts: Vec<Act> = is_ours.map(|job| Act::Release { job: job.name.clone() }).collect();
    if !snapshot.mark.is_empty() {
        acts.push(Act::Mark { text: String::new() });
    }
    acts
}

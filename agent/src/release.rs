//! What gives everything back to the manager.

use crate::backend::{Act, Snapshot};

/// A release for each job that waits and has a gate, a rank or nodes of the agent's; and no mark. Empty when all is done.
pub fn given_back(snapshot: &Snapshot) -> Vec<Act> {
    let ours = snapshot.jobs.iter().filter(|job| job.governed && job.is_touched());
    let mut acts: Vec<Act> = ours.map(|job| Act::Release { job: job.name.clone() }).collect();
    if !snapshot.mark.is_empty() {
        acts.push(Act::Mark { text: String::new() });
    }
    acts
}

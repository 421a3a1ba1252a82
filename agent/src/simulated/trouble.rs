//! What users and the machine do to the simulated manager.

use super::job::{Doing, Job};
use super::{Simulated, Trouble};
use std::collections::BTreeMap;

type Happening = fn(&mut Simulated);

impl Simulated {
    /// What goes wrong in the time of a snapshot.
    pub(crate) fn have_trouble(&mut self) {
        let trouble = self.world.trouble;
        if trouble == Trouble::NONE {
            return;
        }
        let happens: [(u16, Happening); 7] = [
            (trouble.cancel, Self::cancel),
            (trouble.hold, Self::hold),
            (trouble.change, Self::change_terms),
            (trouble.node, Self::lose_node),
            (trouble.foreign, Self::bring_foreign),
            (trouble.controller, Self::kill_controller),
            (if trouble.controller > 0 { 300 } else { 0 }, Self::store_state),
        ];
        for (often, what) in happens {
            if self.numbers.chance(often) {
                what(self);
            }
        }
    }

    fn store_state(&mut self) {
        self.stored = Some(Box::new(self.cluster.clone()));
    }

    fn any(&mut self) -> Option<u64> {
        let count = self.cluster.jobs.len() as u64;
        if count == 0 {
            return None;
        }
        self.cluster.jobs.keys().nth(self.numbers.below(count) as usize).copied()
    }

    fn cancel(&mut self) {
        let Some(id) = self.any() else { return };
        let Some(job) = self.cluster.jobs.get(&id) else { return };
        self.cancelled.insert(job.serial);
        if job.doing == Doing::Waits {
            self.cluster.forget(id);
        } else {
            self.cluster.end(id, false, 2);
        }
    }

    fn hold(&mut self) {
        let Some(id) = self.any() else { return };
        self.cluster.change(id, |job| job.held = job.doing == Doing::Waits && !job.held);
    }

    fn change_terms(&mut self) {
        let Some(id) = self.any() else { return };
        let new = self.world.job(0, &mut self.numbers);
        self.cluster.change(id, |job| {
            (job.limit, job.priority) = (new.limit.max(job.limit / 2).max(1), new.priority);
            if job.doing == Doing::Waits && job.chosen.is_empty() {
                (job.nodes, job.sides, job.allowed) = (new.nodes, new.sides, new.allowed);
                job.is_hidden = new.is_hidden;
            }
        });
    }

    fn lose_node(&mut self) {
        let node = self.numbers.below(u64::from(self.world.nodes)) as u32;
        let seconds = self.numbers.between(1, 60);
        self.lose(node, seconds);
    }

    /// A node is lost for so many seconds, and what runs there is queued again with its gate open.
    pub fn lose(&mut self, node: u32, seconds: u64) {
        let until = self.cluster.now + seconds;
        let has = |job: &&Job| job.has().contains(&node);
        self.forgotten.extend(self.cluster.jobs.values().filter(has).map(|job| job.serial));
        self.cluster.lose(node, until);
    }

    fn bring_foreign(&mut self) {
        let job = self.world.job(u64::MAX, &mut self.numbers);
        let nodes = job.nodes.min(self.world.nodes);
        self.submit(Job { governed: false, gated: false, nodes, ..job });
    }

    /// The controller is what it stored last. What was submitted since is lost, and its numbers are given again;
    /// what was started since goes on without its knowledge for a while; what has ended since is gone.
    fn kill_controller(&mut self) {
        let Some(stored) = self.stored.take() else { return };
        let was = std::mem::replace(&mut self.cluster, *stored);
        let now = &mut self.cluster;
        (now.now, now.out) = (was.now, was.out);
        (now.started, now.ended) = (was.started, was.ended);
        let knew: BTreeMap<u64, &Job> = was.jobs.values().map(|job| (job.serial, job)).collect();
        now.jobs.retain(|_, job| still_true(job, knew.get(&job.serial).copied()));
        let mut knows: BTreeMap<u64, &Job> =
            now.jobs.values().map(|job| (job.serial, job)).collect();
        let mut ghosts = vec![];
        for (serial, job) in &knew {
            if knows.remove(serial).is_none_or(|known| known.doing != job.doing) {
                self.forgotten.insert(*serial);
                ghosts.extend_from_slice(job.has());
            }
        }
        // They waited then, and are gone since.
        self.forgotten.extend(knows.into_keys());
        for node in ghosts {
            let until = now.now + self.numbers.between(1, 30);
            if let Some(out) = now.out.get_mut(node as usize) {
                *out = until.max(*out);
            }
        }
        now.rebuild();
    }
}

/// Whether a job that the controller stored is there still: one that ran and has ended since is not, and one
/// that waited is, whatever became of it.
fn still_true(stored: &Job, is: Option<&Job>) -> bool {
    match (&stored.doing, is) {
        (Doing::Waits, _) => true,
        (doing, Some(is)) => *doing == is.doing,
        (_, None) => false,
    }
}

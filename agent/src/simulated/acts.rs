//! What the simulated manager does when it is told to.

use super::Simulated;
use super::job::{Doing, Job};
use super::told::silent;
use crate::backend::{Act, BackendError, Outcome};

impl Simulated {
    /// Does one after the other, as far as it answers.
    pub(crate) fn do_all(&mut self, acts: &[Act]) -> Result<Vec<Outcome>, BackendError> {
        let trouble = self.world.trouble;
        let is_cut = self.numbers.chance(trouble.cut);
        let done =
            if is_cut { self.numbers.below(acts.len() as u64 + 1) as usize } else { acts.len() };
        let mut outcomes = vec![];
        for act in acts.iter().take(done) {
            let outcome = if self.numbers.chance(trouble.refuse) {
                Outcome::Refused("its seed says so".into())
            } else if self.numbers.chance(trouble.forget) {
                Outcome::Taken
            } else {
                self.do_one(act)
                    .map_or_else(|why| Outcome::Refused(why.into()), |()| Outcome::Taken)
            };
            outcomes.push(outcome);
        }
        if is_cut { Err(silent()) } else { Ok(outcomes) }
    }

    fn do_one(&mut self, act: &Act) -> Result<(), &'static str> {
        match act {
            Act::Start { job, nodes } => {
                let mut chosen = self.numbered(nodes)?;
                if self.numbers.chance(self.world.trouble.half) {
                    chosen.clear();
                }
                let count = nodes.len() as u32;
                let id = self.waiting(job, |job| !job.held && job.nodes <= count)?;
                self.cluster.change(id, |job| {
                    if job.asked == 0 && job.nodes != count {
                        job.asked = job.nodes;
                    }
                    job.is_bad = !chosen.iter().all(|node| job.may_have(*node));
                    (job.gated, job.chosen, job.nodes) = (false, chosen, count);
                });
            }
            Act::Stop { job } => {
                let id =
                    self.one(job, |job| !job.is_firm && matches!(job.doing, Doing::Runs { .. }))?;
                self.cluster.end(id, true, 1);
                self.cluster.change(id, close);
                let serial = self.cluster.jobs.get(&id).map(|job| job.serial);
                self.forgotten.extend(serial);
            }
            Act::Gate { job } => {
                let id = self.waiting(job, |_| true)?;
                self.cluster.change(id, close);
            }
            Act::Prioritise { job, rank } => {
                let id = self.waiting(job, |_| true)?;
                self.cluster.change(id, |job| job.rank = *rank);
            }
            Act::Release { job } => {
                let id = self.one(job, |_| true)?;
                let given_back = |job: &mut Job| {
                    job.give_back();
                    (job.gated, job.rank) = (false, job.priority);
                };
                self.cluster.change(id, given_back);
            }
            Act::Mark { text } => self.cluster.mark.clone_from(text),
        }
        Ok(())
    }

    fn waiting(&self, job: &str, may: impl Fn(&Job) -> bool) -> Result<u64, &'static str> {
        self.one(job, |job| job.doing == Doing::Waits && may(job))
    }

    /// The job of this name, if it is governed and such a one.
    fn one(&self, job: &str, may: impl Fn(&Job) -> bool) -> Result<u64, &'static str> {
        let id = job.parse().map_err(|_| "no number of a job")?;
        let job = self.cluster.jobs.get(&id).filter(|job| job.governed).ok_or("no such job")?;
        if may(job) { Ok(id) } else { Err("the job is not in a state for that") }
    }

    fn numbered(&self, nodes: &[String]) -> Result<Vec<u32>, &'static str> {
        let one = |name: &String| self.names.binary_search(name).map(|at| at as u32);
        nodes.iter().map(one).collect::<Result<_, _>>().map_err(|_| "no such node")
    }
}

fn close(job: &mut Job) {
    job.give_back();
    job.gated = true;
}

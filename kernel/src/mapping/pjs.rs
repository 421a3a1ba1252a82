//! The parallel job scheduler (PJS): what pays off runs on clusters, the rest around it.

use super::plan::{Plan, spent};
use super::unplaced::{Looks, UnplacedJob, put_last};
use super::{Best, Duplex, Problem, Refusal, Workspace};
use crate::slices::copy;
use crate::time::{Duration, Instant};
use core::cmp::Reverse;

/// Starts from [`Duplex`]; gives the most profitable job its cluster, maps the rest around it
/// anew, and goes on as long as the whole gets better.
///
/// Collins and George 2001, section 3. The profit of a job and a cluster is what the job saves over
/// its best machine. Of equals the lowest job, then the lowest cluster. Jobs on clusters get their
/// places before all others and in the order of their profit. Never worse than [`Duplex`]: the
/// first job that makes nothing better ends it, and the best plan so far is the answer.
///
/// Every job needs a machine that could run it: one that only clusters can run is refused.
///
/// Costs a duplex for each job on a cluster, and one for the first that does not pay, which is
/// given up as soon as that is clear. At worst, where all jobs go to clusters and all want the same
/// machines, that is the jobs cubed times a third of the machines.
///
/// By completion, what a job waits for its cluster lessens its profit; by execution, which is what
/// the source says by its words, it does not, and the most profitable jobs queue for the same
/// cluster.
#[derive(Clone, Copy, Debug, Default)]
pub struct Pjs {
    /// What is best.
    pub best: Best,
}

/// A job, by its place among those without one, that saves so much on a cluster.
struct Profit {
    at: usize,
    job: u32,
    cluster: usize,
    saves: u64,
}

impl Pjs {
    /// The pair that saves most; `None` if none saves anything.
    fn most_profitable(
        self,
        problem: &Problem,
        plan: &Plan,
        open: &mut [UnplacedJob],
    ) -> Option<Profit> {
        Looks::start(problem, plan, open, self.best)?;
        let open = &*open;
        let pairs = problem.site.clusters().flat_map(|(cluster, members)| {
            let (_, from) = problem.gathers(members, plan.free());
            open.iter().enumerate().map(move |(at, open)| {
                let saves = self.saves(problem, open, cluster, from);
                Profit { at, job: open.job, cluster, saves }
            })
        });
        let paying = pairs.filter(|pair| pair.saves > 0);
        paying.max_by_key(|pair| (pair.saves, Reverse(pair.job), Reverse(pair.cluster)))
    }

    /// What a job that has just been looked at saves on a cluster that can start it at `from`.
    fn saves(self, problem: &Problem, open: &UnplacedJob, cluster: usize, from: Instant) -> u64 {
        let on = |resource| problem.times.on(open.job as usize, resource);
        let ends = |time: &Duration| from.saturating_add(*time) != Instant::MAX;
        let Some(time) = on(cluster).filter(ends) else { return 0 };
        match self.best {
            Best::Completion => spent(from.saturating_add(time), open.best.end),
            Best::Execution => {
                let alone = on(open.best.machine as usize).unwrap_or_default();
                alone.ticks().saturating_sub(time.ticks())
            }
        }
    }

    /// What the jobs take together.
    pub(super) fn run(
        self,
        problem: &Problem,
        plan: &mut Plan,
        mut open: &mut [UnplacedJob],
        room: &mut Workspace,
    ) -> Option<u64> {
        let duplex = Duplex { best: self.best };
        let Workspace { kept, spare, committed, .. } = room;
        copy(committed, plan.free());
        let mut least = duplex.run(problem, plan, open, spare, u64::MAX)?;
        kept.copy_from(plan);
        let mut on_clusters = 0_u64;
        loop {
            plan.set_free(committed);
            let Some(profit) = self.most_profitable(problem, plan, open) else { break };
            let end = plan.place(problem, profit.job as usize, profit.cluster)?;
            on_clusters = on_clusters.saturating_add(spent(problem.now, end));
            copy(committed, plan.free());
            open = put_last(open, profit.at);
            let limit = least.saturating_sub(on_clusters);
            let Some(rest) = duplex.run(problem, plan, open, spare, limit) else { break };
            least = on_clusters.saturating_add(rest);
            kept.copy_from(plan);
        }
        plan.copy_from(kept);
        Some(least)
    }
}

crate::mapper! { Pjs:
    name(self) => self.best.name("pjs", "pjs-execution");
    extend(self, problem, plan, open, room) =>
        self.run(problem, plan, open, room).map(|_| ()).ok_or(Refusal::TooLong)
}

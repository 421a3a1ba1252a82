//! Mapping on unlike machines: naive heuristics that look at everything again at every step, and a
//! check of schedules that knows none of them.

mod naive;
mod preempt;
mod schedule;

pub use naive::{Heuristic, Reading, map};
pub use preempt::{Rule, Runs, preempt};
pub use schedule::{Fault, check};

/// Jobs to map, by value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Case {
    /// Nothing starts before.
    pub now: u64,
    /// When each machine is free; `None`: it is away.
    pub machines: Vec<Option<u64>>,
    /// Numbered behind the machines.
    pub clusters: Vec<Group>,
    /// A row for each job: its time on each machine and then on each cluster, where it can run.
    pub times: Vec<Vec<Option<u64>>>,
}

/// A cluster.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// Numbers of machines.
    pub members: Vec<u32>,
    /// So many must be present.
    pub least: usize,
    /// Whether its interconnect works.
    pub is_up: bool,
}

/// A job's place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// A machine, or behind them a cluster.
    pub resource: usize,
    /// When it starts.
    pub start: u64,
    /// When it ends.
    pub end: u64,
}

impl Case {
    /// The machines that a job on a resource occupies: those of a cluster that are present.
    pub fn occupied_by(&self, resource: usize) -> Vec<usize> {
        let is_here = |&machine: &usize| self.machines[machine].is_some();
        let Some(at) = resource.checked_sub(self.machines.len()) else {
            return Some(resource).filter(is_here).into_iter().collect();
        };
        let members = self.clusters[at].members.iter().map(|&member| member as usize);
        members.filter(is_here).collect()
    }

    /// Whether a resource can take a job. One that cannot may still have one.
    pub fn can_take(&self, resource: usize) -> bool {
        let present = self.occupied_by(resource).len();
        match resource.checked_sub(self.machines.len()).map(|at| &self.clusters[at]) {
            Some(group) => group.is_up && present >= group.least,
            None => present == 1,
        }
    }
}

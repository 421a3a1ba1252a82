//! Nodes with cores and memory, which jobs share.

use super::simulator::{Held, Rule};
use locox_models::workload::Job;
use std::ops::Range;

/// Cores, and memory in MiB.
type Has = (u32, u32);

/// The nodes of a job, and what it takes of each.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Share {
    pub(super) nodes: Vec<usize>,
    each: Has,
}

pub(super) struct Shared {
    pub(super) nodes: Vec<Has>,
    /// Whether a job gets the nodes where the least is left, not the first ones.
    pub(super) best: bool,
}

impl Shared {
    /// How many nodes have as much.
    fn holding(&self, each: Has) -> usize {
        self.nodes.iter().filter(|has| each.0 <= has.0 && each.1 <= has.1).count()
    }

    /// Tasks of a job, so that equally many lie on each of the fewest nodes that have them all if nobody else has anything.
    fn tasks(&self, job: &Job) -> Option<u32> {
        let each = |nodes: usize| {
            let tasks = job.processors.div_ceil(nodes as u32);
            (tasks, tasks.saturating_mul(job.memory))
        };
        let fewest = (1..=self.nodes.len()).find(|&nodes| self.holding(each(nodes)) >= nodes)?;
        Some(each(fewest).0 * fewest as u32)
    }

    /// What is left of a node: the sum of the shares of the most that a node has, in parts of 2^40.
    fn left(&self, free: Has, each: Has) -> u64 {
        let share =
            |left: u32, most: Option<u32>| u64::from(left) * ((1 << 40) / u64::from(most.unwrap()));
        let cores = share(free.0 - each.0, self.nodes.iter().map(|it| it.0).max());
        cores + share(free.1 - each.1, self.nodes.iter().map(|it| it.1).max())
    }

    /// So many nodes on which so many tasks fit.
    fn choose(&self, free: &[Has], count: usize, each: Has) -> Option<Share> {
        let fits = |node: &usize| each.0 <= free[*node].0 && each.1 <= free[*node].1;
        let mut nodes: Vec<usize> = (0..free.len()).filter(fits).collect();
        if self.best {
            nodes.sort_by_key(|&node| (self.left(free[node], each), node));
        }
        nodes.truncate(count);
        nodes.sort_unstable();
        (nodes.len() == count).then_some(Share { nodes, each })
    }
}

impl Rule for Shared {
    type Place = Share;
    type Map = Vec<Has>;

    /// The least that is left at any start.
    fn free(&self, held: &[Held<Share>], during: &Range<u64>) -> Vec<Has> {
        let starts = held.iter().map(|it| it.during.start).filter(|time| during.contains(time));
        let mut free = self.nodes.clone();
        for time in starts.chain([during.start]) {
            let mut left = self.nodes.clone();
            for it in held.iter().filter(|it| it.during.contains(&time)) {
                for &node in &it.place.nodes {
                    left[node].0 = left[node].0.saturating_sub(it.place.each.0);
                    left[node].1 = left[node].1.saturating_sub(it.place.each.1);
                }
            }
            for (free, left) in free.iter_mut().zip(left) {
                *free = (free.0.min(left.0), free.1.min(left.1));
            }
        }
        free
    }

    fn has(&self, free: &Vec<Has>, place: &Share) -> bool {
        let fits = |&node: &usize| place.each.0 <= free[node].0 && place.each.1 <= free[node].1;
        place.nodes.iter().all(fits)
    }

    fn find(&self, free: &Vec<Has>, job: &Job) -> Option<Share> {
        let tasks = self.tasks(job)?;
        let mut counts = (1..=tasks).filter(|nodes| tasks % nodes == 0);
        counts.find_map(|nodes| {
            let each = tasks / nodes;
            self.choose(free, nodes as usize, (each, each.checked_mul(job.memory)?))
        })
    }

    fn consists_of(&self, place: &Share, nodes: &[u32]) -> bool {
        place.nodes.iter().map(|&node| node as u32).eq(nodes.iter().copied())
    }
}

/// When and where each job starts, first come, first served: a decision after each end and then after each arrival.
pub(super) fn first_come(rule: &Shared, jobs: &[Job]) -> Vec<Option<(u64, Share)>> {
    let mut starts = vec![None; jobs.len()];
    let (mut line, mut running): (Vec<usize>, Vec<(u64, Held<Share>)>) = (vec![], vec![]);
    let mut arrived = 0;
    loop {
        let end = running.iter().map(|it| it.0).min();
        let arrival = jobs.get(arrived).map(|job| job.submit.ticks());
        let Some(now) = end.into_iter().chain(arrival).min() else { return starts };
        match running.iter().position(|it| it.0 == now) {
            Some(at) => _ = running.remove(at),
            None => {
                if rule.find(&rule.nodes, &jobs[arrived]).is_some() {
                    line.push(arrived);
                }
                arrived += 1;
            }
        }
        while let Some(&first) = line.first() {
            let held: Vec<Held<Share>> = running.iter().map(|it| it.1.clone()).collect();
            let found = rule.find(&rule.free(&held, &(now..now + 1)), &jobs[first]);
            let Some(place) = found else { break };
            line.remove(0);
            starts[first] = Some((now, place.clone()));
            let end = now + jobs[first].run.ticks();
            running.push((end, Held { place, during: now..u64::MAX }));
        }
    }
}

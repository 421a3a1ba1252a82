//! Nodes with cores, memory and GPUs, which jobs share, and licences.

use super::simulator::{Held, Rule};
use locox_models::workload::Job;
use std::ops::Range;

/// Cores, memory in MiB, GPUs.
type Has = [u32; 3];
const GPUS: usize = 2;
/// Of a GPU.
const PARTS: u32 = 1000;

/// The nodes of a job, what it takes of each, and of which GPU it has how many parts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Share {
    pub(super) nodes: Vec<usize>,
    each: Has,
    part: Option<(usize, u32)>,
    licences: u32,
}

pub(super) struct Shared {
    /// What each node has, and its class.
    pub(super) nodes: Vec<(Has, u32)>,
    pub(super) licences: u32,
    /// Whether a job gets the nodes where the least is left, not the first ones.
    pub(super) best: bool,
}

/// What is free of a node: of each quantity, and of each of its GPUs.
#[derive(Clone)]
pub(super) struct Free {
    left: Has,
    parts: Vec<u32>,
}

/// What a job asks for on so many nodes.
struct Asked {
    nodes: usize,
    each: Has,
    part: u32,
    classes: u64,
    licences: u32,
}

fn fits(each: Has, left: Has) -> bool {
    each.iter().zip(left).all(|(each, left)| *each <= left)
}

impl Free {
    /// Whether one of the GPUs has so many parts, beside so many whole ones. One that nobody has a part of has to be one of
    /// those that are left.
    fn has(&self, gpu: usize, parts: u32, whole: u32) -> bool {
        let free = self.parts[gpu];
        parts <= free && (free < PARTS || self.left[GPUS] > whole)
    }

    /// The GPU of which a job gets parts.
    fn gpu(&self, asked: &Asked, best: bool) -> Option<usize> {
        let mut having: Vec<usize> = (0..self.parts.len())
            .filter(|&gpu| self.has(gpu, asked.part, asked.each[GPUS]))
            .collect();
        if best {
            having.sort_by_key(|&gpu| (self.parts[gpu], gpu));
        }
        having.first().copied()
    }
}

impl Shared {
    /// How many nodes have as much.
    fn holding(&self, each: Has) -> usize {
        self.nodes.iter().filter(|it| fits(each, it.0)).count()
    }

    /// The ways in which a job can be placed, the fewest nodes first.
    fn ways(&self, job: &Job) -> Vec<Asked> {
        if let Some(demand) = &job.demand {
            let each = [0, 1, 2].map(|at| demand.each.get(at));
            let (part, classes, licences) = (demand.part, demand.classes, demand.common.get(3));
            return vec![Asked { nodes: demand.nodes as usize, each, part, classes, licences }];
        }
        let each = |tasks: u32| [tasks, tasks.saturating_mul(job.memory), 0];
        // Equally many tasks lie on each of the fewest nodes that have them all if nobody else has anything.
        let on = |nodes: usize| job.processors.div_ceil(nodes as u32);
        let mut counts = 1..=self.nodes.len();
        let fewest = counts.find(|&nodes| self.holding(each(on(nodes))) >= nodes);
        let tasks = fewest.map_or(0, |nodes| on(nodes) * nodes as u32);
        let counts = (1..=tasks).filter(|nodes| tasks % nodes == 0);
        let way = |nodes: u32| {
            let (part, classes, licences) = (0, u64::MAX, 0);
            Asked { nodes: nodes as usize, each: each(tasks / nodes), part, classes, licences }
        };
        counts.map(way).collect()
    }

    /// What is left of a node: the sum of the shares of the most that a node has, in parts of 2^40. Of a GPU of which others have
    /// parts it is what these leave.
    fn left(&self, free: &Free, asked: &Asked) -> u64 {
        let share = |at: usize| {
            let most = self.nodes.iter().map(|it| u64::from(it.0[at])).max();
            most.filter(|&most| most > 0).map_or(0, |most| (1 << 40) / most)
        };
        let whole = (0..3).map(|at| u64::from(free.left[at] - asked.each[at]) * share(at));
        let used = free.parts.iter().filter(|&&it| it < PARTS);
        let parts = used.map(|&it| u64::from(it)).sum::<u64>();
        let of_part = share(GPUS) / u64::from(PARTS);
        (whole.sum::<u64>() + parts * of_part).saturating_sub(u64::from(asked.part) * of_part)
    }

    fn choose(&self, free: &[Free], asked: &Asked) -> Option<Share> {
        let gpu = |node: usize| free[node].gpu(asked, self.best);
        let suits = |&node: &usize| {
            let class = self.nodes[node].1;
            asked.classes >> class & 1 == 1
                && fits(asked.each, free[node].left)
                && (asked.part == 0 || gpu(node).is_some())
        };
        let mut nodes: Vec<usize> = (0..free.len()).filter(suits).collect();
        if self.best {
            nodes.sort_by_key(|&node| (self.left(&free[node], asked), node));
        }
        nodes.truncate(asked.nodes);
        nodes.sort_unstable();
        let part = (asked.part > 0).then(|| Some((gpu(*nodes.first()?)?, asked.part)));
        let Asked { each, licences, .. } = *asked;
        let share = Share { part: part.flatten(), each, licences, nodes };
        (share.nodes.len() == asked.nodes).then_some(share)
    }

    /// What is left of each node and of the licences at a time.
    fn at(&self, held: &[Held<Share>], time: u64) -> (Vec<Free>, u32) {
        let gpus = |has: Has| vec![PARTS; has[GPUS] as usize];
        let all = self.nodes.iter().map(|&(left, _)| Free { left, parts: gpus(left) });
        let (mut nodes, mut licences) = (all.collect::<Vec<_>>(), self.licences);
        for Held { place, .. } in held.iter().filter(|it| it.during.contains(&time)) {
            licences = licences.saturating_sub(place.licences);
            for &node in &place.nodes {
                let Free { left, parts } = &mut nodes[node];
                left.iter_mut().zip(place.each).for_each(|(it, own)| *it = it.saturating_sub(own));
                if let Some((gpu, own)) = place.part {
                    parts[gpu] = parts[gpu].saturating_sub(own);
                }
            }
        }
        for Free { left, parts } in &mut nodes {
            let used = parts.iter().filter(|&&it| it < PARTS).count();
            left[GPUS] = left[GPUS].saturating_sub(used as u32);
            // If all others are held as a whole, none is free that nobody has a part of.
            let none = left[GPUS] == 0;
            parts.iter_mut().filter(|it| none && **it == PARTS).for_each(|it| *it = 0);
        }
        (nodes, licences)
    }
}

impl Rule for Shared {
    type Place = Share;
    type Map = (Vec<Free>, u32);

    /// The least that is left at any start.
    fn free(&self, held: &[Held<Share>], during: &Range<u64>) -> Self::Map {
        let starts = held.iter().map(|it| it.during.start).filter(|time| during.contains(time));
        let (mut free, mut licences) = self.at(held, during.start);
        for time in starts {
            let (nodes, left) = self.at(held, time);
            licences = licences.min(left);
            for (free, other) in free.iter_mut().zip(nodes) {
                free.left.iter_mut().zip(other.left).for_each(|(it, other)| *it = other.min(*it));
                free.parts.iter_mut().zip(other.parts).for_each(|(it, other)| *it = other.min(*it));
            }
        }
        (free, licences)
    }

    fn has(&self, (free, licences): &Self::Map, place: &Share) -> bool {
        let has = |&node: &usize| {
            let part = |(gpu, parts)| free[node].has(gpu, parts, place.each[GPUS]);
            fits(place.each, free[node].left) && place.part.is_none_or(part)
        };
        place.licences <= *licences && place.nodes.iter().all(has)
    }

    fn find(&self, (free, licences): &Self::Map, job: &Job) -> Option<Share> {
        let ways = self.ways(job).into_iter().filter(|asked| asked.licences <= *licences);
        ways.filter_map(|asked| self.choose(free, &asked)).next()
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
                if rule.find(&rule.free(&[], &(now..now + 1)), &jobs[arrived]).is_some() {
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

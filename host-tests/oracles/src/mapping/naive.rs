//! The heuristics by their words.

use super::{Case, Place};
use crate::fair::permute;

/// Which job goes next, and where.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Heuristic {
    /// The first; the machine that is free first.
    Olb,
    /// The first; its best machine.
    BestAssignment(Reading),
    /// That which ends first; its best machine.
    MinMin(Reading),
    /// That which ends last; its best machine.
    MaxMin(Reading),
    /// That which would lose most; its best machine.
    Sufferage,
    /// The better of min-min and max-min.
    Duplex(Reading),
    /// As duplex, and on clusters what pays off there.
    Pjs(Reading),
    /// As PJS, and what random changes make better: the reading, the seed, chromosomes and generations.
    Genetic(Reading, u32, usize, usize),
}

/// What the best machine is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reading {
    /// The one on which it ends first.
    Completion,
    /// The one on which it runs for the shortest time.
    Execution,
}

type Places = Vec<Option<Place>>;

/// Places of the jobs in `chosen` beside those of `before`; `None` if there is none for one.
pub fn map(case: &Case, heuristic: Heuristic, before: &Places, chosen: &[usize]) -> Option<Places> {
    use Heuristic::{BestAssignment, Duplex, Genetic, MaxMin, MinMin, Olb, Pjs, Sufferage};
    match heuristic {
        Olb | BestAssignment(_) => one_after_the_other(case, heuristic, before, chosen),
        MinMin(reading) => {
            greedy(case, before, chosen, |open| least(open, |job| job.ends(reading)))
        }
        MaxMin(reading) => greedy(case, before, chosen, |open| most(open, |job| job.ends(reading))),
        Sufferage => greedy(case, before, chosen, |open| most(open, Job::suffers)),
        Duplex(reading) => {
            // One of them alone may have room before the end of the clock.
            let both = [MinMin(reading), MaxMin(reading)];
            let plans = both.into_iter().filter_map(|it| map(case, it, before, chosen));
            plans.min_by_key(merit)
        }
        Pjs(reading) => pjs(case, reading, before, chosen),
        Genetic(reading, seed, chromosomes, generations) => {
            let start = pjs(case, reading, before, chosen)?;
            let evolution =
                Evolution { case, before, draws: Draws(seed, 0), jobs: chosen.to_vec() };
            Some(evolution.run(start, chromosomes, generations))
        }
    }
}

/// A job and all its options on machines: the machine, how long it runs there, when it ends.
struct Job {
    job: usize,
    options: Vec<(usize, u64, u64)>,
}

impl Job {
    fn best(&self, reading: Reading) -> (usize, u64, u64) {
        let key = |&(machine, time, end): &(usize, u64, u64)| match reading {
            Reading::Completion => (end, machine),
            Reading::Execution => (time, machine),
        };
        *self.options.iter().min_by_key(|option| key(option)).unwrap()
    }

    fn ends(&self, reading: Reading) -> (u64, usize) {
        let (machine, _, end) = self.best(reading);
        (end, machine)
    }

    fn suffers(&self) -> (u64, usize) {
        let (best, _, end) = self.best(Reading::Completion);
        let others = self.options.iter().filter(|(machine, _, _)| *machine != best);
        let second = others.map(|(_, _, end)| *end).min().unwrap_or(u64::MAX);
        (second - end, best)
    }
}

fn least(open: &[Job], by: impl Fn(&Job) -> (u64, usize)) -> (usize, usize) {
    let first = open.iter().min_by_key(|job| (by(job).0, job.job)).unwrap();
    (first.job, by(first).1)
}

fn most(open: &[Job], by: impl Fn(&Job) -> (u64, usize)) -> (usize, usize) {
    let first = open.iter().max_by_key(|job| (by(job).0, std::cmp::Reverse(job.job))).unwrap();
    (first.job, by(first).1)
}

fn greedy(
    case: &Case,
    before: &Places,
    chosen: &[usize],
    pick: impl Fn(&[Job]) -> (usize, usize),
) -> Option<Places> {
    let mut places = before.clone();
    let mut left = chosen.to_vec();
    while !left.is_empty() {
        let open: Option<Vec<Job>> = left.iter().map(|&job| options(case, &places, job)).collect();
        let (job, machine) = pick(&open?);
        places[job] = Some(place(case, &places, job, machine)?);
        left.retain(|&other| other != job);
    }
    Some(places)
}

fn one_after_the_other(
    case: &Case,
    heuristic: Heuristic,
    before: &Places,
    chosen: &[usize],
) -> Option<Places> {
    let mut places = before.clone();
    for &job in chosen {
        let open = options(case, &places, job)?;
        let machine = match heuristic {
            Heuristic::BestAssignment(reading) => open.best(reading).0,
            _ => open.options.iter().map(|&(at, time, end)| (end - time, at)).min()?.1,
        };
        places[job] = Some(place(case, &places, job, machine)?);
    }
    Some(places)
}

fn pjs(case: &Case, reading: Reading, before: &Places, chosen: &[usize]) -> Option<Places> {
    let mut best = map(case, Heuristic::Duplex(reading), before, chosen)?;
    let mut on_clusters = before.clone();
    let mut left = chosen.to_vec();
    loop {
        let mut profits = Vec::new();
        for &job in &left {
            let Some(open) = options(case, &on_clusters, job) else { return Some(best) };
            let alone = open.best(reading);
            for cluster in case.machines.len()..case.machines.len() + case.clusters.len() {
                let Some(there) = place(case, &on_clusters, job, cluster) else { continue };
                let (mine, theirs) = match reading {
                    Reading::Completion => (there.end, alone.2),
                    Reading::Execution => (there.end - there.start, alone.1),
                };
                if mine < theirs {
                    profits.push((std::cmp::Reverse(theirs - mine), job, cluster));
                }
            }
        }
        let Some(&(_, job, cluster)) = profits.iter().min() else { return Some(best) };
        on_clusters[job] = place(case, &on_clusters, job, cluster);
        left.retain(|&other| other != job);
        let next = map(case, Heuristic::Duplex(reading), &on_clusters, &left)?;
        if merit(&next) >= merit(&best) {
            return Some(best);
        }
        best = next;
    }
}

fn merit(places: &Places) -> u128 {
    places.iter().flatten().map(|place| u128::from(place.end)).sum()
}

fn options(case: &Case, places: &Places, job: usize) -> Option<Job> {
    let on = |machine| {
        let place = place(case, places, job, machine)?;
        Some((machine, place.end - place.start, place.end))
    };
    let options: Vec<_> = (0..case.machines.len()).filter_map(on).collect();
    (!options.is_empty()).then_some(Job { job, options })
}

/// Where a job would go on a resource, behind all that its machines have to do.
fn place(case: &Case, places: &Places, job: usize, resource: usize) -> Option<Place> {
    let time = case.times[job][resource]?;
    let machines = case.occupied_by(resource);
    let mut start = case.now;
    for &machine in &machines {
        start = start.max(case.machines[machine]?);
        for other in places.iter().flatten() {
            if case.occupied_by(other.resource).contains(&machine) {
                start = start.max(other.end);
            }
        }
    }
    // Nobody sees the last instant of the clock.
    let end = start.checked_add(time).filter(|end| *end < u64::MAX)?;
    case.can_take(resource).then_some(Place { resource, start, end })
}

/// The seed, and how many numbers were drawn.
struct Draws(u32, u32);

impl Draws {
    fn below(&mut self, bound: usize) -> usize {
        self.1 += 1;
        ((u64::from(permute(self.0, self.1)) * bound as u64) >> 32) as usize
    }
}

struct Evolution<'e> {
    case: &'e Case,
    before: &'e Places,
    draws: Draws,
    /// In the order in which they are placed.
    jobs: Vec<usize>,
}

impl Evolution<'_> {
    fn run(mut self, start: Places, chromosomes: usize, generations: usize) -> Places {
        let when = |job: &usize| start[*job].map(|place| (place.start, place.end));
        self.jobs.sort_by_key(|job| (when(job), *job));
        let first: Vec<usize> = self.jobs.iter().map(|job| start[*job].unwrap().resource).collect();
        if chromosomes < 2 || first.is_empty() {
            return start;
        }
        let mut all = vec![first.clone()];
        while all.len() < chromosomes {
            let mut next = first.clone();
            (0..next.len()).for_each(|at| self.mutate(&mut next, at));
            all.push(next);
        }
        for _ in 0..chromosomes * generations {
            let mut child = self.parent(&all);
            let father = self.parent(&all);
            let point = self.draws.below(child.len());
            child.truncate(point);
            child.extend(&father[point..]);
            let at = self.draws.below(child.len());
            self.mutate(&mut child, at);
            let merits: Vec<u128> = all.iter().map(|it| merit(&self.read(it))).collect();
            let worst = (0..all.len()).max_by_key(|at| merits[*at]).unwrap();
            let mine = merit(&self.read(&child));
            if mine < merits[worst] && !merits.contains(&mine) {
                all[worst] = child;
            }
        }
        let plans = all.iter().map(|genes| self.read(genes));
        plans.min_by_key(merit).unwrap()
    }

    fn parent(&mut self, all: &[Vec<usize>]) -> Vec<usize> {
        let [one, other] = [(); 2].map(|()| self.draws.below(all.len()));
        let is_better = merit(&self.read(&all[other])) < merit(&self.read(&all[one]));
        all[if is_better { other } else { one }].clone()
    }

    fn mutate(&mut self, genes: &mut [usize], at: usize) {
        let resource = self.draws.below(self.case.machines.len() + self.case.clusters.len());
        if place(self.case, self.before, self.jobs[at], resource).is_some() {
            genes[at] = resource;
        }
    }

    fn read(&self, genes: &[usize]) -> Places {
        let mut places = self.before.clone();
        for (&job, &resource) in self.jobs.iter().zip(genes) {
            places[job] = place(self.case, &places, job, resource);
        }
        places
    }
}

//! Jobs in line before a torus whose places hang on more than what is free: those that run may be moved or stopped, or have
//! ends that others are to share.
//!
//! Jobs ask for powers of two and for the time that they take. The first in line that has no place is promised the earliest
//! box, which is kept free, if others may start before it.

use super::stops::Choice;
use locox::cube::Node;
use locox::grid::{Anchors, BoxRequest, Boxes, Cuboid, Grid, GridPool, Placement, Sides, words};
use locox::handle::PoolId;
use locox::machine::{Held, Stake, Timetable};
use locox::reserve::Interval;
use locox::time::{Duration, Instant};
use locox_models::workload::Job;
use std::cmp::Reverse;
use std::collections::VecDeque;

/// Beside whom a job runs, of all boxes of the smallest surface.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Beside {
    /// As many others as possible.
    Any,
    /// Others that end at about the same time.
    SameEnd,
}

/// What happens to jobs that run, where the first in line starts then.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Room {
    Kept,
    /// They are moved, at no cost.
    Moves,
    /// They are stopped, wait again where they stood, and begin anew: each once at most, and not for one that was stopped; and if that loses no more work than the
    /// first in line gains, its nodes for as long as it would wait or run, whichever is less.
    Stops(Choice),
}

/// How jobs start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Rule {
    /// Whether others start before the first in line, where that does not delay it.
    pub backfills: bool,
    pub room: Room,
    pub beside: Beside,
}

/// What came of it.
#[derive(Clone, Debug, Default)]
pub(super) struct Outcome {
    /// Minutes that each job waited, in the order of their arrival.
    pub waits: Vec<f64>,
    /// Jobs that were moved or stopped.
    pub displaced: u64,
    /// Work that stops lost, in per cent of that of all jobs.
    pub lost: f64,
}

/// Moves of a plan, and steps to find it.
const MOST_MOVES: usize = 8;
const STEPS: u32 = 400;

struct Line<'w> {
    grid: Grid,
    rule: Rule,
    jobs: &'w [Job],
    machine: Boxes,
    pool: GridPool<Vec<u64>>,
    words: Vec<u64>,
    /// Jobs that run, by their ends.
    held: Vec<Held<Cuboid>>,
    /// Of each node, the job that runs in the box that begins there.
    running: Vec<usize>,
    was_stopped: Vec<bool>,
    waiting: VecDeque<usize>,
    now: Instant,
    outcome: Outcome,
}

/// Runs all jobs.
pub(super) fn run(grid: Grid, jobs: &[Job], rule: Rule) -> Outcome {
    let mut line = Line::new(grid, jobs, rule);
    let mut arrivals = jobs.iter().enumerate().peekable();
    loop {
        let arrival = arrivals.peek().map(|(_, job)| job.submit);
        let end = line.held.first().map(|it| it.at.end);
        let Some(next) = arrival.into_iter().chain(end).min() else { break };
        line.now = next;
        line.end_jobs();
        while let Some((number, _)) = arrivals.next_if(|(_, job)| job.submit <= next) {
            line.waiting.push_back(number);
        }
        line.decide();
    }
    assert!(line.waiting.is_empty(), "each job has a place on an idle torus");
    let all = (0..jobs.len()).map(|job| u64::from(line.nodes(job)) * jobs[job].run.ticks());
    line.outcome.lost *= 100.0 / all.sum::<u64>() as f64;
    line.outcome
}

impl<'w> Line<'w> {
    fn new(grid: Grid, jobs: &'w [Job], rule: Rule) -> Self {
        let machine = Boxes::new(grid, Placement::Corner, Anchors::Any).expect("nothing is lent");
        let storage = vec![0; words(grid)];
        let pool = GridPool::new(PoolId(0), grid, storage, Placement::Corner, Anchors::Any);
        Self {
            grid,
            rule,
            jobs,
            words: vec![0; Timetable::words(&machine)],
            machine,
            pool: pool.expect("as much storage as it needs"),
            held: vec![],
            running: vec![0; grid.nodes() as usize],
            was_stopped: vec![false; jobs.len()],
            waiting: VecDeque::new(),
            now: Instant::ZERO,
            outcome: Outcome { waits: vec![0.0; jobs.len()], ..Outcome::default() },
        }
    }
}

impl Line<'_> {
    fn end_jobs(&mut self) {
        let ended = self.held.partition_point(|it| it.at.end <= self.now);
        for it in self.held.drain(..ended) {
            let lease = self.pool.lease_at(it.place.origin()).expect("it ran");
            self.pool.release(lease).expect("it ran");
        }
    }

    fn decide(&mut self) {
        while let Some(&first) = self.waiting.front() {
            let Some(place) = self.place(first, None).or_else(|| self.make_room(first)) else {
                break;
            };
            // Those who were stopped for it stand before it.
            self.waiting.retain(|&job| job != first);
            self.start(first, place);
        }
        let Some(&first) = self.waiting.front().filter(|_| self.rule.backfills) else { return };
        let promise = self.promise(first);
        let mut at = 1;
        while let Some(&job) = self.waiting.get(at) {
            match self.place(job, Some(promise)) {
                Some(place) => {
                    self.waiting.remove(at);
                    self.start(job, place);
                }
                None => at += 1,
            }
        }
    }

    fn nodes(&self, job: usize) -> u32 {
        self.jobs[job].processors.next_power_of_two()
    }

    /// From now on.
    fn during(&self, job: usize) -> Interval {
        let run = self.jobs[job].run.max(Duration::from_ticks(1));
        Interval { start: self.now, end: self.now.saturating_add(run) }
    }

    fn start(&mut self, job: usize, place: Cuboid) {
        let at = self.during(job);
        self.pool.claim(place).expect("it is free");
        self.running[place.origin().0 as usize] = job;
        let rank = self.held.partition_point(|it| it.at.end <= at.end);
        self.held.insert(rank, Held::new(place, at));
        let waited = self.now.since(self.jobs[job].submit).expect("it has arrived");
        self.outcome.waits[job] = waited.ticks() as f64 / 60.0;
    }

    /// The earliest time and place of the first in line.
    fn promise(&mut self, first: usize) -> Held<Cuboid> {
        let during = self.during(first);
        let run = during.end.since(during.start).expect("a time that has passed");
        let request = BoxRequest::Nodes(self.nodes(first));
        let mut timetable = Timetable::new(&self.machine, &self.held, &mut self.words);
        let timetable = timetable.as_mut().expect("rows by their ends");
        let (start, place) = timetable.earliest(&request, self.now, run).expect("it fits");
        Held::new(place, Interval { start, end: start.saturating_add(run) })
    }

    /// A place for a job from now on, beside what is promised.
    fn place(&mut self, job: usize, promise: Option<Held<Cuboid>>) -> Option<Cuboid> {
        let (during, nodes) = (self.during(job), self.nodes(job));
        let mut held = self.held.clone();
        held.extend(promise);
        held.sort_by_key(|it| it.at.end);
        let mut timetable = Timetable::new(&self.machine, &held, &mut self.words);
        let timetable = timetable.as_mut().expect("rows by their ends");
        let place = timetable.place(&BoxRequest::Nodes(nodes), during)?;
        match self.rule.beside {
            Beside::Any => Some(place),
            Beside::SameEnd => Some(self.with_same_end(&held, during, place.sides())),
        }
    }

    /// Of the free boxes of as small a surface the one beside which most nodes are held until about the same time.
    fn with_same_end(&self, held: &[Held<Cuboid>], during: Interval, like: Sides) -> Cuboid {
        let grid = self.grid;
        let left = |end: Instant| end.ticks().saturating_sub(self.now.ticks()) as f64;
        // Until when each node is held, of those that are now.
        let mut taken = vec![false; grid.nodes() as usize];
        let mut ends = vec![None; grid.nodes() as usize];
        for it in held.iter().filter(|it| it.at.start < during.end) {
            for node in it.place.nodes() {
                taken[node.0 as usize] = true;
                if it.at.start <= self.now {
                    ends[node.0 as usize] = Some(left(it.at.end));
                }
            }
        }
        let own = left(during.end);
        // 1 for an end at the same time, and the less the farther away it is.
        let worth = |node: Node| {
            ends[node.0 as usize].map_or(0.0, |other: f64| own.min(other) / own.max(other))
        };
        let shapes = Sides::factorizations(like.nodes(), grid)
            .filter(|sides| sides.surface(grid) == like.surface(grid));
        let boxes = shapes.flat_map(|sides| {
            (0..grid.nodes()).filter_map(move |origin| Cuboid::new(grid, Node(origin), sides))
        });
        let free = boxes.filter(|it| it.nodes().all(|node| !taken[node.0 as usize]));
        let score = |it: &Cuboid| around(grid, it).map(worth).sum::<f64>();
        let best = free.map(|it| (score(&it), Reverse(it.origin().0), it));
        let best = best.max_by(|one, other| one.0.total_cmp(&other.0).then(one.1.cmp(&other.1)));
        best.expect("one of these boxes is free").2
    }

    /// Moves or stops jobs so that the first in line has a place.
    fn make_room(&mut self, first: usize) -> Option<Cuboid> {
        match self.rule.room {
            Room::Kept => None,
            Room::Moves => self.move_jobs(first),
            // Else it would take its place back at once from the job for which it was stopped.
            Room::Stops(_) if self.was_stopped[first] => None,
            Room::Stops(choice) => self.stop_jobs(first, choice),
        }
    }

    fn move_jobs(&mut self, first: usize) -> Option<Cuboid> {
        let mut scratch = vec![0; self.grid.nodes() as usize];
        let request = BoxRequest::Nodes(self.nodes(first));
        let plan = self.pool.defragment(request, MOST_MOVES, STEPS, &mut scratch).ok()?;
        for step in plan.moves() {
            let lease = self.pool.lease_at(step.from.origin()).expect("a job that runs");
            self.pool.claim(step.to).expect("free when its turn comes");
            self.pool.release(lease).expect("a job that runs");
            let row = self.held.iter_mut().find(|it| it.place == step.from);
            row.expect("a job that runs").place = step.to;
            let [from, to] = [step.from, step.to].map(|it| it.origin().0 as usize);
            self.running[to] = self.running[from];
            self.outcome.displaced += 1;
        }
        self.place(first, None)
    }

    fn stop_jobs(&mut self, first: usize, choice: Choice) -> Option<Cuboid> {
        let is_free = |it: &&Held<Cuboid>| !self.was_stopped[self.job_of(it)];
        let stay =
            self.held.iter().filter(|it| !is_free(it)).map(|it| it.place).collect::<Vec<_>>();
        let stake = |it: &Held<Cuboid>| {
            let lost = work(it.place.sides().nodes(), it.at.start, self.now);
            Stake::new(it.place, self.job_of(it) as u32, lost.max(1))
        };
        let mut stakes: Vec<_> = self.held.iter().filter(is_free).map(stake).collect();
        let request = BoxRequest::Nodes(self.nodes(first));
        let lost = choice.make(&self.machine, &stay, &request, &mut stakes)?;
        let (during, start) = (self.during(first), self.promise(first).at.start);
        if lost > work(self.nodes(first), self.now, start.min(during.end)) {
            return None;
        }
        for stake in stakes.iter().filter(|it| it.yields) {
            self.stop(stake);
        }
        self.place(first, None)
    }

    /// A job waits again, where it stood.
    fn stop(&mut self, stake: &Stake<Cuboid>) {
        let job = stake.of as usize;
        let lease = self.pool.lease_at(stake.place.origin()).expect("a job that runs");
        self.pool.release(lease).expect("a job that runs");
        self.held.retain(|it| it.place != stake.place);
        self.was_stopped[job] = true;
        self.outcome.lost += stake.cost as f64;
        self.outcome.displaced += 1;
        let rank = self.waiting.partition_point(|&other| other < job);
        self.waiting.insert(rank, job);
    }

    fn job_of(&self, it: &Held<Cuboid>) -> usize {
        self.running[it.place.origin().0 as usize]
    }
}

/// What so many nodes do between two times.
fn work(nodes: u32, from: Instant, to: Instant) -> u64 {
    u64::from(nodes) * to.since(from).map_or(0, Duration::ticks)
}

/// The nodes beside those of a box, once for each of these.
fn around(grid: Grid, it: &Cuboid) -> impl Iterator<Item = Node> + use<> {
    let beside = move |node: Node| {
        let at = grid.coordinates(node).expect("a node of the machine");
        let sizes = grid.axes().iter().map(|axis| axis.nodes()).enumerate().collect::<Vec<_>>();
        sizes.into_iter().flat_map(move |(axis, size)| {
            [1, size - 1].map(|step| {
                let mut other = at;
                other[axis] = (at[axis] + step) % size;
                grid.node_at(&other).expect("a node of the machine")
            })
        })
    };
    let inside = *it;
    it.nodes().flat_map(beside).filter(move |&node| !inside.contains(node))
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLAIN: Rule = Rule { backfills: false, room: Room::Kept, beside: Beside::Any };

    fn job(submit: u64, processors: u32, run: u64) -> Job {
        Job {
            id: submit,
            line: None,
            submit: Instant::from_ticks(60 * submit),
            processors,
            shape: None,
            memory: 0,
            demand: None,
            run: Duration::from_ticks(60 * run),
            requested: None,
            user: None,
        }
    }

    fn waits(jobs: &[Job], rule: Rule) -> Vec<f64> {
        run(Grid::torus(&[4, 4]).expect("a torus"), jobs, rule).waits
    }

    #[test]
    fn others_start_before_the_first_in_line_only_where_that_does_not_delay_it() {
        let jobs = [job(0, 8, 10), job(1, 16, 5), job(2, 8, 8), job(3, 8, 9)];
        assert_eq!(waits(&jobs, PLAIN), [0.0, 9.0, 13.0, 12.0]);
        let easy = Rule { backfills: true, ..PLAIN };
        assert_eq!(waits(&jobs, easy), [0.0, 9.0, 0.0, 12.0]);
    }

    #[test]
    fn a_job_is_moved_out_of_the_way() {
        // Of four quarters two are left that do not lie beside each other.
        let quarters = [job(0, 4, 10), job(0, 4, 90), job(0, 4, 10), job(0, 4, 90), job(20, 8, 5)];
        let outcome = |rule| run(Grid::torus(&[4, 4]).expect("a torus"), &quarters, rule);
        let (stay, moved) = (outcome(PLAIN), outcome(Rule { room: Room::Moves, ..PLAIN }));
        assert_eq!((stay.waits[4], moved.waits[4], moved.displaced), (70.0, 0.0, 1));
    }

    #[test]
    fn a_job_is_stopped_once_if_that_gains_more_than_it_loses() {
        let stops = Rule { room: Room::Stops(Choice::Least), ..PLAIN };
        // The first one has done 8 x 5; the second one would wait for 95 minutes, and gains 16 x 5.
        let jobs = [job(0, 8, 100), job(5, 16, 5), job(10, 16, 50)];
        let outcome = run(Grid::torus(&[4, 4]).expect("a torus"), &jobs, stops);
        assert_eq!((outcome.waits, outcome.displaced), (vec![10.0, 0.0, 100.0], 1));
        let lost = f64::from(8 * 5) / f64::from(8 * 100 + 16 * 5 + 16 * 50);
        assert!((outcome.lost - 100.0 * lost).abs() < 1e-9, "{}", outcome.lost);
        // Here it gains 16 x 2.
        assert_eq!(waits(&[job(0, 8, 100), job(5, 16, 2)], stops), [0.0, 95.0]);
    }

    #[test]
    fn a_job_runs_beside_one_that_ends_with_it() {
        let around = around(Grid::torus(&[4, 4]).unwrap(), &cuboid(0, "2x2"));
        assert_eq!(around.count(), 8);
        let held = [(0, 10), (10, 50)].map(|(node, end)| {
            let at = Interval { start: Instant::ZERO, end: Instant::from_ticks(end) };
            Held::new(cuboid(node, "1"), at)
        });
        let line = Line::new(Grid::torus(&[4, 4]).unwrap(), &[], PLAIN);
        for (end, beside) in [(10, 0), (50, 10)] {
            let during = Interval { start: Instant::ZERO, end: Instant::from_ticks(end) };
            let place = line.with_same_end(&held, during, "1".parse().unwrap());
            let mut touched = super::around(line.grid, &place);
            assert!(touched.any(|node| node == Node(beside)), "{place}");
        }
    }

    fn cuboid(node: u32, sides: &str) -> Cuboid {
        Cuboid::new(Grid::torus(&[4, 4]).unwrap(), Node(node), sides.parse().unwrap()).unwrap()
    }
}

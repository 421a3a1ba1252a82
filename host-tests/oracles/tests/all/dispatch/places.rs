//! Promises of times and places in step with their rules, taken word for word.

use crate::forged::of_one_word;
use crate::runner::times;
use locox::dispatch::Job;
use locox::grid::Placement;
use locox::machine::Machine;
use locox::nodes;
use locox::subcube::{Buddy, Complete, GrayCode};
use locox::time::Duration;
use locox_oracles::dispatch::promises::{
    Counted, Draws, Event, Ground, Lockstep, Mixture, Nodes, Quantities, Setup, State, Step, Tally,
    draw, shortened,
};
use locox_oracles::machine::{Cubes, Racks, Shaped, Slices, by_all, by_blocks, by_runs};
use std::rc::Rc;

/// How many are promised something.
const MOST: [u32; 4] = [0, 1, 2, 100];

fn shaped(machine: &str) -> Shaped {
    Shaped { grid: machine.parse().unwrap(), placement: Placement::First, isolating: false }
}

/// Draws a history and carries it out; if it fails, says so in as few steps as can be found.
fn history<G: Nodes>(ground: &Rc<Ground<G>>, most: u32, seed: u64, steps: usize) -> Tally {
    let mut draws = Draws(seed);
    draws.below(2);
    let entries = 3 + draws.below(10) as usize;
    let setup = Setup { most, entries, outages: 1 + draws.below(3) as usize };
    let mixture = Mixture::drawn(&mut draws, entries);
    let mut pair = Lockstep::new(ground, setup);
    pair.looks_elsewhere = most == 1;
    let mut taken = vec![];
    for _ in 0..steps {
        let step = draw(&pair, &mixture, &mut draws);
        taken.push(step);
        let Err(what) = pair.step(&step) else { continue };
        let short = shortened(ground, setup, &taken);
        let (steps, what) = short.unwrap_or((taken, what));
        let lines: String = steps.iter().map(|step| format!("  {step:?}\n")).collect();
        panic!("{setup:?}, seed {seed}: {what}\n{lines}");
    }
    pair.tally
}

/// Many of them, with each number of promises.
fn agrees<G: Nodes>(nodes: G, seed: u64) {
    let ground = Rc::new(Ground::new(nodes));
    let mut all = Tally::default();
    for (most, number) in
        MOST.into_iter().flat_map(|most| (0..100 * times()).map(move |it| (most, it)))
    {
        all += history(&ground, most, seed * 1_000_000 + number * 4 + u64::from(most % 4), 60);
    }
    println!("{all:?}");
    assert_eq!(all.uncounted, 0, "{all:?}");
    assert!(all.starts > 1000 && all.refused > 20 && all.restarts > 20, "{all:?}");
}

#[test]
fn promises_on_a_count_are_what_the_rules_say() {
    agrees(Counted(6), 1);
}

#[test]
fn promises_on_cubes_are_what_the_rules_say() {
    agrees(Cubes::<Buddy>::new(3, by_blocks), 2);
    agrees(Cubes::<GrayCode>::new(3, by_runs), 3);
    agrees(Cubes::<Complete>::new(3, by_all), 4);
}

#[test]
fn promises_in_tori_are_what_the_rules_say() {
    agrees(shaped("torus:3x3"), 5);
    agrees(shaped("torus:4x2"), 6);
}

#[test]
fn promises_in_a_mesh_are_what_the_rules_say() {
    agrees(shaped("mesh:3x3"), 7);
}

#[test]
fn promises_of_slices_are_what_the_rules_say() {
    agrees(Slices::six(), 8);
}

#[test]
fn promises_in_racks_are_what_the_rules_say() {
    agrees(Racks { nodes: 6, levels: &[&[0, 3]] }, 9);
}

#[test]
fn promises_on_nodes_with_quantities_are_what_the_rules_say() {
    agrees(Quantities(nodes::Placement::First), 10);
    agrees(Quantities(nodes::Placement::Best), 11);
}

/// Another place than the one that is tried may do, but seldom.
#[test]
fn another_place_would_seldom_let_a_job_start() {
    let ground = Rc::new(Ground::new(shaped("mesh:3x3")));
    let mut all = Tally::default();
    for seed in 0..300 * times() {
        all += history(&ground, 1, 77_000_000 + seed, 60);
    }
    let Tally { starts, replaced, elsewhere, .. } = all;
    println!("of {starts} starts {replaced} by another place for the promise; {elsewhere} missed");
    assert!(starts > 2000 && replaced > 20, "{all:?}");
    assert!(elsewhere * 20 < starts, "{all:?}");
}

/// Images of queues in use, one word of each changed: refused, or what was taken is sound.
fn forged<G: Nodes>(nodes: G, seed: u64) {
    let ground = Rc::new(Ground::new(nodes));
    let (mut taken, mut refused) = (0, 0);
    for (most, number) in
        MOST.into_iter().flat_map(|most| (0..2 * times()).map(move |it| (most, it)))
    {
        let mut draws = Draws(seed + u64::from(most) + 1000 * number);
        let setup = Setup { most, entries: 8, outages: 2 };
        let mixture = Mixture::drawn(&mut draws, 8);
        let mut pair = Lockstep::new(&ground, setup);
        for _ in 0..50 {
            let step = draw(&pair, &mixture, &mut draws);
            pair.step(&step).unwrap_or_else(|what| panic!("{setup:?}, number {number}: {what}"));
        }
        let image = pair.image();
        assert_eq!(pair.load(&image), Ok(Ok(())));
        for forged in of_one_word(&image) {
            let loaded = pair.load(&forged).unwrap_or_else(|what| {
                panic!("{setup:?}, number {number}: {what}\n{image:?}\n{forged:?}")
            });
            taken += u32::from(loaded.is_ok());
            refused += u32::from(loaded.is_err());
        }
    }
    println!("{taken} taken, {refused} refused");
    assert!(taken > 100 && refused > 100, "{taken} {refused}");
}

#[test]
fn an_image_with_another_word_is_refused_or_sound() {
    forged(Counted(6), 1);
    forged(Cubes::<Buddy>::new(3, by_blocks), 2);
    forged(shaped("torus:3x3"), 3);
    forged(Slices::six(), 4);
    forged(Racks { nodes: 6, levels: &[&[0, 3]] }, 5);
    forged(Quantities(nodes::Placement::Best), 6);
}

/// All histories of three jobs that are so many calls long: each arrives, somebody may start, one that runs ends, time passes.
struct Walk<'a, G: Nodes> {
    jobs: &'a [Job; 3],
    histories: u32,
    steps: u32,
    path: Vec<Step<<G::Machine as Machine>::Place>>,
}

impl<G: Nodes> Walk<'_, G> {
    fn from(&mut self, pair: &Lockstep<G>, now: u64, left: usize) {
        if left == 0 {
            self.histories += 1;
            return;
        }
        let model = pair.model();
        let jobs = self.jobs;
        let is_idle = self.path.last().is_some_and(|it| matches!(it.event, Event::Next(_)))
            && pair.tally.starts == 0;
        for later in 0..1 + u64::from(!self.path.is_empty()) {
            let at = |event| Step { now: now + later, event };
            let arrives = jobs.get(model.jobs.len()).map(|&job| at(Event::Push(job)));
            let ends = model.each(State::Runs).into_iter();
            let ends = ends.map(|job| at(Event::Finish(model.jobs[job].terms.id)));
            // If nobody starts, nobody does so at the same time.
            let asks = (!is_idle || later > 0).then(|| at(Event::Next(0)));
            for step in arrives.into_iter().chain(ends).chain(asks) {
                self.step(pair, step, left);
            }
        }
    }

    fn step(
        &mut self,
        pair: &Lockstep<G>,
        step: Step<<G::Machine as Machine>::Place>,
        left: usize,
    ) {
        let mut pair = pair.clone();
        pair.tally = Tally::default();
        self.path.push(step);
        self.steps += 1;
        pair.step(&step).unwrap_or_else(|what| {
            let lines: String = self.path.iter().map(|step| format!("  {step:?}\n")).collect();
            panic!("{:?}: {what}\n{lines}", pair.setup())
        });
        assert_eq!(pair.tally.uncounted, 0, "{:?}", self.path);
        self.from(&pair, step.now, left - 1);
        self.path.pop();
    }
}

/// Three jobs of these sizes and durations, in each choice of them, with one promise or two.
fn all_of<G: Nodes>(nodes: G, kinds: &[(u32, u64)], left: usize) -> (u32, u32) {
    let ground = Rc::new(Ground::new(nodes));
    let machine = ground.nodes.machine();
    let is_it = |size: u32, it: usize| {
        let fits = ground.place(it, ground.nodes.all()).is_some();
        fits && machine.size(&ground.requests[it]) == size
    };
    let find = |size| (0..ground.requests.len()).rev().find(|&it| is_it(size, it)).unwrap();
    let job = |(pes, duration): (u32, u64), id: u32| {
        let of = Job::new(id << 8 | find(pes) as u32, pes);
        of.within(Duration::from_ticks(duration))
    };
    let (mut histories, mut steps, count) = (0, 0, kinds.len());
    for number in 0..count.pow(3) {
        let jobs = [0, 1, 2].map(|id| job(kinds[number / count.pow(id) % count], id));
        let setup = Setup { most: 1 + number as u32 % 2, entries: 3, outages: 0 };
        let mut walk = Walk { jobs: &jobs, histories: 0, steps: 0, path: vec![] };
        walk.from(&Lockstep::new(&ground, setup), 0, left);
        histories += walk.histories;
        steps += walk.steps;
    }
    (histories, steps)
}

#[test]
fn all_short_histories_of_three_jobs_are_what_the_rules_say() {
    let torus = all_of(shaped("torus:3x2"), &[(2, 3), (3, 1), (6, 2)], 6);
    let cube = all_of(Cubes::<Complete>::new(2, by_all), &[(1, 3), (2, 1), (4, 2)], 6);
    println!("histories and steps: {torus:?}, {cube:?}");
    assert!(torus.0 > 10_000 && cube.0 > 10_000, "{torus:?} {cube:?}");
}

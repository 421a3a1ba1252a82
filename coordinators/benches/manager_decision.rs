//! What a decision of the coordinator for resource managers costs on a cube of 16,384 nodes with 100,000 jobs in line, where
//! nobody is stopped, and where jobs are stopped for others; and what a question costs what could be done for the first in line.
//!
//! The same cycles are run several times, and of each decision the shortest time counts: what else runs on the machine is left
//! out. The bar is 10 ms. Prints a table in Markdown, milliseconds; in bold what misses its bar.
//! Run with `cargo bench -p locox-coordinators --bench manager_decision`.

#[path = "common/manager_rows.rs"]
mod manager_rows;
#[path = "common/manager_world.rs"]
mod manager_world;

use locox::time::Duration;
use locox_coordinators::manager::{Command, Config, Places, Preemption};
use manager_world::{JOBS, World};
use std::hint::black_box;
use std::time::Instant;

const NODES: u32 = 1 << 14;
const CYCLES: u32 = 200;
const RUNS: usize = 3;
const BAR: f64 = 10.0;
const MINUTE: Duration = Duration::from_ticks(60);

/// Milliseconds of each decision, and of a question after it.
fn cycles(preempt: Option<Preemption>) -> Vec<[f64; 2]> {
    let places = Places::Subcubes;
    let mut rows = manager_world::rows(NODES, places);
    let config = Config { places, preempt, ..Config::standard(MINUTE) };
    let mut world = World::new(rows.manager(config));
    (0..JOBS).for_each(|_| world.submit());
    world.say(Command::Decide);
    world.act();
    let cycles = (0..CYCLES).map(|cycle| {
        world.pass(cycle, NODES, preempt.is_some());
        let begun = Instant::now();
        world.say(Command::Decide);
        let decided = begun.elapsed();
        world.act();
        let first = world.manager.line().next().expect("jobs wait");
        let begun = Instant::now();
        world.manager.options(first, |job| _ = black_box(job)).expect("rows for stops");
        [decided, begun.elapsed()].map(|taken| taken.as_secs_f64() * 1000.0)
    });
    let cycles = cycles.collect();
    assert_eq!(world.stops > 0, preempt.is_some(), "others are stopped where they may be");
    cycles
}

/// Of each, the shortest of several runs.
fn shortest(preempt: Option<Preemption>) -> Vec<[f64; 2]> {
    let mut shortest = cycles(preempt);
    for _ in 1..RUNS {
        for (least, times) in shortest.iter_mut().zip(cycles(preempt)) {
            *least = [0, 1].map(|at| least[at].min(times[at]));
        }
    }
    shortest
}

fn show(name: &str, mut times: Vec<f64>) {
    times.sort_unstable_by(f64::total_cmp);
    let mean = times.iter().sum::<f64>() / f64::from(CYCLES);
    let figures = [mean, times[times.len() / 2], times[times.len() - 1]];
    let figures = figures
        .map(|time| if time > BAR { format!("**{time:.1}**") } else { format!("{time:.1}") });
    println!("| {name} | {} | {BAR:.1} |", figures.join(" | "));
}

fn main() {
    println!(
        "| {NODES} nodes, {JOBS} jobs | mean | median | slowest | bar |\n|---|---|---|---|---|"
    );
    let of = |times: &[[f64; 2]], at: usize| times.iter().map(|it| it[at]).collect();
    let [without, with] = [None, Some(Preemption::standard(MINUTE))].map(shortest);
    show("nobody is stopped", of(&without, 0));
    show("with `preempt`", of(&with, 0));
    show("what could be done for the first in line", of(&with, 1));
}

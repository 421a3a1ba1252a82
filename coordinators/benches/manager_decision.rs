//! What a decision of the coordinator for resource managers costs on a cube of 16,384 nodes with 100,000 jobs in line, where
//! nobody is stopped, and where jobs are stopped for others.
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
use std::time::Instant;

const NODES: u32 = 1 << 14;
const CYCLES: u32 = 200;
const RUNS: usize = 3;
const BAR: f64 = 10.0;
const MINUTE: Duration = Duration::from_ticks(60);

/// Milliseconds of each decision.
fn decisions(preempt: Option<Preemption>) -> Vec<f64> {
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
        let taken = begun.elapsed();
        world.act();
        taken.as_secs_f64() * 1000.0
    });
    let cycles = cycles.collect();
    assert_eq!(world.stops > 0, preempt.is_some(), "others are stopped where they may be");
    cycles
}

fn main() {
    println!(
        "| {NODES} nodes, {JOBS} jobs | mean | median | slowest | bar |\n|---|---|---|---|---|"
    );
    for (name, preempt) in
        [("nobody is stopped", None), ("with `preempt`", Some(Preemption::standard(MINUTE)))]
    {
        let mut shortest = decisions(preempt);
        for _ in 1..RUNS {
            let again = decisions(preempt).into_iter();
            shortest.iter_mut().zip(again).for_each(|(least, time)| *least = time.min(*least));
        }
        shortest.sort_unstable_by(f64::total_cmp);
        let mean = shortest.iter().sum::<f64>() / f64::from(CYCLES);
        let shown =
            |time: f64| if time > BAR { format!("**{time:.1}**") } else { format!("{time:.1}") };
        let [median, slowest] = [shortest[shortest.len() / 2], shortest[shortest.len() - 1]];
        println!(
            "| {name} | {} | {} | {} | {BAR:.1} |",
            shown(mean),
            shown(median),
            shown(slowest)
        );
    }
}

//! Random commands, misuse included, on machines of all kinds.

use crate::runner::{follows, runner};
use locox::grid::{Anchors, Grid, Placement};
use locox_oracles::grid::{Command, EVEN, Lockstep, follow};
use proptest::collection::vec;
use proptest::prelude::*;
use rand::{RngExt, SeedableRng};

#[test]
fn small_machines_of_all_kinds_follow_the_model() {
    let numbers = vec(any::<u64>(), 1..100);
    runner("grid_in_step", 400).run(&numbers, |numbers| follows(follow(&numbers))).unwrap();
}

/// So many commands on a machine under each placement, and at steps; each other pool isolates boxes.
fn walk(machine: &str, commands: usize) {
    let grid: Grid = machine.parse().unwrap();
    let steps = Anchors::steps(&[4, 2, 4, 0], &[1, 0, 2]).unwrap();
    let rules = [
        (Placement::First, Anchors::Any),
        (Placement::Corner, Anchors::Any),
        (Placement::Fewest, Anchors::Any),
        (Placement::First, steps),
        (Placement::Fewest, steps.reused()),
    ];
    for (seed, (placement, anchors)) in rules.into_iter().enumerate() {
        let mut random = rand_chacha(seed as u64);
        let run = Lockstep::new(grid, placement, anchors);
        let mut run = if seed % 2 == 1 { run.isolating() } else { run };
        for _ in 0..commands {
            run.step(&Command::decode(grid, random.random(), &EVEN)).unwrap();
        }
    }
}

fn rand_chacha(seed: u64) -> impl rand::Rng {
    rand::rngs::ChaCha8Rng::seed_from_u64(seed)
}

#[test]
fn small_lines_and_rings_are_walked() {
    for machine in ["torus:4x4", "mesh:4x4", "mesh:3x3x2", "torus:3x3x2", "mesh:5x3", "mesh:3x5r"] {
        walk(machine, 200);
    }
}

#[test]
fn machines_of_many_shapes_are_walked() {
    for machine in ["torus:8x8", "mesh:8x8r", "mesh:64", "torus:64", "mesh:2x64r", "torus:3x4x2x3"]
    {
        walk(machine, 60);
    }
}

#[test]
fn a_torus_of_4096_nodes_is_walked() {
    walk("torus:16x16x16", 6);
}

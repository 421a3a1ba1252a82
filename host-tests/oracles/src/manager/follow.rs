//! Numbers as a coordinator and steps.

use super::{EVEN, Lockstep, Met, Rows, Size, Step};
use crate::Mismatch;
use crate::digits::Digits;
use locox::fair::DecayParams;
use locox::grid::Grid;
use locox::handle::PoolId;
use locox::time::Duration;
use locox_coordinators::manager::{Config, Places, Preemption, Ranking};

/// Drives a coordinator and its model: the first of `numbers` stands for a size, a configuration, and the kinds of steps
/// left out, each of the others for a step. Returns what it has met.
///
/// # Errors
///
/// [`Mismatch`] where the two differ.
pub fn follow(numbers: &[u64]) -> Result<Met, Mismatch> {
    let Some((&first, rest)) = numbers.split_first() else { return Ok(Met::default()) };
    let mut digits = Digits(first);
    let larger = if digits.one_in(5) { 150 } else { 12 };
    let in_cubes = digits.one_in(2);
    let nodes = match in_cubes {
        true => 1 << digits.below(if larger > 12 { 7 } else { 5 }),
        false => 1 + digits.below(larger) as usize,
    };
    let (jobs, users) = (1 + digits.below(16) as usize, 1 + digits.below(6) as usize);
    let size = Size { jobs, users, nodes };
    let [half_life, quantum] = [20, 2].map(|most| Duration::from_ticks(1 + digits.below(most)));
    let config = Config {
        places: match in_cubes {
            true if digits.one_in(2) => Places::Meshes,
            true => Places::Subcubes,
            false => match digits.below(4) {
                0 => Places::Tree,
                1 => grid(nodes, digits.one_in(2)).map_or(Places::Any, Places::Boxes),
                _ => Places::Any,
            },
        },
        ranking: if digits.one_in(4) { Ranking::Priority } else { Ranking::Users },
        decay: DecayParams { half_life, quantum },
        preempt: digits.one_in(2).then(|| preemption(&mut digits)),
        pool: PoolId(5),
    };
    // Without decisions, or without effects, little is seen.
    let left_out = digits.below(1 << 20) as u32 & !(1 << 11 | 1 << 14);
    let weights = EVEN.swarm(left_out);
    let mut rows = [Rows::new(size), Rows::new(size)];
    let mut run = Lockstep::new(size, config, &mut rows);
    for &number in rest {
        run.step(&Step::decode(nodes as u64, number, &weights))?;
    }
    Ok(run.met)
}

/// Times of the order of the limits, and none.
fn preemption(digits: &mut Digits) -> Preemption {
    let [patience, least_run, protection, notice] =
        [9, 5, 60, 7].map(|most| Duration::from_ticks(digits.below(most)));
    Preemption { patience, least_run, protection, notice }
}

/// A machine of so many nodes with sides as alike as can be.
fn grid(nodes: usize, rings: bool) -> Option<Grid> {
    let side =
        (1..=nodes).rev().find(|side| nodes.is_multiple_of(*side) && side * side <= nodes)?;
    let sides = [side as u8, u8::try_from(nodes / side).ok()?];
    if rings { Grid::torus(&sides) } else { Grid::mesh(&sides) }
}

//! Queues with promises, from any numbers.

use super::draws::{Draws, Mixture, draw};
use super::ground::{Counted, Ground, Nodes};
use super::lockstep::{Lockstep, Setup};
use super::quantities::Quantities;
use crate::machine::{Cubes, Racks, Shaped, by_all, by_blocks, by_runs};
use locox::grid::Placement;
use locox::nodes;
use locox::subcube::{Buddy, Complete, GrayCode};
use std::rc::Rc;

/// A machine, a number of promises and room, and steps, from a number each.
///
/// # Errors
///
/// How queue and model differ.
pub fn follow(numbers: &[u64]) -> Result<(), String> {
    let Some((&first, rest)) = numbers.split_first() else { return Ok(()) };
    let mut draws = Draws(first);
    let boxes = |machine: &str, placement| Shaped {
        grid: machine.parse().expect("a small machine"),
        placement,
        isolating: false,
    };
    match draws.below(9) {
        0 => steps(Counted(6), draws, rest),
        1 => steps(Cubes::<Buddy>::new(3, by_blocks), draws, rest),
        2 => steps(Cubes::<GrayCode>::new(3, by_runs), draws, rest),
        3 => steps(Cubes::<Complete>::new(3, by_all), draws, rest),
        4 => steps(boxes("torus:3x3", Placement::First), draws, rest),
        5 => steps(boxes("torus:4x2", Placement::Corner), draws, rest),
        6 => steps(boxes("mesh:3x3", Placement::Fewest), draws, rest),
        7 => steps(Racks { nodes: 6, levels: &[&[0, 3]] }, draws, rest),
        _ => steps(Quantities(nodes::Placement::Best), draws, rest),
    }
}

fn steps<G: Nodes>(nodes: G, mut draws: Draws, numbers: &[u64]) -> Result<(), String> {
    let ground = Rc::new(Ground::new(nodes));
    let most = [0, 1, 2, 3, 100][draws.below(5) as usize];
    let (entries, outages) = (2 + draws.below(8) as usize, draws.below(4) as usize);
    let mixture = Mixture::drawn(&mut draws, entries);
    let mut pair = Lockstep::new(&ground, Setup { most, entries, outages });
    numbers.iter().try_for_each(|&number| {
        let step = draw(&pair, &mixture, &mut Draws(number));
        pair.step(&step)
    })?;
    match pair.tally.uncounted {
        0 => Ok(()),
        moved => Err(format!("{moved} promises became later without a cause")),
    }
}

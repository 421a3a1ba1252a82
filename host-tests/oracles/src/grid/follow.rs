//! Numbers as a machine, a placement, anchors and commands.

use super::command::{Command, EVEN};
use super::lockstep::Lockstep;
use crate::Mismatch;
use crate::digits::Digits;
use locox::grid::{Anchors, Axis, Grid, Placement};

/// Drives a pool and its model: the first of `numbers` stands for a machine, a placement, where boxes may
/// begin, whether they are to be isolated and the kinds of commands left out, each of the others for a command.
///
/// # Errors
///
/// [`Mismatch`] where the two differ.
pub fn follow(numbers: &[u64]) -> Result<(), Mismatch> {
    let Some((&first, rest)) = numbers.split_first() else { return Ok(()) };
    let mut digits = Digits(first);
    let weights = EVEN.swarm(digits.below(1 << 12) as u32);
    let placement = Placement::ALL[digits.below(Placement::ALL.len() as u64) as usize];
    let anchors = anchors(&mut digits);
    let grid = machine(&mut digits);
    let mut run = Lockstep::new(grid, placement, anchors);
    if digits.one_in(3) {
        run = run.isolating();
    }
    rest.iter().try_for_each(|&number| run.step(&Command::decode(grid, number, &weights)))
}

/// A machine of at most 96 nodes.
fn machine(digits: &mut Digits) -> Grid {
    let mut left = 96;
    let count = digits.below(4) + 1;
    let axes: Vec<_> = (0..count)
        .map(|_| {
            let nodes = digits.below(u64::from(left.min(12u8))) as u8 + 1;
            left /= nodes;
            let axis = if digits.one_in(2) { Axis::ring(nodes) } else { Axis::line(nodes) };
            axis.expect("at most 12 nodes")
        })
        .collect();
    Grid::new(&axes).expect("one to four axes")
}

fn anchors(digits: &mut Digits) -> Anchors {
    let kind = digits.below(3);
    let mut four = || [0; 4].map(|_| digits.below(5) as u8);
    let (step, offset) = (four(), four());
    let steps = Anchors::steps(&step, &offset).expect("four of each");
    match kind {
        0 => Anchors::Any,
        1 => steps,
        _ => steps.reused(),
    }
}

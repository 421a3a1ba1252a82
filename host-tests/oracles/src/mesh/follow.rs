//! Numbers as a machine, a strategy and commands.

use super::{Command, EVEN, Lockstep};
use crate::Mismatch;
use crate::digits::Digits;
use crate::subcube::{Buddy, Complete, FreeList, GrayCode, Rule};
use locox::cube::Dim;
use locox::handle::PoolId;
use locox::mesh::Leftover;

/// Drives a pool and its model: the first of `numbers` stands for a strategy, dimensions, what
/// becomes of leftover, and the kinds of commands left out, each of the others for a command.
///
/// # Errors
///
/// [`Mismatch`] where the two differ.
pub fn follow(numbers: &[u64]) -> Result<(), Mismatch> {
    let Some((&first, rest)) = numbers.split_first() else { return Ok(()) };
    let mut digits = Digits(first);
    let (strategy, dims) = (digits.below(4), digits.below(8));
    let dims = Dim::new(dims as u8).unwrap_or_default();
    let leftover = if digits.one_in(5) { Leftover::Kept } else { Leftover::Reused };
    let weights = EVEN.swarm(digits.below(1 << 16) as u16);
    let commands = rest.iter().map(|&number| Command::decode(dims, number, &weights));
    match strategy {
        0 => run::<Buddy>(dims, leftover, commands),
        1 => run::<GrayCode>(dims, leftover, commands),
        2 => run::<FreeList>(dims, leftover, commands),
        _ => run::<Complete>(dims, leftover, commands),
    }
}

fn run<R: Rule>(
    dims: Dim,
    leftover: Leftover,
    mut commands: impl Iterator<Item = Command>,
) -> Result<(), Mismatch> {
    let mut run = Lockstep::<R>::new(PoolId(1), dims, leftover);
    commands.try_for_each(|command| run.step(&command))
}

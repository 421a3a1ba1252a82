//! Numbers as a machine, a strategy and commands.

use super::{Buddy, Command, Complete, EVEN, FreeList, GrayCode, Lockstep, Rule};
use crate::Mismatch;
use crate::digits::Digits;
use locox::cube::Dim;
use locox::handle::PoolId;

/// Drives a pool and its model: the first of `numbers` stands for a strategy, dimensions, and the
/// kinds of commands left out, each of the others for a command.
///
/// # Errors
///
/// [`Mismatch`] where the two differ.
pub fn follow(numbers: &[u64]) -> Result<(), Mismatch> {
    let Some((&first, rest)) = numbers.split_first() else { return Ok(()) };
    let mut digits = Digits(first);
    let (strategy, dims) = (digits.below(4), digits.below(9));
    let dims = Dim::new(dims as u8).unwrap_or_default();
    let weights = EVEN.swarm(digits.below(1 << 16) as u16);
    let commands = rest.iter().map(|&number| Command::decode(dims, number, &weights));
    match strategy {
        0 => run::<Buddy>(dims, commands),
        1 => run::<GrayCode>(dims, commands),
        2 => run::<FreeList>(dims, commands),
        _ => run::<Complete>(dims, commands),
    }
}

fn run<R: Rule>(dims: Dim, commands: impl Iterator<Item = Command>) -> Result<(), Mismatch> {
    let mut pool = R::pool(PoolId(0), dims);
    let mut run = Lockstep::<R>::new(&mut pool);
    for command in commands {
        run.step(&command)?;
    }
    Ok(())
}

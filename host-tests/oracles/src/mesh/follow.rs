//! Numbers as a machine, a strategy and commands.

use super::{Command, EVEN, Lockstep, Weights};
use crate::Mismatch;
use crate::digits::{Digits, Looks};
use crate::subcube::{Buddy, Complete, FreeList, FreeListPlain, GrayCode, Rule};
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
    let (strategy, dims) = (digits.below(5), digits.weighted(&SIZES));
    let dims = Dim::new(dims).unwrap_or_default();
    let leftover = if digits.one_in(5) { Leftover::Kept } else { Leftover::Reused };
    let weights = EVEN.swarm(digits.below(1 << 16) as u32);
    match strategy {
        0 => run(Lockstep::<Buddy>::new(PoolId(1), dims, leftover), dims, rest, &weights),
        1 => run(Lockstep::<GrayCode>::new(PoolId(1), dims, leftover), dims, rest, &weights),
        2 => run(Lockstep::<FreeList>::new(PoolId(1), dims, leftover), dims, rest, &weights),
        3 => run(Lockstep::<FreeListPlain>::new(PoolId(1), dims, leftover), dims, rest, &weights),
        _ => run(Lockstep::<Complete>::new(PoolId(1), dims, leftover), dims, rest, &weights),
    }
}

/// How often a machine has so many dimensions. From 6 on, a set of nodes has several words.
const SIZES: [u8; 8] = [1, 1, 4, 16, 20, 14, 6, 2];

fn run<R: Rule>(
    mut run: Lockstep<R>,
    dims: Dim,
    numbers: &[u64],
    weights: &Weights,
) -> Result<(), Mismatch> {
    let looks = if dims.get() < 4 { Looks::Always } else { Looks::OneIn(4) };
    looks.steps(numbers, |number, look| {
        let command = Command::decode(dims, number, weights);
        if look { run.step(&command) } else { run.answer(&command) }
    })
}

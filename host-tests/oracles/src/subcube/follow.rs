//! Numbers as a machine, a strategy and commands.

use super::{
    Buddy, Command, Complete, EVEN, FreeList, FreeListPlain, GrayCode, Lockstep, Rule, Weights,
};
use crate::Mismatch;
use crate::digits::{Digits, Looks};
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
    let (strategy, dims) = (digits.below(5), digits.weighted(&SIZES));
    let dims = Dim::new(dims).unwrap_or_default();
    let weights = EVEN.swarm(digits.below(1 << 16) as u32);
    match strategy {
        0 => run::<Buddy>(dims, rest, &weights),
        1 => run::<GrayCode>(dims, rest, &weights),
        2 => run::<FreeList>(dims, rest, &weights),
        3 => run::<FreeListPlain>(dims, rest, &weights),
        _ => run::<Complete>(dims, rest, &weights),
    }
}

/// How often a machine has so many dimensions. From 6 on, a set of nodes has several words.
const SIZES: [u8; 9] = [1, 2, 8, 16, 16, 12, 6, 2, 1];

fn run<R: Rule>(dims: Dim, numbers: &[u64], weights: &Weights) -> Result<(), Mismatch> {
    let mut pool = R::pool(PoolId(0), dims);
    let mut run = Lockstep::<R>::new(&mut pool);
    let looks = if dims.get() < 5 { Looks::Always } else { Looks::OneIn(4) };
    looks.steps(numbers, |number, look| {
        let command = Command::decode(dims, number, weights);
        let answer = if look { run.step(&command) } else { run.answer(&command) };
        answer.map(|_| ())
    })
}

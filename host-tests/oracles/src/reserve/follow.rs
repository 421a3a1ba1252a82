//! Numbers as a timeline or profile and calls.

use super::subject::{Common, Plain, Profile};
use super::{CROWDED, Command, EVEN, Lockstep, Scale, Weights};
use crate::Mismatch;
use crate::digits::Digits;
use locox::reserve::Limits;

/// Drives a timeline or profile and its model: the first of `numbers` stands for the kind, its
/// size, and the kinds of commands left out, each of the others for a command.
///
/// # Errors
///
/// [`Mismatch`] where the two differ.
pub fn follow(numbers: &[u64]) -> Result<(), Mismatch> {
    let Some((&first, rest)) = numbers.split_first() else { return Ok(()) };
    let mut digits = Digits(first);
    let (identity, large) = (digits.one_in(2), digits.one_in(4));
    let pes = 1 + digits.below(if large { 100 } else { 9 }) as u32;
    let reservations = 1 + digits.below(if large { 150 } else { 15 }) as u32;
    let scale = Scale { pes, span: if large { 600 } else { 120 }, cancelled: 16 };
    let limits = Limits { pes, reservations };
    let weights = if large { CROWDED } else { EVEN };
    let weights = weights.swarm(digits.below(1 << 16) as u16);
    if identity {
        run(Lockstep::<Plain>::new(limits, true), scale, rest, &weights)
    } else {
        run(Lockstep::<Profile>::new(limits, false), scale, rest, &weights)
    }
}

fn run<T: Common>(
    mut run: Lockstep<T>,
    scale: Scale,
    numbers: &[u64],
    weights: &Weights,
) -> Result<(), Mismatch> {
    numbers.iter().try_for_each(|&number| run.step(&Command::decode(scale, number, weights)))
}

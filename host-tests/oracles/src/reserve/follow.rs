//! Numbers as a timeline or profile and calls.

use super::subject::{Common, Plain, Profile};
use super::{Brokered, CROWDED, Command, EVEN, Lockstep, Scale, Weights};
use crate::Mismatch;
use crate::digits::{Digits, Looks};
use locox::reserve::Limits;

/// Drives a timeline or profile and its model, or several under a broker: the first of `numbers` stands for
/// the kind, its size, how full it is at first, and the kinds of commands left out, each of the others for a
/// command.
///
/// # Errors
///
/// [`Mismatch`] where the two differ.
pub fn follow(numbers: &[u64]) -> Result<(), Mismatch> {
    let Some((&first, rest)) = numbers.split_first() else { return Ok(()) };
    let mut digits = Digits(first);
    if digits.one_in(6) {
        return match digits.one_in(2) {
            true => several::<Plain>(true, &mut digits, rest),
            false => several::<Profile>(false, &mut digits, rest),
        };
    }
    let setup = match (digits.one_in(2), digits.one_in(12)) {
        (identity, false) => Setup::small(identity, &mut digits),
        (identity, true) => Setup::large(identity, &mut digits),
    };
    if setup.identity { setup.run::<Plain>(rest) } else { setup.run::<Profile>(rest) }
}

/// Up to three small machines under a broker; seldom none.
fn several<T: Common>(
    identity: bool,
    digits: &mut Digits,
    numbers: &[u64],
) -> Result<(), Mismatch> {
    let count = if digits.one_in(20) { 0 } else { 1 + digits.below(3) };
    let limits = |_| {
        let (pes, reservations) = (1 + digits.below(9) as u32, 1 + digits.below(6) as u32);
        Limits { pes, reservations }
    };
    let limits: Vec<_> = (0..count).map(limits).collect();
    let weights = EVEN.swarm(digits.below(1 << 16) as u32);
    let mut run = Brokered::<T>::new(&limits, identity);
    numbers.iter().try_for_each(|&number| run.step(number, 40, &weights))
}

struct Setup {
    identity: bool,
    limits: Limits,
    scale: Scale,
    filled: u64,
    weights: Weights,
    looks: Looks,
}

impl Setup {
    fn small(identity: bool, digits: &mut Digits) -> Self {
        let (pes, reservations) = (1 + digits.below(9) as u32, 1 + digits.below(15) as u32);
        Self {
            identity,
            limits: Limits { pes, reservations },
            scale: Scale { pes, span: 20 << digits.below(3), cancelled: 16 },
            filled: 0,
            weights: EVEN.swarm(digits.below(1 << 16) as u32),
            looks: Looks::Always,
        }
    }

    /// Slots in several leaves, which so few commands would not reach from nothing.
    fn large(identity: bool, digits: &mut Digits) -> Self {
        let (pes, reservations) = (1 + digits.below(100) as u32, 60 + digits.below(90) as u32);
        Self {
            identity,
            limits: Limits { pes, reservations },
            scale: Scale { pes, span: 600, cancelled: 16 },
            filled: digits.below(120),
            weights: CROWDED.swarm(digits.below(1 << 16) as u32),
            looks: Looks::OneIn(8),
        }
    }

    fn run<T: Common>(&self, numbers: &[u64]) -> Result<(), Mismatch> {
        let mut run = Lockstep::<T>::new(self.limits, self.identity);
        for number in 0..self.filled {
            // A walk over the span that hits no instant twice; reservations are short.
            let (start, first) = ((number * 37) % self.scale.span, number * 7);
            let pes = 1 << (first % u64::from(self.scale.pes));
            run.answer(&Command::Add((start, start + 3, pes, 0)))?;
        }
        self.looks.steps(numbers, |number, look| {
            let command = Command::decode(self.scale, number, &self.weights);
            if look { run.step(&command) } else { run.answer(&command) }
        })
    }
}

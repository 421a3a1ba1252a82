//! Numbers as a queue and calls.

use super::{order, planner};
use crate::Mismatch;
use crate::digits::Digits;
use std::num::NonZeroU32;

/// Drives a queue and its model: the first of `numbers` stands for a discipline or planner, its
/// parameters, its storage, and the kinds of commands left out, each of the others for a command.
///
/// # Errors
///
/// [`Mismatch`] where the two differ.
pub fn follow(numbers: &[u64]) -> Result<(), Mismatch> {
    let Some((&first, rest)) = numbers.split_first() else { return Ok(()) };
    let mut digits = Digits(first);
    match digits.below(2) {
        0 => ordered(&mut digits, rest),
        _ => planned(&mut digits, rest),
    }
}

fn ordered(digits: &mut Digits, numbers: &[u64]) -> Result<(), Mismatch> {
    let rule = drawn_rule(digits);
    let patience = if digits.one_in(2) { None } else { Some(digits.below(5) as u32) };
    let mut run = order::Lockstep::new(rule, patience, digits.below(12) as usize);
    let weights = order::EVEN.swarm(digits.below(1 << 16) as u32);
    numbers.iter().try_for_each(|&number| run.step(&order::Command::decode(number, &weights)))
}

/// Any discipline.
pub(crate) fn drawn_rule(digits: &mut Digits) -> order::Rule {
    match digits.below(5) {
        0 => order::Rule::Fcfs,
        1 => order::Rule::Window(digits.below(6) as u32),
        2 => order::Rule::ScanUp,
        3 => order::Rule::ScanDown,
        _ => order::Rule::Lazy(if digits.one_in(5) { u32::MAX } else { digits.below(4) as u32 }),
    }
}

fn planned(digits: &mut Digits, numbers: &[u64]) -> Result<(), Mismatch> {
    let (conservative, each_event) = (digits.one_in(2), digits.one_in(2));
    let (pes, entries) = (1 + digits.below(12) as u32, 1 + digits.below(11) as usize);
    let depth = if digits.one_in(2) { u32::MAX } else { digits.below(5) as u32 };
    let step = NonZeroU32::new(digits.below(4) as u32);
    let kind = match (conservative, step) {
        (false, _) => planner::Kind::Easy(depth),
        (true, None) => planner::Kind::Conservative(depth),
        (true, Some(step)) => planner::Kind::InSteps(step),
    };
    let mut run = planner::Lockstep::new(kind, pes, entries, each_event);
    let weights = planner::EVEN.swarm(digits.below(1 << 16) as u32);
    numbers
        .iter()
        .try_for_each(|&number| run.step(&planner::Command::decode(pes, number, &weights)))
}

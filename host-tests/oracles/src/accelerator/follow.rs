//! Numbers as a table and calls.

use super::{Command, EVEN, Lockstep};
use crate::Mismatch;
use crate::digits::Digits;
use locox::accelerator::{Profile, SliceSet, Table};

/// Drives a pool and its model: the first of `numbers` stands for a table, published or made up, and for the
/// kinds of calls left out, each of the others for a call.
///
/// # Errors
///
/// [`Mismatch`] where the two differ.
pub fn follow(numbers: &[u64]) -> Result<(), Mismatch> {
    let Some((&first, rest)) = numbers.split_first() else { return Ok(()) };
    let mut digits = Digits(first);
    let kind = digits.below(5);
    let weights = EVEN.swarm(digits.below(1 << 9) as u32);
    match kind {
        0 => run(Table::A30, rest, &weights),
        1 => run(Table::A100, rest, &weights),
        2 => run(Table::H100, rest, &weights),
        _ => {
            let slices = 1 + digits.below(32) as u8;
            let placements = made_up(&mut digits, slices);
            let profiles: Vec<_> =
                placements.iter().map(|it| Profile { name: "it", placements: it }).collect();
            let table = Table::new(slices, &profiles).expect("the sets are made for it");
            run(table, rest, &weights)
        }
    }
}

fn run(table: Table<'_>, numbers: &[u64], weights: &super::Weights) -> Result<(), Mismatch> {
    let mut run = Lockstep::new(table);
    numbers.iter().try_for_each(|&number| run.step(&Command::decode(&table, number, weights)))
}

/// A few profiles, each of sets of equally many slices.
fn made_up(digits: &mut Digits, slices: u8) -> Vec<Vec<SliceSet>> {
    let profiles = 1 + digits.below(4);
    let mut state = digits.0 | 1;
    let mut random = |bound: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (state >> 33) % bound
    };
    let mut profile = || {
        let size = 1 + random(u64::from(slices).min(6)) as u32;
        let mut sets: Vec<SliceSet> = vec![];
        for _ in 0..1 + random(6) {
            let mut set = SliceSet::NONE;
            while set.len() < size {
                set = set.with(SliceSet::run(random(slices.into()) as u8, 1));
            }
            if !sets.contains(&set) {
                sets.push(set);
            }
        }
        sets
    };
    (0..profiles).map(|_| profile()).collect()
}

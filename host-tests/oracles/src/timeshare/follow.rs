//! Numbers as a table and calls.

use super::{Command, EVEN, Lockstep, Rule};
use crate::Mismatch;
use crate::digits::Digits;
use locox::time::Duration;
use locox::timeshare::Threshold;

/// Drives a table and its model: the first of `numbers` stands for a placement, the size of the
/// table, and the kinds of calls left out, each of the others for a call.
///
/// # Errors
///
/// [`Mismatch`] where the two differ.
///
/// # Panics
///
/// If a job passes an earlier one under version 3.
pub fn follow(numbers: &[u64]) -> Result<(), Mismatch> {
    let Some((&first, rest)) = numbers.split_first() else { return Ok(()) };
    let mut digits = Digits(first);
    let levels = 1 + digits.below(8) as u8;
    // Rarely more than there are, which is a misuse.
    let degree = if digits.one_in(16) { levels + 1 } else { 1 + digits.below(levels.into()) as u8 };
    let rule = drawn_rule(&mut digits, degree);
    let larger = if digits.one_in(4) { 140 } else { 9 };
    let (hosts, rows) = (1 + digits.below(larger), 1 + digits.below(12));
    let weights = EVEN.swarm(digits.below(1 << 8) as u32);
    let mut run = Lockstep::new(rule, levels, hosts as usize, rows as usize);
    // What is kept for one placement must not be another's answer.
    if digits.one_in(3) {
        run = run.asking(drawn_rule(&mut digits, degree));
    }
    rest.iter().try_for_each(|&number| {
        run.step(&Command::decode(hosts, rows, number, &weights))?;
        let first_come = !matches!(rule, Rule::NonInterfering { .. }) || run.is_first_come();
        assert!(first_come, "a newcomer passed an earlier job");
        Ok(())
    })
}

/// A placement of so many jobs on a host at most.
pub(crate) fn drawn_rule(digits: &mut Digits, degree: u8) -> Rule {
    let (kind, drawn) = (digits.below(3), digits.one_in(2));
    let thousandths = 100 + digits.below(5) as u16 * 200;
    let threshold = Threshold::from_thousandths(thousandths).expect("between 0 and 1");
    let believed = Duration::from_ticks(digits.below(20));
    let settled = Duration::from_ticks(digits.below(3));
    match kind {
        0 => Rule::FirstLevel { degree, drawn },
        1 => Rule::FirstCalmLevel { degree, drawn, threshold, believed },
        _ => Rule::NonInterfering { degree, threshold, believed, settled },
    }
}

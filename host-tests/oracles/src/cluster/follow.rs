//! Numbers as a coordinator and commands.

use super::{Command, EVEN, Lockstep, Rows, Size};
use crate::Mismatch;
use crate::digits::Digits;
use crate::dispatch::{drawn_rule as drawn_order, order};
use crate::timeshare::{Rule, drawn_rule};
use locox::handle::PoolId;
use locox::time::Duration;
use locox::timeshare::{FirstLevel, NonInterfering, Placement};
use locox_coordinators::cluster::{Config, Retry};

/// Drives a coordinator and its model: the first of `numbers` stands for a placement, a size, a
/// configuration, a discipline, and the kinds of commands left out, each of the others for a command. Returns how
/// often a host was shared.
///
/// # Errors
///
/// [`Mismatch`] where the two differ, or somebody is passed under version 3.
pub fn follow(numbers: &[u64]) -> Result<usize, Mismatch> {
    let Some((&first, rest)) = numbers.split_first() else { return Ok(0) };
    let mut digits = Digits(first);
    let levels = 1 + digits.below(8) as u8;
    let degree = 1 + digits.below(levels.into()) as u8;
    let rule = drawn_rule(&mut digits, degree);
    let larger = if digits.one_in(4) { 140 } else { 9 };
    let size = Size {
        levels,
        hosts: 1 + digits.below(larger) as usize,
        rows: 1 + digits.below(12) as usize,
    };
    let config = Config {
        retry: [Retry::OneAtEnds, Retry::AllAtEnds, Retry::Always][digits.below(3) as usize],
        silence: digits.one_in(3).then_some(Duration::from_ticks(12)),
        sets: digits.below(4) as u16,
        memory: digits.one_in(2),
        pool: PoolId(5),
    };
    let order = if digits.one_in(2) { order::Rule::Fcfs } else { drawn_order(&mut digits) };
    let run = Run { size, config, rule, order, swarm: digits.below(1 << 14) as u32, rest };
    match rule {
        Rule::FirstLevel { degree, drawn: false } => run.under(FirstLevel::new(degree)),
        Rule::FirstLevel { degree, drawn: true } => run.under(FirstLevel::new(degree).shuffled()),
        Rule::FirstCalmLevel { degree, threshold, believed, drawn: false } => {
            run.under(FirstLevel::new(degree).on_calm_hosts(threshold, believed))
        }
        Rule::FirstCalmLevel { degree, threshold, believed, drawn: true } => {
            run.under(FirstLevel::new(degree).on_calm_hosts(threshold, believed).shuffled())
        }
        Rule::NonInterfering { degree, threshold, believed, settled } => {
            run.under(NonInterfering { degree, threshold, believed, settled })
        }
    }
}

struct Run<'n> {
    size: Size,
    config: Config,
    rule: Rule,
    order: order::Rule,
    swarm: u32,
    rest: &'n [u64],
}

impl Run<'_> {
    fn under<P: Placement + Clone>(self, placement: P) -> Result<usize, Mismatch> {
        let Self { size, config, rule, order, swarm, rest } = self;
        let weights = EVEN.swarm(swarm);
        let mut rows = [Rows::new(size, &config, order), Rows::new(size, &config, order)];
        let run = Lockstep::new(size, config, (placement, rule, order), &mut rows);
        let mut run = run.expect("the placement fits the levels");
        let mut shared = 0;
        for &number in rest {
            run.step(&Command::decode(size.hosts as u64, number, &weights))?;
            shared += run.shared();
        }
        Ok(shared)
    }
}

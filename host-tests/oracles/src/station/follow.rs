//! Numbers as a network and commands, or as a world.

use super::world::{Size, Source, World};
use super::{Command, EVEN, Lockstep};
use crate::Mismatch;
use crate::digits::Digits;
use locox::fair::{Condor, Fairness, Random, RoundRobin, ScheduleIndex, UpDown};
use locox::handle::PoolId;
use locox::station::{Config, Trigger};
use locox::time::Duration;

/// Drives coordinators: the first of `numbers` stands for a network, a ranking, and whether hosts
/// keep to the rules; the second for a configuration and the kinds of commands left out. Each of
/// the others is a command, or two random numbers of the world.
///
/// # Errors
///
/// [`Mismatch`] where two coordinators differ.
///
/// # Panics
///
/// If a job is lost or runs twice in a world.
pub fn follow(numbers: &[u64]) -> Result<(), Mismatch> {
    let Some((&[first, second], rest)) = numbers.split_first_chunk() else { return Ok(()) };
    let mut digits = Digits(first);
    let (ranking, lawful) = (digits.below(3), digits.one_in(2));
    let size = Size {
        stations: 1 + digits.below(6) as usize,
        bank: digits.below(4) as usize,
        job_rows: 1 + digits.below(12) as usize,
        steps: rest.len() / 2,
    };
    let setup = Setup { size, lawful, second, numbers: rest };
    match ranking {
        0 => setup.run(RoundRobin::default()),
        1 => setup.run(Random::new()),
        _ => {
            let table = vec![ScheduleIndex::ZERO; size.stations];
            setup.run(UpDown::new(table, Condor::default()))
        }
    }
}

struct Setup<'a> {
    size: Size,
    lawful: bool,
    second: u64,
    numbers: &'a [u64],
}

impl Setup<'_> {
    fn run<F: Fairness + Clone>(&self, fair: F) -> Result<(), Mismatch> {
        if self.lawful {
            World::new(self.second % 2 == 1, self.size, fair, self.source()).run();
            return Ok(());
        }
        let mut digits = Digits(self.second);
        let mut run = Lockstep::new(self.size, config(&mut digits), fair);
        let weights = EVEN.swarm(digits.below(1 << 16) as u16);
        let Size { stations, bank, .. } = self.size;
        let (stations, nodes) = (stations as u64, (stations + bank) as u64);
        self.numbers
            .iter()
            .try_for_each(|&number| run.step(&Command::decode(stations, nodes, number, &weights)))
    }

    /// The numbers in halves.
    fn source(&self) -> Source {
        let halves = |&number: &u64| [number as u32, (number >> 32) as u32];
        let mut halves = self.numbers.iter().flat_map(halves).collect::<Vec<_>>().into_iter();
        Box::new(move || halves.next().unwrap_or(0))
    }
}

fn config(digits: &mut Digits) -> Config {
    Config {
        interval: Duration::from_ticks(digits.below(20) + 1),
        poll: digits.one_in(2).then_some(Duration::from_ticks(7)),
        checkpoint: digits.one_in(2).then_some(Duration::from_ticks(11)),
        transfer: Duration::from_ticks(digits.below(3)),
        trigger: [Trigger::IntervalOnly, Trigger::Capacity, Trigger::Demand]
            [digits.below(3) as usize],
        recall: digits.one_in(2),
        pool: PoolId(9),
    }
}

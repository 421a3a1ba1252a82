//! Numbers as a network and commands, or as a world.

use super::world::{Size, Source, World};
use super::{Command, EVEN, Lockstep};
use crate::Mismatch;
use crate::digits::Digits;
use crate::fair::{Lots, Rule, Table, Timed, Turns};
use locox::fair::{
    Condor, DecayParams, Fairness, Random, RoundRobin, ScheduleIndex, StationId, TimedRow,
    TimedUpDown, UpDown,
};
use locox::handle::PoolId;
use locox::time::Duration;
use locox_coordinators::station::{Config, Trigger};
use std::num::NonZeroU32;

/// Drives coordinators and their model: the first of `numbers` stands for a network, a ranking, and
/// whether hosts keep to the rules; the second for a configuration and the kinds of commands left
/// out. Each of the others is a command, or two random numbers of the world.
///
/// # Errors
///
/// [`Mismatch`] where the two differ.
///
/// # Panics
///
/// If a job is lost or runs twice in a world.
pub fn follow(numbers: &[u64]) -> Result<(), Mismatch> {
    let Some((&[first, second], rest)) = numbers.split_first_chunk() else { return Ok(()) };
    let mut digits = Digits(first);
    let (ranking, lawful) = (digits.below(5), digits.one_in(2));
    // Mostly small, so that much happens to few.
    let larger = if digits.one_in(8) { 6 } else { 1 };
    let size = Size {
        stations: 1 + digits.below(6 * larger) as usize,
        bank: digits.below(4 * larger) as usize,
        job_rows: 1 + digits.below(12 * larger) as usize,
        steps: rest.len() / 2,
        messages: digits.one_in(2),
    };
    let setup = Setup { size, lawful, second, numbers: rest };
    let table = vec![ScheduleIndex::ZERO; size.stations];
    let up_down = UpDown::new(table, Condor::default());
    let model = Table::new(size.stations, Condor::default());
    match ranking {
        0 => setup.run(RoundRobin::default(), Turns::starting_at(StationId(0))),
        1 => setup.run(Random::new(), Lots),
        2 => setup.run(up_down.shuffled(), model.shuffled()),
        3 => setup.run(up_down, model),
        _ => {
            let (fair, model) = timed(size.stations);
            setup.run(fair, model)
        }
    }
}

/// At a pace at which much happens in the few ticks of a run.
fn timed(stations: usize) -> (TimedUpDown<Vec<TimedRow>>, Timed) {
    let pace =
        DecayParams { half_life: Duration::from_ticks(60), quantum: Duration::from_ticks(5) };
    let fair = TimedUpDown::new(vec![TimedRow::EMPTY; stations], pace).expect("neither is zero");
    (fair, Timed::new(stations, pace))
}

/// Millions of runs have to take minutes; tests compare after each step.
const IMAGES: usize = 8;

struct Setup<'a> {
    size: Size,
    lawful: bool,
    second: u64,
    numbers: &'a [u64],
}

impl Setup<'_> {
    fn run<F: Fairness + Clone, R: Rule<F> + Clone>(
        &self,
        fair: F,
        ranking: R,
    ) -> Result<(), Mismatch> {
        if self.lawful {
            let world = World::new(self.second % 2 == 1, self.size, fair.clone(), self.source());
            let record = world.run();
            let run = Lockstep::new(self.size, record.config, fair, ranking);
            let mut run = run.with_images_every(IMAGES);
            return record.log.iter().try_for_each(|entry| run.repeat(entry));
        }
        let mut digits = Digits(self.second);
        let run = Lockstep::new(self.size, config(&mut digits), fair, ranking);
        let mut run = run.with_images_every(IMAGES);
        let weights = EVEN.swarm(digits.below(1 << 21) as u32);
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
        rounds: if digits.one_in(2) { 1 } else { 1 + digits.below(5) as u32 },
        lease: digits.one_in(2).then_some(Duration::from_ticks(30)),
        back_off: Duration::from_ticks(digits.below(9)),
        retries: digits.below(4) as u16,
        faults: digits.below(4) as u16,
        pool: PoolId(9),
        decisions: NonZeroU32::new(digits.below(5) as u32),
    }
}

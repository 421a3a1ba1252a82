//! The coordinator in step with a naive model, in every configuration.

use crate::runner::follows;
use locox::fair::{
    Condor, DecayParams, Fairness, Random, RoundRobin, ScheduleIndex, StationId, TimedRow,
    TimedUpDown, UpDown,
};
use locox::handle::PoolId;
use locox::time::Duration;
use locox_coordinators::station::{Config, Trigger};
use locox_oracles::Mismatch;
use locox_oracles::fair::{Lots, Rule, Table, Timed, Turns};
use locox_oracles::station::world::{Size, Source, World};
use locox_oracles::station::{Command, EVEN, Lockstep};
use rand::rngs::ChaCha8Rng;
use rand::{Rng, SeedableRng};
use std::num::NonZeroU32;

const TRIGGERS: [Trigger; 3] = [Trigger::IntervalOnly, Trigger::Capacity, Trigger::Demand];

const SMALL: Size = Size { stations: 3, bank: 2, job_rows: 7, steps: 0, messages: false };
const LARGER: Size = Size { stations: 20, bank: 9, job_rows: 60, steps: 0, messages: false };

/// All of them: triggers, recall, and periods of seven and eleven or none.
fn configs() -> impl Iterator<Item = Config> {
    let period = |ticks, has: bool| has.then_some(Duration::from_ticks(ticks));
    (0..24u32).map(move |number| Config {
        interval: Duration::from_ticks(9),
        poll: period(7, number / 6 % 2 == 1),
        checkpoint: period(11, number / 12 == 1),
        transfer: Duration::from_ticks(2),
        trigger: TRIGGERS[(number % 3) as usize],
        recall: number / 3 % 2 == 1,
        rounds: [1, 2, u32::MAX][(number / 4 % 3) as usize],
        decisions: NonZeroU32::new(number % 5),
        lease: period(40, number % 2 == 1),
        back_off: Duration::from_ticks(4),
        retries: (number % 5) as u16,
        faults: (number % 4) as u16,
        pool: PoolId(3),
    })
}

/// Some runs of commands in each configuration, every second one of all kinds.
fn in_step<F: Fairness + Clone, R: Rule<F> + Clone>(
    size: Size,
    fair: F,
    ranking: R,
    commands: usize,
) -> Result<(), Mismatch> {
    let (stations, nodes) = (size.stations as u64, (size.stations + size.bank) as u64);
    for (seed, config) in (0..).zip(configs()) {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        for round in 0..8 {
            let swarm = if round % 2 == 0 { 0 } else { random.next_u32() };
            let weights = EVEN.swarm(swarm);
            let mut run = Lockstep::new(size, config, fair.clone(), ranking.clone());
            for _ in 0..commands {
                run.step(&Command::decode(stations, nodes, random.next_u64(), &weights))?;
            }
        }
    }
    Ok(())
}

fn up_down(stations: usize) -> (UpDown<Vec<ScheduleIndex>, Condor>, Table<Condor>) {
    let fair = UpDown::new(vec![ScheduleIndex::ZERO; stations], Condor::default());
    (fair, Table::new(stations, Condor::default()))
}

#[test]
fn under_up_down_it_does_as_the_model_in_every_configuration() {
    for (size, commands) in [(SMALL, 250), (LARGER, 60)] {
        let (fair, model) = up_down(size.stations);
        in_step(size, fair, model, commands).unwrap();
    }
}

/// At a pace at which much happens in the few ticks of a run.
fn timed(stations: usize) -> (TimedUpDown<Vec<TimedRow>>, Timed) {
    let pace =
        DecayParams { half_life: Duration::from_ticks(60), quantum: Duration::from_ticks(5) };
    let fair = TimedUpDown::new(vec![TimedRow::EMPTY; stations], pace).unwrap();
    (fair, Timed::new(stations, pace))
}

#[test]
fn under_timed_up_down_it_does_as_the_model_in_every_configuration() {
    for (size, commands) in [(SMALL, 250), (LARGER, 60)] {
        let (fair, model) = timed(size.stations);
        in_step(size, fair, model, commands).unwrap();
    }
}

#[test]
fn under_up_down_with_shuffled_ties_it_does_as_the_model_in_every_configuration() {
    for (size, commands) in [(SMALL, 250), (LARGER, 60)] {
        let (fair, model) = up_down(size.stations);
        in_step(size, fair.shuffled(), model.shuffled(), commands).unwrap();
    }
}

#[test]
fn under_round_robin_it_does_as_the_model_in_every_configuration() {
    for (size, commands) in [(SMALL, 250), (LARGER, 60)] {
        let first = StationId(1);
        let (fair, model) = (RoundRobin::starting_at(first), Turns::starting_at(first));
        in_step(size, fair, model, commands).unwrap();
    }
}

#[test]
fn by_lot_it_does_as_the_model_in_every_configuration() {
    for (size, commands) in [(SMALL, 250), (LARGER, 60)] {
        in_step(size, Random::new(), Lots, commands).unwrap();
    }
}

/// So many there are in one command or other, under the standard configuration and all others that do not bound
/// what is decided; that no command has more is seen in all runs ([`Lockstep`]).
#[test]
fn under_timed_up_down_a_command_has_up_to_one_exchange_less_than_there_are_stations() {
    let standard = Config::standard(Duration::from_ticks(9));
    for stations in 1..=3 {
        let size = Size {
            stations,
            bank: 2 * stations,
            job_rows: 10 * stations,
            steps: 0,
            messages: false,
        };
        let mut most = 0;
        let unbounded = configs().filter(|config| config.decisions.is_none());
        for (seed, config) in (0..).zip(unbounded.chain([standard; 20])) {
            let mut random = ChaCha8Rng::seed_from_u64(seed);
            let (fair, model) = timed(stations);
            let mut run = Lockstep::new(size, config, fair, model).with_images_every(100);
            let nodes = (size.stations + size.bank) as u64;
            for _ in 0..1000 {
                let command = Command::decode(stations as u64, nodes, random.next_u64(), &EVEN);
                run.step(&command).unwrap();
                most = most.max(run.exchanges());
            }
        }
        assert_eq!(most, stations - 1);
    }
}

/// Hosts that keep to the rules: runs get long histories, which commands of anybody seldom do.
#[test]
fn in_worlds_it_does_as_the_model() {
    for seed in 0..60 {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let stations = 1 + random.next_u32() as usize % 6;
        let (bank, messages) = (seed as usize % 4, seed % 2 == 1);
        let size = Size { stations, bank, job_rows: 12, steps: 60, messages };
        let source = Box::new(move || random.next_u32());
        let repeated = if seed % 3 == 0 {
            let (fair, model) = timed(stations);
            repeat(seed, size, fair, model, source)
        } else {
            let (fair, model) = up_down(stations);
            repeat(seed, size, fair, model, source)
        };
        follows(repeated).unwrap_or_else(|why| panic!("world {seed}: {why}"));
    }
}

fn repeat<F: Fairness + Clone, R: Rule<F> + Clone>(
    seed: u64,
    size: Size,
    fair: F,
    model: R,
    source: Source,
) -> Result<(), Mismatch> {
    let record = World::new(seed % 2 == 1, size, fair.clone(), source).run();
    let mut run = Lockstep::new(size, record.config, fair, model);
    record.log.iter().try_for_each(|entry| run.repeat(entry))
}

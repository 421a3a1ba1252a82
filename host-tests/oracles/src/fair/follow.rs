//! Numbers as a ranking, stations and commands.

use super::{Command, EVEN, Lockstep, Lots, Rule, Table, Timed, Turns};
use crate::Mismatch;
use crate::digits::Digits;
use locox::fair::{
    Amount, Condor, DecayParams, Fairness, IndexFunctions, Line, Linear, Random, RoundRobin,
    Saturating, ScheduleIndex, StationId, TimedRow, TimedUpDown, UpDown,
};
use locox::time::Duration;

/// Drives a ranking and its model: the first of `numbers` stands for a ranking, how many stations
/// there are, the kinds of commands left out, and who comes first among equals; four stand for
/// parameters, each of the others for a command.
///
/// # Errors
///
/// [`Mismatch`] where the two differ.
pub fn follow(numbers: &[u64]) -> Result<(), Mismatch> {
    let Some((&[first, parameters @ ..], rest)) = numbers.split_first_chunk::<5>() else {
        return Ok(());
    };
    let mut digits = Digits(first);
    let (ranking, stations) = (digits.below(7), digits.below(40) as usize + 1);
    let weights = EVEN.swarm(digits.below(1 << 16) as u32);
    let shuffled = digits.one_in(2);
    let commands = rest.iter().map(|&number| Command::decode(stations, number, &weights));
    let mut parameters = parameters.map(Digits);
    match ranking {
        0 => up_down(stations, condor(&mut parameters), shuffled, commands),
        1 => up_down(stations, constant(&mut parameters), shuffled, commands),
        2 => up_down(stations, linear(&mut parameters), shuffled, commands),
        3 => up_down(stations, saturating(&mut parameters), shuffled, commands),
        4 => {
            let first = StationId(parameters[0].below(41) as u32);
            let (fair, model) = (RoundRobin::starting_at(first), Turns::starting_at(first));
            run(Lockstep::new(stations, fair, model), commands)
        }
        5 => run(Lockstep::new(stations, Random::new(), Lots), commands),
        _ => {
            let pace = pace(&mut parameters);
            let fair = TimedUpDown::new(vec![TimedRow::EMPTY; stations], pace);
            let fair = fair.expect("neither is zero");
            run(Lockstep::new(stations, fair, Timed::new(stations, pace)), commands)
        }
    }
}

fn up_down<P: IndexFunctions + Copy>(
    stations: usize,
    functions: P,
    shuffled: bool,
    commands: impl Iterator<Item = Command>,
) -> Result<(), Mismatch> {
    let fair = UpDown::new(vec![ScheduleIndex::ZERO; stations], functions);
    let model = Table::new(stations, functions);
    if shuffled {
        return run(Lockstep::new(stations, fair.shuffled(), model.shuffled()), commands);
    }
    run(Lockstep::new(stations, fair, model), commands)
}

fn run<F: Fairness, R: Rule<F>>(
    mut run: Lockstep<F, R>,
    mut commands: impl Iterator<Item = Command>,
) -> Result<(), Mismatch> {
    commands.try_for_each(|command| run.step(&command))
}

type Parameters = [Digits; 4];

fn pace([half_life, quantum, ..]: &mut Parameters) -> DecayParams {
    let ticks = |digits: &mut Digits, most| Duration::from_ticks(1 + digits.below(most));
    DecayParams { half_life: ticks(half_life, 100_000), quantum: ticks(quantum, 2000) }
}

fn condor([step, ..]: &mut Parameters) -> Condor {
    Condor::new(above_zero(step, 3000)).unwrap_or_default()
}

fn constant(parameters: &mut Parameters) -> Linear {
    let [f, g, h, l] = parameters.each_mut().map(|digits| Line::flat(amount(digits)));
    Linear { f, g, h, l }
}

fn linear(parameters: &mut Parameters) -> Linear {
    let [f, g, h, l] = parameters.each_mut().map(|digits| {
        let slope = Amount::from_bits(digits.below(600) as u32);
        Line { offset: amount(digits), slope }
    });
    Linear { f, g, h, l }
}

fn saturating([step, limit, ..]: &mut Parameters) -> Saturating {
    Saturating::new(above_zero(step, 3000), above_zero(limit, 50_000)).expect("both above zero")
}

/// Mostly small, sometimes zero or huge.
fn amount(digits: &mut Digits) -> Amount {
    Amount::from_bits(match digits.below(8) {
        0 => 0,
        7 => digits.below(1 << 32) as u32,
        _ => digits.below(5000) as u32,
    })
}

fn above_zero(digits: &mut Digits, most: u64) -> Amount {
    Amount::from_bits(1 + digits.below(most) as u32)
}

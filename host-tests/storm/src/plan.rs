//! What befalls a world: commands, each at its time, drawn before anything happens, so that any of them can be left out.

use crate::agent::TROUBLES;
use crate::machines::MACHINES;
use crate::network::Weather;
use crate::numbers::Numbers;
use crate::parts::{Pool, Service};
use crate::time::{Clock, DAY, HOUR, MINUTE};
use std::fmt;

/// Something that befalls a world. Which job or host it is follows from any number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Command {
    // Work.
    Submit { pool: Pool, home: usize, work: u64 },
    Share { hosts: u64, work: u64 },
    Site { number: u64, work: u64 },
    Lease { dim: u64, hours: u64 },
    Reserve { pes: u64, hours: u64, within: u64, number: u64 },
    // Users, owners and operators.
    Owner { machine: usize, hours: u64, number: u64 },
    Cancel { number: u64 },
    Hold { number: u64 },
    Release { number: u64 },
    Limit { number: u64, hours: u64 },
    Drain { machine: usize },
    Restore { machine: usize },
    // Faults.
    Fail { machine: usize, minutes: u64 },
    BlackHole { machine: usize },
    RestartPart { machine: usize },
    Weather { weather: Weather, much: u64, hours: u64 },
    Part { machine: usize, deaf: u64, mute: u64 },
    Kill { service: Service, minutes: u64 },
    Cut { service: Service, writes: u64 },
    Full { service: Service, hours: u64 },
    Lie { service: Service, hours: u64 },
    TurnBit { service: Service, number: u64 },
    SetClock { service: Option<Service>, machine: usize, minutes: u64 },
    Forge { number: u64 },
    Manager { trouble: u64, hours: u64 },
}

/// A command and its time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Planned {
    pub(crate) at: u64,
    pub(crate) command: Command,
}

impl fmt::Display for Planned {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}  {:?}", Clock(self.at), self.command)
    }
}

/// What a world is to be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Plan {
    pub(crate) seed: u64,
    /// Until when things go wrong.
    pub(crate) wild: u64,
    pub(crate) commands: Vec<Planned>,
}

const SERVICES: [Service; 4] = [Service::Stations, Service::Agent, Service::Bank, Service::Site];

impl Plan {
    /// The plan of a seed; `days`: for so many things go wrong.
    pub(crate) fn of(seed: u64, days: Option<u64>) -> Self {
        let mut numbers = Numbers::of(seed, 0);
        let drawn = numbers.between(10, 60);
        let wild = days.unwrap_or(drawn) * DAY;
        let days = wild / DAY;
        // Some worlds are almost idle or almost calm, so that each fault is also met alone.
        let (busy, harm) = (numbers.one_of(&[4, 12, 24]), numbers.one_of(&[2, 10, 25, 50]));
        let mut commands = vec![];
        for _ in 0..days * busy {
            commands
                .push(Planned { at: numbers.below(wild), command: Command::work(&mut numbers) });
        }
        for _ in 0..days * harm / 10 {
            commands
                .push(Planned { at: numbers.below(wild), command: Command::fault(&mut numbers) });
        }
        commands.sort_by_key(|planned| planned.at);
        Self { seed, wild, commands }
    }
}

impl Command {
    fn work(numbers: &mut Numbers) -> Self {
        let machine = numbers.below(MACHINES as u64) as usize;
        let number = numbers.any();
        let longest = numbers.one_of(&[HOUR, 12 * HOUR, 48 * HOUR]);
        let work = numbers.between(10 * MINUTE, longest);
        let hours = numbers.between(1, 30);
        match numbers.below(35) {
            30.. => Self::Site { number, work: work / 3 },
            0..6 => Self::Submit { pool: Pool::Own, home: machine, work },
            6..11 => Self::Submit { pool: Pool::Bank, home: machine, work },
            11..15 => Self::Share { hosts: number % 4, work },
            15..18 => Self::Lease { dim: number % 6, hours },
            18 | 19 => {
                let (pes, within) = (1 + number % 16, (number >> 8) % 72);
                Self::Reserve { pes, hours: 1 + hours / 3, within, number: number >> 16 }
            }
            20..24 => Self::Owner { machine, hours: numbers.between(1, 10), number },
            24 => Self::Cancel { number },
            25 => Self::Hold { number },
            26 => Self::Release { number },
            27 => Self::Limit { number, hours },
            28 => Self::Drain { machine },
            _ => Self::Restore { machine },
        }
    }

    fn fault(numbers: &mut Numbers) -> Self {
        let machine = numbers.below(MACHINES as u64) as usize;
        let service = numbers.one_of(&SERVICES);
        let (number, hours) = (numbers.any(), numbers.between(1, 12));
        match numbers.below(23) {
            22 => Self::RestartPart { machine },
            0..4 => Self::Fail { machine, minutes: numbers.between(1, 24 * 60) },
            4 => Self::BlackHole { machine },
            5 => Self::weather(numbers, Weather::Loss, 700, hours),
            6 => Self::weather(numbers, Weather::Doubling, 700, hours),
            7 => Self::weather(numbers, Weather::Delay, 3 * HOUR, hours),
            8 => Self::weather(numbers, Weather::Damage, 500, hours),
            9..11 => {
                let [deaf, mute] =
                    numbers.one_of(&[[1, 0], [0, 1], [1, 1]]).map(|it| it * 2 * hours);
                Self::Part { machine, deaf, mute }
            }
            11 | 12 => Self::Kill { service, minutes: numbers.between(1, 600) },
            13 | 14 => Self::Cut { service, writes: numbers.below(40) },
            15 => Self::Full { service, hours },
            16 => Self::Lie { service, hours },
            17 => Self::TurnBit { service, number },
            18 => {
                let service = numbers.one_of(&[None, Some(service)]);
                Self::SetClock { service, machine, minutes: numbers.between(1, 300) }
            }
            19 => Self::Forge { number },
            _ => Self::Manager { trouble: numbers.below(TROUBLES), hours },
        }
    }

    fn weather(numbers: &mut Numbers, weather: Weather, most: u64, hours: u64) -> Self {
        Self::Weather { weather, much: numbers.between(1, most), hours }
    }
}

//! What is said to a bank in a run: some of it is refused, some makes no sense.

use locox::fair::StationId;
use locox::time::{Duration, Instant};
use locox::timeshare::{HostId, Load, Speed, UserId};
use locox_bank::size::{CUBE, HOSTS, NODES, PES, STATIONS};
use locox_bank::{Answer, Bank, Command, Effect, Name};
use locox_coordinators::cluster;
use locox_coordinators::coordinate::Durable;
use locox_coordinators::station::{self, Checkpoint, NodeId, Run};

/// Pseudorandom, the same in every run.
pub(crate) struct Numbers(pub(crate) u64);

impl Numbers {
    pub(crate) fn below(&mut self, count: u64) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % count
    }
}

/// Who says what next.
pub(crate) struct Script {
    numbers: Numbers,
    now: u64,
    serials: [u32; STATIONS],
    /// That of the last grant.
    serial: u32,
    leases: Vec<Name>,
    reservations: Vec<Name>,
    shared: Vec<Name>,
    /// How often hosts have started.
    boots: [u32; HOSTS + 1],
    runs: Vec<Run>,
}

impl Script {
    pub(crate) fn new(seed: u64) -> Self {
        let names = Vec::new;
        let (numbers, serials, boots) = (Numbers(seed), [0; STATIONS], [0; HOSTS + 1]);
        let (leases, reservations, shared, runs) = (names(), names(), names(), vec![]);
        Self { numbers, now: 0, serials, serial: 0, leases, reservations, shared, boots, runs }
    }

    pub(crate) fn next(&mut self) -> (Instant, Command) {
        self.now += [0, 3, 700, 9000][self.numbers.below(4) as usize];
        let command = match self.numbers.below(8) {
            0 | 1 => self.cube(),
            2 | 3 => self.timeline(),
            4 | 5 => Command::Station(self.station().into()),
            6 => self.shared(),
            _ => Command::Tick,
        };
        (Instant::from_ticks(self.now), command)
    }

    /// One of the last few, used up or not.
    fn pick<T: Copy>(numbers: &mut Numbers, of: &[T], otherwise: T) -> T {
        let back = 1 + numbers.below(6) as usize;
        of.len().checked_sub(back).map_or(otherwise, |at| of[at])
    }

    /// None, the next one, or one that was.
    fn serial(numbers: &mut Numbers, last: u32) -> u32 {
        match numbers.below(16) {
            0 => last,
            1..=7 => 0,
            _ => last + 1,
        }
    }

    fn cube(&mut self) -> Command {
        let numbers = &mut self.numbers;
        let node = numbers.below(u64::from(CUBE) + 1) as u32;
        match numbers.below(6) {
            0 | 1 => {
                let dim = (numbers.below(5) as u8).try_into().unwrap();
                Command::Lease { serial: Self::serial(numbers, self.serial), dim }
            }
            2 | 3 => Command::Free { lease: Self::pick(numbers, &self.leases, Name::default()) },
            4 => Command::Withdraw { node, failed: numbers.below(2) == 0 },
            _ => Command::Repair { node },
        }
    }

    fn timeline(&mut self) -> Command {
        let (numbers, now) = (&mut self.numbers, self.now);
        let pe = numbers.below(u64::from(PES) + 1) as u32;
        match numbers.below(6) {
            0..=2 => {
                let duration = numbers.below(40_000);
                let ready = now + numbers.below(9000);
                let deadline =
                    [Command::NO_DEADLINE, ready + 2 * duration][numbers.below(2) as usize];
                let serial = Self::serial(numbers, self.serial);
                Command::Reserve { serial, pes: pe, duration, ready, deadline }
            }
            3 => Command::Cancel {
                reservation: Self::pick(numbers, &self.reservations, Name::default()),
            },
            4 => Command::FailPe { pe },
            _ => Command::RepairPe { pe },
        }
    }

    fn station(&mut self) -> station::Command {
        use station::Command::*;
        let numbers = &mut self.numbers;
        let home = StationId(numbers.below(STATIONS as u64) as u32);
        let node = NodeId(numbers.below(NODES as u64 + 1) as u32);
        let nobody = Run { job: Bank::station_job(Name::default()), attempt: 1 };
        let run = Self::pick(numbers, &self.runs, nobody);
        match numbers.below(18) {
            0..=3 => Submit { home, serial: self.serials[home.0 as usize] + 1 },
            4..=6 => NodeIdle { node },
            7 => OwnerBack { station: home },
            8 => Checkpointed { run, checkpoint: Checkpoint(self.now as u32) },
            9 => Vacated { run },
            10 => Finished { run },
            11 => Heard { run },
            12 => NodeLost { node },
            13 => Hold { job: run.job },
            14 => Release { job: run.job },
            15 | 16 => SetWeight { station: home, weight: numbers.below(4) as u16 },
            _ => Limit { job: run.job, limit: Duration::from_ticks(90_000) },
        }
    }

    fn shared(&mut self) -> Command {
        use cluster::Command::*;
        let numbers = &mut self.numbers;
        let host = HostId(numbers.below(HOSTS as u64 + 1) as u32);
        let boot = &mut self.boots[host.0 as usize];
        let job = Bank::shared_job(Self::pick(numbers, &self.shared, Name::default()));
        Command::Shared(match numbers.below(8) {
            0..=2 => {
                let load = Load::from_thousandths(numbers.below(1001) as u16);
                let heard = cluster::Batch { boot: *boot, number: numbers.below(6) as u32 };
                HostReport { host, load, speed: Speed::NOMINAL, heard }
            }
            3 | 4 => {
                return Command::Run {
                    serial: Self::serial(numbers, self.serial),
                    user: UserId(numbers.below(3) as u32),
                    hosts: numbers.below(4) as u32,
                    synchronising: false,
                    terms: cluster::Terms::default(),
                };
            }
            5 => Ended { job },
            6 => Kill { job },
            _ => {
                *boot += 1;
                HostLost { host }
            }
        })
    }

    /// What became of a command.
    pub(crate) fn learn(&mut self, command: &Command, answer: &Answer) {
        self.serial = command.serial().unwrap_or(self.serial);
        match (command, answer) {
            (_, Answer::Leased { lease, .. }) => self.leases.push(*lease),
            (_, Answer::Reserved { reservation, .. }) => self.reservations.push(*reservation),
            (Command::Run { .. }, Answer::Job { job }) => self.shared.push(*job),
            (Command::Station(message), _) => {
                if let station::Command::Submit { home, serial } = message.command {
                    self.serials[home.0 as usize] = serial;
                }
            }
            _ => {}
        }
    }

    /// Takes effects, all or none, and remembers runs.
    pub(crate) fn hear(&mut self, bank: &mut Durable<Bank<'_>>) -> Vec<Effect> {
        let most = [0, 2, usize::MAX][self.numbers.below(3) as usize];
        let told = std::iter::from_fn(|| bank.take_effect()).take(most);
        let effects: Vec<_> = told.map(|told| told.effect).collect();
        for effect in &effects {
            if let Effect::Station(
                station::Effect::Place { run, .. } | station::Effect::Resume { run, .. },
            ) = effect
            {
                self.runs.push(*run);
            }
        }
        effects
    }
}

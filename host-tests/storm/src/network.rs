//! The network between services and machines: what is sent is late, lost, doubled, overtaken or damaged.

use crate::context::{Pool, Service};
use crate::figures::Figures;
use crate::machines::MACHINES;
use crate::numbers::Numbers;
use crate::time::SECOND;
use locox::coordinate::EffectRecord;
use locox::station::{Effect, Message, Sender};

/// Something under way.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Packet {
    /// From a host: what it reports.
    Report { pool: Pool, message: Message },
    /// From a home: a job.
    Submission { pool: Pool, home: usize, serial: u32 },
    /// To a host: that a message of it was taken, and up to which number effects were told then.
    Answer { pool: Pool, to: Sender, effects: u64 },
    /// To a host: that its boot is over.
    BootOver { pool: Pool, to: Sender },
    /// To a home: that its submission was taken, or is old.
    Named { pool: Pool, home: usize, serial: u32 },
    /// To a host: what it is to do.
    Told { pool: Pool, host: usize, told: EffectRecord<Effect> },
    /// What stands in it is not what was sent.
    Damaged {
        report: Option<(Pool, Message)>,
        told: Option<(Pool, EffectRecord<Effect>)>,
        of: Service,
    },
}

impl Packet {
    /// The service at one of its ends.
    pub(crate) const fn service(&self) -> Service {
        match self {
            Self::Report { pool, .. }
            | Self::Submission { pool, .. }
            | Self::Answer { pool, .. }
            | Self::BootOver { pool, .. }
            | Self::Named { pool, .. }
            | Self::Told { pool, .. } => match pool {
                Pool::Own => Service::Stations,
                Pool::Bank => Service::Bank,
            },
            Self::Damaged { of, .. } => *of,
        }
    }

    /// The same with a bit that turned on the way.
    pub(crate) const fn damaged(self) -> Self {
        let of = self.service();
        match self {
            Self::Report { pool, message } => {
                Self::Damaged { report: Some((pool, message)), told: None, of }
            }
            Self::Told { pool, told, .. } => {
                Self::Damaged { report: None, told: Some((pool, told)), of }
            }
            _ => Self::Damaged { report: None, told: None, of },
        }
    }
}

/// What the network does for a while.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Weather {
    Loss,
    Doubling,
    /// Packets are late by up to so many minutes, each by another time: they overtake each other.
    Delay,
    Damage,
}

/// What becomes of a copy of a packet.
pub(crate) struct Fate {
    pub(crate) delay: u64,
    pub(crate) damaged: bool,
}

/// How the network is.
#[derive(Debug, Default)]
pub(crate) struct Network {
    /// What, how much of it, until when.
    weather: Vec<(Weather, u64, u64)>,
    /// Until when nothing reaches a machine, and nothing that it sends arrives.
    deaf: [u64; MACHINES],
    mute: [u64; MACHINES],
}

impl Network {
    pub(crate) fn turns(&mut self, weather: Weather, much: u64, until: u64) {
        self.weather.push((weather, much, until));
    }

    pub(crate) fn part(&mut self, machine: usize, deaf: u64, mute: u64) {
        self.deaf[machine] = self.deaf[machine].max(deaf);
        self.mute[machine] = self.mute[machine].max(mute);
    }

    pub(crate) fn calm(&mut self) {
        *self = Self::default();
    }

    /// What becomes of a packet between a service and a machine: none, one or two copies arrive.
    pub(crate) fn fates(
        &mut self,
        machine: usize,
        to_service: bool,
        now: u64,
        numbers: &mut Numbers,
        figures: &mut Figures,
    ) -> Vec<Fate> {
        figures.packets += 1;
        let parted = if to_service { self.mute[machine] } else { self.deaf[machine] };
        if parted > now {
            figures.parted += 1;
            return vec![];
        }
        self.weather.retain(|(.., until)| *until > now);
        let [mut loss, mut doubling, mut late, mut damage] = [0; 4];
        for (weather, much, _) in &self.weather {
            match weather {
                Weather::Loss => loss = *much,
                Weather::Doubling => doubling = *much,
                Weather::Delay => late = *much,
                Weather::Damage => damage = *much,
            }
        }
        let copies = if doubling > 0 && numbers.chance(doubling) { 2 } else { 1 };
        figures.doubled += copies - 1;
        let mut fates = vec![];
        for _ in 0..copies {
            if loss > 0 && numbers.chance(loss) {
                figures.lost += 1;
                continue;
            }
            let mut delay = numbers.between(50, 2 * SECOND);
            if late > 0 {
                delay += numbers.below(late);
                figures.late += 1;
            }
            let damaged = damage > 0 && numbers.chance(damage);
            figures.damaged += u64::from(damaged);
            fates.push(Fate { delay, damaged });
        }
        fates
    }
}

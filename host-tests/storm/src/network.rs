//! The network between services and machines: what is sent is late, lost, doubled, overtaken or damaged.

use crate::carrier::Stamp;
use crate::figures::Figures;
use crate::machines::MACHINES;
use crate::numbers::Numbers;
use crate::parts::{Pool, Service};
use crate::time::SECOND;
use locox_coordinators::coordinate::EffectRecord;
use locox_coordinators::station::{Effect, Message, Sender};
use locox_coordinators::{cluster, site};

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
    /// To a shared host: what it is to run.
    SharedTold { host: usize, stamp: Stamp, effect: cluster::Effect },
    /// From a shared host: that this has arrived.
    SharedHas { host: usize, stamp: Stamp },
    /// To a machine of the site; the machines of the run, a bit each.
    SiteTold { machine: usize, stamp: Stamp, effect: site::Effect, machines: u64 },
    /// From a machine of the site: that this has arrived.
    SiteHas { machine: usize, stamp: Stamp },
    /// From a machine of the site: what it says as its how manieth message.
    SiteSays { machine: usize, number: u64, command: site::Command },
    /// To a machine of the site: that this message was answered.
    SiteHeard { machine: usize, number: u64 },
    /// What stands in it is not what was sent.
    Damaged { report: Option<Message>, told: Option<EffectRecord<Effect>>, of: Service },
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
            Self::SharedTold { .. } | Self::SharedHas { .. } => Service::Bank,
            Self::SiteTold { .. }
            | Self::SiteHas { .. }
            | Self::SiteSays { .. }
            | Self::SiteHeard { .. } => Service::Site,
            Self::Damaged { of, .. } => *of,
        }
    }

    /// The same with a bit that turned on the way.
    pub(crate) const fn damaged(self) -> Self {
        let of = self.service();
        match self {
            Self::Report { message, .. } => Self::Damaged { report: Some(message), told: None, of },
            Self::Told { told, .. } => Self::Damaged { report: None, told: Some(told), of },
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

    /// Whether what a machine says arrives now.
    pub(crate) fn hears(&self, machine: usize, now: u64) -> bool {
        self.mute[machine] <= now
    }

    /// How often in a thousand something is damaged.
    pub(crate) fn damage(&self, now: u64) -> u64 {
        let is_now = |it: &&(Weather, u64, u64)| it.0 == Weather::Damage && it.2 > now;
        self.weather.iter().find(is_now).map_or(0, |(_, much, _)| *much)
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

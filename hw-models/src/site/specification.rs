//! What machines, interconnects and kinds of jobs are specified by, and what times follow from that.
//!
//! Collins and George 2001, section 3, name "number of processors, memory, stable storage space, and
//! operating system" of a machine, its performance rating, and bandwidth, latency and traffic of an
//! interconnect, but no formula. Here a machine takes the work by its speed, and a [link](Link) what the
//! kernel says.

use super::{Decimal, Fault};
use locox::mapping::{Link, Traffic};
use locox::time::Duration;

/// Times that are computed are whole numbers of these parts of a unit of time.
pub(super) const PARTS: u64 = 1_000_000;

/// What a machine can do, or what a job needs.
#[derive(Clone, Debug, Default)]
pub struct Abilities {
    /// Processors.
    pub processors: Option<Decimal>,
    /// Memory, in any unit; of a job that of each process.
    pub memory: Option<Decimal>,
    /// Stable storage, in any unit.
    pub storage: Option<Decimal>,
    /// The operating system.
    pub system: Option<String>,
}

/// A kind of jobs.
#[derive(Clone, Debug)]
pub struct Kind {
    /// Its name.
    pub name: String,
    /// What it takes on a machine of speed 1.
    pub work: Option<Decimal>,
    /// What a machine must have at least.
    pub needs: Abilities,
    /// What it sends on a cluster; `None`: it runs on none.
    pub traffic: Option<Traffic>,
}

/// An interconnect.
#[derive(Clone, Copy, Debug)]
pub struct Wire {
    /// What a message takes; `None`: nothing.
    pub latency: Option<Decimal>,
    /// Bytes a unit of time; `None`: without a bound.
    pub bandwidth: Option<Decimal>,
    /// Of these, those that are taken by others.
    pub taken: Option<Decimal>,
    /// Whether members do not share the bandwidth.
    pub is_switched: bool,
}

impl Abilities {
    /// Whether a machine of these can run what has those needs.
    fn meet(&self, needs: &Self) -> bool {
        let pairs = [
            (self.processors, needs.processors),
            (self.memory, needs.memory),
            (self.storage, needs.storage),
        ];
        let is_enough = |has: Option<Decimal>, needs: Option<Decimal>| {
            needs.is_none_or(|needs| has.is_some_and(|has| has.value() >= needs.value()))
        };
        pairs.into_iter().all(|(has, needs)| is_enough(has, needs))
            && needs.system.as_ref().is_none_or(|system| self.system.as_ref() == Some(system))
    }
}

impl Kind {
    /// What a machine of these abilities and this speed takes; `None`: it cannot run such jobs.
    pub(super) fn time(
        &self,
        abilities: &Abilities,
        speed: Option<Decimal>,
        name: &str,
    ) -> Result<Option<Decimal>, Fault> {
        if !abilities.meet(&self.needs) {
            return Ok(None);
        }
        let (kind, on) = (self.name.clone(), name.to_owned());
        let Some((work, speed)) = self.work.zip(speed) else {
            return Err(Fault::NoSpeed { kind, on });
        };
        let time = work.over(speed, PARTS).ok_or(Fault::TooLong { kind, on })?;
        Ok(Some(Decimal::parts(time, PARTS)))
    }
}

impl Wire {
    /// In parts; `None` if its numbers are too large.
    pub(super) fn time(&self, traffic: Traffic, members: usize) -> Option<Duration> {
        let or_none = |it: Option<Decimal>, factor| it.unwrap_or(Decimal::ZERO).ticks(factor);
        let link = Link {
            latency: Duration::from_ticks(or_none(self.latency, PARTS)?),
            bytes: or_none(self.bandwidth, 1)?,
            per: Duration::from_ticks(PARTS),
            taken: or_none(self.taken, 1)?,
        };
        let bytes = if self.bandwidth.is_some() { traffic.bytes } else { 0 };
        let sharing = if self.is_switched { 1 } else { members };
        Some(link.time(&Traffic { bytes, ..traffic }, sharing))
    }
}

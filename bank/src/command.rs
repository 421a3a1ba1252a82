//! What a bank is told.

use crate::Name;
use locox::cube::Dim;
use locox::image::{BadImage, Stored};
use locox::timeshare::UserId;
use locox_coordinators::cluster::Terms;
use locox_coordinators::{cluster, station};
use serde::{Deserialize, Serialize};

/// What a bank is told: durable before it is answered.
///
/// What grants something has a *serial*, as a submission to workstations does: each one is the last one plus one, from
/// 1 on. Whoever got no answer says the same again and gets the answer that was lost. A serial of 0 is none: the
/// grant cannot be reached again but by [listing](crate::Question::Leases) what there is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Command {
    /// Nothing but time passed.
    Tick,
    /// A subcube of this dimension is wanted.
    Lease {
        /// Its serial; 0 for none.
        serial: u32,
        /// The dimension.
        dim: Dim,
    },
    /// A subcube is given back.
    Free {
        /// Its lease.
        lease: Name,
    },
    /// A node of the cube is out of service.
    Withdraw {
        /// Its address.
        node: u32,
        /// Whether it failed; else it is drained.
        failed: bool,
    },
    /// A node of the cube serves again.
    Repair {
        /// Its address.
        node: u32,
    },
    /// PEs are wanted for a while, the earliest that will do.
    Reserve {
        /// Its serial; 0 for none.
        serial: u32,
        /// How many.
        pes: u32,
        /// For how many ticks.
        duration: u64,
        /// Not before this tick.
        ready: u64,
        /// Done by this tick; [`Command::NO_DEADLINE`] for whenever.
        deadline: u64,
    },
    /// A reservation is called off, or over early.
    Cancel {
        /// Its name.
        reservation: Name,
    },
    /// A PE of the timeline is out of service.
    FailPe {
        /// Its number.
        pe: u32,
    },
    /// A PE of the timeline serves again.
    RepairPe {
        /// Its number.
        pe: u32,
    },
    /// What happened among the workstations.
    Station(station::Message),
    /// What happened on the shared hosts, but no submission: that is [`Command::Run`].
    Shared(cluster::Command),
    /// A job is to run on shared hosts.
    Run {
        /// Its serial; 0 for none.
        serial: u32,
        /// Whose it is.
        user: UserId,
        /// On how many hosts.
        hosts: u32,
        /// Whether its first process synchronises the others.
        synchronising: bool,
        /// On these terms.
        terms: Terms,
    },
}

impl Command {
    /// The deadline of a reservation without one.
    pub const NO_DEADLINE: u64 = u64::MAX;

    /// The serial of what grants something, if it has one.
    pub const fn serial(&self) -> Option<u32> {
        match self {
            Self::Lease { serial, .. }
            | Self::Reserve { serial, .. }
            | Self::Run { serial, .. }
                if *serial != 0 =>
            {
                Some(*serial)
            }
            _ => None,
        }
    }
}

/// From here on the variants of [`cluster::Command`]; before, those of [`station::Command`].
const SHARED: u32 = 64;
/// From here on the bank's own.
const OWN: u32 = 128;

/// The variant first, as records want it: parts keep theirs, each from a number of its own on.
impl Stored for Command {
    fn store(&self, put: &mut impl FnMut(u32)) {
        let mut own = |variant: u32, words: &[u32]| {
            put(OWN + variant);
            words.iter().for_each(|word| put(*word));
        };
        let halves = |it: u64| [it as u32, (it >> 32) as u32];
        match *self {
            Self::Tick => own(0, &[]),
            Self::Lease { serial, dim } => own(1, &[serial, dim.get().into()]),
            Self::Free { lease } => own(2, &[lease.index, lease.generation]),
            Self::Withdraw { node, failed } => own(3, &[node, failed.into()]),
            Self::Repair { node } => own(4, &[node]),
            Self::Reserve { serial, pes, duration, ready, deadline } => {
                let ([a, b], [c, d], [e, f]) = (halves(duration), halves(ready), halves(deadline));
                own(5, &[serial, pes, a, b, c, d, e, f]);
            }
            Self::Cancel { reservation } => own(6, &[reservation.index, reservation.generation]),
            Self::FailPe { pe } => own(7, &[pe]),
            Self::RepairPe { pe } => own(8, &[pe]),
            Self::Station(message) => message.store(put),
            Self::Run { serial, user, hosts, synchronising, terms } => {
                own(9, &[serial, user.0, hosts, synchronising.into()]);
                terms.store(put);
            }
            Self::Shared(command) => shifted(SHARED, put, |mut put| command.store(&mut put)),
        }
    }

    fn load(take: &mut impl FnMut() -> Result<u32, BadImage>) -> Result<Self, BadImage> {
        let variant = take()?;
        if variant < SHARED {
            return Stored::load(&mut first(variant, take)).map(Self::Station);
        }
        if variant < OWN {
            return Stored::load(&mut first(variant - SHARED, take)).map(Self::Shared);
        }
        Ok(match variant - OWN {
            0 => Self::Tick,
            1 => Self::Lease { serial: take()?, dim: dim(take()?)? },
            2 => Self::Free { lease: name(take)? },
            3 => Self::Withdraw { node: take()?, failed: take()? != 0 },
            4 => Self::Repair { node: take()? },
            5 => Self::Reserve {
                serial: take()?,
                pes: take()?,
                duration: Stored::load(take)?,
                ready: Stored::load(take)?,
                deadline: Stored::load(take)?,
            },
            6 => Self::Cancel { reservation: name(take)? },
            7 => Self::FailPe { pe: take()? },
            8 => Self::RepairPe { pe: take()? },
            9 => Self::Run {
                serial: take()?,
                user: UserId(take()?),
                hosts: take()?,
                synchronising: take()? != 0,
                terms: Stored::load(take)?,
            },
            _ => return Err(BadImage::Contradiction("no such command")),
        })
    }
}

fn dim(word: u32) -> Result<Dim, BadImage> {
    let dim = u8::try_from(word).ok().and_then(Dim::new);
    dim.ok_or(BadImage::Contradiction("no such dimension"))
}

pub(crate) fn name(take: &mut impl FnMut() -> Result<u32, BadImage>) -> Result<Name, BadImage> {
    Ok(Name { index: take()?, generation: take()? })
}

/// Passes words on, `by` more than it is the first one.
pub(crate) fn shifted<P: FnMut(u32)>(
    by: u32,
    put: &mut P,
    store: impl FnOnce(&mut dyn FnMut(u32)),
) {
    let mut by = Some(by);
    store(&mut |word| put(word.wrapping_add(by.take().unwrap_or(0))));
}

/// Gives `word` before what `take` gives.
pub(crate) fn first(
    word: u32,
    take: &mut impl FnMut() -> Result<u32, BadImage>,
) -> impl FnMut() -> Result<u32, BadImage> {
    let mut word = Some(word);
    move || word.take().map_or_else(&mut *take, Ok)
}

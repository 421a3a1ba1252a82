//! What a bank has done.

use crate::Name;
use crate::command::{first, name, shifted};
use core::fmt;
use locox::image::{BadImage, Stored};
use locox_coordinators::{cluster, station};
use serde::{Deserialize, Serialize};

/// Who is hit by an outage: its nodes or PEs are not all there any more. It keeps them until it
/// gives them back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Hit {
    /// Holds a node of the cube that is out.
    Lease(Name),
    /// Holds a PE that is out.
    Reservation(Name),
}

/// What is to be done, or to be known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Effect {
    /// By whoever has been hit.
    Hit(Hit),
    /// By a workstation.
    Station(station::Effect),
    /// By a shared host.
    Shared(cluster::Effect),
}

impl fmt::Display for Hit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Lease(name) => write!(f, "hit: lease {name}"),
            Self::Reservation(name) => write!(f, "hit: reservation {name}"),
        }
    }
}

impl fmt::Display for Effect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Hit(hit) => hit.fmt(f),
            Self::Station(effect) => effect.fmt(f),
            Self::Shared(effect) => effect.fmt(f),
        }
    }
}

/// As in [`Command`](crate::Command).
const SHARED: u32 = 64;
const OWN: u32 = 128;

impl Stored for Effect {
    fn store(&self, put: &mut impl FnMut(u32)) {
        match self {
            Self::Hit(hit) => {
                let (variant, name) = match hit {
                    Hit::Lease(name) => (OWN, name),
                    Hit::Reservation(name) => (OWN + 1, name),
                };
                [variant, name.index, name.generation].into_iter().for_each(put);
            }
            Self::Station(effect) => effect.store(put),
            Self::Shared(effect) => shifted(SHARED, put, |mut put| effect.store(&mut put)),
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
        let hit = [Hit::Lease, Hit::Reservation].get((variant - OWN) as usize).copied();
        let hit = hit.ok_or(BadImage::Contradiction("no such effect"))?;
        name(take).map(hit).map(Self::Hit)
    }
}

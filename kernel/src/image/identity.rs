//! Of what an image or a record is, and when it was made.

use crate::handle::PoolId;
use crate::stored;

/// Of what an image or a record is. Only a coordinator of the same identity takes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Identity {
    /// The kind of coordinator, by four letters.
    pub kind: [u8; 4],
    /// The version of what it stores.
    pub version: u16,
    /// Its pool.
    pub pool: PoolId,
    /// The digest of its configuration.
    pub configuration: u32,
}

impl Identity {
    /// In the first version of what it stores.
    pub const fn of(kind: [u8; 4], pool: PoolId, configuration: u32) -> Self {
        Self { kind, version: 1, pool, configuration }
    }
}

/// A place in the history of a coordinator.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// Commands taken so far.
    pub commands: u64,
    /// Effects taken so far.
    pub effects: u64,
}

impl Place {
    /// Before everything.
    pub const START: Self = Self { commands: 0, effects: 0 };
}

stored!(Place { commands, effects });

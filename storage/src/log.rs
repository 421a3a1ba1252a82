//! A history that is written as a run goes.

use locox::draw::Draw;
use locox::image::{Identity, Place, Stored};
use locox::time::Instant;
use locox_coordinators::coordinate::{CommandRecord, Coordinate, Record};

/// The history of a run, as [`Files`](crate::Files) stores it, for whoever drives a coordinator and
/// wants no store: a model, a test, a program whose run is to be replayed elsewhere
/// ([`replay_history`](crate::replay_history)).
// Invariants of the fields:
//
// - The bytes are an image and the records of `place.commands` commands.
#[derive(Clone, Debug)]
pub struct Log {
    identity: Identity,
    place: Place,
    bytes: Vec<u8>,
}

impl Log {
    /// From what a coordinator is now.
    pub fn begin<C: Coordinate>(coordinator: &C) -> Self {
        let mut bytes = vec![];
        coordinator.export(&mut |word| bytes.extend(word.to_le_bytes()));
        Self { identity: coordinator.identity(), place: Place::START, bytes }
    }

    /// The coordinator took a command.
    pub fn command<C: Stored, D: Draw>(&mut self, now: Instant, command: C, draw: D) {
        self.place.commands += 1;
        let (number, effects) = (self.place.commands, self.place.effects as u32);
        let said = CommandRecord { number, now, effects, draw, command: Some(command) };
        self.bytes.extend(Record::of_command(&self.identity, &said).bytes());
    }

    /// An effect was taken.
    pub const fn effect(&mut self) {
        self.place.effects += 1;
    }

    /// How many commands it has.
    pub const fn commands(&self) -> u64 {
        self.place.commands
    }

    /// The history.
    pub fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }
}

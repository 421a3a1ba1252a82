//! Names of users, groups and partitions, and the numbers that they get.

use crate::memory::{Full, Room};
use std::collections::HashMap;

/// Bytes that are kept of all names together at most, and what a name takes beside its text.
pub(super) const LONGEST: u64 = 1 << 24;
const OF_NAME: u64 = 64;

/// Numbers from 1 on, in the order in which the names were met first.
#[derive(Debug, Default)]
pub(super) struct Names(HashMap<Box<str>, u32>);

impl Names {
    /// The name's number; 0 if there is no name.
    ///
    /// # Errors
    ///
    /// That there is no room for a new one.
    pub(super) fn number(&mut self, name: &str, room: &mut Room) -> Result<u32, Full> {
        if name.is_empty() {
            return Ok(0);
        }
        if let Some(&number) = self.0.get(name) {
            return Ok(number);
        }
        room.take(OF_NAME + name.len() as u64)?;
        let number = self.0.len() as u32 + 1;
        self.0.insert(name.into(), number);
        Ok(number)
    }

    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    /// All numbers with their names, the latter without what could command a terminal, and of long ones the beginning: a line of a
    /// trace has an end.
    pub(super) fn legend(&self) -> Vec<(u32, String)> {
        const SHOWN: usize = 255;
        let begin = |name: &str| name.chars().take(SHOWN).collect::<String>();
        let plain = |name: &str| begin(name).replace(char::is_control, "?");
        let mut all: Vec<_> = self.0.iter().map(|(name, &number)| (number, plain(name))).collect();
        all.sort_unstable();
        all
    }
}

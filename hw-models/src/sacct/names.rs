//! Names of users, groups and partitions, and the numbers that they get.

use std::collections::HashMap;

/// Numbers from 1 on, in the order in which the names were met first.
#[derive(Debug, Default)]
pub(super) struct Names {
    numbers: HashMap<Box<str>, u32>,
    names: Vec<Box<str>>,
}

impl Names {
    /// The name's number; 0 if there is no name.
    pub(super) fn number(&mut self, name: &str) -> u32 {
        if name.is_empty() {
            return 0;
        }
        if let Some(&number) = self.numbers.get(name) {
            return number;
        }
        self.names.push(name.into());
        let number = self.names.len() as u32;
        self.numbers.insert(name.into(), number);
        number
    }

    pub(super) fn len(&self) -> usize {
        self.names.len()
    }

    /// All numbers with their names, the latter without what could command a terminal.
    pub(super) fn legend(&self) -> impl Iterator<Item = (usize, String)> {
        let plain = |name: &str| name.replace(char::is_control, "?");
        (1..).zip(&self.names).map(move |(number, name)| (number, plain(name)))
    }
}

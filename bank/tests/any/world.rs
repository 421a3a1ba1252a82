//! A bank with its flash in memory.

use locox::coordinate::Durable;
use locox::time::Instant;
use locox_bank::{Bank, Rows};
use locox_storage::{DurableCoordinator, Flash, Nor};
use std::cell::Cell;

pub(crate) const FLASH: usize = 32 << 10;

/// What a board has.
pub(crate) struct Board {
    pub(crate) rows: Rows,
    pub(crate) cells: Vec<u8>,
}

pub(crate) type Stored<'a> = DurableCoordinator<Bank<'a>, Flash<Nor<'a>>>;

impl Board {
    pub(crate) fn new() -> Self {
        Self { rows: Rows::EMPTY, cells: vec![0xFF; FLASH] }
    }

    pub(crate) fn format<'a>(&'a mut self, left: &'a Cell<u32>) -> Stored<'a> {
        let flash = Flash::new(Nor::new(&mut self.cells, left)).unwrap();
        let bank = Bank::new(&mut self.rows, Instant::ZERO).unwrap();
        DurableCoordinator::format(bank, flash).expect("a flash that works")
    }

    pub(crate) fn recover<'a>(&'a mut self, left: &'a Cell<u32>) -> Stored<'a> {
        let flash = Flash::new(Nor::new(&mut self.cells, left)).unwrap();
        let bank = Bank::new(&mut self.rows, Instant::ZERO).unwrap();
        DurableCoordinator::recover(bank, flash).expect("nothing is damaged").0
    }
}

pub(crate) fn image(bank: &Durable<Bank<'_>>) -> Vec<u32> {
    let mut words = vec![];
    bank.export(&mut |word| words.push(word));
    words
}

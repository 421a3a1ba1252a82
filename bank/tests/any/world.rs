//! A bank with its flash in memory.

use embedded_storage::nor_flash::{ErrorType, NorFlash, ReadNorFlash};
use locox::time::Instant;
use locox_bank::{Bank, Rows};
use locox_coordinators::coordinate::Durable;
use locox_storage::{Cut, DurableCoordinator, Flash, Nor};
use std::cell::{Cell, RefCell};

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

/// A flash that two controllers are wired to, or a test.
#[derive(Clone, Copy)]
pub(crate) struct Shared<'a>(pub(crate) &'a RefCell<Nor<'a>>);

impl ErrorType for Shared<'_> {
    type Error = Cut;
}

impl ReadNorFlash for Shared<'_> {
    const READ_SIZE: usize = Nor::READ_SIZE;

    fn read(&mut self, offset: u32, bytes: &mut [u8]) -> Result<(), Cut> {
        self.0.borrow_mut().read(offset, bytes)
    }

    fn capacity(&self) -> usize {
        self.0.borrow().capacity()
    }
}

impl NorFlash for Shared<'_> {
    const WRITE_SIZE: usize = Nor::WRITE_SIZE;
    const ERASE_SIZE: usize = Nor::ERASE_SIZE;

    fn erase(&mut self, from: u32, to: u32) -> Result<(), Cut> {
        self.0.borrow_mut().erase(from, to)
    }

    fn write(&mut self, offset: u32, bytes: &[u8]) -> Result<(), Cut> {
        self.0.borrow_mut().write(offset, bytes)
    }
}

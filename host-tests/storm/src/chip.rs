//! The flash of a bank: cells that outlive it, in which the power can be cut.

use embedded_storage::nor_flash::{ErrorType, NorFlash, ReadNorFlash};
use locox_storage::{Cut, Nor};
use std::cell::{Cell, RefCell};
use std::rc::Rc;

/// Twice the room of an image, and of some records.
const CELLS: usize = 32 << 10;

/// A chip that others hold as well.
#[derive(Clone, Debug)]
pub(crate) struct Chip {
    cells: Rc<RefCell<Vec<u8>>>,
    left: Rc<Cell<u32>>,
}

impl Chip {
    pub(crate) fn new() -> Self {
        Self::of(vec![0xFF; CELLS])
    }

    /// Another one with these cells.
    pub(crate) fn of(cells: Vec<u8>) -> Self {
        Self { cells: Rc::new(RefCell::new(cells)), left: Rc::new(Cell::new(Nor::FOR_EVER)) }
    }

    pub(crate) fn cells(&self) -> Vec<u8> {
        self.cells.borrow().clone()
    }

    pub(crate) fn put(&self, cells: &[u8]) {
        self.cells.borrow_mut().copy_from_slice(cells);
    }

    /// The power is cut within a write, after so many others.
    pub(crate) fn cut_after(&self, writes: u32) {
        self.left.set(writes);
    }

    pub(crate) fn is_off(&self) -> bool {
        self.left.get() == Nor::OFF
    }

    pub(crate) fn turn_on(&self) {
        self.left.set(Nor::FOR_EVER);
    }

    /// One bit turns.
    pub(crate) fn turn_bit(&self, number: u64) {
        let bit = number as usize % (CELLS * 8);
        if let Some(cell) = self.cells.borrow_mut().get_mut(bit / 8) {
            *cell ^= 1 << (bit % 8);
        }
    }
}

impl ErrorType for Chip {
    type Error = Cut;
}

impl ReadNorFlash for Chip {
    const READ_SIZE: usize = Nor::READ_SIZE;

    fn read(&mut self, offset: u32, bytes: &mut [u8]) -> Result<(), Cut> {
        Nor::new(&mut self.cells.borrow_mut(), &self.left).read(offset, bytes)
    }

    fn capacity(&self) -> usize {
        CELLS
    }
}

impl NorFlash for Chip {
    const WRITE_SIZE: usize = Nor::WRITE_SIZE;
    const ERASE_SIZE: usize = Nor::ERASE_SIZE;

    fn erase(&mut self, from: u32, to: u32) -> Result<(), Cut> {
        Nor::new(&mut self.cells.borrow_mut(), &self.left).seeded(from).erase(from, to)
    }

    fn write(&mut self, offset: u32, bytes: &[u8]) -> Result<(), Cut> {
        Nor::new(&mut self.cells.borrow_mut(), &self.left).seeded(offset).write(offset, bytes)
    }
}

//! NOR flash in memory, in which the power can be cut.

use core::cell::Cell;
use embedded_storage::nor_flash::{
    ErrorType, NorFlash, NorFlashError, NorFlashErrorKind, ReadNorFlash,
};

/// The power was cut within a write or an erasure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cut;

impl NorFlashError for Cut {
    fn kind(&self) -> NorFlashErrorKind {
        NorFlashErrorKind::Other
    }
}

/// NOR flash in memory, for tests and for boards without one: bits go from one to zero by writes,
/// and back by erasures of whole pages.
// Invariants of the fields:
//
// - As many more words or pages are changed as `left` says; the one after them only in some of its
//   bits, and then nothing more: [`Nor::OFF`].
#[derive(Debug)]
pub struct Nor<'a> {
    cells: &'a mut [u8],
    left: &'a Cell<u32>,
    /// Which bits a cut still lets change follows from it.
    seed: u32,
}

impl<'a> Nor<'a> {
    /// No cut.
    pub const FOR_EVER: u32 = u32::MAX;
    /// The power was cut.
    pub const OFF: u32 = u32::MAX - 1;

    /// A flash over cells, whatever they hold.
    pub const fn new(cells: &'a mut [u8], left: &'a Cell<u32>) -> Self {
        Self { cells, left, seed: 0 }
    }

    /// Another seed, for cuts that let other bits change.
    pub const fn seeded(self, seed: u32) -> Self {
        Self { seed, ..self }
    }

    /// Passes over the cells from `offset` on; `change` says what one becomes.
    fn step(
        &mut self,
        offset: usize,
        count: usize,
        mut change: impl FnMut(u8) -> u8,
    ) -> Result<(), Cut> {
        let left = self.left.get();
        match left {
            Self::OFF => return Err(Cut),
            Self::FOR_EVER => {}
            0 => self.left.set(Self::OFF),
            _ => self.left.set(left - 1),
        }
        let mut number = self.seed;
        let end = offset.checked_add(count).ok_or(Cut)?;
        for cell in self.cells.get_mut(offset..end).ok_or(Cut)? {
            let whole = change(*cell);
            if left > 0 {
                *cell = whole;
                continue;
            }
            number = number.wrapping_mul(747_796_405).wrapping_add(2_891_336_453);
            let changed = (number >> 24) as u8;
            *cell = (whole & changed) | (*cell & !changed);
        }
        if left == 0 { Err(Cut) } else { Ok(()) }
    }
}

impl ErrorType for Nor<'_> {
    type Error = Cut;
}

impl ReadNorFlash for Nor<'_> {
    const READ_SIZE: usize = 1;

    fn read(&mut self, offset: u32, bytes: &mut [u8]) -> Result<(), Cut> {
        let cells = self.cells.get(offset as usize..).ok_or(Cut)?;
        if cells.len() < bytes.len() {
            return Err(Cut);
        }
        bytes.iter_mut().zip(cells).for_each(|(to, from)| *to = *from);
        Ok(())
    }

    fn capacity(&self) -> usize {
        self.cells.len()
    }
}

impl NorFlash for Nor<'_> {
    const WRITE_SIZE: usize = 4;
    const ERASE_SIZE: usize = 1024;

    fn erase(&mut self, from: u32, to: u32) -> Result<(), Cut> {
        for page in (from as usize..to as usize).step_by(Self::ERASE_SIZE) {
            self.step(page, Self::ERASE_SIZE, |_| 0xFF)?;
        }
        Ok(())
    }

    fn write(&mut self, offset: u32, bytes: &[u8]) -> Result<(), Cut> {
        for (at, word) in (offset as usize..).step_by(4).zip(bytes.chunks(4)) {
            let mut bytes = word.iter();
            self.step(at, word.len(), |cell| cell & bytes.next().unwrap_or(&0xFF))?;
        }
        Ok(())
    }
}

//! What stands for a flash: it holds anything, and can fail.

use crate::doubles::Fault;
use embedded_storage::nor_flash::{
    ErrorType, NorFlash, NorFlashError, NorFlashErrorKind, ReadNorFlash,
};

/// Asked for each byte that is read or written, and for its capacity.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Medium(fn(usize) -> Result<usize, Fault>);

impl NorFlashError for Fault {
    fn kind(&self) -> NorFlashErrorKind {
        NorFlashErrorKind::Other
    }
}

impl ErrorType for Medium {
    type Error = Fault;
}

impl ReadNorFlash for Medium {
    const READ_SIZE: usize = 1;

    fn read(&mut self, offset: u32, bytes: &mut [u8]) -> Result<(), Fault> {
        for byte in bytes {
            *byte = (self.0)(offset as usize)? as u8;
        }
        Ok(())
    }

    fn capacity(&self) -> usize {
        (self.0)(0).unwrap_or(0)
    }
}

impl NorFlash for Medium {
    const WRITE_SIZE: usize = 4;
    const ERASE_SIZE: usize = 1024;

    fn erase(&mut self, from: u32, to: u32) -> Result<(), Fault> {
        (self.0)(from as usize)?;
        (self.0)(to as usize).map(drop)
    }

    fn write(&mut self, offset: u32, bytes: &[u8]) -> Result<(), Fault> {
        for byte in bytes {
            (self.0)(offset as usize | usize::from(*byte))?;
        }
        Ok(())
    }
}

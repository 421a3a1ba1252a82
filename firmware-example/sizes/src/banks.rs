use crate::{now, read, tell, write};
use core::convert::Infallible;
use core::hint::black_box;
use embedded_storage::nor_flash::{ErrorType, NorFlash, ReadNorFlash};
use locox::time::Instant;
use locox_bank::{Bank, Rows, SerialServer};
use locox_storage::{DurableCoordinator, Flash};

/// A flash of some registers.
struct Cells;

impl ErrorType for Cells {
    type Error = Infallible;
}

impl ReadNorFlash for Cells {
    const READ_SIZE: usize = 1;

    fn read(&mut self, offset: u32, bytes: &mut [u8]) -> Result<(), Infallible> {
        write(offset);
        bytes.iter_mut().for_each(|byte| *byte = read() as u8);
        Ok(())
    }

    fn capacity(&self) -> usize {
        64 * 1024
    }
}

impl NorFlash for Cells {
    const WRITE_SIZE: usize = 4;
    const ERASE_SIZE: usize = 1024;

    fn erase(&mut self, from: u32, to: u32) -> Result<(), Infallible> {
        write(from);
        write(to);
        Ok(())
    }

    fn write(&mut self, offset: u32, bytes: &[u8]) -> Result<(), Infallible> {
        write(offset);
        bytes.iter().for_each(|byte| write(u32::from(*byte)));
        Ok(())
    }
}

/// A bank that goes on from its flash, or begins, behind a serial line.
pub fn bank(rows: &'static mut Rows) -> Option<()> {
    let (bank, flash) = (Bank::new(rows, Instant::ZERO)?, Flash::new(Cells).ok()?);
    let durable = match read() {
        0 => DurableCoordinator::format(bank, flash).ok()?,
        _ => DurableCoordinator::recover(bank, flash).ok()?.0,
    };
    let mut server = SerialServer::new(durable, |bound| tell(&bound));
    let server = black_box(&mut server);
    let out = &mut |bytes: &[u8]| bytes.iter().for_each(|byte| write(u32::from(*byte)));
    loop {
        match read() {
            0 => server.silence(now(), out),
            1 => server.wake(now(), out),
            _ => tell(&server.take(now(), read() as u8, out)),
        }
    }
}

//! What may keep whoever reads or writes it waiting, as a pipe does: it is opened and asked without waiting, and
//! the watch looks in between.

use super::interrupt::{PAUSE, Watch};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::OFlags;
use std::fs::{File, OpenOptions};
use std::io::{self, ErrorKind, Read, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

pub(crate) struct Patient {
    file: File,
    watch: Watch,
}

/// For one who comes before a writer.
pub(crate) fn reader(path: &Path, watch: &Watch) -> io::Result<Patient> {
    Ok(Patient { file: open(OpenOptions::new().read(true), path)?, watch: watch.clone() })
}

/// Waits for a reader.
pub(crate) fn writer(path: &Path, watch: &Watch) -> io::Result<Patient> {
    let mut watch = watch.clone();
    loop {
        match open(OpenOptions::new().write(true), path) {
            Err(fault) if fault.raw_os_error() == Some(rustix::io::Errno::NXIO.raw_os_error()) => {
                std::thread::sleep(PAUSE / 10);
                watch.look_in_between()?;
            }
            opened => return Ok(Patient { file: opened?, watch }),
        }
    }
}

fn open(options: &mut OpenOptions, path: &Path) -> io::Result<File> {
    options.custom_flags(OFlags::NONBLOCK.bits().cast_signed()).open(path)
}

impl Patient {
    /// Tries until it need not wait any more.
    fn wait<T>(
        &mut self,
        ready: PollFlags,
        mut attempt: impl FnMut(&mut File) -> io::Result<T>,
    ) -> io::Result<T> {
        let pause = Timespec { tv_sec: 0, tv_nsec: PAUSE.subsec_nanos().into() };
        loop {
            let asked = poll(&mut [PollFd::new(&self.file, ready)], Some(&pause));
            // A signal ends the wait, too.
            let is_ready = asked.or_else(|fault| match fault {
                rustix::io::Errno::INTR => Ok(0),
                fault => Err(fault),
            })?;
            self.watch.look_in_between()?;
            if is_ready == 0 {
                continue;
            }
            match attempt(&mut self.file) {
                Err(fault) if fault.kind() == ErrorKind::WouldBlock => {}
                done => return done,
            }
        }
    }
}

impl Read for Patient {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        self.wait(PollFlags::IN, |file| file.read(bytes))
    }
}

impl Write for Patient {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.wait(PollFlags::OUT, |file| file.write(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

//! Prints what the logs of a firmware say: `locox-logs FIRMWARE LOG...`. A line for each message, its
//! level first, and a line `= LOG` before those of each file. Ends with an error if bytes are no log.
//!
//! `ci/bank` builds it, with a lock file of its own, so that nobody installs a program.

use defmt_decoder::{DecodeError, Table};
use std::error::Error;
use std::path::{Path, PathBuf};

type Result<T> = std::result::Result<T, Box<dyn Error>>;

fn main() -> Result<()> {
    let mut arguments = std::env::args_os().skip(1).map(PathBuf::from);
    let firmware = arguments.next().ok_or("which firmware?")?;
    let table = Table::parse(&std::fs::read(&firmware)?)?.ok_or("the firmware does not log")?;
    for log in arguments {
        println!("= {}", log.display());
        print(&table, &log).map_err(|error| format!("{}: {error}", log.display()))?;
    }
    Ok(())
}

fn print(table: &Table, log: &Path) -> Result<()> {
    let mut decoder = table.new_stream_decoder();
    decoder.received(&std::fs::read(log)?);
    loop {
        match decoder.decode() {
            Ok(frame) => {
                let level = frame.level().map_or("print", |level| level.as_str());
                println!("{level} {}", frame.display_message());
            }
            // The power may go within a message.
            Err(DecodeError::UnexpectedEof) => return Ok(()),
            Err(DecodeError::Malformed) => return Err("what is there is no message".into()),
        }
    }
}

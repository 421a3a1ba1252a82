//! Recorded runs: files of all that a coordinator was told, from which another machine, or a later
//! version, gets the same effects and the same final state.
//!
//! A file begins with lines of text that say which coordinator it is of, and ends with its history,
//! as [`locox_storage`] stores it: an image, and 64 bytes for each command.
//!
//! ```text
//! locox recorded run 1
//! coordinator station
//! ranking round-robin
//! ...
//! history
//! ```
//!
//! This replays such files, on microcontrollers too: what a coordinator lies in comes from the heap,
//! and the kernel knows nothing of it. Models write them.
//!
//! A coordinator to come needs a file beside `station.rs` with what its lines say, and a line in
//! [`replay`]; the rest is the same for all.

#![no_std]
#![forbid(unsafe_code)]
#![warn(missing_docs)]

extern crate alloc;

pub mod cluster;
mod error;
mod head;
pub mod loads;
mod ranking;
pub mod site;
pub mod station;
mod store;
mod study;

pub use error::BadRun;
pub use ranking::{Functions, Movement, Policy, Under, Zero};
pub use store::Store;
pub use study::{SECOND, Study};

use alloc::format;
use core::fmt;
use head::Head;
use locox_storage::{BadHistory, ReplaySummary};

/// What a recorded run leads to. As text, what stands beside a file of the corpus.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Digest(ReplaySummary);

impl Digest {
    /// Records of which one bit had turned, which was turned back.
    pub const fn mended(&self) -> u32 {
        self.0.recovered.mended
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ReplaySummary { recovered, told, effects, state } = self.0;
        writeln!(f, "commands {}", recovered.replayed)?;
        writeln!(f, "effects {told} {effects:016x}")?;
        writeln!(f, "state {state:016x}")
    }
}

/// Takes a fresh coordinator through a recorded run.
///
/// # Errors
///
/// [`BadRun`].
pub fn replay(bytes: &[u8]) -> Result<Digest, BadRun> {
    let (mut head, history) = Head::read(bytes)?;
    let begins = (bytes.len() - history.len()) as u64;
    let replayed = match head.text("coordinator")? {
        "cluster" => cluster::replay(&mut head, history)?,
        "site" => site::replay(&mut head, history)?,
        "station" => station::replay(&mut head, history)?,
        other => {
            let what = format!("there is no coordinator {other:?}");
            return Err(head.wrong("coordinator", what));
        }
    };
    // Bytes are told as those of the file.
    let of_file = |bad: BadHistory| BadHistory { offset: begins + bad.offset, ..bad };
    replayed.map(Digest).map_err(|bad| BadRun::History(of_file(bad)))
}

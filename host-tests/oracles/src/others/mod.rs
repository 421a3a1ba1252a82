//! The suite for allocators that are not locox's: whoever implements [`Subject`] gets it.
//!
//! - [`walk`]: every state of a small instance, every call in each of them; the first wrong answer.
//! - [`misuse`]: in the same states calls that no client should make, and what becomes of each: refused, a panic, or taken, and
//!   whether a unit is then granted twice, or one that there is not, or lost.
//! - [`fragmentation`]: how many requests are refused though enough units are free, where they come and go at random.
//!
//! What an allocator promises, its trait says: sizes, where a block may begin, whether it finds all that is free. Memory, pages,
//! nodes, slots of a day: anything that is granted in runs of units.
//!
//! What the suite does not judge:
//!
//! - Time: a request says neither when it begins nor until when; [`Subject::may_begin`] can stand for a deadline, no more.
//! - Queues and cancels: a request is granted or refused at once, and never waits, is withdrawn or moved.
//! - Stale names: a block is named by its first unit and its size, so whoever holds it now and whoever held the same one before
//!   cannot be told apart. An allocator whose handles have generations needs a test of its own for them.
//! - A call that does not return, threads, and how long an answer takes.
//!
//! ```
//! use locox_oracles::others::{Subject, fragmentation, misuse, walk};
//!
//! /// First fit over a map of units; it takes back whatever it is given.
//! struct Mine([bool; 8]);
//!
//! impl Subject for Mine {
//!     fn name(&self) -> String {
//!         "mine".into()
//!     }
//!     fn units(&self) -> u32 {
//!         8
//!     }
//!     fn reset(&mut self) {
//!         self.0 = [false; 8];
//!     }
//!     fn allocate(&mut self, units: u32) -> Option<u32> {
//!         let size = units as usize;
//!         let begins = (0..8).step_by(size.max(1)).filter(|begin| size > 0 && begin + size <= 8);
//!         let begin = begins.into_iter().find(|&begin| !self.0[begin..begin + size].contains(&true))?;
//!         self.0[begin..begin + size].fill(true);
//!         Some(begin as u32)
//!     }
//!     fn free(&mut self, begin: u32, units: u32) -> bool {
//!         let begin = begin as usize;
//!         let Some(block) = self.0.get_mut(begin..begin.saturating_add(units as usize)) else { return false };
//!         block.fill(false);
//!         true
//!     }
//! }
//!
//! let mut mine = Mine([false; 8]);
//! // Used as it should be it is right in all 677 states.
//! assert_eq!(walk(&mut mine)?.states, 677);
//! // Half of a block that somebody holds is taken back, and granted to somebody else.
//! let table = misuse(&mut mine)?;
//! assert!(table.rows().any(|row| row.wrongly_granted > 0));
//! assert!(fragmentation(&mut mine, 1, 10_000)?.refused_though_free() > 0.0);
//! # Ok::<(), locox_oracles::others::Wrong>(())
//! ```

mod fragmentation;
mod held;
mod limits;
mod misuse;
mod run;
mod states;
mod subject;

pub use fragmentation::{Fragmentation, fragmentation};
pub use misuse::{Misuse, MisuseRow, MisuseTable, misuse};
pub use states::{Walk, walk};
pub use subject::{Block, Call, Subject, Wrong};

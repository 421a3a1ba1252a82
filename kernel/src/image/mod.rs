//! The state of a structure as words, and back: the same ones on every target.
//!
//! An image is a string of 32-bit words:
//!
//! | word | what it is |
//! |---|---|
//! | 0 | the letters `LXI` and the version of this table |
//! | 1 | of which kind of structure |
//! | 2 | the version of its contents in the lower half, the pool in the upper |
//! | 3 | the digest of the configuration |
//! | 4 | n, the number of words of contents |
//! | 5, 6 | how many commands were taken before it |
//! | 7, 8 | how many effects were taken before it |
//! | 9 | CRC-32 of the words before |
//! | 10 to n + 9 | the contents |
//! | n + 10 | CRC-32 of all words before |
//!
//! Each single bit that turned, and each end that is missing, is found; so are images of another
//! kind, version, pool or configuration. What follows the last word is not looked at.
//!
//! Pools, timelines, profiles and queues have images of their own. Those of coordinators say when they were taken;
//! `locox_coordinators::coordinate` makes them, and the records of the commands that followed.

pub(crate) mod envelope;
mod error;
mod identity;
pub(crate) mod restart;
mod snapshot;
pub(crate) mod stored;

pub use envelope::digest_of;
pub(crate) use envelope::{Reader, digest_of_all};
pub use error::BadImage;
pub use identity::{Identity, Place};
pub(crate) use restart::restart_api;
pub use snapshot::Snapshot;
pub(crate) use snapshot::load_opened;
pub use stored::Stored;
pub(crate) use stored::load_all;

/// Gives the next word of an image.
pub type Take<'a> = dyn FnMut() -> Result<u32, BadImage> + 'a;

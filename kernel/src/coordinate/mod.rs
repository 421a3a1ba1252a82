//! What every coordinator is: a state machine that firmware runs.
//!
//! Commands and the time go in, effects come out one by one, and the state goes out and in as an
//! image. Same commands at the same times, same effects, bit for bit, on every target: so a run
//! recorded on one can be replayed on another, and after a power cut.
//!
//! # Images
//!
//! An image is a string of 32-bit words, the same on every target:
//!
//! | word | what it is |
//! |---|---|
//! | 0 | the letters `LXI` and the version of this table |
//! | 1 | of which kind of structure |
//! | 2 | the version of its contents in the lower half, the pool in the upper |
//! | 3 | the digest of the configuration |
//! | 4 | n, the number of words of contents |
//! | 5 | CRC-32 of the words before |
//! | 6 to n + 5 | the contents |
//! | n + 6 | CRC-32 of all words before |
//!
//! Each single bit that turned, and each end that is missing, is found; so are images of another
//! kind, version, pool or configuration. What follows the last word is not looked at.

mod bad_image;
mod draw;
mod image;
mod stored;

pub use bad_image::BadImage;
pub use draw::Draw;
pub(crate) use image::{Heading, Reader, Writer, digest_of};
pub(crate) use stored::{Half, Stored, stored};

use crate::broken::Broken;
use crate::time::Instant;

/// A coordinator, whatever it coordinates.
///
/// Between two commands all effects are taken; [`Coordinate::wake_at`] says when the next command
/// is due if nothing happens before. An image is taken between a command and its effects, so that
/// what it does not know of has not been told to anybody.
pub trait Coordinate {
    /// What happened.
    type Command: Copy;
    /// What is to be done.
    type Effect: Copy;
    /// What a command is answered with.
    type Answer;
    /// Why a command is not taken.
    type Error;
    /// What is drawn for each command.
    type Draw: Draw;

    /// Takes note of what happened at `now`, and does whatever was due by then.
    ///
    /// # Errors
    ///
    /// As the coordinator says; nothing has changed then, not even the time.
    fn apply_drawn(
        &mut self,
        now: Instant,
        command: Self::Command,
        draw: Self::Draw,
    ) -> Result<Self::Answer, Self::Error>;

    /// The effect that [`Coordinate::take_effect`] will take, for callers that must find room
    /// first.
    fn peek_effect(&self) -> Option<Self::Effect>;

    /// The next thing to be done; `None` when everything is. In the order in which it came up.
    fn take_effect(&mut self) -> Option<Self::Effect>;

    /// The latest time given.
    fn now(&self) -> Instant;

    /// When to call again if nothing happens before; `None` if there is nothing to wait for.
    fn wake_at(&self) -> Option<Instant>;

    /// Passes the state to `put` as an image, word by word.
    fn export(&self, put: &mut dyn FnMut(u32));

    /// Goes on from an image. Everybody is told again what he should be doing.
    ///
    /// # Errors
    ///
    /// [`BadImage`]. An image that is not of this coordinator changes nothing; after one whose
    /// contents are bad the coordinator is as new, at the present time.
    fn restore(&mut self, words: &mut dyn Iterator<Item = u32>) -> Result<(), BadImage>;

    /// Checks every invariant that the coordinator names.
    ///
    /// # Errors
    ///
    /// [`Broken`] says which does not hold.
    fn check_invariants(&self) -> Result<(), Broken>;
}

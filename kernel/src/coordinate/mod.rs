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
//! | 5, 6 | how many commands were taken before it |
//! | 7, 8 | how many effects were taken before it |
//! | 9 | CRC-32 of the words before |
//! | 10 to n + 9 | the contents |
//! | n + 10 | CRC-32 of all words before |
//!
//! Each single bit that turned, and each end that is missing, is found; so are images of another
//! kind, version, pool or configuration. What follows the last word is not looked at.
//!
//! # Journals
//!
//! An image a command is much to write. A [`Record`] is sixteen words, whatever the coordinator,
//! and the records of the commands since an image lead from that to the present, bit for bit:
//! [`Durable`] makes them and takes them. An effect has a record too, with its number, to be sent
//! to whom it concerns.
//!
//! | word | what it is |
//! |---|---|
//! | 0 | from the lowest byte: which one (255: a restart), version of this table, `C` or `E`, `L` |
//! | 1, 2 | its number, from 1 on |
//! | 3, 4 | when it was taken |
//! | 5 | of a command: how many effects were taken before it, without the upper half |
//! | 6 | of a command: what was drawn for it |
//! | 7 to 14, or 5 to 14 | what it says, and zeros |
//! | 15 | CRC-32 of the identity (words 1 to 3 of an image) and of the words before |
//!
//! # One of your own
//!
//! Whatever implements [`Coordinate`] has all of this: its image through a [`Writer`] and a
//! [`Reader`], its commands as [`Stored`] words. It may be made of others, whose images lie in its own.

mod bad_image;
mod bad_record;
mod draw;
mod durable;
mod identity;
mod image;
mod record;
mod snapshot;
mod stored;

pub use bad_image::BadImage;
pub use bad_record::BadRecord;
pub use draw::Draw;
pub use durable::Durable;
pub use identity::{Identity, Place};
pub(crate) use image::digest_of_all;
pub use image::{Reader, Writer, digest_of};
pub use record::{CommandRecord, EffectRecord, Record};
pub(crate) use snapshot::{Take, read_image, write_image};
pub use stored::Stored;
pub(crate) use stored::{Half, stored, stored_as, variants};

use crate::invariant::InvariantViolation;
use crate::time::Instant;

/// A coordinator, whatever it coordinates.
///
/// Between two commands all effects are taken; [`Coordinate::wake_at`] says when the next command
/// is due if nothing happens before. An image, or the record of a command, is stored between the
/// command and its effects, so that what it does not know of has not been told to anybody.
pub trait Coordinate {
    /// What happened. As words: its variant below 255, and 8 more at most.
    type Command: Stored + Copy;
    /// What is to be done. As words: its variant below 255, and 10 more at most.
    type Effect: Stored + Copy;
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

    /// What its images and records agree with.
    fn identity(&self) -> Identity;

    /// Passes the state to `put` as an image, word by word. It says that it was taken at `place`,
    /// which a coordinator does not count itself: [`Durable`] does.
    fn export_at(&self, place: Place, put: &mut dyn FnMut(u32));

    /// Takes the state of an image, exactly; it says when that was.
    ///
    /// # Errors
    ///
    /// [`BadImage`]. An image that is not of this coordinator changes nothing; after one whose
    /// contents are bad the coordinator is as new, at the present time.
    fn load(&mut self, words: &mut dyn Iterator<Item = u32>) -> Result<Place, BadImage>;

    /// Has everybody told again what he should be doing: what was told last may not have reached
    /// him, or may have.
    fn resync(&mut self);

    /// Passes the state to `put` as an image of which nobody counts when it was taken.
    fn export(&self, put: &mut dyn FnMut(u32)) {
        self.export_at(Place::START, put);
    }

    /// Goes on from an image without a journal. Everybody is told again what he should be doing.
    ///
    /// # Errors
    ///
    /// As [`Coordinate::load`].
    fn restore(&mut self, words: &mut dyn Iterator<Item = u32>) -> Result<(), BadImage> {
        self.load(words)?;
        self.resync();
        Ok(())
    }

    /// Checks every invariant that the coordinator names.
    ///
    /// # Errors
    ///
    /// [`InvariantViolation`] says which does not hold.
    fn check_invariants(&self) -> Result<(), InvariantViolation>;
}

/// The methods that every coordinator has as its own, of the same names.
macro_rules! own_methods {
    () => {
        $crate::delegate::delegate! {
            fn peek_effect(&self) -> Option<Self::Effect>;
            fn take_effect(&mut self) -> Option<Self::Effect>;
            fn now(&self) -> Instant;
            fn wake_at(&self) -> Option<Instant>;
            fn identity(&self) -> $crate::coordinate::Identity;
            fn export_at(&self, place: $crate::coordinate::Place, put: &mut dyn FnMut(u32));
            fn load(
                &mut self,
                words: &mut dyn Iterator<Item = u32>,
            ) -> Result<$crate::coordinate::Place, $crate::coordinate::BadImage>;
            fn resync(&mut self);
            fn check_invariants(&self) -> Result<(), $crate::invariant::InvariantViolation>;
        }
    };
}

pub(crate) use own_methods;

//! What a coordinator does: commands and the time go in, effects come out.

use super::Snapshot;
use locox::draw::Draw;
use locox::image::{BadImage, Stored};
use locox::time::Instant;

/// A coordinator, whatever it coordinates.
///
/// Between two commands all effects are taken; [`Coordinate::wake_at`] says when the next command
/// is due if nothing happens before. An image, or the record of a command, is stored between the
/// command and its effects, so that what it does not know of has not been told to anybody.
pub trait Coordinate: Snapshot<Kept = Instant> {
    /// What happened. As words: its variant below 255, and 8 more at most. A coordinator refuses any
    /// other: the record of it would be read as another command, or as a restart.
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

    /// Has everybody told again what he should be doing: what was told last may not have reached
    /// him, or may have.
    fn resync(&mut self);

    /// When to call again if nothing happens before; `None`, as by default, if there is nothing to
    /// wait for.
    fn wake_at(&self) -> Option<Instant> {
        None
    }

    /// The latest time given.
    fn now(&self) -> Instant {
        self.kept()
    }

    /// Goes on from an image without a journal. Everybody is told again what he should be doing.
    ///
    /// # Errors
    ///
    /// As [`Snapshot::load`].
    fn restore(&mut self, words: &mut dyn Iterator<Item = u32>) -> Result<(), BadImage> {
        self.load(words)?;
        self.resync();
        Ok(())
    }
}

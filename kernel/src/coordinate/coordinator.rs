//! What a coordinator does: commands and the time go in, effects come out.

use super::{Draw, Snapshot, Stored};
use crate::time::Instant;

/// A coordinator, whatever it coordinates.
///
/// Between two commands all effects are taken; [`Coordinate::wake_at`] says when the next command
/// is due if nothing happens before. An image, or the record of a command, is stored between the
/// command and its effects, so that what it does not know of has not been told to anybody.
pub trait Coordinate: Snapshot {
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

    /// When to call again if nothing happens before; `None` if there is nothing to wait for.
    fn wake_at(&self) -> Option<Instant>;
}

/// Methods of its own for a coordinator, so that its users need no trait in scope: what its
/// commands may be given as, its answer, its error and its effect.
macro_rules! inherent_methods {
    ($Command:ty => $Answer:ty, $Error:ty; $Effect:ty) => {
        /// Takes note of what happened at `now`, and does whatever was due by then. For a
        /// coordinator that draws no lots.
        ///
        /// # Errors
        ///
        /// Why the command is not taken; nothing has changed then, not even the time.
        pub fn apply(&mut self, now: Instant, command: $Command) -> Result<$Answer, $Error>
        where
            Self: $crate::coordinate::Coordinate<Draw = ()>,
        {
            self.apply_drawn(now, command, ())
        }

        /// As [`apply`](Self::apply). `draw` is fresh from the caller's random source, see
        /// [`Draw`](crate::coordinate::Draw).
        ///
        /// # Errors
        ///
        /// Those of [`apply`](Self::apply).
        pub fn apply_drawn(
            &mut self,
            now: Instant,
            command: $Command,
            draw: <Self as $crate::coordinate::Coordinate>::Draw,
        ) -> Result<$Answer, $Error> {
            $crate::coordinate::Coordinate::apply_drawn(self, now, command.into(), draw)
        }

        /// The effect that [`take_effect`](Self::take_effect) will take, for callers that must find
        /// room first.
        pub fn peek_effect(&self) -> Option<$Effect> {
            $crate::coordinate::Coordinate::peek_effect(self)
        }

        /// The next thing to be done; `None` when everything is.
        pub fn take_effect(&mut self) -> Option<$Effect> {
            $crate::coordinate::Coordinate::take_effect(self)
        }

        /// When to let time pass, if nothing happens before; `None` if there is nothing to wait for.
        pub fn wake_at(&self) -> Option<Instant> {
            $crate::coordinate::Coordinate::wake_at(self)
        }

        /// The latest time given.
        pub fn now(&self) -> Instant {
            $crate::coordinate::Snapshot::now(self)
        }

        /// What its images and records agree with.
        pub fn identity(&self) -> $crate::coordinate::Identity {
            $crate::coordinate::Snapshot::identity(self)
        }

        /// Passes the state to `put` as an [image](crate::coordinate), word by word.
        pub fn export(&self, mut put: impl FnMut(u32)) {
            $crate::coordinate::Snapshot::export(self, &mut put);
        }

        /// Goes on from an exported state. Everybody is told again what he should be doing.
        ///
        /// # Errors
        ///
        /// As [`load`](Self::load).
        pub fn restore(
            &mut self,
            words: impl IntoIterator<Item = u32>,
        ) -> Result<(), $crate::coordinate::BadImage> {
            $crate::coordinate::Snapshot::restore(self, &mut words.into_iter())
        }

        /// Takes an exported state, exactly, and says when that was.
        ///
        /// # Errors
        ///
        /// An image of another pool or configuration changes nothing. After one whose contents are
        /// bad the coordinator is as new, at the present time, and another image can be tried.
        pub fn load(
            &mut self,
            words: impl IntoIterator<Item = u32>,
        ) -> Result<$crate::coordinate::Place, $crate::coordinate::BadImage> {
            $crate::coordinate::Snapshot::load(self, &mut words.into_iter())
        }

        /// Has everybody told again what he should be doing: what was told last may not have
        /// reached him, or may have.
        pub fn resync(&mut self) {
            $crate::coordinate::Snapshot::resync(self);
        }

        /// Checks every invariant named at the struct; some passes over all rows.
        ///
        /// # Errors
        ///
        /// [`InvariantViolation`](crate::invariant::InvariantViolation) says which does not hold: a
        /// defect of this crate, or of what was restored.
        pub fn check_invariants(&self) -> Result<(), $crate::invariant::InvariantViolation> {
            $crate::coordinate::Snapshot::check_invariants(self)
        }
    };
}

pub(crate) use inherent_methods;

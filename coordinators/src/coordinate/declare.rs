//! How coordinators declare their columns, commands, effects and methods.

/// Makes `Columns`, slices of the caller's that a coordinator borrows, and `Arrays`, which own as much
/// for a static. A column is so many entries for each of something.
macro_rules! columns {
    (
        $(#[$of_columns:meta])* pub struct Columns;
        $(#[$of_arrays:meta])* pub struct Arrays<$($N:ident),+>;
        $($(#[$of:meta])* $name:ident: [[$Row:ty; $inner:tt]; $outer:ident] = $empty:expr,)+
    ) => {
        $(#[$of_columns])*
        #[derive(Debug)]
        pub struct Columns<'a> {
            $($(#[$of])* pub $name: &'a mut [$Row],)+
        }

        $(#[$of_arrays])*
        #[derive(Clone, Debug)]
        pub struct Arrays<$(const $N: usize),+> {
            $($name: [[$Row; $inner]; $outer],)+
        }

        impl<$(const $N: usize),+> Arrays<$($N),+> {
            /// Fresh columns: all zeros, so that a `static` of them lies in `.bss`.
            pub const EMPTY: Self = Self { $($name: [[$empty; $inner]; $outer],)+ };

            /// The columns.
            pub const fn columns(&mut self) -> Columns<'_> {
                Columns { $($name: self.$name.as_flattened_mut(),)+ }
            }
        }
    };
}

/// An enum that is [`Stored`]: each variant with the number that stands for it in images and records.
/// The documentation of a variant says what its fields are.
macro_rules! variants {
    ($(#[$meta:meta])* pub enum $Name:ident {$(
        $(#[$of_variant:meta])*
        $Variant:ident $({ $($field:ident: $Type:ty),+ $(,)? })? = $number:literal
    ),+ $(,)?}) => {
        locox::ground::cases! {
            $(#[$meta])*
            pub enum $Name {$(
                $(#[$of_variant])*
                $Variant $({ $($field: $Type),+ })?
            ),+}
        }

        locox::stored!(enum $Name { $($Variant $({ $($field),+ })? = $number),+ });
    };
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
        /// [`Draw`](locox::draw::Draw).
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
            $crate::coordinate::Coordinate::now(self)
        }

        /// What its images and records agree with.
        pub fn identity(&self) -> locox::image::Identity {
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
        ) -> Result<(), locox::image::BadImage> {
            $crate::coordinate::Coordinate::restore(self, &mut words.into_iter())
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
        ) -> Result<locox::image::Place, locox::image::BadImage> {
            $crate::coordinate::Snapshot::load(self, &mut words.into_iter())
        }

        /// Has everybody told again what he should be doing: what was told last may not have
        /// reached him, or may have.
        pub fn resync(&mut self) {
            $crate::coordinate::Coordinate::resync(self);
        }

        /// Checks every invariant named at the struct; some passes over all rows.
        ///
        /// # Errors
        ///
        /// [`InvariantViolation`](locox::invariant::InvariantViolation) says which does not hold: a
        /// defect of this crate, or of what was restored.
        pub fn check_invariants(&self) -> Result<(), locox::invariant::InvariantViolation> {
            $crate::coordinate::Snapshot::check_invariants(self)
        }
    };
}

pub(crate) use {columns, inherent_methods, variants};

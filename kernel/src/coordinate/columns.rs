//! Columns of rows that a coordinator borrows, and arrays that they lie in.

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

pub(crate) use columns;

/// Makes `Columns` in storage of the caller's choice, `Slices` and `View` of them, and `Storage` for
/// whatever has them.
macro_rules! storage {
    (
        $(#[$of_columns:meta])* pub struct Columns;
        $($(#[$of:meta])* $name:ident: $Kind:ident of $Row:ty,)+
    ) => {
        $(#[$of_columns])*
        #[derive(Clone, Debug)]
        pub struct Columns<$($Kind),+> {
            $($(#[$of])* pub $name: $Kind,)+
        }

        /// Columns borrowed to be changed.
        pub type Slices<'a> = Columns<$(&'a mut [$Row]),+>;

        /// Columns borrowed to be read.
        pub type View<'a> = Columns<$(&'a [$Row]),+>;

        impl Copy for View<'_> {}

        /// Where rows are kept. [`Columns`] is one for any kind of slices.
        pub trait Storage {
            /// The columns; the same ones at each call.
            fn slices(&mut self) -> Slices<'_>;
            /// The same columns.
            fn view(&self) -> View<'_>;
        }

        impl<T: Storage + ?Sized> Storage for &mut T {
            fn slices(&mut self) -> Slices<'_> {
                (**self).slices()
            }

            fn view(&self) -> View<'_> {
                (**self).view()
            }
        }

        impl<$($Kind: AsRef<[$Row]> + AsMut<[$Row]>),+> Storage for Columns<$($Kind),+> {
            fn slices(&mut self) -> Slices<'_> {
                Columns { $($name: self.$name.as_mut()),+ }
            }

            fn view(&self) -> View<'_> {
                Columns { $($name: self.$name.as_ref()),+ }
            }
        }
    };
}

pub(crate) use storage;

/// A column by its name, with the rows that it needs and those that it has.
type Column = (&'static str, usize, usize);

/// Columns that need exactly so many rows, and others that need at least so many. Names the first
/// that does not fit.
pub(crate) fn check_columns(
    exact: &[Column],
    least: &[Column],
) -> Result<(), (&'static str, u32, u32)> {
    let differs = exact.iter().find(|(_, needs, has)| has != needs);
    let short = || least.iter().find(|(_, needs, has)| has < needs);
    let count = |rows| u32::try_from(rows).unwrap_or(u32::MAX);
    match differs.or_else(short) {
        Some(&(column, needs, has)) => Err((column, count(needs), count(has))),
        None => Ok(()),
    }
}

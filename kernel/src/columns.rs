//! Columns of rows in storage of the caller's choice.

/// Makes `Columns` in storage of the caller's choice, `Slices` and `View` of them, and `Storage` for
/// whatever has them.
#[doc(hidden)]
#[macro_export]
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

/// A column by its name, with the rows that it needs and those that it has.
type Column = (&'static str, usize, usize);

/// Columns that need exactly so many rows, and others that need at least so many. Names the first
/// that does not fit.
pub fn check_columns(exact: &[Column], least: &[Column]) -> Result<(), (&'static str, u32, u32)> {
    let differs = exact.iter().find(|(_, needs, has)| has != needs);
    let short = || least.iter().find(|(_, needs, has)| has < needs);
    let count = |rows| u32::try_from(rows).unwrap_or(u32::MAX);
    match differs.or_else(short) {
        Some(&(column, needs, has)) => Err((column, count(needs), count(has))),
        None => Ok(()),
    }
}

//! Methods of a trait by the type's own of the same names.

/// The bodies of trait methods that a type has as its own: each is written as in the trait. The
/// own ones come first in Rust's search for a name; were one missing, the compiler would warn of
/// a function that calls itself.
macro_rules! delegate {
    () => {};
    (fn $name:ident(&self $(, $arg:ident: $Arg:ty)* $(,)?) $(-> $Answer:ty)?; $($more:tt)*) => {
        fn $name(&self $(, $arg: $Arg)*) $(-> $Answer)? {
            Self::$name(self $(, $arg)*)
        }
        $crate::delegate::delegate! { $($more)* }
    };
    (fn $name:ident(&mut self $(, $arg:ident: $Arg:ty)* $(,)?) $(-> $Answer:ty)?; $($more:tt)*) => {
        fn $name(&mut self $(, $arg: $Arg)*) $(-> $Answer)? {
            Self::$name(self $(, $arg)*)
        }
        $crate::delegate::delegate! { $($more)* }
    };
}

pub(crate) use delegate;

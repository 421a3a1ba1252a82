//! Methods of a trait by others of the same names.

/// The bodies of trait methods that call those of `Self`, or of what `self` points to: each is written as in the trait. The
/// own ones come first in Rust's search for a name; were one missing, the compiler would warn of
/// a function that calls itself.
macro_rules! delegate {
    ($To:ident:) => {};
    ($To:ident: fn $name:ident(&self $(, $arg:ident: $Arg:ty)* $(,)?) $(-> $Answer:ty)?; $($more:tt)*) => {
        fn $name(&self $(, $arg: $Arg)*) $(-> $Answer)? {
            $To::$name(self $(, $arg)*)
        }
        $crate::delegate::delegate! { $To: $($more)* }
    };
    ($To:ident: fn $name:ident(&mut self $(, $arg:ident: $Arg:ty)* $(,)?) $(-> $Answer:ty)?; $($more:tt)*) => {
        fn $name(&mut self $(, $arg: $Arg)*) $(-> $Answer)? {
            $To::$name(self $(, $arg)*)
        }
        $crate::delegate::delegate! { $To: $($more)* }
    };
}

pub(crate) use delegate;

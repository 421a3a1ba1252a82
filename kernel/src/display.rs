//! `Display` by a line for each case.

/// Implements `Display`: each pattern of `self` with its text, and what the text names by position
/// in brackets behind it.
#[doc(hidden)]
#[macro_export]
macro_rules! display {
    ($Type:ty: $($case:pat => $text:literal $(($($value:expr),+))?),+ $(,)?) => {
        impl core::fmt::Display for $Type {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                match self {
                    $($case => write!(f, $text $(, $($value),+)?)),+
                }
            }
        }
    };
}

/// So many of something, by its name in the singular.
pub struct Count(pub u32, pub &'static str);

impl core::fmt::Display for Count {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let Self(count, name) = self;
        write!(f, "{count} {name}{}", if *count == 1 { "" } else { "s" })
    }
}

/// Implements `Display` of types over one other: as that, the alternate form and all, behind what it
/// is called.
#[doc(hidden)]
#[macro_export]
macro_rules! named {
    ($($Type:ty: $name:literal),+) => {$(
        impl core::fmt::Display for $Type {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                f.write_str($name)?;
                self.0.fmt(f)
            }
        }
    )+};
}

/// Implements `Display` of leases: as what they grant, by the name of the method; in the alternate form with the
/// handle behind it, which tells one from the leases of the same before it, as `0*** as 0.3@1 (pool 7)`.
macro_rules! leases {
    ($($Lease:ty: $granted:ident),+) => {$(
        impl core::fmt::Display for $Lease {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                write!(f, "{}", self.$granted())?;
                if f.alternate() { write!(f, " as {:#}", self.handle()) } else { Ok(()) }
            }
        }
    )+};
}

/// As [`display`], for an error.
#[doc(hidden)]
#[macro_export]
macro_rules! error {
    ($Type:ty: $($cases:tt)+) => {
        $crate::display! { $Type: $($cases)+ }
        impl core::error::Error for $Type {}
    };
}

/// Makes enums of errors, each variant with its text. The documentation of a variant says what its
/// fields are.
#[doc(hidden)]
#[macro_export]
macro_rules! errors {
    ($($(#[$meta:meta])* pub enum $Name:ident {$(
        $(#[$of:meta])*
        $Variant:ident $(($($it:ident: $Inner:ty),+))? $({ $($field:ident: $Type:ty),+ })?
            => $text:literal $(($($value:expr),+))?
    ),+ $(,)?})+) => {$(
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[cfg_attr(feature = "defmt", derive(defmt::Format))]
        #[non_exhaustive]
        pub enum $Name {$(
            $(#[$of])*
            $Variant $(($($Inner),+))? $({ $(#[doc = "See above."] $field: $Type),+ })?
        ),+}

        $crate::error! { $Name:
            $(Self::$Variant $(($($it),+))? $({ $($field),+ })? => $text $(($($value),+))?),+
        }
    )+};
}

pub(crate) use {display, error, errors, leases, named};

//! What most public types derive.

/// Types that are plain data: they are copied, compared, hashed and shown, and pass through `serde`
/// and `defmt` where these are wanted.
#[doc(hidden)]
#[macro_export]
macro_rules! data {
    ($($item:item)+) => {$(
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
        #[cfg_attr(feature = "defmt", derive(defmt::Format))]
        $item
    )+};
}

/// Enums of plain data. The documentation of a variant says what its fields are.
#[doc(hidden)]
#[macro_export]
macro_rules! cases {
    ($($(#[$meta:meta])* pub enum $Name:ident {$(
        $(#[$of:meta])*
        $Variant:ident $(($Inner:ty))? $({ $($field:ident: $Type:ty),+ $(,)? })?
    ),+ $(,)?})+) => {$(
        $crate::data! {
            $(#[$meta])*
            pub enum $Name {$(
                $(#[$of])*
                $Variant $(($Inner))? $({ $(#[doc = "See above."] $field: $Type),+ })?
            ),+}
        }
    )+};
}

/// What `serde` reads as a number first, by `try_from`: a type that not all numbers are. Each with the number, what makes
/// the type of it, if it is one, and the reason if it is not.
macro_rules! read_as {
    ($($Type:ident: $Number:ty, $new:expr, $rule:literal;)+) => {$(
        #[cfg(feature = "serde")]
        impl TryFrom<$Number> for $Type {
            type Error = &'static str;

            fn try_from(number: $Number) -> Result<Self, Self::Error> {
                $new(number).ok_or($rule)
            }
        }
    )+};
}

pub(crate) use {cases, data, read_as};

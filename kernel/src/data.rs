//! What most public types derive.

/// Types that are plain data: they are copied, compared, hashed and shown, and pass through `serde`
/// and `defmt` where these are wanted.
macro_rules! data {
    ($($item:item)+) => {$(
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
        #[cfg_attr(feature = "defmt", derive(defmt::Format))]
        $item
    )+};
}

/// Enums of plain data. The documentation of a variant says what its fields are.
macro_rules! cases {
    ($($(#[$meta:meta])* pub enum $Name:ident {$(
        $(#[$of:meta])*
        $Variant:ident $(($Inner:ty))? $({ $($field:ident: $Type:ty),+ $(,)? })?
    ),+ $(,)?})+) => {$(
        $crate::data::data! {
            $(#[$meta])*
            pub enum $Name {$(
                $(#[$of])*
                $Variant $(($Inner))? $({ $(#[doc = "See above."] $field: $Type),+ })?
            ),+}
        }
    )+};
}

pub(crate) use {cases, data};

//! What lies in images and records: each type's fields in one list, read in both directions.

use super::BadImage;
use crate::bits::Word;
use crate::handle::{Epoch, Generation, Handle, PoolId};
use crate::list::{Links, List, Ref};
use crate::time::{Duration, Instant};

/// A type that lies in images and records as words: always as many for the same type, or for the
/// same variant.
pub trait Stored: Sized {
    /// Passes it to `put` word by word.
    fn store(&self, put: &mut impl FnMut(u32));

    /// The one that was stored, from words that `take` gives.
    ///
    /// # Errors
    ///
    /// Those of `take`, and [`BadImage::Contradiction`] for words that nobody stored.
    fn load(take: &mut impl FnMut() -> Result<u32, BadImage>) -> Result<Self, BadImage>;
}

/// Rows as they were stored, one behind the other.
pub fn load_all<T: Stored>(
    rows: &mut [T],
    take: &mut impl FnMut() -> Result<u32, BadImage>,
) -> Result<(), BadImage> {
    rows.iter_mut().try_for_each(|row| T::load(take).map(|loaded| *row = loaded))
}

/// A type of half a word: one of a few values, unless it says otherwise.
pub trait Half: Copy + PartialEq + 'static {
    /// The values, in the order of their numbers.
    const ALL: &'static [Self] = &[];

    /// Its number.
    fn half(self) -> u16 {
        Self::ALL.iter().position(|it| *it == self).unwrap_or(0) as u16
    }

    /// The value of a number.
    fn from_half(half: u16) -> Option<Self> {
        Self::ALL.get(usize::from(half)).copied()
    }
}

/// Makes a struct [`Stored`](crate::image::Stored) by naming all its fields, or an enum by naming its variants, each
/// with its fields and with the number that stands for it in images and records.
///
/// A command or an effect of a coordinator is an enum whose numbers lie below 255. A field of a struct, or of a
/// variant, is `Stored` itself: `u8` to `u64`, `bool`, an `Option`, an [`Instant`](crate::time::Instant), a
/// [`Duration`](crate::time::Duration), whatever this macro was used for. Two fields of 16 bits share a word if they are named behind
/// the others as `low + high`.
///
/// ```
/// use locox::image::Stored;
/// use locox::stored;
///
/// #[derive(Clone, Copy, Debug, PartialEq)]
/// struct Terms {
///     memory: u64,
///     set: u16,
///     key: u16,
/// }
/// stored!(Terms { memory } set + key);
///
/// #[derive(Clone, Copy, Debug, PartialEq)]
/// enum Command {
///     Submit { job: u32, terms: Terms },
///     Tick,
/// }
/// stored!(enum Command { Submit { job, terms } = 0, Tick = 1 });
///
/// let submit = Command::Submit { job: 7, terms: Terms { memory: 1 << 40, set: 3, key: 4 } };
/// let mut words = vec![];
/// submit.store(&mut |word| words.push(word));
/// assert_eq!(words, [0, 7, 0, 1 << 8, 4 << 16 | 3]);
/// let mut left = words.into_iter();
/// assert_eq!(Command::load(&mut || Ok(left.next().unwrap_or(0))), Ok(submit));
/// ```
#[macro_export]
macro_rules! stored {
    (enum $Name:ident {
        $($Variant:ident $({ $($of_variant:ident),+ $(,)? })? = $number:literal),+ $(,)?
    }) => {
        impl $crate::image::Stored for $Name {
            fn store(&self, put: &mut impl FnMut(u32)) {
                match self {$(
                    Self::$Variant { $($($of_variant),+)? } => {
                        put($number);
                        $($($crate::image::Stored::store($of_variant, put);)+)?
                    }
                )+}
            }

            fn load(
                take: &mut impl FnMut() -> Result<u32, $crate::image::BadImage>,
            ) -> Result<Self, $crate::image::BadImage> {
                Ok(match take()? {
                    $($number => Self::$Variant {
                        $($($of_variant: $crate::image::Stored::load(take)?),+)?
                    },)+
                    _ => return Err($crate::image::BadImage::Contradiction("no such variant")),
                })
            }
        }
    };
    ($name:ty { $($field:ident),* $(,)? } $($low:ident + $high:ident),*) => {
        impl $crate::image::Stored for $name {
            fn store(&self, put: &mut impl FnMut(u32)) {
                $($crate::image::Stored::store(&self.$field, put);)*
                $($crate::image::Stored::store(&(self.$low, self.$high), put);)*
            }

            fn load(
                take: &mut impl FnMut() -> Result<u32, $crate::image::BadImage>,
            ) -> Result<Self, $crate::image::BadImage> {
                $(let $field = $crate::image::Stored::load(take)?;)*
                $(let ($low, $high) = $crate::image::Stored::load(take)?;)*
                Ok(Self { $($field,)* $($low, $high,)* })
            }
        }
    };
}

/// A row that is [`Stored`], with its value while nothing is known: first the fields of whole words,
/// then those of half a word in pairs.
#[doc(hidden)]
#[macro_export]
macro_rules! row {
    ($(#[$meta:meta])* pub struct $Name:ident {
        $($(#[$of:meta])* $field:ident: $Type:ty = $empty:expr,)+
    } $(halves {
        $($(#[$of_low:meta])* $low:ident: $Low:ty = $low_empty:expr,
        $(#[$of_high:meta])* $high:ident: $High:ty = $high_empty:expr,)+
    })?) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub struct $Name {
            $($(#[$of])* pub(super) $field: $Type,)+
            $($($(#[$of_low])* pub(super) $low: $Low,
            $(#[$of_high])* pub(super) $high: $High,)+)?
        }

        impl $Name {
            /// A row of which nothing is known yet.
            pub const EMPTY: Self = Self {
                $($field: $empty,)+
                $($($low: $low_empty, $high: $high_empty,)+)?
            };
        }

        $crate::stored!($Name { $($field),+ } $($($low + $high),+)?);
    };
}

/// A private enum of which one lies in half a word.
#[doc(hidden)]
#[macro_export]
macro_rules! half {
    ($(#[$meta:meta])* enum $Name:ident { $($(#[$of:meta])* $Variant:ident),+ $(,)? }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(super) enum $Name {
            $($(#[$of])* $Variant),+
        }

        impl $crate::ground::Half for $Name {
            const ALL: &'static [Self] = &[$(Self::$Variant),+];
        }
    };
}

stored!(Links { prev, next });
stored!(List { head, tail });

impl Stored for u32 {
    fn store(&self, put: &mut impl FnMut(u32)) {
        put(*self);
    }

    fn load(take: &mut impl FnMut() -> Result<u32, BadImage>) -> Result<Self, BadImage> {
        take()
    }
}

impl<const N: usize> Stored for [u32; N] {
    fn store(&self, put: &mut impl FnMut(u32)) {
        self.iter().for_each(|word| put(*word));
    }

    fn load(take: &mut impl FnMut() -> Result<u32, BadImage>) -> Result<Self, BadImage> {
        let mut words = [0; N];
        words.iter_mut().try_for_each(|word| take().map(|taken| *word = taken))?;
        Ok(words)
    }
}

/// The bits of a set, as many words of an image on each target that has the same ones.
impl<const N: usize> Stored for [Word; N] {
    fn store(&self, put: &mut impl FnMut(u32)) {
        for word in self {
            (0..Word::BITS).step_by(32).for_each(|at| put((word >> at) as u32));
        }
    }

    fn load(take: &mut impl FnMut() -> Result<u32, BadImage>) -> Result<Self, BadImage> {
        let mut words = [0; N];
        for word in &mut words {
            for at in (0..Word::BITS).step_by(32) {
                *word |= (take()? as Word).wrapping_shl(at);
            }
        }
        Ok(words)
    }
}

impl Stored for u64 {
    fn store(&self, put: &mut impl FnMut(u32)) {
        put(*self as u32);
        put((*self >> 32) as u32);
    }

    // Its copies in each row with a time take 1 KB of flash at level 3.
    #[inline(never)]
    fn load(take: &mut impl FnMut() -> Result<u32, BadImage>) -> Result<Self, BadImage> {
        let low = take()?;
        Ok(Self::from(take()?) << 32 | Self::from(low))
    }
}

impl<A: Half, B: Half> Stored for (A, B) {
    fn store(&self, put: &mut impl FnMut(u32)) {
        put(u32::from(self.1.half()) << 16 | u32::from(self.0.half()));
    }

    fn load(take: &mut impl FnMut() -> Result<u32, BadImage>) -> Result<Self, BadImage> {
        let word = take()?;
        let both = (A::from_half(word as u16), B::from_half((word >> 16) as u16));
        let (Some(low), Some(high)) = both else {
            return Err(BadImage::Contradiction("a half of a word says nothing"));
        };
        Ok((low, high))
    }
}

impl<T: Stored> Stored for Option<T> {
    fn store(&self, put: &mut impl FnMut(u32)) {
        put(u32::from(self.is_some()));
        if let Some(it) = self {
            it.store(put);
        }
    }

    fn load(take: &mut impl FnMut() -> Result<u32, BadImage>) -> Result<Self, BadImage> {
        match take()? {
            0 => Ok(None),
            1 => T::load(take).map(Some),
            _ => Err(BadImage::Contradiction("no such variant")),
        }
    }
}

impl Half for u16 {
    fn half(self) -> u16 {
        self
    }

    fn from_half(half: u16) -> Option<Self> {
        Some(half)
    }
}

/// A type that is a number behind another name.
#[doc(hidden)]
#[macro_export]
macro_rules! stored_as {
    ($($name:ty: $to:expr, $from:expr;)*) => {
        $(impl $crate::image::Stored for $name {
            fn store(&self, put: &mut impl FnMut(u32)) {
                $crate::image::Stored::store(&$to(*self), put);
            }

            fn load(
                take: &mut impl FnMut() -> Result<u32, $crate::image::BadImage>,
            ) -> Result<Self, $crate::image::BadImage> {
                $crate::image::Stored::load(take).map($from)
            }
        })*
    };
}

/// Makes types that are the number of something: what they number stands in their documentation.
#[doc(hidden)]
#[macro_export]
macro_rules! ids {
    ($($(#[$doc:meta])+ pub struct $Name:ident;)+) => {
        $($(#[$doc])+
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
        #[cfg_attr(feature = "defmt", derive(defmt::Format))]
        pub struct $Name(pub u32);)+

        $crate::named! { $($Name: ""),+ }

        $crate::stored_as! { $($Name: |it: $Name| it.0, $Name;)+ }
    };
}

impl Stored for Handle {
    fn store(&self, put: &mut impl FnMut(u32)) {
        put(self.index());
        self.generation().store(put);
        (self.pool().0, self.epoch().0).store(put);
    }

    fn load(take: &mut impl FnMut() -> Result<u32, BadImage>) -> Result<Self, BadImage> {
        let (index, generation) = (take()?, Stored::load(take)?);
        let (pool, epoch) = Stored::load(take)?;
        Ok(Self::from_parts(PoolId(pool), index, generation, Epoch(epoch)))
    }
}

stored_as! {
    Duration: Duration::ticks, Duration::from_ticks;
    Instant: Instant::ticks, Instant::from_ticks;
    Generation: Generation::raw, Generation::from_raw;
    Ref: Ref::raw, Ref::from_raw;
    PoolId: |pool: PoolId| u32::from(pool.0), |raw: u32| PoolId(raw as u16);
    u16: u32::from, |raw: u32| raw as u16;
    bool: u32::from, |raw: u32| raw != 0;
    u8: u32::from, |raw: u32| raw as u8;
}

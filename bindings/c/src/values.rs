//! Plain values as C has them, and as the kernel has them.

use crate::fault::Answer;
use crate::status::locox_status::LOCOX_BAD_ARGUMENT;
use core::num::NonZeroU32;
use locox::handle::PoolId;
use locox::time::{Duration, Instant};

pub(crate) const fn at(ticks: u64) -> Instant {
    Instant::from_ticks(ticks)
}

pub(crate) const fn ticks(ticks: u64) -> Duration {
    Duration::from_ticks(ticks)
}

/// `LOCOX_NEVER`.
const NEVER: u64 = u64::MAX;

/// A value of the kernel's, as C has it.
pub(crate) trait IntoC<C> {
    fn into_c(self) -> C;
}

/// A value of C, as the kernel has it.
pub(crate) trait FromC<C>: Sized {
    fn from_c(it: C) -> Answer<Self>;
}

/// A value of C that says nothing: zero, a null pointer, or what a structure has where it names no more.
pub(crate) trait Empty {
    const EMPTY: Self;
}

/// Values into C, and, behind `else`, back.
macro_rules! values {
    ($($rust:ty as $c:ty: |$it:ident| $into:expr $(, else $from:expr)?;)*) => {$(
        impl $crate::values::IntoC<$c> for $rust {
            fn into_c(self) -> $c {
                let $it = self;
                $into
            }
        }

        $(
            impl $crate::values::FromC<$c> for $rust {
                fn from_c($it: $c) -> $crate::fault::Answer<Self> {
                    Ok($from)
                }
            }
        )?
    )*};
}
pub(crate) use values;

/// Numbers that name something, both ways.
macro_rules! ids {
    ($c:ty: $($id:path),*) => {
        $crate::values::values! { $($id as $c: |it| it.0, else $id(it);)* }
    };
}
pub(crate) use ids;

/// Values that both have alike.
macro_rules! alike {
    ($($type:ty),*) => { $crate::values::values! { $($type as $type: |it| it, else it;)* } };
}
pub(crate) use alike;
alike!(u8, u16, u32, u64, i32, i64, usize, [u32; 3]);

values! {
    u8 as u32: |it| it.into(), else u8::try_from(it).map_err(|_| LOCOX_BAD_ARGUMENT)?;
    u16 as u32: |it| it.into(), else u16::try_from(it).map_err(|_| LOCOX_BAD_ARGUMENT)?;
    bool as u32: |it| it.into(), else it != 0;
    Instant as u64: |it| it.ticks(), else at(it);
    Duration as u64: |it| it.ticks(), else ticks(it);
    Option<Instant> as u64: |it| it.map_or(NEVER, Instant::ticks), else (it != NEVER).then_some(at(it));
    Option<Duration> as u64: |it| it.map_or(NEVER, Duration::ticks), else (it != NEVER).then_some(ticks(it));
    Option<NonZeroU32> as u32: |it| it.map_or(0, NonZeroU32::get), else NonZeroU32::new(it);
}
ids!(u16: PoolId);

/// The empty values of these types.
macro_rules! empty {
    ($([$($generics:tt)*] $type:ty = $value:expr;)*) => {$(
        impl<$($generics)*> Empty for $type {
            const EMPTY: Self = $value;
        }
    )*};
}
empty! {
    [] u8 = 0; [] u16 = 0; [] u32 = 0; [] u64 = 0; [] i32 = 0; [] i64 = 0; [] usize = 0;
    [T] *const T = core::ptr::null();
    [T] *mut T = core::ptr::null_mut();
    [T: Empty, const N: usize] [T; N] = [T::EMPTY; N];
}

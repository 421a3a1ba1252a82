//! How functions and opaque structures of C are written down.
//!
//! Every function does the same around what it is for. It checks `detail`, keeps the contract of
//! `memory`, and turns an [`Answer`](crate::memory::Answer) into a status. [`interface!`] writes this
//! once. `bindings/header` makes the header from the expanded sources, so comments above a function get
//! there.

/// Functions of C: each has a body that gives an [`Answer`](crate::memory::Answer).
///
/// `; detail` at the end of the arguments is `detail: *mut u64`, to which the number of a fault goes.
/// Other functions keep that number to themselves.
macro_rules! interface {
    (@detail) => { core::ptr::null_mut() };
    (@detail $detail:ident) => { $detail };
    ($(
        $(#[$comment:meta])*
        fn $name:ident($($argument:ident: $type:ty),* $(; $detail:ident)?) $body:block
    )*) => {$(
        $(#[$comment])*
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name(
            $($argument: $type,)*
            $($detail: *mut u64)?
        ) -> $crate::status::locox_status {
            // SAFETY: the caller keeps the contract of `memory`, and so do his callbacks.
            unsafe { $crate::memory::answer($crate::interface::interface!(@detail $($detail)?), || $body) }
        }
    )*};
}
pub(crate) use interface;

/// Opaque structures of C, made of words of one type. Each has a constant that says how many words, and
/// a function that says how many bytes.
///
/// `as Body, b"MARK"` makes one that is started. Its header and its body lie in it. `for Row` makes
/// room for a row of the kernel's.
macro_rules! opaque {
    ($(
        $(#[$comment:meta])*
        $name:ident: [$word:ty; $length:ident], $size:ident, $kind:tt $body:ty $(, $mark:literal)?;
    )*) => {$(
        #[doc = concat!(" How many words a `", stringify!($name), "` has.")]
        pub const $length: usize = $crate::interface::opaque!(@length $kind $body, $word);

        $(#[$comment])*
        #[repr(C)]
        pub struct $name {
            opaque: [$word; $length],
        }

        #[doc = concat!(" Bytes of a `", stringify!($name), "`, for callers who do not compile its header.")]
        #[unsafe(no_mangle)]
        pub extern "C" fn $size() -> usize {
            size_of::<$name>()
        }

        $(
            // SAFETY: its length is `length_of` its body, it is made of words that may hold anything, and
            // the length asserts the alignment.
            unsafe impl $crate::memory::Opaque for $name {
                type Body = $body;
                const MARK: u32 = u32::from_le_bytes(*$mark) << 1;
            }
        )?
    )*};
    (@length as $body:ty, $word:ty) => { $crate::memory::length_of::<$body>() };
    (@length for $row:ty, $word:ty) => { size_of::<$row>().div_ceil(size_of::<$word>()) };
}
pub(crate) use opaque;

/// Structures of C whose members callers read and write.
macro_rules! structures {
    ($($(#[$comment:meta])* pub struct $name:ident {
        $($(#[$about:meta])* pub $member:ident: $type:ty,)*
    })*) => {$(
        $(#[$comment])*
        #[repr(C)]
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub struct $name {
            $($(#[$about])* pub $member: $type,)*
        }
    )*};
}
pub(crate) use structures;

/// Enums of the kernel's as numbers of C, both ways.
macro_rules! numbered {
    ($($enum:ty { $($(#[$comment:meta])* $number:ident = $variant:ident = $value:literal,)* })*) => {$(
        $(
            $(#[$comment])*
            pub const $number: u32 = $value;
        )*

        impl $crate::interface::Numbered for $enum {
            fn from_number(number: u32) -> $crate::memory::Answer<Self> {
                match number {
                    $($number => Ok(Self::$variant),)*
                    _ => Err($crate::status::locox_status::LOCOX_BAD_ARGUMENT.into()),
                }
            }

            fn number(self) -> u32 {
                match self {
                    $(Self::$variant => $number,)*
                }
            }
        }
    )*};
}
pub(crate) use numbered;

/// One of several that have numbers in C.
pub(crate) trait Numbered: Sized {
    fn from_number(number: u32) -> crate::memory::Answer<Self>;
    fn number(self) -> u32;
}

/// Refusals and misuses of the kernel's as faults: a status, or one with a number. The kernel may have
/// more cases some day; `ci/bindings` says when one has no status here.
macro_rules! faults {
    ($($type:ty { $($pattern:pat => $fault:expr,)* })*) => {$(
        impl From<$type> for $crate::memory::Fault {
            fn from(it: $type) -> Self {
                #[allow(unreachable_patterns)]
                match it {
                    $($pattern => $fault.into(),)*
                    _ => LOCOX_UNKNOWN.into(),
                }
            }
        }
    )*};
}
pub(crate) use faults;

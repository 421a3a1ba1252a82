//! How functions, structures and numbers of C are written down, each once.
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

/// Functions of C on an opaque structure, their first argument. What is in front of `fn` says what they do:
///
/// - `start` puts what the body gives into the structure;
/// - `look` at one that is const, or `act` on one: `|it| ...` is what the body sees of what is in it. The body sees each
///   argument as [`Given`](crate::memory::Given) has it, and gives a value for each result behind `->`; those behind `|`
///   go where a pointer may be null;
/// - `raw_look` and `raw_act` have a body as in [`interface!`], and arguments as C has them.
///
/// `; detail` at the end of the results is as in [`interface!`].
macro_rules! methods {
    ($this:ident: $structure:ident |$it:ident| $seen:expr => $(
        $(#[$comment:meta])*
        $way:ident fn $name:ident($($argument:ident: $type:ty),*) $(-> (
            $($out:ident: $result:ty),* $(| $($may:ident: $wanted:ty),*)? $(; $detail:ident)?
        ))? $body:block
    )*) => {$(
        $crate::interface::methods! {
            @$way $(#[$comment])* $name($this: $structure; $($argument: $type),*)
            [$($($out: $result),*)?] [$($($($may: $wanted),*)?)?] [$($($detail)?)?] |$it| $seen => $body
        }
    )*};
    (@look $($all:tt)*) => { $crate::interface::methods! { @seen const $($all)* } };
    (@act $($all:tt)*) => { $crate::interface::methods! { @seen mut $($all)* } };
    (@raw_look $($all:tt)*) => { $crate::interface::methods! { @raw const $($all)* } };
    (@raw_act $($all:tt)*) => { $crate::interface::methods! { @raw mut $($all)* } };
    (
        @start $(#[$comment:meta])* $name:ident($this:ident: $structure:ident; $($argument:ident: $type:ty),*)
        [] [] [$($detail:ident)?] |$it:ident| $seen:expr => $body:block
    ) => {$crate::interface::interface! {
        $(#[$comment])*
        fn $name($this: *mut $structure $(, $argument: $type)* $(; $detail)?) {
            let place = $crate::memory::place($this)?;
            place.start($body)
        }
    }};
    (
        @raw $way:tt $(#[$comment:meta])* $name:ident($this:ident: $structure:ident; $($argument:ident: $type:ty),*)
        [] [] [$($detail:ident)?] |$it:ident| $seen:expr => $body:block
    ) => {$crate::interface::interface! {
        $(#[$comment])*
        fn $name($this: *$way $structure $(, $argument: $type)* $(; $detail)?) $body
    }};
    (
        @seen $way:tt $(#[$comment:meta])* $name:ident($this:ident: $structure:ident; $($argument:ident: $type:ty),*)
        [$($out:ident: $result:ty),*] [$($may:ident: $wanted:ty),*] [$($detail:ident)?] |$it:ident| $seen:expr => $body:block
    ) => {$crate::interface::interface! {
        $(#[$comment])*
        fn $name(
            $this: *$way $structure $(, $argument: $type)* $(, $out: *mut $result)* $(, $may: *mut $wanted)* $(; $detail)?
        ) {
            $(let $argument = $crate::memory::Given::given($argument)?;)*
            $crate::memory::Results::put(
                ($($crate::memory::out($out)?,)* $($crate::memory::optional_out($may)?,)*),
                $crate::memory::of($this, |$it| {
                    #[allow(clippy::redundant_locals)]
                    let $it = $seen;
                    Ok::<_, $crate::fault::Fault>($body)
                })?,
            )
        }
    }};
}
pub(crate) use methods;

/// Functions of C that only reckon; behind `const:` those that the compiler can run.
macro_rules! plain {
    ($($(#[$comment:meta])* fn $name:ident($($argument:ident: $type:ty),*) -> $result:ty $body:block)*) => {$(
        $(#[$comment])*
        #[unsafe(no_mangle)]
        pub extern "C" fn $name($($argument: $type),*) -> $result $body
    )*};
    (const: $($(#[$comment:meta])* fn $name:ident($($argument:ident: $type:ty),*) -> $result:ty $body:block)*) => {$(
        $(#[$comment])*
        #[unsafe(no_mangle)]
        pub const extern "C" fn $name($($argument: $type),*) -> $result $body
    )*};
}
pub(crate) use plain;

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

/// Structures of C whose members callers read and write. `= value` is what a member has where it says
/// nothing; others are zero or null then.
macro_rules! structures {
    (@empty $type:ty) => { <$type as $crate::values::Empty>::EMPTY };
    (@empty $type:ty, $empty:expr) => { $empty };
    ($($(#[$comment:meta])* pub struct $name:ident {
        $($(#[$about:meta])* pub $member:ident: $type:ty $(= $empty:expr)?,)*
    })*) => {$(
        $(#[$comment])*
        #[repr(C)]
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub struct $name {
            $($(#[$about])* pub $member: $type,)*
        }

        impl $crate::values::Empty for $name {
            const EMPTY: Self =
                Self { $($member: $crate::interface::structures!(@empty $type $(, $empty)?),)* };
        }

        impl $crate::memory::Given for *const $name {
            type Value = $name;

            unsafe fn given(self) -> $crate::fault::Answer<$name> {
                // SAFETY: the caller keeps the contract, and each member may hold anything.
                unsafe { $crate::memory::input(self) }
            }
        }

        $crate::values::alike!($name);
    )*};
}
pub(crate) use structures;

/// Structures of C with members named as the fields of one of the kernel's: `<-` makes them of that one,
/// and `=` that one of them, too.
macro_rules! mirrors {
    ($($c:ident $way:tt $rust:ty { $($field:ident),* $(,)? })*) => {$(
        $crate::interface::mirrors!(@ $way $c $rust { $($field),* });
    )*};
    (@ <- $c:ident $rust:ty { $($field:ident),* }) => {
        impl $crate::values::IntoC<$c> for $rust {
            fn into_c(self) -> $c {
                #[allow(clippy::needless_update)]
                $c { $($field: self.$field.into_c(),)* ..$crate::values::Empty::EMPTY }
            }
        }
    };
    (@ = $c:ident $rust:ty { $($field:ident),* }) => {
        $crate::interface::mirrors!(@ <- $c $rust { $($field),* });

        impl $crate::values::FromC<$c> for $rust {
            fn from_c(it: $c) -> $crate::fault::Answer<Self> {
                Ok(Self { $($field: $crate::values::FromC::from_c(it.$field)?,)* })
            }
        }
    };
}
pub(crate) use mirrors;

/// Numbers for `u32` constants of C.
macro_rules! numbers {
    ($($(#[$comment:meta])* $number:ident = $value:literal;)*) => {
        $($(#[$comment])* pub const $number: u32 = $value;)*
    };
}
pub(crate) use numbers;

/// Enums of the kernel's as numbers of C, both ways.
macro_rules! numbered {
    ($($enum:ty { $($(#[$comment:meta])* $number:ident = $variant:ident = $value:literal,)* })*) => {$(
        $crate::interface::numbers! { $($(#[$comment])* $number = $value;)* }

        impl $crate::values::FromC<u32> for $enum {
            fn from_c(number: u32) -> $crate::fault::Answer<Self> {
                match number {
                    $($number => Ok(Self::$variant),)*
                    _ => Err($crate::status::locox_status::LOCOX_BAD_ARGUMENT.into()),
                }
            }
        }

        impl $crate::values::IntoC<u32> for $enum {
            fn into_c(self) -> u32 {
                match self {
                    $(Self::$variant => $number,)*
                }
            }
        }
    )*};
}
pub(crate) use numbered;

/// What C says by a number, and by members that the number names: the number, and what the kernel takes.
macro_rules! commands {
    (
        $of:ident($it:ident: $c:ty) -> $rust:ty, by $kind:expr;
        $({ $($before:tt)* })?
        $($(#[$comment:meta])* $number:ident = $value:literal => $command:expr;)*
    ) => {
        $crate::interface::numbers! { $($(#[$comment])* $number = $value;)* }

        pub(crate) fn $of($it: $c) -> $crate::fault::Answer<$rust> {
            $($($before)*)?
            Ok(match $kind {
                $($number => $command,)*
                _ => return Err($crate::status::locox_status::LOCOX_BAD_ARGUMENT.into()),
            })
        }
    };
}
pub(crate) use commands;

/// What the kernel says by a variant: the number that it has in C, which goes to a member, and the members besides that
/// say something then; behind `;` is where the others are from. A number may stand for several variants.
macro_rules! told {
    ($(
        $rust:ty => $c:ident.$kind:ident {$(
            $(#[$comment:meta])* $number:ident = $value:literal:
            $($variant:pat => { $($field:ident $(: $said:expr)?),* $(; ..$others:expr)? }),+;
        )*}
    )*) => {$(
        $crate::interface::numbers! { $($(#[$comment])* $number = $value;)* }

        impl $crate::values::IntoC<$c> for $rust {
            fn into_c(self) -> $c {
                #[allow(clippy::needless_update)]
                match self {
                    $($($variant => $c {
                        $kind: $number,
                        $($field: $crate::interface::told!(@said $field $(, $said)?).into_c(),)*
                        ..$crate::interface::told!(@others $($others)?)
                    },)+)*
                }
            }
        }
    )*};
    (@said $field:ident) => { $field };
    (@said $field:ident, $said:expr) => { $said };
    (@others) => { $crate::values::Empty::EMPTY };
    (@others $others:expr) => { $others };
}
pub(crate) use told;

/// Types of callbacks that are given one value and what the caller named.
macro_rules! callbacks {
    ($($(#[$comment:meta])* pub type $name:ident($value:ident: $type:ty) $(-> $answer:ty)?;)*) => {$(
        $(#[$comment])*
        pub type $name =
            Option<unsafe extern "C" fn($value: $type, user: *mut core::ffi::c_void) $(-> $answer)?>;
    )*};
}
pub(crate) use callbacks;

/// Methods of a trait that what is behind `=>` has by the same names: `look` at `&self`, `act` on `&mut self`.
macro_rules! forward {
    (
        $(look |$it:ident| $seen:expr => $(fn $looks:ident($($a:ident: $A:ty),* $(,)?) $(-> $L:ty)?;)*)?
        $(act |$mine:ident| $held:expr => $(fn $acts:ident($($b:ident: $B:ty),* $(,)?) $(-> $R:ty)?;)*)?
    ) => {
        $($(fn $looks(&self $(, $a: $A)*) $(-> $L)? {
            let $it = self;
            $seen.$looks($($a),*)
        })*)?
        $($(fn $acts(&mut self $(, $b: $B)*) $(-> $R)? {
            let $mine = self;
            $held.$acts($($b),*)
        })*)?
    };
}
pub(crate) use forward;

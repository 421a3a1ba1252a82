//! Oracles for the systems of [`locox`]: what they must do, told without cleverness. A module a
//! system, named as in the kernel, and in each of them
//!
//! - naive models, which compute every answer anew;
//! - commands: operations without knowledge of the state, misuse included. Every number decodes to
//!   one, so numbers from anywhere are food: a fuzzer, a property tester, a generator with a seed;
//! - a runner that carries commands out, compares each answer with the model's, and looks at the
//!   invariants after each;
//! - `follow`, which does all this with a list of numbers: the first one says with what, each of
//!   the others is a command.
//!
//! [`others`] is for allocators that are not locox's.

#![forbid(unsafe_code)]
#![warn(missing_docs)]

mod digits;
mod mismatch;

pub mod accelerator;
pub mod cluster;
pub mod dispatch;
pub mod exhaust;
pub mod fair;
pub mod grid;
pub mod machine;
pub mod manager;
pub mod mapping;
pub mod mesh;
pub mod nodes;
pub mod others;
pub mod reserve;
pub mod site;
pub mod station;
pub mod subcube;
pub mod timeshare;

pub use digits::{Weights, numbers};
pub use mismatch::Mismatch;

/// Makes a `#[test]` for each strategy out of each function that is generic over its
/// [`Rule`](subcube::Rule), or over another trait that the five models have.
#[macro_export]
macro_rules! for_each_strategy {
    ($($test:ident),+ $(,)?) => {
        $crate::for_each_strategy!(@ buddy Buddy $($test)+);
        $crate::for_each_strategy!(@ gray_code GrayCode $($test)+);
        $crate::for_each_strategy!(@ free_list FreeList $($test)+);
        $crate::for_each_strategy!(@ free_list_plain FreeListPlain $($test)+);
        $crate::for_each_strategy!(@ complete Complete $($test)+);
    };
    (@ $module:ident $rule:ident $($test:ident)+) => {
        mod $module {
            $(#[test] fn $test() { super::$test::<$crate::subcube::$rule>() })+
        }
    };
}

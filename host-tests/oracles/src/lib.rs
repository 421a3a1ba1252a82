//! Oracles for the systems of [`locox`]: what they must do, told without cleverness. A module a
//! system, named as in the kernel.

#![forbid(unsafe_code)]
#![warn(missing_docs)]

pub mod dispatch;
pub mod mesh;
pub mod reserve;
pub mod subcube;

/// Makes a `#[test]` for each strategy out of each function that is generic over its [`Rule`], or
/// over another trait that the four models have.
#[macro_export]
macro_rules! for_each_strategy {
    ($($test:ident),+ $(,)?) => {
        $crate::for_each_strategy!(@ buddy Buddy $($test)+);
        $crate::for_each_strategy!(@ gray_code GrayCode $($test)+);
        $crate::for_each_strategy!(@ free_list FreeList $($test)+);
        $crate::for_each_strategy!(@ complete Complete $($test)+);
    };
    (@ $module:ident $rule:ident $($test:ident)+) => {
        mod $module {
            $(#[test] fn $test() { super::$test::<$crate::subcube::$rule>() })+
        }
    };
}

//! What the test files share.

use locox::cube::Dim;

/// Makes a `#[test]` for each strategy out of each function that is generic over its rule.
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
            $(#[test] fn $test() { super::$test::<locox_oracles::$rule>() })+
        }
    };
}

pub(crate) fn dim(dim: u8) -> Dim {
    Dim::new(dim).unwrap()
}

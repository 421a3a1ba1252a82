//! Four amounts that do not look at the index.

use super::{Amount, IndexFunctions, ScheduleIndex};

/// f, g, h and l, each a constant.
///
/// When to choose it: to weigh holding against waiting (f : g), or how long the past counts
/// (small h and l: long). A zero switches that movement off.
///
/// ```
/// use locox::fair::{Amount, Constant, IndexFunctions, ScheduleIndex};
/// let one = Amount::from_int(1);
/// let functions = Constant { f: Amount::from_int(3), g: one, h: one, l: one };
/// assert_eq!(functions.f(ScheduleIndex::from_int(-7)), Amount::from_int(3));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Constant {
    /// Rise for each processor held.
    pub f: Amount,
    /// Fall while waiting.
    pub g: Amount,
    /// Fall towards zero.
    pub h: Amount,
    /// Rise towards zero.
    pub l: Amount,
}

impl IndexFunctions for Constant {
    fn f(&self, _: ScheduleIndex) -> Amount {
        self.f
    }

    fn g(&self, _: ScheduleIndex) -> Amount {
        self.g
    }

    fn h(&self, _: ScheduleIndex) -> Amount {
        self.h
    }

    fn l(&self, _: ScheduleIndex) -> Amount {
        self.l
    }
}

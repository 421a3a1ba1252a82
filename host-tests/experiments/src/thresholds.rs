//! From where on something counts as much, near or alike: every margin that an experiment hands to the
//! judge, with its reason. Levels of significance are the judge's own ([`locox_report::judge::LEVEL`]).

// afl-constant

/// A finite run ends in mid-work: so many per cent of a published figure are none.
pub(crate) const EXACT: f64 = 2.0;

// afl-uniform

/// Per cent that count as no difference, since no reader could tell it from the curves in print.
pub(crate) const SAME: f64 = 5.0;
/// Percentage points of utilisation up to which a gain is slight: a tick of the printed axes is 20.
pub(crate) const SLIGHT: f64 = 10.0;

// afl-intervals-8, afl-intervals-16

/// "Often", in per cent of the releases: more often than not.
pub(crate) const OFTEN: f64 = 50.0;

// afl-isolation

/// Messages contend if they take longer by more than so many per cent; without contention they take
/// not a cycle longer.
pub(crate) const CONTEND: f64 = 1.0;

// queue-matters

/// "Far more" is more than so many times as much.
pub(crate) const FAR_MORE: f64 = 2.0;
/// Percentage points of utilisation that are negligible: one processor in a hundred.
pub(crate) const NEGLIGIBLE: f64 = 1.0;
/// Percentage points that are little, of a hundred.
pub(crate) const LITTLE: f64 = 5.0;
/// Percentage points that are dramatic.
pub(crate) const DRAMATIC: f64 = 10.0;

// placement-optimum

/// Per cent of what the best placement serves that count as near it.
pub(crate) const NEAR: f64 = 0.3;

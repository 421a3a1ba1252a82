//! From where on something counts as much, near or alike: every margin that an experiment hands to the
//! judge, with its reason. Levels of significance are the judge's own ([`locox_report::judge::LEVEL`]).

// now-alone, now-model, now-daemon, elmer-*

/// How far a fitted time may be from a printed one, in per cent: less than two kernels differ by.
pub(crate) const NOW_FITTED: f64 = 1.0;
/// As much as alone, in per cent: less than the last digit of a printed time.
pub(crate) const NOW_EQUAL: f64 = 0.5;
/// Measurable, in per cent: the most by which two runs of one program differ in their work here.
pub(crate) const NOW_MEASURABLE: f64 = 1.0;
/// Somewhat more than measurable, in per cent: half of what is near.
pub(crate) const NOW_NOTICED: f64 = 5.0;
/// Near, close, little; and beyond it significant: what a reader cannot tell apart in a figure of
/// the source, in per cent.
pub(crate) const NOW_NEAR: f64 = 10.0;
/// How far a share of histories may be from what is computed by hand, in percentage points.
pub(crate) const ELMER_SHARE: f64 = 10.0;

//! From where on something counts as much, near or alike: every margin that an experiment hands to the
//! judge, with its reason. Levels of significance are the judge's own ([`locox_report::judge::LEVEL`]).

// ar-sizes, ar-load, ar-flexibility

/// Percentage points of acceptance from which on policies differ and a curve bends: a request in a
/// hundred, less than can be told from curves in print.
pub(crate) const AR_ACCEPTANCE: f64 = 1.0;
/// The same of slowdown: a tenth of a run time.
pub(crate) const AR_SLOWDOWN: f64 = 0.1;
/// "Much better", in percentage points of acceptance: twice what counts as a difference.
pub(crate) const AR_MUCH: f64 = 2.0;
/// "Similar" orders of the seven policies: Spearman's correlation that chance passes in one case of
/// twenty.
pub(crate) const AR_SIMILAR: f64 = 0.714;

// updown-study, updown-functions

/// "Steady", in per cent: a light user waits for the next update of the indices, and these come a
/// little more or less often as other users' jobs end.
pub(crate) const UPDOWN_STEADY: f64 = 5.0;
/// "The same throughput", in per cent: less than the source could have seen.
pub(crate) const UPDOWN_SAME: f64 = 1.0;

// updown-example

/// In per cent of what was worked out: a slice of a minute ends up to a minute late.
pub(crate) const UPDOWN_WORKED_OUT: f64 = 2.5;

// updown-scale

/// "Less than 1", in per cent of a station's capacity.
pub(crate) const UPDOWN_COORDINATOR: f64 = 1.0;

// updown-forever

/// Ours: by which share equal users may differ on a day.
pub(crate) const UPDOWN_EQUAL: f64 = 0.05;
/// Ours: how many times the wait ratio of Round-Robin a light user keeps.
pub(crate) const UPDOWN_KEPT: f64 = 2.0;

// condor-month

/// Hours of a month, in per cent: a month of other owners and other jobs differs as much.
pub(crate) const CONDOR_HOURS: f64 = 5.0;
/// The same of the leverage: moves depend on when jobs come and how long owners stay, of which the
/// slides tell little.
pub(crate) const CONDOR_LEVERAGE: f64 = 20.0;
/// "Very small": a job waits for less than a tenth of the time that it runs.
pub(crate) const CONDOR_VERY_SMALL: f64 = 0.1;
/// "Kept", in per cent of the month.
pub(crate) const CONDOR_KEPT: f64 = 90.0;
/// "Approximately seven minutes": the source's own sum leaves a minute open.
pub(crate) const CONDOR_ABOUT_SEVEN: (f64, f64) = (6.0, 8.0);

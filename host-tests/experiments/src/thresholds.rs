//! From where on something counts as much, near or alike: every margin that an experiment hands to the
//! judge, with its reason. Levels of significance are the judge's own ([`locox_report::judge::LEVEL`]).

// Experiments pjs-*.

/// "From two to three times".
pub(crate) const PJS_TIMES: (f64, f64) = (2.0, 3.0);
/// "No significant overall effect": by which factor two shares may differ.
pub(crate) const PJS_NO_EFFECT: f64 = 1.5;
/// "Only a few jobs", in per cent.
pub(crate) const PJS_FEW: f64 = 5.0;
/// "Range up to nearly 50 %".
pub(crate) const PJS_NEARLY_HALF: (f64, f64) = (40.0, 50.0);
/// From so many jobs on the load is heavy: the upper half of the axis of Fig. 5 (a).
pub(crate) const PJS_HEAVY: usize = 50;
/// "Too small to be seen" in a chart of 50 %, in per cent.
pub(crate) const PJS_UNSEEN: f64 = 1.0;
/// "After approximately 30 high-priority jobs" the curves have met.
pub(crate) const PJS_MET: f64 = 30.0;
/// "At this point" of the rise, and "shortly after" that of the fall: so many jobs of high priority at
/// least, and at most.
pub(crate) const PJS_AROUND_MET: (f64, f64) = (20.0, 50.0);
/// "Comparable", "no significant difference", "approximately the same", in per cent: half of what the
/// source calls slight.
pub(crate) const PJS_ALIKE: f64 = 5.0;
/// "Marginally", "slight", "somewhat less than 10 %", in per cent.
pub(crate) const PJS_SLIGHT: f64 = 10.0;
/// "Approximately the same amount", in per cent of it.
pub(crate) const PJS_SAME_AMOUNT: f64 = 25.0;
/// "Slightly over 100 seconds".
pub(crate) const PJS_CONTAINED: (f64, f64) = (100.0, 125.0);
/// "Over four times".
pub(crate) const PJS_TIMES_AS_LONG: f64 = 4.0;
/// "A mean arrival rate of 8 jobs per time quantum", where the order turns.
pub(crate) const PJS_TURN: u32 = 8;
/// "Small" and "high" rates: up to, and from.
pub(crate) const PJS_FEW_ARRIVE: u32 = 2;
pub(crate) const PJS_MANY_ARRIVE: u32 = 16;
/// "Little difference", in percentage points of a table that counts all of them.
pub(crate) const PJS_LITTLE: f64 = 10.0;
/// "Greatly", in per cent: a fifth.
pub(crate) const PJS_GREATLY: f64 = 20.0;
/// "Generally", "usually", in per cent: more than half.
pub(crate) const PJS_MOST: f64 = 50.0;
/// Ours: as well as one that knows all, in per cent.
pub(crate) const PJS_AS_WELL: f64 = 10.0;

// Experiment backfill-reference.

/// "Similar", in per cent of the slowdown.
pub(crate) const BACKFILL_SIMILAR: f64 = 10.0;
/// "A substantial factor": the f of the f-model from there on, so that requests are on the average 2.5
/// times the run time or more.
pub(crate) const BACKFILL_SUBSTANTIAL: f64 = 3.0;

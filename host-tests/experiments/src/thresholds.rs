//! From where on something counts as much, near or alike: every margin that an experiment hands to the
//! judge, with its reason; those that the source does not give are ours. Levels of significance are the
//! judge's own ([`locox_report::judge::LEVEL`]).

// afl-constant

/// A finite run ends in mid-work: so many per cent of a published figure are none.
pub(crate) const AFL_EXACT: f64 = 2.0;

// afl-uniform

/// Per cent that count as no difference, since no reader could tell it from the curves in print.
pub(crate) const AFL_SAME: f64 = 5.0;
/// Percentage points of utilisation up to which a gain is slight: a tick of the printed axes is 20.
pub(crate) const AFL_SLIGHT: f64 = 10.0;

// afl-intervals-8, afl-intervals-16

/// "Often", in per cent of the releases: more often than not.
pub(crate) const AFL_OFTEN: f64 = 50.0;

// afl-isolation

/// Messages contend if they take longer by more than so many per cent; without contention they take
/// not a cycle longer.
pub(crate) const AFL_CONTEND: f64 = 1.0;

// queue-matters

/// "Far more" is more than so many times as much.
pub(crate) const QUEUE_FAR_MORE: f64 = 2.0;
/// Percentage points of utilisation that are negligible: one processor in a hundred.
pub(crate) const QUEUE_NEGLIGIBLE: f64 = 1.0;
/// Percentage points that are little, of a hundred.
pub(crate) const QUEUE_LITTLE: f64 = 5.0;
/// Percentage points that are dramatic.
pub(crate) const QUEUE_DRAMATIC: f64 = 10.0;
/// Ours: 17 to 22 percentage points that a window of 16 jobs gains, and 3 to 7 that complete recognition
/// does, each rounded to a point.
pub(crate) const QUEUE_WINDOW_GAINS: (f64, f64) = (16.5, 22.5);
pub(crate) const QUEUE_COMPLETE_GAINS: (f64, f64) = (2.5, 7.5);

// placement-optimum

/// Per cent of what the best placement serves that count as near it.
pub(crate) const PLACEMENT_NEAR: f64 = 0.3;

// slices-optimum

/// Ours: per cent of what the best placement serves that count as near it.
pub(crate) const SLICES_NEAR: f64 = 0.5;

// Experiments pjs-*.

/// "From two to three times".
pub(crate) const PJS_TIMES: (f64, f64) = (2.0, 3.0);
/// "No significant overall effect": by which factor two shares may differ.
pub(crate) const PJS_NO_EFFECT: f64 = 1.5;
/// "Only a few jobs", in per cent.
pub(crate) const PJS_FEW: f64 = 5.0;
/// From so many jobs on 40 machines the load of pjs-overhead is heavy.
pub(crate) const PJS_HEAVY_ON_40: usize = 700;
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
/// The axes of Fig. 6 (c), (f) and (i) end at so many jobs of low priority.
pub(crate) const PJS_DRAWN: f64 = 100.0;
/// "No significant difference", and curves that have met, in per cent: half of what the source calls
/// slight.
pub(crate) const PJS_ALIKE: f64 = 5.0;
/// "Comparable", in per cent, where "marginally inferior" stands beside it: a fifth of what the source
/// calls slight.
pub(crate) const PJS_COMPARABLE: f64 = 2.0;
/// "Marginally", "slight", "somewhat less than 10 %", in per cent.
pub(crate) const PJS_SLIGHT: f64 = 10.0;
/// "Approximately the same" amount, and penalty, in per cent of it.
pub(crate) const PJS_SAME_AMOUNT: f64 = 25.0;
/// Ours: "slightly over 100 seconds" is up to a quarter more.
pub(crate) const PJS_CONTAINED: (f64, f64) = (100.0, 125.0);
/// "Over four times".
pub(crate) const PJS_TIMES_AS_LONG: f64 = 4.0;
/// "A mean arrival rate of 8 jobs per time quantum", where the order turns.
pub(crate) const PJS_TURN: u32 = 8;
/// Ours: "small" and "high" rates: up to, and from.
pub(crate) const PJS_FEW_ARRIVE: u32 = 2;
/// Ours: a "low effective arrival rate" is up to so many jobs of high priority a quantum.
pub(crate) const PJS_FEW_OF_HIGH_ARRIVE: u32 = 1;
pub(crate) const PJS_MANY_ARRIVE: u32 = 16;
/// "Frequent": so often at least a job loses its place.
pub(crate) const PJS_FREQUENTLY: u32 = 2;
/// "Little difference", in percentage points of a table that counts all of them.
pub(crate) const PJS_LITTLE: f64 = 10.0;
/// Ours: "greatly", in per cent: a fifth.
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

// now-alone, now-model, now-daemon, elmer-*

/// How far a fitted time may be from a printed one, in per cent: less than two kernels differ by.
pub(crate) const NOW_FITTED: f64 = 1.0;
/// As much as alone, in per cent: less than the last digit of a printed time.
pub(crate) const NOW_EQUAL: f64 = 0.5;
/// Measurable, in per cent: the most by which two runs of one program differ in their work here.
pub(crate) const NOW_MEASURABLE: f64 = 1.0;
/// Ours: adverse, in per cent: half of what is significant.
pub(crate) const NOW_NOTICED: f64 = 5.0;
/// Ours: near, close, about; and beyond it significant, in per cent. The source gives no size; in its
/// figures, of 200 s, a reader cannot tell curves apart that are nearer.
pub(crate) const NOW_NEAR: f64 = 10.0;
/// "Primarily by d": what a program pays is less than so many per cent of d, which is then more than
/// half of it.
pub(crate) const NOW_PRIMARILY: f64 = 200.0;
/// The source's own example of a significant loss without direct routing, 31.4 to 34.4 s, in per cent.
pub(crate) const NOW_ROUTING: f64 = 9.6;
/// Ours: what a job gains over space sharing is little up to the one or the other, and significant
/// beyond the same, in per cent.
pub(crate) const NOW_LITTLE: [f64; 2] = [NOW_NOTICED, NOW_NEAR];
/// "Most" histories: more than half.
pub(crate) const ELMER_MOST: f64 = 0.5;
/// Hosts that the source computes, and those that it wants at least.
pub(crate) const ELMER_COMPUTED_HOSTS: u32 = 107;
pub(crate) const ELMER_DESIRED_HOSTS: u32 = 100;
/// How far a share of histories may be from what is computed by hand, in percentage points.
pub(crate) const ELMER_SHARE: f64 = 10.0;

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
/// Ours: percentage points of all processor time that count as more overhead: one minute in a thousand.
pub(crate) const UPDOWN_DEARER: f64 = 0.1;
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

/// Ours: hours of a month, in per cent. That is more than months of our runs differ, by a standard deviation of
/// about 1 % of the hours available to 3 % of the hours used, so that chance alone does not refuse a fit.
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

// where-and-when

/// Per cent of the wait that places may cost to cost little: ours, a tenth.
pub(crate) const PLACES_LITTLE: f64 = 10.0;
/// Per cent by which waits may differ and be about the same: ours.
pub(crate) const PROMISES_ALIKE: f64 = 5.0;

// shared-nodes

/// Percentage points of all GPUs within which best fit allocates as much as published: ours.
pub(crate) const GPUS_AS_PUBLISHED: f64 = 1.5;

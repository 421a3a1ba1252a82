//! Numbers of the command line. An option says its range once: its parser keeps it, and its help tells it.

use clap::Arg;
use std::fmt::Display;
use std::ops::RangeInclusive;
use std::str::FromStr;

/// Jobs that a model makes up at most: what they take fits into a gigabyte.
pub(super) const MOST_JOBS: u64 = 5_000_000;
/// Seconds: what begins or ends later is not in any list.
pub(super) const LONGEST: f64 = 1e9;
/// A hundred years: what lasts longer never ends in any run.
const MOST_HOURS: f64 = 876_000.0;

/// Less than this a machine cannot be told from an idle one, and the clock would leave its range; and ten
/// times what it can do floods it as well as more would.
pub(super) const LOAD: RangeInclusive<f64> = 0.001..=10.0;
/// By which times between arrivals are divided.
pub(super) const FACTOR: RangeInclusive<f64> = 0.001..=1_000.0;
/// Of a checkpoint.
pub(super) const MEGABYTES: RangeInclusive<f64> = 0.0..=1_000_000.0;
/// In run times of a job.
pub(super) const RUN_TIMES: RangeInclusive<f64> = 0.0..=1_000_000.0;
/// What three digits can tell from both ends.
pub(super) const SHARE: RangeInclusive<f64> = 0.001..=0.999;
/// In a second: more cannot be told apart.
pub(super) const CALLS: RangeInclusive<f64> = 0.000_001..=1_000_000.0;
pub(super) const SECONDS_OR_NONE: RangeInclusive<f64> = 0.0..=LONGEST;
pub(super) const SECONDS: RangeInclusive<f64> = 0.001..=LONGEST;
/// More than half a minute: what is shorter makes events without end.
pub(super) const HOURS: RangeInclusive<f64> = 0.01..=MOST_HOURS;
/// Of owners, who do not come and go by the second.
pub(super) const MINUTES: RangeInclusive<f64> = 1.0..=MOST_HOURS * 60.0;
/// Of what is counted in whole seconds, and is at least one.
pub(super) const MINUTES_OF_SECONDS: RangeInclusive<f64> = 0.02..=MOST_HOURS * 60.0;
pub(super) const MINUTES_OR_NONE: RangeInclusive<f64> = 0.0..=MOST_HOURS * 60.0;

/// What an option of numbers has in common with all others.
pub(super) trait Numeric: Sized {
    /// Takes a whole number of the range.
    fn whole<T: Number>(self, range: RangeInclusive<T>) -> Self;

    /// Takes any number of the range.
    fn real(self, range: RangeInclusive<f64>) -> Self;

    /// Takes any number of the range, which is a share of a machine: some write per cent.
    fn load(self, range: RangeInclusive<f64>) -> Self;

    /// Takes a text with numbers in it, whose own parser keeps these ranges.
    fn ranges(self, told: &str) -> Self;
}

/// A number that an option can have.
pub(super) trait Number:
    Copy + PartialOrd + Display + FromStr + Send + Sync + 'static
{
}

impl<T: Copy + PartialOrd + Display + FromStr + Send + Sync + 'static> Number for T {}

impl Numeric for Arg {
    fn whole<T: Number>(self, range: RangeInclusive<T>) -> Self {
        let told = told(&range);
        self.ranges(&told).value_parser(move |text: &str| within(text, &range, "whole number"))
    }

    fn real(self, range: RangeInclusive<f64>) -> Self {
        let told = told(&range);
        self.ranges(&told).value_parser(move |text: &str| within(text, &range, "number"))
    }

    fn load(self, range: RangeInclusive<f64>) -> Self {
        let told = told(&range);
        self.ranges(&told).value_parser(move |text: &str| {
            within(text, &range, "number").map_err(|wrong| wrong + "; 0.6 is 60 %")
        })
    }

    fn ranges(self, told: &str) -> Self {
        let help = self.get_help().map(ToString::to_string).unwrap_or_default();
        // What begins with a minus is a wrong number rather than an unknown option.
        self.help(format!("{help} [range: {told}]")).allow_negative_numbers(true)
    }
}

pub(super) fn told(range: &RangeInclusive<impl Display>) -> String {
    format!("{} to {}", range.start(), range.end())
}

fn within<T: Number>(text: &str, range: &RangeInclusive<T>, what: &str) -> Result<T, String> {
    let value = text.parse().ok().filter(|value| range.contains(value));
    value.ok_or_else(|| format!("write a {what} from {}", told(range)))
}

/// A whole number of the range, as a part of a text.
pub(super) fn part<T: Number>(text: &str, range: &RangeInclusive<T>) -> Option<T> {
    text.parse().ok().filter(|value| range.contains(value))
}

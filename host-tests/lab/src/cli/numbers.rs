//! Numbers within bounds.

/// What three digits can tell from both ends.
pub(super) fn share(text: &str) -> Result<f64, String> {
    let value = text.parse().ok().filter(|value| (0.001..=0.999).contains(value));
    value.ok_or("write a number above 0 and below 1, such as 0.7".into())
}

pub(super) fn not_negative(text: &str) -> Result<f64, String> {
    let value = text.parse().ok().filter(|value: &f64| value.is_finite() && *value >= 0.0);
    value.ok_or("write a number from 0 on".into())
}

/// A hundred years: what lasts longer never ends in any run.
const MOST_HOURS: f64 = 876_000.0;
const MOST_MINUTES: f64 = MOST_HOURS * 60.0;

fn at_most(most: f64, value: f64) -> Result<f64, String> {
    if value <= most { Ok(value) } else { Err(format!("write a number of at most {most}")) }
}

/// Ten times what the machine can do floods it as well as more would; and a thousandth leaves it
/// idle, and the clock within its range.
pub(super) fn load(text: &str) -> Result<f64, String> {
    let value = text.parse().ok().filter(|value| (0.001..=10.0).contains(value));
    value.ok_or("write a share of the machine from 0.001 to 10; 0.6 is 60 %".into())
}

pub(super) fn hours(text: &str) -> Result<f64, String> {
    at_most(MOST_HOURS, positive(text)?)
}

pub(super) fn minutes(text: &str) -> Result<f64, String> {
    at_most(MOST_MINUTES, positive(text)?)
}

pub(super) fn minutes_or_none(text: &str) -> Result<f64, String> {
    at_most(MOST_MINUTES, not_negative(text)?)
}

pub(super) fn positive(text: &str) -> Result<f64, String> {
    let value = text.parse().ok().filter(|value: &f64| value.is_finite() && *value > 0.0);
    value.ok_or("write a number above 0".into())
}

//! The scale of an axis: where values lie, and which of them are labelled.

use super::Scale;
use super::table::grouped;

/// The scale of an axis, its ends and its ticks.
#[derive(Clone)]
pub(super) struct Ruler {
    scale: Scale,
    /// The ends, as lengths: logarithms on a logarithmic scale.
    pub(super) low: f64,
    pub(super) high: f64,
}

impl Ruler {
    /// The ruler that spans all values that can be placed on it; never of no length.
    pub(super) fn over(values: impl Iterator<Item = f64>, scale: Scale) -> Self {
        let lengths = values.map(|value| length(value, scale)).filter(|at| at.is_finite());
        let (low, high) = lengths.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), at| {
            (low.min(at), high.max(at))
        });
        if low > high {
            return Self { scale, low: 0.0, high: 1.0 };
        }
        let room = if low < high { 0.0 } else { 0.5 };
        // Values of which none is negative get no negative room.
        let below = if scale == Scale::Linear && low >= 0.0 { low.min(room) } else { room };
        Self { scale, low: low - below, high: high + room }
    }

    pub(super) fn holds(&self, value: f64) -> bool {
        length(value, self.scale).is_finite()
    }

    /// Where a value lies between the ends: 0 at the low one, 1 at the high one.
    pub(super) fn share(&self, value: f64) -> f64 {
        (length(value, self.scale) - self.low) / (self.high - self.low)
    }

    /// A value as the labels of an axis have it.
    pub(super) fn label(value: f64) -> String {
        // Rounding hides the last bits of 0.1 + 0.2, and no axis needs more than six digits.
        let rounded = format!("{value:.6}");
        grouped(rounded.trim_end_matches('0').trim_end_matches('.'))
    }

    /// Round values, at most so many; on a logarithmic scale whole decades, or 1, 2 and 5 of each if
    /// they are few.
    pub(super) fn ticks(&self, most: usize) -> Vec<f64> {
        if self.scale != Scale::Log {
            return multiples(self.low, self.high, most);
        }
        let steps: &[f64] = if self.high - self.low < 3.0 { &[1.0, 2.0, 5.0] } else { &[1.0] };
        let decades = self.low.floor() as i32..=self.high.ceil() as i32;
        let marks =
            decades.flat_map(|decade| steps.iter().map(move |step| step * 10f64.powi(decade)));
        let marks: Vec<f64> =
            marks.filter(|mark| (self.low..=self.high).contains(&mark.log10())).collect();
        // Every second one, or third, and so on, so that the first one stays.
        marks.iter().copied().step_by(marks.len().div_ceil(most.max(1)).max(1)).collect()
    }
}

fn length(value: f64, scale: Scale) -> f64 {
    match scale {
        Scale::Linear | Scale::Close => value,
        Scale::Log => value.log10(),
    }
}

/// In steps: an end that lies no further beyond a tick has it.
const NEAR: f64 = 1e-9;

/// The multiples of 1, 2 or 5 times a power of ten from `low` to `high`, at most so many (but two).
fn multiples(low: f64, high: f64, most: usize) -> Vec<f64> {
    let least = (high - low) / (most.max(2) - 1) as f64;
    let decade = 10f64.powf(least.log10().floor());
    let steps = [1.0, 2.0, 5.0, 10.0].map(|factor| factor * decade);
    let step = steps.into_iter().find(|&step| step >= least).unwrap_or(least);
    let (first, last) = ((low / step - NEAR).ceil() as i64, (high / step + NEAR).floor() as i64);
    // A quotient keeps 0.3 what three times 0.1 is not.
    let value =
        |at: i64| if step < 1.0 { at as f64 / (1.0 / step).round() } else { at as f64 * step };
    (first..=last).map(value).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_of_a_logarithmic_axis_are_round_numbers() {
        let labels = |low: f64, high: f64| -> Vec<String> {
            let ticks = Ruler { scale: Scale::Log, low, high }.ticks(9);
            ticks.into_iter().map(Ruler::label).collect()
        };
        assert_eq!(labels(-1.0, 4.5), ["0.1", "1", "10", "100", "1,000", "10,000"]);
        assert_eq!(labels(0.1, 1.1), ["2", "5", "10"]);
    }

    #[test]
    fn ticks_of_a_linear_axis_are_round_few_and_inside() {
        let labels = |low: f64, high: f64, most: usize| -> Vec<String> {
            let ticks = Ruler { scale: Scale::Linear, low, high }.ticks(most);
            ticks.into_iter().map(Ruler::label).collect()
        };
        assert_eq!(labels(0.0, 1.0, 6), ["0", "0.2", "0.4", "0.6", "0.8", "1"]);
        assert_eq!(labels(-150.0, 320.0, 5), ["0", "200"]);
        assert_eq!(labels(0.1, 0.35, 6), ["0.1", "0.15", "0.2", "0.25", "0.3", "0.35"]);
        assert_eq!(labels(0.0, 0.0001, 3), ["0", "0.00005", "0.0001"]);
        assert_eq!(labels(3.0, 3_000_000.0, 4), ["1,000,000", "2,000,000", "3,000,000"]);
    }
}

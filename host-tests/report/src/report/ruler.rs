//! The scale of an axis: where values lie, and which of them are labelled.

use super::Scale;
use super::table::grouped;
use plotters::coord::ranged1d::{
    BoldPoints, KeyPointHint, NoDefaultFormatting, Ranged, ValueFormatter,
};
use plotters::coord::types::RangedCoordf64;
use std::ops::Range;

/// Labels of an axis that is as long as a plot.
const TICKS: usize = 9;

/// An axis for the plotting library: its own scale, its own ticks, its own labels.
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

    /// Round values, at most so many; on a logarithmic scale whole decades, or 1, 2 and 5 of each if
    /// they are few.
    pub(super) fn ticks(&self, most: usize) -> Vec<f64> {
        if self.scale != Scale::Log {
            return RangedCoordf64::from(self.low..self.high).key_points(BoldPoints(most));
        }
        let steps: &[f64] = if self.high - self.low < 3.0 { &[1.0, 2.0, 5.0] } else { &[1.0] };
        let decades = self.low.floor() as i32..=self.high.ceil() as i32;
        let marks =
            decades.flat_map(|decade| steps.iter().map(move |step| step * 10f64.powi(decade)));
        marks.filter(|mark| (self.low..=self.high).contains(&mark.log10())).collect()
    }
}

fn length(value: f64, scale: Scale) -> f64 {
    match scale {
        Scale::Linear | Scale::Close => value,
        Scale::Log => value.log10(),
    }
}

impl Ranged for Ruler {
    type FormatOption = NoDefaultFormatting;
    type ValueType = f64;

    fn map(&self, value: &f64, limit: (i32, i32)) -> i32 {
        RangedCoordf64::from(self.low..self.high).map(&length(*value, self.scale), limit)
    }

    fn key_points<Hint: KeyPointHint>(&self, hint: Hint) -> Vec<f64> {
        // No light lines between the labelled ones.
        if hint.weight().allow_light_points() { Vec::new() } else { self.ticks(TICKS) }
    }

    fn range(&self) -> Range<f64> {
        match self.scale {
            Scale::Linear | Scale::Close => self.low..self.high,
            Scale::Log => 10f64.powf(self.low)..10f64.powf(self.high),
        }
    }
}

impl ValueFormatter<f64> for Ruler {
    fn format(value: &f64) -> String {
        // Rounding hides the last bits of 0.1 + 0.2, and no axis needs more than six digits.
        let rounded = format!("{value:.6}");
        grouped(rounded.trim_end_matches('0').trim_end_matches('.'))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_of_a_logarithmic_axis_are_round_numbers() {
        let labels = |low: f64, high: f64| -> Vec<String> {
            Ruler { scale: Scale::Log, low, high }.ticks(TICKS).iter().map(Ruler::format).collect()
        };
        assert_eq!(labels(-1.0, 4.5), ["0.1", "1", "10", "100", "1,000", "10,000"]);
        assert_eq!(labels(0.1, 1.1), ["2", "5", "10"]);
    }
}

//! Figures and how sure one may be of them.

use locox::time::Instant;
use statrs::distribution::{ContinuousCDF, Normal, StudentsT};

use std::fmt;

/// A mean with its 95 % confidence interval.
///
/// ```
/// use locox_models::stats::Estimate;
/// // One value of each independent replication.
/// let estimate = Estimate::of(&[4.0, 5.0, 6.0]);
/// assert_eq!(estimate.mean, 5.0);
/// // t(0.975, 2 degrees of freedom) = 4.3027, times the standard deviation 1, over sqrt(3)
/// assert!((estimate.half_width.unwrap() - 2.4841).abs() < 1e-4);
/// assert_eq!(format!("{estimate:.2}"), "5.00 ± 2.48");
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// The mean; NaN of no value.
    pub mean: f64,
    /// Half the width of the interval around the mean; `None` of fewer than two values.
    pub half_width: Option<f64>,
    /// How many independent values it rests on.
    pub values: usize,
}

impl Estimate {
    /// Estimates the mean from independent values, such as one of each replication. Student's t.
    pub fn of(values: &[f64]) -> Self {
        let count = values.len() as f64;
        let mean = mean(values);
        let half_width = (values.len() > 1).then(|| {
            let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
            let deviation = (squares / (count - 1.0)).sqrt();
            t_quantile(count - 1.0) * deviation / count.sqrt()
        });
        Self { mean, half_width, values: values.len() }
    }

    /// Estimates the mean from one long run by batch means: the run is cut into `batches` batches
    /// of equal length, whose means count as independent. Values that do not fill a batch are left
    /// out at the beginning, where the run is least settled; the caller drops a longer warm-up.
    ///
    /// Batches must be long against the memory of what is measured; ten to thirty are usual.
    pub fn of_batches(values: &[f64], batches: usize) -> Self {
        let length = values.len().checked_div(batches).unwrap_or(0);
        if length == 0 {
            return Self::of(&[]);
        }
        let settled = &values[values.len() - length * batches..];
        Self::of(&settled.chunks_exact(length).map(mean).collect::<Vec<_>>())
    }

    /// How likely values like these are, at most, if the true mean is not above `value`: the
    /// one-sided p-value of Student's t. 1 of fewer than two values, or of one that is no number,
    /// which say nothing.
    ///
    /// ```
    /// use locox_models::stats::Estimate;
    /// let estimate = Estimate::of(&[4.0, 5.0, 6.0]);
    /// // t = 5 / (1 / sqrt(3)), 2 degrees of freedom.
    /// assert!((estimate.p_above(0.0) - 0.00656).abs() < 1e-4);
    /// assert!((estimate.p_above(5.0) - 0.5).abs() < 1e-9);
    /// ```
    pub fn p_above(&self, value: f64) -> f64 {
        self.p(self.mean - value)
    }

    /// As [`Estimate::p_above`], if the true mean is not below `value`.
    pub fn p_below(&self, value: f64) -> f64 {
        self.p(value - self.mean)
    }

    /// Of a mean that lies so far on the side that is asked about.
    fn p(&self, distance: f64) -> f64 {
        let Some(half_width) = self.half_width else { return 1.0 };
        // Without any scatter, and for bounds without end, there is no doubt.
        if half_width == 0.0 || distance.is_infinite() {
            return if distance > 0.0 { 0.0 } else { 1.0 };
        }
        let degrees_of_freedom = self.values as f64 - 1.0;
        let t = distance / half_width * t_quantile(degrees_of_freedom);
        if t.is_nan() { 1.0 } else { students_t(degrees_of_freedom).cdf(-t) }
    }

    /// Whether `value` lies in the interval; false if there is none.
    pub fn covers(&self, value: f64) -> bool {
        self.half_width.is_some_and(|half_width| (value - self.mean).abs() <= half_width)
    }
}

impl fmt::Display for Estimate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.mean, f)?;
        let Some(half_width) = self.half_width else { return Ok(()) };
        f.write_str(" ± ")?;
        fmt::Display::fmt(&half_width, f)
    }
}

fn students_t(degrees_of_freedom: f64) -> StudentsT {
    StudentsT::new(0.0, 1.0, degrees_of_freedom).expect("more than one value")
}

/// How likely a value that is normally distributed, with mean 0 and variance 1, is at most `z`.
pub fn standard_normal_cdf(z: f64) -> f64 {
    Normal::standard().cdf(z)
}

/// The factor of a two-sided 95 % interval by Student's t.
///
/// # Panics
///
/// Unless there is more than no degree of freedom.
///
/// ```
/// use locox_models::stats::t_quantile;
/// assert!((t_quantile(7.0) - 2.365).abs() < 1e-3);
/// ```
pub fn t_quantile(degrees_of_freedom: f64) -> f64 {
    students_t(degrees_of_freedom).inverse_cdf(0.975)
}

/// The arithmetic mean; NaN of no value.
pub fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

/// The value below which a `share` (0 to 1) of the values lies, interpolated linearly between
/// neighbours as numpy and pandas do; `None` of no value. `sorted` must be in rising order.
///
/// ```
/// use locox_models::stats::percentile;
/// assert_eq!(percentile(&[10.0, 20.0, 30.0, 40.0], 0.5), Some(25.0));
/// ```
pub fn percentile(sorted: &[f64], share: f64) -> Option<f64> {
    let position = share.clamp(0.0, 1.0) * sorted.len().checked_sub(1)? as f64;
    let (below, above) = (sorted[position.floor() as usize], sorted[position.ceil() as usize]);
    Some(below + (above - below) * position.fract())
}

/// The mean over time of a quantity that changes in steps, such as processors in use.
///
/// ```
/// use locox::time::Instant;
/// use locox_models::stats::TimeWeighted;
/// let mut in_use = TimeWeighted::new(Instant::from_ticks(0), 0.0);
/// in_use.set(Instant::from_ticks(2), 6.0);
/// in_use.set(Instant::from_ticks(4), 3.0);
/// assert_eq!(in_use.mean(Instant::from_ticks(8)), Some(3.0)); // (2*0 + 2*6 + 4*3) / 8
/// assert_eq!(in_use.peak(), 6.0);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct TimeWeighted {
    start: Instant,
    since: Instant,
    value: f64,
    /// Value times ticks, up to `since`.
    area: f64,
    peak: f64,
}

impl TimeWeighted {
    /// A quantity that is `value` from `start` on.
    pub const fn new(start: Instant, value: f64) -> Self {
        Self { start, since: start, value, area: 0.0, peak: value }
    }

    /// The quantity is `value` from `at` on.
    ///
    /// # Panics
    ///
    /// If `at` lies before an earlier change.
    pub fn set(&mut self, at: Instant, value: f64) {
        self.area = self.area_until(at);
        self.since = at;
        self.value = value;
        self.peak = self.peak.max(value);
    }

    /// The present value.
    pub const fn value(&self) -> f64 {
        self.value
    }

    /// The largest value so far.
    pub const fn peak(&self) -> f64 {
        self.peak
    }

    /// The mean from the start to `end`; `None` if that is no time.
    ///
    /// # Panics
    ///
    /// If `end` lies before the latest change.
    pub fn mean(&self, end: Instant) -> Option<f64> {
        let area = self.area_until(end);
        let span = end.since(self.start)?.ticks();
        (span > 0).then(|| area / span as f64)
    }

    fn area_until(&self, at: Instant) -> f64 {
        let held = at.since(self.since).expect("time does not run backwards");
        self.area + self.value * held.ticks() as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn assert_close(a: f64, b: f64) {
        assert!((a - b).abs() <= 1e-3 * b.abs(), "{a} is not {b}");
    }

    #[test]
    fn the_end_of_an_interval_has_a_probability_of_one_in_forty_whatever_the_number_of_values() {
        for count in 2..300u32 {
            let values: Vec<f64> = (0..count).map(f64::from).collect();
            let estimate = Estimate::of(&values);
            let half_width = estimate.half_width.unwrap();
            let nearly =
                |p: f64, expected: f64| assert!((p - expected).abs() < 1e-6, "{count}: {p}");
            nearly(estimate.p_above(estimate.mean - half_width), 0.025);
            nearly(estimate.p_above(estimate.mean + half_width), 0.975);
        }
    }

    #[test]
    fn a_value_that_is_no_number_says_nothing() {
        let estimate = Estimate::of(&[1.0, f64::NAN, 3.0]);
        assert_eq!((estimate.p_above(0.0), estimate.p_below(0.0)), (1.0, 1.0));
    }

    #[test]
    fn a_probability_falls_with_the_distance() {
        for count in 2..60u32 {
            let values: Vec<f64> = (0..count).map(f64::from).collect();
            let estimate = Estimate::of(&values);
            let half_width = estimate.half_width.unwrap();
            let at =
                |step: i32| estimate.p_above(estimate.mean - half_width * f64::from(step) / 20.0);
            let falls = |step: i32| (0.0..at(step)).contains(&at(step + 1));
            assert!((-60..60).all(falls), "{count}");
        }
    }

    /// Two-sided 95 % column of the usual table.
    #[test]
    fn t_agrees_with_the_printed_table() {
        for (degrees, quantile) in [
            (1.0, 12.706),
            (2.0, 4.303),
            (4.0, 2.776),
            (9.0, 2.262),
            (19.0, 2.093),
            (29.0, 2.045),
            (99.0, 1.984),
            (1e6, 1.960),
        ] {
            assert_close(t_quantile(degrees), quantile);
        }
    }

    #[test]
    fn fewer_than_two_values_have_no_interval() {
        assert!(Estimate::of(&[]).mean.is_nan());
        let one = Estimate::of(&[7.0]);
        assert_eq!((one.mean, one.half_width, one.values), (7.0, None, 1));
        assert_eq!(format!("{one:.1}"), "7.0");
        assert!(!one.covers(7.0));
    }

    /// 2 4 4 4 5 5 7 9: mean 5, sum of squares 32, t(7) = 2.3646.
    #[test]
    fn an_interval_equals_the_one_by_hand() {
        let estimate = Estimate::of(&[2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0]);
        assert_eq!(estimate.mean, 5.0);
        assert_close(estimate.half_width.unwrap(), 2.3646 * (32.0f64 / 7.0 / 8.0).sqrt());
        assert!(estimate.covers(6.7) && !estimate.covers(6.8));
    }

    /// A mean at the end of its 95 % interval has a p-value of 2.5 %.
    #[test]
    fn p_values_agree_with_intervals() {
        let estimate = Estimate::of(&[2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0]);
        let half_width = estimate.half_width.unwrap();
        assert_close(estimate.p_above(5.0 - half_width), 0.025);
        assert_close(estimate.p_below(5.0 + half_width), 0.025);
        assert_close(estimate.p_above(3.0) + estimate.p_below(3.0), 1.0);
        assert_eq!(
            (estimate.p_above(f64::NEG_INFINITY), estimate.p_below(f64::NEG_INFINITY)),
            (0.0, 1.0)
        );
        let exact = Estimate::of(&[3.0, 3.0]);
        assert_eq!((exact.p_above(2.0), exact.p_above(3.0), exact.p_above(4.0)), (0.0, 1.0, 1.0));
        assert_eq!(Estimate::of(&[3.0]).p_above(0.0), 1.0);
    }

    #[test]
    fn batches_leave_out_the_beginning_and_take_the_means_of_the_rest() {
        let values = [100.0, 1.0, 3.0, 2.0, 4.0, 3.0, 5.0];
        assert_eq!(Estimate::of_batches(&values, 3), Estimate::of(&[2.0, 3.0, 4.0]));
        assert_eq!(Estimate::of_batches(&values, 8).values, 0);
        assert_eq!(Estimate::of_batches(&values, 0).values, 0);
    }

    /// The interval is meant to miss the truth one time in twenty.
    #[test]
    fn intervals_of_exponential_samples_cover_their_mean_about_19_times_in_20() {
        use rand_distr::{Distribution, Exp1};
        let mut stream = crate::streams::stream(3, "coverage", 0);
        let trials = 2000;
        let covering = (0..trials).filter(|_| {
            let values: Vec<f64> = (0..40).map(|_| Exp1.sample(&mut stream)).collect();
            Estimate::of(&values).covers(1.0)
        });
        let share = covering.count() as f64 / f64::from(trials);
        assert!((0.92..0.96).contains(&share), "{share}");
    }

    #[test]
    fn percentiles_agree_with_numpy() {
        let sorted = [1.0, 2.0, 4.0, 8.0, 16.0];
        // numpy.percentile([1, 2, 4, 8, 16], [0, 10, 50, 95, 100])
        for (share, value) in [(0.0, 1.0), (0.1, 1.4), (0.5, 4.0), (0.95, 14.4), (1.0, 16.0)] {
            assert_close(percentile(&sorted, share).unwrap(), value);
        }
        assert_eq!(percentile(&[5.0], 0.99), Some(5.0));
        assert_eq!(percentile(&[], 0.5), None);
    }

    #[test]
    fn a_mean_over_no_time_is_none() {
        let at = Instant::from_ticks(3);
        let mut quantity = TimeWeighted::new(at, 1.0);
        quantity.set(at, 2.0);
        assert_eq!(quantity.mean(at), None);
        assert_eq!(quantity.mean(Instant::from_ticks(4)), Some(2.0));
    }
}

//! What the auxiliary list gains over the free list alone.

use super::super::difference::{is_above_zero, is_below_zero};
use super::{Curve, Limit, Method};
use locox_models::stats::Estimate;

/// What the auxiliary list gains over the free list alone on one workload.
pub(in crate::experiments) struct Gain<'a> {
    fl: &'a Curve,
    afl: &'a Curve,
    pub(in crate::experiments) fl_limit: &'a Limit,
    pub(in crate::experiments) afl_limit: &'a Limit,
}

impl<'a> Gain<'a> {
    /// # Panics
    ///
    /// Unless FL and AFL + FL are among the curves and among the limits.
    pub(in crate::experiments) fn new(curves: &'a [Curve], limits: &'a [Limit]) -> Self {
        let curve = |method| curves.iter().find(|curve| curve.method == method);
        let limit = |method| limits.iter().find(|limit| limit.method == method);
        let missing = "the pair is measured";
        Self {
            fl: curve(Method::FL).expect(missing),
            afl: curve(Method::AFL).expect(missing),
            fl_limit: limit(Method::FL).expect(missing),
            afl_limit: limit(Method::AFL).expect(missing),
        }
    }

    /// Percentage points of utilisation at saturation.
    pub(in crate::experiments) fn utilisation(&self) -> Estimate {
        self.afl_limit.more_than(self.fl_limit)
    }

    /// Loads at which both keep up, with the turnarounds of FL and how much longer those of
    /// AFL + FL are.
    pub(in crate::experiments) fn turnarounds(
        &self,
    ) -> impl Iterator<Item = (f64, Estimate, Estimate)> {
        let points = self.fl.points.iter().zip(&self.afl.points);
        points
            .filter(|(fl, afl)| fl.keeps_up() && afl.keeps_up())
            .map(|(fl, afl)| (fl.load, fl.turnaround(), afl.longer_than(fl)))
    }

    /// How many times the load of FL is sustained with AFL + FL.
    pub(in crate::experiments) fn sustained(&self) -> f64 {
        self.afl_limit.load().mean / self.fl_limit.load().mean
    }

    /// Loads at which the turnarounds of AFL + FL are longer beyond doubt.
    pub(in crate::experiments) fn slower(&self) -> Vec<f64> {
        let slower = |longer: Estimate| is_above_zero(longer);
        self.turnarounds().filter(|&(_, _, longer)| slower(longer)).map(|(load, ..)| load).collect()
    }

    /// Loads at which they are shorter beyond doubt.
    pub(in crate::experiments) fn faster(&self) -> Vec<f64> {
        let faster = |longer: Estimate| is_below_zero(longer);
        self.turnarounds().filter(|&(_, _, longer)| faster(longer)).map(|(load, ..)| load).collect()
    }
}

//! What the auxiliary list gains over the free list alone.

use super::{CUT, Curve, Limit, LoadPoint, Method};
use locox_models::stats::Estimate;
use locox_report::judge::{self, Case, Expected, Unit};
use locox_report::report::Claim;

/// What the auxiliary list gains over the free list alone on one workload.
pub(crate) struct Gain<'a> {
    fl: &'a Curve,
    afl: &'a Curve,
    pub(crate) fl_limit: &'a Limit,
    pub(crate) afl_limit: &'a Limit,
}

impl<'a> Gain<'a> {
    /// # Panics
    ///
    /// Unless FL and AFL + FL are among the curves and among the limits.
    pub(crate) fn new(curves: &'a [Curve], limits: &'a [Limit]) -> Self {
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

    /// Percentage points of utilisation at saturation, replication by replication.
    pub(crate) fn utilisation(&self) -> Vec<f64> {
        self.afl_limit.more_than(self.fl_limit)
    }

    /// Loads at which one of them keeps up, with the mean turnaround of FL and how much longer those
    /// of AFL + FL are, replication by replication. Where the other one does not keep up its
    /// turnarounds grow as long as jobs come: they are cut off where the figures cut them off.
    pub(crate) fn turnarounds(&self) -> impl Iterator<Item = (f64, Estimate, Vec<f64>)> {
        let points = self.fl.points.iter().zip(&self.afl.points);
        points
            .filter(|(fl, afl)| fl.keeps_up() || afl.keeps_up())
            .map(|(fl, afl)| (fl.load, Estimate::of(&shown(fl)), longer(afl, fl)))
    }

    /// By how many per cent more load is sustained than with FL, replication by replication.
    pub(crate) fn sustained(&self) -> Vec<f64> {
        let pairs = self.afl_limit.loads.iter().zip(&self.fl_limit.loads);
        pairs.map(|(afl, fl)| 100.0 * (afl / fl - 1.0)).collect()
    }
}

/// Turnarounds as far as the figures show them, by replication.
fn shown(point: &LoadPoint) -> Vec<f64> {
    point.samples.iter().map(|sample| sample.turnaround.min(CUT)).collect()
}

/// How much longer they are than under `other`.
fn longer(of: &LoadPoint, other: &LoadPoint) -> Vec<f64> {
    shown(of).iter().zip(shown(other)).map(|(a, b)| a - b).collect()
}

/// Of all its experiments the thesis concludes that the auxiliary list "generally increases
/// throughput and decreases" turnarounds. `gains` are those of the workloads that are named.
pub(crate) fn conclusion(gains: &[(String, Gain<'_>)]) -> Vec<Claim> {
    const SOURCE: &str = "Turner 1995, p. 128";
    let throughput =
        |(name, gain): &(String, Gain<'_>)| Case::new(name, gain.utilisation(), Expected::MORE);
    let throughput: Vec<Case> = gains.iter().map(throughput).collect();
    let turnarounds: Vec<Case> =
        gains.iter().flat_map(|(name, gain)| shorter(name, gain)).collect();
    vec![
        judge::every(&throughput, POINTS).claim(
            "The auxiliary list generally increases throughput",
            SOURCE,
            "At saturation, over the free list alone.",
        ),
        judge::every(&turnarounds, SECONDS).claim(
            "The auxiliary list generally decreases turnarounds",
            SOURCE,
            ONE_KEEPS_UP,
        ),
    ]
}

pub(crate) const ONE_KEEPS_UP: &str = "At each load at which one of them keeps up. Where the other one does not, its turnarounds grow as \
     long as jobs come; they count as 100 s then, where the figures cut them off.";

/// That turnarounds are shorter, at each load.
pub(crate) fn shorter(name: &str, gain: &Gain<'_>) -> Vec<Case> {
    let case = |(load, _, longer)| Case::new(at(name, load), longer, Expected::LESS);
    gain.turnarounds().map(case).collect()
}

/// That turnarounds differ by at most `per_cent` of the mean of FL, at each load.
pub(crate) fn as_long(name: &str, gain: &Gain<'_>, per_cent: f64) -> Vec<Case> {
    let case = |(load, fl, longer): (f64, Estimate, Vec<f64>)| {
        let shares = longer.iter().map(|longer| 100.0 * longer / fl.mean).collect();
        Case::new(at(name, load), shares, Expected::alike(per_cent))
    };
    gain.turnarounds().map(case).collect()
}

fn at(name: &str, load: f64) -> String {
    format!("{name} at a load of {load:.2}")
}

pub(crate) const POINTS: Unit = Unit("percentage points of utilisation", 1);
pub(crate) const SECONDS: Unit = Unit("s of turnaround", 2);

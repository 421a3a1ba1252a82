//! What the auxiliary list gains over the free list alone.

use super::super::difference::minus;
use super::{CUT, Curve, Limit, LoadPoint, Method};
use crate::sources::turner_meshes::{THROUGHPUT, TURNAROUND};
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
    /// Unless both are among the curves and among the limits: the free list alone, and with the
    /// auxiliary list.
    pub(crate) fn new([fl, afl]: [Method; 2], curves: &'a [Curve], limits: &'a [Limit]) -> Self {
        let curve = |method| curves.iter().find(|curve| curve.method == method);
        let limit = |method| limits.iter().find(|limit| limit.method == method);
        let missing = "the pair is measured";
        Self {
            fl: curve(fl).expect(missing),
            afl: curve(afl).expect(missing),
            fl_limit: limit(fl).expect(missing),
            afl_limit: limit(afl).expect(missing),
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

    /// The same in per cent of that of FL.
    pub(crate) fn relative_utilisation(&self) -> Vec<f64> {
        let all = self.utilisation().into_iter().zip(&self.fl_limit.utilisations);
        all.map(|(more, fl)| 100.0 * more / fl).collect()
    }
}

/// Turnarounds as far as the figures show them, by replication.
fn shown(point: &LoadPoint) -> Vec<f64> {
    point.samples.iter().map(|sample| sample.turnaround.min(CUT)).collect()
}

/// How much longer they are than under `other`.
fn longer(of: &LoadPoint, other: &LoadPoint) -> Vec<f64> {
    minus(&shown(of), &shown(other))
}

/// That throughput is increased generally; `more` is by how much, workload by workload.
pub(crate) fn throughput(more: Vec<(String, Vec<f64>)>) -> Claim {
    let case = |(name, more)| Case::new(name, more, Expected::MORE);
    let cases: Vec<Case> = more.into_iter().map(case).collect();
    judge::on_average(&cases, POINTS).on(&THROUGHPUT, "At saturation.")
}

/// That turnarounds are decreased generally; the cases are those of [`shorter`].
pub(crate) fn turnaround(cases: &[Case]) -> Claim {
    judge::on_average(cases, SECONDS).on(&TURNAROUND, ONE_KEEPS_UP)
}

pub(crate) const ONE_KEEPS_UP: &str = "At each load at which one of them keeps up. Where the other one does not, its \
                                       turnarounds grow as long as jobs come; they count as 100 s then, where the \
                                       figures cut them off.";

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

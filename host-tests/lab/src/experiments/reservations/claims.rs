//! What the source states about the policies, and what the runs say to it.
//!
//! Policies are compared by paired differences: on the same requests.

use super::super::difference::{is_above_zero, is_below_zero};
use super::grid::{Grid, Measure};
use super::{ACCEPTANCE, SLOWDOWN, WORK};
use crate::report::{Claim, Verdict};
use locox::reserve::Fit;
use locox_models::stats::Estimate;

/// When a statement about differences holds, for the reader of the page.
pub(super) const RULE: &str = "holds if no comparison is clearly reversed and at least half are \
                               clear: the 95 % interval of the paired difference leaves out 0";

/// Two policies count as alike if they are closer than this share of the distance between the
/// highest and the lowest of the seven.
const ALIKE: f64 = 0.2;

/// A curve counts as almost straight if no step is shorter than this share of the longest one.
const STRAIGHT: f64 = 0.5;

/// What can be said about the curves of a figure.
pub(super) enum Statement {
    /// Of each pair the first lies above the second at every setting.
    Above(Vec<(Fit, Fit)>),
    /// The two lie close together at every setting.
    Alike(Fit, Fit),
    /// The two do not.
    Apart(Fit, Fit),
    /// The curves rise from each setting to the next.
    Rise(Vec<Fit>),
    /// They fall.
    Fall(Vec<Fit>),
    /// They rise along a straight line.
    Straight(Vec<Fit>),
    /// One of them falls on the way to the setting of that number.
    Dip(Vec<Fit>, usize),
    /// The first lies farther above the second at the last setting than at the first.
    Widen(Fit, Fit),
}

/// A statement of the source about one of its figures.
pub(super) struct Published {
    pub(super) text: &'static str,
    /// Where it stands.
    pub(super) place: &'static str,
    pub(super) measure: Measure,
    /// Digits after the point in the evidence.
    pub(super) digits: usize,
    pub(super) statement: Statement,
}

impl Published {
    /// Of a figure of acceptance rates, in per cent.
    pub(super) fn accepts(text: &'static str, place: &'static str, statement: Statement) -> Self {
        Self { text, place, measure: ACCEPTANCE, digits: 2, statement }
    }

    /// Of a figure of slowdowns.
    pub(super) fn slows(text: &'static str, place: &'static str, statement: Statement) -> Self {
        Self { text, place, measure: SLOWDOWN, digits: 3, statement }
    }
}

/// All policies but those.
pub(super) fn others(than: &[Fit]) -> Vec<Fit> {
    Fit::ALL.into_iter().filter(|fit| !than.contains(fit)).collect()
}

/// `above` over each of `below`.
pub(super) fn over(above: Fit, below: Vec<Fit>) -> Statement {
    Statement::Above(below.into_iter().map(|below| (above, below)).collect())
}

impl Published {
    /// The verdict of one source of jobs.
    pub(super) fn claim(&self, grid: &Grid, source: &str, axis: &str) -> Claim {
        let judge = Judge { grid, axis, measure: self.measure, digits: self.digits };
        let (holds, evidence) = judge.of(&self.statement);
        Claim {
            statement: self.text.into(),
            source: format!("Li et al., {}; here on the {source}", self.place),
            verdict: Verdict::of(holds),
            evidence,
        }
    }
}

/// What the source does not ask: whether the policy that accepts most requests accepts most work.
pub(super) fn work(grid: &Grid, source: &str, axis: &str) -> Claim {
    let judge = Judge { grid, axis, measure: WORK, digits: 2 };
    let (_, evidence) = judge.above(&[(Fit::PeWorst, Fit::First)]);
    Claim {
        statement: "PE_W accepts more work than FF (PEs times run time, % of what is asked for)"
            .into(),
        source: format!("here on the {source}"),
        verdict: Verdict::SourceDoesNotSay,
        evidence,
    }
}

struct Judge<'a> {
    grid: &'a Grid,
    axis: &'a str,
    measure: Measure,
    digits: usize,
}

/// A difference, and the setting and policies that it belongs to.
#[derive(Clone)]
struct Found {
    at: f64,
    who: String,
    by: Estimate,
}

impl Judge<'_> {
    fn of(&self, statement: &Statement) -> (bool, String) {
        match statement {
            Statement::Above(pairs) => self.above(pairs),
            Statement::Alike(a, b) => self.alike(*a, *b),
            Statement::Apart(a, b) => {
                let (alike, evidence) = self.alike(*a, *b);
                (!alike, evidence)
            }
            Statement::Rise(fits) => self.trend(fits, 1.0),
            Statement::Fall(fits) => self.trend(fits, -1.0),
            Statement::Straight(fits) => self.straight(fits),
            Statement::Dip(fits, to) => self.dip(fits, *to),
            Statement::Widen(a, b) => self.widen(*a, *b),
        }
    }

    fn above(&self, pairs: &[(Fit, Fit)]) -> (bool, String) {
        let found = pairs.iter().flat_map(|&(a, b)| {
            let who = format!("{} over {}", a.name(), b.name());
            let differences = self.grid.differences(a, b, self.measure);
            self.found(differences, who)
        });
        self.all_positive(found.collect(), "lead")
    }

    fn alike(&self, a: Fit, b: Fit) -> (bool, String) {
        let differences = self.grid.differences(a, b, self.measure);
        let spread = self.grid.spread(self.measure);
        let shares = differences.iter().zip(&spread).map(|(by, spread)| by.mean.abs() / spread);
        let worst = shares.clone().fold(0.0, f64::max);
        let at = shares.clone().position(|share| share == worst).unwrap_or(0);
        let found = self.found(differences, format!("{} over {}", a.name(), b.name()));
        let evidence = format!(
            "Farthest apart: {}, {:.0} % of the distance between the highest and the lowest of \
             the seven; below {:.0} % counts as alike.",
            self.told(&found[at]),
            100.0 * worst,
            100.0 * ALIKE
        );
        (worst < ALIKE, evidence)
    }

    fn trend(&self, fits: &[Fit], sign: f64) -> (bool, String) {
        let found = fits.iter().flat_map(|&fit| {
            let steps = self.grid.steps(fit, self.measure);
            let signed = steps.into_iter().map(|step| Estimate { mean: sign * step.mean, ..step });
            self.found(signed.collect(), fit.name().into())
        });
        let way = if sign > 0.0 { "rise" } else { "fall" };
        self.all_positive(found.collect(), &format!("{way} to a setting from the one before"))
    }

    fn all_positive(&self, found: Vec<Found>, what: &str) -> (bool, String) {
        let clear = found.iter().filter(|found| is_above_zero(found.by)).count();
        let reversed = found.iter().filter(|found| is_below_zero(found.by)).count();
        let (count, (least, most)) = (found.len(), ends(found));
        let evidence = format!(
            "Clear in {clear} of {count} comparisons, clearly reversed in {reversed}. Least {what}: \
             {}; largest: {}.",
            self.told(&least),
            self.told(&most)
        );
        (reversed == 0 && 2 * clear >= count, evidence)
    }

    fn straight(&self, fits: &[Fit]) -> (bool, String) {
        let mut holds = true;
        let told = fits.iter().map(|&fit| {
            let steps = self.grid.steps(fit, self.measure);
            let means = || steps.iter().map(|step| step.mean);
            let (low, high) =
                (means().fold(f64::INFINITY, f64::min), means().fold(f64::NEG_INFINITY, f64::max));
            holds &= low > STRAIGHT * high;
            let steps: Vec<_> = means().map(|step| format!("{step:+.1}")).collect();
            format!("{} {}", fit.name(), steps.join(", "))
        });
        let told: Vec<_> = told.collect();
        let evidence = format!(
            "Steps: {}; almost straight means that none is shorter than half of the longest.",
            told.join("; ")
        );
        (holds, evidence)
    }

    fn dip(&self, fits: &[Fit], to: usize) -> (bool, String) {
        let steps = fits.iter().map(|&fit| (fit, self.grid.steps(fit, self.measure)[to - 1]));
        let steps: Vec<_> = steps.collect();
        let told: Vec<_> =
            steps.iter().map(|(fit, step)| format!("{} {step:.2}", fit.name())).collect();
        let evidence =
            format!("Steps to {} {}: {}.", self.axis, self.grid.values[to], told.join(", "));
        (steps.iter().any(|&(_, step)| is_below_zero(step)), evidence)
    }

    fn widen(&self, a: Fit, b: Fit) -> (bool, String) {
        let found = self.found(
            self.grid.differences(a, b, self.measure),
            format!("{} over {}", a.name(), b.name()),
        );
        let grown = self.grid.widening(a, b, self.measure);
        let digits = self.digits;
        let evidence = format!(
            "Lead: {}; {}; larger by {grown:.digits$}.",
            self.told(&found[0]),
            self.told(&found[found.len() - 1])
        );
        (is_above_zero(grown), evidence)
    }

    /// Differences with their settings; those of steps belong to the setting that they lead to.
    fn found(&self, differences: Vec<Estimate>, who: String) -> Vec<Found> {
        let skipped = self.grid.values.len() - differences.len();
        let settings = self.grid.values[skipped..].iter();
        let found = |(by, &at)| Found { at, who: who.clone(), by };
        differences.into_iter().zip(settings).map(found).collect()
    }

    fn told(&self, found: &Found) -> String {
        let digits = self.digits;
        format!("{:.digits$} ({}, {} {})", found.by, found.who, self.axis, found.at)
    }
}

/// The least and the greatest difference.
fn ends(mut found: Vec<Found>) -> (Found, Found) {
    found.sort_by(|a, b| a.by.mean.total_cmp(&b.by.mean));
    let least = found.first().cloned();
    let most = found.pop();
    least.zip(most).expect("a statement is about some policies")
}

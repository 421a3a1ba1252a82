//! What the source states about the policies, and what the runs say to it.
//!
//! Policies are compared by paired differences: on the same requests.

use super::grid::{ACCEPTANCE, Grid, Measure, SLOWDOWN, WORK};
use locox::reserve::Fit;
use locox_report::judge::{self, Case, Expected, Unit};
use locox_report::report::{Claim, Judged, Verdict};

/// What a verdict means, for the reader of the page.
pub(super) const RULE: &str = "paired differences, on the same requests; holds if each comparison \
                               is clear by its 95 % interval, else each is tested by Holm's \
                               procedure; alike: closer than 1 point of acceptance, or 0.1 of \
                               slowdown; straight: no bend of 1 point";

/// Policies count as alike, and a curve as straight, if they are closer to it than this. It is a
/// request in a hundred, and a tenth of a run time: less than can be told from curves in print.
const CLOSE_ACCEPTANCE: f64 = 1.0;
const CLOSE_SLOWDOWN: f64 = 0.1;

const POINTS: Unit = Unit("percentage points", 2);

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
    /// Differences below this count as none.
    close: f64,
    unit: Unit,
    pub(super) statement: Statement,
}

impl Published {
    /// Of a figure of acceptance rates, in per cent.
    pub(super) fn accepts(text: &'static str, place: &'static str, statement: Statement) -> Self {
        let (close, unit) = (CLOSE_ACCEPTANCE, POINTS);
        Self { text, place, measure: ACCEPTANCE, close, unit, statement }
    }

    /// Of a figure of slowdowns.
    pub(super) fn slows(text: &'static str, place: &'static str, statement: Statement) -> Self {
        let (close, unit) = (CLOSE_SLOWDOWN, Unit("of slowdown", 3));
        Self { text, place, measure: SLOWDOWN, close, unit, statement }
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
        let cases = self.cases(&Reader { grid, axis });
        let judged = match self.statement {
            Statement::Dip(..) => judge::some(&cases, self.unit),
            _ => judge::every(&cases, self.unit),
        };
        judged.claim(self.text, format!("Li et al., {}; here on the {source}", self.place), "")
    }

    fn cases(&self, reader: &Reader<'_>) -> Vec<Case> {
        let measure = self.measure;
        match &self.statement {
            Statement::Above(pairs) => {
                let of = |&(a, b)| reader.pair(a, b, measure, Expected::MORE);
                pairs.iter().flat_map(of).collect()
            }
            &Statement::Alike(a, b) => reader.pair(a, b, measure, Expected::alike(self.close)),
            &Statement::Apart(a, b) => reader.pair(a, b, measure, Expected::apart(self.close)),
            Statement::Rise(fits) => reader.steps(fits, measure, Expected::MORE),
            Statement::Fall(fits) => reader.steps(fits, measure, Expected::LESS),
            Statement::Straight(fits) => {
                let bend = |&fit: &Fit| {
                    let bends = reader.grid.bends(fit, measure);
                    reader.cases(fit.name(), bends, Expected::alike(self.close))
                };
                let rises = reader.steps(fits, measure, Expected::MORE);
                fits.iter().flat_map(bend).chain(rises).collect()
            }
            &Statement::Dip(ref fits, to) => {
                let step = |&fit: &Fit| {
                    let step = reader.grid.steps(fit, measure).swap_remove(to - 1);
                    Case::new(fit.name(), step, Expected::LESS)
                };
                fits.iter().map(step).collect()
            }
            &Statement::Widen(a, b) => {
                let grown = reader.grid.widening(a, b, measure);
                vec![Case::new(over_name(a, b), grown, Expected::MORE)]
            }
        }
    }
}

/// What the source does not ask: whether the policy that accepts most requests accepts most work.
pub(super) fn work(grid: &Grid, source: &str, axis: &str) -> Claim {
    let cases = Reader { grid, axis }.pair(Fit::PeWorst, Fit::First, WORK, Expected::MORE);
    let judged = judge::every(&cases, POINTS);
    Judged { verdict: Verdict::SourceDoesNotSay, ..judged }.claim(
        "PE_W accepts more work than FF (PEs times run time, % of what is asked for)",
        format!("Li et al., beyond it; here on the {source}"),
        "",
    )
}

fn over_name(a: Fit, b: Fit) -> String {
    format!("{} over {}", a.name(), b.name())
}

/// Cases from the runs, each named by policies and setting.
struct Reader<'a> {
    grid: &'a Grid,
    axis: &'a str,
}

impl Reader<'_> {
    fn pair(&self, a: Fit, b: Fit, measure: Measure, expected: Expected) -> Vec<Case> {
        self.cases(&over_name(a, b), self.grid.differences(a, b, measure), expected)
    }

    fn steps(&self, fits: &[Fit], measure: Measure, expected: Expected) -> Vec<Case> {
        let of = |&fit: &Fit| self.cases(fit.name(), self.grid.steps(fit, measure), expected);
        fits.iter().flat_map(of).collect()
    }

    /// A case a setting; steps and bends belong to the setting that they lead to.
    fn cases(&self, who: &str, differences: Vec<Vec<f64>>, expected: Expected) -> Vec<Case> {
        let skipped = self.grid.values.len() - differences.len();
        let settings = self.grid.values[skipped..].iter();
        let name = |at: &f64| format!("{who} at {} {at}", self.axis);
        let cases = settings.zip(differences);
        cases.map(|(at, by)| Case::new(name(at), by, expected)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::super::grid::Measures;
    use super::super::{flexibility, load, sizes};
    use super::*;
    use Fit::{
        DurationBest, DurationWorst, First, PeBest, PeDurationBest, PeDurationWorst, PeWorst,
    };

    const VALUES: [f64; 5] = [1.0, 2.0, 3.0, 4.0, 5.0];

    /// What the source's figures show of a policy: acceptance and slowdown at each setting.
    type Curves = fn(Fit, f64) -> (f64, f64);

    /// Where a policy stands among the others: acceptance and slowdown.
    fn rank(fit: Fit) -> (f64, f64) {
        match fit {
            PeWorst => (4.0, 0.40),
            DurationBest => (3.5, 0.42),
            PeDurationWorst => (2.0, 0.60),
            PeDurationBest => (1.8, 0.30),
            First => (1.0, 0.0),
            PeBest => (0.0, 0.50),
            DurationWorst => (0.1, 0.52),
        }
    }

    /// Figures 2 to 5: acceptance falls, slowdown rises.
    fn falling(fit: Fit, at: f64) -> (f64, f64) {
        let (acceptance, slowdown) = rank(fit);
        (80.0 + acceptance - 5.0 * at, 1.5 + slowdown + 0.3 * at)
    }

    /// Figures 6 and 7: both rise, PE_W ever farther ahead, the others unstable.
    fn rising(fit: Fit, at: f64) -> (f64, f64) {
        let (acceptance, slowdown) = rank(fit);
        let steady = matches!(fit, PeWorst | DurationBest | PeDurationBest);
        let dip = if at == 4.0 && !steady { -6.0 } else { 0.0 };
        let ahead = if fit == PeWorst { 0.3 * at } else { 0.0 };
        (60.0 + acceptance + 3.0 * at + ahead + dip, 1.5 + slowdown + 0.3 * at)
    }

    /// Runs that scatter about the curves a little, each policy in its own way.
    fn runs(curves: impl Fn(Fit, f64) -> (f64, f64)) -> Grid {
        Grid::made_up(&VALUES, 6, |at, replication, fit| {
            let scatter = ((replication * 7 + at * 3 + index(fit) * 5) % 11) as f64 - 5.0;
            let (acceptance, slowdown) = curves(fit, VALUES[at]);
            Measures {
                acceptance: acceptance + 0.004 * scatter,
                slowdown: slowdown + 0.0008 * scatter,
                work: acceptance,
            }
        })
    }

    fn verdicts(published: &[Published], grid: &Grid) -> Vec<Verdict> {
        published.iter().map(|one| one.claim(grid, "model", "x").verdict).collect()
    }

    fn index(fit: Fit) -> usize {
        Fit::ALL.iter().position(|&other| other == fit).unwrap()
    }

    /// The policies with their names exchanged.
    fn mislabelled(fit: Fit) -> Fit {
        Fit::ALL[(index(fit) + 3) % Fit::ALL.len()]
    }

    /// Every statement holds of curves as the source shows them. If names are exchanged, figures
    /// change their signs, all policies are one, or nothing is straight or alike, some such world
    /// refutes it.
    #[test]
    fn every_verdict_can_fail() {
        let studies: [(Vec<Published>, Curves); 3] = [
            (sizes::published(), falling),
            (load::published(), falling),
            (flexibility::published(), rising),
        ];
        for (published, curves) in studies {
            let sound = verdicts(&published, &runs(curves));
            let wrong = [
                runs(|fit, at| curves(mislabelled(fit), at)),
                runs(|fit, at| (-curves(fit, at).0, -curves(fit, at).1)),
                runs(|_, _| (70.0, 2.0)),
                runs(|fit, at| (9.0 * index(fit) as f64 - 5.0 * at * at, 2.0)),
            ];
            for (one, sound) in published.iter().zip(sound) {
                assert_eq!(sound, Verdict::Holds, "{}", one.text);
                let found = wrong.iter().map(|grid| one.claim(grid, "model", "x").verdict);
                let found: Vec<Verdict> = found.collect();
                assert!(found.contains(&Verdict::DoesNotHold), "{}: {found:?}", one.text);
            }
        }
    }
}

//! What the source states about the policies, and what the runs say to it.
//!
//! Policies are compared by paired differences: on the same requests.

use super::grid::{ACCEPTANCE, Grid, Measure, SLOWDOWN, WORK};
use crate::sources::li;
use crate::thresholds::{AR_ACCEPTANCE, AR_MUCH, AR_SIMILAR, AR_SLOWDOWN};
use locox::reserve::Fit;
use locox_report::judge::{self, Case, Expected, Unit};
use locox_report::report::{Claim, Statement};

const POINTS: Unit = Unit("percentage points", 2);

/// What can be said about the curves of a figure.
pub(super) enum Shape {
    /// Of each pair the first lies above the second at every setting.
    Above(Vec<(Fit, Fit)>),
    /// The same of pairs that say together which one is the best: a case is a setting.
    Best(Vec<(Fit, Fit)>),
    /// The same, and of the last two the first lies above the second at the last setting.
    BestAndAtLast(Vec<(Fit, Fit)>, (Fit, Fit)),
    /// By more than so much.
    FarAbove(Vec<(Fit, Fit)>, f64),
    /// Of each pair the first does not lie above the second, but for what counts as no difference.
    NotAbove(Vec<(Fit, Fit)>),
    /// Of one pair the first lies above the second at some setting, of another below.
    Mixed(Vec<(Fit, Fit)>),
    /// The two lie close together at every setting.
    Alike(Fit, Fit),
    /// The two do not.
    Apart(Fit, Fit),
    /// The curves rise from each setting to the next.
    Rise(Vec<Fit>),
    /// They fall.
    Fall(Vec<Fit>),
    /// They are straight.
    Straight(Vec<Fit>),
    /// They are not at the setting of that number.
    Bent(Vec<Fit>, usize),
    /// The first lies farther above the second at the last setting than at the first.
    Widen(Fit, Fit),
    /// At each setting the curves lie in nearly the order that they have at the one of that number.
    SameOrder(usize),
}

/// A statement of the source about one of its figures, and what that says of the curves.
pub(super) struct Published {
    pub(super) statement: &'static Statement,
    pub(super) measure: Measure,
    /// Differences below this count as none.
    close: f64,
    unit: Unit,
    /// What is measured, with digits after the point.
    label: (&'static str, usize),
    pub(super) shape: Shape,
    /// What its variants are told by where it is judged by several margins.
    margin: Option<&'static str>,
}

impl Published {
    /// Of a figure of acceptance rates, in per cent.
    pub(super) fn accepts(statement: &'static Statement, shape: Shape) -> Self {
        let (close, unit, label) = (AR_ACCEPTANCE, POINTS, ("Acceptance in per cent", 1));
        Self { statement, measure: ACCEPTANCE, close, unit, label, shape, margin: None }
    }

    /// Of a figure of slowdowns.
    pub(super) fn slows(statement: &'static Statement, shape: Shape) -> Self {
        let (close, unit, label) = (AR_SLOWDOWN, Unit("of slowdown", 3), ("Slowdown", 2));
        Self { statement, measure: SLOWDOWN, close, unit, label, shape, margin: None }
    }

    /// The same, one of several that differ in the margin, which the variants name.
    pub(super) fn by(self, margin: &'static str) -> Self {
        Self { margin: Some(margin), ..self }
    }

    /// The verdict of one source of jobs, which the variant names.
    pub(super) fn claim(&self, grid: &Grid, variant: &str, axis: &str) -> Claim {
        let reader = Reader { grid, axis };
        let cases = self.cases(&reader);
        let judged = match self.shape {
            Shape::Best(_) | Shape::BestAndAtLast(..) => {
                judge::superlative(&reader.by_setting(cases), self.unit)
            }
            Shape::Mixed(..) => judge::both(&cases, self.unit),
            Shape::SameOrder(_) => judge::every(&cases, Unit("of Spearman's correlation", 2)),
            _ => judge::every(&cases, self.unit),
        };
        let margin = self.margin.map_or(String::new(), |margin| format!(", {margin}"));
        judged.on(self.statement, self.told(&reader)).variant(format!("{variant}{margin}"))
    }

    /// The policies that it speaks of.
    fn fits(&self) -> Vec<Fit> {
        let named: Vec<Fit> = match &self.shape {
            Shape::Above(of)
            | Shape::Best(of)
            | Shape::FarAbove(of, _)
            | Shape::NotAbove(of)
            | Shape::Mixed(of) => of.iter().flat_map(|&(a, b)| [a, b]).collect(),
            Shape::Alike(a, b) | Shape::Apart(a, b) | Shape::Widen(a, b) => vec![*a, *b],
            Shape::Rise(of) | Shape::Fall(of) | Shape::Straight(of) | Shape::Bent(of, _) => {
                of.clone()
            }
            Shape::BestAndAtLast(..) | Shape::SameOrder(_) => Fit::ALL.into(),
        };
        Fit::ALL.into_iter().filter(|fit| named.contains(fit)).collect()
    }

    /// Their figures at each setting, in words.
    fn told(&self, reader: &Reader<'_>) -> String {
        let Reader { grid, axis } = reader;
        let (label, digits) = self.label;
        let list = |each: Vec<String>| each.join(", ");
        let settings = list(grid.values.iter().map(f64::to_string).collect());
        let of = |fit: Fit| {
            let means = grid.estimates(fit, self.measure).into_iter().map(|it| it.mean);
            format!("{} {}", fit.name(), list(means.map(|it| format!("{it:.digits$}")).collect()))
        };
        let all: Vec<String> = self.fits().into_iter().map(of).collect();
        format!("{label} at {axis} {settings}: {}.", all.join("; "))
    }

    fn cases(&self, reader: &Reader<'_>) -> Vec<Case> {
        let measure = self.measure;
        let pairs = |pairs: &[(Fit, Fit)], expected| -> Vec<Case> {
            pairs.iter().flat_map(|&(a, b)| reader.pair(a, b, measure, expected)).collect()
        };
        match &self.shape {
            Shape::Above(of) | Shape::Best(of) | Shape::Mixed(of) => pairs(of, Expected::MORE),
            &Shape::BestAndAtLast(ref of, (a, b)) => {
                let last = reader.pair(a, b, measure, Expected::MORE).pop();
                pairs(of, Expected::MORE).into_iter().chain(last).collect()
            }
            Shape::FarAbove(of, by) => pairs(of, Expected::Inside(*by, f64::INFINITY)),
            Shape::NotAbove(of) => pairs(of, Expected::Inside(f64::NEG_INFINITY, self.close)),
            &Shape::Alike(a, b) => reader.pair(a, b, measure, Expected::alike(self.close)),
            &Shape::Apart(a, b) => reader.pair(a, b, measure, Expected::apart(self.close)),
            Shape::Rise(fits) => reader.steps(fits, measure, Expected::MORE),
            Shape::Fall(fits) => reader.steps(fits, measure, Expected::LESS),
            Shape::Straight(fits) => fits.iter().flat_map(|&fit| self.bends(reader, fit)).collect(),
            &Shape::Bent(ref fits, at) => {
                let apart = Expected::apart(self.close);
                // The first bend is at the second setting.
                let bend = |&fit: &Fit| self.bends(reader, fit).swap_remove(at - 1);
                fits.iter().map(bend).map(|case| Case { expected: apart, ..case }).collect()
            }
            &Shape::Widen(a, b) => {
                let grown = reader.grid.widening(a, b, measure);
                vec![Case::new(over_name(a, b), grown, Expected::MORE)]
            }
            &Shape::SameOrder(as_at) => {
                let expected = Expected::Inside(AR_SIMILAR, f64::INFINITY);
                let orders = reader.grid.orders(as_at, measure).into_iter().enumerate();
                let others = orders.filter(|&(at, _)| at != as_at);
                let name = |at: usize| format!("{} {}", reader.axis, reader.grid.values[at]);
                others.map(|(at, order)| Case::new(name(at), order, expected)).collect()
            }
        }
    }

    /// By how much a curve bends at each setting between others, as if it were straight.
    fn bends(&self, reader: &Reader<'_>, fit: Fit) -> Vec<Case> {
        let bends = reader.grid.bends(fit, self.measure);
        let at = reader.grid.values[1..].iter().zip(bends);
        let name = |at: &f64| format!("bend of {} at {} {at}", fit.name(), reader.axis);
        at.map(|(at, by)| Case::new(name(at), by, Expected::alike(self.close))).collect()
    }
}

/// All policies but those.
pub(super) fn others(than: &[Fit]) -> Vec<Fit> {
    Fit::ALL.into_iter().filter(|fit| !than.contains(fit)).collect()
}

/// `above` with each of `below`.
pub(super) fn over(above: Fit, below: &[Fit]) -> Vec<(Fit, Fit)> {
    below.iter().map(|&below| (above, below)).collect()
}

/// PE_W above all others.
pub(super) fn pe_w_highest(statement: &'static Statement) -> Published {
    Published::accepts(statement, Shape::Best(over(Fit::PeWorst, &others(&[Fit::PeWorst]))))
}

/// PE_W above all others, and above Du_B in the end.
pub(super) fn pe_w_highest_in_the_end(statement: &'static Statement) -> Published {
    let above = over(Fit::PeWorst, &others(&[Fit::PeWorst, Fit::DurationBest]));
    let last = (Fit::PeWorst, Fit::DurationBest);
    Published::accepts(statement, Shape::BestAndAtLast(above, last))
}

/// FF below all others.
pub(super) fn ff_lowest(statement: &'static Statement) -> Published {
    let pairs = others(&[Fit::First]).into_iter().map(|fit| (fit, Fit::First));
    Published::slows(statement, Shape::Best(pairs.collect()))
}

/// PE_W and Du_B far above FF.
pub(super) fn much_better(statement: &'static Statement) -> Published {
    let pairs = vec![(Fit::PeWorst, Fit::First), (Fit::DurationBest, Fit::First)];
    Published::accepts(statement, Shape::FarAbove(pairs, AR_MUCH))
}

/// PE_W above all others but Du_B, by more than counts as none.
pub(super) fn easily(statement: &'static Statement) -> Published {
    let pairs = over(Fit::PeWorst, &others(&[Fit::PeWorst, Fit::DurationBest]));
    Published::accepts(statement, Shape::FarAbove(pairs, AR_ACCEPTANCE))
}

/// What the source does not ask: whether the policy that accepts most requests accepts most work.
pub(super) fn work() -> Published {
    let shape = Shape::Above(vec![(Fit::PeWorst, Fit::First)]);
    let label = ("Work accepted in per cent", 1);
    Published { measure: WORK, label, ..Published::accepts(&li::MORE_WORK, shape) }
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

    /// Comparisons that belong together, setting by setting.
    fn by_setting(&self, cases: Vec<Case>) -> Vec<Vec<Case>> {
        let at = |value: &f64| format!(" at {} {value}", self.axis);
        let of = |value: &f64| -> Vec<Case> {
            cases.iter().filter(|case| case.name.ends_with(&at(value))).cloned().collect()
        };
        self.grid.values.iter().map(of).collect()
    }

    /// A case a setting; steps belong to the setting that they lead to.
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
    use locox_report::report::Verdict;

    const VALUES: [f64; 5] = [1.0, 2.0, 3.0, 4.0, 5.0];

    /// What the source's figures show of a policy: acceptance and slowdown at each setting.
    type Curves = fn(Fit, f64) -> (f64, f64);

    /// Where a policy stands among the others: acceptance and slowdown.
    fn rank(fit: Fit) -> (f64, f64) {
        match fit {
            PeWorst => (4.0, 0.40),
            DurationBest => (3.5, 0.42),
            PeDurationWorst => (2.4, 0.60),
            PeDurationBest => (2.2, 0.30),
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
        published.iter().map(|one| one.claim(grid, "on the model", "x").verdict).collect()
    }

    fn index(fit: Fit) -> usize {
        Fit::ALL.iter().position(|&other| other == fit).unwrap()
    }

    /// The policies with their names exchanged.
    fn mislabelled(fit: Fit) -> Fit {
        Fit::ALL[(index(fit) + 3) % Fit::ALL.len()]
    }

    /// Every statement holds of curves as the source shows them. If names are exchanged, figures
    /// change their signs, all policies are one, nothing is straight or alike, or the order is another
    /// at each setting, some such world refutes it.
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
                runs(|fit, at| {
                    let place = ((index(fit) * at as usize) % 7) as f64;
                    (50.0 + 5.0 * place, 2.0 + 0.3 * place)
                }),
            ];
            for (one, sound) in published.iter().zip(sound) {
                assert_eq!(sound, Verdict::Holds, "{}", one.statement.id);
                let found = wrong.iter().map(|grid| one.claim(grid, "on the model", "x").verdict);
                let found: Vec<Verdict> = found.collect();
                assert!(found.contains(&Verdict::DoesNotHold), "{}: {found:?}", one.statement.id);
            }
        }
    }
}

//! One judge for all claims: from paired differences to one of five answers. The level of significance
//! stands here. Margins are the experiments', and none depends on what was measured.
//!
//! A claim has cases, such as two methods at each load. A case is a difference in each
//! replication, on the same jobs, and the range that the claim expects its mean in. Student's t
//! says how likely such differences are while the mean is not there (or, the other way round,
//! while it is).
//!
//! - A claim of every case *holds* if each case by itself is clear at [`LEVEL`], both sides
//!   counted: of claims that do not hold no more than that share passes, however many cases there
//!   are (intersection-union test).
//! - Otherwise cases are counted one by one, and by Holm's procedure the probability that any of
//!   them is called clear by chance is [`LEVEL`]. A claim that is refuted in more cases than it
//!   holds in *does not hold*. With some clear cases it *holds in part*, and the row says in how
//!   many of how many. With none either way it is *undecided*.
//! - That cases differ holds if one is clear and so is the contrary of another, by Holm's procedure;
//!   it does not if all are clear in the same way.
//! - That something is so generally is judged of the mean over the cases; how they are by themselves
//!   is told.
//! - A claim of the highest, the best or the lowest ([`superlative`]) has a case for each setting, not for
//!   each rival: one rival that is clearly ahead refutes it there.
//! - Where chance has no part, such as in counts over all shapes, cases are just counted.
//! - No case is left out. One in which both sides come out the same in every replication is neither
//!   clear nor reversed where 0 parts the claim from its contrary, so that no claim of "more" in every
//!   case holds with it. A claim that speaks only of cases in which the sides differ is judged of these
//!   ([`exactly_where_apart`]), and the others are told.
//!
//! Source: S. Holm, *A simple sequentially rejective multiple test procedure*, 1979.

use crate::report::{Effect, Enough, Exception, Judged, Verdict};
use locox_models::stats::{self, Estimate};
use std::fmt;

/// The share of verdicts that chance may get wrong: that of 95 % intervals.
pub const LEVEL: f64 = 0.05;

/// Where a claim expects the mean of a case.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Expected {
    /// Between the two.
    Inside(f64, f64),
    /// Below the first or above the second.
    Outside(f64, f64),
}

impl Expected {
    /// Above 0.
    pub const MORE: Self = Self::Inside(0.0, f64::INFINITY);
    /// Below 0.
    pub const LESS: Self = Self::Inside(f64::NEG_INFINITY, 0.0);

    /// Closer to 0 than `margin`: for methods that are said to be alike.
    pub const fn alike(margin: f64) -> Self {
        Self::Inside(-margin, margin)
    }

    /// Farther from 0 than `margin`.
    pub const fn apart(margin: f64) -> Self {
        Self::Outside(-margin, margin)
    }

    /// How likely such values are, at most, if the claim is false; and if it is true.
    fn probabilities(self, found: &Estimate) -> (f64, f64) {
        let (Self::Inside(low, high) | Self::Outside(low, high)) = self;
        let inside = found.p_above(low).max(found.p_below(high));
        let outside = found.p_below(low).min(found.p_above(high));
        match self {
            Self::Inside(..) => (inside, outside),
            Self::Outside(..) => (outside, inside),
        }
    }
}

impl fmt::Display for Expected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Inside(low, f64::INFINITY) => write!(f, "above {}", short(low)),
            Self::Inside(f64::NEG_INFINITY, high) => write!(f, "below {}", short(high)),
            Self::Inside(low, high) => write!(f, "{} to {}", short(low), short(high)),
            Self::Outside(low, high) => write!(f, "below {} or above {}", short(low), short(high)),
        }
    }
}

/// To three digits after the point.
fn short(number: f64) -> f64 {
    (number * 1000.0).round() / 1000.0
}

/// A comparison.
#[derive(Clone, Debug)]
pub struct Case {
    /// What is compared, for the reader.
    pub name: String,
    /// One of each replication.
    pub differences: Vec<f64>,
    pub expected: Expected,
}

impl Case {
    pub fn new(name: impl Into<String>, differences: Vec<f64>, expected: Expected) -> Self {
        Self { name: name.into(), differences, expected }
    }
}

/// What the differences are of: `percentage points`, with so many digits after the point.
#[derive(Clone, Copy, Debug)]
pub struct Unit(pub &'static str, pub usize);

/// What is clear of a case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Clear {
    Claimed,
    Contrary,
    Nothing,
}

/// The verdict on a claim of every case.
pub fn every(cases: &[Case], unit: Unit) -> Judged {
    every_of(cases, &probabilities(cases), unit)
}

/// The verdict on a claim of the highest, the best or the lowest: a case is a comparison with each rival,
/// whose differences are what the rival is behind. It is clear if all of these are, and reversed if one of
/// them is. An exception is told by the rival that speaks most against it, the effect is of the rival that is
/// least behind in the mean.
pub fn superlative(cases: &[Vec<Case>], unit: Unit) -> Judged {
    let (against, found): (Vec<Case>, Vec<_>) =
        cases.iter().filter_map(|it| most_against(it)).unzip();
    let nearest: Vec<Case> = cases.iter().filter_map(|it| nearest(it)).cloned().collect();
    Judged { effect: effect(&nearest, unit), ..every_of(&against, &found, unit) }
}

/// The rival that is least behind in the mean.
fn nearest(rivals: &[Case]) -> Option<&Case> {
    let lead = |rival: &&Case| stats::mean(&rival.differences);
    rivals.iter().min_by(|a, b| lead(a).total_cmp(&lead(b)))
}

/// The comparison that speaks most against its case, and how likely the comparisons are, at most, if the
/// claim is false of the case; and if it is true.
fn most_against(rivals: &[Case]) -> Option<(Case, (f64, f64))> {
    let found = probabilities(rivals);
    let both = rivals.iter().zip(&found);
    let (most, &(false_claim, _)) = both.max_by(|(_, a), (_, b)| a.0.total_cmp(&b.0))?;
    // Of so many comparisons the one that looks most reversed is no surprise.
    let least = found.iter().map(|&(_, true_claim)| true_claim).fold(1.0, f64::min);
    Some((most.clone(), (false_claim, (least * rivals.len() as f64).min(1.0))))
}

fn every_of(cases: &[Case], found: &[(f64, f64)], unit: Unit) -> Judged {
    let each_alone = found.iter().all(|&(false_claim, _)| 2.0 * false_claim <= LEVEL);
    let clear = match each_alone {
        true => vec![Clear::Claimed; found.len()],
        false => holm(found),
    };
    let count = |of: Clear| clear.iter().filter(|&&clear| clear == of).count();
    let (claimed, contrary) = (count(Clear::Claimed), count(Clear::Contrary));
    let verdict = match (claimed, contrary) {
        (0, 0) => Verdict::Undecided,
        (fewer, more) if more > fewer => Verdict::DoesNotHold,
        (all, _) if all == cases.len() => Verdict::Holds,
        _ => Verdict::HoldsInPart,
    };
    judged(verdict, cases, &clear, unit)
}

/// The verdict on a claim of some case: that there is one.
pub fn some(cases: &[Case], unit: Unit) -> Judged {
    let found = probabilities(cases);
    let none_alone = found.iter().all(|&(_, true_claim)| 2.0 * true_claim <= LEVEL);
    let clear = holm(&found);
    let verdict = match clear.contains(&Clear::Claimed) {
        true => Verdict::Holds,
        false if none_alone && !cases.is_empty() => Verdict::DoesNotHold,
        false => Verdict::Undecided,
    };
    let judged = judged(verdict, cases, &clear, unit);
    Judged { enough: Some(Enough::One), ..judged }
}

/// The verdict on a claim that cases differ: that it is so in one and the contrary in another.
pub fn both(cases: &[Case], unit: Unit) -> Judged {
    let found = probabilities(cases);
    let clear = holm(&found);
    let all = |clear: fn(&(f64, f64)) -> f64| found.iter().all(|one| 2.0 * clear(one) <= LEVEL);
    let one_way = all(|&(false_claim, _)| false_claim) || all(|&(_, true_claim)| true_claim);
    let verdict = match [Clear::Claimed, Clear::Contrary].map(|way| clear.contains(&way)) {
        [true, true] => Verdict::Holds,
        _ if one_way && !cases.is_empty() => Verdict::DoesNotHold,
        _ => Verdict::Undecided,
    };
    let judged = judged(verdict, cases, &clear, unit);
    Judged { enough: Some(Enough::OneOfEach), effect: None, ..judged }
}

/// The verdict on a claim of the cases taken together, that it is so generally: on their mean,
/// replication by replication, as far as all of them have any. The cases by themselves are told, and
/// decide nothing.
pub fn on_average(cases: &[Case], unit: Unit) -> Judged {
    let together = means(cases).map(|means| {
        let mean = Case::new("on average", means, cases[0].expected);
        every(&[mean], unit)
    });
    let by_themselves = every(cases, unit);
    let (verdict, effect) = match together {
        Some(together) => (together.verdict, together.effect),
        None => (Verdict::Undecided, None),
    };
    Judged { verdict, effect, enough: Some(Enough::Mean), ..by_themselves }
}

/// The verdict on a claim of every case that was looked at exactly, so that chance has no part in
/// it: whether it is so, case by case.
pub fn exactly(cases: impl IntoIterator<Item = (String, bool)>) -> Judged {
    let cases: Vec<(String, bool)> = cases.into_iter().collect();
    let holding = cases.iter().filter(|(_, is_so)| *is_so).count();
    let of = cases.len();
    let verdict = match holding {
        _ if of == 0 => Verdict::Undecided,
        fewer if fewer < of - fewer => Verdict::DoesNotHold,
        all if all == of => Verdict::Holds,
        _ => Verdict::HoldsInPart,
    };
    let not_so = cases.into_iter().filter(|(_, is_so)| !is_so);
    let exceptions =
        not_so.map(|(case, _)| Exception { case, reversed: true, effect: None }).collect();
    Judged {
        verdict,
        holding,
        of,
        same: 0,
        enough: None,
        exceptions,
        effect: None,
        thresholds: vec![],
    }
}

/// The same of a claim that a single case refutes, as a step of a proof.
pub fn always(cases: impl IntoIterator<Item = (String, bool)>) -> Judged {
    let judged = exactly(cases);
    let verdict = match judged.verdict {
        Verdict::HoldsInPart => Verdict::DoesNotHold,
        other => other,
    };
    Judged { verdict, ..judged }
}

/// The same of the cases in which both sides differ, of a claim that speaks of no others; `None` is a
/// case in which they do not.
pub fn exactly_where_apart(cases: impl IntoIterator<Item = (String, Option<bool>)>) -> Judged {
    let cases: Vec<(String, Option<bool>)> = cases.into_iter().collect();
    let all = cases.len();
    let apart = cases.into_iter().filter_map(|(case, is_so)| Some((case, is_so?)));
    let judged = exactly(apart);
    Judged { same: all - judged.of, ..judged }
}

fn probabilities(cases: &[Case]) -> Vec<(f64, f64)> {
    let of = |case: &Case| case.expected.probabilities(&Estimate::of(&case.differences));
    cases.iter().map(of).collect()
}

/// Which cases are clear, and which way, so that [`LEVEL`] bounds the probability of any error.
fn holm(found: &[(f64, f64)]) -> Vec<Clear> {
    let both_sides = |&(a, b): &(f64, f64)| 2.0 * a.min(b);
    let mut order: Vec<usize> = (0..found.len()).collect();
    order.sort_by(|&a, &b| both_sides(&found[a]).total_cmp(&both_sides(&found[b])));
    let mut clear = vec![Clear::Nothing; found.len()];
    for (rank, at) in order.into_iter().enumerate() {
        if both_sides(&found[at]) > LEVEL / (found.len() - rank) as f64 {
            break;
        }
        let (false_claim, true_claim) = found[at];
        clear[at] = if false_claim < true_claim { Clear::Claimed } else { Clear::Contrary };
    }
    clear
}

fn judged(verdict: Verdict, cases: &[Case], clear: &[Clear], unit: Unit) -> Judged {
    let exception = |(case, clear): (&Case, &Clear)| {
        let reversed = match clear {
            Clear::Claimed => return None,
            Clear::Contrary => true,
            Clear::Nothing => false,
        };
        let effect = effect(std::slice::from_ref(case), unit);
        Some(Exception { case: case.name.clone(), reversed, effect })
    };
    Judged {
        verdict,
        holding: clear.iter().filter(|&&clear| clear == Clear::Claimed).count(),
        of: cases.len(),
        same: 0,
        enough: None,
        exceptions: cases.iter().zip(clear).filter_map(exception).collect(),
        effect: effect(cases, unit),
        thresholds: thresholds(cases, unit),
    }
}

/// The different thresholds of the cases, in their order.
fn thresholds(cases: &[Case], Unit(unit, _): Unit) -> Vec<String> {
    let mut told: Vec<String> = vec![];
    for case in cases {
        let threshold = format!("{} {unit}", case.expected);
        if !told.contains(&threshold) {
            told.push(threshold);
        }
    }
    told
}

/// The mean of the means of the cases; none if the claim expects one thing of some and another thing
/// of others, or if either sign counts and both are there, so that they would cancel: where the claim is
/// of a difference, or of none and cases are off on both sides. It has an interval if all of them have as
/// many replications.
fn effect(cases: &[Case], Unit(unit, digits): Unit) -> Option<Effect> {
    let means = means(cases)?;
    let of_each: Vec<f64> = cases.iter().map(|case| stats::mean(&case.differences)).collect();
    let (low, high) = match cases.first()?.expected {
        Expected::Outside(..) => (0.0, 0.0),
        Expected::Inside(low, high) => (low, high),
    };
    if of_each.iter().any(|&by| by < low) && of_each.iter().any(|&by| by > high) {
        return None;
    }
    let is_of_all = cases.iter().all(|case| case.differences.len() == means.len());
    let half_width = if is_of_all { Estimate::of(&means).half_width } else { None };
    let (mean, unit) = (stats::mean(&of_each), unit.into());
    Some(Effect { mean, half_width, unit, digits, is_level: false })
}

/// The means over the cases, replication by replication, as far as all of them have any; none if the
/// claim expects one thing of some and another thing of others.
fn means(cases: &[Case]) -> Option<Vec<f64>> {
    if cases.iter().any(|case| case.expected != cases[0].expected) {
        return None;
    }
    let replications = cases.iter().map(|case| case.differences.len()).min()?;
    let mean =
        |at: usize| cases.iter().map(|case| case.differences[at]).sum::<f64>() / cases.len() as f64;
    Some((0..replications).map(mean).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    const UNIT: Unit = Unit("points", 1);

    /// Eight differences around `mean`, which scatter by `scatter`.
    fn around(mean: f64, scatter: f64) -> Vec<f64> {
        [-1.2, -0.9, -0.5, -0.2, 0.2, 0.5, 0.9, 1.2].map(|by| mean + scatter * by).into()
    }

    fn cases(means: &[f64], expected: Expected) -> Vec<Case> {
        let case =
            |(at, &mean): (usize, &f64)| Case::new(at.to_string(), around(mean, 1.0), expected);
        means.iter().enumerate().map(case).collect()
    }

    fn verdict(means: &[f64], expected: Expected) -> Verdict {
        every(&cases(means, expected), UNIT).verdict
    }

    #[test]
    fn five_answers_but_for_the_one_that_needs_no_runs() {
        assert_eq!(verdict(&[5.0, 6.0, 7.0], Expected::MORE), Verdict::Holds);
        assert_eq!(verdict(&[5.0, 6.0, -7.0], Expected::MORE), Verdict::HoldsInPart);
        assert_eq!(verdict(&[5.0, 6.0, 0.1], Expected::MORE), Verdict::HoldsInPart);
        assert_eq!(verdict(&[0.1, -0.1, 0.0], Expected::MORE), Verdict::Undecided);
        assert_eq!(verdict(&[0.1, -5.0, -6.0], Expected::MORE), Verdict::DoesNotHold);
        assert_eq!(verdict(&[5.0, -6.0, -7.0], Expected::MORE), Verdict::DoesNotHold);
        // A counterexample among cases that tell nothing.
        assert_eq!(verdict(&[0.1, -5.0, 0.0], Expected::MORE), Verdict::DoesNotHold);
        assert_eq!(verdict(&[], Expected::MORE), Verdict::Undecided);
        assert_eq!(verdict(&[5.0], Expected::LESS), Verdict::DoesNotHold);
    }

    #[test]
    fn likeness_needs_evidence_as_difference_does() {
        assert_eq!(verdict(&[0.2, -0.2], Expected::alike(3.0)), Verdict::Holds);
        assert_eq!(verdict(&[0.2, -0.2], Expected::alike(0.3)), Verdict::Undecided);
        assert_eq!(verdict(&[9.0, -9.0], Expected::alike(3.0)), Verdict::DoesNotHold);
        assert_eq!(verdict(&[9.0, -9.0], Expected::apart(3.0)), Verdict::Holds);
        assert_eq!(verdict(&[0.2, -0.2], Expected::apart(3.0)), Verdict::DoesNotHold);
        assert_eq!(verdict(&[19.0], Expected::Inside(17.0, 22.0)), Verdict::Holds);
        assert_eq!(verdict(&[25.0], Expected::Inside(17.0, 22.0)), Verdict::DoesNotHold);
    }

    #[test]
    fn what_is_not_so_is_told_case_by_case() {
        let found = every(&cases(&[5.0, -5.0, 0.0, 6.0], Expected::MORE), UNIT);
        assert_eq!((found.holding, found.of), (2, 4));
        let told: Vec<_> = found.exceptions.iter().map(|e| (&e.case[..], e.reversed)).collect();
        assert_eq!(told, [("1", true), ("2", false)]);
        assert!(found.told().contains("Reversed: 1 (-5.0 ± 0.7 points)."), "{}", found.told());
        let effect = found.effect.unwrap();
        assert!((effect.mean - 1.5).abs() < 1e-9);
        assert!(effect.half_width.is_some());
    }

    /// A case that 95 % intervals call clear one time in twenty is not clear among many.
    #[test]
    fn one_case_in_fifty_that_chance_made_decides_nothing() {
        // t = 2.7 with 7 degrees of freedom: p = 0.03.
        let unlikely = 2.7 * Estimate::of(&around(0.0, 1.0)).half_width.unwrap() / 2.3646;
        assert_eq!(verdict(&[unlikely], Expected::MORE), Verdict::Holds);
        let mut means = [0.0; 50];
        means[17] = -unlikely;
        assert_eq!(verdict(&means, Expected::MORE), Verdict::Undecided);
        // But fifty of them are no chance.
        assert_eq!(verdict(&[unlikely; 50], Expected::MORE), Verdict::Holds);
    }

    #[test]
    fn a_tie_is_a_case_in_which_nothing_is_clear() {
        let same = Case::new("same", vec![0.0; 8], Expected::MORE);
        let one = |mean| vec![same.clone(), Case::new("one", around(mean, 1.0), Expected::MORE)];
        let found = every(&one(5.0), UNIT);
        assert_eq!((found.verdict, found.holding, found.of), (Verdict::HoldsInPart, 1, 2));
        assert_eq!(found.exceptions[0].case, "same");
        assert_eq!(every(&one(-5.0), UNIT).verdict, Verdict::DoesNotHold);
        assert_eq!(some(&one(5.0), UNIT).verdict, Verdict::Holds);
        assert_eq!(every(&[same], UNIT).verdict, Verdict::Undecided);
        let alike = Case::new("alike", vec![0.0; 8], Expected::alike(1.0));
        assert_eq!(every(&[alike], UNIT).verdict, Verdict::Holds);
    }

    #[test]
    fn a_claim_of_what_differs_leaves_out_what_does_not_and_says_so() {
        let cases = [Some(true), None, Some(true), None, None].map(|so| (String::new(), so));
        let found = exactly_where_apart(cases);
        assert_eq!((found.verdict, found.of, found.same), (Verdict::Holds, 2, 3));
    }

    #[test]
    fn the_highest_is_behind_no_rival() {
        let setting = |means: &[f64]| cases(means, Expected::MORE);
        let of = |settings: &[Vec<Case>]| superlative(settings, UNIT);
        assert_eq!(of(&[setting(&[5.0, 6.0]), setting(&[7.0])]).verdict, Verdict::Holds);
        let beaten = of(&[setting(&[5.0, 6.0, 7.0, -4.0])]);
        assert_eq!((beaten.verdict, beaten.of, beaten.refuted()), (Verdict::DoesNotHold, 1, 1));
        assert_eq!(
            (&beaten.exceptions[0].case[..], &beaten.told()[..]),
            ("3", "-4.0 ± 0.7 points.")
        );
        assert_eq!(of(&[setting(&[5.0, 6.0, 0.1])]).verdict, Verdict::Undecided);
        let in_part = of(&[setting(&[5.0, 6.0]), setting(&[5.0, 0.1])]);
        assert_eq!((in_part.verdict, in_part.holding), (Verdict::HoldsInPart, 1));
        assert_eq!(of(&[]).verdict, Verdict::Undecided);
    }

    /// The one whose lead is smallest scatters least here, so that it is the clearest.
    #[test]
    fn the_effect_of_the_highest_is_that_beside_the_rival_nearest_in_the_mean() {
        let rival = |mean, scatter| Case::new("rival", around(mean, scatter), Expected::MORE);
        let settings =
            [vec![rival(5.0, 0.1), rival(9.0, 2.0)], vec![rival(8.0, 2.0), rival(7.0, 0.1)]];
        let found = superlative(&settings, UNIT);
        assert_eq!(found.verdict, Verdict::Holds);
        assert!((found.effect.expect("all expect more").mean - 6.0).abs() < 1e-9);
    }

    /// It is not always the nearest.
    #[test]
    fn an_exception_to_the_highest_is_told_by_the_rival_that_speaks_most_against_it() {
        let rival =
            |name: &str, mean, scatter| Case::new(name, around(mean, scatter), Expected::MORE);
        let found = superlative(&[vec![rival("near", 1.0, 0.1), rival("unclear", 2.0, 9.0)]], UNIT);
        assert_eq!((found.verdict, &found.exceptions[0].case[..]), (Verdict::Undecided, "unclear"));
        assert!((found.effect.expect("it expects more").mean - 1.0).abs() < 1e-9);
    }

    #[test]
    fn thresholds_are_those_that_the_judge_was_given() {
        let case = |expected| Case::new("one", around(5.0, 1.0), expected);
        let cases = [Expected::MORE, Expected::alike(3.0), Expected::MORE].map(case);
        assert_eq!(every(&cases, UNIT).thresholds, ["above 0 points", "-3 to 3 points"]);
    }

    #[test]
    fn cases_of_which_different_things_are_expected_have_no_mean() {
        let case = |name: &str, mean, expected| Case::new(name, around(mean, 1.0), expected);
        let opposite = |later| {
            let cases = [case("before", 5.0, Expected::MORE), case("after", later, Expected::LESS)];
            every(&cases, UNIT)
        };
        let holds = opposite(-5.0);
        assert_eq!((holds.verdict, &holds.effect), (Verdict::Holds, &None));
        assert_eq!(holds.told(), "Clear in 2 of 2 cases.");
        let in_part = opposite(5.0);
        let told = "Clear in 1 of 2 cases. Reversed: after (+5.0 ± 0.7 points).";
        assert_eq!((in_part.effect.as_ref(), &in_part.told()[..]), (None, told));
    }

    /// Where either sign counts they would cancel.
    #[test]
    fn cases_that_are_apart_in_both_directions_have_no_mean() {
        let of = |means: &[f64]| every(&cases(means, Expected::apart(3.0)), UNIT).effect;
        assert_eq!(of(&[9.0, -9.0]), None);
        assert!((of(&[9.0, 7.0]).expect("both are above").mean - 8.0).abs() < 1e-9);
        assert_eq!(both(&cases(&[9.0, -8.0], Expected::MORE), UNIT).effect, None);
        let alike = |means: &[f64]| every(&cases(means, Expected::alike(3.0)), UNIT).effect;
        assert_eq!(alike(&[9.0, -9.0]), None);
        assert!(alike(&[2.0, -2.0, 9.0]).is_some());
    }

    #[test]
    fn the_mean_of_cases_with_more_replications_and_fewer_is_that_of_their_means() {
        let case = |differences| Case::new("one", differences, Expected::MORE);
        // The first two of the second case alone would make it 2.
        let cases = [case(vec![1.0, 1.0]), case(vec![3.0, 3.0, 9.0])];
        let effect = every(&cases, UNIT).effect.unwrap();
        assert_eq!((effect.mean, effect.half_width), (3.0, None));
        // What the mean decides is of replications that both have.
        let effect = on_average(&cases, UNIT).effect.unwrap();
        assert_eq!((effect.mean, effect.half_width), (2.0, Some(0.0)));
    }

    #[test]
    fn one_replication_decides_nothing() {
        let once = Case::new("once", vec![5.0], Expected::MORE);
        assert_eq!(every(&[once], UNIT).verdict, Verdict::Undecided);
    }

    #[test]
    fn that_some_case_is_so_is_judged_the_other_way_round() {
        let of = |means: &[f64]| some(&cases(means, Expected::LESS), UNIT).verdict;
        assert_eq!(of(&[5.0, -5.0, 6.0]), Verdict::Holds);
        assert_eq!(of(&[5.0, 5.0, 6.0]), Verdict::DoesNotHold);
        assert_eq!(of(&[5.0, 0.1, 6.0]), Verdict::Undecided);
    }

    #[test]
    fn that_cases_differ_takes_one_of_each_kind() {
        let of = |means: &[f64]| both(&cases(means, Expected::LESS), UNIT).verdict;
        assert_eq!(of(&[5.0, -5.0, 0.1]), Verdict::Holds);
        assert_eq!(of(&[5.0, 6.0]), Verdict::DoesNotHold);
        assert_eq!(of(&[-5.0, -6.0]), Verdict::DoesNotHold);
        assert_eq!(of(&[5.0, 0.1]), Verdict::Undecided);
        assert_eq!(of(&[]), Verdict::Undecided);
    }

    #[test]
    fn what_is_so_generally_is_so_of_the_mean_and_exceptions_are_told() {
        let of = |means: &[f64]| on_average(&cases(means, Expected::LESS), UNIT);
        let generally = of(&[-9.0, -5.0, 4.0]);
        assert_eq!(
            (generally.verdict, generally.holding, generally.refuted()),
            (Verdict::Holds, 2, 1)
        );
        let told = "-3.3 ± 0.7 points on average; clear in 2 of 3 cases; the mean decides. Reversed: 2 (+4.0 \
                    ± 0.7 points).";
        assert_eq!(generally.told(), told);
        assert_eq!(of(&[9.0, 5.0, -4.0]).verdict, Verdict::DoesNotHold);
        // Nothing is clear by itself, and yet their mean is.
        let scattered = |shift: usize| {
            let differences =
                (0..8).map(|at| -1.0 + [4.0, -4.0][(at + shift) % 2] + 0.01 * at as f64);
            Case::new(shift.to_string(), differences.collect(), Expected::LESS)
        };
        let together = on_average(&[scattered(0), scattered(1)], UNIT);
        assert_eq!((together.verdict, together.holding), (Verdict::Holds, 0));
        // A case in which nothing differs draws the mean to zero.
        let same = Case::new("same", vec![0.0; 8], Expected::LESS);
        let with_it = on_average(&[scattered(0), scattered(1), same], UNIT);
        let mean = |judged: &Judged| judged.effect.as_ref().expect("there are cases").mean;
        assert_eq!((with_it.verdict, with_it.of), (Verdict::Holds, 3));
        assert!((mean(&with_it) - mean(&together) * 2.0 / 3.0).abs() < 1e-9);
        assert_eq!(of(&[]).verdict, Verdict::Undecided);
    }

    #[test]
    fn what_is_exact_is_counted() {
        let of = |found: &[bool]| exactly(found.iter().map(|&is_so| (format!("{is_so}"), is_so)));
        assert_eq!(of(&[true, true]).verdict, Verdict::Holds);
        assert_eq!(of(&[false, false]).verdict, Verdict::DoesNotHold);
        assert_eq!(of(&[]).verdict, Verdict::Undecided);
        assert_eq!(of(&[true, false, false]).verdict, Verdict::DoesNotHold);
        let part = of(&[true, false, true]);
        assert_eq!((part.verdict, part.holding, part.of), (Verdict::HoldsInPart, 2, 3));
        assert_eq!(part.told(), "So in 2 of 3 cases, counted exactly. Reversed: false.");
    }

    /// Of worlds without any effect about one in twenty gets a verdict, and no more.
    #[test]
    fn chance_is_rarely_taken_for_an_effect() {
        use rand::RngExt;
        let mut stream = locox_models::streams::stream(1, "no effect", 0);
        let mut normal = || (0..12).map(|_| stream.random::<f64>()).sum::<f64>() - 6.0;
        let mut clear = 0;
        for _ in 0..1000 {
            let case = |at: usize, values| Case::new(at.to_string(), values, Expected::MORE);
            let world: Vec<Case> =
                (0..10).map(|at| case(at, (0..6).map(|_| normal()).collect())).collect();
            clear += usize::from(every(&world, UNIT).verdict != Verdict::Undecided);
        }
        assert!((20..=70).contains(&clear), "{clear}");
    }
}

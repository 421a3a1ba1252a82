//! How much better a method is than the base line, and whether that can be told.

use super::{Found, Metric, Run};
use locox_models::stats::Estimate;
use serde::Serialize;

/// Where fewer weeks of a trace than this share have an instant at which nobody waits, the machine
/// is called saturated: what happens in most weeks hangs on the weeks before, and weeks drawn by
/// themselves say nothing. Half of them is the middle; it does not depend on what is compared.
pub const SATURATED_BELOW: f64 = 0.5;

/// Of this many resamples one at each end is 2.5 % of them: the fewest that have a 95 % interval.
pub const FEWEST_DRAWS: usize = 39;

/// A method beside the base line, in one metric.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Effect {
    pub value: Figure,
    /// Of the same jobs, draw by draw; of the base line itself 0.
    pub difference: Figure,
    pub answer: Answer,
}

/// A number, and the ends of its 95 % interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Figure {
    pub value: f64,
    pub interval: Option<(f64, f64)>,
    /// What the interval rests on.
    pub draws: usize,
}

/// What can be said.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Answer {
    Baseline,
    Better,
    Worse,
    /// The interval holds both.
    Undecided,
    /// Every draw gives the same figure.
    Same,
    /// The machine is saturated, so that weeks are not independent.
    Saturated,
    /// The trace has too few whole weeks, or none was drawn.
    TooShort,
    /// There are too few draws for an interval.
    TooFewDraws,
}

impl Answer {
    pub fn told(self) -> &'static str {
        match self {
            Self::Baseline => "base line",
            Self::Better => "better",
            Self::Worse => "worse",
            Self::Undecided => "undecided",
            Self::Same => "the same",
            Self::Saturated => "no interval: saturated",
            Self::TooShort => "no interval: too short",
            Self::TooFewDraws => "no interval: too few draws",
        }
    }
}

impl Effect {
    pub fn of(metric: Metric, found: &Found, base: &Found) -> Self {
        let values = found.figures(metric);
        let bases = base.figures(metric);
        let differences: Vec<f64> = values.iter().zip(&bases).map(|(a, b)| by(*a, *b)).collect();
        let independent = found.is_independent() && base.is_independent();
        let difference = found.figure(&differences, independent);
        let answer = match difference.interval {
            _ if found.method == base.method => Answer::Baseline,
            _ if !independent => Answer::Saturated,
            None if difference.draws == 0 => Answer::TooShort,
            _ if differences.iter().all(|&by| by == 0.0) => Answer::Same,
            None => Answer::TooFewDraws,
            Some((low, high)) if low <= 0.0 && high >= 0.0 => Answer::Undecided,
            // What was recorded went the other way than the draws.
            Some((low, _)) if (low > 0.0) != (difference.value > 0.0) => Answer::Undecided,
            Some((low, _)) if (low > 0.0) == metric.more_is_better() => Answer::Better,
            _ => Answer::Worse,
        };
        Self { value: found.figure(&values, found.is_independent()), difference, answer }
    }
}

impl Run {
    /// Whether jobs wait in too many weeks for the weeks to be drawn by themselves.
    pub fn is_saturated(&self) -> bool {
        self.weeks_without_queue < SATURATED_BELOW
    }
}

impl Found {
    fn figures(&self, metric: Metric) -> Vec<f64> {
        let figure = |run: &Run| run.figures.get(metric.name()).copied();
        self.runs.iter().map(|run| figure(run).unwrap_or(f64::NAN)).collect()
    }

    /// Whether the draws are independent of each other. Replications of a model are.
    fn is_independent(&self) -> bool {
        let recorded = self.runs.first().filter(|_| self.of_trace);
        recorded.is_none_or(|run| !run.is_saturated())
    }

    /// Of replications the mean, with the interval of Student's t. Of a trace what was recorded,
    /// with the interval that its resamples lie in (percentiles of the bootstrap).
    fn figure(&self, values: &[f64], independent: bool) -> Figure {
        if !self.of_trace {
            let Estimate { mean, half_width, values } = Estimate::of(values);
            let interval = half_width.map(|half| (mean - half, mean + half));
            return Figure { value: mean, interval, draws: values };
        }
        let (value, resamples) = values.split_first().map_or((f64::NAN, values), |(r, v)| (*r, v));
        let interval = percentiles(resamples).filter(|_| independent);
        Figure { value, interval, draws: resamples.len() }
    }
}

/// How much greater `a` is; what is within the rounding of sums is nothing.
fn by(a: f64, b: f64) -> f64 {
    const ROUNDING: f64 = 1e-9;
    if (a - b).abs() <= ROUNDING * a.abs().max(b.abs()).max(1e-3) { 0.0 } else { a - b }
}

/// Between which 95 % of such values lie: of n values in rising order those with the numbers
/// (n + 1) / 40, counted from either end. An exceptional draw moves one end and not the other, and
/// of more draws neither.
fn percentiles(values: &[f64]) -> Option<(f64, f64)> {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let outside = ((sorted.len() + 1) / (FEWEST_DRAWS + 1)).checked_sub(1)?;
    Some((sorted[outside], sorted[sorted.len() - 1 - outside]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::method::{Method, Way};
    use locox_models::machine::StrategyKind::{self, Buddy, FreeList};
    use locox_models::replay::QueueKind;

    fn found(kind: StrategyKind, of_trace: bool, waits: &[f64]) -> Found {
        let run = |&wait: &f64| {
            let mut run = Run::new(String::new(), "", String::new(), 1.0);
            run.figures.insert("wait".into(), wait);
            run.figures.insert("utilisation".into(), wait);
            run
        };
        let method = Method { way: Way::Subcubes(kind), queue: QueueKind::Fcfs };
        Found { method, of_trace, runs: waits.iter().map(run).collect() }
    }

    fn answer(of_trace: bool, waits: &[f64], base: &[f64]) -> Answer {
        let found_by = |kind, waits| found(kind, of_trace, waits);
        Effect::of(Metric::Wait, &found_by(FreeList, waits), &found_by(Buddy, base)).answer
    }

    #[test]
    fn a_difference_counts_where_its_interval_is_clear_of_zero() {
        let base = [100.0, 200.0, 150.0, 120.0].repeat(10);
        let by = |differences: [f64; 4]| {
            let differences = differences.repeat(10);
            let waits: Vec<f64> = base.iter().zip(differences).map(|(b, d)| b + d).collect();
            (answer(false, &waits, &base), answer(true, &waits, &base))
        };
        assert_eq!(by([-9.0, -10.0, -11.0, -10.0]), (Answer::Better, Answer::Better));
        assert_eq!(by([9.0, 10.0, 11.0, 10.0]), (Answer::Worse, Answer::Worse));
        assert_eq!(by([1.0, -1.0, 1.0, -1.0]), (Answer::Undecided, Answer::Undecided));
        assert_eq!(by([0.0; 4]), (Answer::Same, Answer::Same));
        assert_eq!(answer(false, &[1.0], &[2.0]), Answer::TooFewDraws);
        assert_eq!(answer(true, &[1.0], &[2.0]), Answer::TooShort);
        assert_eq!(answer(true, &[1.0; FEWEST_DRAWS], &[2.0; FEWEST_DRAWS]), Answer::TooFewDraws);
    }

    #[test]
    fn more_utilisation_is_better() {
        let (more, base) =
            (found(FreeList, false, &[5.0, 5.1, 5.2]), found(Buddy, false, &[4.0; 3]));
        assert_eq!(Effect::of(Metric::Utilisation, &more, &base).answer, Answer::Better);
        assert_eq!(Effect::of(Metric::Wait, &more, &base).answer, Answer::Worse);
        assert_eq!(Effect::of(Metric::Wait, &base, &base).answer, Answer::Baseline);
    }

    /// The interval of a trace is as wide as resamples scatter, not as the mean of many.
    #[test]
    fn more_resamples_do_not_make_a_trace_surer_than_it_is() {
        let resamples = |n: usize| [vec![10.0], [8.0, 12.0].repeat(n)].concat();
        for n in [20, 50, 500] {
            let found = found(Buddy, true, &resamples(n));
            let value = Effect::of(Metric::Wait, &found, &found).value;
            assert_eq!((value.value, value.interval), (10.0, Some((8.0, 12.0))));
        }
    }

    /// Differences that are sums of the same times in another order.
    #[test]
    fn rounding_is_no_difference() {
        let waits = [100.0 + 1e-12, 200.0, 150.0 - 1e-12];
        assert_eq!(answer(false, &waits, &[100.0, 200.0, 150.0]), Answer::Same);
    }

    #[test]
    fn an_answer_never_goes_against_what_was_recorded() {
        let draws = |mean: f64| (0..39).map(move |at| mean + 0.1 * f64::from(at));
        let recorded = |by: f64| [vec![100.0 + by], draws(90.0).collect()].concat();
        let base = vec![100.0; 40];
        assert_eq!(answer(true, &recorded(-3.0), &base), Answer::Better);
        assert_eq!(answer(true, &recorded(3.0), &base), Answer::Undecided);
    }

    /// What docs/compare.md says of few weeks.
    #[test]
    fn the_coverage_of_few_weeks() {
        use rand::RngExt;
        let mut stream = locox_models::streams::stream(1, "coverage", 0);
        for (weeks, expected) in [(8, 85..=92), (13, 89..=95), (52, 92..=97)] {
            let mut covered = 0;
            for _ in 0..1000 {
                let of: Vec<f64> = (0..weeks)
                    .map(|_| (0..12).map(|_| stream.random::<f64>()).sum::<f64>() - 6.0)
                    .collect();
                let mut draw = || {
                    let sum: f64 = (0..weeks).map(|_| of[stream.random_range(0..weeks)]).sum();
                    sum / weeks as f64
                };
                let draws: Vec<f64> = (0..FEWEST_DRAWS).map(|_| draw()).collect();
                let (low, high) = percentiles(&draws).unwrap();
                covered += usize::from(low <= 0.0 && high >= 0.0);
            }
            println!("{weeks} weeks: {} % of the intervals cover the mean", covered / 10);
            assert!(expected.contains(&(covered / 10)), "{weeks} weeks: {covered} of 1000");
        }
    }

    /// A normal interval around the same draws would be hundreds wide on both sides.
    #[test]
    fn a_draw_that_overloads_the_machine_moves_one_end_at_most() {
        let base = vec![100.0; 80];
        let mut waits: Vec<f64> = (0..80).map(|at| 60.0 + f64::from(at % 20)).collect();
        waits[7] = 9_000.0;
        let interval = |waits: &[f64], base: &[f64]| {
            let (better, base) = (found(FreeList, true, waits), found(Buddy, true, base));
            Effect::of(Metric::Wait, &better, &base).difference.interval
        };
        assert_eq!(interval(&waits, &base), Some((-40.0, -21.0)));
        assert_eq!(interval(&waits[..40], &base[..40]), Some((-40.0, 8_900.0)));
        assert_eq!(answer(true, &waits, &base), Answer::Better);
    }

    #[test]
    fn a_saturated_machine_has_no_interval() {
        let base = found(Buddy, true, &[100.0, 200.0, 150.0]);
        let mut other = found(FreeList, true, &[90.0, 189.0, 141.0]);
        other.runs[0].weeks_without_queue = SATURATED_BELOW / 2.0;
        let effect = Effect::of(Metric::Wait, &other, &base);
        assert_eq!((effect.answer, effect.difference.interval), (Answer::Saturated, None));
        assert_eq!(effect.difference.value, -10.0);
        // Replications of a model are independent all the same.
        other.of_trace = false;
        let base = Found { of_trace: false, ..base };
        assert_eq!(Effect::of(Metric::Wait, &other, &base).answer, Answer::Better);
    }
}

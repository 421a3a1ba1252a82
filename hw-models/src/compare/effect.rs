//! Whether a method is better than the base line, as far as that can be told, and by how much.

use super::{Drawn, Metric, Reason};
use crate::stats::{Estimate, t_quantile};

/// Where fewer weeks of a trace than this share have an instant at which nobody waits, the machine
/// is called saturated: what happens in most weeks hangs on the weeks before, and weeks drawn by
/// themselves say nothing. Half of them is the middle; it does not depend on what is compared.
pub const SATURATED_BELOW: f64 = 0.5;

/// Of this many resamples one at each end is 2.5 % of them: the fewest that have a 95 % interval.
pub const FEWEST_DRAWS: usize = 39;

/// How much wider an interval of a trace is than the percentiles of its draws, and than Student's t
/// makes it: few weeks of waits that are rarely long scatter less than waits do. Found by trial:
/// `docs/compare.md` has the coverage.
const STRETCH: f64 = 1.5;

/// The figures of a method on all draws, in their order; of a trace first on what was recorded.
#[derive(Clone, Debug, PartialEq)]
pub struct Sample {
    /// What was drawn, or why what was drawn says nothing.
    pub drawn: Result<Drawn, Reason>,
    /// A figure for each.
    pub values: Vec<f64>,
}

/// A method beside the base line, in one metric.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Effect {
    /// The figure itself.
    pub value: Figure,
    /// Of the same jobs, draw by draw; of the base line itself 0.
    pub difference: Figure,
    /// In which draws it is better and worse.
    pub signs: Signs,
    /// The least and the greatest difference of a draw.
    pub range: Option<(f64, f64)>,
    /// Which is better, as far as can be told.
    pub answer: Answer,
}

/// A number, and the ends of its 95 % interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Figure {
    /// On a trace itself, or the mean over replications.
    pub value: f64,
    /// Its lower and its upper end, or why there is none.
    pub interval: Result<(f64, f64), Reason>,
    /// What the interval rests on.
    pub draws: usize,
}

/// What can be said.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// It is the base line.
    Baseline,
    /// Of replications: the interval holds better differences only. Of a trace: it is better on the trace itself, and in
    /// all draws but fewer than one in twenty.
    Better,
    /// The same the other way round.
    Worse,
    /// Neither.
    Undecided,
    /// Every draw gives the same figure.
    Same,
    /// [`Reason::TooShort`].
    TooShort,
    /// [`Reason::TooFewDraws`].
    TooFewDraws,
}

impl Answer {
    /// In data.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Baseline => "baseline",
            Self::Better => "better",
            Self::Worse => "worse",
            Self::Undecided => "undecided",
            Self::Same => "same",
            Self::TooShort => "too-short",
            Self::TooFewDraws => "too-few-draws",
        }
    }
}

/// In how many draws a method is better, and in how many worse; in the others the figures are the same.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Signs {
    /// Than the base line.
    pub better: usize,
    /// Than the base line.
    pub worse: usize,
}

impl Signs {
    fn of(metric: Metric, differences: &[f64]) -> Self {
        let [more, less] = [f64::is_sign_positive, f64::is_sign_negative]
            .map(|is| differences.iter().filter(|&&by| by != 0.0 && is(by)).count());
        let (better, worse) = if metric.more_is_better() { (more, less) } else { (less, more) };
        Self { better, worse }
    }
}

impl Effect {
    /// How `sample` differs from `base` in `metric`; `None` instead of a base line for the base line itself.
    pub fn of(metric: Metric, sample: &Sample, base: Option<&Sample>) -> Self {
        let others = base.unwrap_or(sample);
        let pairs = sample.values.iter().zip(&others.values);
        let values: Vec<f64> = pairs.map(|(a, b)| by(*a, *b)).collect();
        let difference = Sample { drawn: sample.drawn.and(others.drawn), values };
        let signs = Signs::of(metric, difference.draws());
        let answer = if base.is_none() { Answer::Baseline } else { difference.answer(metric) };
        let range = percentiles(difference.draws(), difference.draws().len() + 1);
        let difference = difference.figure();
        Self { value: sample.own_figure(), difference, signs, range, answer }
    }

    /// For people: the answer, and why there is none, or no interval.
    pub fn told(&self) -> String {
        let answer = match self.answer {
            Answer::Baseline => return "base line".into(),
            Answer::Same => return "the same".into(),
            Answer::TooShort => return format!("no answer: {}", Reason::TooShort.told()),
            Answer::TooFewDraws => return format!("no answer: {}", Reason::TooFewDraws.told()),
            answer => answer.name(),
        };
        match self.difference.interval {
            Ok(_) => answer.into(),
            Err(reason) => format!("{answer}; no interval: {}", reason.told()),
        }
    }
}

impl Sample {
    fn is_of_trace(&self) -> bool {
        self.drawn != Ok(Drawn::Replications)
    }

    /// Without what was recorded.
    fn draws(&self) -> &[f64] {
        self.values.get(usize::from(self.is_of_trace())..).unwrap_or_default()
    }

    /// Which is better, of differences.
    fn answer(&self, metric: Metric) -> Answer {
        if self.drawn == Err(Reason::TooShort) {
            return Answer::TooShort;
        }
        if !self.draws().is_empty() && self.values.iter().all(|&by| by == 0.0) {
            return Answer::Same;
        }
        match self.span() {
            None => Answer::TooFewDraws,
            Some((low, high)) if low <= 0.0 && high >= 0.0 => Answer::Undecided,
            Some((low, _)) if (low > 0.0) == metric.more_is_better() => Answer::Better,
            Some(_) => Answer::Worse,
        }
    }

    /// Between which ends the sign must not change: of replications those of the interval; of a trace its draws, but for fewer
    /// than one in twenty at either end, and what was recorded. So at most one of 39 draws may say the contrary: a bootstrap
    /// test at 5 % on either side, and what was recorded must agree. `docs/compare.md` has how often it errs.
    fn span(&self) -> Option<(f64, f64)> {
        if !self.is_of_trace() {
            return self.figure().interval.ok();
        }
        let draws = self.draws();
        let enough = (draws.len() >= FEWEST_DRAWS).then_some(draws)?;
        let (low, high) = percentiles(enough, 20)?;
        let recorded = *self.values.first()?;
        Some((low.min(recorded), high.max(recorded)))
    }

    /// Of replications the mean, with the interval of Student's t. Of a trace what was recorded,
    /// with the interval that its resamples lie in.
    fn figure(&self) -> Figure {
        let values = &self.values[..];
        if self.drawn == Ok(Drawn::Replications) {
            let Estimate { mean, half_width, values } = Estimate::of(values);
            let interval = half_width.map(|half| (mean - half, mean + half));
            let interval = interval.ok_or(Reason::TooFewDraws);
            return Figure { value: mean, interval, draws: values };
        }
        let (value, resamples) = values.split_first().map_or((f64::NAN, values), |(r, v)| (*r, v));
        let interval = self.drawn.and_then(|drawn| around(value, resamples, drawn.count()));
        Figure { value, interval, draws: resamples.len() }
    }

    /// The figure itself, which cannot be negative, as a difference can. Of replications the interval is that of its logarithm,
    /// whose error is that of the mean by its size; of a trace it ends at zero.
    fn own_figure(&self) -> Figure {
        let figure = self.figure();
        let value = figure.value;
        let above = |(low, high): (f64, f64)| match self.drawn {
            Ok(Drawn::Replications) if value > 0.0 => {
                let scaled = |end: f64| value * ((end - value) / value).exp();
                (scaled(low), scaled(high))
            }
            _ => (low.max(0.0), high),
        };
        Figure { interval: figure.interval.map(above), ..figure }
    }
}

impl Figure {
    /// How the interval was found, in data, if so was drawn.
    pub const fn rests_on(&self, drawn: Result<Drawn, Reason>) -> &'static str {
        match (self.interval, drawn) {
            (Err(_), _) => "none",
            (Ok(_), Ok(Drawn::Replications)) => "replications-t",
            (Ok(_), _) => "week-bootstrap-percentile",
        }
    }

    /// The lower end of its interval.
    pub fn low(&self) -> Option<f64> {
        self.interval.ok().map(|(low, _)| low)
    }

    /// The upper end of its interval.
    pub fn high(&self) -> Option<f64> {
        self.interval.ok().map(|(_, high)| high)
    }
}

/// The interval around what was recorded of so many `weeks`. If it lies beyond its resamples, these
/// are not like it: the weeks come in another order.
fn around(value: f64, resamples: &[f64], weeks: usize) -> Result<(f64, f64), Reason> {
    let (low, high) = percentiles(resamples, FEWEST_DRAWS + 1).ok_or(Reason::TooFewDraws)?;
    if value < low || value > high {
        return Err(Reason::OrderMatters);
    }
    let stretch = STRETCH * of_few(weeks);
    Ok((value - (value - low) * stretch, value + (high - value) * stretch))
}

/// How much farther the percentiles of a bootstrap of so many values have to lie from the estimate,
/// so that they are as wide as Student's t (Hesterberg 2015, the expanded percentile interval).
fn of_few(values: usize) -> f64 {
    const OF_MANY: f64 = 1.959_964;
    let count = values.max(2) as f64;
    t_quantile(count - 1.0) / OF_MANY * (count / (count - 1.0)).sqrt()
}

/// How much greater `a` is; what is within the rounding of sums is nothing.
fn by(a: f64, b: f64) -> f64 {
    const ROUNDING: f64 = 1e-9;
    if (a - b).abs() <= ROUNDING * a.abs().max(b.abs()).max(1e-3) { 0.0 } else { a - b }
}

/// Between which all such values lie but for one in `of` at either end: of n values in rising order those with the
/// numbers (n + 1) / `of`, counted from either end. An exceptional draw moves one end and not the other, and of more draws
/// neither.
fn percentiles(values: &[f64], of: usize) -> Option<(f64, f64)> {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let outside = ((sorted.len() + 1) / of).checked_sub(1)?;
    let low = *sorted.get(outside)?;
    Some((low, sorted[sorted.len() - 1 - outside]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample(of_trace: bool, values: &[f64]) -> Sample {
        let drawn = if of_trace { Drawn::Weeks(MANY) } else { Drawn::Replications };
        Sample { drawn: Ok(drawn), values: values.to_vec() }
    }

    /// So many weeks that Student's t is a normal distribution.
    const MANY: usize = 1_000_000;

    /// What `interval` has around `value`, stretched.
    #[track_caller]
    fn assert_around(effect: Figure, value: f64, (low, high): (f64, f64)) {
        let (from, to) = effect.interval.unwrap();
        let expected = [low, high].map(|end| value + (end - value) * STRETCH);
        assert_eq!(effect.value, value);
        assert!((from / expected[0] - 1.0).abs() < 1e-4 && (to / expected[1] - 1.0).abs() < 1e-4);
    }

    fn answer(of_trace: bool, waits: &[f64], base: &[f64]) -> Answer {
        let of = |values| sample(of_trace, values);
        Effect::of(Metric::Wait, &of(waits), Some(&of(base))).answer
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
        assert_eq!(answer(true, &[1.0], &[2.0]), Answer::TooFewDraws);
        assert_eq!(answer(true, &[1.0; FEWEST_DRAWS], &[2.0; FEWEST_DRAWS]), Answer::TooFewDraws);
    }

    #[test]
    fn what_cannot_be_negative_has_no_end_below_zero_and_a_difference_may() {
        for waits in [[1.0, 100.0, 2.0], [0.0, 0.0, 30.0], [0.0; 3], [5.0, 5.1, 5.2]] {
            for of_trace in [false, true] {
                let waits = waits.repeat(14);
                let base = sample(of_trace, &[50.0, 1.0, 9.0].repeat(14));
                let effect = Effect::of(Metric::Wait, &sample(of_trace, &waits), Some(&base));
                let (low, high) = effect.value.interval.unwrap();
                assert!(0.0 <= low && low <= effect.value.value && effect.value.value <= high);
            }
            let few = Effect::of(Metric::Wait, &sample(false, &waits), None).value;
            assert!(few.low().unwrap() >= 0.0);
        }
        let (wide, base) = (sample(false, &[1.0, 100.0, 2.0]), sample(false, &[2.0; 3]));
        assert!(Effect::of(Metric::Wait, &wide, Some(&base)).difference.low().unwrap() < 0.0);
        // Where the interval is narrow both are alike.
        let narrow = Effect::of(Metric::Wait, &sample(false, &[100.0, 100.1, 100.2]), None).value;
        assert!((narrow.low().unwrap() - (100.1 - 0.248)).abs() < 1e-3);
    }

    #[test]
    fn more_utilisation_is_better() {
        let (more, base) = (sample(false, &[5.0, 5.1, 5.2]), sample(false, &[4.0; 3]));
        assert_eq!(Effect::of(Metric::Utilisation, &more, Some(&base)).answer, Answer::Better);
        assert_eq!(Effect::of(Metric::Wait, &more, Some(&base)).answer, Answer::Worse);
        assert_eq!(Effect::of(Metric::Wait, &base, None).answer, Answer::Baseline);
    }

    /// The interval of a trace is as wide as resamples scatter, not as the mean of many.
    #[test]
    fn more_resamples_do_not_make_a_trace_surer_than_it_is() {
        let resamples = |n: usize| [vec![10.0], [8.0, 12.0].repeat(n)].concat();
        for n in [20, 50, 500] {
            let value = Effect::of(Metric::Wait, &sample(true, &resamples(n)), None).value;
            assert_around(value, 10.0, (8.0, 12.0));
        }
    }

    /// Differences that are sums of the same times in another order.
    #[test]
    fn rounding_is_no_difference() {
        let waits = [100.0 + 1e-12, 200.0, 150.0 - 1e-12];
        assert_eq!(answer(false, &waits, &[100.0, 200.0, 150.0]), Answer::Same);
    }

    /// As of a log of two years at 60 % load: the busy weeks came one after the other.
    #[test]
    fn what_lies_beyond_its_own_draws_has_no_interval() {
        let draws = |mean: f64| (0..39).map(move |at| mean + 0.1 * f64::from(at));
        let recorded = |by: f64| [vec![100.0 + by], draws(90.0).collect()].concat();
        let effect = |by| {
            let (other, base) = (sample(true, &recorded(by)), sample(true, &[100.0; 40]));
            Effect::of(Metric::Wait, &other, Some(&base))
        };
        for (beyond, answer) in [(-50.0, "better"), (-10.5, "better"), (3.0, "undecided")] {
            let Effect { difference, answer: found, .. } = effect(beyond);
            assert_eq!((difference.value, found.name()), (beyond, answer));
            assert_eq!(difference.interval, Err(Reason::OrderMatters));
            let told = format!("{answer}; no interval: the order of the weeks matters");
            assert_eq!(effect(beyond).told(), told);
        }
        assert_eq!(effect(-8.0).told(), "better");
    }

    #[test]
    fn weeks_that_are_too_few_have_no_answer() {
        let of = |wait| Sample { drawn: Err(Reason::TooShort), values: vec![wait] };
        let effect = Effect::of(Metric::Wait, &of(90.0), Some(&of(100.0)));
        assert_eq!((effect.difference.value, effect.answer), (-10.0, Answer::TooShort));
        assert_eq!(effect.difference.interval, Err(Reason::TooShort));
        assert_eq!(effect.value.interval, Err(Reason::TooShort));
        assert_eq!((effect.signs, effect.range), (Signs::default(), None));
    }

    /// One of 39 may say the contrary, and 99 may have four.
    #[test]
    fn all_draws_but_fewer_than_one_in_twenty_agree() {
        let of = |draws: usize, contrary: &[f64], recorded: f64| {
            let mut differences = vec![-1.0; draws];
            differences[..contrary.len()].copy_from_slice(contrary);
            differences.insert(0, recorded);
            let waits: Vec<f64> = differences.iter().map(|by| 100.0 + by).collect();
            Effect::of(Metric::Wait, &sample(true, &waits), Some(&sample(true, &[100.0; 200])))
        };
        for (draws, most) in [(39, 1), (99, 4), (100, 4)] {
            let contrary = |count| vec![7.0; count];
            let effect = of(draws, &contrary(most), -1.0);
            assert_eq!(effect.answer, Answer::Better);
            assert_eq!(effect.signs, Signs { better: draws - most, worse: most });
            assert_eq!(effect.range, Some((-1.0, 7.0)));
            assert_eq!(of(draws, &contrary(most + 1), -1.0).answer, Answer::Undecided);
            // What is the same does not agree.
            assert_eq!(of(draws, &vec![0.0; most + 1], -1.0).answer, Answer::Undecided);
            assert_eq!(of(draws, &[], 1.0).answer, Answer::Undecided);
            assert_eq!(of(draws, &[], 0.0).answer, Answer::Undecided);
        }
        assert_eq!(of(38, &[], -1.0).answer, Answer::TooFewDraws);
    }

    /// What docs/compare.md says of few weeks.
    #[test]
    fn the_coverage_of_few_weeks() {
        use rand::RngExt;
        let mut stream = crate::streams::stream(1, "coverage", 0);
        for weeks in [8, 13, 52] {
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
                let mean = of.iter().sum::<f64>() / weeks as f64;
                let covers =
                    around(mean, &draws, weeks).is_ok_and(|(low, high)| low <= 0.0 && high >= 0.0);
                covered += usize::from(covers);
            }
            println!("{weeks} weeks: {} % of the intervals cover the mean", covered / 10);
            assert!((950..=995).contains(&covered), "{weeks} weeks: {covered} of 1000");
        }
    }

    /// A normal interval around the same draws would be hundreds wide on both sides.
    #[test]
    fn a_draw_that_overloads_the_machine_moves_one_end_at_most() {
        let base = vec![100.0; 80];
        let mut waits: Vec<f64> = (0..80).map(|at| 60.0 + f64::from(at % 20)).collect();
        waits[7] = 9_000.0;
        let interval = |waits: &[f64], base: &[f64]| {
            let (better, base) = (sample(true, waits), sample(true, base));
            Effect::of(Metric::Wait, &better, Some(&base)).difference
        };
        assert_around(interval(&waits, &base), -40.0, (-40.0, -21.0));
        assert_around(interval(&waits[..40], &base[..40]), -40.0, (-40.0, 8_900.0));
        assert_eq!(answer(true, &waits, &base), Answer::Better);
    }

    #[test]
    fn a_saturated_machine_has_no_interval_and_an_answer() {
        let drawn = Err(Reason::Saturated);
        let of = |wait: f64| Sample { drawn, values: vec![wait; 40] };
        let effect = Effect::of(Metric::Wait, &of(90.0), Some(&of(100.0)));
        assert_eq!(effect.difference.interval, Err(Reason::Saturated));
        assert_eq!((effect.difference.value, effect.range), (-10.0, Some((-10.0, -10.0))));
        assert_eq!(effect.told(), "better; no interval: saturated");
    }
}

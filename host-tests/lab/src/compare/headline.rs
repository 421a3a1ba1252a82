//! The sentence that a page begins with: what is best and by how much, or that nothing can be told apart.

use super::{Answer, Found, Metric, Setting};
use locox_report::report::{Cell, some};

/// Of the first of several settings, which is named.
pub fn of_first(settings: &[Setting], metric: Metric) -> String {
    let (first, told) = (&settings[0], of_draws(&settings[0], metric));
    match settings {
        [_] => told,
        _ => format!("{} at a load of {}: {told}", first.source.name, first.load_told()),
    }
}

/// Of a setting, from the intervals of its draws.
pub fn of_draws(setting: &Setting, metric: Metric) -> String {
    let base = setting.baseline();
    let own = base.effect(metric, base).value.value;
    let (what, scale) = (metric.title(), Scale::of(metric.unit(), metric.digits(), own));
    let Some((best, effect)) = setting.best(metric) else {
        let value = |found: &Found| found.effect(metric, base).value.value;
        let values = setting.found.iter().map(|it| (it.method.to_string(), value(it)));
        let values: Vec<(String, f64)> = values.collect();
        // One that is worse is told apart, while others are not.
        let is_worse = |it: &Found| it.effect(metric, base).answer == Answer::Worse;
        if setting.found.iter().any(is_worse) {
            let range = scale.range(what, &values);
            return format!("None is told better than {}: {range}.", base.method);
        }
        return nothing(what, scale, &values);
    };
    if effect.answer != Answer::Better {
        let others = if setting.found.len() > 1 { "; none of the others is better" } else { "" };
        return format!("The {what} is {} under {}{others}.", scale.told(own), base.method);
    }
    let draws = if setting.source.is_trace() { "draw" } else { "replication" };
    Pair {
        what,
        one: (&best.method.to_string(), effect.value.value),
        base: (&base.method.to_string(), own),
        difference: effect.difference.value,
        interval: effect.difference.interval.map_err(|reason| reason.told()),
        over: some(effect.difference.draws as u64, draws),
        scale,
    }
    .told()
}

/// Of draws that leave it open.
pub fn nothing(what: &str, scale: Scale, values: &[(String, f64)]) -> String {
    format!("Nothing can be told apart: {}.", scale.range(what, values))
}

/// Of one run of each, if there are several; `more` says what tells more. Such runs have no intervals.
pub fn of_single_runs(
    what: &str,
    (unit, digits): (&'static str, usize),
    values: &[(String, f64)],
    more: &str,
) -> Option<String> {
    let most = values.iter().map(|(_, value)| *value).fold(0.0, f64::max);
    let range = Scale::of(unit, digits, most).range(what, values);
    let told = format!("One run of each does not tell differences from chance{more}: {range}.");
    (values.len() > 1).then_some(told)
}

/// The rest of what a page begins with.
pub fn before(told: Option<String>, rest: String) -> String {
    told.into_iter().chain([rest]).collect::<Vec<_>>().join(" ")
}

/// One that differs from the base line.
pub struct Pair<'a> {
    /// The figure.
    pub what: &'a str,
    pub one: (&'a str, f64),
    pub base: (&'a str, f64),
    pub difference: f64,
    /// Or why there is none.
    pub interval: Result<(f64, f64), &'a str>,
    /// What the interval rests on.
    pub over: String,
    pub scale: Scale,
}

impl Pair<'_> {
    pub fn told(&self) -> String {
        let Self { what, one, base, difference, over, scale, .. } = self;
        let (sign, word) = if *difference < 0.0 { (-1.0, "less") } else { (1.0, "more") };
        let interval = match self.interval {
            Ok((low, high)) => {
                let mut ends = [low, high].map(|end| sign * end);
                ends.sort_by(f64::total_cmp);
                let [least, most] = ends.map(|end| scale.number(end));
                format!("95\u{a0}% interval {least} to {most}, {over}")
            }
            Err(why) => format!("no interval: {why}"),
        };
        format!(
            "The {what} is {} under {} in place of {} under {}: {} {word} ({interval}).",
            scale.told(one.1),
            one.0,
            scale.number(base.1),
            base.0,
            scale.told(sign * difference)
        )
    }
}

/// What numbers that stand side by side are told in.
#[derive(Clone, Copy)]
pub struct Scale {
    of_unit: f64,
    unit: &'static str,
    digits: usize,
}

impl Scale {
    /// Of a number like those to be told. Nobody reads thousands of seconds.
    pub fn of(unit: &'static str, digits: usize, number: f64) -> Self {
        let (of_unit, unit, digits) = match unit {
            "s" if number >= 7200.0 => (3600.0, "hours", 1),
            "s" if number >= 120.0 => (60.0, "minutes", 1),
            unit => (1.0, unit, digits),
        };
        Self { of_unit, unit, digits }
    }

    fn number(self, value: f64) -> String {
        Cell::Number(value / self.of_unit, self.digits).shown()
    }

    fn told(self, value: f64) -> String {
        format!("{}\u{a0}{}", self.number(value), self.unit).trim_end().into()
    }

    /// `mean wait 16.7 minutes under easy to 62.3 under fcfs`: the least and the most, of equals the first.
    fn range(self, what: &str, values: &[(String, f64)]) -> String {
        let first = |worse: fn(f64, f64) -> bool| {
            let sides = values.iter().map(|(name, value)| (&name[..], *value));
            sides.reduce(|found, next| if worse(found.1, next.1) { next } else { found })
        };
        let least = first(|found, next| next < found).unwrap_or(("", f64::NAN));
        match first(|found, next| next > found).filter(|most| most.1 > least.1) {
            Some((name, most)) => {
                format!(
                    "{what} {} under {} to {} under {name}",
                    self.told(least.1),
                    least.0,
                    self.number(most)
                )
            }
            None => format!("{what} {} under each", self.told(least.1)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pair(difference: f64, interval: Result<(f64, f64), &str>) -> String {
        Pair {
            what: "mean wait",
            one: ("easy", 3736.0 + difference),
            base: ("fcfs", 3736.0),
            difference,
            interval,
            over: "20 replications".into(),
            scale: Scale::of("s", 0, 3736.0),
        }
        .told()
    }

    #[test]
    fn a_difference_is_told_in_the_unit_of_what_it_is_compared_with() {
        let told = pair(-2732.0, Ok((-2981.0, -2484.0))).replace('\u{a0}', " ");
        assert_eq!(
            told,
            "The mean wait is 16.7 minutes under easy in place of 62.3 under fcfs: 45.5 minutes less \
             (95 % interval 41.4 to 49.7, 20 replications)."
        );
        assert!(pair(60.0, Err("saturated")).contains("minutes more (no interval: saturated)"));
        assert_eq!(Scale::of("s", 0, 119.0).told(119.0), "119\u{a0}s");
        assert_eq!(Scale::of("s", 0, 7200.0).told(7200.0), "2.0\u{a0}hours");
        assert_eq!(Scale::of("", 2, 1.0).told(1.0), "1.00");
    }

    #[test]
    fn one_run_of_each_tells_nothing_apart_and_one_alone_has_nothing_beside_it() {
        let values = [("easy".to_owned(), 30.0), ("fcfs".to_owned(), 90.0)];
        let told = of_single_runs("mean wait", ("s", 0), &values, "").unwrap();
        assert_eq!(
            told.replace('\u{a0}', " "),
            "One run of each does not tell differences from chance: mean wait 30 s under easy to 90 under fcfs."
        );
        let alike = [("a".to_owned(), 3.0), ("b".to_owned(), 3.0)];
        let told = of_single_runs("mean wait", ("s", 0), &alike, "").unwrap();
        assert!(told.ends_with("mean wait 3\u{a0}s under each."), "{told}");
        assert_eq!(of_single_runs("mean wait", ("s", 0), &values[..1], ""), None);
    }
}

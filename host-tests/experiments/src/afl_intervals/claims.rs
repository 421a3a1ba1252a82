//! What the thesis says of its figures 4.6 to 4.27.

use super::super::difference::{means, minus};
use super::super::load_sweep::{
    Gain, Limit, LoadPoint, Method, POINTS, SECONDS, shorter, throughput, turnaround,
};
use super::super::sources::turner_meshes::{
    FASTER_WITH_A, FASTER_WITH_LIMIT, FEWER_INSIDE_16, FULLER_16, GAIN_WITH_LIMIT,
    INSIDE_WITH_LIMIT, LESS_USED_WITH_A, LONGER_16, MORE_PRONOUNCED, MORE_UNUSED_WITH_A,
    OFTEN_UNNECESSARY, SIMILAR, SOME_INSIDE, USED_WITH_LIMIT,
};
use super::super::thresholds::AFL_OFTEN;
use super::panel::{SHARES, Studied};
use locox_models::stats::{Estimate, mean};
use locox_report::judge::{self, Case, Expected, Unit};
use locox_report::report::{Claim, Judged};

impl Studied {
    fn gain(&self, pair: [Method; 2]) -> Gain<'_> {
        Gain::new(pair, &self.curves, &self.limits)
    }

    /// Percentage points of utilisation that the auxiliary list gains, replication by replication.
    pub(super) fn gained(&self, [fl, afl]: [Method; 2]) -> Vec<f64> {
        self.limit(afl).more_than(self.limit(fl))
    }

    pub(super) fn limit(&self, method: Method) -> &Limit {
        let found = self.limits.iter().find(|limit| limit.method == method);
        found.expect("the pair is measured")
    }

    /// A point at which every workload keeps up.
    fn low(&self, method: Method) -> &LoadPoint {
        let curve = self.curves.iter().find(|curve| curve.method == method);
        let curve = curve.expect("the pair is measured");
        let low = curve.points.iter().rfind(|point| point.load <= LOW);
        low.expect("loads begin below")
    }
}

/// A load that every workload sustains, so that turnarounds compare.
pub(super) const LOW: f64 = 0.8;

/// What the thesis says of section 4.2, where A is the share of the small jobs.
pub(super) fn of_section_4_2(results: &[Studied]) -> Vec<Claim> {
    vec![
        judge::every(&cases(by_share(results), Expected::LESS, longer), SECONDS)
            .on(&FASTER_WITH_A, ""),
        judge::every(&cases(by_range(results), Expected::LESS, longer), SECONDS)
            .on(&FASTER_WITH_LIMIT, why_not_faster(results)),
        judge::every(&cases(by_range(results), Expected::MORE, sustained_more), Unit("of load", 3))
            .on(&FASTER_WITH_LIMIT, "")
            .variant("load at which turnarounds grow without end"),
    ]
}

/// What it says of section 4.2 that shows at saturation.
pub(super) fn saturated_of_section_4_2(results: &[Studied]) -> Vec<Claim> {
    vec![
        judge::every(&cases(by_share(results), Expected::LESS, fuller), POINTS).on(
            &LESS_USED_WITH_A,
            "A large job waits for the whole machine to drain, and with more small jobs between two large \
             ones it is drained more often for each node that it gets.",
        ),
        judge::every(&cases(afl(by_share(results)), Expected::MORE, more_unused), LEFTOVERS)
            .on(&MORE_UNUSED_WITH_A, shares_told(results, "Nobody uses", |it| &it.unused)),
        judge::every(&cases(afl(by_share(results)), Expected::MORE, more_small_unused), SMALL)
            .on(&MORE_UNUSED_WITH_A, shares_told(results, SMALL_NOBODY, |it| &it.small_unused))
            .variant("of the small ones"),
        small_in_leftovers(results).on(&SOME_INSIDE, shares_in_leftovers(results)),
        judge::every(&cases(afl(by_range(results)), Expected::MORE, fuller), POINTS)
            .on(&USED_WITH_LIMIT, "")
            .variant(Method::AFL.name()),
        judge::every(&cases(fl_to_17(results), Expected::MORE, fuller), POINTS)
            .on(&USED_WITH_LIMIT, same_times(by_range(results)))
            .variant("FL, up to [17,32]"),
        judge::every(&cases(afl(by_range(results)), Expected::MORE, more_inside), SMALL_JOBS)
            .on(&INSIDE_WITH_LIMIT, "Larger meshes leave less over."),
        judge::every(&cases(afl(by_range(results)), Expected::MORE, more_gained), POINTS)
            .on(&GAIN_WITH_LIMIT, gains_by_range(results)),
    ]
}

/// What it says of releases, by either reading.
pub(super) fn of_releases(results: &[Studied], workloads: &str) -> Vec<Claim> {
    let readings = ["step 4 of figure 3.9", "three kinds of deallocation"].into_iter().enumerate();
    let variant = |(at, name)| often_spared(results, at).variant(format!("{workloads}, {name}"));
    readings.map(variant).collect()
}

fn often_spared(results: &[Studied], reading: usize) -> Claim {
    let case = |result: &Studied| {
        let spared = result.limit(Method::AFL).spared[reading].clone();
        Case::new(result.panel.name(), spared, Expected::Inside(AFL_OFTEN, f64::INFINITY))
    };
    let cases: Vec<Case> = results.iter().map(case).collect();
    let means: Vec<f64> = cases.iter().map(|case| mean(&case.differences)).collect();
    let (least, most) = ends(&means);
    judge::every(&cases, Unit("% of the releases", 1)).of_levels().on(
        &OFTEN_UNNECESSARY,
        format!("At saturation, workload by workload: {least:.0} to {most:.0} % of the releases."),
    )
}

/// What it concludes of all its experiments, of these workloads under the pair that was swept.
pub(super) fn turnarounds(results: &[Studied], pair: [Method; 2]) -> Claim {
    let gains = results.iter().map(|result| (result.panel.name(), result.gain(pair)));
    let cases: Vec<Case> = gains.flat_map(|(name, gain)| shorter(&name, &gain)).collect();
    turnaround(&cases)
}

/// The same of throughput, under any pair whose limits are known.
pub(super) fn increase(results: &[Studied], pair: [Method; 2]) -> Claim {
    let more = results.iter().map(|result| (result.panel.name(), result.gained(pair)));
    throughput(more.collect())
}

fn ends(values: &[f64]) -> (f64, f64) {
    values.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), &value| {
        (low.min(value), high.max(value))
    })
}

/// A step from one workload to another, under a method.
type Step<'a> = (&'a Studied, &'a Studied, Method);

/// Neighbours in share, for each range and method.
fn by_share(results: &[Studied]) -> impl Iterator<Item = Step<'_>> {
    let neighbours = results.chunks(SHARES.len()).flat_map(|range| range.windows(2));
    neighbours.flat_map(|pair| Method::PAIR.map(|method| (&pair[0], &pair[1], method)))
}

/// Neighbours in range, for each share and method.
fn by_range(results: &[Studied]) -> impl Iterator<Item = Step<'_>> {
    let neighbours = results.iter().zip(results.iter().skip(SHARES.len()));
    neighbours.flat_map(|(low, high)| Method::PAIR.map(|method| (low, high, method)))
}

fn cases<'a>(
    steps: impl Iterator<Item = Step<'a>>,
    expected: Expected,
    change: impl Fn(Step<'a>) -> Vec<f64>,
) -> Vec<Case> {
    let case = |step: Step<'a>| {
        let (from, to, method) = (step.0.panel.name(), step.1.panel.name(), step.2.name());
        Case::new(format!("{method}, {from} to {to}"), change(step), expected)
    };
    steps.map(case).collect()
}

/// How much longer turnarounds become in a step.
fn longer((from, to, method): Step<'_>) -> Vec<f64> {
    to.low(method).longer_than(from.low(method))
}

/// How much more is used after a step.
fn fuller((from, to, method): Step<'_>) -> Vec<f64> {
    to.limit(method).more_than(from.limit(method))
}

/// How much more load is sustained after a step.
fn sustained_more((from, to, method): Step<'_>) -> Vec<f64> {
    minus(&to.limit(method).loads, &from.limit(method).loads)
}

/// Steps in which the same jobs run at the same times, of all of these.
fn same_times<'a>(steps: impl Iterator<Item = Step<'a>>) -> String {
    let is_same = |&(from, to, method): &Step| from.limit(method).loads == to.limit(method).loads;
    let steps: Vec<Step> = steps.collect();
    let same = steps.iter().filter(|step| is_same(step)).count();
    format!("In {same} of {} cases the same jobs run at the same times.", steps.len())
}

/// Under FL those that change more than the sizes of meshes in whole 10-cubes.
fn fl_to_17(results: &[Studied]) -> impl Iterator<Item = Step<'_>> {
    by_range(results).filter(|(_, to, method)| *method == Method::FL && to.panel.large <= 17)
}

/// Of these only the ones under AFL + FL.
fn afl<'a>(steps: impl Iterator<Item = Step<'a>>) -> impl Iterator<Item = Step<'a>> {
    steps.filter(|(.., method)| *method == Method::AFL)
}

/// How much more of the leftovers nobody uses.
fn more_unused((from, to, method): Step<'_>) -> Vec<f64> {
    minus(&to.limit(method).unused, &from.limit(method).unused)
}

/// The same of the small ones.
fn more_small_unused((from, to, method): Step<'_>) -> Vec<f64> {
    minus(&to.limit(method).small_unused, &from.limit(method).small_unused)
}

/// Shares of the leftovers by A, over the ranges.
fn shares_told(results: &[Studied], what: &str, of: fn(&Limit) -> &[f64]) -> String {
    let at = |(at, share): (usize, &f64)| {
        let these = results.iter().skip(at).step_by(SHARES.len());
        let means: Vec<f64> = these.map(|it| mean(of(it.limit(Method::AFL)))).collect();
        let (least, most) = ends(&means);
        format!("{least:.0} to {most:.0} % at A = {share:.1}")
    };
    let list: Vec<String> = SHARES.iter().enumerate().map(at).collect();
    format!("{what}, over the large ranges: {}.", list.join(", "))
}

/// How many more of the small jobs start in leftovers.
fn more_inside((from, to, method): Step<'_>) -> Vec<f64> {
    minus(&to.limit(method).in_leftovers, &from.limit(method).in_leftovers)
}

/// How much more the auxiliary list gains.
fn more_gained((from, to, _): Step<'_>) -> Vec<f64> {
    minus(&to.gained(Method::PAIR), &from.gained(Method::PAIR))
}

const SMALL_JOBS: Unit = Unit("percentage points of the small jobs", 1);
const LEFTOVERS: Unit = Unit("percentage points of the leftover subcubes", 1);
const SMALL: Unit = Unit("percentage points of the small leftover subcubes", 1);
const SMALL_NOBODY: &str = "Of the small ones nobody uses";

/// Per cent of the small jobs; without reuse it were none.
fn small_in_leftovers(results: &[Studied]) -> Judged {
    let case = |result: &Studied| {
        let inside = result.limit(Method::AFL).in_leftovers.clone();
        Case::new(result.panel.name(), inside, Expected::MORE)
    };
    let per_cent = Unit("% of the small jobs", 1);
    judge::every(&results.iter().map(case).collect::<Vec<_>>(), per_cent).of_levels()
}

fn shares_in_leftovers(results: &[Studied]) -> String {
    let mean_of = |range: &[Studied]| {
        let of = |result: &Studied| mean(&result.limit(Method::AFL).in_leftovers);
        let (least, most) = ends(&range.iter().map(of).collect::<Vec<_>>());
        format!("{least:.0} to {most:.0} % with [{},32]", range[0].panel.large)
    };
    let list: Vec<String> = results.chunks(SHARES.len()).map(mean_of).collect();
    format!("Under AFL + FL at saturation, over the shares A: {}.", list.join(", "))
}

/// The shares with small sides in [1,8] and in [1,16].
fn inside_with_both(eight: &[Studied], sixteen: &[Studied]) -> String {
    let [eight, sixteen] = [(eight, "With [1,8]"), (sixteen, "With [1,16]")]
        .map(|(results, what)| shares_told(results, what, |it| &it.in_leftovers));
    format!("Of the small jobs, under AFL + FL at saturation. {eight} {sixteen}")
}

fn why_not_faster(results: &[Studied]) -> String {
    let change = |method: Method| {
        let changes = by_range(results).filter(|(low, _, of)| *of == method && low.panel.large > 9);
        let changes: Vec<f64> = changes
            .map(|(low, high, _)| {
                high.low(method).turnaround().mean / low.low(method).turnaround().mean
            })
            .collect();
        (mean(&changes) - 1.0) * 100.0
    };
    format!(
        "Steps from one range to the next at a load of {LOW}. From [17,32] on every large mesh \
         takes the whole 10-cube, so under FL nothing changes ({:+.1} % a step on average), and \
         under AFL + FL there is less leftover to use ({:+.1} %): of 1024 nodes a large mesh \
         leaves {:.0} on average in [17,32], and {:.0} in [30,32].",
        change(Method::FL),
        change(Method::AFL),
        leftover(17),
        leftover(30)
    )
}

/// Nodes that a mesh with sides uniform in [`from`, 32] leaves over in the 10-cube, on average.
fn leftover(from: u32) -> f64 {
    let side = f64::from(from + 32) / 2.0;
    1024.0 - side * side
}

fn gains_by_range(results: &[Studied]) -> String {
    let points = |studied: &Studied| mean(&studied.gained(Method::PAIR));
    let per_cent = |studied: &Studied| {
        let [fl, afl] = Method::PAIR.map(|method| mean(&studied.limit(method).loads));
        100.0 * (afl / fl - 1.0)
    };
    let of = |range: &[Studied]| {
        let (least, most) = ends(&range.iter().map(points).collect::<Vec<_>>());
        let (fewest, highest) = ends(&range.iter().map(per_cent).collect::<Vec<_>>());
        format!(
            "{least:.1} to {most:.1} ({fewest:.0} to {highest:.0} %) with [{},32]",
            range[0].panel.large
        )
    };
    let list: Vec<String> = results.chunks(SHARES.len()).map(of).collect();
    format!(
        "Gain in percentage points of utilisation at saturation, and in sustained load, over the \
         shares A: {}. It falls where the large meshes leave hardly anything over.",
        list.join(", ")
    )
}

/// Statements of section 4.3 that compare it with section 4.2.
pub(super) fn of_both(eight: &[Studied], sixteen: &[Studied]) -> Vec<Claim> {
    let steps = || {
        let pairs = eight.iter().zip(sixteen);
        pairs.flat_map(|(eight, sixteen)| Method::PAIR.map(|method| (eight, sixteen, method)))
    };
    // The cause that the source names, fewer leftovers that are large enough, is there under AFL + FL only.
    let under = |method: Method| steps().filter(move |(.., of)| *of == method);
    let longer_under = |method: Method| {
        judge::every(&cases(under(method), Expected::MORE, longer), SECONDS)
            .on(&LONGER_16, "At the smallest A nine jobs in ten are large and the same in both.")
            .variant(method.name())
    };
    let grows_sooner = |method: Method| {
        judge::every(&cases(under(method), Expected::LESS, sustained_more), Unit("of load", 3))
            .on(&LONGER_16, "")
            .variant(format!("{}, load at which turnarounds grow without end", method.name()))
    };
    let [fl, afl_fl] = Method::PAIR;
    vec![
        longer_under(afl_fl),
        longer_under(fl),
        grows_sooner(afl_fl),
        grows_sooner(fl),
        judge::every(&cases(under(afl_fl), Expected::MORE, fuller), POINTS)
            .on(
                &FULLER_16,
                "At the smallest A nine jobs in ten are large and the same in both; and the auxiliary list loses \
                 what it gains where small jobs no longer fit leftovers.",
            )
            .variant(afl_fl.name()),
        judge::every(&cases(under(fl), Expected::MORE, fuller), POINTS)
            .on(&FULLER_16, same_times(under(fl)))
            .variant(fl.name()),
        judge::every(&cases(afl(steps()), Expected::LESS, more_inside), SMALL_JOBS)
            .on(&FEWER_INSIDE_16, inside_with_both(eight, sixteen)),
        more_pronounced(eight, sixteen, longer_by, Unit("s of turnaround a step", 2))
            .variant(format!("turnaround at a load of {LOW}")),
        more_pronounced(eight, sixteen, lost_by, Unit("of load a step", 3))
            .variant("load at which turnarounds grow without end"),
        similar(eight, sixteen, longer, SECONDS).variant("turnaround"),
        similar(eight, sixteen, fuller, POINTS).variant("utilisation"),
    ]
}

/// That each step of A and of the range that changes something in section 4.2 changes it in the same
/// direction in section 4.3.
fn similar(
    eight: &[Studied],
    sixteen: &[Studied],
    change: fn(Step<'_>) -> Vec<f64>,
    unit: Unit,
) -> Claim {
    let steps = |results| by_share(results).chain(by_range(results)).collect::<Vec<_>>();
    let along = |(before, now): (Step<'_>, Step<'_>)| {
        let of_section_4_2 = Estimate::of(&change(before));
        // What changes nothing for sure has no direction.
        let clear = !of_section_4_2.covers(0.0) && of_section_4_2.half_width.is_some();
        let (from, to, method) = (now.0.panel.name(), now.1.panel.name(), now.2.name());
        clear.then(|| {
            let changes = change(now).into_iter().map(|by| by * of_section_4_2.mean.signum());
            let name = format!("{method}, {from} to {to}");
            Case::new(name, changes.collect(), Expected::MORE)
        })
    };
    let pairs = steps(eight).into_iter().zip(steps(sixteen));
    let cases: Vec<Case> = pairs.filter_map(along).collect();
    judge::every(&cases, unit).on(&SIMILAR, "")
}

/// Seconds by which turnarounds under AFL + FL are longer.
fn longer_by(eight: &Studied, sixteen: &Studied) -> Vec<f64> {
    longer((eight, sixteen, Method::AFL))
}

/// Load that AFL + FL sustains less.
fn lost_by(eight: &Studied, sixteen: &Studied) -> Vec<f64> {
    minus(&eight.limit(Method::AFL).loads, &sixteen.limit(Method::AFL).loads)
}

/// How much worse a workload with small sides in [1,16] is than the same with [1,8].
type Worse = fn(&Studied, &Studied) -> Vec<f64>;

fn more_pronounced(eight: &[Studied], sixteen: &[Studied], worse: Worse, unit: Unit) -> Claim {
    let of = |at| over_ranges(eight, sixteen, at, worse);
    let worsened: Vec<Vec<f64>> = (0..SHARES.len()).map(of).collect();
    let step = |(shares, worsened): (&[f64], &[Vec<f64>])| {
        let name = format!("A = {:.1} to {:.1}", shares[0], shares[1]);
        Case::new(name, minus(&worsened[1], &worsened[0]), Expected::MORE)
    };
    let steps: Vec<Case> = SHARES.windows(2).zip(worsened.windows(2)).map(step).collect();
    let one = |(share, by): (&f64, &Vec<f64>)| format!("{:.2} at A = {share:.1}", Estimate::of(by));
    let list: Vec<String> = SHARES.iter().zip(&worsened).map(one).collect();
    let told = format!("Averaged over the large ranges: {}.", list.join(", "));
    judge::every(&steps, unit).on(&MORE_PRONOUNCED, told)
}

/// The mean over the large ranges at the share of that number, replication by replication.
fn over_ranges(eight: &[Studied], sixteen: &[Studied], share: usize, worse: Worse) -> Vec<f64> {
    let pairs = eight.iter().zip(sixteen).skip(share).step_by(SHARES.len());
    means(&pairs.map(|(eight, sixteen)| worse(eight, sixteen)).collect::<Vec<_>>())
}

#[cfg(test)]
mod tests {
    use super::super::{Choice, Panel};
    use super::*;
    use locox_report::report::Verdict::Holds;

    /// From [17,32] on under FL: only the meshes in the same subcubes become larger, and that is more
    /// utilisation as the source counts it.
    #[test]
    fn steps_in_which_the_same_jobs_run_at_the_same_times_are_counted_and_told() {
        let studied = |large, utilisation: f64| {
            let panel = Panel { small: 8, large, share: 0.5, choice: Choice::PerJob };
            let utilisations = [0.0, 0.1, 0.2, 0.1].map(|by| utilisation + by).into();
            let limit = Limit::made_up(Method::FL, utilisations, vec![1.5, 1.6, 1.5, 1.7]);
            Studied { panel, curves: vec![], limits: vec![limit] }
        };
        let (from, to) = (studied(17, 30.0), studied(20, 40.0));
        let step = || std::iter::once((&from, &to, Method::FL));
        let judged = judge::every(&cases(step(), Expected::MORE, fuller), POINTS);
        assert_eq!((judged.verdict, judged.of, judged.same), (Holds, 1, 0));
        assert!(same_times(step()).contains("1 of 1 cases"));
    }

    #[test]
    fn a_step_is_told_by_all_that_differs() {
        let of = |small| {
            let panel = Panel { small, large: 17, share: 0.1, choice: Choice::PerJob };
            Studied { panel, curves: vec![], limits: vec![] }
        };
        let (eight, sixteen) = (of(8), of(16));
        let step = std::iter::once((&eight, &sixteen, Method::FL));
        let told = &cases(step, Expected::MORE, |_| vec![])[0].name;
        assert_eq!(told, "FL, [1,8] and [17,32], A = 0.1 to [1,16] and [17,32], A = 0.1");
    }
}

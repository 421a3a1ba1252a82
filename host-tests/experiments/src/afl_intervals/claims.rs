//! What the thesis says of its figures 4.6 to 4.27.

use super::super::load_sweep::{Gain, Limit, LoadPoint, Method, POINTS, SECONDS, conclusion};
use super::panel::{SHARES, Studied};
use locox_models::stats::{Estimate, mean};
use locox_report::judge::{self, Case, Expected, Unit};
use locox_report::report::{Claim, Judged};

impl Studied {
    pub(super) fn gain(&self) -> Gain<'_> {
        Gain::new(&self.curves, &self.limits)
    }

    fn limit(&self, method: Method) -> &Limit {
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

/// What the thesis says of section 4.2.
pub(super) fn of_section_4_2(results: &[Studied]) -> Vec<Claim> {
    const SHARES: &str = "Turner 1995, p. 52";
    const RANGES: &str = "Turner 1995, p. 54";
    vec![
        more_small_faster(results).claim(
            "The larger the share A of small jobs, the shorter the turnarounds",
            SHARES,
            format!("Steps from one A to the next at a load of {LOW}."),
        ),
        more_small_less_used(results).claim(
            "The larger the share A of small jobs, the lower the utilisation",
            SHARES,
            "Steps from one A to the next, at saturation. A large job waits for the whole machine \
             to drain, and with more small jobs between two large ones it is drained more often \
             for each node that it gets.",
        ),
        small_in_leftovers(results).claim(
            "A share of the small jobs runs in leftovers of the large ones",
            RANGES,
            shares_in_leftovers(results),
        ),
        larger_large_more_used(results).claim(
            "As the lower limit of the large range rises, utilisation improves",
            RANGES,
            "Steps from one range to the next, at saturation. From [17,32] on every large mesh takes \
             the whole 10-cube: under FL the schedule is the same whatever the range, so these steps \
             are no test.",
        ),
        larger_large_faster(results).claim(
            "As the lower limit of the large range rises, turnarounds improve",
            RANGES,
            why_not_faster(results),
        ),
        larger_large_more_inside(results).claim(
            "As the lower limit of the large range rises, more of the small jobs find room in \
             leftovers",
            RANGES,
            "Steps from one range to the next, at saturation. Larger meshes leave less over.",
        ),
        larger_large_more_gain(results).claim(
            "As the lower limit of the large range rises, the auxiliary list gains more",
            RANGES,
            gains_by_range(results),
        ),
    ]
}

/// What it says of the rules, and concludes of all its experiments.
pub(super) fn of_chapter_4(results: &[Studied]) -> Vec<Claim> {
    let mut claims = vec![often_undisturbed(results).claim(
        "A release often finds its leftover free, so that nothing has to be put together",
        "Turner 1995, pp. 42 to 45",
        "Releases under AFL + FL at saturation. Often: more often than not.",
    )];
    let gains: Vec<(String, Gain)> =
        results.iter().map(|result| (result.panel.name(), result.gain())).collect();
    claims.extend(conclusion(&gains));
    claims
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

/// How much more is used after a step. Where the same jobs run at the same times nothing can: the
/// meshes in the same subcubes are larger then, which is no finding.
fn fuller((from, to, method): Step<'_>) -> Vec<f64> {
    let (from, to) = (from.limit(method), to.limit(method));
    let more = to.more_than(from);
    if from.loads == to.loads { vec![0.0; more.len()] } else { more }
}

fn more_small_faster(results: &[Studied]) -> Judged {
    judge::every(&cases(by_share(results), Expected::LESS, longer), SECONDS)
}

fn more_small_less_used(results: &[Studied]) -> Judged {
    judge::every(&cases(by_share(results), Expected::LESS, fuller), POINTS)
}

fn larger_large_more_used(results: &[Studied]) -> Judged {
    judge::every(&cases(by_range(results), Expected::MORE, fuller), POINTS)
}

fn larger_large_faster(results: &[Studied]) -> Judged {
    judge::every(&cases(by_range(results), Expected::LESS, longer), SECONDS)
}

/// Per cent of the small jobs; without reuse it were none.
fn small_in_leftovers(results: &[Studied]) -> Judged {
    let case = |result: &Studied| {
        let inside = result.limit(Method::AFL).in_leftovers.clone();
        Case::new(result.panel.name(), inside, Expected::MORE)
    };
    judge::every(&results.iter().map(case).collect::<Vec<_>>(), SMALL_JOBS)
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

fn larger_large_more_inside(results: &[Studied]) -> Judged {
    let pairs = by_range(results).filter(|(.., method)| *method == Method::AFL);
    let more = |(low, high, method): Step<'_>| {
        minus(&high.limit(method).in_leftovers, &low.limit(method).in_leftovers)
    };
    judge::every(&cases(pairs, Expected::MORE, more), SMALL_JOBS)
}

/// "Often" is more often than not.
const OFTEN: f64 = 50.0;

const SMALL_JOBS: Unit = Unit("% of the small jobs", 1);

fn often_undisturbed(results: &[Studied]) -> Judged {
    let case = |result: &Studied| {
        let undisturbed = result.limit(Method::AFL).undisturbed.clone();
        Case::new(result.panel.name(), undisturbed, Expected::Inside(OFTEN, f64::INFINITY))
    };
    let cases: Vec<Case> = results.iter().map(case).collect();
    judge::every(&cases, Unit("% of the releases", 1))
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

fn larger_large_more_gain(results: &[Studied]) -> Judged {
    let pairs = by_range(results).filter(|(.., method)| *method == Method::AFL);
    let more =
        |(low, high, _): Step<'_>| minus(&high.gain().utilisation(), &low.gain().utilisation());
    judge::every(&cases(pairs, Expected::MORE, more), POINTS)
}

fn minus(a: &[f64], b: &[f64]) -> Vec<f64> {
    a.iter().zip(b).map(|(a, b)| a - b).collect()
}

fn gains_by_range(results: &[Studied]) -> String {
    let points = |studied: &Studied| mean(&studied.gain().utilisation());
    let per_cent = |studied: &Studied| mean(&studied.gain().sustained());
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
    const SOURCE: &str = "Turner 1995, p. 65";
    let steps = || {
        let pairs = eight.iter().zip(sixteen);
        pairs.flat_map(|(eight, sixteen)| Method::PAIR.map(|method| (eight, sixteen, method)))
    };
    vec![
        judge::every(&cases(steps(), Expected::MORE, longer), SECONDS).claim(
            "With small sides in [1,16] instead of [1,8] turnarounds are longer",
            SOURCE,
            format!(
                "At a load of {LOW}; same ranges, shares, arrivals and service times. At the \
                 smallest A nine jobs in ten are large and the same in both."
            ),
        ),
        judge::every(&cases(steps(), Expected::MORE, fuller), POINTS).claim(
            "With small sides in [1,16] instead of [1,8] utilisation is better",
            SOURCE,
            "At saturation. At the smallest A nine jobs in ten are large and the same in both; and \
             the auxiliary list loses what it gains where small jobs no longer fit leftovers.",
        ),
        more_pronounced(eight, sixteen),
        similar(eight, sixteen, longer, SECONDS, "turnaround"),
        similar(eight, sixteen, fuller, POINTS, "utilisation"),
    ]
}

/// That each step of A and of the range that changes something in section 4.2 changes it in the same
/// direction in section 4.3.
fn similar(
    eight: &[Studied],
    sixteen: &[Studied],
    change: fn(Step<'_>) -> Vec<f64>,
    unit: Unit,
    what: &str,
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
    judge::every(&cases, unit).claim(
        format!("The results are similar to those of section 4.2: {what} changes alike"),
        "Turner 1995, p. 65",
        "Steps of A and of the large range that are clear with small sides in [1,8]: the change with \
         [1,16] in the same direction.",
    )
}

/// "This effect is more pronounced as A increases."
fn more_pronounced(eight: &[Studied], sixteen: &[Studied]) -> Claim {
    let losses: Vec<Vec<f64>> = (0..SHARES.len()).map(|at| lost_load(eight, sixteen, at)).collect();
    let step = |(shares, losses): (&[f64], &[Vec<f64>])| {
        let name = format!("A = {:.1} to {:.1}", shares[0], shares[1]);
        Case::new(name, minus(&losses[1], &losses[0]), Expected::MORE)
    };
    let steps: Vec<Case> = SHARES.windows(2).zip(losses.windows(2)).map(step).collect();
    let one =
        |(share, loss): (&f64, &Vec<f64>)| format!("{:.2} at A = {share:.1}", Estimate::of(loss));
    let list: Vec<String> = SHARES.iter().zip(&losses).map(one).collect();
    judge::every(&steps, Unit("of load a step", 3)).claim(
        "The longer turnarounds with [1,16] are the more pronounced the larger A is",
        "Turner 1995, p. 65",
        format!(
            "Load that AFL + FL sustains less than with [1,8], averaged over the large ranges: {}.",
            list.join(", ")
        ),
    )
}

/// Load that AFL + FL sustains less with [1,16] than with [1,8] at the share of that number, over
/// the large ranges, replication by replication.
fn lost_load(eight: &[Studied], sixteen: &[Studied], share: usize) -> Vec<f64> {
    let pairs = eight.iter().zip(sixteen).skip(share).step_by(SHARES.len());
    let loads = |studied: &Studied| studied.limit(Method::AFL).loads.clone();
    let losses: Vec<Vec<f64>> =
        pairs.map(|(eight, sixteen)| minus(&loads(eight), &loads(sixteen))).collect();
    let replications = losses.iter().map(Vec::len).min().unwrap_or(0);
    let of = |at: usize| mean(&losses.iter().map(|loss| loss[at]).collect::<Vec<_>>());
    (0..replications).map(of).collect()
}

#[cfg(test)]
mod tests {
    use super::super::super::load_sweep::Curve;
    use super::super::{Choice, Family, Panel, SMALL_8, SMALL_16};
    use super::*;
    use locox_report::report::Verdict::{self, DoesNotHold, Holds, Undecided};

    /// Workloads of a family in which all effects are as the thesis says, times `sign`.
    fn world(family: &Family, sign: f64) -> Vec<Studied> {
        let of = |panel: Panel| {
            let (large, share) = (f64::from(panel.large), panel.share);
            let small = if panel.small == 16 { 1.0 } else { 0.0 };
            let afl = |method| if method == Method::AFL { 1.0 } else { 0.0 };
            let scattered = |mean: f64, of: usize| -> Vec<f64> {
                let seed = panel.large as usize + of;
                let value =
                    |at: usize| mean + at as f64 - 2.0 + 0.002 * ((at * at * 5 + seed) % 7) as f64;
                (0..5).map(value).collect()
            };
            let curve = |method| {
                let by = small - 5.0 * share - 0.2 * large - afl(method);
                let turnarounds = scattered(50.0 + sign * by, 1);
                Curve { method, points: vec![LoadPoint::made_up(LOW, &turnarounds)] }
            };
            let limit = |method| {
                let gain = afl(method) * (2.0 + 0.2 * large);
                let by = small + 0.3 * large - 10.0 * share + gain;
                // Another schedule in each panel.
                let loads = scattered(10.0 - (sign * small + 1.0) * share, 2);
                Limit {
                    in_leftovers: scattered(sign * (40.0 + large), 4),
                    undisturbed: scattered(50.0 + sign * 20.0, 5),
                    ..Limit::made_up(method, scattered(50.0 + sign * by, 3), loads)
                }
            };
            let (curves, limits) = (Method::PAIR.map(curve), Method::PAIR.map(limit));
            Studied { panel, curves: curves.into(), limits: limits.into() }
        };
        family.panels().into_iter().map(of).collect()
    }

    fn verdicts(sign: f64) -> [Vec<Verdict>; 3] {
        let sixteen = world(&SMALL_16, sign);
        let smaller = Family { small: 8, large: SMALL_16.large };
        [
            of_section_4_2(&world(&SMALL_8, sign)),
            of_chapter_4(&sixteen),
            // Similar is what goes along with section 4.2 as it is.
            [
                of_both(&world(&smaller, sign), &sixteen)[..3].to_vec(),
                of_both(&world(&smaller, 1.0), &sixteen)[3..].to_vec(),
            ]
            .concat(),
        ]
        .map(|claims| claims.into_iter().map(|claim| claim.verdict).collect())
    }

    #[test]
    fn every_verdict_can_fail() {
        let all = |verdict| [vec![verdict; 7], vec![verdict; 3], vec![verdict; 5]];
        assert_eq!(verdicts(1.0), all(Holds));
        assert_eq!(verdicts(-1.0), all(DoesNotHold));
        assert!(!verdicts(0.0).iter().flatten().any(|verdict| *verdict == Holds));
        assert!(verdicts(0.0).iter().flatten().any(|verdict| *verdict == Undecided));
    }

    /// From [17,32] on under FL: only the meshes in the same subcubes become larger.
    #[test]
    fn steps_in_which_the_same_jobs_run_at_the_same_times_are_no_test() {
        let studied = |large, utilisation| {
            let panel = Panel { small: 8, large, share: 0.5, choice: Choice::PerJob };
            let limit = Limit::made_up(Method::FL, vec![utilisation; 4], vec![1.5, 1.6, 1.5, 1.7]);
            Studied { panel, curves: vec![], limits: vec![limit] }
        };
        let (from, to) = (studied(17, 30.0), studied(20, 40.0));
        let step = std::iter::once((&from, &to, Method::FL));
        let judged = judge::every(&cases(step, Expected::MORE, fuller), POINTS);
        assert_eq!((judged.verdict, judged.of, judged.same), (Undecided, 0, 1));
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

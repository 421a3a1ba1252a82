//! What the thesis says of its figures 4.6 to 4.27.

use super::super::difference::{is_above_zero, is_below_zero, signed};
use super::super::load_sweep::{Gain, Limit, LoadPoint, Method};
use super::{SHARES, Studied};
use crate::report::{Claim, Verdict};
use locox_models::stats::mean;

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

pub(super) fn of_family(results: &[Studied]) -> Vec<Claim> {
    vec![
        never_worse(results),
        more_small_faster(results),
        more_small_less_used(results),
        larger_large_more_used(results),
        larger_large_faster(results),
        larger_large_more_gain(results),
    ]
}

fn claim(statement: &str, source: &str, exceptions: &[String], cases: usize, more: &str) -> Claim {
    let found = match exceptions {
        [] => format!("In all {cases} cases."),
        [one] => format!("In all of {cases} cases but {one}."),
        [first, ..] => format!("Not in {} of {cases} cases, such as {first}.", exceptions.len()),
    };
    Claim {
        statement: statement.into(),
        source: source.into(),
        verdict: Verdict::of(exceptions.is_empty()),
        evidence: format!("{found}{more}"),
    }
}

fn never_worse(results: &[Studied]) -> Claim {
    let worse = results.iter().filter_map(|result| {
        let gain = result.gain();
        let (slower, utilisation) = (gain.slower(), gain.utilisation());
        let name = result.panel.name();
        match slower.first() {
            _ if is_below_zero(utilisation) => {
                Some(format!("{name}: utilisation at saturation {} points", signed(utilisation)))
            }
            Some(load) => Some(format!("{name}: longer turnarounds at a load of {load:.2}")),
            None => None,
        }
    });
    let gains: Vec<f64> = results.iter().map(|result| result.gain().utilisation().mean).collect();
    let (least, most) = ends(&gains);
    let more = format!(
        " Utilisation at saturation differs by {least:+.1} to {most:+.1} points. Worse means that \
         the 95 % interval of the difference, job by job the same workload, excludes zero."
    );
    let worse: Vec<String> = worse.collect();
    claim(
        "The auxiliary list is never worse than the free list alone",
        "Turner 1995, chapter 4, read off the curves",
        &worse,
        results.len(),
        &more,
    )
}

fn ends(values: &[f64]) -> (f64, f64) {
    values.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), &value| {
        (low.min(value), high.max(value))
    })
}

/// Neighbours in share, for each range and method.
fn by_share(results: &[Studied]) -> impl Iterator<Item = (&Studied, &Studied, Method)> {
    let neighbours = results.chunks(SHARES.len()).flat_map(|range| range.windows(2));
    neighbours.flat_map(|pair| Method::PAIR.map(|method| (&pair[0], &pair[1], method)))
}

/// Neighbours in range, for each share and method.
fn by_range(results: &[Studied]) -> impl Iterator<Item = (&Studied, &Studied, Method)> {
    let neighbours = results.iter().zip(results.iter().skip(SHARES.len()));
    neighbours.flat_map(|(low, high)| Method::PAIR.map(|method| (low, high, method)))
}

fn exceptions<'a>(
    pairs: impl Iterator<Item = (&'a Studied, &'a Studied, Method)>,
    holds: impl Fn(&Studied, &Studied, Method) -> bool,
) -> (Vec<String>, usize) {
    let (mut exceptions, mut cases) = (Vec::new(), 0);
    for (a, b, method) in pairs {
        cases += 1;
        if !holds(a, b, method) {
            let (method, from, to) = (method.name(), a.panel, b.panel);
            exceptions.push(format!("{method}, {} to {}", from.name(), to.name()));
        }
    }
    (exceptions, cases)
}

fn more_small_faster(results: &[Studied]) -> Claim {
    let (exceptions, cases) = exceptions(by_share(results), |fewer, more, method| {
        is_below_zero(more.low(method).longer_than(fewer.low(method)))
    });
    let more = format!(
        " Steps from one A to the next at a load of {LOW}; a larger A must shorten turnarounds \
         beyond doubt."
    );
    claim(
        "The larger the share A of small jobs, the shorter the turnarounds",
        "Turner 1995, p. 52",
        &exceptions,
        cases,
        &more,
    )
}

fn more_small_less_used(results: &[Studied]) -> Claim {
    let (exceptions, cases) = exceptions(by_share(results), |fewer, more, method| {
        is_below_zero(more.limit(method).more_than(fewer.limit(method)))
    });
    claim(
        "The larger the share A of small jobs, the lower the utilisation",
        "Turner 1995, p. 52",
        &exceptions,
        cases,
        " Steps from one A to the next, at saturation. A large job waits for the whole machine to \
         drain, and with more small jobs between two large ones it is drained more often for each \
         node that it gets.",
    )
}

fn larger_large_more_used(results: &[Studied]) -> Claim {
    let (exceptions, cases) = exceptions(by_range(results), |low, high, method| {
        is_above_zero(high.limit(method).more_than(low.limit(method)))
    });
    claim(
        "As the lower limit of the large range rises, utilisation improves",
        "Turner 1995, p. 54",
        &exceptions,
        cases,
        " Steps from one range to the next, at saturation. It does so under FL as well, where no \
         leftover is used: larger meshes fill more of the subcubes that they get.",
    )
}

fn larger_large_faster(results: &[Studied]) -> Claim {
    let (exceptions, cases) = exceptions(by_range(results), |low, high, method| {
        is_below_zero(high.low(method).longer_than(low.low(method)))
    });
    let change = |method: Method| {
        let changes = by_range(results).filter(|(low, _, of)| *of == method && low.panel.large > 9);
        let changes: Vec<f64> = changes
            .map(|(low, high, _)| {
                high.low(method).turnaround().mean / low.low(method).turnaround().mean
            })
            .collect();
        (mean(&changes) - 1.0) * 100.0
    };
    let more = format!(
        " Steps from one range to the next at a load of {LOW}. From [17,32] on every large mesh \
         takes the whole 10-cube, so under FL nothing changes ({:+.1} % a step on average), and \
         under AFL + FL there is less leftover to use ({:+.1} %): of 1024 nodes a large mesh \
         leaves {:.0} on average in [17,32], and {:.0} in [30,32].",
        change(Method::FL),
        change(Method::AFL),
        leftover(17),
        leftover(30)
    );
    claim(
        "As the lower limit of the large range rises, turnarounds improve",
        "Turner 1995, p. 54",
        &exceptions,
        cases,
        &more,
    )
}

/// Nodes that a mesh with sides uniform in [`from`, 32] leaves over in the 10-cube, on average.
fn leftover(from: u32) -> f64 {
    let side = f64::from(from + 32) / 2.0;
    1024.0 - side * side
}

fn larger_large_more_gain(results: &[Studied]) -> Claim {
    let pairs = by_range(results).filter(|(.., method)| *method == Method::AFL);
    let points = |studied: &Studied| studied.gain().utilisation().mean;
    let (exceptions, cases) = exceptions(pairs, |low, high, _| points(high) > points(low));
    let per_cent = |studied: &Studied| (studied.gain().sustained() - 1.0) * 100.0;
    let of = |range: &[Studied]| {
        let (least, most) = ends(&range.iter().map(points).collect::<Vec<_>>());
        let (fewest, highest) = ends(&range.iter().map(per_cent).collect::<Vec<_>>());
        format!(
            "{least:.1} to {most:.1} ({fewest:.0} to {highest:.0} %) with [{},32]",
            range[0].panel.large
        )
    };
    let list: Vec<String> = results.chunks(SHARES.len()).map(of).collect();
    let more = format!(
        " Gain in percentage points of utilisation at saturation, and in sustained load, over the \
         shares A: {}. It falls where the large meshes leave hardly anything over.",
        list.join(", ")
    );
    claim(
        "As the lower limit of the large range rises, more of the small jobs find room in \
         leftovers, and the auxiliary list gains more",
        "Turner 1995, p. 54",
        &exceptions,
        cases,
        &more,
    )
}

/// Statements of section 4.3 that compare it with section 4.2.
pub(super) fn of_both(eight: &[Studied], sixteen: &[Studied]) -> Vec<Claim> {
    let pairs = || {
        let pairs = eight.iter().zip(sixteen);
        pairs.flat_map(|(eight, sixteen)| Method::PAIR.map(|method| (eight, sixteen, method)))
    };
    let (slower, cases) = exceptions(pairs(), |eight, sixteen, method| {
        is_above_zero(sixteen.low(method).longer_than(eight.low(method)))
    });
    let (fuller, _) = exceptions(pairs(), |eight, sixteen, method| {
        is_above_zero(sixteen.limit(method).more_than(eight.limit(method)))
    });
    vec![
        claim(
            "With small sides in [1,16] instead of [1,8] turnarounds are longer",
            "Turner 1995, p. 65",
            &slower,
            cases,
            &format!(
                " At a load of {LOW}; same ranges, shares, arrivals and service times. At the \
                 smallest A nine jobs in ten are large and the same in both."
            ),
        ),
        claim(
            "With small sides in [1,16] instead of [1,8] utilisation is better",
            "Turner 1995, p. 65",
            &fuller,
            cases,
            " At saturation. At the smallest A nine jobs in ten are large and the same in both; and \
             the auxiliary list loses what it gains where small jobs no longer fit leftovers.",
        ),
        more_pronounced(eight, sixteen),
    ]
}

/// "This effect is more pronounced as A increases."
fn more_pronounced(eight: &[Studied], sixteen: &[Studied]) -> Claim {
    let loss = |at: usize| {
        let mine = |results: &[Studied]| -> Vec<f64> {
            let of_share = results.iter().skip(at).step_by(SHARES.len());
            of_share.map(|result| result.limit(Method::AFL).load().mean).collect()
        };
        let losses: Vec<f64> =
            mine(eight).iter().zip(mine(sixteen)).map(|(eight, sixteen)| eight - sixteen).collect();
        mean(&losses)
    };
    let losses: Vec<f64> = (0..SHARES.len()).map(loss).collect();
    let list: Vec<String> = SHARES
        .iter()
        .zip(&losses)
        .map(|(share, loss)| format!("{loss:.2} at A = {share:.1}"))
        .collect();
    Claim {
        statement: "The longer turnarounds with [1,16] are the more pronounced the larger A is"
            .into(),
        source: "Turner 1995, p. 65".into(),
        verdict: Verdict::of(losses.is_sorted()),
        evidence: format!(
            "Load that AFL + FL sustains less than with [1,8], averaged over the large ranges: {}.",
            list.join(", ")
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::super::Panel;
    use super::*;

    #[test]
    fn a_step_is_told_by_all_that_differs() {
        let of = |small| {
            let panel = Panel { small, large: 17, share: 0.1 };
            Studied { panel, curves: vec![], limits: vec![] }
        };
        let (eight, sixteen) = (of(8), of(16));
        let pair = std::iter::once((&eight, &sixteen, Method::FL));
        let (told, cases) = exceptions(pair, |_, _, _| false);
        let expected = "FL, [1,8] and [17,32], A = 0.1 to [1,16] and [17,32], A = 0.1";
        assert_eq!((told, cases), (vec![expected.to_owned()], 1));
    }
}

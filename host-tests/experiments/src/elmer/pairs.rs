//! Two jobs that start together, the first one the more urgent: figures 6.13 to 6.26.

use super::SOURCE;
use super::runs::{App, Layout, Os, Point, points};
use crate::{Experiment, Findings, Lab};
use locox_models::stats::Estimate;
use locox_report::judge::{self, Case, Expected, Unit};
use locox_report::report::{
    Axis, Block, Cell, Claim, Fact, Gallery, Judged, Plot, Point as Mark, Series, Shape, Table,
};

pub(in super::super) const EP: Experiment = Experiment {
    name: "elmer-ep",
    title: "EP below a barrier program",
    source: SOURCE,
    about: "A barrier program (version 1, 2 or 3) and EP start together on the same hosts, EP the \
            less urgent. Each is compared with its time alone under the same kernel; for EP, space \
            sharing means that it runs after the other. EP shares its work out once, two seconds after \
            its start, in proportion to what each process has done by then: that is when a barrier \
            program leaves it least, and on two and three hosts the host of the barrier gets so little \
            that the other hosts are still at work long after the barrier program has ended. To tell \
            this apart the same is run with work that is shared out evenly.",
    statements: &[],
    run: |lab| Ok(run(lab, &EP_PAIRS, ep_claims)),
};

pub(in super::super) const SAME: Experiment = Experiment {
    name: "elmer-same",
    title: "Two barrier programs, both barriers on one host",
    source: SOURCE,
    about: "Two barrier programs start together on the same hosts, and the processes that implement \
            the barrier share a processor. The legend of figure 6.19 says v2 with v3; its caption, \
            followed here, v3 with v3.",
    statements: &[],
    run: |lab| Ok(run(lab, &SAME_PAIRS, same_claims)),
};

pub(in super::super) const DIFFERENT: Experiment = Experiment {
    name: "elmer-different",
    title: "Two barrier programs, barriers on different hosts of the same ones",
    source: SOURCE,
    about: "Two barrier programs on the same hosts; each process of a barrier shares its processor \
            with another process of the other job. The first pair is run with both barriers on one \
            host as well.",
    statements: &[],
    run: |lab| Ok(run(lab, &DIFFERENT_PAIRS, different_claims)),
};

pub(in super::super) const PARTIAL: Experiment = Experiment {
    name: "elmer-partial",
    title: "Two barrier programs on hosts that overlap in part",
    source: SOURCE,
    about: "The second job is one host farther, so that each process of a barrier has its processor \
            to itself; with one host each they share it. The same pair on exactly the same hosts is \
            run beside it.",
    statements: &[],
    run: |lab| Ok(run(lab, &PARTIAL_PAIRS, partial_claims)),
};

pub(in super::super) const SUBSET: Experiment = Experiment {
    name: "elmer-subset",
    title: "A barrier program on some of the hosts of another",
    source: SOURCE,
    about: "Version 1 has six hosts; version 3, less urgent, has one to five of them, but not that \
            of the other's barrier.",
    statements: &[],
    run: |lab| Ok(run(lab, &SUBSET_PAIRS, subset_claims)),
};

/// Two programs, and the figure that shows them.
struct Pair {
    figure: &'static str,
    high: App,
    low: App,
    layout: Layout,
    /// The most hosts that the less urgent job gets.
    most: usize,
}

const fn pair(figure: &'static str, high: usize, low: App, layout: Layout) -> Pair {
    let most = match layout {
        Layout::Same | Layout::Different => 6,
        Layout::Partial | Layout::Subset => 5,
    };
    Pair { figure, high: App::Barrier(high), low, layout, most }
}

const EP_PAIRS: [Pair; 6] = [
    pair("6.13", 1, App::Ep, Layout::Same),
    pair("6.14", 2, App::Ep, Layout::Same),
    pair("6.15", 3, App::Ep, Layout::Same),
    pair("6.13", 1, App::EvenEp, Layout::Same),
    pair("6.14", 2, App::EvenEp, Layout::Same),
    pair("6.15", 3, App::EvenEp, Layout::Same),
];
const SAME_PAIRS: [Pair; 3] = [
    pair("6.17", 2, App::Barrier(2), Layout::Same),
    pair("6.18", 2, App::Barrier(3), Layout::Same),
    pair("6.19", 3, App::Barrier(3), Layout::Same),
];
const DIFFERENT_PAIRS: [Pair; 3] = [
    pair("6.21", 2, App::Barrier(3), Layout::Different),
    pair("6.22", 1, App::Barrier(3), Layout::Different),
    pair("6.18", 2, App::Barrier(3), Layout::Same),
];
const PARTIAL_PAIRS: [Pair; 2] = [
    pair("6.24", 1, App::Barrier(3), Layout::Partial),
    pair("6.22", 1, App::Barrier(3), Layout::Different),
];
const SUBSET_PAIRS: [Pair; 1] = [pair("6.26", 1, App::Barrier(3), Layout::Subset)];

/// Pairs and what came of them.
struct Found<'a> {
    pair: &'a Pair,
    points: Vec<Point>,
}

impl Pair {
    fn name(&self) -> String {
        format!("figure {}, {} above {}", self.figure, self.high.name(), self.low.name())
    }
}

impl Found<'_> {
    fn at(&self, os: Os, hosts: impl Fn(usize) -> bool) -> impl Iterator<Item = &Point> {
        self.points.iter().filter(move |point| point.os == os && hosts(point.hosts))
    }

    fn case(&self, point: &Point, differences: Vec<f64>, expected: Expected) -> Case {
        let name = format!("{}, {} hosts", self.pair.name(), point.hosts);
        Case::new(name, differences, expected)
    }
}

const PERCENT: Unit = Unit("%", 2);

/// As much as alone, in per cent: what this project asks of the preemptive kernel.
const EQUAL: f64 = 0.5;
/// Near each other, in per cent: what a reader cannot tell apart in a figure of the source.
const NEAR: f64 = 10.0;

/// A case for each pair and number of hosts.
fn cases(
    found: &[Found<'_>],
    os: Os,
    hosts: fn(usize) -> bool,
    figure: fn(&super::runs::Run) -> f64,
    expected: Expected,
) -> Judged {
    let of = |it: &'_ Found<'_>| {
        let cases = it.at(os, hosts).map(|point| it.case(point, point.of(figure), expected));
        cases.collect::<Vec<_>>()
    };
    judge::every(&found.iter().flat_map(of).collect::<Vec<_>>(), PERCENT)
}

fn all(_: usize) -> bool {
    true
}

fn several(hosts: usize) -> bool {
    hosts > 1
}

fn as_if_alone(found: &[Found<'_>], place: &str) -> Claim {
    cases(found, Os::Preemptive, all, |run| run.paid(), Expected::alike(EQUAL)).claim(
        "Preemptive kernel: the more urgent job takes as long as alone, on any number of hosts",
        format!("Turner 1995, {place}"),
        format!("Equal: at most {EQUAL} % apart. Effects in per cent of the time alone."),
    )
}

fn pays(found: &[Found<'_>], hosts: fn(usize) -> bool, place: &str) -> Claim {
    cases(found, Os::NonPreemptive, hosts, |run| run.paid(), Expected::Inside(EQUAL, f64::INFINITY))
        .claim(
            "Non-preemptive kernel: the more urgent job pays",
            format!("Turner 1995, {place}"),
            format!("By more than {EQUAL} % of its time alone."),
        )
}

fn ep_claims(found: &[Found<'_>]) -> Vec<Claim> {
    let (theirs, even) = found.split_at(3);
    let near = |hosts: usize| hosts >= 4;
    let few = |hosts: usize| hosts <= 2;
    vec![
        as_if_alone(found, "figures 6.13 to 6.15"),
        pays(theirs, few, "figures 6.13 to 6.15, 1 and 2 hosts"),
        cases(theirs, Os::NonPreemptive, near, |run| run.paid(), Expected::alike(NEAR)).claim(
            "Non-preemptive kernel: on 4 to 6 hosts it nears its time alone",
            "Turner 1995, figures 6.13 to 6.15",
            format!("Near: at most {NEAR} % apart."),
        ),
        gains_much(theirs, Os::Preemptive),
        gains_much(theirs, Os::NonPreemptive),
        less_on_the_first(theirs),
        cases(even, Os::Preemptive, several, |run| run.gained(), Expected::MORE)
            .beyond_the_source()
            .claim(
                "Preemptive kernel: EP gains on any number of hosts if its work is shared out evenly",
                "beyond the source",
                "2 hosts and more, in per cent of its turnaround time after the other.",
            ),
    ]
}

fn gains_much(found: &[Found<'_>], os: Os) -> Claim {
    cases(found, os, several, |run| run.gained(), Expected::Inside(NEAR, f64::INFINITY)).claim(
        format!("{} kernel: EP gains much over space sharing", os.title()),
        "Turner 1995, figures 6.13 to 6.15, 2 hosts and more",
        format!("Much: more than {NEAR} % of its turnaround time after the other."),
    )
}

fn less_on_the_first(found: &[Found<'_>]) -> Claim {
    let of = |it: &'_ Found<'_>| {
        let points = Os::BOTH.into_iter().flat_map(|os| it.at(os, several));
        let case = |point: &Point| {
            let less = point.of(|run| 100.0 * (run.first_work - 1.0));
            let name = format!("{}, {} hosts, {}", it.pair.name(), point.hosts, point.os.name());
            Case::new(name, less, Expected::LESS)
        };
        points.map(case).collect::<Vec<_>>()
    };
    judge::every(&found.iter().flat_map(of).collect::<Vec<_>>(), PERCENT).claim(
        "EP gives the host of the barrier less work",
        "Turner 1995, p. 120, 2 hosts and more",
        "What EP computes there, against the mean of its hosts.",
    )
}

/// That the less urgent job gains little.
fn little(found: &[Found<'_>], place: &str) -> Claim {
    cases(found, Os::Preemptive, all, |run| run.gained(), Expected::alike(NEAR)).claim(
        "The less urgent barrier program gains little over space sharing",
        format!("Turner 1995, {place}, preemptive kernel"),
        format!("Little: at most {NEAR} % of its turnaround time after the other."),
    )
}

fn same_claims(found: &[Found<'_>]) -> Vec<Claim> {
    let place = "figures 6.17 to 6.19";
    vec![as_if_alone(found, place), pays(found, several, place), little(found, place)]
}

/// By how much a figure of the first pair exceeds that of the last, run by run.
fn exceeds(
    found: &[Found<'_>],
    os: Os,
    hosts: fn(usize) -> bool,
    figure: fn(&super::runs::Run) -> f64,
    expected: Expected,
) -> Judged {
    let [first, .., last] = found else { unreachable!("there are pairs to compare") };
    let pairs = first.at(os, hosts).filter_map(|point| {
        let other = last.at(os, all).find(|other| other.hosts == point.hosts)?;
        let by = point.of(figure).into_iter().zip(other.of(figure)).map(|(a, b)| a - b);
        Some(first.case(point, by.collect(), expected))
    });
    judge::every(&pairs.collect::<Vec<_>>(), Unit("percentage points", 2))
}

fn different_claims(found: &[Found<'_>]) -> Vec<Claim> {
    let place = "figures 6.21 and 6.22";
    let theirs = &found[..found.len() - 1];
    vec![
        as_if_alone(theirs, place),
        pays(theirs, several, place),
        exceeds(found, Os::NonPreemptive, several, |run| run.paid(), Expected::LESS).claim(
            "It pays a little less than with both barriers on one host",
            "Turner 1995, figures 6.18 and 6.21, p. 123",
            "The same two programs with their barriers on different hosts and on one.",
        ),
        little(theirs, place),
    ]
}

fn partial_claims(found: &[Found<'_>]) -> Vec<Claim> {
    let theirs = &found[..1];
    let place = "figure 6.24";
    vec![
        as_if_alone(theirs, place),
        pays(theirs, several, place),
        exceeds(found, Os::Preemptive, several, |run| run.gained(), Expected::MORE).claim(
            "The less urgent one gains more where each barrier has its host to itself",
            "Turner 1995, figures 6.22 and 6.24, preemptive kernel, 2 hosts and more",
            "The same two programs on overlapping hosts and on the same ones.",
        ),
        cases(
            theirs,
            Os::Preemptive,
            several,
            |run| run.gained(),
            Expected::Inside(NEAR, f64::INFINITY),
        )
        .claim(
            "It gains significantly over space sharing",
            "Turner 1995, figure 6.24, preemptive kernel, 2 hosts and more",
            format!(
                "More than {NEAR} % of its turnaround time after the other. The printed times leave \
                 little more: of the 31.4 s of version 1 on 6 hosts 21.7 s are computation, so below it \
                 at most 9.7 s of each processor are idle, of some 70 s on either side."
            ),
        ),
    ]
}

fn subset_claims(found: &[Found<'_>]) -> Vec<Claim> {
    vec![
        as_if_alone(found, "figure 6.26"),
        cases(found, Os::NonPreemptive, all, |run| run.paid(), Expected::alike(NEAR)).claim(
            "Non-preemptive kernel: here the more urgent job does not pay",
            "Turner 1995, figure 6.26",
            format!("At most {NEAR} % of its time alone."),
        ),
        cases(found, Os::Preemptive, all, |run| run.gained(), Expected::MORE).claim(
            "The less urgent one ends earlier than after the other",
            "Turner 1995, figure 6.26, preemptive kernel",
            "In per cent of its turnaround time after the other.",
        ),
        cases(found, Os::NonPreemptive, all, |run| run.gained(), Expected::MORE).claim(
            "The less urgent one ends earlier than after the other",
            "Turner 1995, figure 6.26, non-preemptive kernel",
            "In per cent of its turnaround time after the other.",
        ),
    ]
}

fn run(lab: &Lab, pairs: &'static [Pair], claims: fn(&[Found<'_>]) -> Vec<Claim>) -> Findings {
    let replications = lab.either(3, 5);
    let found: Vec<Found<'_>> = pairs
        .iter()
        .map(|pair| {
            let apps = [pair.high, pair.low];
            let all: Vec<usize> = (1..=pair.most).collect();
            let hosts = lab.either(vec![1, 2, pair.most - 1, pair.most], all);
            let points = points(lab, apps, pair.layout, &hosts, replications);
            Found { pair, points }
        })
        .collect();
    let mut results: Vec<Block> = found.iter().map(|it| Block::Gallery(gallery(it))).collect();
    results.push(Block::Table(table(&found)));
    Findings {
        parameters: vec![
            Fact::new("programs and kernels", "calibrated to the printed times alone: now-alone"),
            Fact::new("replications", replications),
        ],
        claims: claims(&found),
        results,
    }
}

/// The curves of a figure, a plot for each kernel.
fn gallery(found: &Found<'_>) -> Gallery {
    let plot = |os: Os| {
        let curve = |name: &str, shape, figure: fn(&super::runs::Run) -> f64| {
            let mark = |point: &Point| {
                Mark::estimated(point.hosts as f64, &Estimate::of(&point.of(figure)))
            };
            let points = found.at(os, all).map(mark).collect();
            Series { name: name.into(), shape, points }
        };
        let (high, low) = (found.pair.high.name(), found.pair.low.name());
        Plot {
            title: format!("{} kernel", os.name()),
            caption: String::new(),
            x: Axis::linear("hosts of the less urgent job"),
            y: Axis::linear("turnaround time (s)"),
            series: vec![
                curve(&format!("{high} alone"), Shape::Dashed, |run| run.high_alone),
                curve(&format!("{low} after {high}"), Shape::Dashed, |run| run.space_shared()),
                curve(&high, Shape::Line, |run| run.high),
                curve(&format!("{low}, less urgent"), Shape::Line, |run| run.low),
            ],
        }
    };
    Gallery {
        title: found.pair.name(),
        caption: "Dashed: shared in space, the less urgent job after the other.".into(),
        plots: Os::BOTH.map(plot).into(),
    }
}

fn table(found: &[Found<'_>]) -> Table {
    let columns = [
        ("pair", "pair"),
        ("kernel", "kernel"),
        ("hosts", "hosts"),
        ("high_s", "more urgent (s)"),
        ("paid_percent", "pays (%)"),
        ("low_s", "less urgent (s)"),
        ("gained_percent", "gains over space sharing (%)"),
    ];
    let mut table = Table::new("Turnaround times", &columns);
    for it in found {
        for point in &it.points {
            let estimate = |figure: fn(&super::runs::Run) -> f64, digits| {
                Cell::Estimate(Estimate::of(&point.of(figure)), digits)
            };
            table.push(vec![
                Cell::text(it.pair.name()),
                Cell::text(point.os.name()),
                Cell::Count(point.hosts as u64),
                estimate(|run| run.high, 1),
                estimate(|run| run.paid(), 2),
                estimate(|run| run.low, 1),
                estimate(|run| run.gained(), 1),
            ]);
        }
    }
    table
}

#[cfg(test)]
mod tests {
    use super::super::runs::Run;
    use super::*;
    use crate::Effort;
    use locox_report::progress::Progress;
    use locox_report::report::Verdict::{self, DoesNotHold, Holds, HoldsInPart, SourceDoesNotSay};

    type Claims = fn(&[Found<'_>]) -> Vec<Claim>;

    const EXPERIMENTS: [(&[Pair], Claims); 5] = [
        (&EP_PAIRS, ep_claims),
        (&SAME_PAIRS, same_claims),
        (&DIFFERENT_PAIRS, different_claims),
        (&PARTIAL_PAIRS, partial_claims),
        (&SUBSET_PAIRS, subset_claims),
    ];

    /// Pairs in which the more urgent job pays, and the less urgent one gains, so much.
    fn made(
        pairs: &'static [Pair],
        paid: f64,
        gained: f64,
        others: [f64; 2],
    ) -> Vec<Found<'static>> {
        let scattered = |mean: f64, run: usize| mean + 0.01 * (run as f64 - 1.5);
        let run = |paid: f64, gained: f64| {
            move |run: usize| Run {
                high: 30.0 * (1.0 + scattered(paid, run) / 100.0),
                low: 70.0 * (1.0 - scattered(gained, run) / 100.0),
                high_alone: 30.0,
                low_alone: 40.0,
                first_work: 1.0 - scattered(gained, run) / 100.0,
            }
        };
        let point = |os, hosts, paid: f64, gained: f64| Point {
            os,
            hosts,
            runs: (0..4).map(run(paid, gained)).collect(),
        };
        let last = pairs.len() - 1;
        let found = |(at, pair): (usize, &'static Pair)| {
            let [paid, gained] = if at == last && at > 0 { others } else { [paid, gained] };
            let points = Os::BOTH
                .into_iter()
                .flat_map(|os| (1..=pair.most).map(move |hosts| point(os, hosts, paid, gained)));
            Found { pair, points: points.collect() }
        };
        pairs.iter().enumerate().map(found).collect()
    }

    /// Of claims beyond the source as if they were its own.
    fn verdicts(claims: Claims, found: &[Found<'_>]) -> Vec<Verdict> {
        let verdict = |claim: &Claim| match &claim.judged {
            Some(judged) if claim.verdict == SourceDoesNotSay => match judged.holding {
                0 => DoesNotHold,
                all if all == judged.of => Holds,
                _ => HoldsInPart,
            },
            _ => claim.verdict,
        };
        claims(found).iter().map(verdict).collect()
    }

    /// Every claim holds in one made-up world and does not in another.
    #[test]
    fn every_verdict_can_fail() {
        for (at, (pairs, claims)) in EXPERIMENTS.into_iter().enumerate() {
            let worlds = [
                made(pairs, 0.0, 30.0, [0.0, 30.0]),
                made(pairs, 40.0, 0.0, [60.0, -5.0]),
                made(pairs, 40.0, -5.0, [20.0, 5.0]),
                made(pairs, 40.0, 30.0, [60.0, 5.0]),
            ];
            let found: Vec<Vec<Verdict>> =
                worlds.iter().map(|world| verdicts(claims, world)).collect();
            for claim in 0..found[0].len() {
                let of: Vec<Verdict> = found.iter().map(|world| world[claim]).collect();
                assert!(of.contains(&Holds), "experiment {at}, claim {claim}: {of:?}");
                assert!(of.contains(&DoesNotHold), "experiment {at}, claim {claim}: {of:?}");
            }
        }
    }

    #[test]
    fn the_urgent_job_runs_as_if_alone_and_confined_jobs_gain() {
        let lab = Lab::new(Effort::Quick, 1, Progress::hidden());
        let found = run(&lab, &SUBSET_PAIRS, subset_claims);
        let verdicts: Vec<Verdict> = found.claims.iter().map(|claim| claim.verdict).collect();
        assert_eq!(verdicts[0], Holds);
        assert!([Holds, HoldsInPart].contains(&verdicts[2]), "{verdicts:?}");
    }
}

//! A barrier program below another one: figures 6.17 to 6.26.

use super::SOURCE;
use super::pairs::{
    Found, GAINED, PAID, Pair, above, all, as_alone, every, pair, pays, run, several,
};
use super::runs::{App, Layout, Machine, Os, Run};
use crate::Experiment;
use crate::difference::minus;
use crate::sources::turner_elmer::{
    AS_ALONE_DIFFERENT, AS_ALONE_PARTIAL, AS_ALONE_SAME, AS_ALONE_SUBSET, LITTLE_GAIN_DIFFERENT,
    LITTLE_GAIN_SAME, OWN_HOST_GAINS, OWN_HOST_GAINS_MORE, PENALIZED_DIFFERENT, PENALIZED_SAME,
    SLIGHTLY_BETTER, SUBSET_GAINS, UNAFFECTED_NON_RT,
};
use crate::thresholds::NOW_LITTLE;
use locox_report::judge::{self, Case, Expected, Unit};
use locox_report::report::{Claim, Judged, Statement};

pub(in super::super) const SAME: Experiment = Experiment {
    name: "elmer-same",
    title: "Two barrier programs, both barriers on one host",
    source: SOURCE,
    about: "Two barrier programs start together on the same hosts, and the processes that implement \
            the barrier share a processor. The legend of figure 6.19 says v2 with v3; its caption, \
            followed here, v3 with v3.",
    statements: &[&AS_ALONE_SAME, &PENALIZED_SAME, &LITTLE_GAIN_SAME],
    run: |lab| Ok(run(lab, &Machine::CALIBRATED, &SAME_PAIRS, same_claims)),
    #[cfg(test)]
    planted: tests::planted_same,
};

pub(in super::super) const DIFFERENT: Experiment = Experiment {
    name: "elmer-different",
    title: "Two barrier programs, barriers on different hosts of the same ones",
    source: SOURCE,
    about: "Two barrier programs on the same hosts; each process of a barrier shares its processor \
            with another process of the other job. The first pair is run with both barriers on one \
            host as well.",
    statements: &[
        &AS_ALONE_DIFFERENT,
        &PENALIZED_DIFFERENT,
        &SLIGHTLY_BETTER,
        &LITTLE_GAIN_DIFFERENT,
    ],
    run: |lab| Ok(run(lab, &Machine::CALIBRATED, &DIFFERENT_PAIRS, different_claims)),
    #[cfg(test)]
    planted: tests::planted_different,
};

pub(in super::super) const PARTIAL: Experiment = Experiment {
    name: "elmer-partial",
    title: "Two barrier programs on hosts that overlap in part",
    source: SOURCE,
    about: "The second job is one host farther, so that each process of a barrier has its processor \
            to itself; with one host each they share it. The same pair on exactly the same hosts is \
            run beside it.",
    statements: &[&AS_ALONE_PARTIAL, &OWN_HOST_GAINS, &OWN_HOST_GAINS_MORE],
    run: |lab| Ok(run(lab, &Machine::CALIBRATED, &PARTIAL_PAIRS, partial_claims)),
    #[cfg(test)]
    planted: tests::planted_partial,
};

pub(in super::super) const SUBSET: Experiment = Experiment {
    name: "elmer-subset",
    title: "A barrier program on some of the hosts of another",
    source: SOURCE,
    about: "Version 1 has six hosts; version 3, less urgent, has one to five of them, but not that \
            of the other's barrier.",
    statements: &[&AS_ALONE_SUBSET, &UNAFFECTED_NON_RT, &SUBSET_GAINS],
    run: |lab| Ok(run(lab, &Machine::CALIBRATED, &SUBSET_PAIRS, subset_claims)),
    #[cfg(test)]
    planted: tests::planted_subset,
};

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

/// That the less urgent job gains little, by either margin.
fn gains_little(
    found: &[Found],
    hosts: fn(usize) -> bool,
    statement: &'static Statement,
) -> [Claim; 2] {
    NOW_LITTLE.map(|margin| {
        every(found, &Os::BOTH, hosts, Run::gained, Expected::alike(margin))
            .on(statement, GAINED)
            .variant(format!("at most {margin} %"))
    })
}

fn same_claims(found: &[Found]) -> Vec<Claim> {
    let urgent = [
        as_alone(found, Os::Preemptive, all).on(&AS_ALONE_SAME, PAID),
        pays(found, all).on(&PENALIZED_SAME, PAID),
    ];
    urgent.into_iter().chain(gains_little(found, all, &LITTLE_GAIN_SAME)).collect()
}

/// By how much a figure of the first pair exceeds that of the last, run by run.
fn exceeds(found: &[Found], kernels: &[Os], figure: fn(&Run) -> f64, expected: Expected) -> Judged {
    let [first, .., last] = found else { unreachable!("there are pairs to compare") };
    let points = kernels.iter().flat_map(|&os| first.at(os, several));
    let cases = points.filter_map(|point| {
        let other = last.at(point.os, all).find(|other| other.hosts == point.hosts)?;
        Some(first.case(point, minus(&point.of(figure), &other.of(figure)), expected))
    });
    judge::every(&cases.collect::<Vec<Case>>(), Unit("percentage points", 2))
}

fn different_claims(found: &[Found]) -> Vec<Claim> {
    let theirs = &found[..found.len() - 1];
    let urgent = [
        as_alone(theirs, Os::Preemptive, several).on(&AS_ALONE_DIFFERENT, PAID),
        pays(theirs, several).on(&PENALIZED_DIFFERENT, PAID),
        exceeds(found, &[Os::NonPreemptive], Run::paid, Expected::LESS)
            .on(&SLIGHTLY_BETTER, "What it pays there less what it pays with both on one host."),
    ];
    urgent.into_iter().chain(gains_little(theirs, several, &LITTLE_GAIN_DIFFERENT)).collect()
}

fn partial_claims(found: &[Found]) -> Vec<Claim> {
    const IDLE: &str = "Our fit leaves little more: of the 31.4 s that are printed of version 1 alone on 6 hosts, one \
                        more than in these cases, 21.7 s are computation if its work on one host is 130 s, as is \
                        fitted; so below it at most 9.7 s of each processor are idle, of some 70 s on either side.";
    let theirs = &found[..1];
    let significantly = NOW_LITTLE.map(|margin| {
        every(theirs, &Os::BOTH, several, Run::gained, above(margin))
            .on(&OWN_HOST_GAINS, format!("{GAINED} {IDLE}"))
            .variant(format!("more than {margin} %"))
    });
    let urgent = as_alone(theirs, Os::Preemptive, all).on(&AS_ALONE_PARTIAL, PAID);
    let more = exceeds(found, &Os::BOTH, Run::gained, Expected::MORE)
        .on(&OWN_HOST_GAINS_MORE, "What it gains there less what it gains on the same hosts.");
    [urgent].into_iter().chain(significantly).chain([more]).collect()
}

fn subset_claims(found: &[Found]) -> Vec<Claim> {
    vec![
        as_alone(found, Os::Preemptive, all).on(&AS_ALONE_SUBSET, PAID),
        as_alone(found, Os::NonPreemptive, all).on(&UNAFFECTED_NON_RT, PAID),
        every(found, &Os::BOTH, all, Run::gained, Expected::MORE).on(&SUBSET_GAINS, GAINED),
    ]
}

#[cfg(test)]
mod tests {
    use super::super::runs::Point;
    use super::*;
    use crate::{Effort, Lab};
    use locox_report::progress::Progress;
    use locox_report::report::Verdict::{self, DoesNotHold, Holds};

    type Claims = fn(&[Found]) -> Vec<Claim>;

    const EXPERIMENTS: [(&[Pair], Claims); 4] = [
        (&SAME_PAIRS, same_claims),
        (&DIFFERENT_PAIRS, different_claims),
        (&PARTIAL_PAIRS, partial_claims),
        (&SUBSET_PAIRS, subset_claims),
    ];

    /// Pairs in which the more urgent job pays, and the less urgent one gains, so much.
    fn made(pairs: &'static [Pair], paid: f64, gained: f64, others: [f64; 2]) -> Vec<Found> {
        let scattered = |mean: f64, run: usize| mean + 0.01 * (run as f64 - 1.5);
        let run = |paid: f64, gained: f64| {
            move |run: usize| Run {
                high: 30.0 * (1.0 + scattered(paid, run) / 100.0),
                low: 70.0 * (1.0 - scattered(gained, run) / 100.0),
                high_alone: 30.0,
                low_alone: 40.0,
                first_work: 1.0,
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

    /// Every claim holds in one made-up world and does not in another.
    #[test]
    fn every_verdict_can_fail() {
        for (at, (pairs, claims)) in EXPERIMENTS.into_iter().enumerate() {
            let worlds = [
                made(pairs, 0.0, 30.0, [0.0, 30.0]),
                made(pairs, 40.0, 0.0, [60.0, -4.0]),
                made(pairs, 40.0, -4.0, [20.0, 4.0]),
                made(pairs, 40.0, 30.0, [60.0, 4.0]),
            ];
            let verdict = |claim: &Claim| claim.verdict;
            let found: Vec<Vec<Verdict>> =
                worlds.iter().map(|world| claims(world).iter().map(verdict).collect()).collect();
            for claim in 0..found[0].len() {
                let of: Vec<Verdict> = found.iter().map(|world| world[claim]).collect();
                assert!(of.contains(&Holds), "experiment {at}, claim {claim}: {of:?}");
                assert!(of.contains(&DoesNotHold), "experiment {at}, claim {claim}: {of:?}");
            }
        }
    }

    /// What few runs on two hosts say.
    fn judged(at: usize, machine: &Machine) -> Vec<Claim> {
        let lab = Lab::new(Effort::Quick, 1, Progress::hidden());
        let (pairs, claims) = EXPERIMENTS[at];
        let found: Vec<Found> = pairs.iter().map(|pair| pair.run(&lab, machine, &[2], 2)).collect();
        claims(&found)
    }

    /// Each kernel where the other belongs.
    fn with_kernels_exchanged(at: usize) -> [Vec<Claim>; 2] {
        let exchanged = Machine {
            kernel: |os| match os {
                Os::NonPreemptive => Os::Preemptive.kernel(),
                Os::Preemptive => Os::NonPreemptive.kernel(),
            },
            ..Machine::CALIBRATED
        };
        [Machine::CALIBRATED, exchanged].map(|machine| judged(at, &machine))
    }

    pub(in super::super) fn planted_same() -> [Vec<Claim>; 2] {
        with_kernels_exchanged(0)
    }

    pub(in super::super) fn planted_different() -> [Vec<Claim>; 2] {
        with_kernels_exchanged(1)
    }

    pub(in super::super) fn planted_partial() -> [Vec<Claim>; 2] {
        with_kernels_exchanged(2)
    }

    /// The less urgent job on the host of the other's barrier too, where it belongs on others.
    pub(in super::super) fn planted_subset() -> [Vec<Claim>; 2] {
        static PLANTED: Pair = pair("6.26", 1, App::Barrier(3), Layout::Same);
        let lab = Lab::new(Effort::Quick, 1, Progress::hidden());
        [&SUBSET_PAIRS[0], &PLANTED]
            .map(|pair| subset_claims(&[pair.run(&lab, &Machine::CALIBRATED, &[2], 2)]))
    }

    fn verdict(claims: &[Claim], id: &str) -> Verdict {
        claims.iter().find(|claim| claim.id() == id).expect("it is judged").verdict
    }

    #[test]
    fn with_the_kernels_exchanged_each_experiment_says_so() {
        let of_kernel: [(usize, &[&str]); 3] = [
            (0, &[AS_ALONE_SAME.id, PENALIZED_SAME.id]),
            (1, &[AS_ALONE_DIFFERENT.id, PENALIZED_DIFFERENT.id]),
            (2, &[AS_ALONE_PARTIAL.id]),
        ];
        for (at, ids) in of_kernel {
            let [sound, exchanged] = with_kernels_exchanged(at);
            for id in ids {
                assert_eq!(verdict(&sound, id), Holds, "{id}");
                assert_eq!(verdict(&exchanged, id), DoesNotHold, "{id}");
            }
        }
    }

    /// The other one pays.
    #[test]
    fn on_the_host_of_the_barrier_the_urgent_job_is_affected() {
        let verdicts = planted_subset().map(|claims| verdict(&claims, UNAFFECTED_NON_RT.id));
        assert_eq!(verdicts, [Holds, DoesNotHold]);
    }
}

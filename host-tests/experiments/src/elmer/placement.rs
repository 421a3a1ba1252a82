//! A stream of jobs under each placement, and shared in space.

use super::SOURCE;
use super::one_owner::OneOwner;
use crate::difference::percent_above;
use crate::sources::turner_elmer::{
    FIRST_JOB_UNSLOWED, MORE_THROUGHPUT, MORE_THROUGHPUT_BY_VERSION_3, NO_SHARE_TAKEN,
    NO_SHARE_TAKEN_BY_VERSION_3, SECOND_MORE_EFFECTIVE, SEVERAL_OWNERS_HARM, SHORTER_BY_VERSION_1,
    SHORTER_BY_VERSION_3,
};
use crate::thresholds::NOW_EQUAL;
use crate::{Experiment, Findings, Lab};
use locox::time::Duration;
use locox::timeshare::{FirstLevel, NonInterfering, Threshold};
use locox_models::stats::Estimate;
use locox_models::streams::stream;
use locox_models::timeshare::fluid::{self, Arrival, Ended, Setup, Stream, lowered};
use locox_models::timeshare::lists::Mix;
use locox_report::judge::{self, Case, Expected, Unit};
use locox_report::report::{Block, Cell, Claim, Fact, Judged, Table};

pub(in super::super) const EXPERIMENT: Experiment = Experiment {
    name: "elmer-placement",
    title: "Streams of jobs: three placements, and sharing in space",
    source: SOURCE,
    about: "Jobs arrive at random, half of them with a barrier, and wait in one queue for hosts, up \
            to 1,000 of them: what the source could not do with six. All placements get the same \
            jobs. A job is a first one if it is the owner of all its hosts when it starts. Jobs go on \
            by rates under a preemptive kernel: what those above leave of a processor. The source's \
            sharing in space is version 1 with one level.",
    statements: &[
        &MORE_THROUGHPUT,
        &MORE_THROUGHPUT_BY_VERSION_3,
        &SHORTER_BY_VERSION_1,
        &SHORTER_BY_VERSION_3,
        &SECOND_MORE_EFFECTIVE,
        &SEVERAL_OWNERS_HARM,
        &FIRST_JOB_UNSLOWED,
        &NO_SHARE_TAKEN,
        &NO_SHARE_TAKEN_BY_VERSION_3,
    ],
    run: |lab| Ok(run(lab, |way| way)),
    #[cfg(test)]
    planted: tests::planted,
};

/// A way to give hosts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    Space,
    FirstLevel,
    FirstCalmLevel,
    /// The same, but that the hosts that a job shares have one owner.
    OneOwner,
    NonInterfering,
}

const ALL: [Way; 5] =
    [Way::Space, Way::FirstLevel, Way::FirstCalmLevel, Way::OneOwner, Way::NonInterfering];

/// Levels of a host, but for sharing in space.
const LEVELS: u8 = 3;

impl Way {
    const fn name(self) -> &'static str {
        match self {
            Self::Space => "space",
            Self::FirstLevel => "first-level",
            Self::FirstCalmLevel => "first-calm-level",
            Self::OneOwner => "first-calm-level, one owner",
            Self::NonInterfering => "non-interfering",
        }
    }

    fn run(self, arrivals: &[Arrival], hosts: usize, seed: u64, replication: u64) -> Stream {
        let draws = stream(seed, "draws", replication);
        let levels = if self == Self::Space { 1 } else { LEVELS };
        let setup = Setup::new(arrivals, hosts, levels);
        let threshold = Threshold::from_thousandths(700).expect("between 0 and 1");
        let (believed, settled) = (Duration::from_ticks(3_600_000), Duration::from_ticks(1000));
        match self {
            Self::Space => fluid::run(setup, FirstLevel::new(1).shuffled(), draws),
            Self::FirstLevel => fluid::run(setup, FirstLevel::new(LEVELS).shuffled(), draws),
            Self::FirstCalmLevel => {
                let first_calm_level =
                    FirstLevel::new(LEVELS).on_calm_hosts(threshold, believed).shuffled();
                fluid::run(setup, first_calm_level, draws)
            }
            Self::OneOwner => {
                fluid::run(setup, OneOwner { degree: LEVELS, threshold, believed }, draws)
            }
            Self::NonInterfering => {
                let non_interfering =
                    NonInterfering { degree: LEVELS, threshold, believed, settled };
                fluid::run(setup, non_interfering, draws)
            }
        }
    }
}

/// Work offered, in the time of all processors.
const LOAD: f64 = 0.8;

/// Mean time of a job alone, in seconds.
const ALONE: f64 = 300.0;

/// The streams of one way on so many hosts, replication by replication.
#[derive(Clone)]
struct Found {
    way: Way,
    hosts: usize,
    streams: Vec<Stream>,
    /// For each stream whether a newcomer took a share of a processor from an earlier job while all
    /// starts were as in the stream. None where it was not looked for.
    taken: Vec<bool>,
}

/// The most hosts on which newcomers are looked at one by one: that is a run for each job.
const LOOKED_AT: usize = 32;
/// And the streams of each.
const LOOKED_AT_OF_EACH: u64 = 3;

fn mean(values: impl Iterator<Item = f64>) -> f64 {
    let (sum, count) = values.fold((0.0, 0.0), |(sum, count), it| (sum + it, count + 1.0));
    sum / count
}

fn turnaround(stream: &Stream) -> f64 {
    mean(stream.jobs.iter().map(|it| it.turnaround))
}

/// By how much a first job ran longer than alone, on average, in per cent.
fn slowed(stream: &Stream) -> f64 {
    let first = stream.jobs.iter().filter(|it| it.level == 0);
    100.0 * (mean(first.map(|it| it.ran / it.alone)) - 1.0)
}

/// Jobs that end in an hour.
fn throughput(stream: &Stream) -> f64 {
    3600.0 * stream.jobs.len() as f64 / stream.makespan
}

/// Turnaround of the jobs whose least urgent level was this, over their time alone.
fn stretch(stream: &Stream, level: u8) -> f64 {
    let of: Vec<&Ended> = stream.jobs.iter().filter(|it| it.level == level).collect();
    of.iter().map(|it| it.turnaround).sum::<f64>() / of.iter().map(|it| it.alone).sum::<f64>()
}

/// Runs all ways on the same jobs; `placed` is the way that is run as each.
fn run(lab: &Lab, placed: fn(Way) -> Way) -> Findings {
    let sizes: &[usize] = lab.either(&[6, 32], &[6, 32, 256, 1000]);
    let (jobs, replications) = lab.either((80, 16), (200, 10));
    let settings: Vec<(Way, usize)> =
        sizes.iter().flat_map(|&hosts| ALL.map(|way| (way, hosts))).collect();
    let items: Vec<(Way, usize, u64)> = settings
        .iter()
        .flat_map(|&(way, hosts)| (0..replications).map(move |run| (way, hosts, run)))
        .collect();
    let streams = lab.parallel(&items, |&(way, hosts, run)| {
        let mix = Mix { jobs, hosts, load: LOAD, alone: ALONE };
        let arrivals = mix.generate(lab.seed, run);
        let stream = placed(way).run(&arrivals, hosts, lab.seed, run);
        let is_looked_at = hosts <= LOOKED_AT && run < LOOKED_AT_OF_EACH;
        let taken = is_looked_at.then(|| lowered(&arrivals, &stream.starts, hosts).is_some());
        (stream, taken)
    });
    let found: Vec<Found> = settings
        .into_iter()
        .zip(streams.chunks(replications as usize))
        .map(|((way, hosts), streams)| {
            let (streams, taken): (Vec<_>, Vec<_>) = streams.iter().cloned().unzip();
            Found { way, hosts, streams, taken: taken.into_iter().flatten().collect() }
        })
        .collect();
    Findings {
        parameters: vec![
            Fact::new("jobs", jobs),
            Fact::new("hosts of a job", "1 to half of all, uniform"),
            Fact::new("time alone", format!("exponential, {ALONE} s on average")),
            Fact::new("load", format!("{LOAD} of all processors")),
            Fact::new(
                "share of a processor that a job uses alone",
                "0.3 to 1, uniform, but for the first process of a barrier; a job with a barrier goes on as its slowest \
                 process does, one without balances itself",
            ),
            Fact::new("levels of a host", format!("{LEVELS}; 1 where hosts are shared in space")),
            Fact::new("threshold of versions 2 and 3", "0.7"),
            Fact::new("replications", replications),
        ],
        claims: claims(&found),
        results: vec![Block::Table(table(&found)), Block::Table(paired(&found))],
    }
}

/// By how much, in per cent, a figure of one way exceeds that of another, on the same jobs; each case
/// behind its number of hosts.
fn against(
    found: &[Found],
    [way, other]: [Way; 2],
    figure: fn(&Stream) -> f64,
    expected: Expected,
) -> Vec<(usize, Case)> {
    let cases = found.iter().filter(|it| it.way == way).filter_map(|it| {
        let base = found.iter().find(|base| base.way == other && base.hosts == it.hosts)?;
        let figures = |of: &Found| of.streams.iter().map(figure).collect::<Vec<_>>();
        let by = percent_above(&figures(base), &figures(it));
        let name = format!("{} on {} hosts", way.name(), it.hosts);
        Some((it.hosts, Case::new(name, by, expected)))
    });
    cases.collect()
}

/// That no newcomer takes a share of a processor from an earlier job, stream by stream.
fn untaken(found: &[Found], way: Way) -> Judged {
    let of_way = found.iter().filter(|it| it.way == way);
    let case = |hosts: usize, run: usize, taken: bool| {
        (format!("{} on {hosts} hosts, stream {run}", way.name()), !taken)
    };
    let streams = |it: &Found| {
        let cases = it.taken.iter().enumerate().map(|(run, &taken)| case(it.hosts, run, taken));
        cases.collect::<Vec<_>>()
    };
    judge::exactly(of_way.flat_map(streams))
}

/// That nobody slows a first job.
fn unslowed(found: &[Found], way: Way) -> Judged {
    let cases = found.iter().filter(|it| it.way == way).map(|it| {
        let by = it.streams.iter().map(slowed).collect();
        Case::new(format!("{} on {} hosts", way.name(), it.hosts), by, Expected::alike(NOW_EQUAL))
    });
    judge::every(&cases.collect::<Vec<_>>(), Unit("%", 2))
}

fn claims(found: &[Found]) -> Vec<Claim> {
    let turnaround = |ways, expected| against(found, ways, turnaround, expected);
    let throughput = |ways, expected| against(found, ways, throughput, expected);
    let taken = format!(
        "All starts stay as in the stream and jobs are added one by one: does the share of a \
         processor that any earlier job has at any time fall? {LOOKED_AT_OF_EACH} streams on up \
         to {LOOKED_AT} hosts each."
    );
    const THROUGHPUT: &str = "Jobs over the time until the last one of the stream has ended, in per cent of the other way.";
    const TURNAROUND: &str =
        "Mean turnaround time of all jobs, in per cent of that of the other way.";
    const PER_CENT: Unit = Unit("%", 1);
    let more = |ways| by_hosts(throughput(ways, Expected::MORE), PER_CENT);
    let shorter = |ways| by_hosts(turnaround(ways, Expected::LESS), PER_CENT);
    let judged = |judged: [(&str, Judged); 2], statement, told: &str, variant: &str| {
        judged.map(|(hosts, judged)| {
            let variant = [variant, hosts].join(if variant.is_empty() { "" } else { ", " });
            judged.on(statement, told).variant(variant)
        })
    };
    use Way::{FirstCalmLevel, FirstLevel, NonInterfering, OneOwner, Space};
    let on_six_and_more = [
        judged(more([FirstLevel, Space]), &MORE_THROUGHPUT, THROUGHPUT, "version 1"),
        judged(more([FirstCalmLevel, Space]), &MORE_THROUGHPUT, THROUGHPUT, "version 2"),
        judged(
            more([NonInterfering, Space]),
            &MORE_THROUGHPUT_BY_VERSION_3,
            THROUGHPUT,
            "than sharing in space",
        ),
        judged(
            more([NonInterfering, FirstLevel]),
            &MORE_THROUGHPUT_BY_VERSION_3,
            THROUGHPUT,
            "than version 1",
        ),
        judged(shorter([FirstLevel, Space]), &SHORTER_BY_VERSION_1, TURNAROUND, ""),
        judged(
            shorter([NonInterfering, Space]),
            &SHORTER_BY_VERSION_3,
            TURNAROUND,
            "than sharing in space",
        ),
        judged(
            shorter([NonInterfering, FirstLevel]),
            &SHORTER_BY_VERSION_3,
            TURNAROUND,
            "than version 1",
        ),
        judged(
            shorter([NonInterfering, FirstCalmLevel]),
            &SHORTER_BY_VERSION_3,
            TURNAROUND,
            "than version 2",
        ),
        judged(
            more([FirstCalmLevel, FirstLevel]),
            &SECOND_MORE_EFFECTIVE,
            THROUGHPUT,
            "throughput",
        ),
        judged(
            shorter([FirstCalmLevel, FirstLevel]),
            &SECOND_MORE_EFFECTIVE,
            TURNAROUND,
            "turnaround",
        ),
    ];
    let others = [
        judge::some(&on_any(throughput([FirstCalmLevel, OneOwner], Expected::LESS)), PER_CENT)
            .on(&SEVERAL_OWNERS_HARM, THROUGHPUT)
            .variant("throughput"),
        judge::some(&on_any(turnaround([FirstCalmLevel, OneOwner], Expected::MORE)), PER_CENT)
            .on(&SEVERAL_OWNERS_HARM, TURNAROUND)
            .variant("turnaround"),
        unslowed(found, FirstLevel)
            .on(&FIRST_JOB_UNSLOWED, "By how much it runs longer than alone."),
        untaken(found, FirstLevel).on(&NO_SHARE_TAKEN, taken.clone()),
        untaken(found, NonInterfering).on(&NO_SHARE_TAKEN_BY_VERSION_3, taken),
    ];
    on_six_and_more.into_iter().flatten().chain(others).collect()
}

/// Hosts that the source had.
const SIX: usize = 6;

/// A judgement on as many hosts as the source had, and one on more.
fn by_hosts(cases: Vec<(usize, Case)>, unit: Unit) -> [(&'static str, Judged); 2] {
    let (six, more): (Vec<_>, Vec<_>) = cases.into_iter().partition(|(hosts, _)| *hosts == SIX);
    [("on 6 hosts", six), ("on more hosts", more)].map(|(name, cases)| {
        let cases: Vec<Case> = cases.into_iter().map(|(_, case)| case).collect();
        (name, judge::every(&cases, unit))
    })
}

fn on_any(cases: Vec<(usize, Case)>) -> Vec<Case> {
    cases.into_iter().map(|(_, case)| case).collect()
}

fn table(found: &[Found]) -> Table {
    let columns = [
        ("way", "way"),
        ("hosts", "hosts"),
        ("turnaround_s", "turnaround (s)"),
        ("stretch_0", "first jobs: over time alone"),
        ("stretch_1", "level 1"),
        ("stretch_2", "level 2"),
        ("slowed_percent", "first jobs slowed (%)"),
        ("jobs_per_hour", "jobs an hour"),
        ("taken", "streams in which a newcomer took a share"),
    ];
    let mut table = Table::new("Streams of jobs; turnaround over time alone by level", &columns);
    for it in found {
        let estimate = |figure: &dyn Fn(&Stream) -> f64, digits| {
            let values = it.streams.iter().map(figure).filter(|value| value.is_finite());
            let values: Vec<f64> = values.collect();
            if values.is_empty() {
                Cell::Missing
            } else {
                Cell::Estimate(Estimate::of(&values), digits)
            }
        };
        table.push(vec![
            Cell::text(it.way.name()),
            Cell::Count(it.hosts as u64),
            estimate(&turnaround, 0),
            estimate(&|stream| stretch(stream, 0), 2),
            estimate(&|stream| stretch(stream, 1), 2),
            estimate(&|stream| stretch(stream, 2), 2),
            estimate(&slowed, 2),
            estimate(&throughput, 1),
            if it.taken.is_empty() {
                Cell::Missing
            } else {
                let taken = it.taken.iter().filter(|&&taken| taken).count();
                Cell::Share(taken as f64 / it.taken.len() as f64)
            },
        ]);
    }
    table
}

/// By how much version 3 differs from the others on the same jobs.
fn paired(found: &[Found]) -> Table {
    let columns = [
        ("hosts", "hosts"),
        ("other", "against"),
        ("turnaround_percent", "turnaround (%)"),
        ("stretch_0_percent", "first jobs: over time alone (%)"),
        ("stretch_1_percent", "level 1 (%)"),
        ("throughput_percent", "throughput (%)"),
    ];
    const COLUMNS: &str = "Paired on the same jobs, with 95 % intervals; a level is that of each job \
                           under each.";
    let mut table = Table::new("Version 3 against the others", &columns).with_note(COLUMNS);
    for it in found.iter().filter(|it| it.way == Way::NonInterfering) {
        let others =
            found.iter().filter(|base| base.hosts == it.hosts && base.way != Way::NonInterfering);
        for other in others {
            let by = |figure: &dyn Fn(&Stream) -> f64| {
                let figures = |of: &Found| of.streams.iter().map(figure).collect::<Vec<_>>();
                let mut by = percent_above(&figures(other), &figures(it));
                by.retain(|value| value.is_finite());
                match by.is_empty() {
                    true => Cell::Missing,
                    false => Cell::Estimate(Estimate::of(&by), 1),
                }
            };
            table.push(vec![
                Cell::Count(it.hosts as u64),
                Cell::text(other.way.name()),
                by(&turnaround),
                by(&|stream| stretch(stream, 0)),
                by(&|stream| stretch(stream, 1)),
                by(&throughput),
            ]);
        }
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Effort;
    use locox_report::progress::Progress;
    use locox_report::report::Verdict::{self, Holds};
    use std::collections::HashMap;

    /// Streams in which jobs take this long, and half of the first ones are slowed so much.
    fn made(time: impl Fn(Way) -> f64, slow: f64) -> HashMap<String, Judged> {
        let job = |way: Way, run: f64| Ended {
            turnaround: time(way) + run,
            ran: 100.0 * (1.0 + slow),
            alone: 100.0,
            level: 0,
        };
        let stream = |way, run: f64| Stream {
            jobs: vec![job(way, run), Ended { ran: 100.0, ..job(way, run) }],
            makespan: 10.0 * time(way) + run,
            starts: vec![],
            spells: vec![],
        };
        let on = |hosts| {
            ALL.map(|way| Found {
                way,
                hosts,
                streams: [0.0, 0.3, 0.6, 1.0].map(|run| stream(way, run)).into(),
                taken: vec![slow > 0.0; 4],
            })
        };
        let found = [on(SIX), on(32)].concat();
        let judged = |claim: Claim| (claim.id(), claim.judged.expect("it is judged"));
        claims(&found).into_iter().map(judged).collect()
    }

    #[test]
    fn every_verdict_can_fail() {
        let rank = |way: Way| ALL.iter().position(|it| *it == way).unwrap_or(0) as f64;
        for (id, judged) in made(|way| 200.0 - 20.0 * rank(way), 0.0) {
            assert!(judged.holding == judged.of && judged.of > 0, "{id}: {judged:?}");
        }
        for (id, judged) in made(|way| 200.0 + 20.0 * rank(way), 0.4) {
            assert_eq!(judged.holding, 0, "{id}: {judged:?}");
        }
    }

    /// Sharing with several owners "may" harm: one number of hosts on which it does is enough.
    #[test]
    fn harm_in_one_case_is_harm_that_may_be() {
        let stream = |time: f64, run: f64| Stream {
            jobs: vec![Ended { turnaround: time + run, ran: 100.0, alone: 100.0, level: 0 }],
            makespan: 10.0 * time + run,
            starts: vec![],
            spells: vec![],
        };
        let found = |way, hosts, time: f64| Found {
            way,
            hosts,
            streams: [0.0, 0.3, 0.6, 1.0].map(|run| stream(time, run)).into(),
            taken: vec![],
        };
        let harm = |by: [f64; 2]| -> Vec<Verdict> {
            let sizes = [6, 32].into_iter().zip(by);
            let of = |(hosts, by)| {
                let of =
                    |way| found(way, hosts, if way == Way::OneOwner { 100.0 } else { 100.0 + by });
                ALL.map(of)
            };
            let claims = claims(&sizes.flat_map(of).collect::<Vec<_>>());
            let of_harm = claims.iter().filter(|it| it.statement.id == SEVERAL_OWNERS_HARM.id);
            of_harm.map(|claim| claim.verdict).collect()
        };
        assert_eq!(harm([20.0, -20.0]), [Holds, Holds]);
        assert_eq!(harm([-20.0, -20.0]), [Verdict::DoesNotHold, Verdict::DoesNotHold]);
    }

    /// Sharing in space run as the first two versions, and the first as the third.
    pub(in super::super) fn planted() -> [Vec<Claim>; 2] {
        let lab = Lab::new(Effort::Quick, 1, Progress::hidden());
        let exchanged = |way| match way {
            Way::FirstLevel | Way::FirstCalmLevel => Way::Space,
            Way::NonInterfering => Way::FirstLevel,
            other => other,
        };
        let placed: [fn(Way) -> Way; 2] = [|way| way, exchanged];
        placed.map(|placed| run(&lab, placed).claims)
    }

    #[test]
    fn with_placements_exchanged_verdicts_turn() {
        let by_id = |claims: Vec<Claim>| claims.iter().map(|it| (it.id(), it.verdict)).collect();
        let [sound, planted]: [HashMap<String, Verdict>; 2] = planted().map(by_id);
        let version_2 = format!("{}@version-2-on-6-hosts", MORE_THROUGHPUT.id);
        for id in [&version_2[..], NO_SHARE_TAKEN_BY_VERSION_3.id] {
            assert_eq!(sound[id], Holds, "{id}");
            assert_ne!(planted[id], Holds, "{id}");
        }
    }
}

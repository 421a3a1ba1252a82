//! Messages by way of daemons, in place of direct ones.

use super::SOURCE;
use super::runs::{App, Machine, Os, Started};
use crate::difference::percent_above;
use crate::sources::turner_elmer::{
    DAEMON_BELOW_HARMS, ROUTED_VERSION_1, ROUTING_MATTERS, SHARED_DAEMON_HARMS,
};
use crate::thresholds::{NOW_FITTED, NOW_NOTICED, NOW_ROUTING};
use crate::{Experiment, Findings, Lab};
use locox_models::stats::Estimate;
use locox_models::timeshare::calibration::{RELAY, relayed};
use locox_models::timeshare::{Kernel, Network, Priority};
use locox_report::judge::{self, Case, Expected, Unit};
use locox_report::report::{Block, Cell, Claim, Fact, Judged, Table};

pub(in super::super) const EXPERIMENT: Experiment = Experiment {
    name: "now-daemon",
    title: "Messages by way of daemons",
    source: SOURCE,
    about: "A daemon on the host of the barrier hands each message on to the process of the barrier, for \
            which it needs that host's processor. How much is fitted to the one time that the source \
            prints, of version 1 on six hosts; versions 2 and 3 are predicted. Under the preemptive \
            kernel the daemon is run just above its job, as Elmer puts it, at its job's level, and below \
            all jobs, where a daemon stays that nobody puts anywhere. Two jobs of one user share a daemon, \
            and those of two users have one each; what the model has of that is contention for a processor, \
            and not what the source saw.",
    statements: &[&ROUTED_VERSION_1, &ROUTING_MATTERS, &DAEMON_BELOW_HARMS, &SHARED_DAEMON_HARMS],
    run: |lab| Ok(run(lab, &Ways::SOURCE)),
    #[cfg(test)]
    planted: tests::planted,
};

/// How messages may come to the process of a barrier.
struct Ways {
    direct: Machine,
    /// By a daemon just above its job.
    above: Machine,
    /// By one at the level of its job.
    beside: Machine,
    /// By one below all jobs.
    below: Machine,
    /// By one that both jobs share, just above the more urgent of them.
    shared: Machine,
}

impl Ways {
    const SOURCE: Self = Self {
        direct: Machine::CALIBRATED,
        above: Self::by(|kernel| relayed(kernel, Priority::AboveJob, false)),
        beside: Self::by(|kernel| relayed(kernel, Priority::BesideJob, false)),
        below: Self::by(|kernel| relayed(kernel, Priority::Level(4), false)),
        shared: Self::by(|kernel| relayed(kernel, Priority::AboveJob, true)),
    };

    const fn by(network: fn(&Kernel) -> Network) -> Machine {
        Machine { network, ..Machine::CALIBRATED }
    }
}

/// Levels of two jobs, with one for a daemon above each, and one below both.
const LEVELS: [u8; 2] = [1, 3];

/// A barrier program, alone, above another one or below it, one way and another; seconds.
struct Found {
    version: usize,
    /// What is below it, or above it.
    other: Option<App>,
    is_below: bool,
    hosts: usize,
    first: Vec<f64>,
    second: Vec<f64>,
}

impl Found {
    fn name(&self) -> String {
        let side = if self.is_below { "below" } else { "above" };
        let other = self.other.map_or(String::new(), |other| format!(" {side} {}", other.name()));
        format!("v{}{other} on {} hosts", self.version, self.hosts)
    }

    /// By how much it takes longer the second way, in per cent.
    fn more(&self) -> Vec<f64> {
        percent_above(&self.first, &self.second)
    }
}

/// What is run both ways: version, the job below it, hosts.
type Setting = (usize, Option<App>, usize);

fn both_ways(
    lab: &Lab,
    os: Os,
    [first, second]: [&Machine; 2],
    settings: &[Setting],
    replications: u64,
) -> Vec<Found> {
    lab.parallel(settings, |&(version, other, hosts)| {
        let all: Vec<usize> = (0..hosts).collect();
        let mut jobs: Vec<Started> = vec![(App::Barrier(version), all.clone(), 0)];
        jobs.extend(other.map(|other| (other, all, 1)));
        let time = |machine: &Machine| {
            let one = |run| machine.run(os, &jobs, &LEVELS, lab.seed, run).ends[0];
            (0..replications).map(one).collect()
        };
        let (first, second) = (time(first), time(second));
        Found { version, other, is_below: false, hosts, first, second }
    })
}

/// Two barrier programs with a daemon each, and with one for both; first the upper one, then the lower.
fn two_users_and_one(lab: &Lab, ways: &Ways, hosts: &[usize], replications: u64) -> Vec<Found> {
    let settings: Vec<(usize, usize, usize)> =
        hosts.iter().flat_map(|&hosts| [(2, 2, hosts), (2, 3, hosts), (1, 3, hosts)]).collect();
    let both = lab.parallel(&settings, |&(upper, lower, hosts)| {
        let all: Vec<usize> = (0..hosts).collect();
        let jobs = [(App::Barrier(upper), all.clone(), 0), (App::Barrier(lower), all, 1)];
        let ends = |machine: &Machine| -> Vec<Vec<f64>> {
            let one = |run| machine.run(Os::Preemptive, &jobs, &LEVELS, lab.seed, run).ends;
            (0..replications).map(one).collect()
        };
        let [own, shared] = [ends(&ways.above), ends(&ways.shared)];
        let of = |ends: &[Vec<f64>], job: usize| ends.iter().map(|it| it[job]).collect();
        [(upper, lower), (lower, upper)]
            .into_iter()
            .enumerate()
            .map(move |(job, (version, other))| {
                let (first, second) = (of(&own, job), of(&shared, job));
                let other = Some(App::Barrier(other));
                Found { version, other, is_below: job == 1, hosts, first, second }
            })
            .collect::<Vec<_>>()
    });
    both.into_iter().flatten().collect()
}

fn run(lab: &Lab, ways: &Ways) -> Findings {
    let replications = lab.either(3, 5);
    let hosts: Vec<usize> = lab.either(vec![2, 6], (2..=6).collect());
    let each = |others: &[Option<App>]| -> Vec<Setting> {
        let versions = others.iter().flat_map(|&other| [1, 2, 3].map(|version| (version, other)));
        versions
            .flat_map(|(version, other)| hosts.iter().map(move |&at| (version, other, at)))
            .collect()
    };
    let [alone, above] = [each(&[None]), each(&[Some(App::Ep), Some(App::Barrier(3))])];
    let Ways { direct, above: daemon_above, beside, below, .. } = ways;
    let routed = both_ways(lab, Os::NonPreemptive, [direct, daemon_above], &alone, replications);
    let placed = both_ways(lab, Os::Preemptive, [daemon_above, below], &above, replications);
    let level = both_ways(lab, Os::Preemptive, [daemon_above, beside], &above, replications);
    let shared = two_users_and_one(lab, ways, &hosts, replications);
    Findings {
        parameters: vec![
            Fact::new("fitted: work of a daemon with a message", format!("{RELAY} us")),
            Fact::new("replications", replications),
        ],
        claims: claims(&routed, &placed, &shared),
        results: vec![
            Block::Table(table(
                "Alone, non-preemptive kernel: routing",
                ["direct", "by a daemon"],
                &routed,
            )),
            Block::Table(table(
                "Above another job, preemptive kernel: the daemon",
                ["just above its job", "below all jobs"],
                &placed,
            )),
            Block::Table(table(
                "Above another job, preemptive kernel: the daemon at its job's level",
                ["just above its job", "at its level"],
                &level,
            )),
            Block::Table(table(
                "Two jobs, preemptive kernel: whose the daemon is",
                ["one each", "one for both"],
                &shared,
            )),
        ],
    }
}

const PERCENT: Unit = Unit("%", 2);

/// Seconds that are printed for version 1 on six hosts: with direct routing, and without.
const PRINTED: [f64; 2] = [31.4, 34.4];

fn fitted(routed: &[Found]) -> Judged {
    let of = routed.iter().filter(|it| (it.version, it.hosts) == (1, 6));
    let [direct, relayed] = PRINTED;
    let printed = 100.0 * (relayed / direct - 1.0);
    let case = |it: &Found| {
        let off = it.more().into_iter().map(|more| more - printed).collect();
        Case::new(it.name(), off, Expected::alike(NOW_FITTED))
    };
    judge::every(&of.map(case).collect::<Vec<_>>(), Unit("percentage points", 2))
}

fn longer<'a>(found: impl Iterator<Item = &'a Found>, margin: f64) -> Judged {
    let expected = Expected::Inside(margin, f64::INFINITY);
    let case = |it: &Found| Case::new(it.name(), it.more(), expected);
    judge::every(&found.map(case).collect::<Vec<_>>(), PERCENT)
}

/// What the model has of two jobs in one daemon, which is not what the source saw.
fn contention(shared: &[Found]) -> String {
    let by: Vec<f64> = shared.iter().map(|it| Estimate::of(&it.more()).mean).collect();
    let [least, most] = [f64::min, f64::max].map(|pick| by.iter().copied().reduce(pick));
    format!(
        "Contention for the processor alone makes a job take {:+.2} to {:+.2} % more than with a daemon of its own, \
         under the preemptive kernel, where a shared daemon is just above the more urgent job.",
        least.unwrap_or(f64::NAN),
        most.unwrap_or(f64::NAN)
    )
}

fn claims(routed: &[Found], placed: &[Found], shared: &[Found]) -> Vec<Claim> {
    let predicted = routed.iter().filter(|it| it.version > 1 && it.hosts == 6);
    vec![
        fitted(routed).on(
            &ROUTED_VERSION_1,
            "What a daemon adds in per cent, less the 9.6 % that are printed.",
        ),
        longer(predicted, NOW_ROUTING)
            .on(&ROUTING_MATTERS, "What a daemon adds to the time with direct routing."),
        longer(placed.iter(), NOW_NOTICED)
            .on(&DAEMON_BELOW_HARMS, "What the job takes more than with its daemon above."),
        Claim::open(&SHARED_DAEMON_HARMS, contention(shared)),
    ]
}

fn table(title: &str, [first, second]: [&str; 2], found: &[Found]) -> Table {
    let columns = [
        ("program", "program"),
        ("first_s", &format!("{first} (s)")),
        ("second_s", &format!("{second} (s)")),
        ("more_percent", "more (%)"),
    ];
    let mut table = Table::new(title, &columns);
    for it in found {
        let estimate = |values: &[f64], digits| Cell::Estimate(Estimate::of(values), digits);
        table.push(vec![
            Cell::text(it.name()),
            estimate(&it.first, 1),
            estimate(&it.second, 1),
            estimate(&it.more(), 1),
        ]);
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Effort;
    use locox_report::progress::Progress;
    use locox_report::report::Verdict::{self, DoesNotHold, Holds, SourceDoesNotSay};

    /// Messages that come directly after all.
    pub(in super::super) fn planted() -> [Vec<Claim>; 2] {
        let lab = Lab::new(Effort::Quick, 1, Progress::hidden());
        let direct = Machine::CALIBRATED;
        let planted = Ways { above: direct, below: direct, shared: direct, ..Ways::SOURCE };
        [Ways::SOURCE, planted].map(|ways| run(&lab, &ways).claims)
    }

    #[test]
    fn what_costs_nothing_harms_nobody() {
        let verdicts = |claims: Vec<Claim>| claims.iter().map(|it| it.verdict).collect();
        let [sound, planted]: [Vec<Verdict>; 2] = planted().map(verdicts);
        assert_eq!(sound, [Holds, Holds, Holds, SourceDoesNotSay]);
        assert_eq!(planted, [DoesNotHold, DoesNotHold, DoesNotHold, SourceDoesNotSay]);
    }
}

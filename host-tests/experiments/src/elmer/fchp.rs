//! Who passes whom: the three placements under random histories.

use super::SOURCE;
use crate::sources::turner_elmer::{
    EXAMPLE_PASSES, MOST_HISTORIES_PASS, NO_NEWCOMER_FIRST, VERSION_3_PASSES_NOBODY,
};
use crate::thresholds::{ELMER_MOST, ELMER_SHARE};
use crate::{Experiment, Findings, Lab};
use locox::time::{Duration, Instant};
use locox::timeshare::{
    Columns, Entry, FirstLevel, HostId, HostRow, JobNumber, JobRow, Load, NonInterfering,
    Placement, Request, Speed, Table, Threshold, UserId, words,
};
use locox_models::streams::{Stream, stream};
use locox_report::judge::{self, Case, Expected, Unit};
use locox_report::report::{Block, Cell, Claim, Fact, Judged, Table as Rows};
use rand::RngExt;

pub(in super::super) const EXPERIMENT: Experiment = Experiment {
    name: "elmer-fchp",
    title: "First come, highest priority: who passes whom",
    source: SOURCE,
    about: "The source's principle is that no newcomer may come before a job that was there earlier. \
            Its own allocation algorithms look for the most urgent level with enough free hosts, and \
            such a level may lie above an earlier job. How often depends on what a history is. Jobs of \
            4, 3 and 2 hosts on six with two levels pass in 16 of 20 cases: unless the second takes \
            none of the two hosts that the first has left, 4 choices of 20. Of random histories in \
            which jobs come or go at even odds the share grows with their length; the 143 of 200 (72 %) \
            that were counted before for this project are what some 40 commands give. With a queue, the \
            first in line placed as soon as it can be, it is nearly all.",
    statements: &[
        &NO_NEWCOMER_FIRST,
        &MOST_HISTORIES_PASS,
        &EXAMPLE_PASSES,
        &VERSION_3_PASSES_NOBODY,
    ],
    run: |lab| Ok(run(lab)),
    #[cfg(test)]
    planted: tests::planted,
};

/// A placement of the kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Rule {
    FirstLevel,
    FirstCalmLevel,
    NonInterfering,
}

const ALL: [Rule; 3] = [Rule::FirstLevel, Rule::FirstCalmLevel, Rule::NonInterfering];

impl Rule {
    const fn name(self) -> &'static str {
        match self {
            Self::FirstLevel => "first-level",
            Self::FirstCalmLevel => "first-calm-level",
            Self::NonInterfering => "non-interfering",
        }
    }
}

/// What happens in a history.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// Jobs of 4, 3 and 2 hosts come.
    Example,
    /// So many times a job comes or another ends, at even odds; one that has no room is forgotten.
    Commands(u32),
    /// Jobs wait in line, and one ends whenever the first of them has no room.
    Line,
}

/// Size of a cluster, and what happens there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Size {
    hosts: usize,
    levels: u8,
    kind: Kind,
}

const fn size(hosts: usize, levels: u8, kind: Kind) -> Size {
    Size { hosts, levels, kind }
}

const SIZES: [Size; 10] = [
    size(6, 2, Kind::Example),
    size(6, 2, Kind::Commands(20)),
    size(6, 2, Kind::Commands(30)),
    size(6, 2, Kind::Commands(40)),
    size(6, 2, Kind::Commands(80)),
    size(6, 2, Kind::Line),
    size(6, 4, Kind::Line),
    size(32, 2, Kind::Line),
    size(32, 4, Kind::Line),
    size(256, 4, Kind::Line),
];

impl Size {
    fn name(&self) -> String {
        let jobs = match self.kind {
            Kind::Example => "jobs of 4, 3 and 2".into(),
            Kind::Commands(count) => format!("{count} commands"),
            Kind::Line => format!("{JOBS} jobs in line"),
        };
        format!("{jobs} on {} hosts, {} levels", self.hosts, self.levels)
    }
}

/// A placement on a size, and in which histories a job was passed.
struct Found {
    rule: Rule,
    size: Size,
    passed: Vec<bool>,
}

impl Found {
    fn share(&self) -> f64 {
        let passed = self.passed.iter().filter(|&&passed| passed).count();
        passed as f64 / self.passed.len() as f64
    }
}

type Boxed = Table<Columns<Vec<Entry>, Vec<HostRow>, Vec<JobRow>, Vec<usize>>>;

/// Of versions 2 and 3, in thousandths of a processor.
const THRESHOLD: u16 = 400;
/// The same for the reader; hosts of an example are looked at before its first job, and so are idle.
const THRESHOLD_TOLD: &str = "0.4; jobs of 4, 3 and 2 hosts come before any host is seen busy";

/// Jobs that wait in line in a history.
const JOBS: u32 = 40;
/// Rows for jobs: no history has more.
const ROWS: usize = 80;

struct History {
    table: Boxed,
    size: Size,
    now: Instant,
    random: Stream,
    running: Vec<u32>,
}

impl History {
    fn new(size: Size, random: Stream) -> Self {
        let columns = Columns {
            entries: vec![Entry::EMPTY; size.hosts * usize::from(size.levels)],
            hosts: vec![HostRow::EMPTY; size.hosts],
            jobs: vec![JobRow::EMPTY; ROWS],
            words: vec![0; words(size.hosts, size.levels)],
        };
        let table = Table::new(size.levels, columns).expect("the columns fit");
        Self { table, size, now: Instant::ZERO, random, running: vec![] }
    }

    /// Time passes, and hosts report: those of many jobs are busier.
    fn report(&mut self) {
        self.now = self.now.saturating_add(Duration::from_ticks(1));
        for host in (0..self.size.hosts as u32).map(HostId) {
            let most = 600 * self.table.column(host).count() as u64;
            let load = self.random.random_range(0..=most).min(1000);
            let load = Load::from_thousandths(load as u16);
            let known = self.table.report(self.now, host, load, Speed::NOMINAL);
            known.expect("the host is known");
        }
    }

    fn place<P: Placement>(&mut self, placement: &P, job: u32, hosts: u32) -> bool {
        use locox::draw::Draw;
        let draw = P::Draw::from_source(|| self.random.random());
        let request = Request::new(UserId(0), hosts);
        self.table.place(self.now, placement, JobNumber(job), request, draw).is_ok()
    }

    fn end_one(&mut self) {
        let at = self.random.random_range(0..self.running.len());
        let job = JobNumber(self.running.swap_remove(at));
        self.table.remove(self.now, job, &mut |_| ()).expect("the job runs");
    }

    /// Whether any job was passed.
    fn run<P: Placement>(mut self, placement: &P) -> bool {
        match self.size.kind {
            Kind::Example => {
                self.report();
                let sizes = [(0, 4), (1, 3), (2, 2)];
                sizes.iter().for_each(|&(job, hosts)| _ = self.place(placement, job, hosts));
                self.table.passed().is_some()
            }
            Kind::Commands(count) => (0..count).any(|job| self.command(placement, job)),
            Kind::Line => self.serve(placement),
        }
    }

    fn wanted(&mut self) -> u32 {
        self.random.random_range(1..=self.size.hosts as u32)
    }

    /// A job comes, or one ends; whether any job was passed.
    fn command<P: Placement>(&mut self, placement: &P, job: u32) -> bool {
        self.report();
        if self.random.random::<bool>() {
            let hosts = self.wanted();
            if self.place(placement, job, hosts) {
                self.running.push(job);
            }
        } else if !self.running.is_empty() {
            self.end_one();
        }
        self.table.passed().is_some()
    }

    fn serve<P: Placement>(mut self, placement: &P) -> bool {
        let mut job = 0;
        let mut hosts = self.wanted();
        while job < JOBS {
            self.report();
            if self.place(placement, job, hosts) {
                self.running.push(job);
                job += 1;
                hosts = self.wanted();
            } else if !self.running.is_empty() {
                self.end_one();
            }
            if self.table.passed().is_some() {
                return true;
            }
        }
        false
    }
}

fn history(rule: Rule, size: Size, seed: u64, number: u64) -> bool {
    let history = History::new(size, stream(seed, "history", number));
    let threshold = Threshold::from_thousandths(THRESHOLD).expect("between 0 and 1");
    let (believed, settled) = (Duration::MAX, Duration::ZERO);
    match rule {
        Rule::FirstLevel => history.run(&FirstLevel::new(size.levels).shuffled()),
        Rule::FirstCalmLevel => {
            history.run(&FirstLevel::new(size.levels).on_calm_hosts(threshold, believed).shuffled())
        }
        Rule::NonInterfering => {
            history.run(&NonInterfering { degree: size.levels, threshold, believed, settled })
        }
    }
}

fn run(lab: &Lab) -> Findings {
    let histories: u64 = lab.either(200, 2000);
    let found = find(lab, &SIZES, histories, |rule| rule);
    Findings {
        parameters: vec![
            Fact::new("histories of each kind", histories),
            Fact::new(
                "commands",
                "a job of 1 to all hosts comes, or a running one ends, at even odds; one that has no room is forgotten",
            ),
            Fact::new(
                "jobs in line",
                format!(
                    "{JOBS} of 1 to all hosts; a running one ends whenever the first in line has no room"
                ),
            ),
            Fact::new("threshold of versions 2 and 3", THRESHOLD_TOLD),
            Fact::new(
                "utilisation of a host",
                "drawn anew with each command, from 0 to 0.6 for each of its jobs and to 1 at most; 0 without a job",
            ),
        ],
        claims: claims(&found),
        results: vec![Block::Table(table(&found))],
    }
}

/// Runs all histories; `placed` is the placement that is run as each.
fn find(lab: &Lab, sizes: &[Size], histories: u64, placed: fn(Rule) -> Rule) -> Vec<Found> {
    let settings = ALL.into_iter().flat_map(|rule| sizes.iter().map(move |&size| (rule, size)));
    let settings: Vec<(Rule, Size)> = settings.collect();
    lab.parallel(&settings, |&(rule, size)| {
        let passed = (0..histories).map(|number| history(placed(rule), size, lab.seed, number));
        Found { rule, size, passed: passed.collect() }
    })
}

fn nobody(found: &[Found], rules: &[Rule]) -> Judged {
    let of = found.iter().filter(|it| rules.contains(&it.rule));
    let case = |it: &Found| (format!("{}, {}", it.rule.name(), it.size.name()), it.share() == 0.0);
    judge::exactly(of.map(case))
}

fn most(found: &[Found]) -> Judged {
    let of = found.iter().filter(|it| it.rule == Rule::FirstLevel);
    judge::exactly(of.map(|it| (it.size.name(), it.share() > ELMER_MOST)))
}

/// That the example comes out as computed by hand, within what chance does.
fn example(found: &[Found]) -> Judged {
    let of = found.iter().filter(|it| it.rule == Rule::FirstLevel && it.size.kind == Kind::Example);
    let case = |it: &Found| {
        let expected = |passed: &bool| if *passed { 20.0 } else { -80.0 };
        let by = it.passed.iter().map(expected).collect();
        Case::new(it.size.name(), by, Expected::alike(ELMER_SHARE))
    };
    judge::every(&of.map(case).collect::<Vec<_>>(), Unit("percentage points", 1))
}

fn shares(found: &[Found], rules: &[Rule]) -> String {
    let of = found.iter().filter(|it| rules.contains(&it.rule));
    let told =
        of.map(|it| format!("{}, {}: {:.1} %", it.rule.name(), it.size.name(), 100.0 * it.share()));
    format!("Histories in which a job was passed: {}.", told.collect::<Vec<_>>().join("; "))
}

fn claims(found: &[Found]) -> Vec<Claim> {
    let theirs = [Rule::FirstLevel, Rule::FirstCalmLevel];
    vec![
        nobody(found, &theirs).on(&NO_NEWCOMER_FIRST, shares(found, &theirs)),
        most(found).on(&MOST_HISTORIES_PASS, shares(found, &[Rule::FirstLevel])),
        example(found).on(&EXAMPLE_PASSES, "The share of histories less 80 %."),
        nobody(found, &[Rule::NonInterfering])
            .on(&VERSION_3_PASSES_NOBODY, shares(found, &[Rule::NonInterfering])),
    ]
}

fn table(found: &[Found]) -> Rows {
    let columns = [
        ("placement", "placement"),
        ("history", "history"),
        ("histories", "histories"),
        ("passed", "a job was passed in"),
    ];
    let mut table = Rows::new("Histories in which a newcomer passed an earlier job", &columns);
    for it in found {
        table.push(vec![
            Cell::text(it.rule.name()),
            Cell::text(it.size.name()),
            Cell::Count(it.passed.len() as u64),
            Cell::Share(it.share()),
        ]);
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shares(rule: Rule) -> Vec<f64> {
        let of = |size| Found {
            rule,
            size,
            passed: (0..100).map(|number| history(rule, size, 1, number)).collect(),
        };
        SIZES.map(|size| of(size).share()).into()
    }

    #[test]
    fn versions_1_and_2_let_newcomers_pass_and_version_3_does_not() {
        let of_version_1 = shares(Rule::FirstLevel);
        assert!(of_version_1[0] > 0.65 && of_version_1[0] < 0.95, "{of_version_1:?}");
        assert!(of_version_1[1..5].is_sorted(), "{of_version_1:?}");
        assert!(of_version_1[5..].iter().all(|&share| share > 0.8), "{of_version_1:?}");
        assert!(shares(Rule::FirstCalmLevel).iter().any(|&share| share > 0.0));
        assert!(shares(Rule::NonInterfering).iter().all(|&share| share == 0.0));
    }

    /// The verdicts that count cases, on histories made up.
    #[test]
    fn every_verdict_can_fail() {
        use locox_report::report::Verdict::{DoesNotHold, Holds};
        let made = |passed: [bool; 2]| {
            let found: Vec<Found> = ALL
                .into_iter()
                .map(|rule| Found { rule, size: SIZES[0], passed: passed.into() })
                .collect();
            [
                nobody(&found, &[Rule::FirstLevel, Rule::FirstCalmLevel]).verdict,
                most(&found).verdict,
                nobody(&found, &[Rule::NonInterfering]).verdict,
            ]
        };
        assert_eq!(made([true, true]), [DoesNotHold, Holds, DoesNotHold]);
        assert_eq!(made([false, false]), [Holds, DoesNotHold, Holds]);
    }

    /// Version 3 run as version 1, and version 1 as version 3.
    pub(in super::super) fn planted() -> [Vec<Claim>; 2] {
        use crate::Effort;
        use locox_report::progress::Progress;
        let lab = Lab::new(Effort::Quick, 1, Progress::hidden());
        let exchanged = |rule| match rule {
            Rule::FirstLevel => Rule::NonInterfering,
            Rule::NonInterfering => Rule::FirstLevel,
            Rule::FirstCalmLevel => Rule::FirstCalmLevel,
        };
        let placed: [fn(Rule) -> Rule; 2] = [|rule| rule, exchanged];
        placed.map(|placed| claims(&find(&lab, &SIZES[..6], 100, placed)))
    }

    #[test]
    fn with_placements_exchanged_verdicts_turn() {
        use locox_report::report::Verdict::{DoesNotHold, Holds, HoldsInPart};
        let [sound, exchanged] =
            planted().map(|claims| [0, 1, 3].map(|at: usize| claims[at].verdict));
        assert_eq!(sound, [DoesNotHold, HoldsInPart, Holds]);
        assert_eq!(exchanged, [HoldsInPart, DoesNotHold, DoesNotHold]);
    }
}

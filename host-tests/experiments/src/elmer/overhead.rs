//! What a decision costs: figures 6.10 and 6.11.

use super::SOURCE;
use crate::sources::turner_elmer::{
    BOTH_SUFFICE, ENDING_SUFFICES, KERNEL_IS_QUICK, UP_TO_107_HOSTS,
};
use crate::thresholds::{ELMER_COMPUTED_HOSTS, ELMER_DESIRED_HOSTS, ELMER_QUICK};
use crate::{Experiment, Findings, Lab};
use locox::time::{Duration, Instant};
use locox::timeshare::{
    Columns, Entry, FirstLevel, HostId, HostRow, JobNumber, JobRow, Load, NonInterfering,
    Placement, Request, Speed, Table, Threshold, UserId, words,
};
use locox_report::judge;
use locox_report::report::{Block, Cell, Claim, Fact, Judged, Table as Rows};
use std::hint::black_box;

pub(in super::super) const EXPERIMENT: Experiment = Experiment {
    name: "elmer-overhead",
    title: "What it costs to start and to end a job",
    source: SOURCE,
    about: "The source prints four figures of its daemon: to start a job takes 59 ms on one host and \
            103 ms on six, to end one 13 and 57 ms, both with messages to every host. From these it \
            derives how many hosts a daemon can serve at a job a second. Beside it stands what a \
            decision of the kernel takes on this machine, without messages: half of the hosts have a \
            job already, so that another one shares some. A quick run measures no time: its results \
            are the same on every machine.",
    statements: &[&UP_TO_107_HOSTS, &ENDING_SUFFICES, &BOTH_SUFFICE, &KERNEL_IS_QUICK],
    run: |lab| Ok(run(lab, taken)),
};

/// Milliseconds on one host and on six, as printed.
const START: [f64; 2] = [59.0, 103.0];
const END: [f64; 2] = [13.0, 57.0];

/// What a daemon takes for so many hosts, in milliseconds, by a straight line through two points.
fn taken([one, six]: [f64; 2], hosts: u32) -> f64 {
    one + (six - one) / 5.0 * f64::from(hosts - 1)
}

/// The most hosts for which that is at most a second.
fn most(cost: impl Fn(u32) -> f64) -> u32 {
    (1..).take_while(|&hosts| cost(hosts) <= 1000.0).last().unwrap_or(0)
}

type Boxed = Table<Columns<Vec<Entry>, Vec<HostRow>, Vec<JobRow>, Vec<usize>>>;

const SIZES: [(usize, u8); 4] = [(6, 2), (107, 4), (1000, 4), (10_000, 4)];
const ROWS: u32 = 64;
const NOW: Instant = Instant::ZERO;

/// A table half of whose hosts have a job each, of which there are up to eight.
fn table(hosts: usize, levels: u8) -> Boxed {
    let columns = Columns {
        entries: vec![Entry::EMPTY; hosts * usize::from(levels)],
        hosts: vec![HostRow::EMPTY; hosts],
        jobs: vec![JobRow::EMPTY; ROWS as usize],
        words: vec![0; words(hosts, levels)],
    };
    let mut table = Table::new(levels, columns).expect("the columns fit");
    for host in (0..hosts as u32).map(HostId) {
        table.report(NOW, host, Load::IDLE, Speed::NOMINAL).expect("the host is known");
    }
    let half = hosts as u32 / 2;
    let each = half.div_ceil(8);
    for job in 1..=half / each {
        let request = Request::new(UserId(0), each);
        table
            .place(NOW, &non_interfering(levels), JobNumber(job), request, ())
            .expect("there is room");
    }
    table
}

fn non_interfering(levels: u8) -> NonInterfering {
    let threshold = Threshold::from_thousandths(700).expect("between 0 and 1");
    NonInterfering { degree: levels, threshold, believed: Duration::MAX, settled: Duration::ZERO }
}

/// Nanoseconds to start a job on so many hosts and to end it: the least of some means.
fn measure<P: Placement<Draw = ()>>(table: &mut Boxed, placement: &P, hosts: u32) -> [f64; 2] {
    const MEANS: usize = 9;
    let times = 20_000 / table.hosts().max(100);
    let request = Request::new(UserId(0), hosts);
    let mut least = [f64::INFINITY; 2];
    for _ in 0..MEANS {
        let mut spent = [std::time::Duration::ZERO; 2];
        for _ in 0..times {
            let begun = std::time::Instant::now();
            let placed = table.place(NOW, placement, JobNumber(0), black_box(request), ());
            spent[0] += begun.elapsed();
            placed.expect("there is room");
            let begun = std::time::Instant::now();
            let removed = table.remove(NOW, JobNumber(0), &mut |host| _ = black_box(host));
            spent[1] += begun.elapsed();
            removed.expect("it is placed");
        }
        for (least, spent) in least.iter_mut().zip(spent) {
            *least = least.min(spent.as_nanos() as f64 / f64::from(times));
        }
    }
    least
}

/// A placement on so many hosts: nanoseconds to start a job and to end it, if they were measured.
struct Found {
    placement: &'static str,
    hosts: usize,
    levels: u8,
    nanoseconds: Option<[f64; 2]>,
}

/// What a daemon takes for so many hosts, given what it takes for one and for six.
type Cost = fn([f64; 2], u32) -> f64;

fn run(lab: &Lab, cost: Cost) -> Findings {
    let is_timed = lab.either(false, true);
    let mut found = vec![];
    // One after the other, as times are measured.
    for (hosts, levels) in SIZES {
        let mut push = |placement, nanoseconds| {
            found.push(Found { placement, hosts, levels, nanoseconds });
        };
        let (mut table, wanted) = (table(hosts, levels), (hosts as u32 * 2 / 3).max(1));
        let threshold = Threshold::from_thousandths(700).expect("between 0 and 1");
        let first_calm_level = FirstLevel::new(levels).on_calm_hosts(threshold, Duration::MAX);
        push(
            "first-level",
            is_timed.then(|| measure(&mut table, &FirstLevel::new(levels), wanted)),
        );
        push("first-calm-level", is_timed.then(|| measure(&mut table, &first_calm_level, wanted)));
        push(
            "non-interfering",
            is_timed.then(|| measure(&mut table, &non_interfering(levels), wanted)),
        );
    }
    Findings {
        parameters: vec![
            Fact::new("jobs that are measured", "of two thirds of all hosts"),
            Fact::new("times", "the least of nine means, without messages"),
        ],
        claims: claims(&found, cost),
        results: vec![Block::Table(rows(&found))],
    }
}

fn one(is_so: bool, name: &str) -> Judged {
    judge::exactly([(name.to_owned(), is_so)])
}

fn claims(found: &[Found], cost: Cost) -> Vec<Claim> {
    let [starts, ends] = [START, END].map(|times| most(|hosts| cost(times, hosts)));
    let both = most(|hosts| cost(START, hosts) + cost(END, hosts));
    let timed = found.iter().filter(|it| it.hosts <= 1000).filter_map(|it| {
        let slowest = it.nanoseconds?.into_iter().fold(0.0, f64::max);
        Some((format!("{} on {} hosts", it.placement, it.hosts), slowest < ELMER_QUICK))
    });
    let reached = |hosts: u32| format!("A second is reached beyond {hosts} hosts.");
    vec![
        one(starts == ELMER_COMPUTED_HOSTS, "start").on(&UP_TO_107_HOSTS, reached(starts)),
        one(ends >= ELMER_DESIRED_HOSTS, "end").on(&ENDING_SUFFICES, reached(ends)),
        one(both >= ELMER_DESIRED_HOSTS, "start and end").on(&BOTH_SUFFICE, reached(both)),
        judge::exactly(timed).on(&KERNEL_IS_QUICK, "The times are in the table of the report."),
    ]
}

fn rows(found: &[Found]) -> Rows {
    let columns = [
        ("placement", "placement"),
        ("hosts", "hosts"),
        ("levels", "levels"),
        ("start_ns", "start (ns)"),
        ("end_ns", "end (ns)"),
        ("daemon_ms", "start by the daemon of 1995, on as many (ms)"),
    ];
    let mut rows = Rows::new("A decision of the kernel, and the daemon of 1995", &columns);
    for it in found {
        let time = |at: usize| it.nanoseconds.map_or(Cell::Missing, |it| Cell::Number(it[at], 0));
        rows.push(vec![
            Cell::text(it.placement),
            Cell::Count(it.hosts as u64),
            Cell::Count(it.levels.into()),
            time(0),
            time(1),
            Cell::Number(taken(START, it.hosts as u32 * 2 / 3), 0),
        ]);
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_through_printed_points_end_where_a_second_does() {
        assert_eq!(most(|hosts| taken(START, hosts)), 107);
        assert_eq!(most(|hosts| taken(END, hosts)), 113);
        assert_eq!(most(|hosts| taken(START, hosts) + taken(END, hosts)), 53);
        assert_eq!(most(|_| 2000.0), 0);
    }

    #[test]
    fn jobs_that_are_measured_have_room_under_every_placement() {
        let mut six = table(6, 2);
        let threshold = Threshold::from_thousandths(700).unwrap();
        let first_calm_level = FirstLevel::new(2).on_calm_hosts(threshold, Duration::MAX);
        for times in [
            measure(&mut six, &FirstLevel::new(2), 4),
            measure(&mut six, &first_calm_level, 4),
            measure(&mut six, &non_interfering(2), 4),
        ] {
            assert!(times.iter().all(|&time| time > 0.0));
        }
    }

    /// A daemon whose hosts answer to each other: its cost rises with the square of their number.
    #[test]
    fn a_daemon_of_another_growth_serves_fewer_hosts() {
        use locox_report::report::Verdict::{self, DoesNotHold, Holds};
        let verdicts = |cost| -> Vec<Verdict> {
            claims(&[], cost)[..3].iter().map(|claim| claim.verdict).collect()
        };
        assert_eq!(verdicts(taken), [Holds, Holds, DoesNotHold]);
        let square = |[one, six]: [f64; 2], hosts: u32| {
            one + (six - one) / 35.0 * (f64::from(hosts).powi(2) - 1.0)
        };
        assert_eq!(verdicts(square), [DoesNotHold; 3]);
    }
}

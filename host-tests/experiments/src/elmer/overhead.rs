//! What the daemon of the source costs: figures 6.10 and 6.11.

use super::SOURCE;
use crate::sources::turner_elmer::{BOTH_DO_NOT_SUFFICE, ENDING_SUFFICES, UP_TO_107_HOSTS};
use crate::thresholds::{ELMER_COMPUTED_HOSTS, ELMER_DESIRED_HOSTS};
use crate::{Experiment, Findings};
use locox_report::judge;
use locox_report::report::{Block, Cell, Claim, Fact, Judged, Table};

pub(in super::super) const EXPERIMENT: Experiment = Experiment {
    name: "elmer-overhead",
    title: "What it costs to start and to end a job",
    source: SOURCE,
    about: "The source prints four figures of its daemon: to start a job takes 59 ms on one host and \
            103 ms on six, to end one 13 and 57 ms, both with messages to every host. From these it \
            derives how many hosts a daemon can serve at a job a second.",
    statements: &[&UP_TO_107_HOSTS, &ENDING_SUFFICES, &BOTH_DO_NOT_SUFFICE],
    run: |_| Ok(run(taken)),
    #[cfg(test)]
    planted: tests::planted,
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

/// What a daemon takes for so many hosts, given what it takes for one and for six.
type Cost = fn([f64; 2], u32) -> f64;

fn run(cost: Cost) -> Findings {
    Findings {
        parameters: vec![Fact::new("times", "as printed, and on a straight line through them")],
        claims: claims(cost),
        results: vec![Block::Table(table(cost))],
    }
}

fn one(is_so: bool, name: &str) -> Judged {
    judge::exactly([(name.to_owned(), is_so)])
}

fn claims(cost: Cost) -> Vec<Claim> {
    let [starts, ends] = [START, END].map(|times| most(|hosts| cost(times, hosts)));
    let both = most(|hosts| cost(START, hosts) + cost(END, hosts));
    let reached = |hosts: u32| format!("A second is reached beyond {hosts} hosts.");
    vec![
        one(starts == ELMER_COMPUTED_HOSTS, "start").on(&UP_TO_107_HOSTS, reached(starts)),
        one(ends >= ELMER_DESIRED_HOSTS, "end").on(&ENDING_SUFFICES, reached(ends)),
        one(both < ELMER_DESIRED_HOSTS, "start and end").on(&BOTH_DO_NOT_SUFFICE, reached(both)),
    ]
}

fn table(cost: Cost) -> Table {
    let columns = [("hosts", "hosts"), ("start_ms", "start (ms)"), ("end_ms", "end (ms)")];
    let mut table = Table::new("What the daemon of 1995 takes for a job", &columns);
    for hosts in [1, 6, 50, ELMER_DESIRED_HOSTS, ELMER_COMPUTED_HOSTS] {
        let times = [START, END].map(|times| Cell::Number(cost(times, hosts), 0));
        table.push([Cell::Count(hosts.into())].into_iter().chain(times).collect());
    }
    table
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

    /// A daemon whose hosts answer to each other: its cost rises with the square of their number.
    pub(in super::super) fn planted() -> [Vec<Claim>; 2] {
        let square: Cost =
            |[one, six], hosts| one + (six - one) / 35.0 * (f64::from(hosts).powi(2) - 1.0);
        [taken, square].map(claims)
    }

    #[test]
    fn a_daemon_of_another_growth_serves_fewer_hosts() {
        use locox_report::report::Verdict::{self, DoesNotHold, Holds};
        let verdicts = |claims: Vec<Claim>| claims.iter().map(|claim| claim.verdict).collect();
        let [sound, square]: [Vec<Verdict>; 2] = planted().map(verdicts);
        assert_eq!(sound, [Holds; 3]);
        assert_eq!(square, [DoesNotHold, DoesNotHold, Holds]);
    }
}

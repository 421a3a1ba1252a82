//! The worked example of 1987: one remote processor, two users, half of the time at home; and the
//! walk of the schedule index.

mod slices;
mod walk;

use super::pools::{DAY, SOURCE};
use super::{Experiment, Findings, Lab};
use locox::station::{Config, Trigger};
use locox::time::Duration;
use locox_models::stats::Estimate;
use locox_models::workstation::{Habit, Lengths, Outcome, Policy, Pool, Station, Use, User};
use locox_report::judge::{self, Case, Expected, Unit};
use locox_report::report::{Block, Cell, Claim, Fact, Judged, Table};
use slices::TimeSlices;

pub(super) const EXPERIMENT: Experiment = Experiment {
    name: "updown-example",
    title: "Two users and one remote processor: the worked example",
    source: SOURCE,
    about: "Two stations, each available half of the time, and one processor in the bank. User I \
            always has two jobs, user II one; each runs a job at home whenever it can. If the \
            processor of the bank is shared in time slices, the text works out remote cycle wait \
            ratios of 3 and 1: user I, who asks for more, also waits less for each cycle. Here the \
            kernel's coordinator runs that pool, with a ranking that makes it share in slices of a \
            minute, and then with the three rankings of the study.",
    statements: &[],
    run: |lab| Ok(run(lab)),
};

/// A way to share the processor of the bank.
#[derive(Clone, Copy)]
enum Sharing {
    Slices,
    By(Policy),
}

struct Shared {
    sharing: Sharing,
    outcomes: Vec<Outcome>,
}

/// Where the example is.
const FIRST: &str = "Mutka and Livny 1987, example of processor sharing";

/// By how much, in per cent, a figure may miss the one worked out: a slice ends up to a minute late.
const CLOSE: f64 = 2.5;

fn run(lab: &Lab) -> Findings {
    let (days, replications) = lab.either((365, 4), (3650, 10));
    let [up_down, round_robin, random] = Policy::STUDY.map(Sharing::By);
    let sharings = [Sharing::Slices, up_down, round_robin, random];
    let one = |sharing| (0..replications).map(move |replication| (sharing, replication));
    let items: Vec<_> = sharings.into_iter().flat_map(one).collect();
    let outcomes = lab.parallel(&items, |&(sharing, replication)| {
        share(sharing, Duration::from_ticks(days * DAY), lab.seed, replication)
    });
    let runs = outcomes.chunks(replications as usize).map(<[_]>::to_vec);
    let shared: Vec<_> = sharings
        .into_iter()
        .zip(runs)
        .map(|(sharing, outcomes)| Shared { sharing, outcomes })
        .collect();
    let walk = walk::walk();
    let mut claims = claims(&shared);
    claims.push(walk.claim());
    Findings {
        parameters: vec![
            Fact::new("owners", "exponential, 10 h away and 10 h there"),
            Fact::new("jobs", "2 h on average, exponential; a move takes no time"),
            Fact::new("simulated time", format!("{days} days")),
            Fact::new("replications", replications),
        ],
        claims,
        results: vec![
            Block::Table(table(&shared)),
            Block::Table(walk.table()),
            Block::Plot(walk.plot()),
        ],
    }
}

fn share(sharing: Sharing, span: Duration, seed: u64, replication: u64) -> Outcome {
    let pool = pool(sharing, span);
    let outcome = match sharing {
        Sharing::Slices => pool.run_by(TimeSlices::new(2), seed, replication, |_, _| ()),
        Sharing::By(policy) => pool.run(policy, seed, replication),
    };
    outcome.expect("the experiment's own parameters fit")
}

fn pool(sharing: Sharing, span: Duration) -> Pool {
    let hours = |count: f64| Lengths::Exponential(count * 3600.0);
    let habit = Habit::Periods { available: hours(10.0), unavailable: hours(10.0), week: None };
    let station = |jobs| Station { habit: habit.clone(), user: User::permanent(jobs) };
    let study = Pool::study(2);
    let config = Config { recall: true, transfer: Duration::ZERO, ..study.config };
    let sliced =
        Config { interval: Duration::from_ticks(60), trigger: Trigger::IntervalOnly, ..config };
    let config = if matches!(sharing, Sharing::Slices) { sliced } else { config };
    Pool { stations: vec![station(2), station(1)], bank: 1, config, span, ..study }
}

impl Shared {
    fn name(&self) -> &'static str {
        match self.sharing {
            Sharing::Slices => "time slices",
            Sharing::By(policy) => policy.name(),
        }
    }

    fn estimate(&self, figure: impl Fn(&Outcome) -> f64) -> Estimate {
        super::pools::estimate(&self.outcomes, figure)
    }

    fn ratio(&self, user: usize) -> Estimate {
        self.estimate(|outcome| outcome.users[user].wait_ratio())
    }

    fn received(&self, user: usize) -> Estimate {
        self.estimate(|outcome| received(&outcome.users[user]))
    }

    /// Whether a figure of each user is what was worked out.
    fn worked_out(&self, what: &str, told: [f64; 2], figure: fn(&Use) -> f64) -> Judged {
        let case = |(user, told): (usize, f64)| {
            let off = |outcome: &Outcome| 100.0 * (figure(&outcome.users[user]) / told - 1.0);
            let off = self.outcomes.iter().map(off).collect();
            Case::new(format!("{what} of {}", USERS[user]), off, Expected::alike(CLOSE))
        };
        judge::every(&told.into_iter().enumerate().map(case).collect::<Vec<_>>(), Unit("%", 2))
    }

    /// Whether user II, who asks for less, waits less for each cycle.
    fn fairer(&self) -> Judged {
        let more = |outcome: &Outcome| {
            let [first, second] = [0, 1].map(|user: usize| outcome.users[user].wait_ratio());
            second - first
        };
        let more = self.outcomes.iter().map(more).collect();
        let case = Case::new("ratio of user II over that of user I", more, Expected::MORE);
        judge::every(&[case], Unit("hours of execution an hour of waiting", 2))
    }
}

const USERS: [&str; 2] = ["user I", "user II"];

/// Remote cycles received, in per cent of the time in which they were asked for.
fn received(user: &Use) -> f64 {
    100.0 * user.remote / (user.remote + user.wait)
}

fn claims(shared: &[Shared]) -> Vec<Claim> {
    let [slices, ours, ..] = shared else { unreachable!("there are slices and three policies") };
    vec![
        slices.worked_out("wait ratio", [3.0, 1.0], |user| user.wait_ratio()).claim(
            "With the processor shared in slices, the remote cycle wait ratio of user I is 3 \
                 and that of user II is 1",
            FIRST,
            format!(
                "{:.3} and {:.3}. Equal means: at most {CLOSE} % apart, as a slice ends up to a \
                     minute after the owner has left.",
                slices.ratio(0),
                slices.ratio(1)
            ),
        ),
        slices.worked_out("share", [75.0, 50.0], received).claim(
            "User II receives 50 % of the remote cycles that it asks for, user I 75 %",
            FIRST,
            format!(
                "User I {:.1} %, user II {:.1} %; equal as above.",
                slices.received(0),
                slices.received(1)
            ),
        ),
        ours.fairer().claim(
            "Up-Down trades what a user had against how long it waited",
            "Mutka and Livny 1987, introduction",
            format!(
                "On the same pool Up-Down gives user I a ratio of {:.2} and user II one of {:.2}: \
                 the one who asks for less waits less for each cycle.",
                ours.ratio(0),
                ours.ratio(1)
            ),
        ),
    ]
}

fn table(shared: &[Shared]) -> Table {
    let columns = [
        ("sharing", "sharing"),
        ("ratio_1", "wait ratio of user I"),
        ("ratio_2", "wait ratio of user II"),
        ("received_1", "I receives (%)"),
        ("received_2", "II receives (%)"),
        ("preemptions", "preemptions a day"),
    ];
    let title =
        "One remote processor for two users; received: of the time in which it was asked for";
    let mut table = Table::new(title, &columns);
    for one in shared {
        let daily = |outcome: &Outcome| outcome.preemptions as f64 / (outcome.span / DAY as f64);
        table.push(vec![
            Cell::text(one.name()),
            Cell::Estimate(one.ratio(0), 2),
            Cell::Estimate(one.ratio(1), 2),
            Cell::Estimate(one.received(0), 1),
            Cell::Estimate(one.received(1), 1),
            Cell::Estimate(one.estimate(daily), 1),
        ]);
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pools::quick_verdicts;
    use locox_report::report::Verdict::{self, DoesNotHold, Holds};

    #[test]
    fn the_worked_example_gives_3_and_1_and_the_index_walks_as_told() {
        let verdicts = quick_verdicts(run);
        assert!(!verdicts.contains(&DoesNotHold), "{verdicts:?}");
        assert_eq!(verdicts[2..], [Holds; 2]);
    }

    fn verdicts(shared: &[Shared]) -> Vec<Verdict> {
        claims(shared).into_iter().map(|claim| claim.verdict).collect()
    }

    /// The pool under the way of sharing that is due, and under others in its place.
    #[test]
    fn every_verdict_can_fail() {
        let shared = |sharing| {
            let run = |replication| share(sharing, Duration::from_ticks(730 * DAY), 1, replication);
            Shared { sharing, outcomes: (0..5).map(run).collect() }
        };
        let [up_down, round_robin, _] = Policy::STUDY.map(Sharing::By);
        let [slices, ours, turns] = [Sharing::Slices, up_down, round_robin].map(shared);
        let sound = verdicts(&[slices, ours]);
        assert!(!sound.contains(&DoesNotHold), "{sound:?}");
        assert_eq!(sound[2], Holds);
        let [slices, ours] = [Sharing::Slices, up_down].map(shared);
        assert_eq!(verdicts(&[ours, slices]), [DoesNotHold; 3]);
        let by_turns = verdicts(&[turns, shared(round_robin)]);
        assert!(!by_turns[..2].contains(&Holds) && by_turns[2] != Holds, "{by_turns:?}");
    }
}

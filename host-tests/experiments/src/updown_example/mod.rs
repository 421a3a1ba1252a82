//! The worked example of 1987: one remote processor, two users, half of the time at home; and the
//! walk of the schedule index.

mod slices;
mod walk;

use super::pools::{DAY, Figure, SOURCE};
use super::sources::updown as says;
use super::thresholds::UPDOWN_WORKED_OUT;
use super::{Experiment, Findings, Lab};
use locox::time::Duration;
use locox_coordinators::station::{Config, Trigger};
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
    statements: &[
        &says::RATIO_3,
        &says::RATIO_1,
        &says::THREE_TIMES,
        &says::SHARES,
        &says::TRADES,
        &says::WALK_RISES,
        &says::WALK_FALLS,
        &says::WALK_WAITS,
        &says::WALK_STAYS,
    ],
    run: |lab| Ok(run(lab)),
    #[cfg(test)]
    planted: tests::planted,
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
    claims.extend(walk.claims());
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

    /// Whether figures are what was worked out.
    fn worked_out(&self, told: &[(&str, f64, Figure<'_>)]) -> Judged {
        let case = |&(what, told, figure): &(&str, f64, Figure<'_>)| {
            let off = |outcome: &Outcome| 100.0 * (figure(outcome) / told - 1.0);
            let off = self.outcomes.iter().map(off).collect();
            Case::new(what, off, Expected::alike(UPDOWN_WORKED_OUT))
        };
        judge::every(&told.iter().map(case).collect::<Vec<_>>(), Unit("%", 2))
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

/// Remote cycles received, in per cent of the time in which they were asked for.
fn received(user: &Use) -> f64 {
    100.0 * user.remote / (user.remote + user.wait)
}

fn claims(shared: &[Shared]) -> Vec<Claim> {
    let [slices, ours, ..] = shared else { unreachable!("there are slices and three policies") };
    let ratio = |user: usize| move |outcome: &Outcome| outcome.users[user].wait_ratio();
    let received_by = |user: usize| move |outcome: &Outcome| received(&outcome.users[user]);
    let times = |outcome: &Outcome| ratio(0)(outcome) / ratio(1)(outcome);
    let times_found = slices.estimate(times);
    vec![
        slices
            .worked_out(&[("wait ratio of user I", 3.0, &ratio(0))])
            .on(&says::RATIO_3, format!("{:.3}.", slices.ratio(0))),
        slices
            .worked_out(&[("wait ratio of user II", 1.0, &ratio(1))])
            .on(&says::RATIO_1, format!("{:.3}.", slices.ratio(1))),
        slices
            .worked_out(&[("user I's ratio by user II's", 3.0, &times)])
            .on(&says::THREE_TIMES, format!("{times_found:.3} times.")),
        slices
            .worked_out(&[
                ("share of user I", 75.0, &received_by(0)),
                ("share of user II", 50.0, &received_by(1)),
            ])
            .on(
                &says::SHARES,
                format!("User I {:.1} %, user II {:.1} %.", slices.received(0), slices.received(1)),
            ),
        ours.fairer().on(
            &says::TRADES,
            format!(
                "On the same pool Up-Down gives user I a ratio of {:.2} and user II one of {:.2}.",
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
    use crate::pools::check::{self, assert_all};
    use locox_report::report::Verdict::{DoesNotHold, Holds};

    #[test]
    fn the_worked_example_gives_3_and_1_and_the_index_walks_as_told() {
        let claims = check::quick(&EXPERIMENT);
        assert!(claims.iter().all(|claim| claim.verdict != DoesNotHold), "{claims:?}");
        let clear = [
            &says::TRADES,
            &says::WALK_RISES,
            &says::WALK_FALLS,
            &says::WALK_WAITS,
            &says::WALK_STAYS,
        ];
        assert_all(&claims, &clear, Holds);
    }

    fn shared(sharing: Sharing) -> Shared {
        let run = |replication| share(sharing, Duration::from_ticks(730 * DAY), 1, replication);
        Shared { sharing, outcomes: (0..5).map(run).collect() }
    }

    /// The pool is run by Up-Down where slices belong, and by turns where Up-Down does.
    pub(super) fn planted() -> [Vec<Claim>; 2] {
        let [up_down, round_robin, _] = Policy::STUDY.map(Sharing::By);
        [[Sharing::Slices, up_down], [up_down, round_robin]].map(|two| claims(&two.map(shared)))
    }

    #[test]
    #[ignore = "takes long: ci/test runs it"]
    fn another_way_to_share_is_caught() {
        let [_, claims] = planted();
        let worked_out = [&says::RATIO_3, &says::RATIO_1, &says::THREE_TIMES, &says::SHARES];
        assert_all(&claims, &worked_out, DoesNotHold);
        assert!(!check::of(&claims, &says::TRADES).contains(&Holds));
    }
}

//! A light user who gets as many jobs as a heavy one for a while.

use crate::Lab;
use crate::pools::{DAY, number};
use crate::sources::updown as says;
use locox::fair::{ScheduleIndex, UpDown};
use locox::time::Duration;
use locox_models::stats::mean;
use locox_models::workstation::{Arrivals, Lengths, Movement, Pool};
use locox_report::judge::{self, Case, Expected, Unit};
use locox_report::report::{Axis, Claim, Plot, Series, Shape};
use std::ops::Range;

/// The day on which the jobs come.
const COME: f64 = 10.0;
/// How many: enough for some days on all processors that others leave.
const JOBS: u32 = 220;
/// The length of a run: jobs would come again on day 20.
const DAYS: f64 = 19.9;
/// More jobs than a light user has wait until so many are left.
const FEW: f64 = 2.0;

const INDEX: Unit = Unit("of the index", 0);

/// Whose index is looked at.
#[derive(Clone, Copy)]
enum Who {
    /// The light user of station 0, who gets the jobs.
    Changes,
    /// The other light users, on average.
    Light,
    Heavy,
}

const WHO: [(Who, &str); 3] = [
    (Who::Changes, "the light user with more jobs"),
    (Who::Light, "the other light users"),
    (Who::Heavy, "the heavy user"),
];

struct Run {
    /// The day, and the index of each in the order of [`WHO`], after each interval.
    indices: Vec<(f64, [f64; 3])>,
    /// When the jobs are nearly done, in days.
    done: f64,
}

pub(super) struct Sides(Vec<Run>);

/// The study's pool with the indices moved by `movement`.
pub(super) fn measure(lab: &Lab, study: Pool, replications: u64, movement: Movement) -> Sides {
    let mut pool = study;
    let arrivals = Arrivals { every: Lengths::Constant(days(COME)), batch: JOBS };
    pool.stations[0].user.arrivals = Some(arrivals);
    pool.span = Duration::from_ticks(days(DAYS) as u64);
    pool.points = (24.0 * DAYS) as usize;
    let replications: Vec<u64> = (0..replications).collect();
    Sides(lab.parallel(&replications, |&replication| run(&pool, movement, lab.seed, replication)))
}

fn days(count: f64) -> f64 {
    count * DAY as f64
}

fn run(pool: &Pool, movement: Movement, seed: u64, replication: u64) -> Run {
    let table = vec![ScheduleIndex::ZERO; pool.stations.len()];
    let mut indices = Vec::new();
    let fair = UpDown::new(table, movement).shuffled();
    let outcome = pool.run_by(fair, seed, replication, |now, fair| {
        let all: Vec<f64> = fair.indices().iter().map(number).collect();
        let three = [all[0], mean(&all[1..11]), all[12]];
        indices.push((now.ticks() as f64 / DAY as f64, three));
    });
    let points = outcome.expect("the experiment's own parameters fit").points;
    let busy = points.iter().rfind(|point| point.waiting[0] > FEW);
    Run { indices, done: busy.map_or(COME + 1.0, |point| point.at / DAY as f64) }
}

impl Run {
    fn mean(&self, who: Who, days: Range<f64>) -> f64 {
        let then = self.indices.iter().filter(|(day, _)| days.contains(day));
        mean(&then.map(|(_, three)| three[who as usize]).collect::<Vec<_>>())
    }

    fn before(&self, who: Who) -> f64 {
        self.mean(who, COME - 1.0..COME)
    }

    fn busy(&self, who: Who) -> f64 {
        self.mean(who, self.done - 1.0..self.done)
    }

    fn after(&self, who: Who) -> f64 {
        self.mean(who, DAYS - 1.0..DAYS)
    }
}

/// By how much an index is closer to that of light users than to that of the heavy one.
fn closer_to_light(of: impl Fn(Who) -> f64) -> f64 {
    (of(Who::Changes) - of(Who::Heavy)).abs() - (of(Who::Changes) - of(Who::Light)).abs()
}

impl Sides {
    fn case(&self, name: &str, figure: impl Fn(&Run) -> f64, expected: Expected) -> Case {
        Case::new(name, self.0.iter().map(figure).collect(), expected)
    }

    fn told(&self) -> String {
        let of =
            |figure: &dyn Fn(&Run) -> f64| mean(&self.0.iter().map(figure).collect::<Vec<_>>());
        let three = |at: fn(&Run, Who) -> f64| WHO.map(|(who, _)| of(&|run| at(run, who)));
        let (before, busy, after) = (three(Run::before), three(Run::busy), three(Run::after));
        format!(
            "Indices of that user, the other light ones and the heavy one: {:.0}, {:.0} and {:.0} on \
             the day before {JOBS} jobs come; {:.0}, {:.0} and {:.0} on the last day before they are \
             done, {:.1} days later; {:.0}, {:.0} and {:.0} on the last day of {DAYS}.",
            before[0],
            before[1],
            before[2],
            busy[0],
            busy[1],
            busy[2],
            of(&|run| run.done - COME),
            after[0],
            after[1],
            after[2],
        )
    }

    pub(super) fn claims(&self) -> [Claim; 3] {
        let heavy = |run: &Run| closer_to_light(|who| run.busy(who));
        let light = |run: &Run| closer_to_light(|who| run.after(who));
        let rises = |run: &Run| run.busy(Who::Changes) - run.before(Who::Changes);
        let falls = |run: &Run| run.after(Who::Changes) - run.busy(Who::Changes);
        let sides = [
            self.case("closer to light users while it has the jobs", heavy, Expected::LESS),
            self.case("closer to light users when they are done", light, Expected::MORE),
        ];
        let rises = self.case("while it has the jobs", rises, Expected::MORE);
        let falls = self.case("when they are done", falls, Expected::LESS);
        [
            judge::every(&sides, INDEX).on(&says::CHANGE_SIDES, self.told()),
            judge::every(&[rises], INDEX).on(&says::SI_INCREASES, self.told()),
            judge::every(&[falls], INDEX).on(&says::SI_DECREASES, self.told()),
        ]
    }

    /// The indices of the first replication.
    pub(super) fn plot(&self) -> Plot {
        let indices = self.0.first().map_or(&[][..], |run| &run.indices);
        let series = WHO.map(|(who, name)| {
            let points = indices.iter().map(|(day, three)| (*day, three[who as usize]));
            Series::exact(name, Shape::Step, points)
        });
        Plot {
            title: "A light user who gets as many jobs as a heavy one.".into(),
            caption: format!("On day {COME}, {JOBS} jobs. Condor's functions."),
            x: Axis::linear("time since the start (days)"),
            y: Axis::linear("schedule index"),
            series: series.into(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pools::check::{self, assert_all};
    use crate::pools::first_reading;
    use locox::fair::{Amount, Line, Linear};
    use locox_report::report::Verdict::{DoesNotHold, Holds};

    fn claims([f, g, h, l]: [u32; 4]) -> [Claim; 3] {
        let flat = |step| Line::flat(Amount::from_int(step));
        let set = Linear { f: flat(f), g: flat(g), h: flat(h), l: flat(l) };
        measure(&check::lab(), first_reading(7), 4, Movement::Linear(set)).claims()
    }

    /// Functions by which nothing is held against a user, and by which nothing is forgiven.
    #[test]
    fn wrong_functions_are_caught() {
        let all = [&says::CHANGE_SIDES, &says::SI_INCREASES, &says::SI_DECREASES];
        assert_all(&claims([10, 10, 1000, 10]), &all, Holds);
        assert_all(&claims([0, 10, 10, 10]), &[&says::SI_INCREASES], DoesNotHold);
        let never_forgiven = claims([10, 0, 0, 0]);
        assert_all(&never_forgiven, &[&says::SI_DECREASES], DoesNotHold);
        assert!(never_forgiven[0].verdict != Holds);
    }
}

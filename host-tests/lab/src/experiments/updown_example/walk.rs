//! The walk of one station's index, step by step as the text tells it.

use super::SOURCE;
use crate::report::{Axis, Cell, Claim, Plot, Series, Shape, Table, Verdict};
use locox::fair::{Condor, Demand, Fairness, ScheduleIndex, UpDown};

/// What happens, what the station then wants and holds, and the index in steps by the text.
const STEPS: [(&str, u16, u16, i32); 12] = [
    ("nothing yet", 0, 0, 0),
    ("a job arrives and waits: falls by g", 1, 0, -1),
    ("it still waits", 1, 0, -2),
    ("an allocation is made: rises by f", 0, 1, -1),
    ("one allocation", 0, 1, 0),
    ("two allocations: rises twice as fast", 0, 2, 2),
    ("two allocations", 0, 2, 4),
    ("one of the jobs completes: rises by f", 0, 1, 5),
    ("the second completes: falls by h", 0, 0, 4),
    ("nothing wanted", 0, 0, 3),
    ("nothing wanted", 0, 0, 2),
    ("nothing wanted", 0, 0, 1),
];

/// Intervals after the last step until the index has been at zero for a while.
const REST: usize = 4;
/// What f, g and h are in the default functions, with an interval of ten minutes.
const STEP: i32 = 10;

struct Step {
    what: &'static str,
    expected: i32,
    index: ScheduleIndex,
}

pub(super) struct Walk(Vec<Step>);

pub(super) fn walk() -> Walk {
    let mut fair = UpDown::new([ScheduleIndex::ZERO], Condor::default());
    let stays = std::iter::repeat_n(("at zero it stays", 0, 0, 0), REST);
    let steps = STEPS.into_iter().chain(stays).map(|(what, wants, holds, steps)| {
        fair.update(&[Demand { wants, holds }]).expect("one station, one entry");
        Step { what, expected: steps * STEP, index: fair.indices()[0] }
    });
    Walk(steps.collect())
}

impl Step {
    fn value(&self) -> f64 {
        f64::from(self.index.bits()) / f64::from(1 << ScheduleIndex::FRACTION_BITS)
    }

    fn is_as_told(&self) -> bool {
        self.index == ScheduleIndex::from_int(self.expected)
    }
}

impl Walk {
    pub(super) fn claim(&self) -> Claim {
        let Self(steps) = self;
        let told = steps.iter().filter(|step| step.is_as_told()).count();
        Claim {
            statement: "The index falls by g while a job waits, rises by f for one processor and \
                        by 2f for two, by f again when one job completes, falls by h to zero when \
                        the second has completed, and stays there until the station asks again"
                .into(),
            source: SOURCE.into(),
            verdict: Verdict::of(told == steps.len()),
            judged: None,
            evidence: format!(
                "The kernel's table is as told after {told} of {} updates.",
                steps.len()
            ),
        }
    }

    pub(super) fn table(&self) -> Table {
        let columns = [("update", "update"), ("what", "what happens"), ("index", "index")];
        let mut table = Table::new("The schedule index of one station, f = g = h = 10", &columns);
        for (update, step) in (0..).zip(&self.0) {
            table.push(vec![
                Cell::Count(update),
                Cell::text(step.what),
                Cell::Number(step.value(), 0),
            ]);
        }
        table
    }

    pub(super) fn plot(&self) -> Plot {
        let points = (0..).zip(&self.0).map(|(at, step)| (f64::from(at), step.value()));
        Plot {
            title: "The walk of the index.".into(),
            caption: "One update at each scheduling interval.".into(),
            x: Axis::linear("update"),
            y: Axis::linear("schedule index"),
            series: vec![Series::exact("schedule index", Shape::Step, points)],
        }
    }
}

//! The walk of one station's index, step by step as the text tells it.

use locox::fair::{Condor, Demand, Fairness, IndexFunctions, ScheduleIndex, UpDown};
use locox_report::judge;
use locox_report::report::{Axis, Cell, Claim, Plot, Series, Shape, Table};

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
    walk_by(Condor::default())
}

fn walk_by(functions: impl IndexFunctions) -> Walk {
    let mut fair = UpDown::new([ScheduleIndex::ZERO], functions);
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
        let steps = (1..).zip(&self.0);
        let name = |(update, step): (usize, &Step)| format!("update {update}: {}", step.what);
        let judged = judge::exactly(steps.map(|it| (name(it), it.1.is_as_told())));
        judged.claim(
            "The index falls by g while a job waits, rises by f for one processor and by 2f for \
             two, by f again when one job completes, falls by h to zero when the second has \
             completed, and stays there until the station asks again",
            "Mutka and Livny 1987, section 5.1",
            "The kernel's table, update by update.",
        )
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

#[cfg(test)]
mod tests {
    use super::*;
    use locox::fair::{Amount, Line, Linear};
    use locox_report::report::Verdict;

    #[test]
    fn the_verdict_can_fail() {
        assert_eq!(walk().claim().verdict, Verdict::Holds);
        let line = |step| Line::flat(Amount::from_int(step));
        let steep = Linear { f: line(20), g: line(10), h: line(10), l: line(10) };
        assert_eq!(walk_by(steep).claim().verdict, Verdict::HoldsInPart);
        let nothing = Linear { f: line(0), g: line(0), h: line(0), l: line(0) };
        let resting = walk_by(nothing).claim();
        assert_ne!(resting.verdict, Verdict::Holds);
    }
}

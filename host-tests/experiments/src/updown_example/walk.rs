//! The walk of one station's index, step by step as the text tells it.

use crate::pools::number;
use crate::sources::updown as says;
use locox::fair::{Condor, Demand, Fairness, IndexFunctions, ScheduleIndex, UpDown};
use locox_report::judge;
use locox_report::report::{Axis, Cell, Claim, Plot, Series, Shape, Table};

/// Which statement a step belongs to.
#[derive(Clone, Copy, PartialEq)]
enum Told {
    Begin,
    Waits,
    Rises,
    Falls,
    Stays,
}

/// What happens, what the station then wants and holds, and the index in steps by the text.
const STEPS: [(Told, &str, u16, u16, i32); 12] = [
    (Told::Begin, "nothing yet", 0, 0, 0),
    (Told::Waits, "a job arrives and waits: falls by g", 1, 0, -1),
    (Told::Waits, "it still waits", 1, 0, -2),
    (Told::Rises, "an allocation is made: rises by f", 0, 1, -1),
    (Told::Rises, "one allocation", 0, 1, 0),
    (Told::Rises, "two allocations: rises twice as fast", 0, 2, 2),
    (Told::Rises, "two allocations", 0, 2, 4),
    (Told::Rises, "one of the jobs completes: rises by f", 0, 1, 5),
    (Told::Falls, "the second completes: falls by h", 0, 0, 4),
    (Told::Falls, "nothing wanted", 0, 0, 3),
    (Told::Falls, "nothing wanted", 0, 0, 2),
    (Told::Falls, "nothing wanted", 0, 0, 1),
];
/// The step to zero, and those that follow: the index stays there until a node is asked for.
const TO_ZERO: (Told, &str, u16, u16, i32) = (Told::Falls, "nothing wanted", 0, 0, 0);
const RESTS: (Told, &str, u16, u16, i32) = (Told::Stays, "at zero it stays", 0, 0, 0);
const ASKS: (Told, &str, u16, u16, i32) = (Told::Stays, "it asks for a node", 1, 0, -1);

/// Intervals at zero.
const REST: usize = 3;
/// What f, g and h are in the default functions, with an interval of ten minutes.
const STEP: i32 = 10;

struct Step {
    told: Told,
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
    let rest = [TO_ZERO].into_iter().chain([RESTS; REST]).chain([ASKS]);
    let steps = STEPS.into_iter().chain(rest).map(|(told, what, wants, holds, steps)| {
        fair.update(&[Demand { wants, holds }]).expect("one station, one entry");
        Step { told, what, expected: steps * STEP, index: fair.indices()[0] }
    });
    Walk(steps.collect())
}

impl Step {
    fn is_as_told(&self) -> bool {
        self.index == ScheduleIndex::from_int(self.expected)
    }
}

impl Walk {
    pub(super) fn claims(&self) -> [Claim; 4] {
        let told = [
            (Told::Rises, &says::WALK_RISES),
            (Told::Falls, &says::WALK_FALLS),
            (Told::Waits, &says::WALK_WAITS),
            (Told::Stays, &says::WALK_STAYS),
        ];
        told.map(|(told, statement)| {
            let steps = (1..).zip(&self.0).filter(|(_, step)| step.told == told);
            let name = |(update, step): (usize, &Step)| format!("update {update}: {}", step.what);
            let judged = judge::exactly(steps.map(|it| (name(it), it.1.is_as_told())));
            judged.on(statement, "")
        })
    }

    pub(super) fn table(&self) -> Table {
        let columns = [("update", "update"), ("what", "what happens"), ("index", "index")];
        let mut table = Table::new("The schedule index of one station, f = g = h = 10", &columns);
        for (update, step) in (0..).zip(&self.0) {
            table.push(vec![
                Cell::Count(update),
                Cell::text(step.what),
                Cell::Number(number(&step.index), 0),
            ]);
        }
        table
    }

    pub(super) fn plot(&self) -> Plot {
        let points = (0..).zip(&self.0).map(|(at, step)| (f64::from(at), number(&step.index)));
        Plot {
            title: "The walk of the index.".into(),
            caption: "One update at each scheduling interval.".into(),
            x: Axis::linear("number of the update"),
            y: Axis::linear("schedule index"),
            series: vec![Series::exact("schedule index", Shape::Step, points)],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use locox::fair::{Amount, Line, Linear};
    use locox_report::report::Verdict::{self, DoesNotHold, Holds};

    /// Of rising, falling, waiting and staying.
    fn verdicts(walk: &Walk) -> [Verdict; 4] {
        walk.claims().map(|claim| claim.verdict)
    }

    #[test]
    fn wrong_functions_walk_otherwise() {
        assert_eq!(verdicts(&walk()), [Holds; 4]);
        let line = |step| Line::flat(Amount::from_int(step));
        let steep = Linear { f: line(20), g: line(10), h: line(10), l: line(10) };
        assert_eq!(verdicts(&walk_by(steep))[0], DoesNotHold);
        let nothing = Linear { f: line(0), g: line(0), h: line(0), l: line(0) };
        let [rises, falls, waits, stays] = verdicts(&walk_by(nothing));
        assert_eq!([rises, falls, waits], [DoesNotHold; 3]);
        assert_ne!(stays, Holds);
    }
}

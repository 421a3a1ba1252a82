//! The scheduling interval: not too often, and often enough.

use super::Lab;
use crate::pools::{CLASSES, Case, DAY, estimate, first_reading, paired, replicate};
use crate::sources::updown as says;
use crate::thresholds::UPDOWN_DEARER;
use locox::time::Duration;
use locox_coordinators::station::{Config, Trigger};
use locox_models::workstation::{Outcome, Policy, Pool};
use locox_report::judge::{self, Expected, Unit};
use locox_report::report::{Block, Cell, Claim, Table};

/// Minutes; the study's is in the middle.
const INTERVALS: [u64; 3] = [2, 10, 60];

/// When it schedules besides.
const TRIGGERS: [(Trigger, &str); 2] = [
    (Trigger::Capacity, "and whenever a processor becomes free, as in the study"),
    (Trigger::IntervalOnly, "at no other time"),
];

/// The study's pool under Up-Down with the heaviest user, by interval.
pub(super) struct Measured {
    trigger: &'static str,
    runs: Vec<Vec<Outcome>>,
}

pub(super) fn measure(
    lab: &Lab,
    span: Duration,
    replications: u64,
    by: impl Fn(&Case, u64, u64) -> Outcome + Sync,
) -> [Measured; 2] {
    TRIGGERS.map(|(trigger, name)| {
        let cases = INTERVALS.map(|minutes| {
            let pool = Pool { span, ..first_reading(13) };
            let interval = Duration::from_ticks(60 * minutes);
            let config = Config { interval, trigger, ..pool.config };
            Case { pool: Pool { config, ..pool }, policy: Policy::STUDY[0] }
        });
        Measured { trigger: name, runs: replicate(lab, &cases, replications, &by) }
    })
}

/// Processor time that moves to a processor take, in per cent of all.
pub(super) fn moving(outcome: &Outcome) -> f64 {
    100.0 * 60.0 * outcome.all().placements as f64 / outcome.available
}

/// The share of time in which a light user waits, in per cent.
fn waiting(outcome: &Outcome) -> f64 {
    let light = CLASSES[0].1.clone();
    100.0 * outcome.of(light.clone()).wait / (outcome.span * light.len() as f64)
}

pub(super) fn claims([as_in_study, alone]: &[Measured; 2]) -> [Claim; 3] {
    let moves = as_in_study.steps(moving, Expected::Inside(f64::NEG_INFINITY, -UPDOWN_DEARER));
    let waits = |measured: &Measured, variant: &str| {
        let cases = measured.steps(waiting, Expected::MORE);
        let judged = judge::every(&cases, Unit("% of the time", 2));
        judged.on(&says::OFTEN_ENOUGH, measured.told(waiting)).variant(variant)
    };
    let judged = judge::every(&moves, Unit("% of all processor time", 2));
    [
        judged.on(&says::NOT_TOO_OFTEN, as_in_study.told(moving)),
        waits(as_in_study, "whenever a processor becomes free as well"),
        waits(alone, "at intervals only"),
    ]
}

impl Measured {
    /// A figure by interval, in words.
    fn told(&self, figure: fn(&Outcome) -> f64) -> String {
        let one = |(runs, minutes): (&Vec<Outcome>, u64)| {
            format!("{:.2} % at {minutes} minutes", estimate(runs, figure))
        };
        let all: Vec<String> = self.runs.iter().zip(INTERVALS).map(one).collect();
        format!("{}.", all.join(", "))
    }

    /// From each interval to the next longer one.
    fn steps(&self, figure: fn(&Outcome) -> f64, expected: Expected) -> Vec<judge::Case> {
        let pairs = self.runs.windows(2).zip(INTERVALS.windows(2));
        let step = |(runs, minutes): (&[Vec<Outcome>], &[u64])| {
            let name = format!("from {} to {} minutes", minutes[0], minutes[1]);
            judge::Case::new(name, paired(&runs[0], &runs[1], figure), expected)
        };
        pairs.map(step).collect()
    }
}

pub(super) fn blocks(measured: &[Measured; 2]) -> Vec<Block> {
    let columns = [
        ("schedules", "schedules at intervals"),
        ("interval_min", "interval (min)"),
        ("moving", "moves (% of processor time)"),
        ("waiting", "a light user waits (% of time)"),
        ("preemptions", "preemptions a day"),
    ];
    let mut table =
        Table::new("Up-Down by scheduling interval, 13 jobs of the heavy user", &columns);
    for one in measured {
        for (runs, minutes) in one.runs.iter().zip(INTERVALS) {
            let daily = |outcome: &Outcome| outcome.preemptions as f64 * DAY as f64 / outcome.span;
            table.push(vec![
                Cell::text(one.trigger),
                Cell::Count(minutes),
                Cell::Estimate(estimate(runs, moving), 2),
                Cell::Estimate(estimate(runs, waiting), 2),
                Cell::Estimate(estimate(runs, daily), 1),
            ]);
        }
    }
    vec![Block::Table(table)]
}

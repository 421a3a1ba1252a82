//! Placement against queue: which of the two decides how much of a hypercube is used?

use super::difference::signed;
use super::{Experiment, Findings, Lab};
use locox::cube::Dim;
use locox_models::machine::{Hypercube, StrategyKind};
use locox_models::replay::{QueueKind, saturated};
use locox_models::stats::Estimate;
use locox_models::workload::synthetic::{Class, Synthetic, TICKS_PER_UNIT};
use locox_report::judge::{self, Case, Expected, Unit};
use locox_report::report::{
    Axis, Block, Cell, Claim, Fact, Plot, Point, Series, Shape, Table, counted,
};

pub(super) const EXPERIMENT: Experiment = Experiment {
    name: "queue-matters",
    title: "Placement against queue on a saturated 7-cube",
    source: "Krueger, Lai, Dixit-Radiya 1994, by its abstract; figures worked out for this project",
    about: "Jobs that ask for subcubes always wait in front of a 7-cube. Either the strategy \
            recognises more subcubes, or the queue lets other jobs than the oldest start. Which \
            of the two gets more nodes used?",
    statements: &[],
    run: |lab| Ok(run(lab)),
};

const SEVEN: Dim = Dim::new(7).unwrap();

/// Jobs that always wait: as many as the widest window looks at.
const WAITING: usize = 32;

/// Widths of windows in the plot; 1 is first come, first served.
const WIDTHS: [u32; 6] = [1, 2, 4, 8, 16, 32];

const QUEUES: [QueueKind; 4] =
    [QueueKind::Window(16), QueueKind::ScanUp, QueueKind::ScanDown, QueueKind::Lazy];

fn queues() -> Vec<QueueKind> {
    let windows = WIDTHS.map(QueueKind::Window);
    [&windows[..], &QUEUES[1..]].concat()
}

/// First come, first served.
const FCFS: QueueKind = QueueKind::Window(1);

/// Sizes of jobs; service times are exponential with the same mean, but for those of the real
/// machine.
fn recipes(jobs: usize) -> Vec<Synthetic> {
    let service = TICKS_PER_UNIT as f64;
    let all = |largest| Synthetic::subcubes(SEVEN, 0..=largest, service, jobs);
    let weighted = |name: &str, weight: fn(i32) -> f64| {
        let class = |dim: i32| Class { processors: 1 << dim, weight: weight(dim), service };
        Synthetic { name: name.into(), classes: (0..7).map(class).collect(), ..all(6) }
    };
    vec![
        Synthetic { name: "1 to 64 nodes, equally frequent".into(), ..all(6) },
        Synthetic { name: "1 to 32 nodes, equally frequent".into(), ..all(5) },
        weighted("1 to 64 nodes, large ones rarer", |dim| 0.7f64.powi(dim)),
        weighted("1 to 64 nodes, small ones rarer", |dim| 0.7f64.powi(6 - dim)),
        Synthetic { name: "as on a 7-cube of 1993".into(), jobs, ..Synthetic::cube_day() },
    ]
}

/// Nodes in use on one workload, in per cent.
struct Outcome {
    name: String,
    /// By queue, strategy and replication.
    used: Vec<Vec<Vec<f64>>>,
}

impl Outcome {
    fn of(&self, queue: QueueKind, kind: StrategyKind) -> &[f64] {
        let queue = queues().iter().position(|&it| it == queue).expect("the queue is measured");
        let kind = StrategyKind::ALL.iter().position(|&it| it == kind).expect("all are measured");
        &self.used[queue][kind]
    }

    fn used(&self, queue: QueueKind, kind: StrategyKind) -> Estimate {
        Estimate::of(self.of(queue, kind))
    }

    /// Percentage points that are used more, replication by replication.
    fn gain(&self, more: (QueueKind, StrategyKind), less: (QueueKind, StrategyKind)) -> Vec<f64> {
        minus(self.of(more.0, more.1), self.of(less.0, less.1))
    }
}

fn run(lab: &Lab) -> Findings {
    let (jobs, replications) = lab.either((1_000, 4), (10_000, 10));
    let recipes = recipes(jobs);
    let items: Vec<(usize, u64)> = (0..recipes.len())
        .flat_map(|recipe| (0..replications).map(move |replication| (recipe, replication)))
        .collect();
    let runs = lab.parallel(&items, |&(recipe, replication)| {
        replicate(&recipes[recipe], lab.seed, replication)
    });
    let outcomes: Vec<Outcome> = recipes
        .iter()
        .zip(runs.chunks(replications as usize))
        .map(|(recipe, runs)| Outcome { name: recipe.name.clone(), used: turn(runs) })
        .collect();
    Findings {
        parameters: vec![
            Fact::new(
                "jobs of a replication",
                format!("{}, the first tenth not counted", counted(jobs as u64)),
            ),
            Fact::new("replications", replications),
            Fact::new("jobs that always wait", WAITING),
            Fact::new("service times", "exponential"),
        ],
        claims: claims(&outcomes),
        results: vec![Block::Plot(plot(&outcomes[0])), Block::Table(table(&outcomes))],
    }
}

/// By queue and strategy. All see the same jobs.
fn replicate(recipe: &Synthetic, seed: u64, replication: u64) -> Vec<Vec<f64>> {
    let workload = recipe.generate(seed, replication).expect("the recipes are sound");
    let used = |queue, kind| {
        let mut cube = Hypercube::new(SEVEN, kind);
        let warm_up = workload.jobs.len() / 10;
        let full = saturated(&workload.jobs, &mut cube, queue, WAITING, warm_up);
        full.expect("there are enough jobs to saturate the machine").utilisation * 100.0
    };
    let by_kind = |queue| StrategyKind::ALL.map(|kind| used(queue, kind)).into();
    queues().into_iter().map(by_kind).collect()
}

/// From replication, queue, strategy to queue, strategy, replication.
fn turn(runs: &[Vec<Vec<f64>>]) -> Vec<Vec<Vec<f64>>> {
    let values = |queue: usize, kind: usize| runs.iter().map(|run| run[queue][kind]).collect();
    let kinds = |queue| (0..StrategyKind::ALL.len()).map(|kind| values(queue, kind)).collect();
    (0..queues().len()).map(kinds).collect()
}

fn plot(outcome: &Outcome) -> Plot {
    let series = StrategyKind::ALL.map(|kind| {
        let point = |width: u32| {
            let used = outcome.used(QueueKind::Window(width), kind);
            Point { x: f64::from(width), y: 100.0 - used.mean, half_width: used.half_width }
        };
        Series { name: kind.name().into(), shape: Shape::Line, points: WIDTHS.map(point).into() }
    });
    Plot {
        title: "Idle nodes, by how many waiting jobs may start.".into(),
        caption: format!(
            "{}. A window of 1 is first come, first served. 95 % confidence intervals.",
            outcome.name
        ),
        x: Axis::log("jobs that the queue looks at"),
        y: Axis::linear("idle nodes (%)"),
        series: series.into(),
    }
}

fn table(outcomes: &[Outcome]) -> Table {
    let mut columns = vec![("sizes", "sizes of jobs"), ("queue", "queue")];
    columns.extend(StrategyKind::ALL.iter().map(|kind| (kind.name(), kind.name())));
    let mut table = Table::new("Nodes in use (%) while jobs always wait", &columns);
    for outcome in outcomes {
        for queue in [&[FCFS], &QUEUES[..]].concat() {
            let name = if queue == FCFS { QueueKind::Fcfs } else { queue };
            let mut row = vec![Cell::text(&outcome.name), Cell::text(name.to_string())];
            row.extend(StrategyKind::ALL.map(|kind| Cell::Estimate(outcome.used(queue, kind), 1)));
            table.push(row);
        }
    }
    table
}

fn minus(a: &[f64], b: &[f64]) -> Vec<f64> {
    a.iter().zip(b).map(|(a, b)| a - b).collect()
}

/// Percentage points of utilisation that the queue gains under a strategy.
fn by_queue(outcome: &Outcome, kind: StrategyKind) -> Vec<f64> {
    outcome.gain((QueueKind::Window(16), kind), (FCFS, kind))
}

/// Percentage points that complete recognition gains over buddy.
fn by_placement(outcome: &Outcome) -> Vec<f64> {
    outcome.gain((FCFS, StrategyKind::Complete), (FCFS, StrategyKind::Buddy))
}

const POINTS: Unit = Unit("percentage points of utilisation", 1);

fn claims(outcomes: &[Outcome]) -> Vec<Claim> {
    let buddy = |outcome: &Outcome| by_queue(outcome, StrategyKind::Buddy);
    let (first, all) = (&outcomes[..1], outcomes);
    let queue = "Letting any of 16 waiting jobs start lifts the utilisation";
    let placement = "Complete recognition lifts it over buddy";
    vec![
        queue_before_placement(outcomes),
        range(queue, (17, 22), first, buddy),
        range(placement, (3, 7), first, by_placement),
        range(queue, (17, 22), all, buddy),
        range(placement, (3, 7), all, by_placement),
    ]
}

/// What a window gains, under each strategy, less what complete recognition gains over buddy.
fn queue_before_placement(outcomes: &[Outcome]) -> Claim {
    let case = |(outcome, kind): (&Outcome, StrategyKind)| {
        let more = minus(&by_queue(outcome, kind), &by_placement(outcome));
        Case::new(format!("{}, {kind}", outcome.name), more, Expected::MORE)
    };
    let all = outcomes.iter().flat_map(|outcome| StrategyKind::ALL.map(|kind| (outcome, kind)));
    let cases: Vec<Case> = all.map(case).collect();
    judge::every(&cases, POINTS).claim(
        "Which job is next matters more than which subcube it gets",
        "Krueger, Lai, Dixit-Radiya 1994",
        "What a window of 16 gains over first come, first served, less what complete recognition \
         gains over buddy.",
    )
}

/// A claim that gains, rounded to points, lie in a range; the figures do not say for which jobs.
fn range(
    statement: &str,
    (low, high): (u32, u32),
    outcomes: &[Outcome],
    gain: impl Fn(&Outcome) -> Vec<f64>,
) -> Claim {
    let expected = Expected::Inside(f64::from(low) - 0.5, f64::from(high) + 0.5);
    let case = |outcome: &Outcome| Case::new(&outcome.name, gain(outcome), expected);
    let cases: Vec<Case> = outcomes.iter().map(case).collect();
    let jobs = match outcomes {
        [only] => only.name.clone(),
        _ => "whatever their sizes".into(),
    };
    let one = |case: &Case| format!("{} ({})", signed(Estimate::of(&case.differences)), case.name);
    let list: Vec<String> = cases.iter().map(one).collect();
    judge::every(&cases, POINTS).claim(
        format!("{statement} by {low} to {high} percentage points; jobs: {jobs}"),
        "worked out for this project, sizes of jobs not recorded",
        format!("{}.", list.join("; ")),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use locox_report::report::Verdict;

    /// Outcomes in which a window gains `queue` points and complete recognition `placement`.
    fn outcomes(queue: f64, placement: f64) -> Vec<Outcome> {
        let used = |window: bool, kind| {
            let of_kind = if kind == StrategyKind::Complete { placement } else { 0.0 };
            let mean = 50.0 + of_kind + if window { queue } else { 0.0 };
            // What the draws do to all alike, and a little to each.
            (0..5).map(|at| mean + f64::from(at) + 0.125 * f64::from(at * at % 3)).collect()
        };
        let of = |queue: QueueKind| StrategyKind::ALL.map(|kind| used(queue != FCFS, kind)).into();
        let recipes = recipes(10).into_iter();
        recipes
            .map(|recipe| Outcome {
                name: recipe.name,
                used: queues().into_iter().map(of).collect(),
            })
            .collect()
    }

    fn verdicts(queue: f64, placement: f64) -> Vec<Verdict> {
        claims(&outcomes(queue, placement)).into_iter().map(|claim| claim.verdict).collect()
    }

    #[test]
    fn every_verdict_can_fail() {
        use Verdict::{DoesNotHold, Holds};
        assert_eq!(verdicts(20.0, 5.0), [Holds; 5]);
        assert_eq!(verdicts(5.0, 20.0), [DoesNotHold; 5]);
        assert_eq!(verdicts(5.0, 5.0)[0], Verdict::Undecided);
        assert_eq!(verdicts(30.0, 5.0), [Holds, DoesNotHold, Holds, DoesNotHold, Holds]);
    }
}

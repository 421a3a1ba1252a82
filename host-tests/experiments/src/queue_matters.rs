//! Placement against queue: which of the two decides how much of a hypercube is used?

use super::difference::{minus, signed};
use super::sources::hypercubes::{
    COMPLETE_LIFTS, FAR_MORE_IMPACT, LAZY_OVER_FCFS, LAZY_OVER_SCAN, LITTLE_DIFFERENCE, NEGLIGIBLE,
    WINDOW_LIFTS,
};
use super::sources::turner_meshes::{FCFS_LOWER, QUEUE_BEFORE_PLACEMENT};
use super::thresholds::{
    QUEUE_COMPLETE_GAINS, QUEUE_DRAMATIC, QUEUE_FAR_MORE, QUEUE_LITTLE, QUEUE_NEGLIGIBLE,
    QUEUE_WINDOW_GAINS,
};
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
    source: "Turner 1995, chapter 2; Krueger, Lai, Dixit-Radiya 1994 and Mohapatra, Yu, Das, Kim 1993, by \
             their abstracts",
    about: "Jobs that ask for subcubes always wait in front of a 7-cube. Either the strategy \
            recognises more subcubes, or the queue lets other jobs than the oldest start. Which \
            of the two gets more nodes used?",
    statements: &[
        &FCFS_LOWER,
        &QUEUE_BEFORE_PLACEMENT,
        &FAR_MORE_IMPACT,
        &NEGLIGIBLE,
        &LITTLE_DIFFERENCE,
        &LAZY_OVER_FCFS,
        &LAZY_OVER_SCAN,
        &WINDOW_LIFTS,
        &COMPLETE_LIFTS,
    ],
    run: |lab| Ok(run(lab)),
    #[cfg(test)]
    planted: tests::planted,
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
    let outcomes = study(lab, &recipes(jobs), replications, |queue| queue);
    Findings {
        parameters: vec![
            Fact::new(
                "jobs of a replication",
                format!("{}, the first tenth not counted", counted(jobs as u64)),
            ),
            Fact::new("replications", replications),
            Fact::new("machine", "a 7-cube"),
            Fact::new(
                "sizes of jobs",
                recipes(1).iter().map(|it| &it.name[..]).collect::<Vec<_>>().join("; "),
            ),
            Fact::new("strategies", StrategyKind::ALL.map(StrategyKind::name).join(", ")),
            Fact::new("jobs that always wait", WAITING),
            Fact::new("service times", "exponential"),
        ],
        claims: claims(&outcomes),
        results: vec![Block::Plot(plot(&outcomes[0])), Block::Table(table(&outcomes))],
    }
}

/// The queue that is run under the name of one.
type Run = fn(QueueKind) -> QueueKind;

fn study(lab: &Lab, recipes: &[Synthetic], replications: u64, run: Run) -> Vec<Outcome> {
    let items: Vec<(usize, u64)> = (0..recipes.len())
        .flat_map(|recipe| (0..replications).map(move |replication| (recipe, replication)))
        .collect();
    let runs = lab.parallel(&items, |&(recipe, replication)| {
        replicate(&recipes[recipe], lab.seed, replication, run)
    });
    let of_recipe = |(recipe, runs): (&Synthetic, &[Vec<Vec<f64>>])| Outcome {
        name: recipe.name.clone(),
        used: turn(runs),
    };
    recipes.iter().zip(runs.chunks(replications as usize)).map(of_recipe).collect()
}

/// By queue and strategy. All see the same jobs.
fn replicate(recipe: &Synthetic, seed: u64, replication: u64, run: Run) -> Vec<Vec<f64>> {
    let workload = recipe.generate(seed, replication).expect("the recipes are sound");
    let used = |queue, kind| {
        let mut cube = Hypercube::new(SEVEN, kind);
        let warm_up = workload.jobs.len() / 10;
        let full = saturated(&workload.jobs, &mut cube, run(queue), WAITING, warm_up);
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

/// Percentage points of utilisation that a queue gains under a strategy over first come, first served.
fn by_queue(outcome: &Outcome, queue: QueueKind, kind: StrategyKind) -> Vec<f64> {
    outcome.gain((queue, kind), (FCFS, kind))
}

/// Percentage points that complete recognition gains over buddy behind a queue.
fn by_placement(outcome: &Outcome, queue: QueueKind) -> Vec<f64> {
    outcome.gain((queue, StrategyKind::Complete), (queue, StrategyKind::Buddy))
}

const POINTS: Unit = Unit("percentage points of utilisation", 1);
const WINDOW: QueueKind = QueueKind::Window(16);
const SCANS: [QueueKind; 2] = [QueueKind::ScanUp, QueueKind::ScanDown];

fn claims(outcomes: &[Outcome]) -> Vec<Claim> {
    // Of each workload and strategy.
    let each = |expected: Expected, gain: &dyn Fn(&Outcome, StrategyKind) -> Vec<f64>| {
        let all = outcomes.iter().flat_map(|outcome| StrategyKind::ALL.map(|kind| (outcome, kind)));
        let case = |(outcome, kind): (&Outcome, StrategyKind)| {
            Case::new(format!("{}, {kind}", outcome.name), gain(outcome, kind), expected)
        };
        all.map(case).collect::<Vec<_>>()
    };
    // Of each workload.
    let placement = |queue, expected| {
        let case = |it: &Outcome| Case::new(&it.name, by_placement(it, queue), expected);
        outcomes.iter().map(case).collect::<Vec<_>>()
    };
    // What a queue gains, less so many times what the placement does.
    let before_placement = |queue, times: f64| {
        each(Expected::MORE, &|outcome, kind| {
            let placed = by_placement(outcome, FCFS).into_iter().map(|gain| times * gain);
            minus(&by_queue(outcome, queue, kind), &placed.collect::<Vec<_>>())
        })
    };
    let every = |cases: Vec<Case>| judge::every(&cases, POINTS);
    let dramatic = Expected::Inside(QUEUE_DRAMATIC, f64::INFINITY);
    let mut claims = vec![
        judge::some(&each(Expected::MORE, &|it, kind| by_queue(it, WINDOW, kind)), POINTS).on(
            &FCFS_LOWER,
            "How many points more are in use behind the queue that lets smaller jobs pass.",
        ),
        every(before_placement(WINDOW, 1.0))
            .on(&QUEUE_BEFORE_PLACEMENT, "What the one gains less what the other gains."),
        every(placement(FCFS, Expected::alike(QUEUE_LITTLE)))
            .on(&LITTLE_DIFFERENCE, placement_told(outcomes, FCFS)),
        every(each(dramatic, &|it, kind| by_queue(it, QueueKind::Lazy, kind)))
            .on(&LAZY_OVER_FCFS, queue_told(outcomes, &[FCFS, QueueKind::Lazy])),
    ];
    for scan in SCANS {
        let lazy = |it: &Outcome, kind| it.gain((QueueKind::Lazy, kind), (scan, kind));
        claims.extend([
            every(before_placement(scan, QUEUE_FAR_MORE))
                .on(
                    &FAR_MORE_IMPACT,
                    format!(
                        "Compared is what Scan gains less twice what complete recognition gains. {} {}",
                        queue_told(outcomes, &[FCFS, scan]),
                        placement_told(outcomes, FCFS)
                    ),
                )
                .variant(scan.to_string()),
            every(before_placement(scan, 1.0))
                .on(
                    &QUEUE_BEFORE_PLACEMENT,
                    "What Scan gains less what complete recognition gains.",
                )
                .variant(scan.to_string()),
            every(placement(scan, Expected::alike(QUEUE_NEGLIGIBLE)))
                .on(&NEGLIGIBLE, placement_told(outcomes, scan))
                .variant(scan.to_string()),
            every(each(Expected::MORE, &lazy))
                .on(&LAZY_OVER_SCAN, queue_told(outcomes, &[scan, QueueKind::Lazy]))
                .variant(scan.to_string()),
        ]);
    }
    let any = "whatever their sizes";
    for (outcomes, jobs) in [(&outcomes[..1], &outcomes[0].name[..]), (outcomes, any)] {
        claims.extend(gains(outcomes).map(|claim| claim.variant(format!("jobs: {jobs}"))));
    }
    claims
}

/// What queues use of the machine, by workload: the least and the most over the strategies.
fn queue_told(outcomes: &[Outcome], queues: &[QueueKind]) -> String {
    let of = |outcome: &Outcome, queue: QueueKind| {
        let used = StrategyKind::ALL.map(|kind| outcome.used(queue, kind).mean);
        let least = used.into_iter().fold(f64::INFINITY, f64::min);
        let most = used.into_iter().fold(0.0, f64::max);
        let name = if queue == FCFS { QueueKind::Fcfs } else { queue };
        format!("{least:.1} to {most:.1} under {name}")
    };
    let one = |outcome: &Outcome| {
        let each: Vec<String> = queues.iter().map(|&queue| of(outcome, queue)).collect();
        format!("{}: {}", outcome.name, each.join(", "))
    };
    let all: Vec<String> = outcomes.iter().map(one).collect();
    format!("Nodes in use in per cent, over the strategies: {}.", all.join("; "))
}

/// What complete recognition gains over the buddy system behind a queue, by workload.
fn placement_told(outcomes: &[Outcome], queue: QueueKind) -> String {
    let one = |outcome: &Outcome| {
        format!("{}: {}", outcome.name, signed(Estimate::of(&by_placement(outcome, queue))))
    };
    let all: Vec<String> = outcomes.iter().map(one).collect();
    format!("Complete recognition gains in percentage points: {}.", all.join("; "))
}

/// How much a window gains under the buddy system, and complete recognition over it.
fn gains(outcomes: &[Outcome]) -> [Claim; 2] {
    type Gained = fn(&Outcome) -> Vec<f64>;
    let within = |(low, high): (f64, f64), gained: Gained| {
        let expected = Expected::Inside(low, high);
        let case = |it: &Outcome| Case::new(&it.name, gained(it), expected);
        let cases: Vec<Case> = outcomes.iter().map(case).collect();
        let one =
            |case: &Case| format!("{}: {}", case.name, signed(Estimate::of(&case.differences)));
        let told = cases.iter().map(one).collect::<Vec<_>>().join("; ");
        (judge::every(&cases, POINTS), format!("{told}."))
    };
    let (window, by_window) =
        within(QUEUE_WINDOW_GAINS, |it| by_queue(it, WINDOW, StrategyKind::Buddy));
    let (complete, by_complete) = within(QUEUE_COMPLETE_GAINS, |it| by_placement(it, FCFS));
    [window.on(&WINDOW_LIFTS, by_window), complete.on(&COMPLETE_LIFTS, by_complete)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use locox_report::progress::Progress;
    use locox_report::report::Verdict::{self, DoesNotHold, Holds};

    /// Outcomes in which a window gains `queue` points and complete recognition `placement`.
    fn made(queue: f64, placement: f64) -> Vec<Outcome> {
        let used = |window: bool, kind| {
            let of_kind = if kind == StrategyKind::Complete { placement } else { 0.0 };
            let mean = 50.0 + of_kind + if window { queue } else { 0.0 };
            // What the draws do to all alike, and a little to each.
            (0..5).map(|at| mean + f64::from(at) + 0.125 * f64::from(at * at % 3)).collect()
        };
        let of = |queue: QueueKind| StrategyKind::ALL.map(|kind| used(queue != FCFS, kind)).into();
        let outcome = |recipe: Synthetic| Outcome {
            name: recipe.name,
            used: queues().into_iter().map(of).collect(),
        };
        recipes(10).into_iter().map(outcome).collect()
    }

    #[test]
    fn gains_that_are_too_large_or_too_small_turn_the_verdicts() {
        let verdicts = |queue, placement| gains(&made(queue, placement)).map(|claim| claim.verdict);
        assert_eq!(verdicts(20.0, 5.0), [Holds, Holds]);
        assert_eq!(verdicts(5.0, 20.0), [DoesNotHold, DoesNotHold]);
        assert_eq!(verdicts(30.0, 5.0), [DoesNotHold, Holds]);
        assert_eq!(verdicts(20.0, 1.0), [Holds, DoesNotHold]);
    }

    fn judged(run: Run) -> Vec<Claim> {
        let lab = Lab::new(crate::Effort::Quick, 1, Progress::hidden());
        claims(&study(&lab, &recipes(600)[..1], 4, run))
    }

    pub(super) fn planted() -> [Vec<Claim>; 2] {
        [judged(|queue| queue), judged(|_| FCFS)]
    }

    fn verdicts(run: Run, ids: [&str; 3]) -> [Verdict; 3] {
        let found = judged(run);
        ids.map(|id| found.iter().find(|claim| claim.id() == id).expect("it is judged").verdict)
    }

    /// Whoever waits longest is next, whatever the queue is called.
    #[test]
    fn a_queue_that_lets_nobody_pass_turns_the_verdicts() {
        let ids = [
            "turner-1995/p11/fcfs-blocks",
            "turner-1995/p21/queue-before-placement",
            "mohapatra-1993/abstract/lazy-over-fcfs",
        ];
        assert_eq!(verdicts(|queue| queue, ids), [Holds; 3]);
        let wrong = verdicts(|_| FCFS, ids);
        assert_eq!(wrong, [Verdict::Undecided, DoesNotHold, DoesNotHold]);
    }
}

//! What backfilling is worth where jobs need places, what places cost, and how many promises help.

use super::difference::{minus, percent_above, signed};
use super::sources::places::{
    BACKFILLING_SOONER, MORE_PROMISES_LATER, PLACES_COST_LESS, PLACES_COST_LITTLE, TAIL_ALIKE,
};
use super::thresholds::{PLACES_LITTLE, PROMISES_ALIKE};
use super::{Experiment, Findings, Lab};
use locox::cube::Dim;
use locox::grid::Placement;
use locox_models::machine::{
    GridMachine, Hypercube, Machine, Nearness, Pool, Racks, StrategyKind, tree_machine,
};
use locox_models::replay::{Options, QueueKind, replay};
use locox_models::stats::Estimate;
use locox_models::workload::synthetic::Synthetic;
use locox_report::judge::{self, Case, Expected, Unit};
use locox_report::report::{Block, Cell, Claim, Fact, Table, counted};

pub(super) const EXPERIMENT: Experiment = Experiment {
    name: "where-and-when",
    title: "Backfilling with places",
    source: "ours; sizes and run times of jobs: the log of the iPSC/860 at NASA Ames, 1993",
    about: "The same jobs come to 128 nodes: to any of them, to racks of 16, to a 7-cube and to a torus of 8x4x4. \
            Either nobody overtakes, or the first jobs in line are promised a time and a place, and others start \
            where that delays no promise. How long do jobs wait, and what of that is due to places? Jobs ask for the \
            time that they take.",
    statements: &[
        &BACKFILLING_SOONER,
        &PLACES_COST_LESS,
        &PLACES_COST_LITTLE,
        &MORE_PROMISES_LATER,
        &TAIL_ALIKE,
    ],
    run: |lab| Ok(run(lab)),
    #[cfg(test)]
    planted: tests::planted,
};

const NODES: u32 = 128;
const SEVEN: Dim = Dim::new(7).unwrap();
const LOAD: f64 = 0.75;

/// What a job gets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    Any,
    Racks,
    Subcubes(StrategyKind),
    Boxes(Placement),
}

/// Those with places come behind the one without.
const WAYS: [Way; 6] = [
    Way::Any,
    Way::Racks,
    Way::Subcubes(StrategyKind::Complete),
    Way::Subcubes(StrategyKind::Buddy),
    Way::Boxes(Placement::Corner),
    Way::Boxes(Placement::First),
];

/// On which more promises than one are made, too.
const COMPLETE: usize = 2;

/// In turn, and one promise; then more.
const QUEUES: [QueueKind; 5] = [
    QueueKind::Fcfs,
    QueueKind::Promises(1),
    QueueKind::Promises(4),
    QueueKind::Promises(16),
    QueueKind::Promises(u32::MAX),
];
const IN_TURN: usize = 0;
const ONE: usize = 1;
const MORE: [usize; 3] = [2, 3, 4];

impl Way {
    fn name(self) -> String {
        match self {
            Self::Any => "any nodes".into(),
            Self::Racks => "racks of 16".into(),
            Self::Subcubes(kind) => format!("7-cube, {kind}"),
            Self::Boxes(placement) => format!("torus of 8x4x4, {placement}"),
        }
    }

    fn machine(self) -> Box<dyn Machine> {
        let racks: Racks = "tree:8x16".parse().expect("racks");
        let torus = "torus:8x4x4".parse().expect("a torus");
        match self {
            Self::Any => Box::new(Pool::new(NODES)),
            Self::Racks => tree_machine(racks, Nearness::Required),
            Self::Subcubes(kind) => Box::new(Hypercube::new(SEVEN, kind)),
            Self::Boxes(placement) => Box::new(GridMachine::new(torus, placement)),
        }
    }

    /// Behind which queues it is measured.
    fn queues(self) -> usize {
        if self == WAYS[COMPLETE] { QUEUES.len() } else { ONE + 1 }
    }
}

/// Waits of one replication, in minutes.
#[derive(Clone, Copy)]
struct Waits {
    mean: f64,
    /// What 95 % do not exceed.
    most: f64,
}

/// By way, queue and replication.
struct Outcome(Vec<Vec<Vec<Waits>>>);

impl Outcome {
    fn of(&self, way: usize, queue: usize, figure: fn(&Waits) -> f64) -> Vec<f64> {
        self.0[way][queue].iter().map(figure).collect()
    }

    fn mean(&self, way: usize, queue: usize) -> Vec<f64> {
        self.of(way, queue, |it| it.mean)
    }

    /// Minutes more than with any nodes.
    fn cost(&self, way: usize, queue: usize) -> Vec<f64> {
        minus(&self.mean(way, queue), &self.mean(0, queue))
    }
}

/// The queue that is run under the name of one.
type Run = fn(QueueKind) -> QueueKind;

fn run(lab: &Lab) -> Findings {
    let (jobs, replications) = lab.either((3_000, 8), (12_000, 20));
    let outcome = study(lab, jobs, replications, |queue| queue);
    Findings {
        parameters: vec![
            Fact::new("jobs of a replication", counted(jobs as u64)),
            Fact::new("replications", replications),
            Fact::new("offered load", LOAD),
        ],
        claims: claims(&outcome),
        results: vec![Block::Table(table(&outcome))],
    }
}

fn study(lab: &Lab, jobs: usize, replications: u64, run: Run) -> Outcome {
    let settings =
        WAYS.iter().flat_map(|&way| QUEUES[..way.queues()].iter().map(move |&it| (way, it)));
    let items: Vec<_> =
        settings.flat_map(|setting| (0..replications).map(move |at| (setting, at))).collect();
    let waits =
        lab.parallel(&items, |&((way, queue), at)| waits(way, run(queue), (jobs, lab.seed, at)));
    let mut runs = waits.chunks(replications as usize).map(<[_]>::to_vec);
    Outcome(WAYS.map(|way| runs.by_ref().take(way.queues()).collect()).into())
}

fn waits(way: Way, queue: QueueKind, (jobs, seed, at): (usize, u64, u64)) -> Waits {
    let recipe = Synthetic { jobs, ..Synthetic::cube_day() };
    let mut workload = recipe.generate(seed, at).expect("the recipe is sound");
    let offered = workload.offered_load(NODES).expect("there are jobs");
    workload.scale_load(LOAD / offered).expect("a factor above 0");
    let mut machine = way.machine();
    let mut line = queue.queue_on(jobs, &*machine).expect("a machine that has places");
    let outcome = replay(&workload, &mut *machine, &mut *line, &Options::default());
    let outcome = outcome.expect("jobs that the machine has room for");
    Waits { mean: outcome.mean_wait / 60.0, most: outcome.wait_p95 / 60.0 }
}

fn table(outcome: &Outcome) -> Table {
    let columns = [
        ("way", "a job gets"),
        ("queue", "queue"),
        ("mean_wait_min", "mean wait (min)"),
        ("p95_wait_min", "95 % wait at most (min)"),
        ("cost_min", "more than with any nodes (min)"),
    ];
    let mut table = Table::new("Waits with places and without", &columns);
    for (at, way) in WAYS.iter().enumerate() {
        for (queue, name) in QUEUES[..way.queues()].iter().enumerate() {
            let estimate = |values: &[f64], digits| Cell::Estimate(Estimate::of(values), digits);
            // Any nodes are had with one promise at the most.
            let beside = if at > 0 { queue.min(ONE) } else { queue };
            let cost = minus(&outcome.mean(at, queue), &outcome.mean(0, beside));
            table.push(vec![
                Cell::text(way.name()),
                Cell::text(name.to_string()),
                estimate(&outcome.mean(at, queue), 1),
                estimate(&outcome.of(at, queue, |it| it.most), 1),
                if at > 0 { estimate(&cost, 1) } else { Cell::Missing },
            ]);
        }
    }
    table
}

fn claims(outcome: &Outcome) -> Vec<Claim> {
    let minutes = Unit("min", 1);
    // Of each way with places.
    let each = |expected: Expected, values: &dyn Fn(usize) -> Vec<f64>| {
        let case = |way: usize| Case::new(WAYS[way].name(), values(way), expected);
        (1..WAYS.len()).map(case).collect::<Vec<_>>()
    };
    // Of each number of promises.
    let more = |expected: Expected, compared: &dyn Fn(usize) -> Vec<f64>| {
        let case = |queue: usize| Case::new(QUEUES[queue].to_string(), compared(queue), expected);
        MORE.map(case)
    };
    let sooner =
        each(Expected::MORE, &|way| minus(&outcome.mean(way, IN_TURN), &outcome.mean(way, ONE)));
    let less =
        each(Expected::MORE, &|way| minus(&outcome.cost(way, IN_TURN), &outcome.cost(way, ONE)));
    let little = each(Expected::Inside(f64::NEG_INFINITY, PLACES_LITTLE), &|way| {
        percent_above(&outcome.mean(0, ONE), &outcome.mean(way, ONE))
    });
    let later = more(Expected::MORE, &|queue| {
        minus(&outcome.mean(COMPLETE, queue), &outcome.mean(COMPLETE, ONE))
    });
    let tail = more(Expected::alike(PROMISES_ALIKE), &|queue| {
        let most = |queue| outcome.of(COMPLETE, queue, |it| it.most);
        percent_above(&most(ONE), &most(queue))
    });
    let costs = format!(
        "Minutes more than with any nodes: {}.",
        (1..WAYS.len()).map(|way| cost_told(outcome, way)).collect::<Vec<_>>().join("; ")
    );
    vec![
        judge::every(&sooner, minutes).on(&BACKFILLING_SOONER, told("Minutes less", &sooner)),
        judge::every(&less, minutes).on(&PLACES_COST_LESS, costs),
        judge::every(&little, Unit("%", 1)).on(&PLACES_COST_LITTLE, told("In per cent", &little)),
        judge::every(&later, minutes).on(&MORE_PROMISES_LATER, told("Minutes more", &later)),
        judge::every(&tail, Unit("%", 1)).on(&TAIL_ALIKE, told("In per cent", &tail)),
    ]
}

fn told(what: &str, cases: &[Case]) -> String {
    let one = |case: &Case| format!("{} {}", case.name, signed(Estimate::of(&case.differences)));
    format!("{what}: {}.", cases.iter().map(one).collect::<Vec<_>>().join("; "))
}

fn cost_told(outcome: &Outcome, way: usize) -> String {
    let [turn, one] = [IN_TURN, ONE].map(|queue| signed(Estimate::of(&outcome.cost(way, queue))));
    format!("{} {turn} in turn, {one} with one promise", WAYS[way].name())
}

#[cfg(test)]
mod tests {
    use super::*;
    use locox_report::progress::Progress;

    fn judged(run: Run) -> Vec<Claim> {
        let lab = Lab::new(crate::Effort::Quick, 1, Progress::hidden());
        claims(&study(&lab, 1_000, 4, run))
    }

    /// Nobody overtakes where one is promised something, and the other way round.
    pub(super) fn planted() -> [Vec<Claim>; 2] {
        let exchanged = |queue| match queue {
            QueueKind::Fcfs => QueueKind::Promises(1),
            QueueKind::Promises(1) => QueueKind::Fcfs,
            more => more,
        };
        [judged(|queue| queue), judged(exchanged)]
    }
}

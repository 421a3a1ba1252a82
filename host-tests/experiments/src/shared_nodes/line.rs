//! Jobs with memory in line before a few large nodes.

use crate::Lab;
use crate::difference::{minus, signed};
use crate::sources::nodes::{BEST_OVER_FIRST, MEMORY_COSTS, SHARING_GAINS};
use locox::nodes::{Amounts, Placement};
use locox_models::machine::{Cluster, Machine, NodeStrategy, node_machine};
use locox_models::replay::{Options, QueueKind, replay};
use locox_models::stats::Estimate;
use locox_models::swf::Strictness;
use locox_models::workload::lublin::{Kind, Lublin};
use locox_models::workload::{Workload, from_swf};
use locox_report::failure::Failure;
use locox_report::judge::{self, Case, Expected, Unit};
use locox_report::report::{Cell, Claim, Table};

const LANL: &str = "LANL-CM5-1994-4.1-cln";
/// Half of the machine: a job of this size fits on the nodes with more memory.
const LARGEST: u32 = 1024;
const LOAD: f64 = 0.5;
/// MiB of a process, in turn.
const MEMORY: [u32; 6] = [4, 16, 8, 32, 4, 8];

/// How jobs have nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Way {
    name: &'static str,
    memory_counts: bool,
    strategy: NodeStrategy,
}

const BEST: NodeStrategy = NodeStrategy::shared(Placement::Best);
const WAYS: [Way; 4] = [
    Way { name: "shared, best fit", memory_counts: true, strategy: BEST },
    Way { name: "shared, best fit, processors alone", memory_counts: false, strategy: BEST },
    Way { name: "not shared, best fit", memory_counts: true, strategy: BEST.exclusive() },
    Way {
        name: "shared, first fit",
        memory_counts: true,
        strategy: NodeStrategy::shared(Placement::First),
    },
];
const SHARED: usize = 0;
const PROCESSORS: usize = 1;
const WHOLE: usize = 2;
const FIRST: usize = 3;

impl Way {
    fn machine(self) -> Box<dyn Machine> {
        let node = |memory: u32| match self.memory_counts {
            true => Amounts::of(&[128, memory]),
            false => Amounts::of(&[128]),
        };
        let quantities = if self.memory_counts { &["cores", "memory"][..] } else { &["cores"] };
        let classes = [(8, node(128 * 16)), (8, node(128 * 32))];
        node_machine(Cluster::new("large", &classes, quantities), self.strategy)
    }
}

/// Of jobs from somewhere, minutes of mean wait by way, for each part of them.
pub(super) struct Waits {
    jobs: &'static str,
    by_way: [Vec<f64>; WAYS.len()],
}

/// Jobs of a part, and parts.
pub(super) fn size(lab: &Lab) -> (usize, u64) {
    lab.either((1_000, 4), (10_000, 10))
}

pub(super) fn measure(lab: &Lab) -> Result<Vec<Waits>, Failure> {
    let (jobs, parts) = size(lab);
    let mut all = vec![];
    if let Some(path) = lab.trace(LANL) {
        let log = from_swf(&path, Strictness::Strict, Some(jobs * parts as usize));
        let log = log.map_err(|error| Failure::Input(error.to_string()))?;
        let part = |at: u64| {
            let jobs = log.jobs.iter().skip(at as usize * jobs).take(jobs).cloned().collect();
            Workload { jobs, ..log.clone() }
        };
        all.push(waits(lab, "CM-5", parts, WAYS, part));
    }
    all.push(model(lab, jobs, parts, WAYS));
    Ok(all)
}

fn model(lab: &Lab, jobs: usize, parts: u64, ways: [Way; WAYS.len()]) -> Waits {
    let estimates = Some(3.0);
    let recipe = Lublin { kind: Kind::All, jobs, processors: LARGEST, estimates };
    waits(lab, "model", parts, ways, |at| {
        let mut workload = recipe.generate(lab.seed, at).expect("a machine that the model knows");
        let memory = MEMORY.into_iter().cycle();
        workload.jobs.iter_mut().zip(memory).for_each(|(job, memory)| job.memory = memory);
        workload
    })
}

fn waits(
    lab: &Lab,
    jobs: &'static str,
    parts: u64,
    ways: [Way; WAYS.len()],
    part: impl Fn(u64) -> Workload + Sync,
) -> Waits {
    let items: Vec<_> = ways.iter().flat_map(|&way| (0..parts).map(move |at| (way, at))).collect();
    let waits = lab.parallel(&items, |&(way, at)| mean_wait(way, part(at)));
    let mut runs = waits.chunks(parts as usize).map(<[_]>::to_vec);
    Waits { jobs, by_way: WAYS.map(|_| runs.next().expect("a run of each way")) }
}

fn mean_wait(way: Way, mut workload: Workload) -> f64 {
    let mut machine = way.machine();
    let offered = workload.offered_load(machine.processors()).expect("there are jobs");
    workload.scale_load(LOAD / offered).expect("a factor above 0");
    let queue = QueueKind::Promises(1);
    let options = Options { points: 0, decisions: queue.decisions(), ..Options::default() };
    let mut line = queue.queue_on(workload.jobs.len(), &*machine).expect("a machine of places");
    let outcome = replay(&workload, &mut *machine, &mut *line, &options);
    outcome.expect("jobs that the machine has room for").mean_wait / 60.0
}

pub(super) fn table(all: &[Waits]) -> Table {
    let columns = [("jobs", "jobs"), ("nodes", "nodes"), ("mean_wait_min", "mean wait (min)")];
    let mut table = Table::new("Waits before nodes with memory", &columns);
    for Waits { jobs, by_way } in all {
        for (way, waits) in WAYS.iter().zip(by_way) {
            let estimate = Cell::Estimate(Estimate::of(waits), 1);
            table.push(vec![Cell::text(*jobs), Cell::text(way.name), estimate]);
        }
    }
    table
}

pub(super) fn claims(all: &[Waits]) -> Vec<Claim> {
    // Minutes more under the first way than under the second.
    let more = |one: usize, other: usize| {
        let case = |it: &Waits| {
            Case::new(it.jobs, minus(&it.by_way[one], &it.by_way[other]), Expected::MORE)
        };
        all.iter().map(case).collect::<Vec<_>>()
    };
    let asked = [
        (more(SHARED, PROCESSORS), &MEMORY_COSTS, "Minutes more"),
        (more(WHOLE, SHARED), &SHARING_GAINS, "Minutes less"),
        (more(FIRST, SHARED), &BEST_OVER_FIRST, "Minutes less"),
    ];
    let judged = asked.into_iter().map(|(cases, statement, what)| {
        let one = |it: &Case| format!("{} {}", it.name, signed(Estimate::of(&it.differences)));
        let told = cases.iter().map(one).collect::<Vec<_>>().join("; ");
        judge::every(&cases, Unit("min", 1)).on(statement, format!("{what}: {told}."))
    });
    judged.collect()
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::Effort;
    use locox_report::progress::Progress;

    fn judged(ways: [Way; WAYS.len()]) -> Vec<Claim> {
        let lab = Lab::new(Effort::Quick, 1, Progress::hidden());
        claims(&[model(&lab, 1_000, 4, ways)])
    }

    /// Jobs share nodes where each is to have its own, and the other way round.
    pub(crate) fn planted() -> [Vec<Claim>; 2] {
        let exchanged = |way: Way| {
            let exclusive = !way.strategy.exclusive;
            Way { strategy: NodeStrategy { exclusive, ..way.strategy }, ..way }
        };
        [judged(WAYS), judged(WAYS.map(exchanged))]
    }
}

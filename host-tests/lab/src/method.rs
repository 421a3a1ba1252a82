//! What is compared with what: a way to give jobs processors, and a queue.

use crate::cli::{MachineSpec, Strategies, once};
use crate::queue::{Queue, setup};
use crate::way::Way;
use locox::mesh::Leftover;
use locox::subcube::Effort;
use locox_models::machine::{BoxStrategy, Nearness, NodeStrategy, StrategyKind};
use locox_models::replay::Order;
use locox_models::workload::Job;
use locox_report::report::counted;
use std::fmt;

/// One of the things compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Method {
    pub way: Way,
    pub queue: Queue,
    /// In which order jobs stand in line.
    pub order: Order,
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let order = match self.order {
            Order::Arrival => String::new(),
            order => format!("/{order}"),
        };
        f.pad(&format!("{}/{}{order}", self.way.label(), self.queue))
    }
}

/// What each strategy is also to be run with, so that it can be compared with itself.
#[derive(Clone, Copy, Debug, Default)]
pub struct Variants {
    /// Jobs run on meshes, with and without reuse of what these leave over.
    pub mesh: bool,
    /// Jobs have whole nodes, beside the same where they share them.
    pub exclusive: bool,
}

/// The ways to give jobs processors of a machine, of the strategies `asked` for (all that it has, if none is);
/// none of a machine that knows no strategies.
///
/// # Errors
///
/// Which option is not for the machine, which is called `who`, and what to do about it.
pub fn ways(
    machine: MachineSpec,
    asked: &[Strategies],
    Variants { mesh, exclusive }: Variants,
    who: &str,
) -> Result<Vec<Way>, String> {
    let lacks = |option: &str, what: &str, machines: &str| {
        format!("{option}: {who} has no {what}; leave it out, or use --machine {machines}")
    };
    let no_subcubes = |option: &str| Err(lacks(option, "subcubes", "cube:N"));
    let is_cube = matches!(machine, MachineSpec::Cube(_));
    if mesh && !is_cube {
        return no_subcubes("--mesh");
    }
    if exclusive && !matches!(machine, MachineSpec::Nodes(_)) {
        return Err(lacks("--exclusive", "nodes that jobs could share", "nodes:FILE"));
    }
    let mut ways = Vec::new();
    for &strategies in if asked.is_empty() { &[Strategies::All] } else { asked } {
        let option = format!("--strategy {strategies}");
        match (machine, strategies) {
            (MachineSpec::Pool(_), Strategies::All) if asked.is_empty() => {}
            (MachineSpec::Cube(_), Strategies::All) => {
                ways.extend(StrategyKind::ALL.into_iter().flat_map(|kind| on_cube(kind, mesh)));
            }
            (MachineSpec::Cube(_), Strategies::Subcubes(kind)) => ways.extend(on_cube(kind, mesh)),
            (MachineSpec::Boxes(_), Strategies::All) => {
                ways.extend(locox::grid::Placement::ALL.map(|it| Way::Boxes(it.into())));
            }
            (MachineSpec::Boxes(layout), Strategies::Boxes(strategy)) => {
                strategy.fits(layout).map_err(|bad| format!("{option} on a {machine}: {bad}"))?;
                ways.push(Way::Boxes(strategy));
            }
            (MachineSpec::Tree(_), Strategies::All) => {
                ways.extend(Nearness::ALL.map(Way::Domains));
            }
            (MachineSpec::Tree(_), Strategies::Domains(nearness)) => {
                ways.push(Way::Domains(nearness));
            }
            (MachineSpec::Nodes(_), Strategies::All) => {
                let all = NodeStrategy::SHARED.into_iter();
                ways.extend(all.flat_map(|it| on_nodes(it, exclusive)));
            }
            (MachineSpec::Nodes(_), Strategies::Nodes(strategy)) => {
                ways.extend(on_nodes(strategy, exclusive));
            }
            (MachineSpec::Nodes(_), Strategies::Boxes(strategy)) => {
                let shared =
                    of_boxes(strategy).ok_or_else(|| lacks(&option, "boxes", "torus:XxYxZ"))?;
                ways.extend(on_nodes(shared, exclusive));
            }
            (_, Strategies::Nodes(_)) => {
                return Err(lacks(&option, "nodes that jobs could share", "nodes:FILE"));
            }
            (_, Strategies::Domains(_)) => return Err(lacks(&option, "racks", "tree:RxN")),
            (_, Strategies::Boxes(_)) => return Err(lacks(&option, "boxes", "torus:XxYxZ")),
            (_, Strategies::All | Strategies::Subcubes(_)) => return no_subcubes(&option),
        }
    }
    Ok(once(ways.into_iter()))
}

/// The strategy on nodes that has the name of one on boxes.
fn of_boxes(strategy: BoxStrategy) -> Option<NodeStrategy> {
    strategy.to_string().parse().ok()
}

fn on_nodes(shared: NodeStrategy, exclusive: bool) -> Vec<Way> {
    let all = [shared, shared.exclusive()].map(Way::Nodes);
    all[..if exclusive { 2 } else { 1 }].to_vec()
}

fn on_cube(kind: StrategyKind, mesh: bool) -> Vec<Way> {
    match mesh {
        false => vec![Way::Subcubes(kind)],
        true => vec![Way::Meshes(kind, Leftover::Kept), Way::Meshes(kind, Leftover::Reused)],
    }
}

/// All ways under all queues, in all orders of the line. Queues that plan with numbers know no subcubes and no boxes: they stand
/// once, on as many processors without topology, and so does everything where there are no `ways`. A manager stands once, in its own way.
pub fn methods<Q: Copy + Into<Queue>>(ways: &[Way], queues: &[Q], orders: &[Order]) -> Vec<Method> {
    let under = |&queue: &Q| {
        let queue: Queue = queue.into();
        let alone = queue.plans_numbers() || ways.is_empty();
        let ways = if alone { &[Way::Any] } else { ways };
        let ordered = move |&way| {
            let way = queue.way(way);
            orders.iter().map(move |&order| Method { way, queue, order })
        };
        ways.iter().flat_map(ordered)
    };
    once(queues.iter().flat_map(under))
}

/// The methods, if the machine can run them: who promises places has to find them in any map of free nodes, and a manager
/// has an order of its own.
///
/// # Errors
///
/// Which option is not for the machine, and what to do about it.
pub fn checked(methods: Vec<Method>, machine: MachineSpec) -> Result<Vec<Method>, String> {
    let managed = methods.iter().filter(|it| matches!(it.queue, Queue::Manager(_)));
    for Method { way, queue, order } in managed {
        if *order != Order::Arrival {
            return Err(format!(
                "--order {order}: the manager orders jobs by their users; leave it out, or leave out --queue {queue}"
            ));
        }
        setup(None, *way, machine)?;
    }
    let knows_no_places = |it: &&Method| {
        let has_rule = || it.way.machine(machine, Effort::default()).rule().is_some();
        it.queue.plans_places() && !has_rule()
    };
    let Some(Method { way, queue, .. }) = methods.iter().find(knows_no_places) else {
        return Ok(methods);
    };
    Err(format!(
        "--queue {queue} cannot promise places of {} on a {machine}: use --strategy buddy, gray-code, free-list or \
         complete, at most 16 dimensions and no --mesh",
        way.label()
    ))
}

/// That nobody has anything to reuse, if so: sizes that are powers of two leave nothing over.
pub fn all_fill_their_subcubes(jobs: &[Job]) -> Option<String> {
    let fills = |job: &Job| job.mesh().is_some_and(|mesh| mesh.nodes() == mesh.dim().nodes());
    jobs.iter().all(fills).then(|| {
        format!(
            "All {} jobs ask for powers of two, whose meshes leave nothing over: with and without \
             +afl is the same by construction.",
            counted(jobs.len() as u64)
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use locox::grid::Placement;
    use locox::nodes::{self, Amounts};
    use locox_models::machine::Cluster;
    use locox_models::replay::QueueKind;

    fn names(machine: &str, asked: &[Strategies], queues: &[QueueKind], mesh: bool) -> Vec<String> {
        let variants = Variants { mesh, ..Variants::default() };
        let ways = ways(machine.parse().unwrap(), asked, variants, "it").unwrap();
        methods(&ways, queues, &[Order::Arrival]).iter().map(Method::to_string).collect()
    }

    #[test]
    fn every_strategy_meets_every_queue_that_knows_subcubes() {
        let strategies = [StrategyKind::Buddy, StrategyKind::FreeList].map(Strategies::Subcubes);
        let queues = [QueueKind::Fcfs, QueueKind::Easy, QueueKind::Window(4), QueueKind::Fcfs];
        let all =
            ["buddy/fcfs", "free-list/fcfs", "pool/easy", "buddy/window:4", "free-list/window:4"];
        assert_eq!(names("cube:3", &strategies, &queues, false), all);
        let meshes = ["buddy/fcfs", "buddy+afl/fcfs"];
        assert_eq!(names("cube:3", &strategies[..1], &queues[..1], true), meshes);
        let pool = ["pool/fcfs", "pool/easy", "pool/window:4"];
        assert_eq!(names("pool:8", &[], &queues, false), pool);
        let boxes = ["first/fcfs", "corner/fcfs", "fewest/fcfs", "pool/easy"];
        assert_eq!(names("torus:4x4", &[], &queues[..2], false), boxes);
        let twice = [Strategies::Boxes(Placement::Corner.into()); 2];
        assert_eq!(names("blocks:4x4", &twice, &queues[..1], false), ["corner/fcfs"]);
        let stepped =
            ["first@2x2", "first@2x2+lent"].map(|it| Strategies::Boxes(it.parse().unwrap()));
        let named = names("torus:4x4", &stepped, &queues[..1], false);
        assert_eq!(named, ["first@2x2/fcfs", "first@2x2+lent/fcfs"]);
        let near = ["preferred/fcfs", "required/fcfs", "pool/easy"];
        assert_eq!(names("tree:4x4", &[], &queues[..2], false), near);
    }

    #[test]
    fn on_nodes_each_strategy_may_run_with_whole_nodes_too() {
        let cluster = Cluster::new("two", &[(2, Amounts::of(&[4]))], &["cores"]);
        let labels = |asked: &[Strategies], exclusive| {
            let variants = Variants { exclusive, ..Variants::default() };
            let ways = ways(MachineSpec::Nodes(cluster), asked, variants, "it").unwrap();
            ways.into_iter().map(Way::label).collect::<Vec<_>>()
        };
        let first = Strategies::Boxes(Placement::First.into());
        let best = Strategies::Nodes(NodeStrategy::shared(nodes::Placement::Best));
        assert_eq!(labels(&[], false), ["first", "best", "fewest"]);
        assert_eq!(labels(&[first], false), ["first"]);
        assert_eq!(
            labels(&[best, first], true),
            ["best", "best+exclusive", "first", "first+exclusive"]
        );
        let exclusive = Variants { exclusive: true, ..Variants::default() };
        let why = ways("pool:8".parse().unwrap(), &[], exclusive, "it").unwrap_err();
        assert!(why.starts_with("--exclusive: it has no nodes that jobs could share"), "{why}");
        let corner = Strategies::Boxes(Placement::Corner.into());
        let why = ways(MachineSpec::Nodes(cluster), &[corner], Variants::default(), "it");
        assert!(why.unwrap_err().starts_with("--strategy corner: it has no boxes"));
    }

    #[test]
    fn a_strategy_of_another_kind_of_machine_is_refused() {
        let subcubes = Strategies::Subcubes(StrategyKind::Buddy);
        let boxes = Strategies::Boxes(Placement::First.into());
        let stepped = Strategies::Boxes("first@3".parse().unwrap());
        let near = Strategies::Domains(Nearness::Required);
        let best = Strategies::Nodes(NodeStrategy::shared(nodes::Placement::Best));
        for (machine, asked, mesh, told) in [
            ("cube:3", vec![boxes], false, "--strategy first: it has no boxes"),
            ("pool:8", vec![boxes], false, "--strategy first: it has no boxes"),
            ("pool:8", vec![Strategies::All], false, "--strategy all: it has no subcubes"),
            ("mesh:4x4", vec![boxes, subcubes], false, "--strategy buddy: it has no subcubes"),
            ("mesh:4x4", vec![], true, "--mesh: it has no subcubes"),
            ("tree:4x4", vec![boxes], false, "--strategy first: it has no boxes"),
            ("tree:4x4", vec![subcubes], false, "--strategy buddy: it has no subcubes"),
            ("torus:4x4", vec![near], false, "--strategy required: it has no racks"),
            (
                "torus:4x4",
                vec![stepped],
                false,
                "--strategy first@3 on a 4x4 torus: a step of 3 does",
            ),
            ("pool:8", vec![], true, "--mesh: it has no subcubes"),
            ("pool:8", vec![best], false, "--strategy best: it has no nodes that jobs could share"),
        ] {
            let variants = Variants { mesh, ..Variants::default() };
            let why = ways(machine.parse().unwrap(), &asked, variants, "it").unwrap_err();
            assert!(why.starts_with(told), "{why}");
        }
    }
}

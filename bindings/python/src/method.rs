//! What jobs run on, and in which way: what replays and comparisons do alike.

use super::argument;
use super::error::{named, of_cluster, of_replay, value};
use locox::cube::Dim;
use locox_models::machine::{
    BoxStrategy, Cluster, GridMachine, Hypercube, Layout, Machine, Nearness, NodeStrategy, Pool,
    Racks, StrategyKind, node_machine, tree_machine,
};
use locox_models::replay::{Event, Options, Order, Outcome, QueueKind, replay_watched};
use locox_models::swf::{MOST_PROCESSORS, Strictness};
use locox_models::workload as models;
use pyo3::prelude::*;
use std::ops::ControlFlow;
use std::path::Path;

/// What jobs run on.
#[derive(Clone, Copy)]
pub(crate) enum Size {
    Pool(u32),
    Cube(Dim),
    Layout(Layout),
    Tree(Racks),
    Nodes(Cluster),
}

impl Size {
    pub(crate) fn processors(self) -> u32 {
        match self {
            Self::Pool(processors) => processors,
            Self::Cube(dims) => dims.nodes(),
            Self::Layout(layout) => layout.processors(),
            Self::Tree(racks) => racks.processors(),
            Self::Nodes(cluster) => cluster.processors(),
        }
    }

    /// For tables.
    pub(crate) fn name(self) -> String {
        match self {
            Self::Pool(processors) => format!("pool of {processors}"),
            Self::Cube(dims) => format!("{dims}-cube"),
            Self::Layout(layout) => layout.to_string(),
            Self::Tree(racks) => racks.to_string(),
            Self::Nodes(cluster) => cluster.to_string(),
        }
    }
}

/// `pool:P`, `cube:N`, a mesh, a torus, blocks, racks, or nodes that a file describes.
pub(crate) fn size(name: &str) -> PyResult<Size> {
    let parsed = match name.split_once(':') {
        Some(("pool", number)) => {
            number.parse().ok().filter(|it| (1..=MOST_PROCESSORS).contains(it)).map(Size::Pool)
        }
        Some(("cube", number)) => number.parse().ok().and_then(Dim::new).map(Size::Cube),
        Some(("torus" | "mesh" | "blocks", _)) => {
            let layout = name.parse::<Layout>().map(Size::Layout);
            return layout.map_err(|bad| value!("machine {name:?}: {bad}"));
        }
        Some(("tree", _)) => {
            let racks = name.parse::<Racks>().map(Size::Tree);
            return racks.map_err(|bad| value!("machine {name:?}: {bad}"));
        }
        Some(("nodes", file)) if !file.is_empty() => {
            return Cluster::open(Path::new(file)).map(Size::Nodes).map_err(|bad| of_cluster(&bad));
        }
        _ => None,
    };
    parsed.ok_or_else(|| {
        value!("machine {name:?} is not pool:P (1 to {MOST_PROCESSORS} processors), cube:N (0 to 24 dimensions), \
             torus:XxYxZ, mesh:XxY, blocks:BxM, tree:RxN or nodes:FILE")
    })
}

/// That of the machine asked for, or of the workload's.
pub(crate) fn size_of(
    machine: Option<&argument::Machine>,
    jobs: &models::Workload,
) -> PyResult<Size> {
    match (machine, jobs.processors) {
        (Some(name), _) => size(&name.0),
        (None, Some(processors)) if (1..=MOST_PROCESSORS).contains(&processors) => {
            Ok(Size::Pool(processors))
        }
        (None, Some(processors)) => Err(value!(
            "the workload is for {processors} processors, and a machine has 1 to {MOST_PROCESSORS}; give \
             machine=\"pool:P\""
        )),
        (None, None) => Err(value!(
            "the workload does not say how many processors there are; give machine=\"pool:P\""
        )),
    }
}

/// How jobs get processors.
#[derive(Clone, Copy)]
pub(crate) enum Way {
    /// Any processors will do.
    Any,
    Subcubes(StrategyKind),
    Boxes(BoxStrategy),
    Domains(Nearness),
    Nodes(NodeStrategy),
}

/// A way to give jobs processors, a queue, and the order of its line.
pub(crate) struct Method {
    pub(crate) way: Way,
    pub(crate) queue: QueueKind,
    pub(crate) order: Order,
}

impl Method {
    /// As `complete/fcfs`, `pool/easy` or `pool/easy/sjf`; on a pool a queue alone will do.
    pub(crate) fn of(name: &str, on: Size) -> PyResult<Self> {
        let (way, queue) = name.split_once('/').unwrap_or(("pool", name));
        let (queue, order) = queue.split_once('/').unwrap_or((queue, "fcfs"));
        let order = order.parse().map_err(|error| value!("method {name:?}: {error}"))?;
        let queue: QueueKind = named(queue)?;
        let way = match on {
            _ if way == "pool" => Way::Any,
            Size::Layout(layout) => {
                Way::Boxes(box_strategy_of("the strategy of a method", way, layout)?)
            }
            Size::Tree(_) => Way::Domains(nearness_of("the strategy of a method", way)?),
            Size::Nodes(_) => Way::Nodes(node_strategy_of("the strategy of a method", way)?),
            _ => Way::Subcubes(named(way)?),
        };
        match (way, on) {
            (Way::Subcubes(_), Size::Pool(_)) => Err(value!(
                "method {name:?} finds subcubes, and a pool has none; use machine=\"cube:N\""
            )),
            (Way::Subcubes(_) | Way::Boxes(_) | Way::Domains(_) | Way::Nodes(_), _)
                if queue.plans_numbers() =>
            {
                Err(value!(
                    "method {name:?}: the queue plans by numbers of processors, not by places; use \"promises:1\" or \"pool/{queue}\""
                ))
            }
            _ => Ok(Self { way, queue, order }),
        }
    }

    pub(crate) fn name(&self) -> String {
        let way = match self.way {
            Way::Any => "pool".into(),
            Way::Subcubes(strategy) => strategy.name().into(),
            Way::Boxes(strategy) => strategy.to_string(),
            Way::Domains(nearness) => nearness.to_string(),
            Way::Nodes(strategy) => strategy.to_string(),
        };
        match self.order {
            Order::Arrival => format!("{way}/{}", self.queue),
            order => format!("{way}/{}/{order}", self.queue),
        }
    }

    /// Replays jobs; `None` if `each` ended that.
    pub(crate) fn run(
        &self,
        jobs: &models::Workload,
        size: Size,
        lenient: bool,
        allocations: bool,
        mut each: impl FnMut(&Event) -> ControlFlow<()>,
    ) -> PyResult<Option<Outcome>> {
        let options = Options {
            strictness: if lenient { Strictness::Lenient } else { Strictness::Strict },
            allocations,
            points: 0,
            decisions: self.queue.decisions(),
            order: self.order,
            ..Options::default()
        };
        let mut machine: Box<dyn Machine> = match (self.way, size) {
            (Way::Subcubes(strategy), Size::Cube(dims)) => Box::new(Hypercube::new(dims, strategy)),
            (Way::Boxes(strategy), Size::Layout(layout)) => {
                Box::new(GridMachine::new(layout, strategy))
            }
            (Way::Domains(nearness), Size::Tree(racks)) => tree_machine(racks, nearness),
            (Way::Nodes(strategy), Size::Nodes(cluster)) => node_machine(cluster, strategy),
            _ => Box::new(Pool::new(size.processors())),
        };
        let queue = self.queue.queue_on(jobs.jobs.len(), &*machine);
        let told =
            || value!("{}: no places can be promised there; use another strategy", self.name());
        let mut queue = queue.ok_or_else(told)?;
        let done =
            replay_watched(jobs, &mut *machine, &mut *queue, &options, |event, _| each(event));
        done.map_err(|error| of_replay(&error))
    }
}

/// What gives jobs boxes of a machine by its name, which the argument `of` is.
pub(crate) fn box_strategy_of(of: &str, name: &str, layout: Layout) -> PyResult<BoxStrategy> {
    let strategy: BoxStrategy = name.parse().map_err(|bad| value!("{of} is {name:?}: {bad}"))?;
    strategy.fits(layout).map_err(|bad| value!("{of} is {name:?} on {layout}: {bad}"))?;
    Ok(strategy)
}

/// How near each other jobs run on racks by its name, which the argument `of` is.
pub(crate) fn nearness_of(of: &str, name: &str) -> PyResult<Nearness> {
    name.parse().map_err(|bad| value!("{of} is {name:?}; {bad}"))
}

/// Which nodes jobs get, and whether they share them, by its name, which the argument `of` is.
pub(crate) fn node_strategy_of(of: &str, name: &str) -> PyResult<NodeStrategy> {
    name.parse().map_err(|bad| value!("{of} is {name:?}; {bad}"))
}

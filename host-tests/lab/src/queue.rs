//! Who says which job is next: a line, or the coordinator of resource managers.

use crate::cli::MachineSpec;
use crate::way::Way;
use locox::grid::Placement;
use locox::mesh::Leftover;
use locox::time::Duration;
use locox_coordinators::manager::{Config, Places, Preemption};
use locox_models::machine::{Nearness, StrategyKind};
use locox_models::managed::Setup;
use locox_models::replay::{QueueKind, UnknownQueue};
use std::fmt;
use std::str::FromStr;

/// A queue discipline, or a manager that may stop jobs for others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Queue {
    Line(QueueKind),
    Manager(Option<Stops>),
}

/// How a manager stops jobs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stops {
    pub preempt: Preemption,
    /// So often jobs save their work.
    pub checkpoint: Option<Duration>,
}

/// A tick is a second.
const MINUTE: Duration = Duration::from_ticks(60);
/// The most nodes of a manager.
const MOST_NODES: u32 = 1 << 16;

impl From<QueueKind> for Queue {
    fn from(kind: QueueKind) -> Self {
        Self::Line(kind)
    }
}

impl Queue {
    /// The way in which a manager gives jobs nodes, where others have this one.
    pub fn way(self, of: Way) -> Way {
        match (self, of) {
            (Self::Line(_), way) => way,
            (_, Way::Any) => Way::Any,
            (_, Way::Subcubes(_)) => Way::Subcubes(StrategyKind::Complete),
            (_, Way::Meshes(..)) => Way::Meshes(StrategyKind::Complete, Leftover::Reused),
            (_, Way::Boxes(_)) => Way::Boxes(Placement::Corner.into()),
            (_, Way::Domains(_)) => Way::Domains(Nearness::Preferred),
            (_, Way::Nodes(strategy)) => Way::Nodes(strategy),
        }
    }

    /// Whether it plans with numbers of processors, which says nothing of subcubes and boxes.
    pub fn plans_numbers(self) -> bool {
        matches!(self, Self::Line(kind) if kind.plans_numbers())
    }

    /// Whether it promises places in a line.
    pub fn plans_places(self) -> bool {
        matches!(self, Self::Line(kind) if kind.plans_places())
    }

    /// The words that it takes at once, for so many jobs.
    pub fn words(self, jobs: usize, processors: u32) -> usize {
        match self {
            Self::Line(kind) => kind.words(jobs, processors),
            Self::Manager(_) => 0,
        }
    }
}

/// The setup of a manager whose jobs get nodes in this way.
///
/// # Errors
///
/// Why there is no manager of that machine, and what to do about it.
pub(crate) fn setup(stops: Option<Stops>, way: Way, machine: MachineSpec) -> Result<Setup, String> {
    let places = match (way, machine) {
        (Way::Boxes(_), MachineSpec::Boxes(layout)) if layout.is_in_blocks() => {
            return Err(format!(
                "--queue manager has no {machine}; use --machine tree:RxN, or another --queue"
            ));
        }
        (Way::Boxes(_), MachineSpec::Boxes(layout)) => Places::Boxes(layout.grid()),
        (Way::Subcubes(_), _) => Places::Subcubes,
        (Way::Meshes(..), _) => Places::Meshes,
        (Way::Domains(_), _) => Places::Tree,
        (_, MachineSpec::Nodes(_)) => {
            return Err(format!(
                "--queue manager: a manager gives jobs whole nodes that are alike, and a {machine} is shared; use another --queue"
            ));
        }
        _ => Places::Any,
    };
    let nodes = machine.processors();
    if nodes > MOST_NODES {
        return Err(format!(
            "--queue manager: a {machine} has more than {MOST_NODES} nodes; use a smaller --machine, or another --queue"
        ));
    }
    let preempt = stops.map(|stops| stops.preempt);
    let config = Config { places, preempt, ..Config::standard(MINUTE) };
    let levels = match machine {
        MachineSpec::Tree(racks) => racks.domains(),
        _ => vec![],
    };
    let checkpoint = stops.and_then(|stops| stops.checkpoint);
    Ok(Setup { levels, checkpoint, ..Setup::new(config, nodes, MINUTE) })
}

impl fmt::Display for Queue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Line(kind) => kind.fmt(f),
            Self::Manager(None) => f.pad("manager"),
            Self::Manager(Some(_)) => f.pad("manager+stops"),
        }
    }
}

/// A name of no queue.
#[derive(Debug)]
pub struct BadQueue(UnknownQueue);

impl std::error::Error for BadQueue {}

impl fmt::Display for BadQueue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}; or manager", self.0)
    }
}

impl FromStr for Queue {
    type Err = BadQueue;

    fn from_str(name: &str) -> Result<Self, BadQueue> {
        match name {
            "manager" => Ok(Self::Manager(None)),
            _ => name.parse().map(Self::Line).map_err(BadQueue),
        }
    }
}

//! Machines: which processors a job holds.
//!
//! A machine applies what the kernel's allocators decide and keeps count. Where a new one goes: a
//! file here that implements [`Machine`].

mod as_printed;
mod box_strategy;
mod careless;
mod cluster;
mod cluster_file;
mod columns;
mod demand_file;
mod grid;
mod hypercube;
mod layout;
mod meshes;
mod mix;
mod node_strategy;
mod nodes;
mod nodes_out;
mod place;
mod pool;
mod racks;
mod refusal;
mod rule;
mod stranded;
mod strategy;
mod tree;

pub use as_printed::AsPrinted;
pub use box_strategy::{BadBoxStrategy, BadStep, BoxStrategy};
pub use careless::Careless;
pub use cluster::Cluster;
pub use cluster_file::{BadCluster, BadClusterKind};
pub(crate) use columns::is_quantity;
pub use demand_file::{BadDemandKind, BadDemands, DemandFile};
pub use grid::GridMachine;
pub use hypercube::Hypercube;
pub use layout::{BadLayout, Layout};
pub use meshes::MeshCube;
pub use mix::Mix;
pub use node_strategy::{BadNodeStrategy, NodeStrategy};
pub use nodes::node_machine;
pub use place::Place;
pub use pool::Pool;
pub use racks::{BadNearness, BadRacks, Nearness, Racks};
pub use refusal::Refusal;
pub use rule::{Rule, Spot};
pub use strategy::{StrategyKind, UnknownStrategy, complete_allocator};
pub use tree::tree_machine;
pub(crate) use tree::{FEW, MANY};

use crate::outages::Outage;
use crate::workload::Job;
use locox::cube::Node;
use locox::grid::BoxLease;
use locox::mesh::MeshLease;
use locox::subcube::Lease;
use std::fmt::Write;
use std::ops::Range;

/// A machine that runs jobs side by side, each on processors of its own.
///
/// # Invariants
///
/// - `in_use <= held <= processors`.
/// - A job for which [`Machine::can_ever`] is false is always refused as too large.
pub trait Machine: Send {
    /// What it is, for tables: `7-cube, buddy`.
    fn name(&self) -> String;

    /// Processors that it has.
    fn processors(&self) -> u32;

    /// Nodes, by whose numbers outages name them.
    fn nodes(&self) -> u32 {
        self.processors()
    }

    /// Processors that the running jobs asked for.
    fn in_use(&self) -> u32;

    /// Processors that the running jobs hold: more than asked for where requests are rounded up.
    fn held(&self) -> u32;

    /// Processors by which a queue is to tell this job from others: of the subcube that it needs,
    /// where it needs one whose size does not follow from what it asks for, or all that it takes where it asks for more than those.
    fn size(&self, job: &Job) -> u32 {
        job.processors
    }

    /// A job has come; for machines whose choice of a place depends on what jobs ask for.
    fn learn(&mut self, _job: &Job) {}

    /// Gives the job processors.
    ///
    /// # Errors
    ///
    /// The reason why it cannot start now; nothing has changed then.
    fn start(&mut self, job: &Job) -> Result<Placement, Refusal>;

    /// Gives the job the processors that a queue has chosen by [`Machine::rule`].
    ///
    /// # Errors
    ///
    /// As [`Machine::start`].
    ///
    /// # Panics
    ///
    /// If the place is one of another kind of machine, or is not free.
    fn start_at(&mut self, job: &Job, spot: Spot<'_>) -> Result<Placement, Refusal> {
        assert_eq!(spot, Spot::Any, "a place of this machine");
        self.start(job)
    }

    /// The rule by which it finds places; `None` if what it has free depends on more than which processors are.
    fn rule(&self) -> Option<Rule> {
        None
    }

    /// Whether the machine could run the job if it were empty.
    fn can_ever(&self, job: &Job) -> bool;

    /// Takes the processors of a job back.
    ///
    /// # Panics
    ///
    /// If `placement` is not one that [`Machine::start`] gave and that is still held.
    fn finish(&mut self, placement: Placement);

    /// The processors of a running job as intervals of their numbers, as Batsim writes them:
    /// `0-3 8-11`.
    ///
    /// # Panics
    ///
    /// As [`Machine::finish`].
    fn allocated(&self, placement: Placement) -> String;

    /// To take its processors out of service; `None` of a machine that knows no outages.
    fn outages(&mut self) -> Option<&mut dyn Outages> {
        None
    }

    /// To see how much of what is free is of no use; `None` of a machine that does not say.
    fn places(&mut self) -> Option<&mut dyn Places> {
        None
    }
}

/// A machine whose processors may go out of service.
///
/// Outages may overlap: a processor serves when no outage holds it.
pub trait Outages {
    /// Processors in service.
    fn serving(&self) -> u32;

    /// An outage begins. `hit` hears once of each job that holds a processor of it: the caller
    /// [finishes](Machine::finish) these before anything else, and then their processors are out of
    /// service too. Returns what [`Outages::end`] takes. What the machine does not have is not affected.
    fn begin(&mut self, outage: &Outage, hit: &mut dyn FnMut(Token)) -> Affected;

    /// An outage ends.
    ///
    /// # Panics
    ///
    /// If `affected` is not of this machine's [`Outages::begin`].
    fn end(&mut self, affected: Affected);
}

/// A machine whose jobs need places of a kind: subcubes, boxes. What is free may lie in none.
///
/// A free processor is *stranded* for a kind if it lies in no free place of it;
/// [`locox::subcube`](locox::subcube#fragmentation) has the definition. On nodes with GPUs, thousandths of these count in place of
/// processors, and jobs that ask for none are of no kind.
pub trait Places {
    /// A number for the kind of place that a job needs, the same for jobs that fit the same places; `None` if it is larger
    /// than the machine.
    fn kind(&mut self, job: &Job) -> Option<u32>;

    /// Processors that jobs may take.
    fn free(&mut self) -> u32;

    /// Of these, those that are stranded for a [kind](Self::kind).
    fn stranded(&mut self, kind: u32) -> u32;
}

/// What an outage holds out of service.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Affected {
    /// Processors by number.
    processors: u32,
    /// Which they are, where that matters.
    nodes: Vec<Node>,
}

impl Affected {
    /// The nodes that it holds; none where any processors will do.
    pub(crate) fn nodes(&self) -> &[Node] {
        &self.nodes
    }
}

/// Where a running job sits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Placement {
    /// Processors that the job asked for.
    pub processors: u32,
    /// Processors that it holds.
    pub held: u32,
    /// What the machine knows it by.
    pub token: Token,
}

/// What a machine knows a running job by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Token {
    /// A lease of one of the kernel's allocators.
    Lease(Lease),
    /// A lease of a mesh.
    Mesh(MeshLease),
    /// A lease of a box.
    Box(BoxLease),
    /// A number that the machine gives out.
    Slot(usize),
}

/// What the running jobs asked for and hold, in processors.
#[derive(Clone, Copy, Debug, Default)]
struct Usage {
    in_use: u32,
    held: u32,
}

impl Usage {
    fn add(&mut self, placement: &Placement) {
        self.in_use += placement.processors;
        self.held += placement.held;
    }

    fn remove(&mut self, placement: &Placement) {
        self.in_use -= placement.processors;
        self.held -= placement.held;
    }
}

/// The number that a machine of slots gave out.
fn slot_of(placement: Placement) -> usize {
    match placement.token {
        Token::Slot(slot) => slot,
        _ => panic!("{placement:?} is of another machine"),
    }
}

/// Nodes of the subcube that a job's mesh needs.
fn subcube_of(job: &Job) -> u32 {
    job.mesh().map_or(job.processors, |shape| shape.dim().nodes())
}

/// Nodes in any order, as Batsim writes them.
fn node_set(nodes: impl Iterator<Item = Node>) -> String {
    let mut nodes: Vec<Node> = nodes.collect();
    nodes.sort_unstable();
    interval_set(&runs(nodes.into_iter().map(|node| node.0)))
}

/// Joins numbers in rising order to runs of consecutive ones.
fn runs(numbers: impl Iterator<Item = u32>) -> Vec<Range<u32>> {
    let mut runs: Vec<Range<u32>> = Vec::new();
    for number in numbers {
        match runs.last_mut() {
            Some(run) if run.end == number => run.end += 1,
            _ => runs.push(number..number + 1),
        }
    }
    runs
}

/// Batsim's interval set: `0-3 8 10-11`.
fn interval_set(runs: &[Range<u32>]) -> String {
    let mut text = String::new();
    for run in runs {
        let gap = if text.is_empty() { "" } else { " " };
        let (first, last) = (run.start, run.end - 1);
        let written = match first == last {
            true => write!(text, "{gap}{first}"),
            false => write!(text, "{gap}{first}-{last}"),
        };
        written.expect("a String takes any text");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn consecutive_numbers_are_written_as_intervals() {
        let text = |numbers: &[u32]| interval_set(&runs(numbers.iter().copied()));
        assert_eq!(text(&[]), "");
        assert_eq!(text(&[7]), "7");
        assert_eq!(text(&[0, 1, 2, 3, 8, 10, 11]), "0-3 8 10-11");
    }
}

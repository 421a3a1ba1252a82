//! A way to give jobs processors, on each kind of machine.

use crate::cli::MachineSpec;
use locox::mesh::Leftover;
use locox::subcube::Effort;
use locox_models::machine::{
    BoxStrategy, GridMachine, Hypercube, Machine, MeshCube, Nearness, NodeStrategy, Pool,
    StrategyKind, complete_allocator, node_machine, tree_machine,
};

/// A way to give jobs processors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// Any free processors will do.
    Any,
    /// The smallest subcube that holds the job.
    Subcubes(StrategyKind),
    /// A mesh in a subcube.
    Meshes(StrategyKind, Leftover),
    /// A box that holds the job.
    Boxes(BoxStrategy),
    /// Nodes of one rack or block.
    Domains(Nearness),
    /// Some of each of some nodes, or all of them.
    Nodes(NodeStrategy),
}

impl Way {
    /// What to call it beside the others.
    pub fn label(self) -> String {
        match self {
            Self::Any => "pool".into(),
            Self::Subcubes(kind) | Self::Meshes(kind, Leftover::Kept) => kind.name().into(),
            Self::Meshes(kind, Leftover::Reused) => format!("{kind}+afl"),
            Self::Boxes(strategy) => strategy.to_string(),
            Self::Domains(nearness) => nearness.to_string(),
            Self::Nodes(strategy) => strategy.to_string(),
        }
    }

    /// A machine of which jobs get processors so; `effort` is that of complete recognition on
    /// subcubes. A way that the machine does not have is taken for any processors.
    pub fn machine(self, spec: MachineSpec, effort: Effort) -> Box<dyn Machine> {
        match (self, spec) {
            (Self::Subcubes(StrategyKind::Complete), MachineSpec::Cube(dims)) => {
                Box::new(Hypercube::with_allocator(complete_allocator(dims, effort)))
            }
            (Self::Subcubes(kind), MachineSpec::Cube(dims)) => Box::new(Hypercube::new(dims, kind)),
            (Self::Meshes(kind, leftover), MachineSpec::Cube(dims)) => {
                Box::new(MeshCube::new(dims, kind, leftover))
            }
            (Self::Boxes(strategy), MachineSpec::Boxes(layout)) => {
                Box::new(GridMachine::new(layout, strategy))
            }
            (Self::Domains(nearness), MachineSpec::Tree(racks)) => tree_machine(racks, nearness),
            (Self::Nodes(strategy), MachineSpec::Nodes(cluster)) => node_machine(cluster, strategy),
            _ => Box::new(Pool::new(spec.processors())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use locox::grid::Placement;

    #[test]
    fn a_machine_is_of_the_kind_that_its_way_is_of() {
        let torus: MachineSpec = "torus:4x4".parse().unwrap();
        let name = |way: Way| way.machine(torus, Effort::default()).name();
        assert_eq!(name(Way::Boxes(Placement::Fewest.into())), "torus:4x4, fewest");
        assert_eq!(name(Way::Any), Pool::new(16).name());
    }
}

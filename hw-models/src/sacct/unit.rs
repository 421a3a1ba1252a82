//! What counts as a processor of the trace.

/// What counts as a processor.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Unit {
    /// What Slurm calls a CPU: a core or a hardware thread.
    #[default]
    Cpus,
    /// A node, on machines that hand out whole ones.
    Nodes,
}

impl Unit {
    pub(super) fn column(self) -> &'static str {
        match self {
            Self::Cpus => "AllocCPUS",
            Self::Nodes => "NNodes",
        }
    }

    pub(super) fn requested(self) -> &'static str {
        match self {
            Self::Cpus => "ReqCPUS",
            Self::Nodes => "ReqNodes",
        }
    }

    /// In lists of resources.
    pub(super) fn resource(self) -> &'static str {
        match self {
            Self::Cpus => "cpu",
            Self::Nodes => "node",
        }
    }
}

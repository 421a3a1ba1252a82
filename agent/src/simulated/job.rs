//! A job of the simulated manager.

use serde::{Deserialize, Serialize};

/// A job as the manager has it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Job {
    /// Which submission it is; never given again.
    pub(crate) serial: u64,
    pub(crate) born: u64,
    pub(crate) user: u32,
    pub(crate) nodes: u32,
    /// Of the mesh that it is to be, if its owner says so.
    #[serde(default)]
    pub(crate) sides: [u32; 3],
    pub(crate) limit: u64,
    /// So long after its birth it is to have ended, if it has a deadline.
    #[serde(default)]
    pub(crate) patience: Option<u64>,
    /// For how long it really runs; may be longer than the limit.
    pub(crate) runtime: u64,
    pub(crate) priority: u32,
    pub(crate) rank: u32,
    pub(crate) governed: bool,
    pub(crate) gated: bool,
    pub(crate) held: bool,
    /// The nodes that were chosen for it; empty: any.
    pub(crate) chosen: Vec<u32>,
    /// As many nodes as its owner asked for, if it was given another number; else 0.
    #[serde(default)]
    pub(crate) asked: u32,
    /// The nodes that it may have, from the lowest on; empty: any.
    #[serde(default)]
    pub(crate) allowed: Vec<u32>,
    /// Whether nobody is told of that.
    #[serde(default)]
    pub(crate) is_hidden: bool,
    /// Whether others were chosen, so that it does not start before that is taken back.
    #[serde(default)]
    pub(crate) is_bad: bool,
    /// Whether it would not wait again if it were stopped.
    #[serde(default)]
    pub(crate) is_firm: bool,
    pub(crate) doing: Doing,
}

/// What it does.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Doing {
    Waits,
    Runs {
        since: u64,
        until: u64,
        nodes: Vec<u32>,
    },
    /// It has its nodes still; then it is gone, or waits again.
    Ends {
        until: u64,
        nodes: Vec<u32>,
        again: bool,
    },
}

impl Job {
    /// Whether it waits and the manager may start it.
    pub(crate) fn is_ready(&self) -> bool {
        self.doing == Doing::Waits && !self.gated && !self.held && !self.is_bad
    }

    /// Takes back what was chosen for it.
    pub(crate) fn give_back(&mut self) {
        if self.asked > 0 {
            self.nodes = std::mem::take(&mut self.asked);
        }
        (self.chosen, self.is_bad) = (vec![], false);
    }

    /// Whether it may have a node.
    pub(crate) fn may_have(&self, node: u32) -> bool {
        self.allowed.is_empty() || self.allowed.binary_search(&node).is_ok()
    }

    /// The nodes that it has.
    pub(crate) fn has(&self) -> &[u32] {
        match &self.doing {
            Doing::Waits => &[],
            Doing::Runs { nodes, .. } | Doing::Ends { nodes, .. } => nodes,
        }
    }
}

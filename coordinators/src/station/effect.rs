//! What the coordinator says: effects, and where a job is.

use super::{Checkpoint, NodeId, Run};
use crate::coordinate::variants;
use locox::fair::StationId;
use locox::time::Instant;

variants! {
    /// What is to be done.
    #[must_use = "the coordinator counts on it that this is done"]
    pub enum Effect {
        /// Ask every station whether its owner is there and which jobs wait.
        Poll = 0,
        /// Start the job on the processor `node` from its beginning, as this run. It comes from the
        /// station `home`, whose own processor needs no transfer; that should be over when it `begins`.
        Place { node: NodeId, run: Run, home: StationId, begins: Instant } = 1,
        /// Start the job on the processor `node` from its last checkpoint, by the host's name for the saved
        /// state, as this run. Else as [`Place`](Self::Place).
        Resume {
            node: NodeId,
            run: Run,
            home: StationId,
            checkpoint: Checkpoint,
            begins: Instant,
        } = 2,
        /// Checkpoint the run on the processor `node` and have it out.
        Preempt { node: NodeId, run: Run, why: PreemptReason } = 3,
        /// Checkpoint the run on the processor `node`; it goes on.
        Checkpoint { node: NodeId, run: Run } = 4,
        /// Say what became of the run on the processor `node`: [`Heard`](super::Command::Heard) if it
        /// is still there.
        Ask { node: NodeId, run: Run } = 5,
        /// So many runs of different jobs failed on the processor `node` in a row that it is given to
        /// nobody any more.
        SetAside { node: NodeId } = 6,
    }
}

variants! {
    /// Why a run has to leave.
    pub enum PreemptReason {
        /// The processor goes to another station.
        Fairness { to: StationId } = 0,
        /// The job has a new place: it was suspended here, or it is called home.
        Moved { to: NodeId } = 1,
        /// The owner came back before it was certain that the run had started, or before the station
        /// that it was to yield to could have the processor.
        Withdrawn = 2,
        /// The job was cancelled: no checkpoint is needed.
        Cancelled = 3,
        /// The job is held.
        Held = 4,
        /// The job ran for longer than it may.
        Limit = 5,
        /// The processor is drained.
        Drained = 6,
    }
}

locox::ground::display! { Effect:
    Self::Poll => "all stations: say how it is",
    Self::Place { node, run, home, begins } => "node {node}: start {run} of station {home} by {begins}",
    Self::Resume { node, run, home, checkpoint, begins } =>
        "node {node}: resume {run} of station {home} from checkpoint {checkpoint} by {begins}",
    Self::Preempt { node, run, why } => "node {node}: checkpoint {run} and drop it, as {why}",
    Self::Checkpoint { node, run } => "node {node}: checkpoint {run}",
    Self::Ask { node, run } => "node {node}: what became of {run}?",
    Self::SetAside { node } => "node {node} is set aside",
}

locox::ground::display! { PreemptReason:
    Self::Fairness { to } => "its processor goes to station {to}",
    Self::Moved { to } => "its job moves to node {to}",
    Self::Withdrawn => "its processor is withdrawn",
    Self::Cancelled => "its job is cancelled",
    Self::Held => "its job is held",
    Self::Limit => "its job has run for as long as it may",
    Self::Drained => "its processor is drained",
}

locox::ground::cases! {
    /// Why a job that is on no processor may have none.
    pub enum StopReason {
        /// Its last run failed. It waits again from the first interval on that ends then.
        BackingOff { until: Instant },
        /// It is held.
        Held,
        /// Too many of its runs failed.
        Failed,
        /// It ran for longer than it may.
        Limit,
    }

    /// Where a job is.
    pub enum Status {
        /// At home.
        Waiting,
        /// At home, and may have no processor.
        Stopped { why: StopReason },
        /// This processor is kept for it, on which another run is still leaving.
        Placed { node: NodeId },
        /// On its way to this processor, or running there.
        Running { node: NodeId },
        /// Suspended on this processor, or being checkpointed; the next one is kept for it.
        Leaving { node: NodeId, next: Option<NodeId> },
    }
}

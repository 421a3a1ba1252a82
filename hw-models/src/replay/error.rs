//! Why a replay cannot go on.

/// A workload that cannot be run to its end.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReplayError {
    /// A job is larger than the machine.
    #[error(
        "{workload}{place}: job {id} asks for {processors} processors, but {machine} has \
         {available}; choose a larger machine, or reject such jobs with --lenient",
        place = place(.line)
    )]
    TooLarge {
        /// Name of the workload.
        workload: String,
        /// Number of the job.
        id: u64,
        /// Its line in the trace.
        line: Option<u64>,
        /// What it asks for.
        processors: u32,
        /// Name of the machine.
        machine: String,
        /// What the machine has.
        available: u32,
    },
    /// There are enough processors, but no nodes that a job could ever have.
    #[error(
        "{workload}{place}: job {id} asks for {asked}, and {machine} has no such nodes; choose larger ones, or reject such jobs with --lenient",
        place = place(.line)
    )]
    NoNodes {
        /// Name of the workload.
        workload: String,
        /// Number of the job.
        id: u64,
        /// Its line in the trace.
        line: Option<u64>,
        /// What it asks for, in words.
        asked: String,
        /// Name of the machine.
        machine: String,
    },
    /// Times of submission fall.
    #[error("{workload}{place}: job {id} is submitted before the job in front of it; sort the jobs",
        place = place(.line))]
    OutOfOrder {
        /// Name of the workload.
        workload: String,
        /// Number of the job.
        id: u64,
        /// Its line in the trace.
        line: Option<u64>,
    },
    /// Under a manager a job comes or runs for longer than can be simulated.
    #[error("{workload}{place}: job {id} comes more than ten years after the first one, or runs for longer; a manager is simulated for ten years: leave it out",
        place = place(.line))]
    TooLong {
        /// Name of the workload.
        workload: String,
        /// Number of the job.
        id: u64,
        /// Its line in the trace.
        line: Option<u64>,
    },
    /// A job would end after the last instant.
    #[error("{workload}{place}: job {id} would end beyond the end of time; correct its run time",
        place = place(.line))]
    EndOfTime {
        /// Name of the workload.
        workload: String,
        /// Number of the job.
        id: u64,
        /// Its line in the trace.
        line: Option<u64>,
    },
    /// A job asks for a mesh, and the queue promises boxes by numbers of nodes.
    #[error("{workload}{place}: job {id} asks for a mesh, and what is promised are boxes of so many nodes; \
             choose a queue without promises", place = place(.line))]
    Mesh {
        /// Name of the workload.
        workload: String,
        /// Number of the job.
        id: u64,
        /// Its line in the trace.
        line: Option<u64>,
    },
    /// The queue promises numbers of processors, and a job needs a place on the machine.
    #[error(
        "{machine}: the queue promises numbers of processors, not places; make it by `QueueKind::queue_on`"
    )]
    Counts {
        /// Name of the machine.
        machine: String,
    },
    /// Nothing runs, nothing arrives, and jobs still wait.
    #[error(
        "{machine}: {waiting} jobs wait for ever ({why}); repair nodes, or choose another machine or queue"
    )]
    Stuck {
        /// Name of the machine.
        machine: String,
        /// Jobs that wait.
        waiting: usize,
        /// What the machine said last, in words.
        why: String,
    },
    /// There are outages for a machine that knows none.
    #[error("{machine}: its model knows no outages; leave them out, or choose another machine")]
    NoOutages {
        /// Name of the machine.
        machine: String,
    },
}

fn place(line: &Option<u64>) -> String {
    line.map(|line| format!(":{line}")).unwrap_or_default()
}

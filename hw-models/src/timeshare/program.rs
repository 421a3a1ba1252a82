//! What jobs do, and how long messages take.

/// What a job does. Work is microseconds on one host.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Program {
    /// Phases of computation, each ended by a barrier: all processes send to the first one, which
    /// handles one message after the other and then lets all go on.
    Barrier {
        /// Work of a phase, by all processes together.
        work: f64,
        /// Number of phases.
        phases: u32,
        /// Until its processes begin to compute: they are spawned and get what they need.
        setup: u64,
    },
    /// One long computation that balances itself once: some time after its start all that is left
    /// is shared out in proportion to what each process has done until then. While it is shared
    /// out nobody computes; a single process has nothing to share.
    Ep {
        /// Work of all processes together.
        work: f64,
        /// When it balances, after its start.
        balance: u64,
        /// How long that takes.
        sharing: u64,
    },
}

impl Program {
    /// Its work on one host.
    pub fn work(&self) -> f64 {
        match *self {
            Self::Barrier { work, phases, .. } => work * f64::from(phases),
            Self::Ep { work, .. } => work,
        }
    }
}

/// How long messages take.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Network {
    /// From one host to another.
    pub latency: u64,
    /// Time that the first process waits with each message that it takes.
    pub wait: u64,
    /// Time that it computes with each.
    pub handling: f64,
    /// By how much that grows with each process more than two.
    pub growth: f64,
    /// Share of messages that are lost, and after what time they are sent again.
    pub loss: Option<(f64, u64)>,
    /// What hands messages on to a first process; `None` if they come to it directly.
    pub daemon: Option<Daemon>,
}

/// A helper of a job on the host of its first process, which handles each message before that one does.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Daemon {
    /// How urgent it is.
    pub priority: Priority,
    /// What it computes with a message.
    pub work: f64,
    /// Whether jobs whose first processes share a host share a daemon there, as those of one user do. It
    /// handles messages as they come.
    pub shared: bool,
}

/// How urgent a daemon is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Priority {
    /// At this level whatever runs.
    Level(u8),
    /// One level above the most urgent of its jobs that have not ended, as Elmer has it.
    AboveJob,
    /// At the level of that job.
    BesideJob,
}

impl Priority {
    /// The level of a daemon whose most urgent job has this one.
    pub(super) fn level(self, job: u8) -> u8 {
        match self {
            Self::Level(level) => level,
            Self::AboveJob => job.saturating_sub(1),
            Self::BesideJob => job,
        }
    }
}

impl Network {
    /// What the first process computes with a message among so many processes.
    pub(super) fn handling_of(&self, processes: usize) -> f64 {
        self.handling + self.growth * processes.saturating_sub(2) as f64
    }

    /// The delay of a phase of so many processes, if nothing else runs.
    pub fn delay(&self, processes: usize) -> f64 {
        if processes < 2 {
            return 0.0;
        }
        let messages = (processes - 1) as f64;
        2.0 * self.latency as f64 + messages * (self.wait as f64 + self.handling_of(processes))
    }
}

//! What an administrator says, checked.

use crate::condor::CondorConfig;
use crate::places::Places;
use crate::simulated::World;
use crate::slurm::SlurmConfig;
use locox::time::Duration;
use locox_coordinators::manager::Preemption;
use std::fmt;
use std::path::PathBuf;

/// A tick is a second.
pub(crate) const MINUTE: Duration = Duration::from_ticks(60);

/// What an administrator says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Config {
    /// Which resource manager acts.
    pub manager: ManagerConfig,
    /// Where the history is stored.
    pub folder: PathBuf,
    /// Who has the last word.
    pub mode: Mode,
    /// What is governed.
    pub partitions: Vec<String>,
    /// Seconds between two snapshots.
    pub poll: u64,
    /// The most nodes, over all times; as many as [`Places::numbers`] says, if that says so.
    pub nodes: u32,
    /// Which nodes a job can have together.
    pub places: Places,
    /// The most jobs at one time.
    pub jobs: u32,
    /// The most users.
    pub users: u32,
    /// Who stands before whom.
    pub ranking: Ranking,
    /// How the ranking of users forgets, in minutes.
    pub half_life: u64,
    /// When jobs are stopped for others, in seconds; `None`: never.
    pub preempt: Option<Preemption>,
    /// In advisory mode: so many jobs at the head of the line are put into order.
    pub advised: u32,
    /// Users and their weights.
    pub shares: Vec<(u32, u16)>,
    /// What else was said and has no effect: each with its reason.
    pub idle: Vec<&'static str>,
}

impl Config {
    /// For a simulated manager that lies in memory, with room for all that it has; else what an administrator gets who
    /// says nothing.
    pub fn of_simulated(world: &World, mode: Mode) -> Self {
        Self {
            manager: ManagerConfig::Simulated { file: PathBuf::new(), world: world.clone() },
            folder: PathBuf::new(),
            mode,
            partitions: vec![],
            poll: world.poll,
            nodes: world.nodes,
            places: Places::Any,
            jobs: world.jobs,
            users: world.users,
            ranking: Ranking::Users,
            half_life: 1440,
            preempt: None,
            advised: 100,
            shares: vec![],
            idle: vec![],
        }
    }
}

/// Which resource manager acts, and what is to be known of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ManagerConfig {
    /// One that is simulated.
    Simulated {
        /// Where it is stored from one command to the next.
        file: PathBuf,
        /// What it is.
        world: World,
    },
    /// Slurm.
    Slurm(SlurmConfig),
    /// HTCondor.
    Condor(CondorConfig),
}

/// Who has the last word.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Mode {
    /// The manager: the agent puts the jobs that wait into order. Without the agent all goes on.
    #[default]
    Advisory,
    /// The agent: no job starts before it says so. Without the agent nothing starts.
    Authoritative,
}

/// The configuration's word.
impl fmt::Display for Mode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Advisory => "advisory",
            Self::Authoritative => "authoritative",
        })
    }
}

/// The word for which nodes a job can have together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum PlacesWord {
    /// Any.
    #[default]
    Any,
    /// Those of a subcube.
    Subcubes,
    /// Those of a mesh in a subcube.
    Meshes,
    /// Those of a box in a mesh or torus.
    Boxes,
    /// Those of a domain.
    Tree,
}

/// Who stands before whom.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Ranking {
    /// Users by what they have had, Up-Down; the jobs of a user by priority and arrival.
    #[default]
    Users,
    /// Jobs by priority and arrival.
    Priority,
}

//! What an administrator says, in TOML. All that there is, with what it means:
//!
//! ```toml
#![doc = include_str!("../../locox-agent.toml")]
//! ```
//!
//! Paths start at the folder of the configuration. It is checked wholly before anything is done.

mod error;
mod text;

pub use error::{ConfigError, Fault};

use crate::condor::CondorConfig;
use crate::simulated::World;
use crate::slurm::SlurmConfig;
use std::path::{Path, PathBuf};

/// Bytes of a configuration.
const LONGEST: u64 = 1 << 22;

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
    /// The most nodes, over all times.
    pub nodes: u32,
    /// The most jobs at one time.
    pub jobs: u32,
    /// The most users.
    pub users: u32,
    /// Who stands before whom.
    pub ranking: Ranking,
    /// How the ranking of users forgets, in minutes.
    pub half_life: u64,
    /// Whether a job is stopped for a user who has nothing.
    pub preempt: bool,
    /// In advisory mode: so many jobs at the head of the line are put into order.
    pub advised: u32,
    /// Users and their weights.
    pub shares: Vec<(u32, u16)>,
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

impl Config {
    /// Reads a file. Paths in it start at its folder.
    ///
    /// # Errors
    ///
    /// What is wrong with it, and where.
    pub fn open(path: &Path) -> Result<Self, ConfigError> {
        let whole = |fault| ConfigError { path: path.into(), place: None, fault };
        let length = std::fs::metadata(path).map_err(|error| whole(Fault::Read(error)))?.len();
        if length > LONGEST {
            return Err(whole(Fault::Long { most: LONGEST }));
        }
        let text = std::fs::read_to_string(path).map_err(|error| whole(Fault::Read(error)))?;
        Self::parse(path, &text)
    }

    /// Reads a text; `path` is its name in errors.
    ///
    /// # Errors
    ///
    /// As [`Config::open`].
    pub fn parse(path: &Path, text: &str) -> Result<Self, ConfigError> {
        let said: text::Text = toml::from_str(text).map_err(|error| {
            let fault = Fault::Toml(error.message().trim().replace('\n', "; "));
            let place = error.span().map(|span| place(text, span.start));
            ConfigError { path: path.into(), place, fault }
        })?;
        let folder = path.parent().unwrap_or(Path::new(""));
        said.checked(folder).map_err(|(at, fault)| ConfigError {
            path: path.into(),
            place: Some(place(text, at)),
            fault,
        })
    }
}

/// Line and column, from 1, of the byte at `at`.
fn place(text: &str, at: usize) -> (usize, usize) {
    let before = text.get(..at).unwrap_or(text);
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
    (line, column)
}

#[cfg(test)]
mod tests;

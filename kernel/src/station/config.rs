//! The coordinator's parameters.

use crate::fair::FairError;
use crate::handle::PoolId;
use crate::time::Duration;
use core::fmt;

/// When the coordinator updates its ranking and allocates, besides each scheduling interval.
///
/// A schedule index counts updates, not time: where these are many, it moves fast.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Trigger {
    /// At no other time: the cheapest, for very many stations.
    IntervalOnly,
    /// Whenever a processor becomes free, as in the study.
    #[default]
    Capacity,
    /// Also whenever a job begins to wait, so that no processor is free while one does.
    Demand,
}

/// The parameters of a coordinator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Config {
    /// Scheduling interval; not zero. Much longer than a transfer and a checkpoint, or preempted
    /// jobs move more than they run.
    pub interval: Duration,
    /// Time between polls of the stations; `None` if they report by themselves. Not zero.
    pub poll: Option<Duration>,
    /// Time between checkpoints of all that runs; `None` for checkpoints at preemption only. Not
    /// zero.
    pub checkpoint: Option<Duration>,
    /// How long it takes to move a job to another processor.
    pub transfer: Duration,
    /// What else makes it schedule.
    pub trigger: Trigger,
    /// Whether a job that runs elsewhere comes home as soon as its own station's processor is free
    /// and no other of its jobs waits for that. It costs a checkpoint, and leaves the processor of
    /// the others to those who have none.
    pub recall: bool,
    /// The number that tells its jobs' handles from those of other pools.
    pub pool: PoolId,
}

impl Config {
    /// The configuration of the study: interval 10 minutes, poll 2 minutes, transfer 1 minute,
    /// checkpoints at preemption only, no recall. A `minute` is so many ticks long.
    pub const fn study(minute: Duration) -> Self {
        Self {
            interval: Duration::from_ticks(minute.ticks().saturating_mul(10)),
            poll: Some(Duration::from_ticks(minute.ticks().saturating_mul(2))),
            checkpoint: None,
            transfer: minute,
            trigger: Trigger::Capacity,
            recall: false,
            pool: PoolId(0),
        }
    }
}

/// A parameter or a column that cannot be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum ConfigError {
    /// The parameter must not be zero.
    Zero {
        /// Its name.
        parameter: &'static str,
    },
    /// A column of the storage is too short, or is not of as many stations as the others.
    Column {
        /// Its name.
        column: &'static str,
        /// Rows that it needs.
        needs: u32,
        /// Rows that it has.
        has: u32,
    },
    /// The ranking does not fit.
    Fairness(FairError),
}

impl ConfigError {
    /// The name of the parameter at fault.
    pub const fn parameter(&self) -> &'static str {
        match self {
            Self::Zero { parameter } => parameter,
            Self::Column { column, .. } => column,
            Self::Fairness(error) => error.parameter(),
        }
    }
}

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Zero { parameter } => write!(f, "{parameter} must not be zero"),
            Self::Column { column, needs, has } => {
                write!(f, "{column} has {has} rows and needs {needs}")
            }
            Self::Fairness(error) => error.fmt(f),
        }
    }
}

impl core::error::Error for ConfigError {}

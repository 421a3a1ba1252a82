//! What cannot be run.

use locox_coordinators::station::Misuse;

/// A parameter that cannot be.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum BadPool {
    /// Nobody to have jobs.
    #[error("stations: there must be at least one")]
    NoStations,
    /// The parameter is zero, negative or not a number.
    #[error("{parameter} must be above 0")]
    NotPositive {
        /// Its name.
        parameter: &'static str,
    },
    /// The parameter is negative or not a number.
    #[error("{parameter} must not be negative")]
    Negative {
        /// Its name.
        parameter: &'static str,
    },
    /// More calls than can be told apart.
    #[error("calls must not be above a million a second")]
    TooOften,
    /// More jobs than a pool can have.
    #[error("permanent: {jobs} jobs are more than {most}")]
    TooManyJobs {
        /// All permanent jobs.
        jobs: u64,
        /// [`most_jobs`](super::Pool::most_jobs).
        most: u32,
    },
    /// The recording has no such station.
    #[error("recording: there is no station {station}, only {recorded} are recorded")]
    NotRecorded {
        /// The station asked for.
        station: usize,
        /// Stations that there are.
        recorded: usize,
    },
    /// The coordinator refuses.
    #[error(transparent)]
    Config(Misuse),
}

pub(super) fn not_negative(parameter: &'static str, value: f64) -> Result<(), BadPool> {
    if value >= 0.0 && value.is_finite() { Ok(()) } else { Err(BadPool::Negative { parameter }) }
}

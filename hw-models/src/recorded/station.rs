//! Recorded runs of [`locox_coordinators::station`].

use crate::workstation::{BadPool, Policy, Pool};
use locox_recorded::station::MadeOf;

/// Runs a pool under a ranking and writes down what its coordinator was told, up to so many
/// commands. Same pool, ranking and seed, same bytes.
///
/// # Errors
///
/// [`BadPool`] names the parameter.
pub fn record_stations(
    pool: &Pool,
    policy: Policy,
    seed: u64,
    most: u64,
) -> Result<Vec<u8>, BadPool> {
    let history = pool.history(policy, seed, most)?;
    let stations = pool.stations.len();
    let made_of = MadeOf {
        policy,
        config: pool.config,
        stations,
        nodes: stations + pool.bank as usize,
        jobs: pool.job_rows(),
    };
    let mut bytes = made_of.head();
    bytes.extend(history);
    Ok(bytes)
}

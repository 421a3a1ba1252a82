//! The coordinator of sites: all histories with two machines, two users, two queues and two jobs.

use super::{Counts, histories};
use crate::site::{Command, Lockstep, Setup, Store};
use locox::handle::PoolId;
use locox::time::Duration;
use locox_coordinators::site::{Algorithm, Claim, Config, Policy};

/// Two machines, and both together as a cluster.
pub fn setup() -> Setup {
    Setup {
        config: Config::new(Duration::from_ticks(4), PoolId(5)),
        machines: 2,
        clusters: vec![(vec![0, 1], 1, Some(3))],
        times: vec![vec![Some(5), Some(7), Some(4)], vec![None, Some(3), None]],
        classes: vec![0, 1, 2],
        jobs: 2,
        users: 2,
        queues: 2,
    }
}

/// What machines, users and time may say, as it should be and not.
fn commands() -> Vec<Command> {
    let policy = |level, claim| Policy { algorithm: Algorithm::Pjs, level, claim, clearance: 0 };
    vec![
        Command::Submit(0, 0, 0, 0),
        Command::Submit(1, 1, 1, 0),
        Command::Submit(0, 0, 0, -1),
        Command::Submit(0, 0, 0, 1),
        Command::Submit(2, 0, 0, 0),
        Command::Submit(0, 2, 0, 0),
        Command::Finished(0, 0, 3),
        Command::Finished(1, 0, 3),
        Command::Finished(0, 1, 3),
        Command::Vacated(0, 0),
        Command::AllVacated,
        Command::Lost(0, 0),
        Command::Lost(0, -1),
        Command::Lost(2, 0),
        Command::Back(0, 1),
        Command::AllBack,
        Command::Link(3, false),
        Command::Link(3, true),
        Command::SetPolicy(0, policy(0, Claim::Takes)),
        Command::SetPolicy(1, policy(6, Claim::Loses)),
        Command::SetPolicy(1, policy(0, Claim::Loses)),
        Command::SetLimit(0, 1),
        Command::SetClearance(0, 1),
        Command::Tick(1),
        Command::Tick(4),
        Command::Effects,
        Command::Restart,
    ]
}

/// All histories of so many calls, beside a model of a site that should be the same.
pub fn sites(length: usize, real: &Setup, beside: &Setup) -> Counts {
    let (clusters, cells) = (real.clusters(), real.cells());
    histories(&commands(), length, |history| {
        let mut store = Store::new(real);
        let mut run = Lockstep::new(beside, real.known(&clusters, &cells), &mut store);
        history.iter().try_for_each(|command| run.step(command))?;
        Ok(run.key())
    })
}

//! The coordinator of workstations: all histories with two stations and two jobs.

use super::{Counts, histories};
use crate::fair::{Rule, Timed};
use crate::station::world::Size;
use crate::station::{Command, Lockstep, Serial, Turn};
use locox::fair::{DecayParams, Fairness, StationId, TimedRow, TimedUpDown};
use locox::handle::PoolId;
use locox::time::Duration;
use locox_coordinators::station::{Config, NodeId, Nodes, Trigger};
use std::fmt::Debug;

const SIZE: Size = Size { stations: 2, bank: 0, job_rows: 2, steps: 0, messages: false };

fn config() -> Config {
    let after = |ticks| Some(Duration::from_ticks(ticks));
    Config {
        interval: Duration::from_ticks(9),
        poll: after(7),
        checkpoint: after(11),
        transfer: Duration::from_ticks(2),
        trigger: Trigger::Demand,
        recall: true,
        rounds: 2,
        decisions: None,
        lease: after(40),
        back_off: Duration::from_ticks(4),
        retries: 1,
        faults: 1,
        pool: PoolId(3),
    }
}

/// What hosts, users and time may say, as it should be and not. Run 0 is one of another coordinator.
fn commands() -> Vec<Command> {
    let (first, second, none) = (StationId(0), StationId(1), StationId(2));
    let node = NodeId(0);
    vec![
        Command::Submit(first, Serial::Next),
        Command::Submit(second, Serial::Next),
        Command::Submit(first, Serial::Again),
        Command::Submit(first, Serial::Wrong(1)),
        Command::Submit(none, Serial::Next),
        Command::NodeIdle(node),
        Command::NodeIdle(NodeId(1)),
        Command::NodeIdle(NodeId(2)),
        Command::OwnerBack(first),
        Command::NodeLost(NodeId(1)),
        Command::Heard(1),
        Command::Continued(1),
        Command::Checkpointed(1, 7),
        Command::Vacated(1),
        Command::Finished(1),
        Command::Finished(0),
        Command::Cancel(1),
        Command::Hold(1),
        Command::Release(1),
        Command::Limit(1, 5),
        Command::Drain(Nodes::One { node }),
        Command::Restore(Nodes::One { node }),
        Command::From(node, Turn::Next),
        Command::From(node, Turn::Again),
        Command::Tick(10),
        Command::TimeGoesBack,
        Command::TakeEffects(9),
        Command::Restart,
    ]
}

/// All histories of so many commands under a ranking, beside a model under a naive one, which should be the same.
pub fn stations_under<F, R>(length: usize, fair: &F, ranking: &R) -> Counts
where
    F: Fairness + Clone,
    R: Rule<F> + Clone + Debug,
{
    histories(&commands(), length, |history| {
        let mut run = Lockstep::new(SIZE, config(), fair.clone(), ranking.clone());
        history.iter().try_for_each(|command| run.step(command))?;
        Ok(run.key())
    })
}

/// The same under the ranking that is the default.
pub fn stations(length: usize) -> Counts {
    let ticks = Duration::from_ticks;
    let pace = DecayParams { half_life: ticks(60), quantum: ticks(5) };
    let fair = TimedUpDown::new(vec![TimedRow::EMPTY; SIZE.stations], pace);
    let fair = fair.expect("neither is zero");
    stations_under(length, &fair, &Timed::new(SIZE.stations, pace))
}

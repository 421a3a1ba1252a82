//! The coordinator of shared hosts: all histories with two hosts, two users and two jobs.

use super::{Counts, histories};
use crate::cluster::{Command, Heard, Lockstep, Rows, Size};
use crate::dispatch::order;
use crate::timeshare::Rule;
use locox::handle::PoolId;
use locox::time::Duration;
use locox::timeshare::{HostId, Load, Placement, Speed, UserId};
use locox_coordinators::cluster::{Config, Retry, Terms};

const SIZE: Size = Size { levels: 2, hosts: 2, rows: 2 };

fn config() -> Config {
    let silence = Some(Duration::from_ticks(12));
    Config { retry: Retry::Always, silence, sets: 1, memory: true, pool: PoolId(5) }
}

/// What hosts, users and time may say, as it should be and not. Job 0 is one of another coordinator.
fn commands() -> Vec<Command> {
    let [first, second] = [UserId(0), UserId(1)];
    let [host, other, none] = [0, 1, 2].map(HostId);
    let chosen = Terms { set: 1, key: 2, memory: 3 };
    let busy = Load::from_thousandths(800);
    vec![
        Command::Submit(first, 1, false, Terms::default()),
        Command::Submit(second, 2, true, Terms::default()),
        Command::Submit(first, 1, false, chosen),
        Command::Submit(first, 3, false, Terms::default()),
        Command::Submit(first, 0, false, Terms::default()),
        Command::Cancel(1),
        Command::Cancel(2),
        Command::Kill(1),
        Command::Ended(1),
        Command::Ended(2),
        Command::Ended(0),
        Command::Report(host, Load::IDLE, Speed::NOMINAL, Heard::All),
        Command::Report(host, Load::IDLE, Speed::NOMINAL, Heard::Behind),
        Command::Report(host, Load::IDLE, Speed::NOMINAL, Heard::Restarted),
        Command::Report(other, busy, Speed::NOMINAL, Heard::All),
        Command::Report(none, Load::IDLE, Speed::NOMINAL, Heard::All),
        Command::ReportAll,
        Command::Lost(host),
        Command::Lost(none),
        Command::Memory(host, 4),
        Command::Name(1, host, 1, true),
        Command::Name(2, host, 1, true),
        Command::Choose(1, 1),
        Command::Tick(5),
        Command::Tick(13),
        Command::TimeGoesBack,
        Command::TakeEffects(9),
        Command::Restart,
    ]
}

/// All histories of so many commands under a placement and a queue, beside a model under rules that should be the same.
pub fn clusters<P: Placement + Clone>(
    length: usize,
    (placement, queue): (&P, order::Rule),
    beside: (Rule, order::Rule),
) -> Counts {
    histories(&commands(), length, |history| {
        let rows = || Rows::new(SIZE, &config(), queue);
        let mut rows = [rows(), rows()];
        let rules = (placement.clone(), beside.0, beside.1);
        let mut run = Lockstep::new(SIZE, config(), rules, &mut rows).expect("all fits");
        history.iter().try_for_each(|command| run.step(command))?;
        Ok(run.key())
    })
}

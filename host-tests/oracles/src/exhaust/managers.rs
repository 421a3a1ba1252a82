//! The coordinator of a resource manager's machine: all histories with two nodes, two users and two jobs.

use super::{Counts, histories};
use crate::manager::{Lockstep, Rows, Size, Step};
use locox::fair::DecayParams;
use locox::handle::PoolId;
use locox::time::{Duration, Instant};
use locox_coordinators::manager::{
    Command, Config, Key, NodeId, Places, Preemption, Ranking, UserId,
};

/// What a coordinator has room for.
pub const SIZE: Size = Size { jobs: 2, users: 2, nodes: 2 };

fn config(places: Places) -> Config {
    let ticks = Duration::from_ticks;
    Config {
        places,
        ranking: Ranking::Users,
        decay: DecayParams { half_life: ticks(10), quantum: ticks(1) },
        preempt: Some(Preemption {
            patience: ticks(1),
            least_run: ticks(1),
            protection: ticks(4),
            notice: ticks(2),
        }),
        pool: PoolId(5),
    }
}

/// What the manager, users and time may say, as it should be and not.
fn steps() -> Vec<Step> {
    let key = |id| Key { id, born: 0 };
    let seen = |id, user, nodes, priority| {
        let limit = Duration::from_ticks(5);
        Command::Seen { key: key(id), user: UserId(user), nodes, limit, priority }
    };
    let outage = |planned| {
        let [from, to] = [4, 8].map(Instant::from_ticks);
        let (first, nodes) = (NodeId(0), 1);
        match planned {
            true => Command::Outage { first, nodes, from, to },
            false => Command::NoOutage { first, nodes, from, to },
        }
    };
    let reserve = |by| Command::Reserve { key: key(1), from: Instant::from_ticks(3), by };
    let (first, since) = (NodeId(0), Instant::ZERO);
    let limit = Duration::from_ticks(9);
    let commands = [
        seen(1, 0, 1, 0),
        seen(2, 1, 2, 1),
        seen(3, 1, 1, 0),
        seen(4, 2, 3, 0),
        seen(1, 0, 0, 0),
        Command::Changed { key: key(1), nodes: 2, limit, priority: 2 },
        Command::Held { key: key(1), held: true },
        Command::Held { key: key(1), held: false },
        Command::Runs { key: key(1), since, first, nodes: 1 },
        Command::RunsAlso { key: key(1), first: NodeId(1), nodes: 1 },
        Command::Waits { key: key(1) },
        Command::Left { key: key(1) },
        Command::Left { key: key(2) },
        Command::NodeOut { first, nodes: 1 },
        Command::NodeOut { first: NodeId(2), nodes: 1 },
        Command::NodeBack { first, nodes: 2 },
        Command::Weight { user: UserId(0), weight: 2 },
        Command::UserGone { user: UserId(0) },
        Command::Deadline { key: key(1), by: Instant::from_ticks(4) },
        Command::Shape { key: key(2), sides: [2, 1, 1] },
        outage(true),
        outage(false),
        reserve(Instant::MAX),
        reserve(Instant::from_ticks(5)),
        Command::NoReservation { key: key(1) },
        Command::Decide,
    ];
    let said = commands.map(|command| Step::Say(0, command));
    let later = Step::Say(3, Command::Decide);
    let others = [
        later,
        Step::WrongTime(true),
        Step::WrongTime(false),
        Step::Confirm(0),
        Step::TakeEffects(9),
        Step::Restart,
    ];
    said.into_iter().chain(others).collect()
}

/// All histories of so many steps in columns of a size, beside a model of a size that should be the same.
pub fn managers(length: usize, places: Places, real: Size, beside: Size) -> Counts {
    histories(&steps(), length, |history| {
        let mut rows = [Rows::new(real), Rows::new(real)];
        let mut run = Lockstep::new(beside, config(places), &mut rows);
        history.iter().try_for_each(|step| run.step(step))?;
        Ok(run.key())
    })
}

//! Room for jobs at the expense of others.

use crate::runner::times;
use locox::fair::DecayParams;
use locox::grid::Grid;
use locox::handle::PoolId;
use locox::time::{Duration, Instant};
use locox_coordinators::manager::{
    Command, Config, Key, NodeId, Places, Preemption, Ranking, UserId,
};
use locox_oracles::Mismatch;
use locox_oracles::manager::{Lockstep, Met, Rooms, Rows, Size, Step};
use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};

fn ticks(random: &mut ChaCha8Rng, most: u64) -> Duration {
    let none = random.random_range(0..3) == 0;
    Duration::from_ticks(if none { 0 } else { random.random_range(1..=most) })
}

/// A machine of so many nodes, and who is stopped there.
pub(crate) fn config(random: &mut ChaCha8Rng) -> (usize, Config) {
    let (nodes, places) = match random.random_range(0..6) {
        0 => (random.random_range(8..17), Places::Any),
        1 => (random.random_range(8..17), Places::Tree),
        2 => (8 << random.random_range(0..2), Places::Subcubes),
        3 => (8 << random.random_range(0..2), Places::Meshes),
        number => {
            let sides = [[4, 2], [3, 3], [4, 3], [2, 7], [4, 4]][random.random_range(0..5)];
            let grid = if number == 4 { Grid::mesh(&sides) } else { Grid::torus(&sides) };
            (usize::from(sides[0] * sides[1]), Places::Boxes(grid.unwrap()))
        }
    };
    let ranking = if random.random_range(0..2) == 0 { Ranking::Users } else { Ranking::Priority };
    let [half_life, quantum] = [20, 2].map(|most| random.random_range(1..=most));
    let [half_life, quantum] = [half_life, quantum].map(Duration::from_ticks);
    let preempt = Some(Preemption {
        patience: ticks(random, 12),
        least_run: ticks(random, 4),
        protection: ticks(random, 40),
        notice: ticks(random, 6),
    });
    let decay = DecayParams { half_life, quantum };
    (nodes, Config { ranking, places, decay, preempt, pool: PoolId(5) })
}

/// What is said where jobs often have to stop for others.
pub(crate) fn of_rooms(random: &mut ChaCha8Rng, nodes: u32, users: u32) -> Step {
    let key = Key { id: random.random_range(0..10), born: 0 };
    let first = random.random_range(0..nodes);
    let few = random.random_range(1..=3).min(nodes - first);
    let first = NodeId(first);
    let wants = match random.random_range(0..4) {
        0 => random.random_range(1..=nodes),
        _ => random.random_range(1..=nodes.div_ceil(3)),
    };
    let endless = random.random_range(0..30) == 0;
    let limit = if endless { u64::MAX } else { random.random_range(1..60) };
    let limit = Duration::from_ticks(limit);
    let priority = random.random_range(0..3);
    let later = |random: &mut ChaCha8Rng| Instant::from_ticks(random.random_range(0..150));
    let command = match random.random_range(0..100) {
        0..19 => {
            let user = UserId(random.random_range(0..users));
            Command::Seen { key, user, nodes: wants, limit, priority }
        }
        19..23 => Command::Changed { key, nodes: wants, limit, priority },
        23..25 => Command::Held { key, held: random.random_range(0..3) == 0 },
        25..28 => Command::Runs { key, since: later(random), first, nodes: few },
        28 => Command::RunsAlso { key, first, nodes: few },
        29 => Command::Waits { key },
        30..34 => Command::Left { key },
        34 => Command::NodeOut { first, nodes: few },
        35..37 => Command::NodeBack { first, nodes: few },
        37 => Command::Weight { user: UserId(random.random_range(0..users)), weight: 2 },
        38 => Command::Deadline { key, by: later(random) },
        39 => {
            let side = |random: &mut ChaCha8Rng| random.random_range(1..5);
            Command::Shape { key, sides: [side(random), side(random), 1] }
        }
        40 => Command::Outage { first, nodes: few, from: later(random), to: later(random) },
        41 => Command::Reserve { key, from: later(random), by: Instant::MAX },
        42 => Command::NoReservation { key },
        43..45 => Command::Stoppable { key, stoppable: random.random_range(0..3) > 0 },
        45..47 => Command::Saved { key, at: later(random) },
        47..62 => return Step::Confirm(random.random_range(0..4)),
        62..70 => return Step::Stopped(random.random_range(0..4)),
        70..76 => return Step::TakeEffects(random.random_range(1..6)),
        76 => return Step::Restart,
        _ => Command::Decide,
    };
    Step::Say([0, 0, 1, 2, 5][random.random_range(0..5)], command)
}

fn history(number: u64, met: &mut Met) -> Result<(), Mismatch> {
    let mut random = ChaCha8Rng::seed_from_u64(number);
    let (nodes, config) = config(&mut random);
    let users = random.random_range(3..6);
    let size = Size { jobs: 10, users: users as usize, nodes };
    let mut rows = [Rows::new(size), Rows::new(size)];
    let mut run = Lockstep::new(size, config, &mut rows);
    for _ in 0..120 {
        let step = of_rooms(&mut random, nodes as u32, users);
        run.step(&step)?;
    }
    met.rooms += run.met.rooms;
    met.noticed += run.met.noticed;
    met.stopped += run.met.stopped;
    met.moved += run.met.moved;
    Ok(())
}

#[test]
fn room_is_made_as_the_model_does() {
    let mut met = Met::default();
    for number in 0..400 * times() {
        history(number, &mut met).unwrap_or_else(|why| panic!("history {number}: {why}"));
    }
    let Met { stopped, noticed, moved, rooms, .. } = met;
    let Rooms { made, broken, given_up, protected, tried } = rooms;
    assert!(made > 100 && broken > 4 && given_up > 20, "{met:?}");
    assert!(moved > 100 && stopped > 40 && noticed > 20 && protected > 40 && tried > 20, "{met:?}");
}

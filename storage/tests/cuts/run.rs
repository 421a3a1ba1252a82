//! A run of a coordinator, and every state that it passed through.

use locox::coordinate::{Durable, Told};
use locox::fair::{Condor, ScheduleIndex, Shuffled, StationId, UpDown};
use locox::station::{
    Arrays, Checkpoint, Command, Config, Coordinator, Effect, NodeId, Run, Trigger,
};
use locox::time::{Duration, Instant};
use locox_storage::{Denied, Keeper, Store};
use std::collections::HashMap;
use std::fmt::Debug;

pub(crate) type Pool =
    Coordinator<UpDown<[ScheduleIndex; 3], Condor, Shuffled>, Arrays<3, 5, 12, 8>>;

pub(crate) fn pool() -> Pool {
    let minute = Duration::from_ticks(1);
    let config = Config { trigger: Trigger::Demand, ..Config::study(minute) };
    let ranking = UpDown::new([ScheduleIndex::ZERO; 3], Condor::default()).shuffled();
    Coordinator::new(config, ranking, Arrays::EMPTY, Instant::ZERO).unwrap()
}

pub(crate) fn image(pool: &Durable<Pool>) -> Vec<u32> {
    let mut words = vec![];
    pool.export(&mut |word| words.push(word));
    words
}

/// Pseudorandom, the same in every run.
pub(crate) struct Numbers(pub(crate) u64);

impl Numbers {
    pub(crate) fn below(&mut self, count: u64) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % count
    }
}

/// What is said next; some of it is refused.
struct Script {
    numbers: Numbers,
    serials: [u32; 3],
    runs: Vec<Run>,
    now: u64,
}

impl Script {
    fn new(seed: u64) -> Self {
        Self { numbers: Numbers(seed), serials: [0; 3], runs: vec![], now: 0 }
    }

    fn command(&mut self) -> (Instant, Command, u32) {
        let numbers = &mut self.numbers;
        self.now += numbers.below(3);
        let home = StationId(numbers.below(3) as u32);
        let node = NodeId(numbers.below(5) as u32);
        let run = self.runs.len().checked_sub(1 + numbers.below(4) as usize);
        let run = run.and_then(|at| self.runs.get(at).copied());
        let command = match (numbers.below(8), run) {
            (0 | 1, _) => Command::Submit { home, serial: self.serials[home.0 as usize] + 1 },
            (2, _) => Command::NodeIdle { node },
            (3, _) => Command::OwnerBack { station: home },
            (4, Some(run)) => {
                Command::Checkpointed { run, checkpoint: Checkpoint(self.now as u32) }
            }
            (5, Some(run)) => Command::Finished { run },
            (6, Some(run)) => Command::Vacated { run },
            _ => Command::Tick,
        };
        (Instant::from_ticks(self.now), command, numbers.below(1 << 32) as u32)
    }

    fn hear(&mut self, told: Told<Effect>) {
        if let Effect::Place { run, .. } | Effect::Resume { run, .. } = told.effect {
            self.runs.push(run);
        }
    }
}

/// What a run passed through.
pub(crate) struct Past {
    /// The image at each place, by commands and effects taken.
    images: HashMap<(u64, u64), Vec<u32>>,
}

impl Past {
    /// Whether a coordinator is, word for word, as the run was at its place.
    pub(crate) fn knows(&self, pool: &Durable<Pool>) -> bool {
        let place = pool.place();
        self.images.get(&(place.commands, place.effects)) == Some(&image(pool))
    }
}

/// Runs so many commands that are taken. `after` gets the store and the number of commands that
/// were answered, after each.
pub(crate) fn run<S: Store>(
    keeper: &mut Keeper<Pool, S>,
    seed: u64,
    commands: u64,
    mut after: impl FnMut(&S, u64),
) -> Past
where
    S::Error: Debug,
{
    let mut script = Script::new(seed);
    // The same without a store.
    let mut pool = Durable::new(self::pool());
    let mut images = HashMap::new();
    let mut note = |pool: &Durable<Pool>| {
        let place = pool.place();
        images.insert((place.commands, place.effects), image(pool));
    };
    note(&pool);
    while pool.place().commands < commands {
        let (now, command, draw) = script.command();
        let expected = pool.apply_drawn(now, command.into(), draw);
        let answer = keeper.apply_drawn(now, command.into(), draw);
        match (expected, answer) {
            (Ok((expected, _)), Ok(answer)) => assert_eq!(answer, expected),
            (Err(expected), Err(Denied::Coordinator(answer))) => assert_eq!(answer, expected),
            other => panic!("{other:?}"),
        }
        if let (Ok(_), Command::Submit { home, serial }) = (expected, command) {
            script.serials[home.0 as usize] = serial;
        }
        note(&pool);
        after(keeper.store(), pool.place().commands);
        let most = [0, 1, 9][script.numbers.below(3) as usize];
        for _ in 0..most {
            let Some(told) = pool.take_effect() else { break };
            assert_eq!(keeper.take_effect(), Some(told));
            script.hear(told);
            note(&pool);
        }
    }
    Past { images }
}
